/* SPDX-License-Identifier: MIT */
/* Natural modes of a pencil: values s and vectors with (s E + A) x = 0 and w^H (s E + A) = 0.
 *
 * E may be singular. A dense pencil is first freed of its infinite values: the rows without E
 * (after an orthogonal transformation) are constraints on x, what satisfies them is a smaller
 * pencil, and so on until E is regular; the number of rounds is the index of the pencil
 * (deflate.c). A large one is asked for the values nearest to a point only, by shift-invert Arnoldi
 * (ARPACK) on the sparse factorisation (arnoldi.c).
 *
 * Complex numbers are pairs re, im; vectors stand one after the other. */
#ifndef LN_LINEAR_EIGEN_H
#define LN_LINEAR_EIGEN_H

#include "base/arena.h"
#include "linear/linear.h"

/* E and A of a pencil, values over one pattern. */
typedef struct ln_pencil {
    const ln_pattern *pattern;
    const double *E, *A;
} ln_pencil;

typedef struct ln_eigen {
    int n;         /* size of the pencil */
    int count;     /* finite values found */
    int index;     /* 0: E is regular; -1: not known (large) */
    double *value; /* count pairs */
    /* count vectors of n pairs, largest entry of right 1; NULL if not asked for */
    double *right, *left;
    /* Index above 1: the unknowns that are fixed only by derivatives of constraints, and the rows
     * of E that these constraints leave without an unknown of their own: n weights each, 0
     * elsewhere. */
    double *hidden_unknown, *hidden_row;
} ln_eigen;

/* All finite values of a dense pencil. Results live in the arena. LINNET_RETRY, not reported: the
 * pencil is singular (no value, or any, is an eigenvalue). LINNET_FAILED, not reported: the QR
 * algorithm has not converged. LINNET_MEMORY. */
linnet_status ln_eigen_dense(const ln_pencil *pencil, int vectors, ln_arena *arena, ln_eigen *out);

/* The `count` finite values nearest to the point (re, im); fewer if there are no more. With a real
 * point a value and its conjugate are always both there. LINNET_RETRY: s E + A is singular at the
 * point; choose another. LINNET_FAILED: Arnoldi's method has not converged. */
linnet_status ln_eigen_near(const ln_pencil *pencil, double re, double im, int count, int vectors,
                            ln_arena *arena, ln_eigen *out);

#endif
