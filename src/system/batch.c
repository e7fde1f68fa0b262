/* SPDX-License-Identifier: MIT */
/* Devices made of branches (blocks/native/device.h), all of one class together. LN_LANES instances
 * are a chunk: their voltages, flows and slopes stand side by side, so that what is done with them
 * outside the device's own mathematics is a few loops over lanes, and lists made at set-up bring
 * voltages in and currents, charges and entries out.
 *
 * A chunk keeps where each lane was evaluated and what flowed there, with slopes. So a lane that
 * Newton wanted elsewhere (limiting, off) and one that rests give their tangent by the same few
 * multiplications. An instance whose heat port is joined, and one without finite values, is
 * evaluated by itself (evaluate.c). */
/* The loops over lanes are all of fixed length, which gcc unrolls and turns into vectors by -O3
 * only: an eighth of the instructions of 100 inverters, a twentieth of those of 100 diodes. Each
 * lane is computed by itself, so the bits stay. The pragma would else lose the command line's
 * contraction. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=off")
#endif

#include "system/batch.h"

#include <math.h>
#include <string.h>

/* ---- set-up ---- */

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
        one->flows = LN_NEW(arena, ln_lane_flow, shape->njoined);
        ok = one->place != NULL && one->flows != NULL &&
             new_lists(arena, one, n, batch->type->nentries, crosses);
    }
    batch->count = 0;
    return ok;
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
    return LINNET_OK;
}

/* ---- evaluation ---- */

/* What one look at a chunk works with. Bits of lanes: moved, from where Newton wants them; of these
 * limited; failed, without finite values. */
typedef struct view {
    ln_system *system;
    const ln_batch *batch;
    const ln_device_shape *shape; /* of the batch */
    ln_chunk *chunk;
    ln_look *at;
    ln_lanes wanted[LN_LOCALS], way[LN_LOCALS]; /* way: from where they were evaluated */
    unsigned moved, limited, failed;
} view;

static void gather(view *v) {
    const ln_scatter *list = &v->chunk->gather;
    const double *x = v->at->x, sign = v->shape->sign;
    double *to = v->wanted[0];
    memset(to, 0, (size_t)v->shape->nunknowns * sizeof(ln_lanes));
    for (int k = 0; k < list->count; k++)
        to[list->to[k]] = sign * x[list->from[k]];
}

/* The lanes that are where they were evaluated. */
static unsigned find_resting(const view *v) {
    unsigned resting = v->chunk->known;
    for (int j = 0; j < v->shape->nunknowns && resting != 0; j++)
        for (int l = 0; l < LN_LANES; l++) {
            const double way = fabs(v->wanted[j][l] - v->chunk->place[j][l]);
            resting &= ~((unsigned)!(way <= LN_RESTS) << l);
        }
    return resting;
}

/* Where a lane is to be evaluated, into chunk->place and, by node, into `node`. */
static void place_lane(view *v, int lane, double *node) {
    const ln_device_shape *shape = v->shape;
    const linnet_block *block = &v->chunk->active[lane]->instance->block;
    ln_lanes *place = v->chunk->place;
    double old[LN_DEVICE_NODES], wanted[LN_DEVICE_NODES];
    const int off = (v->at->manner & LN_DEVICES_OFF) && ln_asks_off(block);
    for (int k = 0; k < shape->nnodes; k++) {
        const int j = shape->unknown[k];
        old[k] = place[j][lane];
        node[k] = wanted[k] = off ? 0 : v->wanted[j][lane];
    }
    for (int j = 0; j < shape->nunknowns; j++)
        place[j][lane] = off ? 0 : v->wanted[j][lane];
    v->moved |= (unsigned)off << lane;
    if (off || !(v->at->manner & LN_LIMIT_ON) || shape->device->limit == NULL ||
        !shape->device->limit(block, old, node))
        return;
    /* of nodes that are one, the inner node's wish counts, being the later */
    for (int k = 0; k < shape->nnodes; k++)
        if (node[k] < wanted[k] || node[k] > wanted[k])
            place[shape->unknown[k]][lane] = node[k];
    for (int k = 0; k < shape->nnodes; k++)
        node[k] = place[shape->unknown[k]][lane];
    v->moved |= 1u << lane;
    v->limited |= 1u << lane;
}

