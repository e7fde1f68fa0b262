/* SPDX-License-Identifier: MIT */
/* Radau IIA of order 5 [Hairer, Wanner: Solving ODEs II, 2nd ed., sections IV.5 and IV.8; IV.10 and VI.1 for systems with
 * singular E and for variables of index 2 and 3].
 *
 * The three stages Y_j = x0 + z_j at t + c_j h satisfy, with S = A^-1 of the method,
 *
 *     sum_j S_ij (q(Y_j) - q0)/h + f(Y_i, t_i) = 0,
 *
 * which on rows without q is f(Y_i) = 0. The transformation T with T^-1 S T = diag(gamma, [alpha -beta; beta alpha])
 * splits the simplified Newton system into a real one, K1 = gamma/h (E + dq) + A + df, and a complex one,
 * K2 = (alpha + i beta)/h (E + dq) + A + df. Factorisations and the Jacobian are kept while Newton converges fast; the
 * step is predicted after Gustafsson (IV.8.21 f.). The error is estimated by the embedded formula of order 3 (IV.8.19 f.),
 * and tolerances are transformed so that the global error behaves like a method of order 5 (rtol' = 0.1 rtol^(2/3)). */
#include "integrate/start.h"
#include "integrate/stepper.h"
#include "linear/linear.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Nodes; coefficients of the error estimate and of the stages from the transformed increments [IV.8]. */
#define ROOT6 2.44948974278317809819728407470589
static const double c1 = (4 - ROOT6) / 10, c2 = (4 + ROOT6) / 10;
static const double d1 = -(13 + 7 * ROOT6) / 3, d2 = (-13 + 7 * ROOT6) / 3, d3 = -1.0 / 3;
static const double t11 = 9.1232394870892942792e-02, t12 = -0.14125529502095420843, t13 = -3.0029194105147424492e-02,
                    t21 = 0.24171793270710701896, t22 = 0.20412935229379993199, t23 = 0.38294211275726193779,
                    t31 = 0.96604818261509293619;
static const double s11 = 4.3255798900631553510, s12 = 0.33919925181580986954, s13 = 0.54177053993587487119,
                    s21 = -4.1787185915519047273, s22 = -0.32768282076106238708, s23 = 0.47662355450055045196,
                    s31 = -0.50287263494578687595, s32 = 2.5719269498556054292, s33 = -0.59603920482822492497;
/* Eigenvalues of S: gamma, alpha +- i beta. */
static const double gamma_ = 3.6378342527444957322, alpha_ = 2.6810828736277521338, beta_ = 3.0504301992474105694;

enum { NEWTON_MOST = 7, RENEW_MOST = 3, PATIENCE = 4 };
static const double SAFE = 0.9, GROW = 5, SHRINK = 1.0 / 8, KEEP_JACOBIAN = 1e-3, KEEP_BELOW = 1.2, AWAY = 2;

typedef struct radau5 {
    ln_linear *real;
    ln_linear *complex;
    ln_matrix q_by_x;              /* storage as a matrix                                                             */
    double *storage, *statics;     /* E + dq and A + df at the pattern's positions, of the kept Jacobian              */
    double *values;                /* 2 per position: work                                                            */
    double *z[3], *w[3];           /* increments of the stages; transformed                                           */
    double *dq[3], *g[3];          /* q(Y_j) - q0; -f(Y_j), then its transform                                        */
    double *next[3];               /* the three divided differences of the collocation polynomial of the last step     */
    double *scale, *g0, *error, *y, *pair; /* n each; pair: 2 n                                                       */
    double t_old, h_old;           /* the last accepted step                                                          */
    double h;                      /* the step to try                                                                 */
    double rtol, newton_tolerance; /* transformed                                                                     */
    double theta, newton_rate;     /* convergence of the last iteration                                               */
    double others, others_rate;    /* of unknowns that are not judged: norm of their last update, its convergence     */
    double h_accepted, error_accepted;
    double h_factored;             /* 0: none                                                                         */
    long accepted;
    int first, jacobian_fresh, have_jacobian;
    int rejected;                  /* trials from the present point                                                   */
    int renews;                    /* Newton may go on with the Jacobian of another point than the start               */
    int iterations;
} radau5;

