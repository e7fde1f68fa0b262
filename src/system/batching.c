/* SPDX-License-Identifier: MIT */
/* Devices made of branches sorted into batches, and those into chunks of LN_LANES: what the
 * branches of a batch give, as sums (batch.c).
 *
 * The instances of a batch have one class and are joined alike: the same nodes lead nowhere, and
 * the same ones are one link (source and bulk of a transistor). So each sum goes to the same target
 * in all lanes, what cancels there is no term of any, and the entries of a chunk stand side by side
 * among those of the system. */
#include "system/batch.h"

#include "base/sys.h"

#include <math.h>
#include <string.h>

/* ---- which are joined alike ---- */

/* Is entry k of the list the first that goes where it goes? */
static int is_first(const ln_scatter *list, int k) {
    for (int i = 0; i < k; i++)
        if (list->to[i] == list->to[k])
            return 0;
    return 1;
}

/* Do both lists come from the same places, and go together at the same? Entries are numbered as
 * they are met first, so that it is enough to compare their numbers. */
static int are_alike(const ln_scatter *a, const ln_scatter *b, int numbered) {
    if (a->count != b->count)
        return 0;
    for (int k = 0; k < a->count; k++) {
        if (a->from[k] != b->from[k])
            return 0;
        if (numbered && a->to[k] - a->to[0] != b->to[k] - b->to[0])
            return 0;
        for (int i = 0; i < k && !numbered; i++)
            if ((a->to[i] == a->to[k]) != (b->to[i] == b->to[k]))
                return 0;
    }
    return 1;
}

static int are_joined_alike(const ln_active *a, const ln_active *b) {
    return are_alike(&a->to_f, &b->to_f, 0) && are_alike(&a->to_q, &b->to_q, 0) &&
           are_alike(&a->outside_f, &b->outside_f, 0) &&
           are_alike(&a->outside_q, &b->outside_q, 0) && are_alike(&a->to_df, &b->to_df, 1) &&
           are_alike(&a->to_dq, &b->to_dq, 1) && are_alike(&a->outside_df, &b->outside_df, 1) &&
           are_alike(&a->outside_dq, &b->outside_dq, 1);
}

/* The batch for an instance, NULL: it is evaluated by itself. */
static ln_batch *batch_of(struct ln_system_private *own, const ln_active *active) {
    const linnet_block_class *type = active->instance->block.type;
    const ln_device_shape *shape = ln_device_shape_of(type);
    if (shape == NULL || active->instance->links[shape->nports] >= 0)
        return NULL;
    int k = 0;
    while (k < own->nbatches &&
           (own->batches[k].type != type || !are_joined_alike(own->batches[k].first, active)))
        k++;
    if (k == own->nbatches)
        own->batches[own->nbatches++] = (ln_batch){.type = type, .shape = shape, .first = active};
    return &own->batches[k];
}

/* ---- sums ---- */

/* How often each number of the flows is in the sum at hand. */
enum { FLOW_NUMBERS = LN_DEVICE_BRANCHES * LN_FLOW_ROWS };
typedef struct net {
    int times[FLOW_NUMBERS];
} net;

/* The terms of an entry: corners of the stamps that meet there. A control between nodes that are
 * one has no voltage. */
static void sum_entry(const ln_device_shape *shape, int entry, int sign, net *sum) {
    static const int signs[LN_CORNERS] = {1, -1, -1, 1};
    for (int k = 0; k < shape->njoined; k++)
        for (int c = 0; c < shape->joined[k].ncontrols; c++)
            for (int corner = 0; corner < LN_CORNERS; corner++)
                if (shape->joined[k].slot[c][corner] == entry &&
                    shape->joined[k].control[c][0] != shape->joined[k].control[c][1])
                    sum->times[k * LN_FLOW_ROWS + LN_FLOW_SLOPES + c] += sign * signs[corner];
}

/* The terms of a local row: the flows that leave there and arrive. */
static void sum_row(const ln_device_shape *shape, int row, int sign, int stores, net *sum) {
    for (int k = 0; k < shape->njoined; k++) {
        const ln_joined *one = &shape->joined[k];
        const int leaves = (one->from == row) - (one->to == row);
        if (one->stores == stores)
            sum->times[k * LN_FLOW_ROWS] += shape->sign > 0 ? sign * leaves : -sign * leaves;
    }
}

/* The sum becomes the next of the list. */
static void add_sum(ln_lane_sums *list, const net *sum) {
    int next = 0;
    for (int k = 0; k < list->count; k++)
        next += list->counts[k];
    const int first = next;
    for (int at = 0; at < FLOW_NUMBERS; at++)
        for (int times = sum->times[at]; times != 0; times += times > 0 ? -1 : 1)
            list->terms[next++] = (ln_lane_term){(short)at, times > 0 ? 1 : -1};
    list->counts[list->count++] = (short)(next - first);
}

static void list_entries(const ln_batch *batch, const ln_scatter *list, int sign,
                         ln_lane_sums *sums) {
    for (int k = 0; k < list->count; k++) {
        net sum = {{0}};
        if (!is_first(list, k))
            continue;
        for (int i = k; i < list->count; i++)
            if (list->to[i] == list->to[k])
                sum_entry(batch->shape, list->from[i], sign, &sum);
        add_sum(sums, &sum);
    }
}

