/* SPDX-License-Identifier: MIT */
/* The operators and functions of the language: arguments, unit rule, and the graph each becomes.
 *
 * Kinks become IF nodes, so that every kink of a model is a condition that can be watched. A NaN in
 * the second argument of min or max is not seen (as with fmin), one in the first is. */
#include "expression/functions.h"

#include "expression/nodes.h"

#include "base/text.h"

#include <string.h>

static ln_node two(ln_graph *graph, ln_op op, ln_node a, ln_node b) {
    return ln_operation(graph, op, a, b, LN_NONE);
}

static ln_node choose(ln_graph *graph, ln_node condition, ln_node yes, ln_node no) {
    return ln_operation(graph, LN_OP_IF, condition, yes, no);
}

static ln_node build_gt(ln_graph *graph, const ln_node *args, int nargs) {
    (void)nargs;
    return two(graph, LN_OP_LT, args[1], args[0]);
}

static ln_node build_ge(ln_graph *graph, const ln_node *args, int nargs) {
    (void)nargs;
    return two(graph, LN_OP_LE, args[1], args[0]);
}

static ln_node build_ne(ln_graph *graph, const ln_node *args, int nargs) {
    (void)nargs;
    return two(graph, LN_OP_NOT, two(graph, LN_OP_EQ, args[0], args[1]), LN_NONE);
}

static ln_node build_min(ln_graph *graph, const ln_node *args, int nargs) {
    ln_node least = args[0];
    for (int i = 1; i < nargs; i++)
        least = choose(graph, two(graph, LN_OP_LT, args[i], least), args[i], least);
    return least;
}

static ln_node build_max(ln_graph *graph, const ln_node *args, int nargs) {
    ln_node most = args[0];
    for (int i = 1; i < nargs; i++)
        most = choose(graph, two(graph, LN_OP_LT, most, args[i]), args[i], most);
    return most;
}

static ln_node build_clamp(ln_graph *graph, const ln_node *args, int nargs) {
    (void)nargs;
    ln_node x = args[0], low = args[1], high = args[2];
    return choose(graph, two(graph, LN_OP_LT, x, low), low,
                  choose(graph, two(graph, LN_OP_LT, high, x), high, x));
}

static ln_node build_abs(ln_graph *graph, const ln_node *args, int nargs) {
    (void)nargs;
    ln_node x = args[0], zero = ln_constant(graph, 0);
    return choose(graph, two(graph, LN_OP_LT, x, zero), two(graph, LN_OP_NEG, x, LN_NONE), x);
}

static ln_node build_sign(ln_graph *graph, const ln_node *args, int nargs) {
    (void)nargs;
    ln_node x = args[0], zero = ln_constant(graph, 0), one = ln_constant(graph, 1),
            minus = ln_constant(graph, -1);
    return choose(graph, two(graph, LN_OP_LT, zero, x), one,
                  choose(graph, two(graph, LN_OP_LT, x, zero), minus, zero));
}

static ln_node build_fdim(ln_graph *graph, const ln_node *args, int nargs) {
    (void)nargs;
    return choose(graph, two(graph, LN_OP_LT, args[1], args[0]),
                  two(graph, LN_OP_SUB, args[0], args[1]), ln_constant(graph, 0));
}

/* x - y step(x/y): the sawtooth as an affine function between the breakpoints of its step. */
static ln_node remainder_by(ln_graph *graph, ln_op step, ln_node x, ln_node y) {
    ln_node whole = two(graph, step, two(graph, LN_OP_DIV, x, y), LN_NONE);
    return two(graph, LN_OP_SUB, x, two(graph, LN_OP_MUL, y, whole));
}

static ln_node build_mod(ln_graph *graph, const ln_node *args, int nargs) {
    (void)nargs;
    return remainder_by(graph, LN_OP_FLOOR, args[0], args[1]);
}

static ln_node build_fmod(ln_graph *graph, const ln_node *args, int nargs) {
    (void)nargs;
    return remainder_by(graph, LN_OP_TRUNC, args[0], args[1]);
}

