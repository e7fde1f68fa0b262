/* SPDX-License-Identifier: MIT */
/* Dense linear algebra: with eigen.c the only user of LAPACKE. Column-major throughout and the
 * _work functions, which neither allocate nor test for NaN (linear.c has done so). Rows are scaled
 * to the size of one before pivots are chosen, by powers of two, so that a row in pascals does not
 * win over one in amperes and exact matrices stay exact. */
#include "base/sys.h"
#include "linear/backend.h"
#include "linear/factors.h"
#include "linear/lapack.h"

#include <math.h>
#include <string.h>

enum { LARGEST = 16000 };         /* rows: 2 GB */
static const double SMALL = 1e-6; /* pivots of scaled rows above it cannot be rounding */
/* singular values below this part of the largest count as zero */
static const double ZERO = 1e-11;

typedef struct dense {
    const ln_pattern *pattern;
    double *lu;    /* n x n */
    double *scale; /* n: each row is multiplied by it */
    lapack_int *pivot;
} dense;

static void release(void *state) {
    dense *factors = state;
    ln_sys->release(factors->lu);
    ln_sys->release(factors->scale);
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
    *factors = (dense){pattern, ln_sys->allocate((n * n + 1) * sizeof(double)),
                       ln_sys->allocate((n + 1) * sizeof(double)),
                       ln_sys->allocate((n + 1) * sizeof(lapack_int))};
    if (factors->lu != NULL && factors->scale != NULL && factors->pivot != NULL)
        return factors;
    release(factors);
    return NULL;
}

/* ---- factorisation ---- */

/* scale: of rows, or NULL */
static void spread(const ln_pattern *pattern, const double *values, const double *scale,
                   double *matrix) {
    size_t n = (size_t)pattern->n;
    memset(matrix, 0, n * n * sizeof *matrix);
    for (size_t j = 0; j < n; j++)
        for (int k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            matrix[j * n + (size_t)pattern->row[k]] =
                values[k] * (scale == NULL ? 1 : scale[pattern->row[k]]);
}

/* Powers of two that bring the largest entry of each row into [1, 2). */
static void scale_rows(const ln_pattern *pattern, const double *values, double *scale) {
    for (int i = 0; i < pattern->n; i++)
        scale[i] = 0;
    for (int k = 0; k < pattern->start[pattern->n]; k++)
        scale[pattern->row[k]] = fmax(scale[pattern->row[k]], fabs(values[k]));
    for (int i = 0; i < pattern->n; i++)
        scale[i] = scale[i] > 0 ? ldexp(1, -ilogb(scale[i])) : 1;
}

/* Whether pivot k is what rounding left of a zero, as in pivots.c. */
static int is_cancelled(const double *lu, size_t n, size_t k, double rounding) {
    double pivot = fabs(lu[k * n + k]), sum = 0;
    for (size_t j = 0; j < k; j++)
        sum += fabs(lu[j * n + k] * lu[k * n + j]);
    return !(pivot > 0) || pivot <= rounding * sum;
}

static ln_factored factor(void *state, const double *values, int *again) {
    dense *factors = state;
    lapack_int n = factors->pattern->n;
    size_t size = (size_t)n;
    *again = 0;
    if (n == 0)
        return LN_FACTORED;
    scale_rows(factors->pattern, values, factors->scale);
    spread(factors->pattern, values, factors->scale, factors->lu);
    if (ln_lapack.LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, factors->lu, n, factors->pivot) != 0)
        return LN_SINGULAR;
    for (size_t k = 0; k < size; k++)
        if (fabs(factors->lu[k * size + k]) < SMALL &&
            is_cancelled(factors->lu, size, k, ln_rounding_of(n)))
            return LN_SINGULAR;
    return LN_FACTORED;
}

/* ---- solving ---- */

/* S K x = S b;  K' S (S^-1 x) = b */
static void solve(void *state, double *b) {
    dense *factors = state;
    lapack_int n = factors->pattern->n;
    if (n == 0)
        return;
    for (lapack_int i = 0; i < n; i++)
        b[i] *= factors->scale[i];
    ln_lapack.LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, factors->lu, n, factors->pivot, b,
                                  n);
}

static void solve_transposed(void *state, double *b) {
    dense *factors = state;
    lapack_int n = factors->pattern->n;
    if (n == 0)
        return;
    ln_lapack.LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', n, 1, factors->lu, n, factors->pivot, b,
                                  n);
    for (lapack_int i = 0; i < n; i++)
        b[i] *= factors->scale[i];
}

static long fill(const void *state) {
    long n = ((const dense *)state)->pattern->n;
    return n * n;
}

static double products(const void *state) {
    const double n = ((const dense *)state)->pattern->n;
    return n * n * n / 3;
}

