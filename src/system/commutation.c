/* SPDX-License-Identifier: MIT */
/* See the header. */
#include "system/commutation.h"

#include "system/batch.h"

#include <math.h>
#include <string.h>

/* A junction on its way: what it carries at the start, the slope there, and how far its voltage has
 * gone at the nodes. */
typedef struct junction {
    const ln_active *active;
    const ln_device_shape *shape; /* NULL: it is a block of its own, from port 0 to port 1 */
    const ln_joined *branch;      /* of shape */
    double at[LN_LOCALS];         /* local unknowns at the start, in first polarity */
    double carried, slope;
    double moved[LN_WAY_NODES];
    double small; /* A */
} junction;

/* ---- which they are ---- */

static int is_junction_branch(const ln_joined *branch) {
    return !branch->stores && branch->ncontrols == 1 && branch->control[0][0] == branch->from &&
           branch->control[0][1] == branch->to;
}

/* The resistance before an inner node: no way bends it. */
static int is_resistance(const ln_device_shape *shape, const ln_joined *branch) {
    for (int k = 0; k < shape->device->ninner; k++) {
        const int node = shape->unknown[shape->nports + k],
                  on = shape->unknown[shape->device->inner[k].on];
        if ((branch->from == on && branch->to == node) ||
            (branch->from == node && branch->to == on))
            return 1;
    }
    return 0;
}

static int may_bend(const ln_device_shape *shape, const ln_joined *branch) {
    return is_junction_branch(branch) && !is_resistance(shape, branch);
}

static int is_junction_block(const ln_active *active) {
    const linnet_block_class *type = active->instance->block.type;
    return type->limit != NULL && type->nports == 2 && active->nlocal == 2 && type->nentries == 4;
}

static int has_junctions_alone(const ln_device_shape *shape) {
    for (int k = 0; k < shape->njoined; k++)
        if (!shape->joined[k].stores && !is_junction_branch(&shape->joined[k]))
            return 0;
    return 1;
}

/* Is all that the block's currents depend on stored? */
static int rests_on_stored(const ln_active *active, const char *stored) {
    const linnet_block_class *type = active->instance->block.type;
    for (int k = 0; k < active->nentries; k++) {
        const linnet_entry *e = &type->entries[k];
        const int unknown = active->unknown[e->col];
        if (e->kind == LINNET_A && e->change == LINNET_STATE && unknown >= 0 && !stored[unknown])
            return 0;
    }
    return 1;
}

int ln_system_has_one_solution(const ln_system *system, const char *stored) {
    const struct ln_system_private *own = system->own;
    for (int k = 0; k < own->nsingle; k++) {
        const ln_active *active = own->single[k];
        if (!active->instance->block.type->affine && !is_junction_block(active) &&
            !rests_on_stored(active, stored))
            return 0;
    }
    for (int k = 0; k < own->nbatches; k++) {
        const ln_batch *batch = &own->batches[k];
        for (int i = 0; i < batch->count && !has_junctions_alone(batch->shape); i++)
            if (!rests_on_stored(batch->chunks[i / LN_LANES].active[i % LN_LANES], stored))
                return 0;
    }
    return 1;
}

/* ---- when they do ---- */

/* The polynomial through 0 and the nodes. */
static double moved_at(const ln_way *way, const junction *one, double s) {
    double sum = 0;
    for (int j = 0; j < LN_WAY_NODES; j++) {
        double weight = s / way->node[j];
        for (int k = 0; k < LN_WAY_NODES; k++)
            if (k != j)
                weight *= (s - way->node[k]) / (way->node[j] - way->node[k]);
        sum += weight * one->moved[j];
    }
    return sum;
}

/* What it carries where its voltage has gone so far. */
static double carries(const junction *one, double moved) {
    const linnet_block *block = &one->active->instance->block;
    if (one->shape == NULL) {
        double q[2] = {0}, f[2] = {0}, entry[LN_LOCALS];
        const double x[2] = {one->at[0] + moved, one->at[1]};
        linnet_out out = {q, f, entry};
        const linnet_point point = {0, 0, x, NULL};
        return block->type->eval(block, &point, &out) == LINNET_OK ? f[0] : 0;
    }
    double node[LN_DEVICE_NODES];
    ln_flow flow[LN_DEVICE_BRANCHES];
    for (int k = 0; k < one->shape->nnodes; k++) {
        const int local = one->shape->unknown[k];
        node[k] = one->at[local] + (local == one->branch->from ? moved : 0);
    }
    one->shape->device->flows(block, node, flow);
    return flow[one->branch->branch].value;
}

/* One that conducts does so until its tangent's current ends, before which its own, which bends
 * upwards, does not; one that blocks, until it carries something. A resistance in series, whose
 * tangent is its law, does neither. */
static int has_commutated(const ln_way *way, const junction *one, double s) {
    const double moved = moved_at(way, one, s), tangent = one->carried + one->slope * moved;
    if (fabs(one->carried) > one->small && tangent * one->carried >= 0)
        return 0;
    return fabs(carries(one, moved) - tangent) > one->small;
}

