/* SPDX-License-Identifier: MIT */
/* The search for crossings: see root_finder.h. */
#include "integrate/root_finder.h"

#include "integrate/crossing.h"
#include "integrate/guards.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    SAMPLES = LN_ROOT_FINDER_SAMPLES,
    GUESSES = 4,          /* parabolas that approach a dip by the interpolation */
    REFINEMENTS = 8,      /* and by true steps */
    MOST_MISTAKES = 2,    /* crossings that the interpolation shows and no true step confirms */
    MOST_COARSENING = 50, /* powers of two */
};
/* a parabola that comes closer to zero than this part is looked at */
static const double DIP = 0.1;

linnet_status ln_root_finder_init(ln_root_finder *finder, ln_events *events, ln_arena *arena) {
    *finder = (ln_root_finder){.events = events};
    double **arrays[SAMPLES + 6] = {&finder->guards_a, &finder->guards_b, &finder->guards_trial,
                                    &finder->work, &finder->fall};
    for (int i = 0; i <= SAMPLES; i++)
        arrays[5 + i] = &finder->guards[i];
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if ((*arrays[k] = LN_NEW(arena, double, events->system->nguards)) == NULL)
            return LINNET_MEMORY;
    finder->watched = LN_NEW(arena, char, events->system->nguards);
    finder->turning = LN_NEW(arena, char, events->system->nguards);
    if (finder->watched == NULL || finder->turning == NULL)
        return LINNET_MEMORY;
    return LINNET_OK;
}

void ln_root_finder_begin(ln_root_finder *finder, ln_side side, const double *x) {
    ln_crossing_guards(finder, side, x, finder->guards[0]);
    ln_events_note_guards(finder->events, finder->guards[0]);
    finder->after_instant = 1;
    finder->coarsening = 0;
}

void ln_root_finder_pass_unchanged(ln_root_finder *finder, ln_side side, const double *x) {
    ln_crossing_guards(finder, side, x, finder->guards[0]);
}

int ln_root_finder_is_crossed(ln_root_finder *finder, ln_side side, const double *x) {
    ln_crossing_guards(finder, side, x, finder->work);
    return ln_guards_any_crossed(finder, finder->work);
}

/* Is there a crossing on a true step to t? Then it is found. a: where its bracket is to begin. */
static linnet_status confirm(ln_crossing_search *search, double a, double t) {
    ln_root_finder *finder = search->finder;
    LN_TRY(ln_crossing_by_step(search, &t, finder->guards_b));
    search->first_trial = a;
    search->crossed_at = t;
    search->found = ln_guards_any_crossed(finder, finder->guards_b);
    return LINNET_OK;
}

/* Takes the run forwards to the end of the step again; a crossing that is met is found. */
static linnet_status return_to_end(ln_crossing_search *search) {
    double t = search->t1;
    LN_TRY(ln_crossing_by_step(search, &t, search->finder->guards_b));
    search->first_trial = search->t0;
    search->crossed_at = t;
    search->found = t < search->t1;
    return LINNET_OK;
}

/* ---- dips ---- */

/* Lowest point of the parabola through three values, if it lies between the first and the last and
 * is lower than all; else NAN. *value: the value there. */
static double lowest(const double t[3], const double g[3], double *value) {
    double d1 = (g[1] - g[0]) / (t[1] - t[0]), d2 = (g[2] - g[1]) / (t[2] - t[1]),
           c = (d2 - d1) / (t[2] - t[0]);
    if (!(c > 0))
        return NAN;
    double at = 0.5 * (t[0] + t[1] - d1 / c);
    if (!(at > t[0] && at < t[2]))
        return NAN;
    *value = g[0] + (at - t[0]) * d1 + (at - t[0]) * (at - t[1]) * c;
    return at;
}

static int is_suspect(const ln_crossing_search *search, int k, double value) {
    return value <
           DIP * fmax(fmin(search->finder->guards[0][k], search->finder->guards[SAMPLES][k]), 0);
}

/* The lowest point of guard k near *at, between two others, by interpolation. *at becomes NAN where
 * the guard comes nowhere near zero; it stays where no interpolation is known, where the guard is
 * crossed, or once it has converged. */
static linnet_status approach(const ln_crossing_search *search, int k, double t[3], double g[3],
                              double *at) {
    for (int i = 0; i < GUESSES && !search->finder->redone; i++) {
        int known;
        LN_TRY(ln_crossing_by_interpolation(search, *at, search->finder->guards_trial, &known));
        if (!known || ln_guard_is_crossed(search->finder->guards_trial[k]))
            return LINNET_OK;
        t[1] = *at;
        g[1] = search->finder->guards_trial[k];
        double value, next = lowest(t, g, &value);
        if (!is_suspect(search, k, isnan(next) ? g[1] : value)) {
            *at = NAN;
            return LINNET_OK;
        }
        if (isnan(next) || fabs(next - *at) < 1e-6 * (search->t1 - search->t0))
            return LINNET_OK;
        *at = next;
    }
    return LINNET_OK;
}

