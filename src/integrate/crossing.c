/* SPDX-License-Identifier: MIT */
/* Where a crossing is: see crossing.h. */
#include "integrate/crossing.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    MOST_TRIALS = 200,
    AIMED = 2, /* true steps to where the interpolation has a crossing */
};
/* of the step: slopes of guards are taken over this part; long enough that rounding leaves ten
 * digits of a slope, short enough that a guard is straight over it */
static const double SLOPE = 1e-4;

void ln_crossing_guards(const ln_root_finder *finder, ln_side side, const double *x,
                        double *guard) {
    const ln_moment moment = {side, x};
    ln_events_find_guards(finder->events, &moment, NULL, guard);
    ln_events_suppress_noise(finder->events, &moment, guard);
    ln_events_note_guards(finder->events, guard);
}

int ln_crossing_is(double guard) {
    return !(guard >= 0);
}

int ln_crossing_any(const ln_root_finder *finder, const double *guard) {
    for (int k = 0; k < ln_guard_count(finder); k++)
        if (ln_crossing_is(guard[k]))
            return 1;
    return 0;
}

linnet_status ln_crossing_try(const ln_search *bracket, double *t, double *guard) {
    const double *x;
    bracket->finder->trials++;
    bracket->finder->redone = 1;
    LN_TRY(bracket->stepping->redo(bracket->stepping->context, t, &x));
    ln_crossing_guards(bracket->finder, ln_side_at(bracket->side, *t), x, guard);
    return LINNET_OK;
}

linnet_status ln_crossing_guess(const ln_search *bracket, double t, double *guard, int *known) {
    const ln_root_finder *finder = bracket->finder;
    const double *x;
    LN_TRY(bracket->stepping->between(bracket->stepping->context, t, &x));
    *known = x != NULL;
    if (!*known)
        return LINNET_OK;
    const ln_moment moment = {ln_side_at(bracket->side, t), x};
    memcpy(guard, finder->guards[0], (size_t)ln_guard_count(finder) * sizeof *guard);
    ln_events_find_guards(finder->events, &moment, finder->near, guard);
    ln_events_suppress_noise(finder->events, &moment, guard);
    return LINNET_OK;
}

/* ---- the crossing itself ---- */

/* Earliest crossing of the guards that are crossed at b, by the straight line from a: of zero, or,
 * where a guard rests at zero, of its noise; a step to its zero would be too short for any method.
 */
static double estimate(const ln_root_finder *finder, double a, double b) {
    const ln_events *ev = finder->events;
    double part = 1;
    for (int k = 0; k < ln_guard_count(finder); k++) {
        const double noise = ev->resting[k] && isfinite(ev->noise[k]) ? ev->noise[k] : 0;
        const double low = fmax(finder->low[k], 0) + noise, high = finder->high[k] + noise;
        if (!ln_crossing_is(finder->high[k]))
            continue;
        double here = isfinite(high) ? low / (low - high) : 0.5;
        if (here < part)
            part = here;
    }
    return a + part * (b - a);
}

static void halve(double *guard, int count) {
    for (int k = 0; k < count; k++)
        guard[k] /= 2;
}

/* A bracket that is closed until it is `least` long: nothing is crossed at a (guards low[]),
 * something at b (high[]). */
typedef struct enclosure {
    double a, b, least;
    double first; /* of the trials, where it is beyond a */
    int on_steps; /* trials are true steps; else the interpolation is asked */
    int at_b;     /* the last trial was at b */
    int unknown;  /* the interpolation says nothing */
} enclosure;

static linnet_status probe(const ln_search *bracket, enclosure *interval, double *t,
                           double *guard) {
    int known;
    if (interval->on_steps)
        return ln_crossing_try(bracket, t, guard);
    LN_TRY(ln_crossing_guess(bracket, *t, guard, &known));
    interval->unknown = !known;
    return LINNET_OK;
}

/* Is each guard that is crossed so little beyond zero that it was zero less than `least` before, as
 * it falls? */
static int is_near(const ln_root_finder *finder, double least) {
    for (int k = 0; k < ln_guard_count(finder); k++)
        if (ln_crossing_is(finder->high[k]) && !(-finder->high[k] <= finder->fall[k] * least))
            return 0;
    return 1;
}

static int is_closed(const ln_search *bracket, const enclosure *interval) {
    return interval->b - interval->a <= interval->least || interval->unknown ||
           (interval->on_steps && interval->at_b && is_near(bracket->finder, interval->least));
}

