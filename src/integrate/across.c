/* SPDX-License-Identifier: MIT */
/* See the header. */
#include "integrate/across.h"

#include "system/commutation.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The step across, as a part of the one that was tried, as radau5's (radau5_commutation.c): at
 * most, at least, and of the length at which its error, proportional to it at a kink, is just
 * allowed. One that is still too long shrinks to SHRINK of it at most. */
static const double ACROSS = 1e-2, LEAST_ACROSS = 1e-6, SAFE = 0.9, SHRINK = 0.1;
/* Where a step to a commutation turns out to lead over it, one of this part goes nearer, from where
 * the tangents are right. */
static const double NEARER = 0.9;
/* Behind a commutation an error test without a past sees nothing, and where the tangents were off
 * that is still to come: when they tell of one at less than this part of the way they had told,
 * they lead to it; where a diode's current fades away that is always as far ahead. */
static const double NEARS = 0.5;
/* Shorter than so many roundings of t no step is made to be: its equations are next to singular. */
static const double ROUNDINGS_ACROSS = 1e5;
/* A junction that blocks carries something from this part of what flows beside it on. */
static const double CARRIES = 1e-7;
/* From one point on so many steps are taken to commutations. Chosen: the second lies where the
 * tangents of the first were off. */
enum { MOST_LOOKS = 5 };

linnet_status ln_across_init(ln_across *across, const ln_run *run) {
    *across = (ln_across){0};
    ln_across_restart(across);
    if (!run->system->has_junctions)
        return LINNET_OK;
    across->work = LN_NEW(run->arena, double, 8 * (size_t)run->n);
    return across->work == NULL ? LINNET_MEMORY : LINNET_OK;
}

void ln_across_restart(ln_across *across) {
    across->state = LN_NOT_ACROSS;
    across->start = across->at = NAN;
    across->may = -1;
}

int ln_across_may(ln_across *across, const ln_run *run) {
    if (across->may < 0)
        across->may = run->system->has_junctions &&
                      ln_system_may_commutate(run->system, run->errors.in_error_test);
    return across->may;
}

/* Is what unknown i errs by nothing that is stored? Of a floating part, what its members have in
 * common: the error of the one that errs least. */
static int is_of_read(const ln_run *run, int i) {
    const int floats = run->system->nparts > 0 && run->system->common_unknown[i] >= 0;
    return floats
               ? ln_error_is_common(run, i)
               : !run->errors.in_error_test[i] && ln_network_is_physical(run->system->network, i);
}

/* Is a potential or flux that is not stored off by more than a user may expect? */
static int is_off(ln_run *run, const double *e) {
    ln_error_find_least(run, e);
    for (int i = 0; i < run->n; i++) {
        if (!is_of_read(run, i))
            continue;
        const double size = fmax(run->errors.peak[i], fmax(fabs(run->x[i]), fabs(run->x1[i])));
        if (fabs(e[i]) > LN_EXPECTED * run->settings->tolerance * ln_error_unit(run, i, size))
            return 1;
    }
    return 0;
}

/* Where x goes in steps of backward Euler by the tangents at the start; moved: at the nodes. */
static int follow_tangents(ln_run *run, double h, ln_side side, const double *node, double *work,
                           double *const *moved) {
    const size_t n = (size_t)run->n;
    double *rate = work, *q = work + n, *f = q + n, *allowed = f + n;
    memset(rate, 0, n * sizeof *rate);
    for (size_t i = 0; i < n; i++)
        allowed[i] = INFINITY;
    for (int k = 0; k < LN_WAY_NODES; k++) {
        const ln_side end = ln_side_at(side, run->side.t + node[k] * h);
        const ln_point_check at = {1 / (node[k] * h), end, rate, run->x, q, f};
        run->rests = 0;
        if (!isfinite(ln_run_defect_norm(run, &at, NULL, allowed, moved[k])))
            return 0;
        for (size_t i = 0; i < n; i++)
            moved[k][i] = -moved[k][i];
    }
    return 1;
}

