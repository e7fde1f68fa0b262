/* SPDX-License-Identifier: MIT */
/* Where within a step a mode has to change.
 *
 * Guards are looked at where the step ends, and, because one that crosses zero twice looks untouched there, where a
 * parabola through its last three values (or the method's own interpolation) dips towards zero. The crossing is then
 * located on true steps: the driver takes the step anew to trial times until the earliest crossing is enclosed within
 * 1e-12 of the step or four units in the last place of t, by regula falsi with the Illinois weights [Dowell and Jarratt,
 * BIT 11 (1971) 168], which needs no derivative and never loses the bracket. The run stays where the guard has just
 * turned negative, so that the mode is decided by the state itself. */
#ifndef LN_INTEGRATE_CROSSING_H
#define LN_INTEGRATE_CROSSING_H

#include "integrate/events.h"

typedef struct ln_watch {
    ln_events *events;
    double *start, *end, *past;              /* guards where the step begins, where it ends, a step before               */
    double *low, *high;                      /* work: guards at both sides of the bracket, with their weights           */
    double *way;                             /* work: guards on the way to a trial time                                 */
    double t_past;                           /* time of past[]; NAN after an instant                                     */
    long trials;
} ln_watch;

/* What the search needs of the driver. */
typedef struct ln_stepping {
    void *context;
    /* Takes the step anew from its start to exactly *t; *x: the unknowns there, until the next call. A way of several steps
     * may end before *t, which is changed, where ln_watch_is_crossed: a frozen branch may lead anywhere beyond. Failures are
     * reported. */
    linnet_status (*redo)(void *context, double *t, const double **x);
    /* Unknowns at t within the step that was taken; NULL: the method cannot tell. */
    const double *(*between)(void *context, double t);
} ln_stepping;

linnet_status ln_watch_init(ln_watch *watch, ln_events *events, ln_arena *arena);
/* The step begins anew at (t, decide, x): the start, or after an instant. */
void ln_watch_begin(ln_watch *watch, double t, double decide, const double *x);
/* Does a mode have to change at (t, decide, x)? */
int ln_watch_is_crossed(ln_watch *watch, double t, double decide, const double *x);
/* A step from t0 to t1 has been taken and led to x. *crossed: 1 when a mode has to change; the run then stands at *t, the
 * earliest such time, else at t1 again. Afterwards the end is the start of the next step. */
linnet_status ln_watch_step(ln_watch *watch, const ln_stepping *stepping, double t0, double t1, double decide,
                            const double *x, double *t, int *crossed);

#endif
