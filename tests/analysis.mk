## analysis
check_PROGRAMS += tests/test_analysis tests/test_api
tests_test_analysis_SOURCES = tests/test_analysis.c
tests_test_analysis_LDADD = $(TEST_LIBS)
tests_test_api_SOURCES = tests/test_api.c
tests_test_api_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_small_signal
tests_test_small_signal_SOURCES = tests/test_small_signal.c
tests_test_small_signal_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_operating
tests_test_operating_SOURCES = tests/test_operating.c
tests_test_operating_LDADD = $(TEST_LIBS)
dist_check_SCRIPTS += tests/op.sh
check_PROGRAMS += tests/test_compare
tests_test_compare_SOURCES = tests/test_compare.c tests/messages.h
tests_test_compare_LDADD = $(TEST_LIBS)
dist_check_SCRIPTS += tests/compare.sh
