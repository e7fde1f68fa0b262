/* SPDX-License-Identifier: MIT */
/* Private to sampled: the map of one period of a model without delays, with inputs that change
 * within it. */
#ifndef LN_ANALYSIS_SAMPLED_PERIOD_H
#define LN_ANALYSIS_SAMPLED_PERIOD_H

#include "analysis/sampled.h"

/* One of the last inputs changes when the rest r of `lag` (ln_whole_periods) has passed since the
 * ticks, or, where that is the period, not at all; and what is to be
 * known of one of the last outputs. */
typedef struct ln_period_change {
    double lag;
    int moves;    /* out: the output changes between ticks, by itself or with these inputs */
    int instants; /* out: of ticks in the period */
} ln_period_change;
typedef struct ln_period_changes {
    ln_period_change *items;
    int count;
} ln_period_changes;

/* m of lag = m period + r, 0 < r <= period. */
int ln_whole_periods(double lag, double period);

/* As ln_sampled_make() of a model without delays. With changes (may be NULL), of the last `count`
 * inputs and outputs, further `count` inputs stand behind all: what the former change to. */
linnet_status ln_sampled_period(ln_small_signal *small, const ln_settings *settings,
                                const ln_space_ports *ports, const ln_period_changes *changes,
                                ln_state_space *out);

#endif
