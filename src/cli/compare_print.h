/* SPDX-License-Identifier: MIT */
/* A comparison as a table for people, CSV, JSON, and as a work-precision diagram. What is not known
 * is '-', empty or null: no NaN is ever written. */
#ifndef LN_CLI_COMPARE_PRINT_H
#define LN_CLI_COMPARE_PRINT_H

#include "analysis/compare.h"
#include "base/arena.h"

typedef struct ln_text ln_text;

/* Append the whole comparison to `text`. */
void ln_compare_text(const ln_comparison *comparison, ln_text *text);
void ln_compare_csv(const ln_comparison *comparison, ln_text *text);
void ln_compare_json(const ln_comparison *comparison, linnet_status status, ln_text *text);

/* Error against time and against evaluations, a curve per method. */
linnet_status ln_compare_draw(const ln_comparison *comparison, const char *path);

#endif
