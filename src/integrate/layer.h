/* SPDX-License-Identifier: MIT */
/* Layers that the time does not resolve.
 *
 * Picofarads across a switch of microohms charge in 1e-16 s. At 1 ms that is a thousand roundings
 * of the time, and a step as short as the tolerance asks for is none. The shortest is taken there
 * in its place, where its error dies out (ln_passes_layer()). */
#ifndef LN_INTEGRATE_LAYER_H
#define LN_INTEGRATE_LAYER_H

#include "integrate/implicit.h"

/* s: shorter steps at t are none, since they are rounding of it. */
double ln_shortest_step(double t);

/* What a time h leaves of an error e of x by the equations linearised where they were evaluated
 * last, (M/h + J)^-1 M e/h, into left; n values each. 0: nobody can tell, for the matrix is
 * singular. */
int ln_run_leaves_of(ln_run *run, double h, const double *e, double *left);

#endif
