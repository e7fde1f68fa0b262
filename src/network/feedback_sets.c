/* SPDX-License-Identifier: MIT */
/* What events set, as slow changes see it: rows for the memories and states of a block.
 *
 * An event that comes again and again draws its target to the value that it sets, at some rate:
 * der(m) = rho (value - m). So a memory that takes a value follows it, one that adds to itself is
 * an integral, and a state is drawn from where its own equation leads. rho is any positive number.
 * A rate() of something that changes slowly is zero, and an event that waits for one does not come.
 * That an event's coming depends on something may draw its target anywhere. A memory with one value
 * that comes by itself and follows from nothing set is that value: its bounds are then taken
 * together with those of the row it stands in. */
#include "network/feedback_graph.h"

typedef struct setting {
    const ln_instance *instance;
    const linnet_block_class *type;
    const ln_residuals *residuals;
    ln_graph *graph;
    int n, own;       /* unknowns of the class; memories that events set */
    ln_node *node;    /* rows, then values of sets, then conditions of events */
    ln_node *instead; /* per memory: what stands for it, or LN_NONE */
    char *follows;    /* per memory: it follows a signal */
    int *memory;      /* per memory: its unknown, -1: none */
} setting;

static ln_node value_of(const setting *all, int set) {
    return all->node[all->n + set];
}
static ln_node condition_of(const setting *all, int set) {
    return all->node[all->n + all->residuals->nsets + all->residuals->set_event[set]];
}

/* 0 where the event waits for what slow changes do not do. */
static int comes(const setting *all, int set) {
    const ln_node condition = condition_of(all, set);
    return condition != LN_NONE && (ln_node_op(all->graph, condition) != LN_OP_CONSTANT ||
                                    ln_node_value(all->graph, condition) != 0);
}

/* ---- the leaves ---- */

static ln_node plain_leaf(void *context, ln_graph *to, const ln_graph *from, ln_node leaf);

static ln_node plain(const setting *all, ln_graph *to, const ln_graph *from, ln_node node) {
    ln_copy(to, from, &node, 1, plain_leaf, (void *)all);
    return node;
}

/* Slowly changed, a delay is its input, a rate nothing, a mode what decides it. */
static ln_node plain_memory(const setting *all, ln_graph *to, const ln_graph *from, int index) {
    const int behind = index - all->own;
    if (behind < 0)
        return ln_leaf_node(to, LN_LEAF_MEMORY, index);
    if (behind >= LN_DELAY_MEMORIES * all->type->ndelays)
        return plain(all, to, from,
                     all->residuals->modes[behind - LN_DELAY_MEMORIES * all->type->ndelays]);
    const ln_node *delay = &all->residuals->delays[(ptrdiff_t)2 * (behind / LN_DELAY_MEMORIES)];
    return behind % LN_DELAY_MEMORIES == 0 && delay[1] != LN_NONE ? plain(all, to, from, delay[0])
                                                                  : ln_constant(to, 0);
}

/* Parameters are numbers, inputs that are open zero, what was before an instant what is. */
static ln_node plain_leaf(void *context, ln_graph *to, const ln_graph *from, ln_node leaf) {
    const setting *all = context;
    int index;
    if (ln_node_op(from, leaf) == LN_OP_DER)
        return LN_NONE;
    switch (ln_node_leaf(from, leaf, &index)) {
    case LN_LEAF_PARAMETER: return ln_constant(to, all->instance->block.p[index]);
    case LN_LEAF_UNKNOWN:
        index %= all->n;
        return index < all->type->nports && all->instance->links[index] < 0
                   ? ln_constant(to, 0)
                   : ln_leaf_node(to, LN_LEAF_UNKNOWN, index);
    case LN_LEAF_MEMORY: return plain_memory(all, to, from, index % all->type->nmemories);
    default: return LN_NONE;
    }
}

static ln_node put_instead(void *context, ln_graph *to, const ln_graph *from, ln_node leaf) {
    const setting *all = context;
    int index;
    if (ln_node_op(from, leaf) == LN_OP_DER || ln_node_leaf(from, leaf, &index) != LN_LEAF_MEMORY ||
        index >= all->own)
        return LN_NONE;
    return all->memory[index] >= 0 ? ln_leaf_node(to, LN_LEAF_UNKNOWN, all->memory[index])
                                   : all->instead[index];
}

static void replace(setting *all) {
    ln_copy(all->graph, all->graph, all->node, all->n + all->residuals->nsets + all->type->nevents,
            put_instead, all);
}

/* ---- who follows what ---- */

static int has_memory(const setting *all, ln_node node, int memory) {
    return ln_contains(all->graph, node, ln_leaf_node(all->graph, LN_LEAF_MEMORY, memory));
}

/* Does it depend on an unknown, itself or by a memory? */
static int moves(const setting *all, ln_node node) {
    if (ln_depends(all->graph, node) & 1u << LN_LEAF_UNKNOWN)
        return 1;
    for (int k = 0; k < all->own; k++)
        if (all->follows[k] && has_memory(all, node, k))
            return 1;
    return 0;
}

static void find_followers(setting *all) {
    for (int again = 1; again;) {
        again = 0;
        for (int j = 0; j < all->residuals->nsets; j++) {
            const int memory = all->residuals->set_memory[j];
            if (memory < 0 || all->follows[memory] || !comes(all, j))
                continue;
            all->follows[memory] =
                (char)(moves(all, value_of(all, j)) || moves(all, condition_of(all, j)));
            again |= all->follows[memory];
        }
    }
}

