/* SPDX-License-Identifier: MIT */
/* Numbers of twice the length of a double: the unevaluated sum of two doubles (about 32 digits, the
 * range of a double).
 *
 * Sums and products are those of T. J. Dekker, A Floating-Point Technique for Extending the
 * Available Precision (1971); the error of a product comes from fma(). A result is right to a few
 * units of 2^-104. */
#ifndef LN_LINEAR_WIDE_H
#define LN_LINEAR_WIDE_H

#include <math.h>

typedef struct ln_wide {
    double hi, lo; /* hi is the sum rounded to double */
} ln_wide;

/* The exact sum of two doubles. */
static inline ln_wide ln_wide_sum(double a, double b) {
    const double sum = a + b, part = sum - a;
    return (ln_wide){sum, (a - (sum - part)) + (b - part)};
}

static inline ln_wide ln_wide_add(ln_wide a, ln_wide b) {
    ln_wide sum = ln_wide_sum(a.hi, b.hi);
    const ln_wide low = ln_wide_sum(a.lo, b.lo);
    sum = ln_wide_sum(sum.hi, sum.lo + low.hi);
    return ln_wide_sum(sum.hi, sum.lo + low.lo);
}

static inline ln_wide ln_wide_minus(ln_wide a) {
    return (ln_wide){-a.hi, -a.lo};
}

static inline ln_wide ln_wide_times(ln_wide a, ln_wide b) {
    const double product = a.hi * b.hi;
    return ln_wide_sum(product, fma(a.hi, b.hi, -product) + (a.hi * b.lo + a.lo * b.hi));
}

static inline ln_wide ln_wide_over(ln_wide a, ln_wide b) {
    const double first = a.hi / b.hi;
    ln_wide rest = ln_wide_add(a, ln_wide_minus(ln_wide_times((ln_wide){first, 0}, b)));
    const double second = rest.hi / b.hi;
    rest = ln_wide_add(rest, ln_wide_minus(ln_wide_times((ln_wide){second, 0}, b)));
    return ln_wide_add(ln_wide_sum(first, second), (ln_wide){rest.hi / b.hi, 0});
}

#endif
