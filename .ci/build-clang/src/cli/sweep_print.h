/* SPDX-License-Identifier: MIT */
/* The statistics of a sweep: a table for people, JSON for programs. */
#ifndef LN_CLI_SWEEP_PRINT_H
#define LN_CLI_SWEEP_PRINT_H

#include "analysis/sweep.h"

void ln_sweep_text(const ln_sweep *sweep, const ln_sweep_statistics *statistics, ln_arena *arena,
                   ln_text *text);
void ln_sweep_json(const ln_sweep *sweep, const ln_sweep_statistics *statistics, ln_text *text);

#endif
