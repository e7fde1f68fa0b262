/* SPDX-License-Identifier: MIT */
/* Right-hand sides of Newton's update: J (x - origin) - residual, at the unknowns as they are. Of
 * what is linear only the residual at the origins is left; of what bends, itself less its slopes
 * times how far the unknowns are from there. Where a value is finite and its slope is not, as of a
 * square root at zero, that of a secant takes its place, here and in J alike. */
#include "codegen/network_assembly.h"

#include <math.h>

/* ---- slopes ---- */

/* A step by which a secant takes the place of a tangent that stands upright (system/secant.c). */
static const double ASIDE = 1.5e-8;

static int may_vanish(const ln_graph *graph, ln_node node) {
    const ln_op op = ln_node_op(graph, node);
    if (op == LN_OP_MUL)
        return may_vanish(graph, ln_node_arg(graph, node, 0)) ||
               may_vanish(graph, ln_node_arg(graph, node, 1));
    return op == LN_OP_SQRT || op == LN_OP_CBRT || op == LN_OP_HYPOT;
}

static ln_node or_else(ln_graph *graph, ln_node node, double value) {
    const ln_node zero = ln_operation(graph, LN_OP_EQ, node, ln_constant(graph, 0.0), LN_NONE);
    return ln_operation(graph, LN_OP_IF, zero, ln_constant(graph, value), node);
}

/* Divided by a root that is zero; zero to a negative power. */
static ln_node stand_aside(void *context, ln_graph *to, const ln_graph *from, ln_node old,
                           const ln_node arg[3]) {
    const ln_op op = ln_node_op(from, old);
    (void)context;
    if (op == LN_OP_DIV && may_vanish(to, arg[1]))
        return ln_operation(to, op, arg[0], or_else(to, arg[1], sqrt(ASIDE)), LN_NONE);
    if (op == LN_OP_POW && ln_node_op(to, arg[1]) == LN_OP_CONSTANT &&
        ln_node_value(to, arg[1]) < 0)
        return ln_operation(to, op, or_else(to, arg[0], ASIDE), arg[1], LN_NONE);
    return ln_remake(to, from, old, arg);
}

ln_node ln_assembly_finite(const ln_assembly *all, ln_node slope) {
    ln_graph *graph = ln_assembly_graph(all);
    ln_rewrite(graph, graph, &slope, 1, stand_aside, NULL);
    return slope;
}

/* ---- what is left ---- */

typedef struct remaining {
    const ln_assembly *all;
    char *varies; /* per node of the graph as it was: it holds an unknown */
    int bends, refuses;
    linnet_status status;
} remaining;

/* What is left of a term that bends: itself less its slopes times what the unknowns are. */
static ln_node left_of(remaining *rest, ln_graph *graph, ln_node term) {
    ln_walk walk;
    ln_node left = term;
    rest->bends = 1;
    rest->status = ln_walk_new(&walk, &rest->all->plan->diagram, graph);
    if (rest->status != LINNET_OK)
        return LN_NONE;
    ln_walk_push(&walk, term, 1);
    for (ln_node part; (part = ln_walk_next(&walk, 1)) != LN_NONE;) {
        const int col = ln_assembly_column(rest->all, part);
        if (col < 0)
            continue;
        const ln_node from =
            ln_assembly_two(rest->all, LN_OP_SUB, part, ln_assembly_origin(rest->all, col));
        left = ln_assembly_two(
            rest->all, LN_OP_SUB, left,
            ln_assembly_two(rest->all, LN_OP_MUL,
                            ln_assembly_finite(rest->all, ln_derivative(graph, term, part)), from));
    }
    return left;
}

/* Does an operation bend, of which some operands vary? */
static int bends(ln_op op, const int varies[3]) {
    switch (op) {
    case LN_OP_ADD:
    case LN_OP_SUB:
    case LN_OP_NEG:
    case LN_OP_NOEVENT: return 0;
    case LN_OP_MUL: return varies[0] && varies[1];
    case LN_OP_DIV: return varies[1];
    case LN_OP_IF: return varies[0];
    default: return 1;
    }
}

/* Has an operation no value for some operands, of which some vary? The exponential of a large
 * number is none. */
static int refuses(ln_op op, const int varies[3]) {
    static const char without[LN_OPS] = {
        [LN_OP_POW] = 1,    [LN_OP_SQRT] = 1,   [LN_OP_EXP] = 1,      [LN_OP_EXP2] = 1,
        [LN_OP_EXPM1] = 1,  [LN_OP_LOG] = 1,    [LN_OP_LOG2] = 1,     [LN_OP_LOG10] = 1,
        [LN_OP_LOG1P] = 1,  [LN_OP_TAN] = 1,    [LN_OP_ASIN] = 1,     [LN_OP_ACOS] = 1,
        [LN_OP_SINH] = 1,   [LN_OP_COSH] = 1,   [LN_OP_ACOSH] = 1,    [LN_OP_ATANH] = 1,
        [LN_OP_TGAMMA] = 1, [LN_OP_LGAMMA] = 1, [LN_OP_POLYGAMMA] = 1};
    return op == LN_OP_DIV ? varies[1] : without[op];
}

