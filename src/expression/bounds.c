/* SPDX-License-Identifier: MIT */
/* Values of expressions as intervals; see bounds.h. Rounding is not directed: results decide signs,
 * where the ends that matter are zeros that come from exact operations. */
#include "expression/bounds.h"
#include "base/constants.h"

enum { MOST_DEPTH = 120 };
static const long MOST_STEPS = 40000;

int ln_bounds_enter(ln_bounds *b) {
    if (b->depth >= MOST_DEPTH || b->steps >= MOST_STEPS)
        return 0;
    b->depth++;
    b->steps++;
    return 1;
}

/* ---- intervals ---- */

static ln_interval sound(ln_interval a) {
    if (isnan(a.low))
        a.low = -INFINITY;
    if (isnan(a.high))
        a.high = INFINITY;
    return a;
}

ln_interval ln_interval_sum(ln_interval a, ln_interval b) {
    return sound((ln_interval){a.low + b.low, a.high + b.high});
}

/* An end that is infinite is not reached: nothing times it is nothing. */
static double times(double a, double b) {
    return a == 0 || b == 0 ? 0 : a * b;
}

ln_interval ln_interval_product(ln_interval a, ln_interval b) {
    const double p = times(a.low, b.low), q = times(a.low, b.high), r = times(a.high, b.low),
                 s = times(a.high, b.high);
    return (ln_interval){fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s))};
}

int ln_interval_is_zero(ln_interval a, double size) {
    const double rounding = isfinite(size) ? 1e-12 * size : 0;
    return fabs(a.low) <= rounding && fabs(a.high) <= rounding;
}

ln_interval ln_interval_inverse(ln_interval a) {
    if (a.low < 0 && a.high > 0)
        return LN_ANYTHING;
    if (a.low == 0 && a.high == 0)
        return LN_ANYTHING;
    return (ln_interval){a.high == 0 ? -INFINITY : 1 / a.high, a.low == 0 ? INFINITY : 1 / a.low};
}

static ln_interval square(ln_interval a) {
    const double most = fmax(fabs(a.low), fabs(a.high)), least = a.low > 0    ? a.low
                                                                 : a.high < 0 ? a.high
                                                                              : 0;
    return (ln_interval){least * least, most * most};
}

