/* SPDX-License-Identifier: MIT */
/* The first run keeps points on its way to the file; the second one is held against them as it
 * goes. */
#include "analysis/estimate.h"

#include "base/sys.h"
#include "base/text.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { KEPT = 2048 }; /* points: this to twice as many */

/* ---- keeping ---- */

typedef struct keeping {
    ln_sink sink;
    ln_sink *other;
    ln_points *points;
    ln_report *report;
} keeping;

static linnet_status open_both(ln_sink *sink, const ln_column *columns, int ncolumns) {
    keeping *keeper = (keeping *)sink;
    keeper->points->ncolumns = ncolumns;
    keeper->points->stride = 1;
    return keeper->other->open(keeper->other, columns, ncolumns);
}

static double *point_at(const ln_points *points, size_t k) {
    return points->data + k * ((size_t)points->ncolumns + 1);
}

static void thin_out(ln_points *points) {
    size_t width = (size_t)points->ncolumns + 1;
    for (size_t k = 1; 2 * k < points->count; k++)
        memcpy(point_at(points, k), point_at(points, 2 * k), width * sizeof(double));
    points->count = (points->count + 1) / 2;
    points->stride *= 2;
}

static linnet_status keep_point(ln_points *points, double t, const double *values,
                                ln_report *report) {
    size_t width = (size_t)points->ncolumns + 1;
    if (points->count == 2 * KEPT && points->seen % points->stride == 0)
        thin_out(points);
    if (points->seen++ % points->stride != 0)
        return LINNET_OK;
    if (points->count == points->room) {
        size_t room = points->room > 0 ? 2 * points->room : 64;
        double *longer = ln_sys->resize(points->data, room * width * sizeof *longer);
        if (longer == NULL)
            return ln_no_memory(report);
        points->data = longer;
        points->room = room;
    }
    double *point = point_at(points, points->count++);
    point[0] = t;
    if (width > 1)
        memcpy(point + 1, values, (width - 1) * sizeof *point);
    return LINNET_OK;
}

static linnet_status keep_row(ln_sink *sink, double t, const double *values) {
    keeping *keeper = (keeping *)sink;
    LN_TRY(keep_point(keeper->points, t, values, keeper->report));
    return keeper->other->row(keeper->other, t, values);
}

static linnet_status close_both(ln_sink *sink, int complete) {
    keeping *keeper = (keeping *)sink;
    linnet_status status = keeper->other->close(keeper->other, complete);
    ln_sys->release(keeper);
    return status;
}

ln_sink *ln_sink_keeping(ln_sink *other, ln_points *points, ln_report *report) {
    keeping *keeper = ln_sys->allocate(sizeof *keeper);
    if (keeper == NULL) {
        (void)ln_no_memory(report);
        return NULL;
    }
    *keeper =
        (keeping){{.open = open_both, .row = keep_row, .close = close_both}, other, points, report};
    return &keeper->sink;
}

/* ---- the second run ---- */

linnet_status ln_estimate_request(const ln_simulation *first, const ln_request *request,
                                  ln_arena *arena, ln_report *report, ln_request *second) {
    const ln_settings *settings = &first->settings;
    char step[32], tolerance[32];
    /* steps that something else than the tolerance kept short would not change, and show no error
     */
    double longest = settings->tolerance > 0 && first->statistics.largest > 0
                         ? first->statistics.largest
                         : settings->step;
    ln_number_format(step, longest / 2);
    ln_number_format(tolerance, settings->tolerance / 10);
    *second = *request;
    second->method = settings->method->name;
    second->step = longest > 0 ? ln_arena_string(arena, step) : NULL;
    second->tolerance = settings->tolerance > 0 ? ln_arena_string(arena, tolerance) : NULL;
    int failed = (longest > 0 && second->step == NULL) ||
                 (settings->tolerance > 0 && second->tolerance == NULL);
    return failed ? ln_no_memory(report) : LINNET_OK;
}

