/* SPDX-License-Identifier: MIT */
/* Bounds of a derivative: the chain rule in intervals, each branch of a conditional under its own
 * condition (slope.h). */
#include "expression/bounds.h"

static ln_interval slope(ln_bounds *b, ln_node node);

static const ln_interval RISING = {0, INFINITY};

static int moves(const ln_bounds *b, ln_node node) {
    return node != LN_NONE && (ln_depends(b->graph, node) & 1u << LN_LEAF_UNKNOWN) != 0 &&
           ln_contains(b->graph, node, b->variable);
}

static ln_node arg(const ln_bounds *b, ln_node node, int which) {
    return ln_node_arg(b->graph, node, which);
}

static ln_interval scaled(ln_interval s, ln_interval by) {
    return ln_interval_product(s, by);
}

/* ---- products ---- */

/* c * the product of base[k]^power[k]. */
typedef struct factors {
    double c;
    ln_node base[8];
    int power[8], count;
} factors;

/* Takes a product apart; 0 when it has too many factors. */
static int take_apart(const ln_bounds *b, ln_node node, factors *f, int depth) {
    const ln_op op = ln_node_op(b->graph, node);
    if (op == LN_OP_CONSTANT) {
        f->c *= ln_node_value(b->graph, node);
        return 1;
    }
    if (op == LN_OP_MUL && depth < 8)
        return take_apart(b, arg(b, node, 0), f, depth + 1) &&
               take_apart(b, arg(b, node, 1), f, depth + 1);
    if (op == LN_OP_NEG && depth < 8) {
        f->c = -f->c;
        return take_apart(b, arg(b, node, 0), f, depth + 1);
    }
    for (int k = 0; k < f->count; k++)
        if (f->base[k] == node) {
            f->power[k]++;
            return 1;
        }
    if (f->count == 8)
        return 0;
    f->base[f->count] = node;
    f->power[f->count++] = 1;
    return 1;
}

static ln_interval to_the(ln_interval a, int power) {
    ln_interval is = {1, 1};
    if (power % 2 == 0 && power > 0) { /* a square, whatever the sign */
        const double most = fmax(fabs(a.low), fabs(a.high)), least = a.low > 0    ? a.low
                                                                     : a.high < 0 ? -a.high
                                                                                  : 0;
        a = (ln_interval){least, most};
    }
    for (int k = 0; k < power; k++)
        is = ln_interval_product(is, a);
    return is;
}

/* The product of all factors but number k. */
static ln_node without(const ln_bounds *b, const factors *f, int k) {
    ln_node rest = ln_constant(b->graph, f->c);
    for (int i = 0; i < f->count; i++)
        for (int n = 0; i != k && n < f->power[i]; n++)
            rest = ln_operation(b->graph, LN_OP_MUL, rest, f->base[i], LN_NONE);
    return rest;
}

/* A factor that is a conditional on the variable: IF(c, x, y) * rest = IF(c, x*rest, y*rest), and
 * the condition then holds for the rest, too. LN_NONE when there is none. */
static ln_node distributed(ln_bounds *b, const factors *f) {
    ln_graph *g = b->graph;
    for (int k = 0; k < f->count; k++) {
        if (ln_node_op(g, f->base[k]) != LN_OP_IF || f->power[k] != 1 ||
            !moves(b, arg(b, f->base[k], 0)))
            continue;
        const ln_node rest = without(b, f, k);
        return ln_operation(g, LN_OP_IF, arg(b, f->base[k], 0),
                            ln_operation(g, LN_OP_MUL, rest, arg(b, f->base[k], 1), LN_NONE),
                            ln_operation(g, LN_OP_MUL, rest, arg(b, f->base[k], 2), LN_NONE));
    }
    return LN_NONE;
}

/* A factor that is a sum of what moves, beside another one that moves: (x + y)*rest = x*rest +
 * y*rest, in which equal factors meet. LN_NONE when there is none. */
static ln_node expanded(ln_bounds *b, const factors *f) {
    ln_graph *g = b->graph;
    int moving = 0;
    for (int k = 0; k < f->count; k++)
        moving += moves(b, f->base[k]);
    for (int k = 0; moving > 1 && k < f->count; k++) {
        const ln_op op = ln_node_op(g, f->base[k]);
        if ((op != LN_OP_ADD && op != LN_OP_SUB) || f->power[k] != 1 || !moves(b, f->base[k]))
            continue;
        const ln_node rest = without(b, f, k);
        return ln_operation(g, op, ln_operation(g, LN_OP_MUL, rest, arg(b, f->base[k], 0), LN_NONE),
                            ln_operation(g, LN_OP_MUL, rest, arg(b, f->base[k], 1), LN_NONE),
                            LN_NONE);
    }
    return LN_NONE;
}

