## result
check_PROGRAMS += tests/test_result
tests_test_result_SOURCES = tests/test_result.c tests/messages.h
tests_test_result_LDADD = $(TEST_LIBS)
