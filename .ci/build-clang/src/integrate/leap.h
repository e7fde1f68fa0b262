/* SPDX-License-Identifier: MIT */
/* A jump where no step can be taken. */
#ifndef LN_INTEGRATE_LEAP_H
#define LN_INTEGRATE_LEAP_H

#include "integrate/still.h"

/* Where no step from run->side.t is short enough: what can jump does, and run->side.t, x, q and f
 * are a little behind it; 1. The first is told as a warning. 0: nothing that a jump would help;
 * note: what was tried, may be empty. Steps begin anew afterwards. */
int ln_leap(ln_run *run, ln_side stop, char note[256]);

#endif
