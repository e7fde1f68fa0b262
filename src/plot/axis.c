/* SPDX-License-Identifier: MIT */
/* The scale of an axis: its ends, and the SI prefix under which its numbers are short.
 *
 * Prefixes go in steps of a thousand, so that the largest number lies between 1 and 1000 (BIPM, The
 * International System of Units, table 7). They stand before units that take one; what is counted,
 * in degrees or in decibels stays as it is. */
#include "plot/script.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Does the unit begin with a symbol that takes a prefix? kg has one already. */
static int takes_prefix(const char *unit) {
    static const char *const symbols[] = {"s", "m", "V", "A", "Ohm", "W", "Hz", "N", "Pa", "J",
                                          "F", "H", "C", "S", "Wb",  "T", "VA", "g", "L",  "var"};
    size_t length = strcspn(unit, "./*^ ");
    if (unit[length] == '^')
        return 0; /* mm^2 would be square millimetres */
    for (size_t k = 0; k < sizeof symbols / sizeof *symbols; k++)
        if (strlen(symbols[k]) == length && strncmp(unit, symbols[k], length) == 0)
            return 1;
    return 0;
}

/* Nobody says kiloseconds: from a second on, times are counted in seconds. */
static int largest_prefix(const char *unit, int all) {
    return unit[0] == 's' && strcspn(unit, "./*^ ") == 1 ? 0 : all;
}

static void choose_prefix(const ln_plot_axis *axis, double size, ln_plot_scale *scale) {
    static const char *const prefixes[] = {"a", "f", "p", "n", "\xC2\xB5", "m", "",
                                           "k", "M", "G", "T", "P",        "E"};
    enum { NONE = 6, MOST = sizeof prefixes / sizeof *prefixes };
    const char *unit = axis->unit != NULL ? axis->unit : "";
    scale->factor = 1;
    snprintf(scale->unit, sizeof scale->unit, "%.40s", unit);
    if (scale->powers || !(size > 0) || !isfinite(size) || !takes_prefix(unit))
        return;
    /* what comes to 1 but for where the rows happen to stand is 1, not 1000 of the smaller unit */
    int thousands = (int)floor(log10(size * (1 + 2e-3)) / 3);
    if (thousands < -NONE)
        return;
    const int most = largest_prefix(unit, MOST - NONE - 1);
    if (thousands > most)
        thousands = most;
    scale->factor = pow(10, 3 * thousands);
    snprintf(scale->unit, sizeof scale->unit, "%s%.40s", prefixes[NONE + thousands], unit);
}

static void widen(const ln_plot_axis *axis, double margin, ln_plot_scale *scale) {
    const double low = scale->low, high = scale->high;
    if (axis->logarithmic) {
        const double ratio = high > low * (1 + 1e-12) ? pow(high / low, margin) : 2;
        scale->low = low / ratio;
        scale->high = high * ratio;
    } else if (high - low <= 1e-12 * fmax(fabs(low), fabs(high))) {
        /* a constant lies in the middle */
        const double half = low == 0 ? 1 : 0.1 * fabs(low);
        scale->low = low - half;
        scale->high = high + half;
    } else {
        scale->low = low - margin * (high - low);
        scale->high = high + margin * (high - low);
    }
}

void ln_plot_quantity(char text[LN_PLOT_QUANTITY], double value, const char *unit) {
    const ln_plot_axis axis = {.unit = unit};
    ln_plot_scale scale = {0};
    choose_prefix(&axis, fabs(value), &scale);
    snprintf(text, LN_PLOT_QUANTITY, "%.5g%s%s", value / scale.factor,
             scale.unit[0] != '\0' ? " " : "", scale.unit);
}

void ln_plot_make_square(double range_x[2], double range_y[2]) {
    const double span = fmax(range_x[1] - range_x[0], range_y[1] - range_y[0]);
    double *const ranges[] = {range_x, range_y};
    for (int k = 0; k < 2 && isfinite(span); k++) {
        const double more = (span - (ranges[k][1] - ranges[k][0])) / 2;
        ranges[k][0] -= more;
        ranges[k][1] += more;
    }
}

void ln_plot_scale_of(const ln_plot_axis *axis, const double range[2], double margin,
                      ln_plot_scale *scale) {
    *scale = (ln_plot_scale){.low = range[0], .high = range[1]};
    if (axis->low < axis->high) {
        scale->low = axis->low;
        scale->high = axis->high;
    } else if (!(range[0] <= range[1])) { /* nothing to draw */
        scale->low = axis->logarithmic ? 1 : 0;
        scale->high = axis->logarithmic ? 10 : 1;
    } else {
        widen(axis, margin, scale);
    }
    scale->powers = axis->logarithmic && scale->high >= 100 * scale->low;
    choose_prefix(axis, fmax(fabs(range[0]), fabs(range[1])), scale);
}
