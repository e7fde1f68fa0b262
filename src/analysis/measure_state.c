/* SPDX-License-Identifier: MIT */
/* Measures of a run that stands still: what they have seen so far as bytes, and back, for checkpoints. */
#include "analysis/measure_kind.h"

#include "base/sys.h"
#include <string.h>

enum { SEEN = 11 };

/* What was seen, number by number. */
static void list_seen(ln_measure *it, double *list[SEEN]) {
    double *const all[SEEN] = {&it->t_begin, &it->y_begin, &it->t_end, &it->y_end, &it->least, &it->most,
                               &it->t_least, &it->t_most,  &it->sum,   &it->first, &it->last};
    memcpy(list, all, sizeof all);
}

void ln_measures_mark(const ln_measures *measures, void (*visit)(void *context, const void *data, size_t length),
                      void *context) {
    for (int k = 0; measures != NULL && k < measures->count; k++) {
        const ln_measure *it = &measures->items[k];
        const double numbers[] = {it->from, it->to,      it->at,   it->level,            it->low,          it->high,
                                  it->initial, it->final, it->band, (double)it->direction, (double)it->count, (double)it->column};
        visit(context, it->told.name, strlen(it->told.name) + 1);
        visit(context, it->kind->name, strlen(it->kind->name) + 1);
        visit(context, numbers, sizeof numbers);
        if (it->formula != NULL) visit(context, it->formula, strlen(it->formula) + 1);
    }
    int ncolumns = 0;
    const ln_column *columns = measures != NULL ? ln_recorder_columns(measures->recorder, &ncolumns) : NULL;
    for (int k = 0; k < ncolumns; k++) visit(context, columns[k].name, strlen(columns[k].name) + 1);
}

void ln_measures_save(const ln_measures *measures, ln_bytes *bytes) {
    for (int k = 0; measures != NULL && k < measures->count; k++) {
        ln_measure *it = &measures->items[k];
        double *seen[SEEN];
        list_seen(it, seen);
        ln_bytes_put_long(bytes, it->begun);
        ln_bytes_put_long(bytes, it->crossings);
        for (int i = 0; i < SEEN; i++) ln_bytes_put_double(bytes, *seen[i]);
        ln_bytes_put_long(bytes, (long long)it->npoints);
        ln_bytes_put(bytes, it->points, it->npoints * sizeof *it->points);
    }
    for (int k = 0; measures != NULL && k < measures->ncurves; k++) {
        const ln_curve *curve = &measures->curves[k];
        ln_bytes_put_long(bytes, curve->n);
        ln_bytes_put_long(bytes, curve->done);
        ln_bytes_put(bytes, curve->t, sizeof curve->t);
        ln_bytes_put(bytes, curve->y, sizeof curve->y);
    }
}

static int load_measure(ln_measure *it, ln_bytes *bytes) {
    double *seen[SEEN];
    list_seen(it, seen);
    it->begun = ln_bytes_get_long(bytes) != 0;
    it->crossings = (long)ln_bytes_get_long(bytes);
    for (int i = 0; i < SEEN; i++) *seen[i] = ln_bytes_get_double(bytes);
    it->npoints = 0;
    for (long long left = ln_bytes_get_long(bytes); left > 0 && !bytes->failed; left--) {
        if (!LN_GROW(it->points, it->npoints, it->room)) return 0;
        it->points[it->npoints++] = ln_bytes_get_double(bytes);
    }
    return !bytes->failed;
}

int ln_measures_load(ln_measures *measures, ln_bytes *bytes) {
    for (int k = 0; measures != NULL && k < measures->count; k++)
        if (!load_measure(&measures->items[k], bytes)) return 0;
    for (int k = 0; measures != NULL && k < measures->ncurves; k++) {
        ln_curve *curve = &measures->curves[k];
        curve->n = (int)ln_bytes_get_long(bytes);
        curve->done = (int)ln_bytes_get_long(bytes);
        ln_bytes_get(bytes, curve->t, sizeof curve->t);
        ln_bytes_get(bytes, curve->y, sizeof curve->y);
        if (curve->n < 0 || curve->n > LN_CURVE_POINTS || curve->done < 0 || curve->done > curve->n) return 0;
    }
    return !bytes->failed;
}
