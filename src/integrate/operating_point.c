/* SPDX-License-Identifier: MIT */
/* Operating points: f(x) = 0. Where that leaves combinations free (parallel springs, integrators,
 * floating capacitors) they keep their value at the start (dc_solver.c). */
#include "integrate/operating_point.h"
#include "integrate/dc_solver.h"
#include "integrate/rounding.h"

#include "system/hybrid.h"
#include <math.h>
#include <string.h>

/* Long steps on the right side of the start, for contacts that share a load: they give way only
 * once the start has passed; steps of time then determine how the load is shared, and end before
 * anything has moved. */
static int long_steps_after_start(ln_dc_solver *solver, double *q0) {
    ln_run *run = solver->run;
    solver->equations.side = ln_side_with(ln_side_right(run->side.t, 0), run->side.modes);
    solver->accepts_slow = 1;
    const int done = ln_dc_long_steps(solver, run->x, q0);
    solver->equations.side = run->side;
    solver->accepts_slow = 0;
    return done;
}

/* The guess becomes the consistent point at the start values, if there is one: what is no state
 * follows them there, where a first guess of 0 may have no value, or no slope (the pull of a magnet
 * without flux). */
static int make_consistent(const ln_dc_solver *solver, ln_consistency_solver *consistency,
                           const double *q0, double *guess) {
    ln_run *run = solver->run;
    const size_t bytes = (size_t)run->n * sizeof *guess;
    const char *means;
    memcpy(run->x, guess, bytes);
    memcpy(consistency->q_star, q0, bytes);
    if (!ln_consistency_solve(consistency, run->side, run->x, &means))
        return 0;
    memcpy(guess, run->x, bytes);
    return 1;
}

/* Newton's method and the strategies from the start values, or, where a block refuses those or the
 * equations at rest are singular there, from a consistent point; by long steps where they are
 * singular there, too. */
static int find_rest(ln_dc_solver *solver, ln_consistency_solver *consistency, double *q0,
                     double *guess) {
    ln_run *run = solver->run;
    size_t bytes = (size_t)run->n * sizeof *guess;
    if (ln_dc_solve(solver, run->x, guess))
        return 1;
    const int singular = solver->outcome == LN_NEWTON_SINGULAR;
    if ((solver->outcome == LN_NEWTON_REFUSED || (singular && !run->system->linear)) &&
        make_consistent(solver, consistency, q0, guess) && ln_dc_solve(solver, run->x, guess))
        return 1;
    if (!singular && solver->outcome != LN_NEWTON_SINGULAR)
        return 0;
    memcpy(run->x1, q0, bytes);
    for (int after_start = 0; after_start < 2; after_start++) {
        memcpy(q0, run->x1, bytes);
        memcpy(run->x, guess, bytes);
        if (after_start ? long_steps_after_start(solver, q0)
                        : ln_dc_long_steps(solver, run->x, q0)) {
            solver->means = "long steps of backward Euler";
            solver->by_plain_newton = 0;
            return 1;
        }
        if (solver->never_rests || run->system->linear)
            return 0;
        if (solver->outcome != LN_NEWTON_SINGULAR)
            break;
    }
    /* long steps failed for another reason: a first point at which everything is off */
    memcpy(q0, run->x1, bytes);
    memcpy(run->x, guess, bytes);
    solver->ignores_singular_start = 1;
    return ln_dc_solve(solver, run->x, guess);
}

/* The fixed hold that is missed by most, of those that what they are joined to does not admit: an
 * ideal source, or a coil between. -1: all are met. */
static int find_unmet(const ln_dc_solver *solver) {
    static const double MET = 1e-6; /* of the value: what the conductance leaves is less */
    const ln_run *run = solver->run;
    double worst = MET;
    int found = -1;
    for (int k = 0; k < solver->nfixed; k++) {
        const ln_hold_conductance *hold = &solver->holds[k];
        const double off = fabs(run->x[hold->a] - hold->value) /
                           (fabs(hold->value) + run->system->nominal[hold->a]);
        if (off > worst)
            worst = off, found = k;
    }
    return found;
}

/* A hold that is missed drives what its conductance carries through the coil or source that is in
 * its way: it is no start then, and goes, the worst one first. */
static int drop_unmet(ln_dc_solver *solver, double *guess) {
    ln_run *run = solver->run;
    for (int k; (k = find_unmet(solver)) >= 0;) {
        ln_dc_drop_hold(solver, k);
        memcpy(guess, run->x, (size_t)run->n * sizeof *guess);
        if (!ln_dc_solve(solver, run->x, guess))
            return 0;
    }
    return 1;
}

/* Were the equations solved last those of a point at rest, with nothing added? */
static int at_rest_alone(const ln_dc_equations *equations) {
    return !(equations->alpha > 0 || equations->gmin > 0 || equations->pseudo_conductance > 0 ||
             equations->scale < 1 || equations->manner != 0);
}

