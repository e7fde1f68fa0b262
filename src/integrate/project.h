/* SPDX-License-Identifier: MIT */
/* Onto hidden constraints, where the index is above 1. */
#ifndef LN_INTEGRATE_PROJECT_H
#define LN_INTEGRATE_PROJECT_H

#include "integrate/start.h"
#include "system/prolonged.h"

/* x (n values) becomes the point that meets the conditions (system/prolonged.h), from the guess in
 * it. 0 when that fails: run->outcome says why, and x is as it was. */
int ln_project(ln_run *run, ln_consistency_solver *consistency, const ln_consistency_conditions *at,
               double *x);
/* The same from a point that is consistent but for what follows from slopes, with nothing held. */
int ln_project_near(ln_run *run, ln_consistency_solver *consistency, ln_side side,
                    const double *q_star, double *x);

/* The same from the point that ln_project() has found, where what is stored is so small that it
 * relaxes through leaks within at->relaxed: there the equations tell rounding from it. 0: there is
 * no leak, or it fails, and x may be anything. */
int ln_project_relaxed(ln_run *run, ln_consistency_solver *consistency,
                       const ln_consistency_conditions *at, double *x);

/* Is unknown i, of value x, off by no more than the tolerance of its largest value so far? */
int ln_project_is_within(const ln_run *run, int i, double off, double x);

/* run->x, a guess in which what is stored is `wanted` (n values), becomes consistent. What the
 * model wrote and a constraint does not contradict is held; the rest shares the charge that flows.
 * LINNET_FAILED is reported. */
linnet_status ln_project_start(ln_run *run, ln_consistency_solver *consistency,
                               const double *wanted);

#endif
