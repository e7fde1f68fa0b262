/* SPDX-License-Identifier: MIT */
/* Where a crossing is: see crossing.h. */
#include "integrate/crossing.h"

#include "integrate/guards.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    MOST_TRIALS =
        200,        /* of regula falsi; one in eight halves the bracket, so that 64 bits close it */
    STEPS_PAST = 2, /* true steps to where the interpolation has a crossing */
};
/* of the step: slopes of guards are taken over this part; long enough that rounding leaves ten
 * digits of a slope, short enough that a guard is straight over it */
static const double SLOPE = 1e-4;

void ln_crossing_guards(const ln_root_finder *finder, ln_side side, const double *x,
                        double *guard) {
    const ln_moment moment = {side, x};
    ln_events_find_guards(finder->events, &moment, NULL, guard);
    ln_events_suppress_noise(finder->events, &moment, guard);
}

int ln_guard_is_crossed(double guard) {
    return !(guard >= 0);
}

int ln_guards_any_crossed(const ln_root_finder *finder, const double *guard) {
    for (int k = 0; k < ln_guard_count(finder); k++)
        if (ln_guard_is_crossed(guard[k]))
            return 1;
    return 0;
}

linnet_status ln_crossing_by_step(const ln_crossing_search *search, double *t, double *guard) {
    const double *x;
    search->finder->redone = 1;
    LN_TRY(search->stepping->redo(search->stepping->context, t, &x));
    ln_crossing_guards(search->finder, ln_side_at(search->side, *t), x, guard);
    return LINNET_OK;
}

linnet_status ln_crossing_by_interpolation(const ln_crossing_search *search, double t,
                                           double *guard, int *known) {
    const ln_root_finder *finder = search->finder;
    const double *x;
    LN_TRY(search->stepping->between(search->stepping->context, t, &x));
    *known = x != NULL;
    if (!*known)
        return LINNET_OK;
    const ln_moment moment = {ln_side_at(search->side, t), x};
    memcpy(guard, finder->guards[0], (size_t)ln_guard_count(finder) * sizeof *guard);
    ln_events_find_guards(finder->events, &moment, finder->watched, guard);
    ln_events_suppress_noise(finder->events, &moment, guard);
    return LINNET_OK;
}

/* ---- the crossing itself ---- */

/* Earliest crossing of the guards that are crossed at b, by the straight line from a: of zero, or,
 * where a guard is in noise, of that; a step to its zero would be too short for any method.
 */
