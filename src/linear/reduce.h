/* SPDX-License-Identifier: MIT */
/* A pencil reduced to its states: what is left of (s E + A) x = B u, y = C x + D u when its algebra
 * is solved and its index is removed,
 *
 *     s z = F z + (G_0 + s G_1 + s^2 G_2 + ...) u,       y = C z + (H_0 + s H_1 + ...) u,
 *
 * with the same finite eigenvalues. Each z is an unknown of the pencil. The method is the shuffle
 * algorithm (D. G. Luenberger, Time-invariant descriptor systems, Automatica 14, 1978) with sparse
 * elimination. One round:
 *
 *     rows of E are subtracted from each other until those that are left with an entry in E are
 * independent; each row that is left without one is a constraint: it gives one of its unknowns,
 * which is put into all other rows.
 *
 * The rounds end when E is regular; their number is the index of the pencil. Pivots are chosen as
 * Markowitz did (the fewest new entries) among those of at least a tenth of their row and column.
 *
 * Whether an entry is zero decides how many modes there are. So numbers have twice the length of a
 * double, which leaves nothing to rounding here, and each entry carries what the rounding of the
 * pencil's own entries makes of the terms it is the sum of. An entry below that is no pivot, and a
 * row of E without a pivot has none. */
#ifndef LN_LINEAR_REDUCE_H
#define LN_LINEAR_REDUCE_H

#include "linear/eigen.h"
#include "linear/wide.h"

#include <complex.h>

/* One entry of a row: s e + a, and by how much e and a may be wrong. */
typedef struct ln_reduced_entry {
    int col;
    ln_wide e, a;
    double e_noise, a_noise;
} ln_reduced_entry;

typedef struct ln_cells {
    ln_reduced_entry *items;
    size_t count, room;
} ln_cells;

/* Inputs and outputs that are carried along; NULL pointers for none. */
typedef struct ln_border {
    int ninputs, noutputs;
    const double *B; /* n x ninputs, column by column */
    const double *C; /* noutputs x n, row by row */
    const double *D; /* noutputs x ninputs, row by row */
} ln_border;

enum { LN_REDUCED_DEPTH = 16 }; /* highest derivative of an input, and one more */

typedef struct ln_reduced {
    int n, m, index;
    const int *unknown; /* m: which unknown each state is */
    /* m: the row of each state, s e + a with e = 1 at its own state. Columns: k < m is state k; m +
     * j LN_REDUCED_DEPTH + d is the derivative d of input j */
    const ln_cells *rows;
    const ln_cells *outputs; /* noutputs: y = sum of a times what the column is */
    /* n: 1 for an unknown that only a constraint behind a derivative gives */
    const char *late_unknown;
    const char *late_row;             /* n: 1 for a row of E that became such a constraint */
    const struct ln_reduction *steps; /* for the way back */
} ln_reduced;

/* Everything lives in the arena. LINNET_RETRY, not reported: the pencil is singular. LINNET_FAILED,
 * not reported: a derivative of an input above LN_REDUCED_DEPTH. LINNET_MEMORY. */
linnet_status ln_reduce(const ln_pencil *pencil, const ln_border *border, ln_arena *arena,
                        ln_reduced *out);

/* How many finite eigenvalues a pencil has, without the rest of it. */
linnet_status ln_reduced_degree(const ln_pencil *pencil, int *degree);

/* Vectors of the whole pencil (n) from those of F (m): x with (s E + A) x = 0 from F z = s z; w
 * with w^H (s E + A) = 0 from v^H F = s v^H. */
void ln_reduced_right(const ln_reduced *reduced, const double complex *z, double complex *x);
void ln_reduced_left(const ln_reduced *reduced, const double complex *v, double complex s,
                     double complex *w);

/* The same as x' = A x + B u, y = C x + D u: states that move with an input's derivative give way
 * to what is left of them without that input, x = z + g_1 u + ... Matrices column by column. */
typedef struct ln_proper {
    int m, ninputs, noutputs;
    double *A, *B, *C, *D; /* m x m, m x ninputs, noutputs x m, noutputs x ninputs */
    char *improper;        /* noutputs x ninputs: 1 where the output sees the input's derivative */
} ln_proper;

/* Lives in the arena. LINNET_MEMORY. */
linnet_status ln_reduced_proper(const ln_reduced *reduced, const ln_border *border, ln_arena *arena,
                                ln_proper *out);

#endif