/* Guard k seems to dip at `at`, between t[0] and t[2], where it is g[0] and g[2]: true steps to its
 * lowest point. */
static linnet_status follow_dip(ln_crossing_search *search, int k, double t[3], double g[3],
                                double at) {
    const double a = t[0];
    LN_TRY(approach(search, k, t, g, &at));
    if (isnan(at))
        return LINNET_OK;
    for (int i = 0; i < REFINEMENTS && !isnan(at); i++) {
        LN_TRY(confirm(search, a, at));
        if (search->found)
            return LINNET_OK;
        t[1] = at;
        g[1] = search->finder->guards_b[k];
        double value, next = lowest(t, g, &value);
        at =
            !isnan(next) && value < DIP * g[1] && fabs(next - at) > 1e-6 * (search->t1 - search->t0)
                ? next
                : NAN;
    }
    return return_to_end(search);
}

/* Follows the dips next to sample i - 1: those whose parabola through samples i - 2 to i is lowest
 * nearer to sample i - 1 than to the other two, so that each dip is followed once. */
static linnet_status follow_dips(ln_crossing_search *search, int i) {
    const ln_root_finder *finder = search->finder;
    const double *const *guards = (const double *const *)finder->guards + i - 2,
                        *times = finder->times + i - 2;
    const double first = i == 2 ? times[0] : times[1] - (times[1] - times[0]) / 2;
    const double last = i == SAMPLES ? times[2] : times[1] + (times[2] - times[1]) / 2;
    for (int k = 0; k < ln_guard_count(finder) && !search->found; k++) {
        if (!finder->watched[k])
            continue;
        double t[3] = {times[0], times[1], times[2]},
               g[3] = {guards[0][k], guards[1][k], guards[2][k]};
        double value, at = lowest(t, g, &value);
        if (at > first && at <= last && !ln_guard_is_crossed(g[2]) && is_suspect(search, k, value))
            LN_TRY(follow_dip(search, k, t, g, at));
    }
    return LINNET_OK;
}

/* ---- points within ---- */

static linnet_status sample(const ln_crossing_search *search, int i, int *known) {
    search->finder->times[i] = search->t0 + (search->t1 - search->t0) * i / SAMPLES;
    return ln_crossing_by_interpolation(search, search->finder->times[i], search->finder->guards[i],
                                        known);
}

/* Which guards are near zero, as measured by how they move over the step, whose middle is known, or
 * move by themselves; returns how many. */
static int find_near(const ln_root_finder *finder) {
    int count = 0;
    for (int k = 0; k < ln_guard_count(finder); k++) {
        const double a = finder->guards[0][k], b = finder->guards[SAMPLES / 2][k],
                     c = finder->guards[SAMPLES][k];
        const double smallest = fmin(fmin(a, b), c), largest = fmax(fmax(a, b), c);
        /* far: farther from zero than it moves, or constant and not negative; NaN is near, which
         * fmin() and fmax() pass over */
        finder->watched[k] =
            finder->turning[k] || isnan(a + b + c) ||
            !(smallest > largest - smallest || (smallest >= 0 && smallest == largest));
        count += finder->watched[k];
    }
    return count;
}

/* All points within. *known: 0 where nobody can tell, or nothing is near zero. */
static linnet_status sample_all(const ln_crossing_search *search, int *known) {
    const ln_stepping *stepping = search->stepping;
    memset(search->finder->watched, 1, (size_t)ln_guard_count(search->finder));
    LN_TRY(sample(search, SAMPLES / 2, known));
    if (*known && find_near(search->finder) == 0)
        *known = 0;
    if (!*known)
        return LINNET_OK;
    if (search->finder->after_instant && stepping->take_third_point != NULL) {
        LN_TRY(stepping->take_third_point(stepping->context));
        LN_TRY(sample(search, SAMPLES / 2, known));
    }
    for (int i = 1; i < SAMPLES && *known; i++)
        if (i != SAMPLES / 2)
            LN_TRY(sample(search, i, known));
    return LINNET_OK;
}

/* Steps to just past what shows as crossed at sample i, and makes sure of what was found by
 * another step. */
static linnet_status step_past_and_confirm(ln_crossing_search *search, int i) {
    const double *times = search->finder->times;
    LN_TRY(ln_crossing_step_past(search, i));
    return search->found ? LINNET_OK : confirm(search, times[i - 1], times[i]);
}

/* What has been above its noise at sample i is in noise no longer in the search after it, but still
 * is before: a guard that has just changed its mode may still move within noise there. */
static void note_sample(const ln_crossing_search *search, int i) {
    ln_events_note_guards(search->finder->events, search->finder->guards[i]);
}

/* The earliest crossing that shows within the step, or at its end, where something is crossed
 * already if `at_end`. */
