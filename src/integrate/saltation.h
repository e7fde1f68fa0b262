/* SPDX-License-Identifier: MIT */
/* Errors that a run carries along (global_error.h) through an instant.
 *
 * A crossing that errors e move in time by
 *
 *     late = -(dg/dx e) / (dg/dt along the run)
 *
 * leaves the run for so long with the rates of the other side. With R the slopes of what events set
 * (I where they set nothing) errors behind the instant are
 *
 *     e+ = R (e + x'- late) - x'+ late,
 *
 * the saltation matrix of hybrid systems [Aizerman, Gantmacher, Q. J. Mech. Appl. Math. 11 (1958)
 * 525; Leine, Nijmeijer, Dynamics and Bifurcations of Non-Smooth Mechanical Systems, 2004, ch. 7].
 * In a loop with a relay this is how the errors of a half period reach the next. What is held from
 * an instant on, as by a sample, is off by the difference quotient of what sets it, and drives the
 * errors of what follows (forcing of ln_global_error). */
#ifndef LN_INTEGRATE_SALTATION_H
#define LN_INTEGRATE_SALTATION_H

#include "integrate/event_iteration.h"

struct ln_drive;

typedef struct ln_saltation {
    double late;   /* s: by how much; 0: it is at its time */
    double part;   /* of errors, for difference quotients; 0: there are none to carry */
    double *rate;  /* n: f left of the crossing */
    double *error; /* n: e + x'- late, and behind events R of it */
    char *set;     /* n: by an event of this instant */
    double *held;  /* memories: their errors */
    /* work: n; memories; of both sides n, memories, n */
    double *x, *before, *stored, *memory, *round, *now;
    double *x_set[2], *after[2], *rows[2];
} ln_saltation;

/* LINNET_MEMORY is not reported. */
linnet_status ln_saltation_init(struct ln_drive *drive);
/* Left of the instant, before anything acts. */
void ln_saltation_begin(struct ln_drive *drive);
/* Events have set what is in events->m_next and x_set, fired by `previous`: R. */
void ln_saltation_act(const ln_events *events, const ln_moment *moment,
                      const ln_before_event *previous);
/* Right of it, where run->x and run->f are what the run goes on from. */
linnet_status ln_saltation_end(struct ln_drive *drive);

#endif
