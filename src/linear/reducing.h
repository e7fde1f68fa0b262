/* SPDX-License-Identifier: MIT */
/* Private to reduce.h: the rows while they are reduced, one elimination, and the choice of pivots.
 */
#ifndef LN_LINEAR_REDUCING_H
#define LN_LINEAR_REDUCING_H

#include "linear/reduce.h"

#include <float.h>

/* How far an entry of the pencil may be wrong, relatively: its parameters are rounded, and so are
 * the few operations by which a block makes it from them (a coupling k sqrt(L1 L2), a slope). */
#define LN_ENTRY_NOISE (4 * DBL_EPSILON)

/* One elimination: row `from`, times s e + a of each factor, has been subtracted from other rows.
 */
typedef struct ln_step {
    int row, unknown;          /* unknown: what the row gives; -1: it stays (a pivot of E) */
    ln_reduced_entry *factors; /* col: the row it was subtracted from */
    size_t nfactors, factors_room;
    const ln_cells *content; /* of the row, when it gives an unknown */
    double pivot;
} ln_step;

struct ln_reduction {
    ln_step *steps;
    size_t count, room;
    const int *unknown, *row; /* m: of each state, its unknown and its row */
    const double *scale;      /* m: what its row was divided by */
    int n, m;
};

typedef enum ln_reduced_part { LN_PART_E, LN_PART_A } ln_reduced_part;
typedef enum ln_role { LN_ROLE_ACTIVE, LN_ROLE_PIVOT, LN_ROLE_GONE, LN_ROLE_OUTPUT } ln_role;

typedef struct ln_reducing {
    ln_arena *arena;
    int n, nrows, round;
    ln_cells *rows;
    ln_role *roles;
    int **column; /* per unknown: rows that have had a cell there */
    size_t *column_count, *column_room;
    int *live;    /* per unknown: how many rows have a cell */
    int *members; /* per unknown: how many candidates have an entry of E there */
    char *has_e;  /* per unknown: there may be entries of E */
    int *place;   /* work, per column: cell of the row at hand, 0: none */
    double *row_scale, *column_scale, *row_most, *column_most;
    char *late_unknown, *late_row;
    int *order, nordered; /* pivot rows of E, in their order */
    int *pivot;           /* per row: its pivot unknown */
    struct ln_reduction *log;
    linnet_status status;
} ln_reducing;

/* The cell of a row in a column, made if there is none; NULL when memory is short. The caller
 * clears `place` of that column, or keeps it right for all cells of the row. */
ln_reduced_entry *ln_cell_at(ln_reducing *reduction, int row, int col);
/* The cell of a row in a column, NULL: none. */
ln_reduced_entry *ln_find_cell(const ln_reducing *reduction, int row, int col);

/* Cells of a row that are nothing go; `place` of its columns is cleared. */
void ln_tidy(ln_reducing *reduction, int row);

/* Subtracts row `row` from all others that have its pivot column, so that they lose it (gives), or
 * only E of it; with `above` from rows that are pivots already, too. The step is noted. */
void ln_eliminate(ln_reducing *reduction, int row, int col, int gives, int above);

/* Scales by which entries of E or A of the active rows can be compared. */
void ln_pivots_scale(ln_reducing *reduction, ln_reduced_part which);
/* The cheapest of those candidates' entries that are large enough in their row and column; 0: there
 * is none. */
int ln_pivots_choose(ln_reducing *reduction, ln_reduced_part which, const char *candidate, int *row,
                     int *col);

#endif
