/* SPDX-License-Identifier: MIT */
/* What of Newton's update stays while the method goes on (sources, what was at the step's begin,
 * elimination of constant rows) is computed once for all its iterations. Each node is taken apart
 * into a sum of two: what varies with the unknowns and flows, and what is known before. Sums,
 * differences and products with what is known pass both on; any other operation needs the whole,
 * and there the known part becomes a known value. Equal terms of a sum become one. */
#include "codegen/network_assembly.h"

#include <string.h>

typedef struct split {
    ln_node varies, known; /* LN_NONE: nothing */
    int whole;             /* `varies` is read more than once: its terms are not taken apart */
} split;

typedef struct hoisting {
    const ln_assembly *all;
    ln_graph *graph;
    split *parts;          /* per node of the graph as it was */
    int *uses, *number_of; /* likewise: nodes that read it; the known value that it is, or -1 */
    char *below;           /* likewise: the nodes at hand need it */
    ln_node *known;        /* in order */
    int size, count, room;
} hoisting;

static int is_simple(const ln_graph *graph, ln_node node) {
    const ln_op op = ln_node_op(graph, node);
    return op == LN_OP_LEAF || op == LN_OP_CONSTANT;
}

/* The unknown of the code that a leaf is, or -1. */
static int unknown_of(const hoisting *it, ln_node leaf) {
    int index;
    return ln_node_op(it->graph, leaf) == LN_OP_LEAF &&
                   ln_node_leaf(it->graph, leaf, &index) == LN_LEAF_UNKNOWN
               ? ln_network_unknown(it->all->plan, it->all->out, index)
               : -1;
}

static int leaf_varies(const hoisting *it, ln_node leaf) {
    const ln_plan *plan = it->all->plan;
    int index;
    if (unknown_of(it, leaf) >= 0)
        return 1;
    return ln_node_op(it->graph, leaf) == LN_OP_LEAF &&
           ln_node_leaf(it->graph, leaf, &index) == LN_LEAF_UNKNOWN &&
           index >= ln_network_flow(plan, 0) && index < ln_network_stored(plan, it->all->out, 0);
}

/* ---- known values ---- */

static int number_of(const hoisting *it, ln_node node) {
    if (node < it->size)
        return it->number_of[node];
    for (int k = 0; k < it->count; k++)
        if (it->known[k] == node)
            return k;
    return -1;
}

static ln_node known_leaf(hoisting *it, ln_node node) {
    int number = number_of(it, node);
    if (is_simple(it->graph, node))
        return node;
    if (number < 0 && it->count < it->room) {
        number = it->count++;
        it->known[number] = node;
        if (node < it->size)
            it->number_of[node] = number;
    }
    return number < 0
               ? LN_NONE
               : ln_leaf_node(it->graph, LN_LEAF_MEMORY, ln_network_known(it->all->plan, number));
}

/* ---- sums ---- */

/* A node as factor times base. */
static ln_node base_of(const ln_graph *graph, ln_node node, double *factor) {
    *factor = 1;
    while (ln_node_op(graph, node) == LN_OP_NEG ||
           (ln_node_op(graph, node) == LN_OP_MUL &&
            ln_node_op(graph, ln_node_arg(graph, node, 0)) == LN_OP_CONSTANT)) {
        const int is_product = ln_node_op(graph, node) == LN_OP_MUL;
        *factor *= is_product ? ln_node_value(graph, ln_node_arg(graph, node, 0)) : -1;
        node = ln_node_arg(graph, node, is_product ? 1 : 0);
    }
    return node;
}

static ln_node times(ln_graph *graph, double factor, ln_node base) {
    return ln_operation(graph, LN_OP_MUL, ln_constant(graph, factor), base, LN_NONE);
}

/* sum + factor base, where a term of the sum has the same base; else LN_NONE. depth: so many terms
 * are looked at. */
static ln_node merged(ln_graph *graph, ln_node sum, double factor, ln_node base, int depth) {
    double own;
    if (base_of(graph, sum, &own) == base)
        return times(graph, own + factor, base);
    const ln_op op = ln_node_op(graph, sum);
    if (depth == 0 || (op != LN_OP_ADD && op != LN_OP_SUB))
        return LN_NONE;
    const ln_node a = ln_node_arg(graph, sum, 0), b = ln_node_arg(graph, sum, 1);
    ln_node part = merged(graph, b, op == LN_OP_ADD ? factor : -factor, base, 0);
    if (part != LN_NONE)
        return ln_operation(graph, op, a, part, LN_NONE);
    part = merged(graph, a, factor, base, depth - 1);
    return part == LN_NONE ? LN_NONE : ln_operation(graph, op, part, b, LN_NONE);
}

enum { TERMS = 16 };

/* a + b or a - b, of which each may be nothing. */
static ln_node sum_of(const hoisting *it, ln_op op, ln_node a, ln_node b, int whole) {
    double factor;
    if (b == LN_NONE)
        return a;
    if (a == LN_NONE)
        return op == LN_OP_ADD ? b : ln_operation(it->graph, LN_OP_NEG, b, LN_NONE, LN_NONE);
    const ln_node base = whole ? b : base_of(it->graph, b, &factor);
    const ln_node one =
        whole ? LN_NONE : merged(it->graph, a, op == LN_OP_ADD ? factor : -factor, base, TERMS);
    return one != LN_NONE ? one : ln_operation(it->graph, op, a, b, LN_NONE);
}