/* Notes whether a node varies; told how it bends. */
static int note_variation(remaining *rest, const ln_graph *from, ln_node old, int varies[3]) {
    for (int k = 0; k < 3; k++)
        varies[k] = ln_node_arg(from, old, k) != LN_NONE && rest->varies[ln_node_arg(from, old, k)];
    rest->varies[old] =
        (char)(varies[0] || varies[1] || varies[2] || ln_assembly_column(rest->all, old) >= 0);
    return rest->varies[old];
}

/* Sums, products with what stays and choices by it are taken apart: of their linear terms the
 * origins are left. */
static ln_node remain(void *context, ln_graph *to, const ln_graph *from, ln_node old,
                      const ln_node arg[3]) {
    remaining *rest = context;
    int varies[3];
    if (!note_variation(rest, from, old, varies))
        return old;
    rest->refuses |= refuses(ln_node_op(from, old), varies);
    if (ln_node_op(from, old) == LN_OP_LEAF)
        return ln_assembly_origin(rest->all, ln_assembly_column(rest->all, old));
    return bends(ln_node_op(from, old), varies) ? left_of(rest, to, old)
                                                : ln_remake(to, from, old, arg);
}

/* Unknowns in a term that bends. */
static ln_node find_bent(void *context, ln_graph *to, const ln_graph *from, ln_node old,
                         const ln_node arg[3]) {
    remaining *rest = context;
    int varies[3];
    ln_walk walk;
    (void)arg;
    if (!note_variation(rest, from, old, varies) || ln_node_op(from, old) == LN_OP_LEAF ||
        !bends(ln_node_op(from, old), varies))
        return old;
    if (rest->status == LINNET_OK)
        rest->status = ln_walk_new(&walk, &rest->all->plan->diagram, to);
    if (rest->status != LINNET_OK)
        return old;
    ln_walk_push(&walk, old, 1);
    for (ln_node part; (part = ln_walk_next(&walk, 1)) != LN_NONE;) {
        const int col = ln_assembly_column(rest->all, part);
        if (col >= 0 && col < rest->all->nunknowns)
            rest->all->steers[col] = 1;
    }
    return old;
}

/* The residuals that there are, one after the other; how many. */
static int gather(const ln_assembly *all, const ln_node *residual, ln_node *rows) {
    int count = 0;
    for (int k = 0; k < all->nunknowns; k++)
        if (residual[k] != LN_NONE)
            rows[count++] = residual[k];
    return count;
}

linnet_status ln_assembly_find_bent(const ln_assembly *all, const ln_node *residual) {
    ln_plan *plan = all->plan;
    remaining rest = {.all = all,
                      .varies = LN_NEW(plan->diagram.scratch, char, ln_graph_size(plan->graph)),
                      .status = LINNET_OK};
    ln_node *rows = LN_NEW(plan->diagram.scratch, ln_node, all->nunknowns);
    if (rest.varies == NULL || rows == NULL)
        return ln_no_memory(plan->report);
    ln_rewrite(plan->graph, plan->graph, rows, gather(all, residual, rows), find_bent, &rest);
    return rest.status;
}

linnet_status ln_assembly_rights(const ln_assembly *all, const ln_node *residual, ln_node *right,
                                 ln_solution *solution) {
    ln_plan *plan = all->plan;
    remaining rest = {.all = all,
                      .varies = LN_NEW(plan->diagram.scratch, char, ln_graph_size(plan->graph)),
                      .status = LINNET_OK};
    ln_node *rows = LN_NEW(plan->diagram.scratch, ln_node, all->nunknowns);
    if (rest.varies == NULL || rows == NULL)
        return ln_no_memory(plan->report);
    ln_rewrite(plan->graph, plan->graph, rows, gather(all, residual, rows), remain, &rest);
    LN_TRY(rest.status);
    for (int k = 0, i = 0; k < all->nunknowns; k++)
        right[k] = residual[k] == LN_NONE
                       ? LN_NONE
                       : ln_operation(plan->graph, LN_OP_NEG, rows[i++], LN_NONE, LN_NONE);
    solution->bends = rest.bends;
    solution->refuses = rest.refuses;
    return ln_graph_failed(plan->graph) ? ln_no_memory(plan->report) : LINNET_OK;
}
