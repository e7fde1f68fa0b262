/* SPDX-License-Identifier: MIT */
/* The search for crossings: see crossing.h. */
#include "integrate/crossing.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_TRIALS = 200, SAMPLES = 8, REFINEMENTS = 8 };
static const double DIP = 0.1;               /* a parabola that comes closer to zero than this part is looked at        */

linnet_status ln_watch_init(ln_watch *watch, ln_events *events, ln_arena *arena) {
    *watch = (ln_watch){.events = events, .t_past = NAN};
    double **arrays[] = {&watch->start, &watch->end, &watch->past, &watch->low, &watch->high, &watch->way};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if ((*arrays[k] = LN_NEW(arena, double, events->system->nguards)) == NULL) return LINNET_MEMORY;
    return LINNET_OK;
}

static int guards_of(const ln_watch *watch) { return watch->events->system->nguards; }

static void look(const ln_watch *watch, double t, double decide, const double *x, double *guard) {
    ln_system_guards(watch->events->system, &(ln_moment){t, decide, x}, guard);
}

void ln_watch_begin(ln_watch *watch, double t, double decide, const double *x) {
    look(watch, t, decide, x, watch->start);
    watch->t_past = NAN;
}

/* A guard that is not a number has left its domain: crossed. */
static int is_crossed(double guard) { return !(guard >= 0); }

static int any_crossed(const ln_watch *watch, const double *guard) {
    for (int k = 0; k < guards_of(watch); k++)
        if (is_crossed(guard[k])) return 1;
    return 0;
}

int ln_watch_is_crossed(ln_watch *watch, double t, double decide, const double *x) {
    look(watch, t, decide, x, watch->way);
    return any_crossed(watch, watch->way);
}

/* *t may become less: where the way to it met a crossing. */
static linnet_status try_at(ln_watch *watch, const ln_stepping *stepping, double *t, double decide, double *guard) {
    const double *x;
    watch->trials++;
    LN_TRY(stepping->redo(stepping->context, t, &x));
    look(watch, *t, decide, x, guard);
    return LINNET_OK;
}

/* ---- dips between the ends ---- */

/* Lowest point of the parabola through three values, if it lies between the first and the last and is lower than all;
 * else NAN. *value: the value there. */
static double lowest(const double t[3], const double g[3], double *value) {
    double d1 = (g[1] - g[0]) / (t[1] - t[0]), d2 = (g[2] - g[1]) / (t[2] - t[1]), c = (d2 - d1) / (t[2] - t[0]);
    if (!(c > 0)) return NAN;
    double at = 0.5 * (t[0] + t[1] - d1 / c);
    if (!(at > t[0] && at < t[2])) return NAN;
    *value = g[0] + (at - t[0]) * d1 + (at - t[0]) * (at - t[1]) * c;
    return at;
}

static int is_suspect(double value, double a, double b) { return value < DIP * fmin(a, b); }

/* Where within (t0, t1) some guard, positive at both ends, may have dipped below zero: by the parabola through the step
 * before. NAN: nowhere. */
static double dip_by_parabola(const ln_watch *watch, double t0, double t1) {
    if (isnan(watch->t_past)) return NAN;
    for (int k = 0; k < guards_of(watch); k++) {
        double value, at = lowest((double[]){watch->t_past, t0, t1},
                                  (double[]){watch->past[k], watch->start[k], watch->end[k]}, &value);
        if (at > t0 && is_suspect(value, watch->start[k], watch->end[k])) return at;
    }
    return NAN;
}

/* The same by the method's interpolation at some points within. Uses low[] and high[]. */
static double dip_between(ln_watch *watch, const ln_stepping *stepping, double t0, double t1, double decide) {
    double *before = watch->low, *here = watch->high, at[3] = {t0, t0, t0};
    memcpy(before, watch->start, (size_t)guards_of(watch) * sizeof *before);
    for (int i = 1; i < SAMPLES; i++) {
        at[1] = at[2];
        at[2] = t0 + (t1 - t0) * i / SAMPLES;
        look(watch, at[2], decide, stepping->between(stepping->context, at[2]), here);
        if (any_crossed(watch, here)) return at[2];
        for (int k = 0; k < guards_of(watch); k++) { /* lowest so far, told by the parabola to the step's end */
            double value, dip = lowest((double[]){at[1], at[2], t1}, (double[]){before[k], here[k], watch->end[k]}, &value);
            if (i > 1 && dip > at[1] && is_suspect(value, watch->start[k], watch->end[k])) return dip;
        }
        memcpy(before, here, (size_t)guards_of(watch) * sizeof *before);
    }
    return NAN;
}

