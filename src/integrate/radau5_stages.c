/* SPDX-License-Identifier: MIT */
/* The three stages of a radau5 step by simplified Newton: the Jacobian of the step's start serves
 * all three, and the next step while it converges fast [IV.8]. A transistor that switches within
 * the step needs more: guesses that follow it, and the Jacobian of where it ends. */
/* Loops over all unknowns become vectors by -O3 only. The pragma would else lose the command line's
 * contraction. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=off")
#endif

#include "integrate/radau5.h"

#include "base/loops.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Steps that differ by rounding share their factorisations. */
static const double SAME = 1e-12;

/* ---- Jacobian and factorisations ---- */

static double rests_within(const ln_run *run, const ln_radau5 *radau) {
    const double left = radau->rtol * radau->stages.newton_tolerance;
    return radau->stages.may_renew ? ln_devices_rest_within(run, radau->jacobian.stored, left) : 0;
}

void ln_radau5_take_jacobian(ln_run *run, ln_radau5 *radau) {
    ln_note_stored(run);
    ln_system_jacobian(run->system, 0, radau->jacobian.statics);
    ln_system_mass_matrix(run->system, radau->jacobian.storage);
    for (int k = 0; k < run->system->ndq; k++)
        if (run->system->dq[k] < 0 || run->system->dq[k] > 0)
            radau->jacobian.stored[run->system->dq_col[k]] = 1;
    run->rests = rests_within(run, radau);
    radau->jacobian.valid = radau->jacobian.at_start = 1;
    radau->jacobian.h_factored = 0;
}

int ln_radau5_jacobian(ln_run *run, ln_radau5 *radau, ln_side side, const double *x) {
    ln_system *system = run->system;
    if (radau->jacobian.valid && system->linear)
        return 1;
    while (ln_system_eval(system, &(ln_moment){side, x}, LN_LIMIT_OFF, NULL, NULL, NULL) !=
           LINNET_OK) {
        run->outcome = LN_NEWTON_REFUSED;
        if (!ln_run_follow(run, &side))
            return 0;
    }
    ln_radau5_take_jacobian(run, radau);
    return 1;
}

int ln_radau5_add_pair(ln_run *run, ln_radau5 *radau) {
    ln_radau5_pair *pair = &radau->cache.pairs[radau->cache.npairs];
    pair->real = ln_linear_new(&run->system->pattern, run->settings->linear);
    pair->complex = ln_linear_new_complex(&run->system->pattern, run->settings->linear);
    if (pair->real == NULL || pair->complex == NULL) {
        ln_linear_free(pair->real);
        ln_linear_free(pair->complex);
        *pair = (ln_radau5_pair){0};
        return 0;
    }
    ln_linear_profile(pair->real, run->settings->profile);
    ln_linear_profile(pair->complex, run->settings->profile);
    radau->cache.npairs++;
    radau->cache.real = pair->real;
    radau->cache.complex = pair->complex;
    return 1;
}

/* What all pairs together may take. */
static const double MOST_BYTES = 256e6;
/* From so many entries a row on (an RC ladder has 4, a mesh of 10 x 10 has 13), a factorisation
 * costs more than the shorter steps of quantised sizes. */
enum { LEAST_FILL = 8 };

/* After the first factorisation: is it worth keeping others? A source's edge asks for a step of
 * each size again, so that few pairs would be as good as one. */
static void decide_pairs(const ln_run *run, ln_radau5 *radau) {
    const double fill = (double)ln_linear_count(radau->cache.real).fill;
    const double bytes = fill * 3 * sizeof(double); /* a real and a complex number */
    radau->cache.quantised_h = run->system->linear && fill >= LEAST_FILL * (double)run->n &&
                               LN_RADAU5_PAIRS * bytes <= MOST_BYTES;
    radau->cache.most_pairs = radau->cache.quantised_h ? LN_RADAU5_PAIRS : 1;
}

/* The pair for this step: the one that has it, a new one, or the one unused for longest. 1 when its
 * factorisations serve as they are. */
