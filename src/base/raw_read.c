/* SPDX-License-Identifier: MIT */
/* A rawfile is plots one after the other; a plot is lines "Key: value", a list of variables, and
 * the numbers, binary (doubles as in memory, point by point) or as text (each point with its index
 * before it). What a crash cut off has its number of points still at 0: then all whole points there
 * are belong to it. */
#include "base/raw_read.h"
#include "base/constants.h"

#include "base/text.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct raw_reader {
    ln_place place; /* file and line, while there are lines */
    ln_arena *arena;
    ln_report *report;
    const char *at, *end;
} raw_reader;

/* A plot's head. */
typedef struct raw_plot {
    char name[64];
    int is_complex, is_binary, nvariables;
    size_t npoints;
    const char **names;
} raw_plot;

int ln_raw_is(const char *bytes, size_t length) {
    return length >= 6 && memcmp(bytes, "Title:", 6) == 0;
}

static linnet_status wrong(const raw_reader *reader, const char *what) {
    return ln_fail(reader->report, LINNET_MODEL, reader->place,
                   "%s: this is no rawfile that can be read", what);
}

/* ---- the head ---- */

/* The line at hand without its end, into line[]; moves behind it. 0 at the end of the file. */
static int next_line(raw_reader *reader, char *line, size_t room) {
    if (reader->at == reader->end)
        return 0;
    const char *newline = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    const char *stop = newline != NULL ? newline : reader->end;
    size_t length = (size_t)(stop - reader->at), kept = length < room - 1 ? length : room - 1;
    memcpy(line, reader->at, kept);
    line[kept] = '\0';
    if (kept > 0 && line[kept - 1] == '\r')
        line[kept - 1] = '\0';
    reader->at = newline != NULL ? newline + 1 : reader->end;
    reader->place.line++;
    return 1;
}

/* The value behind "Key:", without blanks around it, or NULL when the line has another key. */
static const char *value_of(char *line, const char *key) {
    size_t length = strlen(key);
    if (strncmp(line, key, length) != 0 || line[length] != ':')
        return NULL;
    char *value = line + length + 1 + strspn(line + length + 1, " \t");
    for (size_t end = strlen(value); end > 0 && strchr(" \t", value[end - 1]) != NULL; end--)
        value[end - 1] = '\0';
    return value;
}

/* "i(r1.i)", as ngspice writes what it loaded, -> "r1.i". */
const char *ln_raw_plain_name(ln_arena *arena, const char *name) {
    size_t length = strlen(name);
    int kind = length > 3 && name[1] == '(' && name[length - 1] == ')' ? name[0] | 0x20 : 0;
    if (kind != 'v' && kind != 'i')
        return ln_arena_string(arena, name);
    int inner = (int)length - 3, bare = kind == 'v' || memchr(name + 2, '.', (size_t)inner) != NULL;
    return ln_arena_printf(arena, "%.*s%s", inner, name + 2, bare ? "" : ".i");
}

static linnet_status read_variables(raw_reader *reader, raw_plot *plot) {
    char line[1024], name[512];
    if (plot->nvariables < 1 || (size_t)plot->nvariables > (size_t)(reader->end - reader->at))
        return wrong(reader, "the number of variables");
    plot->names = LN_NEW(reader->arena, const char *, plot->nvariables);
    if (plot->names == NULL)
        return ln_no_memory(reader->report);
    for (int k = 0; k < plot->nvariables; k++) {
        if (!next_line(reader, line, sizeof line) || sscanf(line, " %*d %511s", name) != 1)
            return wrong(reader, "the list of variables is cut off");
        if ((plot->names[k] = ln_raw_plain_name(reader->arena, name)) == NULL)
            return ln_no_memory(reader->report);
    }
    return LINNET_OK;
}

/* A whole number >= 0 of a head's line. */
static linnet_status read_count(const raw_reader *reader, const char *text, double most,
                                double *count) {
    const char *end;
    *count = ln_number_read(text, &end);
    if (end != text && *count >= 0 && *count <= most && *count == floor(*count))
        return LINNET_OK;
    return wrong(reader, "a number in its head");
}

