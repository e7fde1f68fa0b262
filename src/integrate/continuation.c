/* SPDX-License-Identifier: MIT */
/* A problem solved from one with an easier parameter, step by step: a homotopy with steps that
 * grow and shrink, and pseudo-time, whose steps grow as they succeed. */
#include "integrate/continuation.h"

#include <math.h>
#include <string.h>

/* Steps of a homotopy: the first, the shortest, and by how much they grow and shrink. Gmin
 * stepping over twelve decades of conductance is taken in seven steps or so where nothing fails;
 * 1e-5 of it is a change of 0.03 % of the conductance, and of 1e-5 of a source: what does not go on
 * there turns back. Growth itself grows by LONGER from one success to the next: a chain of
 * amplifiers asks for short steps only where its gain passes 1, and a thousand times longer ones
 * serve behind. */
static const double FIRST = 0.1, SHORTEST = 1e-5, LONGER = 1.5, SHORTER = 0.25;
/* Near a solution, where blocks limit their own steps, damping costs more than it saves: it is
 * tried on steps shorter than this, and at the beginning. In a chain of 10 000 inverters, whose
 * gains multiply, each damped trial of a longer step took a hundred iterations and led nowhere. */
static const double DAMPED_BELOW = 1e-4;
/* Steps that are worth taking. All examples and decks take 32 at most, failures included; a path
 * that creeps (u = 2 s + sqrt(abs(u)), whose slope at 0 is infinite) took 10 000 before it failed.
 */
enum { STEPS = 400 };

/* Where the last two points of the path, `apart` (0: there is but one), lead at `ahead` behind the
 * last one. */
static void guess(const ln_continuation *path, double apart, double ahead, double *x) {
    const double ratio = apart > 0 ? ahead / apart : 0;
    memcpy(x, path->solved, (size_t)path->n * sizeof *x);
    for (int i = 0; ratio > 0 && i < path->n; i++)
        x[i] += ratio * (path->solved[i] - path->solved_before[i]);
}

/* The problem at hand, whose guess is in x; damped from the last point where that is worth it. */
static int solve_one(const ln_continuation *path, int tries_damped, double *x) {
    if (path->solve(path->problem, x, 0))
        return 1;
    if (!tries_damped)
        return 0;
    memcpy(x, path->solved, (size_t)path->n * sizeof *x);
    return path->solve(path->problem, x, 1);
}

/* x is the next point of the path. */
static void keep(ln_continuation *path, double position, const double *x) {
    const size_t bytes = (size_t)path->n * sizeof *x;
    memcpy(path->solved_before, path->solved, bytes);
    memcpy(path->solved, x, bytes);
    path->reached = position;
}

int ln_continue(ln_continuation *path, void (*set_position)(void *problem, double position),
                double *x) {
    double step = FIRST, growth = LONGER, apart = 0;
    path->reached = -1;
    memset(path->solved, 0, (size_t)path->n * sizeof *x);
    for (int k = 0; k < STEPS && path->reached < 1 && step > SHORTEST; k++) {
        const int begins = path->reached < 0;
        const double next = begins ? 0 : fmin(1, path->reached + step);
        set_position(path->problem, next);
        guess(path, apart, next - path->reached, x);
        if (solve_one(path, begins || step < DAMPED_BELOW, x)) {
            apart = begins ? 0 : next - path->reached;
            keep(path, next, x);
            step *= growth;
            growth *= LONGER;
        } else if (begins) {
            break;
        } else {
            step *= SHORTER;
            growth = LONGER;
        }
    }
    set_position(path->problem, 1);
    return path->reached >= 1;
}

/* Pseudo-time: what a step's success and failure make of the inverse step. Some 30 steps lead down
 * 13 decades, a failure costs two steps and itself. */
static const double SMALLER = 0.4, LARGER = 6;

int ln_continue_in_time(ln_continuation *path, const ln_pseudo_time *time, double *x) {
    const size_t bytes = (size_t)path->n * sizeof *x;
    double inverse_step = 1;
    int done = 0;
    for (int k = 0;
         k < STEPS && !done && inverse_step > time->smallest && inverse_step < time->largest; k++) {
        time->set_inverse_step(path->problem, inverse_step);
        memcpy(x, path->solved, bytes);
        if (!path->solve(path->problem, x, time->damped)) {
            inverse_step *= LARGER;
            continue;
        }
        memcpy(path->solved, x, bytes);
        if (time->accepted != NULL)
            time->accepted(path->problem, x);
        inverse_step *= SMALLER;
        if (inverse_step > time->try_below)
            continue;
        time->set_inverse_step(path->problem, 0);
        done = path->solve(path->problem, x, 1);
    }
    time->set_inverse_step(path->problem, 0);
    path->reached = done || inverse_step <= time->smallest;
    return done;
}
