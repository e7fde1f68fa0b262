/* SPDX-License-Identifier: MIT */
/* The estimated errors of a run, below its summary. */
#ifndef LN_CLI_ESTIMATE_PRINT_H
#define LN_CLI_ESTIMATE_PRINT_H

#include "analysis/estimate.h"

/* 0 when memory is short. */
int ln_estimate_print(const ln_estimate *estimate, ln_arena *arena);

#endif
