/* SPDX-License-Identifier: MIT */
/* Points on their way to the curves: those that the run accepts, and those within a step where what
 * a measure's expression decides changes: the kink of max(y, 0), the jump of floor(y). The run's
 * own steps end at what its blocks decide; what is measured alone must not move them, so the
 * instant is found on the step's own curve and both its sides are told. Points behind it follow,
 * since a curve takes none from beyond a corner. */
#include "analysis/measure_kind.h"

#include <math.h>
#include <string.h>

enum {
    PARTS = 8,   /* at whose ends decisions are compared, as guards are (integrate/root_finder.h) */
    CHANGES = 64 /* told within a part; what changes oftener there is noise */
};

linnet_status ln_measures_ready_points(ln_measures *measures) {
    const int count = ln_recorder_decisions(measures->recorder, NULL);
    const size_t n = (size_t)measures->ncurves;
    measures->ndecisions = count;
    for (int k = 0; k < 2; k++)
        measures->decisions[k] = LN_NEW(measures->arena, double, count);
    measures->own = LN_NEW(measures->arena, char, n *(size_t)count);
    measures->changed = LN_NEW(measures->arena, char, n);
    measures->bent = LN_NEW(measures->arena, char, n);
    if (measures->decisions[0] == NULL || measures->decisions[1] == NULL || measures->own == NULL ||
        measures->changed == NULL || measures->bent == NULL)
        return ln_no_memory(measures->report);
    for (int k = 0; k < measures->ncurves; k++)
        if (ln_recorder_own_decisions(measures->recorder, k,
                                      measures->own + (size_t)k * (size_t)count) != LINNET_OK)
            return ln_no_memory(measures->report);
    return LINNET_OK;
}

static int keep(ln_measure *measure, double t, double y) {
    if (!LN_GROW(measure->points, measure->npoints + 1, measure->room))
        return 0;
    measure->points[measure->npoints++] = t;
    measure->points[measure->npoints++] = y;
    return 1;
}

/* A point of side and x as one at t; columns: to those alone that are 1, NULL: to all. */
static linnet_status pass_on(ln_measures *measures, ln_system *system, ln_side side,
                             const double *x, double t, const char *columns) {
    const double *values = ln_recorder_observe(measures->recorder, system, side, x);
    for (int k = 0; k < measures->ncurves; k++)
        if (measures->curves[k].visit != NULL && (columns == NULL || columns[k]))
            ln_curve_add(&measures->curves[k], t, values[k]);
    for (int k = 0; k < measures->count; k++) {
        ln_measure *measure = &measures->items[k];
        if (measure->waits && (columns == NULL || columns[measure->column]) &&
            !keep(measure, t, values[measure->column]))
            return ln_no_memory(measures->report);
    }
    return LINNET_OK;
}

linnet_status ln_measures_point(ln_measures *measures, ln_system *system, ln_side side,
                                const double *x) {
    return pass_on(measures, system, side, x, side.t, NULL);
}

int ln_measures_decide(const ln_measures *measures) {
    return measures != NULL && measures->ndecisions > 0;
}

typedef struct seeking {
    ln_measures *measures;
    ln_system *system;
    const ln_step_view *step;
    double t; /* the last point whose decisions are known: decisions[0] */
} seeking;

/* The decisions at t; *known 0 where the step has no values. */
static linnet_status look(const seeking *seek, double t, double *decisions, int *known) {
    const double *x;
    LN_TRY(seek->step->at(seek->step->source, t, &x));
    *known = x != NULL;
    if (!*known)
        return LINNET_OK;
    const ln_side side = ln_side_at(seek->step->end, t);
    (void)ln_recorder_observe(seek->measures->recorder, seek->system, side, x);
    (void)ln_recorder_decisions(seek->measures->recorder, decisions);
    return LINNET_OK;
}

static int differs(const ln_measures *measures, int i) {
    const double a = measures->decisions[0][i], b = measures->decisions[1][i];
    return a != b && !(isnan(a) && isnan(b));
}

static int any_differs(const ln_measures *measures) {
    for (int i = 0; i < measures->ndecisions; i++)
        if (differs(measures, i))
            return 1;
    return 0;
}

/* Which columns come from decisions that differ. */
static void note_changed(ln_measures *measures) {
    for (int k = 0; k < measures->ncurves; k++) {
        const char *own = measures->own + (size_t)k * (size_t)measures->ndecisions;
        measures->changed[k] = 0;
        for (int i = 0; i < measures->ndecisions; i++)
            measures->changed[k] |= own[i] && differs(measures, i);
        measures->bent[k] |= measures->changed[k];
    }
}

/* The point at t, as one at told_at. */
static linnet_status tell(const seeking *seek, double t, double told_at, const char *columns) {
    const double *x;
    LN_TRY(seek->step->at(seek->step->source, t, &x));
    if (x == NULL)
        return LINNET_OK;
    return pass_on(seek->measures, seek->system, ln_side_at(seek->step->end, t), x, told_at,
                   columns);
}

/* The first change between seek->t and `end`, by bisection to the last bit: both its sides are told
 * at once. */
static linnet_status tell_change(seeking *seek, double end, int *known) {
    ln_measures *measures = seek->measures;
    double low = seek->t, high = end;
    for (double middle = low + (high - low) / 2; middle > low && middle < high && *known;
         middle = low + (high - low) / 2) {
        LN_TRY(look(seek, middle, measures->decisions[1], known));
        if (any_differs(measures))
            high = middle;
        else
            low = middle;
    }
    LN_TRY(look(seek, high, measures->decisions[1], known));
    note_changed(measures);
    LN_TRY(tell(seek, low, high, measures->changed));
    LN_TRY(tell(seek, high, high, measures->changed));
    seek->t = high;
    return look(seek, high, measures->decisions[0], known);
}

linnet_status ln_measures_within(ln_measures *measures, ln_system *system,
                                 const ln_step_view *step) {
    seeking seek = {measures, system, step, step->begin};
    const double h = step->end.t - step->begin;
    int known;
    memset(measures->bent, 0, (size_t)measures->ncurves);
    LN_TRY(look(&seek, step->begin, measures->decisions[0], &known));
    for (int i = 1; i <= PARTS && known; i++) {
        const double end = i < PARTS ? step->begin + h * i / PARTS : step->end.t;
        LN_TRY(look(&seek, end, measures->decisions[1], &known));
        for (int k = 0; k < CHANGES && known && any_differs(measures); k++) {
            LN_TRY(tell_change(&seek, end, &known));
            LN_TRY(look(&seek, end, measures->decisions[1], &known));
        }
        if (known && i < PARTS)
            LN_TRY(tell(&seek, end, end, measures->bent));
        seek.t = end;
        memcpy(measures->decisions[0], measures->decisions[1],
               (size_t)measures->ndecisions * sizeof *measures->decisions[0]);
    }
    return LINNET_OK;
}
