/* SPDX-License-Identifier: MIT */
/* No run stands still in silence: steps that do not bring it on are counted. */
#ifndef LN_INTEGRATE_PROGRESS_H
#define LN_INTEGRATE_PROGRESS_H

#include "integrate/event_iteration.h"

typedef struct ln_progress {
    const ln_network *network;
    double same;      /* s: shorter steps bring nothing on: rounding of the run's times */
    long idle;        /* such steps in a row */
    double idle_from; /* where they began, or were twice as long as before */
    double longest;   /* s: the first from there */
    long events;      /* so many had acted by then; those are counted themselves */
} ln_progress;

/* A step of h has led to t. `unknown`: what set its length. events: NULL without. LINNET_FAILED,
 * reported with the block, when too many in a row were idle. */
linnet_status ln_progress_step(ln_progress *progress, double t, double h, int unknown,
                               const ln_events *events, ln_report *report);

#endif
