/* SPDX-License-Identifier: MIT */
/* Between columns of a network's linearised equations and leaves of their expressions: the leaf
 * from which a column's change is counted, and the column of a leaf. A column is an unknown of the
 * code or, behind those, the flow of a branch of a device. */
#include "codegen/network_assembly.h"

ln_node ln_assembly_origin(const ln_assembly *all, int column) {
    const ln_plan *plan = all->plan;
    ln_graph *graph = plan->graph;
    if (column >= all->nunknowns)
        return ln_leaf_node(graph, LN_LEAF_UNKNOWN,
                            ln_network_flow(plan, LN_FLOW_VALUES * (column - all->nunknowns)));
    if (all->steers[column])
        return ln_leaf_node(graph, LN_LEAF_UNKNOWN, ln_network_leaf(plan, all->out, column));
    return all->counts_change[column]
               ? ln_leaf_node(graph, LN_LEAF_UNKNOWN, ln_plan_before(plan, column))
               : ln_constant(graph, 0.0);
}

int ln_assembly_column(const ln_assembly *all, ln_node leaf) {
    const int flow = ln_network_flow(all->plan, 0);
    int index;
    if (ln_node_op(ln_assembly_graph(all), leaf) != LN_OP_LEAF ||
        ln_node_leaf(ln_assembly_graph(all), leaf, &index) != LN_LEAF_UNKNOWN)
        return -1;
    if (index < flow || index >= flow + all->out->nflows)
        return ln_network_unknown(all->plan, all->out, index);
    return (index - flow) % LN_FLOW_VALUES == 0 ? all->nunknowns + (index - flow) / LN_FLOW_VALUES
                                                : -1; /* a slope, as it is */
}
