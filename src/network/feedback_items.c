/* SPDX-License-Identifier: MIT */
/* The matrices of a cluster of blocks, as far as they are known without a state: numbers where
 * entries are constant; where they change the bounds of the slope, from the equations of the type
 * (slope.h), jumps of conditions among them. A type in C says only that they change. At a point all
 * are numbers. */
#include "network/feedback_graph.h"

#include "base/sys.h"
#include "blocks/equations.h"
#include "network/structure.h"
#include <limits.h>

typedef struct collecting {
    const ln_network *network;
    const int *place;
    int n; /* unknowns placed */
    const ln_feedback_point *point;
    ln_gain_items *items;
    const ln_instance *instance; /* the block at hand */
    int first_input;             /* of it, among the cluster's inputs */
} collecting;

static int is_input(const linnet_block_class *type, int local) {
    return local < type->nports && (type->ports[local].flags & LINNET_INPUT) != 0;
}

/* Inputs of a block stand together in the cluster's list, in the order of its ports. */
static int inputs_before(const linnet_block_class *type, int port) {
    int count = 0;
    for (int j = 0; j < port; j++)
        count += is_input(type, j);
    return count;
}

enum { NOWHERE = INT_MIN };

/* Where a local unknown stands: a column, an input as -1 - its number, NOWHERE for what is open or
 * zero. */
static int place_of(const collecting *all, int local, int first_extra) {
    const linnet_block_class *type = all->instance->block.type;
    if (local >= type->nports + type->nvars)
        return first_extra + local - type->nports - type->nvars;
    if (is_input(type, local))
        return -1 - (all->first_input + inputs_before(type, local));
    const int unknown = ln_unknown_at(all->network, all->instance, local);
    return unknown >= 0 ? all->place[unknown] : NOWHERE;
}

static int place_of_row(const collecting *all, int local, int first_extra) {
    const linnet_block_class *type = all->instance->block.type;
    if (local >= type->nports + type->nvars)
        return first_extra + local - type->nports - type->nvars;
    const int row = ln_row_at(all->network, all->instance, local);
    return row >= 0 ? all->place[row] : NOWHERE;
}

static int add_at(collecting *all, int row, int col, linnet_kind kind, ln_interval is) {
    if (row == NOWHERE || col == NOWHERE || (is.low == 0 && is.high == 0))
        return 1;
    ln_gain_items *items = all->items;
    if (!LN_GROW(items->item, items->count, items->room))
        return 0;
    items->item[items->count++] = (ln_gain_item){.row = row, .col = col, .kind = kind, .is = is};
    return 1;
}

/* ---- values ---- */

/* The block's own unknowns at the point. */
static double *local_values(const collecting *all, ln_arena *arena) {
    const linnet_block_class *type = all->instance->block.type;
    double *x = LN_NEW(arena, double, type->nports + type->nvars + 1);
    for (int k = 0; x != NULL && k < type->nports + type->nvars; k++) {
        const int open = k < type->nports && all->instance->links[k] < 0;
        const int unknown = open ? -1 : ln_unknown_at(all->network, all->instance, k);
        x[k] = unknown >= 0 ? all->point->x[unknown] : 0;
    }
    return x;
}

/* The class's entries: constant ones, and at a point all. */
static double *entry_values(const collecting *all, ln_arena *arena) {
    linnet_block block = all->instance->block;
    const linnet_block_class *type = block.type;
    char message[256];
    block.work = LN_NEW(arena, double, type->nwork + 1);
    const size_t rows = (size_t)(type->nports + type->nvars), n = (size_t)type->nentries;
    double *entry = LN_NEW(arena, double, n + 1), *state = LN_NEW(arena, double, n + 1);
    double *rest = LN_NEW(arena, double, 2 * rows + 1);
    if (block.work == NULL || entry == NULL || state == NULL || rest == NULL)
        return NULL;
    /* the network's check has seen it succeed */
    if (type->prepare != NULL)
        (void)type->prepare(&block, message);
    if (type->linear != NULL)
        type->linear(&block, entry);
    if (all->point == NULL || type->eval == NULL)
        return entry;
    const double *x = local_values(all, arena);
    if (x == NULL)
        return NULL;
    linnet_out out = {rest, rest + rows, state};
    const linnet_point point = {all->point->side.t, all->point->side.within, x,
                                all->point->memory + all->instance->first_memory};
    (void)type->eval(&block, &point, &out);
    for (size_t k = 0; k < n; k++)
        if (type->entries[k].change == LINNET_STATE)
            entry[k] = state[k];
    return entry;
}

/* ---- entries ---- */