/* Every eighth trial bisects. */
static linnet_status enclose(const ln_search *bracket, enclosure *interval) {
    ln_root_finder *finder = bracket->finder;
    const int count = ln_guard_count(finder);
    const size_t bytes = (size_t)count * sizeof(double);
    /* 1: end b moved last, -1: end a, 0: none; Illinois halves the other end's guards */
    int last_moved = 0;
    for (int i = 0; i < MOST_TRIALS && !is_closed(bracket, interval); i++) {
        const double width = interval->b - interval->a, half = interval->least / 2;
        double at =
            i % 8 == 7 ? interval->a + width / 2 : estimate(finder, interval->a, interval->b);
        if (i == 0 && interval->first > interval->a)
            at = interval->first;
        /* The trial is moved by least/2 towards the longer side, so that the bracket closes from
         * both ends. */
        at = at - interval->a < width / 2 ? at + half : at - half;
        at = fmin(fmax(at, interval->a + half), interval->b - half);
        LN_TRY(probe(bracket, interval, &at, finder->here));
        if (ln_crossing_any(finder, finder->here)) {
            interval->b = at;
            if (interval->b <= interval->a) { /* met on the way, and passed back before a */
                interval->a = bracket->t0;
                memcpy(finder->low, finder->guards[0], bytes);
            }
            memcpy(finder->high, finder->here, bytes);
            if (last_moved == 1)
                halve(finder->low, count);
            last_moved = interval->at_b = 1;
        } else {
            interval->a = at;
            memcpy(finder->low, finder->here, bytes);
            if (last_moved == -1)
                halve(finder->high, count);
            last_moved = -1;
            interval->at_b = 0;
        }
    }
    return LINNET_OK;
}

double ln_crossing_resolution(const ln_root_finder *finder, double a, double b) {
    const double rounding = 4 * DBL_EPSILON * fmax(fmax(fabs(a), fabs(b)), finder->events->span);
    return fmax(1e-12 * (b - a), ldexp(rounding, finder->vain));
}

linnet_status ln_crossing_locate(const ln_search *bracket, double *t) {
    ln_root_finder *finder = bracket->finder;
    enclosure interval = {
        .a = bracket->t0,
        .b = bracket->b,
        .least = ln_crossing_resolution(finder, bracket->t0, fmax(bracket->b, bracket->seen)),
        .first = bracket->a,
        .on_steps = 1,
        .at_b = 1};
    const double *x;
    finder->events->resolution = interval.least;
    memcpy(finder->low, finder->guards[0], (size_t)ln_guard_count(finder) * sizeof(double));
    LN_TRY(enclose(bracket, &interval));
    *t = interval.b;
    return interval.at_b ? LINNET_OK : bracket->stepping->redo(bracket->stepping->context, t, &x);
}

/* ---- aiming ---- */

/* How fast guards fall at t, by the interpolation since `from`; *known: 0 where it says nothing. */
static linnet_status find_fall(const ln_search *bracket, double from, double t, int *known) {
    ln_root_finder *finder = bracket->finder;
    const double back = fmin(SLOPE * (bracket->t1 - bracket->t0), (t - from) / 2);
    LN_TRY(ln_crossing_guess(bracket, t, finder->here, known));
    if (*known)
        LN_TRY(ln_crossing_guess(bracket, t - back, finder->way, known));
    for (int k = 0; *known && k < ln_guard_count(finder); k++)
        finder->fall[k] = (finder->way[k] - finder->here[k]) / back;
    return LINNET_OK;
}

/* Guards fall no faster than from times[i - 1] to the true step's end t, where they are here[]: an
 * interpolation may jump, as that of a rate does where its samples change. */
static void limit_fall(const ln_root_finder *finder, int i, double t) {
    const double span = t - finder->times[i - 1];
    for (int k = 0; k < ln_guard_count(finder); k++) {
        const double fallen = finder->guards[i - 1][k] - finder->here[k];
        finder->fall[k] = span > 0 ? fmin(finder->fall[k], fallen / span) : 0;
    }
}

/* How long after a point with guards here[] one of those in high[] is crossed, as they fall. */
static double time_left(const ln_root_finder *finder) {
    double least = INFINITY;
    for (int k = 0; k < ln_guard_count(finder); k++)
        if (ln_crossing_is(finder->high[k]) && finder->fall[k] > 0)
            least = fmin(least, finder->here[k] / finder->fall[k]);
    return least;
}

linnet_status ln_crossing_aim(ln_search *bracket, int i) {
    ln_root_finder *finder = bracket->finder;
    const size_t bytes = (size_t)ln_guard_count(finder) * sizeof(double);
    const double least = ln_crossing_resolution(finder, bracket->t0, finder->times[i]) / 2;
    enclosure interval = {.a = finder->times[i - 1], .b = finder->times[i], .least = least};
    int known = !finder->redone;
    if (!known)
        return LINNET_OK;
    memcpy(finder->low, finder->guards[i - 1], bytes);
    memcpy(finder->high, finder->guards[i], bytes);
    LN_TRY(enclose(bracket, &interval));
    if (!interval.unknown)
        LN_TRY(find_fall(bracket, finder->times[i - 1], interval.b, &known));
    /* what is crossed as soon as it is looked at jumps there */
    if (interval.unknown || !known || interval.b - finder->times[i - 1] <= interval.least) {
        memset(finder->fall, 0, bytes);
        return LINNET_OK;
    }
    double t = interval.b;
    for (int trial = 0; trial < AIMED && t < finder->times[i]; trial++) {
        bracket->a = trial == 0 ? interval.a : bracket->b;
        bracket->b = t;
        LN_TRY(ln_crossing_try(bracket, &bracket->b, finder->here));
        limit_fall(finder, i, bracket->b);
        if ((bracket->found = ln_crossing_any(finder, finder->here))) {
            bracket->seen = finder->times[i];
            memcpy(finder->high, finder->here, bytes);
            return LINNET_OK;
        }
        t = bracket->b + time_left(finder) + least;
    }
    return LINNET_OK;
}
