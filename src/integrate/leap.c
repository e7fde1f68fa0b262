/* SPDX-License-Identifier: MIT */
/* Where the equations have no solution that goes on. Two transistors that hold each other, without
 * any charge, are bistable algebra: as the state they are in ceases to be, potentials jump. No step
 * is short enough then; what decides is how fast each link would be, of which the model says
 * nothing. They are taken to be equally slow: in pseudo-time, with what is stored held by a
 * backward Euler step that is short against everything, the links run to where they settle, and the
 * run goes on from there. Where that is near, a solution does go on, and it is Newton's method that
 * does not find it, however short the step: of an amplifier at its limit, whose slope there says
 * nothing of the loop it closes. That is a step like any other, and no jump. */
#include "integrate/leap.h"

#include "integrate/layer.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double SHORT = 1e-9; /* of the run: the first step tried */
static const double FAR = 1e-2;   /* of its size, that an unknown moves */
/* Tenfold steps tried. Between two leaps there are so many accepted steps, or such a part of the
 * run: a multivibrator's half period takes eight at 1e-3. */
enum { TRIALS = 4, STEPS_BETWEEN = 10 };
static const double APART = 1e-3;
/* What changes within a time is followed by steps of a hundredth of that. */
static const double FOLLOWED = 100;

/* By how much an unknown differs from before, in units of its size. */
static double moved(const ln_run *run, int i, double by) {
    return fabs(by) / (fmax(fabs(run->x[i]), fabs(run->x1[i])) + run->system->abstol[i] / 1e-4);
}

/* The unknown that has moved most, -1: none has moved far. Potentials are what a user knows. */
static int find_leapt(const ln_run *run) {
    const ln_network *network = run->system->network;
    double largest = FAR;
    int most = -1;
    for (int k = 0; k < network->nlinks; k++) {
        const int i = network->links[k].unknown;
        if (i < 0 || moved(run, i, run->x1[i] - run->x[i]) <= largest)
            continue;
        largest = moved(run, i, run->x1[i] - run->x[i]);
        most = i;
    }
    if (most >= 0)
        return most;
    for (int i = 0; i < run->n; i++) {
        if (moved(run, i, run->x1[i] - run->x[i]) <= largest)
            continue;
        largest = moved(run, i, run->x1[i] - run->x[i]);
        most = i;
    }
    return most;
}

/* What unknown i stores at run->x1, per unit of it: storage[] at this position; -1: nothing, or
 * what jumps along. */
static int position_of_stored(const ln_run *run, int i, const double *storage) {
    const ln_system *system = run->system;
    const int at = system->dynamic[i] ? ln_pattern_position(&system->pattern, i, i) : -1;
    return at >= 0 && fabs(storage[at]) > 0 && !ln_run_gives_derived(run, i) ? at : -1;
}

/* The unknown whose stored quantity is not where it was, or -1. Where there is one it is no leap:
 * what is stored runs away by itself, or would be discharged in no time at all. What is too little
 * to last for times that can be told apart (the capacitance that a transistor without any has) is
 * not held by that. -2: the point has no value. */
static int find_lost(ln_run *run, double h, ln_side side) {
    ln_system *system = run->system;
    double *storage = run->newton.values;
    if (ln_system_q(system, ln_side_at(side, run->side.t + h), run->x1, run->q1) != LINNET_OK)
        return -2;
    ln_system_mass_matrix(system, storage);
    int lost = -1;
    double *holds = run->guess; /* of what is lost, what it stores per unit; 0: not lost */
    for (int i = 0; i < run->n; i++) {
        const int at = position_of_stored(run, i, storage);
        const int stays = at < 0 || moved(run, i, (run->q1[i] - run->q[i]) / storage[at]) <= FAR;
        holds[i] = stays ? 0 : storage[at];
        lost = stays ? lost : i;
    }
    if (lost < 0)
        return -1;
    double *slope = run->newton.values;
    const double shortest = ln_shortest_step(run->side.t);
    ln_system_jacobian(system, 0, slope);
    for (int i = 0; i < run->n; i++)
        if (fabs(holds[i]) > 0 &&
            !(fabs(holds[i]) <=
              FOLLOWED * shortest * fabs(slope[ln_pattern_position(&system->pattern, i, i)])))
            return i;
    return -1;
}

