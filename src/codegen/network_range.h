/* SPDX-License-Identifier: MIT */
/* What values an expression may have whatever its conditions decide (network_range.c). */
#ifndef LN_CODEGEN_NETWORK_RANGE_H
#define LN_CODEGEN_NETWORK_RANGE_H

#include "base/arena.h"
#include "expression/graph.h"

/* Per node of the graph, as far as it has been looked at. */
typedef struct ln_ranges {
    const ln_graph *graph; /* borrowed, as is the arena */
    ln_arena *arena;
    double *low, *high;
    int count, room;
} ln_ranges;

/* 1: by its conditions alone the node may be zero; 0: it is not, or that is not known. -1: memory
 * is short. */
int ln_range_meets_zero(ln_ranges *ranges, ln_node node);

#endif
