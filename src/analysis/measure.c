/* SPDX-License-Identifier: MIT */
/* Measures while a run goes on: recorder -> curves -> pieces -> kinds. Measures of one signal share
 * its curve. */
#include "analysis/measure_kind.h"

#include "base/sys.h"
#include <math.h>

void ln_measures_free(ln_measures *measures) {
    if (measures == NULL)
        return;
    for (int k = 0; k < measures->count; k++)
        ln_sys->release(measures->items[k].points);
    ln_map_free(measures->names);
    ln_recorder_free(measures->recorder);
    ln_arena_free(measures->arena);
}

int ln_measures_count(const ln_measures *measures) {
    return measures != NULL ? measures->count : 0;
}

const ln_measured *ln_measures_at(const ln_measures *measures, int index) {
    return &measures->items[index].result;
}

/* A piece of a column's curve, for all measures that take it as it comes. */
typedef struct sharing {
    ln_measures *measures;
    int column;
} sharing;

static void share(void *context, const ln_piece *piece) {
    const sharing *shared = context;
    for (int k = 0; k < shared->measures->count; k++) {
        ln_measure *measure = &shared->measures->items[k];
        if (measure->column == shared->column && !measure->waits)
            ln_measure_take(measure, piece);
    }
}

linnet_status ln_measures_ready(ln_measures *measures) {
    if (measures == NULL)
        return LINNET_OK;
    LN_TRY(ln_recorder_ready(measures->recorder));
    (void)ln_recorder_columns(measures->recorder, &measures->ncurves);
    measures->curves = LN_NEW(measures->arena, ln_curve, measures->ncurves);
    sharing *contexts = LN_NEW(measures->arena, sharing, measures->ncurves);
    if (measures->curves == NULL || contexts == NULL)
        return ln_no_memory(measures->report);
    LN_TRY(ln_measures_ready_points(measures));
    for (int k = 0; k < measures->ncurves; k++)
        contexts[k] = (sharing){measures, k};
    for (int k = 0; k < measures->count; k++) { /* a column that all wait for needs no curve */
        const ln_measure *measure = &measures->items[k];
        if (!measure->waits && measure->column >= 0)
            measures->curves[measure->column] =
                (ln_curve){.visit = share, .context = &contexts[measure->column]};
    }
    return LINNET_OK;
}

/* The points kept, once more through the kind; `kind` NULL: only extremes and ends are looked for.
 */
static void replay(ln_measure *measure, const ln_measure_kind *kind) {
    const ln_measure_kind *own = measure->kind;
    static const ln_measure_kind plain = {NULL, NULL, 0, LN_UNIT_NONE, NULL, NULL};
    measure->kind = kind != NULL ? kind : &plain;
    measure->begun = 0;
    ln_curve curve = {.visit = ln_measure_take, .context = measure};
    for (size_t k = 0; k + 1 < measure->npoints; k += 2)
        ln_curve_add(&curve, measure->points[k], measure->points[k + 1]);
    ln_curve_end(&curve);
    measure->kind = own;
}

/* What was waited for is known now. */
static void catch_up(ln_measure *measure) {
    replay(measure, NULL);
    if ((measure->kind->takes & LN_TAKES_ENDS) && isnan(measure->final))
        measure->final = measure->y_end;
    if ((measure->kind->takes & LN_TAKES_LEVEL) && isnan(measure->level))
        measure->level = measure->least + (measure->most - measure->least) / 2;
    replay(measure, measure->kind);
}

void ln_measures_finish(ln_measures *measures) {
    for (int k = 0; measures != NULL && k < measures->ncurves; k++)
        if (measures->curves[k].visit != NULL)
            ln_curve_end(&measures->curves[k]);
    for (int k = 0; measures != NULL && k < measures->count; k++) {
        ln_measure *measure = &measures->items[k];
        if (measure->formula != NULL) {
            measure->result.value = ln_measure_compute(measures, measure);
            continue;
        }
        if (measure->when >= 0)
            measure->at = measures->items[measure->when].result.value;
        if (measure->waits)
            catch_up(measure);
        measure->result.value = measure->begun ? measure->kind->value(measure) : NAN;
    }
}
