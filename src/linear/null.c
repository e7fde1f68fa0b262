/* SPDX-License-Identifier: MIT */
/* Null vectors of a singular matrix, for messages: all of them by SVD while that is quick, else one by inverse iteration
 * on a slightly shifted sparse factorisation. */
#include "base/sys.h"
#include "linear/backend.h"

#include <math.h>
#include <string.h>

enum { LARGEST_DENSE = 1500, TURNS = 4 };

/* The pattern with its whole diagonal, and K + shift there, shift a tiny part of the column's size. */
static int shifted(const ln_pattern *from, const double *values, int *start, int *row, double *value) {
    int count = 0;
    for (int j = 0; j < from->n; j++) {
        double size = 0;
        int placed = 0;
        start[j] = count;
        for (int k = from->start[j]; k < from->start[j + 1]; k++) size = fmax(size, fabs(values[k]));
        double shift = 1e-10 * (size > 0 ? size : 1);
        for (int k = from->start[j]; k <= from->start[j + 1]; k++) {
            int last = k == from->start[j + 1];
            if (!placed && (last || from->row[k] >= j)) {
                int there = !last && from->row[k] == j;
                row[count] = j;
                value[count++] = shift + (there ? values[k] : 0);
                placed = 1;
                if (there) continue;
            }
            if (last) break;
            row[count] = from->row[k];
            value[count++] = values[k];
        }
    }
    start[from->n] = count;
    return count;
}

static void normalise(double *v, int n) {
    double largest = 0;
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(v[i]));
    for (int i = 0; largest > 0 && i < n; i++) v[i] /= largest;
}

static int inverse_iteration(const ln_pattern *pattern, const double *values, double *right, double *left) {
    int n = pattern->n, found = -1;
    size_t entries = (size_t)pattern->start[n] + (size_t)n + 1;
    int *start = ln_sys->allocate(((size_t)n + 1) * sizeof *start), *row = ln_sys->allocate(entries * sizeof *row);
    double *value = ln_sys->allocate(entries * sizeof *value);
    if (start != NULL && row != NULL && value != NULL) {
        shifted(pattern, values, start, row, value);
        ln_pattern with = {n, start, row};
        ln_linear *linear = ln_linear_new(&with, LN_LINEAR_SPARSE);
        if (linear != NULL && ln_linear_factor(linear, value) == LN_FACTORED) {
            for (int i = 0; i < n; i++) right[i] = left[i] = 1 + 0.1 * sin(i);
            for (int turn = 0; turn < TURNS; turn++) {
                ln_linear_solve(linear, right);
                normalise(right, n);
                ln_linear_solve_transposed(linear, left);
                normalise(left, n);
            }
            found = 1;
        }
        ln_linear_free(linear);
    }
    ln_sys->release(start);
    ln_sys->release(row);
    ln_sys->release(value);
    return found;
}

int ln_linear_null(const ln_pattern *pattern, const double *values, int most, double *right, double *left) {
    if (most < 1 || pattern->n == 0) return 0;
    double test = 0;
    for (int k = 0; k < pattern->start[pattern->n]; k++) test += values[k] * 0.0;
    if (test != 0) return -1;
    return pattern->n <= LARGEST_DENSE ? ln_dense_null(pattern, values, most, right, left)
                                       : inverse_iteration(pattern, values, right, left);
}
