/* SPDX-License-Identifier: MIT */
/* Private to sampled: a period in work, and the step from its map to the matrices. */
#ifndef LN_ANALYSIS_SAMPLING_H
#define LN_ANALYSIS_SAMPLING_H

#include "analysis/sampled_period.h"
#include "integrate/ticks.h"

#define LN_SAMPLING_NOTHING 1e-11 /* scaled entries below are rounding */

typedef struct ln_sampling {
    ln_small_signal *small;
    ln_arena *arena;
    ln_ticking *ticking;
    ln_state_space space; /* between ticks; memories are inputs behind those asked for */
    ln_input *inputs;
    int *memories;                           /* their numbers in system->memory */
    const char **names, **units;             /* of them */
    int n, states, nmemories, ninputs, size; /* size: states, then memories, then inputs */
    int named; /* of the inputs; behind them stands what the last of these change to */
    const ln_period_changes *changes;
    double t, start, period; /* now; where the period begins */
    double *x, *memory;
    char *held;             /* just before the tick at hand, unvaried */
    double *varied;         /* size: by how much; 0: it is not, a time that a block has noted */
    double *x_now, *z;      /* work: n; two of size */
    double *scale;          /* size: what is compared in `map` */
    double *map;            /* size x size, column by column: from the begin of the period to now */
    double *part, *product; /* work: the same */
    double *seen;           /* outputs x size: just after the first ticks */
} ln_sampling;

/* sampled_matrices.c: once the period is gone round, the states that are seen, as A, B, C, D. */
linnet_status ln_sampling_finish(ln_sampling *sampler, ln_state_space *out);

#endif
