/* SPDX-License-Identifier: MIT */
/* The first step after an instant of which only what is stored is known. */
#ifndef LN_INTEGRATE_EULER_START_H
#define LN_INTEGRATE_EULER_START_H

#include "integrate/start.h"
#include "integrate/stepper.h"

/* Adaptive: a step from run->q towards the stop by implicit Euler, in two halves, of at most h; the
 * difference to one whole step estimates its error [Hairer, Norsett, Wanner: Solving ODEs I,
 * II.4.4]. It neither uses x, but as a guess, nor f at its beginning. 1: taken and committed; *h is
 * its length. 0: none is short enough, and the run is where it was. consistency lends its work
 * arrays.
 */
int ln_euler_start(ln_run *run, ln_consistency_solver *consistency, ln_side stop, double *h);

#endif
