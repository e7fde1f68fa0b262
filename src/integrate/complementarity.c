/* SPDX-License-Identifier: MIT */
/* Modes and algebra at an instant: see complementarity.h. */
#include "integrate/complementarity.h"

#include "integrate/guards.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of MOST_PASSES + PASSES_PER_MODE a guard at most, the first FREE_PASSES change every mode that
 * does not fit, the others only what choose_pivots() chooses. The counts are chosen: what converges
 * needs fewer. */
enum { MOST_PASSES = 100, FREE_PASSES = 8, PASSES_PER_MODE = 10 };
/* of its peak: a guard this small is zero */
static const double ROUNDING = 1e-10;

linnet_status ln_agree_init(ln_events *ev, ln_arena *arena) {
    ln_mode_search *search = &ev->search;
    const int nguards = ev->system->nguards, n = ev->system->n;
    double **of_guards[] = {&search->before, &search->trial, &search->best, &search->stays},
           **unknowns[] = {&search->x_best, &search->x_stays};
    for (size_t k = 0; k < sizeof of_guards / sizeof *of_guards; k++)
        *of_guards[k] = LN_NEW(arena, double, nguards);
    for (size_t k = 0; k < sizeof unknowns / sizeof *unknowns; k++)
        *unknowns[k] = LN_NEW(arena, double, n);
    search->away = search->dead_end = -1;
    search->unfit = LN_NEW(arena, char, nguards);
    ev->pivots = LN_NEW(arena, char, nguards);
    return ln_arena_failed(arena) ? LINNET_MEMORY : LINNET_OK;
}

static int solve_algebra(ln_events *ev, ln_side side, const double *set, double *x) {
    return ev->algebra.solve(ev->algebra.context, side, set, x);
}

/* ---- principal pivots ---- */

/* Modes that must change whatever the rounding: those whose guard is clearly negative, by more than
 * ROUNDING of its peak and by more than what the rounding of its unknowns makes of it: the voltage
 * of a diode between two nodes that stand at 40 V is no better known than 1e-14 V, and
 * may never have been larger. */
static void find_clear_guards(ln_events *ev, const ln_moment *moment) {
    ln_events_find_guards(ev, moment, NULL, ev->guard);
    const double *noise =
        ev->algebra.noise != NULL ? ev->algebra.noise(ev->algebra.context, moment) : NULL;
    ln_system_guard_noise(ev->system, moment, NULL, ev->guard, noise, ev->noise);
    for (int k = 0; k < ev->system->nguards; k++)
        ev->search.unfit[k] |= ev->pivots[k] =
            !(ev->guard[k] >= -fmax(ROUNDING * ev->guard_peak[k], ev->noise[k]));
}

/* Of the modes that must change, which do: returns how many must. All of them where they are fewer
 * than ever before in this search; else only the first, in their fixed order. */
static int choose_pivots(ln_events *ev, const ln_moment *moment, int least) {
    const int n = ev->system->nguards;
    int count = 0, first = n;
    find_clear_guards(ev, moment);
    for (int k = n - 1; k >= 0; k--)
        if (ev->pivots[k])
            count++, first = k;
    if (count >= least && first < n)
        memset(ev->pivots + first + 1, 0, (size_t)(n - first - 1));
    return count;
}

/* Each solution with other modes is a principal pivot: of all that do not fit, and where that goes
 * round in circles of the least index. From FREE_PASSES on a mode whose guard is negative by no
 * more than rounding stays. 1: modes and algebra agree. */
static int pivot(ln_events *ev, ln_side side, const double *set, double *x, int stale,
                 int *changed) {
    const ln_moment moment = {side, x};
    const int most = MOST_PASSES + PASSES_PER_MODE * ev->system->nguards;
    int decided = 1, least = INT_MAX;
    for (int pass = 0; decided; pass++) {
        /* a frozen branch may have no solution where another one has */
        if (stale && !solve_algebra(ev, side, set, x) &&
            (ev->system->nguards == 0 ||
             !solve_algebra(ev, ln_side_with(side, LN_MODES_FREE), set, x)))
            return 0;
        if (pass == most)
            return 0;
        const char *pivots = pass < FREE_PASSES ? NULL : ev->pivots;
        const int unfit = pivots != NULL ? choose_pivots(ev, &moment, least) : least;
        decided = ln_system_decide_modes(ev->system, &moment, pivots, &ev->last_guard);
        least = unfit < least ? unfit : least;
        *changed |= stale = decided > 0;
    }
    return 1;
}

/* ---- all combinations ---- */

