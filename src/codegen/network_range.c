/* SPDX-License-Identifier: MIT */
/* Values of expressions as intervals over all branches of their conditions: of constants, sums,
 * products and choices; everything else may be anything. */
#include "codegen/network_range.h"

#include <math.h>
#include <string.h>

typedef struct range {
    double low, high;
} range;

static range at(const ln_ranges *ranges, ln_node node) {
    return (range){ranges->low[node], ranges->high[node]};
}

static range product(range a, range b) {
    const double p = a.low * b.low, q = a.low * b.high, r = a.high * b.low, s = a.high * b.high;
    return (range){fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s))};
}

static range range_of(const ln_ranges *ranges, ln_node node) {
    const ln_graph *graph = ranges->graph;
    const ln_op op = ln_node_op(graph, node);
    range arg[3] = {{0, 0}, {0, 0}, {0, 0}};
    for (int k = 0; k < 3; k++)
        if (ln_node_arg(graph, node, k) != LN_NONE)
            arg[k] = at(ranges, ln_node_arg(graph, node, k));
    switch (op) {
    case LN_OP_CONSTANT: return (range){ln_node_value(graph, node), ln_node_value(graph, node)};
    case LN_OP_ADD: return (range){arg[0].low + arg[1].low, arg[0].high + arg[1].high};
    case LN_OP_SUB: return (range){arg[0].low - arg[1].high, arg[0].high - arg[1].low};
    case LN_OP_NEG: return (range){-arg[0].high, -arg[0].low};
    case LN_OP_MUL: return product(arg[0], arg[1]);
    case LN_OP_IF: return (range){fmin(arg[1].low, arg[2].low), fmax(arg[1].high, arg[2].high)};
    case LN_OP_NOEVENT: return arg[0];
    case LN_OP_RECALL_WEIGHT: return (range){0, 1};
    default: return (range){-INFINITY, INFINITY};
    }
}

static int make_room(ln_ranges *ranges, int size) {
    const int room = 2 * size;
    double *low = LN_NEW(ranges->arena, double, room), *high = LN_NEW(ranges->arena, double, room);
    if (low == NULL || high == NULL)
        return 0;
    if (ranges->count > 0) {
        memcpy(low, ranges->low, (size_t)ranges->count * sizeof *low);
        memcpy(high, ranges->high, (size_t)ranges->count * sizeof *high);
    }
    ranges->low = low;
    ranges->high = high;
    ranges->room = room;
    return 1;
}

int ln_range_meets_zero(ln_ranges *ranges, ln_node node) {
    if (node >= ranges->room && !make_room(ranges, node + 1))
        return -1;
    for (; ranges->count <= node; ranges->count++) { /* arguments have smaller numbers */
        const range is = range_of(ranges, ranges->count);
        ranges->low[ranges->count] = is.low;
        ranges->high[ranges->count] = is.high;
    }
    const range is = at(ranges, node);
    return is.low <= 0 && is.high >= 0 && isfinite(is.low) && isfinite(is.high);
}
