/* SPDX-License-Identifier: MIT */
/* Copying and substituting: nodes rebuilt bottom up, each once.
 *
 * The walk's scratch in the graph belongs to whoever walks next, and a mapping may itself
 * differentiate or copy, so the order is taken into memory of its own first. */
#include "expression/nodes.h"

#include "base/sys.h"

/* A node to copy, with the places of its arguments in the order (-1: none), and its copy. */
typedef struct item {
    ln_node old, copy;
    int arg[3];
} item;

ln_node ln_remake(ln_graph *to, const ln_graph *from, ln_node old, const ln_node arg[3]) {
    const ln_cell cell = from->cell[old];
    switch ((ln_op)cell.op) {
    case LN_OP_CONSTANT: return ln_constant(to, cell.at.value);
    case LN_OP_LEAF: return ln_leaf_node(to, (ln_leaf)cell.at.leaf.kind, cell.at.leaf.index);
    case LN_OP_TABLE:
    case LN_OP_TABLE_SLOPE:
    case LN_OP_TABLE_MIDDLE:
    case LN_OP_TABLE_ROOM:
        return ln_table_node(to, (ln_op)cell.op, arg[0], arg[1], cell.at.table.first,
                             cell.at.table.points);
    default: return ln_operation(to, (ln_op)cell.op, arg[0], arg[1], arg[2]);
    }
}

/* The nodes below the roots in order, or NULL when memory is short. */
static item *list_items(const ln_graph *from, const ln_node *nodes, int count, int *nitems) {
    *nitems = ln_below(from, nodes, count, 0, 0);
    item *items = ln_sys->allocate(((size_t)*nitems + 1) * sizeof *items);
    if (!items)
        return NULL;
    for (int i = 0; i < *nitems; i++) {
        ln_node old = from->order[i];
        items[i].old = old;
        from->cell[old].memo = i;
        for (int k = 0; k < 3; k++) {
            ln_node arg = from->cell[old].arg[k];
            items[i].arg[k] = arg == LN_NONE ? -1 : from->cell[arg].memo;
        }
    }
    return items;
}

void ln_rewrite(ln_graph *to, const ln_graph *from, ln_node *nodes, int count, ln_rebuild *rebuild,
                void *context) {
    int nitems = 0, failed = 0;
    item *items = list_items(from, nodes, count, &nitems);
    if (!items)
        to->failed = failed = 1;
    for (int i = 0; i < count && !failed; i++)
        nodes[i] = nodes[i] == LN_NONE ? -1 : from->cell[nodes[i]].memo;
    for (int i = 0; i < nitems && !failed; i++) {
        ln_node arg[3];
        for (int k = 0; k < 3; k++)
            arg[k] = items[i].arg[k] < 0 ? LN_NONE : items[items[i].arg[k]].copy;
        items[i].copy = rebuild(context, to, from, items[i].old, arg);
        failed = items[i].copy == LN_NONE;
    }
    for (int i = 0; i < count; i++)
        nodes[i] = failed || nodes[i] < 0 ? LN_NONE : items[nodes[i]].copy;
    ln_sys->release(items);
}

static ln_node map_leaf(void *context, ln_graph *to, const ln_graph *from, ln_node old,
                        const ln_node arg[3]) {
    const ln_leaf_mapping *m = context;
    ln_op op = (ln_op)from->cell[old].op;
    ln_node mapped =
        op == LN_OP_LEAF || op == LN_OP_DER ? m->map(m->context, to, from, old) : LN_NONE;
    if (to->failed)
        return LN_NONE;
    if (ln_op_has_table(op))
        return ln_table_node(to, op, arg[0], arg[1], from->cell[old].at.table.first + m->shift,
                             from->cell[old].at.table.points);
    return mapped != LN_NONE ? mapped : ln_remake(to, from, old, arg);
}

void ln_copy_shifted(ln_graph *to, const ln_graph *from, ln_node *nodes, int count,
                     const ln_leaf_mapping *mapping) {
    ln_leaf_mapping m = *mapping;
    ln_rewrite(to, from, nodes, count, map_leaf, &m);
}

void ln_copy(ln_graph *to, const ln_graph *from, ln_node *nodes, int count, ln_leaf_map *map,
             void *context) {
    ln_copy_shifted(to, from, nodes, count, &(ln_leaf_mapping){map, context, 0});
}
