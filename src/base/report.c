/* SPDX-License-Identifier: MIT */
/* Messages: formatted once, told up to a limit of each kind, counted beyond it. */
#include "base/report.h"

#include "base/sys.h"
#include "base/text.h"
#include "base/visible.h"
#include <stdio.h>
#include <string.h>

/* A kind is what one line of the program tells. A mistake that a generator of models makes a
 * thousand times is seen in ten; what comes behind it, and why a run ended, must not drown in it.
 */
enum {
    OF_A_KIND = 10,
    OF_MIXED = 50, /* errors, each of which is to be mended, and texts that were made elsewhere */
    KEPT = 1000,   /* and OF_MIXED errors: kept is what may be told again or handed on, */
    UNTOLD = 500   /* and of what is not told so much that a kind seen late finds room */
};

typedef struct kept_message {
    char *text; /* whole, as it was told */
    ln_severity severity;
    ln_place place;
    const char *kind; /* its format; NULL: mixed */
    int of_kind;      /* of the first of its kind: how many there were, */
    int told;         /* and how many were told */
} kept_message;

struct ln_report {
    ln_report_sink *sink;
    void *context;
    ln_subject subject;
    const char *turn;
    int errors, warnings, kept;
    int short_of_memory; /* ln_no_memory() was called */
    int has_lost;        /* a message that was told could not be kept */
    kept_message messages[KEPT + OF_MIXED];
};

ln_report *ln_report_new(ln_report_sink *sink, void *context) {
    ln_report *report = ln_sys_zeroed(sizeof *report); /* too large for a literal on the stack */
    if (report == NULL)
        return NULL;
    report->sink = sink;
    report->context = context;
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
static int was_told(const ln_report *report, const ln_text *line, const char *kind) {
    for (int k = 0; k < report->kept && !line->failed; k++)
        if (report->messages[k].kind == kind && strcmp(report->messages[k].text, line->data) == 0)
            return 1;
    return 0;
}

static kept_message *first_of_kind(ln_report *report, ln_severity severity, const char *kind) {
    for (int k = 0; k < report->kept; k++)
        if (report->messages[k].severity == severity && report->messages[k].kind == kind)
            return &report->messages[k];
    return NULL;
}

static int is_full(const kept_message *first) {
    return first != NULL && first->told >= (first->kind == NULL ? OF_MIXED : OF_A_KIND);
}

/* Counts a message; 1 when it is to be told. */
static int count_message(ln_report *report, ln_severity severity, kept_message *first) {
    if (severity == LN_ERROR)
        report->errors++;
    if (severity == LN_WARNING)
        report->warnings++;
    const int is_told = !is_full(first);
    if (first != NULL)
        first->of_kind++;
    if (first != NULL && is_told)
        first->told++;
    return is_told;
}

/* Takes the line over. */
static void keep_message(ln_report *report, int limit, ln_severity severity, ln_place place,
                         const char *kind, ln_text *line) {
    if (line->failed || report->kept >= limit)
        ln_text_free(line);
    else
        report->messages[report->kept++] =
            (kept_message){line->data, severity, place, kind, .of_kind = 1, .told = 1};
}

/* Tells the line, unless it was told or is one too many of its kind, and takes it over; `body`
 * stands for it where memory was short. */
static void pass_message(ln_report *report, ln_severity severity, ln_place place, const char *kind,
                         ln_text *line, const char *body) {
    kept_message *first = first_of_kind(report, severity, kind);
    const int is_counted_only = is_full(first) && report->kept >= UNTOLD;
    if (severity != LN_ERROR && !is_counted_only && was_told(report, line, kind)) {
        ln_text_free(line);
        return;
    }
    const int is_told = count_message(report, severity, first);
    if (is_told && report->sink != NULL)
        report->sink(report->context, severity, place, line->failed ? body : line->data);
    report->has_lost |= line->failed;
    const int room = severity == LN_ERROR ? KEPT + OF_MIXED : KEPT;
    keep_message(report, is_told ? room : UNTOLD, severity, place, kind, line);
}

void ln_report_forward(ln_report *report, const ln_report *from) {
    for (int k = 0; report != NULL && from != NULL && k < from->kept; k++) {
        const kept_message *message = &from->messages[k];
        ln_text line = {0};
        ln_text_add(&line, message->text);
        pass_message(report, message->severity, message->place, message->kind, &line,
                     message->text);
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
    const int is_mixed = severity == LN_ERROR || strcmp(format, "%s") == 0;
    pass_message(report, severity, place, is_mixed ? NULL : format, &line, body);
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
    for (int k = 0; report != NULL && k < report->kept; k++) {
        kept_message *first = &report->messages[k];
        const int more = first->of_kind - first->told;
        ln_text line = {0};
        if (more == 0)
            continue;
        ln_text_printf(&line, "note: and %d more %s%s", more, words[first->severity],
                       more > 1 ? "s" : "");
        if (first->kind != NULL)
            ln_text_printf(&line, " like this: %s", ln_report_body(first->severity, first->text));
        if (report->sink != NULL && !line.failed)
            report->sink(report->context, LN_NOTE, LN_NOWHERE, line.data);
        first->told = first->of_kind;
        ln_text_free(&line);
    }
}
