/* SPDX-License-Identifier: MIT */
/* Consistent points: x that keeps the stored quantities and solves the algebra
 * (system/transform.h). */
#include "integrate/continuation.h"
#include "integrate/start.h"

#include <math.h>
#include <string.h>

typedef struct consistent_equations {
    ln_equation_set set;
    ln_consistent *solver;
} consistent_equations;

static linnet_status consistent_residual(ln_equation_set *set, const double *x, int manner,
                                         double *r, int *limited) {
    ln_consistent *solver = ((consistent_equations *)set)->solver;
    ln_system *system = set->system;
    ln_matrix_apply(&system->E, x, solver->q);
    ln_matrix_apply(&system->A, x, solver->f);
    linnet_status status = ln_system_eval(system, &(ln_moment){solver->side, x}, manner, solver->q,
                                          solver->f, limited);
    for (int i = 0; i < system->n; i++) {
        solver->f[i] -= solver->scale * solver->s[i];
        /* so that q - scale q_star is what is compared */
        solver->q[i] += (1 - solver->scale) * solver->q_star[i];
    }
    ln_transform_residual(solver->transform, solver->q, solver->q_star, solver->f, r);
    return status;
}

static void consistent_jacobian(ln_equation_set *set, double *values) {
    ln_transform_jacobian(((consistent_equations *)set)->solver->transform, values);
}

linnet_status ln_consistent_init(ln_consistent *solver, ln_system *system, ln_linear_kind kind,
                                 ln_side side, const double *x, ln_report *report) {
    *solver =
        (ln_consistent){.system = system, .report = report, .arena = ln_arena_new(), .scale = 1};
    if (solver->arena == NULL)
        return ln_no_memory(report);
    int n = system->n;
    double **vectors[] = {&solver->q,
                          &solver->f,
                          &solver->s,
                          &solver->q_star,
                          &solver->guess,
                          &solver->solved,
                          &solver->solved_before};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if ((*vectors[k] = LN_NEW(solver->arena, double, n)) == NULL)
            return ln_no_memory(report);
    if (!system->linear_q &&
        ln_system_eval(system, &(ln_moment){side, x}, LN_LIMIT_OFF, NULL, NULL, NULL) != LINNET_OK)
        return LINNET_OK;
    if (ln_transform_new(system, &solver->transform) != LINNET_OK)
        return ln_no_memory(report);
    const ln_pattern *pattern = &solver->transform->pattern;
    solver->matrix.linear = ln_linear_new(pattern, kind);
    if (solver->matrix.linear == NULL ||
        ln_newton_init(&solver->newton, solver->arena, n, pattern->start[n]) != LINNET_OK)
        return ln_no_memory(report);
    return LINNET_OK;
}

void ln_consistent_forget_factors(ln_consistent *solver) {
    if (solver->matrix.linear != NULL)
        ln_linear_forget(solver->matrix.linear);
    solver->matrix.usable = 0;
}

void ln_consistent_free(ln_consistent *solver) {
    ln_linear_free(solver->matrix.linear);
    ln_transform_free(solver->transform);
    ln_prolonged_forget(&solver->cache);
    ln_arena_free(solver->arena);
    *solver = (ln_consistent){0};
}

static int consistent_once(void *problem, double *x, int damped) {
    ln_consistent *solver = problem;
    ln_system *system = solver->system;
    consistent_equations set = {{system,
                                 &solver->transform->pattern,
                                 consistent_residual,
                                 consistent_jacobian,
                                 system->linear,
                                 {solver->s},
                                 NULL,
                                 0},
                                solver};
    if (!system->linear)
        solver->matrix.usable = 0;
    solver->outcome =
        ln_newton_solve(&solver->newton, &set.set, &solver->matrix, x, damped ? 100 : 50, damped);
    return solver->outcome == LN_NEWTON_CONVERGED;
}

/* Sources and stored quantities are both scaled by the position. */
static void set_scale(void *problem, double position) {
    ln_consistent *solver = problem;
    solver->scale = position;
}

