/* SPDX-License-Identifier: MIT */
/* What `linnet eig` has found, for the functions that print it. */
#ifndef LN_CLI_EIG_H
#define LN_CLI_EIG_H

#include "analysis/modes.h"
#include "analysis/sampled_loop.h"
#include "cli/linear_point.h"
#include "base/arena.h"
#include <stdio.h>

typedef struct ln_text ln_text;

typedef struct ln_eig_view {
    const ln_linear_point *point;
    const ln_modes *modes;
    int pade_order;             /* of transport delays */
    const char *input, *output; /* NULL without a transfer function */
    const ln_transfer *transfer;
    const ln_multipliers *multipliers; /* of a model with clocks */
} ln_eig_view;

void ln_eig_text(const ln_eig_view *view, ln_arena *arena, ln_text *text);
void ln_eig_json(const ln_eig_view *view, ln_text *text);
void ln_eig_csv(const ln_eig_view *view, ln_text *text);

#endif
