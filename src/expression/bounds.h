/* SPDX-License-Identifier: MIT */
/* Private to the room: values of expressions as intervals, under what is known of some of their
 * parts. */
#ifndef LN_EXPRESSION_BOUNDS_H
#define LN_EXPRESSION_BOUNDS_H

#include "expression/nodes.h"
#include "expression/slope.h"

typedef struct ln_known {
    ln_node node;
    ln_interval is;
} ln_known;
enum { LN_MOST_KNOWN = 48 };

typedef struct ln_bounds {
    ln_graph *graph;
    const double *p; /* values of parameters */
    ln_node variable;
    int any_step; /* a step node moves with the variable */
    /* a later one of the same node is the narrower */
    ln_known known[LN_MOST_KNOWN];
    int nknown;
    int depth;
    long steps; /* of the walk, and both have limits */
} ln_bounds;

/* 0 where the walk has become too long; otherwise one level deeper, left by ln_bounds_leave(). */
int ln_bounds_enter(ln_bounds *b);
static inline void ln_bounds_leave(ln_bounds *b) {
    b->depth--;
}

ln_interval ln_bounds_of(ln_bounds *b, ln_node node);
const ln_interval *ln_bounds_known(const ln_bounds *b, ln_node node);

/* Takes a condition as holding (or not), or a node as lying in an interval, until nknown is set
 * back: 0 where that cannot be. What does not fit into the list is forgotten, which only widens
 * results. */
int ln_bounds_assume(ln_bounds *b, ln_node condition, int holds);
int ln_bounds_narrow(ln_bounds *b, ln_node node, ln_interval is);

/* A condition without what makes no difference: `(c) gt 0.5` of something that is 0 or 1 is that;
 * noevent(). */
ln_node ln_plain_condition(ln_graph *graph, ln_node condition);

#endif