static ln_node build_sinc(ln_graph *graph, const ln_node *args, int nargs) {
    (void)nargs;
    return two(graph, LN_OP_SINC, ln_constant(graph, 0), args[0]);
}

/* ---- smooth ---- */

/* A breakpoint rounded over about w: abs becomes hypot(x, w), and what is made of it follows. */
static ln_node build_smooth_sign(ln_graph *graph, const ln_node *args, int nargs) {
    (void)nargs;
    return two(graph, LN_OP_DIV, args[0], two(graph, LN_OP_HYPOT, args[0], args[1]));
}

static ln_node smooth_half(ln_graph *graph, ln_op op, const ln_node *args) {
    ln_node apart = two(graph, LN_OP_HYPOT, two(graph, LN_OP_SUB, args[0], args[1]), args[2]);
    ln_node both = two(graph, op, two(graph, LN_OP_ADD, args[0], args[1]), apart);
    return two(graph, LN_OP_MUL, ln_constant(graph, 0.5), both);
}

static ln_node build_smooth_max(ln_graph *graph, const ln_node *args, int nargs) {
    (void)nargs;
    return smooth_half(graph, LN_OP_ADD, args);
}

static ln_node build_smooth_min(ln_graph *graph, const ln_node *args, int nargs) {
    (void)nargs;
    return smooth_half(graph, LN_OP_SUB, args);
}

/* ---- noevent ---- */

int ln_op_decides(ln_op op) {
    return op == LN_OP_LT || op == LN_OP_LE || op == LN_OP_EQ || op == LN_OP_FLOOR ||
           op == LN_OP_CEIL || op == LN_OP_ROUND || op == LN_OP_TRUNC;
}

static ln_node mark(void *context, ln_graph *to, const ln_graph *from, ln_node old,
                    const ln_node arg[3]) {
    const unsigned varies = 1u << LN_LEAF_UNKNOWN | 1u << LN_LEAF_TIME | LN_DEPENDS_DER;
    ln_node moved[3] = {arg[0], arg[1], arg[2]};
    (void)context;
    const ln_op op = (ln_op)from->cell[old].op;
    if (ln_op_decides(op) && (from->cell[old].depends & varies))
        return two(to, LN_OP_NOEVENT, ln_remake(to, from, old, arg), LN_NONE);
    if (op == LN_OP_TABLE)
        moved[1] = two(to, LN_OP_NOEVENT, arg[1], LN_NONE);
    return ln_remake(to, from, old, moved);
}

/* Only what decides is marked, so that the rest stays as linear as it is. */
static ln_node build_noevent(ln_graph *graph, const ln_node *args, int nargs) {
    ln_node node = args[0];
    (void)nargs;
    ln_rewrite(graph, graph, &node, 1, mark, NULL);
    return node;
}

