/* SPDX-License-Identifier: MIT */
/* Arrays and indices made plain: `der(x[i]) = sum(j = 1 .. n, A[i, j]*x[j])` for i = 3 becomes an
 * expression of the names "x[3]", "A[3,1]", "x[1]", ...
 *
 * Indices and constants become numbers, sums become their terms, operations of plain numbers are
 * carried out. A condition that is a number then chooses its branch, and the other one is never
 * looked at: `if(i eq 1, 0, x[i-1])` and `i gt 1 and x[i-1] gt 0` ask for no x[0]. Indices count
 * from 1. */
#ifndef LN_EXPRESSION_UNROLL_H
#define LN_EXPRESSION_UNROLL_H

#include "expression/graph.h"

enum { LN_ARRAY_ELEMENTS = 1000000, LN_UNROLL_INDICES = 16, LN_UNROLL_NODES = 4000000 };

typedef struct ln_array {
    const char *name;
    int dimensions; /* 1 or 2 */
    int size[2];    /* the second is 1 for a vector */
} ln_array;

/* A name that stands for a number. */
typedef struct ln_bound {
    const char *name;
    double value;
    ln_dimension dimension;
} ln_bound;

typedef struct ln_unroll {
    ln_report *report;
    /* of the trees made; set by the caller, who may change it between two calls */
    ln_arena *arena;
    ln_place place; /* of the text */
    const ln_array *arrays;
    size_t narrays;
    const ln_bound *constants;
    size_t nconstants;
    const ln_names *names;             /* an index may bear none of theirs */
    ln_bound index[LN_UNROLL_INDICES]; /* in effect now, outermost first */
    int nindices;
    long nodes; /* made so far, of LN_UNROLL_NODES */
    /* private */
    ln_graph *graph;
    ln_ast *last;
} ln_unroll;

/* The tree without indices, sums and elements, in unroll->arena; NULL after an error. */
const ln_ast *ln_unroll_tree(ln_unroll *unroll, const ln_ast *ast);
/* A tree that must come to a number: 0 after an error. */
int ln_unroll_number(ln_unroll *unroll, const ln_ast *ast, double *value);
/* An index that comes into effect, and out of it; 0 after an error. `at` is quoted. */
int ln_unroll_push(ln_unroll *unroll, const char *name, double value, const char *text, int column);
void ln_unroll_pop(ln_unroll *unroll);
/* The indices in effect as text, "i = 3, j = 2", into the arena; "" without any, NULL when memory
 * is short. */
const char *ln_unroll_indices(const ln_unroll *unroll, ln_arena *arena);
/* Calls visit for all values of the ranges, the last one fastest, as far as `where` (NULL: always)
 * holds, with the indices in effect; stops where it returns 0. 0 then and after an error. */
int ln_unroll_for(ln_unroll *unroll, const char *ranges, const char *where,
                  int (*visit)(void *context), void *context);

const ln_array *ln_array_find(const ln_array *arrays, size_t count, const char *name);
void ln_unroll_free(ln_unroll *unroll);

#endif
