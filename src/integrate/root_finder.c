/* SPDX-License-Identifier: MIT */
/* The search for crossings: see root_finder.h. */
#include "integrate/root_finder.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum {
    PARTS = LN_ROOT_FINDER_PARTS,
    MOST_TRIALS = 200,
    GUESSES = 4,
    REFINEMENTS = 8,
    MOST_MISTAKES = 2,
    AIMED = 2, /* true steps to where the interpolation has a crossing */
    MOST_VAIN = 50
};
/* a parabola that comes closer to zero than this part is looked at */
static const double DIP = 0.1;
/* of the step: slopes of guards are taken over this part; long enough that rounding leaves ten
 * digits of a slope, short enough that a guard is straight over it */
static const double SLOPE = 1e-4;

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

static int guards_of(const ln_root_finder *finder) {
    return finder->events->system->nguards;
}

/* At a point that a true step has reached. */
static void compute_guards(const ln_root_finder *finder, ln_side side, const double *x,
                           double *guard) {
    const ln_moment moment = {side, x};
    ln_events_find_guards(finder->events, &moment, NULL, guard);
    ln_events_suppress_noise(finder->events, &moment, guard);
    ln_events_note_guards(finder->events, guard);
}

void ln_root_finder_begin(ln_root_finder *finder, ln_side side, const double *x) {
    compute_guards(finder, side, x, finder->guards[0]);
    finder->fresh = 1;
    finder->vain = 0;
}

/* A guard that is not a number has left its domain: crossed. */
static int is_crossed(double guard) {
    return !(guard >= 0);
}

static int any_crossed(const ln_root_finder *finder, const double *guard) {
    for (int k = 0; k < guards_of(finder); k++)
        if (is_crossed(guard[k]))
            return 1;
    return 0;
}

int ln_root_finder_is_crossed(ln_root_finder *finder, ln_side side, const double *x) {
    compute_guards(finder, side, x, finder->way);
    return any_crossed(finder, finder->way);
}

/* The step that is looked at, and what was found in it. */
typedef struct search {
    ln_root_finder *finder;
    const ln_stepping *stepping;
    double t0, t1;
    ln_side side;
    int found;
    /* found: no guard seems negative at a; one is at b, where the run stands, with the guards of
     * b in finder->high */
    double a, b;
    double seen; /* where the interpolation first shows it, beyond b */
} search;

/* *t may become less: where the way to it met a crossing. */
static linnet_status try_at(const search *bracket, double *t, double *guard) {
    const double *x;
    bracket->finder->trials++;
    bracket->finder->redone = 1;
    LN_TRY(bracket->stepping->redo(bracket->stepping->context, t, &x));
    compute_guards(bracket->finder, ln_side_at(bracket->side, *t), x, guard);
    return LINNET_OK;
}

/* What the interpolation says of the guards that may come to zero; the others are as they were.
 * *known: 0 where it says nothing. */
static linnet_status guess_at(const search *bracket, double t, double *guard, int *known) {
    const ln_root_finder *finder = bracket->finder;
    const double *x;
    LN_TRY(bracket->stepping->between(bracket->stepping->context, t, &x));
    *known = x != NULL;
    if (!*known)
        return LINNET_OK;
    const ln_moment moment = {ln_side_at(bracket->side, t), x};
    memcpy(guard, finder->guards[0], (size_t)guards_of(finder) * sizeof *guard);
    ln_events_find_guards(finder->events, &moment, finder->near, guard);
    ln_events_suppress_noise(finder->events, &moment, guard);
    return LINNET_OK;
}

/* Is there a crossing on a true step to t? Then it is found; a: a time before it, as it seems. */
static linnet_status confirm(search *bracket, double a, double t) {
    ln_root_finder *finder = bracket->finder;
    LN_TRY(try_at(bracket, &t, finder->high));
    bracket->a = a;
    bracket->b = t;
    bracket->found = any_crossed(finder, finder->high);
    return LINNET_OK;
}