static linnet_status create(ln_run *run, void *state) {
    radau5 *it = state;
    const ln_system *system = run->system;
    size_t n = (size_t)run->n, entries = (size_t)system->pattern.start[run->n];
    double **vectors[] = {&it->z[0], &it->z[1], &it->z[2], &it->w[0], &it->w[1], &it->w[2], &it->dq[0], &it->dq[1],
                          &it->dq[2], &it->g[0], &it->g[1], &it->g[2], &it->next[0], &it->next[1], &it->next[2],
                          &it->scale, &it->g0, &it->error, &it->y};
    int ok = 1;
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        ok &= (*vectors[k] = LN_NEW(run->arena, double, n)) != NULL;
    ok &= (it->pair = LN_NEW(run->arena, double, 2 * n)) != NULL;
    ok &= (it->storage = LN_NEW(run->arena, double, entries)) != NULL;
    ok &= (it->statics = LN_NEW(run->arena, double, entries)) != NULL;
    ok &= (it->values = LN_NEW(run->arena, double, 2 * entries)) != NULL;
    it->q_by_x = (ln_matrix){system->pattern, it->storage};
    it->real = ln_linear_new(&system->pattern, run->settings->linear);
    it->complex = ln_linear_new_complex(&system->pattern, run->settings->linear);
    if (!ok || it->real == NULL || it->complex == NULL) return ln_no_memory(run->report);
    it->rtol = 0.1 * pow(run->settings->tolerance, 2.0 / 3);
    it->newton_tolerance = fmax(10 * DBL_EPSILON / it->rtol, fmin(0.03, sqrt(it->rtol)));
    return LINNET_OK;
}

static void release(void *state) {
    radau5 *it = state;
    ln_linear_free(it->real);
    ln_linear_free(it->complex);
}

/* The real and the complex matrix are factored and solved together: a pair counts as one, as in RADAU5; the solutions
 * of the error estimates, real ones alone, are added. */
static void count(ln_run *run, const void *state) {
    const radau5 *it = state;
    ln_run_count_linear(run, it->real);
}

/* What counts as an error of 1. The error of an unknown of index k is judged times h^(k-1) [VI.1, VII.4]: its own errors
 * of that size do not reach the others. */
static void set_scale(const ln_run *run, radau5 *it) {
    const double *abstol = run->system->abstol;
    for (int i = 0; i < run->n; i++) {
        it->scale[i] = it->rtol * (abstol[i] / 1e-4 + fabs(run->x[i]));
        for (int k = 1; run->index != NULL && k < run->index[i]; k++) it->scale[i] /= it->h;
    }
}

/* g = -f on all rows and q at (x, t); q may be NULL. 0 when a block refuses. */
static int rates(ln_run *run, double t, double decide, const double *x, double *q, double *g) {
    ln_system *system = run->system;
    if (ln_system_sources(system, t, decide, run->s, run->report) != LINNET_OK) return 0;
    ln_matrix_apply(&system->A, x, g);
    if (q != NULL) ln_matrix_apply(&system->E, x, q);
    run->statistics->evaluations++;
    if (ln_system_value(system, t, decide, x, system->linear_q ? NULL : q, g) != LINNET_OK) return 0;
    for (int i = 0; i < run->n; i++) g[i] = run->s[i] - g[i];
    return 1;
}

/* What this network allows. Newton may go on from another point's Jacobian where it is nonlinear, but the constraints of a
 * mechanism are too easily met far from its way. */
static void look_at_network(ln_run *run, radau5 *it) {
    ln_choose_judged(run);
    it->renews = !run->system->linear;
    for (int i = 0; run->index != NULL && i < run->n; i++) it->renews &= run->index[i] < 3;
}

