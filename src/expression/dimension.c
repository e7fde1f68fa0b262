/* SPDX-License-Identifier: MIT */
/* The algebra of dimensions: what may be added to what, and what products and powers have.
 *
 * Exponents are kept times 12, so that square, cubic and fourth roots stay exact integers. */
#include "expression/dimension.h"

#include "base/text.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const ln_dimension ln_dimension_any = {{0}, LN_FREE};
const ln_dimension ln_dimension_plain = {{0}, LN_PLAIN};
const ln_dimension ln_dimension_none = {{0}, LN_DEFINITE};

int ln_dimension_fits(ln_dimension a, ln_dimension b) {
    return a.any || b.any || memcmp(a.exponent, b.exponent, sizeof a.exponent) == 0;
}

ln_dimension ln_dimension_merge(ln_dimension a, ln_dimension b) {
    if (!a.any)
        return a;
    if (!b.any)
        return b;
    return a.any == LN_FREE ? a : b;
}

/* Exponents beyond this have no meaning and would overflow; a dimension that gets there becomes
 * free. */
static int within(long exponent) {
    return exponent > SHRT_MIN / 2 && exponent < SHRT_MAX / 2;
}

static ln_dimension combine(ln_dimension a, ln_dimension b, int sign) {
    if (a.any == LN_FREE || b.any == LN_FREE)
        return ln_dimension_any;
    if (a.any && b.any)
        return ln_dimension_plain;
    ln_dimension result = ln_dimension_none;
    for (int i = 0; i < LN_QUANTITIES; i++) {
        int exponent = a.exponent[i] + sign * b.exponent[i];
        if (!within(exponent))
            return ln_dimension_any;
        result.exponent[i] = (short)exponent;
    }
    return result;
}

ln_dimension ln_dimension_multiply(ln_dimension a, ln_dimension b) {
    return combine(a, b, 1);
}

ln_dimension ln_dimension_divide(ln_dimension a, ln_dimension b) {
    return combine(a, b, -1);
}

int ln_dimension_power(ln_dimension a, double exponent, ln_dimension *result) {
    *result = a;
    if (a.any)
        return 1;
    for (int i = 0; i < LN_QUANTITIES; i++) {
        double scaled = a.exponent[i] * exponent, whole = round(scaled);
        /* 1/3 is no double: its multiples are exact only to rounding. */
        if (!(fabs(scaled - whole) <= 1e-9) || fabs(whole) >= SHRT_MAX / 2)
            return 0;
        result->exponent[i] = (short)whole;
    }
    return 1;
}
