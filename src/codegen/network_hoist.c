/* SPDX-License-Identifier: MIT */
/* What of Newton's update stays while the method goes on (sources, what was at the step's begin,
 * elimination of constant rows) is computed once for all its iterations: the largest parts that
 * hold no unknown and no flow become known values. */
#include "codegen/network_assembly.h"

typedef struct hoisting {
    const ln_assembly *all;
    char *varies;   /* per node of the graph as it was */
    int *number_of; /* likewise: the known value that it has become, or -1 */
    ln_node *known; /* in order */
    int size, count;
} hoisting;

static int is_simple(const ln_graph *graph, ln_node node) {
    const ln_op op = ln_node_op(graph, node);
    return op == LN_OP_LEAF || op == LN_OP_CONSTANT;
}

static int leaf_varies(const hoisting *it, const ln_graph *graph, ln_node leaf) {
    const ln_plan *plan = it->all->plan;
    int index;
    if (ln_node_op(graph, leaf) != LN_OP_LEAF ||
        ln_node_leaf(graph, leaf, &index) != LN_LEAF_UNKNOWN)
        return 0;
    return index < it->all->n ||
           (index >= ln_network_flow(plan, 0) && index < ln_network_stored(plan, it->all->out, 0));
}

static ln_node known_leaf(hoisting *it, ln_graph *graph, ln_node node) {
    if (it->number_of[node] < 0) {
        it->number_of[node] = it->count;
        it->known[it->count++] = node;
    }
    return ln_leaf_node(graph, LN_LEAF_MEMORY,
                        ln_network_known(it->all->plan, it->number_of[node]));
}

/* A node that varies reads known values where its operands do not. */
static ln_node hoist(void *context, ln_graph *to, const ln_graph *from, ln_node old,
                     const ln_node arg[3]) {
    hoisting *it = context;
    ln_node now[3] = {arg[0], arg[1], arg[2]};
    it->varies[old] = (char)leaf_varies(it, from, old);
    for (int k = 0; k < 3; k++)
        if (ln_node_arg(from, old, k) != LN_NONE)
            it->varies[old] |= it->varies[ln_node_arg(from, old, k)];
    for (int k = 0; k < 3 && it->varies[old]; k++) {
        const ln_node operand = ln_node_arg(from, old, k);
        if (operand != LN_NONE && !it->varies[operand] && !is_simple(from, operand))
            now[k] = known_leaf(it, to, operand);
    }
    return ln_remake(to, from, old, now);
}

/* What is known already is read. */
static ln_node use_known(void *context, ln_graph *to, const ln_graph *from, ln_node old,
                         const ln_node arg[3]) {
    hoisting *it = context;
    return old < it->size && it->number_of[old] >= 0 ? known_leaf(it, to, old)
                                                     : ln_remake(to, from, old, arg);
}

linnet_status ln_assembly_hoist(const ln_assembly *all, ln_node *nodes, int count, ln_node *more,
                                int nmore) {
    ln_plan *plan = all->plan;
    ln_arena *scratch = plan->diagram.scratch;
    const int size = ln_graph_size(plan->graph);
    hoisting it = {all,
                   LN_NEW(scratch, char, size),
                   LN_NEW(scratch, int, size),
                   LN_NEW(scratch, ln_node, size),
                   size,
                   0};
    if (it.varies == NULL || it.number_of == NULL || it.known == NULL)
        return ln_no_memory(plan->report);
    for (int k = 0; k < size; k++)
        it.number_of[k] = -1;
    ln_rewrite(plan->graph, plan->graph, nodes, count, hoist, &it);
    if (ln_graph_failed(plan->graph))
        return ln_no_memory(plan->report);
    ln_rewrite(plan->graph, plan->graph, more, nmore, use_known, &it);
    int *target = LN_NEW(scratch, int, it.count);
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
