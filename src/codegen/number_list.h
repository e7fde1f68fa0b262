/* SPDX-License-Identifier: MIT */
/* Rising numbers in an arena: where a row or a column of a sparse matrix has entries. */
#ifndef LN_CODEGEN_NUMBER_LIST_H
#define LN_CODEGEN_NUMBER_LIST_H

#include "base/arena.h"

#include <string.h>

/* All zero: empty. */
typedef struct ln_numbers {
    int *item, count, room;
} ln_numbers;

/* Adds a number that is not in the list. 0 when memory is short. */
static inline int ln_numbers_add(ln_arena *arena, ln_numbers *to, int number) {
    if (to->count == to->room) {
        const int room = to->room > 0 ? 2 * to->room : 8;
        int *larger = LN_NEW(arena, int, room);
        if (larger == NULL)
            return 0;
        if (to->count > 0)
            memcpy(larger, to->item, (size_t)to->count * sizeof *larger);
        to->item = larger, to->room = room;
    }
    int at = to->count++;
    for (; at > 0 && to->item[at - 1] > number; at--)
        to->item[at] = to->item[at - 1];
    to->item[at] = number;
    return 1;
}

#endif
