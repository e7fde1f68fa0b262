## integrate
check_PROGRAMS += tests/test_explicit
tests_test_explicit_SOURCES = tests/test_explicit.c tests/unit.h
tests_test_explicit_LDADD = $(TEST_LIBS)
