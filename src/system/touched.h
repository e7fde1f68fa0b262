/* SPDX-License-Identifier: MIT */
/* What the blocks that act at an instant touch: all that a way of links leads to, from what they
 * drive. Where nothing leads, all goes on as it was. */
#ifndef LN_SYSTEM_TOUCHED_H
#define LN_SYSTEM_TOUCHED_H

#include "system/system.h"

typedef struct ln_touched {
    int *queue;    /* instances whose links are still to be followed */
    char *queued;  /* per instance */
    char *reached; /* per instance: an input or a potential of it may bend */
} ln_touched;

/* Memory from the arena. 0 when it is short. */
int ln_touched_init(ln_touched *touched, const ln_system *system, ln_arena *arena);
/* acts: per instance, 1 where what it drives jumps or bends. That a block acts does not by itself
 * touch it. O(what is touched), and one pass over the instances. */
void ln_touched_find(ln_touched *touched, const ln_system *system, const char *acts);

#endif
