/* SPDX-License-Identifier: MIT */
/* A start whose modes are not found all at once. */
#ifndef LN_INTEGRATE_START_MODES_H
#define LN_INTEGRATE_START_MODES_H

#include "integrate/event_iteration.h"
#include "integrate/start.h"

/* ln_start() with modes that follow Newton's method; where that leads nowhere, with modes that
 * stand, by principal pivots (complementarity.h). Of two frictions at rest on a car that its engine
 * turns, one is to slip and the other to hold: where both do the one, both are to do the other, and
 * Newton's method goes between the two for ever. */
linnet_status ln_start_with_modes(ln_run *run, ln_consistency_solver *consistency,
                                  ln_events *events);

#endif