/* Takes true steps to where a dip is lowest; 1 when one is below zero, the run then stands at *b with guards in high[]. */
static linnet_status follow_dip(ln_watch *watch, const ln_stepping *stepping, double t0, double t1, double decide,
                                double at, double *b, int *found) {
    double left = t0, right = t1;
    *found = 0;
    for (int i = 0; i < REFINEMENTS && !isnan(at); i++) {
        LN_TRY(try_at(watch, stepping, &at, decide, watch->high));
        *b = at;
        if ((*found = any_crossed(watch, watch->high))) return LINNET_OK;
        double next = NAN;
        for (int k = 0; k < guards_of(watch); k++) {
            double value, low = lowest((double[]){left, at, right},
                                       (double[]){watch->start[k], watch->high[k], watch->end[k]}, &value);
            if (!isnan(low) && value < DIP * watch->high[k] && fabs(low - at) > 1e-6 * (t1 - t0)) next = low;
        }
        at = next;
    }
    *b = t1;
    LN_TRY(try_at(watch, stepping, b, decide, watch->high));
    *found = any_crossed(watch, watch->high);
    return LINNET_OK;
}

/* ---- the crossing itself ---- */

/* Earliest zero of the guards that are crossed at b, by the straight line from a. */
static double estimate(const ln_watch *watch, double a, double b) {
    double part = 1;
    for (int k = 0; k < guards_of(watch); k++) {
        double low = fmax(watch->low[k], 0), high = watch->high[k];
        if (!is_crossed(high)) continue;
        double here = isfinite(high) ? low / (low - high) : 0.5;
        if (here < part) part = here;
    }
    return a + part * (b - a);
}

static void halve(double *guard, int count) {
    for (int k = 0; k < count; k++) guard[k] /= 2;
}

/* The bracket (a, b): nothing crossed at a (guards low[]), something at b (high[]), where the run stands. */
static linnet_status enclose(ln_watch *watch, const ln_stepping *stepping, double a, double b, double decide, double *t) {
    const int count = guards_of(watch);
    const double least = fmax(1e-12 * (b - a), 4 * DBL_EPSILON * fmax(fabs(a), fabs(b)));
    int side = 0, at_b = 1;
    const double start = a;
    for (int i = 0; i < MOST_TRIALS && b - a > least; i++) {
        double width = b - a, at = i % 8 == 7 ? a + width / 2 : estimate(watch, a, b);
        /* a step past the estimate on the long side, so that the bracket closes from both sides */
        at = at - a < width / 2 ? at + least / 2 : at - least / 2;
        at = fmin(fmax(at, a + least / 2), b - least / 2);
        LN_TRY(try_at(watch, stepping, &at, decide, watch->end));
        if (any_crossed(watch, watch->end)) {
            b = at;
            if (b <= a) { /* met on the way, and passed back before a */
                a = start;
                memcpy(watch->low, watch->start, (size_t)count * sizeof *watch->low);
            }
            memcpy(watch->high, watch->end, (size_t)count * sizeof *watch->high);
            if (side == 1) halve(watch->low, count);
            side = at_b = 1;
        } else {
            a = at;
            memcpy(watch->low, watch->end, (size_t)count * sizeof *watch->low);
            if (side == -1) halve(watch->high, count);
            side = -1;
            at_b = 0;
        }
    }
    *t = b;
    const double *x;
    return at_b ? LINNET_OK : stepping->redo(stepping->context, t, &x);
}

linnet_status ln_watch_step(ln_watch *watch, const ln_stepping *stepping, double t0, double t1, double decide,
                            const double *x, double *t, int *crossed) {
    const size_t bytes = (size_t)guards_of(watch) * sizeof(double);
    double b = t1;
    *t = t1;
    look(watch, t1, decide, x, watch->end);
    *crossed = any_crossed(watch, watch->end);
    if (*crossed) {
        memcpy(watch->high, watch->end, bytes);
    } else {
        double at = stepping->between != NULL ? dip_between(watch, stepping, t0, t1, decide)
                                              : dip_by_parabola(watch, t0, t1);
        if (!isnan(at)) LN_TRY(follow_dip(watch, stepping, t0, t1, decide, at, &b, crossed));
    }
    if (*crossed) {
        memcpy(watch->low, watch->start, bytes);
        return enclose(watch, stepping, t0, b, decide, t);
    }
    double *past = watch->past;
    watch->past = watch->start;
    watch->start = watch->end;
    watch->end = past;
    watch->t_past = t0;
    return LINNET_OK;
}
