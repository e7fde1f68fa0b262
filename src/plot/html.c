/* SPDX-License-Identifier: MIT */
/* A plot as data of a page: see html.h, and html_script.c for what draws it. */
#include "plot/html.h"

#include "base/sys.h"
#include "plot/html_script.h"
#include "plot/script.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { PIXELS = 4000 }; /* a curve is thinned for so many columns: zoom shows more than a screen */

/* ---- texts ---- */

void ln_html_text(ln_text *page, const char *text) {
    static const char marks[] = "<>&\"'";
    static const char *const names[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&#39;"};
    page->failed |= text == NULL;
    for (; text != NULL && *text != '\0'; text++) {
        const char *mark = strchr(marks, *text);
        const unsigned char c = (unsigned char)*text;
        if (mark != NULL)
            ln_text_add(page, names[mark - marks]);
        else if (c < 0x20 || c == 0x7F)
            ln_text_add(page, " ");
        else
            ln_text_add_bytes(page, text, 1);
    }
}

/* A text of a script; nothing in it can end the text, the script or a comment. */
static void add_string(ln_text *page, const char *text) {
    ln_text_add(page, "\"");
    for (; text != NULL && *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7F || strchr("<>&\"'\\", *text) != NULL)
            ln_text_printf(page, "\\u%04x", c);
        else
            ln_text_add_bytes(page, text, 1);
    }
    ln_text_add(page, "\"");
}

static void add_number(ln_text *page, double value) {
    char buffer[32];
    if (!isfinite(value)) {
        ln_text_add(page, "null");
        return;
    }
    ln_number_format(buffer, value);
    ln_text_add(page, buffer);
}

/* ---- the library ---- */

/* Appends a file as it is, but for what `hides` is found in: "--" of a comment. */
static linnet_status add_file(ln_text *page, const char *path, int is_comment, ln_report *report) {
    char block[8192];
    int file = ln_sys->open_read(path);
    ssize_t got = file < 0 ? -1 : 1;
    while (got > 0) {
        got = ln_sys->read(file, block, sizeof block);
        if (got < 0 && errno == EINTR) {
            got = 1;
            continue;
        }
        for (ssize_t k = 0; k < got && is_comment; k++)
            if (block[k] == '-')
                block[k] = '~'; /* two of them would end it */
        if (got > 0)
            ln_text_add_bytes(page, block, (size_t)got);
    }
    const int reason = errno;
    if (file >= 0)
        (void)ln_sys->close(file);
    if (got == 0)
        return LINNET_OK;
    return ln_fail(report, LINNET_IO, LN_NOWHERE,
                   "cannot read '%s', which draws in pages: %s; install libjs-dygraphs "
                   "(Debian: apt-get install libjs-dygraphs)",
                   path, strerror(reason));
}

static linnet_status add_library(ln_text *page, ln_report *report) {
    ln_text_add(page, "<!-- dygraphs, installed beside Linnet, with its licence:\n");
    LN_TRY(add_file(page, LINNET_DYGRAPHS_LICENCE, 1, report));
    ln_text_add(page, "-->\n<style>");
    LN_TRY(add_file(page, LINNET_DYGRAPHS_DIR "/dygraph.min.css", 0, report));
    ln_text_add(page, "</style>\n<script>");
    LN_TRY(add_file(page, LINNET_DYGRAPHS_DIR "/dygraph.min.js", 0, report));
    ln_text_add(page, "</script>\n");
    return LINNET_OK;
}

linnet_status ln_html_check(ln_report *report) {
    ln_text library = {0};
    const linnet_status status = add_library(&library, report);
    ln_text_free(&library);
    return status;
}

linnet_status ln_html_begin(ln_text *page, const char *title, int dark, ln_report *report) {
    ln_text_printf(page,
                   "<!DOCTYPE html>\n<html lang=\"en\"%s>\n<head>\n<meta charset=\"utf-8\">\n",
                   dark ? " class=\"dark\"" : "");
    ln_text_add(page, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                      "<title>");
    ln_html_text(page, title);
    ln_text_add(page, "</title>\n");
    LN_TRY(add_library(page, report));
    ln_text_printf(page, "<style>\n%s</style>\n<script>\n", ln_html_style);
    ln_text_add(page, ln_html_script);
    ln_text_add(page, "</script>\n</head>\n<body>\n");
    return LINNET_OK;
}

void ln_html_end(ln_text *page) {
    ln_text_add(page, "</body>\n</html>\n");
}

/* ---- data ---- */

typedef struct collecting {
    ln_text *x, *y;
    double factor_x, factor_y;
    double last_x; /* of a gap: the x of the point before */
    size_t count;
} collecting;

static void collect(void *context, double x, double y) {
    collecting *to = context;
    if (to->count++ > 0) {
        ln_text_add(to->x, ",");
        ln_text_add(to->y, ",");
    }
    if (!isnan(x))
        to->last_x = x;
    add_number(to->x, to->last_x / to->factor_x);
    add_number(to->y, y / to->factor_y);
}

/* A panel with the scales of its axes. */
typedef struct framed {
    const ln_plot_panel *panel;
    ln_plot_scale x, y;
    double range_x[2], range_y[2];
    int is_locus;
} framed;

/* A curve on the scale of shades is called by its value: a page has keys in place of the scale. */
static void add_name(ln_text *page, const ln_plot *plot, const ln_plot_curve *curve) {
    ln_text name = {0};
    if (curve->shaded && plot->shade_label != NULL)
        ln_text_printf(&name, "%s = %.6g", plot->shade_label, curve->shade);
    add_string(page, name.data != NULL ? name.data : curve->name);
    if (name.failed)
        page->failed = 1;
    ln_text_free(&name);
}

