/* SPDX-License-Identifier: MIT */
/* What the tests of the expression room share: a report, names, and the short way from text to
 * graph and value.
 *
 * The names known: unknowns x y z (free), `v` (V) and `i` (A); parameters p q (free), `R` (Ohm),
 * `T` (s); t. Numbered in this order from 0. */
#ifndef TESTS_EXPRESSION_FIXTURE_H
#define TESTS_EXPRESSION_FIXTURE_H

#include "expression/ast.h"
#include "expression/graph.h"
#include "expression/program.h"
#include "unit.h"

typedef struct fixture {
    ln_arena *arena;
    ln_report *report;
    ln_graph *graph;
    ln_names names;
} fixture;

enum { FIXTURE_UNKNOWNS = 5, FIXTURE_PARAMETERS = 4 };

void fixture_open(fixture *f);
void fixture_close(fixture *f);
/* The node of a text, LN_NONE after an error. */
ln_node fixture_lower(fixture *f, const char *text, ln_dimension *dimension);
ln_node fixture_unknown(fixture *f, int index);
ln_node fixture_time(fixture *f);
/* Value of a node by compiling and running it. */
double fixture_run(fixture *f, ln_node node, const double *parameters, const double *x, double t);
/* The last message, or "". */
const char *fixture_message(const fixture *f);
/* Prints leaves by their names. */
void fixture_leaf(void *context, ln_text *text, ln_leaf kind, int index);

/* Value of a constant expression; NaN after an error. */
double value_of(const char *text);
/* The message an expression gives in ln_evaluate() (with names as above, which are no constants);
 * "" when it has none. Static storage of the caller: char[512]. */
const char *message_of(const char *text, char buffer[512]);

/* Allocation that fails from the count-th call on: for fail_from(n), every later request returns
 * NULL. */
void fail_allocations_after(long calls);
void fail_no_allocations(void);

#endif
