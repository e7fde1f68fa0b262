/* SPDX-License-Identifier: MIT */
/* Values of expressions as intervals; see bounds.h. */
#include "expression/bounds.h"

enum { MOST_DEPTH = 120 };
static const long MOST_STEPS = 40000;

int ln_bounds_enter(ln_bounds *b) {
    if (b->depth >= MOST_DEPTH || b->steps >= MOST_STEPS)
        return 0;
    b->depth++;
    b->steps++;
    return 1;
}

/* ---- what is known ---- */

const ln_interval *ln_bounds_known(const ln_bounds *b, ln_node node) {
    for (int k = b->nknown; k-- > 0;)
        if (b->known[k].node == node)
            return &b->known[k].is;
    return NULL;
}

/* What holds for c*x, x/c, x + c, x - c, c - x or -x holds for x in its way. */
static int narrow_inside(ln_bounds *b, ln_node node, ln_interval is) {
    const ln_graph *g = b->graph;
    const ln_op op = ln_node_op(g, node);
    ln_node x = ln_node_arg(g, node, 0), c = ln_node_arg(g, node, 1);
    if (op == LN_OP_NEG)
        return ln_bounds_narrow(b, x, ln_interval_negative(is));
    if (op != LN_OP_MUL && op != LN_OP_ADD && op != LN_OP_SUB && op != LN_OP_DIV)
        return 1;
    const int turned = ln_node_op(g, x) == LN_OP_CONSTANT;
    if (turned) {
        const ln_node other = x;
        x = c;
        c = other;
    }
    if (ln_node_op(g, c) != LN_OP_CONSTANT)
        return 1;
    const double value = ln_node_value(g, c);
    const ln_interval point = {value, value};
    switch (op) {
    case LN_OP_ADD: return ln_bounds_narrow(b, x, ln_interval_sum(is, ln_interval_negative(point)));
    case LN_OP_SUB:
        return ln_bounds_narrow(b, x,
                                ln_interval_sum(turned ? ln_interval_negative(is) : is, point));
    case LN_OP_MUL:
        return ln_bounds_narrow(b, x, ln_interval_product(is, ln_interval_inverse(point)));
    default: return turned || ln_bounds_narrow(b, x, ln_interval_product(is, point));
    }
}

int ln_bounds_narrow(ln_bounds *b, ln_node node, ln_interval is) {
    if (!ln_bounds_enter(b))
        return 1;
    const ln_interval before = ln_bounds_of(b, node);
    is = (ln_interval){fmax(is.low, before.low), fmin(is.high, before.high)};
    int possible = is.low <= is.high;
    if (possible && ln_node_op(b->graph, node) != LN_OP_CONSTANT && b->nknown < LN_MOST_KNOWN) {
        b->known[b->nknown++] = (ln_known){node, is};
        possible = narrow_inside(b, node, is);
    }
    ln_bounds_leave(b);
    return possible;
}

int ln_bounds_assume(ln_bounds *b, ln_node condition, int holds) {
    const ln_op op = ln_node_op(b->graph, condition);
    const ln_node first = ln_node_arg(b->graph, condition, 0),
                  second = ln_node_arg(b->graph, condition, 1);
    if (!ln_bounds_enter(b))
        return 1;
    int possible = 1;
    if (op == LN_OP_LT || op == LN_OP_LE) {
        const ln_node less = holds ? first : second, more = holds ? second : first;
        possible =
            ln_bounds_narrow(b, less, (ln_interval){-INFINITY, ln_bounds_of(b, more).high}) &&
            ln_bounds_narrow(b, more, (ln_interval){ln_bounds_of(b, less).low, INFINITY});
    } else if (op == LN_OP_NOT) {
        possible = ln_bounds_assume(b, first, !holds);
    } else if (op == (holds ? LN_OP_AND : LN_OP_OR)) {
        possible = ln_bounds_assume(b, first, holds) && ln_bounds_assume(b, second, holds);
    } else {
        const ln_interval is = ln_bounds_of(b, condition);
        possible = holds ? !(is.low == 0 && is.high == 0) : is.low <= 0 && is.high >= 0;
    }
    ln_bounds_leave(b);
    return possible;
}

static int is_truth(const ln_graph *g, ln_node node) {
    const ln_op op = ln_node_op(g, node);
    return op == LN_OP_LT || op == LN_OP_LE || op == LN_OP_EQ || op == LN_OP_AND ||
           op == LN_OP_OR || op == LN_OP_NOT;
}

