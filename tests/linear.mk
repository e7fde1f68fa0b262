## linear
check_PROGRAMS += tests/test_linear
tests_test_linear_SOURCES = tests/test_linear.c
tests_test_linear_LDADD = $(TEST_LIBS)