const ln_backend ln_backend_dense = {LN_LINEAR_DENSE,  create, release,  factor, solve,
                                     solve_transposed, fill,   products, NULL};

/* ---- null spaces ---- */

int ln_dense_null(const ln_pattern *pattern, const double *values, int most, double *right,
                  double *left) {
    size_t n = (size_t)pattern->n;
    double *matrix = ln_sys->allocate(n * n * sizeof(double)),
           *u = ln_sys->allocate(n * n * sizeof(double));
    double *vt = ln_sys->allocate(n * n * sizeof(double)),
           *s = ln_sys->allocate(n * sizeof(double));
    int found = -1;
    if (ln_blas_begin() == LINNET_OK && matrix != NULL && u != NULL && vt != NULL && s != NULL) {
        lapack_int m = (lapack_int)n;
        spread(pattern, values, NULL, matrix);
        const lapack_int failed =
            ln_lapack.LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'A', m, m, matrix, m, s, u, m, vt, m);
        found = failed == LAPACK_WORK_MEMORY_ERROR ? -1 : 0;
        for (size_t k = n; failed == 0 && k-- > 0 && found < most && s[k] <= ZERO * s[0]; found++)
            for (size_t i = 0; i < n; i++) {
                right[(size_t)found * n + i] = vt[i * n + k];
                left[(size_t)found * n + i] = u[k * n + i];
            }
    }
    ln_sys->release(matrix);
    ln_sys->release(u);
    ln_sys->release(vt);
    ln_sys->release(s);
    return found;
}

/* ---- independent rows ---- */

/* R11 C = R12 by back substitution; qr: cols x rows as dgeqp3 leaves it. */
static void solve_dependence(const double *qr, size_t cols, size_t rows, size_t rank,
                             double *dependence) {
    size_t rest = rows - rank;
    for (size_t k = 0; k < rest; k++)
        for (size_t i = rank; i-- > 0;) {
            double sum = qr[(rank + k) * cols + i];
            for (size_t j = i + 1; j < rank; j++)
                sum -= qr[j * cols + i] * dependence[j * rest + k];
            dependence[i * rest + k] = sum / qr[i * cols + i];
        }
}

/* The rank by a QR decomposition with pivoting of the matrix's transpose, cols x rows, which it
 * becomes; -1: it failed. */
static int rank_by_qr(int rows, int cols, double *transposed, lapack_int *pivot, double *tau,
                      double tolerance) {
    const int most = rows < cols ? rows : cols;
    const size_t n = (size_t)cols;
    int rank = 0;
    if (cols > 0 &&
        ln_lapack.LAPACKE_dgeqp3(LAPACK_COL_MAJOR, cols, rows, transposed, cols, pivot, tau) != 0)
        return -1;
    while (rank < most &&
           fabs(transposed[(size_t)rank * n + (size_t)rank]) > tolerance * fabs(transposed[0]))
        rank++;
    return rank;
}

int ln_dense_row_basis(int rows, int cols, double *matrix, double tolerance, int *order,
                       double *dependence) {
    size_t m = (size_t)rows, n = (size_t)cols;
    double *transposed = ln_sys->allocate((m * n + 1) * sizeof(double)),
           *tau = ln_sys->allocate((m + n + 1) * sizeof(double));
    lapack_int *pivot = ln_sys->allocate((m + 1) * sizeof *pivot);
    int rank = -1;
    if (ln_blas_begin() == LINNET_OK && transposed != NULL && tau != NULL && pivot != NULL) {
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < n; j++)
                transposed[i * n + j] = matrix[j * m + i];
        memset(pivot, 0, m * sizeof *pivot);
        rank = rank_by_qr(rows, cols, transposed, pivot, tau, tolerance);
        for (size_t i = 0; i < m; i++)
            order[i] = n == 0 ? (int)i : (int)pivot[i] - 1;
        if (rank >= 0)
            solve_dependence(transposed, n, m, (size_t)rank, dependence);
    }
    ln_sys->release(transposed);
    ln_sys->release(tau);
    ln_sys->release(pivot);
    return rank;
}

/* ---- least squares ---- */

int ln_dense_least_squares(int rows, int cols, double *A, double tolerance, double *b) {
    const int longer = rows > cols ? rows : cols, shorter = rows < cols ? rows : cols;
    double *s = ln_sys->allocate(((size_t)shorter + 1) * sizeof *s);
    lapack_int rank = 0, info = s == NULL;
    if (ln_blas_begin() != LINNET_OK)
        info = 1;
    else if (s != NULL && shorter > 0)
        info = ln_lapack.LAPACKE_dgelsd(LAPACK_COL_MAJOR, rows, cols, 1, A, rows, b, longer, s,
                                        tolerance, &rank);
    ln_sys->release(s);
    return info == 0 ? (int)rank : -1;
}
