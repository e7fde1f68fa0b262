## model
check_PROGRAMS += tests/test_model tests/test_model_memory tests/test_scope
tests_test_model_SOURCES = tests/test_model.c tests/messages.h
tests_test_model_LDADD = $(TEST_LIBS)
tests_test_model_memory_SOURCES = tests/test_model_memory.c
tests_test_model_memory_LDADD = $(TEST_LIBS) $(XML_LIBS)
tests_test_scope_SOURCES = tests/test_scope.c tests/messages.h
tests_test_scope_LDADD = $(TEST_LIBS)
dist_check_SCRIPTS += tests/bad.sh