/* Reads up to the first number of the plot. */
static linnet_status read_head(raw_reader *reader, raw_plot *plot) {
    char line[1024];
    const char *value;
    double count;
    *plot = (raw_plot){.npoints = 0};
    while (next_line(reader, line, sizeof line)) {
        if ((value = value_of(line, "Plotname")) != NULL) {
            snprintf(plot->name, sizeof plot->name, "%.*s", (int)sizeof plot->name - 1, value);
        } else if ((value = value_of(line, "Flags")) != NULL) {
            plot->is_complex = strstr(value, "complex") != NULL;
        } else if ((value = value_of(line, "No. Variables")) != NULL) {
            if (plot->names != NULL)
                return wrong(reader, "it counts its variables behind their names");
            LN_TRY(read_count(reader, value, INT_MAX, &count));
            plot->nvariables = (int)count;
        } else if ((value = value_of(line, "No. Points")) != NULL) {
            LN_TRY(read_count(reader, value, 9e15, &count));
            plot->npoints = (size_t)count;
        } else if (value_of(line, "Variables") != NULL) {
            LN_TRY(read_variables(reader, plot));
        } else if (value_of(line, "Binary") != NULL || value_of(line, "Values") != NULL) {
            plot->is_binary = line[0] == 'B';
            return plot->names != NULL ? LINNET_OK : wrong(reader, "it names no variables");
        } /* Date, Command, Option and the like say nothing about the numbers */
    }
    return wrong(reader, "it has no values");
}

/* ---- the numbers ---- */

/* The next number of text, also "nan" and "inf"; 0 when there is none. The parts of a complex one
 * have a comma between them. */
static int next_number(raw_reader *reader, double *value) {
    while (reader->at < reader->end && strchr(" \t\r\n,", *reader->at) != NULL)
        reader->at++;
    const char *end = reader->at;
    if (reader->at == reader->end)
        return 0;
    *value = ln_number_read(reader->at, &end);
    if (end == reader->at) {
        int minus = *reader->at == '-';
        const char *word = reader->at + minus;
        if (strncmp(word, "nan", 3) != 0 && strncmp(word, "inf", 3) != 0)
            return 0;
        *value = *word == 'n' ? NAN : minus ? -INFINITY : INFINITY;
        end = word + 3;
    }
    reader->at = end;
    while (reader->at < reader->end && strchr(" \t\r\n,", *reader->at) == NULL)
        reader->at++;
    return 1;
}

static linnet_status read_text(raw_reader *reader, const raw_plot *plot, ln_csv *csv) {
    const size_t width = (size_t)plot->nvariables * (plot->is_complex ? 2 : 1);
    size_t fit = (size_t)(reader->end - reader->at) / (2 * width + 2) + 1, most = plot->npoints;
    if (most == 0 || most > fit)
        most = fit;
    double *data = ln_arena_alloc(reader->arena, most, width * sizeof *data), index;
    if (data == NULL)
        return ln_no_memory(reader->report);
    csv->data = data;
    for (csv->nrows = 0; csv->nrows < most && next_number(reader, &index); csv->nrows++)
        for (size_t k = 0; k < width; k++)
            if (!next_number(reader, &data[csv->nrows * width + k]))
                return LINNET_OK; /* a torn point */
    return LINNET_OK;
}

static linnet_status read_binary(raw_reader *reader, const raw_plot *plot, ln_csv *csv) {
    const size_t bytes = (size_t)plot->nvariables * (plot->is_complex ? 2 : 1) * sizeof(double);
    const size_t there = (size_t)(reader->end - reader->at) / bytes;
    csv->nrows = plot->npoints == 0 || plot->npoints > there ? there : plot->npoints;
    double *data = ln_arena_alloc(reader->arena, csv->nrows, bytes);
    if (data == NULL)
        return ln_no_memory(reader->report);
    memcpy(data, reader->at, csv->nrows * bytes);
    reader->at += csv->nrows * bytes;
    csv->data = data;
    return LINNET_OK;
}

