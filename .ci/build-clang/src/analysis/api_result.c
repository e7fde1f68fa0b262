/* SPDX-License-Identifier: MIT */
/* The public API's results: a sink that keeps rows, and the kept rows as columns. */
#include "analysis/api.h"

#include "base/sys.h"
#include <math.h>
#include <string.h>

struct linnet_result {
    ln_arena *arena; /* names */
    linnet_signal *signals;
    int count;
    size_t rows, room; /* instants; room of each column */
    double **columns;  /* 1 + count: time first */
};

linnet_result *ln_result_new(void) {
    linnet_result *result = ln_sys->allocate(sizeof *result);
    if (result == NULL)
        return NULL;
    *result = (linnet_result){.arena = ln_arena_new()};
    if (result->arena != NULL)
        return result;
    ln_sys->release(result);
    return NULL;
}

void linnet_result_free(linnet_result *result) {
    if (result == NULL)
        return;
    for (int k = 0; result->columns != NULL && k <= result->count; k++)
        ln_sys->release(result->columns[k]);
    ln_arena_free(result->arena);
    ln_sys->release(result);
}

/* ---- filling ---- */

linnet_status ln_result_open(linnet_result *result, const ln_column *columns, int ncolumns,
                             ln_report *report) {
    result->signals = LN_NEW(result->arena, linnet_signal, ncolumns);
    result->columns = LN_NEW(result->arena, double *, ncolumns + 1);
    if (result->signals == NULL || result->columns == NULL)
        return ln_no_memory(report);
    for (int k = 0; k < ncolumns; k++) {
        result->signals[k].name = ln_arena_string(result->arena, columns[k].name);
        result->signals[k].unit =
            ln_arena_string(result->arena, columns[k].unit != NULL ? columns[k].unit : "");
        if (result->signals[k].name == NULL || result->signals[k].unit == NULL)
            return ln_no_memory(report);
    }
    result->count = ncolumns;
    return LINNET_OK;
}

static int make_room(linnet_result *result) {
    if (result->rows < result->room)
        return 1;
    size_t room = result->room < 64 ? 64 : 2 * result->room;
    if (room > (size_t)-1 / sizeof(double))
        return 0;
    for (int k = 0; k <= result->count; k++) {
        double *longer = ln_sys->resize(result->columns[k], room * sizeof *longer);
        if (longer == NULL)
            return 0;
        result->columns[k] = longer;
    }
    result->room = room;
    return 1;
}

linnet_status ln_result_row(linnet_result *result, double t, const double *values,
                            ln_report *report) {
    if (!make_room(result))
        return ln_no_memory(report);
    result->columns[0][result->rows] = t;
    for (int k = 0; k < result->count; k++)
        result->columns[k + 1][result->rows] = values[k];
    result->rows++;
    return LINNET_OK;
}

/* ---- the sink ---- */

static linnet_status sink_open(ln_sink *base, const ln_column *columns, int ncolumns) {
    ln_api_sink *sink = (ln_api_sink *)base;
    if (sink->result != NULL)
        LN_TRY(ln_result_open(sink->result, columns, ncolumns, sink->report));
    if (sink->file != NULL)
        LN_TRY(sink->file->open(sink->file, columns, ncolumns));
    if (sink->watch == NULL || sink->watch->begin == NULL)
        return LINNET_OK;
    sink->signals = LN_NEW(sink->arena, linnet_signal, ncolumns);
    if (sink->signals == NULL)
        return ln_no_memory(sink->report);
    for (int k = 0; k < ncolumns; k++)
        sink->signals[k] =
            (linnet_signal){columns[k].name, columns[k].unit != NULL ? columns[k].unit : ""};
    return sink->watch->begin(sink->watch->context, ncolumns, sink->signals) ? LINNET_INTERRUPTED
                                                                             : LINNET_OK;
}

static linnet_status sink_row(ln_sink *base, double t, const double *values) {
    ln_api_sink *sink = (ln_api_sink *)base;
    if (sink->result != NULL)
        LN_TRY(ln_result_row(sink->result, t, values, sink->report));
    if (sink->file != NULL)
        LN_TRY(sink->file->row(sink->file, t, values));
    if (sink->watch == NULL || sink->watch->point == NULL)
        return LINNET_OK;
    return sink->watch->point(sink->watch->context, t, values) ? LINNET_INTERRUPTED : LINNET_OK;
}

/* The sink itself is the caller's variable. */
static linnet_status sink_close(ln_sink *base, int complete) {
    ln_api_sink *sink = (ln_api_sink *)base;
    return sink->file != NULL ? sink->file->close(sink->file, complete) : LINNET_OK;
}

void ln_api_sink_init(ln_api_sink *sink, ln_report *report, ln_arena *arena,
                      const linnet_watch *watch) {
    *sink = (ln_api_sink){.sink = {.open = sink_open, .row = sink_row, .close = sink_close},
                          .report = report,
                          .arena = arena,
                          .watch = watch};
}

/* ---- reading ---- */

size_t linnet_result_rows(const linnet_result *result) {
    return result != NULL ? result->rows : 0;
}

int linnet_result_count(const linnet_result *result) {
    return result != NULL ? result->count : 0;
}

linnet_signal linnet_result_name(const linnet_result *result, int index) {
    if (result == NULL || index < 0 || index >= result->count)
        return (linnet_signal){NULL, NULL};
    return result->signals[index];
}

int linnet_result_find(const linnet_result *result, const char *name) {
    for (int k = 0; name != NULL && k < linnet_result_count(result); k++)
        if (strcmp(result->signals[k].name, name) == 0)
            return k;
    return -1;
}

const double *linnet_result_time(const linnet_result *result) {
    return linnet_result_rows(result) > 0 ? result->columns[0] : NULL;
}

const double *linnet_result_values(const linnet_result *result, int index) {
    if (index < 0 || index >= linnet_result_count(result) || result->rows == 0)
        return NULL;
    return result->columns[index + 1];
}

const double *linnet_result_signal(const linnet_result *result, const char *name) {
    return linnet_result_values(result, linnet_result_find(result, name));
}

double linnet_result_at(const linnet_result *result, int index, double t) {
    const double *time = linnet_result_time(result), *values = linnet_result_values(result, index);
    if (values == NULL || !(t >= time[0] && t <= time[result->rows - 1]))
        return (double)NAN;
    size_t low = 0, high = result->rows; /* time[low] <= t < time[high] */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (time[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    if (low + 1 >= result->rows || time[low] == t)
        return values[low];
    return values[low] +
           (values[low + 1] - values[low]) * ((t - time[low]) / (time[low + 1] - time[low]));
}
