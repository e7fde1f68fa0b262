/* SPDX-License-Identifier: MIT */
/* The three stages of a radau5 step by simplified Newton: the Jacobian of the step's start serves
 * all three, and the next step while it converges fast [IV.8]. A transistor that switches within
 * the step needs more: guesses that follow it, and the Jacobian of where it ends. */
#include "integrate/radau5.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* From the transformed increments to those of the stages, and back [IV.8]. */
static const double t11 = 9.1232394870892942792e-02, t12 = -0.14125529502095420843,
                    t13 = -3.0029194105147424492e-02, t21 = 0.24171793270710701896,
                    t22 = 0.20412935229379993199, t23 = 0.38294211275726193779,
                    t31 = 0.96604818261509293619;
static const double s11 = 4.3255798900631553510, s12 = 0.33919925181580986954,
                    s13 = 0.54177053993587487119, s21 = -4.1787185915519047273,
                    s22 = -0.32768282076106238708, s23 = 0.47662355450055045196,
                    s31 = -0.50287263494578687595, s32 = 2.5719269498556054292,
                    s33 = -0.59603920482822492497;
/* Eigenvalues of S: gamma, alpha +- i beta. */
static const double gamma_ = 3.6378342527444957322, alpha_ = 2.6810828736277521338,
                    beta_ = 3.0504301992474105694;

/* a rate, updates in units of the tolerance, a cosine; see is_rounding() */
static const double STALLS = 0.7, STALLED = 0.1, ALIKE = 0.9;
static const double AWAY = 2;      /* a rate of convergence at which Newton runs away */
static const double SLOWEST = 1e3; /* what is left is at most this many times the last update */

int ln_radau5_rates(ln_run *run, ln_side side, const double *x, double *q, double *g) {
    ln_system *system = run->system;
    if (ln_system_sources(system, side, run->s, run->report) != LINNET_OK)
        return 0;
    ln_matrix_apply(&system->A, x, g);
    if (q != NULL)
        ln_matrix_apply(&system->E, x, q);
    run->statistics->evaluations++;
    if (ln_system_value(system, side, x, system->linear_q ? NULL : q, g) != LINNET_OK)
        return 0;
    for (int i = 0; i < run->n; i++)
        g[i] = run->s[i] - g[i];
    return 1;
}

/* ---- Jacobian and factorisations ---- */

int ln_radau5_jacobian(ln_run *run, ln_radau5 *radau, ln_side side, const double *x) {
    ln_system *system = run->system;
    if (radau->have_jacobian && system->linear)
        return 1;
    if (ln_system_eval(system, side, x, LN_LIMIT_OFF, NULL, NULL, NULL) != LINNET_OK)
        return 0;
    ln_system_jacobian(system, 0, radau->statics);
    ln_system_dq(system, radau->storage);
    radau->have_jacobian = radau->jacobian_fresh = 1;
    radau->h_factored = 0;
    return 1;
}

int ln_radau5_factor(ln_run *run, ln_radau5 *radau) {
    int entries = run->system->pattern.start[run->n];
    double h = radau->h;
    if (radau->h_factored == h)
        return 1;
    for (int k = 0; k < entries; k++)
        radau->values[k] = gamma_ / h * radau->storage[k] + radau->statics[k];
    run->outcome = LN_NEWTON_SINGULAR;
    memcpy(run->newton.values, radau->values, (size_t)entries * sizeof(double));
    if (ln_linear_factor(radau->real, radau->values) != LN_FACTORED)
        return 0;
    for (int k = 0; k < entries; k++) {
        radau->values[2 * k] = alpha_ / h * radau->storage[k] + radau->statics[k];
        radau->values[2 * k + 1] = beta_ / h * radau->storage[k];
    }
    if (ln_linear_factor(radau->complex, radau->values) != LN_FACTORED)
        return 0;
    radau->h_factored = h;
    return 1;
}

/* ---- the stages ---- */

/* w = T^-1 z of one unknown. */
static void transform(ln_radau5 *radau, int i) {
    const double z1 = radau->z[0][i], z2 = radau->z[1][i], z3 = radau->z[2][i];
    radau->w[0][i] = s11 * z1 + s12 * z2 + s13 * z3;
    radau->w[1][i] = s21 * z1 + s22 * z2 + s23 * z3;
    radau->w[2][i] = s31 * z1 + s32 * z2 + s33 * z3;
}

