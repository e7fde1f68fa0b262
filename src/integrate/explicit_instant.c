/* SPDX-License-Identifier: MIT */
/* Events of a run by an explicit method. States jump only where an event sets them; everything else
 * follows from them. */
#include "integrate/explicit.h"
#include "system/delay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what an instant needs of the run ---- */

static int solve_algebra(void *context, ln_side side, const double *set, double *x) {
    ln_explicit *run = context;
    if (set != NULL)
        run->ode->states(run->ode, set, run->rk.z);
    return run->ode->unknowns(run->ode, side, run->rk.z, x) == LINNET_OK;
}

static linnet_status report(void *context) {
    ln_explicit *run = context;
    return ln_fail(run->report, LINNET_FAILED, run->ode->blame_place, "%s", run->ode->blame);
}

linnet_status ln_explicit_init(ln_explicit *run) {
    run->z_from = LN_NEW(run->arena, double, run->ode->n);
    if (run->z_from == NULL ||
        ln_events_init(&run->events, run->system, run->arena, run->settings, run->report) !=
            LINNET_OK ||
        ln_root_finder_init(&run->finder, &run->events, run->arena) != LINNET_OK)
        return ln_no_memory(run->report);
    run->events.algebra = (ln_algebra_solver){run, solve_algebra, report};
    return LINNET_OK;
}

/* ---- steps that are taken anew ---- */

void ln_explicit_depart(ln_explicit *run) {
    memcpy(run->z_from, run->rk.z, (size_t)run->ode->n * sizeof *run->z_from);
    run->t_from = run->side.t;
    run->steps_from = run->statistics->steps;
}

static void strand(ln_explicit *run) {
    run->stranded = 1;
    for (int i = 0; i < run->network->n; i++)
        run->x[i] = NAN;
}

/* A trial step; one that cannot be evaluated lies behind a crossing, as its guards, which are no
 * numbers, say. */
static linnet_status redo(void *context, double *at, const double **x) {
    ln_explicit *run = context;
    const double t = *at, h = t - run->t_from;
    *x = run->x;
    memcpy(run->rk.z, run->z_from, (size_t)run->ode->n * sizeof *run->z_from);
    run->side.t = run->t_from;
    run->statistics->steps = run->steps_from;
    run->stranded = 0;
    linnet_status status = ln_runge_kutta_first(&run->rk, run->side);
    if (status == LINNET_OK)
        status = ln_runge_kutta_step(&run->rk, run->side, h);
    if (status == LINNET_OK) {
        ln_explicit_take(run, t, h);
        status = run->ode->unknowns(run->ode, ln_side_at(run->side, t), run->rk.z, run->x);
    }
    if (status == LINNET_RETRY)
        strand(run);
    return status == LINNET_RETRY ? LINNET_OK : status;
}

/* The run cannot stand behind the crossing: from the last point before it, by the rates there,
 * which over so short a way is exact. What has no value there is left to the branch that follows.
 */
static linnet_status step_over(ln_explicit *run, double t) {
    const double least = fmax(1e-12 * (t - run->t_from), 1e-15 * fabs(t));
    const double *x;
    double near = t;
    for (int k = 0; k < 40 && (k == 0 || run->stranded); k++) {
        near = fmax(run->t_from, t - ldexp(least, k));
        LN_TRY(redo(run, &near, &x));
    }
    if (run->stranded || ln_runge_kutta_first(&run->rk, ln_side_at(run->side, near)) != LINNET_OK)
        return ln_explicit_refused(run, t - run->t_from);
    for (int i = 0; i < run->ode->n; i++)
        run->rk.z[i] += (t - near) * run->rk.k[0][i];
    run->side.t = t;
    (void)run->ode->unknowns(run->ode, ln_side_at(run->side, t), run->rk.z, run->x);
    return LINNET_OK;
}

