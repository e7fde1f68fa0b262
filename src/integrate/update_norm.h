/* SPDX-License-Identifier: MIT */
/* How long an update of Newton's method is, in units of what each unknown may be off (newton.h). */
#ifndef LN_INTEGRATE_UPDATE_NORM_H
#define LN_INTEGRATE_UPDATE_NORM_H

#include "integrate/newton.h"

/* Before the norms of a solution: which unknowns count, by newton->index and newton->allowance. */
void ln_update_weigh(ln_newton *newton);

/* Largest |dx| of the n unknowns in units of their tolerance; NaN if any is not finite. The
 * tolerance follows the larger end of the update: were it that of x alone, the first update from
 * x = 0 would be measured in far smaller units than the next, and the rate between the two would
 * say nothing. *length (may be NULL): the same without what the allowance adds. */
double ln_update_norm(const ln_newton *newton, const double *abstol, const double *x,
                      const double *dx, double *length);

/* The tolerance of an update of an unknown of this size, without an allowance. */
double ln_update_unit(const ln_newton *newton, double size, double abstol);

#endif
