/* SPDX-License-Identifier: MIT */
/* Radau IIA of order 5 [Hairer, Wanner: Solving ODEs II, 2nd ed., sections IV.5 and IV.8; IV.10 and
 * VI.1 for systems with singular E and for variables of index 2 and 3].
 *
 * The three stages Y_j = x0 + z_j at t + c_j h satisfy, with S = A^-1 of the method,
 *
 *     sum_j S_ij (q(Y_j) - q0)/h + f(Y_i, t_i) = 0,
 *
 * which on rows without q is f(Y_i) = 0. The transformation T with T^-1 S T = diag(gamma, [alpha
 * -beta; beta alpha]) splits the simplified Newton system into a real one, K1 = gamma/h C + G,
 * and a complex one, K2 = (alpha + i beta)/h C + G, with C = dq/dx (E and the slopes of q_nl) and
 * G = df/dx (A and the slopes of f_nl). Factorisations and the Jacobian are kept while Newton
 * converges fast; the step is predicted after Gustafsson (IV.8.21 f.). The error is estimated by
 * the embedded formula of order 3 (IV.8.19 f.), and tolerances are reduced so that the global error
 * behaves like a method of order 5 (rtol' = 0.1 rtol^(2/3)).
 */
/* Loops over all unknowns become vectors by -O3 only. The pragma would else lose the command line's
 * contraction. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=off")
#endif

#include "integrate/radau5.h"

#include "base/loops.h"
#include "integrate/layer.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Euler's method after so many rejections; the first step is so many roundings of t long. */
enum { EULER_AFTER = 1, LEAST_ROUNDINGS = 1000 };
/* Bounds of h/h_new: a step shrinks to 1/5 at most and grows 8-fold at most (RADAU5's FACL, FACR);
 * below KEEP_H_BELOW (RADAU5's QUOT2) it stays, with its factorisation. */
static const double SAFE = 0.9, QUOTIENT_MAX = 5, QUOTIENT_MIN = 1.0 / 8, KEEP_H_BELOW = 1.2;

static linnet_status create(ln_run *run, void *stepper_data) {
    ln_radau5 *radau = stepper_data;
    const ln_system *system = run->system;
    size_t n = (size_t)run->n, entries = (size_t)system->pattern.start[run->n];
    double **vectors[] = {&radau->stages.z[0],
                          &radau->stages.z[1],
                          &radau->stages.z[2],
                          &radau->stages.w[0],
                          &radau->stages.w[1],
                          &radau->stages.w[2],
                          &radau->stages.q_increment[0],
                          &radau->stages.q_increment[1],
                          &radau->stages.q_increment[2],
                          &radau->stages.rate[0],
                          &radau->stages.rate[1],
                          &radau->stages.rate[2],
                          &radau->last.differences[0],
                          &radau->last.differences[1],
                          &radau->last.differences[2],
                          &radau->last.quartic,
                          &radau->estimate.scale,
                          &radau->rate_at_start,
                          &radau->estimate.error,
                          &radau->y,
                          &radau->stages.q_nl_start,
                          &radau->estimate.layer,
                          &radau->end.q_nl,
                          &radau->end.f};
    int ok = 1;
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        ok &= (*vectors[k] = LN_NEW(run->arena, double, n)) != NULL;
    ok &= (radau->complex_update = LN_NEW(run->arena, double, 2 * n)) != NULL;
    ok &= (radau->jacobian.storage = LN_NEW(run->arena, double, entries)) != NULL;
    ok &= (radau->jacobian.statics = LN_NEW(run->arena, double, entries)) != NULL;
    ok &= (radau->jacobian.values = LN_NEW(run->arena, double, 2 * entries)) != NULL;
    ok &= (radau->jacobian.stored = LN_NEW(run->arena, char, n)) != NULL;
    ok &= (radau->is_physical = LN_NEW(run->arena, char, n)) != NULL;
    ok &= (radau->stages.follows = LN_NEW(run->arena, char, n)) != NULL;
    ok = ok && ln_system_followers(system, radau->stages.follows) == LINNET_OK;
    ok &= ln_across_init(&radau->across, run) == LINNET_OK;
    radau->jacobian.q_by_x =
        (ln_matrix){.pattern = system->pattern, .value = radau->jacobian.storage};
    ok &= ln_convergence_init(&radau->stages.convergence, run->arena, run->n) == LINNET_OK;
    ok &= ln_radau5_update_init(radau, run) == LINNET_OK;
    if (!ok || !ln_radau5_add_pair(run, radau))
        return ln_no_memory(run->report);
    /* RADAU5: rtol' = 0.1 rtol^(2/3), FNEWT = max(10 eps/rtol', min(0.03, sqrt(rtol'))) */
    radau->rtol = 0.1 * pow(run->settings->tolerance, 2.0 / 3);
    radau->stages.newton_tolerance =
        fmax(10 * DBL_EPSILON / radau->rtol, fmin(0.03, sqrt(radau->rtol)));
    return LINNET_OK;
}

