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
/* acted: per hybrid instance, 1 where a memory or mode has changed or an event has fired. That a
 * block has acted alone does not touch itself. O(what is touched), and one pass over the
 * instances. */
void ln_touched_find(ln_touched *touched, const ln_system *system, const char *acted);

#endif
