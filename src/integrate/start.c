/* SPDX-License-Identifier: MIT */
/* Consistent points and operating points.
 *
 * A consistent point keeps the stored quantities and solves the algebra (system/transform.h). An operating point solves
 * f(x) = 0; where that leaves combinations free (parallel springs, integrators, floating capacitors) a backward Euler
 * step of great length keeps exactly those, because the left null space of A conserves q. */
#include "integrate/start.h"

#include <math.h>
#include <string.h>

/* ---- consistent points ---- */

typedef struct consistent_equations {
    ln_equation_set set;
    ln_consistent *solver;
} consistent_equations;

static linnet_status consistent_residual(ln_equation_set *set, const double *x, ln_limiting limiting, double *r,
                                         int *limited) {
    ln_consistent *solver = ((consistent_equations *)set)->solver;
    ln_system *system = set->system;
    ln_matrix_apply(&system->E, x, solver->q);
    ln_matrix_apply(&system->A, x, solver->f);
    linnet_status status = ln_system_eval(system, solver->t, solver->decide, x, limiting, solver->q, solver->f, limited);
    for (int i = 0; i < system->n; i++) {
        solver->f[i] -= solver->scale * solver->s[i];
        solver->q[i] += (1 - solver->scale) * solver->q_star[i]; /* so that q - scale q_star is what is compared */
    }
    ln_transform_residual(solver->transform, solver->q, solver->q_star, solver->f, r);
    return status;
}

static void consistent_jacobian(ln_equation_set *set, double *values) {
    ln_transform_jacobian(((consistent_equations *)set)->solver->transform, values);
}

linnet_status ln_consistent_init(ln_consistent *solver, ln_system *system, ln_linear_kind kind, double t, double decide,
                                 const double *x, ln_report *report) {
    *solver = (ln_consistent){.system = system, .report = report, .arena = ln_arena_new(), .scale = 1};
    if (solver->arena == NULL) return ln_no_memory(report);
    int n = system->n;
    double **vectors[] = {&solver->q, &solver->f, &solver->s, &solver->q_star, &solver->guess, &solver->good};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if ((*vectors[k] = LN_NEW(solver->arena, double, n)) == NULL) return ln_no_memory(report);
    if (!system->linear_q && ln_system_eval(system, t, decide, x, LN_LIMIT_OFF, NULL, NULL, NULL) != LINNET_OK)
        return LINNET_OK;
    linnet_status status = ln_transform_new(system, &solver->transform);
    if (status == LINNET_RETRY) return LINNET_OK;
    if (status != LINNET_OK) return ln_no_memory(report);
    const ln_pattern *pattern = &solver->transform->pattern;
    solver->linear = ln_linear_new(pattern, kind);
    if (solver->linear == NULL || ln_newton_init(&solver->newton, solver->arena, n, pattern->start[n]) != LINNET_OK)
        return ln_no_memory(report);
    return LINNET_OK;
}

void ln_consistent_free(ln_consistent *solver) {
    ln_linear_free(solver->linear);
    ln_transform_free(solver->transform);
    ln_arena_free(solver->arena);
    *solver = (ln_consistent){0};
}

static int consistent_once(ln_consistent *solver, double *x, int damped) {
    ln_system *system = solver->system;
    consistent_equations set = {
        {system, &solver->transform->pattern, consistent_residual, consistent_jacobian, system->linear}, solver};
    if (!system->linear) solver->fresh = 0;
    solver->outcome =
        ln_newton_solve(&solver->newton, &set.set, solver->linear, &solver->fresh, x, damped ? 100 : 50, damped);
    return solver->outcome == LN_NEWTON_CONVERGED;
}