static linnet_status restart(ln_run *run, void *state) {
    radau5 *it = state;
    const ln_settings *settings = run->settings;
    double span = settings->end - settings->begin;
    look_at_network(run, it);
    it->first = 1;
    it->rejected = it->have_jacobian = it->jacobian_fresh = 0;
    it->h_factored = 0;
    it->accepted = 0;
    it->newton_rate = it->others_rate = 1;
    it->theta = 1;
    /* tiny, for it soon grows by a factor of 8 a step: no run is so long that its fastest part could be jumped over */
    it->h = fmin(run->most, (1e-2 * settings->tolerance + 1e-8) * fmin(1, span));
    if (!rates(run, run->t, run->decide, run->x, NULL, it->g0)) {
        run->outcome = LN_NEWTON_REFUSED;
        return ln_report_no_convergence(run, &run->newton, run->outcome, &run->system->pattern, run->t, it->h,
                                        "the equations have no value at a restart");
    }
    return LINNET_OK;
}

/* ---- Jacobian and factorisations ---- */

static int make_jacobian(ln_run *run, radau5 *it, double t, double decide, const double *x) {
    ln_system *system = run->system;
    if (it->have_jacobian && system->linear) return 1;
    if (ln_system_eval(system, t, decide, x, LN_LIMIT_OFF, NULL, NULL, NULL) != LINNET_OK) return 0;
    ln_system_jacobian(system, 0, it->statics);
    ln_system_dq(system, it->storage);
    it->have_jacobian = it->jacobian_fresh = 1;
    it->h_factored = 0;
    return 1;
}

static int factor(ln_run *run, radau5 *it) {
    int entries = run->system->pattern.start[run->n];
    double h = it->h;
    if (it->h_factored == h) return 1;
    for (int k = 0; k < entries; k++) it->values[k] = gamma_ / h * it->storage[k] + it->statics[k];
    run->outcome = LN_NEWTON_SINGULAR;
    memcpy(run->newton.values, it->values, (size_t)entries * sizeof(double));
    if (ln_linear_factor(it->real, it->values) != LN_FACTORED) return 0;
    for (int k = 0; k < entries; k++) {
        it->values[2 * k] = alpha_ / h * it->storage[k] + it->statics[k];
        it->values[2 * k + 1] = beta_ / h * it->storage[k];
    }
    if (ln_linear_factor(it->complex, it->values) != LN_FACTORED) return 0;
    it->h_factored = h;
    return 1;
}

/* ---- the stages ---- */

/* First guesses of the increments: the last step's collocation polynomial, continued. */
static void guess_stages(const ln_run *run, radau5 *it) {
    int n = run->n;
    if (it->first) {
        for (int j = 0; j < 3; j++) {
            memset(it->z[j], 0, (size_t)n * sizeof(double));
            memset(it->w[j], 0, (size_t)n * sizeof(double));
        }
        return;
    }
    double r = it->h / it->h_old, at[3] = {c1 * r, c2 * r, r};
    for (int i = 0; i < n; i++) {
        double z[3];
        for (int j = 0; j < 3; j++) {
            double s = at[j];
            z[j] = s * (it->next[0][i] + (s - (c2 - 1)) * (it->next[1][i] + (s - (c1 - 1)) * it->next[2][i]));
            it->z[j][i] = z[j];
        }
        it->w[0][i] = s11 * z[0] + s12 * z[1] + s13 * z[2];
        it->w[1][i] = s21 * z[0] + s22 * z[1] + s23 * z[2];
        it->w[2][i] = s31 * z[0] + s32 * z[1] + s33 * z[2];
    }
}