static int choose_pair(ln_run *run, ln_radau5 *radau) {
    ln_radau5_pair *chosen = &radau->cache.pairs[0]; /* there is one at least */
    for (int k = 0; k < radau->cache.npairs; k++) {
        ln_radau5_pair *pair = &radau->cache.pairs[k];
        if (pair->used < chosen->used)
            chosen = pair;
        if (pair->h > 0 && fabs(pair->h - radau->h) <= SAME * radau->h) {
            chosen = pair;
            break;
        }
    }
    if (chosen->h > 0 && fabs(chosen->h - radau->h) > SAME * radau->h &&
        radau->cache.npairs < radau->cache.most_pairs && ln_radau5_add_pair(run, radau))
        chosen = &radau->cache.pairs[radau->cache.npairs - 1];
    chosen->used = ++radau->cache.clock;
    radau->cache.real = chosen->real;
    radau->cache.complex = chosen->complex;
    radau->cache.in_use = chosen;
    radau->stages.convergence.noise_is_known = 0;
    return chosen->h > 0 && fabs(chosen->h - radau->h) <= SAME * radau->h;
}

int ln_radau5_factor(ln_run *run, ln_radau5 *radau) {
    int entries = run->system->pattern.start[run->n];
    double h = radau->h;
    if (radau->jacobian.h_factored == h)
        return 1;
    const int serves = choose_pair(run, radau);
    if (serves && run->system->linear) {
        radau->jacobian.h_factored = h;
        return 1;
    }
    radau->cache.in_use->h = 0;
    for (int k = 0; k < entries; k++)
        radau->jacobian.values[k] =
            gamma_ / h * radau->jacobian.storage[k] + radau->jacobian.statics[k];
    memcpy(run->newton.values, radau->jacobian.values, (size_t)entries * sizeof(double));
    if (!ln_run_factor(run, radau->cache.real, radau->jacobian.values))
        return 0;
    radau->stages.convergence.noise_is_known = 0;
    for (int k = 0; k < entries; k++) {
        radau->jacobian.values[2 * k] =
            alpha_ / h * radau->jacobian.storage[k] + radau->jacobian.statics[k];
        radau->jacobian.values[2 * k + 1] = beta_ / h * radau->jacobian.storage[k];
    }
    if (!ln_run_factor(run, radau->cache.complex, radau->jacobian.values))
        return 0;
    radau->jacobian.h_factored = radau->cache.in_use->h = h;
    if (radau->cache.most_pairs == 0)
        decide_pairs(run, radau);
    return 1;
}

/* ---- the stages ---- */

void ln_radau5_guess(const ln_run *run, ln_radau5 *radau) {
    int n = run->n;
    if (radau->first || radau->unsolved) {
        for (int j = 0; j < 3; j++) {
            memset(radau->stages.z[j], 0, (size_t)n * sizeof(double));
            memset(radau->stages.w[j], 0, (size_t)n * sizeof(double));
        }
        return;
    }
    double r = radau->h / radau->last.h, at[3] = {c1 * r, c2 * r, r};
    const double *first = radau->last.differences[0], *second = radau->last.differences[1],
                 *third = radau->last.differences[2];
    for (int j = 0; j < 3; j++) {
        const double s = at[j];
        double *z = radau->stages.z[j];
        LN_APART
        for (int i = 0; i < n; i++)
            z[i] = s * (first[i] + (s - (c2 - 1)) * (second[i] + (s - (c1 - 1)) * third[i]));
    }
    ln_radau5_transform_stages(radau, n);
}

int ln_radau5_guess_by_euler(ln_run *run, ln_radau5 *radau, ln_side side) {
    const size_t size = (size_t)run->n * sizeof *run->x;
    double *q = radau->stages.q_increment[0];
    memcpy(run->x1, run->x, size);
    memcpy(q, run->q, size);
    /* limiting starts from here, not from afar */
    if (!ln_radau5_rates(run, run->side, run->x, NULL, radau->y))
        return 0;
    for (int j = 0; j < 3; j++) {
        const double h = (ln_radau5_node[j + 1] - ln_radau5_node[j]) * radau->h;
        if (!ln_run_solve_euler(run, h, q,
                                ln_side_at(side, run->side.t + ln_radau5_node[j + 1] * radau->h),
                                ln_run_end(run)))
            return 0;
        memcpy(q, run->q1, size);
        for (int i = 0; i < run->n; i++)
            radau->stages.z[j][i] = run->x1[i] - run->x[i];
    }
    ln_radau5_transform_stages(radau, run->n);
    return 1;
}

