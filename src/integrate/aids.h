/* SPDX-License-Identifier: MIT */
/* Private to still.c: Newton's method on the equations of a point at rest, and its aids. */
#ifndef LN_INTEGRATE_AIDS_H
#define LN_INTEGRATE_AIDS_H

#include "integrate/still.h"

/* By the first aid that helps; still->means says which. x in and out, guess: not x. 1 on success.
 */
int ln_solve_by_aids(ln_still *still, double *x, const double *guess);
/* Newton, then damped, from x alone; still->good is used up. */
int ln_solve_directly(ln_still *still, double *x);
/* q at x, which Newton's last update has moved. */
void ln_take_stored(ln_still *still, const double *x, double *q0);

#endif
