/* SPDX-License-Identifier: MIT */
/* Operating points: f(x) = 0. Where that leaves combinations free (parallel springs, integrators, floating capacitors) a
 * backward Euler step of great length keeps exactly those, because the left null space of A conserves q. */
#include "integrate/start.h"

#include <math.h>
#include <string.h>

typedef struct still_equations {   /* alpha (q(x) - q0) + f(x) + gmin x = 0, sources times scale                        */
    ln_equation_set set;
    double alpha, gmin, scale, t;
    const double *q0, *s;
    double *q;
} still_equations;

static linnet_status still_residual(ln_equation_set *set, const double *x, ln_limiting limiting, double *r,
                                    int *limited) {
    still_equations *still = (still_equations *)set;
    ln_system *system = set->system;
    ln_matrix_apply(&system->E, x, still->q);
    ln_matrix_apply(&system->A, x, r);
    linnet_status status = ln_system_eval(system, still->t, still->t, x, limiting, still->q, r, limited);
    for (int i = 0; i < system->n; i++) r[i] += still->alpha * (still->q[i] - still->q0[i]) - still->scale * still->s[i];
    const ln_network *network = system->network;
    for (int k = 0; still->gmin > 0 && k < network->nlinks; k++) {
        int row = network->links[k].unknown;
        if (row >= 0 && network->links[k].domain != LINNET_SIGNAL) r[row] += still->gmin * x[row];
    }
    return status;
}

static int position_in(const ln_pattern *pattern, int row, int col) {
    for (int k = pattern->start[col]; k < pattern->start[col + 1]; k++)
        if (pattern->row[k] == row) return k;
    return -1;
}

static void still_jacobian(ln_equation_set *set, double *values) {
    still_equations *still = (still_equations *)set;
    ln_system_jacobian(set->system, still->alpha, values);
    const ln_network *network = set->system->network;
    for (int k = 0; still->gmin > 0 && k < network->nlinks; k++) {
        int row = network->links[k].unknown;
        if (row < 0 || network->links[k].domain == LINNET_SIGNAL) continue;
        int at = position_in(set->pattern, row, row);
        if (at >= 0) values[at] += still->gmin;
    }
}

typedef struct still_solver {
    ln_run *run;
    still_equations equations;
    ln_linear *linear;
    ln_newton_outcome outcome;
    double *good;
} still_solver;

static int still_once(still_solver *solver, double *x, int damped) {
    int fresh = 0;
    solver->outcome = ln_newton_solve(&solver->run->newton, &solver->equations.set, solver->linear, &fresh, x, 100, damped);
    return solver->outcome == LN_NEWTON_CONVERGED;
}

/* Follows a path from an easy problem to the real one: set(solver, position) with position 0..1. */
static int follow(still_solver *solver, double *x, void (*set)(still_solver *, double position)) {
    size_t n = (size_t)solver->run->n;
    double reached = -1, step = 0.1;
    memset(solver->good, 0, n * sizeof *x);
    while (reached < 1 && step > 1e-5) {
        double next = reached < 0 ? 0 : fmin(1, reached + step);
        set(solver, next);
        memcpy(x, solver->good, n * sizeof *x);
        if (still_once(solver, x, 1)) {
            memcpy(solver->good, x, n * sizeof *x);
            reached = next;
            step *= 1.5;
        } else if (reached < 0) {
            break;
        } else {
            step /= 4;
        }
    }
    set(solver, 1);
    return reached >= 1;
}

static void set_gmin(still_solver *solver, double position) { /* from 1 S down to 1e-12 S, then none */
    solver->equations.gmin = position >= 1 ? 0 : pow(10, -12 * position);
}

static void set_sources(still_solver *solver, double position) { solver->equations.scale = position; }