static ln_interval product_rule(ln_bounds *b, const factors *f) {
    ln_interval sum = LN_ZERO;
    for (int k = 0; k < f->count; k++) {
        if (!moves(b, f->base[k]))
            continue;
        ln_interval partial = {f->c * f->power[k], f->c * f->power[k]};
        for (int i = 0; i < f->count; i++)
            partial = ln_interval_product(
                partial, to_the(ln_bounds_of(b, f->base[i]), f->power[i] - (i == k)));
        sum = ln_interval_sum(sum, scaled(slope(b, f->base[k]), partial));
    }
    return sum;
}

static ln_interval product(ln_bounds *b, ln_node node) {
    factors f = {.c = 1};
    if (!take_apart(b, node, &f, 0))
        return LN_ANYTHING;
    const ln_node split = distributed(b, &f);
    if (split != LN_NONE)
        return slope(b, split);
    const ln_interval is = product_rule(b, &f);
    if (is.low >= 0 || is.high <= 0)
        return is;
    const ln_node sum = expanded(b, &f);
    if (sum == LN_NONE)
        return is;
    const ln_interval other = slope(b, sum); /* both hold */
    return (ln_interval){fmax(is.low, other.low), fmin(is.high, other.high)};
}

static ln_interval quotient(ln_bounds *b, ln_node node) {
    const ln_interval x = ln_bounds_of(b, arg(b, node, 0)),
                      inverse = ln_interval_inverse(ln_bounds_of(b, arg(b, node, 1)));
    const ln_interval above = scaled(slope(b, arg(b, node, 0)), inverse);
    const ln_interval below =
        scaled(slope(b, arg(b, node, 1)), ln_interval_product(x, to_the(inverse, 2)));
    return ln_interval_sum(above, ln_interval_negative(below));
}

static ln_interval power(ln_bounds *b, ln_node node) {
    const ln_interval base = ln_bounds_of(b, arg(b, node, 0)),
                      exponent = ln_bounds_of(b, arg(b, node, 1));
    if (moves(b, arg(b, node, 1))) { /* a^b ln a db, of a positive a that stands still */
        if (moves(b, arg(b, node, 0)) || !(base.low > 0))
            return LN_ANYTHING;
        return scaled(slope(b, arg(b, node, 1)),
                      ln_interval_product(RISING, (ln_interval){log(base.low), log(base.high)}));
    }
    if (!ln_interval_is_point(exponent))
        return LN_ANYTHING;
    const int odd = fmod(exponent.low, 2) != 0, whole = exponent.low == floor(exponent.low);
    ln_interval steep = LN_ANYTHING; /* of base^(exponent - 1) */
    if (base.low >= 0 || (whole && odd))
        steep = RISING;
    else if (base.high <= 0 && whole)
        steep = ln_interval_negative(RISING);
    return scaled(slope(b, arg(b, node, 0)), ln_interval_product(steep, exponent));
}

/* ---- jumps ---- */

/* Up from one value to another; zero where they are the same but for rounding. */
static ln_interval difference(ln_interval upper, ln_interval lower) {
    const ln_interval apart = ln_interval_sum(upper, ln_interval_negative(lower));
    return ln_interval_is_zero(apart, fabs(upper.low) + fabs(lower.low)) ? LN_ZERO : apart;
}

/* Slopes, and a jump by `apart` where something turns that rises and falls by `turns`. */
static ln_interval with_jump(ln_interval is, ln_interval turns, ln_interval apart) {
    const ln_interval jump = ln_interval_product(turns, apart);
    return (ln_interval){jump.low < 0 ? -INFINITY : is.low, jump.high > 0 ? INFINITY : is.high};
}

/* ---- conditionals ---- */

/* Two nodes of which the first is a leaf, where they are one. */
typedef struct common {
    ln_node leaf, is;
} common;

static ln_node on_border(void *context, ln_graph *to, const ln_graph *from, ln_node leaf) {
    const common *at = context;
    (void)to, (void)from;
    return leaf == at->leaf ? at->is : LN_NONE;
}

/* Are both the same expression where left and right are one? The leaf may be part of what takes its
 * place: x for 2*y - x is as right there as y for x. */
static int meet(const ln_bounds *b, ln_node left, ln_node right, const ln_node side[2]) {
    common at = {left, right};
    if (ln_node_op(b->graph, left) != LN_OP_LEAF)
        at = (common){right, left};
    if (ln_node_op(b->graph, at.leaf) != LN_OP_LEAF)
        return 0;
    ln_node pair[2] = {side[0], side[1]};
    ln_copy(b->graph, b->graph, pair, 2, on_border, &at);
    return pair[0] != LN_NONE && pair[0] == pair[1];
}

