/* SPDX-License-Identifier: MIT */
/* The store of nodes: hash-consing, looking, and the walk that all other files of the graph use.
 *
 * Folding is in fold.c; everything that makes an operation goes through ln_operation() there. */
#include "expression/nodes.h"

#include "base/sys.h"

#include <assert.h>
#include <string.h>

enum { FIRST_ROOM = 64, MOST_NODES = 1 << 29 };

ln_graph *ln_graph_new(void) {
    ln_graph *graph = ln_sys->allocate(sizeof *graph);
    if (graph)
        *graph = (ln_graph){0};
    return graph;
}

void ln_graph_free(ln_graph *graph) {
    if (!graph)
        return;
    ln_sys->release(graph->cell);
    ln_sys->release(graph->slot);
    ln_sys->release(graph->order);
    ln_sys->release(graph->stack);
    ln_sys->release(graph);
}

int ln_graph_failed(const ln_graph *graph) {
    return graph->failed;
}

int ln_graph_size(const ln_graph *graph) {
    return graph->count;
}

static int resize(void *array_pointer, size_t count, size_t size) {
    void **array = array_pointer, *larger = ln_sys->resize(*array, count * size);
    if (larger)
        *array = larger;
    return larger != NULL;
}

static unsigned hash(const ln_cell *cell) {
    unsigned long long h = cell->op;
    for (int i = 0; i < 3; i++)
        h = (h ^ (unsigned)cell->arg[i]) * 0x9E3779B97F4A7C15ULL;
    h = (h ^ cell->at.bits ^ (h >> 29)) * 0xBF58476D1CE4E5B9ULL;
    return (unsigned)(h >> 32);
}

static int same(const ln_cell *a, const ln_cell *b) {
    return a->op == b->op && a->at.bits == b->at.bits && a->arg[0] == b->arg[0] &&
           a->arg[1] == b->arg[1] && a->arg[2] == b->arg[2];
}

static void put(ln_graph *graph, ln_node node) {
    unsigned at = hash(&graph->cell[node]) & (graph->slots - 1);
    while (graph->slot[at])
        at = (at + 1) & (graph->slots - 1);
    graph->slot[at] = node + 1;
}

/* Doubles everything. What was there stays valid when memory is short. */
static int grow(ln_graph *graph) {
    int room = graph->room ? 2 * graph->room : FIRST_ROOM;
    if (room > MOST_NODES)
        return 0;
    size_t size = (size_t)room;
    if (!resize(&graph->cell, size, sizeof *graph->cell) ||
        !resize(&graph->order, size, sizeof *graph->order) ||
        !resize(&graph->stack, size, sizeof *graph->stack) ||
        !resize(&graph->slot, 2 * size, sizeof *graph->slot))
        return 0;
    graph->room = room;
    graph->slots = 2 * (unsigned)room;
    memset(graph->slot, 0, graph->slots * sizeof *graph->slot);
    for (ln_node node = 0; node < graph->count; node++)
        put(graph, node);
    return 1;
}

static ln_node find(const ln_graph *graph, const ln_cell *cell) {
    if (!graph->slots)
        return LN_NONE;
    for (unsigned at = hash(cell) & (graph->slots - 1); graph->slot[at];
         at = (at + 1) & (graph->slots - 1))
        if (same(&graph->cell[graph->slot[at] - 1], cell))
            return graph->slot[at] - 1;
    return LN_NONE;
}

ln_node ln_intern(ln_graph *graph, const ln_cell *cell, int commutes) {
    ln_node node = find(graph, cell);
    if (node == LN_NONE && commutes) {
        ln_cell swapped = *cell;
        swapped.arg[0] = cell->arg[1];
        swapped.arg[1] = cell->arg[0];
        node = find(graph, &swapped);
    }
    if (node != LN_NONE)
        return node;
    if (graph->count == graph->room && !grow(graph)) {
        graph->failed = 1;
        return LN_NONE;
    }
    node = graph->count++;
    assert(cell->arg[0] < node && cell->arg[1] < node && cell->arg[2] < node); /* in order */
    graph->cell[node] = *cell;
    graph->cell[node].mark = 0;
    put(graph, node);
    return node;
}

ln_node ln_constant(ln_graph *graph, double value) {
    ln_cell cell = {.op = LN_OP_CONSTANT, .arg = {LN_NONE, LN_NONE, LN_NONE}};
    cell.at.value = value == 0 ? 0 : value; /* one zero: -0 would be another node */
    return ln_intern(graph, &cell, 0);
}

ln_node ln_leaf_node(ln_graph *graph, ln_leaf kind, int index) {
    ln_cell cell = {.op = LN_OP_LEAF,
                    .depends = (unsigned char)(1u << kind),
                    .arg = {LN_NONE, LN_NONE, LN_NONE}};
    cell.at.leaf.kind = (int)kind;
    cell.at.leaf.index = index;
    return ln_intern(graph, &cell, 0);
}

