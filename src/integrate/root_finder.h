/* SPDX-License-Identifier: MIT */
/* Where within a step a mode has to change.
 *
 * Guards are looked at where the step ends and, because one that crosses zero twice looks untouched
 * there, at points within, by the method's own interpolation, and where a parabola through three of
 * these dips towards zero. What they show is confirmed on true steps, which the method takes anew
 * to trial times, as opposed to interpolation. The first trial is where the interpolation has the
 * crossing. The resolution of times is the larger of 1e-12 of the step and ROUNDINGS (crossing.c)
 * roundings of t or the run's length, these times 2^coarsening. A trial at which the guard
 * is negative ends the search if the guard, at the rate at which it falls, was zero within that
 * resolution. Otherwise the earliest crossing is enclosed as narrowly by regula falsi with the
 * Illinois weights [Dowell and Jarratt, BIT 11 (1971) 168], which needs no derivative and never
 * loses the bracket. The run stays where the guard has just turned negative, so that the mode is
 * decided by the state itself. */
#ifndef LN_INTEGRATE_ROOT_FINDER_H
#define LN_INTEGRATE_ROOT_FINDER_H

#include "integrate/event_iteration.h"

enum { LN_ROOT_FINDER_SAMPLES = 8 }; /* parts of a step between whose ends guards are sampled */

typedef struct ln_root_finder {
    ln_events *events;
    /* where the step begins, within it, and where it ends */
    double *guards[LN_ROOT_FINDER_SAMPLES + 1];
    double times[LN_ROOT_FINDER_SAMPLES + 1];
    /* guards at both ends of the bracket, with their weights; guards_b also has those of the last
     * true step, crossed or not */
    double *guards_a, *guards_b;
    /* guards at a trial; those beside it, or on the steps that lead to it */
    double *guards_trial, *work;
    char *watched; /* per guard: it may come to zero within the step */
    char *turning; /* per guard, set before the search: it may come to zero and bends by itself */
    double *fall;  /* how fast guards fall where one is crossed, guard/s; 0: unknown */
    int after_instant; /* the step at hand is the first one since an instant */
    /* crossings are located 2^coarsening times less finely: a state that does not move in its last
     * digit gives no nearer time. +2 at each crossing, -1 at each step without one; the finder's
     * begin sets it to 0 */
    int coarsening;
    int redone; /* the step was taken anew: the method cannot interpolate in it any more */
    int steps;  /* of the method, when it was last taken anew: set by redo(); 0: nobody counts */
    int stayed; /* the last step was ended before a crossing: the next one is to find it */
} ln_root_finder;

/* What the search needs of the driver. */
typedef struct ln_stepping {
    void *context;
    /* Takes the step anew from its start to exactly *t; *x: the unknowns there, until the next
     * call. A way of several steps may end before *t, which is changed, where
     * ln_root_finder_is_crossed: a frozen branch may lead anywhere beyond. Failures are reported.
     */
    linnet_status (*redo)(void *context, double *t, const double **x);
    /* Unknowns at t within the step that was taken; *x NULL: nobody can tell. */
    linnet_status (*between)(void *context, double t, const double **x);
    /* May be NULL. Takes a third point for the interpolation where no step before this one gives a
     * curvature, at the price of two true steps. */
    linnet_status (*take_third_point)(void *context);
    double limit; /* trials end before this time: the next stop, beyond which another side holds */
} ln_stepping;

linnet_status ln_root_finder_init(ln_root_finder *finder, ln_events *events, ln_arena *arena);
/* The step begins anew at (side, x): the start, or after an instant. */
void ln_root_finder_begin(ln_root_finder *finder, ln_side side, const double *x);
/* Nothing has changed at (side, x), a breakpoint or a crossing in vain: the next step begins there,
 * and the one before it still counts. */
void ln_root_finder_pass_unchanged(ln_root_finder *finder, ln_side side, const double *x);
/* Does a mode have to change at (side, x)? */
int ln_root_finder_is_crossed(ln_root_finder *finder, ln_side side, const double *x);
/* A step from t0 has been taken and led to *end. *crossed: 1 when a mode has to change; the
 * run then stands at *t, the earliest such time, else at the end again. Afterwards the end is the
 * start of the next step. */
linnet_status ln_root_finder_step(ln_root_finder *finder, const ln_stepping *stepping, double t0,
                                  const ln_moment *end, double *t, int *crossed);

#endif