/* The states by the formula's continuous extension. */
static linnet_status between(void *context, double t, const double **x) {
    ln_explicit *run = context;
    const double h = run->side.t - run->t_from;
    *x = NULL;
    if (run->stranded)
        return LINNET_OK;
    ln_runge_kutta_between(&run->rk, h, (t - run->t_from) / h, run->z_between);
    linnet_status status =
        run->ode->unknowns(run->ode, ln_side_at(run->side, t), run->z_between, run->x_right);
    if (status == LINNET_OK)
        *x = run->x_right;
    return status == LINNET_RETRY ? LINNET_OK : status;
}

linnet_status ln_explicit_find_root(ln_explicit *run, double t, int stranded, int *crossed) {
    const ln_stepping stepping = {run, redo, between, NULL};
    *crossed = 0;
    if (run->system->nguards == 0 && run->system->delays != NULL && !stranded)
        stranded =
            run->ode->unknowns(run->ode, ln_side_at(run->side, t), run->rk.z, run->x) != LINNET_OK;
    if (run->system->nguards == 0)
        return stranded ? ln_explicit_refused(run, t - run->t_from) : LINNET_OK;
    if (!stranded)
        stranded =
            run->ode->unknowns(run->ode, ln_side_at(run->side, t), run->rk.z, run->x) != LINNET_OK;
    run->stranded = 0;
    if (stranded)
        strand(run);
    LN_TRY(ln_root_finder_step(&run->finder, &stepping, run->t_from, ln_side_at(run->side, t),
                               run->x, &t, crossed));
    return run->stranded ? step_over(run, t) : LINNET_OK;
}

/* ---- the instant ---- */

static linnet_status tell_left(ln_explicit *run) {
    const ln_events *ev = &run->events;
    double *memory = run->system->memory;
    const size_t bytes = (size_t)run->network->nmemories * sizeof *memory;
    memcpy(ev->m_next, memory, bytes);
    memcpy(memory, ev->m_before, bytes);
    linnet_status status = ln_explicit_tell(run, run->side, ev->x_before);
    memcpy(memory, ev->m_next, bytes);
    return status;
}

static linnet_status end_by(ln_explicit *run, const ln_event_outcome *outcome, int *ended) {
    *ended = 1;
    return ln_event_ends(outcome, run->side.t, run->statistics, run->report);
}

linnet_status ln_explicit_instant(ln_explicit *run, ln_side side, int quiet, int *ended) {
    ln_event_outcome outcome;
    run->statistics->t = run->side.t;
    LN_TRY(ln_events_iterate(&run->events, side, run->x, &outcome));
    run->statistics->events = run->events.count;
    if (!outcome.anything && !outcome.moved)
        return quiet ? LINNET_OK : ln_explicit_tell(run, run->side, run->x);
    outcome.only_ticks &= !run->settings->both_sides;
    if (!outcome.only_ticks)
        LN_TRY(tell_left(run));
    run->side = side;
    ln_root_finder_begin(&run->finder, side, run->x);
    if (!quiet || !outcome.only_ticks)
        LN_TRY(ln_explicit_tell(run, side, run->x));
    return outcome.ends != NULL ? end_by(run, &outcome, ended) : LINNET_OK;
}

linnet_status ln_explicit_begin(ln_explicit *run, int *ended) {
    ln_event_outcome outcome;
    /* before any sample that the events may now set */
    if (!run->settings->events_at_steps)
        run->side = ln_side_right(run->side.t, run->grid.same);
    if (run->system->delays != NULL && ln_delays_begin(run->system, run->side, run->x) != LINNET_OK)
        return ln_no_memory(run->report);
    LN_TRY(ln_events_start(&run->events, run->side, run->x));
    LN_TRY(ln_events_iterate(&run->events, run->side, run->x, &outcome));
    if (run->system->delays != NULL && ln_delays_begin(run->system, run->side, run->x) != LINNET_OK)
        return ln_no_memory(run->report); /* what has acted was so before the start already */
    ln_grid_changed(&run->grid, run->side.t);
    ln_root_finder_begin(&run->finder, run->side, run->x);
    return outcome.ends != NULL ? end_by(run, &outcome, ended) : LINNET_OK;
}
