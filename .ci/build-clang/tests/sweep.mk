## measures and sweeps
check_PROGRAMS += tests/test_measure
tests_test_measure_SOURCES = tests/test_measure.c
tests_test_measure_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_vary
tests_test_vary_SOURCES = tests/test_vary.c
tests_test_vary_LDADD = $(TEST_LIBS)
dist_check_SCRIPTS += tests/sweep.sh
dist_check_SCRIPTS += tests/dc.sh
