## result
check_PROGRAMS += tests/test_result
tests_test_result_SOURCES = tests/test_result.c tests/messages.h
tests_test_result_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_raw
tests_test_raw_SOURCES = tests/test_raw.c tests/messages.h
tests_test_raw_LDADD = $(TEST_LIBS)
dist_check_SCRIPTS += tests/raw.sh tests/rows.sh tests/result.sh tests/libraries.sh
