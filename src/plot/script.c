/* SPDX-License-Identifier: MIT */
/* A plot as a script for gnuplot 5: settings, data in named blocks, one `plot` per panel.
 *
 * Texts are untrusted. They stand in single quotes, in which gnuplot knows no escapes, no
 * substitution and no macros, only '' for a quote; what could end the line is replaced. They are
 * shown with `noenhanced`, so that _ and ^ stand as they are. */
#include "plot/script.h"

#include <math.h>
#include <string.h>

enum { PIXELS = 2000, LONGEST = 64 /* characters of a text */ };

typedef struct writing {
    ln_text *script;
    const ln_plot *plot;
    ln_plot_format format;
    size_t points;
} writing;

/* ---- texts ---- */

/* Length of the UTF-8 character at `text`, 0 when it is none. */
static int character(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    int length = c[0] < 0x80                   ? 1
                 : c[0] >= 0xC2 && c[0] < 0xE0 ? 2
                 : c[0] >= 0xE0 && c[0] < 0xF0 ? 3
                 : c[0] >= 0xF0 && c[0] < 0xF5 ? 4
                                               : 0;
    for (int k = 1; k < length; k++)
        if ((c[k] & 0xC0) != 0x80)
            return 0;
    return length;
}

/* What may stand between quotes, at most LONGEST characters of it. */
static void add_safe(ln_text *script, const char *text) {
    for (int count = 0, length; *text != '\0'; text += length > 0 ? length : 1, count++) {
        length = character(text);
        if (count == LONGEST) {
            ln_text_add(script, "...");
            return;
        }
        if (length == 0 || (unsigned char)*text < 0x20 || *text == 0x7F)
            ln_text_add(script, length == 0 ? "?" : " ");
        else if (*text == '\'')
            ln_text_add(script, "''");
        else
            ln_text_add_bytes(script, text, (size_t)length);
    }
}

static void add_quoted(ln_text *script, const char *before, const char *text, const char *after) {
    ln_text_add(script, before);
    ln_text_add(script, "'");
    add_safe(script, text != NULL ? text : "");
    ln_text_add(script, "'");
    ln_text_add(script, after);
}

static void add_number(ln_text *script, double value) {
    char buffer[32];
    ln_number_format(buffer, value);
    ln_text_add(script, buffer);
}

/* ---- the page ---- */

static void add_terminal(const writing *script) {
    const ln_plot *plot = script->plot;
    int columns = plot->columns > 0 ? plot->columns : 1,
        rows = (plot->npanels + columns - 1) / columns;
    int text = script->format == LN_PLOT_TERMINAL;
    int width = plot->width > 0 ? plot->width : text ? 79 : columns > 1 ? 640 * columns : 860;
    int height = plot->height > 0 ? plot->height
                 : text           ? 24 * rows
                 : rows == 1      ? 520
                                  : 60 + 320 * rows;
    ln_text_add(script->script, "set encoding utf8\n");
    switch (script->format) {
    case LN_PLOT_TERMINAL:
        ln_text_printf(script->script, "set term dumb size %d,%d noenhanced\n", width, height);
        break;
    case LN_PLOT_SVG:
        ln_text_printf(
            script->script,
            "set term svg size %d,%d dynamic enhanced font 'sans,13' background '#ffffff'\n", width,
            height);
        break;
    case LN_PLOT_PNG:
        ln_text_printf(script->script, "set term pngcairo size %d,%d enhanced font 'sans,10'\n",
                       width, height);
        break;
    case LN_PLOT_PDF:
        ln_text_printf(script->script,
                       "set term pdfcairo size %.3fin,%.3fin enhanced font 'sans,10'\n",
                       width / 96.0, height / 96.0);
        break;
    }
    /* the colours of Okabe and Ito, told apart by all eyes */
    static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                          "#e69f00", "#56b4e9", "#000000", "#7f7f7f"};
    for (int k = 0; k < 8; k++)
        ln_text_printf(script->script, "set linetype %d lc rgb '%s' lw 1.6 pt %d ps 0.8\n", k + 1,
                       colours[k], k + 4);
    ln_text_add(script->script,
                "set linetype cycle 8\nset grid lt 1 lw 0.5 lc rgb '#d8d8d8'\nset samples 2\n");
}

