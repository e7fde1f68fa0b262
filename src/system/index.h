/* SPDX-License-Identifier: MIT */
/* Which rows of a system must be differentiated, how often, and what that determines: its index,
 * row by row and unknown by unknown.
 *
 * Pryce's Sigma method [BIT 41, 2001] finds this from the places of derivatives alone. Structure
 * alone deceives on circuits: [C -C; -C C] has entries enough for two derivatives and determines
 * one [Reissig, Martinson, Barton, SIAM J. Sci. Comput. 21, 2000]. So the method is given rows and
 * unknowns in which nothing cancels any more:
 *
 * - rows in which nothing is stored in place of dependent ones (storage.h), and of the unknowns of
 *   a floating part the differences to one of them, which stands for what they have in common;
 * - sums that cancel are zero;
 * - where the system Jacobian is singular in numbers none the less, a combination of rows (with the
 *   derivatives of those that are differentiated more often) takes the place of one of them [Tan,
 *   Nedialkov, Pryce, Numer. Algorithms 75, 2017, "linear combination method"]: the sum over a
 *   cutset of coils, the sum around a loop of sources and capacitors. It comes from a
 * rank-revealing factorisation of that block of the Jacobian alone. */
#ifndef LN_SYSTEM_INDEX_H
#define LN_SYSTEM_INDEX_H

#include "base/arena.h"
#include "system/storage.h"

typedef struct ln_index {
    int n;
    int highest;             /* index of the system */
    const char *unknown;     /* n: index of each unknown; 1 also where it is a state */
    const char *split_index; /* the same of the combined rows, as if these were the system's, in a
                                floating part of the differences and the common unknown */
    /* Row k is the sum over i = start[k] .. start[k+1]-1 of coefficient[i] times the derivative of
     * order order[i] of the system's row row[i]. */
    const int *start, *row;
    const double *coefficient;
    const signed char *order;
    const int *c;      /* n: how often row k is to be differentiated */
    const int *d;      /* n: which derivative of unknown j (in a floating part: of its difference to
                          the part's common unknown) the rows then determine */
    const int *col_of; /* n: the unknown that belongs to row k in this */
    int dense;         /* rows of the largest block that was factored for its rank; 0: none was */
    int rounds;        /* of the method: one more than combinations of rows were sought */
} ln_index;

/* Finds the index, with the dq and df of the last ln_system_eval(), and with the leaks (leaks.h, n
 * values) closed, if they are not NULL. Everything lives in the arena.
 * LINNET_RETRY: rows and unknowns cannot be matched, also by combinations: the equations are
 * singular. LINNET_MEMORY. Neither is reported. */
linnet_status ln_index_find(const ln_system *system, const ln_storage *storage, const char *leaks,
                            ln_arena *arena, ln_index *index);

/* Is a sum of terms of this size, summed up without their signs, zero but for rounding? */
int ln_index_is_zero(double sum, double size);

#endif