static ln_interval step_between(ln_bounds *b, ln_node yes, ln_node no);

/* Each branch of a conditional against the other node, under its own condition; up: it is what is
 * stepped to. */
static ln_interval step_of_branches(ln_bounds *b, ln_node choice, ln_node other, int up) {
    const ln_node condition = ln_plain_condition(b->graph, arg(b, choice, 0));
    const int before = b->nknown;
    ln_interval is = {INFINITY, -INFINITY};
    for (int holds = 1; holds >= 0; holds--) {
        const ln_node branch = arg(b, choice, holds ? 1 : 2);
        if (ln_bounds_assume(b, condition, holds))
            is = ln_interval_hull(is, up ? step_between(b, branch, other)
                                         : step_between(b, other, branch));
        b->nknown = before;
    }
    return is.low <= is.high ? is : LN_ANYTHING;
}

/* yes - no. */
static ln_interval step_between(ln_bounds *b, ln_node yes, ln_node no) {
    if (yes == no)
        return LN_ZERO;
    if (!ln_bounds_enter(b))
        return LN_ANYTHING;
    ln_interval is;
    if (ln_node_op(b->graph, yes) == LN_OP_IF)
        is = step_of_branches(b, yes, no, 1);
    else if (ln_node_op(b->graph, no) == LN_OP_IF)
        is = step_of_branches(b, no, yes, 0);
    else
        is = difference(ln_bounds_of(b, yes), ln_bounds_of(b, no));
    ln_bounds_leave(b);
    return is;
}

/* How far the value jumps up as the condition turns true: IF(c, yes, no) where both sides of c are
 * equal. */
static ln_interval jump(ln_bounds *b, ln_node condition, ln_node yes, ln_node no) {
    const ln_node left = arg(b, condition, 0), right = arg(b, condition, 1);
    if ((yes == left && no == right) || (yes == right && no == left) ||
        meet(b, left, right, (const ln_node[2]){yes, no}))
        return LN_ZERO;
    const int before = b->nknown;
    const ln_interval x = ln_bounds_of(b, left), y = ln_bounds_of(b, right);
    if (ln_interval_is_point(y))
        (void)ln_bounds_narrow(b, left, y);
    else if (ln_interval_is_point(x))
        (void)ln_bounds_narrow(b, right, x);
    const ln_interval apart = step_between(b, yes, no);
    b->nknown = before;
    return apart;
}

static ln_interval conditional(ln_bounds *b, ln_node condition, ln_node yes, ln_node no) {
    ln_graph *g = b->graph;
    condition = ln_plain_condition(g, condition);
    const ln_op op = ln_node_op(g, condition);
    const ln_node first = arg(b, condition, 0), second = arg(b, condition, 1);
    if (op == LN_OP_NOT)
        return conditional(b, first, no, yes);
    if (op == LN_OP_AND)
        return conditional(b, first, ln_operation(g, LN_OP_IF, second, yes, no), no);
    if (op == LN_OP_OR)
        return conditional(b, first, yes, ln_operation(g, LN_OP_IF, second, yes, no));
    const int before = b->nknown;
    ln_interval is = {INFINITY, -INFINITY};
    for (int holds = 1; holds >= 0; holds--) {
        if (ln_bounds_assume(b, condition, holds))
            is = ln_interval_hull(is, slope(b, holds ? yes : no));
        b->nknown = before;
    }
    if (!(is.low <= is.high))
        return LN_ANYTHING;
    if (!moves(b, condition))
        return is;
    if (op != LN_OP_LT && op != LN_OP_LE)
        return LN_ANYTHING;
    const ln_interval turns =
        ln_interval_sum(slope(b, second), ln_interval_negative(slope(b, first)));
    return with_jump(is, turns, jump(b, condition, yes, no));
}

/* ---- tables ---- */

static ln_interval table(ln_bounds *b, ln_node node) {
    const double *p = b->p + b->graph->cell[node].at.table.first;
    ln_interval is = LN_ZERO; /* held beyond the ends */
    for (int k = 0; k + 1 < b->graph->cell[node].at.table.points; k++) {
        const double way = p[2 * k + 2] - p[2 * k], rise = p[2 * k + 3] - p[2 * k + 1];
        const double steep = way > 0 ? rise / way : rise == 0 ? 0 : copysign(INFINITY, rise);
        is = ln_interval_hull(is, (ln_interval){steep, steep});
    }
    return scaled(slope(b, arg(b, node, 0)), is);
}