static void release(void *stepper_data) {
    ln_radau5 *radau = stepper_data;
    for (int k = 0; k < radau->cache.npairs; k++) {
        ln_linear_free(radau->cache.pairs[k].real);
        ln_linear_free(radau->cache.pairs[k].complex);
    }
    ln_radau5_coupled_free(radau->stages.coupled);
}

/* The real and the complex matrix are factored and solved together: a pair counts as one, as in
 * RADAU5; the solutions of the error estimates, real ones alone, are added. */
static void count(ln_run *run, const void *stepper_data) {
    const ln_radau5 *radau = stepper_data;
    for (int k = 0; k < radau->cache.npairs; k++)
        ln_run_count_linear(run, radau->cache.pairs[k].real);
    ln_radau5_coupled_count(run, radau->stages.coupled);
}

/* What counts as an error of 1. The error of an unknown of index k is judged times h^(k-1) [VI.1,
 * VII.4]: its own errors of that size do not reach the others. */
static void set_scale(const ln_run *run, ln_radau5 *radau) {
    for (int i = 0; i < run->n; i++) {
        radau->estimate.scale[i] = radau->rtol * ln_error_unit(run, i, fabs(run->x[i]));
        for (int k = 1; run->index != NULL && k < run->index[i]; k++)
            radau->estimate.scale[i] /= radau->h;
    }
}

/* What this network allows. Newton may go on from another point's Jacobian where it is nonlinear,
 * but the constraints of a mechanism are too easily met far from its way. */
static void classify_network(ln_run *run, ln_radau5 *radau) {
    ln_choose_error_test(run);
    radau->stages.may_renew = !run->system->linear && !ln_run_has_index_3(run);
    const int *by = run->system->E.pattern.start;
    for (int i = 0; i < run->n; i++) {
        radau->jacobian.stored[i] = by[i + 1] > by[i];
        radau->is_physical[i] = (char)ln_network_is_physical(run->system->network, i);
    }
}

/* What is kept of the point a step begins at, where that is not the end of a step. Within rounding
 * of a crossing the branches of the instant may have no value (a root of -1e-13), where those of
 * the point have. */
static linnet_status look_at_point(ln_run *run, ln_radau5 *radau) {
    ln_side side = run->side;
    run->rests = 0;
    do {
        if (ln_radau5_rates(run, side, run->x, radau->stages.q_nl_start, radau->rate_at_start))
            return LINNET_OK;
        run->outcome = LN_NEWTON_REFUSED;
    } while (ln_run_follow(run, &side));
    return ln_report_no_convergence(run, &run->newton, run->outcome, &run->system->pattern,
                                    radau->h, "the equations have no value at a restart");
}

/* The first step after a start or an event, in parts of the run. It is tiny, since nothing is
 * known of the solution there, and costs little, since steps grow 8-fold: from 1e-8 to all of the
 * run in nine. At a tighter tolerance the first step, which no history of errors bounds, must be
 * shorter; 1e-8 keeps it above rounding. A run longer than LONG_RUN seconds counts as one of that
 * length: a day of a heated house may contain a switch of microseconds. */
static const double FIRST_OF_TOLERANCE = 1e-2, FIRST_AT_LEAST = 1e-8, LONG_RUN = 1;