void ln_radau5_guess(const ln_run *run, ln_radau5 *radau) {
    int n = run->n;
    if (radau->first) {
        for (int j = 0; j < 3; j++) {
            memset(radau->z[j], 0, (size_t)n * sizeof(double));
            memset(radau->w[j], 0, (size_t)n * sizeof(double));
        }
        return;
    }
    double r = radau->h / radau->h_old, at[3] = {c1 * r, c2 * r, r};
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 3; j++) {
            double s = at[j];
            radau->z[j][i] =
                s * (radau->next[0][i] +
                     (s - (c2 - 1)) * (radau->next[1][i] + (s - (c1 - 1)) * radau->next[2][i]));
        }
        transform(radau, i);
    }
}

int ln_radau5_guess_by_euler(ln_run *run, ln_radau5 *radau, ln_side side) {
    static const double node[4] = {0, (4 - LN_ROOT6) / 10, (4 + LN_ROOT6) / 10, 1};
    const size_t size = (size_t)run->n * sizeof *run->x;
    double *q = radau->dq[0];
    memset(run->w, 0, size);
    memcpy(run->x1, run->x, size);
    memcpy(q, run->q, size);
    /* limiting starts from here, not from afar */
    if (!ln_radau5_rates(run, run->side, run->x, NULL, radau->y))
        return 0;
    for (int j = 0; j < 3; j++) {
        const double h = (node[j + 1] - node[j]) * radau->h;
        if (!ln_run_solve(run, 1 / h, q, run->w,
                          ln_side_at(side, run->side.t + node[j + 1] * radau->h), run->x1, run->q1,
                          run->f1))
            return 0;
        memcpy(q, run->q1, size);
        for (int i = 0; i < run->n; i++)
            radau->z[j][i] = run->x1[i] - run->x[i];
    }
    for (int i = 0; i < run->n; i++)
        transform(radau, i);
    return 1;
}

/* Residuals of the transformed systems into g[0] (real) and pair (complex). 0 when a block refuses
 * a stage. */
static int residual(ln_run *run, ln_radau5 *radau, ln_side side) {
    static const double c[3] = {(4 - LN_ROOT6) / 10, (4 + LN_ROOT6) / 10, 1};
    int n = run->n;
    double h = radau->h, fac = gamma_ / h, al = alpha_ / h, be = beta_ / h;
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < n; i++)
            radau->y[i] = run->x[i] + radau->z[j][i];
        double t = j == 2 ? run->side.t + h : run->side.t + c[j] * h;
        if (!ln_radau5_rates(run, ln_side_at(side, t), radau->y, radau->dq[j], radau->g[j]))
            return 0;
        /* no cancellation */
        if (run->system->linear_q)
            ln_matrix_apply(&run->system->E, radau->z[j], radau->dq[j]);
        else
            for (int i = 0; i < n; i++)
                radau->dq[j][i] -= run->q[i];
    }
    for (int i = 0; i < n; i++) {
        double g1 = radau->g[0][i], g2 = radau->g[1][i], g3 = radau->g[2][i];
        double q1 = radau->dq[0][i], q2 = radau->dq[1][i], q3 = radau->dq[2][i];
        double f1 = s11 * q1 + s12 * q2 + s13 * q3, f2 = s21 * q1 + s22 * q2 + s23 * q3,
               f3 = s31 * q1 + s32 * q2 + s33 * q3;
        radau->g[0][i] = s11 * g1 + s12 * g2 + s13 * g3 - fac * f1;
        radau->pair[2 * i] = s21 * g1 + s22 * g2 + s23 * g3 - al * f2 + be * f3;
        radau->pair[2 * i + 1] = s31 * g1 + s32 * g2 + s33 * g3 - al * f3 - be * f2;
    }
    return 1;
}

/* The square of an unknown's update, in units of its tolerance. */
static double size_of(const ln_run *run, const ln_radau5 *radau, int i) {
    const double *u = radau->g[0], *v = radau->pair, scale = radau->scale[i];
    const int r = ln_reference_of(run, i);
    const double a = u[i] - (r < 0 ? 0 : u[r]), b = v[2 * i] - (r < 0 ? 0 : v[2 * r]),
                 c = v[2 * i + 1] - (r < 0 ? 0 : v[2 * r + 1]);
    return (a * a + b * b + c * c) / (scale * scale);
}

