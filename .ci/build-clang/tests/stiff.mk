## the stiff examples
noinst_HEADERS += tests/stiff_kit.h tests/system_kit.h
check_PROGRAMS += tests/test_stiff
tests_test_stiff_SOURCES = tests/test_stiff.c
tests_test_stiff_LDADD = $(TEST_LIBS)
## what takes minutes: all of them with all methods
EXTRA_PROGRAMS += tests/stiff_table
tests_stiff_table_SOURCES = tests/stiff_table.c
tests_stiff_table_LDADD = $(TEST_LIBS)
.PHONY: check-long
check-long: tests/stiff_table
	srcdir='$(abs_srcdir)' OPENBLAS_NUM_THREADS=1 tests/stiff_table
