/* SPDX-License-Identifier: MIT */
/* Private to integrate: a run, as its driver (drive.c) shares it with single steps (advance.c,
 * fixed_step.c) and with what happens at breakpoints and events (instant.c). */
#ifndef LN_INTEGRATE_DRIVE_H
#define LN_INTEGRATE_DRIVE_H

#include "integrate/root_finder.h"
#include "integrate/grid.h"
#include "integrate/progress.h"
#include "integrate/stepper.h"

/* The point a step begins at, to take it anew; and a third one beside its ends, the one before or
 * one within. */
typedef struct ln_step_start {
    double t, last_h, *x, *q, *f;
    double t_third, *x_third; /* NAN: there is none */
    int damp, inconsistent;
    long steps, rejected;
    double smallest, largest; /* of the statistics */
} ln_step_start;

typedef struct ln_drive {
    ln_run run;
    ln_consistent solver;
    ln_grid grid;
    const ln_stepper_class *stepper;
    void *state;      /* of the stepper */
    double *between;  /* n: x at a wanted time within a step */
    double last_h;    /* adaptive: the last step, 0 after a discontinuity */
    double next_stop; /* the present step leads to it at most */
    double
        undivided_h;  /* adaptive: the last step as it was taken first, across what happens in it */
    ln_cause most_by; /* adaptive: the limit that sets run->bound.longest */
    long outputs;     /* adaptive: points of the interval told */
    int at_steps;     /* nothing is located within steps; what happens acts at their ends */
    int unknowns_known; /* by states: x is that of the point */
    ln_progress progress;
    ln_events events;
    ln_root_finder finder;
    ln_step_start departure;
    /* the longest step after which delays still know their inputs; INFINITY: any */
    double delay_step_bound;
    double *f_left;    /* n: f left of an instant */
    double *moved;     /* n: a point with what is stored moved by a constraint */
    double *noise;     /* n: what rounding makes of the unknowns, where a guard may be that alone */
    int above;         /* the index is above 1 where the algebra was solved last */
    int inconsistent;  /* adaptive: only what is stored is known of the point a step begins at */
    int turns;         /* at an instant: nothing jumps, but slopes that x follows from */
    int leapt;         /* the last advance was a leap, within which nothing can be interpolated */
    double step_begin; /* adaptive: where the last step began */
    int recording_redo;   /* a way that is taken anew tells what lies within its steps */
    int changed_in_pause; /* something was set while the run stood still: it jumps here */
} ln_drive;

static inline int ln_is_hybrid(const ln_drive *d) {
    return d->run.system->nhybrid > 0;
}

/* ---- advance.c ---- */
/* Tells a point as it is seen from a side. */
linnet_status ln_drive_output(const ln_drive *drive, ln_side side, const double *x);
/* x at the point, which a method of states computes when it is asked for. */
linnet_status ln_drive_compute_unknowns(ln_drive *drive);
/* The same, with modes that follow where frozen ones have no value (ln_run_follow): a step has led
 * behind a crossing. */
linnet_status ln_drive_compute_across(ln_drive *drive);
/* The right side of t, up to the next stop. */
ln_side ln_drive_side_after(ln_drive *drive, double t);
/* Adaptive: one step of the method, or a leap where none can be taken. */
linnet_status ln_drive_advance(ln_drive *drive, ln_side stop);
/* Adaptive: a step from `from` has been taken. LINNET_FAILED where none brings the run on. */
linnet_status ln_drive_note_progress(ln_drive *drive, ln_progress *progress, double from);
/* *x becomes drive->between, x at t within the last step, by the method; NULL where nobody can tell
 * (context: the drive). */
linnet_status ln_drive_between(void *context, double t, const double **x);
/* Adaptive: tells what lies within the step just taken and the points of the output interval there,
 * its end excepted. *wanted (may be NULL): the end is to be told, because there is no interval or
 * it is a point of it. */
linnet_status ln_drive_output_within(ln_drive *drive, int *wanted);

/* ---- fixed_step.c ---- */
/* From run->side to `target`: one step, or shorter ones while Newton fails; they grow again as they
 * succeed. Reported. */
linnet_status ln_walk(ln_drive *drive, double target);

/* ---- instant.c ---- */
/* Arrays of what follows. LINNET_MEMORY is reported. */
linnet_status ln_instants_init(ln_drive *drive);
/* The start, consistent and with memories at their start values: modes are decided, ticks at the
 * start act, and it is told. */
linnet_status ln_instants_begin(ln_drive *drive, int *ended);
/* Before a step, and after it: where the step led across an event, the run is taken back to it and
 * *crossed is 1. */
void ln_instants_save_start(ln_drive *drive);
linnet_status ln_instants_find_root(ln_drive *drive, int *crossed);
/* Do sources or nonlinear parts jump here when their conditions on time are decided anew? Uses the
 * arrays of a step: w, s, f1, q1. (jumps.c) */
linnet_status ln_drive_jumps(ln_drive *drive, ln_side side, int *jumps);
/* Differences of rows that are no jump where events act at the ends of steps, in generated code,
 * too: what moves its row as little as a millionth of the absolute tolerances of its unknowns.
 * Elsewhere, and of rows that nothing linear enters, zero. least: n. (jumps.c) */
void ln_drive_least_jumps(const ln_drive *drive, double *least);
/* The run has come to a breakpoint (side: right of it) or a crossing; what is left of it has not
 * been told, and is told here unless only ticks of a clock have acted; then what is right of it,
 * where it differs. quiet: an instant of ticks alone is not told. *ended: an event has asked the
 * run to end. Reported. */
linnet_status ln_instant(ln_drive *drive, ln_side side, int is_breakpoint, int quiet, int *ended);

#endif
