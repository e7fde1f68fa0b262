/* SPDX-License-Identifier: MIT */
/* The gate at the end of every run, whatever the method: a run succeeds only if every value that it
 * tells is a number, its last point satisfies the equations, and what did not succeed has been told
 * with its reason. */
#ifndef LN_ANALYSIS_ENDING_H
#define LN_ANALYSIS_ENDING_H

#include "analysis/simulation.h"

/* A point on its way to the sink: x (n unknowns) and the recorded values. LINNET_FAILED, reported
 * with name and time, when one of them is no finite number: the rows before it stand. */
linnet_status ln_ending_row(const ln_simulation *simulation, double t, const double *x,
                            const double *values);
/* The last point: the equations without storage must hold there. LINNET_FAILED, reported with the
 * equation that does not. */
linnet_status ln_ending_point(ln_simulation *simulation, ln_side side, const double *x);
/* How the run ended, as its caller sees it: no internal status leaves, and none without a message.
 * `errors`: ln_report_errors() as the run began. */
linnet_status ln_ending_status(const ln_simulation *simulation, linnet_status status, int errors);

/* What holds a run that does not end: its steps, what sets them, its events, as one sentence in
 * *text. 0 when nothing is known of it. */
int ln_ending_hold(const ln_simulation *simulation, ln_text *text);

#endif
