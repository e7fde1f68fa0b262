/* SPDX-License-Identifier: MIT */
/* What the errors of all steps so far have added up to. Each accepted step carries it on by the
 * equations' own linearisation, with the factorisation that the step has, and adds its local error:
 *
 *     e1 = R(-h M^-1 J) e0 + local error,      M = E + dq/dx,  J = A + df/dx,
 *
 * where R is as near to the exponential function as a few solutions with one matrix bring it, and
 * begins at what the error is of what is stored, M0 e0 of the last step's end: a small error of a
 * flux is a large one of the current once the iron saturates. So an
 * error that the network damps is forgotten, and one of an oscillation that rings on is not [Skeel,
 * Thirteen ways to estimate global error, Numer. Math. 48 (1986) 1: solving for the error along
 * with the solution; Shampine, SIAM J. Numer. Anal. 1986]. It is told when it has become more than
 * the user may expect of the tolerance; no step follows it. */
#ifndef LN_INTEGRATE_GLOBAL_ERROR_H
#define LN_INTEGRATE_GLOBAL_ERROR_H

#include "integrate/implicit.h"

enum { LN_ERROR_LEVELS = 16 }; /* the last is the range itself at a tolerance of 7e-9 */

typedef struct ln_global_error {
    double *error, *saved; /* n each: of x where the run stands, and where its last step began */
    double *charge, *saved_charge; /* n each: the same of what is stored */
    double *term, *stored;         /* n each: work */
    double *pair;                  /* 2 n: work */
    /* n each: what x has been between; the largest |error| that there was for long, since when */
    double *low, *high, *largest, *at;
    /* n times LN_ERROR_LEVELS: for how long it was above 1, 3, 9, ... times what may be expected
     */
    double *off;
    /* n, -df/dm times the errors of memories, in all rows (saltation.h); forced: it is not zero */
    double *forcing, *acting; /* acting: with those of delayed values (ln_global_error_acting()) */
    int forced;
    int lost; /* it cannot be carried any further */
} ln_global_error;

/* An adaptive run by an implicit method will have it where it costs little: run->global_error, else
 * NULL. LINNET_MEMORY is not reported. */
linnet_status ln_global_error_init(ln_run *run);

/* A step of h by a one-step method whose matrix is alpha M + J has been committed; local: its error
 * of x (n values). alpha and h as the step had them, bit by bit: its factors are used. */
void ln_global_error_step(ln_run *run, double alpha, double h, const double *local);

/* The same by factors of another owner, of alpha M + J near the end of the step; NULL: there are
 * none. Of local and stored one is NULL. */
typedef struct ln_error_step {
    double alpha, h;
    const double *local, *stored; /* the step's own error, n values: of x, or of what is stored */
    const double *dq; /* dq/dx as it is in the matrix: that of another point would store anew at
                       * each step what was stored before */
    /* local acts like a defect throughout the step, since the steps after it go on from the point
     * before as well: of BDF2, whose sigma(1) is 2/3 [Hairer, Norsett, Wanner, III.2]; IDA's
     * estimates are divided by that already */
    int acts_throughout;
} ln_error_step;
void ln_global_error_step_by(ln_run *run, ln_linear *factors, const ln_error_step *step);

/* -df/dm times the errors of memories and of delayed values in the middle of the step of h just
 * taken, n values; NULL: there are none. */
const double *ln_global_error_acting(ln_run *run, double h);
/* Of the errors, for difference quotients: the square root of rounding, where these lose as much by
 * curvature as by rounding; 0: there are no errors. */
double ln_global_error_part(const ln_run *run);
/* What delays record of an accepted point, they record of its error. LINNET_MEMORY is not reported.
 */
linnet_status ln_global_error_record(ln_run *run);

/* The step just taken is being looked at, and may be taken back. */
void ln_global_error_save(const ln_run *run);
void ln_global_error_restore(const ln_run *run);
/* Something has set x, which was `before`: what was set has no error. */
void ln_global_error_jump(ln_run *run, const double *before);
/* The run goes on from here, after a step of h. */
void ln_global_error_note(ln_run *run, double h);
/* At the end: a warning that names what is farthest off, when and by how much. */
void ln_global_error_warn(const ln_run *run);

#endif