static int longest_name(const ln_plot *plot) {
    int longest = 0;
    for (int p = 0; p < plot->npanels; p++)
        for (int c = 0; c < plot->panels[p].ncurves; c++) {
            const char *name = plot->panels[p].curves[c].name;
            int length = name != NULL ? (int)strnlen(name, LONGEST) : 0;
            if (length > longest)
                longest = length;
        }
    return longest;
}

/* Several panels above each other: axes of equal width, and room for the longest name. */
static void begin_page(const writing *script) {
    const ln_plot *plot = script->plot;
    int columns = plot->columns > 0 ? plot->columns : 1, longest = longest_name(plot);
    if (script->format == LN_PLOT_TERMINAL)
        ln_text_add(script->script, "set key bmargin center horizontal noenhanced\n");
    else
        ln_text_add(script->script,
                    "set key outside right top Left reverse samplen 2 noenhanced\n");
    if (plot->npanels == 1)
        return;
    if (script->format != LN_PLOT_TERMINAL)
        ln_text_printf(script->script, "set lmargin 12\nset rmargin %d\n",
                       longest > 0 ? longest + 7 : 3);
    ln_text_printf(script->script, "set multiplot layout %d,%d",
                   (plot->npanels + columns - 1) / columns, columns);
    if (plot->title != NULL)
        add_quoted(script->script, " title ", plot->title, " noenhanced");
    ln_text_add(script->script, "\n");
}

/* ---- a panel ---- */

static void add_axis(const writing *page, char name, const ln_plot_axis *axis,
                     const double range[2]) {
    ln_text *script = page->script;
    ln_text_printf(script, "set %clabel ", name);
    ln_text_add(script, "'");
    add_safe(script, axis->label != NULL ? axis->label : "");
    if (axis->unit != NULL && axis->unit[0] != '\0') {
        ln_text_add(script, axis->label != NULL && axis->label[0] != '\0' ? " (" : "(");
        add_safe(script, axis->unit);
        ln_text_add(script, ")");
    }
    ln_text_add(script, "' noenhanced\n");
    ln_text_printf(script, axis->logarithmic ? "set logscale %c 10\n" : "unset logscale %c\n",
                   name);
    int powers = axis->logarithmic && range[1] >= 100 * range[0];
    const char *plain = page->format == LN_PLOT_TERMINAL ? "%g" : "%h";
    ln_text_printf(script, "set format %c '%s'\n", name,
                   powers && page->format != LN_PLOT_TERMINAL ? "10^{%T}" : plain);
    double low = axis->low, high = axis->high;
    if (!(low < high) && !axis->logarithmic &&
        range[1] - range[0] <= 1e-12 * fmax(fabs(range[0]), fabs(range[1]))) {
        /* a constant lies in the middle */
        double half = range[0] == 0 ? 1 : 0.1 * fabs(range[0]);
        low = range[0] - half;
        high = range[1] + half;
    }
    if (!(range[0] <= range[1])) { /* nothing to draw */
        low = axis->logarithmic ? 1 : 0;
        high = axis->logarithmic ? 10 : 1;
    }
    ln_text_printf(script, "set %crange [", name);
    if (low < high)
        add_number(script, low);
    ln_text_add(script, low < high ? ":" : "*:*");
    if (low < high)
        add_number(script, high);
    ln_text_add(script, "]\n");
}

static void emit_point(void *context, double x, double y) {
    writing *script = context;
    if (isnan(x)) {
        ln_text_add(script->script, "\n");
        return;
    }
    add_number(script->script, x);
    ln_text_add(script->script, " ");
    add_number(script->script, y);
    ln_text_add(script->script, "\n");
    script->points++;
}