static double estimate(const ln_root_finder *finder, double a, double b) {
    const ln_events *ev = finder->events;
    double part = 1;
    for (int k = 0; k < ln_guard_count(finder); k++) {
        const double noise = ev->in_noise[k] && isfinite(ev->noise[k]) ? ev->noise[k] : 0;
        const double low = fmax(finder->guards_a[k], 0) + noise, high = finder->guards_b[k] + noise;
        if (!ln_guard_is_crossed(finder->guards_b[k]))
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

/* A bracket that is closed until it is as narrow as the resolution: nothing is crossed at a (guards
 * guards_a[]), something at b (guards_b[]). */
typedef struct enclosure {
    double a, b, resolution;
    double first;         /* of the trials, where it is beyond a */
    int on_steps;         /* trials are true steps; else the interpolation is asked */
    int stands_at_b;      /* the last trial was at b */
    int no_interpolation; /* none is known at the last trial */
    int steps_a, steps_b; /* of the ways there, 0: none */
} enclosure;

static linnet_status try_time(const ln_crossing_search *search, enclosure *bracket, double *t,
                              double *guard) {
    int known;
    if (bracket->on_steps)
        return ln_crossing_by_step(search, t, guard);
    LN_TRY(ln_crossing_by_interpolation(search, *t, guard, &known));
    bracket->no_interpolation = !known;
    return LINNET_OK;
}

/* Is each guard that is crossed so little beyond zero that, by its slope, it was zero within the
 * resolution before? */
static int have_just_crossed(const ln_root_finder *finder, double resolution) {
    for (int k = 0; k < ln_guard_count(finder); k++)
        if (ln_guard_is_crossed(finder->guards_b[k]) &&
            !(-finder->guards_b[k] <= finder->fall[k] * resolution))
            return 0;
    return 1;
}

static int is_closed(const ln_crossing_search *search, const enclosure *bracket) {
    return bracket->b - bracket->a <= bracket->resolution || bracket->no_interpolation ||
           (bracket->on_steps && bracket->stands_at_b &&
            have_just_crossed(search->finder, bracket->resolution));
}

/* Every eighth trial bisects: a guard that is not smooth may hold regula falsi at one end. */
static linnet_status enclose(const ln_crossing_search *search, enclosure *bracket) {
    ln_root_finder *finder = search->finder;
    const int count = ln_guard_count(finder);
    const size_t bytes = (size_t)count * sizeof(double);
    /* 1: end b moved last, -1: end a, 0: none; Illinois halves the other end's guards, of several
     * guards all, since the one that decides is not known before */
    int last_moved = 0;
    for (int i = 0; i < MOST_TRIALS && !is_closed(search, bracket); i++) {
        const double width = bracket->b - bracket->a, half = bracket->resolution / 2;
        double at = i % 8 == 7 ? bracket->a + width / 2 : estimate(finder, bracket->a, bracket->b);
        if (i == 0 && bracket->first > bracket->a)
            at = bracket->first;
        /* The trial is moved by half the resolution towards the longer side, so that the bracket
         * closes from both ends. */
        at = at - bracket->a < width / 2 ? at + half : at - half;
        at = fmin(fmax(at, bracket->a + half), bracket->b - half);
        const double asked = at;
        LN_TRY(try_time(search, bracket, &at, finder->guards_trial));
        if (at > asked) /* nothing nearer can be tried */
            bracket->resolution = fmax(bracket->resolution, at - bracket->a);
        if (ln_guards_any_crossed(finder, finder->guards_trial)) {
            bracket->b = at;
            bracket->steps_b = finder->steps;
            if (bracket->b <= bracket->a) { /* met on the way, and passed back before a */
                bracket->a = search->t0;
                memcpy(finder->guards_a, finder->guards[0], bytes);
            }
            memcpy(finder->guards_b, finder->guards_trial, bytes);
            if (last_moved == 1)
                halve(finder->guards_a, count);
            last_moved = bracket->stands_at_b = 1;
        } else {
            if (bracket->on_steps)
                ln_events_note_guards(finder->events, finder->guards_trial);
            bracket->a = at;
            bracket->steps_a = finder->steps;
            memcpy(finder->guards_a, finder->guards_trial, bytes);
            if (last_moved == -1)
                halve(finder->guards_b, count);
            last_moved = -1;
            bracket->stands_at_b = 0;
        }
    }
    return LINNET_OK;
}

/* A crossing is told from another point by so many roundings of t: a step of a few is next to
 * singular, and one that ends at a diode's second crossing right behind its first stopped runs of a
 * six-pulse rectifier (tests/switching.sh); with 200 an extremum is late by more than rounding
 * (tests/test_statistics.c). */
static const double ROUNDINGS = 100;

double ln_crossing_resolution(const ln_root_finder *finder, double a, double b) {
    const double rounding =
        ROUNDINGS * DBL_EPSILON * fmax(fmax(fabs(a), fabs(b)), finder->events->span);
    return fmax(1e-12 * (b - a), ldexp(rounding, finder->coarsening));
}

/* Lies what is crossed at b farther beyond zero than this many resolutions, at the rate at which it
 * has fallen since t0, though the way to a, of another number of steps, left it above? Then the
 * method's steps differ, not the point. */
static int is_jump_of_method(const ln_crossing_search *search, const enclosure *bracket) {
    static const double MANY = 1000;
    const ln_root_finder *finder = search->finder;
    if (finder->stayed || !(bracket->a > search->t0) || bracket->steps_a == bracket->steps_b ||
        finder->steps == 0)
        return 0;
    for (int k = 0; k < ln_guard_count(finder); k++) {
        const double beyond = -finder->guards_b[k],
                     rate = (finder->guards[0][k] + beyond) / (bracket->b - search->t0);
        if (ln_guard_is_crossed(finder->guards_b[k]) &&
            !(beyond > MANY * fmax(rate, finder->fall[k]) * bracket->resolution))
            return 0;
    }
    return 1;
}

linnet_status ln_crossing_enclose(ln_crossing_search *search, double *t) {
    ln_root_finder *finder = search->finder;
    enclosure bracket = {.a = search->t0,
                         .b = search->crossed_at,
                         .resolution = ln_crossing_resolution(
                             finder, search->t0, fmax(search->crossed_at, search->shown_at)),
                         .first = search->first_trial,
                         .on_steps = 1,
                         .stands_at_b = 1};
    const double *x;
    finder->events->resolution = bracket.resolution;
    memcpy(finder->guards_a, finder->guards[0], (size_t)ln_guard_count(finder) * sizeof(double));
    LN_TRY(enclose(search, &bracket));
    search->found = !is_jump_of_method(search, &bracket);
    *t = search->found ? bracket.b : bracket.a;
    if (!search->found)
        return ln_crossing_by_step(search, t, finder->guards[0]);
    return bracket.stands_at_b ? LINNET_OK
                               : search->stepping->redo(search->stepping->context, t, &x);
}

/* ---- the first trial ---- */

/* How fast guards fall at t, by the interpolation since `from`; *known: 0 where it says nothing. */
static linnet_status find_fall(const ln_crossing_search *search, double from, double t,
                               int *known) {
    ln_root_finder *finder = search->finder;
    const double back = fmin(SLOPE * (search->t1 - search->t0), (t - from) / 2);
    LN_TRY(ln_crossing_by_interpolation(search, t, finder->guards_trial, known));
    if (*known)
        LN_TRY(ln_crossing_by_interpolation(search, t - back, finder->work, known));
    for (int k = 0; *known && k < ln_guard_count(finder); k++)
        finder->fall[k] = (finder->work[k] - finder->guards_trial[k]) / back;
    return LINNET_OK;
}

/* Guards fall no faster than from times[i - 1] to the true step's end t, where they are
 * guards_trial[]: an interpolation may jump, as that of a rate does where its samples change. */
static void limit_fall(const ln_root_finder *finder, int i, double t) {
    const double span = t - finder->times[i - 1];
    for (int k = 0; k < ln_guard_count(finder); k++) {
        const double fallen = finder->guards[i - 1][k] - finder->guards_trial[k];
        finder->fall[k] = span > 0 ? fmin(finder->fall[k], fallen / span) : 0;
    }
}

/* How long after a point with guards guards_trial[] one of those in guards_b[] is crossed, by their
 * slopes. */
static double time_left(const ln_root_finder *finder) {
    double earliest = INFINITY;
    for (int k = 0; k < ln_guard_count(finder); k++)
        if (ln_guard_is_crossed(finder->guards_b[k]) && finder->fall[k] > 0)
            earliest = fmin(earliest, finder->guards_trial[k] / finder->fall[k]);
    return earliest;
}

linnet_status ln_crossing_step_past(ln_crossing_search *search, int i) {
    ln_root_finder *finder = search->finder;
    const size_t bytes = (size_t)ln_guard_count(finder) * sizeof(double);
    const double resolution = ln_crossing_resolution(finder, search->t0, finder->times[i]) / 2;
    enclosure bracket = {
        .a = finder->times[i - 1], .b = finder->times[i], .resolution = resolution};
    int known = !finder->redone;
    if (!known)
        return LINNET_OK;
    memcpy(finder->guards_a, finder->guards[i - 1], bytes);
    memcpy(finder->guards_b, finder->guards[i], bytes);
    LN_TRY(enclose(search, &bracket));
    if (!bracket.no_interpolation)
        LN_TRY(find_fall(search, finder->times[i - 1], bracket.b, &known));
    /* what is crossed as soon as it is looked at jumps there */
    if (bracket.no_interpolation || !known ||
        bracket.b - finder->times[i - 1] <= bracket.resolution) {
        memset(finder->fall, 0, bytes);
        return LINNET_OK;
    }
    double t = bracket.b;
    for (int trial = 0; trial < STEPS_PAST && t < finder->times[i]; trial++) {
        search->first_trial = trial == 0 ? bracket.a : search->crossed_at;
        search->crossed_at = t;
        LN_TRY(ln_crossing_by_step(search, &search->crossed_at, finder->guards_trial));
        limit_fall(finder, i, search->crossed_at);
        if ((search->found = ln_guards_any_crossed(finder, finder->guards_trial))) {
            search->shown_at = finder->times[i];
            memcpy(finder->guards_b, finder->guards_trial, bytes);
            return LINNET_OK;
        }
        t = search->crossed_at + time_left(finder) + resolution;
    }
    return LINNET_OK;
}
