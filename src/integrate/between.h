/* SPDX-License-Identifier: MIT */
/* x within a step where the method's polynomial does not tell it.
 *
 * The error of a step is about what is stored, at its end. What follows from that without being
 * stored itself (a function of a state, the node between a resistor and a diode) is interpolated as
 * everything is, and may turn far more often within a step than the states do: sin(20 x) was off by
 * 4 % where x was known to 1e-5, in silence. The polynomial, led back to where the step before
 * began, tells how good it is there; where it misses more than a user may expect of the tolerance,
 * the equations are solved at the points that are asked for:
 *
 *     alpha (q(x) - Q) + Q' + f(x, t) = 0
 *
 * with Q, the polynomial through what is stored at the points of the method's own, and alpha of the
 * order of 1/h, larger towards the step's ends. On rows that store nothing these are the equations;
 * what is stored keeps to the polynomial where it is slow beside the step, and follows what it is
 * tied to where it is fast, so that no small resistance makes currents of what the polynomial
 * misses. Q is the polynomial of what is stored, not what the polynomial of x stores: of a charge
 * that is exponential in a junction's voltage the slope along that would be nothing like the
 * current. Across a kink there is no such polynomial: the slope of a winding's flux would be volts
 * beyond what bounds it. Lines tell what is not stored there, unless it does not ask for the slope.
 *
 * What follows from a derivative (of index 2: the current of a capacitor across a source) stays as
 * the polynomial tells it: solved for, it would be the slope of what that misses. In mechanisms of
 * index 3 all of x does.
 *
 * They are solved, too, where fluxes that are read from their rows (ln_system_rows_read()) do not
 * add up: through a stop of 1e5 N.s/m a velocity that is told within the tolerance is all of the
 * force. At the ends of fixed steps, too, where Newton's method ends by the step's error. */
#ifndef LN_INTEGRATE_BETWEEN_H
#define LN_INTEGRATE_BETWEEN_H

#include "integrate/stepper.h"

/* Starts of the last steps that are kept: of a parabola through the step before that one's is one
 * of its points. */
enum { LN_STARTS = 3 };
/* Points of a method's polynomial, at most: of IDA's, of degree 5. */
enum { LN_NODES = 6 };

typedef struct ln_between {
    const ln_stepper_class *stepper;
    void *stepper_data; /* borrowed, as the stepper */
    int serves;         /* 0: nothing within steps is to be told better than by the polynomial */
    double tolerance;   /* of a fixed step that by which Newton's method ends (update_norm.c) */
    ln_linear *linear;
    double *start[LN_STARTS]; /* n each: x where the last steps began, the present one first */
    double t[LN_STARTS];
    int count; /* how many of these are known */
    int is_judged;
    double excess; /* of the last step that was judged: what its polynomial misses of what may be */
    double *stored[LN_NODES]; /* n each: what is stored at the nodes of the last step */
    double node[LN_NODES];    /* where these are, in parts of the step */
    int nnodes;               /* 0: not known yet */
    ln_interpolation by;      /* how the last step is told */
    char *read;               /* n flags, see ln_system_rows_read(); so many of them */
    int nread;
    double *carried; /* n: the most that other terms of these rows have carried so far */
    double *allowed, *q, *base, *f, *other, *values; /* work: n each; entries of the matrix */
    /* the system as the step has left it, while it is looked at elsewhere: df and dq; places */
    double *df, *places;
} ln_between;

/* For a run by this method; memory of run->arena. LINNET_MEMORY is not reported. */
linnet_status ln_between_init(ln_between *between, ln_run *run, const ln_stepper_class *stepper,
                              void *stepper_data);
void ln_between_free(ln_between *between);
/* A step begins at run->x. is_fresh: what was before is no part of its past. */
void ln_between_begin_step(ln_between *between, const ln_run *run, int is_fresh);
/* x (n values), told by the method's polynomial at `side` within the last step of h, becomes what
 * the equations say there, if that is wanted and they have a solution near. */
void ln_between_solve(ln_between *between, ln_run *run, ln_side side, double h, double *x);
/* x (n values), where the last step of h ended, as it is to be told on one side: fluxes that are
 * read (between->nread > 0) add up there, too. */
void ln_between_meet_end(ln_between *between, ln_run *run, ln_side side, double h, double *x);
/* x (n values) becomes the solution that Newton's method finds from it at `side` within the last
 * step of h, with what is stored as the step has it. 0: it finds none, and x is as it was. */
int ln_between_solve_from(ln_between *between, ln_run *run, ln_side side, double h, double *x);

#endif
