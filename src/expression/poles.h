/* SPDX-License-Identifier: MIT */
/* Arithmetic of intervals that may lead through infinity: where a quotient's divisor passes zero,
 * the quotient leaves by one end and comes back by the other. An interval whose low lies above its
 * high is all that is >= low or <= high (W. Kahan, A More Complete Interval Arithmetic, Lecture
 * notes, University of Toronto, 1968: exterior intervals); LN_ANYTHING is what nothing is known of,
 * whatever the operands' width, LN_AROUND what wide operands make of a pole. */
#ifndef LN_EXPRESSION_POLES_H
#define LN_EXPRESSION_POLES_H

#include "expression/interval.h"

#include <float.h>

/* Every number, by way of a pole; its gap lies above zero and is none. */
#define LN_AROUND ((ln_interval){DBL_MIN, 0})

static inline int ln_interval_is_outer(ln_interval a) {
    return a.low > a.high;
}
static inline int ln_interval_has_zero(ln_interval a) {
    return ln_interval_is_outer(a) ? a.low <= 0 || a.high >= 0 : a.low <= 0 && a.high >= 0;
}
/* As ln_interval_apply(), of intervals of either kind, and through poles. */
ln_interval ln_poles_apply(ln_op op, ln_interval x, ln_interval y, int is_same);
ln_interval ln_poles_sum(ln_interval a, ln_interval b);
ln_interval ln_poles_product(ln_interval a, ln_interval b);
ln_interval ln_poles_negative(ln_interval a);
/* |a| of either kind */
ln_interval ln_poles_size(ln_interval a);
/* The ordinary interval that holds it. */
ln_interval ln_poles_whole(ln_interval a);

#endif
