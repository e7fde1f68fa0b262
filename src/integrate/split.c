/* SPDX-License-Identifier: MIT */
/* A network as an explicit method sees it. At index 1 the states are z = E x on the differential
 * rows of the transform; each call finds the x that has these z and satisfies the algebra, and
 * z' = -f there. On a linear network that is one solve with one factorisation for the whole run.
 * Above index 1 (two inertias on a gear, a capacitor across a source) all rows of E are states, and
 * x comes from the equations together with their derivatives (system/prolonged.h), which move z
 * onto the hidden constraints: what is integrated leaves them by the error of the steps only, and
 * what is seen does not [Hairer, Wanner II, VII.2, "projection methods"]. */
#include "integrate/stepper.h"

#include "base/sys.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct split {
    ln_ode ode;
    ln_consistency_solver consistency;
    int prolonged; /* x by the equations and their derivatives */
    /* per state: the row that stores it, which goes by the unknown of the same number: the link or
     * the variable it belongs to */
    int *row;
    double *absolute; /* per state: tolerance */
    double *x;        /* the last solution, the next guess */
    double *kept;     /* that of a point of the run, from which a trial of a step begins */
    /* prolonged: the last one that was asked for as a point of the run, its time and what it stored
     */
    double *seen, *seen_q;
    double seen_t;   /* NAN: not known */
    const double *z; /* borrowed, during a call */
} split;

enum { PARTS = 64 }; /* the way from one point of the run to the next is cut no finer */

/* x with the stored quantities q_star, near `guess`. */
static int solve_near(ln_consistency_solver *consistency, ln_side side, const double *guess,
                      double *x) {
    memcpy(x, guess, (size_t)consistency->system->n * sizeof *x);
    const ln_prolonged_outcome outcome = ln_prolonged_solve(
        consistency->system, &(ln_consistency_conditions){side, consistency->q_star, NULL, 0, 0},
        &consistency->cache, x, &consistency->newton.iterations);
    consistency->outcome = outcome == LN_PROLONGED_REFUSED  ? LN_NEWTON_REFUSED
                           : outcome == LN_PROLONGED_MEMORY ? LN_NEWTON_MEMORY
                                                            : LN_NEWTON_DIVERGED;
    return outcome == LN_PROLONGED_SOLVED;
}

/* At a part of the way, from 0 to 1, from the point of the run that was seen last. */
static int solve_on_way(split *splitter, ln_side side, double part, const double *guess) {
    ln_consistency_solver *consistency = &splitter->consistency;
    for (int k = 0; k < splitter->ode.n; k++) {
        const int row = splitter->row[k];
        const double from = splitter->seen_q[k];
        consistency->q_star[row] =
            part < 1 ? from + part * (splitter->z[k] - from) : splitter->z[k];
    }
    if (part < 1 && !isnan(splitter->seen_t))
        side = ln_side_at(side, splitter->seen_t + part * (side.t - splitter->seen_t));
    return ln_system_sources(consistency->system, side, consistency->s) == LINNET_OK &&
           solve_near(consistency, side, guess, splitter->x);
}

/* From the point that was seen last, in parts that are halved where Newton's method fails: across
 * the knee of a characteristic it does not come back from one far step [Allgower, Georg, Numerical
 * Continuation Methods, 1990]. */
static int follow_way(split *splitter, ln_side side) {
    double *at = splitter->consistency.guess, reached = 0, part = 0.5;
    const size_t bytes = (size_t)splitter->consistency.system->n * sizeof *at;
    memcpy(at, splitter->seen, bytes);
    while (reached < 1) {
        if (solve_on_way(splitter, side, reached + part, at)) {
            reached += part;
            memcpy(at, splitter->x, bytes);
        } else if (splitter->consistency.outcome == LN_NEWTON_MEMORY || part * PARTS <= 1) {
            return 0;
        } else {
            part /= 2;
        }
    }
    return 1;
}

/* The last x was that of a stage, which may have been far off; the trajectory is nearer. */
static int solve_prolonged(split *splitter, ln_side side) {
    ln_consistency_solver *consistency = &splitter->consistency;
    double *x = splitter->x, *last = consistency->guess;
    const size_t bytes = (size_t)consistency->system->n * sizeof *x;
    memcpy(last, x, bytes);
    if (solve_on_way(splitter, side, 1, last) ||
        (consistency->outcome != LN_NEWTON_MEMORY &&
         (solve_on_way(splitter, side, 1, splitter->seen) || follow_way(splitter, side))))
        return 1;
    memcpy(x, splitter->seen, bytes);
    return 0;
}

