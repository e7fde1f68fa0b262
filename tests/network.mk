## network
check_PROGRAMS += tests/test_network
tests_test_network_SOURCES = tests/test_network.c tests/network_errors.c tests/network_names.c tests/network_kit.h
tests_test_network_LDADD = $(TEST_LIBS)