static linnet_status restart(ln_run *run, void *stepper_data) {
    ln_radau5 *radau = stepper_data;
    const ln_settings *settings = run->settings;
    double span = settings->end - settings->begin;
    classify_network(run, radau);
    radau->first = 1;
    radau->last.by_euler = radau->stages.switching = 0;
    radau->commutation = (ln_radau5_commutation){0};
    ln_across_restart(&radau->across);
    radau->rejected = radau->unsolved = 0;
    radau->jacobian.valid = radau->jacobian.at_start = 0;
    radau->jacobian.h_factored = 0;
    radau->accepted = 0;
    radau->stages.convergence.remaining = 1;
    radau->stages.theta = 1;
    /* not so tiny that the clock stands still */
    radau->h = (FIRST_OF_TOLERANCE * settings->tolerance + FIRST_AT_LEAST) * fmin(LONG_RUN, span);
    radau->h = fmax(radau->h, LEAST_ROUNDINGS * DBL_EPSILON * fabs(run->side.t));
    radau->h = fmin(run->bound.longest, fmax(radau->h, run->bound.first_h));
    if (radau->cache.quantised_h)
        radau->h = ln_quantise_step(radau->h);
    return look_at_point(run, radau);
}

static linnet_status resume(ln_run *run, void *stepper_data, ln_resumption what) {
    return what == LN_RESUME_SLOPES ? LINNET_OK : look_at_point(run, stepper_data);
}

/* ---- steps ---- */

/* -f and q1 at the new point x1, by the evaluation that has shown that it meets the equations. */
static int evaluate_end(ln_run *run, ln_radau5 *radau, ln_side end) {
    if (!radau->end.evaluated &&
        !ln_radau5_rates(run, end, run->x1, radau->end.q_nl, radau->rate_at_start))
        return 0;
    for (int i = 0; radau->end.evaluated && i < run->n; i++)
        radau->rate_at_start[i] = -radau->end.f[i];
    memcpy(radau->stages.q_nl_start, radau->end.q_nl,
           (size_t)run->n * sizeof *radau->stages.q_nl_start);
    ln_matrix_apply(&run->system->E, run->x1, run->q1);
    for (int i = 0; i < run->n; i++)
        run->q1[i] += radau->stages.q_nl_start[i];
    return 1;
}

/* Takes the step: the new point, and the collocation polynomial for the next guess and for
 * interpolation. */
static int accept(ln_run *run, ln_radau5 *radau, ln_side stop, int last) {
    const int n = run->n;
    const double h = radau->h, t = last ? stop.t : run->side.t + h;
    for (int i = 0; i < n; i++)
        run->x1[i] = run->x[i] + radau->stages.z[2][i];
    if (!evaluate_end(run, radau, ln_side_at(stop, t)))
        return 0;
    radau->last.h = h;
    radau->last.has_quartic = 0;
    ln_radau5_find_differences(radau, n);
    for (int i = 0; i < n; i++)
        run->f1[i] = run->system->dynamic[i] ? -radau->rate_at_start[i] : 0;
    ln_run_commit(run, h);
    run->side.t = t;
    run->side.within = stop.within;
    ln_count_step(run, h);
    return 1;
}

/* Across a jump the polynomial is none: values within the step lie between its ends. */
static void straighten(const ln_run *run, ln_radau5 *radau) {
    for (int i = 0; i < run->n; i++) {
        radau->last.differences[0][i] = radau->stages.z[2][i];
        radau->last.differences[1][i] = radau->last.differences[2][i] = 0;
    }
}

/* The collocation polynomial u is of order 3 within a step, whose end is of order 5. It meets the
 * equations at its nodes; at the start it misses K1 e, e the error estimate, which is known. So its
 * defect is d(s) = d(0) p(s) / p(0), p = (s - c1) (s - c2) (s - 1), to the next order [W. Enright,
 * SIAM J. Numer. Anal. 26 (1989) 588], and u - h int d is of order 4, with e in the place of
 * h K1^-1 d, which is damped where that is fast; the integral of p is s (1 - s)^2 (s - 0.4) / 4.
 * Where an error is large for what is allowed something jumps, and u stays; as in nonlinear
 * networks, whose rows are solved for (between.h). */
static void keep_defect(const ln_run *run, ln_radau5 *radau) {
    const double weight = -gamma_ / (4 * c1 * c2), *e = radau->estimate.error;
    if (!run->system->linear)
        return;
    for (int i = 0; i < run->n; i++) {
        const int is_told = run->index == NULL || run->index[i] == 1;
        radau->last.quartic[i] = is_told ? weight * e[i] : 0;
        if (is_told && !(fabs(e[i]) <= LN_EXPECTED * radau->estimate.scale[i]))
            return;
    }
    radau->last.has_quartic = 1;
}