/* Residuals of the transformed systems into g[0] (real) and pair (complex). 0 when a block refuses a stage. */
static int residual(ln_run *run, radau5 *it, double decide) {
    static const double c[3] = {(4 - ROOT6) / 10, (4 + ROOT6) / 10, 1};
    int n = run->n;
    double h = it->h, fac = gamma_ / h, al = alpha_ / h, be = beta_ / h;
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < n; i++) it->y[i] = run->x[i] + it->z[j][i];
        double t = j == 2 ? run->t + h : run->t + c[j] * h;
        if (!rates(run, t, decide, it->y, it->dq[j], it->g[j])) return 0;
        if (run->system->linear_q) ln_matrix_apply(&run->system->E, it->z[j], it->dq[j]); /* no cancellation */
        else for (int i = 0; i < n; i++) it->dq[j][i] -= run->q[i];
    }
    for (int i = 0; i < n; i++) {
        double g1 = it->g[0][i], g2 = it->g[1][i], g3 = it->g[2][i];
        double q1 = it->dq[0][i], q2 = it->dq[1][i], q3 = it->dq[2][i];
        double f1 = s11 * q1 + s12 * q2 + s13 * q3, f2 = s21 * q1 + s22 * q2 + s23 * q3,
               f3 = s31 * q1 + s32 * q2 + s33 * q3;
        it->g[0][i] = s11 * g1 + s12 * g2 + s13 * g3 - fac * f1;
        it->pair[2 * i] = s21 * g1 + s22 * g2 + s23 * g3 - al * f2 + be * f3;
        it->pair[2 * i + 1] = s31 * g1 + s32 * g2 + s33 * g3 - al * f3 - be * f2;
    }
    return 1;
}

/* One iteration: solves, updates w and z; returns the norm of the update of judged unknowns. y keeps how d1 z1 + d2 z2 + d3 z3 has changed. */
static double iterate(ln_run *run, radau5 *it) {
    int n = run->n;
    double *u = it->g[0], *v = it->pair, sum[2] = {0, 0};
    int count[2] = {0, 0};
    ln_linear_solve(it->real, u);
    ln_linear_solve(it->complex, v);
    for (int i = 0; i < n; i++) {
        double a = u[i], b = v[2 * i], c = v[2 * i + 1], scale = it->scale[i];
        sum[run->judged[i] != 0] += (a * a + b * b + c * c) / (scale * scale);
        count[run->judged[i] != 0]++;
        it->y[i] = (d1 * t11 + d2 * t21 + d3 * t31) * a + (d1 * t12 + d2 * t22 + d3) * b + (d1 * t13 + d2 * t23) * c;
        double w1 = it->w[0][i] += a, w2 = it->w[1][i] += b, w3 = it->w[2][i] += c;
        it->z[0][i] = t11 * w1 + t12 * w2 + t13 * w3;
        it->z[1][i] = t21 * w1 + t22 * w2 + t23 * w3;
        it->z[2][i] = t31 * w1 + w2;
    }
    run->newton.iterations++;
    it->others = count[0] > 0 ? sqrt(sum[0] / (3.0 * count[0])) : 0;
    return sqrt(sum[1] / (3.0 * count[1]));
}

/* What is left is at most this many times the last update. */
static const double SLOWEST = 1e3;

typedef enum progress { FAILED, SLOW, CONVERGED } progress;

/* Simplified Newton, until judged unknowns are far below the tolerance and the others, which no step builds on, at it.
 * Where charges are nonlinear the last step's rate of convergence is not trusted: across a kink of a capacitance it says
 * nothing, and what is left of a charge there adds up from period to period.
 * SLOW: not within NEWTON_MOST iterations; *shrink is by how much a shorter step would mend that. */
