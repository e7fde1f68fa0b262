/* SPDX-License-Identifier: MIT */
/* The tests of the expression room, which stand in expression_*.c and are listed in
 * test_expression.c. */
#ifndef TESTS_EXPRESSION_TESTS_H
#define TESTS_EXPRESSION_TESTS_H

/* expression_units.c */
void test_unit_table(void);
void test_unit_prefixes(void);
void test_unit_literals(void);
void test_unit_run(void);
void test_unit_wrong(void);
void test_unit_texts(void);
void test_unit_algebra(void);
/* expression_syntax.c */
void test_precedence(void);
void test_messages(void);
void test_not_evaluated(void);
void test_strange_names(void);
void test_known_names(void);
void test_message_place(void);
void test_place_column(void);
void test_limits(void);
void test_names(void);
void test_equations(void);
void test_lists(void);
/* expression_functions.c */
void test_cases(void);
void test_values(void);
void test_derivatives(void);
void test_derivative_texts(void);
void test_derivative_special(void);
void test_special(void);
void test_special_recurrences(void);
void test_table_function(void);
void test_unit_rules(void);
/* expression_graph.c */
void test_folding(void);
void test_sharing(void);
void test_depends(void);
void test_degree(void);
void test_copy(void);
void test_corners(void);
void test_corner_sides(void);
void test_corner_table(void);
void test_corner_shared(void);
void test_corner_next(void);
void test_random(void);
void test_garbage(void);
void test_deep(void);
void test_gradient(void);
void test_overflow(void);
/* expression_program.c */
void test_parts(void);
void test_fused(void);
void test_no_derivative(void);
void test_selection(void);
void test_explain(void);
void test_printed_numbers(void);
void test_printed_c(void);
void test_memory(void);
void test_million(void);

/* expression_typeset.c */
void test_typeset(void);

/* expression_slope.c */
void test_slopes(void);
void test_slopes_sampled(void);
void test_slopes_long(void);

/* expression_bounds.c */
void test_bounds(void);
void test_bounds_impossible(void);
void test_bounds_random(void);
void test_ranges(void);
void test_bounds_tables(void);

#endif
