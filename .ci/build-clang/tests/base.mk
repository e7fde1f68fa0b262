## base, and the rules all rooms keep
check_PROGRAMS += tests/test_base
tests_test_base_SOURCES = tests/test_base.c
tests_test_base_LDADD = $(TEST_LIBS)
dist_check_SCRIPTS += tests/rooms.sh