/* An error this small, in units of the tolerance, says nothing of the step: Newton shortened it. */
static const double NEGLIGIBLE = 1e-8;

/* After an accepted step with this error: the next step, by Gustafsson's predictive controller
 * [IV.8], and whether factorisations are kept. */
static void predict(ln_run *run, ln_radau5 *radau, double error, double quotient, double most) {
    double h = radau->h;
    radau->accepted++;
    if (radau->accepted > 1) {
        double g =
            radau->last.h_controlled / h * pow(error * error / radau->last.error, 0.25) / SAFE;
        quotient = fmax(quotient, fmax(QUOTIENT_MIN, fmin(QUOTIENT_MAX, g)));
    }
    radau->last.h_controlled = h;
    radau->last.error = fmax(1e-2, error);
    double next = fmin(h / quotient, most);
    if (radau->rejected)
        next = fmin(next, h);
    if (error < NEGLIGIBLE)
        next = fmax(next, h); /* Newton made it this short, not the error */
    radau->first = radau->rejected = radau->unsolved = radau->jacobian.at_start = 0;
    double growth = next / h;
    if (radau->cache.quantised_h && next < most)
        next = ln_quantise_step(next);
    /* both factorisations kept */
    if (radau->stages.theta <= KEEP_JACOBIAN && growth >= 1 && growth <= KEEP_H_BELOW)
        next = h;
    else if (radau->stages.theta > KEEP_JACOBIAN && radau->end.evaluated)
        ln_radau5_take_jacobian(run, radau);
    else if (radau->stages.theta > KEEP_JACOBIAN)
        radau->jacobian.valid = run->system->linear;
    radau->h = next;
}

static void shorten(ln_run *run, ln_radau5 *radau, double factor) {
    radau->h *= factor;
    radau->rejected++;
    radau->unsolved = 0;
    run->statistics->rejected++;
    if (!radau->jacobian.at_start)
        radau->jacobian.valid = run->system->linear;
}

/* What is not stored is the polynomial's slope at the step's end, and may be off where the error
 * test sees nothing: 1, the step becomes one to a commutation. */
static int turns_to_commutation(ln_run *run, ln_radau5 *radau, ln_side side, double error) {
    const int looks = radau->across.looks;
    const double shorter =
        ln_across_shorten(&radau->across, run, radau->h, side, radau->estimate.error, error);
    if (radau->across.looks != looks)
        radau->end.evaluated = 0;
    if (shorter == 0)
        return 0;
    shorten(run, radau, shorter / radau->h);
    return 1;
}

/* The error of three Euler steps, as a single one tells it (INFINITY: it has no solution): their
 * own, not an embedded formula's, for which rtol is reduced. In units of the tolerance itself. */
static double euler_error(ln_run *run, ln_radau5 *radau, ln_side stop) {
    if (!ln_run_solve_euler(run, radau->h, run->q, ln_side_at(stop, run->side.t + radau->h),
                            ln_run_end(run)))
        return INFINITY;
    for (int i = 0; i < run->n; i++)
        radau->estimate.error[i] = run->x1[i] - run->x[i] - radau->stages.z[2][i];
    return ln_radau5_error_norm(run, radau, radau->estimate.error) * radau->rtol /
           run->settings->tolerance;
}

/* Across a commutation three Euler steps are the step, a line within. 0: it became shorter. */
static int lead_across(ln_run *run, ln_radau5 *radau, ln_side stop, int last) {
    double error = INFINITY;
    radau->end.evaluated = 0;
    radau->leaves_start = radau->estimate.has_layer = 0;
    if (ln_radau5_guess_by_euler(run, radau, stop))
        error = euler_error(run, radau, stop);
    if (!(error < 1) || !accept(run, radau, stop, last)) {
        const double shorter = ln_across_shorten(&radau->across, run, radau->h, stop,
                                                 radau->estimate.error, fmax(error, 2));
        shorten(run, radau, shorter > 0 ? shorter / radau->h : 0.5);
        return 0;
    }
    straighten(run, radau);
    ln_radau5_begin_sum(run, radau);
    ln_across_note_step(&radau->across, &radau->h);
    radau->first = 1;
    radau->rejected = radau->unsolved = radau->jacobian.valid = 0;
    radau->accepted = 0;
    return 1;
}