/* The i-th curve's data block is written; a curve without a point has none, and 0 is returned. */
static int add_data(writing *script, const ln_plot_panel *panel, int i, const double range_x[2],
                    const double range_y[2]) {
    double own_x[2] = {INFINITY, -INFINITY}, own_y[2] = {INFINITY, -INFINITY};
    ln_plot_range(&panel->curves[i], &panel->x, &panel->y, own_x, own_y);
    if (!(own_x[0] <= own_x[1]))
        return 0;
    ln_text_printf(script->script, "$d%d << END_OF_DATA\n", i);
    ln_plot_thin(&panel->curves[i], &panel->x, &panel->y, range_x, range_y,
                 script->format == LN_PLOT_TERMINAL ? PIXELS / 4 : PIXELS, emit_point, script);
    ln_text_add(script->script, "END_OF_DATA\n");
    return 1;
}

static void add_curve(const writing *script, const ln_plot_curve *curve, int i, int first) {
    static const char *const styles[] = {[LN_PLOT_LINES] = "lines",
                                         [LN_PLOT_POINTS] = "points",
                                         [LN_PLOT_LINES_POINTS] = "linespoints",
                                         [LN_PLOT_DASHES] = "lines dt 2"};
    ln_text_add(script->script, first ? "plot " : ", ");
    ln_text_printf(script->script, "$d%d using 1:2 with %s lt %d ", i, styles[curve->style],
                   curve->colour > 0 ? curve->colour : i + 1);
    if (curve->name != NULL)
        add_quoted(script->script, "title ", curve->name, "");
    else
        ln_text_add(script->script, "notitle");
}

static void add_panel(writing *page, const ln_plot_panel *panel) {
    ln_text *script = page->script;
    double x[2] = {INFINITY, -INFINITY}, y[2] = {INFINITY, -INFINITY};
    for (int i = 0; i < panel->ncurves; i++)
        ln_plot_range(&panel->curves[i], &panel->x, &panel->y, x, y);
    const char *title = panel->title != NULL       ? panel->title
                        : page->plot->npanels == 1 ? page->plot->title
                                                   : NULL;
    add_quoted(script, "set title ", title, " noenhanced\n");
    add_axis(page, 'x', &panel->x, x);
    add_axis(page, 'y', &panel->y, y);
    int marks = 0; /* marks at the very edge would be cut */
    for (int i = 0; i < panel->ncurves; i++)
        marks += panel->curves[i].style == LN_PLOT_POINTS ||
                 panel->curves[i].style == LN_PLOT_LINES_POINTS;
    ln_text_add(script, marks > 0 ? "set autoscale x\nset offsets graph 0.02, graph 0.02, 0, 0\n"
                                  : "set autoscale xfix\nunset offsets\n");
    ln_text_add(script, panel->square ? "set size ratio -1\n" : "set size noratio\n");
    int drawn = 0;
    ln_text line = {0};
    writing later = {&line, page->plot, page->format, 0};
    for (int i = 0; i < panel->ncurves; i++)
        if (add_data(page, panel, i, x, y))
            add_curve(&later, &panel->curves[i], i, drawn++ == 0);
    ln_text_add(script,
                drawn > 0 && line.data != NULL ? line.data : "plot 0 with lines lt 0 notitle");
    if (line.failed)
        script->failed = 1;
    ln_text_free(&line);
    ln_text_add(script, "\n");
}

size_t ln_plot_script(ln_text *script, const ln_plot *plot, ln_plot_format format) {
    writing page = {script, plot, format, 0};
    add_terminal(&page);
    begin_page(&page);
    for (int p = 0; p < plot->npanels; p++)
        add_panel(&page, &plot->panels[p]);
    if (plot->npanels > 1)
        ln_text_add(script, "unset multiplot\n");
    ln_text_add(script, "unset output\n");
    return page.points;
}
