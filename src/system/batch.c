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
/* By -O3 only loops over lanes are unrolled. The pragma would else lose the command line's
 * contraction. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=off")
#endif

#include "system/batch.h"

#include <math.h>
#include <string.h>

/* ---- evaluation ---- */

/* What one look at a chunk works with. Bits of lanes: moved, from where Newton wants them; of these
 * limited; failed, without finite values. */
typedef struct batch_view {
    ln_system *system;
    const ln_batch *batch;
    const ln_device_shape *shape; /* of the batch */
    ln_chunk *chunk;
    const ln_look *at;
    double *values; /* what the lanes give, currents, then charges */
    ln_lanes wanted[LN_LOCALS];
    unsigned moved, limited, failed;
} batch_view;

/* The members one by one: to clear the voltages would take as long as to gather them. */
static void begin(batch_view *v, ln_system *system, const ln_batch *batch, ln_chunk *chunk,
                  const ln_look *at, double *values) {
    v->system = system;
    v->batch = batch;
    v->shape = batch->shape;
    v->chunk = chunk;
    v->at = at;
    v->values = values;
    v->moved = v->limited = v->failed = 0;
}

static void gather(batch_view *v) {
    const ln_scatter *list = &v->chunk->gather;
    const double *x = v->at->x, sign = v->shape->sign;
    double *to = v->wanted[0];
    memset(to, 0, (size_t)v->shape->nunknowns * sizeof(ln_lanes));
    for (int k = 0; k < list->count; k++)
        to[list->to[k]] = sign * x[list->from[k]];
}

