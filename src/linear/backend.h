/* SPDX-License-Identifier: MIT */
/* What a linear solver library must do to serve as a backend: one file implements these for
 * numbers and one for pairs, and a row of LN_LINEAR_BACKENDS names it. */
#ifndef LN_LINEAR_BACKEND_H
#define LN_LINEAR_BACKEND_H

#include "linear/linear.h"

typedef struct ln_backend {
    ln_linear_kind kind;
    void *(*create)(const ln_pattern *pattern); /* NULL when memory is short */
    void (*release)(void *state);
    /* *again: 1 when the pivots of the last factorisation were used again. */
    ln_factored (*factor)(void *state, const double *values, int *again);
    void (*solve)(void *state, double *b);
    void (*solve_transposed)(void *state, double *b);
    long (*fill)(const void *state);             /* entries of L + U of the last factorisation */
    double (*products)(const void *state);       /* multiplications that it took */
    void (*solve_aside)(void *state, double *b); /* NULL: solve learns nothing from its calls */
} ln_backend;

/* Of each backend one for numbers and one for complex values, given as pairs re, im. */
#define LN_DECLARE_BACKEND(kind, word, doc) \
    extern const ln_backend ln_backend_##word, ln_backend_##word##_complex;
LN_LINEAR_BACKENDS(LN_DECLARE_BACKEND)
#undef LN_DECLARE_BACKEND

/* As ln_linear_null for a matrix whose rows and columns are of one size, by SVD; the basis is
 * orthonormal. */
int ln_dense_null(const ln_pattern *pattern, const double *values, int most, double *right,
                  double *left);

#endif
