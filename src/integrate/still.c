/* SPDX-License-Identifier: MIT */
/* Points at rest from afar. The aids, in the order in which they are tried: damping by the natural monotonicity test
 * (newton.c); gmin stepping (a conductance from each link to its reference, from 1 S downwards); source stepping (all
 * sources from zero to full); pseudo-transient continuation (steps of backward Euler that grow as they succeed, with a
 * conductance from each link to where it was, as not all have a capacitance: C. T. Kelley, D. E. Keyes, SIAM J. Numer.
 * Anal. 35 (1998) 508). Settling: a backward Euler step of great length keeps exactly the combinations that f leaves free,
 * because the left null space of A conserves q. */
#include "integrate/still.h"

#include "base/domain.h"
#include <math.h>
#include <string.h>

/* ---- the equations ---- */

static const double HOLDING = 1e9; /* conductance that holds a first guess, in the domain's flux by its potential      */

static int has_conductances(const ln_still_equations *still) {
    return still->gmin > 0 || still->pull > 0 || still->held;
}

/* The conductance added at a link's row; at x also the flux that it adds. */
static double conductance_at(const ln_still_equations *still, const ln_link *link, const double *x, double *flux) {
    const int k = link->unknown;
    const ln_domain_info *domain = ln_domain(link->domain);
    const double hold = still->held && link->has_guess ? HOLDING * domain->flux_nominal / domain->potential_nominal : 0;
    if (x != NULL) {
        *flux = still->gmin * x[k];
        if (still->pull > 0) *flux += still->pull * (x[k] - still->near[k]);
        if (hold > 0) *flux += hold * (x[k] - link->guess);
    }
    return still->gmin + still->pull + hold;
}

static linnet_status still_residual(ln_equation_set *set, const double *x, ln_limiting limiting, double *r,
                                    int *limited) {
    ln_still_equations *still = (ln_still_equations *)set;
    ln_system *system = set->system;
    ln_matrix_apply(&system->E, x, still->q);
    ln_matrix_apply(&system->A, x, r);
    linnet_status status = ln_system_eval(system, still->t, still->t, x, limiting, still->q, r, limited);
    for (int i = 0; i < system->n; i++) r[i] += still->alpha * (still->q[i] - still->q0[i]) - still->scale * still->s[i];
    const ln_network *network = system->network;
    for (int k = 0; has_conductances(still) && k < network->nlinks; k++) {
        const ln_link *link = &network->links[k];
        double flux = 0;
        if (link->unknown < 0 || link->domain == LINNET_SIGNAL) continue;
        (void)conductance_at(still, link, x, &flux);
        r[link->unknown] += flux;
    }
    return status;
}

static int position_in(const ln_pattern *pattern, int row, int col) {
    for (int k = pattern->start[col]; k < pattern->start[col + 1]; k++)
        if (pattern->row[k] == row) return k;
    return -1;
}

static void still_jacobian(ln_equation_set *set, double *values) {
    ln_still_equations *still = (ln_still_equations *)set;
    ln_system_jacobian(set->system, still->alpha, values);
    const ln_network *network = set->system->network;
    for (int k = 0; has_conductances(still) && k < network->nlinks; k++) {
        const ln_link *link = &network->links[k];
        if (link->unknown < 0 || link->domain == LINNET_SIGNAL) continue;
        int at = position_in(set->pattern, link->unknown, link->unknown);
        if (at >= 0) values[at] += conductance_at(still, link, NULL, NULL);
    }
}

const ln_equation_set ln_still_set = {.residual = still_residual, .jacobian = still_jacobian};

/* ---- the aids ---- */

static int once(ln_still *still, double *x, int damped) {
    int fresh = 0;
    still->outcome = ln_newton_solve(&still->run->newton, &still->equations.set, still->linear, &fresh, x, 100, damped);
    return still->outcome == LN_NEWTON_CONVERGED;
}

