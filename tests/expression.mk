## expression
check_PROGRAMS += tests/test_expression
tests_test_expression_SOURCES = tests/test_expression.c tests/expression_tests.h tests/expression_fixture.c \
	tests/expression_fixture.h tests/expression_units.c tests/expression_syntax.c tests/expression_typeset.c tests/expression_functions.c \
	tests/expression_graph.c tests/expression_program.c tests/expression_slope.c \
	tests/expression_bounds.c
tests_test_expression_LDADD = $(TEST_LIBS)

## nanoseconds per instruction of a register program: make bench/expression && bench/expression
EXTRA_PROGRAMS += bench/expression
bench_expression_SOURCES = bench/expression.c
bench_expression_LDADD = libcore.la
