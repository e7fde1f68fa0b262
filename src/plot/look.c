/* SPDX-License-Identifier: MIT */
/* What curves look like: the colours of Okabe and Ito, told apart by all eyes, the same lightened
 * for a dark ground; and viridis, by a few of its colours, for values (Smith, van der Walt,
 * matplotlib, 2015; CC0). */
#include "plot/script.h"

#include <math.h>
#include <stdio.h>

static const char *const colours[2][LN_PLOT_COLOURS] = {
    {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7f7f7f"},
    {"#4aa8e8", "#ff8b4d", "#2fd0a0", "#eaa0cc", "#ffc94d", "#9ad9ff", "#ffffff", "#a8a8a8"}};
static const ln_plot_theme themes[2] = {{"#ffffff", "#202020", "#dcdcdc"},
                                        {"#1b1e23", "#d6d6d6", "#3c424b"}};

const ln_plot_theme *ln_plot_theme_of(const ln_plot *plot) {
    return &themes[plot->dark != 0];
}

const char *ln_plot_colour(const ln_plot *plot, int k) {
    return colours[plot->dark != 0][k % LN_PLOT_COLOURS];
}

const int ln_plot_shade_scale[LN_PLOT_SHADES][3] = {
    {68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};

static void shade_colour(const ln_plot *plot, double shade, char colour[8]) {
    const double span = plot->shade_high - plot->shade_low;
    double place = span > 0 ? (shade - plot->shade_low) / span : 0;
    if (plot->shade_log && span > 0)
        place = log(shade / plot->shade_low) / log(plot->shade_high / plot->shade_low);
    int rgb[3];
    place = fmax(0, fmin(1, isnan(place) ? 0 : place)) * (LN_PLOT_SHADES - 1);
    const int low = place >= LN_PLOT_SHADES - 1 ? LN_PLOT_SHADES - 2 : (int)place;
    for (int k = 0; k < 3; k++)
        rgb[k] = (int)lround(ln_plot_shade_scale[low][k] +
                             (place - low) *
                                 (ln_plot_shade_scale[low + 1][k] - ln_plot_shade_scale[low][k]));
    snprintf(colour, 8, "#%02x%02x%02x", (unsigned)rgb[0] & 255, (unsigned)rgb[1] & 255,
             (unsigned)rgb[2] & 255);
}

ln_plot_look ln_plot_look_of(const ln_plot *plot, const ln_plot_curve *curve, int i,
                             char colour[8]) {
    ln_plot_look look = {.kind = curve->colour > 0 ? (curve->colour - 1) % LN_PLOT_KINDS
                                                   : i % LN_PLOT_KINDS,
                         .dash = curve->dash};
    if (curve->shaded)
        shade_colour(plot, curve->shade, colour);
    else
        snprintf(colour, 8, "%s", ln_plot_colour(plot, look.kind));
    if (curve->style == LN_PLOT_DASHES ||
        (look.dash == 0 && !curve->shaded && look.kind >= LN_PLOT_COLOURS))
        look.dash = 1;
    return look;
}
