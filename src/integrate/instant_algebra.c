/* SPDX-License-Identifier: MIT */
/* The algebra at an instant: x that keeps what is stored, at index 1 and above. */
#include "integrate/drive.h"
#include "integrate/project.h"
#include "integrate/rounding.h"
#include "system/active.h"

#include <math.h>
#include <string.h>

const char *ln_instant_find_stored(ln_drive *d) {
    const ln_system *system = d->run.system;
    const int *start = system->E.pattern.start;
    for (int i = 0; i < system->n; i++)
        d->stored[i] = start[i + 1] > start[i];
    for (int k = 0; k < system->ndq; k++)
        d->stored[system->dq_col[k]] |= system->dq[k] < 0 || system->dq[k] > 0;
    return d->stored;
}

static int is_small(const ln_run *run, int i, double moved, double of) {
    return fabs(moved) <= 1e-6 * fabs(of) + run->system->abstol[i];
}

/* Projects x; *done: there is a consistent point. Has a constraint moved what is stored? Where it
 * has moved all of it by noise alone, it keeps its values; else all goes along, lest two inertias
 * on one gear that come to rest a moment apart differ by 1e-11 rad/s: over the next step, of
 * 1e-14 s, that is a torque. */
static int projection_moves_stored(ln_drive *d, ln_side side, double *x, int *done) {
    const ln_run *run = &d->run;
    const double *before = d->consistency.guess;
    int moves = 0, by_noise = 1;
    *done = d->slopes_jump ? ln_project_near(&d->run, &d->consistency, side, run->q, x) : 0;
    if (!*done)
        *done = ln_project(&d->run, &d->consistency,
                           &(ln_consistency_conditions){side, run->q, NULL, 0, 0}, x);
    const char *stored = ln_instant_find_stored(d);
    for (int i = 0; *done && i < run->n; i++) {
        const double moved = stored[i] ? fabs(x[i] - before[i]) : 0;
        by_noise &= moved <= ln_system_noise_of(run->system, i, before[i]);
        moves |= !is_small(run, i, moved, before[i]);
    }
    for (int i = 0; *done && by_noise && i < run->n; i++)
        if (stored[i])
            x[i] = before[i];
    return moves;
}

/* Index above 1: ln_project() makes x consistent. If that moves a stored quantity and there are
 * modes, it is repeated with free modes: the current of a coil whose switch has opened
 * ends where its diode does not conduct yet. The first result, kept in d->work, stays if the second
 * moves it too or fails. Without a consistent point, damped steps follow (d->inconsistent). An x
 * other than run->x is a trial of the events and is left as it is. */
static void project(ln_drive *d, ln_side side, double *x) {
    const ln_run *run = &d->run;
    const size_t bytes = (size_t)run->n * sizeof *x;
    int done;
    if (x != run->x)
        return;
    if (projection_moves_stored(d, side, x, &done) && run->system->nguards > 0) {
        memcpy(d->work, x, bytes);
        memcpy(x, d->consistency.guess, bytes);
        if (projection_moves_stored(d, ln_side_with(side, LN_MODES_FREE), x, &done) || !done)
            memcpy(x, d->work, bytes);
        done = 1;
    }
    d->inconsistent = run->adaptive && !done;
    d->projected = run->adaptive && done;
}

/* Solves the algebra with what is stored kept. *singular: the algebra is singular, and the caller
 * uses project(). It is so in numbers where, for example, a coil ends at a junction without charge:
 * GMIN alone determines the potential there, 1e-14 of the conductance beside it and lost in
 * rounding, while over a step of any length the coil's inductance does. */
static int keep_stored(ln_drive *d, ln_side side, const double *set, double *x, int *singular) {
    ln_consistency_solver *consistency = &d->consistency;
    const int done = ln_consistency_keep(consistency, side, set, d->run.q, x);
    *singular = !done && consistency->outcome == LN_NEWTON_SINGULAR;
    if (*singular && set == NULL)
        memcpy(x, consistency->guess, (size_t)d->run.n * sizeof *x);
    return done;
}

