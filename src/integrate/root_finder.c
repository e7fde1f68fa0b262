/* SPDX-License-Identifier: MIT */
/* The search for crossings: see root_finder.h. */
#include "integrate/root_finder.h"

#include "integrate/crossing.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    PARTS = LN_ROOT_FINDER_PARTS,
    GUESSES = 4,
    REFINEMENTS = 8,
    MOST_MISTAKES = 2,
    MOST_VAIN = 50
};
/* a parabola that comes closer to zero than this part is looked at */
static const double DIP = 0.1;

linnet_status ln_root_finder_init(ln_root_finder *finder, ln_events *events, ln_arena *arena) {
    *finder = (ln_root_finder){.events = events};
    double **arrays[PARTS + 6] = {&finder->low, &finder->high, &finder->here, &finder->way,
                                  &finder->fall};
    for (int i = 0; i <= PARTS; i++)
        arrays[5 + i] = &finder->guards[i];
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if ((*arrays[k] = LN_NEW(arena, double, events->system->nguards)) == NULL)
            return LINNET_MEMORY;
    finder->near = LN_NEW(arena, char, events->system->nguards);
    return finder->near == NULL ? LINNET_MEMORY : LINNET_OK;
}

void ln_root_finder_begin(ln_root_finder *finder, ln_side side, const double *x) {
    ln_crossing_guards(finder, side, x, finder->guards[0]);
    finder->fresh = 1;
    finder->vain = 0;
}

int ln_root_finder_is_crossed(ln_root_finder *finder, ln_side side, const double *x) {
    ln_crossing_guards(finder, side, x, finder->way);
    return ln_crossing_any(finder, finder->way);
}

/* Is there a crossing on a true step to t? Then it is found; a: a time before it, as it seems. */
static linnet_status confirm(ln_search *bracket, double a, double t) {
    ln_root_finder *finder = bracket->finder;
    LN_TRY(ln_crossing_try(bracket, &t, finder->high));
    bracket->a = a;
    bracket->b = t;
    bracket->found = ln_crossing_any(finder, finder->high);
    return LINNET_OK;
}

