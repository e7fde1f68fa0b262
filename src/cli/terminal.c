/* SPDX-License-Identifier: MIT */
/* Standard error as the user sees it. The variables of the program that are not constant are here:
 * the signal, and whether the program is at work. */
#include "cli/terminal.h"

#include "base/part.h"
#include "base/sys.h"
#include "result/document.h"
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/* ---- the standard streams ---- */

/* For reading only where we write, and the other way round: each use of such a stream still fails.
 */
void ln_streams_begin(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) == -1 &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            _exit(1);
}

int ln_stdout_has_no_reader(void) {
    struct pollfd output = {STDOUT_FILENO, 0, 0};
    return poll(&output, 1, 0) == 1 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

/* ---- interruption ---- */

/* a handler can reach nothing else */
static volatile sig_atomic_t signal_received, signals_received;

enum {
    GRACE = 5,      /* s, for a command that was interrupted */
    WRITING = 60,   /* s, for one that has noticed and writes what there is */
    TIME_IS_UP = 4, /* exit status */
};

static int utter(const char *text) {
    return write(STDERR_FILENO, text, strlen(text)) >= 0;
}

/* Nobody has looked: an evaluation, a factorisation or a library does not come back. */
static void end_now(int number) {
    const int is_limit = signal_received == SIGALRM;
    (void)number;
    (void)(utter(is_limit ? "linnet: failed: the time limit is over"
                          : "linnet: interrupted in the midst of its work") &&
           utter(ln_part_is_begun() ? "; what was written last is in FILE.part\n" : "\n"));
    _exit(is_limit ? TIME_IS_UP : 128 + signal_received);
}

static void end_in(unsigned seconds) {
    struct sigaction action = {.sa_handler = end_now};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGALRM, &action, NULL);
    (void)alarm(seconds);
}

static void note_signal(int number) {
    if (number == SIGXCPU) /* the system repeats it each second */
        (void)signal(SIGXCPU, SIG_IGN);
    signal_received = number;
    signals_received = signals_received + 1;
    end_in(number == SIGALRM ? 1 : GRACE);
}

void ln_time_limit(double seconds) {
    struct sigaction action = {.sa_handler = note_signal};
    const struct itimerval timer = {
        .it_value = {.tv_sec = (time_t)seconds,
                     .tv_usec = (suseconds_t)(1e6 * (seconds - floor(seconds))) + 1}};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGALRM, &action, NULL);
    (void)setitimer(ITIMER_REAL, &timer, NULL);
}

void ln_interrupt_catch(void) {
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = (int)SA_RESETHAND};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGXCPU, &action, NULL); /* ulimit -t, a batch system */
    struct sigaction hangup;
    /* nohup asks to go on */
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
        (void)sigaction(SIGHUP, &action, NULL);
}

/* Who asks will act on it, and may take time to write what there is: not for ever. */
int ln_interrupted(void) {
    if (signal_received != 0)
        end_in(WRITING);
    return signal_received;
}

int ln_interrupted_early(void) {
    static int caught;
    if (!caught) /* once: after a first signal a second one ends the process */
        ln_interrupt_catch();
    caught = 1;
    return ln_interrupted();
}

int ln_interruptions(void) {
    return signals_received;
}

/* ---- an end that nobody asked for ---- */

/* what is called at the end can reach nothing else */
static volatile sig_atomic_t at_work;

static void end_of_process(void) {
    static const char text[] = "linnet: failed: code that it runs (a library, a native block, an "
                               "FMU) has ended the program\n";
    if (!at_work)
        return;
    const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written; /* nobody else could be told */
    _exit(linnet_status_exit(LINNET_FAILED));
}

int ln_main_begin(void) {
    at_work = 1;
    return atexit(end_of_process) == 0;
}

void ln_main_end(void) {
    at_work = 0;
}

/* ---- messages ---- */

static const char wipe[] = "\r\033[K";

