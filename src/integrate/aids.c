/* SPDX-License-Identifier: MIT */
/* Aids to Newton's method from afar, in the order in which they are tried: damping by the natural
 * monotonicity test (newton.c); gmin stepping (a conductance from each link to its reference, from
 * 1 S downwards); source stepping (all sources from zero to full); pseudo-transient continuation
 * (steps of backward Euler that grow as they succeed, with a conductance from each link to where it
 * was, as not all have a capacitance: C. T. Kelley, D. E. Keyes, SIAM J. Numer. Anal. 35 (1998)
 * 508). */
#include "integrate/aids.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int once(ln_still *still, double *x, int damped) {
    int fresh = 0;
    still->outcome = ln_newton_solve(&still->run->newton, &still->equations.set, still->linear,
                                     &fresh, x, 100, damped);
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

int ln_solve_directly(ln_still *still, double *x) {
    memcpy(still->good, x, (size_t)still->run->n * sizeof *x);
    return plain(still, x, NULL) || damped(still, x, still->good);
}

/* Follows a path from an easy problem to the real one: set(still, position) with position 0..1.
 * Near a solution, where blocks limit their own steps, damping costs more than it saves: it is
 * tried only at the beginning and on short steps. */
static int follow(ln_still *still, double *x, void (*set)(ln_still *, double position)) {
    size_t n = (size_t)still->run->n;
    double reached = -1, step = 0.1;
    memset(still->good, 0, n * sizeof *x);
    while (reached < 1 && step > 1e-5) {
        double next = reached < 0 ? 0 : fmin(1, reached + step);
        set(still, next);
        memcpy(x, still->good, n * sizeof *x);
        int done =
            once(still, x, 0) || ((reached < 0 || step < 1e-2) && damped(still, x, still->good));
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
    still->reached = reached;
    return reached >= 1;
}

/* from 1 S down to 1e-12 S, then none */
static void set_gmin(ln_still *still, double position) {
    still->equations.gmin = position >= 1 ? 0 : pow(10, -12 * position);
}

static int step_gmin(ln_still *still, double *x, const double *guess) {
    (void)guess;
    return follow(still, x, set_gmin);
}

static void set_sources(ln_still *still, double position) {
    still->equations.scale = position;
}

static int step_sources(ln_still *still, double *x, const double *guess) {
    (void)guess;
    return follow(still, x, set_sources);
}

void ln_take_stored(ln_still *still, const double *x, double *q0) {
    ln_system *system = still->run->system;
    ln_matrix_apply(&system->E, x, q0);
    if (!system->linear_q)
        (void)ln_system_eval(system, still->equations.side, x, LN_LIMIT_OFF, q0, NULL, NULL);
}

/* The same where alpha is the problem's own (a step): links alone are slow, as if each had a
 * capacitance, and let go in pseudo-time. What cannot go on as it was (a latch whose state has
 * ceased to be) moves to where it would settle. */
static int relax(ln_still *still, double *x, const double *guess) {
    enum { STEPS = 200 };
    /* S; beyond, what has no series resistance runs away */
    static const double FIRST = 1, LAST = 1e-13, MOST = 1e3;
    ln_still_equations *equations = &still->equations;
    const size_t bytes = (size_t)still->run->n * sizeof *x;
    memcpy(still->good, guess, bytes);
    equations->near = still->good;
    double pull = FIRST;
    for (int k = 0; k < STEPS && pull > LAST && pull < MOST; k++) {
        equations->pull = pull;
        memcpy(x, still->good, bytes);
        const int done = once(still, x, 0);
        pull *= done ? 0.4 : 6;
        if (done)
            memcpy(still->good, x, bytes);
    }
    equations->pull = 0;
    still->reached = pull > LAST ? 0 : 1;
    memcpy(x, still->good, bytes);
    return pull <= LAST && once(still, x, 1);
}

/* Steps of backward Euler from `guess`, three times longer after each success, an eighth after a
 * failure. Once they are long against the model's time, Newton alone is tried from where they led.
 * Only from alpha = 0, which is the problem at rest. */
static int march(ln_still *still, double *x, const double *guess) {
    enum { STEPS = 400 };
    static const double PULL = 1e-6; /* S, of a step as long as the model's time */
    ln_still_equations *equations = &still->equations;
    size_t n = (size_t)still->run->n;
    const double *kept = equations->q0;
    double *q0 = still->run->f, alpha = 1e3 / still->span;
    memcpy(q0, kept, n * sizeof *q0);
    memcpy(still->good, guess, n * sizeof *x);
    equations->q0 = q0;
    equations->near = still->good;
    int done = 0;
    for (int k = 0; k < STEPS && !done && alpha < 1e24 / still->span && alpha > 1e-12 / still->span;
         k++) {
        equations->alpha = alpha;
        equations->pull = PULL * alpha * still->span;
        memcpy(x, still->good, n * sizeof *x);
        if (!once(still, x, 1)) {
            alpha *= 8;
            continue;
        }
        memcpy(still->good, x, n * sizeof *x);
        ln_take_stored(still, x, q0);
        alpha /= 3;
        if (alpha > 1 / still->span)
            continue;
        equations->alpha = equations->pull = 0;
        done = once(still, x, 1);
    }
    equations->alpha = equations->pull = 0;
    equations->q0 = kept;
    return done;
}

static int pseudo_transient(ln_still *still, double *x, const double *guess) {
    return still->equations.alpha > 0 ? relax(still, x, guess) : march(still, x, guess);
}

int ln_still_relax(ln_still *still, double *x, const double *guess) {
    still->means = "pseudo-transient continuation";
    return relax(still, x, guess);
}

/* In the order of what they cost. */
static const struct aid {
    const char *means;
    int (*solve)(ln_still *still, double *x, const double *guess);
} aids[] = {
    {"Newton", plain},
    {"damped Newton", damped},
    {"gmin stepping", step_gmin},
    {"source stepping", step_sources},
    {"pseudo-transient continuation", pseudo_transient},
};
enum { AIDS = sizeof aids / sizeof *aids };

/* At the end of a path the last update was judged by how the ones before it fell; from the point
 * itself it is exact. */
static void polish(ln_still *still, double *x) {
    size_t bytes = (size_t)still->run->n * sizeof *x;
    memcpy(still->good, x, bytes);
    if (!plain(still, x, NULL))
        memcpy(x, still->good, bytes);
    still->outcome = LN_NEWTON_CONVERGED;
}

/* What was tried in vain, and how far it came: "Newton, gmin stepping (down to 1e-05 S)". */
static void note_tried(ln_still *still, int k) {
    char *text = still->tried;
    const size_t at = k == 0 ? 0 : strlen(text), room = sizeof still->tried - at;
    const double far = still->reached;
    (void)snprintf(text + at, room, "%s%s", k > 0 ? ", " : "", aids[k].means);
    const size_t end = strlen(text), left = sizeof still->tried - end;
    if (far < 0)
        (void)snprintf(text + end, left, " (not even its first step)");
    else if (aids[k].solve == step_gmin && far < 1)
        (void)snprintf(text + end, left, " (down to %.2g S)", pow(10, -12 * far));
    else if (aids[k].solve == step_gmin)
        (void)snprintf(text + end, left, " (down to 0, where the last step fails)");
    else if (aids[k].solve == step_sources)
        (void)snprintf(text + end, left, " (up to %.3g %%)", 100 * far);
}

int ln_solve_by_aids(ln_still *still, double *x, const double *guess) {
    still->tried[0] = '\0';
    for (int k = 0; k < AIDS; k++) {
        still->means = aids[k].means;
        still->reached = 0;
        if (aids[k].solve(still, x, guess)) {
            if (k > 0)
                polish(still, x);
            return 1;
        }
        note_tried(still, k);
        if (still->run->system->linear)
            return 0;
        /* at rest what is singular may be free; settling knows (find_rest), and asks for all aids
         * in its turn */
        if (k == 0 && still->outcome == LN_NEWTON_SINGULAR && !(still->equations.alpha > 0) &&
            !still->insists)
            return 0;
    }
    return 0;
}
