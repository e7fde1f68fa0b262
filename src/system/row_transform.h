/* SPDX-License-Identifier: MIT */
/* The rows transformed to differential and algebraic ones.
 *
 * E is singular wherever a row carries no storage or storage ties several rows (a floating
 * capacitor). rank(E) of the rows are independent (storage.h). From every other row that
 * combination of them is taken which cancels its storage, N'E = 0; so N'f = 0 is left, an algebraic
 * equation. The transformed rows
 *
 *     differential k:  q(x)[row k] = q*[row k]        algebraic k:  sum_i N[i,k] f(x,t)[i] = 0
 *
 * determine x from the stored quantities q*: the consistent start, the state after a discontinuity,
 * and each stage of an explicit method. Their Jacobian is nonsingular exactly if the network has
 * index 1 (or 0). */
#ifndef LN_SYSTEM_ROW_TRANSFORM_H
#define LN_SYSTEM_ROW_TRANSFORM_H

#include "system/storage.h"

typedef struct ln_row_transform {
    ln_system *system;
    ln_arena *arena;
    ln_storage storage;       /* the new rows; differential, start, row and coefficient alias it */
    int n, rank;              /* unknowns; rank of E + dq, the number of states */
    const char *differential; /* n: by new row */
    const int *start, *row;   /* new row k combines old rows row[start[k] .. start[k+1]-1] */
    const double *coefficient;
    ln_pattern pattern; /* of the transformed Jacobian */
    /* value[position[i]] += weight[i] * source[from[i]]; source: the values of E, dq, A and df, one
     * array after the other */
    int nterms;
    const int *position, *from;
    const double *weight;
} ln_row_transform;

/* Uses E and, for nonlinear q, the dq of the last ln_system_eval(). LINNET_RETRY: the slopes of
 * what is stored are beyond what numbers can tell. LINNET_MEMORY is not reported. */
linnet_status ln_row_transform_new(ln_system *system, ln_row_transform **transform);
void ln_row_transform_free(ln_row_transform *transform);

/* r = transformed rows of (q - q_star) and f; q, q_star, f, r: n values. */
void ln_row_transform_residual(const ln_row_transform *transform, const double *q,
                               const double *q_star, const double *f, double *r);
/* Values of the Jacobian at the pattern's positions, with the dq, df of the last ln_system_eval().
 */
void ln_row_transform_jacobian(const ln_row_transform *transform, double *values);

#endif
