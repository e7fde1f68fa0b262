/* SPDX-License-Identifier: MIT */
/* a < b becomes b - a, `and` the lesser and `or` the greater of two guards, `not` the opposite
 * sign. The sign of what comes out is corrected where the condition itself knows better (a < b is
 * not true at a = b). A condition of another kind, such as a = b, is -1 where it does not hold: it
 * then changes at the point at which it was seen to hold. */
#include "analysis/guard.h"

#include <float.h>

/* of and, or, not; what lies deeper counts as a condition of another kind */
enum { DEPTH = 64 };

static ln_node either(ln_graph *graph, ln_node a, ln_node b, int least) {
    ln_node less = ln_operation(graph, LN_OP_LT, a, b, LN_NONE);
    return least ? ln_operation(graph, LN_OP_IF, less, a, b)
                 : ln_operation(graph, LN_OP_IF, less, b, a);
}

static ln_node distance(ln_graph *graph, ln_node condition, int depth) {
    if (condition == LN_NONE)
        return LN_NONE;
    ln_op op = ln_node_op(graph, condition);
    ln_node a = ln_node_arg(graph, condition, 0), b = ln_node_arg(graph, condition, 1);
    if (op == LN_OP_LT || op == LN_OP_LE)
        return ln_operation(graph, LN_OP_SUB, b, a, LN_NONE);
    if (depth < DEPTH && op == LN_OP_NOT)
        return ln_operation(graph, LN_OP_NEG, distance(graph, a, depth + 1), LN_NONE, LN_NONE);
    if (depth < DEPTH && (op == LN_OP_AND || op == LN_OP_OR))
        return either(graph, distance(graph, a, depth + 1), distance(graph, b, depth + 1),
                      op == LN_OP_AND);
    return ln_operation(graph, LN_OP_IF, condition, ln_constant(graph, DBL_MIN),
                        ln_constant(graph, -1));
}

ln_node ln_guard(ln_graph *graph, ln_node condition) {
    ln_node value = distance(graph, condition, 0), tiny = ln_constant(graph, DBL_MIN);
    ln_node minus = ln_constant(graph, -DBL_MIN);
    return ln_operation(graph, LN_OP_IF, condition, either(graph, value, tiny, 0),
                        either(graph, value, minus, 1));
}
