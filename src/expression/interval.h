/* SPDX-License-Identifier: MIT */
/* Arithmetic of intervals (R. E. Moore, Interval Analysis, 1966). Rounding is
 * not directed: results decide signs, where the ends that matter are zeros that come from exact
 * operations. */
#ifndef LN_EXPRESSION_INTERVAL_H
#define LN_EXPRESSION_INTERVAL_H

#include "expression/graph.h"

#include <math.h>

typedef struct ln_interval {
    double low, high;
} ln_interval;
#define LN_ANYTHING ((ln_interval){-INFINITY, INFINITY})
#define LN_ZERO ((ln_interval){0, 0})

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

/* Where the values of an operation lie whose operands lie in x and y (MATH operations of up to two;
 * LN_ANYTHING where nothing is known). is_same: both operands are one value: x - x is 0 and x x a
 * square, whatever x is. */
ln_interval ln_interval_apply(ln_op op, ln_interval x, ln_interval y, int is_same);

#endif