typedef struct comparing {
    ln_sink sink;
    const ln_points *points;
    /* per point and column: difference, the nearer side of a jump; INFINITY: none */
    double *least;
    size_t next;
    double same;
} comparing;

static linnet_status compare_row(ln_sink *sink, double t, const double *values) {
    comparing *comparison = (comparing *)sink;
    const ln_points *points = comparison->points;
    size_t columns = (size_t)points->ncolumns;
    while (comparison->next < points->count &&
           point_at(points, comparison->next)[0] < t - comparison->same)
        comparison->next++;
    for (size_t k = comparison->next;
         k < points->count && point_at(points, k)[0] <= t + comparison->same; k++)
        for (size_t c = 0; c < columns; c++) {
            double off = fabs(point_at(points, k)[c + 1] - values[c]);
            if (off < comparison->least[k * columns + c])
                comparison->least[k * columns + c] = off;
        }
    return LINNET_OK;
}

/* The times at which the second run must have a point. */
static const double *stops_of(const ln_points *points, ln_arena *arena, double same,
                              size_t *count) {
    double *times = LN_NEW(arena, double, points->count);
    *count = 0;
    for (size_t k = 0; times != NULL && k < points->count; k++)
        if (*count == 0 || point_at(points, k)[0] > times[*count - 1] + same)
            times[(*count)++] = point_at(points, k)[0];
    return times;
}

static linnet_status sum_up(const comparing *comparison, double factor, const ln_simulation *second,
                            ln_estimate *out) {
    const ln_column *columns = ln_recorder_columns(second->recorder, &out->count);
    out->signals = LN_NEW(out->arena, ln_estimate_signal, out->count);
    if (out->signals == NULL)
        return ln_no_memory(second->report);
    for (int c = 0; c < out->count; c++) {
        ln_estimate_signal *signal = &out->signals[c];
        *signal = (ln_estimate_signal){.name = columns[c].name, .unit = columns[c].unit};
        for (size_t k = 0; k < comparison->points->count; k++) {
            const double *point = point_at(comparison->points, k);
            double off = comparison->least[k * (size_t)out->count + (size_t)c] * factor;
            if (fabs(point[c + 1]) <= DBL_MAX)
                signal->size = fmax(signal->size, fabs(point[c + 1]));
            if (!(off <= DBL_MAX))
                continue;
            signal->compared++;
            if (!(off > signal->error))
                continue;
            signal->error = off;
            signal->t = point[0];
        }
    }
    return LINNET_OK;
}

linnet_status ln_estimate_errors(const ln_simulation *first, const ln_points *points,
                                 ln_simulation *second, int (*stop)(void *context), void *context,
                                 ln_estimate *out) {
    const ln_settings *settings = &first->settings;
    ln_arena *arena = out->arena;
    *out = (ln_estimate){
        .arena = arena, .fixed = !(settings->tolerance > 0), .order = settings->method->order};
    out->size = out->fixed ? settings->step / 2 : settings->tolerance / 10;
    size_t values = points->count * (size_t)points->ncolumns;
    comparing comparison = {
        {.open = ln_sink_nowhere.open, .row = compare_row, .close = ln_sink_nowhere.close},
        points,
        LN_NEW(arena, double, values),
        0,
        32 * DBL_EPSILON * fmax(fabs(settings->begin), fabs(settings->end))};
    second->settings.stops = stops_of(points, arena, comparison.same, &second->settings.nstops);
    second->settings.interval = second->settings.resolution = 0;
    if (comparison.least == NULL || second->settings.stops == NULL)
        return ln_no_memory(second->report);
    for (size_t k = 0; k < values; k++)
        comparison.least[k] = INFINITY;
    LN_TRY(ln_simulation_run(second, &comparison.sink, stop, context));
    out->seconds = second->seconds;
    double power = ldexp(1, settings->method->order);
    return sum_up(&comparison, out->fixed ? power / (power - 1) : 1, second, out);
}