static int plain(ln_still *still, double *x, const double *guess) {
    (void)guess;
    return once(still, x, 0);
}

static int damped(ln_still *still, double *x, const double *guess) {
    memcpy(x, guess, (size_t)still->run->n * sizeof *x);
    return once(still, x, 1);
}

/* Follows a path from an easy problem to the real one: set(still, position) with position 0..1. Near a solution, where
 * blocks limit their own steps, damping costs more than it saves: it is tried only at the beginning and on short steps. */
static int follow(ln_still *still, double *x, void (*set)(ln_still *, double position)) {
    size_t n = (size_t)still->run->n;
    double reached = -1, step = 0.1;
    memset(still->good, 0, n * sizeof *x);
    while (reached < 1 && step > 1e-5) {
        double next = reached < 0 ? 0 : fmin(1, reached + step);
        set(still, next);
        memcpy(x, still->good, n * sizeof *x);
        int done = once(still, x, 0) || ((reached < 0 || step < 1e-2) && damped(still, x, still->good));
        if (done) {
            memcpy(still->good, x, n * sizeof *x);
            reached = next;
            step *= 1.5;
        } else if (reached < 0) {
            break;
        } else {
            step /= 4;
        }
    }
    set(still, 1);
    return reached >= 1;
}

static void set_gmin(ln_still *still, double position) { /* from 1 S down to 1e-12 S, then none */
    still->equations.gmin = position >= 1 ? 0 : pow(10, -12 * position);
}

static int step_gmin(ln_still *still, double *x, const double *guess) {
    (void)guess;
    return follow(still, x, set_gmin);
}

static void set_sources(ln_still *still, double position) { still->equations.scale = position; }

static int step_sources(ln_still *still, double *x, const double *guess) {
    (void)guess;
    return follow(still, x, set_sources);
}

/* q at x, which Newton's last update has moved. */
static void take_stored(ln_still *still, const double *x, double *q0) {
    ln_system *system = still->run->system;
    ln_matrix_apply(&system->E, x, q0);
    if (!system->linear_q)
        (void)ln_system_eval(system, still->equations.t, still->equations.t, x, LN_LIMIT_OFF, q0, NULL, NULL);
}

/* Steps of backward Euler from `guess`, three times longer after each success, an eighth after a failure. Once they are
 * long against the model's time, Newton alone is tried from where they led. Only from alpha = 0, which is the problem
 * at rest. */
static int pseudo_transient(ln_still *still, double *x, const double *guess) {
    enum { STEPS = 400 };
    static const double PULL = 1e-6; /* S, of a step as long as the model's time */
    ln_still_equations *equations = &still->equations;
    size_t n = (size_t)still->run->n;
    const double *kept = equations->q0;
    if (equations->alpha > 0) return 0;
    double *q0 = still->run->f, alpha = 1e3 / still->span;
    memcpy(q0, kept, n * sizeof *q0);
    memcpy(still->good, guess, n * sizeof *x);
    equations->q0 = q0;
    equations->near = still->good;
    int done = 0;
    for (int k = 0; k < STEPS && !done && alpha < 1e24 / still->span && alpha > 1e-12 / still->span; k++) {
        equations->alpha = alpha;
        equations->pull = PULL * alpha * still->span;
        memcpy(x, still->good, n * sizeof *x);
        if (!once(still, x, 1)) {
            alpha *= 8;
            continue;
        }
        memcpy(still->good, x, n * sizeof *x);
        take_stored(still, x, q0);
        alpha /= 3;
        if (alpha > 1 / still->span) continue;
        equations->alpha = equations->pull = 0;
        done = once(still, x, 1);
    }
    equations->alpha = equations->pull = 0;
    equations->q0 = kept;
    return done;
}

