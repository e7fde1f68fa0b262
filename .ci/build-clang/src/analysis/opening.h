/* SPDX-License-Identifier: MIT */
/* A linearised model with one loop opened and all transport delays cut, and what closes it again.
 *
 *     (s E + A) x = B d,     e = C x + D d,     d = Lambda e
 *
 * The first entries of d and e belong to the delays, where Lambda is exp(-s T); the last one to the
 * loop, where it is 1. With G = C (s E + A)^-1 B + D the closed model is where
 *
 *     F(s) = det(1 - G Lambda)
 *
 * is zero; without delays F = 1 + L. */
#ifndef LN_ANALYSIS_OPENING_H
#define LN_ANALYSIS_OPENING_H

#include "analysis/pade.h"

enum { LN_OPENING_MOST = 40 }; /* delays and the loop: more are not taken */

typedef struct ln_opening {
    const ln_small_signal *exact; /* borrowed */
    int count, ndelays;           /* size of d and e; the delays among them */
    const double *lag;            /* ndelays, s */
    ln_pencil open;               /* the loop opened, the delays cut */
    ln_pencil cut;                /* the loop closed, the delays cut */
    const double *B, *C, *D; /* n x count by columns; count x n by rows; count x count by rows */
} ln_opening;

/* What a loop is opened at: b, the column of an input at all of its readers (n values), their names
 * (as ln_small_signal_input() takes them), and the unknown that they read. NULL: no loop, only the
 * delays are cut. */
typedef struct ln_opened_loop {
    const double *b;
    const char *const *readers;
    int nreaders, unknown;
} ln_opened_loop;

/* Lives in the arena of `exact`. LINNET_RETRY, not reported: more than LN_OPENING_MOST delays.
 * Other failures are reported. */
linnet_status ln_opening_make(ln_small_signal *exact, const ln_opened_loop *loop, ln_opening *out);

#endif