/* Evaluates a lane at its place. 0 when a value or a slope is not finite. */
static int evaluate_lane(view *v, int lane, const double *node) {
    const ln_device_shape *shape = v->shape;
    ln_flow all[LN_DEVICE_BRANCHES];
    double test = 0;
    shape->device->flows(&v->chunk->active[lane]->instance->block, node, all);
    for (int k = 0; k < shape->njoined; k++) {
        const ln_joined *one = &shape->joined[k];
        const ln_flow *from = &all[one->branch];
        ln_lane_flow *to = &v->chunk->flows[k];
        test += (to->value[lane] = from->value) * 0.0;
        for (int c = 0; c < one->ncontrols; c++)
            test += (to->slope[c][lane] = from->slope[c]) * 0.0;
    }
    return test == 0;
}

static void evaluate(view *v, unsigned resting) {
    ln_chunk *chunk = v->chunk;
    for (int l = 0; l < chunk->count; l++) {
        if (resting >> l & 1)
            continue;
        double node[LN_DEVICE_NODES];
        place_lane(v, l, node);
        v->failed |= (unsigned)!evaluate_lane(v, l, node) << l;
    }
    chunk->known = resting | (((1u << chunk->count) - 1) & ~v->failed);
    chunk->set &= resting;
}

/* y += a x, lane by lane. */
static inline void add_lanes(double *restrict y, double a, const double *restrict x) {
    for (int l = 0; l < LN_LANES; l++)
        y[l] += a * x[l];
}

static void find_way(view *v) {
    for (int j = 0; j < v->shape->nunknowns; j++) {
        memcpy(v->way[j], v->wanted[j], sizeof(ln_lanes));
        add_lanes(v->way[j], -1, v->chunk->place[j]);
    }
}

/* value += slope times the way of a control voltage. */
static inline void add_tangent(double *restrict value, const double *restrict slope,
                               const double *restrict a, const double *restrict b) {
    for (int l = 0; l < LN_LANES; l++)
        value[l] += slope[l] * (a[l] - b[l]);
}

/* What flows in a branch beyond its value, by its tangent, where the lanes are wanted. */
static void follow_tangent(const view *v, const ln_joined *one, const ln_lane_flow *flow,
                           double *from_outside) {
    memset(from_outside, 0, sizeof(ln_lanes));
    for (int c = 0; c < one->ncontrols; c++)
        add_tangent(from_outside, flow->slope[c], v->way[one->control[c][0]],
                    v->way[one->control[c][1]]);
}

/* What the lanes give, currents and charges, where they are wanted. */
static void add_up(view *v, int is_away, ln_lanes (*sum)[LN_LOCALS]) {
    const ln_device_shape *shape = v->shape;
    if (is_away)
        find_way(v);
    for (int k = 0; k < 2; k++)
        memset(sum[k], 0, (size_t)shape->nunknowns * sizeof(ln_lanes));
    for (int k = 0; k < shape->njoined; k++) {
        const ln_joined *one = &shape->joined[k];
        const ln_lane_flow *flow = &v->chunk->flows[k];
        double *from = sum[one->stores][one->from], *to = sum[one->stores][one->to];
        add_lanes(from, shape->sign, flow->value);
        add_lanes(to, -shape->sign, flow->value);
        if (!is_away)
            continue;
        ln_lanes from_outside;
        follow_tangent(v, one, flow, from_outside);
        add_lanes(from, shape->sign, from_outside);
        add_lanes(to, -shape->sign, from_outside);
    }
}

static void give_values(view *v, int is_away) {
    ln_lanes sum[2][LN_LOCALS];
    add_up(v, is_away, sum);
    if (v->at->f != NULL) {
        ln_scatter_add(&v->chunk->to_f, sum[0][0], v->at->f);
        ln_scatter_subtract(&v->chunk->outside_f, sum[0][0], v->at->f);
    }
    if (v->at->q != NULL) {
        ln_scatter_add(&v->chunk->to_q, sum[1][0], v->at->q);
        ln_scatter_subtract(&v->chunk->outside_q, sum[1][0], v->at->q);
    }
}

