/* SPDX-License-Identifier: MIT */
/* Private to the room `linear`: a dense pencil freed of its infinite values, and what is needed to
 * go back.
 *
 * One round, on (E, A) of m rows, rows and columns scaled first:
 *
 *     Q'E = [E1; 0]     QR with column pivoting reveals the rank r of E; the last m - r rows are
 * constraints Q'A = [A1; A2]    A2 x = 0:   A2 Z = [A22 0], A22 regular (else the pencil is
 * singular) x = Z [0; y]      leaves E1 Z1, A1 Z1 of r rows, with the same finite values and m - r
 * infinite ones fewer
 *
 * (the shuffle algorithm of Luenberger 1978, with orthogonal transformations). At the end E is
 * regular. */
#ifndef LN_LINEAR_DEFLATE_H
#define LN_LINEAR_DEFLATE_H

#include "linear/eigen.h"
#include <lapacke.h>

enum { LN_MOST_LEVELS = 20 };

/* What a left vector needs of a round. All matrices column by column. */
typedef struct ln_level {
    int m, r;
    double *row_scale; /* m: of the rows of E and A, and then of A2's in the last m - r */
    double *constraint_scale;
    double *q, *q_tau; /* m x m: Q as reflectors, and R */
    lapack_int *order; /* m: P */
    double *ce, *ca;   /* r x (m - r): E1 Z2, A1 Z2 */
    double *a22;       /* R of A2' P = Z [R; 0], in the top of m x (m - r) */
    lapack_int *a22_order;
} ln_level;

typedef struct ln_deflation {
    int n, m;
    double *E, *A; /* m x m */
    double *X;     /* n x m: x = X y */
    ln_level levels[LN_MOST_LEVELS];
    int nlevels;
    ln_arena *arena; /* all of it */
    double *hidden_unknown, *hidden_row;
} ln_deflation;

/* Spreads the pencil and deflates it; all memory from d->arena, hidden_* from the caller.
 * LINNET_RETRY: the pencil is singular. */
linnet_status ln_deflate(ln_deflation *d, const ln_pencil *pencil);
/* x from y (m values with a stride of 2), n values with a stride of 2. */
void ln_lift_right(const ln_deflation *d, const double *y, double *x);
/* w of the whole pencil from that of the rest at the value s: re, im hold m values and then n.
 * work: 5 n + 5. */
void ln_lift_left(const ln_deflation *d, double sr, double si, double *re, double *im,
                  double *work);

#endif