static linnet_status solve_at(split *splitter, ln_side side, const double *z) {
    ln_consistency_solver *consistency = &splitter->consistency;
    const char *means;
    splitter->z = z;
    if (!splitter->prolonged)
        for (int k = 0; k < splitter->ode.n; k++)
            consistency->q_star[splitter->row[k]] = z[k];
    splitter->ode.evaluations++;
    long before = consistency->newton.iterations;
    int done = splitter->prolonged ? solve_prolonged(splitter, side)
                                   : ln_consistency_solve(consistency, side, splitter->x, &means);
    splitter->ode.loop_iterations += consistency->newton.iterations - before;
    if (done)
        return LINNET_OK;
    splitter->ode.out_of_memory |= consistency->outcome == LN_NEWTON_MEMORY;
    if (consistency->outcome == LN_NEWTON_REFUSED)
        ln_system_blame(consistency->system, splitter->ode.blame, &splitter->ode.blame_place);
    else
        snprintf(splitter->ode.blame, sizeof splitter->ode.blame,
                 "the algebraic part of the network has no solution at t = %.9g s", side.t);
    return LINNET_RETRY;
}

static linnet_status rates(ln_ode *ode, const ln_side *side, const double *z, double *dz) {
    split *splitter = (split *)ode;
    ln_system *system = splitter->consistency.system;
    LN_TRY(solve_at(splitter, *side, z));
    ln_matrix_apply(&system->A, splitter->x, splitter->consistency.f);
    LN_TRY(ln_system_eval(system, &(ln_moment){*side, splitter->x}, LN_LIMIT_OFF, NULL,
                          splitter->consistency.f, NULL));
    for (int k = 0; k < ode->n; k++)
        dz[k] =
            splitter->consistency.s[splitter->row[k]] - splitter->consistency.f[splitter->row[k]];
    return LINNET_OK;
}

static void note_seen(split *splitter, double t, const double *x, const double *z) {
    memcpy(splitter->seen, x, (size_t)splitter->consistency.system->n * sizeof *x);
    for (int k = 0; k < splitter->ode.n; k++)
        splitter->seen_q[k] = z[k];
    splitter->seen_t = t;
}

static linnet_status unknowns(ln_ode *ode, const ln_side *side, const double *z, double *x) {
    split *splitter = (split *)ode;
    LN_TRY(solve_at(splitter, *side, z));
    memcpy(x, splitter->x, (size_t)splitter->consistency.system->n * sizeof *x);
    note_seen(splitter, side->t, x, z);
    return LINNET_OK;
}

static void keep(ln_ode *ode, int back) {
    split *splitter = (split *)ode;
    const size_t bytes = (size_t)splitter->consistency.system->n * sizeof *splitter->x;
    memcpy(back ? splitter->x : splitter->kept, back ? splitter->kept : splitter->x, bytes);
}

/* A state's tolerance: that of the unknowns in its row of E + dq, times their coefficients, which
 * may be far from those of first guesses (a capacitance that a signal gives). `sum`: work, a value
 * per row. */
static void make_tolerances(split *splitter, double *sum) {
    const ln_system *system = splitter->consistency.system;
    memset(sum, 0, (size_t)system->n * sizeof *sum);
    ln_add_abs_product(&system->E.pattern, system->E.value, 1, system->abstol, sum);
    for (int k = 0; k < system->ndq; k++)
        sum[system->dq_row[k]] += fabs(system->dq[k]) * system->abstol[system->dq_col[k]];
    for (int i = 0; i < splitter->ode.n; i++)
        splitter->absolute[i] = sum[splitter->row[i]];
}

static void states(ln_ode *ode, const double *x, double *z) {
    split *splitter = (split *)ode;
    const ln_side side = splitter->consistency.side;
    if (ln_system_q(splitter->consistency.system, side, x, splitter->consistency.q) != LINNET_OK)
        ln_matrix_apply(&splitter->consistency.system->E, x, splitter->consistency.q);
    make_tolerances(splitter, splitter->consistency.f);
    for (int k = 0; k < ode->n; k++)
        z[k] = splitter->consistency.q[splitter->row[k]];
    memcpy(splitter->x, x, (size_t)splitter->consistency.system->n * sizeof *x);
    memcpy(splitter->kept, x, (size_t)splitter->consistency.system->n * sizeof *x);
    note_seen(splitter, NAN, x, z);
}