const ln_monotone *ln_monotone_of(ln_op op) {
    static const double bell = 1.1283791670955126; /* 2/sqrt(pi) */
    static const ln_monotone table[] = {{LN_OP_SQRT, 0, 0, INFINITY, 0},
                                        {LN_OP_CBRT, 0, 0, INFINITY, -INFINITY},
                                        {LN_OP_EXP, 0, 0, INFINITY, 0},
                                        {LN_OP_EXP2, 0, 0, INFINITY, 0},
                                        {LN_OP_EXPM1, 0, 0, INFINITY, -1},
                                        {LN_OP_LOG, 0, 0, INFINITY, -INFINITY},
                                        {LN_OP_LOG2, 0, 0, INFINITY, -INFINITY},
                                        {LN_OP_LOG10, 0, 0, INFINITY, -INFINITY},
                                        {LN_OP_LOG1P, 0, 0, INFINITY, -INFINITY},
                                        {LN_OP_ASIN, 0, 1, INFINITY, -INFINITY},
                                        {LN_OP_ACOS, 1, 1, INFINITY, INFINITY},
                                        {LN_OP_ATAN, 0, 0, 1, -INFINITY},
                                        {LN_OP_SINH, 0, 1, INFINITY, -INFINITY},
                                        {LN_OP_TANH, 0, 0, 1, -1},
                                        {LN_OP_ASINH, 0, 0, 1, -INFINITY},
                                        {LN_OP_ACOSH, 0, 0, INFINITY, 0},
                                        {LN_OP_ATANH, 0, 1, INFINITY, -INFINITY},
                                        {LN_OP_ERF, 0, 0, bell, -1},
                                        {LN_OP_ERFC, 1, 0, bell, 2},
                                        {LN_OP_FLOOR, 0, 0, INFINITY, -INFINITY},
                                        {LN_OP_CEIL, 0, 0, INFINITY, -INFINITY},
                                        {LN_OP_ROUND, 0, 0, INFINITY, -INFINITY},
                                        {LN_OP_TRUNC, 0, 0, INFINITY, -INFINITY}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (table[k].op == op)
            return &table[k];
    return NULL;
}

static ln_interval monotone(const ln_monotone *m, ln_interval a) {
    double low = ln_apply(m->op, a.low, 0, 0), high = ln_apply(m->op, a.high, 0, 0);
    if (isnan(low))
        low = m->begin;
    return sound(m->falls ? (ln_interval){high, low} : (ln_interval){low, high});
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
        return value == 0 ||
               ln_bounds_narrow(b, x, ln_interval_product(is, ln_interval_inverse(point)));
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

static ln_interval power(ln_interval a, ln_interval exponent) {
    if (a.low >= 0)
        return (ln_interval){0, INFINITY};
    if (ln_interval_is_point(exponent) && fmod(exponent.low, 2) == 0)
        return (ln_interval){0, INFINITY};
    return LN_ANYTHING;
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

/* Sums and products; 0: the operation is none. x - x is 0 and x x a square, whatever x is. */
static int arithmetic(ln_op op, ln_interval x, ln_interval y, int is_same, ln_interval *is) {
    switch (op) {
    case LN_OP_ADD: *is = ln_interval_sum(x, y); return 1;
    case LN_OP_SUB: *is = is_same ? LN_ZERO : ln_interval_sum(x, ln_interval_negative(y)); return 1;
    case LN_OP_NEG: *is = ln_interval_negative(x); return 1;
    case LN_OP_MUL: *is = is_same ? square(x) : ln_interval_product(x, y); return 1;
    case LN_OP_DIV: *is = ln_interval_product(x, ln_interval_inverse(y)); return 1;
    case LN_OP_POW: *is = power(x, y); return 1;
    default: return 0;
    }
}

/* Operations whose values lie within a range whatever their arguments are; 0: it has none. */
static int fixed_range(ln_op op, ln_interval *is) {
    static const struct {
        ln_op op;
        ln_interval range;
    } ranges[] = {{LN_OP_HYPOT, {0, INFINITY}},
                  {LN_OP_COSH, {1, INFINITY}},
                  {LN_OP_SIN, {-1, 1}},
                  {LN_OP_COS, {-1, 1}},
                  {LN_OP_ATAN2, {-LN_PI, LN_PI}},
                  {LN_OP_EQ, {0, 1}},
                  {LN_OP_AND, {0, 1}},
                  {LN_OP_OR, {0, 1}},
                  {LN_OP_NOT, {0, 1}},
                  {LN_OP_UNIFORM, {0, 1}}};
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++)
        if (ranges[k].op == op) {
            *is = ranges[k].range;
            return 1;
        }
    return 0;
}

/* x lt y, x le y: decided where the intervals do not overlap. */
static ln_interval order(ln_interval x, ln_interval y) {
    if (x.high < y.low)
        return (ln_interval){1, 1};
    return x.low > y.high ? LN_ZERO : (ln_interval){0, 1};
}

static ln_interval operation(ln_bounds *b, ln_node node) {
    const ln_op op = ln_node_op(b->graph, node);
    const ln_node first = ln_node_arg(b->graph, node, 0), second = ln_node_arg(b->graph, node, 1);
    if (op == LN_OP_IF)
        return either(b, node);
    const int arity = op == LN_OP_TABLE ? 2 : ln_op_arity(op);
    const ln_interval x = arity > 0 ? ln_bounds_of(b, first) : LN_ANYTHING;
    const ln_interval y = arity > 1 ? ln_bounds_of(b, second) : LN_ANYTHING;
    const ln_monotone *m = ln_monotone_of(op);
    ln_interval is;
    if (m != NULL)
        return monotone(m, x);
    if (arithmetic(op, x, y, first == second, &is) || fixed_range(op, &is))
        return is;
    switch (op) {
    case LN_OP_LT:
    case LN_OP_LE: return order(x, y);
    case LN_OP_NOEVENT:
    case LN_OP_PRE: return x;
    case LN_OP_DELAY: return ln_bounds_of(b, first);
    case LN_OP_TABLE: return table(b, node, x);
    default: return LN_ANYTHING;
    }
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
