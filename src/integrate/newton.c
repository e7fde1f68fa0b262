/* SPDX-License-Identifier: MIT */
/* Newton iteration with kept factorisations, backtracking from refused points, and damping by the
 * natural monotonicity test (P. Deuflhard, Newton Methods for Nonlinear Problems, 2004,
 * section 3.3) where it starts from afar. */
#include "integrate/newton.h"

#include "integrate/update_norm.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double SETTLED =
    1e4; /* an update below so many tolerances (1e-6 relative) is not damped further */
/* Exact updates of at most so many tolerances (1e-11 of the unknown), by the Jacobian of their very
 * point, that are not shorter than the ones before: this near a solution updates shrink by their
 * square, and what does not is rounding, whatever has made it. */
static const double ROUNDING = 1e4;
static const double SLOW = 0.1; /* a rate above it asks for a new factorisation */
/* So many updates of the least length in a row lead nowhere; so many of rounding go in circles. */
enum { MOST_SHORTEST = 5, MOST_STALLS = 5 };

linnet_status ln_newton_init(ln_newton *newton, ln_arena *arena, int n, int nvalues) {
    *newton = (ln_newton){.n = n, .nvalues = nvalues, .tolerance_factor = 1};
    newton->r = LN_NEW(arena, double, n);
    newton->dx = LN_NEW(arena, double, n);
    newton->trial = LN_NEW(arena, double, n);
    newton->norm_weight = LN_NEW(arena, double, n);
    newton->allowance_weight = LN_NEW(arena, double, n);
    newton->values = LN_NEW(arena, double, nvalues > n ? nvalues : n);
    if (ln_convergence_init(&newton->convergence, arena, n) != LINNET_OK ||
        ln_relaxation_init(&newton->relaxation, arena, n) != LINNET_OK)
        return LINNET_MEMORY;
    return newton->r && newton->dx && newton->trial && newton->norm_weight &&
                   newton->allowance_weight && newton->values
               ? LINNET_OK
               : LINNET_MEMORY;
}

static int must_converge(const ln_newton *newton, int i) {
    return newton->index == NULL || newton->index[i] < 3;
}

/* An iteration: the point and what its last updates were like. */
typedef struct newton_iteration {
    ln_newton *newton;
    ln_equation_set *set;
    ln_newton_matrix *matrix;
    double *x;
    int damped;
    int limited;            /* a block has shortened the last update */
    int shortest_in_a_row;  /* updates of the least length */
    int stalls;             /* updates of rounding */
    int from_earlier_solve; /* the factorisation is that of an earlier solution */
    int reused; /* the factorisation and the slopes of devices are those of the point before */
} newton_iteration;

static ln_newton_outcome factor(newton_iteration *at) {
    ln_newton *newton = at->newton;
    double *values = ln_linear_room(at->matrix->linear);
    at->set->jacobian(at->set, values);
    at->matrix->usable = newton->convergence.noise_is_known = at->from_earlier_solve = 0;
    switch (ln_linear_factor(at->matrix->linear, values)) {
    case LN_FACTORED: at->matrix->usable = 1; return LN_NEWTON_OK;
    case LN_SINGULAR: /* for the message */
        memcpy(newton->values, values, (size_t)at->set->pattern->start[newton->n] * sizeof *values);
        return LN_NEWTON_SINGULAR;
    default: return LN_NEWTON_MEMORY;
    }
}

static ln_newton_outcome evaluate(newton_iteration *at, const double *x, int manner) {
    switch (at->set->residual(at->set, x, manner, at->newton->r, &at->limited)) {
    case LINNET_OK: return LN_NEWTON_OK;
    case LINNET_MEMORY: return LN_NEWTON_MEMORY;
    default: return LN_NEWTON_REFUSED;
    }
}

/* Is the update that would follow the trial point shorter than the one that led there, or short
 * enough? */
static int gets_nearer(newton_iteration *at, double lambda) {
    ln_newton *newton = at->newton;
    double *next = newton->values; /* free between factorisations; at least n long */
    memcpy(next, newton->r, (size_t)newton->n * sizeof *next);
    ln_linear_solve(at->matrix->linear, next);
    const double following =
        ln_update_norm(newton, at->set->system->abstol, newton->trial, next, NULL);
    return following <= (1 - lambda / 4) * newton->convergence.norm ||
           following <= SETTLED / newton->tolerance_factor;
}

/* x of the next residual: x - lambda dx. Halves lambda while blocks refuse the point and, damped,
 * while the update that would follow is not shorter; the shortest is taken in any case,
 * MOST_SHORTEST times in a row at most. Leaves x and r at the accepted point. */
