/* SPDX-License-Identifier: MIT */
/* linnet result: what is in a result; the same at other times or in another format; two results
 * held against each other. */
#include "cli/job.h"
#include "base/json.h"
#include "result/formats.h"
#include "result/read.h"

#include "base/raw_read.h"
#include "base/text.h"
#include "base/visible.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static linnet_status result_command(const ln_command *command, int argc, char **argv);

static const ln_option options[] = {
    {"signals", 0, "NAMES", "only these: names and patterns, 'out,R1.*'"},
    {"output", 'o', "FILE",
     "write the result here, in the format of the name: .csv, .raw, .mat, .h5;\n"
     "'-' is the standard output"},
    {"ascii", 0, NULL, "numbers of a rawfile (-o FILE.raw) as text, not binary"},
    {"interval", 0, "SECONDS", "at multiples of this after the first time, and at the last"},
    {"points", 0, "NUMBER", "at so many times, evenly from the first to the last"},
    {"tolerance", 't', "NUMBER",
     "of two results: how far they may be apart, as a part of a signal's\nrange (default: 1e-3)"},
    {"absolute", 0, "NUMBER", "and this much more, in the signal's unit (default: 1e-12)"},
    {"shift", 0, "SECONDS",
     "and as far as the other result reaches within this time: events may\ncome so much earlier or "
     "later (default: 1e-9 of the duration)"},
    {"format", 'f', "NAME", "of the list: text (default) or json"},
    {"quiet", 'q', NULL, "no last line"},
    {NULL, 0, NULL, NULL}};

const ln_command ln_command_result = {
    .name = "result",
    .doc = "list, resample, convert a result, or compare two",
    .usage = "RESULT [OTHER] [OPTION]...",
    .about = "Lists the signals of a result (CSV, SPICE rawfile, MATLAB file of Dymola or "
             "OpenModelica): unit, first,\n"
             "least, largest and last value. With -o it is written anew, at other times with "
             "--interval or --points. With\n"
             "OTHER the signals that both have are compared at the times of both; exit status 6 "
             "when one is too far off.",
    .options = options,
    .examples = "  linnet result rectifier.csv\n"
                "  linnet result rectifier.mat --signals 'in,out' --points 1001 -o even.csv\n"
                "  linnet result before.csv after.csv --tolerance 1e-4\n",
    .exits = "012356",
    .run = result_command};

/* ---- which signals ---- */

/* The columns chosen, the first of the table among them at place 0; *count of them. */
static linnet_status choose(const ln_job *job, const ln_result_table *table, int **chosen,
                            int *count) {
    const char *at = ln_job_value(job, "signals"), *const blanks = " \t\r\n,";
    *chosen = LN_NEW(job->arena, int, table->ncolumns);
    if (*chosen == NULL)
        return ln_no_memory(job->report);
    (*chosen)[0] = 0;
    *count = 1;
    for (int c = 1; at == NULL && c < table->ncolumns; c++)
        (*chosen)[(*count)++] = c;
    for (size_t length; at != NULL && (at += strspn(at, blanks), *at != '\0'); at += length) {
        length = ln_word_length(at);
        const char *pattern = ln_arena_text(job->arena, at, length);
        int found = 0;
        if (pattern == NULL)
            return ln_no_memory(job->report);
        for (int c = 1; c < table->ncolumns; c++) {
            int known = 0;
            if (!ln_matches(pattern, table->names[c]) && strcmp(pattern, table->names[c]) != 0)
                continue;
            found = 1;
            for (int k = 1; k < *count; k++)
                known |= (*chosen)[k] == c;
            if (!known)
                (*chosen)[(*count)++] = c;
        }
        if (!found)
            return ln_usage(job->command, "no signal of the result fits '%.100s'", pattern);
    }
    return LINNET_OK;
}