static progress iterate_stages(ln_run *run, radau5 *it, double decide, double *shrink) {
    double old_norm = 0, old_rate = 1, old_others = 0;
    int settled = 0;
    it->newton_rate = pow(fmax(it->newton_rate, DBL_EPSILON), 0.8);
    it->others_rate = pow(fmax(it->others_rate, DBL_EPSILON), 0.8);
    it->theta = KEEP_JACOBIAN;
    for (it->iterations = 0; it->iterations < NEWTON_MOST;) {
        if (!residual(run, it, decide)) {
            run->outcome = LN_NEWTON_REFUSED;
            return FAILED;
        }
        double norm = iterate(run, it);
        int done = ++it->iterations;
        run->outcome = LN_NEWTON_DIVERGED;
        if (!isfinite(norm)) return FAILED;
        if (done > 1 && done < NEWTON_MOST && !settled) {
            double rate = norm / old_norm;
            it->theta = done == 2 ? rate : sqrt(rate * old_rate);
            old_rate = rate;
            if (it->theta >= 0.99) return it->theta < AWAY ? SLOW : FAILED;
            it->newton_rate = it->theta / (1 - it->theta);
            int left = NEWTON_MOST - 1 - done;
            double expected = it->newton_rate * norm * pow(it->theta, left) / it->newton_tolerance;
            if (expected >= 1) {
                *shrink = 0.8 * pow(fmax(1e-4, fmin(20, expected)), -1.0 / (4 + left));
                return SLOW;
            }
        }
        if (done > 1) { /* the others may converge far more slowly than the judged ones */
            double part = it->others / old_others;
            it->others_rate = part < 1 ? fmin(part / (1 - part), SLOWEST) : SLOWEST; /* rounding does not fall */
        }
        old_others = fmax(it->others, DBL_EPSILON);
        old_norm = fmax(norm, DBL_EPSILON);
        const double rate = done > 1 || run->system->linear_q ? it->newton_rate : fmax(1, it->newton_rate);
        settled |= rate * norm <= it->newton_tolerance;
        if (settled && it->others_rate * it->others <= 1) return CONVERGED;
    }
    return SLOW;
}

/* 1: solved. 0: failed; *shrink is by how much to shorten the step. Where even the start's own Jacobian serves badly, as
 * with a transistor that switches within the step, that of the last stage takes its place, and Newton goes on. */
static int solve_stages(ln_run *run, radau5 *it, double decide, double *shrink) {
    const int may_renew = it->jacobian_fresh && it->renews;
    for (int renewed = 0;; renewed++) {
        *shrink = 0.5;
        const progress how = iterate_stages(run, it, decide, shrink);
        if (how != SLOW || !may_renew || renewed == RENEW_MOST) return how == CONVERGED;
        for (int i = 0; i < run->n; i++) it->y[i] = run->x[i] + it->z[2][i];
        if (!make_jacobian(run, it, run->t + it->h, decide, it->y) || !factor(run, it)) {
            if (run->outcome != LN_NEWTON_SINGULAR) run->outcome = LN_NEWTON_REFUSED;
            it->have_jacobian = it->jacobian_fresh = 0;
            return 0;
        }
        it->jacobian_fresh = 0; /* not that of the start */
        it->newton_rate = it->others_rate = 1; /* nothing is known of the new one */
    }
}

/* ---- the error ---- */

static double rms(const ln_run *run, const radau5 *it, const double *e, int *worst) {
    double sum = 0, largest = -1;
    int count = 0;
    for (int i = 0; i < run->n; i++) {
        if (!run->judged[i]) continue;
        double r = e[i] / it->scale[i];
        sum += r * r;
        count++;
        if (r * r > largest) {
            largest = r * r;
            *worst = i;
        }
    }
    return fmax(sqrt(sum / count), 1e-10);
}

/* Where the index is above 1, what the last step's Newton left of a constraint is no error of this one: K1^-1 would raise
 * it by 1/h, and no step would be short enough. */
static void clear_constraints(const ln_run *run, double *e) {
    for (int i = 0; run->index != NULL && i < run->n; i++)
        if (!run->system->dynamic[i]) e[i] = 0;
}

/* K1^-1 (g0 + E (d1 z1 + d2 z2 + d3 z3)/h); filtered once more at a first or repeated step, where stiff components of an
 * arbitrary start would spoil it. */
