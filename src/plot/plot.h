/* SPDX-License-Identifier: MIT */
/* Curves to a picture, drawn by gnuplot.
 *
 * A plot is plain data: panels one above the other (or in columns), each with two axes and its
 * curves. Nothing is copied; everything is borrowed until ln_plot_draw returns. Texts may come from
 * anywhere (names in a file): they are shown as they stand and cannot command the plotter. Values
 * that are not finite, or not positive on a logarithmic axis, are gaps. A curve of many points is
 * thinned to what can be seen: first, least, largest and last value of each column of pixels. */
#ifndef LN_PLOT_PLOT_H
#define LN_PLOT_PLOT_H

#include "base/report.h"

/* Numbers at the axis of a phase, in degrees: the asymptotes of poles and zeros lie on them. */
#define LN_PHASE_TICK 45.0

typedef struct ln_plot_axis {
    const char *label, *unit; /* "time", "s": shown as "time (s)"; either may be NULL or "" */
    int logarithmic;
    double low, high; /* the range; equal: what the curves need */
    double tick;      /* from number to number; 0: chosen */
    int unlabelled;   /* another panel's axis says what it is */
} ln_plot_axis;

/* What a curve looks like. STAIRS: each value holds until the next point. */
typedef enum ln_plot_style {
    LN_PLOT_LINES,
    LN_PLOT_POINTS,
    LN_PLOT_LINES_POINTS,
    LN_PLOT_DASHES,
    LN_PLOT_STAIRS
} ln_plot_style;

typedef struct ln_plot_curve {
    const char *name;     /* in the legend; NULL: not there */
    const double *x, *y;  /* count values each, one every `stride` */
    size_t count, stride; /* stride 0: 1 */
    ln_plot_style style;
    /* From 1 to 16, all of which can be told apart; the same number looks the same in all panels.
     * 0: by its place. */
    int colour;
    int dash;   /* 0: solid; 1, 2, 3: dashed, dotted, both */
    int shaded; /* coloured by `shade` on the scale of plot.shade_*, in place of a colour */
    double shade;
} ln_plot_curve;

/* A value told in the picture: a point with its text. */
typedef struct ln_plot_note {
    double x, y;
    const char *text;
} ln_plot_note;

enum { LN_PLOT_QUANTITY = 96 };
/* "28.3 mA": the value with the prefix under which its number is short, as an axis has it. */
void ln_plot_quantity(char text[LN_PLOT_QUANTITY], double value, const char *unit);

typedef struct ln_plot_panel {
    const char *title; /* NULL: none */
    ln_plot_axis x, y;
    const ln_plot_curve *curves;
    int ncurves;
    int square;          /* one unit is as long on both axes (a Nyquist plot) */
    double share;        /* its height beside that of the others in one column; 0: 1 */
    int locus;           /* x is no time: its ends need a margin, too */
    const double *marks; /* x of events: short lines at the foot of the panel */
    int nmarks;
    const double *lines; /* x of vertical lines through the panel */
    int nlines;
    const ln_plot_note *notes;
    int nnotes;
} ln_plot_panel;

typedef struct ln_plot {
    const char *title; /* above all panels; NULL: none */
    const ln_plot_panel *panels;
    int npanels, columns;    /* columns 0: 1 */
    int width, height;       /* pixels at 96 a inch, characters on a terminal; 0: chosen */
    int dark;                /* light on dark */
    const char *shade_label; /* what the scale of shades says; NULL: no curve is shaded */
    double shade_low, shade_high;
    int shade_log; /* the scale is logarithmic: values in ratios; both ends above 0 */
} ln_plot;

/* Whether a picture can be drawn to such a path, to be asked before long work: the suffix is .svg,
 * .png, .pdf, .html or .json, or the path is "-" for a drawing in characters on the standard
 * output; else
 * LINNET_USAGE. gnuplot can be started (of a page: its library is there), else
 * LINNET_IO. Reported. */
linnet_status ln_plot_check(const char *path, ln_report *report);

/* Draws. The file appears whole or not at all. LINNET_IO, reported, when gnuplot is missing or
 * fails or the file cannot be written; LINNET_USAGE as above; LINNET_FAILED when no curve has a
 * point that can be drawn. */
linnet_status ln_plot_draw(const ln_plot *plot, const char *path, ln_report *report);

#endif
