/* SPDX-License-Identifier: MIT */
/* Starts where the index is above 1: tiny steps of backward Euler onto the constraints that no
 * equation shows.
 *
 * Before the start everything is as its start values say (uncharged, where they say nothing), and
 * sources stand at zero; then they come on, at once, and what is joined to them shares the charge
 * that flows. A start value that the model wrote is held meanwhile: as if its element grew a
 * thousand million times as large for the first step. */
#include "integrate/project.h"

#include "base/sys.h"
#include <math.h>
#include <string.h>

/* What holds a start value, against what is stored in its unknowns. */
static const double LARGER = 1e9;

/* ---- what is held ---- */

typedef struct gathering {
    const ln_run *run;
    const double *storage; /* E + dq, at the positions of the system's pattern */
    ln_hold *holds;
    int count;
} gathering;

static double stored_in(const gathering *gatherer, int unknown) {
    const ln_pattern *pattern = &gatherer->run->system->pattern;
    const int at = unknown < 0 ? -1 : ln_pattern_position(pattern, unknown, unknown);
    return at < 0 ? 0 : fabs(gatherer->storage[at]);
}

static linnet_status gather(void *context, const ln_start_fate *fate) {
    gathering *gatherer = context;
    const double storage = fmax(stored_in(gatherer, fate->a), stored_in(gatherer, fate->b));
    if (fate->given && storage > 0)
        gatherer->holds[gatherer->count++] =
            (ln_hold){fate->a, fate->b, fate->wanted, LARGER * storage};
    return LINNET_OK;
}

static linnet_status count_fate(void *context, const ln_start_fate *fate) {
    *(int *)context += fate->given;
    return LINNET_OK;
}

linnet_status ln_start_holds(ln_run *run, const double *wanted, const ln_hold **holds, int *count) {
    ln_system *system = run->system;
    *count = 0;
    LN_TRY(ln_start_fates(system, wanted, wanted, count_fate, count));
    gathering all = {.run = run,
                     .storage = run->newton.values,
                     .holds = LN_NEW(run->arena, ln_hold, *count + 1)};
    if (all.holds == NULL)
        return ln_no_memory(run->report);
    *holds = all.holds;
    if (*count == 0)
        return LINNET_OK;
    *count = 0;
    if (ln_system_eval(system, run->side, wanted, LN_LIMIT_OFF, NULL, NULL, NULL) != LINNET_OK)
        return LINNET_OK;
    ln_system_dq(system, run->newton.values);
    LN_TRY(ln_start_fates(system, wanted, wanted, gather, &all));
    *count = all.count;
    return LINNET_OK;
}

/* ---- the steps ---- */

/* The first step, with what is held; holds are weighted for alpha = 1 and of no further use
 * afterwards. */
static int held_step(ln_run *run, double h, const ln_hold *held, int count) {
    ln_system *system = run->system;
    const size_t bytes = (size_t)run->n * sizeof(double);
    ln_hold *holds = ln_sys->allocate((size_t)count * sizeof *holds);
    ln_still still;
    int good = 0;
    run->outcome = LN_NEWTON_MEMORY;
    if (!ln_still_begin(&still, run, 1 / h, ln_side_at(run->side, run->side.t + h)) ||
        holds == NULL)
        goto done;
    for (int k = 0; k < count; k++) {
        holds[k] = held[k];
        holds[k].weight /= h;
    }
    still.equations.holds = holds;
    still.equations.nholds = count;
    run->outcome = LN_NEWTON_REFUSED;
    if (ln_system_sources(system, ln_side_at(run->side, run->side.t + h), run->s, run->report) !=
        LINNET_OK)
        goto done;
    memcpy(run->x1, run->x, bytes);
    good = ln_still_solve(&still, run->x1, run->x);
    run->outcome = still.outcome;
    if (good) {
        memcpy(run->x, run->x1, bytes);
        run->side.t += h;
        good = ln_run_restart(run) == LINNET_OK;
    }
done:
    ln_linear_free(still.linear);
    ln_sys->release(holds);
    return good;
}

/* Three steps of backward Euler of h from x, in place: the first brings the point onto the
 * constraints, the others give what holds it there (a flux, index 2; a force behind a hidden
 * velocity, index 3). 0 when Newton fails. */
static int tiny_steps(ln_run *run, double h, const ln_hold *holds, int nholds) {
    double t = run->side.t;
    int good = ln_run_restart(run) == LINNET_OK;
    for (int k = 0; good && k < 3; k++)
        good = k == 0 && nholds > 0 ? held_step(run, h, holds, nholds)
                                    : ln_step_backward_euler(run, h, run->side);
    run->side.t = t;
    return good;
}

int ln_project(ln_run *run, ln_consistent *solver, const ln_hold *holds, int nholds) {
    const double span = run->settings->step > 0
                            ? run->settings->step
                            : 1e-3 * (run->settings->end - run->settings->begin);
    const size_t bytes = (size_t)run->n * sizeof(double);
    double *start = solver->guess, *coarse = solver->good, *place = run->x;
    memcpy(start, run->x, bytes);
    int good = tiny_steps(run, 1e-5 * span, holds, nholds);
    memcpy(coarse, run->x, bytes);
    memcpy(run->x, start, bytes);
    good = good && tiny_steps(run, 0.5e-5 * span, holds, nholds);
    for (int i = 0; good && i < run->n; i++)
        run->x[i] = 2 * run->x[i] - coarse[i];
    if (run->x != place) { /* steps exchange arrays; the caller knows the one it gave */
        run->x1 = run->x;
        run->x = place;
        memcpy(run->x, run->x1, bytes);
    }
    if (!good)
        memcpy(run->x, start, bytes);
    return good;
}
