/* SPDX-License-Identifier: MIT */
/* A plot as a script for gnuplot 5: settings, data in named blocks, one `plot` per panel.
 *
 * Texts are untrusted. They stand in single quotes, in which gnuplot knows no escapes, no
 * substitution and no macros; what could end the line is replaced, and so is a quote (gnuplot 5.4
 * takes '' for one behind another character only: not at the beginning of a text, nor twice). They
 * are shown with `noenhanced`, so that _ and ^ stand as they are. */
#include "plot/script.h"

#include "base/sys.h"
#include "base/visible.h"
#include "base/text.h"

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

/* What may stand between quotes, at most LONGEST characters of it. */
static void add_safe(ln_text *script, const char *text) {
    ln_text shown = {0};
    ln_visible_add(&shown, text, 0);
    script->failed |= shown.failed;
    size_t left = shown.failed ? 0 : shown.length;
    const char *at = shown.data;
    for (int count = 0, length; left > 0; at += length, left -= (size_t)length, count++) {
        length = ln_utf8_length(at, left);
        if (count == LONGEST) {
            ln_text_add(script, "...");
            break;
        }
        if (*at == '\'')
            ln_text_add(script, "\u2019");
        else if (*at == '>') /* of ]]>, which gnuplot would leave in an SVG */
            ln_text_add(script, count > 1 && at[-1] == ']' && at[-2] == ']' ? "\u203a" : ">");
        else
            ln_text_add_bytes(script, at, (size_t)length);
    }
    ln_text_free(&shown);
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

static int columns_of(const ln_plot *plot) {
    return plot->columns > 0 ? plot->columns : 1;
}

static int rows_of(const ln_plot *plot) {
    return (plot->npanels + columns_of(plot) - 1) / columns_of(plot);
}

/* In pixels, or in lines of a terminal. */
static int height_of(const writing *page) {
    const int rows = rows_of(page->plot);
    if (page->plot->height > 0)
        return page->plot->height;
    if (page->format == LN_PLOT_TERMINAL)
        return 24 * rows;
    return rows == 1 ? 520 : 60 + 320 * rows;
}

static int width_of(const writing *page) {
    const int columns = columns_of(page->plot);
    if (page->plot->width > 0)
        return page->plot->width;
    if (page->format == LN_PLOT_TERMINAL)
        return 79;
    return columns > 1 ? 640 * columns : 860;
}

static void add_terminal(const writing *page) {
    const ln_plot *plot = page->plot;
    ln_text *script = page->script;
    const char *ground = ln_plot_theme_of(plot)->ground;
    const int width = width_of(page), height = height_of(page);
    ln_text_add(script, "set encoding utf8\n");
    switch (page->format) {
    case LN_PLOT_TERMINAL:
        ln_text_printf(script, "set term dumb size %d,%d noenhanced\n", width, height);
        break;
    case LN_PLOT_HTML:
    case LN_PLOT_JSON: break; /* no picture of gnuplot's */
    case LN_PLOT_SVG:
        ln_text_printf(script,
                       "set term svg size %d,%d dynamic enhanced font 'sans,13' background '%s'\n",
                       width, height, ground);
        break;
    case LN_PLOT_PNG:
        ln_text_printf(script,
                       "set term pngcairo size %d,%d enhanced font 'sans,10' background '%s'\n",
                       width, height, ground);
        break;
    case LN_PLOT_PDF:
        ln_text_printf(
            script,
            "set term pdfcairo size %.3fin,%.3fin enhanced font 'sans,10' background '%s'\n",
            width / 96.0, height / 96.0, ground);
        break;
    }
}

/* Sixteen kinds of lines: eight colours, solid and then dashed, each with a mark of its own. */
static void add_kinds(const writing *page) {
    ln_text *script = page->script;
    const ln_plot_theme *look = ln_plot_theme_of(page->plot);
    /* gnuplot's numbers of disc, square, triangle, diamond, and the same open */
    static const int points[LN_PLOT_COLOURS] = {7, 5, 9, 13, 6, 4, 8, 12};
    for (int k = 0; k < LN_PLOT_KINDS; k++)
        ln_text_printf(script, "set linetype %d lc rgb '%s' lw %s dt %d pt %d ps 0.8\n", k + 1,
                       ln_plot_colour(page->plot, k), k < LN_PLOT_COLOURS ? "1.7" : "2.2",
                       k < LN_PLOT_COLOURS ? 1 : 2, points[k % LN_PLOT_COLOURS]);
    ln_text_printf(script, "set linetype cycle %d\nset samples 2\n", LN_PLOT_KINDS);
    if (page->format == LN_PLOT_TERMINAL) {
        ln_text_add(script, "unset grid\n"); /* it would be drawn with the signs of a curve */
        return;
    }
    ln_text_printf(script, "set grid lt 1 lw 0.6 lc rgb '%s'\nset tics scale 0.6\n", look->grid);
    ln_text_printf(script, "set border 31 lw 0.8 lc rgb '%s'\nset key textcolor rgb '%s'\n",
                   look->ink, look->ink);
    ln_text_printf(script, "set xtics textcolor rgb '%s'\nset ytics textcolor rgb '%s'\n",
                   look->ink, look->ink);
}

/* Numbers at a logarithmic axis of less than two decades, where powers of ten would be one or none:
 * 1, 2 and 5 times each. */
static void add_narrow_ticks(ln_text *script, const char *name, const ln_plot_scale *scale) {
    static const int steps[] = {1, 2, 5};
    const double low = scale->low / scale->factor, high = scale->high / scale->factor;
    int count = 0;
    ln_text_printf(script, "set %stics (", name);
    for (int decade = (int)floor(log10(low)); decade <= (int)ceil(log10(high)); decade++)
        for (int k = 0; k < 3; k++) {
            const double value = steps[k] * pow(10, decade);
            if (value < low || value > high)
                continue;
            ln_text_add(script, count++ > 0 ? ", " : "");
            add_number(script, value);
        }
    ln_text_add(script, ")\n");
}

static void add_shades(const writing *page) {
    const ln_plot *plot = page->plot;
    ln_text *script = page->script;
    if (plot->shade_label == NULL || page->format == LN_PLOT_TERMINAL)
        return;
    ln_text_add(script, "set palette defined (");
    for (int k = 0; k < LN_PLOT_SHADES; k++)
        ln_text_printf(script, "%s%d '#%02x%02x%02x'", k > 0 ? ", " : "", k,
                       (unsigned)ln_plot_shade_scale[k][0], (unsigned)ln_plot_shade_scale[k][1],
                       (unsigned)ln_plot_shade_scale[k][2]);
    ln_text_add(script, ")\nset cbrange [");
    add_number(script, plot->shade_low);
    ln_text_add(script, ":");
    add_number(script, plot->shade_low < plot->shade_high ? plot->shade_high : plot->shade_low + 1);
    ln_text_add(script, plot->shade_log ? "]\nset logscale cb\n" : "]\n");
    add_quoted(script, "set cblabel ", plot->shade_label, " noenhanced textcolor rgb '");
    ln_text_printf(script, "%s'\nset cbtics textcolor rgb '%s'\n", ln_plot_theme_of(plot)->ink,
                   ln_plot_theme_of(plot)->ink);
    const ln_plot_scale scale = {.low = plot->shade_low, .high = plot->shade_high, .factor = 1};
    if (plot->shade_log && plot->shade_high < 100 * plot->shade_low)
        add_narrow_ticks(script, "cb", &scale);
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

static double share_of(const ln_plot_panel *panel) {
    return panel->share > 0 ? panel->share : 1;
}

/* Panels in one column that are not all of one height. */
static int has_shares(const ln_plot *plot) {
    int shares = 0;
    for (int p = 0; p < plot->npanels; p++)
        shares |= share_of(&plot->panels[p]) != 1;
    return shares && plot->npanels > 1 && plot->columns <= 1;
}

/* Where panel p stands on the page, in parts of its height; the title has TITLE of it. */
static void add_place(const writing *page, int p) {
    static const double TITLE = 0.04;
    const ln_plot *plot = page->plot;
    if (!has_shares(plot))
        return;
    double all = 0, below = 0;
    for (int k = 0; k < plot->npanels; k++) {
        all += share_of(&plot->panels[k]);
        below += k > p ? share_of(&plot->panels[k]) : 0;
    }
    const double room = plot->title != NULL ? 1 - TITLE : 1;
    ln_text_printf(page->script, "set origin 0,%.4f\nset size 1,%.4f\n", room * below / all,
                   room * share_of(&plot->panels[p]) / all);
}

/* Several panels above each other: axes of equal width, and room for the longest name. */
static void begin_page(const writing *page) {
    const ln_plot *plot = page->plot;
    ln_text *script = page->script;
    const int columns = columns_of(plot), longest = longest_name(plot);
    if (page->format == LN_PLOT_TERMINAL)
        ln_text_add(script, "set key bmargin center horizontal noenhanced\n");
    else
        ln_text_add(script, "set key outside right top Left reverse samplen 2.5 noenhanced\n");
    if (plot->npanels == 1)
        return;
    if (page->format != LN_PLOT_TERMINAL) {
        const int scale = plot->shade_label != NULL ? 12 : 3;
        ln_text_printf(script, "set lmargin 12\nset rmargin %d\n",
                       longest > 0 ? longest + 8 : scale);
    }
    ln_text_add(script, "set multiplot");
    if (!has_shares(plot))
        ln_text_printf(script, " layout %d,%d", rows_of(plot), columns);
    if (plot->title != NULL) {
        add_quoted(script, " title ", plot->title, " noenhanced");
        if (page->format != LN_PLOT_TERMINAL)
            ln_text_printf(script, " textcolor rgb '%s'", ln_plot_theme_of(plot)->ink);
    }
    ln_text_add(script, "\n");
}

/* ---- a panel ---- */

/* " noenhanced textcolor rgb '#202020'" */
static void add_ink(const writing *page) {
    ln_text_add(page->script, " noenhanced");
    if (page->format != LN_PLOT_TERMINAL)
        ln_text_printf(page->script, " textcolor rgb '%s'", ln_plot_theme_of(page->plot)->ink);
}

static void add_axis(const writing *page, char name, const ln_plot_axis *axis,
                     const ln_plot_scale *scale) {
    ln_text *script = page->script;
    ln_text_printf(script, "set %clabel '", name);
    if (!axis->unlabelled)
        add_safe(script, axis->label != NULL ? axis->label : "");
    if (scale->unit[0] != '\0' && !axis->unlabelled) {
        const int labelled = axis->label != NULL && axis->label[0] != '\0';
        ln_text_add(script, labelled ? " (" : "");
        add_safe(script, scale->unit);
        ln_text_add(script, labelled ? ")" : "");
    }
    ln_text_add(script, "'");
    add_ink(page);
    ln_text_printf(script, axis->logarithmic ? "\nset logscale %c 10\n" : "\nunset logscale %c\n",
                   name);
    if (axis->tick > 0)
        ln_text_printf(script, "set %ctics %.9g\n", name, axis->tick / scale->factor);
    else if (axis->logarithmic && !scale->powers)
        add_narrow_ticks(script, (char[]){name, '\0'}, scale);
    else
        ln_text_printf(script, "set %ctics autofreq\n", name);
    const char *plain = page->format == LN_PLOT_TERMINAL ? "%g" : "%.7h";
    ln_text_printf(script, "set format %c '%s'\nset %crange [", name,
                   scale->powers && page->format != LN_PLOT_TERMINAL ? "10^{%T}" : plain, name);
    add_number(script, scale->low / scale->factor);
    ln_text_add(script, ":");
    add_number(script, scale->high / scale->factor);
    ln_text_add(script, "]\n");
}

/* The points of a curve on their way into the script. */
typedef struct emitting {
    writing *page;
    double x, y; /* factors of the axes */
} emitting;

static void emit_point(void *context, double x, double y) {
    const emitting *to = context;
    ln_text *script = to->page->script;
    if (isnan(x)) {
        ln_text_add(script, "\n");
        return;
    }
    add_number(script, x / to->x);
    ln_text_add(script, " ");
    add_number(script, y / to->y);
    ln_text_add(script, "\n");
    to->page->points++;
}

/* A panel with the scales of its axes. */
typedef struct framed {
    const ln_plot_panel *panel;
    ln_plot_scale x, y;
    double range_x[2], range_y[2];
} framed;

/* The i-th curve's data block is written; a curve without a point has none, and 0 is returned. */
static int add_data(writing *page, const framed *frame, int i) {
    const ln_plot_panel *panel = frame->panel;
    double own_x[2] = {INFINITY, -INFINITY}, own_y[2] = {INFINITY, -INFINITY};
    ln_plot_range(&panel->curves[i], &panel->x, &panel->y, own_x, own_y);
    if (!(own_x[0] <= own_x[1]))
        return 0;
    emitting to = {page, frame->x.factor, frame->y.factor};
    ln_text_printf(page->script, "$d%d << END_OF_DATA\n", i);
    const ln_plot_view view = {&panel->x, &panel->y, frame->range_x, frame->range_y,
                               page->format == LN_PLOT_TERMINAL ? PIXELS / 4 : PIXELS};
    ln_plot_thin(&panel->curves[i], &view, emit_point, &to);
    ln_text_add(page->script, "END_OF_DATA\n");
    return 1;
}

static void add_curve(const writing *page, const ln_plot_curve *curve, int i, int first) {
    static const char *const styles[] = {[LN_PLOT_LINES] = "lines",
                                         [LN_PLOT_POINTS] = "points",
                                         [LN_PLOT_LINES_POINTS] = "linespoints",
                                         [LN_PLOT_DASHES] = "lines",
                                         [LN_PLOT_STAIRS] = "steps"};
    static const int dashes[] = {1, 2, 3, 4};
    ln_text_add(page->script, first ? "plot " : ", ");
    ln_text_printf(page->script, "$d%d using 1:2 with %s lt %d ", i, styles[curve->style],
                   curve->colour > 0 ? (curve->colour - 1) % LN_PLOT_KINDS + 1
                                     : i % LN_PLOT_KINDS + 1);
    if (curve->shaded && page->format != LN_PLOT_TERMINAL) {
        ln_text_add(page->script, "lw 1.5 dt 1 lc palette cb ");
        add_number(page->script, curve->shade);
        ln_text_add(page->script, " ");
    }
    if (curve->dash > 0)
        ln_text_printf(page->script, "dt %d ", dashes[curve->dash & 3]);
    else if (curve->style == LN_PLOT_DASHES)
        ln_text_add(page->script, "dt 2 ");
    if (curve->name != NULL)
        add_quoted(page->script, "title ", curve->name, "");
    else
        ln_text_add(page->script, "notitle");
}

/* "set arrow from first 1, graph 0 to first 1, graph 0.03 nohead ..." */
static void add_vertical(const writing *page, double x, double top, const char *look) {
    ln_text *script = page->script;
    ln_text_add(script, "set arrow from first ");
    add_number(script, x);
    ln_text_add(script, ", graph 0 to first ");
    add_number(script, x);
    ln_text_printf(script, ", graph %g nohead %s lc rgb '%s'\n", top, look,
                   ln_plot_theme_of(page->plot)->ink);
}

/* The frame: beside it a panel holds the numbers and labels of its axes, a title and the key. */
static ln_plot_frame frame_size(const writing *page, const framed *frame) {
    const ln_plot *plot = page->plot;
    const int terminal = page->format == LN_PLOT_TERMINAL;
    double all = 0;
    for (int p = 0; p < plot->npanels; p++)
        all += share_of(&plot->panels[p]);
    const double part = has_shares(plot) ? share_of(frame->panel) / all : 1.0 / rows_of(plot);
    const double width = width_of(page) / (double)columns_of(plot) - (terminal ? 12 : 180);
    const double height = height_of(page) * part - (terminal ? 5 : 90);
    /* letters of a font of 13 pixels */
    return (ln_plot_frame){&frame->x,       &frame->y,          fmax(width, 1),
                           fmax(height, 1), terminal ? 1 : 7.5, terminal ? 1 : 18};
}

static void add_label(const writing *page, const framed *frame, const ln_plot_note *note, double y,
                      const char *text) {
    ln_text *script = page->script;
    const int left = ln_plot_note_left(note, &frame->panel->x, &frame->x);
    add_quoted(script, "set label ", text, " at first ");
    add_number(script, note->x / frame->x.factor);
    ln_text_add(script, ", first ");
    add_number(script, y / frame->y.factor);
    ln_text_printf(script, " front %s offset character %d,0.4", left ? "right" : "left",
                   left ? -1 : 1);
    if (*text == '\0')
        ln_text_printf(script, " point pt 7 ps 0.7 lc rgb '%s'", ln_plot_theme_of(page->plot)->ink);
    add_ink(page);
    ln_text_add(script, "\n");
}

static void add_notes(const writing *page, const framed *frame) {
    const ln_plot_panel *panel = frame->panel;
    const ln_plot_frame size = frame_size(page, frame);
    double *heights = ln_sys->resize(NULL, (size_t)(panel->nnotes + 1) * sizeof *heights);
    if (heights == NULL || !ln_plot_place_notes(panel, &size, heights))
        page->script->failed = 1;
    for (int k = 0; k < panel->nnotes && !page->script->failed; k++) {
        if (page->format != LN_PLOT_TERMINAL)
            add_label(page, frame, &panel->notes[k], panel->notes[k].y, "");
        add_label(page, frame, &panel->notes[k], heights[k], panel->notes[k].text);
    }
    ln_sys->release(heights);
}

/* What stands in a panel beside its curves. */
static void add_remarks(const writing *page, const framed *frame) {
    const ln_plot_panel *panel = frame->panel;
    ln_text_add(page->script, "unset arrow\nunset label\n");
    for (int k = 0; k < panel->nmarks && page->format != LN_PLOT_TERMINAL; k++)
        add_vertical(page, panel->marks[k] / frame->x.factor, 0.025, "lw 1");
    for (int k = 0; k < panel->nlines; k++)
        add_vertical(page, panel->lines[k] / frame->x.factor, 1, "lw 0.8 dt 2");
    add_notes(page, frame);
}

static framed frame_of(const ln_plot_panel *panel) {
    framed frame = {panel, .range_x = {INFINITY, -INFINITY}, .range_y = {INFINITY, -INFINITY}};
    int marks = 0; /* marks at the very edge would be cut */
    for (int i = 0; i < panel->ncurves; i++) {
        const ln_plot_curve *curve = &panel->curves[i];
        ln_plot_range(curve, &panel->x, &panel->y, frame.range_x, frame.range_y);
        marks += curve->style == LN_PLOT_POINTS || curve->style == LN_PLOT_LINES_POINTS;
    }
    for (int i = 0; i < panel->nnotes; i++) {
        frame.range_y[0] = fmin(frame.range_y[0], panel->notes[i].y);
        frame.range_y[1] = fmax(frame.range_y[1], panel->notes[i].y);
    }
    if (panel->square)
        ln_plot_make_square(frame.range_x, frame.range_y);
    ln_plot_scale_of(&panel->x, frame.range_x,
                     marks > 0 || panel->square || panel->locus ? 0.04 : 0, &frame.x);
    ln_plot_scale_of(&panel->y, frame.range_y, 0.05, &frame.y);
    return frame;
}

static void add_panel(writing *page, const ln_plot_panel *panel) {
    ln_text *script = page->script;
    const framed frame = frame_of(panel);
    const char *title = panel->title != NULL       ? panel->title
                        : page->plot->npanels == 1 ? page->plot->title
                                                   : NULL;
    add_quoted(script, "set title ", title, "");
    add_ink(page);
    ln_text_add(script, "\n");
    add_axis(page, 'x', &panel->x, &frame.x);
    add_axis(page, 'y', &panel->y, &frame.y);
    add_remarks(page, &frame);
    ln_text_add(script, panel->square ? "set size ratio -1\n" : "set size noratio\n");
    int drawn = 0;
    ln_text line = {0};
    writing later = {&line, page->plot, page->format, 0};
    for (int i = 0; i < panel->ncurves; i++)
        if (add_data(page, &frame, i))
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
    add_kinds(&page);
    add_shades(&page);
    begin_page(&page);
    for (int p = 0; p < plot->npanels; p++) {
        add_place(&page, p);
        add_panel(&page, &plot->panels[p]);
    }
    if (plot->npanels > 1)
        ln_text_add(script, "unset multiplot\n");
    ln_text_add(script, "unset output\n");
    return page.points;
}
