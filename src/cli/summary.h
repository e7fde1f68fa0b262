/* SPDX-License-Identifier: MIT */
/* What a run was and what it took, for a human, on stderr. */
#ifndef LN_CLI_SUMMARY_H
#define LN_CLI_SUMMARY_H

#include "analysis/simulation.h"

/* output: where the result went, NULL: nowhere. */
void ln_summary_print(const ln_simulation *simulation, const char *output);

/* The lines of measures in it, also of those of curves. */
void ln_measures_print(const ln_measures *measures);

/* Where the time of a run went, part by part. */
void ln_profile_print(const ln_profile *profile);

#endif