/* ---- nodes, taken apart ---- */

/* Both parts as one. */
static ln_node whole_of(hoisting *it, ln_node old) {
    const split *part = &it->parts[old];
    if (part->known == LN_NONE)
        return part->varies;
    const ln_node known = known_leaf(it, part->known);
    return part->varies == LN_NONE
               ? known
               : ln_operation(it->graph, LN_OP_ADD, part->varies, known, LN_NONE);
}

static split remade(hoisting *it, ln_node old) {
    ln_node arg[3];
    for (int k = 0; k < 3; k++) {
        const ln_node operand = ln_node_arg(it->graph, old, k);
        arg[k] = operand == LN_NONE ? LN_NONE : whole_of(it, operand);
    }
    return (split){ln_remake(it->graph, it->graph, old, arg), LN_NONE, 1};
}

/* x - x before: a difference of neighbours has no rounding and stays. */
static int is_change(const hoisting *it, ln_node a, ln_node b) {
    const ln_plan *plan = it->all->plan;
    const int u = unknown_of(it, a);
    int index;
    return u >= 0 && u < it->all->n && ln_node_op(it->graph, b) == LN_OP_LEAF &&
           ln_node_leaf(it->graph, b, &index) == LN_LEAF_UNKNOWN &&
           index == ln_plan_before(plan, u);
}

static split split_sum(hoisting *it, ln_op op, ln_node a, ln_node b) {
    const split *left = &it->parts[a], *right = &it->parts[b];
    return (split){sum_of(it, op, left->varies, right->varies, left->whole || right->whole),
                   sum_of(it, op, left->known, right->known, 1), 0};
}

/* Both parts times what is known, or divided by it. */
static split split_product(hoisting *it, ln_op op, ln_node part, ln_node by, int is_first) {
    const split *of = &it->parts[part];
    const ln_node factor = whole_of(it, by);
    split out = {of->varies, of->known, 0};
    out.varies = ln_operation(it->graph, op, is_first ? of->varies : factor,
                              is_first ? factor : of->varies, LN_NONE);
    if (of->known != LN_NONE)
        out.known = ln_operation(it->graph, op, is_first ? of->known : by,
                                 is_first ? by : of->known, LN_NONE);
    return out;
}

static int varies(const hoisting *it, ln_node node) {
    return node != LN_NONE && it->parts[node].varies != LN_NONE;
}

static split split_scaled(hoisting *it, ln_node old) {
    const ln_op op = ln_node_op(it->graph, old);
    const ln_node a = ln_node_arg(it->graph, old, 0), b = ln_node_arg(it->graph, old, 1);
    if (!varies(it, b))
        return split_product(it, op, a, b, 1);
    return op == LN_OP_DIV || varies(it, a) ? remade(it, old) : split_product(it, op, b, a, 0);
}

static split take_apart(hoisting *it, ln_node old) {
    const ln_op op = ln_node_op(it->graph, old);
    const ln_node a = ln_node_arg(it->graph, old, 0), b = ln_node_arg(it->graph, old, 1);
    if (op == LN_OP_LEAF && leaf_varies(it, old))
        return (split){old, LN_NONE, 0};
    if (!varies(it, a) && !varies(it, b) && !varies(it, ln_node_arg(it->graph, old, 2)))
        return (split){LN_NONE, old, 0};
    switch (op) {
    case LN_OP_ADD: return split_sum(it, op, a, b);
    case LN_OP_SUB: return is_change(it, a, b) ? remade(it, old) : split_sum(it, op, a, b);
    case LN_OP_NEG:
        return (split){sum_of(it, LN_OP_SUB, LN_NONE, it->parts[a].varies, 1),
                       sum_of(it, LN_OP_SUB, LN_NONE, it->parts[a].known, 1), 0};
    case LN_OP_MUL:
    case LN_OP_DIV: return split_scaled(it, old);
    default: return remade(it, old);
    }
}

/* Marks what stands below nodes, and counts who reads it. */
static void mark_below(hoisting *it, const ln_node *nodes, int count) {
    for (int k = 0; k < count; k++)
        if (nodes[k] < it->size) {
            it->below[nodes[k]] = 1;
            it->uses[nodes[k]]++;
        }
    for (ln_node node = it->size; node-- > 0;)
        for (int k = 0; it->below[node] && k < 3; k++) {
            const ln_node operand = ln_node_arg(it->graph, node, k);
            if (operand == LN_NONE)
                continue;
            it->below[operand] = 1;
            it->uses[operand]++;
        }
}