static void release(ln_ode *ode) {
    split *splitter = (split *)ode;
    ln_consistency_free(&splitter->consistency);
    ln_sys->release(splitter);
}

/* Is the index 1, with what is stored linear in x, so that the transform's matrix is regular?
 * LN_SINGULAR: no. */
static ln_factored judge_index(split *splitter) {
    ln_consistency_solver *consistency = &splitter->consistency;
    ln_system *system = consistency->system;
    if (!system->linear_q)
        return LN_SINGULAR;
    if (!system->linear && ln_system_eval(system, &(ln_moment){consistency->side, splitter->x},
                                          LN_LIMIT_OFF, NULL, NULL, NULL) != LINNET_OK)
        return LN_FACTORED; /* cannot be judged there: the start will tell */
    ln_row_transform_jacobian(consistency->transform, consistency->newton.values);
    return ln_linear_factor(consistency->matrix.linear, consistency->newton.values);
}

/* 0 when memory is short. */
static int list_states(split *splitter) {
    const ln_system *system = splitter->consistency.system;
    const ln_pattern *E = &system->E.pattern;
    char *stores = LN_NEW(splitter->consistency.arena, char, system->n);
    if (stores == NULL)
        return 0;
    if (!splitter->prolonged)
        memcpy(stores, splitter->consistency.transform->differential, (size_t)system->n);
    for (int k = 0; splitter->prolonged && k < E->start[system->n]; k++)
        stores[E->row[k]] = 1;
    for (int k = 0; splitter->prolonged && k < system->ndq; k++)
        stores[system->dq_row[k]] = 1;
    for (int k = 0; k < system->n; k++)
        if (stores[k])
            splitter->row[splitter->ode.n++] = k;
    return 1;
}

static linnet_status allocate(split *splitter, ln_report *report) {
    ln_arena *arena = splitter->consistency.arena;
    const int n = splitter->consistency.system->n;
    splitter->x = LN_NEW(arena, double, n);
    splitter->kept = LN_NEW(arena, double, n);
    splitter->seen = LN_NEW(arena, double, n);
    splitter->seen_q = LN_NEW(arena, double, n);
    splitter->row = LN_NEW(arena, int, n);
    splitter->absolute = LN_NEW(arena, double, n);
    return splitter->x && splitter->kept && splitter->seen && splitter->seen_q && splitter->row &&
                   splitter->absolute
               ? LINNET_OK
               : ln_no_memory(report);
}

static linnet_status make(split *splitter, ln_system *system, ln_linear_kind kind, double t,
                          ln_report *report) {
    double *start = ln_sys->allocate((size_t)system->n * sizeof *start);
    linnet_status status =
        start == NULL ? ln_no_memory(report) : ln_system_start_values(system, start, report);
    if (status == LINNET_OK)
        status = ln_consistency_init(&splitter->consistency, system, kind, ln_side_left(t, 0),
                                     start, report);
    if (status == LINNET_OK)
        status = allocate(splitter, report);
    if (status == LINNET_OK)
        memcpy(splitter->x, start, (size_t)system->n * sizeof *start);
    ln_sys->release(start);
    LN_TRY(status);
    const ln_factored judged = judge_index(splitter);
    splitter->prolonged = judged == LN_SINGULAR;
    if (judged == LN_FACTOR_MEMORY || !list_states(splitter))
        return ln_no_memory(report);
    make_tolerances(splitter, splitter->consistency.f);
    splitter->ode.absolute = splitter->absolute;
    splitter->ode.unknown = splitter->row;
    return LINNET_OK;
}

linnet_status ln_split_new(ln_system *system, const ln_settings *settings, ln_report *report,
                           ln_ode **ode) {
    split *splitter = ln_sys->allocate(sizeof *splitter);
    if (splitter == NULL)
        return ln_no_memory(report);
    *splitter = (split){
        .ode = {
            .rates = rates, .unknowns = unknowns, .keep = keep, .states = states, .free = release}};
    const linnet_status status = make(splitter, system, settings->linear, settings->begin, report);
    if (status == LINNET_OK)
        *ode = &splitter->ode;
    else
        release(&splitter->ode);
    return status;
}
