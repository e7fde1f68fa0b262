/* SPDX-License-Identifier: MIT */
/* Limits of a signal that an instance has or has not: 1e308 either way means none, and then nothing
 * of them stands in the instance's equations. */
#ifndef LN_BLOCKS_SIGNAL_RANGE_H
#define LN_BLOCKS_SIGNAL_RANGE_H

#include "blocks/signal/sized.h"
#include "expression/graph.h"
#include "expression/nodes.h"
#include "model/model.h"

#define LN_UNLIMITED 1e308

typedef struct ln_range {
    double low, high;
} ln_range;

/* The two parameters of a face. */
/* clang-format off */
#define LN_RANGE_PARAMETERS(what) \
    {.name = "min", .default_text = "-1e308", .min = -INFINITY, .max = INFINITY, \
     .flags = LINNET_STRUCTURAL, \
     .doc = "lower limit of " what "; -1e308: none"}, \
    {.name = "max", .default_text = "1e308", .min = -INFINITY, .max = INFINITY, \
     .flags = LINNET_STRUCTURAL, \
     .doc = "upper limit of " what "; 1e308: none"}
/* clang-format on */

/* Their values; `min` is the index of the first of the two. An empty range is an error. */
linnet_status ln_range_read(const ln_shape *shape, int min, ln_report *report, ln_range *range);
static inline int ln_range_from_below(ln_range range) {
    return range.low > -LN_UNLIMITED;
}
static inline int ln_range_from_above(ln_range range) {
    return range.high < LN_UNLIMITED;
}

/* The value kept within the range. */
ln_node ln_range_clamp(ln_graph *graph, ln_node value, ln_range range);

#endif
