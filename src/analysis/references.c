/* SPDX-License-Identifier: MIT */
/* From <reference> elements to columns and times: what is compared with what, and when. */
#include "base/invariant.h"
#include "analysis/verify.h"

#include "base/sys.h"
#include "base/text.h"
#include "model/model.h"
#include "model/scope.h"
#include "model/tree.h"
#include <assert.h>
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double default_tolerance = 1e-6;

/* What all references share while they are read. */
typedef struct reference_reader {
    ln_simulation *simulation;
    const ln_model_options *options;
    ln_arena *arena;
    ln_report *report;
    double begin, end; /* of the run */
} reference_reader;

double ln_same_time(double begin, double t) {
    return 1e-9 * fabs(t - begin) + 4 * DBL_EPSILON * fabs(t);
}

static int is_within_run(const reference_reader *reader, double t) {
    return t >= reader->begin - ln_same_time(reader->begin, reader->end) &&
           t <= reader->end + ln_same_time(reader->begin, reader->end);
}

/* ---- files ---- */

static int is_within(const char *real, const char *folder) {
    char real_folder[PATH_MAX];
    if (folder == NULL || realpath(folder, real_folder) == NULL)
        return 0;
    size_t length = strlen(real_folder);
    return length == 1 || (strncmp(real, real_folder, length) == 0 && real[length] == '/');
}

/* A reference file lies in the model's folder, or in one that the command line allows; so do links
 * to it. */
static linnet_status open_path(const reference_reader *reader, const char *file, ln_place place,
                               const char **path) {
    const char *model = reader->simulation->model->path,
               *slash = model != NULL ? strrchr(model, '/') : NULL;
    const char *folder =
        slash == NULL
            ? "."
            : ln_arena_text(reader->arena, model, slash == model ? 1 : (size_t)(slash - model));
    *path = folder == NULL ? NULL
            : file[0] == '/' || slash == NULL
                ? ln_arena_string(reader->arena, file)
                : ln_arena_printf(reader->arena, "%s/%s", folder, file);
    if (*path == NULL)
        return ln_no_memory(reader->report);
    char real[PATH_MAX];
    if (realpath(*path, real) == NULL)
        return ln_fail(reader->report, LINNET_IO, place, "reference: cannot read '%s': %s", file,
                       strerror(errno));
    int allowed = is_within(real, folder);
    for (int k = 0; !allowed && reader->options != NULL && k < reader->options->ninclude_folders;
         k++)
        allowed = is_within(real, reader->options->include_folders[k]);
    if (allowed)
        return LINNET_OK;
    return ln_fail(reader->report, LINNET_MODEL, place,
                   "reference: '%s' lies outside the model's folder; other folders are allowed on "
                   "the command line "
                   "(--include)",
                   file);
}

/* The file's rows within the run become points. */
static linnet_status read_file(const reference_reader *reader, const char *file,
                               ln_reference *reference) {
    const char *path;
    ln_csv csv;
    LN_TRY(open_path(reader, file, reference->place, &path));
    LN_TRY(ln_csv_read(path, LN_FROM_MODEL, reader->arena, reader->report, &csv));
    int column = 1;
    while (column < csv.ncolumns && strcmp(csv.names[column], reference->signal) != 0)
        column++;
    if (column >= csv.ncolumns) {
        const char *nearest = csv.ncolumns > 1 ? ln_nearest(reference->signal, csv.names + 1,
                                                            (size_t)csv.ncolumns - 1)
                                               : NULL;
        return ln_fail(reader->report, LINNET_MODEL, reference->place,
                       "reference: '%s' has no column '%s'%s%s%s", file, reference->signal,
                       nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                       nearest != NULL ? "'?" : "");
    }
    reference->points = LN_NEW(reader->arena, ln_reference_point, csv.nrows);
    if (reference->points == NULL)
        return ln_no_memory(reader->report);
    for (size_t row = 0; row < csv.nrows; row++) {
        const double *values = csv.data + row * (size_t)csv.ncolumns;
        if (row > 0 && values[0] < values[-csv.ncolumns])
            return ln_fail(reader->report, LINNET_MODEL, reference->place,
                           "reference: the times of '%s' fall at %.9g s, row %zu; they must rise",
                           file, values[0], row + 1);
        if (!is_within_run(reader, values[0]))
            continue;
        reference->points[reference->npoints++] =
            (ln_reference_point){values[0], values[column], INFINITY};
    }
    if (reference->npoints > 0)
        return LINNET_OK;
    return ln_fail(reader->report, LINNET_MODEL, reference->place,
                   "reference: no row of '%s' lies within the run, %.9g s to %.9g s", file,
                   reader->begin, reader->end);
}

/* ---- times ---- */

