/* SPDX-License-Identifier: MIT */
/* Private to batch.c and resting.c: devices of one class, LN_LANES of them side by side, and those
 * that have rested for some time together. */
#ifndef LN_SYSTEM_BATCH_H
#define LN_SYSTEM_BATCH_H

#include "system/active.h"
#include "blocks/native/device.h"

/* LN_QUIET: a chunk is held after so many looks at which it rested. To hold it and to let it go
 * costs as much as four visits. */
enum { LN_LANES = 8, LN_QUIET = 4, LN_LOCALS = LN_DEVICE_NODES + 1 };
enum { LN_LANE_ENTRIES = LN_DEVICE_BRANCHES * LN_DEVICE_CONTROLS * LN_CORNERS };
typedef double ln_lanes[LN_LANES];

/* Of a joined branch: what flows, and its slopes by its controls. */
typedef struct ln_lane_flow {
    ln_lanes value, slope[LN_DEVICE_CONTROLS];
} ln_lane_flow;

typedef struct ln_chunk {
    ln_active *active[LN_LANES];
    int count;
    ln_scatter gather, to_q, to_f, to_dq, to_df, outside_q, outside_f, outside_dq,
        outside_df; /* ln_active */
    int dq_end[LN_LANES],
        df_end[LN_LANES]; /* where the part of each lane ends in to_dq and to_df */
    ln_lanes *place; /* per local unknown: where the lanes were evaluated last, in first polarity */
    ln_lane_flow *flows; /* per joined branch: what flowed there */
    /* bits of lanes: that is known; dq and df hold it */
    unsigned known, set;
    int quiet; /* looks in a row at which all lanes rested */
    int held;  /* it is no longer visited: resting.c gives what it gives */
} ln_chunk;

typedef struct ln_batch {
    const linnet_block_class *type;
    const ln_device_shape *shape;
    ln_chunk *chunks;
    int count; /* instances */
} ln_batch;

/* What the lanes give to their local rows at x, by their tangents: currents, charges. */
void ln_chunk_values(const ln_batch *batch, ln_chunk *chunk, const double *x,
                     ln_lanes (*sum)[LN_LOCALS]);
/* The entries of the lanes, as many as the type has: 0 where no flow adds to one. */
void ln_chunk_entries(const ln_batch *batch, const ln_chunk *chunk, ln_lanes *entry);

/* As ln_system_visit() for all lanes. */
linnet_status ln_chunk_visit(ln_system *system, const ln_batch *batch, ln_chunk *chunk,
                             ln_look *at);

#endif
