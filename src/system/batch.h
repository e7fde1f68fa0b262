/* SPDX-License-Identifier: MIT */
/* Private to batch.c and resting.c: devices of one class, LN_LANES of them side by side, and those
 * that have rested for some time together. */
#ifndef LN_SYSTEM_BATCH_H
#define LN_SYSTEM_BATCH_H

#include "system/active.h"
#include "system/lanes.h"
#include "blocks/native/device.h"

/* LN_QUIET: a chunk is held after so many looks at which it rested. To hold it and to let it go
 * costs as much as four visits. */
enum { LN_QUIET = 4, LN_LOCALS = LN_DEVICE_NODES + 1 };
enum { LN_LANE_ENTRIES = LN_DEVICE_BRANCHES * LN_DEVICE_CONTROLS * LN_CORNERS };

/* Rows of lanes for a joined branch: what flows, its slopes by its controls, and what flows beyond
 * by its tangent where the lanes are not at their place. */
enum { LN_FLOW_SLOPES = 1, LN_FLOW_BEYOND = LN_FLOW_SLOPES + LN_DEVICE_CONTROLS, LN_FLOW_ROWS };

typedef struct ln_chunk {
    ln_active *active[LN_LANES];
    int count;
    ln_scatter gather, to_q, to_f, to_dq, to_df, outside_q, outside_f, outside_dq,
        outside_df; /* ln_active */
    int dq_end[LN_LANES],
        df_end[LN_LANES]; /* where the part of each lane ends in to_dq and to_df */
    ln_lanes *place; /* per local unknown: where the lanes were evaluated last, in first polarity */
    ln_lanes *flows; /* LN_FLOW_ROWS per joined branch: what flowed there */
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
    /* rows that an evaluation writes, from ln_flow[] */
    ln_lane_copy *written;
    int nwritten;
    /* of the flows: entries that lead anywhere; what goes to each local row, currents, then charges
     * from LN_LOCALS on: at the place, and beyond it */
    ln_lane_sums entries, values, values_beyond;
} ln_batch;

/* What the lanes give to their local rows at x, by their tangents: currents, then charges. */
void ln_chunk_values(const ln_batch *batch, ln_chunk *chunk, const double *x, ln_lanes *sum);
/* The entries of the lanes; those that lead nowhere are not set. */
void ln_chunk_entries(const ln_batch *batch, const ln_chunk *chunk, ln_lanes *entry);

/* As ln_system_visit() for all lanes. */
linnet_status ln_chunk_visit(ln_system *system, const ln_batch *batch, ln_chunk *chunk,
                             ln_look *at);

#endif
