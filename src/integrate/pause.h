/* SPDX-License-Identifier: MIT */
/* A run that stands still and goes on: what its future depends on, as bytes.
 *
 * A run that is paused ends and is begun anew from these bytes, in the same process or another:
 * solvers, factorisations, histories of methods are made afresh either way, so a run that is
 * resumed from a file equals, bit by bit, the one that only paused there. What goes on is the
 * point, memories and the past of delays, what conditions held, and the counts. */
#ifndef LN_INTEGRATE_PAUSE_H
#define LN_INTEGRATE_PAUSE_H

#include "base/bytes.h"
#include "integrate/event_iteration.h"

/* The point, memories and delays; then, of a hybrid system, its events. `failed` of the bytes:
 * memory is short. */
void ln_pause_save(ln_bytes *bytes, const ln_system *system, double t, const double *x);
void ln_pause_save_events(ln_bytes *bytes, const ln_events *events);
/* The same read back in this order; x: n values. 1 when the bytes fit the system and there is
 * memory. */
int ln_pause_load(ln_pause *pause, ln_system *system, double *x);
int ln_pause_load_events(ln_bytes *bytes, ln_events *events);

/* Tells that the state is of another model (LINNET_IO). */
linnet_status ln_pause_report_misfit(ln_report *report);
static inline int ln_pause_is_due(const ln_pause *pause, double t) {
    return pause != NULL && t >= pause->at;
}

/* Where a pause with a state stands; NaN when the state is damaged. */
double ln_pause_time(const ln_pause *pause);

/* The counts of a run as bytes, and back. */
void ln_pause_save_counts(ln_bytes *bytes, const ln_statistics *counts);
void ln_pause_load_counts(ln_bytes *bytes, ln_statistics *counts);
/* Counts of the parts of a run together: `sum` gets those of `part`. */
void ln_pause_add_counts(ln_statistics *sum, const ln_statistics *part);

#endif
