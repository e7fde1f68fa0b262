/* SPDX-License-Identifier: MIT */
/* Devices made of branches sorted into batches, one of each class, and those into chunks of
 * LN_LANES: their lists, and the sums of what the branches of a class give (batch.c). */
#include "system/batch.h"

/* The batch for an instance's class, NULL: it is evaluated by itself. */
static ln_batch *batch_of(struct ln_system_private *own, const ln_active *active) {
    const linnet_block_class *type = active->instance->block.type;
    const ln_device_shape *shape = ln_device_shape_of(type);
    if (shape == NULL || active->instance->links[shape->nports] >= 0)
        return NULL;
    int k = 0;
    while (k < own->nbatches && own->batches[k].type != type)
        k++;
    if (k == own->nbatches)
        own->batches[own->nbatches++] = (ln_batch){.type = type, .shape = shape};
    return &own->batches[k];
}

static int new_list(ln_arena *arena, ln_scatter *list, int room) {
    *list = (ln_scatter){0, LN_NEW(arena, int, room), LN_NEW(arena, int, room)};
    return list->from != NULL && list->to != NULL;
}

/* The list of one instance joins that of its chunk, whose arrays have LN_LANES values for each of
 * the instance's. */
static void join(ln_scatter *all, const ln_scatter *one, int lane) {
    for (int k = 0; k < one->count; k++, all->count++) {
        all->from[all->count] = one->from[k] * LN_LANES + lane;
        all->to[all->count] = one->to[k];
    }
}

static void add_instance(ln_chunk *into, ln_active *active, const ln_device_shape *shape) {
    const int lane = into->count++;
    into->active[lane] = active;
    ln_scatter *gather = &into->gather;
    for (int j = 0; j < shape->nunknowns; j++) {
        if (active->unknown[j] < 0)
            continue;
        gather->from[gather->count] = active->unknown[j];
        gather->to[gather->count++] = j * LN_LANES + lane;
    }
    join(&into->to_q, &active->to_q, lane);
    join(&into->to_f, &active->to_f, lane);
    join(&into->to_dq, &active->to_dq, lane);
    join(&into->to_df, &active->to_df, lane);
    join(&into->outside_q, &active->outside_q, lane);
    join(&into->outside_f, &active->outside_f, lane);
    join(&into->outside_dq, &active->outside_dq, lane);
    join(&into->outside_df, &active->outside_df, lane);
    into->dq_end[lane] = into->to_dq.count;
    into->df_end[lane] = into->to_df.count;
}

/* Where there are parts of which only differences are stored, what devices give enters their
 * balances, too. */
static int new_lists(ln_arena *arena, ln_chunk *one, int n, int nentries, int crosses) {
    const int less = crosses ? n : 0, to = (crosses ? 2 : 1) * LN_LANES;
    return new_list(arena, &one->gather, n * LN_LANES) && new_list(arena, &one->to_q, n * to) &&
           new_list(arena, &one->to_f, n * to) && new_list(arena, &one->to_dq, nentries * to) &&
           new_list(arena, &one->to_df, nentries * to) &&
           new_list(arena, &one->outside_q, n * less * LN_LANES) &&
           new_list(arena, &one->outside_f, n * less * LN_LANES) &&
           new_list(arena, &one->outside_dq, nentries * less * LN_LANES) &&
           new_list(arena, &one->outside_df, nentries * less * LN_LANES);
}

static int new_chunks(ln_arena *arena, ln_batch *batch, int crosses) {
    const ln_device_shape *shape = batch->shape;
    const int nchunks = (batch->count + LN_LANES - 1) / LN_LANES, n = shape->nunknowns;
    batch->chunks = LN_NEW(arena, ln_chunk, nchunks);
    int ok = batch->chunks != NULL;
    for (int k = 0; ok && k < nchunks; k++) {
        ln_chunk *one = &batch->chunks[k];
        one->place = LN_NEW(arena, ln_lanes, n);
        one->flows = LN_NEW(arena, ln_lanes, shape->njoined * LN_FLOW_ROWS);
        ok = one->place != NULL && one->flows != NULL &&
             new_lists(arena, one, n, batch->type->nentries, crosses);
    }
    batch->count = 0;
    return ok;
}

/* ---- sums ---- */

/* Marks what the list is from, whatever the lane. */
static void mark_sources(const ln_scatter *list, int first, char *needed) {
    for (int k = 0; k < list->count; k++)
        needed[first + list->from[k] / LN_LANES] = 1;
}

/* needed: entries, then local rows of currents and of charges. */
static void mark_needed(const ln_batch *batch, char *entries, char *rows) {
    for (int c = 0; c * LN_LANES < batch->count; c++) {
        const ln_chunk *chunk = &batch->chunks[c];
        mark_sources(&chunk->to_df, 0, entries);
        mark_sources(&chunk->to_dq, 0, entries);
        mark_sources(&chunk->outside_df, 0, entries);
        mark_sources(&chunk->outside_dq, 0, entries);
        mark_sources(&chunk->to_f, 0, rows);
        mark_sources(&chunk->outside_f, 0, rows);
        mark_sources(&chunk->to_q, LN_LOCALS, rows);
        mark_sources(&chunk->outside_q, LN_LOCALS, rows);
    }
}

