/* SPDX-License-Identifier: MIT */
/* States whose modes follow. */
#ifndef LN_INTEGRATE_FOLLOW_H
#define LN_INTEGRATE_FOLLOW_H

#include "integrate/implicit.h"
#include "system/ode.h"

/* All unknowns x (n values) from the states. A branch chosen before its conditions were known may
 * have no value (a root) where another one has: modes are then decided on what has values, and stay
 * so. LINNET_RETRY: something has no value in any branch. */
linnet_status ln_unknowns_by_modes(ln_run *run, ln_ode *ode, const ln_side *side, const double *z,
                                   double *x);

/* The same rates and unknowns as another ode gives, but where that refuses, with the modes of the
 * point (ln_run_follow); the modes of the run stay as they are. Lives in the run's arena. */
typedef struct ln_following {
    ln_ode ode;
    ln_ode *of;
    ln_run *run;
    double *memory; /* the run's, meanwhile */
    double *x;      /* n */
} ln_following;
linnet_status ln_following_init(ln_following *following, ln_run *run, ln_ode *of);

#endif
