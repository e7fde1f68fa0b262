## integrate
check_PROGRAMS += tests/test_explicit
tests_test_explicit_SOURCES = tests/test_explicit.c
tests_test_explicit_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_cases
tests_test_cases_SOURCES = tests/test_cases.c
tests_test_cases_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_networks
tests_test_networks_SOURCES = tests/test_networks.c
tests_test_networks_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_integrate
tests_test_integrate_SOURCES = tests/test_integrate.c
tests_test_integrate_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_diagram_runs
tests_test_diagram_runs_SOURCES = tests/test_diagram_runs.c
tests_test_diagram_runs_LDADD = $(TEST_LIBS)
