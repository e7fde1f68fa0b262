/* SPDX-License-Identifier: MIT */
/* What a system stores: which rows of E + dq_nl are independent, and of which parts only
 * differences are stored.
 *
 * Rows are joined to parts where they share an unknown. A part of one row stores, or has no entry
 * at all. Most larger parts are like a network of capacitors: in each row the diagonal entry is at
 * least the sum of the others. Then a search along the entries decides the rank, in time
 * proportional to their number, and by no tolerance but that of a sum:
 *
 * - Where every row is joined to a row whose diagonal entry is larger than that sum (a capacitor to
 * ground), the rank is full: the part is weakly chained diagonally dominant [Shivakumar, Chew,
 * Proc. Amer. Math. Soc. 43, 1974].
 * - Where all rows and all columns of the part add up to zero (it floats), without one row and its
 * column that holds: the rank is one less, and the sum of all rows of the part stores nothing.
 *
 * In a part that is neither (ideally coupled coils, storage behind gyrators), the rows that are
 * dominant are eliminated by a sparse factorisation, and a rank-revealing QR factorisation decides
 * on the rest. */
#ifndef LN_SYSTEM_STORAGE_H
#define LN_SYSTEM_STORAGE_H

#include "system/system.h"

typedef struct ln_storage {
    int n, rank;              /* unknowns, independent rows */
    const char *differential; /* n: 1 where row k is one of the independent rows */
    /* New row k is sum_i coefficient[i] row row[i], i = start[k] .. start[k+1]-1: of an independent
     * row the row itself (coefficient 1), of another the combination of rows, itself first, in
     * which nothing is stored. */
    const int *start, *row;
    const double *coefficient;
    const int *part;     /* n: the floating part that an unknown belongs to, or -1 */
    const int *row_part; /* n: that a row belongs to, or -1 */
    /* nparts: the row of the part that is replaced by the sum of the part's rows, which is also the
     * number of the part's common unknown */
    const int *common;
    int nparts;
    /* rows of the largest rest that a QR factorisation decided on; 0: there was none */
    int dense;
} ln_storage;

/* Splits the rows of E and of the dq of the last ln_system_eval(). Everything lives in the arena.
 * LINNET_RETRY: the slopes of what is stored are beyond what numbers can tell. LINNET_MEMORY is not
 * reported. */
linnet_status ln_storage_split(const ln_system *system, ln_arena *arena, ln_storage *storage);

/* E + dq and A + df by rows: columns of these matrices are rows of the system. With the dq and df
 * of the last ln_system_eval(), and the leaks (leaks.h; NULL: none) closed; in the arena.
 * LINNET_MEMORY is not reported. */
linnet_status ln_system_by_rows(const ln_system *system, const char *leaks, ln_arena *arena,
                                ln_matrix *E, ln_matrix *A);

#endif
