/* SPDX-License-Identifier: MIT */
/* Measures of a run that stands still: what they have seen so far as bytes, and back, for
 * checkpoints. */
#include "analysis/measure_kind.h"

#include "base/sys.h"
#include <limits.h>
#include <math.h>
#include <string.h>

enum { SEEN = 12 };

/* What was seen, number by number. */
static void list_seen(ln_measure *measure, double *list[SEEN]) {
    double *const all[SEEN] = {&measure->t_begin, &measure->y_begin, &measure->t_end,
                               &measure->y_end,   &measure->least,   &measure->most,
                               &measure->t_least, &measure->t_most,  &measure->sum,
                               &measure->first,   &measure->last,    &measure->side};
    memcpy(list, all, sizeof all);
}

void ln_measures_mark(const ln_measures *measures,
                      void (*visit)(void *context, const void *data, size_t length),
                      void *context) {
    for (int k = 0; measures != NULL && k < measures->count; k++) {
        const ln_measure *measure = &measures->items[k];
        const double numbers[] = {measure->from,
                                  measure->to,
                                  measure->at,
                                  measure->level,
                                  measure->low,
                                  measure->high,
                                  measure->initial,
                                  measure->final,
                                  measure->band,
                                  (double)measure->direction,
                                  (double)measure->count,
                                  (double)measure->column};
        visit(context, measure->result.name, strlen(measure->result.name) + 1);
        visit(context, measure->kind->name, strlen(measure->kind->name) + 1);
        visit(context, numbers, sizeof numbers);
        if (measure->formula != NULL)
            visit(context, measure->formula, strlen(measure->formula) + 1);
    }
    int ncolumns = 0;
    const ln_column *columns =
        measures != NULL ? ln_recorder_columns(measures->recorder, &ncolumns) : NULL;
    for (int k = 0; k < ncolumns; k++)
        visit(context, columns[k].name, strlen(columns[k].name) + 1);
}

void ln_measures_save(const ln_measures *measures, ln_bytes *bytes) {
    for (int k = 0; measures != NULL && k < measures->count; k++) {
        ln_measure *measure = &measures->items[k];
        double *seen[SEEN];
        list_seen(measure, seen);
        ln_bytes_put_long(bytes, measure->begun);
        ln_bytes_put_long(bytes, measure->crossings);
        for (int i = 0; i < SEEN; i++)
            ln_bytes_put_double(bytes, *seen[i]);
        ln_bytes_put_long(bytes, (long long)measure->npoints);
        ln_bytes_put(bytes, measure->points, measure->npoints * sizeof *measure->points);
    }
    for (int k = 0; measures != NULL && k < measures->ncurves; k++) {
        const ln_curve *curve = &measures->curves[k];
        ln_bytes_put_long(bytes, curve->n);
        ln_bytes_put_long(bytes, curve->done);
        ln_bytes_put(bytes, curve->t, sizeof curve->t);
        ln_bytes_put(bytes, curve->y, sizeof curve->y);
    }
}

static int load_measure(ln_measure *measure, ln_bytes *bytes) {
    double *seen[SEEN];
    list_seen(measure, seen);
    measure->begun = (int)ln_bytes_get_within(bytes, 0, 1);
    measure->crossings = (long)ln_bytes_get_within(bytes, 0, LONG_MAX / 2);
    for (int i = 0; i < SEEN; i++)
        *seen[i] = ln_bytes_get_double(bytes); /* NaN: not seen */
    measure->npoints = 0;
    const long long count =
        ln_bytes_get_within(bytes, 0, (long long)(bytes->length / sizeof *measure->points));
    for (long long k = 0; k < count && !bytes->failed; k++) {
        if (!LN_GROW(measure->points, measure->npoints, measure->room))
            return 0;
        measure->points[measure->npoints++] = ln_bytes_get_number(bytes);
    }
    return !bytes->failed;
}

int ln_measures_load(ln_measures *measures, ln_bytes *bytes) {
    for (int k = 0; measures != NULL && k < measures->count; k++)
        if (!load_measure(&measures->items[k], bytes))
            return 0;
    for (int k = 0; measures != NULL && k < measures->ncurves; k++) {
        ln_curve *curve = &measures->curves[k];
        curve->n = (int)ln_bytes_get_within(bytes, 0, LN_CURVE_POINTS);
        curve->done = (int)ln_bytes_get_within(bytes, 0, curve->n);
        ln_bytes_get(bytes, curve->t, sizeof curve->t);
        ln_bytes_get(bytes, curve->y, sizeof curve->y);
        for (int i = 0; i < curve->n; i++)
            if (!isfinite(curve->t[i]) || !isfinite(curve->y[i]))
                return 0;
    }
    return !bytes->failed;
}
