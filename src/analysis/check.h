/* SPDX-License-Identifier: MIT */
/* What a prepared simulation consists of, for `linnet check` and the summary of a run. */
#ifndef LN_ANALYSIS_CHECK_H
#define LN_ANALYSIS_CHECK_H

#include "analysis/simulation.h"

typedef struct ln_census {
    int blocks, links, unknowns;
    int links_of[LINNET_DOMAINS];  /* by domain                                                                       */
    int states;                    /* independent stored quantities; -1: too many to tell before a run                */
    int nonlinear;                 /* blocks that need Newton                                                         */
} ln_census;

/* Counts. The simulation must have been prepared. Cost: that of the consistent start without solving it. */
linnet_status ln_census_take(const ln_simulation *simulation, ln_census *census);

#endif