static int solve_algebra(void *context, ln_side side, const double *set, double *x) {
    ln_drive *d = context;
    ln_run *run = &d->run;
    const ln_explicit_class *explicit_ops = d->stepper->explicit_ops;
    if (explicit_ops != NULL) {
        if (set != NULL)
            explicit_ops->take(run, d->stepper_data, set);
        return explicit_ops->unknowns(run, d->stepper_data, side, x) == LINNET_OK;
    }
    int singular = 1;
    d->inconsistent = d->projected = 0;
    if (ln_consistency_is_index_1(&d->consistency)) {
        const int done = keep_stored(d, side, set, x, &singular);
        d->index_above_1 = singular;
        if (!singular)
            return done;
    }
    if (set == NULL && ln_drive_equations_stay(d, side, x))
        return 1;
    if (set != NULL && ln_system_q(run->system, side, set, run->q) != LINNET_OK)
        return 0;
    if (set != NULL)
        memmove(x, set, (size_t)run->n * sizeof *x);
    project(d, side, x);
    return 1;
}

static linnet_status report_unsolved(void *context) {
    ln_drive *d = context;
    if (d->stepper->explicit_ops != NULL)
        return d->stepper->explicit_ops->report_no_value(&d->run, d->stepper_data, 0);
    const char *what = "no consistent point after an event";
    if (ln_consistency_is_index_1(&d->consistency))
        return ln_report_no_convergence(&d->run, &d->consistency.newton, d->consistency.outcome,
                                        &d->consistency.transform->pattern, 0, what);
    /* nothing was solved: a block refused the states that events have set */
    return ln_report_no_convergence(&d->run, &d->run.newton, LN_NEWTON_REFUSED,
                                    &d->run.system->pattern, 0, what);
}

/* What rounding makes of the unknowns through the matrix of a step as long as the last one. */
static const double *find_noise(void *context, const ln_moment *moment) {
    ln_drive *d = context;
    const double h = d->run.side.t - d->step_begin;
    return ln_run_find_noise(&d->run, h, moment->side, moment->x, d->noise) ? d->noise : NULL;
}

ln_algebra_solver ln_instant_algebra(ln_drive *d) {
    return (ln_algebra_solver){d, solve_algebra, report_unsolved,
                               d->stepper->explicit_ops == NULL ? find_noise : NULL};
}

/* ---- what relaxes at once ---- */

/* Do all modes hold at x that hold at `found`? */
static int modes_stay(ln_drive *d, ln_side side, const double *found, const double *x) {
    ln_events *ev = &d->events;
    ln_system_guards(d->run.system, &(ln_moment){side, found}, NULL, ev->noise);
    ln_system_guards(d->run.system, &(ln_moment){side, x}, NULL, ev->guard);
    for (int k = 0; k < d->run.system->nguards; k++)
        if (!(ev->guard[k] >= fmin(ev->noise[k], 0)))
            return 0;
    return 1;
}

/* Of a step: a time constant so short is none. Chosen: what it changes in the results is far below
 * their tolerance, and 1 pS at a coil of 40 uH is shorter beside steps of 0.1 ns. */
static const double RELAXED = 1e-6;

void ln_instant_relax(ln_drive *d, ln_side side) {
    ln_run *run = &d->run;
    const size_t bytes = (size_t)run->n * sizeof *run->x;
    const ln_consistency_conditions at = {side, run->q, NULL, 0, RELAXED * d->uncut_h};
    const double *found = d->work;
    memcpy(d->work, run->x, bytes);
    int stays =
        ln_project_relaxed(run, &d->consistency, &at, run->x) && modes_stay(d, side, found, run->x);
    const char *stored = ln_instant_find_stored(d);
    for (int i = 0; i < run->n && stays; i++)
        stays = !stored[i] || ln_project_is_within(run, i, run->x[i] - found[i], found[i]);
    if (!stays)
        memcpy(run->x, found, bytes);
}
