/* SPDX-License-Identifier: MIT */
/* Memories of a linearised model as inputs: what holds between ticks depends on what they set. By
 * central differences, which are exact for whatever is linear in a memory. */
#ifndef LN_ANALYSIS_MEMORY_INPUT_H
#define LN_ANALYSIS_MEMORY_INPUT_H

#include "analysis/small_signal.h"

/* How far a value is varied. */
double ln_memory_step(double value);
/* What a memory (its number in system->memory) does to the rows, column of B (n values), and to an
 * output directly. */
linnet_status ln_memory_column(ln_small_signal *small, int memory, double *b);
double ln_memory_direct(ln_small_signal *small, int memory, const ln_quantity *output);

/* Whether an input of a sampled model moves what discrete blocks see; else it is reported. */
linnet_status ln_memory_check_input(const ln_small_signal *small, const ln_input *input);

#endif