/* So many conditionals have all their combinations tried: 4096 solutions at most, which take 0.02 s
 * with a dozen unknowns and 0.2 s with a thousand. So many of them may have no solution: where
 * Newton's method fails everywhere its last resorts take seconds each. Both are chosen. */
enum { MOST_PAIRS = 12, MOST_UNSOLVED = 64 };

/* Modes that have two values. */
static int has_other(double mode) {
    return mode == 0 || mode == 1;
}

/* Guards whose modes are varied, into guard[MOST_PAIRS]: all, or, where these are too many, those
 * that did not fit so far; returns how many, 0 if they are too many, too. */
static int find_pairs(const ln_mode_search *search, int nguards, int all, int *guard) {
    int count = 0;
    for (int k = 0; k < nguards; k++) {
        if (!has_other(search->before[k]) || !(all || search->unfit[k]))
            continue;
        if (count == MOST_PAIRS)
            return 0;
        guard[count++] = k;
    }
    return count;
}

/* Does every mode fit at this point, up to rounding, and does search->away stand clearly? Those
 * that do not fit are noted. */
static int all_fit(ln_events *ev, const ln_moment *moment) {
    const int nguards = ev->system->nguards;
    int noise_is_known = 0, fit = 1;
    ln_system_guards(ev->system, moment, NULL, ev->guard);
    for (int k = 0; k < nguards; k++) {
        if (ev->guard[k] >= -ROUNDING * ev->guard_peak[k])
            continue;
        if (!noise_is_known)
            ln_system_guard_noise(ev->system, moment, NULL, ev->guard, NULL, ev->noise);
        noise_is_known = 1;
        if (ev->guard[k] >= -ev->noise[k])
            continue;
        ev->search.unfit[k] = 1;
        fit = 0;
    }
    const int away = ev->search.away;
    return fit && (away < 0 || ev->guard[away] > ROUNDING * ev->guard_peak[away]);
}

/* How far unknowns have moved since before the instant, each by what it is. */
static double movement(const ln_events *ev, const double *x) {
    double sum = 0;
    for (int i = 0; i < ev->system->n; i++) {
        const double size = fabs(x[i]) + fabs(ev->x_before[i]) + ev->system->abstol[i];
        const double part = (x[i] - ev->x_before[i]) / size;
        sum += part * part;
    }
    return sum;
}

/* The next larger number with as many bits [Gosper, HAKMEM 175]. */
static unsigned next_with_as_many_bits(unsigned bits) {
    const unsigned lowest = bits & (~bits + 1), ripple = bits + lowest;
    return ripple | (((bits ^ ripple) >> 2) / lowest);
}

/* Solves with the modes of these pairs changed; the least movement is kept. */
static void try_modes(ln_events *ev, ln_side side, const double *set, const int *guard,
                      unsigned bits, double *x) {
    ln_mode_search *search = &ev->search;
    const size_t nguards = (size_t)ev->system->nguards, n = (size_t)ev->system->n;
    memcpy(search->trial, search->before, nguards * sizeof(double));
    for (int i = 0; bits >> i; i++)
        if (bits >> i & 1)
            search->trial[guard[i]] = 1 - search->before[guard[i]];
    ln_system_set_modes(ev->system, search->trial);
    memcpy(x, ev->x_before, n * sizeof *x);
    if (!solve_algebra(ev, side, set, x)) {
        search->unsolved++;
        return;
    }
    if (!all_fit(ev, &(ln_moment){side, x}))
        return;
    const double moved = movement(ev, x);
    if (moved >= search->least_moved)
        return;
    search->least_moved = moved;
    memcpy(search->best, search->trial, nguards * sizeof(double));
    memcpy(search->x_best, x, n * sizeof *x);
}

/* All combinations of these pairs, until some with as few changes hold. 1: x is its solution. */
static int enumerate(ln_events *ev, ln_side side, const double *set, const int *guard, int count,
                     double *x) {
    ln_mode_search *search = &ev->search;
    search->least_moved = INFINITY;
    for (int changes = 0; changes <= count && isinf(search->least_moved); changes++) {
        unsigned bits = (1U << changes) - 1;
        do {
            if (search->unsolved == MOST_UNSOLVED)
                return 0;
            try_modes(ev, side, set, guard, bits, x);
            bits = bits > 0 ? next_with_as_many_bits(bits) : UINT_MAX;
        } while (bits < 1U << count);
    }
    if (isinf(search->least_moved))
        return 0;
    memcpy(x, search->x_best, (size_t)ev->system->n * sizeof *x);
    ln_system_set_modes(ev->system, search->best);
    return 1;
}

