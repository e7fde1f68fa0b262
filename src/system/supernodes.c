/* SPDX-License-Identifier: MIT */
/* Floating parts, of which only differences are stored: nodes joined by capacitors, and to the rest
 * by conductances only. The rows of such a part of alpha E + A add up to its conductances, but in
 * numbers to the rounding of alpha times its capacitances; so the matrix is singular at short
 * steps, and the part's common potential is lost in that rounding.
 *
 * So one of its rows becomes the balance of the whole part, Kirchhoff's law of the surface around
 * it (a supernode): what passes from one node of the part to another is never added there, as the
 * structure tells. Nothing is stored in that row, and the matrix is regular at any step. The
 * unknowns stay as they are.
 *
 * Any sum of rows is as good as the rows themselves. So which rows are parts is looked up in the
 * slopes of what is stored at some points, and a block that turns out to store across the surface
 * after all enters the balance with it. */
#include "system/active.h"

#include "base/forest.h"
#include "base/sys.h"
#include "blocks/equations.h"
#include "blocks/native/device.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* What a few stamps of a block leave where they cancel. */
static const double ROUNDING = 8 * DBL_EPSILON;

typedef struct part_finder {
    ln_system *system;
    ln_arena *scratch;
    int *parent;        /* n: rows that share storage, a forest */
    char *grounded;     /* n: the row is in a part that stores against something else */
    double *size;       /* n: of what is stored in the row */
    double *sum, *all;  /* n, by unknown: of the entries of a block; of their sizes */
    int *first;         /* n, by unknown: a row of the block at hand, or -1 */
    int *holder;        /* n, by unknown: a row in which it is stored, or -1 */
    int *unknown, *row; /* of the block at hand */
} part_finder;

/* ---- what a block stores ---- */

static int stores(const linnet_block_class *type) {
    for (int k = 0; k < type->nentries; k++)
        if (type->entries[k].kind == LINNET_E)
            return 1;
    return 0;
}

/* Rows that share an unknown are of one part, which is grounded unless they cancel. */
static void note_entries(part_finder *all, const linnet_block_class *type, const double *entry) {
    for (int k = 0; k < type->nentries; k++) {
        const linnet_entry *e = &type->entries[k];
        const int row = all->row[e->row], col = all->unknown[e->col];
        if (e->kind != LINNET_E || row < 0 || col < 0 || entry[k] == 0)
            continue;
        if (all->first[col] < 0)
            all->first[col] = row;
        if (all->holder[col] < 0)
            all->holder[col] = row;
        all->parent[ln_root_of(all->parent, row)] = ln_root_of(all->parent, all->first[col]);
        all->sum[col] += entry[k];
        all->all[col] += fabs(entry[k]);
        all->size[row] += fabs(entry[k]);
    }
    for (int k = 0; k < type->nentries; k++) {
        const int col = all->unknown[type->entries[k].col];
        if (col < 0 || all->first[col] < 0)
            continue;
        if (!(fabs(all->sum[col]) <= ROUNDING * all->all[col]))
            all->grounded[all->first[col]] = 1;
        all->first[col] = -1;
        all->sum[col] = all->all[col] = 0;
    }
}

/* The rows of a block of which nothing is known are grounded. */
static void give_up(part_finder *all, const linnet_block_class *type) {
    for (int k = 0; k < type->nentries; k++)
        if (type->entries[k].kind == LINNET_E && all->row[type->entries[k].row] >= 0)
            all->grounded[all->row[type->entries[k].row]] = 1;
}

/* Points to look at: at rest, and with voltages of many sizes and both signs. */
enum { POINTS = 3 };
static double sample_point(const linnet_block_class *type, int local, int point) {
    static const double scale[POINTS] = {0, 0.7, -9};
    static const double room_temperature = 300;
    if (local < type->nports && type->ports[local].domain == LINNET_THERMAL)
        return room_temperature;
    return scale[point] * sin(1.0 + 2.3 * local);
}

static void sample_block(part_finder *all, const linnet_block *block) {
    const linnet_block_class *type = block->type;
    struct ln_system_private *own = all->system->own;
    const int n = type->nports + type->nvars;
    int seen = 0;
    for (int point = 0; type->nmemories == 0 && point < POINTS; point++) {
        double test = 0;
        for (int j = 0; j < n; j++)
            own->x[j] = all->unknown[j] < 0 ? 0 : sample_point(type, j, point);
        memset(own->q, 0, (size_t)n * sizeof *own->q);
        memset(own->f, 0, (size_t)n * sizeof *own->f);
        memset(own->entry, 0, (size_t)type->nentries * sizeof *own->entry);
        if (type->eval(block, &(linnet_point){0, 0, own->x, NULL},
                       &(linnet_out){own->q, own->f, own->entry}) != LINNET_OK)
            continue;
        for (int k = 0; k < type->nentries; k++)
            test += type->entries[k].kind == LINNET_E ? own->entry[k] * 0.0 : 0;
        if (test != 0)
            continue;
        note_entries(all, type, own->entry);
        seen++;
    }
    if (seen == 0)
        give_up(all, type);
}

