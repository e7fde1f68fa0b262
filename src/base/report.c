/* SPDX-License-Identifier: MIT */
/* Messages: formatted once, kept up to a limit, counted beyond it. */
#include "base/report.h"

#include "base/sys.h"
#include "base/text.h"
#include <stdio.h>
#include <string.h>

enum { KEPT = 50 };

struct ln_report {
    ln_report_sink *sink;
    void *context;
    ln_subject subject;
    const char *turn;
    int errors, warnings, kept, left_out;
    int short_of_memory; /* ln_no_memory() was called */
    char *text[KEPT];
};

ln_report *ln_report_new(ln_report_sink *sink, void *context) {
    ln_report *report = ln_sys->allocate(sizeof *report);
    if (report != NULL)
        *report = (ln_report){.sink = sink, .context = context};
    return report;
}

void ln_report_free(ln_report *report) {
    if (report == NULL)
        return;
    for (int k = 0; k < report->kept; k++)
        ln_sys->release(report->text[k]);
    ln_sys->release(report);
}

static const char *const words[] = {"note", "warning", "error"};

ln_subject ln_report_about(ln_report *report, ln_subject subject) {
    if (report == NULL)
        return subject;
    ln_subject before = report->subject;
    report->subject = subject;
    return before;
}

const char *ln_report_within(ln_report *report, const char *turn) {
    if (report == NULL)
        return NULL;
    const char *before = report->turn;
    report->turn = turn;
    return before;
}

static void add_subject(const ln_subject *subject, ln_text *line) {
    if (subject->block != NULL)
        ln_text_add(line, subject->block);
    if (subject->block != NULL && subject->type != NULL)
        ln_text_printf(line, " (%s)", subject->type);
    if (subject->block != NULL)
        ln_text_add(line, ": ");
    if (subject->item != NULL)
        ln_text_printf(line, "%s%s: ", subject->block == NULL ? "parameter " : "", subject->item);
}

/* A warning about the model, which is built once for every point of a curve, is told once. */
static int was_told(const ln_report *report, const ln_text *line) {
    for (int k = 0; k < report->kept && !line->failed; k++)
        if (strcmp(report->text[k], line->data) == 0)
            return 1;
    return 0;
}

static void tell(ln_report *report, ln_severity severity, ln_place place, const char *format,
                 va_list list) {
    if (report == NULL)
        return;
    if (severity == LN_ERROR)
        report->errors++;
    if (severity == LN_WARNING)
        report->warnings++;
    if (report->kept == KEPT) {
        report->left_out++;
        return;
    }
    char body[4096];
    vsnprintf(body, sizeof body, format, list);
    ln_text line = {0};
    if (place.file != NULL && place.line > 0)
        ln_text_printf(&line, "%s:%d: ", place.file, place.line);
    else if (place.file != NULL)
        ln_text_printf(&line, "%s: ", place.file);
    ln_text_printf(&line, "%s: ", words[severity]);
    add_subject(&report->subject, &line);
    ln_text_add(&line, body);
    if (report->turn != NULL)
        ln_text_printf(&line, " (%s)", report->turn);
    if (severity != LN_ERROR && was_told(report, &line)) {
        ln_text_free(&line);
        return;
    }
    const char *shown = line.failed ? body : line.data;
    if (report->sink != NULL)
        report->sink(report->context, severity, place, shown);
    if (line.failed)
        ln_text_free(&line);
    else
        report->text[report->kept++] = line.data; /* the report owns it now */
}

#define TELL(severity)                           \
    va_list list;                                \
    va_start(list, format);                      \
    tell(report, severity, place, format, list); \
    va_end(list)

void ln_error(ln_report *report, ln_place place, const char *format, ...) {
    TELL(LN_ERROR);
}
void ln_warn(ln_report *report, ln_place place, const char *format, ...) {
    TELL(LN_WARNING);
}
void ln_note(ln_report *report, ln_place place, const char *format, ...) {
    TELL(LN_NOTE);
}

linnet_status ln_fail(ln_report *report, linnet_status status, ln_place place, const char *format,
                      ...) {
    TELL(LN_ERROR);
    return status;
}

linnet_status ln_no_memory(ln_report *report) {
    if (report != NULL)
        report->short_of_memory = 1;
    ln_error(report, LN_NOWHERE, "out of memory; close other programs or make the model smaller");
    return LINNET_MEMORY;
}

linnet_status ln_report_status(const ln_report *report, linnet_status status) {
    return status == LINNET_MODEL && report != NULL && report->short_of_memory ? LINNET_MEMORY
                                                                               : status;
}

int ln_report_errors(const ln_report *report) {
    return report == NULL ? 0 : report->errors;
}
int ln_report_warnings(const ln_report *report) {
    return report == NULL ? 0 : report->warnings;
}

const char *ln_report_text(const ln_report *report, int index) {
    return report != NULL && index >= 0 && index < report->kept ? report->text[index] : NULL;
}

void ln_report_close(ln_report *report) {
    if (report == NULL || report->left_out == 0)
        return;
    char text[64];
    snprintf(text, sizeof text, "note: and %d more messages", report->left_out);
    if (report->sink != NULL)
        report->sink(report->context, LN_NOTE, LN_NOWHERE, text);
    report->left_out = 0;
}
