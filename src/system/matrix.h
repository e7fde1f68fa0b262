/* SPDX-License-Identifier: MIT */
/* Sparse matrices of fixed pattern, assembled from scattered entries. */
#ifndef LN_SYSTEM_MATRIX_H
#define LN_SYSTEM_MATRIX_H

#include "base/arena.h"
#include "linear/linear.h"

/* Values at the positions of a pattern (n x n, compressed columns). */
typedef struct ln_matrix {
    ln_pattern pattern;
    double *value;
} ln_matrix;

/* Entries as they come, before their places are known. Zero-initialise; free with
 * ln_scattered_free(). */
typedef struct ln_scattered {
    int *row, *col;
    size_t count, row_room, col_room;
} ln_scattered;
/* Adds one entry; 0 when memory is short. */
int ln_scattered_add(ln_scattered *entries, int row, int col);
void ln_scattered_free(ln_scattered *entries);

/* The pattern of n x n that holds all entries, equal ones once, rows sorted within a column;
 * position[k] is where entry k stands in it. Both live in the arena. O(entries + n). LINNET_MEMORY
 * when short (not reported). */
linnet_status ln_scattered_pattern(const ln_scattered *entries, int n, ln_arena *arena,
                                   ln_pattern *pattern, const int **position);

/* y = M x and y += M x; n values each. */
void ln_matrix_apply(const ln_matrix *matrix, const double *x, double *y);
void ln_matrix_add(const ln_matrix *matrix, const double *x, double *y);

#endif
