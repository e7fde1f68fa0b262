/* SPDX-License-Identifier: MIT */
/* The equations of a block made ready for slopes: see feedback_graph.h. */
#include "network/feedback_graph.h"

#include <string.h>

/* What is known of each node of the graph: */
enum { STANDS = 0, LINEAR = 1, BENT = 2 }; /* free of unknowns; linear in them; neither */

typedef struct sorting {
    ln_graph *graph;
    char *kind;
    char *core; /* 1: becomes an unknown */
    int nnodes, first_extra, nextra;
    ln_node *extra; /* rows of what became unknowns */
    ln_arena *arena;
} sorting;

static ln_node as_number(void *context, ln_graph *to, const ln_graph *from, ln_node leaf) {
    const linnet_block *block = context;
    int index;
    if (ln_node_op(from, leaf) == LN_OP_DER ||
        ln_node_leaf(from, leaf, &index) != LN_LEAF_PARAMETER)
        return LN_NONE;
    return ln_constant(to, block->p[index]);
}

static int is_constant(const ln_graph *g, ln_node node) {
    return node != LN_NONE && ln_node_op(g, node) == LN_OP_CONSTANT;
}

static int kind_of_argument(const sorting *sorter, ln_node node) {
    return node != LN_NONE ? sorter->kind[node] : STANDS;
}

static int kind_of(const sorting *sorter, ln_node node) {
    const ln_graph *g = sorter->graph;
    const ln_op op = ln_node_op(g, node);
    if (!(ln_depends(g, node) & 1u << LN_LEAF_UNKNOWN) || op == LN_OP_DER)
        return STANDS;
    if (op == LN_OP_LEAF)
        return LINEAR;
    const ln_node a = ln_node_arg(g, node, 0), b = ln_node_arg(g, node, 1);
    if (kind_of_argument(sorter, a) == BENT || kind_of_argument(sorter, b) == BENT)
        return BENT;
    switch (op) {
    case LN_OP_ADD:
    case LN_OP_SUB:
    case LN_OP_NEG: return LINEAR;
    case LN_OP_MUL: return is_constant(g, a) || is_constant(g, b) ? LINEAR : BENT;
    case LN_OP_DIV: return is_constant(g, b) ? LINEAR : BENT;
    default: return BENT;
    }
}

/* What a linear node is but for a factor and a constant. */
static ln_node core_of(const sorting *sorter, ln_node node) {
    const ln_graph *g = sorter->graph;
    for (;;) {
        const ln_op op = ln_node_op(g, node);
        const ln_node a = ln_node_arg(g, node, 0), b = ln_node_arg(g, node, 1);
        const int two = op == LN_OP_MUL || op == LN_OP_DIV || op == LN_OP_ADD || op == LN_OP_SUB;
        if (op == LN_OP_NEG || (two && sorter->kind[b] == STANDS))
            node = a;
        else if (two && sorter->kind[a] == STANDS)
            node = b;
        else
            return node;
    }
}

/* Sums of several unknowns that something bent is made of. */
static void find_cores(sorting *sorter) {
    for (ln_node node = 0; node < sorter->nnodes; node++) {
        sorter->kind[node] = (char)kind_of(sorter, node);
        if (sorter->kind[node] != BENT)
            continue;
        for (int k = 0; k < 3; k++) {
            const ln_node arg = ln_node_arg(sorter->graph, node, k);
            if (arg == LN_NONE || sorter->kind[arg] != LINEAR)
                continue;
            const ln_node core = core_of(sorter, arg);
            sorter->core[core] = ln_node_op(sorter->graph, core) != LN_OP_LEAF;
        }
    }
}

static ln_node put_extra(void *context, ln_graph *to, const ln_graph *from, ln_node old,
                         const ln_node arg[3]) {
    sorting *sorter = context;
    const ln_node plain = ln_remake(to, from, old, arg);
    if (old >= sorter->nnodes || !sorter->core[old] || plain == LN_NONE)
        return plain;
    const ln_node unknown = ln_leaf_node(to, LN_LEAF_UNKNOWN, sorter->first_extra + sorter->nextra);
    sorter->extra[sorter->nextra++] = ln_operation(to, LN_OP_SUB, unknown, plain, LN_NONE);
    return unknown;
}

int ln_slope_rows_of(ln_graph *graph, const ln_node *row, int n, ln_arena *arena,
                     ln_slope_rows *rows) {
    sorting sorter = {
        .graph = graph, .nnodes = ln_graph_size(graph), .first_extra = n, .arena = arena};
    sorter.kind = LN_NEW(arena, char, sorter.nnodes + 1);
    sorter.core = LN_NEW(arena, char, sorter.nnodes + 1);
    if (ln_graph_failed(graph) || sorter.kind == NULL || sorter.core == NULL)
        return 0;
    find_cores(&sorter);
    int ncores = 0;
    for (int k = 0; k < sorter.nnodes; k++)
        ncores += sorter.core[k];
    sorter.extra = LN_NEW(arena, ln_node, ncores + 1);
    rows->row = LN_NEW(arena, ln_node, n + ncores + 1);
    if (sorter.extra == NULL || rows->row == NULL)
        return 0;
    memcpy(rows->row, row, (size_t)n * sizeof *row);
    if (ncores > 0)
        ln_rewrite(graph, graph, rows->row, n, put_extra, &sorter);
    memcpy(rows->row + n, sorter.extra, (size_t)sorter.nextra * sizeof *row);
    rows->nextra = sorter.nextra;
    return !ln_graph_failed(graph);
}

int ln_slope_rows_make(const linnet_block *block, const ln_residuals *residuals, ln_graph *graph,
                       ln_arena *arena, ln_slope_rows *rows) {
    const int n = block->type->nports + block->type->nvars;
    linnet_block known = *block;
    ln_node *row = LN_NEW(arena, ln_node, n + 1);
    if (row == NULL)
        return 0;
    for (int r = 0; r < n; r++)
        row[r] = residuals->live[r];
    ln_copy(graph, residuals->graph, row, n, as_number, &known);
    return ln_slope_rows_of(graph, row, n, arena, rows);
}
