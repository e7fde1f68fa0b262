/* SPDX-License-Identifier: MIT */
/* Sparse matrices of fixed pattern, assembled from scattered entries. */
#ifndef LN_SYSTEM_MATRIX_H
#define LN_SYSTEM_MATRIX_H

#include "base/arena.h"
#include "linear/linear.h"

/* The same matrix by rows, for products: rows of equal length that follow each other are a run.
 * first: where each row has one entry and these lie on a diagonal, as capacitors to ground do, the
 * column of the first, else -1. */
typedef struct ln_row_run {
    int length, count, first;
} ln_row_run;
typedef struct ln_rows {
    int nruns;
    ln_row_run *runs;
    int *col;      /* of all entries, row by row */
    double *value; /* a copy */
} ln_rows;

/* Values at the positions of a pattern (n x n, compressed columns). */
typedef struct ln_matrix {
    ln_pattern pattern;
    double *value;
    const ln_rows *rows; /* NULL: none */
} ln_matrix;
/* Makes matrix->rows from the values, which stay as they are from now on. LINNET_MEMORY is not
 * reported. */
linnet_status ln_matrix_list_rows(ln_matrix *matrix, ln_arena *arena);

/* Entries as they come, before their places are known. Zero-initialise; free with
 * ln_scattered_free(). */
typedef struct ln_scattered {
    int *row, *col;
    size_t count, row_room, col_room;
} ln_scattered;
/* Adds one entry; 0 when memory is short. */
int ln_scattered_add(ln_scattered *entries, int row, int col);
void ln_scattered_free(ln_scattered *entries);

/* The pattern of n x n that holds all entries, equal ones once, rows sorted within a column. It
 * lives in the arena. position[k], of as many places as there are entries and the caller's, is
 * where entry k stands in it. O(entries + n). LINNET_MEMORY when short (not reported). */
linnet_status ln_scattered_pattern(const ln_scattered *entries, int n, ln_arena *arena,
                                   ln_pattern *pattern, int *position);
/* The same with a matrix: `value` of the entries, added up in their order where several meet. */
linnet_status ln_scattered_matrix(const ln_scattered *entries, const double *value, int n,
                                  ln_arena *arena, ln_matrix *matrix);

/* Entries with values, of a matrix that is built once. Zero-initialise; free with
 * ln_triplets_free(). */
typedef struct ln_triplets {
    ln_scattered at;
    double *value;
    size_t room;
} ln_triplets;
/* Adds an entry, unless it is zero; 0 when memory is short. */
int ln_triplets_add(ln_triplets *triplets, int row, int col, double value);
/* The same for all entries of a matrix, and for `count` more that change: of these, zeros too,
 * which may be so at this point only. */
int ln_triplets_add_all(ln_triplets *triplets, const ln_matrix *matrix, int count, const int *row,
                        const int *col, const double *value);
void ln_triplets_free(ln_triplets *triplets);
/* The n x n matrix, or its transpose, whose columns are the rows: entries that meet at one place
 * are added up in the order in which they were added. It lives in the arena. LINNET_MEMORY is not
 * reported. */
linnet_status ln_triplets_matrix(const ln_triplets *triplets, int n, int transposed,
                                 ln_arena *arena, ln_matrix *matrix);

/* A matrix that is assembled again and again by a walk along its entries: their places are found
 * once and serve while the walk meets the same entries in the same order. Zero-initialise; free
 * with ln_reassembly_free(). */
typedef struct ln_reassembly {
    ln_scattered at;
    double *value; /* per entry of the walk */
    size_t room, count;
    ln_arena *arena;     /* of the pattern; NULL: there is none */
    const int *position; /* per entry: its place in the matrix */
    ln_matrix matrix;
} ln_reassembly;
void ln_reassembly_begin(ln_reassembly *assembly);
/* Adds an entry, also a zero; 0 when memory is short. */
int ln_reassembly_add(ln_reassembly *assembly, int row, int col, double value);
/* After a walk: has it met the entries of the pattern at hand? */
int ln_reassembly_is_known(const ln_reassembly *assembly);
/* The n x n matrix of a walk, assembly->matrix; entries that meet at one place are added up in the
 * order in which they were added. Its pattern stays where it is if ln_reassembly_is_known(). What
 * borrows another pattern must go first. LINNET_MEMORY is not reported. */
linnet_status ln_reassembly_finish(ln_reassembly *assembly, int n);
void ln_reassembly_free(ln_reassembly *assembly);

/* y = M x and y += M x; n values each. The bits are the same with rows and without. */
void ln_matrix_apply(const ln_matrix *matrix, const double *x, double *y);
void ln_matrix_add(const ln_matrix *matrix, const double *x, double *y);

#endif