/* How the update of the last stage, in g[0] and pair, lies to the one before. */
static void note_direction(const ln_run *run, ln_radau5 *radau) {
    double along = 0, squares = 0;
    for (int i = 0; i < run->n; i++) {
        const double update = (t31 * radau->g[0][i] + radau->pair[2 * i]) / radau->scale[i];
        along += update * radau->update[i];
        squares += update * update;
        radau->update[i] = update;
    }
    radau->turn = along / (sqrt(squares) * radau->length);
    radau->length = sqrt(squares);
}

/* One iteration: solves, updates w and z; returns the norm of the update of judged unknowns. y
 * keeps how d1 z1 + d2 z2 + d3 z3 has changed. */
static double iterate(ln_run *run, ln_radau5 *radau) {
    int n = run->n;
    double *u = radau->g[0], *v = radau->pair, sum[2] = {0, 0};
    int count[2] = {0, 0};
    ln_linear_solve(radau->real, u);
    ln_linear_solve(radau->complex, v);
    ln_choose_references(run, u);
    for (int i = 0; i < n; i++) {
        double a = u[i], b = v[2 * i], c = v[2 * i + 1];
        sum[run->judged[i] != 0] += size_of(run, radau, i);
        count[run->judged[i] != 0]++;
        radau->y[i] = (d1 * t11 + d2 * t21 + d3 * t31) * a + (d1 * t12 + d2 * t22 + d3) * b +
                      (d1 * t13 + d2 * t23) * c;
        double w1 = radau->w[0][i] += a, w2 = radau->w[1][i] += b, w3 = radau->w[2][i] += c;
        radau->z[0][i] = t11 * w1 + t12 * w2 + t13 * w3;
        radau->z[1][i] = t21 * w1 + t22 * w2 + t23 * w3;
        radau->z[2][i] = t31 * w1 + w2;
    }
    note_direction(run, radau);
    run->newton.iterations++;
    radau->others = count[0] > 0 ? sqrt(sum[0] / (3.0 * count[0])) : 0;
    return sqrt(sum[1] / (3.0 * count[1]));
}

/* What later updates add up to, as a multiple of the last, when each is so many times the one
 * before. */
static double sum_of(double rate) {
    return rate < 1 ? fmin(rate / (1 - rate), SLOWEST) : SLOWEST;
}

typedef enum progress { FAILED, SLOW, CONVERGED, GOING } progress;

/* After an update `rate` times the one before: shall Newton go on? SLOW: it would not be within
 * LN_RADAU5_NEWTON iterations; *shrink is by how much a shorter step would mend that. wary: the
 * mean of two rates will not do. */
static progress judge_rate(ln_radau5 *radau, double norm, double rate, double *old_rate, int wary,
                           double *shrink) {
    radau->theta = radau->iterations == 2 ? rate : sqrt(rate * *old_rate);
    *old_rate = rate;
    if (radau->theta >= 0.99)
        return radau->theta < AWAY ? SLOW : FAILED;
    radau->newton_rate = sum_of(wary ? fmax(rate, radau->theta) : radau->theta);
    const int left = LN_RADAU5_NEWTON - 1 - radau->iterations;
    const double expected = radau->theta / (1 - radau->theta) * norm * pow(radau->theta, left) /
                            radau->newton_tolerance;
    if (expected < 1)
        return GOING;
    *shrink = 0.8 * pow(fmax(1e-4, fmin(20, expected)), -1.0 / (4 + left));
    return SLOW;
}

/* Updates that no longer fall, though they are well within the tolerance, are what rounding makes
 * of the equations: of a pressure that is the small difference of large masses; of nodes that large
 * charges tie to each other and a resistance to the rest; of a coil's voltage across junctions that
 * are off. They point anywhere, unlike those of a junction on its way back, a few kT/q each. */
static int is_rounding(const ln_radau5 *radau, double norm, double old_norm) {
    return norm > STALLS * old_norm && fmax(norm, old_norm) <= STALLED && radau->turn < ALIKE;
}

