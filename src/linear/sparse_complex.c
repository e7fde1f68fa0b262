/* SPDX-License-Identifier: MIT */
/* Sparse complex LU by KLU, as sparse.c does it for real matrices; old pivots are judged by KLU's pivot growth. */
#include "base/sys.h"
#include "linear/backend.h"

#include <suitesparse/klu.h>

static const double GROWTH = 1e-4; /* reciprocal pivot growth below which old pivots are bad                          */

typedef struct sparse {
    const ln_pattern *pattern;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
} sparse;

static void release(void *state) {
    sparse *it = state;
    klu_z_free_numeric(&it->numeric, &it->common);
    klu_free_symbolic(&it->symbolic, &it->common);
    ln_sys->release(it);
}

static void *create(const ln_pattern *pattern) {
    sparse *it = ln_sys->allocate(sizeof *it);
    if (it == NULL) return NULL;
    *it = (sparse){.pattern = pattern};
    klu_defaults(&it->common);
    return it;
}

/* KLU's interface is older than const; it writes neither pattern nor values. */
static ln_factored factor(void *state, const double *values, int *again) {
    sparse *it = state;
    int n = it->pattern->n, *start = (int *)it->pattern->start, *row = (int *)it->pattern->row;
    double *v = (double *)values;
    *again = 0;
    if (n == 0) return LN_FACTORED;
    if (it->numeric != NULL && klu_z_refactor(start, row, v, it->symbolic, it->numeric, &it->common) &&
        it->common.status == KLU_OK && klu_z_rgrowth(start, row, v, it->symbolic, it->numeric, &it->common) &&
        it->common.rgrowth > GROWTH) {
        *again = 1;
        return LN_FACTORED;
    }
    klu_z_free_numeric(&it->numeric, &it->common);
    if (it->symbolic == NULL) it->symbolic = klu_analyze(n, start, row, &it->common);
    if (it->symbolic != NULL) it->numeric = klu_z_factor(start, row, v, it->symbolic, &it->common);
    if (it->numeric != NULL && it->common.status == KLU_OK) return LN_FACTORED;
    return it->common.status < KLU_OK ? LN_FACTOR_MEMORY : LN_SINGULAR;
}

static void solve(void *state, double *b) {
    sparse *it = state;
    if (it->pattern->n > 0) klu_z_solve(it->symbolic, it->numeric, it->pattern->n, 1, b, &it->common);
}

static void solve_transposed(void *state, double *b) {
    sparse *it = state;
    if (it->pattern->n > 0) klu_z_tsolve(it->symbolic, it->numeric, it->pattern->n, 1, b, 0, &it->common);
}

static long fill(const void *state) {
    const sparse *it = state;
    return it->numeric == NULL ? 0 : (long)it->numeric->lnz + it->numeric->unz + it->numeric->nzoff;
}

const ln_backend ln_backend_sparse_complex = {LN_LINEAR_SPARSE, create, release, factor, solve, solve_transposed, fill};
