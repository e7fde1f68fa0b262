## the physical library: closed forms, balances
check_PROGRAMS += tests/test_mechanics
tests_test_mechanics_SOURCES = tests/test_mechanics.c
tests_test_mechanics_LDADD = $(TEST_LIBS)
