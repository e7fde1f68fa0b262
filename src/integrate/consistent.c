/* SPDX-License-Identifier: MIT */
/* Consistent points: x that keeps the stored quantities and solves the algebra
 * (system/row_transform.h). */
#include "integrate/continuation.h"
#include "integrate/start.h"

#include <math.h>
#include <string.h>

typedef struct consistent_equations {
    ln_equation_set set;
    ln_consistency_solver *consistency;
} consistent_equations;

static linnet_status consistent_residual(ln_equation_set *set, const double *x, int manner,
                                         double *r, int *limited) {
    ln_consistency_solver *consistency = ((consistent_equations *)set)->consistency;
    ln_system *system = set->system;
    ln_matrix_apply(&system->E, x, consistency->q);
    ln_matrix_apply(&system->A, x, consistency->f);
    linnet_status status = ln_system_eval(system, &(ln_moment){consistency->side, x}, manner,
                                          consistency->q, consistency->f, limited);
    for (int i = 0; i < system->n; i++) {
        consistency->f[i] -= consistency->scale * consistency->s[i];
        /* so that q - scale q_star is what is compared */
        consistency->q[i] += (1 - consistency->scale) * consistency->q_star[i];
    }
    ln_row_transform_residual(consistency->transform, consistency->q, consistency->q_star,
                              consistency->f, r);
    for (int i = 0; i < system->n; i++)
        r[i] -= consistency->scale * consistency->left[i];
    return status;
}

static void consistent_jacobian(ln_equation_set *set, double *values) {
    ln_row_transform_jacobian(((consistent_equations *)set)->consistency->transform, values);
}

linnet_status ln_consistency_init(ln_consistency_solver *consistency, ln_system *system,
                                  ln_linear_kind kind, ln_side side, const double *x,
                                  ln_report *report) {
    *consistency = (ln_consistency_solver){
        .system = system, .report = report, .arena = ln_arena_new(), .scale = 1};
    if (consistency->arena == NULL)
        return ln_no_memory(report);
    int n = system->n;
    double **vectors[] = {&consistency->q,      &consistency->f,
                          &consistency->s,      &consistency->q_star,
                          &consistency->guess,  &consistency->solved,
                          &consistency->left,   &consistency->solved_before,
                          &consistency->x_left, &consistency->left_size};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if ((*vectors[k] = LN_NEW(consistency->arena, double, n)) == NULL)
            return ln_no_memory(report);
    if (!system->linear_q && ln_system_eval(system, &(ln_moment){side, x}, LN_LIMIT_OFF, NULL, NULL,
                                            NULL) != LINNET_OK) {
        consistency->refused = 1;
        return LINNET_OK;
    }
    const linnet_status split = ln_row_transform_new(system, &consistency->transform);
    if (split == LINNET_RETRY) {
        consistency->refused = 1;
        return LINNET_OK;
    }
    if (split != LINNET_OK)
        return ln_no_memory(report);
    const ln_pattern *pattern = &consistency->transform->pattern;
    consistency->matrix.linear = ln_linear_new(pattern, kind);
    if (consistency->matrix.linear == NULL ||
        ln_newton_init(&consistency->newton, consistency->arena, n, pattern->start[n]) != LINNET_OK)
        return ln_no_memory(report);
    return LINNET_OK;
}

void ln_consistency_drop_transform(ln_consistency_solver *consistency) {
    ln_row_transform_free(consistency->transform);
    consistency->transform = NULL;
}

void ln_consistency_forget_factors(ln_consistency_solver *consistency) {
    if (consistency->matrix.linear != NULL)
        ln_linear_forget(consistency->matrix.linear);
    consistency->matrix.usable = 0;
}

void ln_consistency_free(ln_consistency_solver *consistency) {
    ln_linear_free(consistency->matrix.linear);
    ln_row_transform_free(consistency->transform);
    ln_prolonged_forget(&consistency->cache);
    ln_arena_free(consistency->arena);
    *consistency = (ln_consistency_solver){0};
}

