/* SPDX-License-Identifier: MIT */
/* Private to the room: what gnuplot is told. */
#ifndef LN_PLOT_SCRIPT_H
#define LN_PLOT_SCRIPT_H

#include "base/arena.h"
#include "plot/plot.h"

typedef struct ln_text ln_text;

typedef enum ln_plot_format {
    LN_PLOT_TERMINAL,
    LN_PLOT_SVG,
    LN_PLOT_PNG,
    LN_PLOT_HTML,
    LN_PLOT_JSON,
    LN_PLOT_PDF
} ln_plot_format;

/* The script that draws the plot on gnuplot's standard output, data included. Returns the number of
 * points in it; memory is short when script->failed. */
size_t ln_plot_script(ln_text *script, const ln_plot *plot, ln_plot_format format);

/* ---- axis.c ---- */

/* An axis as it is drawn: numbers are divided by `factor`, which `unit` has as its SI prefix. */
typedef struct ln_plot_scale {
    double low, high; /* of the frame, in the axis's own unit (not divided) */
    double factor;
    char unit[48];
    int powers; /* its numbers are powers of ten */
} ln_plot_scale;

/* Both ranges become of one length, each around its middle. */
void ln_plot_make_square(double range_x[2], double range_y[2]);
/* The scale that shows the range (of what is drawable, low > high: nothing is): as the axis asks,
 * else with a margin of `margin` of its length at either end, so that no curve lies on the frame.
 */
void ln_plot_scale_of(const ln_plot_axis *axis, const double range[2], double margin,
                      ln_plot_scale *scale);

/* ---- notes.c ---- */

/* The frame of a panel with its scales: width and height in the unit of a letter's width and a
 * line's height. */
typedef struct ln_plot_frame {
    const ln_plot_scale *x, *y;
    double width, height, letter, line;
} ln_plot_frame;
/* Does the note's text stand left of its point, where there is more room? */
int ln_plot_note_left(const ln_plot_note *note, const ln_plot_axis *axis,
                      const ln_plot_scale *scale);
/* heights[k], in the unit of the axis: where the text of the k-th note stands, so that none covers
 * another. Returns 0 when memory is short. */
int ln_plot_place_notes(const ln_plot_panel *panel, const ln_plot_frame *frame, double *heights);

/* ---- look.c ---- */

enum { LN_PLOT_COLOURS = 8, LN_PLOT_KINDS = 2 * LN_PLOT_COLOURS, LN_PLOT_SHADES = 5 };
/* Of the scale of shades, evenly spaced: red, green, blue. */
extern const int ln_plot_shade_scale[LN_PLOT_SHADES][3];
/* What is no curve: ground, writing, lines of the grid, as "#rrggbb". */
typedef struct ln_plot_theme {
    const char *ground, *ink, *grid;
} ln_plot_theme;
const ln_plot_theme *ln_plot_theme_of(const ln_plot *plot);
/* The k-th colour, 0 to LN_PLOT_COLOURS - 1. */
const char *ln_plot_colour(const ln_plot *plot, int k);

/* The i-th curve of a panel: one of sixteen kinds of lines, eight colours solid and then dashed. */
typedef struct ln_plot_look {
    int kind; /* 0 to LN_PLOT_KINDS - 1 */
    int dash; /* as in ln_plot_curve */
} ln_plot_look;
/* Also its colour, "#rrggbb", that of its shade where it has one. */
ln_plot_look ln_plot_look_of(const ln_plot *plot, const ln_plot_curve *curve, int i,
                             char colour[8]);

/* ---- thin.c ---- */

/* Takes what of a curve is drawn, in order. */
typedef void ln_plot_emit(void *context, double x, double y);

/* The range of the curve's drawable points, widening low..high (start with INFINITY, -INFINITY). */
void ln_plot_range(const ln_plot_curve *curve, const ln_plot_axis *x, const ln_plot_axis *y,
                   double range_x[2], double range_y[2]);
/* What of the plane is shown: its axes, least and largest value on each, and the columns and rows
 * of pixels that these ranges fill. */
typedef struct ln_plot_view {
    const ln_plot_axis *x, *y;
    const double *range_x, *range_y;
    int pixels;
} ln_plot_view;
/* Emits the curve's points, thinned to what the view can show; a gap is one point of NAN. */
void ln_plot_thin(const ln_plot_curve *curve, const ln_plot_view *view, ln_plot_emit *emit,
                  void *context);

#endif
