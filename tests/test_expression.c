/* SPDX-License-Identifier: MIT */
#include "expression_tests.h"

#include "unit.h"

UNIT_MAIN({"unit table", test_unit_table}, {"unit prefixes", test_unit_prefixes},
          {"unit literals", test_unit_literals}, {"unit run", test_unit_run},
          {"unit wrong", test_unit_wrong}, {"unit texts", test_unit_texts},
          {"unit algebra", test_unit_algebra}, {"precedence", test_precedence},
          {"messages", test_messages}, {"not evaluated", test_not_evaluated},
          {"strange names", test_strange_names}, {"known names", test_known_names},
          {"message place", test_message_place}, {"place column", test_place_column},
          {"limits", test_limits}, {"names", test_names}, {"equations", test_equations},
          {"lists", test_lists}, {"cases", test_cases}, {"values", test_values},
          {"derivatives", test_derivatives}, {"derivative texts", test_derivative_texts},
          {"derivative special", test_derivative_special}, {"special", test_special},
          {"special, recurrences", test_special_recurrences},
          {"table function", test_table_function}, {"unit rules", test_unit_rules},
          {"slopes", test_slopes}, {"slopes, sampled", test_slopes_sampled},
          {"slopes, long ways", test_slopes_long}, {"bounds", test_bounds},
          {"bounds, impossible", test_bounds_impossible}, {"bounds, random", test_bounds_random},
          {"ranges of programs", test_ranges}, {"bounds of tables", test_bounds_tables},
          {"folding", test_folding}, {"sharing", test_sharing}, {"depends", test_depends},
          {"degree", test_degree}, {"copy", test_copy}, {"corners", test_corners},
          {"corner sides", test_corner_sides}, {"corner table", test_corner_table},
          {"corner shared", test_corner_shared}, {"corner next", test_corner_next},
          {"random", test_random}, {"garbage", test_garbage}, {"deep", test_deep},
          {"overflow", test_overflow}, {"gradient", test_gradient}, {"parts", test_parts},
          {"fused", test_fused}, {"no derivative", test_no_derivative},
          {"selection", test_selection}, {"explain", test_explain},
          {"printed numbers", test_printed_numbers}, {"printed c", test_printed_c},
          {"memory", test_memory}, {"million", test_million}, {"typeset", test_typeset})