static double estimate(ln_run *run, radau5 *it, double decide) {
    int n = run->n;
    double h = it->h, *stored = it->dq[0], *e = it->error;
    for (int i = 0; i < n; i++) stored[i] = d1 * it->dq[0][i] + d2 * it->dq[1][i] + d3 * it->dq[2][i];
    ln_matrix_add(&it->q_by_x, it->y, stored); /* dq is from before the last update */
    for (int i = 0; i < n; i++) {
        stored[i] /= h;
        e[i] = stored[i] + it->g0[i];
    }
    clear_constraints(run, e);
    ln_linear_solve(it->real, e);
    double norm = rms(run, it, e, &run->dominant);
    if (norm < 1 || !(it->first || it->rejected)) return norm;
    for (int i = 0; i < n; i++) it->y[i] = run->x[i] + e[i];
    if (!rates(run, run->t, decide, it->y, NULL, e)) return norm;
    for (int i = 0; i < n; i++) e[i] += stored[i];
    clear_constraints(run, e);
    ln_linear_solve(it->real, e);
    return rms(run, it, e, &run->dominant);
}

/* ---- steps ---- */

/* Takes the step: the new point, and the collocation polynomial for the next guess and for interpolation. */
static int accept(ln_run *run, radau5 *it, double decide, double stop, int last) {
    int n = run->n;
    double h = it->h;
    it->t_old = run->t;
    it->h_old = h;
    for (int i = 0; i < n; i++) {
        double z1 = it->z[0][i], z2 = it->z[1][i], z3 = it->z[2][i];
        double ak = (z1 - z2) / (c1 - c2), first = (z2 - z3) / (c2 - 1), second = (ak - first) / (c1 - 1);
        it->next[0][i] = first;
        it->next[1][i] = second;
        it->next[2][i] = second - (ak - z1 / c1) / c2;
        run->x1[i] = run->x[i] + z3;
    }
    double t = last ? stop : run->t + h;
    if (!rates(run, t, decide, run->x1, NULL, it->g0)) return 0;
    for (int i = 0; i < n; i++) run->f1[i] = run->system->dynamic[i] ? -it->g0[i] : 0;
    ln_matrix_apply(&run->system->E, run->x1, run->q1);
    if (!run->system->linear_q && ln_system_value(run->system, t, decide, run->x1, run->q1, NULL) != LINNET_OK)
        return 0;
    ln_run_commit(run, h);
    run->t = t;
    run->decide = decide;
    ln_note_step(run, h);
    return 1;
}

/* After an accepted step with this error: the next step, and whether factorisations are kept. */
static void predict(ln_run *run, radau5 *it, double error, double quotient, double most) {
    double h = it->h;
    it->accepted++;
    if (it->accepted > 1) {
        double g = it->h_accepted / h * pow(error * error / it->error_accepted, 0.25) / SAFE;
        quotient = fmax(quotient, fmax(SHRINK, fmin(GROW, g)));
    }
    it->h_accepted = h;
    it->error_accepted = fmax(1e-2, error);
    double next = fmin(h / quotient, most);
    if (it->rejected) next = fmin(next, h);
    it->first = it->rejected = it->jacobian_fresh = 0;
    double growth = next / h;
    if (it->theta <= KEEP_JACOBIAN && growth >= 1 && growth <= KEEP_BELOW) next = h; /* both factorisations kept */
    else if (it->theta > KEEP_JACOBIAN) it->have_jacobian = run->system->linear;
    it->h = next;
}

/* A point may satisfy the algebra well by the Jacobian it was found with, and badly by its own: where a junction has just
 * turned off, a current that was nothing is volts. Then no step is short enough, neither for Newton nor for the estimate. So
 * when shorter steps have not helped it is solved for anew, with what is stored held by an Euler step too short to
 * matter. 1 when that has moved it. */