static const char *const severities[] = {"note", "warning", "error"};

static void keep(ln_heard *heard, ln_severity severity, ln_place place, const char *text) {
    ln_json *json = &heard->json;
    json->out = &heard->items;
    json->indent = 1;
    if (json->depth == 0)
        ln_json_begin(json, NULL, LN_JSON_LIST_LINES);
    ln_json_begin(json, NULL, LN_JSON_OBJECT);
    ln_json_text(json, "severity", severities[severity]);
    ln_json_text_if(json, "file", place.file);
    if (place.line > 0)
        ln_json_integer(json, "line", place.line);
    ln_json_text(json, "message", ln_report_body(severity, text));
    ln_json_end(json);
}

/* Colours are for people at a terminal that do not refuse them. */
static int is_coloured(void) {
    const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && (refused == NULL || *refused == '\0') &&
           (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

/* The place in bold, the severity in its colour (ECMA-48, SGR), as compilers do it. */
static void show_coloured(ln_severity severity, const char *text) {
    static const char *const colours[] = {"\033[1;36m", "\033[1;35m", "\033[1;31m"};
    const char *message = ln_report_body(severity, text);
    const int length = (int)(message - text), word = (int)strlen(severities[severity]) + 1;
    if (length < word + 1)
        fprintf(stderr, "%s\n", text);
    else
        fprintf(stderr, "\033[1m%.*s%s%.*s\033[0m %s\n", length - word - 1, text, colours[severity],
                word, message - word - 1, message);
}

void ln_terminal_tell(ln_severity severity, const char *text) {
    if (isatty(STDERR_FILENO))
        fputs(wipe, stderr);
    if (is_coloured())
        show_coloured(severity, text);
    else
        fprintf(stderr, "%s\n", text);
}

static void tell(void *context, ln_severity severity, ln_place place, const char *text) {
    ln_heard *heard = context;
    if (heard != NULL && heard->keeps) {
        keep(heard, severity, place, text);
        return;
    }
    ln_terminal_tell(severity, text);
}

ln_report *ln_terminal_report(ln_heard *heard) {
    ln_report *report = ln_report_new(tell, heard);
    if (report == NULL)
        fputs("linnet: out of memory\n", stderr);
    return report;
}

void ln_terminal_outcome(linnet_status status) {
    const int lost = fflush(stdout) != 0 || ferror(stdout); /* main tells that */
    if ((lost && status == LINNET_OK) || (status == LINNET_IO && ln_stdout_has_no_reader()))
        return;
    if (status == LINNET_INTERRUPTED && signal_received == SIGALRM)
        fputs("linnet: failed: the time limit (--max-seconds) is over\n", stderr);
    else if (status == LINNET_OK)
        fputs("linnet: done\n", stderr);
    else
        fprintf(stderr, "linnet: failed: %s\n", linnet_status_text(status));
}

/* ---- progress ---- */

enum { WIDTH = 30 };
static const double first_drawing = 1.0, drawing_interval = 0.1; /* s */

/* What can be shown of the form asked for: a bar needs a terminal. */
static ln_progress_form possible(ln_progress_form form) {
    return form == LN_PROGRESS_BAR && !isatty(STDERR_FILENO) ? LN_PROGRESS_NONE : form;
}

/* When to show it first; `started` on the clock. */
static double first_time(ln_progress_form form, double started) {
    return started + (form == LN_PROGRESS_LINES ? drawing_interval : first_drawing);
}

static void show_line(double done) {
    fprintf(stderr, "progress: %.4f\n", done);
    fflush(stderr);
}

void ln_progress_begin(ln_progress_line *progress, double begin, double end, const double *t,
                       ln_progress_form form) {
    *progress = (ln_progress_line){.begin = begin,
                                   .end = end,
                                   .t = t,
                                   .started = ln_sys->clock(),
                                   .skip = 1,
                                   .form = possible(form)};
    progress->next = first_time(progress->form, progress->started);
}

static void draw(ln_progress_line *progress, double now) {
    double done = (*progress->t - progress->begin) / (progress->end - progress->begin);
    if (!(done >= 0 && done <= 1))
        done = 0;
    if (progress->form == LN_PROGRESS_LINES) {
        show_line(done);
        return;
    }
    char bar[WIDTH + 1], reached[32], left[48] = "";
    for (int k = 0; k < WIDTH; k++)
        bar[k] = k < (int)(done * WIDTH) ? '#' : '.';
    bar[WIDTH] = '\0';
    if (done > 0)
        snprintf(left, sizeof left, ", %.0f s left", (now - progress->started) * (1 / done - 1));
    fprintf(stderr, "%s[%s] %3.0f%%  t = %s%s", wipe, bar, 100 * done,
            ln_time_text(reached, *progress->t, 4), left);
    fflush(stderr);
    progress->visible = 1;
}

int ln_progress_poll(void *context) {
    ln_progress_line *progress = context;
    if (signal_received != 0)
        return ln_interrupted() != 0;
    if (progress->form == LN_PROGRESS_NONE || ++progress->polls < progress->skip)
        return 0;
    progress->polls = 0;
    double now = ln_sys->clock(), left = progress->next - now;
    if (left > 0) { /* steps may be fast or slow: ask more rarely while time is far from up */
        progress->skip = left > drawing_interval / 2 && progress->skip < 1024 ? 2 * progress->skip
                         : progress->skip > 1                                 ? progress->skip / 2
                                                                              : 1;
        return 0;
    }
    draw(progress, now);
    progress->next = now + drawing_interval;
    progress->skip = 1;
    return 0;
}

void ln_progress_end(ln_progress_line *progress) {
    if (!progress->visible)
        return;
    fputs(wipe, stderr);
    fflush(stderr);
    progress->visible = 0;
}

void ln_work_begin(ln_work_progress *progress, long first, ln_progress_form form) {
    *progress =
        (ln_work_progress){.started = ln_sys->clock(), .first = first, .form = possible(form)};
    progress->next = first_time(progress->form, progress->started);
}

void ln_work_show(ln_work_progress *progress, long done, long all) {
    double now = progress->form != LN_PROGRESS_NONE ? ln_sys->clock() : 0;
    if (progress->form == LN_PROGRESS_NONE || now < progress->next || all <= 0)
        return;
    progress->next = now + drawing_interval;
    if (progress->form == LN_PROGRESS_LINES) {
        show_line((double)done / (double)all);
        return;
    }
    char bar[WIDTH + 1], left[48] = "";
    for (int k = 0; k < WIDTH; k++)
        bar[k] = k < (int)((double)done / (double)all * WIDTH) ? '#' : '.';
    bar[WIDTH] = '\0';
    if (done > progress->first)
        snprintf(left, sizeof left, ", %.0f s left",
                 (now - progress->started) * (double)(all - done) /
                     (double)(done - progress->first));
    fprintf(stderr, "%s[%s] %ld of %ld%s", wipe, bar, done, all, left);
    fflush(stderr);
    progress->visible = 1;
}

void ln_work_end(ln_work_progress *progress) {
    if (!progress->visible)
        return;
    fputs(wipe, stderr);
    fflush(stderr);
    progress->visible = 0;
}

/* ---- numbers ---- */

const char *ln_time_text(char buffer[32], double seconds, int digits) {
    static const struct {
        double scale;
        const char *unit;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}, {1e-12, "ps"}};
    size_t k = 0, last = sizeof units / sizeof *units - 1;
    double size = fabs(seconds) * (1 + 1e-12);
    while (k < last && size < units[k].scale)
        k++;
    if (seconds == 0 || size < units[last].scale)
        k = 0;
    snprintf(buffer, 32, "%.*g %s", digits, seconds / units[k].scale, units[k].unit);
    return buffer;
}
