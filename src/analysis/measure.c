/* SPDX-License-Identifier: MIT */
/* Measures while a run goes on: recorder -> curves -> pieces -> kinds. Measures of one signal share its curve. */
#include "analysis/measure_kind.h"

#include "base/sys.h"
#include <math.h>

void ln_measures_free(ln_measures *measures) {
    if (measures == NULL) return;
    for (int k = 0; k < measures->count; k++) ln_sys->release(measures->items[k].points);
    ln_recorder_free(measures->recorder);
    ln_arena_free(measures->arena);
}

int ln_measures_count(const ln_measures *measures) { return measures != NULL ? measures->count : 0; }

const ln_measured *ln_measures_at(const ln_measures *measures, int index) { return &measures->items[index].told; }

/* A piece of a column's curve, for all measures that take it as it comes. */
typedef struct sharing { ln_measures *measures; int column; } sharing;

static void share(void *context, const ln_piece *piece) {
    const sharing *it = context;
    for (int k = 0; k < it->measures->count; k++) {
        ln_measure *measure = &it->measures->items[k];
        if (measure->column == it->column && !measure->waits) ln_measure_take(measure, piece);
    }
}

linnet_status ln_measures_ready(ln_measures *measures) {
    if (measures == NULL) return LINNET_OK;
    LN_TRY(ln_recorder_ready(measures->recorder));
    (void)ln_recorder_columns(measures->recorder, &measures->ncurves);
    measures->curves = LN_NEW(measures->arena, ln_curve, measures->ncurves);
    sharing *contexts = LN_NEW(measures->arena, sharing, measures->ncurves);
    if (measures->curves == NULL || contexts == NULL) return ln_no_memory(measures->report);
    for (int k = 0; k < measures->ncurves; k++) contexts[k] = (sharing){measures, k};
    for (int k = 0; k < measures->count; k++) { /* a column that all wait for needs no curve */
        const ln_measure *it = &measures->items[k];
        if (!it->waits && it->column >= 0)
            measures->curves[it->column] = (ln_curve){.visit = share, .context = &contexts[it->column]};
    }
    return LINNET_OK;
}

static int keep(ln_measure *it, double t, double y) {
    if (!LN_GROW(it->points, it->npoints + 1, it->room)) {
        it->npoints = 0;
        return 0;
    }
    it->points[it->npoints++] = t;
    it->points[it->npoints++] = y;
    return 1;
}

linnet_status ln_measures_point(ln_measures *measures, ln_system *system, double t, double decide, const double *x) {
    const double *values = ln_recorder_observe(measures->recorder, system, t, decide, x);
    for (int k = 0; k < measures->ncurves; k++)
        if (measures->curves[k].visit != NULL) ln_curve_add(&measures->curves[k], t, values[k]);
    for (int k = 0; k < measures->count; k++) {
        ln_measure *it = &measures->items[k];
        if (it->waits && !keep(it, t, values[it->column])) return ln_no_memory(measures->report);
    }
    return LINNET_OK;
}

/* The points kept, once more through the kind; `kind` NULL: only extremes and ends are looked for. */
static void replay(ln_measure *it, const ln_measure_kind *kind) {
    const ln_measure_kind *own = it->kind;
    static const ln_measure_kind plain = {NULL, NULL, 0, LN_UNIT_NONE, NULL, NULL};
    it->kind = kind != NULL ? kind : &plain;
    it->begun = 0;
    ln_curve curve = {.visit = ln_measure_take, .context = it};
    for (size_t k = 0; k + 1 < it->npoints; k += 2) ln_curve_add(&curve, it->points[k], it->points[k + 1]);
    ln_curve_end(&curve);
    it->kind = own;
}

/* What was waited for is known now. */
static void catch_up(ln_measure *it) {
    replay(it, NULL);
    if ((it->kind->takes & LN_TAKES_ENDS) && isnan(it->final)) it->final = it->y_end;
    if ((it->kind->takes & LN_TAKES_LEVEL) && isnan(it->level)) it->level = it->least + (it->most - it->least) / 2;
    replay(it, it->kind);
}

void ln_measures_finish(ln_measures *measures) {
    for (int k = 0; measures != NULL && k < measures->ncurves; k++)
        if (measures->curves[k].visit != NULL) ln_curve_end(&measures->curves[k]);
    for (int k = 0; measures != NULL && k < measures->count; k++) {
        ln_measure *it = &measures->items[k];
        if (it->formula != NULL) {
            it->told.value = ln_measure_compute(measures, it);
            continue;
        }
        if (it->when >= 0) it->at = measures->items[it->when].told.value;
        if (it->waits) catch_up(it);
        it->told.value = it->begun ? it->kind->value(it) : NAN;
    }
}