static const ln_known_function table[] = {
    {"+", 2, 2, LN_RULE_SUM, LN_OP_ADD, NULL},
    {"-", 2, 2, LN_RULE_SUM, LN_OP_SUB, NULL},
    {"*", 2, 2, LN_RULE_PRODUCT, LN_OP_MUL, NULL},
    {"/", 2, 2, LN_RULE_QUOTIENT, LN_OP_DIV, NULL},
    {"^", 2, 2, LN_RULE_POWER, LN_OP_POW, NULL},
    {"neg", 1, 1, LN_RULE_KEEP, LN_OP_NEG, NULL},
    {"lt", 2, 2, LN_RULE_COMPARE, LN_OP_LT, NULL},
    {"le", 2, 2, LN_RULE_COMPARE, LN_OP_LE, NULL},
    {"gt", 2, 2, LN_RULE_COMPARE, LN_OP_LT, build_gt},
    {"ge", 2, 2, LN_RULE_COMPARE, LN_OP_LE, build_ge},
    {"eq", 2, 2, LN_RULE_COMPARE, LN_OP_EQ, NULL},
    {"ne", 2, 2, LN_RULE_COMPARE, LN_OP_EQ, build_ne},
    {"and", 2, 2, LN_RULE_PLAIN, LN_OP_AND, NULL},
    {"or", 2, 2, LN_RULE_PLAIN, LN_OP_OR, NULL},
    {"not", 1, 1, LN_RULE_PLAIN, LN_OP_NOT, NULL},
    {"if", 3, 3, LN_RULE_IF, LN_OP_IF, NULL},
    {"der", 1, 1, LN_RULE_DER, LN_OP_DER, NULL},
    {"min", 2, -1, LN_RULE_KEEP, LN_OP_IF, build_min},
    {"max", 2, -1, LN_RULE_KEEP, LN_OP_IF, build_max},
    {"fmin", 2, 2, LN_RULE_KEEP, LN_OP_IF, build_min},
    {"fmax", 2, 2, LN_RULE_KEEP, LN_OP_IF, build_max},
    {"fdim", 2, 2, LN_RULE_KEEP, LN_OP_IF, build_fdim},
    {"clamp", 3, 3, LN_RULE_KEEP, LN_OP_IF, build_clamp},
    {"abs", 1, 1, LN_RULE_KEEP, LN_OP_IF, build_abs},
    {"fabs", 1, 1, LN_RULE_KEEP, LN_OP_IF, build_abs},
    {"mod", 2, 2, LN_RULE_KEEP, LN_OP_FLOOR, build_mod},
    {"fmod", 2, 2, LN_RULE_KEEP, LN_OP_TRUNC, build_fmod},
    {"hypot", 2, 2, LN_RULE_KEEP, LN_OP_HYPOT, NULL},
    {"sign", 1, 1, LN_RULE_RATIO, LN_OP_IF, build_sign},
    {"atan2", 2, 2, LN_RULE_RATIO, LN_OP_ATAN2, NULL},
    {"pow", 2, 2, LN_RULE_POWER, LN_OP_POW, NULL},
    {"sqrt", 1, 1, LN_RULE_SQRT, LN_OP_SQRT, NULL},
    {"cbrt", 1, 1, LN_RULE_CBRT, LN_OP_CBRT, NULL},
    {"sinc", 1, 1, LN_RULE_PLAIN, LN_OP_SINC, build_sinc},
    {"smooth_abs", 2, 2, LN_RULE_KEEP, LN_OP_HYPOT, NULL},
    {"smooth_sign", 2, 2, LN_RULE_RATIO, LN_OP_DIV, build_smooth_sign},
    {"smooth_max", 3, 3, LN_RULE_KEEP, LN_OP_ADD, build_smooth_max},
    {"smooth_min", 3, 3, LN_RULE_KEEP, LN_OP_SUB, build_smooth_min},
    {"noevent", 1, 1, LN_RULE_KEEP, LN_OP_NOEVENT, build_noevent},
    {"pre", 1, 1, LN_RULE_KEEP, LN_OP_PRE, NULL},
    {"sample", 1, 3, LN_RULE_SAMPLE, LN_OP_LE, NULL},
    {"delay", 2, 2, LN_RULE_DELAY, LN_OP_DELAY, NULL},
    {"rate", 1, 1, LN_RULE_DER, LN_OP_RATE, NULL},
    {"uniform", 2, 2, LN_RULE_PLAIN, LN_OP_UNIFORM, NULL},
    {"normal", 2, 2, LN_RULE_PLAIN, LN_OP_NORMAL, NULL},
    {"exp", 1, 1, LN_RULE_PLAIN, LN_OP_EXP, NULL},
    {"exp2", 1, 1, LN_RULE_PLAIN, LN_OP_EXP2, NULL},
    {"expm1", 1, 1, LN_RULE_PLAIN, LN_OP_EXPM1, NULL},
    {"log", 1, 1, LN_RULE_PLAIN, LN_OP_LOG, NULL},
    {"log2", 1, 1, LN_RULE_PLAIN, LN_OP_LOG2, NULL},
    {"log10", 1, 1, LN_RULE_PLAIN, LN_OP_LOG10, NULL},
    {"log1p", 1, 1, LN_RULE_PLAIN, LN_OP_LOG1P, NULL},
    {"sin", 1, 1, LN_RULE_PLAIN, LN_OP_SIN, NULL},
    {"cos", 1, 1, LN_RULE_PLAIN, LN_OP_COS, NULL},
    {"tan", 1, 1, LN_RULE_PLAIN, LN_OP_TAN, NULL},
    {"asin", 1, 1, LN_RULE_PLAIN, LN_OP_ASIN, NULL},
    {"acos", 1, 1, LN_RULE_PLAIN, LN_OP_ACOS, NULL},
    {"atan", 1, 1, LN_RULE_PLAIN, LN_OP_ATAN, NULL},
    {"sinh", 1, 1, LN_RULE_PLAIN, LN_OP_SINH, NULL},
    {"cosh", 1, 1, LN_RULE_PLAIN, LN_OP_COSH, NULL},
    {"tanh", 1, 1, LN_RULE_PLAIN, LN_OP_TANH, NULL},
    {"asinh", 1, 1, LN_RULE_PLAIN, LN_OP_ASINH, NULL},
    {"acosh", 1, 1, LN_RULE_PLAIN, LN_OP_ACOSH, NULL},
    {"atanh", 1, 1, LN_RULE_PLAIN, LN_OP_ATANH, NULL},
    {"erf", 1, 1, LN_RULE_PLAIN, LN_OP_ERF, NULL},
    {"erfc", 1, 1, LN_RULE_PLAIN, LN_OP_ERFC, NULL},
    {"tgamma", 1, 1, LN_RULE_PLAIN, LN_OP_TGAMMA, NULL},
    {"lgamma", 1, 1, LN_RULE_PLAIN, LN_OP_LGAMMA, NULL},
    {"floor", 1, 1, LN_RULE_PLAIN, LN_OP_FLOOR, NULL},
    {"ceil", 1, 1, LN_RULE_PLAIN, LN_OP_CEIL, NULL},
    {"round", 1, 1, LN_RULE_PLAIN, LN_OP_ROUND, NULL},
    {"trunc", 1, 1, LN_RULE_PLAIN, LN_OP_TRUNC, NULL},
};
enum { ROWS = sizeof table / sizeof *table, FIRST_CALLED = 15 /* "if"; operators stand before */ };