static int settle(ln_run *run, radau5 *it) {
    const double h = 1e-6 * it->h;
    if (it->rejected != PATIENCE || run->system->linear) return 0;
    memset(run->w, 0, (size_t)run->n * sizeof *run->w);
    memcpy(run->x1, run->x, (size_t)run->n * sizeof *run->x1);
    if (!ln_run_solve(run, 1 / h, run->q, run->w, run->t, run->decide, run->x1, run->q1, run->f1)) return 0;
    for (int i = 0; i < run->n; i++) {
        if (run->index != NULL && run->index[i] > 1) run->x1[i] = run->x[i]; /* a rate of change, which takes a real step */
        it->error[i] = run->x1[i] - run->x[i];
    }
    int worst;
    if (rms(run, it, it->error, &worst) < it->newton_tolerance) return 0;
    memcpy(run->x, run->x1, (size_t)run->n * sizeof *run->x);
    memcpy(run->q, run->q1, (size_t)run->n * sizeof *run->q);
    it->have_jacobian = 0;
    return rates(run, run->t, run->decide, run->x, NULL, it->g0);
}

static void shorten(ln_run *run, radau5 *it, double factor) {
    it->h *= factor;
    it->rejected++;
    run->statistics->rejected++;
    if (!it->jacobian_fresh) it->have_jacobian = run->system->linear;
}

static linnet_status advance(ln_run *run, void *state, double stop, double decide) {
    radau5 *it = state;
    double most = run->most;
    for (;;) {
        LN_TRY(ln_check_limits(run));
        double wanted = it->h, left = stop - run->t, shrink = 0.5;
        int last = wanted * (1 + 1e-9) >= left;
        if (last) it->h = left;
        if (0.1 * it->h <= fabs(run->t) * DBL_EPSILON && !last)
            return ln_report_no_convergence(run, &run->newton, run->outcome, &run->system->pattern, run->t, it->h,
                                            "the step cannot be taken");
        if (!it->have_jacobian && !make_jacobian(run, it, run->t, run->decide, run->x)) {
            run->outcome = LN_NEWTON_REFUSED;
            return ln_report_no_convergence(run, &run->newton, run->outcome, &run->system->pattern, run->t, it->h,
                                            "the Jacobian has no value");
        }
        set_scale(run, it);
        guess_stages(run, it);
        if (!factor(run, it) || !solve_stages(run, it, decide, &shrink)) {
            if (run->outcome == LN_NEWTON_SINGULAR) shrink = 0.5;
            shorten(run, it, settle(run, it) ? 1 : shrink);
            continue;
        }
        double error = estimate(run, it, decide);
        double factor_ = fmin(SAFE, SAFE * (1 + 2 * NEWTON_MOST) / (it->iterations + 2 * NEWTON_MOST));
        double quotient = fmax(SHRINK, fmin(GROW, pow(error, 0.25) / factor_));
        if (error < 1 && accept(run, it, decide, stop, last)) {
            double h = it->h;
            predict(run, it, error, quotient, most);
            if (last && h < wanted && it->h < wanted) it->h = fmin(wanted, most); /* cut by the stop, not by the error */
            return LINNET_OK;
        }
        ln_note_rejected(run);
        shorten(run, it, settle(run, it) ? 1 : it->first ? 0.1 : 1 / quotient);
    }
}

static void interpolate(const ln_run *run, const void *state, double t, double *x) {
    const radau5 *it = state;
    double s = (t - run->t) / it->h_old; /* -1 at the start of the step, 0 at its end */
    for (int i = 0; i < run->n; i++)
        x[i] = run->x[i] + s * (it->next[0][i] + (s - (c2 - 1)) * (it->next[1][i] + (s - (c1 - 1)) * it->next[2][i]));
}

const ln_stepper_class ln_stepper_radau5 = {.method = "radau5", .size = sizeof(radau5), .create = create, .count = count,
                                            .release = release, .restart = restart, .advance = advance,
                                            .interpolate = interpolate};
