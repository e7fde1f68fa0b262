/* SPDX-License-Identifier: MIT */
/* A jump where no step can be taken. */
#ifndef LN_INTEGRATE_LEAP_H
#define LN_INTEGRATE_LEAP_H

#include "integrate/dc_solver.h"

/* Called where no step is short enough. Jumps to the point at which unknowns without storage
 * settle in pseudo-time. 1: x, q, f and side.t are just after it (the first jump is warned of),
 * and steps begin anew; 0: there is no such point; note says what was tried, may be empty. */
int ln_leap(ln_run *run, ln_side stop, char note[256]);
/* s: within so little a jump is at an instant; the shortest leap. */
double ln_leap_shortest(const ln_run *run);

#endif
