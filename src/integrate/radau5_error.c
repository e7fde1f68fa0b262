/* SPDX-License-Identifier: MIT */
/* The error of a step of radau5, by the embedded formula of order 3 [Hairer, Wanner II, IV.8]. */
/* Loops over all unknowns become vectors by -O3 only. The pragma would else lose the command line's
 * contraction. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=off")
#endif

#include "integrate/radau5.h"

#include <math.h>

/* How errors of floating parts are judged: as all else; by their differences to the member that
 * errs least, and that one by its own error, unless it is rounding (currents divided by the leakage
 * conductance, which a shorter step does not reduce); by their differences alone. */
typedef enum part_view { PLAIN, BY_PARTS, DIFFERENCES } part_view;

static double view(ln_run *run, ln_radau5 *radau, const double *e, int i, part_view how) {
    const int part = how == PLAIN || run->system->nparts == 0 ? -1 : run->system->common_unknown[i];
    if (part < 0 || run->errors.errs_least[part] != i)
        return part < 0 ? e[i] : ln_error_of(run, e, i);
    return how == DIFFERENCES || ln_radau5_is_rounding(run, radau, i, e[i]) ? 0 : e[i];
}

/* In units of what is allowed. Where what a part has in common is of a higher index than its
 * differences, these are judged as the states they are, whatever the view. */
static double judged(ln_run *run, ln_radau5 *radau, const double *e, int i, part_view how) {
    const int is_state = run->index != NULL && run->index[i] > 1 &&
                         ln_run_index_of_judged(run, i) == 1 &&
                         run->errors.errs_least[run->system->common_unknown[i]] != i;
    return is_state
               ? ln_error_of(run, e, i) / (radau->rtol * ln_error_unit(run, i, fabs(run->x[i])))
               : view(run, radau, e, i, how) / radau->estimate.scale[i];
}

static double norm_of(ln_run *run, ln_radau5 *radau, const double *e, part_view how, int *worst) {
    double sum = 0, largest = -1;
    int count = 0;
    for (int i = 0; i < run->n; i++) {
        if (!run->errors.in_error_test[i])
            continue;
        const double r = judged(run, radau, e, i, how);
        sum += r * r;
        count++;
        if (r * r > largest) {
            largest = r * r;
            *worst = i;
        }
    }
    return fmax(sqrt(sum / count), 1e-10);
}

/* What a floating part has in common is judged like all else while it is smooth. It is algebraic,
 * and jumps where a diode turns, where no step is short enough: an error of so many times what is
 * allowed counts as a jump's, and differences alone are judged (they alone everywhere cost the
 * transistor amplifier of stiff.md a digit; 30 takes a fifth more steps of a six-pulse rectifier).
 */
static const double JUMP = 10;

double ln_radau5_error_norm(ln_run *run, ln_radau5 *radau, const double *e) {
    int *worst = &run->errors.dominant;
    ln_error_find_least(run, e);
    const double norm = norm_of(run, radau, e, PLAIN, worst);
    if (norm < 1 || run->system->nparts == 0)
        return norm;
    return norm_of(run, radau, e, norm > JUMP ? DIFFERENCES : BY_PARTS, worst);
}

/* Where the index is above 1, what the last step's Newton left of a constraint is no error of this
 * one: K1^-1 would raise it by 1/h, and no step would be short enough. */
static void clear_constraints(const ln_run *run, double *e) {
    for (int i = 0; run->index != NULL && i < run->n; i++)
        if (!run->system->dynamic[i])
            e[i] = 0;
}

/* An error that only a second filter lets pass is that of a stiff layer: from x + e on the step is
 * slow. Polynomials through x itself would have c1 h for the fall, and swing about the stages by a
 * part of it. In nonlinear networks, whose K1 is that of another point, x + e is often no better.
 */
static void keep_layer(const ln_run *run, ln_radau5 *radau) {
    radau->estimate.has_layer = run->system->linear;
    for (int i = 0; i < run->n; i++)
        radau->estimate.layer[i] =
            run->index == NULL || run->index[i] == 1 ? radau->estimate.error[i] : 0;
}

/* K1^-1 (r0 + (d1 dq1 + d2 dq2 + d3 dq3)/h), r0 = -f(x0) [IV.8.19]. dq was evaluated before the
 * last Newton update; y holds d1 dz1 + d2 dz2 + d3 dz3 of that update (update() of
 * radau5_stages.c), and (E + dq/dx) y corrects it to first order. At a first or repeated step an
 * estimate of 1 or more is filtered once more [IV.8.20]. */
static double estimate(ln_run *run, ln_radau5 *radau, ln_side side) {
    int n = run->n;
    double h = radau->h, *stored = radau->stages.work[1], *e = radau->estimate.error;
    for (int i = 0; i < n; i++)
        stored[i] = d1 * radau->stages.q_increment[0][i] + d2 * radau->stages.q_increment[1][i] +
                    d3 * radau->stages.q_increment[2][i];
    ln_matrix_add(&radau->jacobian.q_by_x, radau->y, stored);
    for (int i = 0; i < n; i++) {
        stored[i] /= h;
        e[i] = stored[i] + radau->rate_at_start[i];
    }
    clear_constraints(run, e);
    ln_linear_solve(radau->cache.real, e);
    double norm = ln_radau5_error_norm(run, radau, e);
    radau->estimate.has_layer = 0;
    if (norm < 1 || !(radau->first || radau->rejected))
        return norm;
    for (int i = 0; i < n; i++)
        radau->y[i] = run->x[i] + e[i];
    keep_layer(run, radau);
    radau->end.evaluated = 0; /* derivatives do not outlast another evaluation */
    if (!ln_radau5_rates(run, ln_side_at(side, run->side.t), radau->y, NULL, e))
        return norm; /* 1 or more: the step is not taken */
    for (int i = 0; i < n; i++)
        e[i] += stored[i];
    clear_constraints(run, e);
    ln_linear_solve(radau->cache.real, e);
    return ln_radau5_error_norm(run, radau, e);
}

double ln_radau5_error(ln_run *run, ln_radau5 *radau, ln_side side) {
    const double error = estimate(run, radau, side);
    for (int i = 0; i < run->n; i++)
        run->x1[i] = run->x[i] + radau->stages.z[2][i];
    return fmax(error, ln_error_of_read(run, radau->estimate.error, radau->h, radau->rtol));
}
