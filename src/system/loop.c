/* SPDX-License-Identifier: MIT */
/* Newton's method with exact derivatives and a line search on the residual, from the last solution.
 *
 * Converged is what changes by less than 1e-12 of itself (or of its typical size near zero) in a
 * full step; there is no fixed number of sweeps. A residual that cannot be lowered any more counts
 * as converged when the step is noise (convergence.h). */
#include "system/loop.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Newton's method on an algebraic loop: iterations, halvings of an update that does not bring the
 * residual down, and the part of itself by which an unknown may still move at the end. */
enum { MOST_ITERATIONS = 50, MOST_HALVINGS = 12 };
static const double MET = 1e-12;

linnet_status ln_loop_prepare(ln_loop *loop, ln_arena *arena) {
    const int n = loop->count;
    int *start = LN_NEW(arena, int, n + 1), *row = LN_NEW(arena, int, (size_t)n *(size_t)n);
    loop->residual = LN_NEW(arena, double, n);
    loop->step = LN_NEW(arena, double, n);
    loop->before = LN_NEW(arena, double, n);
    loop->slopes = LN_NEW(arena, double, (size_t)n *(size_t)n);
    if (start == NULL || row == NULL || loop->residual == NULL || loop->step == NULL ||
        loop->before == NULL || loop->slopes == NULL)
        return LINNET_MEMORY;
    for (int j = 0; j <= n; j++)
        start[j] = j * n;
    for (int k = 0; k < n * n; k++)
        row[k] = k % n;
    loop->pattern = (ln_pattern){n, start, row};
    if (ln_convergence_init(&loop->convergence, arena, n) != LINNET_OK)
        return LINNET_MEMORY;
    if (n > 1 && (loop->linear = ln_linear_new(&loop->pattern, LN_LINEAR_DENSE)) == NULL)
        return LINNET_MEMORY;
    return LINNET_OK;
}

void ln_loop_free(ln_loop *loop) {
    ln_linear_free(loop->linear);
}

/* Where the evaluations of one solution take place. */
typedef struct surroundings {
    const double *parameters;
    const linnet_point *point;
} surroundings;

/* Residuals and derivatives at loop->x; returns the largest residual against the typical sizes, NaN
 * or INFINITY when it cannot be evaluated there. */
static double evaluate(ln_loop *loop, const surroundings *at) {
    ln_program_run(loop->program, loop->file, at->parameters, at->point);
    double largest = 0.0;
    for (int i = 0; i < loop->count; i++) {
        loop->residual[i] = loop->file[loop->program->output[i]];
        double size = fabs(loop->residual[i]) / loop->nominal[i];
        if (!(size <= largest))
            largest = size;
    }
    return largest;
}

/* step = -J^-1 residual; 0 when J is singular or not finite. */
static int newton_step(ln_loop *loop) {
    const int n = loop->count, *slope = loop->program->output + n;
    for (int i = 0; i < n; i++)
        loop->step[i] = -loop->residual[i];
    if (n == 1) {
        loop->step[0] /= loop->file[slope[0]];
        return isfinite(loop->step[0]);
    }
    for (int k = 0; k < n * n; k++)
        loop->slopes[k] = loop->file[slope[k]];
    if (ln_linear_factor(loop->linear, loop->slopes) != LN_FACTORED)
        return 0;
    ln_linear_solve(loop->linear, loop->step);
    return 1;
}

/* What a change of one of unknown i is measured in. */
static double size_of(const ln_loop *loop, int i) {
    return MET * fmax(fabs(loop->x[i]), loop->nominal[i]);
}

/* Largest change of an unknown by a full step, in units of what may be left. */
static double norm_of_step(const ln_loop *loop) {
    double largest = 0.0;
    for (int i = 0; i < loop->count; i++) {
        double part = fabs(loop->step[i]) / size_of(loop, i);
        if (!(part <= largest))
            largest = part;
    }
    return largest;
}

static void solve_alone(void *factors, double *b) {
    b[0] /= *(const double *)factors;
}

/* Is the step noise, in every unknown that it would still change? */
static int is_noise(ln_loop *loop) {
    ln_convergence *judge = &loop->convergence;
    double *slope = loop->slopes;
    if (loop->count == 1)
        slope[0] = loop->file[loop->program->output[1]];
    memset(judge->magnitude, 0, (size_t)loop->count * sizeof *judge->magnitude);
    ln_add_abs_product(&loop->pattern, slope, 1, loop->x, judge->magnitude);
    if (loop->count == 1)
        ln_convergence_find_noise_by(judge, solve_alone, slope);
    else
        ln_convergence_find_noise(judge, loop->linear);
    for (int i = 0; i < loop->count; i++)
        if (!(fabs(loop->step[i]) <= size_of(loop, i) ||
              ln_convergence_is_noise(judge, i, loop->step[i])))
            return 0;
    return 1;
}

static void move(ln_loop *loop, double part) {
    for (int i = 0; i < loop->count; i++)
        loop->x[i] = loop->before[i] + part * loop->step[i];
}

/* Halves the step until the residual falls (Armijo's rule). Returns the new residual, or -1 when it
 * falls nowhere. */
static double search(ln_loop *loop, const surroundings *at, double size) {
    double part = 1.0;
    memcpy(loop->before, loop->x, (size_t)loop->count * sizeof *loop->x);
    for (int halvings = 0; halvings <= MOST_HALVINGS; halvings++, part /= 2) {
        move(loop, part);
        double now = evaluate(loop, at);
        if (isfinite(now) && now <= (1.0 - 1e-4 * part) * size)
            return now;
    }
    memcpy(loop->x, loop->before, (size_t)loop->count * sizeof *loop->x);
    return -1.0;
}

static linnet_status fail(const ln_loop *loop, double t, const char *what, char blame[256]) {
    snprintf(blame, 256, "the algebraic loop %.100s %.100s at t = %.9g s", loop->members, what, t);
    return LINNET_RETRY;
}

linnet_status ln_loop_solve(ln_loop *loop, const double *parameters, const linnet_point *point,
                            long *iterations, char blame[256]) {
    const surroundings at = {parameters, point};
    double size = evaluate(loop, &at);
    if (!isfinite(size)) {
        char operation[128], what[160] = "is not finite";
        if (ln_program_explain(loop->program, loop->file, operation))
            snprintf(what, sizeof what, "is not finite (%s)", operation);
        return fail(loop, point->t, what, blame);
    }
    ln_convergence_begin(&loop->convergence, loop->affine ? 0 : 1);
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        if (size == 0.0)
            return LINNET_OK;
        ++*iterations;
        if (!newton_step(loop))
            return fail(
                loop, point->t,
                loop->affine
                    ? "has a gain of exactly one: it determines nothing"
                    : "has a gain of exactly one on the way to a solution: perhaps there is none",
                blame);
        if (ln_convergence_judge(&loop->convergence, norm_of_step(loop)) == LN_CONVERGED) {
            memcpy(loop->before, loop->x, (size_t)loop->count * sizeof *loop->x);
            move(loop, 1.0);
            return LINNET_OK;
        }
        size = search(loop, &at, size);
        if (size >= 0.0)
            continue;
        if (is_noise(loop))
            return LINNET_OK;
        return fail(loop, point->t, "has no solution near the last one", blame);
    }
    return fail(loop, point->t, "did not converge in 50 iterations", blame);
}