void ln_chunk_values(const ln_batch *batch, ln_chunk *chunk, const double *x,
                     ln_lanes (*sum)[LN_LOCALS]) {
    ln_look at = {.x = x};
    view v = {.batch = batch, .shape = batch->shape, .chunk = chunk, .at = &at};
    gather(&v);
    add_up(&v, 1, sum);
}

/* The part of a list that belongs to one lane. */
static void set_lane(const ln_scatter *list, const int *end, int lane, const double *local,
                     double *values) {
    const int first = lane > 0 ? end[lane - 1] : 0;
    const ln_scatter part = {end[lane] - first, list->from + first, list->to + first};
    ln_scatter_set(&part, local, values);
}

void ln_chunk_entries(const ln_batch *batch, const ln_chunk *chunk, ln_lanes *entry) {
    const ln_device_shape *shape = batch->shape;
    memset(entry, 0, (size_t)batch->type->nentries * sizeof(ln_lanes));
    for (int k = 0; k < shape->njoined; k++) {
        const ln_joined *one = &shape->joined[k];
        for (int c = 0; c < one->ncontrols; c++) {
            const double *slope = chunk->flows[k].slope[c];
            const short *slot = one->slot[c];
            add_lanes(entry[slot[0]], 1, slope);
            add_lanes(entry[slot[1]], -1, slope);
            add_lanes(entry[slot[2]], -1, slope);
            add_lanes(entry[slot[3]], 1, slope);
        }
    }
}

static void give_entries(const view *v) {
    ln_chunk *chunk = v->chunk;
    ln_lanes entry[LN_LANE_ENTRIES];
    ln_chunk_entries(v->batch, chunk, entry);
    if (chunk->set == 0) {
        ln_scatter_set(&chunk->to_dq, entry[0], v->system->dq);
        ln_scatter_set(&chunk->to_df, entry[0], v->system->df);
    }
    for (int l = 0; chunk->set != 0 && l < chunk->count; l++) {
        if (chunk->set >> l & 1)
            continue;
        set_lane(&chunk->to_dq, chunk->dq_end, l, entry[0], v->system->dq);
        set_lane(&chunk->to_df, chunk->df_end, l, entry[0], v->system->df);
    }
    ln_scatter_set_negative(&chunk->outside_dq, entry[0], v->system->dq);
    ln_scatter_set_negative(&chunk->outside_df, entry[0], v->system->df);
    chunk->set = chunk->known;
}

/* A lane without finite values gives nothing. */
static void clear_failed(view *v) {
    const ln_device_shape *shape = v->shape;
    ln_chunk *chunk = v->chunk;
    for (int l = 0; v->failed >> l > 0; l++) {
        if (!(v->failed >> l & 1))
            continue;
        for (int j = 0; j < shape->nunknowns; j++)
            v->wanted[j][l] = chunk->place[j][l] = 0;
        for (int k = 0; k < shape->njoined; k++)
            for (int c = -1; c < shape->joined[k].ncontrols; c++)
                (c < 0 ? chunk->flows[k].value : chunk->flows[k].slope[c])[l] = 0;
    }
}

/* It is evaluated by itself, from where it was before: what is wrong is then said, or a derivative
 * becomes the slope of a secant. */
static linnet_status visit_failed(view *v, const ln_lanes *before, int lane) {
    ln_active *active = v->chunk->active[lane];
    const ln_device_shape *shape = v->shape;
    active->kept = 0;
    for (int j = 0; j < shape->nunknowns; j++)
        active->last[j] = shape->sign * before[j][lane];
    const linnet_status status = ln_system_visit(v->system, active, v->at);
    for (int j = 0; j < shape->nunknowns; j++)
        v->chunk->place[j][lane] = shape->sign * active->last[j];
    return status;
}

