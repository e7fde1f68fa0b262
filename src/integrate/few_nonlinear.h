/* SPDX-License-Identifier: MIT */
/* Few nonlinear unknowns in a large linear network. One solution with the factors of some Jacobian
 * tells how the whole network answers; what the nonlinear blocks give beside their tangents enters
 * few rows, so that their few unknowns can be iterated on alone, against the network's response to
 * these rows (the Schur complement on them; J. Sherman, W. J. Morrison, Ann. Math. Stat. 21 (1950)
 * 124; M. A. Woodbury, 1950, for a change of low rank). However many iterations a step takes, it
 * costs one solution:
 *
 *     M x = M x0 - r(x0) - P g(x_C)     M: a Jacobian whose blocks had the slopes J
 *     z = z* - W_C g(z)                 W = M^-1 P, z* = (x0 - M^-1 r(x0))_C
 *
 * with g(z) what the blocks give at z, less what they gave at x0, less J (z - z0). This small
 * system is solved by Newton's method to rounding, which costs next to nothing. M is kept while the
 * step is, whatever the blocks' slopes are by then. */
#ifndef LN_INTEGRATE_FEW_NONLINEAR_H
#define LN_INTEGRATE_FEW_NONLINEAR_H

#include "integrate/implicit.h"

/* In the run's arena, but for the factors. *few stays NULL where nonlinear blocks are not few
 * beside the unknowns, or enter too many rows. LINNET_MEMORY is not reported. */
linnet_status ln_few_init(ln_run *run);
void ln_few_free(ln_run *run);

/* As the nonlinear case of ln_run_solve(), with run->s known. 1 where `at` is the solution. 0:
 * nothing is kept for this alpha yet, or the iteration did not come to its end; at.x is the guess
 * as it was. */
int ln_few_solve(ln_run *run, double alpha, const double *q_near, const double *w, ln_side side,
                 ln_point at);
/* What it solves with, k = 0, 1, ..., for the statistics; NULL: no such factors (any more). */
const ln_linear *ln_few_factors(const ln_run *run, int k);

#endif
