/* SPDX-License-Identifier: MIT */
/* What messages call a dimension: a unit that people know, or powers of the base units. */
#include "expression/dimension.h"

#include <stdio.h>
#include <string.h>

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
    int over = LN_EXPONENT_SCALE;
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
    static const char *const base[LN_QUANTITIES] = {"m", "kg", "s", "A", "K", "mol", "cd"};
    static const int order[LN_QUANTITIES] = {1, 0, 2, 3, 4, 5, 6}; /* kg first, as it is written */
    if (dimension.any || ln_dimension_fits(dimension, ln_dimension_none)) {
        snprintf(buffer, 64, "a plain number");
        return;
    }
    if (named(dimension, buffer))
        return;
    buffer[0] = '\0';
    for (int k = 0; k < LN_QUANTITIES; k++) {
        int i = order[k];
        if (dimension.exponent[i] > 0)
            add_factor(buffer, buffer[0] ? "." : "", base[i], dimension.exponent[i]);
    }
    if (!buffer[0])
        snprintf(buffer, 64, "1");
    for (int k = 0; k < LN_QUANTITIES; k++) {
        int i = order[k];
        if (dimension.exponent[i] < 0)
            add_factor(buffer, "/", base[i], -dimension.exponent[i]);
    }
}
