/* SPDX-License-Identifier: MIT */
/* See the header. */
#include "expression/poles.h"

#include "base/constants.h"

ln_interval ln_poles_whole(ln_interval a) {
    return ln_interval_is_outer(a) ? LN_ANYTHING : a;
}

static int is_bounded(ln_interval a) {
    return isfinite(a.low) && isfinite(a.high);
}

/* An outer interval whose gap has closed is around. */
static ln_interval outer(double low, double high) {
    return low > high ? (ln_interval){low, high} : LN_AROUND;
}

ln_interval ln_poles_negative(ln_interval a) {
    return ln_interval_is_outer(a) ? outer(-a.high, -a.low) : ln_interval_negative(a);
}

static void put_outer_first(ln_interval *a, ln_interval *b) {
    const ln_interval first = *a;
    if (!ln_interval_is_outer(*b))
        return;
    *a = *b;
    *b = first;
}

ln_interval ln_poles_sum(ln_interval a, ln_interval b) {
    put_outer_first(&a, &b);
    if (!ln_interval_is_outer(a))
        return ln_interval_sum(a, b);
    /* infinity less infinity may be anything, however near the pole */
    return ln_interval_is_outer(b) || !is_bounded(b) ? LN_ANYTHING
                                                     : outer(a.low + b.low, a.high + b.high);
}

ln_interval ln_poles_product(ln_interval a, ln_interval b) {
    put_outer_first(&a, &b);
    if (!ln_interval_is_outer(a))
        return ln_interval_product(a, b);
    if (ln_interval_is_outer(b) || !is_bounded(b) || ln_interval_has_zero(b))
        return LN_ANYTHING;
    if (b.high < 0)
        a = ln_poles_negative(a), b = ln_interval_negative(b);
    return outer(fmin(a.low * b.low, a.low * b.high), fmax(a.high * b.low, a.high * b.high));
}

/* Zero inside makes a pole, a pole inside makes a zero. */
static ln_interval inverse(ln_interval a) {
    if ((a.low == 0 && a.high == 0) || (isinf(a.low) && isinf(a.high)))
        return LN_ANYTHING;
    if (!ln_interval_is_outer(a))
        return a.low < 0 && a.high > 0 ? outer(1 / a.high, 1 / a.low) : ln_interval_inverse(a);
    if (a.low > 0 && a.high < 0)
        return (ln_interval){1 / a.high, 1 / a.low};
    if (a.low == 0 || a.high == 0)
        return a.low == 0 ? (ln_interval){1 / a.high, INFINITY}
                          : (ln_interval){-INFINITY, 1 / a.low};
    return outer(1 / a.high, 1 / a.low);
}

ln_interval ln_poles_size(ln_interval a) {
    const double least = fmin(fabs(a.low), fabs(a.high)), most = fmax(fabs(a.low), fabs(a.high));
    return (ln_interval){ln_interval_has_zero(a) ? 0 : least,
                         ln_interval_is_outer(a) ? INFINITY : most};
}

/* Rises from pole to pole; branches are counted by the pole they end at. */
static ln_interval tangent(ln_interval x) {
    if (!is_bounded(x))
        return LN_ANYTHING;
    const double poles = floor(x.high / LN_PI + 0.5) - floor(x.low / LN_PI + 0.5);
    if (poles >= 2)
        return LN_AROUND;
    return poles == 1 ? outer(tan(x.low), tan(x.high)) : (ln_interval){tan(x.low), tan(x.high)};
}

static int is_odd_inverse(ln_interval exponent) {
    return ln_interval_is_point(exponent) && exponent.low < 0 && fmod(exponent.low, 2) == -1;
}

ln_interval ln_poles_apply(ln_op op, ln_interval x, ln_interval y, int is_same) {
    switch (op) {
    case LN_OP_ADD: return ln_poles_sum(x, y);
    case LN_OP_SUB: return is_same ? LN_ZERO : ln_poles_sum(x, ln_poles_negative(y));
    case LN_OP_NEG: return ln_poles_negative(x);
    case LN_OP_DIV: return ln_poles_product(x, inverse(y));
    case LN_OP_TAN: return ln_interval_is_outer(x) ? LN_AROUND : tangent(x);
    case LN_OP_MUL:
        if (!is_same)
            return ln_poles_product(x, y);
        x = ln_poles_size(x);
        return (ln_interval){x.low * x.low, x.high * x.high};
    case LN_OP_POW:
        if (is_odd_inverse(y))
            return inverse(ln_interval_apply(op, ln_poles_whole(x), ln_interval_negative(y), 0));
        break;
    default: break;
    }
    return ln_interval_apply(op, ln_poles_whole(x), ln_poles_whole(y), is_same);
}