static int step_sources(ln_consistent *solver, double *x) {
    ln_continuation way = {
        solver->system->n, solver->solved, solver->solved_before, solver, consistent_once, 0};
    return ln_continue(&way, set_scale, x);
}

/* The solution of the linear parts alone, as a guess from which a block that refuses zero (a
 * division, a root) can be evaluated; the system's df and dq become zero. 1 when there is one. */
static int guess_by_linear_part(ln_consistent *solver, double *x) {
    ln_system *system = solver->system;
    double *r = solver->newton.r;
    memset(system->df, 0, (size_t)system->ndf * sizeof *system->df);
    memset(system->dq, 0, (size_t)system->ndq * sizeof *system->dq);
    solver->matrix.usable = 0;
    ln_transform_jacobian(solver->transform, solver->newton.values);
    if (ln_linear_factor(solver->matrix.linear, solver->newton.values) != LN_FACTORED)
        return 0;
    ln_matrix_apply(&system->E, x, solver->q);
    ln_matrix_apply(&system->A, x, solver->f);
    for (int i = 0; i < system->n; i++)
        solver->f[i] -= solver->s[i];
    ln_transform_residual(solver->transform, solver->q, solver->q_star, solver->f, r);
    ln_linear_solve(solver->matrix.linear, r);
    for (int i = 0; i < system->n; i++)
        x[i] -= r[i];
    return 1;
}

int ln_consistent_solve(ln_consistent *solver, ln_side side, double *x, const char **means) {
    if (solver->transform == NULL)
        return 0;
    solver->side = side;
    solver->outcome = LN_NEWTON_REFUSED;
    size_t n = (size_t)solver->system->n;
    if (ln_system_sources(solver->system, side, solver->s) != LINNET_OK)
        return 0;
    memcpy(solver->guess, x, n * sizeof *x);
    int done = consistent_once(solver, x, 0);
    if (!done && !solver->system->linear) {
        memcpy(x, solver->guess, n * sizeof *x);
        if (solver->outcome == LN_NEWTON_REFUSED)
            (void)guess_by_linear_part(solver, x);
        if ((done = consistent_once(solver, x, 1)))
            *means = "damped Newton";
        else if (solver->outcome != LN_NEWTON_SINGULAR && (done = step_sources(solver, x)))
            *means = "source stepping";
    }
    return done;
}

int ln_consistent_keep(ln_consistent *solver, ln_side side, const double *set, double *q,
                       double *x) {
    const size_t bytes = (size_t)solver->system->n * sizeof *x;
    const char *means;
    if (set != NULL) {
        if (ln_system_q(solver->system, side, set, q) != LINNET_OK)
            return 0;
        memmove(x, set, bytes);
    }
    memcpy(solver->q_star, q, bytes);
    return ln_consistent_solve(solver, side, x, &means);
}

int ln_consistent_add_noise(ln_consistent *solver, ln_side side, const double *x, double *noise) {
    ln_system *system = solver->system;
    ln_convergence *judge = &solver->newton.convergence;
    if (solver->transform == NULL || ln_system_sources(system, side, solver->s) != LINNET_OK ||
        ln_system_eval(system, &(ln_moment){side, x}, LN_LIMIT_OFF, NULL, NULL, NULL) != LINNET_OK)
        return 0;
    ln_transform_jacobian(solver->transform, solver->newton.values);
    solver->matrix.usable =
        ln_linear_factor(solver->matrix.linear, solver->newton.values) == LN_FACTORED;
    if (!solver->matrix.usable)
        return 0;
    for (int i = 0; i < system->n; i++)
        judge->terms[i] = fabs(solver->s[i]);
    ln_add_abs_product(&solver->transform->pattern, solver->newton.values, 1, x, judge->terms);
    ln_convergence_find_noise(judge, solver->matrix.linear);
    for (int i = 0; i < system->n; i++)
        noise[i] += ln_convergence_noise(judge, i);
    judge->noise_is_known = 0; /* that of this point */
    return 1;
}
