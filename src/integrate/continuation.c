/* SPDX-License-Identifier: MIT */
/* A problem solved from one with an easier parameter, step by step: a homotopy with steps that
 * grow and shrink, and pseudo-time, whose strength falls as its steps succeed. */
#include "integrate/continuation.h"

#include <math.h>
#include <string.h>

/* Steps of a homotopy: the first, the shortest, and by how much they grow and shrink. A ladder of
 * twelve decades of conductance is taken in ten steps or so where nothing fails; 1e-5 of it is a
 * change of 0.03 % of the conductance, and of 1e-5 of a source: what does not go on there turns
 * back. */
static const double FIRST = 0.1, SHORTEST = 1e-5, LONGER = 1.5, SHORTER = 0.25;
/* Near a solution, where blocks limit their own steps, damping costs more than it saves: it is
 * tried on steps shorter than this, and at the beginning. In a chain of 10 000 inverters, whose
 * gains multiply, each damped trial of a longer step took a hundred iterations and led nowhere. */
static const double DAMPED_BELOW = 1e-4;

int ln_continue(ln_continuation *way, void (*set)(void *problem, double position), double *x) {
    const size_t bytes = (size_t)way->n * sizeof *x;
    double step = FIRST;
    way->reached = -1;
    memset(way->good, 0, bytes);
    while (way->reached < 1 && step > SHORTEST) {
        const int begins = way->reached < 0;
        const double next = begins ? 0 : fmin(1, way->reached + step);
        set(way->problem, next);
        memcpy(x, way->good, bytes);
        int done = way->solve(way->problem, x, 0);
        if (!done && (begins || step < DAMPED_BELOW)) {
            memcpy(x, way->good, bytes);
            done = way->solve(way->problem, x, 1);
        }
        if (!done && begins)
            break;
        if (done) {
            memcpy(way->good, x, bytes);
            way->reached = next;
        }
        step *= done ? LONGER : SHORTER;
    }
    set(way->problem, 1);
    return way->reached >= 1;
}

/* Pseudo-time: what a step's success and failure make of the strength, and how many steps are
 * worth taking: some 30 lead down 13 decades, a failure costs two steps and itself. */
static const double WEAKER = 0.4, STRONGER = 6;
enum { STEPS = 400 };

int ln_continue_in_time(ln_continuation *way, const ln_pseudo_time *time, double *x) {
    const size_t bytes = (size_t)way->n * sizeof *x;
    double strength = 1;
    int done = 0;
    for (int k = 0; k < STEPS && !done && strength > time->weakest && strength < time->strongest;
         k++) {
        time->set(way->problem, strength);
        memcpy(x, way->good, bytes);
        if (!way->solve(way->problem, x, time->damped)) {
            strength *= STRONGER;
            continue;
        }
        memcpy(way->good, x, bytes);
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
