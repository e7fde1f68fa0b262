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

typedef struct ln_plot_axis {
    const char *label, *unit; /* "time", "s": shown as "time (s)"; either may be NULL or "" */
    int logarithmic;
    double low, high; /* the range; equal: what the curves need */
} ln_plot_axis;

typedef enum ln_plot_style {
    LN_PLOT_LINES,
    LN_PLOT_POINTS,
    LN_PLOT_LINES_POINTS,
    LN_PLOT_DASHES
} ln_plot_style;

typedef struct ln_plot_curve {
    const char *name;     /* in the legend; NULL: not there */
    const double *x, *y;  /* count values each, one every `stride` */
    size_t count, stride; /* stride 0: 1 */
    ln_plot_style style;
    int colour; /* from 1, the same number is the same colour in all panels; 0: by its place */
} ln_plot_curve;

typedef struct ln_plot_panel {
    const char *title; /* NULL: none */
    ln_plot_axis x, y;
    const ln_plot_curve *curves;
    int ncurves;
    int square; /* one unit is as long on both axes (a Nyquist plot) */
} ln_plot_panel;

typedef struct ln_plot {
    const char *title; /* above all panels; NULL: none */
    const ln_plot_panel *panels;
    int npanels, columns; /* columns 0: 1 */
    int width, height;    /* pixels at 96 a inch, characters on a terminal; 0: chosen */
} ln_plot;

/* Whether a picture can be drawn to such a path, to be asked before long work: the suffix is .svg,
 * .png or .pdf, or the path is "-" for a drawing in characters on the standard output; else
 * LINNET_USAGE. gnuplot can be started, else LINNET_IO. Reported. */
linnet_status ln_plot_check(const char *path, ln_report *report);

/* Draws. The file appears whole or not at all. LINNET_IO, reported, when gnuplot is missing or
 * fails or the file cannot be written; LINNET_USAGE as above; LINNET_FAILED when no curve has a
 * point that can be drawn. */
linnet_status ln_plot_draw(const ln_plot *plot, const char *path, ln_report *report);

#endif