static void list_rows(ln_batch *batch, const ln_scatter *list, int sign, int stores) {
    for (int k = 0; k < list->count; k++) {
        net sum = {{0}};
        if (!is_first(list, k))
            continue;
        for (int i = k; i < list->count; i++)
            if (list->to[i] == list->to[k])
                sum_row(batch->shape, list->from[i], sign, stores, &sum);
        add_sum(&batch->values, &sum);
        for (int at = 0; at < FLOW_NUMBERS; at += LN_FLOW_ROWS)
            sum.times[at + LN_FLOW_BEYOND] = sum.times[at];
        add_sum(&batch->values_beyond, &sum);
    }
}

static int new_sums(ln_arena *arena, ln_lane_sums *list, int count, int terms) {
    *list = (ln_lane_sums){0, LN_NEW(arena, short, count), LN_NEW(arena, ln_lane_term, terms)};
    return list->counts != NULL && list->terms != NULL;
}

static int most_of(int a, int b) {
    return a > b ? a : b;
}

static int new_batch_sums(ln_arena *arena, ln_batch *batch) {
    const ln_active *first = batch->first;
    const int rows = first->to_f.count + first->to_q.count + first->outside_f.count +
                     first->outside_q.count,
              ndf = first->to_df.count + first->outside_df.count,
              ndq = first->to_dq.count + first->outside_dq.count, njoined = batch->shape->njoined,
              corners = njoined * LN_DEVICE_CONTROLS * LN_CORNERS;
    batch->written = LN_NEW(arena, ln_lane_copy, njoined * (1 + LN_DEVICE_CONTROLS));
    batch->work = LN_NEW(arena, double, LN_LANES *most_of(rows, most_of(ndf, ndq)));
    /* a term of an entry goes to a row, and to a balance or taken from balances */
    return batch->written != NULL && batch->work != NULL &&
           new_sums(arena, &batch->df, ndf, ndf * corners) &&
           new_sums(arena, &batch->dq, ndq, ndq * corners) &&
           new_sums(arena, &batch->values, rows, rows * njoined) &&
           new_sums(arena, &batch->values_beyond, rows, 2 * rows * njoined);
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

/* How many entries of df and dq are at the same places, which are the first ones (active.c). */
static int count_shared(const ln_scattered *state, const ln_active *active) {
    const ln_scattered *f = &state[LINNET_A], *q = &state[LINNET_E];
    const ln_scatter *df = &active->to_df, *dq = &active->to_dq;
    int shared = 0;
    for (int k = 0, i = 0; k < df->count && i < dq->count; k++, i++) {
        while (k < df->count && !is_first(df, k))
            k++;
        while (i < dq->count && !is_first(dq, i))
            i++;
        if (k == df->count || i == dq->count || f->row[df->to[k]] != q->row[dq->to[i]] ||
            f->col[df->to[k]] != q->col[dq->to[i]])
            break;
        shared++;
    }
    return shared;
}

static int list_sums(ln_arena *arena, ln_batch *batch) {
    const ln_active *first = batch->first;
    if (!new_batch_sums(arena, batch))
        return 0;
    list_written(batch);
    list_rows(batch, &first->to_f, 1, 0);
    list_rows(batch, &first->outside_f, -1, 0);
    batch->nf = batch->values.count;
    list_rows(batch, &first->to_q, 1, 1);
    list_rows(batch, &first->outside_q, -1, 1);
    list_entries(batch, &first->to_df, 1, &batch->df);
    list_entries(batch, &first->outside_df, -1, &batch->df);
    list_entries(batch, &first->to_dq, 1, &batch->dq);
    list_entries(batch, &first->outside_dq, -1, &batch->dq);
    return 1;
}

/* ---- chunks ---- */

static int new_chunks(ln_arena *arena, ln_batch *batch) {
    const ln_device_shape *shape = batch->shape;
    const int nchunks = ln_batch_chunks(batch), n = shape->nunknowns;
    batch->chunks = LN_NEW(arena, ln_chunk, nchunks);
    int ok = batch->chunks != NULL;
    for (int k = 0; ok && k < nchunks; k++) {
        ln_chunk *one = &batch->chunks[k];
        one->place = LN_NEW(arena, ln_lanes, n);
        one->flows = LN_NEW(arena, ln_lanes, shape->njoined * LN_FLOW_ROWS);
        one->row = LN_NEW(arena, ln_lane_rows, batch->values.count);
        one->gather =
            (ln_scatter){0, LN_NEW(arena, int, n *LN_LANES), LN_NEW(arena, int, n *LN_LANES)};
        ok = one->place != NULL && one->flows != NULL && one->row != NULL &&
             one->gather.from != NULL && one->gather.to != NULL;
    }
    batch->count = 0;
    return ok;
}

/* The rows of one lane, in the order of list_rows(). */
static ln_lane_rows *add_rows(const ln_scatter *list, int lane, ln_lane_rows *row) {
    for (int k = 0; k < list->count; k++)
        if (is_first(list, k))
            (*row++)[lane] = list->to[k];
    return row;
}

static void add_instance(ln_chunk *into, ln_active *active, const ln_device_shape *shape) {
    const int lane = into->count++;
    into->active[lane] = active;
    if (shape->device->limit != NULL) {
        const double way = shape->device->unlimited(&active->instance->block);
        into->unlimited = lane == 0 ? way : fmin(into->unlimited, way);
    }
    ln_scatter *gather = &into->gather;
    for (int j = 0; j < shape->nunknowns; j++) {
        if (active->unknown[j] < 0)
            continue;
        gather->from[gather->count] = active->unknown[j];
        gather->to[gather->count++] = j * LN_LANES + lane;
    }
    ln_lane_rows *row = add_rows(&active->to_f, lane, into->row);
    row = add_rows(&active->outside_f, lane, row);
    row = add_rows(&active->to_q, lane, row);
    (void)add_rows(&active->outside_q, lane, row);
}

/* ---- numbers of the entries ---- */

/* Entries that change, in a new order. */
typedef struct numbers {
    int *number; /* of each as they were, the new one, or -1 */
    int next;
} numbers;

/* The next ones, of the entries of a list: the first for the first entry of all lanes, and so on.
 */
static void number_list(numbers *all, const ln_scatter *list, int lane, int lanes, int *target) {
    for (int k = 0; k < list->count; k++)
        if (all->number[list->to[k]] < 0)
            all->number[list->to[k]] = all->next + lanes * (*target)++ + lane;
}

static void rename_list(const numbers *all, const ln_scatter *list) {
    for (int k = 0; k < list->count; k++)
        list->to[k] = all->number[list->to[k]];
}

/* The lists of one instance with entries of a kind. */
static void lists_of(ln_active *active, linnet_kind kind, ln_scatter *lists[2]) {
    lists[0] = kind == LINNET_A ? &active->to_df : &active->to_dq;
    lists[1] = kind == LINNET_A ? &active->outside_df : &active->outside_dq;
}

static int number_lane(numbers *all, ln_active *active, linnet_kind kind, int lane, int lanes) {
    ln_scatter *lists[2];
    int targets = 0;
    lists_of(active, kind, lists);
    for (int k = 0; k < 2; k++)
        number_list(all, lists[k], lane, lanes, &targets);
    return targets;
}

static void number_chunk(numbers *all, ln_chunk *chunk, linnet_kind kind) {
    int targets = 0;
    *(kind == LINNET_A ? &chunk->first_df : &chunk->first_dq) = all->next;
    for (int l = 0; l < chunk->count; l++)
        targets = number_lane(all, chunk->active[l], kind, l, chunk->count);
    all->next += targets * chunk->count;
}

static void reorder(const numbers *all, size_t count, int *entries, int *work) {
    for (size_t k = 0; k < count; k++)
        work[all->number[k]] = entries[k];
    for (size_t k = 0; k < count; k++)
        entries[k] = work[k];
}

static linnet_status number_entries(ln_system *system, linnet_kind kind, ln_scattered *entries) {
    struct ln_system_private *own = system->own;
    int *room = ln_sys->allocate((2 * entries->count + 1) * sizeof *room);
    numbers all = {room, 0};
    if (room == NULL)
        return LINNET_MEMORY;
    for (size_t k = 0; k < entries->count; k++)
        all.number[k] = -1;
    for (int k = 0; k < own->nbatches; k++)
        for (int c = 0; c < ln_batch_chunks(&own->batches[k]); c++)
            number_chunk(&all, &own->batches[k].chunks[c], kind);
    *(kind == LINNET_A ? &own->single_df : &own->single_dq) = all.next;
    for (int k = 0; k < own->nsingle; k++)
        all.next += number_lane(&all, own->single[k], kind, 0, 1);
    for (int k = 0; k < system->nnonlinear; k++) {
        ln_scatter *lists[2];
        lists_of(&system->nonlinear[k], kind, lists);
        rename_list(&all, lists[0]);
        rename_list(&all, lists[1]);
    }
    reorder(&all, entries->count, entries->row, room + entries->count);
    reorder(&all, entries->count, entries->col, room + entries->count);
    ln_sys->release(room);
    return LINNET_OK;
}

linnet_status ln_batches_new(ln_system *system, ln_scattered *state) {
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
        if (!list_sums(system->arena, &own->batches[k]) ||
            !new_chunks(system->arena, &own->batches[k]))
            return LINNET_MEMORY;
    for (int k = 0; k < own->nbatches; k++)
        own->batches[k].shared = count_shared(state, own->batches[k].first);
    for (int k = 0; k < n; k++) {
        ln_batch *batch = of[k];
        if (batch != NULL)
            add_instance(&batch->chunks[batch->count++ / LN_LANES], &system->nonlinear[k],
                         batch->shape);
    }
    LN_TRY(number_entries(system, LINNET_A, &state[LINNET_A]));
    return number_entries(system, LINNET_E, &state[LINNET_E]);
}