ln_node ln_plain_condition(ln_graph *g, ln_node condition) {
    while (ln_node_op(g, condition) == LN_OP_NOEVENT || ln_node_op(g, condition) == LN_OP_PRE)
        condition = ln_node_arg(g, condition, 0);
    const ln_op op = ln_node_op(g, condition);
    if (op != LN_OP_LT && op != LN_OP_LE)
        return condition;
    const ln_node a = ln_node_arg(g, condition, 0), c = ln_node_arg(g, condition, 1);
    if (ln_node_op(g, a) == LN_OP_CONSTANT && is_truth(g, c)) {
        const double value = ln_node_value(g, a);
        if (value < 1 && (value > 0 || (value == 0 && op == LN_OP_LT)))
            return c;
    } else if (ln_node_op(g, c) == LN_OP_CONSTANT && is_truth(g, a)) {
        const double value = ln_node_value(g, c);
        if (value > 0 && value < 1)
            return ln_operation(g, LN_OP_NOT, a, LN_NONE, LN_NONE);
    }
    return condition;
}

/* ---- values ---- */

static ln_interval table(const ln_bounds *b, ln_node node, ln_interval x) {
    const int first = b->graph->cell[node].at.table.first,
              points = b->graph->cell[node].at.table.points;
    const double *p = b->p + first;
    ln_interval is = {p[1], p[1]};
    if (ln_interval_is_point(x)) { /* the step nodes that choose a piece lie inside it */
        int k = 0;
        while (k < points && p[2 * k] <= x.low)
            k++;
        if (k == 0 || k == points)
            return (ln_interval){p[k == 0 ? 1 : 2 * points - 1], p[k == 0 ? 1 : 2 * points - 1]};
        const double *q = p + 2 * (k - 1),
                     value = q[1] + (q[3] - q[1]) * (x.low - q[0]) / (q[2] - q[0]);
        return (ln_interval){value, value};
    }
    for (int k = 0; k < points; k++)
        is = ln_interval_hull(is, (ln_interval){p[2 * k + 1], p[2 * k + 1]});
    return is;
}

static ln_interval either(ln_bounds *b, ln_node node) {
    const ln_node condition = ln_plain_condition(b->graph, ln_node_arg(b->graph, node, 0));
    const int before = b->nknown;
    ln_interval is = {INFINITY, -INFINITY};
    for (int holds = 1; holds >= 0; holds--) {
        if (ln_bounds_assume(b, condition, holds))
            is = ln_interval_hull(is, ln_bounds_of(b, ln_node_arg(b->graph, node, holds ? 1 : 2)));
        b->nknown = before;
    }
    return is.low <= is.high ? is : LN_ANYTHING;
}

static ln_interval operation(ln_bounds *b, ln_node node) {
    const ln_op op = ln_node_op(b->graph, node);
    const ln_node first = ln_node_arg(b->graph, node, 0), second = ln_node_arg(b->graph, node, 1);
    if (op == LN_OP_IF)
        return either(b, node);
    const int arity = op == LN_OP_TABLE ? 2 : ln_op_arity(op);
    const ln_interval x = arity > 0 ? ln_bounds_of(b, first) : LN_ANYTHING;
    const ln_interval y = arity > 1 ? ln_bounds_of(b, second) : LN_ANYTHING;
    if (op == LN_OP_TABLE)
        return table(b, node, x);
    return op == LN_OP_DELAY ? x : ln_interval_apply(op, x, y, first == second);
}

ln_interval ln_bounds_of(ln_bounds *b, ln_node node) {
    if (node == LN_NONE)
        return LN_ANYTHING;
    const ln_interval *known = ln_bounds_known(b, node);
    if (known != NULL)
        return *known;
    if (ln_node_op(b->graph, node) == LN_OP_CONSTANT) {
        const double value = ln_node_value(b->graph, node);
        return (ln_interval){value, value};
    }
    int index;
    if (ln_node_op(b->graph, node) == LN_OP_LEAF) {
        if (ln_node_leaf(b->graph, node, &index) != LN_LEAF_PARAMETER)
            return LN_ANYTHING;
        return (ln_interval){b->p[index], b->p[index]};
    }
    if (!ln_bounds_enter(b))
        return LN_ANYTHING;
    const ln_interval is = operation(b, node);
    ln_bounds_leave(b);
    return is;
}
