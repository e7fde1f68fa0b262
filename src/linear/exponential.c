/* SPDX-License-Identifier: MIT */
/* exp(A) by scaling and squaring with the Pade approximant of degree 13 (N. J. Higham, SIAM J.
 * Matrix Anal. Appl. 26 (2005) 1179, algorithm 2.3), of the matrix balanced by powers of two: a
 * transfer function at 1e6 rad/s that is written with 1 at s = 0 has entries of 1e18. */
#include "linear/backend.h"
#include "linear/lapack.h"
#include "linear/linear.h"

#include "base/arena.h"
#include <math.h>
#include <string.h>

static void multiply(int n, const double *a, const double *b, double *out) {
    memset(out, 0, (size_t)n * (size_t)n * sizeof *out);
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) {
            const double factor = b[j * n + k];
            for (int i = 0; i < n && factor != 0; i++)
                out[j * n + i] += a[k * n + i] * factor;
        }
}

static double largest_column(int n, const double *a) {
    double most = 0;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += fabs(a[j * n + i]);
        most = fmax(most, sum);
    }
    return most;
}

/* out = c6 A6 + c4 A4 + c2 A2 + c0 1 */
static void polynomial(int n, double *const power[3], const double c[4], double *out) {
    for (int k = 0; k < n * n; k++)
        out[k] = c[3] * power[2][k] + c[2] * power[1][k] + c[1] * power[0][k];
    for (int k = 0; k < n; k++)
        out[k * n + k] += c[0];
}

/* The approximant of a small A in place; work: seven matrices. */
static int approximate(int n, double *A, double *const work[7], int *pivot) {
    static const double b[] = {64764752532480000,
                               32382376266240000,
                               7771770303897600,
                               1187353796428800,
                               129060195264000,
                               10559470521600,
                               670442572800,
                               33522128640,
                               1323241920,
                               40840800,
                               960960,
                               16380,
                               182,
                               1};
    double *const power[3] = {work[0], work[1], work[2]}, *odd = work[3], *even = work[4],
                  *part = work[5], *rest = work[6];
    multiply(n, A, A, power[0]);
    multiply(n, power[0], power[0], power[1]);
    multiply(n, power[1], power[0], power[2]);
    polynomial(n, power, (const double[]){0, b[9], b[11], b[13]}, part);
    multiply(n, power[2], part, odd);
    polynomial(n, power, (const double[]){b[1], b[3], b[5], b[7]}, part);
    for (int k = 0; k < n * n; k++)
        part[k] += odd[k];
    multiply(n, A, part, odd);
    polynomial(n, power, (const double[]){0, b[8], b[10], b[12]}, part);
    multiply(n, power[2], part, even);
    polynomial(n, power, (const double[]){b[0], b[2], b[4], b[6]}, rest);
    for (int k = 0; k < n * n; k++) {
        even[k] += rest[k];
        part[k] = even[k] - odd[k];
        A[k] = even[k] + odd[k];
    }
    return ln_lapack.LAPACKE_dgesv(LAPACK_COL_MAJOR, n, n, part, n, pivot, A, n) == 0;
}

void ln_dense_balance(int n, double *A, double *scale) {
    lapack_int low, high;
    for (int k = 0; k < n; k++)
        scale[k] = 1;
    if (n > 0 && ln_blas_begin() == LINNET_OK)
        (void)ln_lapack.LAPACKE_dgebal(LAPACK_COL_MAJOR, 'S', n, A, n, &low, &high, scale);
}

/* Balanced. A row of zeros (an input that is held) has no size: its column is brought down to the
 * largest of the others. */
static void balance(int n, double *A, double *scale) {
    ln_dense_balance(n, A, scale);
    double others = 0;
    for (int pass = 0; pass < 2; pass++) /* first those with a row, then the held ones */
        for (int j = 0; j < n; j++) {
            double row = 0, column = 0;
            for (int i = 0; i < n; i++) {
                row = fmax(row, fabs(A[i * n + j]));
                column = fmax(column, fabs(A[j * n + i]));
            }
            if (pass == 0 && row > 0)
                others = fmax(others, column);
            if (pass == 0 || row > 0 || !(column > others) || !(others > 0) || !isfinite(column))
                continue;
            const double by = ldexp(1, ilogb(others) - ilogb(column));
            for (int i = 0; i < n; i++)
                A[j * n + i] *= by;
            scale[j] *= by;
        }
}

/* exp(A) = (exp(A/2^s))^(2^s) (N. J. Higham, SIAM J. Matrix Anal. Appl. 26, 2005): the s by which
 * the norm comes below the 13th approximant's bound; -1: it is out of reach. */
static int squarings_for(double norm) {
    const double largest = 5.371920351148152;
    const int squarings = norm > largest ? (int)ceil(log2(norm / largest)) : 0;
    return isfinite(norm) && squarings <= 1000 ? squarings : -1;
}

static linnet_status exponential(int n, double *A, ln_arena *arena) {
    const size_t size = (size_t)n * (size_t)n;
    double *all = LN_NEW(arena, double, 7 * size), *scale = LN_NEW(arena, double, n), *work[7];
    int *pivot = LN_NEW(arena, int, n);
    if (!LN_ALL_SET(all, pivot, scale))
        return LINNET_MEMORY;
    for (int k = 0; k < 7; k++)
        work[k] = all + (size_t)k * size;
    if (!isfinite(largest_column(n, A)))
        return LINNET_FAILED;
    balance(n, A, scale);
    const int squarings = squarings_for(largest_column(n, A));
    if (squarings < 0)
        return LINNET_FAILED;
    for (size_t k = 0; k < size; k++)
        A[k] = ldexp(A[k], -squarings);
    if (n > 0 && !approximate(n, A, work, pivot))
        return LINNET_FAILED;
    for (int k = 0; k < squarings; k++) {
        memcpy(work[0], A, size * sizeof *A);
        multiply(n, work[0], work[0], A);
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            A[j * n + i] *= scale[i] / scale[j];
    return isfinite(largest_column(n, A)) ? LINNET_OK : LINNET_FAILED;
}

linnet_status ln_dense_exponential(int n, double *A) {
    LN_TRY(ln_blas_begin());
    ln_arena *arena = ln_arena_new();
    linnet_status status = arena == NULL ? LINNET_MEMORY : exponential(n, A, arena);
    ln_arena_free(arena);
    return status;
}
