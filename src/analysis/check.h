/* SPDX-License-Identifier: MIT */
/* What a prepared simulation consists of, for `linnet check` and the summary of a run. */
#ifndef LN_ANALYSIS_CHECK_H
#define LN_ANALYSIS_CHECK_H

#include "analysis/simulation.h"
#include "model/model.h"

typedef struct ln_census {
    int blocks, links, unknowns;
    int links_of[LINNET_DOMAINS]; /* by domain */
    int states;    /* independent stored quantities; -1: too many to tell before a run */
    int nonlinear; /* blocks that need Newton */
} ln_census;

/* Prepares a simulation as ln_simulation_prepare() does, and finds what else can be known before
 * the first step: whether the references mean something, and whether the start values contradict
 * each other. */
linnet_status ln_check(ln_simulation *simulation, const ln_model *model,
                       const ln_model_options *options, const ln_request *request,
                       int need_settings, ln_report *report);

/* Counts. The simulation must have been prepared. Cost: that of the consistent start without
 * solving it. */
linnet_status ln_census_take(const ln_simulation *simulation, ln_census *census);

#endif
