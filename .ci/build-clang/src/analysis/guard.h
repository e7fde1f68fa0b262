/* SPDX-License-Identifier: MIT */
/* A condition as a number that is above 0 exactly where the condition holds and passes 0 where it
 * changes, so that the time of the change can be interpolated. */
#ifndef LN_ANALYSIS_GUARD_H
#define LN_ANALYSIS_GUARD_H

#include "expression/graph.h"

/* The guard of a condition. LN_NONE when memory is short. */
ln_node ln_guard(ln_graph *graph, ln_node condition);

#endif
