/* SPDX-License-Identifier: MIT */
/* exp(A) by scaling and squaring with the Pade approximant of degree 13 (N. J. Higham, SIAM J.
 * Matrix Anal. Appl. 26 (2005) 1179, algorithm 2.3). */
#include "linear/linear.h"

#include "base/arena.h"
#include <lapacke.h>
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
    return LAPACKE_dgesv(LAPACK_COL_MAJOR, n, n, part, n, pivot, A, n) == 0;
}

linnet_status ln_dense_exponential(int n, double *A) {
    const double norm = largest_column(n, A), largest = 5.371920351148152;
    if (!isfinite(norm))
        return LINNET_FAILED;
    const int squarings = norm > largest ? (int)ceil(log2(norm / largest)) : 0;
    ln_arena *arena = ln_arena_new();
    const size_t size = (size_t)n * (size_t)n;
    double *all = arena != NULL ? LN_NEW(arena, double, 7 * size) : NULL, *work[7];
    int *pivot = arena != NULL ? LN_NEW(arena, int, n) : NULL;
    linnet_status status = all != NULL && pivot != NULL ? LINNET_OK : LINNET_MEMORY;
    if (squarings > 1000)
        status = LINNET_FAILED;
    for (int k = 0; k < 7 && all != NULL; k++)
        work[k] = all + (size_t)k * size;
    for (size_t k = 0; k < size; k++)
        A[k] = ldexp(A[k], -squarings);
    if (status == LINNET_OK && n > 0 && !approximate(n, A, work, pivot))
        status = LINNET_FAILED;
    for (int k = 0; k < squarings && status == LINNET_OK; k++) {
        memcpy(work[0], A, size * sizeof *A);
        multiply(n, work[0], work[0], A);
    }
    ln_arena_free(arena);
    return status;
}