static ln_newton_outcome advance(newton_iteration *at) {
    ln_newton *newton = at->newton;
    double lambda = 1;
    for (int k = 0; k < LN_UPDATE_TRIES; k++, lambda /= 2) {
        const int last = k == LN_UPDATE_TRIES - 1;
        for (int i = 0; i < newton->n; i++)
            newton->trial[i] = at->x[i] - lambda * newton->dx[i];
        const int manner = at->reused ? LN_LIMIT_ON | LN_KEEP_SLOPES : LN_LIMIT_ON;
        const ln_newton_outcome outcome = evaluate(at, newton->trial, manner);
        if (outcome == LN_NEWTON_MEMORY)
            return outcome;
        if (outcome != LN_NEWTON_OK)
            continue;
        if (at->damped && !at->limited && !last && !gets_nearer(at, lambda))
            continue;
        at->shortest_in_a_row = last ? at->shortest_in_a_row + 1 : 0;
        memcpy(at->x, newton->trial, (size_t)newton->n * sizeof *at->x);
        return at->shortest_in_a_row == MOST_SHORTEST ? LN_NEWTON_DIVERGED : LN_NEWTON_OK;
    }
    return LN_NEWTON_REFUSED;
}

/* Is the update in dx noise, for every unknown that has not converged? The factorisation is that of
 * the point x. Between potentials of 310 V an update of kT/q, over which a junction's current grows
 * e-fold, can be pure rounding. */
static int is_noise(newton_iteration *at) {
    ln_newton *newton = at->newton;
    const ln_equation_set *set = at->set;
    const double *x = at->x;
    ln_convergence *judge = &newton->convergence;
    const double *abstol = set->system->abstol;
    if (!judge->noise_is_known) {
        at->set->jacobian(at->set, newton->values);
        memset(judge->magnitude, 0, (size_t)newton->n * sizeof *judge->magnitude);
        ln_add_abs_product(set->pattern, newton->values, 1, x, judge->magnitude);
        for (int k = 0; k < 2; k++)
            for (int i = 0; set->constant_terms[k] != NULL && i < newton->n; i++)
                judge->magnitude[i] += fabs(set->constant_terms[k][i]);
        for (int i = 0; set->q_nl != NULL && i < newton->n; i++)
            judge->magnitude[i] = fmax(judge->magnitude[i], set->per_q * fabs(set->q_nl[i]));
        ln_convergence_find_noise(judge, at->matrix->linear);
    }
    for (int i = 0; i < newton->n; i++) {
        const double met = ln_update_unit(newton, fabs(x[i]), abstol[i]);
        if (must_converge(newton, i) &&
            !(fabs(newton->dx[i]) <= met || ln_convergence_is_noise(judge, i, newton->dx[i])))
            return 0;
    }
    return ln_system_nonlinearity_here(set->system, x, newton->dx, judge->magnitude) <= 1;
}

/* Judges the update in dx; fresh: the Jacobian is that of x. */
static ln_verdict judge_update(const newton_iteration *at, int fresh) {
    ln_newton *newton = at->newton;
    double moved;
    const double norm = ln_update_norm(newton, at->set->system->abstol, at->x, newton->dx, &moved);
    if (newton->tolerance_factor <= LN_EXACT_TOLERANCE_FACTOR) {
        /* the rate from one update to the next may be that of other unknowns */
        const ln_verdict verdict = ln_convergence_judge(&newton->convergence, norm);
        return verdict == LN_CONVERGED && norm > 1 ? LN_GOES_ON : verdict;
    }
    if (at->reused)
        return ln_convergence_judge_reused(&newton->convergence, norm);
    return fresh && newton->allowance != NULL && !at->set->linear
               ? ln_convergence_judge_quadratic(&newton->convergence, norm, moved)
               : ln_convergence_judge(&newton->convergence, norm);
}

/* Does the error of an adaptive step end it? */
static int ends_by_error(const ln_newton *newton) {
    return newton->allowance != NULL && newton->allowance->allowed != NULL;
}

/* At adaptive steps: is each block its own tangent over the update in dx, in the rows that store
 * nothing? Rows that store take the rest up as charge. An amplifier that comes to its supply in the
 * step leaves a slope of 1e5, by which volts beyond it are an update of microvolts. Nothing else
 * does where coils end at junctions: a point with microamperes of a coil in a diode that blocks was
 * accepted as converged, and no step, however short, led on from there; or it did, by as many
 * kilovolts as the coil's inductance makes of them over that step. */
