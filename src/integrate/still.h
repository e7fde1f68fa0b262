/* SPDX-License-Identifier: MIT */
/* Solving alpha (q(x) - q0) + f(x) = 0 for a point at rest (alpha = 0) or after a step of backward Euler of length
 * 1/alpha, from afar: Newton's method, and the aids when it fails. */
#ifndef LN_INTEGRATE_STILL_H
#define LN_INTEGRATE_STILL_H

#include "integrate/start.h"

/* alpha (q(x) - q0) + f(x) = 0, sources times scale; at the row of each physical link also gmin x + pull (x - near), and
 * where the link has a first guess, while these are held, a conductance that holds it there. */
typedef struct ln_still_equations {
    ln_equation_set set;
    double alpha, gmin, pull, scale, t;
    int held;
    const double *q0, *s, *near;
    double *q;
} ln_still_equations;

typedef struct ln_still {
    ln_run *run;
    ln_still_equations equations;
    ln_linear *linear;
    ln_newton_outcome outcome;
    double *good;                  /* n: the last point of a path that was solved                                      */
    double span;                   /* s: a time typical of the model                                                   */
    const char *means;             /* which aid served                                                                */
    int drifts;                    /* settling failed because something never comes to rest                           */
} ln_still;

/* From x (in and out); `guess` (n values, not x) is where Newton's method and the pseudo-transient begin. First guesses of
 * links are held at first, and then let go, so that of several solutions the one they mean is found. 1 on success. */
int ln_still_solve(ln_still *still, double *x, const double *guess);
/* Where f alone leaves combinations free: from x, with its stored quantities in q0 (which is used up), steps so long that
 * only those combinations stay. 1 on success. After a failure the run's newton.dx holds what still changed. */
int ln_still_settle(ln_still *still, double *x, double *q0);

extern const ln_equation_set ln_still_set;   /* the functions; system and pattern are the caller's                      */

#endif
