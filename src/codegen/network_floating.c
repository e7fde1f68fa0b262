/* SPDX-License-Identifier: MIT */
/* Parts of which only differences are stored (system/storage.h), such as the output of a bridge
 * rectifier behind its capacitor. In the matrix of a step alpha times what is stored stands beside
 * the few conductances that tie such a part to the rest, and where they are 1e-8 times smaller,
 * elimination loses them: the potential that the part has in common would be rounding.
 *
 * So of each part one unknown stands for the potential that all have in common, the others for
 * differences to it, and one row, that of the same unknown, is the sum of the part's rows. What
 * flows within the part is left out of the sum block by block, and the slope along the common
 * potential is taken term by term: in both it cancels exactly, whatever stands beside it. */
#include "codegen/network_assembly.h"

linnet_status ln_assembly_find_floating(ln_assembly *all) {
    ln_arena *scratch = all->plan->diagram.scratch;
    ln_storage *storage = LN_NEW(scratch, ln_storage, 1);
    if (storage == NULL || ln_storage_split(all->system, scratch, storage) != LINNET_OK)
        return ln_no_memory(all->plan->report);
    all->storage = storage;
    all->floating = LN_NEW(scratch, ln_node, storage->nparts);
    for (int p = 0; all->floating != NULL && p < storage->nparts; p++)
        all->floating[p] = LN_NONE;
    return all->floating != NULL ? LINNET_OK : ln_no_memory(all->plan->report);
}

/* ---- rows ---- */

static void add(const ln_assembly *all, int part, ln_op op, ln_node node) {
    ln_graph *graph = ln_assembly_graph(all);
    ln_node *sum = &all->floating[part];
    if (*sum == LN_NONE)
        *sum = ln_constant(graph, 0.0);
    *sum = ln_operation(graph, op, *sum, node, LN_NONE);
}

/* The sum of an instance's rows in one part. The difference to what is minus a row is zero at once
 * where that is another row. */
static void add_rows(const ln_assembly *all, int part, const int *row, const ln_node *node,
                     int count) {
    ln_graph *graph = ln_assembly_graph(all);
    ln_node sum = ln_constant(graph, 0.0);
    for (int k = 0; k < count; k++)
        if (node[k] != LN_NONE && ln_assembly_row_part(all, row[k]) == part)
            sum = ln_assembly_two(all, LN_OP_SUB, sum,
                                  ln_operation(graph, LN_OP_NEG, node[k], LN_NONE, LN_NONE));
    add(all, part, LN_OP_ADD, sum);
}

void ln_assembly_float_rows(const ln_assembly *all, const int *row, const ln_node *node,
                            int count) {
    for (int k = 0; k < count; k++) {
        const int part = ln_assembly_row_part(all, row[k]);
        int first = part >= 0;
        for (int i = 0; i < k; i++)
            first &= ln_assembly_row_part(all, row[i]) != part;
        if (first)
            add_rows(all, part, row, node, count);
    }
}

void ln_assembly_float_flow(const ln_assembly *all, int from, int to, ln_node flow) {
    const int here = ln_assembly_row_part(all, from), there = ln_assembly_row_part(all, to);
    if (here == there)
        return;
    if (here >= 0)
        add(all, here, LN_OP_ADD, flow);
    if (there >= 0)
        add(all, there, LN_OP_SUB, flow);
}

/* ---- columns ---- */

typedef struct shift {
    const ln_assembly *all;
    int part; /* whose unknowns are shifted; -1: back */
    ln_node by;
} shift;

static ln_node shifted(void *context, ln_graph *to, const ln_graph *from, ln_node leaf) {
    const shift *s = context;
    int index;
    if (ln_node_op(from, leaf) != LN_OP_LEAF || ln_node_leaf(from, leaf, &index) != LN_LEAF_UNKNOWN)
        return LN_NONE;
    if (s->part < 0)
        return leaf == s->by ? ln_constant(to, 0.0) : LN_NONE;
    return index < s->all->n && ln_assembly_part(s->all, index) == s->part
               ? ln_operation(to, LN_OP_ADD, leaf, s->by, LN_NONE)
               : LN_NONE;
}

ln_node ln_assembly_common_slope(const ln_assembly *all, ln_node node, int part) {
    ln_graph *graph = ln_assembly_graph(all);
    const int beyond = ln_network_leaf(all->plan, all->out, all->nunknowns);
    const ln_node by = ln_leaf_node(graph, LN_LEAF_UNKNOWN, beyond);
    shift s = {all, part, by};
    ln_copy(graph, graph, &node, 1, shifted, &s);
    node = ln_derivative(graph, node, by);
    s.part = -1;
    ln_copy(graph, graph, &node, 1, shifted, &s);
    return node;
}
