/* SPDX-License-Identifier: MIT */
/* The list of an elimination (replay.h), as it is built and used.
 *
 * The numbers of a column stand together: U above the pivot, the pivot, L below it; columns in the
 * order of their turns. What stands beside the diagonal blocks follows behind all columns. All rows
 * and columns are named by their turns: KLU's pivot order, sorted within each block. */
#ifndef LN_LINEAR_REPLAYING_H
#define LN_LINEAR_REPLAYING_H

#include "linear/replay.h"

/* One column: its position in KLU's order, its numbers above the pivot and below it. */
typedef struct column {
    int at, upper, lower;
} column;

/* A column of L: its first number, and how many there are. */
typedef struct multiple {
    int lower, length;
} multiple;

/* Neighbours that are too few alike for a loop of their own: each has counts of its own. */
enum { LN_MIXED = -1 };

/* Neighbours with as many numbers above the pivot, and below. */
typedef struct run {
    int upper, lower, columns;
} run;

/* Terms of a solution's sums: a number of the factors times an unknown. */
typedef struct term {
    int number, unknown;
} term;

/* Neighbours of a solution with as many terms: first sums of a block, second ones, or both in one
 * of blocks of one row. Rows from `turn` on, downwards but for first sums. */
typedef enum sums_kind { FORWARD, BACKWARD, SINGLE } sums_kind;
typedef struct sums {
    sums_kind kind;
    int count, rows, turn;
} sums;

/* An entry of the matrix and its number. */
typedef struct spot {
    int entry, target;
} spot;

struct ln_replay {
    int n, blocks, numbers, beside; /* numbers: of all columns; beside: of those behind them */
    const int *first;               /* KLU's: the first of each block */
    column *columns;
    double *scale;     /* n: of the rows */
    double *value;     /* the numbers */
    double *x, *pivot; /* n each: work; the pivots once more */
    run *runs;         /* all columns */
    sums *sums;        /* a solution */
    int nruns, nsums;
    term *terms;             /* in the order of their use */
    int *forward, *backward; /* n each: terms of each row's first sum and of its second */
    int *from_row, *to; /* n each: row of b that begins it, and unknown that the second one gives */
    int *length;        /* n: entries of each row of the matrix, */
    spot *spots;        /* which stand here row by row */
    int *fill, nfill;   /* places without an entry */
    multiple *by;       /* of each number above a pivot: what it multiplies */
    int *hit;           /* of each product: what it is taken from */
    int *begin, *at_row;                   /* first number of each column; row of each number */
    int *turn, *place, *row_turn, *target; /* of the build: n each; entries of the matrix */
};

#endif