/* Sources (and stored quantities) from zero to full in steps that adapt: x holds the solution on success. */
static int step_sources(ln_consistent *solver, double *x) {
    size_t n = (size_t)solver->system->n;
    double *good = solver->good, reached = 0, step = 0.1;
    memset(good, 0, n * sizeof *good);
    while (reached < 1 && step > 1e-6) {
        solver->scale = fmin(1, reached + step);
        memcpy(x, good, n * sizeof *x);
        if (consistent_once(solver, x, 1)) {
            memcpy(good, x, n * sizeof *x);
            reached = solver->scale;
            step *= 2;
        } else {
            step /= 4;
        }
    }
    solver->scale = 1;
    return reached >= 1;
}

/* The solution of the linear parts alone, as a guess from which a block that refuses zero (a division, a root) can be
 * evaluated. 1 when there is one. */
static int guess_by_linear_part(ln_consistent *solver, double *x) {
    ln_system *system = solver->system;
    double *r = solver->newton.r;
    memset(system->df, 0, (size_t)system->ndf * sizeof *system->df);
    memset(system->dq, 0, (size_t)system->ndq * sizeof *system->dq);
    solver->fresh = 0;
    ln_transform_jacobian(solver->transform, solver->newton.values);
    if (ln_linear_factor(solver->linear, solver->newton.values) != LN_FACTORED) return 0;
    ln_matrix_apply(&system->E, x, solver->q);
    ln_matrix_apply(&system->A, x, solver->f);
    for (int i = 0; i < system->n; i++) solver->f[i] -= solver->s[i];
    ln_transform_residual(solver->transform, solver->q, solver->q_star, solver->f, r);
    ln_linear_solve(solver->linear, r);
    for (int i = 0; i < system->n; i++) x[i] -= r[i];
    return 1;
}

int ln_consistent_solve(ln_consistent *solver, double t, double decide, double *x, const char **means) {
    if (solver->transform == NULL) return 0;
    solver->t = t;
    solver->decide = decide;
    solver->outcome = LN_NEWTON_REFUSED;
    size_t n = (size_t)solver->system->n;
    if (ln_system_sources(solver->system, t, decide, solver->s, solver->report) != LINNET_OK) return 0;
    memcpy(solver->guess, x, n * sizeof *x);
    int done = consistent_once(solver, x, 0);
    if (!done && !solver->system->linear) {
        memcpy(x, solver->guess, n * sizeof *x);
        if (solver->outcome == LN_NEWTON_REFUSED) (void)guess_by_linear_part(solver, x);
        if ((done = consistent_once(solver, x, 1))) *means = "damped Newton";
        else if (solver->outcome != LN_NEWTON_SINGULAR && (done = step_sources(solver, x))) *means = "source stepping";
    }
    return done;
}

/* ---- operating points ---- */

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

