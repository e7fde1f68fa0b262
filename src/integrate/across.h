/* SPDX-License-Identifier: MIT */
/* Steps where junctions without charge commutate.
 *
 * There a coil's current has a kink, and what follows from its slope, the potential of a coil that
 * ends at a junction which blocks, jumps. The error test is about the current. The potential is the
 * method's own difference quotient: where a kink lies within a step it overshoots by up to the
 * whole jump, however short the step, and the next one gives that back with the other sign. So such
 * a step is taken to the commutation, and a short one of backward Euler leads across, whose
 * quotients are means of those on both sides. Behind it nothing is known of the past. */
#ifndef LN_INTEGRATE_ACROSS_H
#define LN_INTEGRATE_ACROSS_H

#include "integrate/stepper.h"

typedef enum ln_across_state {
    LN_NOT_ACROSS,
    LN_LEADS_TO,  /* the step at hand ends at a commutation */
    LN_IS_ACROSS, /* it leads across: backward Euler */
    LN_IS_BEHIND  /* it begins behind one, without a past */
} ln_across_state;

typedef struct ln_across {
    ln_across_state state;
    int may;         /* are there such junctions? -1: not known yet */
    double at, way;  /* s: when; how far ahead that was */
    double h;        /* s: of the step across */
    double before_h; /* s: how long the step was before it was taken to the commutation */
    double start;    /* s: of the step that was looked at last, how often, and was one found */
    int looks, found;
    double *work; /* 8 n, where there are junctions */
} ln_across;

/* Memory of run->arena. LINNET_MEMORY is not reported. */
linnet_status ln_across_init(ln_across *across, const ln_run *run);
/* At a start or a discontinuity. */
void ln_across_restart(ln_across *across);

/* Are there junctions that commutate? As far as it is known what is stored. */
int ln_across_may(ln_across *across, const ln_run *run);

/* After a trial of h whose error (n values of x) is e, and `error` in units of the tolerance: does
 * it lead over a commutation, which the error test or what a user reads of potentials shows? Then
 * the length to try next, less than h; else 0. */
double ln_across_shorten(ln_across *across, ln_run *run, double h, ln_side side, const double *e,
                         double error);

/* After an accepted step; *h is how long the next may be. */
void ln_across_note_step(ln_across *across, double *h);

#endif
