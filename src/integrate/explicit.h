/* SPDX-License-Identifier: MIT */
/* Private to integrate: a run by an explicit method, as its steps (explicit.c) share it with what
 * happens at events (explicit_instant.c). */
#ifndef LN_INTEGRATE_EXPLICIT_H
#define LN_INTEGRATE_EXPLICIT_H

#include "integrate/root_finder.h"
#include "integrate/grid.h"
#include "integrate/progress.h"
#include "integrate/runge_kutta.h"

typedef struct ln_explicit {
    ln_ode *ode;
    const ln_network *network;
    const ln_settings *settings;
    const ln_watcher *watcher;
    ln_report *report;
    ln_statistics *statistics;
    ln_arena *arena;
    ln_grid grid;
    ln_runge_kutta rk;
    int adaptive;
    ln_side side;        /* of the stretch that led to t */
    double *x, *x_right; /* network->n: unknowns at t, left and right of a breakpoint */
    double *absolute;    /* ode->n: tolerances */
    double *k_left;      /* ode->n: rates at the left side of a breakpoint */
    /* adaptive: states within a step; points of the output interval told */
    double *z_between;
    long outputs;
    /* of the step control: the step it wants; the error of the last accepted step */
    double h, last_error;
    double step_begin;    /* adaptive: where the last step began */
    int rejected;         /* the last trial was rejected */
    ln_runge_kutta twice; /* fixed step: takes a sampled step in two halves */
    double *reach;        /* ode->n: largest |z| at the samples */
    ln_system *system;    /* hybrid: its memories and events; else NULL */
    ln_progress progress;
    ln_events events;
    ln_root_finder finder;
    double *z_from, t_from; /* hybrid, ode->n: where the step began */
    long steps_from;
    /* the last trial could not be evaluated: beyond a crossing something has no value */
    int stranded;
} ln_explicit;

/* ---- explicit.c ---- */
/* Tells a point as it is seen from a side. */
linnet_status ln_explicit_tell(ln_explicit *run, ln_side side, const double *x);
/* After LINNET_RETRY that no shorter step can heal. */
linnet_status ln_explicit_refused(const ln_explicit *run, double h);
/* Takes the step that was computed. */
void ln_explicit_take(ln_explicit *run, double t, double h);

/* ---- explicit_instant.c ---- */
/* Arrays for a hybrid system. LINNET_MEMORY is reported. */
linnet_status ln_explicit_init(ln_explicit *run);
/* The start: modes are decided, ticks at the start act, run->x are the unknowns after that. */
linnet_status ln_explicit_begin(ln_explicit *run, int *ended);
/* Before a step, and after it: where it led across an event, the run is taken back to it and
 * *crossed is 1. stranded: the step could not be evaluated at all (LINNET_RETRY) and run->side.t is
 * where it should have led. Sets run->x otherwise. */
void ln_explicit_depart(ln_explicit *run);
linnet_status ln_explicit_find_root(ln_explicit *run, double t, int stranded, int *crossed);
/* As ln_instant() in drive.h. */
linnet_status ln_explicit_instant(ln_explicit *run, ln_side side, int quiet, int *ended);

#endif
