/* SPDX-License-Identifier: MIT */
/* Solving alpha (q(x) - q0) + f(x) = 0 for a point at rest (alpha = 0) or after a step of backward
 * Euler of length 1/alpha, from a poor guess: Newton's method, and homotopies and pseudo-time when
 * it fails (continuation.h). */
#ifndef LN_INTEGRATE_DC_SOLVER_H
#define LN_INTEGRATE_DC_SOLVER_H

#include "integrate/start.h"

/* Holds x[a] - x[b] near a value by a conductance: weight times the difference from the value
 * enters row a and leaves row b. b = -1: x[b] is zero. (An exact hold is ln_held_difference.) */
typedef struct ln_hold_conductance {
    int a, b;
    double value, weight;
} ln_hold_conductance;

/* alpha (q(x) - q0) + f(x) = 0, sources times scale; at the row of each physical link also gmin x +
 * pseudo_conductance (x - anchor), a step of pseudo-time from anchor (pseudo_conductance ~ 1/tau);
 * and what is held. */
typedef struct ln_dc_equations {
    ln_equation_set set;
    double alpha, gmin, pseudo_conductance, scale;
    ln_side side;
    int manner;   /* LN_DEVICES_OFF, or 0 */
    double rests; /* V, of ln_system_eval_within() */
    const ln_hold_conductance *holds;
    int nholds;
    const double *q0, *s, *anchor;
    double *q;
} ln_dc_equations;

typedef struct ln_dc_solver {
    ln_run *run;
    ln_dc_equations equations;
    ln_linear *linear;
    ln_newton_outcome outcome;
    int out_of_memory;     /* for a factorisation: nothing more is tried */
    double *solved;        /* n: the last point of a path that was solved */
    double *solved_before; /* n: the one before it, of a homotopy */
    double span;           /* s: a time typical of the model */
    /* of links: first those that are held to the end, nfixed, then those that are let go at last
     * (first guesses); equations.nholds are held now */
    ln_hold_conductance *holds;
    int nfixed, nholds;
    const char *means;   /* the strategy that served */
    int by_plain_newton; /* that was plain Newton's method, so that the Jacobian is regular */
    char tried[256];     /* those that did not, with how far each came */
    int last_iterations; /* iterations of the last step of a homotopy, 0: there was none */
    double reached; /* position to which the last path led: 0 to 1; negative: not even its first
                       point */
    int ignores_singular_start; /* a singular first point is no reason to give up */
    int accepts_slow;           /* the long steps end as soon as what is left is slow */
    int never_rests;            /* the long steps failed: something never comes to rest */
} ln_dc_solver;

/* From x (in and out); `guess` (n values, not x) is where Newton's method and the pseudo-transient
 * begin. First guesses of links are held at first, and then let go, so that of several solutions
 * the one they mean is found. 1 on success. */
int ln_dc_solve(ln_dc_solver *solver, double *x, const double *guess);
/* By pseudo-time alone, from guess: to where the present state would go, if links were slow. 1
 * on success. */
int ln_dc_relax(ln_dc_solver *solver, double *x, const double *guess);
/* Where f alone leaves combinations free: from x, with its stored quantities in q0 (which is used
 * up), steps so long that only those combinations stay. 1 on success. After a failure the run's
 * newton.dx holds what still changed. */
int ln_dc_long_steps(ln_dc_solver *solver, double *x, double *q0);

/* Makes solver->holds of the starts and first guesses of physical links, in the arena. hold_fixed:
 * a fixed start is held to the end; else it is a first guess. */
linnet_status ln_dc_make_holds(ln_dc_solver *solver, const ln_network *network, ln_arena *arena,
                               int hold_fixed);
/* Hold k is one no longer. */
void ln_dc_drop_hold(ln_dc_solver *solver, int k);

/* A solver for the run at a side: q0, s and q are the run's q, s and q1; solved and solved_before
 * its guess and far_guess; everything else is zero. The caller frees solver->linear. 0 when memory
 * is short. */
int ln_dc_begin(ln_dc_solver *solver, ln_run *run, double alpha, ln_side side);

#endif