/* A positive number of an option; `otherwise` without it. */
static linnet_status read_number(const ln_job *job, const char *name, double otherwise,
                                 double *value) {
    const char *text = ln_job_value(job, name), *end = text;
    *value = otherwise;
    if (text == NULL)
        return LINNET_OK;
    *value = ln_number_read(text, &end);
    if (end != text && *end == '\0' && *value > 0 && isfinite(*value))
        return LINNET_OK;
    return ln_usage(job->command, "--%s is '%.60s'; it must be a number above 0", name, text);
}

/* ---- listing ---- */

static const char *unit_of(const ln_result_table *table, int column) {
    return table->units != NULL && table->units[column] != NULL ? table->units[column] : "";
}

/* A signal of the list: its least and largest value, those at the ends. */
typedef struct extent {
    double first, least, largest, last;
} extent;

static extent extent_of(const ln_result_table *table, int column) {
    const size_t width = (size_t)table->ncolumns, n = table->nrows;
    const double *values = table->data + column;
    extent out = {values[0], INFINITY, -INFINITY, values[(n - 1) * width]};
    for (size_t i = 0; i < n; i++) {
        out.least = fmin(out.least, values[i * width]);
        out.largest = fmax(out.largest, values[i * width]);
    }
    return out;
}

static int is_held(const ln_result_table *table, int column) {
    return table->held != NULL && table->held[column];
}

static void put_signal(const ln_result_table *table, int column, ln_json *json) {
    ln_json_begin(json, NULL, LN_JSON_OBJECT);
    ln_json_text_if(json, "name", table->names[column]);
    ln_json_text_if(json, "unit", unit_of(table, column));
    ln_json_flag(json, "held", is_held(table, column));
    if (table->nrows > 0) {
        const extent values = extent_of(table, column);
        ln_json_number(json, "first", values.first);
        ln_json_number(json, "least", values.least);
        ln_json_number(json, "largest", values.largest);
        ln_json_number(json, "last", values.last);
    }
    ln_json_end(json);
}

/* The list for programs. */
static linnet_status list_json(const ln_job *job, const ln_result_table *table, const int *chosen,
                               int count) {
    ln_text text = {0};
    ln_json json = {.out = &text};
    ln_json_begin(&json, NULL, LN_JSON_OBJECT_LINES);
    ln_json_integer(&json, "rows", (long long)table->nrows);
    ln_json_text(&json, "first", table->names[0]);
    ln_json_begin(&json, "signals", LN_JSON_LIST_LINES);
    for (int k = 1; k < count; k++)
        put_signal(table, chosen[k], &json);
    ln_json_end(&json);
    ln_json_finish(&json);
    const linnet_status status = text.failed ? ln_no_memory(job->report) : LINNET_OK;
    if (status == LINNET_OK)
        fputs(text.data, stdout);
    ln_text_free(&text);
    return status;
}

static linnet_status list(const ln_job *job, const ln_result_table *table, const int *chosen,
                          int count) {
    const size_t width = (size_t)table->ncolumns, n = table->nrows;
    int longest = 6;
    size_t events = 0;
    for (int k = 1; k < count; k++)
        if ((int)strlen(table->names[chosen[k]]) > longest)
            longest = (int)strlen(table->names[chosen[k]]);
    for (size_t i = 1; i < n; i++)
        events += table->data[i * width] == table->data[(i - 1) * width];
    printf("%s: %zu rows of %s and %d signals", ln_visible_in(job->arena, job->files[0]), n,
           table->names[0], table->ncolumns - 1);
    if (n > 0)
        printf(", from %.6g to %.6g", table->data[0], table->data[(n - 1) * width]);
    printf(events > 0 ? ", %zu times twice\n" : "\n", events);
    printf("  %-*s %-8s %12s %12s %12s %12s\n", longest, "signal", "unit", "first", "least",
           "largest", "last");
    for (int k = 1; k < count && n > 0; k++) {
        const extent values = extent_of(table, chosen[k]);
        printf("  %-*s %-8s %12.6g %12.6g %12.6g %12.6g%s\n", longest, table->names[chosen[k]],
               unit_of(table, chosen[k]), values.first, values.least, values.largest, values.last,
               is_held(table, chosen[k]) ? "  held" : "");
    }
    return LINNET_OK;
}