/* The first step node below that moves and of which nothing is known: what chooses the piece of a
 * table. */
static ln_node step_below(ln_bounds *b, ln_node node) {
    for (ln_node n = 0; n <= node; n++)
        if (ln_node_op(b->graph, n) == LN_OP_TABLE_MIDDLE && ln_bounds_known(b, n) == NULL &&
            ln_contains(b->graph, n, b->variable) && ln_contains(b->graph, node, n))
            return n;
    return LN_NONE;
}

/* Is the choice of a piece made in one summand only? Then the others do not matter for its jumps.
 */
static int is_summand(const ln_bounds *b, ln_node node, ln_node step) {
    const ln_op op = ln_node_op(b->graph, node);
    if (op == LN_OP_NEG)
        return 1;
    if (op != LN_OP_ADD && op != LN_OP_SUB)
        return 0;
    return !ln_contains(b->graph, arg(b, node, 0), step) ||
           !ln_contains(b->graph, arg(b, node, 1), step);
}

/* A piece of a table: the node of its step, and an abscissa inside it. */
typedef struct segment {
    ln_node step;
    double middle;
} segment;

/* The bounds of a node's slope, or of its value, on the piece with x within an interval. 0: x
 * cannot be there. */
static int within_piece(ln_bounds *b, ln_node node, segment at, ln_interval x, int of_slope,
                        ln_interval *is) {
    const int before = b->nknown;
    const int possible = ln_bounds_narrow(b, at.step, (ln_interval){at.middle, at.middle}) &&
                         ln_bounds_narrow(b, arg(b, at.step, 0), x);
    if (possible)
        *is = of_slope ? slope(b, node) : ln_bounds_of(b, node);
    b->nknown = before;
    return possible;
}

/* A table of pieces: slopes within each, and jumps between neighbours at the border. The step node
 * stands for a piece by an abscissa inside it. */
static ln_interval pieces(ln_bounds *b, ln_node node, ln_node step) {
    const double *border = b->p + b->graph->cell[step].at.table.first; /* in pairs */
    const int count = b->graph->cell[step].at.table.points;
    const ln_interval way = slope(b, arg(b, step, 0));
    ln_interval is = {INFINITY, -INFINITY}, last = LN_ZERO;
    for (int k = 0; k <= count; k++) {
        const double from = k > 0 ? border[2 * k - 2] : -INFINITY,
                     to = k < count ? border[2 * k] : INFINITY;
        const segment at = {step, k == 0 ? to - 1 : k == count ? from + 1 : from + (to - from) / 2};
        ln_interval begin = LN_ZERO, slopes, end = LN_ZERO;
        if (k > 0)
            (void)within_piece(b, node, at, (ln_interval){from, from}, 0, &begin);
        if (within_piece(b, node, at, (ln_interval){from, to}, 1, &slopes))
            is = ln_interval_hull(is, slopes);
        if (k < count)
            (void)within_piece(b, node, at, (ln_interval){to, to}, 0, &end);
        if (k > 0)
            is = with_jump(is, way, difference(begin, last));
        last = end;
    }
    return is.low <= is.high ? is : LN_ANYTHING;
}

/* ---- all ---- */

static ln_interval function(ln_bounds *b, ln_node node) {
    const ln_op op = ln_node_op(b->graph, node);
    const ln_node first = arg(b, node, 0);
    const ln_monotone *m = ln_monotone_of(op);
    if (m != NULL) {
        ln_interval steep = {m->least, m->most};
        if (op == LN_OP_EXP)
            steep = ln_bounds_of(b, node);
        const ln_interval is = scaled(slope(b, first), steep);
        return m->falls ? ln_interval_negative(is) : is;
    }
    const ln_interval x = ln_bounds_of(b, first);
    static const double quarter = 1.57079632679489661923;
    switch (op) {
    case LN_OP_TAN: return scaled(slope(b, first), (ln_interval){1, INFINITY});
    case LN_OP_COSH: return scaled(slope(b, first), (ln_interval){sinh(x.low), sinh(x.high)});
    case LN_OP_SIN:
        return scaled(slope(b, first),
                      (ln_interval){x.low >= -quarter && x.high <= quarter ? 0 : -1, 1});
    case LN_OP_COS:
        return scaled(slope(b, first),
                      (ln_interval){-1, x.low >= 0 && x.high <= 2 * quarter ? 0 : 1});
    default: return LN_ANYTHING;
    }
}