const ln_known_function *ln_find_function(const char *name) {
    for (int i = 0; i < ROWS; i++)
        if (table[i].name[0] == name[0] && strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

const char *ln_nearest_function(const char *name) {
    static const struct {
        const char *other, *ours;
    } elsewhere[] = {{"ln", "log"},      {"lg", "log10"},    {"ld", "log2"},
                     {"sgn", "sign"},    {"signum", "sign"}, {"arcsin", "asin"},
                     {"arccos", "acos"}, {"arctan", "atan"}, {"gamma", "tgamma"},
                     {"int", "trunc"},   {"limit", "clamp"}, {"saturate", "clamp"},
                     {"iif", "if"},      {"rem", "fmod"}};
    const char *names[ROWS];
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (strcmp(elsewhere[i].other, name) == 0)
            return elsewhere[i].ours;
    for (int i = FIRST_CALLED; i < ROWS; i++)
        names[i] = table[i].name;
    return ln_nearest(name, names + FIRST_CALLED, ROWS - FIRST_CALLED);
}

ln_node ln_build_function(ln_graph *graph, const ln_known_function *function, const ln_node *args,
                          int nargs) {
    for (int i = 0; i < nargs; i++)
        if (args[i] == LN_NONE)
            return LN_NONE;
    if (function->build)
        return function->build(graph, args, nargs);
    return ln_operation(graph, function->op, args[0], nargs > 1 ? args[1] : LN_NONE,
                        nargs > 2 ? args[2] : LN_NONE);
}

ln_node ln_function(ln_graph *graph, const char *name, const ln_node *args, int nargs) {
    const ln_known_function *function = ln_find_function(name);
    if (!function || function->rule == LN_RULE_SAMPLE || nargs < function->least ||
        (function->most >= 0 && nargs > function->most))
        return LN_NONE;
    return ln_build_function(graph, function, args, nargs);
}

int ln_is_reserved(const char *name) {
    static const char *const reserved[] = {"t",  "pi", "e",  "if", "der", "lt", "le",
                                           "gt", "ge", "eq", "ne", "and", "or", "not"};
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strcmp(reserved[i], name) == 0)
            return 1;
    return 0;
}
