/* SPDX-License-Identifier: MIT */
/* Where a crossing is that a step has shown: private to root_finder.c. Trials on true steps and by
 * the interpolation, the enclosure by regula falsi, and the first trial (root_finder.h). */
#ifndef LN_INTEGRATE_CROSSING_H
#define LN_INTEGRATE_CROSSING_H

#include "integrate/root_finder.h"

/* The step that is looked at, and what was found in it. */
typedef struct ln_crossing_search {
    ln_root_finder *finder;
    const ln_stepping *stepping;
    double t0, t1;
    ln_side side;
    int found;
    /* found: no guard seems negative at first_trial, probably just before the earliest crossing;
     * one is at crossed_at, where the run stands, with its guards there in finder->guards_b */
    double first_trial, crossed_at;
    double shown_at; /* where the interpolation first shows it, after crossed_at */
} ln_crossing_search;

static inline int ln_guard_count(const ln_root_finder *finder) {
    return finder->events->system->nguards;
}

/* Guards where a true step has led; also notes their sizes. */
void ln_crossing_guards(const ln_root_finder *finder, ln_side side, const double *x, double *guard);
/* A guard that is not a number has left its domain: crossed. */
int ln_guard_is_crossed(double guard);
int ln_guards_any_crossed(const ln_root_finder *finder, const double *guard);

/* How well a crossing is located that was seen first between a and b; near zero no finer than where
 * the run ends. */
double ln_crossing_resolution(const ln_root_finder *finder, double a, double b);

/* A true step. *t may become less: where the way to it met a crossing. */
linnet_status ln_crossing_by_step(const ln_crossing_search *search, double *t, double *guard);
/* What the interpolation says of the guards that may come to zero; the others are as they were.
 * *known: 0 where it says nothing. */
linnet_status ln_crossing_by_interpolation(const ln_crossing_search *search, double t,
                                           double *guard, int *known);

/* Between times[i - 1] and times[i] something is crossed by the interpolation. The interpolation is
 * searched for it; a true step leads just past it, and where nothing is crossed there yet, a
 * second one goes the distance that is left by the slopes of the guards. search->found: something
 * was. */
linnet_status ln_crossing_step_past(ln_crossing_search *search, int i);
/* No guard is negative at the start of the step, one is at search->crossed_at. *t becomes where the
 * run stands then: just past the earliest crossing; or, search->found 0, before it, where the
 * method leads there by other steps than beyond and no farther than its error is known: the next
 * step finds the crossing. */
linnet_status ln_crossing_enclose(ln_crossing_search *search, double *t);

#endif