static void add(const double *restrict a, const double *restrict b, int n, double *restrict sum) {
    for (int i = 0; i < n; i++)
        sum[i] = a[i] + b[i];
}

/* Residuals of the transformed systems from the rates and the increments of q. rate[0] becomes
 * real_update. */
static void combine_residuals(ln_radau5 *radau, int n) {
    const double h = radau->h, fac = gamma_ / h, al = alpha_ / h, be = beta_ / h;
    const double *rate2 = radau->stages.rate[1], *rate3 = radau->stages.rate[2],
                 *increment1 = radau->stages.q_increment[0],
                 *increment2 = radau->stages.q_increment[1],
                 *increment3 = radau->stages.q_increment[2];
    double *real = radau->stages.rate[0], *pair = radau->complex_update;
    LN_APART
    for (int i = 0; i < n; i++) {
        const double g1 = real[i], g2 = rate2[i], g3 = rate3[i], q1 = increment1[i],
                     q2 = increment2[i], q3 = increment3[i];
        const double f1 = ti11 * q1 + ti12 * q2 + ti13 * q3, f2 = ti21 * q1 + ti22 * q2 + ti23 * q3,
                     f3 = ti31 * q1 + ti32 * q2 + ti33 * q3;
        real[i] = ti11 * g1 + ti12 * g2 + ti13 * g3 - fac * f1;
        pair[2 * i] = ti21 * g1 + ti22 * g2 + ti23 * g3 - al * f2 + be * f3;
        pair[2 * i + 1] = ti31 * g1 + ti32 * g2 + ti33 * g3 - al * f3 - be * f2;
    }
}

/* Residuals of the transformed systems into real_update and complex_update. 0 when a block refuses
 * a stage. */
static int residual(ln_run *run, ln_radau5 *radau, ln_side side) {
    int n = run->n;
    const double h = radau->h;
    for (int j = 0; j < 3; j++) {
        add(run->x, radau->stages.z[j], n, radau->y);
        double t = j == 2 ? run->side.t + h : run->side.t + ln_radau5_node[j + 1] * h;
        if (!ln_radau5_rates(run, ln_side_at(side, t), radau->y, radau->stages.q_increment[j],
                             radau->stages.rate[j]))
            return 0;
        ln_radau5_q_increment(run, radau, j);
    }
    combine_residuals(radau, n);
    return 1;
}

typedef enum stage_outcome { FAILED, SLOW, CONVERGED, GOING } stage_outcome;

/* Takes an update whole. Returns its norm. */
static double update(ln_run *run, ln_radau5 *radau) {
    const double norm = ln_radau5_update_norm(run, radau);
    ln_radau5_move_stages(radau, run->n);
    return norm;
}

/* What the verdict on an update means. SLOW: not within LN_RADAU5_NEWTON iterations; *shrink is by
 * how much a shorter step would mend that. */
static stage_outcome judge_update(ln_run *run, ln_radau5 *radau, double norm, double *shrink) {
    ln_convergence *judge = &radau->stages.convergence;
    const ln_verdict verdict = ln_convergence_judge(judge, norm);
    if (judge->updates > 1)
        radau->stages.theta = judge->mean_rate;
    ln_radau5_update_part(radau, run->n, verdict == LN_GOES_ON); /* to know whether it turns */
    if (verdict == LN_CONVERGED)
        return radau->stages.following * judge->remaining <= 1 ? CONVERGED : GOING;
    if (judge->updates == 1)
        return verdict == LN_GOES_ON ? GOING : FAILED;
    if (verdict != LN_GOES_ON && ln_radau5_update_is_noise(run, radau))
        return CONVERGED;
    if (judge->mean_rate >= 1)
        return verdict == LN_RUNS_AWAY ? FAILED : SLOW;
    /* RADAU5: QNEWT, HHFAC */
    const int left = LN_RADAU5_NEWTON - judge->updates;
    const double expected = ln_convergence_expected(judge, left);
    if (expected < 1)
        return GOING;
    *shrink = 0.8 * pow(fmax(1e-4, fmin(20, expected)), -1.0 / (4 + left));
    return SLOW;
}

