/* SPDX-License-Identifier: MIT */
/* Starts and instants where the index is above 1: the equations and their derivatives are solved at
 * once.
 *
 * Before a start everything is as its start values say (uncharged, where they say nothing), and
 * sources stand at zero; then they come on, at once, and what is joined to them shares the charge
 * that flows. A start value that the model wrote and that would be lost so is held. */
#include "integrate/project.h"

#include "base/forest.h"
#include "base/sys.h"
#include "integrate/operating_point.h"
#include <math.h>
#include <string.h>

static ln_newton_outcome outcome_of(ln_prolonged_outcome outcome) {
    switch (outcome) {
    case LN_PROLONGED_SOLVED: return LN_NEWTON_CONVERGED;
    case LN_PROLONGED_SINGULAR: return LN_NEWTON_SINGULAR;
    case LN_PROLONGED_DIVERGED: return LN_NEWTON_DIVERGED;
    case LN_PROLONGED_REFUSED: return LN_NEWTON_REFUSED;
    case LN_PROLONGED_MEMORY: break;
    }
    return LN_NEWTON_MEMORY;
}

/* Three steps of backward Euler. The first meets the constraints by impulses, the next two let
 * impulses of index 2 and 3 die out. What the last one stores is in consistency->q. */
static int take_steps(ln_run *run, ln_consistency_solver *consistency,
                      const ln_consistency_conditions *at, double h, double *x) {
    enum { STEPS = 3 };
    const double *before = at->q_star;
    double *after[2] = {consistency->q, consistency->solved};
    ln_side side = at->side;
    for (int k = 0; k < STEPS; k++) {
        side.t += h;
        if (!ln_run_solve_euler(run, h, before, side, (ln_point){x, after[k % 2], consistency->f}))
            return 0;
        before = after[k % 2];
    }
    return 1;
}

/* A guess from afar: steps of 1e-5 of a typical time, with limiting and modes that follow. */
static int guess_by_steps(ln_run *run, ln_consistency_solver *consistency,
                          const ln_consistency_conditions *at, double *x) {
    const double span = run->settings->step > 0
                            ? run->settings->step
                            : 1e-3 * (run->settings->end - run->settings->begin);
    return take_steps(run, consistency, at, 1e-5 * span, x);
}

static int solve(ln_run *run, ln_consistency_solver *consistency,
                 const ln_consistency_conditions *at, double *x) {
    const ln_prolonged_outcome outcome =
        ln_prolonged_solve(run->system, at, &consistency->cache, x, &run->newton.iterations);
    run->outcome = outcome_of(outcome);
    run->out_of_memory |= outcome == LN_PROLONGED_MEMORY;
    return outcome == LN_PROLONGED_SOLVED;
}

int ln_project(ln_run *run, ln_consistency_solver *consistency, const ln_consistency_conditions *at,
               double *x) {
    ln_system *system = run->system;
    const size_t bytes = (size_t)run->n * sizeof *x;
    memcpy(consistency->guess, x, bytes);
    /* Newton finds one of several solutions, and which rows there are depends on the modes,
     * which may depend on the point: so it starts close */
    const int close = !system->linear && guess_by_steps(run, consistency, at, x);
    if (!close)
        memcpy(x, consistency->guess, bytes);
    int done = solve(run, consistency, at, x);
    if (close && !done && run->outcome != LN_NEWTON_MEMORY) {
        memcpy(x, consistency->guess, bytes);
        done = solve(run, consistency, at, x);
    }
    if (done)
        return 1;
    if (run->outcome == LN_NEWTON_SINGULAR) /* for the message */
        ln_system_jacobian(system, 1 / (run->settings->end - run->settings->begin),
                           run->newton.values);
    if (run->outcome == LN_NEWTON_DIVERGED) /* likewise */
        memcpy(run->newton.dx, consistency->cache.update, bytes);
    memcpy(x, consistency->guess, bytes);
    return 0;
}

int ln_project_near(ln_run *run, ln_consistency_solver *consistency, ln_side side,
                    const double *q_star, double *x) {
    const size_t bytes = (size_t)run->n * sizeof *x;
    memcpy(consistency->guess, x, bytes);
    if (solve(run, consistency, &(ln_consistency_conditions){side, q_star, NULL, 0, 0}, x))
        return 1;
    memcpy(x, consistency->guess, bytes);
    return 0;
}

int ln_project_is_within(const ln_run *run, int i, double off, double x) {
    return fabs(off) <=
           run->settings->tolerance * fmax(run->errors.peak[i], fabs(x)) + run->system->abstol[i];
}

/* Does the last update tell that rounding leaves less of each unknown than the tolerance? */
static int is_determined(const ln_run *run, const double *update, const double *x) {
    for (int i = 0; i < run->n; i++)
        if (!ln_project_is_within(run, i, update[i], x[i]))
            return 0;
    return 1;
}

/* Steps tell what is stored once it has relaxed, and which junctions conduct then. What follows
 * from slopes they tell by differences, so it is left to the equations where these determine it. */
