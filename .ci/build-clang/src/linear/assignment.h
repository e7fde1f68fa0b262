/* SPDX-License-Identifier: MIT */
/* Equations and unknowns as a bipartite graph: a maximum matching, and the offsets of Pryce's Sigma
 * method. */
#ifndef LN_LINEAR_ASSIGNMENT_H
#define LN_LINEAR_ASSIGNMENT_H

#include "base/arena.h"
#include <linnet/status.h>
#include "linear/linear.h"
#include <stddef.h>

/* n rows and n columns; the columns of row i stand in col[start[i] .. start[i+1]-1], in any order,
 * also repeated. */
typedef struct ln_bipartite {
    int n;
    const size_t *start; /* n + 1 */
    const int *col;
} ln_bipartite;

/* Extends a matching to a maximum one: row_of (per column) and col_of (per row) hold each other's
 * partner, or -1; n values each. Returns the number of rows without partner, or -1 when memory is
 * short. Depth-first augmentation with look-ahead [Duff, ACM Trans. Math. Softw. 7, 1981], without
 * recursion. A search that fails can never succeed later, so its columns are left out of further
 * searches; failures together cost one pass over the graph. */
int ln_match(const ln_bipartite *graph, int *row_of, int *col_of);

/* The offsets of Pryce's Sigma method [BIT 41, 2001]. Entry k of the graph says that a row contains
 * the derivative of order order[k] >= 0 of an unknown (of repeated entries the highest counts).
 * Among all ways to give each row an unknown, one with the greatest sum of orders is chosen
 * (row_of, col_of), and the smallest c, d >= 0 are found with d[j] - c[i] >= order of every entry,
 * = in the chosen ones: row i, differentiated c[i] times, helps to determine the derivative of
 * order d[j] of its unknown. The entries where equality holds make up the system Jacobian, which is
 * regular where the structure tells the whole truth.
 *
 * n values in each array. LINNET_RETRY: rows and unknowns cannot be matched at all; col_of[i] is -1
 * for rows left over. LINNET_MEMORY is not reported. Time: about proportional to the entries times
 * the largest offset. */
linnet_status ln_sigma_offsets(const ln_bipartite *graph, const signed char *order, int *c, int *d,
                               int *row_of, int *col_of);

/* The diagonal blocks of the block triangular form of a pattern whose rows and columns can all be
 * matched, by SuiteSparse's BTF [Duff, Reid, ACM Trans. Math. Softw. 4, 1978]: block b has the rows
 * row[first[b] .. first[b+1]-1] and the columns in the same places of col. n values each, first n +
 * 1. Returns the number of blocks, or -1 when memory is short. */
int ln_strong_blocks(const ln_pattern *pattern, int *row, int *col, int *first);

#endif