/* Norm of the Newton update that the last stage still needs with the Jacobian at its own end
 * point, in units of what Newton may leave. The stages converged with the Jacobian of another
 * point, at which a device may conduct that is off at the end. The matrix takes gamma/h
 * instead of S_33/h, so that K1's factorisation serves; so the update is approximate. */
static double end_defect_norm(ln_run *run, ln_radau5 *radau, ln_side side) {
    double *dz_term = radau->stages.work[0], *rate = radau->stages.work[1], *allowed = run->x1;
    double *x_end = dz_term; /* once that has been used */
    const double *u = radau->stages.real_update, *v = radau->complex_update, h = radau->h;
    const double *last = ln_radau5_S[2];
    /* rate: of what is stored at the end, sum_j S_3j q_increment_j / h. The increments are from
     * before the last update, to which (E + dq/dx) dz_term belongs. */
    for (int i = 0; i < run->n; i++) {
        const double a = u[i], b = v[2 * i], c = v[2 * i + 1];
        dz_term[i] = last[0] * (t11 * a + t12 * b + t13 * c) +
                     last[1] * (t21 * a + t22 * b + t23 * c) + last[2] * (t31 * a + b);
        rate[i] = last[0] * radau->stages.q_increment[0][i] +
                  last[1] * radau->stages.q_increment[1][i] +
                  last[2] * radau->stages.q_increment[2][i];
    }
    ln_matrix_add(&radau->jacobian.q_by_x, dz_term, rate);
    for (int i = 0; i < run->n; i++) {
        rate[i] /= h;
        x_end[i] = run->x[i] + radau->stages.z[2][i];
        allowed[i] = radau->estimate.scale[i] *
                     (run->errors.in_error_test[i] ? radau->stages.newton_tolerance : 0.1);
    }
    const ln_point_check at = {
        gamma_ / h, ln_side_at(side, run->side.t + h), rate, x_end, radau->end.q_nl, radau->end.f};
    const double defect =
        ln_run_defect_norm(run, &at, radau->cache.real, allowed, radau->estimate.error);
    radau->end.evaluated = defect <= 1;
    return defect;
}

/* Does the end meet its equations? The defect has to halve at least from one look to the next. */
static stage_outcome check_end(ln_run *run, ln_radau5 *radau, ln_side side, double *defect) {
    if (run->system->linear)
        return CONVERGED;
    const double before = *defect;
    *defect = end_defect_norm(run, radau, side);
    return *defect <= 1 ? CONVERGED : *defect < before / 2 ? GOING : FAILED;
}

/* Simplified Newton. The first update is judged by judge->remaining of the last step (FACCON^0.8 of
 * RADAU5 [IV.8]), and check_end() verifies the result. With nonlinear charges that factor is at
 * least 1, because an error in a charge persists and accumulates from step to step. */
static stage_outcome iterate_stages(ln_run *run, ln_radau5 *radau, ln_side side, double *shrink) {
    ln_convergence *judge = &radau->stages.convergence;
    const double carried = pow(fmax(judge->remaining, DBL_EPSILON), 0.8);
    ln_convergence_begin(judge, run->system->linear_q ? carried : fmax(1, carried));
    judge->noise_is_known = 0; /* that of other increments */
    ln_relaxation_begin(&radau->stages.relaxation);
    radau->stages.theta = KEEP_JACOBIAN;
    stage_outcome outcome = GOING;
    for (double defect = INFINITY; outcome == GOING;) {
        run->outcome = LN_NEWTON_REFUSED;
        if (!residual(run, radau, side))
            return FAILED;
        run->outcome = LN_NEWTON_DIVERGED;
        ln_linear_solve(radau->cache.real, radau->stages.real_update);
        ln_linear_solve(radau->cache.complex, radau->complex_update);
        outcome = judge_update(run, radau, update(run, radau), shrink);
        if (outcome == CONVERGED)
            outcome = check_end(run, radau, side, &defect);
        if (outcome == GOING && judge->updates == LN_RADAU5_NEWTON)
            outcome = SLOW;
    }
    return outcome;
}