/* The part of a step of h at which the first junction commutates, by the tangents; 1: none does. */
static double find_first(ln_across *across, ln_run *run, double h, ln_side side) {
    static const double node[LN_WAY_NODES] = {0.2, 0.6, 1};
    const size_t n = (size_t)run->n;
    double *sizes = across->work, *const moved[] = {sizes + 5 * n, sizes + 6 * n, sizes + 7 * n};
    if (!follow_tangents(run, h, side, node, across->work + n, moved))
        return 1;
    ln_matrix_apply(&run->system->A, run->x, sizes);
    for (size_t i = 0; i < n; i++)
        sizes[i] = fabs(sizes[i]);
    return ln_system_first_commutation(
        &(ln_way){run->system, run->x, node, moved, run->errors.in_error_test, sizes, CARRIES});
}

/* Shorter than this no step is made to be. */
static double shortest(const ln_run *run) {
    return ROUNDINGS_ACROSS * DBL_EPSILON * fabs(run->side.t);
}

/* The step at hand is to lead over the commutation by so much, from half of that before it on; the
 * length to try. */
static double aim(ln_across *across, const ln_run *run, double length) {
    const double left = across->at - run->side.t;
    across->h = length;
    across->state = left <= length ? LN_IS_ACROSS : LN_LEADS_TO;
    return across->state == LN_IS_ACROSS ? left + length / 2 : left - length / 2;
}

/* A step across that errs too much. */
static double shorten_across(ln_across *across, const ln_run *run, double h, double error) {
    const double length = fmax(SHRINK, SAFE / error) * fmin(h, across->h);
    return length > shortest(run) ? aim(across, run, length) : 0;
}

/* A step leads over something that the tangents do not show. */
static double pass_near(ln_across *across, const ln_run *run, double h) {
    if (across->found)
        return NEARER * h;
    if (!(fabs(across->at - run->side.t) <= 10 * h))
        return 0;
    across->at = run->side.t;
    across->h = across->before_h = h;
    across->state = LN_IS_ACROSS;
    return h;
}

static int may_look(ln_across *across, const ln_run *run) {
    if (!(across->start <= run->side.t && across->start >= run->side.t)) {
        across->looks = across->found = 0;
        across->start = run->side.t;
    }
    return ++across->looks <= MOST_LOOKS;
}

/* Is a commutation at the part `first` of the step that begins behind one another, or what that was
 * taken for? shows: the step's error tells of it. */
static int is_to_come(const ln_across *across, double first, double h, int shows) {
    return first < 1 && (shows || first * h < NEARS * across->way);
}

double ln_across_shorten(ln_across *across, ln_run *run, double h, ln_side side, const double *e,
                         double error) {
    if (!ln_across_may(across, run))
        return 0;
    if (across->state == LN_IS_ACROSS)
        return error > 1 ? shorten_across(across, run, h, error) : 0;
    const int off = is_off(run, e), behind = across->state == LN_IS_BEHIND;
    if (!(error > 1 || off || behind))
        return 0;
    const double length = fmax(LEAST_ACROSS, fmin(ACROSS, SAFE / error)) * h;
    if (length <= shortest(run) || !may_look(across, run)) {
        across->state = behind ? LN_IS_BEHIND : LN_NOT_ACROSS;
        return 0;
    }
    const ln_newton_outcome outcome = run->outcome;
    const double first = find_first(across, run, h, side);
    run->outcome = outcome;
    if (behind && !is_to_come(across, first, h, error > 1 || off))
        return 0;
    across->state = LN_NOT_ACROSS;
    if (first >= 1)
        return off ? pass_near(across, run, h) : 0;
    across->found = 1;
    across->before_h = h;
    across->way = first * h;
    across->at = run->side.t + across->way;
    return aim(across, run, length);
}

void ln_across_note_step(ln_across *across, double *h) {
    switch (across->state) {
    case LN_LEADS_TO:
        *h = fmin(*h, across->h);
        across->state = LN_IS_ACROSS;
        break;
    case LN_IS_ACROSS:
        *h = fmax(*h, across->before_h);
        across->state = LN_IS_BEHIND;
        break;
    case LN_IS_BEHIND:
    default: across->state = LN_NOT_ACROSS; break;
    }
}
