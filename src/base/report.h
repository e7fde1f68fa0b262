/* SPDX-License-Identifier: MIT */
/* Messages: what is wrong, where, and what to do.
 *
 * Every message about a model has the form `file:line: error: text; hint`. A report collects the
 * messages of one run of the tool and passes each to a sink as it arrives, of one kind (errors;
 * what one line of the program tells) up to a limit: what is told a thousand times must not hide
 * why a run ended. Others are counted. A report is owned by whoever starts the work (the command,
 * the public API) and handed down to every room. */
#ifndef LN_BASE_REPORT_H
#define LN_BASE_REPORT_H

#include <linnet/status.h>
#include <stdarg.h>
#include <stddef.h>

/* Where in a model something stands. `file` is a string that outlives the report's user (the tree's
 * arena); line 0: unknown; column 0: unknown (columns count bytes from 1, inside an attribute's
 * expression). */
typedef struct ln_place {
    const char *file;
    int line;
    int column;
} ln_place;

typedef enum ln_severity { LN_NOTE, LN_WARNING, LN_ERROR } ln_severity;

typedef struct ln_report ln_report;
/* Receives each message, formatted without a newline and fit to be shown (visible.h): "m.xml:3:
 * error: R1 (resistor): ...". */
typedef void ln_report_sink(void *context, ln_severity severity, ln_place place, const char *text);

/* A new report; sink may be NULL (messages are then only kept). NULL when memory is short. */
ln_report *ln_report_new(ln_report_sink *sink, void *context);
void ln_report_free(ln_report *report);

/* Tells one message; printf style. The text says what is wrong with which block and, behind "; ",
 * what to do. Does nothing when report is NULL. Safe when memory is short (the count still rises).
 */
void ln_error(ln_report *report, ln_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void ln_warn(ln_report *report, ln_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void ln_note(ln_report *report, ln_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* What messages are about: "R1 (resistor): R: " stands before each, or "parameter k: " without a
 * block; any may be NULL. For the places that hand an expression down to rooms which know no
 * blocks. Returns what it was, to be put back; texts are borrowed. */
typedef struct ln_subject {
    const char *block, *type, *item;
} ln_subject;
ln_subject ln_report_about(ln_report *report, ln_subject subject);
/* Where in a repetition messages come from, "k = 3": stands behind each in brackets. NULL: nowhere
 * special. Returns what it was; borrowed. */
const char *ln_report_within(ln_report *report, const char *turn);
/* As ln_error, and returns `status`, so that `return ln_fail(r, LINNET_MODEL, place, "...")` reads
 * well. */
linnet_status ln_fail(ln_report *report, linnet_status status, ln_place place, const char *format,
                      ...) __attribute__((format(printf, 4, 5)));
/* Tells "out of memory" and returns LINNET_MEMORY. */
linnet_status ln_no_memory(ln_report *report);
/* The status of a stage whose functions answer NULL or 0 for any error: a model, a
 * file or a request that looks wrong after memory ran short (LINNET_MODEL, LINNET_IO, LINNET_USAGE)
 * is not to blame, and the status is LINNET_MEMORY. Any other status stays. */
linnet_status ln_report_status(const ln_report *report, linnet_status status);

/* Numbers of messages so far, kept or not. */
int ln_report_errors(const ln_report *report);
int ln_report_warnings(const ln_report *report);
/* 1: a message was told, and not kept, since memory was short: who reads what is kept misses it. */
int ln_report_has_lost(const ln_report *report);
/* The i-th kept message (0-based), told or not, or NULL; owned by the report. */
const char *ln_report_text(const ln_report *report, int index);
/* The message itself in a text of this severity, behind "file:line: error: "; a part of it. */
const char *ln_report_body(ln_severity severity, const char *text);
/* The same of the first error that was kept, owned by the report; NULL: there is none. */
const char *ln_report_first_error(const ln_report *report);
/* Tells all that another report has kept, as it was told there, and whether it has lost any. */
void ln_report_forward(ln_report *report, const ln_report *from);
/* After the last message: tells "and N more like this" of each kind of which some were not told. */
void ln_report_close(ln_report *report);

#define LN_NOWHERE ((ln_place){NULL, 0, 0})

/* Evaluates a call that returns linnet_status and passes a non-zero one on. */
#define LN_TRY(call)                          \
    do {                                      \
        linnet_status ln_try_status = (call); \
        if (ln_try_status != LINNET_OK)       \
            return ln_try_status;             \
    } while (0)

#endif
