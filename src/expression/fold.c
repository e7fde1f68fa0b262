/* SPDX-License-Identifier: MIT */
/* Making an operation: constants are computed, neutral elements vanish, minus signs move outwards.
 *
 * A rule may change the last bit of a value only where it says so (powers become products); an
 * operation of constants that has no finite value is kept, and nothing but the branch of an `if`
 * not taken may drop it. */
#include "expression/nodes.h"

#include <stddef.h>

int ln_op_arity(ln_op op) {
    static const int arity[LN_OPS] = {
#define LN_ARITY(name, arity, expression) arity,
        LN_OP_LIST(LN_ARITY)
#undef LN_ARITY
    };
    return arity[op];
}

double ln_apply(ln_op op, double a, double b, double c) {
    switch (op) {
#define LN_APPLY(name, arity, expression) \
    case LN_OP_##name: return expression;
        LN_OP_MATH(LN_APPLY)
#undef LN_APPLY
    default: return NAN;
    }
}

static int is_op(const ln_graph *graph, ln_node node, ln_op op) {
    return graph->cell[node].op == op;
}

static ln_node inside(const ln_graph *graph, ln_node node) {
    return graph->cell[node].arg[0];
}

static ln_node keep(ln_graph *graph, ln_op op, ln_node a, ln_node b, ln_node c) {
    ln_cell cell = {.op = (unsigned char)op, .arg = {a, b, c}};
    for (int i = 0; i < 3; i++)
        if (cell.arg[i] != LN_NONE)
            cell.depends |= graph->cell[cell.arg[i]].depends;
    if (op == LN_OP_DER)
        cell.depends = (unsigned char)(cell.depends | LN_DEPENDS_DER);
    /* even of a constant: it was another one before the start */
    if (op == LN_OP_DELAY || op == LN_OP_RATE)
        cell.depends = (unsigned char)(cell.depends | 1u << LN_LEAF_UNKNOWN | 1u << LN_LEAF_MEMORY);
    /* the start comes back as a jump: on which side of it depends on where time decides */
    if (ln_op_recalls(op))
        cell.depends = (unsigned char)(cell.depends | 1u << LN_LEAF_TIME | 1u << LN_LEAF_DECIDE);
    return ln_intern(graph, &cell, op == LN_OP_ADD || op == LN_OP_MUL || op == LN_OP_EQ);
}

static ln_node unary(ln_graph *graph, ln_op op, ln_node a) {
    return ln_operation(graph, op, a, LN_NONE, LN_NONE);
}

static ln_node binary(ln_graph *graph, ln_op op, ln_node a, ln_node b) {
    return ln_operation(graph, op, a, b, LN_NONE);
}

static ln_node fold_add(ln_graph *graph, ln_node a, ln_node b) {
    if (ln_is(graph, a, 0))
        return b;
    if (ln_is(graph, b, 0))
        return a;
    if (is_op(graph, b, LN_OP_NEG))
        return binary(graph, LN_OP_SUB, a, inside(graph, b));
    if (is_op(graph, a, LN_OP_NEG))
        return binary(graph, LN_OP_SUB, b, inside(graph, a));
    return keep(graph, LN_OP_ADD, a, b, LN_NONE);
}

static ln_node fold_sub(ln_graph *graph, ln_node a, ln_node b) {
    if (ln_is(graph, b, 0))
        return a;
    if (ln_is(graph, a, 0))
        return unary(graph, LN_OP_NEG, b);
    if (a == b && !ln_is_failing(graph, a))
        return ln_constant(graph, 0);
    if (is_op(graph, b, LN_OP_NEG))
        return binary(graph, LN_OP_ADD, a, inside(graph, b));
    return keep(graph, LN_OP_SUB, a, b, LN_NONE);
}

static ln_node fold_neg(ln_graph *graph, ln_node a) {
    if (is_op(graph, a, LN_OP_NEG))
        return inside(graph, a);
    if (is_op(graph, a, LN_OP_SUB))
        return binary(graph, LN_OP_SUB, graph->cell[a].arg[1], inside(graph, a));
    return keep(graph, LN_OP_NEG, a, LN_NONE, LN_NONE);
}

/* A constant factor stands first. */
static ln_node fold_mul(ln_graph *graph, ln_node a, ln_node b) {
    if (is_op(graph, b, LN_OP_CONSTANT)) {
        ln_node swap = a;
        a = b;
        b = swap;
    }
    if (ln_is(graph, a, 0) && !ln_is_failing(graph, b))
        return a;
    if (ln_is(graph, a, 1))
        return b;
    if (ln_is(graph, a, -1))
        return unary(graph, LN_OP_NEG, b);
    if (is_op(graph, b, LN_OP_NEG)) {
        if (is_op(graph, a, LN_OP_CONSTANT))
            return binary(graph, LN_OP_MUL, ln_constant(graph, -graph->cell[a].at.value),
                          inside(graph, b));
        return unary(graph, LN_OP_NEG, binary(graph, LN_OP_MUL, a, inside(graph, b)));
    }
    if (is_op(graph, a, LN_OP_NEG))
        return unary(graph, LN_OP_NEG, binary(graph, LN_OP_MUL, inside(graph, a), b));
    return keep(graph, LN_OP_MUL, a, b, LN_NONE);
}