static int add_entries(collecting *all, const double *entry, int wanted) {
    const linnet_block_class *type = all->instance->block.type;
    for (int k = 0; k < type->nentries; k++) {
        const linnet_entry *e = &type->entries[k];
        const int here = all->point != NULL && type->ndelays == 0 && isfinite(entry[k]);
        const int known = e->change == LINNET_CONSTANT || here;
        const ln_interval is = known ? (ln_interval){entry[k], entry[k]} : LN_ANYTHING;
        if ((1 << e->kind & wanted) == 0)
            continue;
        if (!add_at(all, place_of_row(all, e->row, 0), place_of(all, e->col, 0), e->kind, is))
            return 0;
    }
    return 1;
}

/* Slopes of n rows, and of what is taken together in them as further unknowns with rows of their
 * own. */
static int add_row_slopes(collecting *all, ln_graph *graph, const ln_slope_rows *rows, int n) {
    const int first_extra = all->n + all->items->extra;
    for (int r = 0; r < n + rows->nextra; r++) {
        for (int c = 0; rows->row[r] != LN_NONE && c < n + rows->nextra; c++) {
            const ln_node unknown = ln_leaf_node(graph, LN_LEAF_UNKNOWN, c);
            if (!ln_contains(graph, rows->row[r], unknown))
                continue;
            const ln_interval is =
                ln_slope_bounds(graph, rows->row[r], unknown, all->instance->block.p);
            if (!add_at(all, place_of_row(all, r, first_extra), place_of(all, c, first_extra),
                        LINNET_A, is))
                return 0;
        }
    }
    return !ln_graph_failed(graph);
}

static int add_slopes(collecting *all, const ln_residuals *residuals, ln_arena *arena) {
    const int n = all->instance->block.type->nports + all->instance->block.type->nvars;
    ln_graph *graph = ln_graph_new();
    ln_slope_rows rows;
    const int good = graph != NULL &&
                     ln_slope_rows_make(&all->instance->block, residuals, graph, arena, &rows) &&
                     add_row_slopes(all, graph, &rows, n);
    if (good)
        all->items->extra += rows.nextra;
    ln_graph_free(graph);
    return good;
}

/* The same with what events set. */
static int add_slopes_and_sets(collecting *all, const double *entry, ln_arena *arena) {
    const int n = all->instance->block.type->nports + all->instance->block.type->nvars,
              first_extra = all->n + all->items->extra;
    ln_graph *graph = ln_graph_new();
    ln_set_rows sets = {.count = 0};
    ln_slope_rows rows;
    int good = graph != NULL && ln_set_rows_make(all->instance, entry, graph, arena, &sets) &&
               ln_slope_rows_of(graph, sets.row, sets.count, arena, &rows) &&
               add_row_slopes(all, graph, &rows, sets.count);
    for (size_t k = 0; good && k < sets.items.count; k++) {
        const ln_gain_item *item = &sets.items.item[k];
        good = add_at(all, place_of_row(all, item->row, first_extra),
                      place_of(all, item->col, first_extra), item->kind, item->is);
    }
    if (good)
        all->items->extra += sets.count - n + rows.nextra;
    all->items->open |= sets.open;
    ln_sys->release(sets.items.item);
    ln_graph_free(graph);
    return good;
}

static int changes(const linnet_block_class *type) {
    int count = type->nmodes;
    for (int k = 0; k < type->nentries; k++)
        count += type->entries[k].change == LINNET_STATE;
    return count > 0;
}

static int collect(collecting *all, ln_arena *arena) {
    const linnet_block_class *type = all->instance->block.type;
    const ln_residuals *residuals = ln_class_residuals(type);
    const double *entry = entry_values(all, arena);
    if (entry == NULL)
        return 0;
    if (all->items->sets && residuals != NULL && residuals->live != NULL && residuals->nsets > 0)
        return add_entries(all, entry, 1 << LINNET_E) && add_slopes_and_sets(all, entry, arena);
    if (all->point != NULL || residuals == NULL || residuals->live == NULL || !changes(type))
        return add_entries(all, entry, 1 << LINNET_E | 1 << LINNET_A);
    return add_entries(all, entry, 1 << LINNET_E) && add_slopes(all, residuals, arena);
}

int ln_gain_items_collect(const ln_network *network, const ln_cluster *cluster, const int *place,
                          int n, const ln_feedback_point *point, ln_gain_items *items) {
    collecting all = {.network = network, .place = place, .n = n, .point = point, .items = items};
    int good = 1;
    for (int k = 0; good && k < cluster->count; k++) {
        ln_arena *arena = ln_arena_new();
        all.instance = &network->instances[cluster->instances[k]];
        good = arena != NULL && collect(&all, arena);
        all.first_input +=
            inputs_before(all.instance->block.type, all.instance->block.type->nports);
        ln_arena_free(arena);
    }
    return good;
}
