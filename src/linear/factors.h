/* SPDX-License-Identifier: MIT */
/* A view of sparse LU factors that sparse.c takes of KLU's object, so that neither the check of the
 * pivots nor the copy for fast solving has to know KLU.
 *
 *   P R^-1 A Q = L U + F, in blocks: L (unit diagonal, not stored) and U within the diagonal
 * blocks, F above them.
 *
 * All numbers k are positions in the pivot order. Columns of L and U are packed as KLU does it:
 * `length` row numbers, counted from the block's first, filled up to a whole double, then as many
 * values. */
#ifndef LN_LINEAR_FACTORS_H
#define LN_LINEAR_FACTORS_H

#include <stddef.h>

typedef struct ln_factors {
    int n, blocks;
    const int *first;        /* blocks + 1: first position of each block */
    const int *row, *column; /* n: row and column of A at each position */
    const double *scale;     /* n: R in pivot order, divides the row */
    const double *pivot;     /* n: diagonal of U */
    void *const *data;       /* per block: its packed columns, in units of doubles */
    /* n; not set for blocks of one row */
    const int *lower_at, *lower_length, *upper_at, *upper_length;
    const int *beside_start, *beside_row; /* F by columns */
    const double *beside_value;
} ln_factors;

typedef struct ln_factor_column {
    int length;
    const int *row; /* counted from the block's first */
    const double *value;
} ln_factor_column;

static inline ln_factor_column ln_packed_column(const ln_factors *factors, int block, int at,
                                                int length) {
    const double *place = (const double *)factors->data[block] + at;
    size_t padded = ((size_t)length * sizeof(int) + sizeof(double) - 1) / sizeof(double);
    return (ln_factor_column){length, (const int *)(const void *)place, place + padded};
}

static inline ln_factor_column ln_lower_column(const ln_factors *factors, int block, int k) {
    return ln_packed_column(factors, block, factors->lower_at[k], factors->lower_length[k]);
}

static inline ln_factor_column ln_upper_column(const ln_factors *factors, int block, int k) {
    return ln_packed_column(factors, block, factors->upper_at[k], factors->upper_length[k]);
}

/* A pivot below this part of its column is looked at by its terms. */
#define LN_SMALL_PIVOT 1e-9

/* Whether the factors may be used: multipliers stay within `growth`, and no pivot is what rounding
 * left of a zero. */
typedef enum ln_soundness { LN_SOUND, LN_GROWN, LN_CANCELLED } ln_soundness;
ln_soundness ln_factors_check(const ln_factors *factors, double growth);

/* How small a pivot may be against the terms whose difference it is, for a matrix of n rows (see
 * pivots.c). */
double ln_rounding_of(int n);

#endif
