/* SPDX-License-Identifier: MIT */
/* Modes and algebra brought to agree at an instant.
 *
 * Conditionals that are continuous where their mode changes, as ideal diodes are, pose a linear
 * complementarity problem: a guard is not negative, or its mode is the other one. Principal pivots
 * solve it [Murty, Operations Research 22 (1974) 101; Judice, Pires, Computers & Operations
 * Research 21 (1994) 587], which ends for P-matrices, as of passive networks. Where they go round
 * in circles and the conditionals are few, all combinations of modes are tried, those with the
 * fewest changes first. */
#ifndef LN_INTEGRATE_COMPLEMENTARITY_H
#define LN_INTEGRATE_COMPLEMENTARITY_H

#include "integrate/event_iteration.h"

/* Arrays of events->search. LINNET_MEMORY is not reported. */
linnet_status ln_agree_init(ln_events *events, ln_arena *arena);

/* Decides modes and solves the algebra until they agree, as seen from `side`. set: as for
 * ln_algebra_solver. stale: x does not solve the algebra of the present modes yet. *changed becomes
 * 1 where a mode changes. events->x_before is what x was before the instant. LINNET_FAILED,
 * reported: no combination of modes holds, or none was found. */
linnet_status ln_agree_modes(ln_events *events, ln_side side, const double *set, double *x,
                             int stale, int *changed);

#endif