/* Newton, then the aids one after the other; *means tells which one served. */
static int still_solve(still_solver *solver, double *x, const double *guess, const char **means) {
    size_t n = (size_t)solver->run->n;
    *means = "Newton";
    if (still_once(solver, x, 0)) return 1;
    if (solver->outcome == LN_NEWTON_SINGULAR || solver->run->system->linear) return 0;
    memcpy(x, guess, n * sizeof *x);
    *means = "damped Newton";
    if (still_once(solver, x, 1)) return 1;
    *means = "gmin stepping";
    if (follow(solver, x, set_gmin)) return 1;
    *means = "source stepping";
    return follow(solver, x, set_sources);
}

/* A singular A: steps of backward Euler so long that only the combinations it leaves free stay, repeated until the
 * rest has settled. */
static int settle(still_solver *solver, double *x, double *q0, double span) {
    size_t n = (size_t)solver->run->n;
    const char *means;
    double *before = solver->good;
    solver->equations.alpha = 1e-2 / span;
    for (int k = 0; k < 60; k++) {
        memcpy(before, x, n * sizeof *x);
        if (!still_solve(solver, x, before, &means)) return 0;
        double change = 0;
        for (size_t i = 0; i < n; i++) {
            double size = fabs(x[i] - before[i]) / (1e-9 * fabs(x[i]) + 1e-3 * solver->run->system->abstol[i]);
            change = fmax(change, size);
        }
        memcpy(q0, solver->equations.q, n * sizeof *q0);
        if (k > 0 && change <= 1) return 1;
        if (solver->equations.alpha > 1e-6 / span) solver->equations.alpha /= 10;
    }
    solver->outcome = LN_NEWTON_DIVERGED;
    return 0;
}

linnet_status ln_operating_point(ln_run *run, ln_consistent *consistent) {
    ln_system *system = run->system;
    size_t n = (size_t)run->n;
    double *q0 = run->q, *guess = run->x1;
    still_solver solver = {.run = run, .linear = ln_linear_new(&system->pattern, run->settings->linear),
                           .good = run->f1};
    if (solver.linear == NULL) return ln_no_memory(run->report);
    solver.equations = (still_equations){
        .set = {system, &system->pattern, still_residual, still_jacobian, system->linear},
        .scale = 1, .t = run->t, .q0 = q0, .s = run->s, .q = run->q1};
    linnet_status status = ln_system_sources(system, run->t, run->decide, run->s, run->report);
    ln_matrix_apply(&system->E, run->x, q0);
    if (status == LINNET_OK && ln_system_eval(system, run->t, run->decide, run->x, LN_LIMIT_OFF, q0, NULL, NULL) != LINNET_OK)
        memset(q0, 0, n * sizeof *q0);
    memcpy(guess, run->x, n * sizeof *guess);
    const char *means = "Newton";
    int done = status == LINNET_OK && still_solve(&solver, run->x, guess, &means);
    if (status == LINNET_OK && !done && solver.outcome == LN_NEWTON_REFUSED) { /* from a consistent point, if there is one */
        memcpy(run->x, guess, n * sizeof *guess);
        memcpy(consistent->q_star, q0, n * sizeof *q0);
        if (ln_consistent_solve(consistent, run->t, run->decide, run->x, &means)) {
            memcpy(guess, run->x, n * sizeof *guess);
            done = still_solve(&solver, run->x, guess, &means);
        }
    }
    if (status == LINNET_OK && !done && solver.outcome == LN_NEWTON_SINGULAR) {
        memcpy(run->x, guess, n * sizeof *guess);
        means = "long steps of backward Euler";
        done = settle(&solver, run->x, q0, run->settings->end > run->settings->begin
                                               ? run->settings->end - run->settings->begin : 1);
    }
    if (status == LINNET_OK && !done)
        status = ln_report_no_convergence(run, &run->newton, solver.outcome, &system->pattern, run->t, 0,
                                          "no operating point found");
    run->statistics->start_means = means;
    ln_linear_free(solver.linear);
    return status;
}