/* In the order of what they cost. */
static const struct aid { const char *means; int (*solve)(ln_still *still, double *x, const double *guess); } aids[] = {
    {"Newton", plain},
    {"damped Newton", damped},
    {"gmin stepping", step_gmin},
    {"source stepping", step_sources},
    {"pseudo-transient continuation", pseudo_transient},
};
enum { AIDS = sizeof aids / sizeof *aids };

/* At the end of a path the last update was judged by how the ones before it fell; from the point itself it is exact. */
static void polish(ln_still *still, double *x) {
    size_t bytes = (size_t)still->run->n * sizeof *x;
    memcpy(still->good, x, bytes);
    if (!plain(still, x, NULL)) memcpy(x, still->good, bytes);
    still->outcome = LN_NEWTON_CONVERGED;
}

/* Solves by the first aid that helps. */
static int solve_by_aids(ln_still *still, double *x, const double *guess) {
    for (int k = 0; k < AIDS; k++) {
        still->means = aids[k].means;
        if (aids[k].solve(still, x, guess)) {
            if (k > 0) polish(still, x);
            return 1;
        }
        if (k == 0 && (still->outcome == LN_NEWTON_SINGULAR || still->run->system->linear)) return 0;
    }
    return 0;
}

/* Has a physical link a first guess? They are held only on the way to a point at rest, and not when it begins at a known
 * point. */
static int is_guided(const ln_still *still) {
    const ln_network *network = still->run->system->network;
    if (still->equations.alpha > 0 || still->run->system->linear || still->run->settings->start_x != NULL) return 0;
    for (int k = 0; k < network->nlinks; k++) {
        const ln_link *link = &network->links[k];
        if (link->has_guess && link->unknown >= 0 && link->domain != LINNET_SIGNAL) return 1;
    }
    return 0;
}

int ln_still_solve(ln_still *still, double *x, const double *guess) {
    if (is_guided(still)) {
        still->equations.held = 1;
        int held = solve_by_aids(still, x, guess);
        still->equations.held = 0;
        memcpy(still->good, x, (size_t)still->run->n * sizeof *x);
        if (held && (plain(still, x, NULL) || damped(still, x, still->good))) return 1;
        memcpy(x, guess, (size_t)still->run->n * sizeof *x);
    }
    return solve_by_aids(still, x, guess);
}

/* What still changes between the last two points changes by less than 1e-9 of its size in the model's time: what is left is
 * the end of a decay that is no exponential one (a reaction of second order), or rounding. */
static int is_slow(const ln_still *still, const double *x, const double *before) {
    const double *nominal = still->run->system->nominal;
    for (int i = 0; i < still->run->n; i++) {
        double rate = fabs(x[i] - before[i]) * still->equations.alpha;
        if (!(rate * still->span <= 1e-9 * fmax(fabs(x[i]), nominal[i]))) return 0;
    }
    return 1;
}

int ln_still_settle(ln_still *still, double *x, double *q0) {
    size_t n = (size_t)still->run->n;
    double *before = still->run->f;
    still->equations.alpha = 1e-2 / still->span;
    int done = 0;
    for (int k = 0; k < 60; k++) {
        memcpy(before, x, n * sizeof *x);
        if (!ln_still_solve(still, x, before)) break;
        double change = 0;
        for (size_t i = 0; i < n; i++) {
            double size = fabs(x[i] - before[i]) / (1e-9 * fabs(x[i]) + 1e-3 * still->run->system->abstol[i]);
            change = fmax(change, size);
        }
        take_stored(still, x, q0);
        if ((done = k > 0 && change <= 1)) break;
        if (k == 59 && (done = is_slow(still, x, before))) break;
        if (k == 59) {
            still->drifts = 1;
            still->outcome = LN_NEWTON_DIVERGED;
            for (size_t i = 0; i < n; i++) still->run->newton.dx[i] = (x[i] - before[i]) * still->equations.alpha;
            break;
        }
        if (still->equations.alpha > 1e-6 / still->span) still->equations.alpha /= 10;
    }
    still->equations.alpha = 0;
    return done;
}
