/* SPDX-License-Identifier: MIT */
/* What switches an instance: the conditions that enable it, and the edges that trigger it. */
#ifndef LN_BLOCKS_SWITCHING_H
#define LN_BLOCKS_SWITCHING_H

typedef struct ln_enable {
    char resets_states;  /* as it turns on */
    char resets_outputs; /* zero while it is off; else they hold */
} ln_enable;

typedef enum ln_trigger_edge { LN_EDGE_RISING, LN_EDGE_FALLING, LN_EDGE_BOTH } ln_trigger_edge;

#endif