static linnet_status read_plot(raw_reader *reader, raw_plot *plot, ln_csv *csv) {
    LN_TRY(read_head(reader, plot));
    csv->ncolumns = plot->nvariables;
    csv->names = plot->names;
    LN_TRY(plot->is_binary ? read_binary(reader, plot, csv) : read_text(reader, plot, csv));
    if (csv->nrows >= plot->npoints)
        return LINNET_OK;
    ln_warn(reader->report, (ln_place){reader->place.file, 0, 0},
            "the plot '%s' has %zu points of the %zu it tells of; was "
            "the file cut off?",
            plot->name, csv->nrows, plot->npoints);
    return LINNET_OK;
}

/* ---- frequency responses ---- */

/* The column that makes one part of a variable: "out" -> "out.dB". */
static const char *part_name(const raw_reader *reader, const char *name, const char *part) {
    return ln_arena_printf(reader->arena, "%s.%s", name, part);
}

/* The angle in degrees, on the branch nearest to that of the row before. */
static double unwrapped(const double *pair, const double *before) {
    const double angle = atan2(pair[1], pair[0]) * 180 / LN_PI;
    if (before == NULL || !isfinite(*before))
        return angle;
    return angle + 360 * round((*before - angle) / 360);
}

/* Complex rows become the columns that `linnet ac -f csv` writes, but for the delay: frequency,
 * then magnitude, phase and both parts of each variable. */
static linnet_status take_response(const raw_reader *reader, const raw_plot *plot, ln_csv *csv) {
    enum { PARTS = 4 };
    static const char *const parts[PARTS] = {"dB", "phase", "re", "im"};
    const size_t pairs = 2 * (size_t)plot->nvariables, rows = csv->nrows;
    if (plot->nvariables > INT_MAX / PARTS)
        return wrong(reader, "the number of variables");
    const int width = 1 + PARTS * (plot->nvariables - 1);
    const char **names = LN_NEW(reader->arena, const char *, width);
    double *data = ln_arena_alloc(reader->arena, rows, (size_t)width * sizeof *data);
    if (names == NULL || data == NULL)
        return ln_no_memory(reader->report);
    names[0] = plot->names[0];
    for (int c = 1; c < width; c++)
        if ((names[c] = part_name(reader, plot->names[1 + (c - 1) / PARTS],
                                  parts[(c - 1) % PARTS])) == NULL)
            return ln_no_memory(reader->report);
    for (size_t k = 0; k < rows; k++) {
        const double *from = csv->data + k * pairs;
        double *row = data + k * (size_t)width;
        row[0] = from[0];
        for (int c = 1; c < width; c += PARTS) {
            from += 2;
            row[c] = 20 * log10(hypot(from[0], from[1]));
            row[c + 1] = unwrapped(from, k > 0 ? row + c + 1 - width : NULL);
            row[c + 2] = from[0];
            row[c + 3] = from[1];
        }
    }
    *csv = (ln_csv){.ncolumns = width, .names = names, .data = data, .nrows = rows};
    return LINNET_OK;
}

/* Blank lines between plots belong to none. */
static int more_plots(raw_reader *reader) {
    while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) != NULL)
        reader->at++;
    return ln_raw_is(reader->at, (size_t)(reader->end - reader->at));
}

linnet_status ln_raw_read(const char *file, const char *bytes, size_t length, ln_arena *arena,
                          ln_report *report, ln_csv *csv) {
    raw_reader reader = {{file, 0, 0}, arena, report, bytes, bytes + length};
    raw_plot response = {.npoints = 0};
    ln_csv pairs = {0};
    int is_real = 0;
    *csv = (ln_csv){0};
    while (more_plots(&reader)) {
        raw_plot plot;
        ln_csv one = {0};
        LN_TRY(read_plot(&reader, &plot, &one));
        if (plot.is_complex) {
            if (response.names == NULL)
                response = plot, pairs = one;
            continue;
        }
        int is_run = strcmp(plot.names[0], "time") == 0;
        if (!is_real || is_run)
            *csv = one;
        is_real = 1;
        if (is_run)
            break;
    }
    if (is_real || response.names == NULL)
        return LINNET_OK;
    *csv = pairs;
    return take_response(&reader, &response, csv);
}
