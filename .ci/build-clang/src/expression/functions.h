/* SPDX-License-Identifier: MIT */
/* Inside the lowering: the table of operators and functions of the language, with their unit rules.
 */
#ifndef LN_EXPRESSION_FUNCTIONS_H
#define LN_EXPRESSION_FUNCTIONS_H

#include "expression/graph.h"

typedef enum ln_unit_rule {
    LN_RULE_PLAIN, /* plain numbers in, a plain number out */
    LN_RULE_SUM,   /* two that fit */
    LN_RULE_KEEP,  /* any number of arguments that fit; the same out */
    LN_RULE_PRODUCT,
    LN_RULE_QUOTIENT,
    LN_RULE_POWER,
    LN_RULE_SQRT,
    LN_RULE_CBRT,
    LN_RULE_COMPARE, /* two that fit, truth out */
    LN_RULE_RATIO,   /* arguments that fit, a plain number out */
    LN_RULE_IF,      /* a condition and two that fit */
    LN_RULE_DER,     /* per second */
    LN_RULE_SAMPLE,  /* times in, truth out */
    LN_RULE_DELAY    /* anything and a time; the first out */
} ln_unit_rule;

typedef struct ln_known_function {
    const char *name;
    int least, most; /* arguments; most -1: any number */
    ln_unit_rule rule;
    ln_op op; /* what it becomes, where build is NULL */
    ln_node (*build)(ln_graph *graph, const ln_node *args, int nargs);
} ln_known_function;

/* The row of that name (operators by their names in the tree: "+", "neg", "lt"), or NULL. */
const ln_known_function *ln_find_function(const char *name);
/* What was probably meant by a name that is no function, or NULL. */
const char *ln_nearest_function(const char *name);
ln_node ln_build_function(ln_graph *graph, const ln_known_function *function, const ln_node *args,
                          int nargs);

#endif
