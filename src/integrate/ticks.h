/* SPDX-License-Identifier: MIT */
/* Ticks one at a time, without a run: for who wants to know what a tick does to states and memories
 * that are varied. Continuous time stands still; everything else is as in a run
 * (event_iteration.h). */
#ifndef LN_INTEGRATE_TICKS_H
#define LN_INTEGRATE_TICKS_H

#include "integrate/event_iteration.h"

typedef struct ln_ticking ln_ticking;

/* At a point (t, x) of a system with its memories as they are; both may change afterwards. Failures
 * are reported. */
linnet_status ln_ticking_new(ln_system *system, const ln_settings *settings, double t,
                             const double *x, ln_report *report, ln_ticking **ticking);
void ln_ticking_free(ln_ticking *ticking);

/* The next tick of a hybrid instance at or after t, by the system's memories as they are; INFINITY:
 * it has none. */
double ln_tick_from(const ln_system *system, int instance, double t);

/* Passes the ticks at t: x (n values) and system->memory as they are just before become those just
 * after. */
linnet_status ln_ticking_pass(ln_ticking *ticking, double t, double *x);
/* What conditions have held so far, as it must be put back together with x and the memories: as
 * many bytes as the system has events. */
char *ln_ticking_held(ln_ticking *ticking);

#endif
