/* SPDX-License-Identifier: MIT */
/* Sparse complex LU by KLU, as sparse.c does it for real matrices; old pivots are judged by KLU's
 * pivot growth. */
#include "base/sys.h"
#include "linear/backend.h"

#include <suitesparse/klu.h>

static const double GROWTH = 1e-4; /* reciprocal pivot growth below which old pivots are bad */

typedef struct sparse {
    const ln_pattern *pattern;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
} sparse;

static void release(void *state) {
    sparse *factors = state;
    klu_z_free_numeric(&factors->numeric, &factors->common);
    klu_free_symbolic(&factors->symbolic, &factors->common);
    ln_sys->release(factors);
}

static void *create(const ln_pattern *pattern) {
    sparse *factors = ln_sys->allocate(sizeof *factors);
    if (factors == NULL)
        return NULL;
    *factors = (sparse){.pattern = pattern};
    klu_defaults(&factors->common);
    return factors;
}

/* KLU's interface is older than const; it writes neither pattern nor values. */
static ln_factored factor(void *state, const double *values, int *again) {
    sparse *factors = state;
    int n = factors->pattern->n, *start = (int *)factors->pattern->start,
        *row = (int *)factors->pattern->row;
    double *v = (double *)values;
    *again = 0;
    if (n == 0)
        return LN_FACTORED;
    if (factors->numeric != NULL &&
        klu_z_refactor(start, row, v, factors->symbolic, factors->numeric, &factors->common) &&
        factors->common.status == KLU_OK &&
        klu_z_rgrowth(start, row, v, factors->symbolic, factors->numeric, &factors->common) &&
        factors->common.rgrowth > GROWTH) {
        *again = 1;
        return LN_FACTORED;
    }
    klu_z_free_numeric(&factors->numeric, &factors->common);
    if (factors->symbolic == NULL)
        factors->symbolic = klu_analyze(n, start, row, &factors->common);
    if (factors->symbolic != NULL)
        factors->numeric = klu_z_factor(start, row, v, factors->symbolic, &factors->common);
    if (factors->numeric != NULL && factors->common.status == KLU_OK)
        return LN_FACTORED;
    return factors->common.status < KLU_OK ? LN_FACTOR_MEMORY : LN_SINGULAR;
}

static void solve(void *state, double *b) {
    sparse *factors = state;
    if (factors->pattern->n > 0)
        klu_z_solve(factors->symbolic, factors->numeric, factors->pattern->n, 1, b,
                    &factors->common);
}

static void solve_transposed(void *state, double *b) {
    sparse *factors = state;
    if (factors->pattern->n > 0)
        klu_z_tsolve(factors->symbolic, factors->numeric, factors->pattern->n, 1, b, 0,
                     &factors->common);
}

static long fill(const void *state) {
    const sparse *factors = state;
    return factors->numeric == NULL
               ? 0
               : (long)factors->numeric->lnz + factors->numeric->unz + factors->numeric->nzoff;
}

/* klu_flops counts into `common`, which the caller does not see change. */
static double products(const void *state) {
    const sparse *factors = state;
    klu_common common = factors->common;
    return factors->numeric != NULL && klu_z_flops(factors->symbolic, factors->numeric, &common)
               ? 0.5 * common.flops
               : 0;
}

const ln_backend ln_backend_sparse_complex = {LN_LINEAR_SPARSE, create, release,  factor, solve,
                                              solve_transposed, fill,   products, NULL};