static ln_node fold_div(ln_graph *graph, ln_node a, ln_node b) {
    if (ln_is(graph, a, 0) && !ln_is(graph, b, 0) && !ln_is_failing(graph, b))
        return a;
    if (ln_is(graph, b, 1))
        return a;
    if (ln_is(graph, b, -1))
        return unary(graph, LN_OP_NEG, a);
    if (is_op(graph, a, LN_OP_NEG))
        return unary(graph, LN_OP_NEG, binary(graph, LN_OP_DIV, inside(graph, a), b));
    return keep(graph, LN_OP_DIV, a, b, LN_NONE);
}

/* Small powers as products, which are an order of magnitude faster and agree to the last bits. */
static ln_node fold_pow(ln_graph *graph, ln_node a, ln_node b) {
    if (!is_op(graph, b, LN_OP_CONSTANT) || ln_is_failing(graph, a))
        return keep(graph, LN_OP_POW, a, b, LN_NONE);
    double exponent = graph->cell[b].at.value;
    if (exponent == 0)
        return ln_constant(graph, 1);
    if (exponent == 1)
        return a;
    if (exponent == 0.5)
        return unary(graph, LN_OP_SQRT, a);
    if (exponent == 2)
        return binary(graph, LN_OP_MUL, a, a);
    if (exponent == 3)
        return binary(graph, LN_OP_MUL, binary(graph, LN_OP_MUL, a, a), a);
    if (exponent == 4)
        return fold_pow(graph, binary(graph, LN_OP_MUL, a, a), ln_constant(graph, 2));
    if (exponent == -1)
        return binary(graph, LN_OP_DIV, ln_constant(graph, 1), a);
    if (exponent == -2)
        return binary(graph, LN_OP_DIV, ln_constant(graph, 1), binary(graph, LN_OP_MUL, a, a));
    return keep(graph, LN_OP_POW, a, b, LN_NONE);
}

static ln_node fold_if(ln_graph *graph, ln_node condition, ln_node yes, ln_node no) {
    if (is_op(graph, condition, LN_OP_CONSTANT))
        return ln_is(graph, condition, 0) ? no : yes;
    if (yes == no && !ln_is_failing(graph, condition))
        return yes;
    if (is_op(graph, condition, LN_OP_NOT))
        return ln_operation(graph, LN_OP_IF, inside(graph, condition), no, yes);
    return keep(graph, LN_OP_IF, condition, yes, no);
}

/* `and`, `or`: a constant on the left decides alone, as in C; one on the right only if the left has
 * a value. */
static ln_node fold_logic(ln_graph *graph, ln_op op, ln_node a, ln_node b) {
    for (int i = 0; i < 2; i++) {
        ln_node side = i ? b : a;
        if (!is_op(graph, side, LN_OP_CONSTANT) || (i && ln_is_failing(graph, a)))
            continue;
        int truth = !ln_is(graph, side, 0);
        if (truth == (op == LN_OP_OR))
            return ln_constant(graph, truth);
    }
    return keep(graph, op, a, b, LN_NONE);
}

/* An operation of constants, or LN_NONE when it must be kept. */
static ln_node fold_constants(ln_graph *graph, ln_op op, const ln_node arg[3]) {
    double value[3] = {0, 0, 0};
    int finite = 1;
    if (op < LN_OP_ADD)
        return LN_NONE;
    for (int i = 0; i < 3; i++) {
        if (arg[i] == LN_NONE)
            continue;
        if (!is_op(graph, arg[i], LN_OP_CONSTANT))
            return LN_NONE;
        value[i] = graph->cell[arg[i]].at.value;
        finite = finite && isfinite(value[i]);
    }
    double result = ln_apply(op, value[0], value[1], value[2]);
    return isfinite(result) || (!finite && !isnan(result)) ? ln_constant(graph, result) : LN_NONE;
}

/* The derivative of what does not change is 0, unless it may fail. */
static ln_node fold_der(ln_graph *graph, ln_node a) {
    const unsigned steady = 1u << LN_LEAF_PARAMETER | 1u << LN_LEAF_MEMORY;
    if ((graph->cell[a].depends & ~steady) == 0 && !ln_is_failing(graph, a))
        return ln_constant(graph, 0);
    return keep(graph, LN_OP_DER, a, LN_NONE, LN_NONE);
}

ln_node ln_operation(ln_graph *graph, ln_op op, ln_node a, ln_node b, ln_node c) {
    ln_node arg[3] = {a, b, c};
    for (int i = 0; i < ln_op_arity(op); i++)
        if (arg[i] == LN_NONE)
            return LN_NONE;
    ln_node folded = fold_constants(graph, op, arg);
    if (folded != LN_NONE || graph->failed)
        return folded;
    switch (op) {
    case LN_OP_ADD: return fold_add(graph, a, b);
    case LN_OP_SUB: return fold_sub(graph, a, b);
    case LN_OP_MUL: return fold_mul(graph, a, b);
    case LN_OP_DIV: return fold_div(graph, a, b);
    case LN_OP_NEG: return fold_neg(graph, a);
    case LN_OP_POW: return fold_pow(graph, a, b);
    case LN_OP_IF: return fold_if(graph, a, b, c);
    case LN_OP_AND:
    case LN_OP_OR: return fold_logic(graph, op, a, b);
    case LN_OP_DER: return fold_der(graph, a);
    default: return keep(graph, op, a, b, c);
    }
}