static int consistent_once(void *problem, double *x, int damped) {
    ln_consistency_solver *consistency = problem;
    ln_system *system = consistency->system;
    consistent_equations set = {{system,
                                 &consistency->transform->pattern,
                                 consistent_residual,
                                 consistent_jacobian,
                                 system->linear,
                                 {consistency->s},
                                 NULL,
                                 0},
                                consistency};
    if (!system->linear)
        consistency->matrix.usable = 0;
    consistency->outcome = ln_newton_solve(&consistency->newton, &set.set, &consistency->matrix, x,
                                           damped ? 100 : 50, damped);
    consistency->out_of_memory |= consistency->outcome == LN_NEWTON_MEMORY;
    return consistency->outcome == LN_NEWTON_CONVERGED;
}

/* Sources and stored quantities are both scaled by the position. */
static void set_scale(void *problem, double position) {
    ln_consistency_solver *consistency = problem;
    consistency->scale = position;
}

static int step_sources(ln_consistency_solver *consistency, double *x) {
    ln_continuation path = {consistency->system->n,
                            consistency->solved,
                            consistency->solved_before,
                            consistency,
                            consistent_once,
                            0};
    return ln_continue(&path, set_scale, x);
}

/* The solution of the linear parts alone, as a guess from which a block that refuses zero (a
 * division, a root) can be evaluated; the system's df and dq become zero. 1 when there is one. */
static int guess_by_linear_part(ln_consistency_solver *consistency, double *x) {
    ln_system *system = consistency->system;
    double *r = consistency->newton.r;
    memset(system->df, 0, (size_t)system->ndf * sizeof *system->df);
    memset(system->dq, 0, (size_t)system->ndq * sizeof *system->dq);
    consistency->matrix.usable = 0;
    ln_row_transform_jacobian(consistency->transform, consistency->newton.values);
    if (ln_linear_factor(consistency->matrix.linear, consistency->newton.values) != LN_FACTORED)
        return 0;
    ln_matrix_apply(&system->E, x, consistency->q);
    ln_matrix_apply(&system->A, x, consistency->f);
    for (int i = 0; i < system->n; i++)
        consistency->f[i] -= consistency->s[i];
    ln_row_transform_residual(consistency->transform, consistency->q, consistency->q_star,
                              consistency->f, r);
    ln_linear_solve(consistency->matrix.linear, r);
    for (int i = 0; i < system->n; i++)
        x[i] -= r[i];
    return 1;
}

/* Rows that have become other equations since ln_consistency_note_left() are to be met: at the
 * point of then they differ by more than a part of what they missed. What a clutch that slipped
 * missed of its torque would be an acceleration to one that sticks, and millions of N.m. */
static void forget_left_of_changed(ln_consistency_solver *consistency) {
    /* of what it missed, and of its terms: what moves by less is the same equation, rounded */
    static const double SAME = 1e-3, ROUNDED = 1e-13;
    const ln_system *system = consistency->system;
    consistent_equations set = {{.system = consistency->system}, consistency};
    double *left = consistency->left, *r = consistency->newton.r;
    if (!consistency->misses)
        return;
    const linnet_status status =
        consistent_residual(&set.set, consistency->x_left, LN_LIMIT_OFF, r, NULL);
    for (int i = 0; i < system->n; i++)
        if (status != LINNET_OK ||
            !(fabs(r[i]) <= SAME * fabs(left[i]) + ROUNDED * consistency->left_size[i]))
            left[i] = 0;
}

