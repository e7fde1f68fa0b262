/* SPDX-License-Identifier: MIT */
/* Private to the comparison: which explicit runs are beyond their limit of stability, and who sets
 * that limit. */
#ifndef LN_ANALYSIS_COMPARE_STABILITY_H
#define LN_ANALYSIS_COMPARE_STABILITY_H

#include "analysis/compare_run.h"

/* Judges the explicit rows at fixed steps that failed or lost the solution. `simulation` is
 * prepared and has not run. A model whose modes cannot be found leaves the rows as they are. */
linnet_status ln_compare_stability(ln_comparing *all, ln_simulation *simulation);

#endif
