/* SPDX-License-Identifier: MIT */
/* gnuplot is run as a child: the script goes in by pipe, the picture comes out into `path`.part,
 * which gets its name when all went well. No path and no name ever stands in a command. */
#include "plot/html.h"
#include "plot/script.h"

#include "base/part.h"
#include "base/sys.h"
#include "base/text.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The format that the path asks for, or -1, reported. */
static int format_of(const char *path, ln_report *report) {
    static const struct {
        const char *suffix;
        ln_plot_format format;
    } formats[] = {{".svg", LN_PLOT_SVG},
                   {".png", LN_PLOT_PNG},
                   {".pdf", LN_PLOT_PDF},
                   {".html", LN_PLOT_HTML},
                   {".json", LN_PLOT_JSON}};
    if (strcmp(path, "-") == 0)
        return LN_PLOT_TERMINAL;
    size_t length = strlen(path);
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
        if (length > strlen(formats[k].suffix) &&
            strcmp(path + length - strlen(formats[k].suffix), formats[k].suffix) == 0)
            return (int)formats[k].format;
    ln_error(
        report, LN_NOWHERE,
        "'%.200s': the name of a picture ends in .svg, .png, .pdf, .html or .json, or is '-' for "
        "a drawing in "
        "characters on the standard output",
        path);
    return -1;
}

/* A reader that has gone (EPIPE) is no news. */
static linnet_status unwritten(const char *path, ln_report *report) {
    return errno == EPIPE ? LINNET_IO
                          : ln_fail(report, LINNET_IO, LN_NOWHERE, "cannot write '%s': %s", path,
                                    ln_part_why(errno));
}

/* Runs gnuplot, whose output goes to a descriptor of the file `path`, and judges the outcome; `-d`:
 * without the user's own settings. */
static linnet_status run(const char *argument, const ln_text *input, int output, const char *path,
                         ln_report *report) {
    const char *const arguments[] = {"gnuplot", "-d", argument, NULL};
    char said[400];
    ln_sys_child child = {arguments, input->data, input->length, output, said, sizeof said};
    int ended = ln_sys->run(&child);
    if (ended == 0)
        return LINNET_OK;
    if (ended == LN_UNWRITTEN)
        return unwritten(path, report);
    if (ended < 0 && errno == EINTR)
        return LINNET_INTERRUPTED;
    if (ended < 0 && errno == ENOENT)
        return ln_fail(report, LINNET_IO, LN_NOWHERE,
                       "gnuplot, which draws the pictures, is missing; install gnuplot "
                       "(Debian: apt-get install gnuplot-nox)");
    if (ended < 0)
        return ln_fail(report, LINNET_IO, LN_NOWHERE, "gnuplot cannot be started: %s",
                       strerror(errno));
    if (ended > 128)
        return ln_fail(report, LINNET_IO, LN_NOWHERE, "gnuplot was ended by signal %d",
                       ended - 128);
    for (char *c = said; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20)
            *c = ' ';
    return ln_fail(report, LINNET_IO, LN_NOWHERE, "gnuplot failed with status %d: %.300s", ended,
                   said);
}

linnet_status ln_plot_check(const char *path, ln_report *report) {
    const int format = format_of(path, report);
    if (format < 0)
        return LINNET_USAGE;
    if (format == LN_PLOT_HTML)
        return ln_html_check(report);
    if (format == LN_PLOT_JSON)
        return LINNET_OK;
    int nowhere = ln_sys->open_write("/dev/null");
    if (nowhere < 0)
        return ln_fail(report, LINNET_IO, LN_NOWHERE, "cannot open '/dev/null': %s",
                       strerror(errno));
    const ln_text nothing = {0};
    linnet_status status = run("--version", &nothing, nowhere, "/dev/null", report);
    (void)ln_sys->close(nowhere);
    return status;
}

static linnet_status write_text(const ln_text *page, int file, const char *path,
                                ln_report *report) {
    return ln_sys_write_all(file, page->data, page->length) ? LINNET_OK : unwritten(path, report);
}

/* The picture's own file: written beside its place, then put there. A text is what it is, a script
 * becomes a picture. */
static linnet_status draw_beside(const ln_text *script, int is_text, const char *path,
                                 ln_report *report) {
    ln_text part = {0};
    ln_text_printf(&part, "%s.part", path);
    if (part.failed) {
        ln_text_free(&part);
        return ln_no_memory(report);
    }
    linnet_status status = LINNET_OK;
    int file = ln_part_open(part.data, 0);
    if (file < 0) {
        status = ln_fail(report, LINNET_IO, LN_NOWHERE, "cannot write '%s': %s", path,
                         ln_part_why(errno));
    } else {
        status =
            is_text ? write_text(script, file, path, report) : run("-", script, file, path, report);
        if (ln_part_close(file, part.data, status == LINNET_OK ? path : NULL) != 0 &&
            status == LINNET_OK)
            status = ln_fail(report, LINNET_IO, LN_NOWHERE, "cannot write '%s': %s", path,
                             ln_part_why(errno));
        if (status != LINNET_OK)
            (void)ln_sys->remove(part.data);
    }
    ln_text_free(&part);
    return status;
}

static linnet_status draw_file(const ln_text *script, int is_text, const char *path,
                               ln_report *report) {
    char *target;
    LN_TRY(ln_part_target(path, report, &target));
    const linnet_status status = draw_beside(script, is_text, target, report);
    ln_sys->release(target);
    return status;
}

static linnet_status draw_page(ln_text *page, const ln_plot *plot, size_t *points,
                               ln_report *report) {
    LN_TRY(ln_html_begin(page, plot->title != NULL ? plot->title : "Linnet", plot->dark, report));
    if (plot->title != NULL) {
        ln_text_add(page, "<h1>");
        ln_html_text(page, plot->title);
        ln_text_add(page, "</h1>\n");
    }
    *points = ln_html_plot(page, plot, "plot");
    ln_html_end(page);
    return LINNET_OK;
}

linnet_status ln_plot_draw(const ln_plot *plot, const char *path, ln_report *report) {
    int format = format_of(path, report);
    if (format < 0)
        return LINNET_USAGE;
    const int is_text = format == LN_PLOT_HTML || format == LN_PLOT_JSON;
    ln_text script = {0};
    size_t points = 0;
    linnet_status status = LINNET_OK;
    if (format == LN_PLOT_HTML)
        status = draw_page(&script, plot, &points, report);
    else if (format == LN_PLOT_JSON)
        points = ln_html_panels(&script, plot);
    else
        points = ln_plot_script(&script, plot, (ln_plot_format)format);
    if (status != LINNET_OK) {
        ln_text_free(&script);
        return status;
    }
    if (script.failed)
        status = ln_no_memory(report);
    else if (points == 0)
        status = ln_fail(report, LINNET_FAILED, LN_NOWHERE,
                         "there is nothing to draw: no signal has a value that the "
                         "axes can show");
    else if (format == LN_PLOT_TERMINAL) {
        (void)fflush(stdout); /* what was said before stands before */
        status = run("-", &script, STDOUT_FILENO, "the standard output", report);
    } else
        status = draw_file(&script, is_text, path, report);
    ln_text_free(&script);
    return status;
}
