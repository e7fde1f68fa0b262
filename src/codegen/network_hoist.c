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
static int unknown_of(const hoisting *hoist, ln_node leaf) {
    int index;
    return ln_node_op(hoist->graph, leaf) == LN_OP_LEAF &&
                   ln_node_leaf(hoist->graph, leaf, &index) == LN_LEAF_UNKNOWN
               ? ln_network_unknown(hoist->all->plan, hoist->all->out, index)
               : -1;
}

static int leaf_varies(const hoisting *hoist, ln_node leaf) {
    const ln_plan *plan = hoist->all->plan;
    int index;
    if (unknown_of(hoist, leaf) >= 0)
        return 1;
    return ln_node_op(hoist->graph, leaf) == LN_OP_LEAF &&
           ln_node_leaf(hoist->graph, leaf, &index) == LN_LEAF_UNKNOWN &&
           index >= ln_network_flow(plan, 0) && index < ln_network_stored(plan, hoist->all->out, 0);
}

/* ---- known values ---- */

static int number_of(const hoisting *hoist, ln_node node) {
    if (node < hoist->size)
        return hoist->number_of[node];
    for (int k = 0; k < hoist->count; k++)
        if (hoist->known[k] == node)
            return k;
    return -1;
}

static ln_node known_leaf(hoisting *hoist, ln_node node) {
    int number = number_of(hoist, node);
    if (is_simple(hoist->graph, node))
        return node;
    if (number < 0 && hoist->count < hoist->room) {
        number = hoist->count++;
        hoist->known[number] = node;
        if (node < hoist->size)
            hoist->number_of[node] = number;
    }
    return number < 0 ? LN_NONE
                      : ln_leaf_node(hoist->graph, LN_LEAF_MEMORY,
                                     ln_network_known(hoist->all->plan, number));
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
static ln_node sum_of(const hoisting *hoist, ln_op op, ln_node a, ln_node b, int whole) {
    double factor;
    if (b == LN_NONE)
        return a;
    if (a == LN_NONE)
        return op == LN_OP_ADD ? b : ln_operation(hoist->graph, LN_OP_NEG, b, LN_NONE, LN_NONE);
    const ln_node base = whole ? b : base_of(hoist->graph, b, &factor);
    const ln_node one =
        whole ? LN_NONE : merged(hoist->graph, a, op == LN_OP_ADD ? factor : -factor, base, TERMS);
    return one != LN_NONE ? one : ln_operation(hoist->graph, op, a, b, LN_NONE);
}

/* ---- nodes, taken apart ---- */

/* Both parts as one. */
static ln_node whole_of(hoisting *hoist, ln_node old) {
    const split *part = &hoist->parts[old];
    if (part->known == LN_NONE)
        return part->varies;
    const ln_node known = known_leaf(hoist, part->known);
    return part->varies == LN_NONE
               ? known
               : ln_operation(hoist->graph, LN_OP_ADD, part->varies, known, LN_NONE);
}

static split remade(hoisting *hoist, ln_node old) {
    ln_node arg[3];
    for (int k = 0; k < 3; k++) {
        const ln_node operand = ln_node_arg(hoist->graph, old, k);
        arg[k] = operand == LN_NONE ? LN_NONE : whole_of(hoist, operand);
    }
    return (split){ln_remake(hoist->graph, hoist->graph, old, arg), LN_NONE, 1};
}

/* x - x before: a difference of neighbours has no rounding and stays. */
static int is_change(const hoisting *hoist, ln_node a, ln_node b) {
    const ln_plan *plan = hoist->all->plan;
    const int u = unknown_of(hoist, a);
    int index;
    return u >= 0 && u < hoist->all->n && ln_node_op(hoist->graph, b) == LN_OP_LEAF &&
           ln_node_leaf(hoist->graph, b, &index) == LN_LEAF_UNKNOWN &&
           index == ln_plan_before(plan, u);
}

static split split_sum(hoisting *hoist, ln_op op, ln_node a, ln_node b) {
    const split *left = &hoist->parts[a], *right = &hoist->parts[b];
    return (split){sum_of(hoist, op, left->varies, right->varies, left->whole || right->whole),
                   sum_of(hoist, op, left->known, right->known, 1), 0};
}

/* Both parts times what is known, or divided by it. */
static split split_product(hoisting *hoist, ln_op op, ln_node part, ln_node by, int is_first) {
    const split *of = &hoist->parts[part];
    const ln_node factor = whole_of(hoist, by);
    split out = {of->varies, of->known, 0};
    out.varies = ln_operation(hoist->graph, op, is_first ? of->varies : factor,
                              is_first ? factor : of->varies, LN_NONE);
    if (of->known != LN_NONE)
        out.known = ln_operation(hoist->graph, op, is_first ? of->known : by,
                                 is_first ? by : of->known, LN_NONE);
    return out;
}

static int varies(const hoisting *hoist, ln_node node) {
    return node != LN_NONE && hoist->parts[node].varies != LN_NONE;
}

static split split_scaled(hoisting *hoist, ln_node old) {
    const ln_op op = ln_node_op(hoist->graph, old);
    const ln_node a = ln_node_arg(hoist->graph, old, 0), b = ln_node_arg(hoist->graph, old, 1);
    if (!varies(hoist, b))
        return split_product(hoist, op, a, b, 1);
    return op == LN_OP_DIV || varies(hoist, a) ? remade(hoist, old)
                                               : split_product(hoist, op, b, a, 0);
}

static split take_apart(hoisting *hoist, ln_node old) {
    const ln_op op = ln_node_op(hoist->graph, old);
    const ln_node a = ln_node_arg(hoist->graph, old, 0), b = ln_node_arg(hoist->graph, old, 1);
    if (op == LN_OP_LEAF && leaf_varies(hoist, old))
        return (split){old, LN_NONE, 0};
    if (!varies(hoist, a) && !varies(hoist, b) && !varies(hoist, ln_node_arg(hoist->graph, old, 2)))
        return (split){LN_NONE, old, 0};
    switch (op) {
    case LN_OP_ADD: return split_sum(hoist, op, a, b);
    case LN_OP_SUB: return is_change(hoist, a, b) ? remade(hoist, old) : split_sum(hoist, op, a, b);
    case LN_OP_NEG:
        return (split){sum_of(hoist, LN_OP_SUB, LN_NONE, hoist->parts[a].varies, 1),
                       sum_of(hoist, LN_OP_SUB, LN_NONE, hoist->parts[a].known, 1), 0};
    case LN_OP_MUL:
    case LN_OP_DIV: return split_scaled(hoist, old);
    default: return remade(hoist, old);
    }
}

/* Marks what stands below nodes, and counts who reads it. */
static void mark_below(hoisting *hoist, const ln_node *nodes, int count) {
    for (int k = 0; k < count; k++)
        if (nodes[k] < hoist->size) {
            hoist->below[nodes[k]] = 1;
            hoist->uses[nodes[k]]++;
        }
    for (ln_node node = hoist->size; node-- > 0;)
        for (int k = 0; hoist->below[node] && k < 3; k++) {
            const ln_node operand = ln_node_arg(hoist->graph, node, k);
            if (operand == LN_NONE)
                continue;
            hoist->below[operand] = 1;
            hoist->uses[operand]++;
        }
}

/* What is read more than once is made once. */
static void take_all_apart(hoisting *hoist, ln_node *nodes, int count) {
    mark_below(hoist, nodes, count);
    for (ln_node node = 0; node < hoist->size; node++) {
        if (!hoist->below[node])
            continue;
        split *part = &hoist->parts[node];
        *part = take_apart(hoist, node);
        if (hoist->uses[node] > 1 && part->varies != LN_NONE)
            *part = (split){whole_of(hoist, node), LN_NONE, 1};
    }
    for (int k = 0; k < count; k++)
        nodes[k] = whole_of(hoist, nodes[k]);
}

/* ---- what reads known values ---- */

/* The largest parts of the nodes that known values hold become such values themselves. */
static linnet_status share(hoisting *hoist, const ln_node *nodes, int count) {
    const int size = ln_graph_size(hoist->graph);
    char *under = LN_NEW(hoist->all->plan->diagram.scratch, char, size);
    if (under == NULL)
        return ln_no_memory(hoist->all->plan->report);
    for (int k = 0; k < hoist->count; k++)
        under[hoist->known[k]] = 1;
    for (ln_node node = size; node-- > 0;)
        for (int k = 0; under[node] && k < 3; k++)
            if (ln_node_arg(hoist->graph, node, k) != LN_NONE)
                under[ln_node_arg(hoist->graph, node, k)] = 1;
    memset(hoist->below, 0, (size_t)hoist->size);
    for (int k = 0; k < count; k++)
        hoist->below[nodes[k]] = 1;
    for (ln_node node = hoist->size; node-- > 0;) {
        if (!hoist->below[node])
            continue;
        if (under[node]) {
            (void)known_leaf(hoist, node);
            continue;
        }
        for (int k = 0; k < 3; k++)
            if (ln_node_arg(hoist->graph, node, k) != LN_NONE)
                hoist->below[ln_node_arg(hoist->graph, node, k)] = 1;
    }
    return LINNET_OK;
}

static ln_node use_known(void *context, ln_graph *to, const ln_graph *from, ln_node old,
                         const ln_node arg[3]) {
    hoisting *hoist = context;
    return old < hoist->size && hoist->number_of[old] >= 0 ? known_leaf(hoist, old)
                                                           : ln_remake(to, from, old, arg);
}

static linnet_status make_room(hoisting *hoist) {
    ln_arena *scratch = hoist->all->plan->diagram.scratch;
    hoist->size = ln_graph_size(hoist->graph);
    hoist->room = 2 * hoist->size;
    hoist->parts = LN_NEW(scratch, split, hoist->size);
    hoist->uses = LN_NEW(scratch, int, hoist->size);
    hoist->number_of = LN_NEW(scratch, int, hoist->size);
    hoist->below = LN_NEW(scratch, char, hoist->size);
    hoist->known = LN_NEW(scratch, ln_node, hoist->room);
    if (hoist->parts == NULL || hoist->uses == NULL || hoist->number_of == NULL ||
        hoist->below == NULL || hoist->known == NULL)
        return ln_no_memory(hoist->all->plan->report);
    for (int k = 0; k < hoist->size; k++)
        hoist->number_of[k] = -1;
    return LINNET_OK;
}

linnet_status ln_assembly_hoist(const ln_assembly *all, ln_node *nodes, int count, ln_node *more,
                                int nmore) {
    ln_plan *plan = all->plan;
    hoisting hoist = {.all = all, .graph = plan->graph};
    LN_TRY(make_room(&hoist));
    take_all_apart(&hoist, nodes, count);
    if (ln_graph_failed(plan->graph))
        return ln_no_memory(plan->report);
    LN_TRY(share(&hoist, more, nmore));
    ln_rewrite(plan->graph, plan->graph, more, nmore, use_known, &hoist);
    int *target = LN_NEW(plan->diagram.scratch, int, hoist.count);
    if (ln_graph_failed(plan->graph) || target == NULL)
        return ln_no_memory(plan->report);
    for (int k = 0; k < hoist.count; k++)
        target[k] = k;
    all->out->nknown = hoist.count;
    return ln_plan_compile(plan, hoist.known, target, hoist.count, &all->out->known);
}

/* A signal a fixed time ago: its start comes back at an instant of its own. */
static int recalls(const ln_graph *graph, ln_node node) {
    const unsigned parameter = 1u << LN_LEAF_PARAMETER;
    return ln_op_recalls(ln_node_op(graph, node)) &&
           !(ln_depends(graph, ln_node_arg(graph, node, 0)) & ~parameter);
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
        if (depends == decides || (depends != 0 && recalls(graph, part))) {
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
