/* SPDX-License-Identifier: MIT */
/* See the header. */
#include "expression/interval.h"

#include "base/constants.h"
#include "expression/nodes.h"

static ln_interval sound(ln_interval a) {
    if (isnan(a.low))
        a.low = -INFINITY;
    if (isnan(a.high))
        a.high = INFINITY;
    return a;
}

ln_interval ln_interval_sum(ln_interval a, ln_interval b) {
    return sound((ln_interval){a.low + b.low, a.high + b.high});
}

/* An end that is infinite is not reached: nothing times it is nothing. */
static double times(double a, double b) {
    return a == 0 || b == 0 ? 0 : a * b;
}

ln_interval ln_interval_product(ln_interval a, ln_interval b) {
    const double p = times(a.low, b.low), q = times(a.low, b.high), r = times(a.high, b.low),
                 s = times(a.high, b.high);
    return (ln_interval){fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s))};
}

int ln_interval_is_zero(ln_interval a, double size) {
    const double rounding = isfinite(size) ? 1e-12 * size : 0;
    return fabs(a.low) <= rounding && fabs(a.high) <= rounding;
}

ln_interval ln_interval_inverse(ln_interval a) {
    if (a.low < 0 && a.high > 0)
        return LN_ANYTHING;
    if (a.low == 0 && a.high == 0)
        return LN_ANYTHING;
    return (ln_interval){a.high == 0 ? -INFINITY : 1 / a.high, a.low == 0 ? INFINITY : 1 / a.low};
}

static ln_interval size_of(ln_interval a) {
    const double low = fabs(a.low), high = fabs(a.high);
    return (ln_interval){a.low < 0 && a.high > 0 ? 0 : fmin(low, high), fmax(low, high)};
}

static ln_interval square(ln_interval a) {
    a = size_of(a);
    return (ln_interval){a.low * a.low, a.high * a.high};
}