/* ---- writing ---- */

/* The rows as they are; row: room for count values. */
static linnet_status write_kept_rows(const ln_result_table *table, const int *chosen, int count,
                                     double *row, ln_sink *sink) {
    const size_t width = (size_t)table->ncolumns;
    for (size_t i = 0; i < table->nrows; i++) {
        for (int k = 1; k < count; k++)
            row[k - 1] = table->data[i * width + (size_t)chosen[k]];
        LN_TRY(sink->row(sink, table->data[i * width], row));
    }
    return LINNET_OK;
}

/* Rows a step apart, interpolated, and one at the end; row: room for count values. */
static linnet_status write_even_rows(const ln_result_table *table, const int *chosen, int count,
                                     double step, double *row, ln_sink *sink) {
    const size_t width = (size_t)table->ncolumns;
    const double begin = table->data[0], end = table->data[(table->nrows - 1) * width];
    for (double k = 0, t = begin; t < end;) {
        for (int c = 1; c < count; c++)
            row[c - 1] = ln_result_at(table, chosen[c], t, 1);
        LN_TRY(sink->row(sink, t, row));
        t = begin + ++k * step;
        if (t > end - 1e-9 * step)
            t = end; /* what differs by rounding is the end */
    }
    for (int c = 1; c < count; c++)
        row[c - 1] = ln_result_at(table, chosen[c], end, 1);
    return sink->row(sink, end, row);
}

/* The rows as they are, or at even times. */
static linnet_status write_rows(const ln_job *job, const ln_result_table *table, const int *chosen,
                                int count, ln_sink *sink) {
    const size_t width = (size_t)table->ncolumns, n = table->nrows;
    double interval, points, *row = LN_NEW(job->arena, double, count);
    LN_TRY(read_number(job, "interval", 0, &interval));
    LN_TRY(read_number(job, "points", 0, &points));
    if (row == NULL)
        return ln_no_memory(job->report);
    if (interval == 0 && points == 0)
        return write_kept_rows(table, chosen, count, row, sink);
    const double begin = n > 0 ? table->data[0] : 0, end = n > 0 ? table->data[(n - 1) * width] : 0;
    if ((interval > 0 && points > 0) || (points > 0 && points < 2) || n == 0 || !(end > begin))
        return ln_usage(job->command, "give --interval, or --points from 2 on, of a result that "
                                      "has a duration");
    const double step = points > 0 ? (end - begin) / (floor(points + 0.5) - 1) : interval;
    if ((end - begin) / step > LN_MOST_STEPS)
        return ln_usage(job->command, "that makes %.3g rows, more than %.0e; take fewer",
                        (end - begin) / step, LN_MOST_STEPS);
    return write_even_rows(table, chosen, count, step, row, sink);
}

static linnet_status convert(const ln_job *job, const ln_result_table *table, const int *chosen,
                             int count) {
    ln_column *columns = LN_NEW(job->arena, ln_column, count);
    const int is_time = strcmp(table->names[0], "time") == 0;
    const ln_result_head head = {.title = ln_job_file_after(job, job->files[0], ""),
                                 .name = "Transient Analysis",
                                 .first = {.name = table->names[0], .unit = is_time ? "s" : ""},
                                 .as_text = ln_job_value(job, "ascii") != NULL};
    if (columns == NULL)
        return ln_no_memory(job->report);
    for (int k = 1; k < count; k++)
        columns[k - 1] = (ln_column){.name = table->names[chosen[k]],
                                     .unit = unit_of(table, chosen[k]),
                                     .held = table->held != NULL && table->held[chosen[k]]};
    LN_TRY(ln_format_check(job->output, 0, "", job->report));
    ln_sink *sink = ln_sink_file(job->output, &head, job->report);
    if (sink == NULL)
        return LINNET_IO;
    linnet_status status = sink->open(sink, columns, count - 1);
    if (status == LINNET_OK)
        status = write_rows(job, table, chosen, count, sink);
    linnet_status closed = sink->close(sink, status == LINNET_OK);
    return status != LINNET_OK ? status : closed;
}

