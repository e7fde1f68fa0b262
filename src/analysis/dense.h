/* SPDX-License-Identifier: MIT */
/* Rows between the ends of a step, so that straight lines through the rows of a result are the
 * solution.
 *
 * An adaptive method takes steps as long as its error allows, far longer than a straight line
 * follows the solution. The method knows the solution within a step (its dense output); here it is
 * looked at, and a row is written wherever a line would leave it by more than settings->resolution
 * of the range that the column has covered so far. */
#ifndef LN_ANALYSIS_DENSE_H
#define LN_ANALYSIS_DENSE_H

#include "analysis/recorder.h"
#include "integrate/integrate.h"

typedef struct ln_dense ln_dense;

/* Where rows go: values are one per column of the recorder. */
typedef linnet_status ln_dense_row(void *context, double t, const double *values);

/* For a recorder that is ready, and what it observes, in a run as the settings say. Lives in the
 * arena; NULL when memory is short (not reported). */
ln_dense *ln_dense_new(ln_recorder *recorder, ln_system *system, const ln_settings *settings,
                       ln_arena *arena);
/* A row that was written otherwise: the next step begins there. */
void ln_dense_told(ln_dense *dense, double t, const double *values);
/* Writes the rows within a step, its ends excepted, from the time `from` on. The end is to be told
 * next. */
linnet_status ln_dense_within(ln_dense *dense, const ln_step_view *step, double from,
                              ln_dense_row *row, void *context);

/* What it has seen, for a run that goes on later; load: 0 when the bytes are too few. */
void ln_dense_save(const ln_dense *dense, ln_bytes *bytes);
int ln_dense_load(ln_dense *dense, ln_bytes *bytes);

#endif
