/* SPDX-License-Identifier: MIT */
/* Exact partial derivatives, forward over the nodes below, and how a node depends on a variable.
 *
 * Rules: any table of derivatives, for instance Abramowitz and Stegun ch. 3 to 6; where a choice is
 * open (kinks, 0^b) it says so. The result shares all it can with the node itself: d exp(a) =
 * exp(a) da uses the node exp(a). */
#include "expression/nodes.h"
#include "base/constants.h"

/* One rule's view: the node, its arguments and their derivatives (0 the constant where there is
 * none). */
typedef struct rule {
    ln_graph *graph;
    ln_node node, a, b, c, da, db, dc;
} rule;

static ln_node add(const rule *r, ln_node a, ln_node b) {
    return ln_operation(r->graph, LN_OP_ADD, a, b, LN_NONE);
}
static ln_node sub(const rule *r, ln_node a, ln_node b) {
    return ln_operation(r->graph, LN_OP_SUB, a, b, LN_NONE);
}
static ln_node mul(const rule *r, ln_node a, ln_node b) {
    return ln_operation(r->graph, LN_OP_MUL, a, b, LN_NONE);
}
static ln_node over(const rule *r, ln_node a, ln_node b) {
    return ln_operation(r->graph, LN_OP_DIV, a, b, LN_NONE);
}
static ln_node neg(const rule *r, ln_node a) {
    return ln_operation(r->graph, LN_OP_NEG, a, LN_NONE, LN_NONE);
}
static ln_node of(const rule *r, ln_op op, ln_node a) {
    return ln_operation(r->graph, op, a, LN_NONE, LN_NONE);
}
static ln_node number(const rule *r, double value) {
    return ln_constant(r->graph, value);
}
static ln_node square(const rule *r, ln_node a) {
    return mul(r, a, a);
}
static ln_node one_minus_square(const rule *r) {
    return mul(r, sub(r, number(r, 1), r->a), add(r, number(r, 1), r->a));
}

/* zero where `guard` is zero, else `value`. */
static ln_node unless_zero(const rule *r, ln_node guard, ln_node value) {
    ln_node is_zero = ln_operation(r->graph, LN_OP_EQ, guard, number(r, 0), LN_NONE);
    return ln_operation(r->graph, LN_OP_IF, is_zero, number(r, 0), value);
}

/* d a^b = b a^(b-1) da + a^b log(a) db, the second term 0 at a = 0. */
static ln_node power(const rule *r) {
    ln_node first = number(r, 0), second = number(r, 0);
    if (!ln_is(r->graph, r->da, 0)) {
        ln_node lower =
            ln_operation(r->graph, LN_OP_POW, r->a, sub(r, r->b, number(r, 1)), LN_NONE);
        first = mul(r, mul(r, r->b, lower), r->da);
    }
    if (!ln_is(r->graph, r->db, 0))
        second = unless_zero(r, r->a, mul(r, mul(r, r->node, of(r, LN_OP_LOG, r->a)), r->db));
    return add(r, first, second);
}

static ln_node next_order(const rule *r, ln_op op) {
    return mul(r, ln_operation(r->graph, op, add(r, r->a, number(r, 1)), r->b, LN_NONE), r->db);
}

static ln_node table_slope(const rule *r) {
    ln_cell cell = r->graph->cell[r->node];
    return ln_table_node(r->graph, LN_OP_TABLE_SLOPE, r->b, LN_NONE, cell.at.table.first,
                         cell.at.table.points);
}

/* d f(a)/da of the functions of one argument, by families; 0: the operation is none of them. */

static int slope_of_root_or_logarithm(const rule *r, ln_op op, ln_node *slope) {
    const ln_node one = number(r, 1), a = r->a, f = r->node;
    switch (op) {
    case LN_OP_SQRT: *slope = over(r, number(r, 0.5), f); return 1;
    case LN_OP_CBRT: *slope = over(r, one, mul(r, number(r, 3), square(r, f))); return 1;
    case LN_OP_EXP: *slope = f; return 1;
    case LN_OP_EXP2: *slope = mul(r, number(r, log(2)), f); return 1;
    case LN_OP_EXPM1: *slope = of(r, LN_OP_EXP, a); return 1;
    case LN_OP_LOG: *slope = over(r, one, a); return 1;
    case LN_OP_LOG2: *slope = over(r, number(r, 1 / log(2)), a); return 1;
    case LN_OP_LOG10: *slope = over(r, number(r, 1 / log(10)), a); return 1;
    case LN_OP_LOG1P: *slope = over(r, one, add(r, one, a)); return 1;
    default: return 0;
    }
}

static int slope_of_circular(const rule *r, ln_op op, ln_node *slope) {
    const ln_node one = number(r, 1), a = r->a, f = r->node;
    switch (op) {
    case LN_OP_SIN: *slope = of(r, LN_OP_COS, a); return 1;
    case LN_OP_COS: *slope = neg(r, of(r, LN_OP_SIN, a)); return 1;
    case LN_OP_TAN: *slope = add(r, one, square(r, f)); return 1;
    case LN_OP_ASIN: *slope = over(r, one, of(r, LN_OP_SQRT, one_minus_square(r))); return 1;
    case LN_OP_ACOS:
        *slope = over(r, number(r, -1), of(r, LN_OP_SQRT, one_minus_square(r)));
        return 1;
    case LN_OP_ATAN: *slope = over(r, one, add(r, one, square(r, a))); return 1;
    default: return 0;
    }
}