/* ---- comparing ---- */

typedef struct limits {
    double tolerance, absolute, shift;
} limits;

/* What the column reaches at t: from t - shift to t + shift, rows between and both sides of events
 * included. */
static void reach(const ln_result_table *table, int column, double t, double shift,
                  double range[2]) {
    const size_t width = (size_t)table->ncolumns;
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int end = -1; end <= 1; end++)
        for (int side = -1; side <= 1; side += 2) {
            const double value = ln_result_at(table, column, t + end * shift, side);
            range[0] = fmin(range[0], value);
            range[1] = fmax(range[1], value);
        }
    for (size_t i = ln_result_row_at(table, t - shift);
         i < table->nrows && table->data[i * width] <= t + shift; i++) {
        range[0] = fmin(range[0], table->data[i * width + (size_t)column]);
        range[1] = fmax(range[1], table->data[i * width + (size_t)column]);
    }
}

typedef struct difference {
    double most, t, span;
    size_t compared;
} difference;

/* Each row of `a` against what `b` reaches there. */
static void compare_rows(const ln_result_table *a, int column_a, const ln_result_table *b,
                         int column_b, double shift, difference *out) {
    const size_t width = (size_t)a->ncolumns;
    for (size_t i = 0; i < a->nrows; i++) {
        const double t = a->data[i * width], value = a->data[i * width + (size_t)column_a];
        double range[2];
        reach(b, column_b, t, shift, range);
        if (!(range[0] <= range[1]))
            continue; /* the other result ends before */
        double off = fmax(0, fmax(range[0] - value, value - range[1]));
        if (isnan(value))
            off = INFINITY;
        out->compared++;
        if (!(off > out->most))
            continue;
        out->most = off;
        out->t = t;
    }
}

static double span_of(const ln_result_table *table, int column) {
    const size_t width = (size_t)table->ncolumns;
    double least = INFINITY, largest = -INFINITY;
    for (size_t i = 0; i < table->nrows; i++) {
        least = fmin(least, table->data[i * width + (size_t)column]);
        largest = fmax(largest, table->data[i * width + (size_t)column]);
    }
    return largest > least ? largest - least : 0;
}

static linnet_status read_limits(const ln_job *job, const ln_result_table *table, limits *out) {
    const size_t n = table->nrows;
    const double duration =
        n > 0 ? table->data[(n - 1) * (size_t)table->ncolumns] - table->data[0] : 0;
    LN_TRY(read_number(job, "tolerance", 1e-3, &out->tolerance));
    LN_TRY(read_number(job, "absolute", 1e-12, &out->absolute));
    return read_number(job, "shift", 1e-9 * duration, &out->shift);
}

/* The column of the name, or of what is the same signal: a deck's result has v(out) in a CSV file
 * and out in a rawfile. -1: none. */
static int column_of(const ln_job *job, const ln_result_table *table, const char *name) {
    for (int k = 1; k < table->ncolumns; k++)
        if (strcmp(table->names[k], name) == 0)
            return k;
    const char *plain = ln_raw_plain_name(job->arena, name);
    for (int k = 1; k < table->ncolumns && plain != NULL; k++) {
        const char *own = ln_raw_plain_name(job->arena, table->names[k]);
        if (own != NULL && strcmp(own, plain) == 0)
            return k;
    }
    return -1;
}