static size_t add_curve(ln_text *page, const ln_plot *plot, const framed *frame, int i) {
    const ln_plot_curve *curve = &frame->panel->curves[i];
    char colour[8];
    ln_text y = {0};
    ln_plot_look look = ln_plot_look_of(plot, curve, i, colour);
    collecting to = {.x = page, .y = &y, .factor_x = frame->x.factor, .factor_y = frame->y.factor};
    ln_text_add(page, "{\"name\":");
    add_name(page, plot, curve);
    ln_text_printf(page, ",\"color\":\"%s\",\"dash\":%s,\"stairs\":%s,\"points\":%s,\"x\":[",
                   colour,
                   look.dash == 0   ? "[]"
                   : look.dash == 2 ? "[2,4]"
                   : look.dash == 3 ? "[8,3,2,3]"
                                    : "[7,4]",
                   curve->style == LN_PLOT_STAIRS ? "true" : "false",
                   curve->style == LN_PLOT_POINTS         ? "\"only\""
                   : curve->style == LN_PLOT_LINES_POINTS ? "true"
                                                          : "false");
    const ln_plot_view view = {&frame->panel->x, &frame->panel->y, frame->range_x, frame->range_y,
                               PIXELS};
    ln_plot_thin(curve, &view, collect, &to);
    ln_text_add(page, "],\"y\":[");
    ln_text_add_bytes(page, y.data != NULL ? y.data : "", y.length);
    ln_text_add(page, "]}");
    if (y.failed)
        page->failed = 1;
    ln_text_free(&y);
    return to.count;
}

static void add_axis(ln_text *page, const char *name, const ln_plot_axis *axis,
                     const ln_plot_scale *scale) {
    ln_text label = {0};
    const int labelled = axis->label != NULL && axis->label[0] != '\0';
    if (labelled)
        ln_text_add(&label, axis->label);
    if (scale->unit[0] != '\0')
        ln_text_printf(&label, labelled ? " (%s)" : "%s", scale->unit);
    ln_text_printf(page, "\"%s\":{\"label\":", name);
    add_string(page, label.data);
    ln_text_printf(page, ",\"log\":%s,\"low\":", axis->logarithmic ? "true" : "false");
    add_number(page, scale->low / scale->factor);
    ln_text_add(page, ",\"tick\":");
    add_number(page, axis->tick / scale->factor);
    ln_text_add(page, ",\"high\":");
    add_number(page, scale->high / scale->factor);
    ln_text_add(page, "},\n");
    if (label.failed)
        page->failed = 1;
    ln_text_free(&label);
}

static void add_places(ln_text *page, const char *name, const double *x, int count, double factor) {
    ln_text_printf(page, "\"%s\":[", name);
    for (int k = 0; k < count; k++) {
        ln_text_add(page, k > 0 ? "," : "");
        add_number(page, x[k] / factor);
    }
    ln_text_add(page, "],");
}

static void add_notes(ln_text *page, const ln_plot_panel *panel, const framed *frame) {
    ln_text_add(page, "\"notes\":[");
    for (int k = 0; k < panel->nnotes; k++) {
        ln_text_add(page, k > 0 ? ",{\"x\":" : "{\"x\":");
        add_number(page, panel->notes[k].x / frame->x.factor);
        ln_text_add(page, ",\"y\":");
        add_number(page, panel->notes[k].y / frame->y.factor);
        ln_text_add(page, ",\"text\":");
        add_string(page, panel->notes[k].text);
        ln_text_add(page, "}");
    }
    ln_text_add(page, "],\n");
}

static size_t add_panel(ln_text *page, const ln_plot *plot, const ln_plot_panel *panel) {
    framed frame = {.panel = panel,
                    .range_x = {INFINITY, -INFINITY},
                    .range_y = {INFINITY, -INFINITY},
                    .is_locus = panel->square || panel->locus};
    size_t points = 0;
    for (int i = 0; i < panel->ncurves; i++)
        ln_plot_range(&panel->curves[i], &panel->x, &panel->y, frame.range_x, frame.range_y);
    ln_plot_scale_of(&panel->x, frame.range_x, frame.is_locus ? 0.04 : 0, &frame.x);
    ln_plot_scale_of(&panel->y, frame.range_y, 0.05, &frame.y);
    ln_text_add(page, "{\"title\":");
    add_string(page, panel->title);
    ln_text_printf(page, ",\"locus\":%s,\"square\":%s,\n", frame.is_locus ? "true" : "false",
                   panel->square ? "true" : "false");
    add_axis(page, "x", &panel->x, &frame.x);
    add_axis(page, "y", &panel->y, &frame.y);
    add_places(page, "marks", panel->marks, panel->nmarks, frame.x.factor);
    add_places(page, "lines", panel->lines, panel->nlines, frame.x.factor);
    add_notes(page, panel, &frame);
    ln_text_add(page, "\"curves\":[\n");
    for (int i = 0; i < panel->ncurves; i++) {
        ln_text_add(page, i > 0 ? ",\n" : "");
        points += add_curve(page, plot, &frame, i);
    }
    ln_text_add(page, "]}");
    return points;
}

size_t ln_html_panels(ln_text *page, const ln_plot *plot) {
    size_t points = 0;
    ln_text_add(page, "[\n");
    for (int p = 0; p < plot->npanels; p++) {
        ln_text_add(page, p > 0 ? ",\n" : "");
        points += add_panel(page, plot, &plot->panels[p]);
    }
    ln_text_add(page, "]");
    return points;
}

size_t ln_html_plot(ln_text *page, const ln_plot *plot, const char *id) {
    ln_text_printf(page, "<div id=\"%s\"></div>\n<script>\nlinnetPlot(\"%s\",", id, id);
    const size_t points = ln_html_panels(page, plot);
    ln_text_add(page, ");\n</script>\n");
    return points;
}
