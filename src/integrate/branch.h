/* SPDX-License-Identifier: MIT */
/* Which solution a step has led to, where what is not stored has several.
 *
 * A comparator with feedback, two transistors that hold each other, have, without any charge, two
 * states over a range of what drives them: the run stays in one until it ceases to be, at a fold
 * [Keller: Numerical Solution of Bifurcation and Nonlinear Eigenvalue Problems, 1977], and jumps.
 * A step is a solution of the equations at its end alone. Its error says nothing of a jump that no
 * state takes part in, and Newton's method may jump where nothing ceases to be. So where an unknown
 * that is not stored moves far, and otherwise than before, the equations are solved within the step
 * from where it began and from where it ended: where these differ there are two solutions, and
 * the step has jumped from one to the other. */
#ifndef LN_INTEGRATE_BRANCH_H
#define LN_INTEGRATE_BRANCH_H

#include "integrate/between.h"

typedef struct ln_branch {
    int serves;              /* 0: no unknown without storage, or one solution at a time */
    double longest;          /* s: of a step that is taken again; 0: any */
    char *moved;             /* n: 1 for the unknowns that may have jumped in the last step */
    double *a, *b, *xa, *xb; /* n each: the solutions at the ends of a part of it, and between */
} ln_branch;

/* After ln_between_init(); memory of run->arena. LINNET_MEMORY is not reported. */
linnet_status ln_branch_init(ln_branch *branch, const ln_run *run, const ln_between *between);
/* Has the last step, of h, jumped to another solution? *stays: so long at least, s, it could have
 * stayed where it began; 0 where that is less than can be told. */
int ln_branch_has_jumped(ln_branch *branch, ln_between *between, ln_run *run, double h,
                         double *stays);

#endif
