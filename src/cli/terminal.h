/* SPDX-License-Identifier: MIT */
/* What a command shows while it works: messages, a progress bar, the last line; and how it is
 * interrupted. */
#ifndef LN_CLI_TERMINAL_H
#define LN_CLI_TERMINAL_H

#include "base/json.h"
#include "base/report.h"
#include "base/text.h"

/* ---- the standard streams ---- */

/* Fills the places of standard streams that are closed: a file that is opened then does not become
 * one of them. */
void ln_streams_begin(void);
/* 1 when whoever read our standard output has gone: no news to anyone, so the program ends without
 * a word. */
int ln_stdout_has_no_reader(void);

/* ---- interruption ---- */

/* From now on the first SIGINT, SIGTERM, SIGHUP or SIGXCPU is only noted; a second one ends the
 * process at once, and so do five seconds in which nobody has looked whether one came. */
void ln_interrupt_catch(void);
/* From now on the process has so many seconds: their end is noted like a signal (SIGALRM), and a
 * second later the process ends, with exit status 4. */
void ln_time_limit(double seconds);
/* The signal that came, or 0; SIGALRM: the time is over. */
int ln_interrupted(void);
/* The same for ln_sys, and signals are caught from the first call on: a command that runs another
 * program ends it before it ends itself. */
int ln_interrupted_early(void);
/* How many came: a command that has something to finish after the first may catch again and wait
 * for the second. */
int ln_interruptions(void);

/* ---- an end that nobody asked for ---- */

/* Until the work ends, exit() in code of others is told as a failure: its status would pass for
 * ours. 0: memory is short. */
int ln_main_begin(void);
void ln_main_end(void);

/* ---- messages ---- */

/* Messages for a command that answers in JSON: kept as members of a list instead of being shown. */
typedef struct ln_heard {
    int keeps;     /* from now on */
    ln_text items; /* a list, begun with the first message */
    ln_json json;  /* that writes it */
} ln_heard;
/* A report whose messages go to stderr as they come, or are kept; a progress bar there is wiped
 * first. On a terminal the severity is coloured, unless NO_COLOR is set (no-color.org). `heard` may
 * be NULL; it outlives the report. */
ln_report *ln_terminal_report(ln_heard *heard);
/* The same of one message. */
void ln_terminal_tell(ln_severity severity, const char *text);
/* The last line: "linnet: done" or what it was that failed. `name` stands before it ("model.xml"),
 * or NULL. */
void ln_terminal_outcome(linnet_status status);

/* ---- progress ---- */

/* How progress is shown: not at all; as a bar, on a terminal only and after a second; as lines for
 * a program that listens, "progress: 0.25", at once. */
typedef enum ln_progress_form {
    LN_PROGRESS_NONE,
    LN_PROGRESS_BAR,
    LN_PROGRESS_LINES
} ln_progress_form;

/* A run's progress: polled at every step, it asks the clock rarely. */
typedef struct ln_progress_line {
    double begin, end;    /* of the run, s */
    const double *t;      /* where it is */
    double started, next; /* clock: start, and when to draw next */
    long polls, skip;     /* the clock is asked every `skip` polls */
    ln_progress_form form;
    int visible;
} ln_progress_line;

void ln_progress_begin(ln_progress_line *progress, double begin, double end, const double *t,
                       ln_progress_form form);
/* As the `stop` of a simulation: context is the ln_progress_line; nonzero once a signal has come.
 */
int ln_progress_poll(void *context);
/* Wipes the bar. */
void ln_progress_end(ln_progress_line *progress);

/* Progress of work that is counted, with an estimate of what is left; asked often, it draws rarely.
 */
typedef struct ln_work_progress {
    double started, next;
    long first; /* done before it began */
    ln_progress_form form;
    int visible;
} ln_work_progress;
void ln_work_begin(ln_work_progress *progress, long first, ln_progress_form form);
void ln_work_show(ln_work_progress *progress, long done, long all);
void ln_work_end(ln_work_progress *progress);

/* ---- numbers ---- */

/* "10 us", "2.5 s": a time with at most so many digits. */
const char *ln_time_text(char buffer[32], double seconds, int digits);

#endif