static int slope_of_hyperbolic(const rule *r, ln_op op, ln_node *slope) {
    const ln_node one = number(r, 1), a = r->a, f = r->node;
    switch (op) {
    case LN_OP_SINH: *slope = of(r, LN_OP_COSH, a); return 1;
    case LN_OP_COSH: *slope = of(r, LN_OP_SINH, a); return 1;
    case LN_OP_TANH: *slope = sub(r, one, square(r, f)); return 1;
    case LN_OP_ASINH: *slope = over(r, one, of(r, LN_OP_SQRT, add(r, one, square(r, a)))); return 1;
    case LN_OP_ACOSH: /* two roots: that of a^2 - 1 would have a value below -1, too */
        *slope = over(r, one,
                      mul(r, of(r, LN_OP_SQRT, sub(r, a, one)), of(r, LN_OP_SQRT, add(r, a, one))));
        return 1;
    case LN_OP_ATANH: *slope = over(r, one, one_minus_square(r)); return 1;
    default: return 0;
    }
}

/* erf' = 2/sqrt(pi) exp(-a^2); (log gamma)' = psi_0, the digamma function. */
static int slope_of_special(const rule *r, ln_op op, ln_node *slope) {
    const ln_node a = r->a;
    switch (op) {
    case LN_OP_ERF:
        *slope = mul(r, number(r, 2 / sqrt(LN_PI)), of(r, LN_OP_EXP, neg(r, square(r, a))));
        return 1;
    case LN_OP_ERFC:
        *slope = mul(r, number(r, -2 / sqrt(LN_PI)), of(r, LN_OP_EXP, neg(r, square(r, a))));
        return 1;
    case LN_OP_TGAMMA:
        *slope = mul(r, r->node, ln_operation(r->graph, LN_OP_POLYGAMMA, number(r, 0), a, LN_NONE));
        return 1;
    case LN_OP_LGAMMA:
        *slope = ln_operation(r->graph, LN_OP_POLYGAMMA, number(r, 0), a, LN_NONE);
        return 1;
    default: return 0;
    }
}

static ln_node slope(const rule *r, ln_op op) {
    ln_node slope;
    if (slope_of_root_or_logarithm(r, op, &slope) || slope_of_circular(r, op, &slope) ||
        slope_of_hyperbolic(r, op, &slope) || slope_of_special(r, op, &slope))
        return slope;
    return number(r, 0); /* comparisons, steps, DER of something else */
}

/* d u(t - T) = weight du - u'(t - T) dT; weight and u'(t - T) stand behind the value in memory
 * (linnet/block.h). */
static ln_node delay_rule(const rule *r) {
    if (r->c == LN_NONE)
        return number(r, 0);
    const int place = (int)r->graph->cell[r->c].at.value;
    ln_node weight = ln_leaf_node(r->graph, LN_LEAF_MEMORY, place + 1),
            slope = ln_leaf_node(r->graph, LN_LEAF_MEMORY, place + 2);
    return sub(r, mul(r, weight, r->da), mul(r, slope, r->db));
}

/* Sums, products and powers; 0: the operation is none. */
static int of_arithmetic(const rule *r, ln_op op, ln_node *result) {
    switch (op) {
    case LN_OP_ADD: *result = add(r, r->da, r->db); return 1;
    case LN_OP_SUB: *result = sub(r, r->da, r->db); return 1;
    case LN_OP_NEG: *result = neg(r, r->da); return 1;
    case LN_OP_MUL: *result = add(r, mul(r, r->da, r->b), mul(r, r->a, r->db)); return 1;
    case LN_OP_DIV: *result = over(r, sub(r, r->da, mul(r, r->node, r->db)), r->b); return 1;
    case LN_OP_POW: *result = power(r); return 1;
    default: return 0;
    }
}

/* The longer the time, the earlier. */
static ln_node recall_rule(const rule *r, ln_op slope) {
    return neg(r, mul(r, ln_operation(r->graph, slope, r->a, r->b, LN_NONE), r->da));
}

static ln_node differentiate(const rule *r, ln_op op) {
    ln_node result;
    if (of_arithmetic(r, op, &result))
        return result;
    switch (op) {
    case LN_OP_DELAY: return delay_rule(r);
    /* stands where events are decided, not in equations */
    case LN_OP_RATE: return number(r, 0);
    case LN_OP_RECALL: return recall_rule(r, LN_OP_RECALL_SLOPE);
    case LN_OP_RECALL_WEIGHT: return recall_rule(r, LN_OP_RECALL_WEIGHT_SLOPE);
    case LN_OP_IF: return ln_operation(r->graph, LN_OP_IF, r->a, r->db, r->dc);
    case LN_OP_TABLE: return mul(r, table_slope(r), r->da);
    case LN_OP_HYPOT:
        return unless_zero(r, r->node,
                           over(r, add(r, mul(r, r->a, r->da), mul(r, r->b, r->db)), r->node));
    case LN_OP_ATAN2:
        return over(r, sub(r, mul(r, r->b, r->da), mul(r, r->a, r->db)),
                    add(r, square(r, r->a), square(r, r->b)));
    case LN_OP_POLYGAMMA:
    case LN_OP_SINC: return next_order(r, op);
    default: return ln_is(r->graph, r->da, 0) ? r->da : mul(r, slope(r, op), r->da);
    }
}