static int compare_times(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Keeps of a file's points those at the asked times. */
static linnet_status select_points(const reference_reader *reader, const double *times, int count,
                                   ln_reference *reference) {
    size_t kept = 0, at = 0;
    for (int k = 0; k < count; k++) {
        size_t found = kept;
        while (at < reference->npoints &&
               reference->points[at].t < times[k] - ln_same_time(reader->begin, times[k]))
            at++;
        while (at < reference->npoints &&
               reference->points[at].t <= times[k] + ln_same_time(reader->begin, times[k]))
            reference->points[kept++] = reference->points[at++];
        if (kept == found)
            return ln_fail(reader->report, LINNET_MODEL, reference->place,
                           "reference of %s: the file has no row at %.9g s, which 'at' asks for",
                           reference->signal, times[k]);
    }
    reference->npoints = kept;
    return LINNET_OK;
}

static linnet_status read_at(const reference_reader *reader, const char *at,
                             ln_reference *reference) {
    double *times;
    int rows, cols;
    LN_TRY(ln_scope_list(reader->simulation->network->scope,
                         (ln_written){at, "s", reference->place}, &times, &rows, &cols));
    int count = rows * cols;
    qsort(times, (size_t)count, sizeof *times, compare_times);
    for (int k = 0; k < count; k++)
        if (!is_within_run(reader, times[k]))
            return ln_fail(reader->report, LINNET_MODEL, reference->place,
                           "reference of %s: %.9g s lies outside the run, %.9g s to %.9g s",
                           reference->signal, times[k], reader->begin, reader->end);
    if (reference->points != NULL)
        return select_points(reader, times, count, reference);
    reference->points = LN_NEW(reader->arena, ln_reference_point, count);
    if (reference->points == NULL)
        return ln_no_memory(reader->report);
    for (int k = 0; k < count; k++)
        reference->points[k] = (ln_reference_point){times[k], 0, INFINITY};
    reference->npoints = (size_t)count;
    return LINNET_OK;
}

/* All written times as one rising list, each once, for the integrator to stop at. */
static linnet_status gather_stops(const reference_reader *reader, ln_references *references) {
    size_t count = 0;
    for (int k = 0; k < references->count; k++)
        count += references->items[k].npoints;
    references->stops = LN_NEW(reader->arena, double, count);
    if (references->stops == NULL)
        return ln_no_memory(reader->report);
    size_t n = 0;
    for (int k = 0; k < references->count; k++)
        for (size_t i = 0; i < references->items[k].npoints; i++)
            references->stops[n++] = references->items[k].points[i].t;
    qsort(references->stops, n, sizeof *references->stops, compare_times);
    for (size_t i = 0; i < n; i++) {
        double t = references->stops[i];
        double same = ln_same_time(reader->begin, t);
        if (t <= reader->begin + same || t >= reader->end - same)
            continue;
        if (references->nstops > 0 && t - references->stops[references->nstops - 1] <= same)
            continue;
        references->stops[references->nstops++] = t;
    }
    assert(ln_is_rising(references->stops, references->nstops)); /* the integrator's grid */
    return LINNET_OK;
}

/* ---- the whole ---- */

static linnet_status read_one(const reference_reader *reader, const ln_element *element, int index,
                              ln_reference *reference) {
    const char *value = ln_attribute_of(element, "value"), *file = ln_attribute_of(element, "file");
    const char *tolerance = ln_attribute_of(element, "tolerance"),
               *at = ln_attribute_of(element, "at");
    *reference = (ln_reference){.signal = ln_attribute_of(element, "signal"),
                                .place = ln_place_of(element),
                                .tolerance = default_tolerance,
                                .expected = -1};
    if (tolerance != NULL)
        LN_TRY(ln_scope_value(reader->simulation->network->scope, tolerance, "", reference->place,
                              &reference->tolerance));
    if (!(reference->tolerance > 0))
        return ln_fail(reader->report, LINNET_MODEL, reference->place,
                       "reference: tolerance is %s; it must be above 0", tolerance);
    if ((value == NULL) == (file == NULL))
        return ln_fail(reader->report, LINNET_MODEL, reference->place,
                       "reference of %s: give either value=\"...\" or "
                       "file=\"...\"",
                       reference->signal);
    reference->column =
        ln_recorder_column(reader->simulation->recorder, reference->signal, reference->place);
    if (reference->column < 0)
        return LINNET_MODEL;
    if (file != NULL)
        LN_TRY(read_file(reader, file, reference));
    if (at != NULL)
        LN_TRY(read_at(reader, at, reference));
    if (value == NULL)
        return LINNET_OK;
    int count;
    const char *unit =
        ln_recorder_columns(reader->simulation->recorder, &count)[reference->column].unit;
    const char *name =
        ln_arena_printf(reader->arena, "%s (reference %d)", reference->signal, index + 1);
    if (name == NULL)
        return ln_no_memory(reader->report);
    LN_TRY(ln_recorder_add_expression(reader->simulation->recorder, name, value,
                                      *unit != '\0' ? unit : NULL, reference->place));
    reference->expected = ln_recorder_column(reader->simulation->recorder, name, reference->place);
    return reference->expected >= 0 ? LINNET_OK : LINNET_MEMORY;
}

linnet_status ln_references_read(ln_simulation *simulation, const ln_model_options *options,
                                 ln_arena *arena, ln_references *references) {
    const ln_model *model = simulation->model;
    reference_reader reader = {simulation,
                               options,
                               arena,
                               simulation->report,
                               simulation->settings.begin,
                               simulation->settings.end};
    references->items = LN_NEW(arena, ln_reference, model->nreferences);
    if (references->items == NULL)
        return ln_no_memory(reader.report);
    linnet_status status = LINNET_OK;
    for (int k = 0; k < model->nreferences; k++) {
        linnet_status one =
            read_one(&reader, model->references[k], k, &references->items[references->count]);
        if (one == LINNET_MEMORY)
            return one;
        if (one == LINNET_OK)
            references->count++;
        else if (status == LINNET_OK)
            status = one;
    }
    LN_TRY(status);
    return gather_stops(&reader, references);
}