/* Where a lane that may be off or limited is to be evaluated, into chunk->place. */
static void place_lane(batch_view *v, int lane) {
    const ln_device_shape *shape = v->shape;
    const linnet_block *block = &v->chunk->active[lane]->instance->block;
    ln_lanes *place = v->chunk->place;
    double old[LN_DEVICE_NODES], wanted[LN_DEVICE_NODES], node[LN_DEVICE_NODES];
    const int off = (v->at->manner & LN_DEVICES_OFF) && ln_asks_off(block);
    for (int k = 0; k < shape->nnodes; k++) {
        const int j = shape->unknown[k];
        old[k] = place[j][lane];
        node[k] = wanted[k] = v->wanted[j][lane];
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
    v->moved |= 1u << lane;
    v->limited |= 1u << lane;
}

/* Of these lanes those that may be limited, or off. */
static unsigned find_doubtful(const batch_view *v, unsigned lanes) {
    const ln_device *device = v->shape->device;
    if (v->at->manner & LN_DEVICES_OFF)
        return lanes;
    if (!(v->at->manner & LN_LIMIT_ON) || device->limit == NULL)
        return 0;
    return lanes & ~ln_lanes_within(v->wanted, v->chunk->place, v->shape->nunknowns,
                                    v->chunk->unlimited, v->chunk->count);
}

/* Where these lanes are to be evaluated. */
static void place_lanes(batch_view *v, unsigned lanes) {
    const int n = v->shape->nunknowns;
    const unsigned doubtful = find_doubtful(v, lanes);
    ln_lanes *place = v->chunk->place;
    if (doubtful == 0 && lanes == (1u << v->chunk->count) - 1) {
        memcpy(place, v->wanted, (size_t)n * sizeof *place);
        return;
    }
    for (int l = 0; l < v->chunk->count; l++) {
        if (doubtful >> l & 1)
            place_lane(v, l);
        else if (lanes >> l & 1)
            for (int j = 0; j < n; j++)
                place[j][l] = v->wanted[j][l];
    }
}

/* So many lanes take as long one by one as all of them side by side. */
enum { FEW = 4 };

/* What a lane gives at its place. */
static void evaluate_lane(const batch_view *v, int lane, ln_flow *flow) {
    const ln_device_shape *shape = v->shape;
    const ln_lanes *place = v->chunk->place;
    double node[LN_DEVICE_NODES];
    for (int k = 0; k < shape->nnodes; k++)
        node[k] = place[shape->unknown[k]][lane];
    shape->device->flows(&v->chunk->active[lane]->instance->block, node, flow);
}

/* By the device's own loops over lanes. What rests gives the same as before at its place; lanes
 * behind the last one are like the first. 0: there are none for these lanes. */
static int evaluate_lanes(const batch_view *v, unsigned *finite) {
    const ln_batch *batch = v->batch;
    const ln_device_shape *shape = v->shape;
    ln_chunk *chunk = v->chunk;
    const double *node[LN_DEVICE_NODES], *work[LN_LANES];
    ln_lanes flow[LN_DEVICE_BRANCHES * (1 + LN_DEVICE_CONTROLS)];
    if (shape->device->flows_of_lanes == NULL)
        return 0;
    for (int k = 0; k < shape->nnodes; k++)
        node[k] = chunk->place[shape->unknown[k]];
    for (int l = 0; l < LN_LANES; l++)
        work[l] = chunk->active[l < chunk->count ? l : 0]->instance->block.work;
    if (!shape->device->flows_of_lanes(work, node, flow))
        return 0;
    *finite =
        ln_lanes_put_rows(batch->written, batch->nwritten, (const ln_lanes *)flow, chunk->flows);
    return 1;
}

static unsigned evaluate_all(const batch_view *v) {
    const ln_batch *batch = v->batch;
    const ln_device_shape *shape = v->shape;
    double node[LN_LANES][LN_DEVICE_NODES];
    ln_flow flow[LN_LANES][LN_DEVICE_BRANCHES];
    for (int k = 0; k < shape->nnodes; k++) {
        const double *place = v->chunk->place[shape->unknown[k]];
        for (int l = 0; l < LN_LANES; l++)
            node[l][k] = place[l];
    }
    for (int l = 0; l < LN_LANES; l++)
        shape->device->flows(&v->chunk->active[l]->instance->block, node[l], flow[l]);
    return ln_lanes_put_all(batch->written, batch->nwritten, &flow[0][0].value,
                            LN_DEVICE_BRANCHES * (1 + LN_DEVICE_CONTROLS), v->chunk->flows);
}

static unsigned evaluate_some(const batch_view *v, unsigned lanes) {
    const ln_batch *batch = v->batch;
    for (int l = 0; lanes >> l > 0; l++) {
        ln_flow flow[LN_DEVICE_BRANCHES];
        if (!(lanes >> l & 1))
            continue;
        evaluate_lane(v, l, flow);
        ln_lanes_put(batch->written, batch->nwritten, &flow[0].value, l, v->chunk->flows);
    }
    return ln_lanes_finite(batch->written, batch->nwritten, v->chunk->flows, v->chunk->count);
}

static void evaluate(batch_view *v, unsigned resting) {
    ln_chunk *chunk = v->chunk;
    const unsigned all = (1u << chunk->count) - 1, moving = all & ~resting;
    unsigned finite;
    place_lanes(v, moving);
    if (__builtin_popcount(moving) < FEW || !evaluate_lanes(v, &finite))
        finite =
            chunk->count == LN_LANES && resting == 0 ? evaluate_all(v) : evaluate_some(v, moving);
    v->failed = moving & ~finite;
    chunk->known = all & ~v->failed;
    chunk->set &= resting;
}

/* What the lanes give where they are wanted, into v->values. */
static void add_up(batch_view *v, int is_away) {
    const ln_device_shape *shape = v->shape;
    ln_lanes *flows = v->chunk->flows;
    if (!is_away) {
        ln_lanes_sum(&v->batch->values, flows, v->chunk->count, v->values);
        return;
    }
    ln_lanes way[LN_LOCALS];
    ln_lanes_subtract(v->wanted, v->chunk->place, shape->nunknowns, way);
    for (int k = 0; k < shape->njoined; k++, flows += LN_FLOW_ROWS) {
        const ln_joined *one = &shape->joined[k];
        ln_lanes_tangent(flows + LN_FLOW_SLOPES, one->control, one->ncontrols, way,
                         flows[LN_FLOW_BEYOND]);
    }
    ln_lanes_sum(&v->batch->values_beyond, v->chunk->flows, v->chunk->count, v->values);
}

/* values += what the sums of `count` lanes say, at their rows. Returns the end of the sums. */
static const double *add_to_rows(const ln_lane_rows *row, const double *sum, int sums, int count,
                                 double *values) {
    if (values == NULL)
        return sum + sums * count;
    for (int k = 0; k < sums; k++, sum += count) {
        if (count == LN_LANES)
            for (int l = 0; l < LN_LANES; l++)
                values[row[k][l]] += sum[l];
        else
            for (int l = 0; l < count; l++)
                values[row[k][l]] += sum[l];
    }
    return sum;
}

static void give_values(const ln_batch *batch, const ln_chunk *chunk, const double *values,
                        const ln_look *at) {
    const int nf = batch->nf;
    const double *charges = add_to_rows(chunk->row, values, nf, chunk->count, at->f);
    (void)add_to_rows(chunk->row + nf, charges, batch->values.count - nf, chunk->count, at->q);
}

void ln_chunk_values(const ln_batch *batch, ln_chunk *chunk, const double *x) {
    ln_look at = {.x = x};
    batch_view v;
    begin(&v, NULL, batch, chunk, &at, batch->work);
    gather(&v);
    add_up(&v, 1);
}

/* Lanes that rest have what they had. */
static void give_entries(const batch_view *v) {
    ln_chunk *chunk = v->chunk;
    ln_lanes_sum(&v->batch->df, chunk->flows, chunk->count, v->system->df + chunk->first_df);
    ln_lanes_sum(&v->batch->dq, chunk->flows, chunk->count, v->system->dq + chunk->first_dq);
    chunk->set = chunk->known;
}

/* A lane without finite values gives nothing. */
static void clear_failed(batch_view *v) {
    const ln_device_shape *shape = v->shape;
    ln_chunk *chunk = v->chunk;
    for (int l = 0; v->failed >> l > 0; l++) {
        if (!(v->failed >> l & 1))
            continue;
        for (int j = 0; j < shape->nunknowns; j++)
            v->wanted[j][l] = chunk->place[j][l] = 0;
        for (int k = 0; k < v->batch->nwritten; k++)
            chunk->flows[v->batch->written[k].to][l] = 0;
    }
}

void ln_chunk_look(ln_system *system, const ln_batch *batch, ln_chunk *chunk, const ln_look *at,
                   ln_seen *seen) {
    const unsigned all = (1u << chunk->count) - 1;
    batch_view v;
    begin(&v, system, batch, chunk, at, seen->values);
    gather(&v);
    const unsigned resting =
        at->rests > 0 ? chunk->known & ln_lanes_near(v.wanted, chunk->place, v.shape->nunknowns,
                                                     at->rests, chunk->count)
                      : 0;
    if (resting != all) {
        memcpy(seen->before, chunk->place, (size_t)v.shape->nunknowns * sizeof(ln_lanes));
        evaluate(&v, resting);
        clear_failed(&v);
    }
    add_up(&v, v.moved != 0 || resting != 0);
    if (at->entries && !(at->manner & LN_KEEP_SLOPES) && chunk->set != all)
        give_entries(&v);
    seen->limited = v.limited & ~v.failed;
    seen->failed = v.failed;
    seen->rested = resting == all;
}

/* It is evaluated by itself, from where it was before: what is wrong is then said, or a derivative
 * becomes the slope of a secant. */
static linnet_status visit_failed(ln_system *system, const ln_batch *batch, ln_chunk *chunk,
                                  const ln_lanes *before, int lane, ln_look *at) {
    ln_active *active = chunk->active[lane];
    const ln_device_shape *shape = batch->shape;
    active->is_whole = 0;
    for (int j = 0; j < shape->nunknowns; j++)
        active->last[j] = shape->sign * before[j][lane];
    const linnet_status status = ln_system_visit(system, active, at);
    for (int j = 0; j < shape->nunknowns; j++)
        chunk->place[j][lane] = shape->sign * active->last[j];
    return status;
}

linnet_status ln_chunk_give(ln_system *system, const ln_batch *batch, ln_chunk *chunk, ln_look *at,
                            const ln_seen *seen) {
    const unsigned all = (1u << chunk->count) - 1;
    for (unsigned left = seen->limited; left > 0; left &= left - 1)
        at->limited++;
    give_values(batch, chunk, seen->values, at);
    for (int l = 0; seen->failed >> l > 0; l++)
        if (seen->failed >> l & 1)
            LN_TRY(visit_failed(system, batch, chunk, seen->before, l, at));
    chunk->quiet = seen->rested && chunk->set == all ? chunk->quiet + 1 : 0;
    return LINNET_OK;
}

/* ---- where a tangent bends ---- */

/* Of all rows of the lanes' instances: what flows, what a way changes of it, what rounding makes of
 * it. */
typedef struct bent {
    ln_lanes flows[LN_LOCALS], change[LN_LOCALS], rounding[LN_LOCALS];
} bent;

/* What leaves at `from` arrives at `to`. */
static void carry(const ln_joined *one, const double *flow, const double *by_way,
                  const double *by_rounding, bent *rows) {
    for (int l = 0; l < LN_LANES; l++) {
        rows->flows[one->from][l] += flow[l];
        rows->change[one->from][l] += by_way[l];
        rows->rounding[one->from][l] += by_rounding[l];
        rows->flows[one->to][l] -= flow[l];
        rows->change[one->to][l] -= by_way[l];
        rows->rounding[one->to][l] += by_rounding[l];
    }
}

static void find_bent(const ln_device_shape *shape, const ln_chunk *chunk, const ln_lanes *at,
                      const ln_lanes *way, bent *rows) {
    memset(rows, 0, sizeof *rows);
    for (int k = 0; k < shape->njoined; k++) {
        const ln_joined *one = &shape->joined[k];
        const ln_lanes *flows = chunk->flows + k * LN_FLOW_ROWS;
        ln_lanes by_way = {0}, by_rounding = {0};
        for (int c = 0; c < one->ncontrols && !one->stores; c++) {
            const int a = one->control[c][0], b = one->control[c][1];
            const double *slope = flows[LN_FLOW_SLOPES + c];
            for (int l = 0; l < LN_LANES; l++) {
                by_way[l] = by_way[l] + slope[l] * way[a][l] - slope[l] * way[b][l];
                by_rounding[l] = by_rounding[l] + LN_ROUNDING * fabs(slope[l] * at[a][l]) +
                                 LN_ROUNDING * fabs(slope[l] * at[b][l]);
            }
        }
        if (!one->stores)
            carry(one, flows[0], by_way, by_rounding, rows);
    }
}

static double most_bent(const ln_device_shape *shape, const ln_chunk *chunk, unsigned lanes,
                        const bent *rows, const double *sizes) {
    double most = 0;
    for (int l = 0; lanes >> l > 0; l++) {
        double flows[LN_LOCALS], change[LN_LOCALS], rounding[LN_LOCALS];
        if (!(lanes >> l & 1))
            continue;
        for (int j = 0; j < shape->nunknowns; j++) {
            flows[j] = rows->flows[j][l];
            change[j] = rows->change[j][l];
            rounding[j] = rows->rounding[j][l];
        }
        most = fmax(most,
                    ln_bend_of(chunk->active[l], shape->nunknowns, flows, change, rounding, sizes));
    }
    return most;
}

/* A point or a way of it, as the lanes see it in the second polarity, too. */
static void take(const ln_chunk *chunk, int n, const double *x, ln_lanes *to) {
    const ln_scatter *list = &chunk->gather;
    double *first = to[0];
    memset(to, 0, (size_t)n * sizeof *to);
    for (int k = 0; k < list->count; k++)
        first[list->to[k]] = x[list->from[k]];
}

double ln_batches_bends(const ln_system *system, const double *x, const double *dx,
                        const double *sizes, double still) {
    static const ln_lanes rest[LN_LOCALS];
    double most = 0;
    for (int k = 0; k < system->own->nbatches; k++) {
        const ln_batch *batch = &system->own->batches[k];
        const int n = batch->shape->nunknowns;
        for (int c = 0; c < ln_batch_chunks(batch); c++) {
            const ln_chunk *chunk = &batch->chunks[c];
            ln_lanes at[LN_LOCALS], way[LN_LOCALS];
            bent rows;
            unsigned counts = 0;
            for (int l = 0; l < chunk->count; l++)
                counts |= (unsigned)ln_bend_counts(chunk->active[l], n, sizes) << l;
            if (counts == 0)
                continue;
            take(chunk, n, dx, way);
            if (still > 0)
                counts &= ~ln_lanes_within(way, rest, n, still * chunk->unlimited, chunk->count);
            if (counts == 0)
                continue;
            take(chunk, n, x, at);
            find_bent(batch->shape, chunk, at, way, &rows);
            most = fmax(most, most_bent(batch->shape, chunk, counts, &rows, sizes));
        }
    }
    return most;
}

/* ---- places ---- */

size_t ln_batches_places(const ln_system *system) {
    size_t count = 0;
    for (int k = 0; k < system->own->nbatches; k++) {
        const ln_batch *batch = &system->own->batches[k];
        count += (size_t)ln_batch_chunks(batch) * LN_LANES * (size_t)batch->shape->nunknowns;
    }
    return count;
}

void ln_batches_save_places(const ln_system *system, double *places) {
    for (int k = 0; k < system->own->nbatches; k++) {
        const ln_batch *batch = &system->own->batches[k];
        const size_t size = (size_t)batch->shape->nunknowns * LN_LANES;
        for (int c = 0; c < ln_batch_chunks(batch); c++, places += size)
            memcpy(places, batch->chunks[c].place, size * sizeof *places);
    }
}

void ln_batches_restore_places(ln_system *system, const double *places) {
    for (int k = 0; k < system->own->nbatches; k++) {
        const ln_batch *batch = &system->own->batches[k];
        const size_t size = (size_t)batch->shape->nunknowns * LN_LANES;
        for (int c = 0; c < ln_batch_chunks(batch); c++, places += size) {
            memcpy(batch->chunks[c].place, places, size * sizeof *places);
            batch->chunks[c].known = batch->chunks[c].set = 0;
        }
    }
}