static linnet_status visit(part_finder *all, int instance, ln_report *report) {
    ln_network *network = all->system->network;
    const linnet_block_class *type = network->instances[instance].block.type;
    double *entry = all->system->own->entry;
    linnet_block block;
    if (type->reference_port >= 0 || !stores(type))
        return LINNET_OK;
    ln_local_unknowns(network, instance, all->unknown);
    ln_local_rows(network, instance, all->row);
    LN_TRY(ln_prepare(all->system, &network->instances[instance], &block, report));
    if (type->eval != NULL)
        sample_block(all, &block);
    if (type->linear == NULL)
        return LINNET_OK;
    memset(entry, 0, (size_t)type->nentries * sizeof *entry);
    type->linear(&block, entry);
    note_entries(all, type, entry);
    return LINNET_OK;
}

/* ---- the parts ---- */

/* The root of the part that an unknown is stored in, or -1. */
static int root_of_unknown(const part_finder *all, int unknown) {
    const int row = all->holder[unknown];
    return row < 0 ? -1 : ln_root_of(all->parent, row);
}

/* By root: members, of those whose number is that of an unknown of the part the one whose row
 * stores most (-1: there is none), and whether one is grounded. */
static void look_at_parts(const part_finder *all, int n, int *most, int *members) {
    for (int i = 0; i < n; i++)
        most[i] = -1;
    for (int i = 0; i < n; i++) {
        const int root = ln_root_of(all->parent, i);
        members[root]++;
        if (all->grounded[i])
            all->grounded[root] = 1;
        if (root_of_unknown(all, i) == root &&
            (most[root] < 0 || all->size[i] > all->size[most[root]]))
            most[root] = i;
    }
}

static int is_part(const part_finder *all, int root, const int *most, const int *members) {
    return members[root] > 1 && !all->grounded[root] && most[root] >= 0;
}

/* Of each part, the row that stores most: small charges beside it keep their digits. */
static linnet_status choose_rows(part_finder *all) {
    ln_system *system = all->system;
    const int n = system->n;
    int *most = LN_NEW(all->scratch, int, n), *members = LN_NEW(all->scratch, int, n);
    int *common = NULL, *of_unknown = NULL;
    if (most == NULL || members == NULL)
        return LINNET_MEMORY;
    look_at_parts(all, n, most, members);
    for (int i = 0; i < n; i++)
        system->nparts += all->parent[i] == i && is_part(all, i, most, members);
    if (system->nparts == 0)
        return LINNET_OK;
    common = LN_NEW(system->arena, int, n);
    of_unknown = LN_NEW(system->arena, int, n);
    if (common == NULL || of_unknown == NULL)
        return LINNET_MEMORY;
    for (int i = 0; i < n; i++) {
        const int root = ln_root_of(all->parent, i), held = root_of_unknown(all, i);
        common[i] = is_part(all, root, most, members) ? most[root] : -1;
        of_unknown[i] = held >= 0 && is_part(all, held, most, members) ? most[held] : -1;
        assert(common[i] < 0 || ln_root_of(all->parent, common[i]) == root); /* a row of the part */
    }
    system->balance_row = common;
    system->common_unknown = of_unknown;
    return LINNET_OK;
}

static linnet_status allocate(part_finder *all, int locals) {
    const size_t n = (size_t)all->system->n;
    all->parent = LN_NEW(all->scratch, int, n);
    all->grounded = LN_NEW(all->scratch, char, n);
    all->size = LN_NEW(all->scratch, double, n);
    all->sum = LN_NEW(all->scratch, double, n);
    all->all = LN_NEW(all->scratch, double, n);
    all->first = LN_NEW(all->scratch, int, n);
    all->holder = LN_NEW(all->scratch, int, n);
    all->unknown = LN_NEW(all->scratch, int, locals);
    all->row = LN_NEW(all->scratch, int, locals);
    if (!all->parent || !all->grounded || !all->size || !all->sum || !all->all || !all->first ||
        !all->holder || !all->unknown || !all->row)
        return LINNET_MEMORY;
    for (size_t i = 0; i < n; i++) {
        all->parent[i] = (int)i;
        all->first[i] = all->holder[i] = -1;
    }
    return LINNET_OK;
}

linnet_status ln_supernodes_find(ln_system *system, int locals, ln_report *report) {
    part_finder all = {.system = system, .scratch = ln_arena_new()};
    linnet_status status = all.scratch == NULL ? LINNET_MEMORY : allocate(&all, locals);
    for (int i = 0; status == LINNET_OK && i < system->network->ninstances; i++)
        status = visit(&all, i, report);
    if (status == LINNET_OK)
        status = choose_rows(&all);
    ln_arena_free(all.scratch);
    return status;
}

/* ---- what passes the surface ---- */

/* Does each branch have both ends in the part, or none? */
static int device_is_inside(const ln_device_shape *shape, const int *balance_row, int common) {
    for (int k = 0; k < shape->njoined; k++)
        if ((balance_row[shape->joined[k].from] == common) !=
            (balance_row[shape->joined[k].to] == common))
            return 0;
    return 1;
}