/* d/dx hypot(x, y) = x/hypot, from -1 to 1. */
static ln_interval length(ln_bounds *b, ln_node node) {
    ln_interval sum = LN_ZERO;
    for (int k = 0; k < 2; k++) {
        const ln_interval x = ln_bounds_of(b, arg(b, node, k));
        const ln_interval part = {x.low >= 0 ? 0 : -1, x.high <= 0 ? 0 : 1};
        sum = ln_interval_sum(sum, scaled(slope(b, arg(b, node, k)), part));
    }
    return sum;
}

/* d atan2(y, x) = (x dy - y dx)/(x^2 + y^2). */
static ln_interval angle(ln_bounds *b, ln_node node) {
    const ln_interval y = ln_bounds_of(b, arg(b, node, 0)), x = ln_bounds_of(b, arg(b, node, 1));
    const ln_interval up = scaled(slope(b, arg(b, node, 0)), ln_interval_product(x, RISING));
    return ln_interval_sum(up, ln_interval_negative(scaled(slope(b, arg(b, node, 1)),
                                                           ln_interval_product(y, RISING))));
}

/* Sums, products and powers; 0: the operation is none. */
static int arithmetic(ln_bounds *b, ln_node node, ln_interval *is) {
    const ln_node first = arg(b, node, 0), second = arg(b, node, 1);
    switch (ln_node_op(b->graph, node)) {
    case LN_OP_ADD: *is = ln_interval_sum(slope(b, first), slope(b, second)); return 1;
    case LN_OP_SUB:
        *is = ln_interval_sum(slope(b, first), ln_interval_negative(slope(b, second)));
        return 1;
    case LN_OP_NEG: *is = ln_interval_negative(slope(b, first)); return 1;
    case LN_OP_MUL: *is = product(b, node); return 1;
    case LN_OP_DIV: *is = quotient(b, node); return 1;
    case LN_OP_POW: *is = power(b, node); return 1;
    default: return 0;
    }
}

/* Truth values: the direction in which one changes from 0 to 1, by an impulse. 0: it is none. */
static int truth(ln_bounds *b, ln_node node, ln_interval *is) {
    const ln_node first = arg(b, node, 0), second = arg(b, node, 1);
    switch (ln_node_op(b->graph, node)) {
    case LN_OP_LT:
    case LN_OP_LE:
        *is = scaled(ln_interval_sum(slope(b, second), ln_interval_negative(slope(b, first))),
                     RISING);
        return 1;
    case LN_OP_AND:
    case LN_OP_OR: *is = ln_interval_hull(slope(b, first), slope(b, second)); return 1;
    case LN_OP_NOT: *is = ln_interval_negative(slope(b, first)); return 1;
    default: return 0;
    }
}

static ln_interval operation(ln_bounds *b, ln_node node) {
    const ln_node first = arg(b, node, 0), second = arg(b, node, 1);
    ln_interval is;
    if (arithmetic(b, node, &is) || truth(b, node, &is))
        return is;
    switch (ln_node_op(b->graph, node)) {
    case LN_OP_DER: return LN_ZERO;
    case LN_OP_HYPOT: return length(b, node);
    case LN_OP_ATAN2: return angle(b, node);
    case LN_OP_IF: return conditional(b, first, second, arg(b, node, 2));
    case LN_OP_NOEVENT:
    case LN_OP_PRE: return slope(b, first);
    case LN_OP_DELAY: return moves(b, second) ? LN_ANYTHING : slope(b, first);
    case LN_OP_TABLE: return table(b, node);
    default: return function(b, node);
    }
}

static ln_interval slope(ln_bounds *b, ln_node node) {
    if (node == b->variable)
        return (ln_interval){1, 1};
    if (!moves(b, node))
        return LN_ZERO;
    if (ln_node_op(b->graph, node) == LN_OP_TABLE_MIDDLE)
        return ln_bounds_known(b, node) != NULL ? LN_ZERO : LN_ANYTHING;
    if (!ln_bounds_enter(b))
        return LN_ANYTHING;
    const ln_node step = b->any_step ? step_below(b, node) : LN_NONE;
    const ln_interval is =
        step == LN_NONE || is_summand(b, node, step) ? operation(b, node) : pieces(b, node, step);
    ln_bounds_leave(b);
    return is;
}

ln_interval ln_slope_bounds(ln_graph *graph, ln_node node, ln_node variable, const double *p) {
    ln_bounds b = {.graph = graph, .p = p, .variable = variable};
    b.any_step = step_below(&b, node) != LN_NONE;
    const ln_interval is = slope(&b, node);
    return ln_graph_failed(graph) ? LN_ANYTHING : is;
}