linnet_status ln_start_at_rest(ln_run *run, ln_consistency_solver *consistency, int hold) {
    ln_system *system = run->system;
    size_t bytes = (size_t)run->n * sizeof *run->x;
    const ln_settings *settings = run->settings;
    double *solved = LN_NEW(run->arena, double, run->n),
           *guess = LN_NEW(run->arena, double, run->n);
    ln_dc_solver solver;
    linnet_status status = LINNET_MEMORY;
    if (!ln_dc_begin(&solver, run, 0, run->side) || solved == NULL || guess == NULL) {
        (void)ln_no_memory(run->report);
        goto done;
    }
    double *q0 = run->q;
    solver.solved = solved;
    solver.span = settings->end > settings->begin ? settings->end - settings->begin : 1;
    solver.means = "Newton";
    if (ln_dc_make_holds(&solver, system->network, run->arena, hold) != LINNET_OK) {
        (void)ln_no_memory(run->report);
        goto done;
    }
    if ((status = ln_system_final_sources(system, run->side, run->s, run->report)) != LINNET_OK)
        goto done;
    ln_matrix_apply(&system->E, run->x, q0);
    if (ln_system_eval(system, &(ln_moment){run->side, run->x}, LN_LIMIT_OFF, q0, NULL, NULL) !=
        LINNET_OK)
        memset(q0, 0, bytes);
    memcpy(guess, run->x, bytes);
    run->tried = solver.tried;
    if (!find_rest(&solver, consistency, q0, guess) || !drop_unmet(&solver, guess))
        status = solver.never_rests
                     ? ln_report_drift(run, &run->newton)
                     : ln_report_no_convergence(run, &run->newton, solver.outcome, &system->pattern,
                                                0, "no operating point found");
    else if (at_rest_alone(&solver.equations))
        ln_rounding_warn(run, solver.linear);
    run->tried = NULL;
    run->statistics->start_means = solver.means;
    run->statistics->start_by_plain_newton = solver.by_plain_newton;
    memcpy(run->statistics->start_tried, solver.tried, sizeof solver.tried);
done:
    ln_linear_free(solver.linear);
    return status;
}

/* ---- as a result of its own ---- */

/* Unknowns that the equations at rest leave free, from the null space of A + df at the point. */
static linnet_status find_free(ln_run *run, char *free_unknown, int *nfree) {
    enum { MOST = 32 };
    size_t n = (size_t)run->n;
    ln_system *system = run->system;
    double *right = LN_NEW(run->arena, double, n *MOST),
           *left = LN_NEW(run->arena, double, n *MOST);
    if (right == NULL || left == NULL)
        return ln_no_memory(run->report);
    if (ln_system_eval(system, &(ln_moment){run->side, run->x}, LN_LIMIT_OFF, NULL, NULL, NULL) !=
        LINNET_OK)
        return LINNET_OK;
    ln_system_jacobian(system, 0, run->newton.values);
    int found = ln_linear_null(&system->pattern, run->newton.values, MOST, right, left);
    if (found < 0)
        return ln_no_memory(run->report);
    *nfree = found;
    for (int k = 0; k < found; k++)
        for (size_t i = 0; i < n; i++)
            if (fabs(right[(size_t)k * n + i]) > 1e-3)
                free_unknown[i] = 1;
    return LINNET_OK;
}

static linnet_status find_operating_point(ln_run *run, ln_consistency_solver *consistency,
                                          double *x, ln_operating_point *point) {
    size_t bytes = (size_t)run->n * sizeof *x;
    run->side = ln_side_with(ln_side_left(run->settings->begin, 0), LN_MODES_FREE);
    LN_TRY(ln_start_point(run));
    memcpy(point->start, run->x, bytes);
    LN_TRY(ln_consistency_init(consistency, run->system, run->settings->linear, run->side, run->x,
                               run->report));
    LN_TRY(ln_start_at_rest(run, consistency, 0));
    if (run->out_of_memory || consistency->out_of_memory) /* another way was found than with it */
        return ln_no_memory(run->report);
    memcpy(x, run->x, bytes);
    if (run->statistics->start_by_plain_newton)
        return LINNET_OK;
    return find_free(run, point->free_unknown, &point->nfree);
}

linnet_status ln_operating_point_find(ln_system *system, const ln_settings *settings,
                                      ln_arena *arena, ln_report *report, double *x,
                                      ln_operating_point *point) {
    ln_statistics statistics = {.start_means = ""};
    ln_run run;
    ln_consistency_solver consistency = {0};
    *point = (ln_operating_point){.start = LN_NEW(arena, double, system->n),
                                  .free_unknown = LN_NEW(arena, char, system->n)};
    if (point->start == NULL || point->free_unknown == NULL)
        return ln_no_memory(report);
    linnet_status status = ln_run_init(&run, system, settings, NULL, report, &statistics);
    ln_start_memories(system, settings);
    if (status == LINNET_OK)
        status = find_operating_point(&run, &consistency, x, point);
    if (status == LINNET_OK)
        (void)ln_system_decide_modes(system, &(ln_moment){run.side, x}, NULL, NULL);
    point->means = statistics.start_means;
    memcpy(point->tried, statistics.start_tried, sizeof point->tried);
    point->iterations = run.newton.iterations;
    ln_consistency_free(&consistency);
    ln_run_free(&run);
    return status;
}