static int count_unfit(const ln_events *ev) {
    int count = 0;
    for (int k = 0; k < ev->system->nguards; k++)
        count += ev->search.unfit[k];
    return count;
}

/* The last resort. Where several combinations of modes hold (no P-matrix), that with the fewest
 * modes other than before the instant is taken, of equals the one that moves unknowns least: what
 * is stored is kept by all of them, and a branch that still holds is not left. *tried: how many
 * conditionals had all their combinations tried; 0: there are more. */
static int search_modes(ln_events *ev, ln_side side, const double *set, double *x, int *tried) {
    int guard[MOST_PAIRS], unfit;
    const int nguards = ev->system->nguards;
    ev->search.unsolved = 0;
    *tried = find_pairs(&ev->search, nguards, 1, guard);
    if (*tried > 0 && enumerate(ev, side, set, guard, *tried, x))
        return 1;
    *tried = ev->search.unsolved < MOST_UNSOLVED ? *tried : 0;
    if (*tried > 0)
        return 0;
    do {
        unfit = count_unfit(ev);
        const int count = find_pairs(&ev->search, nguards, 0, guard);
        if (count > 0 && enumerate(ev, side, set, guard, count, x))
            return 1;
    } while (count_unfit(ev) > unfit && ev->search.unsolved < MOST_UNSOLVED);
    return 0;
}

/* ---- folds ---- */

/* As often as this a guard has been crossed, at times as near to each other as their resolution
 * allows, before its branch is looked at. Chosen: noise turns a guard twice. */
enum { FOLD = 4 };

/* The guard whose branch may end here: it is crossed again and again, for both modes hold up to
 * rounding and neither leads on, as where the solution turns back (a fold: Schmitt's trigger). -1:
 * none. Of a P-matrix one of them leads on. */
static int find_fold(const ln_events *ev) {
    for (int k = 0; k < ev->system->nguards; k++)
        if (ev->crossings[k] == FOLD && ev->crossed[k])
            return k;
    return -1;
}

/* Where other combinations of modes hold, with that guard well away from zero, x jumps there. */
static void leave_fold(ln_events *ev, ln_side side, const double *set, double *x, int guard) {
    ln_mode_search *search = &ev->search;
    const size_t bytes = (size_t)ev->system->n * sizeof *x;
    int tried;
    memcpy(search->x_stays, x, bytes);
    ln_system_modes(ev->system, search->stays);
    search->away = guard;
    search->dead_end = -1;
    if (!search_modes(ev, side, set, x, &tried)) {
        ln_system_set_modes(ev->system, search->stays);
        memcpy(x, search->x_stays, bytes);
        search->dead_end = tried > 0 ? guard : -1;
        search->tried = tried;
    }
    search->away = -1;
}

/* ---- all ---- */

static linnet_status report_no_branch(ln_events *ev, ln_side side, int tried) {
    const ln_instance *instance = ln_guard_owner(ev->system, ev->last_guard);
    char all[80] = "";
    if (tried > 0)
        snprintf(all, sizeof all, ", and none of the %d combinations of branches holds",
                 1 << tried);
    return ln_fail(ev->report, LINNET_FAILED, instance->place,
                   "%s (%s): no branch of its conditions holds at t = %.9g s: each leads to the "
                   "other%s; add a hysteresis, or a state to the loop it is in",
                   instance->name, instance->block.type->name, side.t, all);
}

linnet_status ln_agree_modes(ln_events *ev, ln_side side, const double *set, double *x, int stale,
                             int *changed) {
    ln_mode_search *search = &ev->search;
    const size_t nguards = (size_t)ev->system->nguards;
    int tried = 0;
    search->unsolved = nguards == 0;
    memset(search->unfit, 0, nguards);
    ln_system_modes(ev->system, search->before);
    if (pivot(ev, side, set, x, stale, changed)) {
        const int fold = *changed ? find_fold(ev) : -1;
        if (fold >= 0)
            leave_fold(ev, side, set, x, fold);
        return LINNET_OK;
    }
    *changed = 1;
    if (nguards > 0 && search_modes(ev, side, set, x, &tried))
        return LINNET_OK;
    ln_system_set_modes(ev->system, search->before);
    if (search->unsolved > 0 && !solve_algebra(ev, ln_side_with(side, LN_MODES_FREE), set, x))
        return ev->algebra.report(ev->algebra.context);
    return report_no_branch(ev, side, tried);
}
