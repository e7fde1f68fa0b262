/* SPDX-License-Identifier: MIT */
/* Unknowns that sources alone determine, through linear rows without storage: the node of a voltage
 * source, the output of a signal source, sums and multiples of these. A step says nothing of them
 * between its ends, for no error estimate follows them, while at any time they can be computed.
 */
#ifndef LN_SYSTEM_DRIVEN_H
#define LN_SYSTEM_DRIVEN_H

#include "system/system.h"

typedef struct ln_driven {
    int count;
    /* of each, in an order in which it can be computed: its row, its unknown, and the row's other
     * terms, those from first[k] to first[k + 1] - 1 */
    int *row, *unknown, *first;
    double *own; /* coefficient of the unknown in its row */
    int *term;   /* unknowns */
    double *coefficient;
    double *s; /* n: work */
} ln_driven;

/* In the arena. LINNET_MEMORY is not reported. */
linnet_status ln_driven_find(const ln_system *system, ln_arena *arena, ln_driven *driven);
/* Puts them into x (n values) as they are at `side`; a source without a value there leaves x. */
void ln_driven_evaluate(ln_system *system, const ln_driven *driven, ln_side side, double *x);

#endif
