/* SPDX-License-Identifier: MIT */
/* Dense complex LU by LAPACKE, column-major, as dense.c does it for real matrices. */
#include "base/sys.h"
#include "linear/backend.h"
#include "linear/lapack.h"

#include <string.h>

enum { LARGEST = 11000 }; /* rows: 2 GB */

typedef struct dense {
    const ln_pattern *pattern;
    lapack_complex_double *lu; /* n x n */
    lapack_int *pivot;
} dense;

static void release(void *state) {
    dense *factors = state;
    ln_sys->release(factors->lu);
    ln_sys->release(factors->pivot);
    ln_sys->release(factors);
}

static void *create(const ln_pattern *pattern) {
    size_t n = (size_t)pattern->n;
    if (n > LARGEST)
        return NULL;
    if (ln_blas_begin() != LINNET_OK)
        return NULL;
    dense *factors = ln_sys->allocate(sizeof *factors);
    if (factors == NULL)
        return NULL;
    *factors = (dense){pattern, ln_sys->allocate((n * n + 1) * sizeof *factors->lu),
                       ln_sys->allocate((n + 1) * sizeof *factors->pivot)};
    if (factors->lu != NULL && factors->pivot != NULL)
        return factors;
    release(factors);
    return NULL;
}

static ln_factored factor(void *state, const double *values, int *again) {
    dense *factors = state;
    size_t n = (size_t)factors->pattern->n;
    lapack_int order = factors->pattern->n;
    *again = 0;
    if (n == 0)
        return LN_FACTORED;
    memset(factors->lu, 0, n * n * sizeof *factors->lu);
    for (size_t j = 0; j < n; j++)
        for (int k = factors->pattern->start[j]; k < factors->pattern->start[j + 1]; k++)
            factors->lu[j * n + (size_t)factors->pattern->row[k]] =
                ln_lapack.lapack_make_complex_double(values[2 * k], values[2 * k + 1]);
    lapack_int info = ln_lapack.LAPACKE_zgetrf_work(LAPACK_COL_MAJOR, order, order, factors->lu,
                                                    order, factors->pivot);
    return info == 0 ? LN_FACTORED : LN_SINGULAR;
}

static void solve_by(dense *factors, char how, double *b) {
    lapack_int n = factors->pattern->n;
    if (n > 0)
        ln_lapack.LAPACKE_zgetrs_work(LAPACK_COL_MAJOR, how, n, 1, factors->lu, n, factors->pivot,
                                      (lapack_complex_double *)(void *)b, n);
}
static void solve(void *state, double *b) {
    solve_by(state, 'N', b);
}
static void solve_transposed(void *state, double *b) {
    solve_by(state, 'T', b);
}

static long fill(const void *state) {
    long n = ((const dense *)state)->pattern->n;
    return n * n;
}

static double products(const void *state) {
    const double n = ((const dense *)state)->pattern->n;
    return n * n * n / 3;
}

const ln_backend ln_backend_dense_complex = {LN_LINEAR_DENSE,  create, release,  factor, solve,
                                             solve_transposed, fill,   products, NULL};
