/* SPDX-License-Identifier: MIT */
/* Our equations as SUNDIALS IDA wants them, F(t, y, y') = 0 with dF/dy + cj dF/dy'. Where storage
 * is nonlinear IDA integrates what is stored, as every method must, or nothing is conserved: with
 * (E + dq/dx) x' it would integrate x, and a coil that saturates came out of each knee with another
 * flux than its voltage had brought. So beside x stand the charges z of the rows r that q_nl is in:
 *
 *     E x' + S z' + A x + f_nl(x, t) = s(t),        z = q_nl(x)  at the rows r, S their places,
 *
 * whose Newton updates are those of the system's own matrix:
 *
 *     (cj (E + dq) + A + df) dx = r1 - cj S r2,     dz = r2 + dq dx.
 *
 * Of a part of which only differences are stored (system/supernodes.c) IDA is given the differences
 * to one of its unknowns, y = x - x[common], and that one as it is. It stores nothing, may move as
 * fast as a diode turns, and its error is no error of the differences: so it is not tested. */
#ifndef LN_INTEGRATE_IDA_SYSTEM_H
#define LN_INTEGRATE_IDA_SYSTEM_H

#include "integrate/stepper.h"

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sunmatrix/sunmatrix_sparse.h>

typedef struct ln_ida_system {
    ln_run *run;
    int ncharges, *row; /* z: how many, and the row of each */
    int *charge_of;     /* n: which z the row has, or -1 */
    /* ncharges: largest |z| so far; what the absolute tolerances of its unknowns make of z */
    double *peak, *least;
    double *point, *slope;  /* n: x and x' of the last residual */
    double *stored;         /* n: q_nl there */
    double *dq;             /* dq/dx of the last matrix */
    double factored;        /* cj of the last matrix */
    ln_side side;           /* that points of a step belong to */
    int limited;            /* a device was evaluated away from its voltages */
    SUNMatrix matrix;       /* n by n: values at the positions of the system's pattern */
    ln_linear *linear;      /* its factors */
    SUNLinearSolver solver; /* around them */
} ln_ida_system;

/* run->n + ncharges: the length of IDA's vectors. */
int ln_ida_size(const ln_ida_system *equations);

/* Lists the charges, makes matrix and solver. What is freed by ln_ida_system_free() is set as
 * far as it came. LINNET_MEMORY is not reported. */
linnet_status ln_ida_system_init(ln_ida_system *equations, ln_run *run, SUNContext context);
void ln_ida_system_free(ln_ida_system *equations);

/* y becomes x (sign 1), or x becomes y (sign -1), in place: n values; likewise rates and updates.
 */
void ln_ida_shift(const ln_system *system, double sign, double *values);
/* x of y. */
void ln_ida_to_x(const ln_ida_system *equations, N_Vector y, double *x);

/* y and y' of a point x with these rates of change of x: z of x, and z' that solves the equations.
 * Not LINNET_OK: a block refuses the point, or memory lacks. Uses run->s. */
linnet_status ln_ida_begin_at(ln_ida_system *equations, const double *x, const double *rate,
                              N_Vector y, N_Vector slope);

/* IDAResFn and IDALsJacFn; data: an ln_ida_system, or what begins with one. */
int ln_ida_residual(sunrealtype t, N_Vector at, N_Vector rates, N_Vector out, void *data);
int ln_ida_jacobian(sunrealtype t, sunrealtype cj, N_Vector at, N_Vector rates, N_Vector r,
                    SUNMatrix matrix, void *data, N_Vector work1, N_Vector work2, N_Vector work3);

/* K x = b in place, n values; y. */
void ln_ida_solve(void *equations, double *b);

/* How large charge k counts in its tolerance, where it is `size`: as unknowns do
 * (ln_error_unit()). 0: nothing is stored there, a transistor's that has no charge. */
double ln_ida_charge_unit(const ln_ida_system *equations, int k, double size);
/* The run has come to y. */
void ln_ida_note_charges(ln_ida_system *equations, N_Vector y);
/* What is stored of errors of y: n values. */
void ln_ida_errors_stored(const ln_ida_system *equations, N_Vector errors, double *stored);

#endif
