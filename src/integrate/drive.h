/* SPDX-License-Identifier: MIT */
/* Private to integrate: a run, as its driver (drive.c) shares it with single steps (advance.c,
 * fixed_step.c) and with what happens at breakpoints and events (instant.c). */
#ifndef LN_INTEGRATE_DRIVE_H
#define LN_INTEGRATE_DRIVE_H

#include "integrate/root_finder.h"
#include "integrate/branch.h"
#include "integrate/grid.h"
#include "integrate/progress.h"
#include "integrate/saltation.h"
#include "integrate/stepper.h"

/* The point a step begins at, to take it anew; and a third one beside its ends, the one before or
 * one within. */
typedef struct ln_step_start {
    double t, previous_h, *x, *q, *f;
    double t_third, *x_third; /* NAN: there is none */
    int damp, inconsistent;
    long steps, rejected;
    double smallest, largest; /* of the statistics */
} ln_step_start;

/* Work and state of the look at guards that bend by themselves (turns.c). */
typedef struct ln_turns {
    int any;           /* 0: no guard does, and no array is here */
    double *x, *x_end; /* n: the unknowns at the ends of a part of a step */
    double *turn;      /* nguards: how far each turns in it */
    double longest;    /* s: of a step, after one over which not all showed; INFINITY: any */
} ln_turns;

/* Work of a comparison of the equations right of an instant with those left of it (jumps.c). */
typedef struct ln_equations_left {
    double *memory, *df, *dq;
} ln_equations_left;

typedef struct ln_drive {
    ln_run run;
    ln_consistency_solver consistency;
    ln_grid grid;
    const ln_stepper_class *stepper;
    void *stepper_data;           /* private memory of the method (SUNDIALS: step_mem) */
    double *between;              /* n: x at a wanted time within a step */
    ln_between equations_between; /* what they say there */
    ln_branch branch;
    /* adaptive, s: length of the last step; after a step that was taken back, of the one before it;
     * 0 after a discontinuity */
    double previous_h;
    double next_stop; /* the present step leads to it at most */
    /* adaptive, s: length of the last step as the method took it; an event may have cut it since */
    double uncut_h;
    ln_cause longest_by; /* adaptive: the limit that sets run->bound.longest */
    long outputs;        /* adaptive: points of the interval that the watcher has been given */
    int events_at_steps; /* no event is located within a step; events act at the ends of steps */
    int unknowns_known; /* explicit methods, whose steps know states alone: run->x has been computed
                         * from the states at run->side */
    ln_progress progress;
    ln_events events;
    ln_root_finder finder;
    ln_turns turns;
    ln_saltation saltation;
    ln_step_start step_start;
    /* s: the longest step over which the samples of delays tell their inputs well, or to which a
     * step whose forecast was off is shortened; 0: not known yet, INFINITY: any */
    double interpolation_bound;
    double *f_left; /* n: f left of an instant */
    double *work;   /* n: work; each function that fills it says with what */
    char *stored;   /* n: work; is the unknown stored? */
    double *places; /* of junctions where a fixed step began (ln_system_save_places) */
    double *noise;  /* n: what rounding makes of the unknowns, where a guard may be that alone */
    ln_equations_left left;
    int index_above_1; /* the algebra, solved last with what is stored kept, was singular */
    int inconsistent;  /* adaptive: only what is stored is known of the point a step begins at */
    int projected;     /* adaptive: the algebra of this instant was solved last by project() */
    int slopes_jump;   /* at an instant: no row jumps, but a derivative that x follows from does */
    int leapt;         /* the last advance was a leap, within which nothing can be interpolated */
    double step_begin; /* s: where the last step, or the last part of a fixed one, began */
    /* the last step is taken once more, to pass what lies within it to the watcher and to delays */
    int replays_to_record;
    int changed_in_pause; /* the user set something while the run was paused: it jumps here */
} ln_drive;

static inline int ln_is_hybrid(const ln_drive *d) {
    return d->run.system->nhybrid > 0;
}

/* ---- advance.c ---- */
/* Passes x (n values) where the last step ended, as it is seen from a side, to the watcher: fluxes
 * that no unknown has add up there (between.h). */
linnet_status ln_drive_output(ln_drive *drive, ln_side side, const double *x);
/* x at the point, which a method of states computes when it is asked for. */
linnet_status ln_drive_compute_unknowns(ln_drive *drive);
/* The same, with free modes where frozen ones have no value (ln_run_follow): a step has led
 * past a crossing. */
linnet_status ln_drive_compute_across(ln_drive *drive);
/* The right side of t, up to the next stop. */
ln_side ln_drive_side_after(ln_drive *drive, double t);
/* Adaptive: one step of the method, or a leap where none can be taken. */
linnet_status ln_drive_advance(ln_drive *drive, ln_side stop);
/* Adaptive: a step from `from` has been taken. LINNET_FAILED where none brings the run on. */
linnet_status ln_drive_note_progress(ln_drive *drive, ln_progress *progress, double from);
/* *x becomes drive->between, x at t within the last step, by the method; NULL where nobody can tell
 * (context: the drive). */
