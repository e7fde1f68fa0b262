/* SPDX-License-Identifier: MIT */
/* What an adaptive implicit method is to the driver: something that advances by one accepted step,
 * whatever it had to reject on the way, and can tell x anywhere within that step. A new method is
 * one file with one ln_stepper_class, a row in the table of methods (method.c) and a row in
 * steppers[] (drive.c). */
#ifndef LN_INTEGRATE_STEPPER_H
#define LN_INTEGRATE_STEPPER_H

#include "integrate/implicit.h"

typedef struct ln_stepper_class {
    const char *method; /* its row in the table of methods */
    size_t size;        /* bytes of its state, allocated and zeroed by the driver */
    /* Memory (of run->arena) and constants; before anything else. */
    linnet_status (*create)(ln_run *run, void *state);
    /* ln_run_count_linear() of its own solvers; may be NULL */
    void (*count)(ln_run *run, const void *state);
    void (*release)(void *state); /* what is not in an arena; may be NULL */
    /* run->side.t, x, q, f are a consistent point: the start, or right of a discontinuity. Forgets
     * all history. */
    linnet_status (*restart)(ln_run *run, void *state);
    /* One accepted step of at most run->most from run->side.t to at most stop.t (reached exactly,
     * bit by bit, when the step ends there); updates run->side.t, x, q, f and run->side. A failure
     * is reported (LINNET_FAILED). LINNET_RETRY: no step could be taken, but a leap (leap.h); the
     * point is behind it, and the driver restarts. */
    linnet_status (*advance)(ln_run *run, void *state, ln_side stop);
    /* For a method that also runs with a fixed step: one step of exactly h, committed; 1, or 0 when
     * it cannot be solved (run->outcome). NULL: adaptive only, or the driver steps itself. */
    int (*fixed)(ln_run *run, void *state, double h, ln_side side);
    /* x (n values) at t within the last accepted step, to the method's own order. No failure is
     * possible. */
    void (*interpolate)(const ln_run *run, const void *state, double t, double *x);
} ln_stepper_class;

extern const ln_stepper_class ln_stepper_backward_euler, ln_stepper_crank_nicolson,
    ln_stepper_tr_bdf2, ln_stepper_bdf2, ln_stepper_radau5, ln_stepper_ida;

/* Prepares the next; LINNET_MEMORY is not reported. */
linnet_status ln_source_step_bound_init(ln_run *run);
/* The largest step from run->side.t, at most `most`, over which no source does anything between a
 * method's stages that they would not show (`most` halved until it is so). */
double ln_source_step_bound(ln_run *run, double most, ln_side side);

/* ---- step control for one-step methods with an error estimate ---- */

typedef struct ln_control {
    double h;                  /* the step that the estimates allow; 0: to be chosen */
    int order;                 /* the error of a step is proportional to h^order */
    double last_h, last_error; /* of the last accepted step; 0: none since a restart */
    int rejected;              /* the last trial was */
    int ladder;                /* steps from a ladder of sizes, to meet kept factorisations again */
} ln_control;

/* ladder: pays where a factorisation serves as it is, on linear networks by methods whose alpha
 * depends on h alone. */
void ln_control_begin(ln_control *control, int order, int ladder);
/* Forgets what was learnt: at a start or after a discontinuity. */
void ln_control_restart(ln_control *control, ln_run *run);
/* Sets run->judged and the parts of which only differences are stored. */
void ln_choose_judged(ln_run *run);
/* After an evaluation: what a charge has turned out to depend on is stored, too. A junction without
 * a capacitance has the entries of one. */
void ln_note_stored(ln_run *run);
/* apart.c: the parts, from E and the dq of the last evaluation; uses x1, q1 and f1. */
void ln_find_parts(ln_run *run);
/* So many trials have been rejected in a row: from four on, what parts have in common counts no
 * longer. */
void ln_note_stalled(ln_run *run, int rejected);
/* The member of each part with the least |e|. */
void ln_choose_references(ln_run *run, const double *e);
/* The unknown against which unknown i is judged, or -1. */
static inline int ln_reference_of(const ln_run *run, int i) {
    return run->apart && run->part[i] >= 0 ? run->reference[run->part[i]] : -1;
}
/* What of e (per unknown) counts as an error of unknown i. */
static inline double ln_apart(const ln_run *run, const double *e, int i) {
    const int reference = ln_reference_of(run, i);
    return reference < 0 ? e[i] : e[i] - e[reference];
}
/* Tries `attempt(run, state, h, side, &error)` (1: computed, error relative to tolerance; 0: the
 * equations were not solved) with steps that shrink until error <= 1, then commits the step. */
typedef int ln_attempt(ln_run *run, void *state, double h, ln_side side, double *error);
linnet_status ln_control_advance(ln_control *control, ln_run *run, ln_attempt *attempt, void *state,
                                 ln_side stop);

/* No step is short enough, not even one of h: LINNET_RETRY after a leap, else the failure,
 * reported. */
linnet_status ln_no_step(ln_run *run, double h, ln_side stop);

/* The error of unknown i between run->x and run->x1 that is allowed. The absolute tolerances are
 * those of the default relative one, 1e-4, and shrink with it. */
double ln_error_scale(const ln_run *run, int i);
/* The same of an unknown of this size, in units of the tolerance. */
double ln_error_unit(const ln_run *run, int i, double size);
/* Norm of a local error e of x (n values) between run->x and run->x1: largest |e| in units of the
 * tolerance; notes which unknown it is in run->dominant. Unknowns that are not judged are left out,
 * and those of index 2 and 3: their estimate does not fall with the step, and their errors of that
 * size do not reach the others [Hairer, Wanner II, VII.4]. */
double ln_error_norm(ln_run *run, const double *e);

/* Steps, smallest and largest, into the statistics. */
void ln_note_step(ln_run *run, double h);
/* A step rejected because of run->dominant. */
void ln_note_rejected(ln_run *run);
/* Local error e of x (n values) of a fixed step that was sampled: the largest is told in the
 * summary. */
void ln_note_local_error(ln_run *run, const double *e);
enum { LN_SAMPLE = 32 }; /* one fixed step in so many is sampled for its error */
/* Interrupt and the limit on steps; polled by the driver between steps, by steppers within long
 * ones. */
linnet_status ln_check_limits(const ln_run *run);

#endif
