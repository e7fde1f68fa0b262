/* SPDX-License-Identifier: MIT */
/* A problem solved from one with an easier parameter, step by step: a homotopy with steps that
 * grow and shrink, and pseudo-time, whose strength falls as its steps succeed. */
#include "integrate/continuation.h"

#include <math.h>
#include <string.h>

/* Steps of a homotopy: the first, the shortest, and by how much they grow and shrink. A ladder of
 * twelve decades of conductance is taken in seven steps or so where nothing fails; 1e-5 of it is a
 * change of 0.03 % of the conductance, and of 1e-5 of a source: what does not go on there turns
 * back. Growth itself grows by LONGER from one success to the next: a chain of amplifiers asks for
 * short steps only where its gain passes 1, and a thousand times longer ones serve behind. */
static const double FIRST = 0.1, SHORTEST = 1e-5, LONGER = 1.5, SHORTER = 0.25;
/* Near a solution, where blocks limit their own steps, damping costs more than it saves: it is
 * tried on steps shorter than this, and at the beginning. In a chain of 10 000 inverters, whose
 * gains multiply, each damped trial of a longer step took a hundred iterations and led nowhere. */
static const double DAMPED_BELOW = 1e-4;
/* Steps that are worth taking. All examples and decks take 32 at most, failures included; a way
 * that creeps (u = 2 s + sqrt(abs(u)), whose slope at 0 is infinite) took 10 000 before it failed.
 */
enum { STEPS = 400 };

/* Where the last two points of the way, `apart` (0: there is but one), lead at `ahead` behind the
 * last one. */
static void guess(const ln_continuation *way, double apart, double ahead, double *x) {
    const double ratio = apart > 0 ? ahead / apart : 0;
    memcpy(x, way->solved, (size_t)way->n * sizeof *x);
    for (int i = 0; ratio > 0 && i < way->n; i++)
        x[i] += ratio * (way->solved[i] - way->solved_before[i]);
}

/* The problem at hand, whose guess is in x; damped from the last point where that is worth it. */
static int solve_one(const ln_continuation *way, int tries_damped, double *x) {
    if (way->solve(way->problem, x, 0))
        return 1;
    if (!tries_damped)
        return 0;
    memcpy(x, way->solved, (size_t)way->n * sizeof *x);
    return way->solve(way->problem, x, 1);
}

/* x is the next point of the way. */
static void keep(ln_continuation *way, double position, const double *x) {
    const size_t bytes = (size_t)way->n * sizeof *x;
    memcpy(way->solved_before, way->solved, bytes);
    memcpy(way->solved, x, bytes);
    way->reached = position;
}

int ln_continue(ln_continuation *way, void (*set)(void *problem, double position), double *x) {
    double step = FIRST, growth = LONGER, apart = 0;
    way->reached = -1;
    memset(way->solved, 0, (size_t)way->n * sizeof *x);
    for (int k = 0; k < STEPS && way->reached < 1 && step > SHORTEST; k++) {
        const int begins = way->reached < 0;
        const double next = begins ? 0 : fmin(1, way->reached + step);
        set(way->problem, next);
        guess(way, apart, next - way->reached, x);
        if (solve_one(way, begins || step < DAMPED_BELOW, x)) {
            apart = begins ? 0 : next - way->reached;
            keep(way, next, x);
            step *= growth;
            growth *= LONGER;
        } else if (begins) {
            break;
        } else {
            step *= SHORTER;
            growth = LONGER;
        }
    }
    set(way->problem, 1);
    return way->reached >= 1;
}

/* Pseudo-time: what a step's success and failure make of the strength. Some 30 steps lead down 13
 * decades, a failure costs two steps and itself. */
static const double WEAKER = 0.4, STRONGER = 6;

int ln_continue_in_time(ln_continuation *way, const ln_pseudo_time *time, double *x) {
    const size_t bytes = (size_t)way->n * sizeof *x;
    double strength = 1;
    int done = 0;
    for (int k = 0; k < STEPS && !done && strength > time->weakest && strength < time->strongest;
         k++) {
        time->set(way->problem, strength);
        memcpy(x, way->solved, bytes);
        if (!way->solve(way->problem, x, time->damped)) {
            strength *= STRONGER;
            continue;
        }
        memcpy(way->solved, x, bytes);
        if (time->pass != NULL)
            time->pass(way->problem, x);
        strength *= WEAKER;
        if (strength > time->try_below)
            continue;
        time->set(way->problem, 0);
        done = way->solve(way->problem, x, 1);
    }
    time->set(way->problem, 0);
    way->reached = done || strength <= time->weakest;
    return done;
}