/* To the end of the step again; what is met on the way is found. */
static linnet_status go_back(ln_search *bracket) {
    double t = bracket->t1;
    LN_TRY(ln_crossing_try(bracket, &t, bracket->finder->high));
    bracket->a = bracket->t0;
    bracket->b = t;
    bracket->found = t < bracket->t1;
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

static int is_suspect(const ln_search *bracket, int k, double value) {
    return value <
           DIP * fmax(fmin(bracket->finder->guards[0][k], bracket->finder->guards[PARTS][k]), 0);
}

/* The lowest point of guard k near `at`, between two others, by interpolation; NAN: it is nowhere
 * near zero. */
static linnet_status approach(const ln_search *bracket, int k, double t[3], double g[3],
                              double *at) {
    for (int i = 0; i < GUESSES && !bracket->finder->redone; i++) {
        int known;
        LN_TRY(ln_crossing_guess(bracket, *at, bracket->finder->here, &known));
        if (!known || ln_crossing_is(bracket->finder->here[k]))
            return LINNET_OK;
        t[1] = *at;
        g[1] = bracket->finder->here[k];
        double value, next = lowest(t, g, &value);
        if (!is_suspect(bracket, k, isnan(next) ? g[1] : value)) {
            *at = NAN;
            return LINNET_OK;
        }
        if (isnan(next) || fabs(next - *at) < 1e-6 * (bracket->t1 - bracket->t0))
            return LINNET_OK;
        *at = next;
    }
    return LINNET_OK;
}

/* Guard k seems to dip at `at`, between t[0] and t[2], where it is g[0] and g[2]: true steps to its
 * lowest point. */
static linnet_status follow_dip(ln_search *bracket, int k, double t[3], double g[3], double at) {
    const double a = t[0];
    LN_TRY(approach(bracket, k, t, g, &at));
    if (isnan(at))
        return LINNET_OK;
    for (int i = 0; i < REFINEMENTS && !isnan(at); i++) {
        LN_TRY(confirm(bracket, a, at));
        if (bracket->found)
            return LINNET_OK;
        t[1] = at;
        g[1] = bracket->finder->high[k];
        double value, next = lowest(t, g, &value);
        at = !isnan(next) && value < DIP * g[1] &&
                     fabs(next - at) > 1e-6 * (bracket->t1 - bracket->t0)
                 ? next
                 : NAN;
    }
    return go_back(bracket);
}

/* Dips of the guards around the point before number i. Each dip has one such point, the nearest. */
static linnet_status follow_dips(ln_search *bracket, int i) {
    const ln_root_finder *finder = bracket->finder;
    const double *const *guards = (const double *const *)finder->guards + i - 2,
                        *times = finder->times + i - 2;
    const double first = i == 2 ? times[0] : times[1] - (times[1] - times[0]) / 2;
    const double last = i == PARTS ? times[2] : times[1] + (times[2] - times[1]) / 2;
    for (int k = 0; k < ln_guard_count(finder) && !bracket->found; k++) {
        if (!finder->near[k])
            continue;
        double t[3] = {times[0], times[1], times[2]},
               g[3] = {guards[0][k], guards[1][k], guards[2][k]};
        double value, at = lowest(t, g, &value);
        if (at > first && at <= last && !ln_crossing_is(g[2]) && is_suspect(bracket, k, value))
            LN_TRY(follow_dip(bracket, k, t, g, at));
    }
    return LINNET_OK;
}

/* ---- points within ---- */

static linnet_status sample(const ln_search *bracket, int i, int *known) {
    bracket->finder->times[i] = bracket->t0 + (bracket->t1 - bracket->t0) * i / PARTS;
    LN_TRY(
        ln_crossing_guess(bracket, bracket->finder->times[i], bracket->finder->guards[i], known));
    if (*known)
        ln_events_note_guards(bracket->finder->events, bracket->finder->guards[i]);
    return LINNET_OK;
}

/* Which guards are near zero, as measured by how they move over the step, whose middle is known;
 * returns how many. */
static int find_near(const ln_root_finder *finder) {
    int count = 0;
    for (int k = 0; k < ln_guard_count(finder); k++) {
        const double a = finder->guards[0][k], b = finder->guards[PARTS / 2][k],
                     c = finder->guards[PARTS][k];
        const double least = fmin(fmin(a, b), c), most = fmax(fmax(a, b), c);
        finder->near[k] = !(least > most - least || (least >= 0 && least == most));
        count += finder->near[k];
    }
    return count;
}

/* All points within. *known: 0 where nobody can tell, or nothing is near zero. */
static linnet_status sample_all(const ln_search *bracket, int *known) {
    const ln_stepping *stepping = bracket->stepping;
    memset(bracket->finder->near, 1, (size_t)ln_guard_count(bracket->finder));
    LN_TRY(sample(bracket, PARTS / 2, known));
    if (!*known || (*known = find_near(bracket->finder) > 0) == 0)
        return LINNET_OK;
    if (bracket->finder->fresh && stepping->prepare != NULL) {
        LN_TRY(stepping->prepare(stepping->context));
        LN_TRY(sample(bracket, PARTS / 2, known));
    }
    for (int i = 1; i < PARTS && *known; i++)
        if (i != PARTS / 2)
            LN_TRY(sample(bracket, i, known));
    return LINNET_OK;
}

/* Aims at what shows as crossed at sample i, and makes sure of what was found by another step. */
static linnet_status aim_and_confirm(ln_search *bracket, int i) {
    const double *times = bracket->finder->times;
    LN_TRY(ln_crossing_aim(bracket, i));
    return bracket->found ? LINNET_OK : confirm(bracket, times[i - 1], times[i]);
}

/* The earliest crossing that shows within the step, or at its end, where something is crossed
 * already if `at_end`. */
static linnet_status search_step(ln_search *bracket, int at_end) {
    const ln_root_finder *finder = bracket->finder;
    int known, mistaken = 0;
    LN_TRY(sample_all(bracket, &known));
    if (!known)
        return LINNET_OK;
    for (int i = 1; i <= PARTS && !bracket->found && mistaken < MOST_MISTAKES; i++) {
        if (i > 1)
            LN_TRY(follow_dips(bracket, i));
        if (bracket->found || i == PARTS || !ln_crossing_any(finder, finder->guards[i]))
            continue;
        LN_TRY(aim_and_confirm(bracket, i));
        if (bracket->found)
            return LINNET_OK;
        mistaken++;
        LN_TRY(go_back(bracket));
    }
    if (bracket->found || !at_end)
        return LINNET_OK;
    LN_TRY(ln_crossing_aim(bracket, PARTS));
    if (!bracket->found && finder->redone)
        LN_TRY(go_back(bracket));
    if (!bracket->found)
        bracket->a = finder->times[PARTS - 1];
    return LINNET_OK;
}

/* How long after the step's end the first guard comes to zero, by the lines from its begin; guards
 * that stand there are no concern of this step. */
static double time_to_zero(const ln_search *bracket, const double *guards) {
    double least = INFINITY;
    for (int k = 0; k < ln_guard_count(bracket->finder); k++) {
        const double fallen = bracket->finder->guards[0][k] - guards[k];
        if (guards[k] > 0 && fallen > 0)
            least = fmin(least, guards[k] / fallen * (bracket->t1 - bracket->t0));
    }
    return least;
}

/* Where that is less than the resolution of crossings, the step is taken to just behind the zero: a
 * step of that length alone, from its end, may be none that any method can take. */
static linnet_status pass_zero(ln_search *bracket, double *guards) {
    ln_root_finder *finder = bracket->finder;
    const double least = ln_crossing_resolution(finder, bracket->t0, bracket->t1),
                 left = time_to_zero(bracket, guards);
    double t = bracket->t1 + left + least / 2;
    if (!(left < least && t > bracket->t1 && t < bracket->stepping->farthest))
        return LINNET_OK;
    for (int k = 0; k < ln_guard_count(finder); k++)
        finder->fall[k] = (finder->guards[0][k] - guards[k]) / (bracket->t1 - bracket->t0);
    const double before = bracket->t1;
    LN_TRY(ln_crossing_try(bracket, &t, guards));
    bracket->t1 = bracket->b = finder->times[PARTS] = t;
    bracket->a = fmin(before, t);
    return LINNET_OK;
}

linnet_status ln_root_finder_step(ln_root_finder *finder, const ln_stepping *stepping, double t0,
                                  const ln_moment *end, double *t, int *crossed) {
    ln_search bracket = {.finder = finder,
                         .stepping = stepping,
                         .t0 = t0,
                         .t1 = end->side.t,
                         .side = end->side,
                         .a = t0,
                         .b = end->side.t,
                         .seen = t0};
    assert(t0 < end->side.t); /* a step leads forwards */
    double *guards = finder->guards[PARTS];
    *t = end->side.t;
    finder->redone = 0;
    memset(finder->fall, 0, (size_t)ln_guard_count(finder) * sizeof *finder->fall);
    finder->times[0] = t0;
    finder->times[PARTS] = end->side.t;
    ln_events_find_guards(finder->events, end, NULL, guards);
    ln_system_resolve_zero_guards(finder->events->system, end, guards);
    ln_events_suppress_noise(finder->events, end, guards);
    ln_events_note_guards(finder->events, guards);
    int at_end = ln_crossing_any(finder, guards);
    LN_TRY(search_step(&bracket, at_end));
    if (!bracket.found && !at_end) {
        LN_TRY(pass_zero(&bracket, guards));
        at_end = ln_crossing_any(finder, guards);
        *t = bracket.t1;
    }
    if (!bracket.found && at_end) {
        bracket.b = bracket.t1;
        memcpy(finder->high, guards, (size_t)ln_guard_count(finder) * sizeof *guards);
        bracket.found = 1;
    }
    if ((*crossed = bracket.found)) {
        LN_TRY(ln_crossing_locate(&bracket, t));
        for (int k = 0; k < ln_guard_count(finder); k++)
            finder->events->crossed[k] = (char)ln_crossing_is(finder->high[k]);
        finder->vain = finder->vain < MOST_VAIN ? finder->vain + 2 : MOST_VAIN;
        return LINNET_OK;
    }
    finder->guards[PARTS] = finder->guards[0];
    finder->guards[0] = guards;
    finder->fresh = 0;
    finder->vain -= finder->vain > 0;
    return LINNET_OK;
}
