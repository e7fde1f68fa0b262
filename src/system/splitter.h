/* SPDX-License-Identifier: MIT */
/* Private to the split of what is stored: storage.c goes through the parts, splitter.c takes those
 * apart whose rank takes a factorisation, cycles.c what is redundant of their dependent rows. */
#ifndef LN_SYSTEM_SPLITTER_H
#define LN_SYSTEM_SPLITTER_H

#include "system/storage.h"

/* Sums of so many stamps that cancel leave rounding; below this share of their terms they are zero.
 */
#define LN_STORED_ROUNDING 1e-13

typedef struct ln_splitter {
    ln_arena *scratch;
    const int
        *balance; /* per row: that of its part, which stores nothing (ln_system.balance_row) */
    int n;
    ln_matrix by_col, by_row; /* E + dq without zeros, and its transpose */
    double *diagonal;         /* per row: the size of its diagonal entry */
    /* per row: |diagonal| minus the sum of the other entries' sizes; 0 within rounding */
    double *slack;
    int *first, *next;   /* rows of each part, chained by its root, rising */
    int *member, *queue; /* rows of the part at hand; work */
    char *seen;
    /* per row: its terms beside itself, in `row` and `coefficient` */
    int *extra_start, *extra_count;
    int *row;
    double *coefficient;
    size_t row_room, coefficient_room, count;
    char *differential;
    int *part, *row_part, *common;
    int nparts, dense;
} ln_splitter;

/* One more term of a dependent row. 0 when memory is short. */
int ln_splitter_add(ln_splitter *splits, int dependent, int row, double coefficient);
/* The m rows of the part at hand, without row and unknown `common` (-1: none). LINNET_RETRY: the
 * slopes of what is stored are beyond what numbers can tell. LINNET_MEMORY is not reported. */
linnet_status ln_splitter_by_rank(ln_splitter *splits, int m, int common);
/* Dependent rows that follow from each other are combined among themselves (cycles.c).
 * LINNET_MEMORY is not reported. */
linnet_status ln_splitter_close_cycles(ln_splitter *splits);

#endif