static int may_step_by_euler(const ln_run *run, const ln_radau5 *radau) {
    const int no_shorter = radau->h <= ln_shortest_step(run->side.t);
    return run->system->has_junctions &&
           (radau->last.by_euler || radau->rejected >= EULER_AFTER || no_shorter);
}

/* A junction that switches within the step has stages on both sides of its knee, which no one
 * Jacobian serves, and a coil's current that ends there leaves no step short enough. Then three
 * Euler steps are the step, and a single one tells their error. 1 when it is done, -1 when a
 * shorter one is to lead to the commutation. */
static int euler_step(ln_run *run, ln_radau5 *radau, ln_side stop, int last) {
    if (!may_step_by_euler(run, radau))
        return 0;
    if (!ln_radau5_guess_by_euler(run, radau, stop))
        return 0;
    radau->end.evaluated = 0;
    radau->leaves_start = radau->first;
    radau->estimate.has_layer = 0;
    const double error = euler_error(run, radau, stop);
    if (error < 1 && turns_to_commutation(run, radau, stop, error))
        return -1;
    if (!(error < 1 || ln_passes_layer(run, radau->h, error, radau->estimate.error)) ||
        !accept(run, radau, stop, last))
        return 0;
    ln_radau5_begin_sum(run, radau);
    radau->h *= fmin(2, SAFE / sqrt(error));
    radau->last.by_euler = 1;
    radau->first = radau->rejected = radau->unsolved = radau->jacobian.valid = 0;
    radau->accepted = 0;
    return 1;
}

/* The same of the stages' end as ln_passes_layer(). */
static int passes_layer(ln_run *run, const ln_radau5 *radau, double error) {
    for (int i = 0; i < run->n; i++)
        run->x1[i] = run->x[i] + radau->stages.z[2][i];
    return ln_passes_layer(run, radau->h, error, radau->estimate.error);
}

/* A step whose stages are solved. */
typedef struct trial {
    ln_side stop, side;        /* it may end there; its stages were evaluated on this side */
    double predicted, longest; /* sizes: as the controller predicted it; as it may be at most */
    int last;                  /* it ends at the stop */
} trial;

/* Takes the step where its error allows that and its polynomial holds, and predicts the next one;
 * else the step becomes shorter, and 0. */
static int take_or_shorten(ln_run *run, ln_radau5 *radau, const trial *at) {
    const double h = radau->h, error = ln_radau5_error(run, radau, at->side);
    const double factor =
        fmin(SAFE, SAFE * (1 + 2 * LN_RADAU5_NEWTON) /
                       (radau->stages.convergence.updates + 2 * LN_RADAU5_NEWTON));
    double quotient = fmax(QUOTIENT_MIN, fmin(QUOTIENT_MAX, pow(error, 0.25) / factor));
    if (error < 1 && turns_to_commutation(run, radau, at->side, error))
        return 0;
    const int holds =
        error < 1 ? ln_radau5_holds_between(run, radau, at->side) : passes_layer(run, radau, error);
    const int jumps = error < 1 && !holds && radau->commutation.is_across;
    if ((holds || jumps) && accept(run, radau, at->stop, at->last)) {
        if (jumps)
            straighten(run, radau);
        else
            keep_defect(run, radau);
        radau->last.by_euler = 0;
        ln_radau5_sum_errors(run, radau);
        predict(run, radau, error, quotient, at->longest);
        /* cut by the stop time, not by the error */
        if (at->last && h < at->predicted && radau->h < at->predicted)
            radau->h = fmin(at->predicted, at->longest);
        ln_radau5_pass_commutation(radau);
        ln_across_note_step(&radau->across, &radau->h);
        return 1;
    }
    if (error < 1) /* it does not hold, or a block refuses its end */
        quotient = fmax(quotient, 2);
    ln_note_rejected(run);
    shorten(run, radau,
            ln_radau5_shorten_to_commutation(run, radau, at->side, error,
                                             radau->first ? 0.1 : 1 / quotient));
    return 0;
}

/* The stages of a step of radau->h; *side follows where frozen modes have no value. 0: *shrink is
 * by how much to shorten the step. */
static int solve_stages(ln_run *run, ln_radau5 *radau, ln_side *side, double *shrink) {
    set_scale(run, radau);
    ln_radau5_guess(run, radau);
    if (ln_radau5_factor(run, radau) &&
        (ln_radau5_solve(run, radau, *side, shrink) ||
         (ln_run_follow(run, side) && ln_radau5_solve(run, radau, *side, shrink))))
        return 1;
    if (run->outcome == LN_NEWTON_SINGULAR)
        *shrink = 0.5;
    return 0;
}

