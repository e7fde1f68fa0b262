/* SPDX-License-Identifier: MIT */
/* The algebra of dimensions: what may be added to what, what products and powers have, and how
 * messages name it.
 *
 * Exponents are kept times 12, so that square, cubic and fourth roots stay exact integers. */
#include "expression/dimension.h"

#include "base/text.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { QUANTITIES = 7, SCALE = 12 };

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
    for (int i = 0; i < QUANTITIES; i++) {
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
    for (int i = 0; i < QUANTITIES; i++) {
        double scaled = a.exponent[i] * exponent, whole = round(scaled);
        /* 1/3 is no double: its multiples are exact only to rounding. */
        if (!(fabs(scaled - whole) <= 1e-9) || fabs(whole) >= SHRT_MAX / 2)
            return 0;
        result->exponent[i] = (short)whole;
    }
    return 1;
}

/* Units in which people think of a dimension; the first that fits names it. */
static const char *const familiar[] = {
    "V",        "A",       "Ohm",       "S",     "F",    "H",     "W",   "N",   "Pa",  "J",
    "C",        "Wb",      "T",         "m",     "kg",   "s",     "K",   "mol", "cd",  "m/s",
    "m/s^2",    "1/s",     "N/m",       "V/m",   "A/m",  "V/s",   "A/s", "W/K", "J/K", "K/W",
    "J/(kg.K)", "W/(m.K)", "W/(m^2.K)", "Pa.s",  "Pa/s", "N/s",   "W/s", "m^2", "m^3", "m^3/s",
    "kg/s",     "kg/m^3",  "kg.m^2",    "Ohm.m", "S/m",  "A/V^2", "V/K", "1/V",
};

static int named(ln_dimension dimension, char buffer[64]) {
    for (size_t i = 0; i < sizeof familiar / sizeof *familiar; i++) {
        double factor, offset;
        ln_dimension known;
        if (!ln_unit_read(familiar[i], &factor, &offset, &known, NULL))
            continue;
        if (memcmp(known.exponent, dimension.exponent, sizeof known.exponent))
            continue;
        snprintf(buffer, 64, "%s", familiar[i]);
        return 1;
    }
    return 0;
}

/* One factor, "kg^2" or "m^(1/2)"; `exponent` is positive. */
static void add_factor(char buffer[64], const char *joint, const char *unit, int exponent) {
    size_t used = strlen(buffer);
    int over = SCALE;
    for (int prime = 2; prime <= 3; prime++)
        while (exponent % prime == 0 && over % prime == 0) {
            exponent /= prime;
            over /= prime;
        }
    if (over > 1)
        snprintf(buffer + used, 64 - used, "%s%s^(%d/%d)", joint, unit, exponent, over);
    else if (exponent > 1)
        snprintf(buffer + used, 64 - used, "%s%s^%d", joint, unit, exponent);
    else
        snprintf(buffer + used, 64 - used, "%s%s", joint, unit);
}

void ln_dimension_text(ln_dimension dimension, char buffer[64]) {
    static const char *const base[QUANTITIES] = {"m", "kg", "s", "A", "K", "mol", "cd"};
    static const int order[QUANTITIES] = {1, 0, 2, 3, 4, 5, 6}; /* kg first, as it is written */
    if (dimension.any || ln_dimension_fits(dimension, ln_dimension_none)) {
        snprintf(buffer, 64, "a plain number");
        return;
    }
    if (named(dimension, buffer))
        return;
    buffer[0] = '\0';
    for (int k = 0; k < QUANTITIES; k++) {
        int i = order[k];
        if (dimension.exponent[i] > 0)
            add_factor(buffer, buffer[0] ? "." : "", base[i], dimension.exponent[i]);
    }
    if (!buffer[0])
        snprintf(buffer, 64, "1");
    for (int k = 0; k < QUANTITIES; k++) {
        int i = order[k];
        if (dimension.exponent[i] < 0)
            add_factor(buffer, "/", base[i], -dimension.exponent[i]);
    }
}