linnet_status ln_drive_interpolate(void *context, double t, const double **x);
/* The same for those who see it: where the method's polynomial does not hold, by the equations. */
linnet_status ln_drive_between(void *context, double t, const double **x);
/* Adaptive: tells what lies within the step just taken and the points of the output interval there,
 * its end excepted. *wanted (may be NULL): the end is to be told, because there is no interval or
 * it is a point of it. */
linnet_status ln_drive_output_within(ln_drive *drive, int *wanted);

/* ---- delayed.c ---- */
/* Adaptive, ahead: the longest step of at most `most` over which the method's polynomial follows
 * what delays will give back. */
double ln_drive_lookahead_bound(const ln_drive *drive, double most);
/* A step longer than a delay foresees at its end what the delay gives. *off: its own points say
 * otherwise, beyond the tolerance. */
linnet_status ln_drive_forecast_is_off(ln_drive *drive, int *off);
/* Samples of the step just taken, for delays, and how long the next may be. *crossed becomes 1
 * where a rate is known for the first time: the end of that step is an instant, at which conditions
 * on rates are decided. */
linnet_status ln_drive_record_for_delays(ln_drive *drive, int *crossed);
/* The same of a part of a step that is taken again in several, all but the last. */
linnet_status ln_drive_record_part(ln_drive *drive);

/* ---- step_length.c ---- */
/* A step towards `target`, which may end before it: adaptive, one that passes nothing that none may
 * pass, or a leap. */
linnet_status ln_drive_step(ln_drive *drive, double target);

/* ---- turns.c ---- */
/* LINNET_MEMORY is not reported. */
linnet_status ln_drive_turns_init(ln_drive *drive);
/* Adaptive, ahead, where any guard may turn: the longest step of at most `most` over which all show
 * with x as it is. Before the search for crossings the next must be asked. */
double ln_drive_longest_seen(ln_drive *drive, double most);
/* The same of the step just taken, with x as it was within it. */
linnet_status ln_drive_guards_show(ln_drive *drive, int *show);

/* ---- fixed_step.c ---- */
/* From run->side to `target`: one step, or shorter ones while Newton fails; they grow again as they
 * succeed. Reported. */
linnet_status ln_drive_fixed_step(ln_drive *drive, double target);

/* ---- instant_algebra.c ---- */
/* Which unknowns are stored at this point, into drive->stored. The pattern of dq/dx has entries for
 * every junction; where it has no capacitance they are zero and do not count. */
const char *ln_instant_find_stored(ln_drive *drive);
/* How events solve the algebra on the drive's run. */
ln_algebra_solver ln_instant_algebra(ln_drive *drive);
/* Adaptive, right of an instant whose algebra was projected: what is stored relaxes through leaks
 * (system/leaks.h). The current that is left of a coil at blocked junctions is known to a
 * tolerance, and what it makes of 1 TOhm, kilovolts, is gone before any step can be taken. So
 * run->x becomes the point where it is gone, unless that changes a mode, or what is stored by more
 * than a step may err. */
void ln_instant_relax(ln_drive *drive, ln_side side);

/* ---- instant.c ---- */
/* Arrays of what follows. LINNET_MEMORY is reported. */
linnet_status ln_instants_init(ln_drive *drive);
/* The start, consistent and with memories at their start values: modes are decided, ticks at the
 * start act, and it is told. */
linnet_status ln_instants_begin(ln_drive *drive, int *ended);
/* Before a step: keeps the point it begins at. */
void ln_instants_save_start(ln_drive *drive);
/* The run stands again at the kept point; the stepper is to be restarted. */
void ln_instants_go_back(ln_drive *drive);
/* After a step: where it led across an event, the run is taken back to the first such event and
 * *crossed is 1. */
linnet_status ln_instants_find_root(ln_drive *drive, int *crossed);
/* Do sources or nonlinear parts jump here when their conditions on time are decided anew? Uses the
 * arrays of a step: w, s, f1, q1. (jumps.c) */
linnet_status ln_drive_jumps(ln_drive *drive, ln_side side, int *jumps);
/* Does f jump between f_left and run->f? Adaptive steps begin anew even at a difference by
 * rounding. Fixed ones do so beyond noise only: in a network whose switches have opened, rounding
 * of the currents that were there may be all of the difference. Uses work and noise. (jumps.c) */
int ln_drive_f_jumps(ln_drive *drive);
/* Arrays of what follows. LINNET_MEMORY is reported. (jumps.c) */
linnet_status ln_drive_jumps_init(ln_drive *drive);
/* 1 where nothing has changed across an instant whose events have begun: the equations at x have
 * the same values and slopes on both sides, no derivative that x follows from jumps (slopes_jump),
 * and x has not moved. Then x meets them and stays. A threshold that only ends a hysteresis is such
 * an instant. Uses the same arrays, f_left and work. (jumps.c) */
int ln_drive_equations_stay(ln_drive *drive, ln_side side, const double *x);
/* The run has come to a breakpoint (side: right of it) or a crossing. The point on the left side
 * has not been passed to the watcher yet: it is passed here, unless only ticks of a clock have
 * acted; then the point on the right side is, where it differs. quiet: nobody asked for this time;
 * an instant at which nothing happens is not passed on then, and one of ticks alone is not either.
 * *ended: an event has asked the run to end. Failures are reported. */
linnet_status ln_instant(ln_drive *drive, ln_side side, int is_breakpoint, int quiet, int *ended);

#endif
