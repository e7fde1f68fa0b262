/* SPDX-License-Identifier: MIT */
/* Null vectors of a singular matrix, for messages: by SVD while that is quick, else by inverse
 * iteration on a slightly shifted sparse factorisation. Rows and columns are scaled to largest
 * entry 1 first, so that what counts as zero does not depend on units. At last the basis is brought
 * to a form in which each vector has an unknown of its own: two parts without reference come out as
 * two vectors, each with the unknowns of one part. */
#include "base/finite.h"
#include "base/sys.h"
#include "linear/backend.h"

#include <math.h>
#include <string.h>

enum { LARGEST_DENSE = 1500, TURNS = 3 };
static const double SHIFT = 1e-11; /* on the diagonal of the scaled matrix */
/* |K v| of a unit vector below which it is a null vector */
static const double RESIDUAL = 1e-8;
static const double NOISE = 1e-8; /* entries of a basis vector below it are zero */

/* Scales rows, then columns, to largest entry 1; the factors go to r and c. */
static void equilibrate(const ln_pattern *pattern, double *values, double *r, double *c) {
    for (int i = 0; i < pattern->n; i++)
        r[i] = 0;
    for (int k = 0; k < pattern->start[pattern->n]; k++)
        r[pattern->row[k]] = fmax(r[pattern->row[k]], fabs(values[k]));
    for (int i = 0; i < pattern->n; i++)
        r[i] = r[i] > 0 ? 1 / r[i] : 1;
    for (int j = 0; j < pattern->n; j++) {
        double largest = 0;
        for (int k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            largest = fmax(largest, fabs(values[k] *= r[pattern->row[k]]));
        c[j] = largest > 0 ? 1 / largest : 1;
        for (int k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            values[k] *= c[j];
    }
}

/* ---- inverse iteration ---- */

/* The pattern with its whole diagonal, and K + shift there. */
static void shifted(const ln_pattern *from, const double *values, int *start, int *row,
                    double *value) {
    int count = 0;
    for (int j = 0; j < from->n; j++) {
        int k = from->start[j], end = from->start[j + 1];
        start[j] = count;
        for (; k < end && from->row[k] < j; k++, count++) {
            row[count] = from->row[k];
            value[count] = values[k];
        }
        row[count] = j;
        value[count] = SHIFT * (1.5 + sin(j)); /* without a structure that could cancel */
        if (k < end && from->row[k] == j)
            value[count] += values[k++];
        count++;
        for (; k < end; k++, count++) {
            row[count] = from->row[k];
            value[count] = values[k];
        }
    }
    start[from->n] = count;
}

static double norm(const double *v, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sqrt(sum);
}

static void scale_by(double *v, size_t n, double factor) {
    for (size_t i = 0; i < n; i++)
        v[i] *= factor;
}

/* Gram and Schmidt with pivoting: what all vectors have in common comes first, alone. */
static void orthonormalise(double *basis, size_t n, int count) {
    for (int a = 0; a < count; a++) {
        double *v = basis + (size_t)a * n;
        int longest = a;
        for (int b = a + 1; b < count; b++)
            if (norm(basis + (size_t)b * n, n) > norm(basis + (size_t)longest * n, n))
                longest = b;
        for (size_t i = 0; i < n && longest != a; i++) {
            double swap = v[i];
            v[i] = basis[(size_t)longest * n + i];
            basis[(size_t)longest * n + i] = swap;
        }
        double size = norm(v, n);
        scale_by(v, n, size > 0 ? 1 / size : 0);
        for (int b = a + 1; b < count; b++) {
            double *w = basis + (size_t)b * n, along = 0;
            for (size_t i = 0; i < n; i++)
                along += v[i] * w[i];
            for (size_t i = 0; i < n; i++)
                w[i] -= along * v[i];
        }
    }
}

/* |K v|, or |K' v| */
static double residual(const ln_pattern *pattern, const double *values, int transposed,
                       const double *v, double *work) {
    memset(work, 0, (size_t)pattern->n * sizeof *work);
    for (int j = 0; j < pattern->n; j++)
        for (int k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
            if (transposed)
                work[j] += values[k] * v[pattern->row[k]];
            else
                work[pattern->row[k]] += values[k] * v[j];
        }
    return norm(work, (size_t)pattern->n);
}

/* The matrix, and the factors of one beside it. */
typedef struct nearly_singular {
    const ln_pattern *pattern;
    const double *values;
    ln_linear *linear;
    double *work; /* n */
} nearly_singular;

/* Turns `count` start vectors into null vectors; those that are come first and are counted. */
static int iterate(const nearly_singular *matrix, int transposed, int count, double *basis) {
    ln_linear *linear = matrix->linear;
    size_t n = (size_t)matrix->pattern->n;
    for (int a = 0; a < count; a++)
        for (size_t i = 0; i < n; i++)
            basis[(size_t)a * n + i] = 1 + 0.5 * sin((double)(a + 1) * (double)i);
    for (int turn = 0; turn < TURNS; turn++) {
        for (int a = 0; a < count; a++) {
            if (transposed)
                ln_linear_solve_transposed(linear, basis + (size_t)a * n);
            else
                ln_linear_solve(linear, basis + (size_t)a * n);
        }
        orthonormalise(basis, n, count);
    }
    int found = 0;
    while (found < count && norm(basis + (size_t)found * n, n) > 0.5 &&
           residual(matrix->pattern, matrix->values, transposed, basis + (size_t)found * n,
                    matrix->work) <= RESIDUAL)
        found++;
    return found;
}

static int inverse_iteration(const ln_pattern *pattern, const double *values, int most,
                             double *right, double *left) {
    int found = -1;
    size_t n = (size_t)pattern->n, entries = (size_t)pattern->start[n] + n;
    int *start = ln_sys->allocate((n + 1) * sizeof *start),
        *row = ln_sys->allocate(entries * sizeof *row);
    double *value = ln_sys->allocate(entries * sizeof *value),
           *work = ln_sys->allocate(n * sizeof *work);
    if (start != NULL && row != NULL && value != NULL && work != NULL) {
        shifted(pattern, values, start, row, value);
        ln_pattern with = {pattern->n, start, row};
        ln_linear *linear = ln_linear_new(&with, LN_LINEAR_SPARSE);
        const ln_factored done =
            linear != NULL ? ln_linear_factor(linear, value) : LN_FACTOR_MEMORY;
        found = done == LN_FACTOR_MEMORY ? -1 : 0;
        if (done == LN_FACTORED) {
            const nearly_singular matrix = {pattern, values, linear, work};
            const int unknowns = iterate(&matrix, 0, most, right);
            const int equations = iterate(&matrix, 1, most, left);
            found = unknowns < equations ? unknowns : equations;
        }
        ln_linear_free(linear);
    }
    ln_sys->release(start);
    ln_sys->release(row);
    ln_sys->release(value);
    ln_sys->release(work);
    return found;
}

/* ---- the basis a reader understands ---- */

/* Gauss and Jordan: each vector gets an entry 1 where all others have 0; then each is scaled to
 * largest entry 1. */
static void separate(double *basis, size_t n, int count) {
    for (int a = 0; a < count; a++) {
        double *v = basis + (size_t)a * n;
        size_t largest = 0;
        for (size_t i = 1; i < n; i++)
            if (fabs(v[i]) > fabs(v[largest]))
                largest = i;
        if (!(fabs(v[largest]) > 0))
            continue;
        scale_by(v, n, 1 / v[largest]);
        for (int b = 0; b < count; b++) {
            double *w = basis + (size_t)b * n, along = w[largest];
            for (size_t i = 0; b != a && i < n; i++)
                w[i] -= along * v[i];
        }
    }
    for (int a = 0; a < count; a++) {
        double *v = basis + (size_t)a * n, largest = 0;
        for (size_t i = 0; i < n; i++)
            if (fabs(v[i]) > fabs(largest))
                largest = v[i];
        for (size_t i = 0; i < n && largest != 0; i++)
            v[i] = fabs(v[i] / largest) < NOISE ? 0 : v[i] / largest;
    }
}

int ln_linear_null(const ln_pattern *pattern, const double *values, int most, double *right,
                   double *left) {
    size_t n = (size_t)pattern->n, entries = (size_t)pattern->start[n];
    if (most < 1 || n == 0)
        return 0;
    if (most > pattern->n)
        most = pattern->n;
    if (!ln_all_finite(values, entries))
        return 0;
    int found = -1;
    double *scaled = ln_sys->allocate((entries + 1) * sizeof *scaled),
           *r = ln_sys->allocate(2 * n * sizeof *r);
    if (scaled != NULL && r != NULL) {
        double *c = r + n;
        memcpy(scaled, values, entries * sizeof *scaled);
        equilibrate(pattern, scaled, r, c);
        found = n <= LARGEST_DENSE ? ln_dense_null(pattern, scaled, most, right, left)
                                   : inverse_iteration(pattern, scaled, most, right, left);
        for (size_t k = 0; found > 0 && k < n * (size_t)found; k++) {
            right[k] *= c[k % n];
            left[k] *= r[k % n];
        }
        separate(right, n, found);
        separate(left, n, found);
    }
    ln_sys->release(scaled);
    ln_sys->release(r);
    return found;
}