const ln_monotone *ln_monotone_of(ln_op op) {
    static const double bell = 1.1283791670955126; /* 2/sqrt(pi) */
    static const ln_monotone table[] = {{LN_OP_SQRT, 0, 0, INFINITY, 0},
                                        {LN_OP_CBRT, 0, 0, INFINITY, -INFINITY},
                                        {LN_OP_EXP, 0, 0, INFINITY, 0},
                                        {LN_OP_EXP2, 0, 0, INFINITY, 0},
                                        {LN_OP_EXPM1, 0, 0, INFINITY, -1},
                                        {LN_OP_LOG, 0, 0, INFINITY, -INFINITY},
                                        {LN_OP_LOG2, 0, 0, INFINITY, -INFINITY},
                                        {LN_OP_LOG10, 0, 0, INFINITY, -INFINITY},
                                        {LN_OP_LOG1P, 0, 0, INFINITY, -INFINITY},
                                        {LN_OP_ASIN, 0, 1, INFINITY, -INFINITY},
                                        {LN_OP_ACOS, 1, 1, INFINITY, INFINITY},
                                        {LN_OP_ATAN, 0, 0, 1, -INFINITY},
                                        {LN_OP_SINH, 0, 1, INFINITY, -INFINITY},
                                        {LN_OP_TANH, 0, 0, 1, -1},
                                        {LN_OP_ASINH, 0, 0, 1, -INFINITY},
                                        {LN_OP_ACOSH, 0, 0, INFINITY, 0},
                                        {LN_OP_ATANH, 0, 1, INFINITY, -INFINITY},
                                        {LN_OP_ERF, 0, 0, bell, -1},
                                        {LN_OP_ERFC, 1, 0, bell, 2},
                                        {LN_OP_FLOOR, 0, 0, INFINITY, -INFINITY},
                                        {LN_OP_CEIL, 0, 0, INFINITY, -INFINITY},
                                        {LN_OP_ROUND, 0, 0, INFINITY, -INFINITY},
                                        {LN_OP_TRUNC, 0, 0, INFINITY, -INFINITY}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (table[k].op == op)
            return &table[k];
    return NULL;
}

static ln_interval monotone(const ln_monotone *m, ln_interval a) {
    double low = ln_apply(m->op, a.low, 0, 0), high = ln_apply(m->op, a.high, 0, 0);
    if (isnan(low))
        low = m->begin;
    return sound(m->falls ? (ln_interval){high, low} : (ln_interval){low, high});
}

static ln_interval ends(ln_op op, double least, double most, double exponent) {
    const double a = ln_apply(op, least, exponent, 0), b = ln_apply(op, most, exponent, 0);
    return sound((ln_interval){fmin(a, b), fmax(a, b)});
}

/* Of a base that is not negative it rises or falls, as that of a whole odd exponent does; an even
 * one takes the base's size. */
static ln_interval power(ln_interval a, ln_interval exponent) {
    const double n = exponent.low;
    const int is_even = ln_interval_is_point(exponent) && fmod(n, 2) == 0;
    if (is_even)
        a = size_of(a);
    if (a.low < 0 && !(ln_interval_is_point(exponent) && n > 0 && fmod(n, 2) == 1))
        return LN_ANYTHING;
    return ln_interval_is_point(exponent) ? ends(LN_OP_POW, a.low, a.high, n)
                                          : (ln_interval){0, INFINITY};
}

/* Sine and cosine: their ends, and what lies between, as told in turns of a full circle from where
 * they are highest. */
static ln_interval wave(ln_op op, ln_interval a) {
    const double circle = 2 * LN_PI, highest = op == LN_OP_SIN ? 0.25 : 0,
                 first = a.low / circle - highest, last = a.high / circle - highest;
    if (!(last - first < 1))
        return (ln_interval){-1, 1};
    const double low = ln_apply(op, a.low, 0, 0), high = ln_apply(op, a.high, 0, 0);
    return (ln_interval){ceil(first - 0.5) + 0.5 <= last ? -1 : fmin(low, high),
                         ceil(first) <= last ? 1 : fmax(low, high)};
}

static int is_true(ln_interval a) {
    return a.low > 0 || a.high < 0;
}
static int is_false(ln_interval a) {
    return a.low == 0 && a.high == 0;
}
static int is_below(ln_interval a, ln_interval b) {
    return a.high < b.low;
}
static ln_interval truth(int holds, int fails) {
    return holds ? (ln_interval){1, 1} : fails ? LN_ZERO : (ln_interval){0, 1};
}

/* Sums and products; 0: the operation is none. x - x is 0 and x x a square, whatever x is. */
static int arithmetic(ln_op op, ln_interval x, ln_interval y, int is_same, ln_interval *is) {
    switch (op) {
    case LN_OP_ADD: *is = ln_interval_sum(x, y); return 1;
    case LN_OP_SUB: *is = is_same ? LN_ZERO : ln_interval_sum(x, ln_interval_negative(y)); return 1;
    case LN_OP_NEG: *is = ln_interval_negative(x); return 1;
    case LN_OP_MUL: *is = is_same ? square(x) : ln_interval_product(x, y); return 1;
    case LN_OP_DIV: *is = ln_interval_product(x, ln_interval_inverse(y)); return 1;
    case LN_OP_POW: *is = power(x, y); return 1;
    default: return 0;
    }
}

/* Decided where the intervals do not overlap, or touch: 0 gt 0 is false. */
static int logic(ln_op op, ln_interval x, ln_interval y, ln_interval *is) {
    switch (op) {
    case LN_OP_LT: *is = truth(is_below(x, y), y.high <= x.low); return 1;
    case LN_OP_LE: *is = truth(x.high <= y.low, is_below(y, x)); return 1;
    case LN_OP_AND: *is = truth(is_true(x) && is_true(y), is_false(x) || is_false(y)); return 1;
    case LN_OP_OR: *is = truth(is_true(x) || is_true(y), is_false(x) && is_false(y)); return 1;
    case LN_OP_NOT: *is = truth(is_false(x), is_true(x)); return 1;
    case LN_OP_EQ: *is = truth(0, is_below(x, y) || is_below(y, x)); return 1;
    default: return 0;
    }
}

ln_interval ln_interval_apply(ln_op op, ln_interval x, ln_interval y, int is_same) {
    const ln_monotone *m = ln_monotone_of(op);
    ln_interval is;
    if (m != NULL)
        return monotone(m, x);
    if (arithmetic(op, x, y, is_same, &is) || logic(op, x, y, &is))
        return is;
    switch (op) {
    case LN_OP_SIN:
    case LN_OP_COS: return wave(op, x);
    case LN_OP_COSH: x = size_of(x); return (ln_interval){cosh(x.low), cosh(x.high)};
    case LN_OP_HYPOT:
        x = size_of(x), y = size_of(y);
        return (ln_interval){hypot(x.low, y.low), hypot(x.high, y.high)};
    case LN_OP_ATAN2: return (ln_interval){-LN_PI, LN_PI};
    case LN_OP_UNIFORM: return (ln_interval){0, 1};
    case LN_OP_NOEVENT:
    case LN_OP_PRE: return x;
    default: return LN_ANYTHING;
    }
}