static linnet_status search_step(ln_crossing_search *search, int at_end) {
    const ln_root_finder *finder = search->finder;
    int known, mistaken = 0;
    LN_TRY(sample_all(search, &known));
    if (!known)
        return LINNET_OK;
    for (int i = 1; i <= SAMPLES && !search->found && mistaken < MOST_MISTAKES; i++) {
        if (i > 1) {
            note_sample(search, i - 2);
            LN_TRY(follow_dips(search, i));
        }
        if (search->found || i == SAMPLES || !ln_guards_any_crossed(finder, finder->guards[i]))
            continue;
        note_sample(search, i - 1);
        LN_TRY(step_past_and_confirm(search, i));
        if (search->found)
            return LINNET_OK;
        mistaken++;
        LN_TRY(return_to_end(search));
    }
    if (search->found || !at_end)
        return LINNET_OK;
    note_sample(search, SAMPLES - 1);
    LN_TRY(ln_crossing_step_past(search, SAMPLES));
    if (!search->found && finder->redone)
        LN_TRY(return_to_end(search));
    if (!search->found)
        search->first_trial = finder->times[SAMPLES - 1];
    return LINNET_OK;
}

/* How long after the step's end the first guard comes to zero, by the lines from its begin; guards
 * that are zero at the end are left to the next step. */
static double time_to_zero(const ln_crossing_search *search, const double *guards) {
    double earliest = INFINITY;
    for (int k = 0; k < ln_guard_count(search->finder); k++) {
        const double fallen = search->finder->guards[0][k] - guards[k];
        if (guards[k] > 0 && fallen > 0)
            earliest = fmin(earliest, guards[k] / fallen * (search->t1 - search->t0));
    }
    return earliest;
}

/* Where a guard would come to zero within the resolution of crossings after the step's end, the
 * step is taken to just past that zero: a step of that length alone may be none that any method
 * can take. */
static linnet_status pass_zero(ln_crossing_search *search, double *guards) {
    ln_root_finder *finder = search->finder;
    const double resolution = ln_crossing_resolution(finder, search->t0, search->t1),
                 to_zero = time_to_zero(search, guards);
    double t = search->t1 + to_zero + resolution / 2;
    if (!(to_zero < resolution && t > search->t1 && t < search->stepping->limit))
        return LINNET_OK;
    for (int k = 0; k < ln_guard_count(finder); k++)
        finder->fall[k] = (finder->guards[0][k] - guards[k]) / (search->t1 - search->t0);
    const double before = search->t1;
    LN_TRY(ln_crossing_by_step(search, &t, guards));
    search->t1 = search->crossed_at = finder->times[SAMPLES] = t;
    search->first_trial = fmin(before, t);
    return LINNET_OK;
}

linnet_status ln_root_finder_step(ln_root_finder *finder, const ln_stepping *stepping, double t0,
                                  const ln_moment *end, double *t, int *crossed) {
    ln_crossing_search search = {.finder = finder,
                                 .stepping = stepping,
                                 .t0 = t0,
                                 .t1 = end->side.t,
                                 .side = end->side,
                                 .first_trial = t0,
                                 .crossed_at = end->side.t,
                                 .shown_at = t0};
    assert(t0 < end->side.t); /* a step leads forwards */
    double *guards = finder->guards[SAMPLES];
    *t = end->side.t;
    finder->redone = 0;
    memset(finder->fall, 0, (size_t)ln_guard_count(finder) * sizeof *finder->fall);
    finder->times[0] = t0;
    finder->times[SAMPLES] = end->side.t;
    ln_events_find_guards(finder->events, end, NULL, guards);
    ln_system_resolve_zero_guards(finder->events->system, end, guards);
    ln_events_suppress_noise(finder->events, end, guards);
    int at_end = ln_guards_any_crossed(finder, guards);
    LN_TRY(search_step(&search, at_end));
    if (!search.found && !at_end) {
        LN_TRY(pass_zero(&search, guards));
        at_end = ln_guards_any_crossed(finder, guards);
        *t = search.t1;
    }
    if (!search.found && at_end) {
        search.crossed_at = search.t1;
        memcpy(finder->guards_b, guards, (size_t)ln_guard_count(finder) * sizeof *guards);
        search.found = 1;
    }
    if ((*crossed = search.found)) {
        LN_TRY(ln_crossing_enclose(&search, t));
        finder->stayed = !search.found;
        if (!(*crossed = search.found)) {
            ln_events_note_guards(finder->events, finder->guards[0]);
            finder->after_instant = 0;
            return LINNET_OK;
        }
        for (int k = 0; k < ln_guard_count(finder); k++)
            finder->events->crossed[k] = (char)ln_guard_is_crossed(finder->guards_b[k]);
        finder->coarsening =
            finder->coarsening < MOST_COARSENING ? finder->coarsening + 2 : MOST_COARSENING;
        return LINNET_OK;
    }
    finder->stayed = 0;
    ln_events_note_guards(finder->events, guards);
    finder->guards[SAMPLES] = finder->guards[0];
    finder->guards[0] = guards;
    finder->after_instant = 0;
    finder->coarsening -= finder->coarsening > 0;
    return LINNET_OK;
}
