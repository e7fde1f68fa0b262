## network
check_PROGRAMS += tests/test_network
tests_test_network_SOURCES = tests/test_network.c tests/network_errors.c tests/network_types.c tests/network_names.c tests/network_kit.h
tests_test_network_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_loops
tests_test_loops_SOURCES = tests/test_loops.c tests/network_kit.h
tests_test_loops_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_hierarchy
tests_test_hierarchy_SOURCES = tests/test_hierarchy.c tests/network_kit.h
tests_test_hierarchy_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_vectors
tests_test_vectors_SOURCES = tests/test_vectors.c tests/harness.h
tests_test_vectors_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/test_told
tests_test_told_SOURCES = tests/test_told.c
tests_test_told_LDADD = $(TEST_LIBS)