static linnet_status visit_chunk(view *v) {
    ln_chunk *chunk = v->chunk;
    const unsigned all = (1u << chunk->count) - 1;
    ln_lanes before[LN_LOCALS];
    gather(v);
    v->moved = v->limited = v->failed = 0;
    const unsigned resting = v->at->manner & LN_BYPASS ? find_resting(v) : 0;
    if (resting != all) {
        memcpy(before, chunk->place, (size_t)v->shape->nunknowns * sizeof(ln_lanes));
        evaluate(v, resting);
        clear_failed(v);
    }
    for (unsigned left = v->limited & ~v->failed; left > 0; left &= left - 1)
        v->at->limited++;
    give_values(v, v->moved != 0 || resting != 0);
    if (v->at->entries && chunk->set != all)
        give_entries(v);
    for (int l = 0; v->failed >> l > 0; l++)
        if (v->failed >> l & 1)
            LN_TRY(visit_failed(v, before, l));
    chunk->quiet = resting == all && chunk->set == all ? chunk->quiet + 1 : 0;
    return LINNET_OK;
}

linnet_status ln_chunk_visit(ln_system *system, const ln_batch *batch, ln_chunk *chunk,
                             ln_look *at) {
    view v = {.system = system, .batch = batch, .shape = batch->shape, .chunk = chunk, .at = at};
    return visit_chunk(&v);
}

/* ---- where a tangent bends ---- */

/* Of one lane, for all rows of its instance: what flows, what a way changes of it, what rounding
 * makes of it. */
static double bends(const ln_device_shape *shape, const ln_chunk *chunk, int lane, const double *x,
                    const double *dx, const double *sizes) {
    const ln_active *active = chunk->active[lane];
    double flows[LN_LOCALS] = {0}, change[LN_LOCALS] = {0}, rounding[LN_LOCALS] = {0};
    for (int k = 0; k < shape->njoined; k++) {
        const ln_joined *one = &shape->joined[k];
        double by_way = 0, by_rounding = 0;
        for (int c = 0; c < 2 * one->ncontrols && !one->stores; c++) {
            const int from = active->unknown[one->control[c / 2][c % 2]];
            const double slope = chunk->flows[k].slope[c / 2][lane];
            if (from < 0)
                continue;
            by_way += (c % 2 == 0 ? slope : -slope) * dx[from];
            by_rounding += LN_ROUNDING * fabs(slope * x[from]);
        }
        for (int end = 0; end < 2 && !one->stores; end++) {
            const int row = end == 0 ? one->from : one->to;
            flows[row] += (end == 0 ? 1 : -1) * chunk->flows[k].value[lane];
            change[row] += (end == 0 ? 1 : -1) * by_way;
            rounding[row] += by_rounding;
        }
    }
    return ln_bend_of(active, shape->nunknowns, flows, change, rounding, sizes);
}

double ln_batches_bends(const ln_system *system, const double *x, const double *dx,
                        const double *sizes) {
    double most = 0;
    for (int k = 0; k < system->own->nbatches; k++) {
        const ln_batch *batch = &system->own->batches[k];
        for (int i = 0; i < batch->count; i++)
            most = fmax(most, bends(batch->shape, &batch->chunks[i / LN_LANES], i % LN_LANES, x, dx,
                                    sizes));
    }
    return most;
}

/* ---- places ---- */

size_t ln_batches_places(const ln_system *system) {
    size_t count = 0;
    for (int k = 0; k < system->own->nbatches; k++) {
        const ln_batch *batch = &system->own->batches[k];
        const size_t nchunks = (size_t)(batch->count + LN_LANES - 1) / LN_LANES;
        count += nchunks * LN_LANES * (size_t)batch->shape->nunknowns;
    }
    return count;
}

void ln_batches_save_places(const ln_system *system, double *places) {
    for (int k = 0; k < system->own->nbatches; k++) {
        const ln_batch *batch = &system->own->batches[k];
        const size_t size = (size_t)batch->shape->nunknowns * LN_LANES;
        for (int c = 0; c * LN_LANES < batch->count; c++, places += size)
            memcpy(places, batch->chunks[c].place, size * sizeof *places);
    }
}

void ln_batches_restore_places(ln_system *system, const double *places) {
    for (int k = 0; k < system->own->nbatches; k++) {
        const ln_batch *batch = &system->own->batches[k];
        const size_t size = (size_t)batch->shape->nunknowns * LN_LANES;
        for (int c = 0; c * LN_LANES < batch->count; c++, places += size) {
            memcpy(batch->chunks[c].place, places, size * sizeof *places);
            batch->chunks[c].known = batch->chunks[c].set = 0;
        }
    }
}