ln_node ln_table_node(ln_graph *graph, ln_op op, ln_node x, ln_node decide, int first, int points) {
    if (x == LN_NONE || (op == LN_OP_TABLE && decide == LN_NONE) || points < 1)
        return LN_NONE;
    ln_cell cell = {.op = (unsigned char)op, .arg = {x, decide, LN_NONE}};
    cell.depends = (unsigned char)(graph->cell[x].depends | 1u << LN_LEAF_PARAMETER);
    if (decide != LN_NONE)
        cell.depends |= graph->cell[decide].depends;
    cell.at.table.first = first;
    cell.at.table.points = points;
    return ln_intern(graph, &cell, 0);
}

ln_node ln_table(ln_graph *graph, ln_node x, ln_node decide, int first, int points) {
    return ln_table_node(graph, LN_OP_TABLE, x, decide, first, points);
}

ln_node ln_table_step(ln_graph *graph, ln_node x, int first, int points) {
    return ln_table_node(graph, LN_OP_TABLE_MIDDLE, x, LN_NONE, first, points);
}

ln_node ln_table_mode(ln_graph *graph, ln_node table, ln_node u) {
    const ln_cell cell = graph->cell[table];
    return ln_table_node(graph, LN_OP_TABLE_MIDDLE, u, LN_NONE, cell.at.table.first,
                         cell.at.table.points);
}

ln_node ln_table_room(ln_graph *graph, ln_node table, ln_node u, ln_node mode) {
    const ln_cell cell = graph->cell[table];
    return ln_table_node(graph, LN_OP_TABLE_ROOM, u, mode, cell.at.table.first,
                         cell.at.table.points);
}

/* ---- looking ---- */

ln_op ln_node_op(const ln_graph *graph, ln_node node) {
    assert(node >= 0 && node < graph->count);
    return (ln_op)graph->cell[node].op;
}

ln_node ln_node_arg(const ln_graph *graph, ln_node node, int which) {
    assert(node >= 0 && node < graph->count && which >= 0 && which < 3);
    return graph->cell[node].arg[which];
}

double ln_node_value(const ln_graph *graph, ln_node node) {
    return graph->cell[node].op == LN_OP_CONSTANT ? graph->cell[node].at.value : (double)NAN;
}

ln_leaf ln_node_leaf(const ln_graph *graph, ln_node node, int *index) {
    if (index)
        *index = graph->cell[node].at.leaf.index;
    return (ln_leaf)graph->cell[node].at.leaf.kind;
}

unsigned ln_depends(const ln_graph *graph, ln_node node) {
    return graph->cell[node].depends;
}

/* ---- walking ---- */

/* The first argument of `node` still to be visited, or LN_NONE. */
static ln_node open_argument(const ln_graph *graph, ln_node node, ln_node least, unsigned mask) {
    for (int i = 0; i < 3; i++) {
        ln_node arg = graph->cell[node].arg[i];
        if (arg < least || graph->cell[arg].mark == graph->mark)
            continue;
        if (mask == 0 || (graph->cell[arg].depends & mask))
            return arg;
    }
    return LN_NONE;
}

int ln_below(const ln_graph *graph, const ln_node *roots, int count, ln_node least, unsigned mask) {
    int found = 0;
    /* marks only: nodes as others see them do not change */
    ln_graph *scratch = (ln_graph *)graph;
    if (least < 0)
        least = 0;
    if (++scratch->mark == 0) {
        for (ln_node node = 0; node < graph->count; node++)
            graph->cell[node].mark = 0;
        scratch->mark = 1;
    }
    for (int i = 0; i < count; i++) {
        int depth = 0;
        if (roots[i] < least || graph->cell[roots[i]].mark == graph->mark)
            continue;
        if (mask != 0 && !(graph->cell[roots[i]].depends & mask))
            continue;
        graph->cell[roots[i]].mark = graph->mark;
        graph->stack[depth++] = roots[i];
        while (depth > 0) {
            ln_node node = graph->stack[depth - 1], arg = open_argument(graph, node, least, mask);
            if (arg != LN_NONE) {
                graph->cell[arg].mark = graph->mark;
                graph->stack[depth++] = arg;
            } else {
                graph->order[found++] = node;
                depth--;
            }
        }
    }
    return found;
}

int ln_has_leaf(const ln_graph *graph, const ln_node *nodes, int count, ln_leaf kind, int from) {
    const int below = ln_below(graph, nodes, count, 0, 1u << kind);
    for (int i = 0; i < below; i++) {
        const ln_cell *cell = &graph->cell[graph->order[i]];
        if (cell->op == LN_OP_LEAF && cell->at.leaf.kind == (int)kind &&
            cell->at.leaf.index >= from)
            return 1;
    }
    return 0;
}

int ln_contains(const ln_graph *graph, ln_node node, ln_node part) {
    if (node < part || node == LN_NONE)
        return 0;
    ln_below(graph, &node, 1, part, graph->cell[part].depends);
    return ln_is_below(graph, part);
}
