/* SPDX-License-Identifier: MIT */
/* Sweeps in pictures: see plot_sweep.h. The columns of a table are the number of the case, the
 * parameters, the measures, and how the case ended. */
#include "cli/plot_sweep.h"

#include "base/csv.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double cell(const ln_trajectory *table, size_t row, int column) {
    return table->data[row * (size_t)table->ncolumns + (size_t)column];
}

/* The column that an option names, or `otherwise`; -1, reported, when there is none. */
static int column_of(const ln_job *job, const ln_trajectory *table, const char *option,
                     int otherwise) {
    const char *name = ln_job_value(job, option);
    if (name == NULL)
        return otherwise;
    const int column = ln_trajectory_find(table, name, strlen(name), "");
    if (column < 0)
        (void)ln_usage(job->command, "--%s is '%.100s'; the table of the sweep has no such column",
                       option, name);
    return column;
}

/* ---- a fan ---- */

/* The number at the end of a file's name: of "runs/case-000012.csv" 12, or -1. */
static long number_of(const char *path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash != NULL ? slash : path, '.');
    const char *end = dot != NULL ? dot : path + strlen(path), *begin = end;
    while (begin > path && isdigit((unsigned char)begin[-1]))
        begin--;
    return begin < end ? strtol(begin, NULL, 10) : -1;
}

static linnet_status shade(const ln_job *job, const ln_trajectory *table, int column,
                           const char *file, ln_trajectory *result) {
    const long number = number_of(file);
    for (size_t k = 0; k < table->nrows; k++)
        if (cell(table, k, 0) == (double)number) {
            result->shade = cell(table, k, column);
            return LINNET_OK;
        }
    return ln_fail(job->report, LINNET_USAGE, LN_NOWHERE,
                   "'%.200s' is none of the sweep's cases; its name must end in the number of its "
                   "case, as --save-runs writes it",
                   file);
}

linnet_status ln_plot_shades(const ln_job *job, ln_picture *picture, ln_trajectory *results,
                             char *const *files, int count) {
    const char *path = ln_job_value(job, "sweep");
    ln_csv csv;
    if (path == NULL)
        return LINNET_OK;
    LN_TRY(ln_csv_read_table(path, LN_FROM_USER, job->arena, job->report, &csv));
    const ln_trajectory table = {
        .ncolumns = csv.ncolumns, .names = csv.names, .data = csv.data, .nrows = csv.nrows};
    if (!ln_is_sweep_table(&table))
        return ln_usage(job->command, "--sweep is '%.200s', which is no table of 'linnet sweep'",
                        path);
    const int column = column_of(job, &table, "colour", 1);
    if (column < 0)
        return LINNET_USAGE;
    picture->shade = csv.names[column];
    for (int k = 0; k < count; k++)
        LN_TRY(shade(job, &table, column, files[k], &results[k]));
    return LINNET_OK;
}

/* ---- measures ---- */

int ln_is_sweep_table(const ln_trajectory *result) {
    const int n = result->ncolumns;
    return n > 4 && strcmp(result->names[0], "case") == 0 &&
           ln_trajectory_find(result, "status", 6, "") > 1;
}

static int by_value(const void *a, const void *b) {
    const double one = *(const double *)a, two = *(const double *)b;
    return one < two ? -1 : one > two;
}

/* The distinct values of a column, rising; NULL when memory is short. */
static double *distinct(const ln_job *job, const ln_trajectory *table, int column, int *count) {
    double *values = LN_NEW(job->arena, double, table->nrows + 1);
    *count = 0;
    for (size_t k = 0; values != NULL && k < table->nrows; k++)
        values[k] = cell(table, k, column);
    if (values == NULL || table->nrows == 0)
        return values;
    qsort(values, table->nrows, sizeof *values, by_value);
    for (size_t k = 0; k < table->nrows; k++)
        if (isfinite(values[k]) && (*count == 0 || values[*count - 1] != values[k]))
            values[(*count)++] = values[k];
    return values;
}

/* The rows of one value of the colour's column (-1: all), in the order of x. */
static linnet_status split(const ln_job *job, const ln_trajectory *table, int x, int colour,
                           double value, ln_trajectory *result) {
    const int status = ln_trajectory_find(table, "status", 6, "");
    int width = 0;
    double *rows = LN_NEW(job->arena, double, table->nrows *(size_t)table->ncolumns + 1);
    const char **names = LN_NEW(job->arena, const char *, table->ncolumns);
    if (rows == NULL || names == NULL)
        return ln_no_memory(job->report);
    *result = (ln_trajectory){.names = names, .data = rows, .marked = 1, .shade = value};
    names[width++] = table->names[x];
    for (int c = 1; c < status; c++)
        if (c != x && c != colour)
            names[width++] = table->names[c];
    result->ncolumns = width;
    for (size_t k = 0; k < table->nrows; k++) {
        if (colour >= 0 && cell(table, k, colour) != value)
            continue;
        double *row = rows + result->nrows++ * (size_t)width;
        *row++ = cell(table, k, x);
        for (int c = 1; c < status; c++)
            if (c != x && c != colour)
                *row++ = cell(table, k, c);
    }
    qsort(rows, result->nrows, (size_t)width * sizeof *rows, by_value);
    result->name = colour < 0
                       ? table->name
                       : ln_arena_printf(job->arena, "%s = %.6g", table->names[colour], value);
    return result->name != NULL ? LINNET_OK : ln_no_memory(job->report);
}

linnet_status ln_plot_sweep_table(const ln_job *job, ln_picture *picture,
                                  const ln_trajectory *table, ln_trajectory **results, int *count) {
    const int x = column_of(job, table, "against", 1), colour = column_of(job, table, "colour", 0);
    if (x < 0 || colour < 0)
        return LINNET_USAGE;
    double all = 0, *values = &all;
    picture->against = NULL; /* it is the first column now */
    picture->from = -INFINITY;
    picture->to = INFINITY;
    picture->no_events = 1;
    *count = 1;
    if (colour > 0)
        values = distinct(job, table, colour, count);
    *results = LN_NEW(job->arena, ln_trajectory, *count + 1);
    if (values == NULL || *results == NULL)
        return ln_no_memory(job->report);
    for (int k = 0; k < *count; k++)
        LN_TRY(split(job, table, x, colour > 0 ? colour : -1, values[k], &(*results)[k]));
    return LINNET_OK;
}
