/* SPDX-License-Identifier: MIT */
/* Newton's method inside SUNDIALS IDA: the equations and the linear solver are IDA's, the way is
 * that of newton.c. SUNDIALS' own keeps one Jacobian for a step and knows no limiting, which a
 * diode without charge that turns does not forgive: IDA predicts its potential by a polynomial. */
#ifndef LN_INTEGRATE_IDA_NEWTON_H
#define LN_INTEGRATE_IDA_NEWTON_H

#include "linear/convergence.h"
#include "linear/relaxation.h"

#include <sundials/sundials_nonlinearsolver.h>

/* What the owner of the equations says. */
typedef struct ln_ida_equations {
    void *owner;
    int linear;
    /* Has the last residual been taken with a device away from its voltages? */
    int (*limited)(const void *owner);
    /* The verdict on an update that led to the next point. */
    ln_verdict (*judge)(void *owner, N_Vector update, N_Vector weights);
    /* Is that update noise? Asked with a Jacobian of the point it began at. */
    int (*is_noise)(void *owner, N_Vector update, N_Vector weights);
} ln_ida_equations;

typedef struct ln_ida_newton {
    ln_ida_equations equations;
    ln_convergence *convergence;
    ln_relaxation *relaxation; /* as long as an update; IDA's sizes of unknowns are its units */
    SUNNonlinSolSysFn residual;
    SUNNonlinSolLSetupFn factor;
    SUNNonlinSolLSolveFn solve;
    N_Vector update;
    int most;             /* iterations in one solution */
    long count, failures; /* of the last solution */
} ln_ida_newton;

/* Wraps `newton`, whose members up to `convergence` and `update` are set by the owner; it must
 * outlive what is returned. NULL: out of memory. Freed by SUNNonlinSolFreeEmpty(). */
SUNNonlinearSolver ln_ida_newton_new(ln_ida_newton *newton, SUNContext context);

#endif