/* LINNET_MISSED when a signal of both is further off than allowed. */
static linnet_status compare(const ln_job *job, const ln_result_table *a, const int *chosen,
                             int count) {
    ln_result_table b;
    limits limit;
    int both = 0, beyond = 0;
    LN_TRY(ln_result_read(job->files[1], job->arena, job->report, &b));
    LN_TRY(read_limits(job, a, &limit));
    for (int k = 1; k < count; k++) {
        const char *name = a->names[chosen[k]];
        const int other = column_of(job, &b, name);
        if (other < 0) {
            printf("  %-16s only in %s\n", name, ln_visible_in(job->arena, job->files[0]));
            continue;
        }
        difference found = {.span = fmax(span_of(a, chosen[k]), span_of(&b, other))};
        compare_rows(a, chosen[k], &b, other, limit.shift, &found);
        compare_rows(&b, other, a, chosen[k], limit.shift, &found);
        const int is_beyond = found.most > limit.tolerance * found.span + limit.absolute;
        printf("  %-16s %-8s differs by %.3g at most, %.3g of its range, at %.9g%s\n", name,
               unit_of(a, chosen[k]), found.most, found.span > 0 ? found.most / found.span : 0,
               found.t, is_beyond ? ": too far" : "");
        both += found.compared > 0;
        beyond += is_beyond;
    }
    if (both == 0)
        return ln_fail(job->report, LINNET_USAGE, LN_NOWHERE,
                       "the results have no signal and time in common: nothing was compared");
    return beyond > 0 ? LINNET_MISSED : LINNET_OK;
}

/* Options of what is not done here. */
static linnet_status refuse_idle(const ln_job *job) {
    static const struct idle {
        const char *option;
        int files; /* that it needs; of one file a result is written */
    } idle[] = {{"interval", 1}, {"points", 1}, {"tolerance", 2}, {"absolute", 2}, {"shift", 2}};
    for (size_t k = 0; k < sizeof idle / sizeof *idle; k++)
        if (ln_job_value(job, idle[k].option) != NULL &&
            (job->nfiles != idle[k].files || (idle[k].files == 1 && job->output == NULL)))
            return ln_usage(job->command, "--%s has no meaning here; %s", idle[k].option,
                            idle[k].files == 1 ? "it is for the result that -o writes"
                                               : "it is for the comparison of two results");
    return LINNET_OK;
}

static linnet_status perform(const ln_job *job) {
    ln_result_table table;
    int *chosen, count = 0;
    LN_TRY(refuse_idle(job));
    if (job->nfiles > 2)
        return ln_usage(job->command, "two results at most; '%.200s' is one too many",
                        job->files[2]);
    if (job->nfiles == 2 && job->output != NULL)
        return ln_usage(job->command, "two results are compared, and nothing is written; leave -o "
                                      "or the second one out");
    LN_TRY(ln_result_read(job->files[0], job->arena, job->report, &table));
    LN_TRY(choose(job, &table, &chosen, &count));
    if (job->nfiles == 2)
        return compare(job, &table, chosen, count);
    if (job->output != NULL)
        return convert(job, &table, chosen, count);
    const char *format = ln_job_value(job, "format");
    if (format != NULL && strcmp(format, "json") == 0)
        return list_json(job, &table, chosen, count);
    if (format != NULL && strcmp(format, "text") != 0)
        return ln_usage(job->command, "--format is '%.60s'; it must be text or json", format);
    return list(job, &table, chosen, count);
}

static linnet_status result_command(const ln_command *command, int argc, char **argv) {
    ln_job job;
    linnet_status status;
    if (ln_job_read(&job, command, argc, argv, LN_JOB_SOME, &status)) {
        status = perform(&job);
        ln_report_close(job.report);
        (void)fflush(stdout);
        if (status != LINNET_OK || !job.quiet)
            ln_terminal_outcome(status);
    }
    ln_job_free(&job);
    return status;
}
