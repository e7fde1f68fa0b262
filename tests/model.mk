check_PROGRAMS += tests/test_model
tests_test_model_SOURCES = tests/test_model.c
tests_test_model_LDADD = $(TEST_LIBS)
dist_check_SCRIPTS += tests/bad.sh