static int is_tangent(const newton_iteration *at) {
    const ln_newton *newton = at->newton;
    double *sizes = newton->trial; /* free until the next point is tried */
    return newton->most_bend == 0 || at->set->linear ||
           ln_system_is_tangent(at->set->system, at->x, newton->dx, newton->most_bend,
                                newton->most_departure, sizes);
}

/* An update that does not shrink: are there MOST_STALLS so short that only rounding can have
 * made them? Cancelling currents of a device, as of a saturated transistor, round more than
 * the sums of their slopes tell is_noise(). */
static int goes_round(newton_iteration *at) {
    const ln_newton *newton = at->newton;
    at->stalls += newton->tolerance_factor <= LN_EXACT_TOLERANCE_FACTOR &&
                  newton->convergence.norm <= ROUNDING;
    return at->stalls >= MOST_STALLS;
}

/* Does a row whose Jacobian changes keep more than SLOW of what it missed, beside `size`? */
static int any_left(const ln_newton *newton, const ln_system *system, const double *left,
                    const double *size) {
    int any = 0;
    for (int k = 0; k < system->ndf + system->ndq && !any; k++) {
        const int i = k < system->ndf ? system->df_row[k] : system->dq_row[k - system->ndf];
        any = fabs(left[i]) > SLOW * fabs(newton->r[i]) + size[i];
    }
    return any;
}

/* Does the factorisation of another point serve here: does the update in dx leave less than SLOW of
 * itself, by the Jacobian at x? The rate from the update before says nothing where this one goes
 * another way: beside an amplifier that is about to leave its supply 20 mV of its output were an
 * update of 0.7 uV by the slope of 1e5 that it has between the two. Where each row keeps no more
 * than SLOW of what it missed, beside rounding of its terms, nothing is solved for. */
static int serves_here(newton_iteration *at) {
    static const double ROUNDED = 16 * DBL_EPSILON; /* of a row's terms, of which it sums some */
    ln_newton *newton = at->newton;
    const ln_equation_set *set = at->set;
    double *left = newton->trial, *size = newton->convergence.magnitude; /* free here */
    const size_t bytes = (size_t)newton->n * sizeof *left;
    set->jacobian(at->set, newton->values);
    ln_matrix_apply(&(ln_matrix){.pattern = *set->pattern, .value = newton->values}, newton->dx,
                    left);
    for (int i = 0; i < newton->n; i++)
        left[i] = newton->r[i] - left[i];
    memset(size, 0, bytes);
    if (!any_left(newton, set->system, left, size))
        return 1;
    ln_add_abs_product(set->pattern, newton->values, ROUNDED, at->x, size);
    if (!any_left(newton, set->system, left, size))
        return 1;
    ln_linear_solve(at->matrix->linear, left);
    return ln_update_norm(newton, set->system->abstol, at->x, left, NULL) <=
           SLOW * newton->convergence.norm;
}

/* May an iteration that has converged end with the update in dx? A square of 1e-17 V is no tangent
 * over an update of its own size, which is noise. */
static int ends_here(newton_iteration *at, int fresh) {
    const int is_adaptive = at->newton->most_bend > 0;
    if (is_adaptive && !fresh && !at->reused && !serves_here(at)) {
        at->matrix->usable = 0;
        return 0;
    }
    return is_tangent(at) || (fresh && is_noise(at));
}

/* Has the iteration converged, by the verdict on the last update? An update that stalls may be
 * noise, but only by the Jacobian at this very point (fresh): another one may hold a conductance
 * that is no longer there, by which a large residual is a small update. */
static int has_converged(newton_iteration *at, ln_verdict verdict, int fresh) {
    if (at->limited || verdict == LN_GOES_ON)
        return 0;
    if (verdict == LN_CONVERGED)
        return ends_here(at, fresh);
    if (!fresh)
        at->matrix->usable = 0;
    return fresh && (goes_round(at) || is_noise(at));
}

/* Shortens an update in dx that has not converged to the part by which it is to go on. By two
 * points' own Jacobians only: by another one updates may go to and fro for want of a Jacobian.
 * Exact iterations are those of generated code. What blocks limit or damping shortens is theirs. A
 * shortened update tells nothing of the rate. */