/* Judges an update by a Jacobian for each stage, and takes it, or the part of it that its way to
 * and fro asks for. A rate is measured only between updates that no block limited and that were
 * taken whole. *met: it has converged. 0: it is not finite. */
static int take_coupled(ln_run *run, ln_radau5 *radau, int limited, int *met) {
    ln_convergence *judge = &radau->stages.convergence;
    const double norm = ln_radau5_update_norm(run, radau);
    double part = 1;
    *met = 0;
    if (!isfinite(norm))
        return 0;
    if (limited) {
        ln_relaxation_forget(&radau->stages.relaxation);
    } else {
        const ln_verdict verdict = ln_convergence_judge(judge, norm);
        *met = verdict == LN_CONVERGED ||
               (verdict != LN_GOES_ON && ln_radau5_update_is_noise(run, radau));
        if (!*met)
            part = ln_radau5_update_part(radau, run->n, verdict == LN_GOES_ON);
    }
    if (part < 1)
        ln_radau5_shorten_update(radau, run->n, part);
    if (limited || part < 1)
        ln_convergence_begin(judge, 1);
    ln_radau5_move_stages(radau, run->n);
    return 1;
}

/* Newton's method with a Jacobian for each stage. The Jacobian at the step's end becomes the kept
 * one. */
static stage_outcome iterate_coupled(ln_run *run, ln_radau5 *radau, ln_side side) {
    enum { ITERATIONS = 15 };
    ln_convergence *judge = &radau->stages.convergence;
    stage_outcome outcome = ln_radau5_begin_coupled(run, radau) ? GOING : FAILED;
    ln_convergence_begin(judge, 1);
    judge->noise_is_known = 0; /* that of other increments */
    ln_relaxation_begin(&radau->stages.relaxation);
    double defect = INFINITY;
    for (int k = 0; outcome == GOING; k++) {
        int limited, met;
        if (k == ITERATIONS || !ln_radau5_solve_coupled(run, radau, side, &limited) ||
            !take_coupled(run, radau, limited, &met))
            return FAILED;
        if (met)
            outcome = check_end(run, radau, side, &defect);
    }
    if (outcome != CONVERGED)
        return outcome;
    ln_radau5_take_jacobian(run, radau);
    radau->stages.theta = 1;
    judge->remaining = ln_convergence_worst; /* nothing is known of the new Jacobian */
    radau->jacobian.at_start = 0;            /* not that of the start */
    return ln_radau5_factor(run, radau) ? CONVERGED : FAILED;
}

/* A first update from where the step begins, by the Jacobian there. */
int ln_radau5_follow_tangents(ln_run *run, ln_radau5 *radau, ln_side side) {
    const size_t size = (size_t)run->n * sizeof(double);
    if (!ln_radau5_jacobian(run, radau, run->side, run->x) || !ln_radau5_factor(run, radau))
        return 0;
    for (int j = 0; j < 3; j++) {
        memset(radau->stages.z[j], 0, size);
        memset(radau->stages.w[j], 0, size);
    }
    if (!residual(run, radau, side))
        return 0;
    ln_linear_solve(radau->cache.real, radau->stages.real_update);
    ln_linear_solve(radau->cache.complex, radau->complex_update);
    return isfinite(update(run, radau));
}

/* So few updates with a Jacobian for each stage, and the next step may do with one. */
enum { FEW_UPDATES = 3 };

/* Where junctions switch within the step, or stages lie about a root of infinite slope, no one
 * Jacobian serves all of them: each gets its own, from the polynomial's guess, and from Euler's
 * where that leads nowhere. */