/* To the end of the step again; what is met on the way is found. */
static linnet_status go_back(search *bracket) {
    double t = bracket->t1;
    LN_TRY(try_at(bracket, &t, bracket->finder->high));
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

static int is_suspect(const search *bracket, int k, double value) {
    return value <
           DIP * fmax(fmin(bracket->finder->guards[0][k], bracket->finder->guards[PARTS][k]), 0);
}

/* The lowest point of guard k near `at`, between two others, by interpolation; NAN: it is nowhere
 * near zero. */
static linnet_status approach(const search *bracket, int k, double t[3], double g[3], double *at) {
    for (int i = 0; i < GUESSES && !bracket->finder->redone; i++) {
        int known;
        LN_TRY(guess_at(bracket, *at, bracket->finder->here, &known));
        if (!known || is_crossed(bracket->finder->here[k]))
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
static linnet_status follow_dip(search *bracket, int k, double t[3], double g[3], double at) {
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
static linnet_status follow_dips(search *bracket, int i) {
    const ln_root_finder *finder = bracket->finder;
    const double *const *guards = (const double *const *)finder->guards + i - 2,
                        *times = finder->times + i - 2;
    const double first = i == 2 ? times[0] : times[1] - (times[1] - times[0]) / 2;
    const double last = i == PARTS ? times[2] : times[1] + (times[2] - times[1]) / 2;
    for (int k = 0; k < guards_of(finder) && !bracket->found; k++) {
        if (!finder->near[k])
            continue;
        double t[3] = {times[0], times[1], times[2]},
               g[3] = {guards[0][k], guards[1][k], guards[2][k]};
        double value, at = lowest(t, g, &value);
        if (at > first && at <= last && !is_crossed(g[2]) && is_suspect(bracket, k, value))
            LN_TRY(follow_dip(bracket, k, t, g, at));
    }
    return LINNET_OK;
}

/* ---- the crossing itself ---- */

/* Earliest crossing of the guards that are crossed at b, by the straight line from a: of zero, or,
 * where a guard rests at zero, of its noise; a step to its zero would be too short for any method.
 */
static double estimate(const ln_root_finder *finder, double a, double b) {
    const ln_events *ev = finder->events;
    double part = 1;
    for (int k = 0; k < guards_of(finder); k++) {
        const double noise = ev->resting[k] && isfinite(ev->noise[k]) ? ev->noise[k] : 0;
        const double low = fmax(finder->low[k], 0) + noise, high = finder->high[k] + noise;
        if (!is_crossed(finder->high[k]))
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

static linnet_status probe(const search *bracket, enclosure *it, double *t, double *guard) {
    int known;
    if (it->on_steps)
        return try_at(bracket, t, guard);
    LN_TRY(guess_at(bracket, *t, guard, &known));
    it->unknown = !known;
    return LINNET_OK;
}

/* Is each guard that is crossed so little beyond zero that it was zero less than `least` before, as
 * it falls? */
static int is_near(const ln_root_finder *finder, double least) {
    for (int k = 0; k < guards_of(finder); k++)
        if (is_crossed(finder->high[k]) && !(-finder->high[k] <= finder->fall[k] * least))
            return 0;
    return 1;
}

static int is_closed(const search *bracket, const enclosure *it) {
    return it->b - it->a <= it->least || it->unknown ||
           (it->on_steps && it->at_b && is_near(bracket->finder, it->least));
}

/* Every eighth trial bisects. */
static linnet_status enclose(const search *bracket, enclosure *it) {
    ln_root_finder *finder = bracket->finder;
    const int count = guards_of(finder);
    const size_t bytes = (size_t)count * sizeof(double);
    /* 1: end b moved last, -1: end a, 0: none; Illinois halves the other end's guards */
    int last_moved = 0;
    for (int i = 0; i < MOST_TRIALS && !is_closed(bracket, it); i++) {
        const double width = it->b - it->a, half = it->least / 2;
        double at = i % 8 == 7 ? it->a + width / 2 : estimate(finder, it->a, it->b);
        if (i == 0 && it->first > it->a)
            at = it->first;
        /* The trial is moved by least/2 towards the longer side, so that the bracket closes from
         * both ends. */
        at = at - it->a < width / 2 ? at + half : at - half;
        at = fmin(fmax(at, it->a + half), it->b - half);
        LN_TRY(probe(bracket, it, &at, finder->here));
        if (any_crossed(finder, finder->here)) {
            it->b = at;
            if (it->b <= it->a) { /* met on the way, and passed back before a */
                it->a = bracket->t0;
                memcpy(finder->low, finder->guards[0], bytes);
            }
            memcpy(finder->high, finder->here, bytes);
            if (last_moved == 1)
                halve(finder->low, count);
            last_moved = it->at_b = 1;
        } else {
            it->a = at;
            memcpy(finder->low, finder->here, bytes);
            if (last_moved == -1)
                halve(finder->high, count);
            last_moved = -1;
            it->at_b = 0;
        }
    }
    return LINNET_OK;
}

/* How well a crossing is located that was seen first between a and b; near zero no finer than where
 * the run ends. */
static double resolution(const ln_root_finder *finder, double a, double b) {
    const double rounding = 4 * DBL_EPSILON * fmax(fmax(fabs(a), fabs(b)), finder->events->span);
    return fmax(1e-12 * (b - a), ldexp(rounding, finder->vain));
}

/* No guard is negative at the start of the step, one is at bracket->b, where the run stands
 * (guards in finder->high). bracket->a is the first trial: probably just before the earliest
 * crossing. */
static linnet_status locate(const search *bracket, double *t) {
    ln_root_finder *finder = bracket->finder;
    enclosure it = {.a = bracket->t0,
                    .b = bracket->b,
                    .least = resolution(finder, bracket->t0, fmax(bracket->b, bracket->seen)),
                    .first = bracket->a,
                    .on_steps = 1,
                    .at_b = 1};
    const double *x;
    finder->events->resolution = it.least;
    memcpy(finder->low, finder->guards[0], (size_t)guards_of(finder) * sizeof(double));
    LN_TRY(enclose(bracket, &it));
    *t = it.b;
    return it.at_b ? LINNET_OK : bracket->stepping->redo(bracket->stepping->context, t, &x);
}

/* ---- aiming ---- */

/* How fast guards fall at t, by the interpolation since `from`; *known: 0 where it says nothing. */
static linnet_status find_fall(const search *bracket, double from, double t, int *known) {
    ln_root_finder *finder = bracket->finder;
    const double back = fmin(SLOPE * (bracket->t1 - bracket->t0), (t - from) / 2);
    LN_TRY(guess_at(bracket, t, finder->here, known));
    if (*known)
        LN_TRY(guess_at(bracket, t - back, finder->way, known));
    for (int k = 0; *known && k < guards_of(finder); k++)
        finder->fall[k] = (finder->way[k] - finder->here[k]) / back;
    return LINNET_OK;
}

/* Guards fall no faster than from times[i - 1] to the true step's end t, where they are here[]: an
 * interpolation may jump, as that of a rate does where its samples change. */
static void limit_fall(const ln_root_finder *finder, int i, double t) {
    const double span = t - finder->times[i - 1];
    for (int k = 0; k < guards_of(finder); k++) {
        const double fallen = finder->guards[i - 1][k] - finder->here[k];
        finder->fall[k] = span > 0 ? fmin(finder->fall[k], fallen / span) : 0;
    }
}

/* How long after a point with guards here[] one of those in high[] is crossed, as they fall. */
static double time_left(const ln_root_finder *finder) {
    double least = INFINITY;
    for (int k = 0; k < guards_of(finder); k++)
        if (is_crossed(finder->high[k]) && finder->fall[k] > 0)
            least = fmin(least, finder->here[k] / finder->fall[k]);
    return least;
}

/* Between times[i - 1] and times[i] something is crossed by the interpolation. It is asked where,
 * and a true step leads just behind that; where nothing is crossed there yet, a second one makes up
 * for what is left, as guards fall. bracket->found: something was. */
static linnet_status aim(search *bracket, int i) {
    ln_root_finder *finder = bracket->finder;
    const size_t bytes = (size_t)guards_of(finder) * sizeof(double);
    const double least = resolution(finder, bracket->t0, finder->times[i]) / 2;
    enclosure it = {.a = finder->times[i - 1], .b = finder->times[i], .least = least};
    int known = !finder->redone;
    if (!known)
        return LINNET_OK;
    memcpy(finder->low, finder->guards[i - 1], bytes);
    memcpy(finder->high, finder->guards[i], bytes);
    LN_TRY(enclose(bracket, &it));
    if (!it.unknown)
        LN_TRY(find_fall(bracket, finder->times[i - 1], it.b, &known));
    /* what is crossed as soon as it is looked at jumps there */
    if (it.unknown || !known || it.b - finder->times[i - 1] <= it.least) {
        memset(finder->fall, 0, bytes);
        return LINNET_OK;
    }
    double t = it.b;
    for (int trial = 0; trial < AIMED && t < finder->times[i]; trial++) {
        bracket->a = trial == 0 ? it.a : bracket->b;
        bracket->b = t;
        LN_TRY(try_at(bracket, &bracket->b, finder->here));
        limit_fall(finder, i, bracket->b);
        if ((bracket->found = any_crossed(finder, finder->here))) {
            bracket->seen = finder->times[i];
            memcpy(finder->high, finder->here, bytes);
            return LINNET_OK;
        }
        t = bracket->b + time_left(finder) + least;
    }
    return LINNET_OK;
}

/* ---- points within ---- */

static linnet_status sample(const search *bracket, int i, int *known) {
    bracket->finder->times[i] = bracket->t0 + (bracket->t1 - bracket->t0) * i / PARTS;
    LN_TRY(guess_at(bracket, bracket->finder->times[i], bracket->finder->guards[i], known));
    if (*known)
        ln_events_note_guards(bracket->finder->events, bracket->finder->guards[i]);
    return LINNET_OK;
}

/* Which guards are near zero, as measured by how they move over the step, whose middle is known;
 * returns how many. */
static int find_near(const ln_root_finder *finder) {
    int count = 0;
    for (int k = 0; k < guards_of(finder); k++) {
        const double a = finder->guards[0][k], b = finder->guards[PARTS / 2][k],
                     c = finder->guards[PARTS][k];
        const double least = fmin(fmin(a, b), c), most = fmax(fmax(a, b), c);
        finder->near[k] = !(least > most - least || (least >= 0 && least == most));
        count += finder->near[k];
    }
    return count;
}

/* All points within. *known: 0 where nobody can tell, or nothing is near zero. */
static linnet_status sample_all(const search *bracket, int *known) {
    const ln_stepping *stepping = bracket->stepping;
    memset(bracket->finder->near, 1, (size_t)guards_of(bracket->finder));
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

/* The earliest crossing that shows within the step, or at its end, where something is crossed
 * already if `at_end`. */
static linnet_status search_step(search *bracket, int at_end) {
    const ln_root_finder *finder = bracket->finder;
    int known, mistaken = 0;
    LN_TRY(sample_all(bracket, &known));
    if (!known)
        return LINNET_OK;
    for (int i = 1; i <= PARTS && !bracket->found && mistaken < MOST_MISTAKES; i++) {
        if (i > 1)
            LN_TRY(follow_dips(bracket, i));
        if (bracket->found || i == PARTS || !any_crossed(finder, finder->guards[i]))
            continue;
        LN_TRY(aim(bracket, i));
        if (!bracket->found)
            LN_TRY(confirm(bracket, finder->times[i - 1], finder->times[i]));
        if (bracket->found)
            return LINNET_OK;
        mistaken++;
        LN_TRY(go_back(bracket));
    }
    if (bracket->found || !at_end)
        return LINNET_OK;
    LN_TRY(aim(bracket, PARTS));
    if (!bracket->found && finder->redone)
        LN_TRY(go_back(bracket));
    if (!bracket->found)
        bracket->a = finder->times[PARTS - 1];
    return LINNET_OK;
}

linnet_status ln_root_finder_step(ln_root_finder *finder, const ln_stepping *stepping, double t0,
                                  ln_side side, const double *x, double *t, int *crossed) {
    search bracket = {.finder = finder,
                      .stepping = stepping,
                      .t0 = t0,
                      .t1 = side.t,
                      .side = side,
                      .a = t0,
                      .b = side.t,
                      .seen = t0};
    assert(t0 < side.t); /* a step leads forwards */
    const ln_moment moment = {side, x};
    double *end = finder->guards[PARTS];
    *t = side.t;
    finder->redone = 0;
    memset(finder->fall, 0, (size_t)guards_of(finder) * sizeof *finder->fall);
    finder->times[0] = t0;
    finder->times[PARTS] = side.t;
    ln_events_find_guards(finder->events, &moment, NULL, end);
    ln_system_resolve_zero_guards(finder->events->system, &moment, end);
    ln_events_suppress_noise(finder->events, &moment, end);
    ln_events_note_guards(finder->events, end);
    const int at_end = any_crossed(finder, end);
    LN_TRY(search_step(&bracket, at_end));
    if (!bracket.found && at_end) {
        bracket.b = side.t;
        memcpy(finder->high, end, (size_t)guards_of(finder) * sizeof *end);
        bracket.found = 1;
    }
    if ((*crossed = bracket.found)) {
        LN_TRY(locate(&bracket, t));
        for (int k = 0; k < guards_of(finder); k++)
            finder->events->crossed[k] = (char)is_crossed(finder->high[k]);
        finder->vain = finder->vain < MOST_VAIN ? finder->vain + 2 : MOST_VAIN;
        return LINNET_OK;
    }
    finder->guards[PARTS] = finder->guards[0];
    finder->guards[0] = end;
    finder->fresh = 0;
    finder->vain -= finder->vain > 0;
    return LINNET_OK;
}
