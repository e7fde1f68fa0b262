/* SPDX-License-Identifier: MIT */
/* What rounding takes away. Beside a resistance of 1e-15 Ohm the balance of its nodes has terms of
 * 1e15 A, of which double precision keeps 0.1 A: currents of milliamperes are lost in it, and
 * nothing else tells. */
#ifndef LN_INTEGRATE_ROUNDING_H
#define LN_INTEGRATE_ROUNDING_H

#include "integrate/implicit.h"

/* What rounding makes of the unknowns in a step of h that ends at x, into noise (n values). 0: it
 * is not known, since a block refuses the point, the matrix is singular or memory short. */
int ln_run_find_noise(ln_run *run, double h, ln_side side, const double *x, double *noise);

/* A warning where rounding makes more of an unknown of run->x, a point at rest, than the tolerance
 * allows, of it and of the largest one in its unit. It names the sum in which the most is lost and
 * the block that has the largest term there. linear: factors of the Jacobian near there. A run is
 * warned once. */
void ln_rounding_warn(ln_run *run, ln_linear *linear);
/* The same at the end of a run, for one step of backward Euler over all of it: what rounding takes
 * from a constant coefficient it takes in every step, and the sum is what a long step loses. */
void ln_rounding_warn_at_end(ln_run *run);

#endif
