/* SPDX-License-Identifier: MIT */
/* The search for crossings: see crossing.h. */
#include "integrate/crossing.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { PARTS = LN_WATCH_PARTS, MOST_TRIALS = 200, GUESSES = 4, REFINEMENTS = 8, MOST_MISTAKES = 2 };
static const double DIP = 0.1;               /* a parabola that comes closer to zero than this part is looked at        */

linnet_status ln_watch_init(ln_watch *watch, ln_events *events, ln_arena *arena) {
    *watch = (ln_watch){.events = events};
    double **arrays[PARTS + 5] = {&watch->low, &watch->high, &watch->here, &watch->way};
    for (int i = 0; i <= PARTS; i++) arrays[4 + i] = &watch->guards[i];
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if ((*arrays[k] = LN_NEW(arena, double, events->system->nguards)) == NULL) return LINNET_MEMORY;
    return LINNET_OK;
}

static int guards_of(const ln_watch *watch) { return watch->events->system->nguards; }

static void look(const ln_watch *watch, double t, double decide, const double *x, double *guard) {
    ln_system_guards(watch->events->system, &(ln_moment){t, decide, x}, guard);
}

void ln_watch_begin(ln_watch *watch, double t, double decide, const double *x) {
    look(watch, t, decide, x, watch->guards[0]);
    watch->fresh = 1;
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

/* The step that is looked at, and what was found in it. */
typedef struct search {
    ln_watch *watch;
    const ln_stepping *stepping;
    double t0, t1, decide;
    int found;
    double a, b;                   /* found: nothing seems crossed at a, something is at b, where the run stands, with  */
} search;                          /* guards in high[]                                                                  */

/* *t may become less: where the way to it met a crossing. */
static linnet_status try_at(const search *it, double *t, double *guard) {
    const double *x;
    it->watch->trials++;
    it->watch->redone = 1;
    LN_TRY(it->stepping->redo(it->stepping->context, t, &x));
    look(it->watch, *t, it->decide, x, guard);
    return LINNET_OK;
}

/* What the interpolation says; *known: 0 where it says nothing. */
static linnet_status guess_at(const search *it, double t, double *guard, int *known) {
    const double *x;
    LN_TRY(it->stepping->between(it->stepping->context, t, &x));
    *known = x != NULL;
    if (*known) look(it->watch, t, it->decide, x, guard);
    return LINNET_OK;
}

/* Is there a crossing on a true step to t? Then it is found; a: a time before it, as it seems. */
static linnet_status confirm(search *it, double a, double t) {
    ln_watch *watch = it->watch;
    LN_TRY(try_at(it, &t, watch->high));
    it->a = a;
    it->b = t;
    it->found = any_crossed(watch, watch->high);
    return LINNET_OK;
}

/* To the end of the step again; what is met on the way is found. */
static linnet_status go_back(search *it) {
    double t = it->t1;
    LN_TRY(try_at(it, &t, it->watch->high));
    it->a = it->t0;
    it->b = t;
    it->found = t < it->t1;
    return LINNET_OK;
}

/* ---- dips ---- */

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

static int is_suspect(const search *it, int k, double value) {
    return value < DIP * fmax(fmin(it->watch->guards[0][k], it->watch->guards[PARTS][k]), 0);
}

/* The lowest point of guard k near `at`, between two others, by interpolation; NAN: it is nowhere near zero. */
static linnet_status approach(const search *it, int k, double t[3], double g[3], double *at) {
    for (int i = 0; i < GUESSES && !it->watch->redone; i++) {
        int known;
        LN_TRY(guess_at(it, *at, it->watch->here, &known));
        if (!known || is_crossed(it->watch->here[k])) return LINNET_OK;
        t[1] = *at;
        g[1] = it->watch->here[k];
        double value, next = lowest(t, g, &value);
        if (!is_suspect(it, k, isnan(next) ? g[1] : value)) {
            *at = NAN;
            return LINNET_OK;
        }
        if (isnan(next) || fabs(next - *at) < 1e-6 * (it->t1 - it->t0)) return LINNET_OK;
        *at = next;
    }
    return LINNET_OK;
}

/* Guard k seems to dip at `at`, between t[0] and t[2], where it is g[0] and g[2]: true steps to its lowest point. */
static linnet_status follow_dip(search *it, int k, double t[3], double g[3], double at) {
    const double a = t[0];
    LN_TRY(approach(it, k, t, g, &at));
    if (isnan(at)) return LINNET_OK;
    for (int i = 0; i < REFINEMENTS && !isnan(at); i++) {
        LN_TRY(confirm(it, a, at));
        if (it->found) return LINNET_OK;
        t[1] = at;
        g[1] = it->watch->high[k];
        double value, next = lowest(t, g, &value);
        at = !isnan(next) && value < DIP * g[1] && fabs(next - at) > 1e-6 * (it->t1 - it->t0) ? next : NAN;
    }
    return go_back(it);
}

/* Dips of the guards around the point before number i. Each dip has one such point, the nearest. */
static linnet_status follow_dips(search *it, int i) {
    const ln_watch *watch = it->watch;
    const double *const *guards = (const double *const *)watch->guards + i - 2, *times = watch->times + i - 2;
    const double first = i == 2 ? times[0] : times[1] - (times[1] - times[0]) / 2;
    const double last = i == PARTS ? times[2] : times[1] + (times[2] - times[1]) / 2;
    for (int k = 0; k < guards_of(watch) && !it->found; k++) {
        double t[3] = {times[0], times[1], times[2]}, g[3] = {guards[0][k], guards[1][k], guards[2][k]};
        double value, at = lowest(t, g, &value);
        if (at > first && at <= last && !is_crossed(g[2]) && is_suspect(it, k, value))
            LN_TRY(follow_dip(it, k, t, g, at));
    }
    return LINNET_OK;
}

/* ---- points within ---- */

static linnet_status sample(const search *it, int i, int *known) {
    it->watch->times[i] = it->t0 + (it->t1 - it->t0) * i / PARTS;
    return guess_at(it, it->watch->times[i], it->watch->guards[i], known);
}

/* Nothing is near zero, as measured by how it moves over the step, whose middle is known. */
static int is_quiet(const ln_watch *watch) {
    for (int k = 0; k < guards_of(watch); k++) {
        const double a = watch->guards[0][k], b = watch->guards[PARTS / 2][k], c = watch->guards[PARTS][k];
        const double least = fmin(fmin(a, b), c), most = fmax(fmax(a, b), c);
        if (!(least > most - least || (least >= 0 && least == most))) return 0;
    }
    return 1;
}

/* All points within. *known: 0 where nobody can tell, or nothing is near zero. */
static linnet_status sample_all(const search *it, int *known) {
    const ln_stepping *stepping = it->stepping;
    LN_TRY(sample(it, PARTS / 2, known));
    if (!*known || (*known = !is_quiet(it->watch)) == 0) return LINNET_OK;
    if (it->watch->fresh && stepping->prepare != NULL) {
        LN_TRY(stepping->prepare(stepping->context));
        LN_TRY(sample(it, PARTS / 2, known));
    }
    for (int i = 1; i < PARTS && *known; i++)
        if (i != PARTS / 2) LN_TRY(sample(it, i, known));
    return LINNET_OK;
}

/* The earliest crossing that shows within the step, or at its end, where something is crossed already if `at_end`. */
static linnet_status look_within(search *it, int at_end) {
    const ln_watch *watch = it->watch;
    int known, mistaken = 0;
    LN_TRY(sample_all(it, &known));
    if (!known) return LINNET_OK;
    for (int i = 1; i <= PARTS && !it->found && mistaken < MOST_MISTAKES; i++) {
        if (i > 1) LN_TRY(follow_dips(it, i));
        if (it->found || i == PARTS || !any_crossed(watch, watch->guards[i])) continue;
        LN_TRY(confirm(it, watch->times[i - 1], watch->times[i]));
        if (it->found) return LINNET_OK;
        mistaken++;
        LN_TRY(go_back(it));
    }
    if (!it->found && at_end) it->a = watch->times[PARTS - 1];
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

/* Nothing is crossed where the step begins, something at it->b (guards high[]), where the run stands. it->a is tried first:
 * it is likely to be before the earliest crossing, and near. */
static linnet_status enclose(const search *it, double *t) {
    ln_watch *watch = it->watch;
    const int count = guards_of(watch);
    const size_t bytes = (size_t)count * sizeof(double);
    double a = it->t0, b = it->b;
    const double least = fmax(1e-12 * (b - a), 4 * DBL_EPSILON * fmax(fabs(a), fabs(b)));
    int side = 0, at_b = 1;
    memcpy(watch->low, watch->guards[0], bytes);
    for (int i = 0; i < MOST_TRIALS && b - a > least; i++) {
        double width = b - a, at = i % 8 == 7 ? a + width / 2 : estimate(watch, a, b);
        if (i == 0 && it->a > a) at = it->a;
        /* a step past the estimate on the long side, so that the bracket closes from both sides */
        at = at - a < width / 2 ? at + least / 2 : at - least / 2;
        at = fmin(fmax(at, a + least / 2), b - least / 2);
        LN_TRY(try_at(it, &at, watch->here));
        if (any_crossed(watch, watch->here)) {
            b = at;
            if (b <= a) { /* met on the way, and passed back before a */
                a = it->t0;
                memcpy(watch->low, watch->guards[0], bytes);
            }
            memcpy(watch->high, watch->here, bytes);
            if (side == 1) halve(watch->low, count);
            side = at_b = 1;
        } else {
            a = at;
            memcpy(watch->low, watch->here, bytes);
            if (side == -1) halve(watch->high, count);
            side = -1;
            at_b = 0;
        }
    }
    *t = b;
    const double *x;
    return at_b ? LINNET_OK : it->stepping->redo(it->stepping->context, t, &x);
}

linnet_status ln_watch_step(ln_watch *watch, const ln_stepping *stepping, double t0, double t1, double decide,
                            const double *x, double *t, int *crossed) {
    search it = {.watch = watch, .stepping = stepping, .t0 = t0, .t1 = t1, .decide = decide, .a = t0, .b = t1};
    double *end = watch->guards[PARTS];
    *t = t1;
    watch->redone = 0;
    watch->times[0] = t0;
    watch->times[PARTS] = t1;
    look(watch, t1, decide, x, end);
    ln_system_turned(watch->events->system, &(ln_moment){t1, decide, x}, end);
    const int at_end = any_crossed(watch, end);
    LN_TRY(look_within(&it, at_end));
    if (!it.found && at_end) {
        it.b = t1;
        memcpy(watch->high, end, (size_t)guards_of(watch) * sizeof *end);
        it.found = 1;
    }
    if ((*crossed = it.found)) return enclose(&it, t);
    watch->guards[PARTS] = watch->guards[0];
    watch->guards[0] = end;
    watch->fresh = 0;
    return LINNET_OK;
}