/* The one value that comes to a memory, of unknowns and time alone and by itself; or LN_NONE. */
static ln_node only_value(const setting *all, int memory) {
    ln_node value = LN_NONE;
    for (int j = 0; j < all->residuals->nsets; j++) {
        if (all->residuals->set_memory[j] != memory || !comes(all, j))
            continue;
        if (value != LN_NONE || moves(all, condition_of(all, j)))
            return LN_NONE;
        value = value_of(all, j);
        for (int k = 0; k < all->own; k++)
            if (has_memory(all, value, k))
                return LN_NONE;
    }
    return value;
}

/* ---- the rows ---- */

static int add_item(ln_set_rows *rows, int row, int col, linnet_kind kind, ln_interval is) {
    if (!LN_GROW(rows->items.item, rows->items.count, rows->items.room))
        return 0;
    rows->items.item[rows->items.count++] =
        (ln_gain_item){.row = row, .col = col, .kind = kind, .is = is};
    return 1;
}

/* The row in which the state is stored, and how much of it; -1: not in one alone. */
static int row_of_state(const setting *all, const double *entry, int state, double *stored) {
    int row = -1;
    for (int k = 0; k < all->type->nentries; k++) {
        const linnet_entry *e = &all->type->entries[k];
        if (e->kind != LINNET_E || e->col != state || entry[k] == 0)
            continue;
        if (row >= 0 || e->change != LINNET_CONSTANT)
            return -1;
        row = e->row;
        *stored = entry[k];
    }
    return row;
}

/* W = value - target, of which a part goes into the target's row. */
static int add_set(setting *all, const double *entry, int set, ln_set_rows *rows) {
    const int memory = all->residuals->set_memory[set], n = rows->count;
    const int target = memory >= 0 ? all->memory[memory] : all->residuals->set_unknown[set];
    double stored = 1;
    const int row = memory >= 0 ? target : row_of_state(all, entry, target, &stored);
    if (row < 0)
        return rows->open = 1;
    ln_graph *g = all->graph;
    const ln_node drawn = ln_operation(g, LN_OP_SUB, value_of(all, set),
                                       ln_leaf_node(g, LN_LEAF_UNKNOWN, target), LN_NONE);
    rows->row[rows->count++] =
        ln_operation(g, LN_OP_SUB, ln_leaf_node(g, LN_LEAF_UNKNOWN, n), drawn, LN_NONE);
    int good = add_item(rows, row, n, LINNET_A,
                        stored > 0 ? (ln_interval){-INFINITY, 0} : (ln_interval){0, INFINITY});
    for (int c = 0; good && c < n; c++)
        if (ln_contains(g, condition_of(all, set), ln_leaf_node(g, LN_LEAF_UNKNOWN, c)))
            good = add_item(rows, n, c, LINNET_A, LN_ANYTHING);
    return good;
}

static int add_rows(setting *all, const double *entry, ln_set_rows *rows) {
    int good = 1;
    rows->count = all->n;
    for (int k = 0; good && k < all->own; k++) {
        if (!all->follows[k] || all->instead[k] != LN_NONE)
            continue;
        all->memory[k] = rows->count;
        rows->row[rows->count] = LN_NONE;
        good = add_item(rows, rows->count, rows->count, LINNET_E, (ln_interval){1, 1});
        rows->count++;
    }
    replace(all);
    for (int r = 0; r < all->n; r++)
        rows->row[r] = all->node[r];
    for (int j = 0; good && j < all->residuals->nsets; j++) {
        const int memory = all->residuals->set_memory[j];
        if (comes(all, j) && (memory < 0 || all->memory[memory] >= 0))
            good = add_set(all, entry, j, rows);
    }
    return good;
}

static void take_nodes(setting *all) {
    const ln_residuals *from = all->residuals;
    const int events = all->type->nevents;
    for (int r = 0; r < all->n; r++)
        all->node[r] = from->live[r];
    for (int j = 0; j < from->nsets; j++)
        all->node[all->n + j] = from->sets[j];
    for (int e = 0; e < events; e++)
        all->node[all->n + from->nsets + e] = from->conditions[e];
    ln_copy(all->graph, from->graph, all->node, all->n + from->nsets + events, plain_leaf, all);
}

int ln_set_rows_make(const ln_instance *instance, const double *entry, ln_graph *graph,
                     ln_arena *arena, ln_set_rows *rows) {
    const linnet_block_class *type = instance->block.type;
    setting all = {.instance = instance,
                   .type = type,
                   .residuals = ln_class_residuals(type),
                   .graph = graph,
                   .n = type->nports + type->nvars,
                   .own = type->nmemories - type->nmodes - LN_DELAY_MEMORIES * type->ndelays};
    all.node = LN_NEW(arena, ln_node, all.n + all.residuals->nsets + type->nevents + 1);
    all.instead = LN_NEW(arena, ln_node, all.own + 1);
    all.follows = LN_NEW(arena, char, all.own + 1);
    all.memory = LN_NEW(arena, int, all.own + 1);
    rows->row = LN_NEW(arena, ln_node, all.n + all.own + all.residuals->nsets + 1);
    if (!LN_ALL_SET(all.node, all.instead, all.follows, all.memory, rows->row))
        return 0;
    take_nodes(&all);
    if (ln_graph_failed(graph))
        return 0;
    find_followers(&all);
    for (int k = 0; k < all.own; k++) {
        all.memory[k] = -1;
        all.instead[k] = only_value(&all, k);
    }
    return add_rows(&all, entry, rows) && !ln_graph_failed(graph);
}
