/* SPDX-License-Identifier: MIT */
/* Enabled blocks: the equations of a type turned into those of a type that can be switched off. It
 * has one more input for each enable, "enable[1]", "enable[2]", ...; it is on while all of them are
 * above one half. While it is off
 *   - states stand still: the rest of an equation that holds der() counts only while it is on;
 *   - outputs keep the value they had before it was switched off, or are zero; what an outer enable
 * holds is what the inner ones had made of it, and does not move with them;
 *   - events do not act; a sample whose time passes is counted, so the next one is on the grid
 * again. An enable may reset states and memories to their start values each time it turns on. */
#ifndef LN_BLOCKS_ENABLE_H
#define LN_BLOCKS_ENABLE_H

#include "blocks/trigger.h"

typedef struct ln_enable {
    char resets_states;  /* as it turns on */
    char resets_outputs; /* zero while it is off; else they hold */
} ln_enable;

/* The same type with enables, the outermost first, in a graph of its own, of signal ports only; its
 * strings are those of `from`, which must outlive it. NULL when memory is short. */
ln_equations *ln_equations_enabled(const ln_equations *from, const ln_enable *enables,
                                   int nenables);

#endif