int ln_project_relaxed(ln_run *run, ln_consistency_solver *consistency,
                       const ln_consistency_conditions *at, double *x) {
    const size_t bytes = (size_t)run->n * sizeof *x;
    double *by_steps = consistency->solved;
    int any;
    ln_prolonged_cache *cache = &consistency->cache;
    if (ln_prolonged_leaks(run->system, at, cache, x, &any) != LINNET_OK || !any ||
        !take_steps(run, consistency, at, 0.1 * at->relaxed, x))
        return 0;
    memcpy(consistency->guess, consistency->q, bytes);
    memcpy(by_steps, x, bytes);
    const ln_consistency_conditions relaxed = {at->side, consistency->guess, at->held, at->nheld,
                                               at->relaxed};
    if (!solve(run, consistency, &relaxed, x) || !is_determined(run, cache->update, x))
        memcpy(x, by_steps, bytes);
    return 1;
}

/* ---- starts ---- */

/* What is held, and the sets of unknowns whose differences that fixes: one more would repeat or
 * contradict it. */
typedef struct lost_holds {
    ln_held_difference *differences;
    size_t count, room;
    int *parent; /* n + 1: the unknowns, and zero */
    int zero, added, all;
    double *x; /* n: the next guess, in which what is lost is put in */
} lost_holds;

static linnet_status hold_lost(void *context, const ln_start_condition *condition) {
    lost_holds *holds = context;
    if (!condition->has_priority || (condition->met && !holds->all))
        return LINNET_OK;
    if (condition->a >= 0)
        holds->x[condition->a] =
            condition->wanted + (condition->b < 0 ? 0 : holds->x[condition->b]);
    else if (condition->b >= 0)
        holds->x[condition->b] = -condition->wanted;
    const int a = ln_root_of(holds->parent, condition->a < 0 ? holds->zero : condition->a);
    const int b = ln_root_of(holds->parent, condition->b < 0 ? holds->zero : condition->b);
    if (a == b)
        return LINNET_OK;
    if (!LN_GROW(holds->differences, holds->count, holds->room))
        return LINNET_MEMORY;
    holds->parent[a] = b;
    holds->differences[holds->count++] =
        condition->a >= 0 ? (ln_held_difference){condition->a, condition->b, condition->wanted}
                          : (ln_held_difference){condition->b, -1, -condition->wanted};
    holds->added = 1;
    return LINNET_OK;
}

/* The next guess: what is stored linearly as it was wanted, the rest as it was found. What is
 * stored may depend on it (a capacitance that is a signal). */
static void guess_again(const ln_run *run, const double *wanted, double *x) {
    const int *start = run->system->E.pattern.start;
    for (int j = 0; j < run->n; j++)
        x[j] = start[j + 1] > start[j] ? wanted[j] : run->x[j];
}

/* Solves with more and more of what is lost held, until nothing is lost, or no more can be held. */
static linnet_status hold_and_solve(ln_run *run, ln_consistency_solver *consistency,
                                    const double *wanted, lost_holds *holds) {
    const size_t bytes = (size_t)run->n * sizeof *wanted;
    int solved = 0, first = 1;
    memcpy(holds->x, run->x, bytes);
    do {
        (void)ln_system_q(run->system, run->side, holds->x, consistency->q_star);
        const ln_consistency_conditions at = {run->side, consistency->q_star, holds->differences,
                                              (int)holds->count, 0};
        const int done = ln_project(run, consistency, &at, holds->x);
        if (done)
            memcpy(run->x, holds->x, bytes);
        else if (!first)
            break;
        solved |= done;
        holds->all = !done;
        holds->added = 0;
        guess_again(run, wanted, holds->x);
        LN_TRY(ln_visit_start_conditions(run->system, wanted, run->x, hold_lost, holds));
        first = 0;
    } while (holds->added);
    return solved ? LINNET_OK
           : run->start_is_tried
               ? LINNET_RETRY
               : ln_report_no_convergence(run, &run->newton, run->outcome, &run->system->pattern, 0,
                                          "no consistent start found");
}

linnet_status ln_project_start(ln_run *run, ln_consistency_solver *consistency,
                               const double *wanted) {
    lost_holds holds = {.zero = run->n};
    holds.parent = ln_sys->allocate(((size_t)run->n + 1) * sizeof *holds.parent);
    holds.x = ln_sys->allocate(((size_t)run->n + 1) * sizeof *holds.x);
    linnet_status status = holds.parent == NULL || holds.x == NULL ? LINNET_MEMORY : LINNET_OK;
    for (int i = 0; holds.parent != NULL && i <= run->n; i++)
        holds.parent[i] = i;
    run->statistics->start_means = "start values and constraints (index above 1)";
    if (status == LINNET_OK)
        status = hold_and_solve(run, consistency, wanted, &holds);
    ln_sys->release(holds.differences);
    ln_sys->release(holds.parent);
    ln_sys->release(holds.x);
    return status == LINNET_MEMORY ? ln_no_memory(run->report) : status;
}