int ln_consistency_solve(ln_consistency_solver *consistency, ln_side side, double *x,
                         const char **means) {
    if (!ln_consistency_is_index_1(consistency))
        return 0;
    consistency->side = side;
    consistency->outcome = LN_NEWTON_REFUSED;
    size_t n = (size_t)consistency->system->n;
    if (ln_system_sources(consistency->system, side, consistency->s) != LINNET_OK)
        return 0;
    forget_left_of_changed(consistency);
    memcpy(consistency->guess, x, n * sizeof *x);
    int done = consistent_once(consistency, x, 0);
    if (!done && !consistency->system->linear && consistency->outcome != LN_NEWTON_MEMORY) {
        memcpy(x, consistency->guess, n * sizeof *x);
        if (consistency->outcome == LN_NEWTON_REFUSED)
            (void)guess_by_linear_part(consistency, x);
        if ((done = consistent_once(consistency, x, 1)))
            *means = "damped Newton";
        else if (consistency->outcome != LN_NEWTON_SINGULAR &&
                 (done = step_sources(consistency, x)))
            *means = "source stepping";
    }
    return done;
}

int ln_consistency_keep(ln_consistency_solver *consistency, ln_side side, const double *set,
                        double *q, double *x) {
    const size_t bytes = (size_t)consistency->system->n * sizeof *x;
    const char *means;
    if (set != NULL) {
        if (ln_system_q(consistency->system, side, set, q) != LINNET_OK)
            return 0;
        memmove(x, set, bytes);
    }
    memcpy(consistency->q_star, q, bytes);
    return ln_consistency_solve(consistency, side, x, &means);
}

void ln_consistency_note_left(ln_consistency_solver *consistency, ln_side side, const double *x,
                              double part) {
    ln_system *system = consistency->system;
    const ln_row_transform *transform = consistency->transform;
    double *left = consistency->left, *r = consistency->newton.r,
           *size = consistency->newton.convergence.magnitude;
    consistent_equations set = {{.system = system}, consistency};
    memset(left, 0, (size_t)system->n * sizeof *left);
    memcpy(consistency->x_left, x, (size_t)system->n * sizeof *x);
    consistency->misses = 0;
    consistency->side = side;
    if (!ln_consistency_is_index_1(consistency) ||
        ln_system_sources(system, side, consistency->s) != LINNET_OK ||
        consistent_residual(&set.set, x, LN_LIMIT_OFF, r, NULL) != LINNET_OK)
        return;
    for (int i = 0; i < system->n; i++)
        size[i] = fabs(consistency->s[i]);
    ln_row_transform_jacobian(transform, consistency->newton.values);
    ln_add_abs_product(&transform->pattern, consistency->newton.values, 1, x, size);
    for (int i = 0; i < system->n; i++)
        if (!transform->differential[i] && ln_network_is_physical(system->network, i) &&
            fabs(r[i]) <= part * size[i]) {
            left[i] = r[i];
            consistency->left_size[i] = size[i];
            consistency->misses |= r[i] < 0 || r[i] > 0;
        }
}

int ln_consistency_add_noise(ln_consistency_solver *consistency, ln_side side, const double *x,
                             double *noise) {
    ln_system *system = consistency->system;
    ln_convergence *judge = &consistency->newton.convergence;
    if (!ln_consistency_is_index_1(consistency) ||
        ln_system_sources(system, side, consistency->s) != LINNET_OK ||
        ln_system_eval(system, &(ln_moment){side, x}, LN_LIMIT_OFF, NULL, NULL, NULL) != LINNET_OK)
        return 0;
    ln_row_transform_jacobian(consistency->transform, consistency->newton.values);
    consistency->matrix.usable =
        ln_linear_factor(consistency->matrix.linear, consistency->newton.values) == LN_FACTORED;
    if (!consistency->matrix.usable)
        return 0;
    for (int i = 0; i < system->n; i++)
        judge->magnitude[i] = fabs(consistency->s[i]);
    ln_add_abs_product(&consistency->transform->pattern, consistency->newton.values, 1, x,
                       judge->magnitude);
    ln_convergence_find_noise(judge, consistency->matrix.linear);
    for (int i = 0; i < system->n; i++)
        noise[i] += ln_convergence_noise(judge, i);
    judge->noise_is_known = 0; /* that of this point */
    return 1;
}
