/* SPDX-License-Identifier: MIT */
/* Where the outputs of a program lie while time and unknowns lie in intervals. */
#ifndef LN_EXPRESSION_RANGE_H
#define LN_EXPRESSION_RANGE_H

#include "expression/interval.h"
#include "expression/program.h"

/* Memories, and the time of decisions, are fixed as at a point. */
typedef struct ln_box {
    ln_interval t;
    double decide;
    const double *x, *x_end; /* LN_LEAF_UNKNOWN indices: between which they lie, in either order */
    const double *m;         /* LN_LEAF_MEMORY indices */
    const double *parameters;
} ln_box;

/* file: registers after ln_program_start(). Output k lies in range[program->output[k]], of
 * program->registers intervals; LN_ANYTHING where nothing is known. */
void ln_program_range(const ln_program *program, const double *file, const ln_box *box,
                      ln_interval *range);

#endif