/* Simplified Newton, until judged unknowns are far below the tolerance and the others, which no
 * step builds on, at it. A rate is not always to be trusted. That of the last step is trusted only
 * where no error can be overlooked: not by others, for which no step is rejected, nor where nothing
 * is stored or the index is above 1, nor where charges are nonlinear: across a kink of a
 * capacitance it says nothing, and what is left of a charge there adds up from period to period.
 * And with junctions that of a first update from afar is not: from volts beyond the knee it leads
 * to where the junction is off, and the next updates, of a few kT/q each, are the start of a long
 * way back. */
static progress iterate_stages(ln_run *run, ln_radau5 *radau, ln_side side, double *shrink) {
    const ln_system *system = run->system;
    double old_norm = 0, old_rate = 1, old_others = 0;
    int settled = 0, near = 0;
    radau->newton_rate = pow(fmax(radau->newton_rate, DBL_EPSILON), 0.8);
    radau->others_rate = pow(fmax(radau->others_rate, DBL_EPSILON), 0.8);
    radau->theta = KEEP_JACOBIAN;
    radau->length = 0;
    for (radau->iterations = 0; radau->iterations < LN_RADAU5_NEWTON;) {
        run->outcome = LN_NEWTON_REFUSED;
        if (!residual(run, radau, side))
            return FAILED;
        const double norm = iterate(run, radau);
        const int done = ++radau->iterations;
        run->outcome = LN_NEWTON_DIVERGED;
        if (!isfinite(norm))
            return FAILED;
        if (done == 1)
            near = norm <= 1 && radau->others <= 1;
        if (done > 1 && done < LN_RADAU5_NEWTON && !settled) {
            const progress how =
                judge_rate(radau, norm, norm / old_norm, &old_rate, system->limits, shrink);
            if (how != GOING)
                return is_rounding(radau, norm, old_norm) && radau->others <= 1 ? CONVERGED : how;
        }
        if (done > 1) /* maybe far slower than that of the judged ones */
            radau->others_rate = is_rounding(radau, radau->others, old_others)
                                     ? 1
                                     : sum_of(radau->others / old_others);
        old_others = fmax(radau->others, DBL_EPSILON);
        old_norm = fmax(norm, DBL_EPSILON);
        const int known = (done > 1 || radau->once_serves) && (done > 2 || near || !system->limits);
        const double least = known ? 0 : 1;
        settled |= fmax(least, radau->newton_rate) * norm <= radau->newton_tolerance;
        const double least_others = done > 1 || system->linear ? least : 1;
        if (settled && fmax(least_others, radau->others_rate) * radau->others <= 1)
            return CONVERGED;
    }
    return SLOW;
}

/* Where even the start's own Jacobian serves badly, as with a transistor that switches within the
 * step, that of the last stage takes its place, and Newton goes on; where that leads nowhere
 * either, junctions begin anew from Euler's guesses. */
int ln_radau5_solve(ln_run *run, ln_radau5 *radau, ln_side side, double *shrink) {
    enum { OF_START, OF_LAST_STAGE, FROM_EULER } means = OF_START;
    const int may_renew = radau->jacobian_fresh && radau->renews;
    for (;; means++) {
        *shrink = 0.5;
        const progress how = iterate_stages(run, radau, side, shrink);
        if (how == CONVERGED || !may_renew || means == FROM_EULER)
            return how == CONVERGED;
        if (run->system->limits) {
            if (how == FAILED)
                means = OF_LAST_STAGE;
            if (means == OF_LAST_STAGE && !ln_radau5_guess_by_euler(run, radau, side))
                return 0;
        } else if (how == FAILED)
            return 0;
        for (int i = 0; i < run->n; i++)
            radau->y[i] = run->x[i] + radau->z[2][i];
        if (!ln_radau5_jacobian(run, radau, ln_side_at(side, run->side.t + radau->h), radau->y) ||
            !ln_radau5_factor(run, radau)) {
            if (run->outcome != LN_NEWTON_SINGULAR)
                run->outcome = LN_NEWTON_REFUSED;
            radau->have_jacobian = radau->jacobian_fresh = 0;
            return 0;
        }
        radau->jacobian_fresh = 0;                   /* not that of the start */
        radau->newton_rate = radau->others_rate = 1; /* nothing is known of the new one */
    }
}