/* Wherever the equations have a solution. */
static int from_afar(ln_run *run, ln_dc_solver *solver) {
    memcpy(run->x1, run->x, (size_t)run->n * sizeof *run->x);
    return ln_dc_solve(solver, run->x1, run->x);
}

static int solve(ln_run *run, double h, ln_side side) {
    ln_dc_solver solver;
    if (!ln_dc_begin(&solver, run, 1 / h, ln_side_at(side, run->side.t + h)))
        return 0;
    memcpy(run->x1, run->x, (size_t)run->n * sizeof *run->x);
    const int done =
        ln_system_sources(run->system, ln_side_at(side, run->side.t + h), run->s) == LINNET_OK &&
        (ln_dc_relax(&solver, run->x1, run->x) || from_afar(run, &solver));
    ln_linear_free(solver.linear);
    return done;
}

static void tell(const ln_run *run, int most) {
    char name[160];
    if (run->statistics->leaps > 1)
        return;
    ln_network_unknown_text(run->system->network, most, name);
    ln_warn(run->report, ln_network_unknown_place(run->system->network, most),
            "at t = %.9g s %s jumps from %.4g to %.4g: no solution goes on there, and nothing that "
            "is stored says how fast it "
            "moves; a small capacitance would",
            run->side.t, name, run->x[most], run->x1[most]);
}

static void note_lost(const ln_run *run, int i, char note[256]) {
    char name[160];
    ln_network_unknown_text(run->system->network, i, name);
    snprintf(note, 256,
             "a jump to another solution, in which %.100s would go from %.4g to %.4g with what it "
             "stores; give that "
             "a way through a resistance",
             name, run->x[i], run->x1[i]);
}

/* The point h later, which is in run->x1, is where the run stands. */
static int go_there(ln_run *run, double h, ln_side stop) {
    memcpy(run->x, run->x1, (size_t)run->n * sizeof *run->x);
    run->side.t += h;
    run->side.within = stop.within;
    return ln_run_restart(run, run->side) == LINNET_OK;
}

/* A step of h to a point next to this one, which is in run->x1 if it is known. */
static int go_on(ln_run *run, double h, ln_side stop, int known) {
    if (!known && !solve(run, h, stop))
        return 0;
    if (find_lost(run, h, stop) != -1)
        return 0;
    run->steps_at_near = run->statistics->steps;
    return go_there(run, h, stop);
}

/* Is one due? Not with those before it so near. */
static int is_due(const ln_run *run) {
    const ln_statistics *so_far = run->statistics;
    return !run->system->linear && run->outcome != LN_NEWTON_MEMORY &&
           (so_far->leaps == 0 || so_far->steps >= run->steps_at_leap + STEPS_BETWEEN ||
            run->side.t - run->leapt_at > APART * (run->settings->end - run->settings->begin));
}

/* The jump that run->x1 is, of unknown `most`, if what is stored stays. */
static int jump(ln_run *run, double h, ln_side stop, int most, char note[256]) {
    const int lost = find_lost(run, h, stop);
    if (lost >= 0)
        note_lost(run, lost, note);
    if (lost != -1)
        return 0;
    run->statistics->leaps++;
    run->steps_at_leap = run->statistics->steps;
    run->leapt_at = run->side.t;
    tell(run, most);
    return go_there(run, h, stop);
}

double ln_leap_shortest(const ln_run *run) {
    const double span = run->settings->end - run->settings->begin;
    return fmax(SHORT * span, 1e3 * DBL_EPSILON * fabs(run->side.t));
}

int ln_leap(ln_run *run, ln_side stop, char note[256]) {
    const long steps = run->statistics->steps;
    /* of a fixed step parts have been tried; what has just gone on and stands again may be at a
     * fold, where something jumps */
    const int goes_on = run->adaptive && steps > run->steps_at_near,
              first = steps >= run->steps_at_near + STEPS_BETWEEN;
    double near = 0;
    note[0] = '\0';
    if (!is_due(run))
        return 0;
    double h = ln_leap_shortest(run);
    for (int k = 0; k < TRIALS && run->side.t + h < stop.t; k++, h *= 10) {
        if (!solve(run, h, stop))
            continue;
        const int most = find_leapt(run);
        if (most >= 0 && jump(run, h, stop, most, note))
            return 1;
        if (most >= 0 || near > 0 || !goes_on)
            continue;
        if (first && go_on(run, h, stop, 1))
            return 1;
        near = h;
    }
    return near > 0 && go_on(run, near, stop, 0);
}
