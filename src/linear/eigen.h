/* SPDX-License-Identifier: MIT */
/* Natural modes of a pencil: values s and vectors with (s E + A) x = 0 and w^H (s E + A) = 0.
 *
 * All of them: the pencil is reduced to its states (reduce.h), whose matrix is solved component by
 * component (spectrum.h); vectors that do not satisfy the whole pencil are refined by inverse
 * iteration with its sparse factors. A few of a large pencil: those nearest to a point, by
 * shift-invert Arnoldi (ARPACK) on the same factors (arnoldi.c).
 *
 * Complex numbers are pairs re, im; vectors stand one after the other. */
#ifndef LN_LINEAR_EIGEN_H
#define LN_LINEAR_EIGEN_H

#include "base/arena.h"
#include "linear/linear.h"

/* E and A of a pencil, values over one pattern. Where an entry is a sum, _low is what its rounding
 * has cut off, and _size the sum of its terms' sizes; NULL: nothing, and the entry's own size. */
typedef struct ln_pencil {
    const ln_pattern *pattern;
    const double *E, *A;
    const double *E_low, *A_low;   /* or NULL */
    const double *E_size, *A_size; /* or NULL */
} ln_pencil;

typedef struct ln_eigen {
    int n;         /* size of the pencil */
    int count;     /* finite values found */
    int index;     /* 0: E is regular; -1: not known (large) */
    double *value; /* count pairs */
    /* count vectors of n pairs, largest entry of right 1; NULL if not asked for */
    double *right, *left;
    /* count: sum |w_i| |(s E + A) x|_i by sum |w_i| (|s| |E| + |A|)_ij |x_j|: 1e-16 is perfect.
     * NULL if no vectors were asked for */
    double *residual;
    /* count, 1/s: how far a value moves when each entry of E and A is changed by one rounding
     * (2^-53), to first order; infinite for a value that meets another. NULL as above */
    double *uncertainty;
    /* n: 1 for an unknown that only a derivative of a constraint gives (index above 1) */
    const char *hidden_unknown;
    /* n: 1 for a row of E without an unknown of its own because of that constraint */
    const char *hidden_row;
} ln_eigen;

/* All finite values of a pencil. Results live in the arena. LINNET_RETRY, not reported: the pencil
 * is singular (no value, or any, is an eigenvalue). LINNET_FAILED, not reported: the QR algorithm
 * has not converged. LINNET_MEMORY. */
linnet_status ln_eigen_dense(const ln_pencil *pencil, int vectors, ln_arena *arena, ln_eigen *out);

/* Which values are asked for: the `count` nearest to a point. */
typedef struct ln_eigen_wish {
    double re, im; /* the point, 1/s */
    int count;
    int vectors; /* left ones and what follows from them, too */
} ln_eigen_wish;

/* The finite values that are asked for; fewer if there are no more. With a real point a value and
 * its conjugate are always both there. LINNET_RETRY: s E + A is singular at the point; choose
 * another. LINNET_FAILED: Arnoldi's method has not converged. */
linnet_status ln_eigen_near(const ln_pencil *pencil, const ln_eigen_wish *wish, ln_arena *arena,
                            ln_eigen *out);

/* For the room itself: residual and uncertainty of all modes, once values and vectors are there. */
linnet_status ln_eigen_judge(const ln_pencil *pencil, ln_arena *arena, ln_eigen *out);

/* For qsort() of pairs re, im: by modulus, equal ones by real part, and of two conjugates, which
 * come side by side, the one above the real axis first. */
int ln_eigen_by_size(const void *a, const void *b);

#endif
