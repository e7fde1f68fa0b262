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

/* ---- intervals ---- */
static inline ln_interval ln_interval_hull(ln_interval a, ln_interval b) {
    return (ln_interval){fmin(a.low, b.low), fmax(a.high, b.high)};
}
static inline ln_interval ln_interval_negative(ln_interval a) {
    return (ln_interval){-a.high, -a.low};
}
static inline int ln_interval_is_point(ln_interval a) {
    return a.low == a.high;
}
ln_interval ln_interval_sum(ln_interval a, ln_interval b);
ln_interval ln_interval_product(ln_interval a, ln_interval b);
/* but for rounding of numbers of this size */
int ln_interval_is_zero(ln_interval a, double size);
ln_interval ln_interval_inverse(ln_interval a); /* 1/a; anything when 0 lies inside */

/* Functions of one argument that rise or fall throughout. */
typedef struct ln_monotone {
    ln_op op;
    int falls;
    double least, most; /* of the slope, as it rises */
    double begin;       /* value where the argument leaves the domain on the low side */
} ln_monotone;
const ln_monotone *ln_monotone_of(ln_op op);

#endif