/* What is read more than once is made once. */
static void take_all_apart(hoisting *it, ln_node *nodes, int count) {
    mark_below(it, nodes, count);
    for (ln_node node = 0; node < it->size; node++) {
        if (!it->below[node])
            continue;
        split *part = &it->parts[node];
        *part = take_apart(it, node);
        if (it->uses[node] > 1 && part->varies != LN_NONE)
            *part = (split){whole_of(it, node), LN_NONE, 1};
    }
    for (int k = 0; k < count; k++)
        nodes[k] = whole_of(it, nodes[k]);
}

/* ---- what reads known values ---- */

/* The largest parts of the nodes that known values hold become such values themselves. */
static linnet_status share(hoisting *it, const ln_node *nodes, int count) {
    const int size = ln_graph_size(it->graph);
    char *under = LN_NEW(it->all->plan->diagram.scratch, char, size);
    if (under == NULL)
        return ln_no_memory(it->all->plan->report);
    for (int k = 0; k < it->count; k++)
        under[it->known[k]] = 1;
    for (ln_node node = size; node-- > 0;)
        for (int k = 0; under[node] && k < 3; k++)
            if (ln_node_arg(it->graph, node, k) != LN_NONE)
                under[ln_node_arg(it->graph, node, k)] = 1;
    memset(it->below, 0, (size_t)it->size);
    for (int k = 0; k < count; k++)
        it->below[nodes[k]] = 1;
    for (ln_node node = it->size; node-- > 0;) {
        if (!it->below[node])
            continue;
        if (under[node]) {
            (void)known_leaf(it, node);
            continue;
        }
        for (int k = 0; k < 3; k++)
            if (ln_node_arg(it->graph, node, k) != LN_NONE)
                it->below[ln_node_arg(it->graph, node, k)] = 1;
    }
    return LINNET_OK;
}

static ln_node use_known(void *context, ln_graph *to, const ln_graph *from, ln_node old,
                         const ln_node arg[3]) {
    hoisting *it = context;
    return old < it->size && it->number_of[old] >= 0 ? known_leaf(it, old)
                                                     : ln_remake(to, from, old, arg);
}

static linnet_status make_room(hoisting *it) {
    ln_arena *scratch = it->all->plan->diagram.scratch;
    it->size = ln_graph_size(it->graph);
    it->room = 2 * it->size;
    it->parts = LN_NEW(scratch, split, it->size);
    it->uses = LN_NEW(scratch, int, it->size);
    it->number_of = LN_NEW(scratch, int, it->size);
    it->below = LN_NEW(scratch, char, it->size);
    it->known = LN_NEW(scratch, ln_node, it->room);
    if (it->parts == NULL || it->uses == NULL || it->number_of == NULL || it->below == NULL ||
        it->known == NULL)
        return ln_no_memory(it->all->plan->report);
    for (int k = 0; k < it->size; k++)
        it->number_of[k] = -1;
    return LINNET_OK;
}

linnet_status ln_assembly_hoist(const ln_assembly *all, ln_node *nodes, int count, ln_node *more,
                                int nmore) {
    ln_plan *plan = all->plan;
    hoisting it = {.all = all, .graph = plan->graph};
    LN_TRY(make_room(&it));
    take_all_apart(&it, nodes, count);
    if (ln_graph_failed(plan->graph))
        return ln_no_memory(plan->report);
    LN_TRY(share(&it, more, nmore));
    ln_rewrite(plan->graph, plan->graph, more, nmore, use_known, &it);
    int *target = LN_NEW(plan->diagram.scratch, int, it.count);
    if (ln_graph_failed(plan->graph) || target == NULL)
        return ln_no_memory(plan->report);
    for (int k = 0; k < it.count; k++)
        target[k] = k;
    all->out->nknown = it.count;
    return ln_plan_compile(plan, it.known, target, it.count, &all->out->known);
}

linnet_status ln_assembly_sides(const ln_assembly *all, const ln_node *nodes, int count) {
    ln_plan *plan = all->plan;
    ln_graph *graph = plan->graph;
    const int size = ln_graph_size(graph);
    const unsigned decides = 1u << LN_LEAF_DECIDE, parameter = 1u << LN_LEAF_PARAMETER;
    char *below = LN_NEW(plan->diagram.scratch, char, size);
    ln_node *sides = LN_NEW(plan->diagram.scratch, ln_node, size);
    int *target = LN_NEW(plan->diagram.scratch, int, size), found = 0;
    if (below == NULL || sides == NULL || target == NULL)
        return ln_no_memory(plan->report);
    for (int k = 0; k < count; k++)
        below[nodes[k]] = 1;
    for (ln_node part = size; part-- > 0;) { /* what uses a node comes before it */
        const unsigned depends = below[part] ? ln_depends(graph, part) & ~parameter : 0;
        if (depends == decides) {
            if (is_simple(graph, part))
                return LINNET_OK; /* a table: its segment is no value */
            target[found] = found;
            sides[found++] = part;
        } else if (depends & decides) {
            for (int k = 0; k < 3; k++)
                if (ln_node_arg(graph, part, k) != LN_NONE)
                    below[ln_node_arg(graph, part, k)] = 1;
        }
    }
    all->out->nsides = found;
    return ln_plan_compile(plan, sides, target, found, &all->out->sides);
}
