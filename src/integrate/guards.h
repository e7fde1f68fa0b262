/* SPDX-License-Identifier: MIT */
/* Guards of a run: how large they have been, and which of them are noise. */
#ifndef LN_INTEGRATE_GUARDS_H
#define LN_INTEGRATE_GUARDS_H

#include "integrate/event_iteration.h"

/* The guards at a moment (per guard, out), whose sizes are kept: rounding is judged by them.
 * wanted: as for ln_system_guards(). */
void ln_events_find_guards(ln_events *events, const ln_moment *moment, const char *wanted,
                           double *guard);
/* Sets guards in noise to zero where they are no more than it, so that they locate no crossing.
 * Noise is the change of a guard by what Newton's method leaves of an unknown (the current of a
 * diode in a circuit that has rung down) or by rounding through the step's matrix (a diode that
 * opens between coils: 1e-15 of their amperes over its leakage of a microsiemens). A guard is in
 * noise at the start, and where its mode has changed or it has been crossed in vain, until it has
 * been above that noise. */
void ln_events_suppress_noise(ln_events *events, const ln_moment *moment, double *guard);
/* Guards whose noise was suppressed: those above it are in noise no longer after the point they
 * were taken at. Not for points of an interpolation just beside a crossing: the interpolation errs
 * by more than noise. */
void ln_events_note_guards(ln_events *events, const double *guard);

#endif
