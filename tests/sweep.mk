## measures and sweeps
check_PROGRAMS += tests/test_measure
tests_test_measure_SOURCES = tests/test_measure.c
tests_test_measure_LDADD = $(TEST_LIBS)
