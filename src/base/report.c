/* SPDX-License-Identifier: MIT */
/* Messages: formatted once, kept up to a limit, counted beyond it. */
#include "base/report.h"

#include "base/sys.h"
#include "base/text.h"
#include "base/visible.h"
#include <stdio.h>
#include <string.h>

enum { KEPT = 50 };

typedef struct kept_message {
    char *text; /* whole, as it was told */
    ln_severity severity;
    ln_place place;
} kept_message;

struct ln_report {
    ln_report_sink *sink;
    void *context;
    ln_subject subject;
    const char *turn;
    int errors, warnings, kept, left_out;
    int short_of_memory; /* ln_no_memory() was called */
    int has_lost;        /* a message that was told could not be kept */
    kept_message messages[KEPT];
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
        ln_sys->release(report->messages[k].text);
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
        if (strcmp(report->messages[k].text, line->data) == 0)
            return 1;
    return 0;
}

/* Counts a message; 0 when it is one too many to be told. */
static int count_message(ln_report *report, ln_severity severity) {
    if (severity == LN_ERROR)
        report->errors++;
    if (severity == LN_WARNING)
        report->warnings++;
    if (report->kept < KEPT)
        return 1;
    report->left_out++;
    return 0;
}

/* Tells the line and takes it over; `body` stands for it where memory was short. */
static void keep_message(ln_report *report, ln_severity severity, ln_place place, ln_text *line,
                         const char *body) {
    if (severity != LN_ERROR && was_told(report, line)) {
        ln_text_free(line);
        return;
    }
    if (report->sink != NULL)
        report->sink(report->context, severity, place, line->failed ? body : line->data);
    report->has_lost |= line->failed;
    if (line->failed)
        ln_text_free(line);
    else
        report->messages[report->kept++] = (kept_message){line->data, severity, place};
}

void ln_report_forward(ln_report *report, const ln_report *from) {
    for (int k = 0; report != NULL && from != NULL && k < from->kept; k++) {
        const kept_message *message = &from->messages[k];
        ln_text line = {0};
        if (!count_message(report, message->severity))
            continue;
        ln_text_add(&line, message->text);
        keep_message(report, message->severity, message->place, &line, message->text);
    }
    if (ln_report_has_lost(from))
        ln_warn(report, LN_NOWHERE, "not every message is told: memory was short");
}

/* Messages quote files that nobody has looked at: what could command a terminal becomes visible. */
static void make_visible(ln_text *line, char *body) {
    ln_text shown = {0};
    for (char *c = body; line->failed && *c != '\0'; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
    if (line->failed || ln_visible_is(line->data, 0))
        return;
    ln_visible_add(&shown, line->data, 0);
    ln_text_free(line);
    *line = shown;
}

static void tell(ln_report *report, ln_severity severity, ln_place place, const char *format,
                 va_list list) {
    if (report == NULL)
        return;
    if (!count_message(report, severity))
        return;
    char body[4096]; /* what is told where there is no memory for the line */
    const int used = snprintf(body, sizeof body, "%s: ", words[severity]);
    vsnprintf(body + used, sizeof body - (size_t)used, format, list);
    ln_text line = {0};
    if (place.file != NULL && place.line > 0)
        ln_text_printf(&line, "%s:%d: ", place.file, place.line);
    else if (place.file != NULL)
        ln_text_printf(&line, "%s: ", place.file);
    ln_text_printf(&line, "%s: ", words[severity]);
    add_subject(&report->subject, &line);
    ln_text_add(&line, body + used);
    if (report->turn != NULL)
        ln_text_printf(&line, " (%s)", report->turn);
    make_visible(&line, body);
    keep_message(report, severity, place, &line, body);
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
    const int is_named = status == LINNET_MODEL || status == LINNET_IO || status == LINNET_USAGE;
    return is_named && report != NULL && report->short_of_memory ? LINNET_MEMORY : status;
}

int ln_report_errors(const ln_report *report) {
    return report == NULL ? 0 : report->errors;
}
int ln_report_warnings(const ln_report *report) {
    return report == NULL ? 0 : report->warnings;
}

int ln_report_has_lost(const ln_report *report) {
    return report != NULL && report->has_lost;
}

const char *ln_report_body(ln_severity severity, const char *text) {
    char mark[16];
    snprintf(mark, sizeof mark, "%s: ", words[severity]);
    const char *found = strstr(text, mark);
    return found != NULL ? found + strlen(mark) : text;
}

const char *ln_report_first_error(const ln_report *report) {
    for (int k = 0; k < report->kept; k++)
        if (report->messages[k].severity == LN_ERROR)
            return ln_report_body(LN_ERROR, report->messages[k].text);
    return NULL;
}

const char *ln_report_text(const ln_report *report, int index) {
    return report != NULL && index >= 0 && index < report->kept ? report->messages[index].text
                                                                : NULL;
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