static int solve_switching(ln_run *run, ln_radau5 *radau, ln_side side) {
    const int by_junctions = run->system->has_junctions;
    ln_radau5_guess(run, radau);
    stage_outcome outcome = iterate_coupled(run, radau, side);
    if (outcome != CONVERGED && ln_radau5_guess_by_euler(run, radau, side))
        outcome = iterate_coupled(run, radau, side);
    if (outcome != CONVERGED)
        radau->jacobian.valid = radau->jacobian.at_start = 0;
    /* limiting keeps junctions' equations finite; others' may have no value where this leads */
    radau->stages.switching =
        outcome == CONVERGED ? radau->stages.convergence.updates > FEW_UPDATES : by_junctions;
    return outcome == CONVERGED;
}

/* The Jacobian of the end that the stages point to, those of Euler's guesses if asked, in the place
 * of the start's. */
static int renew_at_end(ln_run *run, ln_radau5 *radau, ln_side side, int by_euler) {
    if (by_euler && !ln_radau5_guess_by_euler(run, radau, side))
        return 0;
    for (int i = 0; i < run->n; i++)
        radau->y[i] = run->x[i] + radau->stages.z[2][i];
    const int renewed =
        ln_radau5_jacobian(run, radau, ln_side_at(side, run->side.t + radau->h), radau->y) &&
        ln_radau5_factor(run, radau);
    radau->jacobian.at_start = 0; /* not that of the start */
    if (renewed) {
        radau->stages.convergence.remaining =
            ln_convergence_worst; /* nothing is known of the new one */
        return 1;
    }
    if (run->outcome != LN_NEWTON_SINGULAR)
        run->outcome = LN_NEWTON_REFUSED;
    radau->jacobian.valid = 0;
    return 0;
}

/* Are the stages to be solved with a Jacobian each, since one has not served? Of those that turn
 * only where a shorter step has not helped and no guard sees the root, which is located by ever
 * shorter steps; and not about a knee of what is stored, for between stages on both sides of it
 * charges and currents would each go by a polynomial of their own (tests/stored.sh). */
static int each_needs_its_own(const ln_run *run, const ln_radau5 *radau) {
    const int turned = radau->stages.relaxation.turns > 0 && radau->rejected > 0 &&
                       run->system->linear_q && run->system->nguards == 0;
    return (run->system->has_junctions || turned) && ln_radau5_may_couple(run, radau);
}

/* Where even the start's own Jacobian serves badly, as with a transistor that switches within the
 * step, that of the last stage takes its place, and Newton goes on; where that leads nowhere
 * either, junctions begin anew from Euler's guesses. */
int ln_radau5_solve(ln_run *run, ln_radau5 *radau, ln_side side, double *shrink) {
    enum { JACOBIAN_OF_START, JACOBIAN_OF_LAST_STAGE, EULER_GUESS } attempt = JACOBIAN_OF_START;
    const int may_renew = radau->jacobian.at_start && radau->stages.may_renew;
    *shrink = 0.5;
    radau->end.evaluated = 0;
    if (radau->stages.switching && ln_radau5_may_couple(run, radau))
        return solve_switching(run, radau, side);
    for (;; attempt++) {
        *shrink = 0.5;
        const stage_outcome outcome = iterate_stages(run, radau, side, shrink);
        if (outcome == CONVERGED)
            return 1;
        if (each_needs_its_own(run, radau)) {
            *shrink = 0.5;
            return solve_switching(run, radau, side);
        }
        if (!may_renew || attempt == EULER_GUESS ||
            (outcome == FAILED && !run->system->has_junctions))
            return 0;
        if (outcome == FAILED)
            attempt = JACOBIAN_OF_LAST_STAGE; /* that attempt is left out */
        /* the attempt that follows that of the last stage's Jacobian has Euler's guesses */
        const int by_euler = attempt == JACOBIAN_OF_LAST_STAGE;
        if (!renew_at_end(run, radau, side, run->system->has_junctions && by_euler))
            return 0;
    }
}