/* After stages without a solution a step of backward Euler leads on (1), or a trial is shorter. */
static int take_unsolved(ln_run *run, ln_radau5 *radau, const trial *at, double shrink) {
    const double tried = radau->h;
    const int led = euler_step(run, radau, at->stop, at->last);
    if (led < 0)
        return 0;
    if (led > 0) {
        if (at->last && tried < at->predicted) /* cut by the stop time */
            radau->h = fmin(at->predicted, at->longest);
        return 1;
    }
    ln_note_unsolved(run, radau->stages.real_update); /* tells where */
    shorten(run, radau, ln_radau5_shorten_to_commutation(run, radau, at->side, 1, shrink));
    radau->unsolved = radau->stages.may_renew;
    return 0;
}

/* Is the step to try, behind one of `tried`, long enough to be one? The shortest is tried in place
 * of shorter ones. */
static int is_step(const ln_run *run, ln_radau5 *radau, double tried) {
    const double shortest = ln_shortest_step(run->side.t);
    if (radau->h < shortest && tried > shortest)
        radau->h = shortest;
    return radau->h >= shortest;
}

static linnet_status advance(ln_run *run, void *stepper_data, ln_side stop) {
    ln_radau5 *radau = stepper_data;
    const double most = run->bound.longest;
    double tried = INFINITY;
    radau->h = fmin(radau->h, most); /* it was predicted when another limit held */
    for (;;) {
        LN_TRY(ln_check_limits(run));
        double wanted = radau->h, left = stop.t - run->side.t, shrink = 0.5;
        int last = wanted * (1 + 1e-9) >= left;
        if (last)
            radau->h = left;
        else if (run->index != NULL && left < 2 * wanted)
            radau->h = left / 2; /* what is left else may be so short that rounding / h is all */
        if (!last && !is_step(run, radau, tried))
            return ln_no_step(run, radau->h, stop);
        tried = radau->h;
        if (!radau->jacobian.valid && !ln_radau5_jacobian(run, radau, run->side, run->x)) {
            run->outcome = LN_NEWTON_REFUSED;
            return ln_report_no_convergence(run, &run->newton, run->outcome, &run->system->pattern,
                                            radau->h, "the Jacobian has no value");
        }
        ln_side side = stop;
        if (radau->across.state == LN_IS_ACROSS) {
            set_scale(run, radau);
            if (lead_across(run, radau, stop, last))
                return LINNET_OK;
            continue;
        }
        const int solved = solve_stages(run, radau, &side, &shrink);
        const trial at = {stop, side, wanted, most, last};
        if (solved ? take_or_shorten(run, radau, &at) : take_unsolved(run, radau, &at, shrink))
            return LINNET_OK;
    }
}

static linnet_status interpolate(ln_run *run, void *stepper_data, double t, double *x) {
    const ln_radau5 *radau = stepper_data;
    double s = (t - run->side.t) / radau->last.h; /* -1 at the start of the step, 0 at its end */
    const double *first = radau->last.differences[0], *second = radau->last.differences[1],
                 *third = radau->last.differences[2], *end = run->x;
    LN_APART
    for (int i = 0; i < run->n; i++)
        x[i] = end[i] + s * (first[i] + (s - (c2 - 1)) * (second[i] + (s - (c1 - 1)) * third[i]));
    if (!radau->last.has_quartic || s < -1)
        return LINNET_OK;
    const double shape = (1 + s) * s * s * (s + 0.6), *quartic = radau->last.quartic;
    LN_APART
    for (int i = 0; i < run->n; i++)
        x[i] += shape * quartic[i];
    return LINNET_OK;
}

const ln_stepper_class ln_stepper_radau5 = {
    .method =
        {"radau5",
         "Radau IIA of order 5, adaptive: L-stable, the method for accuracy and for stiff systems",
         5, 1, 2},
    .size = sizeof(ln_radau5),
    .create = create,
    .count = count,
    .release = release,
    .restart = restart,
    .resume = resume,
    .advance = advance,
    .interpolate = interpolate,
    .interpolation = {
        .degree = 3, .ninside = 2, .inside = {(4 - LN_ROOT6) / 10, (4 + LN_ROOT6) / 10}}};
