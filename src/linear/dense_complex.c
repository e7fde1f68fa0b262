/* SPDX-License-Identifier: MIT */
/* Dense complex LU by LAPACKE, column-major, as dense.c does it for real matrices. */
#include "base/sys.h"
#include "linear/backend.h"

#include <cblas.h>
#include <lapacke.h>
#include <string.h>

enum { LARGEST = 11000 }; /* rows: 2 GB */

typedef struct dense {
    const ln_pattern *pattern;
    lapack_complex_double *lu;     /* n x n                                                                           */
    lapack_int *pivot;
} dense;

static void release(void *state) {
    dense *it = state;
    ln_sys->release(it->lu);
    ln_sys->release(it->pivot);
    ln_sys->release(it);
}

static void *create(const ln_pattern *pattern) {
    size_t n = (size_t)pattern->n;
    if (n > LARGEST) return NULL;
    openblas_set_num_threads(1);
    dense *it = ln_sys->allocate(sizeof *it);
    if (it == NULL) return NULL;
    *it = (dense){pattern, ln_sys->allocate((n * n + 1) * sizeof *it->lu),
                  ln_sys->allocate((n + 1) * sizeof *it->pivot)};
    if (it->lu != NULL && it->pivot != NULL) return it;
    release(it);
    return NULL;
}

static ln_factored factor(void *state, const double *values, int *again) {
    dense *it = state;
    size_t n = (size_t)it->pattern->n;
    lapack_int order = it->pattern->n;
    *again = 0;
    if (n == 0) return LN_FACTORED;
    memset(it->lu, 0, n * n * sizeof *it->lu);
    for (size_t j = 0; j < n; j++)
        for (int k = it->pattern->start[j]; k < it->pattern->start[j + 1]; k++)
            it->lu[j * n + (size_t)it->pattern->row[k]] = lapack_make_complex_double(values[2 * k], values[2 * k + 1]);
    lapack_int info = LAPACKE_zgetrf_work(LAPACK_COL_MAJOR, order, order, it->lu, order, it->pivot);
    return info == 0 ? LN_FACTORED : LN_SINGULAR;
}

static void solve_by(dense *it, char how, double *b) {
    lapack_int n = it->pattern->n;
    if (n > 0)
        LAPACKE_zgetrs_work(LAPACK_COL_MAJOR, how, n, 1, it->lu, n, it->pivot, (lapack_complex_double *)(void *)b, n);
}
static void solve(void *state, double *b) { solve_by(state, 'N', b); }
static void solve_transposed(void *state, double *b) { solve_by(state, 'T', b); }

static long fill(const void *state) {
    long n = ((const dense *)state)->pattern->n;
    return n * n;
}

const ln_backend ln_backend_dense_complex = {LN_LINEAR_DENSE, create, release, factor, solve, solve_transposed, fill};