static linnet_status operating_point(ln_run *run, ln_consistent *consistent) {
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

/* ---- the start of a run ---- */

/* Three steps of backward Euler of h from x, in place: the first brings the point onto the constraints, the others give
 * what holds it there (a flux, index 2; a force behind a hidden velocity, index 3). */
static linnet_status tiny_steps(ln_run *run, double h) {
    double t = run->t;
    LN_TRY(ln_run_restart(run));
    for (int k = 0; k < 3; k++)
        if (!ln_step_backward_euler(run, h, run->decide))
            return ln_report_no_convergence(run, &run->newton, run->outcome, &run->system->pattern, t, h,
                                            "no consistent start found");
    run->t = t;
    return LINNET_OK;
}

/* Index above 1: tiny steps of backward Euler project the start onto the hidden constraints. What they move in 3 h is
 * taken out by extrapolation from h and h/2 to zero. */
static linnet_status project(ln_run *run) {
    double span = run->settings->step > 0 ? run->settings->step : 1e-3 * (run->settings->end - run->settings->begin);
    double *start = LN_NEW(run->arena, double, run->n), *coarse = LN_NEW(run->arena, double, run->n);
    if (start == NULL || coarse == NULL) return ln_no_memory(run->report);
    size_t bytes = (size_t)run->n * sizeof *start;
    memcpy(start, run->x, bytes);
    LN_TRY(tiny_steps(run, 1e-5 * span));
    memcpy(coarse, run->x, bytes);
    memcpy(run->x, start, bytes);
    LN_TRY(tiny_steps(run, 0.5e-5 * span));
    for (int i = 0; i < run->n; i++) run->x[i] = 2 * run->x[i] - coarse[i];
    run->statistics->start_means = "start values, projected by backward Euler (index 2)";
    return LINNET_OK;
}

/* What a block's written start condition became, if the algebra overruled it. */
static linnet_status check_given(const ln_run *run, const double *wanted) {
    const ln_network *network = run->system->network;
    for (int i = 0; i < network->ninstances; i++) {
        const ln_instance *it = &network->instances[i];
        const linnet_block_class *type = it->block.type;
        for (int k = 0; it->given != 0 && k < type->nstarts && k < 32; k++) {
            if (!(it->given >> k & 1u)) continue;
            double found = 0, expected = 0, tolerance = 0;
            for (int side = 0; side < 2; side++) {
                int col = type->starts[k].col[side];
                if (col < 0) continue;
                int unknown = col >= type->nports ? it->first_own + col - type->nports
                              : it->links[col] < 0 ? -1 : network->links[it->links[col]].unknown;
                if (unknown < 0) continue;
                double sign = side == 0 ? 1 : -1;
                found += sign * run->x[unknown];
                expected += sign * wanted[unknown];
                tolerance += run->system->abstol[unknown] + 1e-6 * fabs(wanted[unknown]);
            }
            if (fabs(found - expected) > tolerance)
                return ln_fail(run->report, LINNET_MODEL, it->place,
                               "%s (%s): its start value %s = %.9g contradicts what it is joined to, which holds it at "
                               "%.9g; leave it out or change the other", it->name, type->name,
                               type->starts[k].name != NULL ? type->starts[k].name : "", expected, found);
        }
    }
    return LINNET_OK;
}

linnet_status ln_start(ln_run *run, ln_consistent *solver) {
    ln_system *system = run->system;
    LN_TRY(ln_system_start_values(system, run->x, run->report));
    if (run->settings->start == LN_START_OPERATING_POINT) return operating_point(run, solver);
    run->statistics->start_means = "start values";
    double *wanted = LN_NEW(run->arena, double, run->n);
    if (wanted == NULL) return ln_no_memory(run->report);
    memcpy(wanted, run->x, (size_t)run->n * sizeof *wanted);
    if (solver->transform == NULL) LN_TRY(project(run));
    else {
        ln_matrix_apply(&system->E, run->x, solver->q_star);
        if (!system->linear_q)
            (void)ln_system_eval(system, run->t, run->decide, run->x, LN_LIMIT_OFF, solver->q_star, NULL, NULL);
        if (!ln_consistent_solve(solver, run->t, run->decide, run->x, &run->statistics->start_means)) {
            if (solver->outcome != LN_NEWTON_SINGULAR)
                return ln_report_no_convergence(run, &solver->newton, solver->outcome, &solver->transform->pattern,
                                                run->t, 0, "no consistent start found");
            ln_transform_free(solver->transform);
            solver->transform = NULL;
            memcpy(run->x, wanted, (size_t)run->n * sizeof *run->x);
            LN_TRY(project(run));
        }
    }
    return check_given(run, wanted);
}

linnet_status ln_start_states(ln_run *run, ln_ode *ode) {
    LN_TRY(ln_system_start_values(run->system, run->x, run->report));
    run->statistics->start_means = "start values";
    double *wanted = LN_NEW(run->arena, double, run->n), *z = LN_NEW(run->arena, double, ode->n);
    if (wanted == NULL || z == NULL) return ln_no_memory(run->report);
    memcpy(wanted, run->x, (size_t)run->n * sizeof *wanted);
    ode->states(ode, run->x, z);
    linnet_status status = ode->unknowns(ode, run->t, run->decide, z, run->x);
    if (status == LINNET_RETRY)
        return ln_fail(run->report, LINNET_FAILED, ode->blame_place, "no consistent start found: %s", ode->blame);
    LN_TRY(status);
    return check_given(run, wanted);
}