static ln_node keep(void *context, ln_graph *to, const ln_graph *from, ln_node leaf) {
    (void)context, (void)to, (void)from, (void)leaf;
    return LN_NONE;
}

/* Do the rows of an equation-defined class that lie in the part add up to zero, whatever x is? */
static linnet_status rows_cancel(const linnet_block_class *type, const int *balance_row, int common,
                                 int *cancel) {
    const ln_residuals *residuals = ln_class_residuals(type);
    ln_graph *graph = ln_graph_new();
    ln_node sum = graph == NULL ? LN_NONE : ln_constant(graph, 0);
    for (int j = 0; graph != NULL && j < type->nports + type->nvars; j++) {
        ln_node term = residuals->row[j];
        if (balance_row[j] != common || term == LN_NONE)
            continue;
        ln_copy(graph, residuals->graph, &term, 1, keep, NULL);
        sum = ln_operation(graph, LN_OP_ADD, sum, term, LN_NONE);
    }
    const int whole = graph != NULL && !ln_graph_failed(graph);
    *cancel = whole && ln_node_op(graph, sum) == LN_OP_CONSTANT && ln_node_value(graph, sum) == 0;
    ln_graph_free(graph);
    return whole ? LINNET_OK : LINNET_MEMORY;
}

/* Does everything the block brings stay inside the part? For linear blocks ln_sum_across()
 * decides by the sums of constant entries. */
static linnet_status is_inside(const linnet_block_class *type, const int *balance_row, int common,
                               int *inside) {
    *inside = 0;
    if (type->eval == NULL && type->source == NULL)
        return LINNET_OK;
    const ln_device_shape *shape = ln_device_shape_of(type);
    if (shape != NULL)
        *inside = device_is_inside(shape, balance_row, common);
    return shape == NULL && ln_class_residuals(type) != NULL
               ? rows_cancel(type, balance_row, common, inside)
               : LINNET_OK;
}

linnet_status ln_place_rows(const ln_system *system, int instance, int *row, int *balance_row) {
    const linnet_block_class *type = system->network->instances[instance].block.type;
    const int n = type->nports + type->nvars;
    ln_local_rows(system->network, instance, row);
    for (int j = 0; j < n; j++)
        balance_row[j] =
            system->balance_row == NULL || row[j] < 0 ? -1 : system->balance_row[row[j]];
    for (int j = 0; j < n; j++)
        if (balance_row[j] >= 0 && balance_row[j] == row[j])
            row[j] = -1;
    for (int j = 0; j < n; j++) {
        const int common = balance_row[j];
        int inside = 0;
        if (common >= 0)
            LN_TRY(is_inside(type, balance_row, common, &inside));
        for (int i = j; inside && i < n; i++)
            balance_row[i] = balance_row[i] == common ? -1 : balance_row[i];
    }
    return LINNET_OK;
}

int ln_stores_across(const linnet_block_class *type, const int *balance_row, int common) {
    const ln_device_shape *shape = ln_device_shape_of(type);
    for (int k = 0; shape != NULL && k < shape->njoined; k++) {
        const ln_joined *one = &shape->joined[k];
        if (one->stores && (balance_row[one->from] == common) != (balance_row[one->to] == common))
            return 1;
    }
    return shape == NULL;
}

/* How many branches run from node to node on one side of a part's surface; those that store, whose
 * rounding short steps raise, count first. */
static int count_inside(const ln_device_shape *shape, const int *balance_row, int common,
                        int within) {
    enum { FIRST = LN_DEVICE_BRANCHES + 1 };
    int count = 0;
    for (int k = 0; k < shape->njoined; k++) {
        const ln_joined *one = &shape->joined[k];
        if ((balance_row[one->from] == common) == within &&
            (balance_row[one->to] == common) == within)
            count += one->stores ? FIRST : 1;
    }
    return count;
}

int ln_choose_sides(const linnet_block_class *type, const int *balance_row, char *from_outside) {
    const ln_device_shape *shape = ln_device_shape_of(type);
    int any = 0;
    for (int j = 0; shape != NULL && j < shape->nunknowns; j++) {
        from_outside[j] =
            balance_row[j] >= 0 && count_inside(shape, balance_row, balance_row[j], 0) <
                                       count_inside(shape, balance_row, balance_row[j], 1);
        any |= from_outside[j];
    }
    return any ? shape->nunknowns : 0;
}

double ln_sum_across(const linnet_block_class *type, const double *entry, const int *balance_row,
                     const int *unknown, int first) {
    const linnet_entry *of = &type->entries[first];
    double sum = 0, size = 0;
    for (int k = 0; k < type->nentries; k++) {
        const linnet_entry *e = &type->entries[k];
        if (e->change != of->change || e->kind != of->kind ||
            balance_row[e->row] != balance_row[of->row] || unknown[e->col] != unknown[of->col])
            continue;
        if (k < first)
            return 0;
        sum += entry[k];
        size += fabs(entry[k]);
    }
    return fabs(sum) <= ROUNDING * size ? 0 : sum;
}