ln_node ln_slope_through(ln_graph *graph, ln_node node, int which, ln_node slope) {
    const ln_cell cell = graph->cell[node];
    const ln_node zero = ln_constant(graph, 0);
    rule r = {graph, node, cell.arg[0], cell.arg[1], cell.arg[2], zero, zero, zero};
    if (which == 0)
        r.da = slope;
    else
        r.db = slope;
    return zero == LN_NONE ? LN_NONE : differentiate(&r, (ln_op)cell.op);
}

/* The derivative found for `node` by this walk. */
static ln_node found(const ln_graph *graph, ln_node node, ln_node zero) {
    return node != LN_NONE && ln_is_below(graph, node) ? graph->cell[node].memo : zero;
}

ln_node ln_derivative(ln_graph *graph, ln_node node, ln_node variable) {
    ln_node zero = ln_constant(graph, 0), one = ln_constant(graph, 1);
    if (node == LN_NONE || variable == LN_NONE || zero == LN_NONE || one == LN_NONE)
        return LN_NONE;
    int count = ln_below(graph, &node, 1, variable, graph->cell[variable].depends);
    if (!ln_is_below(graph, variable))
        return zero;
    for (int i = 0; i < count; i++) {
        ln_node at = graph->order[i];
        const ln_cell cell = graph->cell[at];
        rule r = {graph, at, cell.arg[0], cell.arg[1], cell.arg[2], 0, 0, 0};
        r.da = found(graph, r.a, zero);
        r.db = found(graph, r.b, zero);
        r.dc = found(graph, r.c, zero);
        ln_node result = at == variable         ? one
                         : cell.op == LN_OP_DER ? zero
                                                : differentiate(&r, (ln_op)cell.op);
        if (result == LN_NONE)
            return LN_NONE;
        graph->cell[at].memo = result;
    }
    return graph->cell[node].memo;
}

/* Of an operation whose arguments have these degrees; `constant`: an argument may stand in a
 * coefficient. By form, not by derivative: that of a step is 0 as well. */
static ln_degree degree_of(ln_op op, const ln_degree degree[3], const int constant[3]) {
    switch (op) {
    case LN_OP_ADD:
    case LN_OP_SUB:
    case LN_OP_NEG: return degree[0] > degree[1] ? degree[0] : degree[1];
    case LN_OP_MUL:
        if (constant[0])
            return degree[1];
        return constant[1] ? degree[0] : LN_DEGREE_NONLINEAR;
    case LN_OP_DIV: return constant[1] ? degree[0] : LN_DEGREE_NONLINEAR;
    case LN_OP_IF:
        if (constant[0])
            return degree[1] > degree[2] ? degree[1] : degree[2];
        return LN_DEGREE_NONLINEAR;
    case LN_OP_TABLE: return constant[1] ? degree[0] : LN_DEGREE_NONLINEAR;
    default: return LN_DEGREE_NONLINEAR;
    }
}

ln_degree ln_degree_over(ln_graph *graph, ln_node node, ln_node variable, unsigned constant_mask) {
    int count = ln_below(graph, &node, 1, variable, graph->cell[variable].depends);
    if (!ln_is_below(graph, variable))
        return LN_DEGREE_NONE;
    for (int i = 0; i < count; i++) {
        const ln_cell *cell = &graph->cell[graph->order[i]];
        ln_degree degree[3] = {LN_DEGREE_NONE, LN_DEGREE_NONE, LN_DEGREE_NONE},
                  result = LN_DEGREE_NONE;
        int constant[3] = {1, 1, 1}, varies = 0;
        for (int k = 0; k < 3 && cell->arg[k] != LN_NONE; k++) {
            constant[k] = (graph->cell[cell->arg[k]].depends & ~constant_mask) == 0;
            if (ln_is_below(graph, cell->arg[k]))
                degree[k] = (ln_degree)graph->cell[cell->arg[k]].memo;
            varies = varies || degree[k] != LN_DEGREE_NONE;
        }
        if (graph->order[i] == variable)
            result = LN_DEGREE_LINEAR;
        else if (varies)
            result = degree_of((ln_op)cell->op, degree, constant);
        graph->cell[graph->order[i]].memo = (int)result;
    }
    return (ln_degree)graph->cell[node].memo;
}

ln_degree ln_degree_in(ln_graph *graph, ln_node node, ln_node variable) {
    return ln_degree_over(graph, node, variable, 1u << LN_LEAF_PARAMETER);
}