static void relax(newton_iteration *at, ln_verdict verdict, int fresh) {
    ln_newton *newton = at->newton;
    double *weight = newton->trial; /* free until the next point is tried */
    if (!fresh || at->limited || at->damped ||
        newton->tolerance_factor <= LN_EXACT_TOLERANCE_FACTOR) {
        ln_relaxation_forget(&newton->relaxation);
        return;
    }
    for (int i = 0; i < newton->n && verdict != LN_GOES_ON; i++)
        weight[i] = 1 / ln_update_unit(newton, fmax(fabs(at->x[i]), fabs(at->x[i] - newton->dx[i])),
                                       at->set->system->abstol[i]);
    const double part =
        ln_relaxation_part(&newton->relaxation, newton->dx, weight, verdict == LN_GOES_ON);
    if (part == 1)
        return;
    for (int i = 0; i < newton->n; i++)
        newton->dx[i] *= part;
    ln_convergence_begin(&newton->convergence, 1);
}

/* Solves for the update at x and judges it; *needs_another: another one is needed. */
static ln_newton_outcome update(newton_iteration *at, int *needs_another) {
    ln_newton *newton = at->newton;
    const int fresh = !at->matrix->usable;
    *needs_another = 0;
    newton->iterations++;
    if (fresh) {
        const ln_newton_outcome outcome = factor(at);
        if (outcome != LN_NEWTON_OK)
            return outcome;
    }
    memcpy(newton->dx, newton->r, (size_t)newton->n * sizeof *newton->dx);
    ln_linear_solve(at->matrix->linear, newton->dx);
    const ln_verdict verdict = judge_update(at, fresh);
    if (!isfinite(newton->convergence.norm))
        return LN_NEWTON_DIVERGED;
    if (has_converged(at, verdict, fresh || at->set->linear)) {
        for (int i = 0; i < newton->n; i++)
            at->x[i] -= newton->dx[i];
        return LN_NEWTON_CONVERGED;
    }
    *needs_another = 1;
    relax(at, verdict, fresh && !at->set->linear);
    /* solve_nonlinear() (implicit.c) tries again with a new factorisation */
    return at->from_earlier_solve && verdict == LN_RUNS_AWAY ? LN_NEWTON_DIVERGED : LN_NEWTON_OK;
}

/* The same point with its own Jacobian. */
static ln_newton_outcome stay(newton_iteration *at) {
    if (!at->reused)
        return LN_NEWTON_OK;
    at->reused = 0;
    return evaluate(at, at->x, LN_LIMIT_ON);
}

/* Goes on from the point of the last update. With a Jacobian for each point one of them may serve
 * twice: the update after it is then so short that a new one would not be noticed. Not at adaptive
 * steps: the end of one is met by the Jacobian of that very point, since a six-pulse bridge without
 * charge stops at a commutation otherwise. */
static ln_newton_outcome move_on(newton_iteration *at) {
    ln_newton *newton = at->newton;
    ln_newton_matrix *matrix = at->matrix;
    const ln_convergence *judge = &newton->convergence;
    const int slow = judge->updates > 1 ? judge->rate > SLOW : !at->from_earlier_solve;
    at->reused =
        newton->renew && !at->damped && !ends_by_error(newton) && ln_convergence_may_reuse(judge);
    const ln_newton_outcome outcome = advance(at);
    if (outcome == LN_NEWTON_OK && !at->reused && (at->damped || slow || newton->renew))
        matrix->usable = 0;
    if (outcome != LN_NEWTON_OK || !at->limited)
        return outcome;
    ln_convergence_begin(&newton->convergence, 1);
    matrix->usable &= !at->reused;
    return stay(at);
}

ln_newton_outcome ln_newton_solve(ln_newton *newton, ln_equation_set *set, ln_newton_matrix *matrix,
                                  double *x, int iterations, int damped) {
    ln_convergence *judge = &newton->convergence;
    newton_iteration at = {
        newton, set, matrix, x, .damped = damped, .from_earlier_solve = matrix->usable};
    ln_newton_outcome outcome = evaluate(&at, x, set->linear ? LN_LIMIT_OFF : LN_LIMIT_ON);
    if (outcome != LN_NEWTON_OK)
        return outcome;
    ln_update_weigh(newton);
    ln_relaxation_begin(&newton->relaxation);
    ln_convergence_begin(judge, set->linear ? 0 : at.from_earlier_solve ? ln_convergence_worst : 1);
    for (int iteration = 0; iteration < iterations; iteration++) {
        int needs_another;
        outcome = update(&at, &needs_another);
        if (outcome != LN_NEWTON_OK || !needs_another)
            return outcome;
        outcome = matrix->usable ? move_on(&at) : stay(&at);
        if (outcome != LN_NEWTON_OK)
            return outcome;
    }
    return LN_NEWTON_DIVERGED;
}
