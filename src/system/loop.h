/* SPDX-License-Identifier: MIT */
/* An algebraic loop that has no closed form: Newton's method on the few unknowns that tear it open.
 */
#ifndef LN_SYSTEM_LOOP_H
#define LN_SYSTEM_LOOP_H

#include "expression/program.h"
#include "base/side.h"
#include "linear/convergence.h"

typedef struct ln_loop {
    int count; /* unknowns */
    double *x; /* count: within the diagram's point; the last solution is the next guess */
    const double *nominal; /* count: their typical size */
    /* outputs: count residuals, then count x count derivatives by columns */
    const ln_program *program;
    double *file;
    int affine;          /* the residual is linear in the unknowns: one step is exact */
    const char *members; /* "sum -> gain -> sum", for messages */
    ln_place place;
    int for_rates;      /* derivatives need it, not only other unknowns */
    ln_pattern pattern; /* full */
    ln_linear *linear;  /* NULL when count is 1 */
    ln_convergence convergence;
    double *residual, *step, *before; /* count each */
    double *slopes;                   /* count x count */
} ln_loop;

/* The rest of a loop whose count, x, program and file are set. LINNET_MEMORY, not reported. */
linnet_status ln_loop_prepare(ln_loop *loop, ln_arena *arena);
void ln_loop_free(ln_loop *loop);

/* Solves it at a point (which holds loop->x). LINNET_RETRY: what is wrong is in blame. Counts
 * iterations. */
linnet_status ln_loop_solve(ln_loop *loop, const double *parameters, const linnet_point *point,
                            long *iterations, char blame[256]);

#endif