/* The same as a part of the way, which ends at `end`; that, if it does not. */
static double commutates_at(const ln_way *way, const junction *one, double end) {
    static const double RESOLUTION = 1e-6; /* of the part: a tangent tells no more */
    double low = 0, high = 0;
    for (int k = 0; k < LN_WAY_NODES && high < end; k++) {
        low = high;
        high = fmin(way->node[k], end);
        if (!has_commutated(way, one, high))
            continue;
        while (high - low > RESOLUTION * high) {
            const double middle = (low + high) / 2;
            if (has_commutated(way, one, middle))
                high = middle;
            else
                low = middle;
        }
        return low;
    }
    return end;
}

static double size_at(const ln_way *way, const ln_active *active, int local) {
    const int row = active->row[local] >= 0 ? active->row[local] : active->balance_row[local];
    return row < 0 ? 0 : way->sizes[row];
}

static double local_value(const ln_active *active, const double *x, int local) {
    return active->unknown[local] < 0 ? 0 : x[active->unknown[local]];
}

static int is_stored(const char *stored, const ln_active *active, int local) {
    return active->unknown[local] < 0 || stored[active->unknown[local]];
}

/* The floating part in which a local unknown lies; -1: none. */
static int part_of(const ln_system *system, const ln_active *active, int local) {
    const int unknown = active->unknown[local];
    return unknown < 0 || system->nparts == 0 ? -1 : system->common_unknown[unknown];
}

/* Is the difference of two local unknowns stored? That of a floating part to another one, or to
 * what does not float, is not, whatever capacitors there are within. */
static int stores_between(const ln_system *system, const char *stored, const ln_active *active,
                          const int between[2]) {
    return is_stored(stored, active, between[0]) && is_stored(stored, active, between[1]) &&
           part_of(system, active, between[0]) == part_of(system, active, between[1]);
}

/* What the junction does between two local unknowns, seen in the polarity `sign`. */
static double follow(const ln_way *way, junction *one, const int between[2], double sign,
                     double end) {
    const ln_active *active = one->active;
    if (stores_between(way->system, way->stored, active, between))
        return end;
    for (int j = 0; j < active->nlocal && j < LN_LOCALS; j++)
        one->at[j] = sign * local_value(active, way->x, j);
    for (int j = 0; j < LN_WAY_NODES; j++)
        one->moved[j] = sign * (local_value(active, way->moved[j], between[0]) -
                                local_value(active, way->moved[j], between[1]));
    one->small =
        way->small * fmax(size_at(way, active, between[0]), size_at(way, active, between[1]));
    return commutates_at(way, one, end);
}

static double lane_commutates(const ln_way *way, const ln_device_shape *shape,
                              const ln_chunk *chunk, int lane, double end) {
    for (int k = 0; k < shape->njoined; k++) {
        const ln_joined *branch = &shape->joined[k];
        const ln_lanes *flows = chunk->flows + k * LN_FLOW_ROWS;
        junction one = {.active = chunk->active[lane],
                        .shape = shape,
                        .branch = branch,
                        .carried = flows[0][lane],
                        .slope = flows[LN_FLOW_SLOPES][lane]};
        if (may_bend(shape, branch))
            end = follow(way, &one, (const int[2]){branch->from, branch->to}, shape->sign, end);
    }
    return end;
}

static double block_commutates(const ln_way *way, const ln_active *active, double end) {
    const double *f = active->written + active->nlocal, *entry = f + active->nlocal;
    junction one = {.active = active, .carried = f[0], .slope = entry[0]};
    return follow(way, &one, (const int[2]){0, 1}, 1, end);
}

double ln_system_first_commutation(const ln_way *way) {
    const struct ln_system_private *own = way->system->own;
    double first = 1;
    for (int k = 0; k < own->nsingle; k++)
        if (is_junction_block(own->single[k]))
            first = block_commutates(way, own->single[k], first);
    for (int k = 0; k < own->nbatches; k++) {
        const ln_batch *batch = &own->batches[k];
        for (int i = 0; i < batch->count; i++)
            first = lane_commutates(way, batch->shape, &batch->chunks[i / LN_LANES], i % LN_LANES,
                                    first);
    }
    return first;
}

static int shape_may_commutate(const ln_system *system, const ln_device_shape *shape,
                               const ln_active *active, const char *stored) {
    for (int k = 0; k < shape->njoined; k++) {
        const ln_joined *branch = &shape->joined[k];
        if (may_bend(shape, branch) &&
            !stores_between(system, stored, active, (const int[2]){branch->from, branch->to}))
            return 1;
    }
    return 0;
}

int ln_system_may_commutate(const ln_system *system, const char *stored) {
    const struct ln_system_private *own = system->own;
    for (int k = 0; k < own->nsingle; k++) {
        const ln_active *active = own->single[k];
        if (is_junction_block(active) &&
            !stores_between(system, stored, active, (const int[2]){0, 1}))
            return 1;
    }
    for (int k = 0; k < own->nbatches; k++) {
        const ln_batch *batch = &own->batches[k];
        for (int i = 0; i < batch->count; i++)
            if (shape_may_commutate(system, batch->shape,
                                    batch->chunks[i / LN_LANES].active[i % LN_LANES], stored))
                return 1;
    }
    return 0;
}