static void add_term(ln_lane_sums *list, int at, double sign) {
    int next = 0;
    for (int k = 0; k <= list->count; k++)
        next += list->sums[k].count;
    list->terms[next] = (ln_lane_term){(short)at, sign > 0 ? 1 : -1};
    list->sums[list->count].count++;
}

/* The terms of an entry: corners of the stamps that meet there. A control between nodes that are
 * one has no voltage. */
static void sum_entry(const ln_device_shape *shape, int entry, ln_lane_sums *list) {
    static const double signs[LN_CORNERS] = {1, -1, -1, 1};
    for (int k = 0; k < shape->njoined; k++)
        for (int c = 0; c < shape->joined[k].ncontrols; c++)
            for (int corner = 0; corner < LN_CORNERS; corner++)
                if (shape->joined[k].slot[c][corner] == entry &&
                    shape->joined[k].control[c][0] != shape->joined[k].control[c][1])
                    add_term(list, k * LN_FLOW_ROWS + LN_FLOW_SLOPES + c, signs[corner]);
}

/* The terms of a local row: the flows that leave there and arrive. */
static void sum_row(const ln_device_shape *shape, int row, int stores, int beyond,
                    ln_lane_sums *list) {
    for (int k = 0; k < shape->njoined; k++) {
        const ln_joined *one = &shape->joined[k];
        if (one->stores != stores || (one->from != row && one->to != row))
            continue;
        const double sign = one->from == row ? shape->sign : -shape->sign;
        add_term(list, k * LN_FLOW_ROWS, sign);
        if (beyond)
            add_term(list, k * LN_FLOW_ROWS + LN_FLOW_BEYOND, sign);
    }
}

static int new_sums(ln_arena *arena, ln_lane_sums *list, int count, int terms) {
    *list = (ln_lane_sums){0, LN_NEW(arena, ln_lane_sum, count + 1),
                           LN_NEW(arena, ln_lane_term, terms)};
    return list->sums != NULL && list->terms != NULL;
}

static void list_written(ln_batch *batch) {
    for (int k = 0; k < batch->shape->njoined; k++) {
        const ln_joined *one = &batch->shape->joined[k];
        for (int c = -1; c < one->ncontrols; c++)
            batch->written[batch->nwritten++] =
                (ln_lane_copy){(short)(one->branch * (1 + LN_DEVICE_CONTROLS) + c + 1),
                               (short)(k * LN_FLOW_ROWS + c + LN_FLOW_SLOPES)};
    }
}

/* What the branches give, as far as it is needed anywhere. */
static int list_sums(ln_arena *arena, ln_batch *batch) {
    const ln_device_shape *shape = batch->shape;
    const int nentries = batch->type->nentries, njoined = shape->njoined;
    char entries[LN_LANE_ENTRIES] = {0}, rows[2 * LN_LOCALS] = {0};
    batch->written = LN_NEW(arena, ln_lane_copy, njoined * (1 + LN_DEVICE_CONTROLS));
    if (batch->written == NULL ||
        !new_sums(arena, &batch->entries, nentries, njoined * LN_DEVICE_CONTROLS * LN_CORNERS) ||
        !new_sums(arena, &batch->values, 2 * LN_LOCALS, 2 * njoined) ||
        !new_sums(arena, &batch->values_beyond, 2 * LN_LOCALS, 4 * njoined))
        return 0;
    list_written(batch);
    mark_needed(batch, entries, rows);
    for (int entry = 0; entry < LN_LANE_ENTRIES; entry++) {
        if (!entries[entry])
            continue;
        batch->entries.sums[batch->entries.count].to = (short)entry;
        sum_entry(shape, entry, &batch->entries);
        batch->entries.count++;
    }
    for (int row = 0; row < 2 * LN_LOCALS; row++)
        for (int beyond = 0; rows[row] && beyond < 2; beyond++) {
            ln_lane_sums *list = beyond ? &batch->values_beyond : &batch->values;
            list->sums[list->count].to = (short)row;
            sum_row(shape, row % LN_LOCALS, row / LN_LOCALS, beyond, list);
            list->count++;
        }
    return 1;
}

linnet_status ln_batches_new(ln_system *system) {
    struct ln_system_private *own = system->own;
    const int n = system->nnonlinear;
    ln_batch **of = LN_NEW(system->arena, ln_batch *, n);
    own->single = LN_NEW(system->arena, ln_active *, n);
    own->batches = LN_NEW(system->arena, ln_batch, n);
    if (of == NULL || own->single == NULL || own->batches == NULL)
        return LINNET_MEMORY;
    for (int k = 0; k < n; k++) {
        of[k] = batch_of(own, &system->nonlinear[k]);
        if (of[k] != NULL)
            of[k]->count++;
        else
            own->single[own->nsingle++] = &system->nonlinear[k];
    }
    for (int k = 0; k < own->nbatches; k++)
        if (!new_chunks(system->arena, &own->batches[k], system->nparts > 0))
            return LINNET_MEMORY;
    for (int k = 0; k < n; k++) {
        ln_batch *batch = of[k];
        if (batch != NULL)
            add_instance(&batch->chunks[batch->count++ / LN_LANES], &system->nonlinear[k],
                         batch->shape);
    }
    for (int k = 0; k < own->nbatches; k++)
        if (!list_sums(system->arena, &own->batches[k]))
            return LINNET_MEMORY;
    return LINNET_OK;
}
