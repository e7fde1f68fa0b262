/* SPDX-License-Identifier: MIT */
/* A run that stays at the operating point from which it starts. Where that is unstable, what was
 * meant to oscillate stands still: nothing disturbs an exact solution. */
#ifndef LN_ANALYSIS_STANDING_H
#define LN_ANALYSIS_STANDING_H

#include "analysis/simulation.h"

/* After a run: a warning with the mode that would have grown, if nothing moved and there is one.
 * Models of many unknowns are not looked at. */
void ln_standing_warn(ln_simulation *simulation);

#endif
