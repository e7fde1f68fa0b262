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

/* Rows of lanes for a joined branch: what flows, its slopes by its controls, and what flows beyond
 * by its tangent where the lanes are not at their place. */
enum { LN_FLOW_SLOPES = 1, LN_FLOW_BEYOND = LN_FLOW_SLOPES + LN_DEVICE_CONTROLS, LN_FLOW_ROWS };

/* Rows of the system, one for each lane. */
typedef int ln_lane_rows[LN_LANES];

/* What a look at a chunk leaves to be given to the system. */
typedef struct ln_seen {
    double *values;             /* of each value of the batch so many numbers as there are lanes */
    unsigned limited, failed;   /* bits of lanes */
    int rested;                 /* all lanes did */
    ln_lanes before[LN_LOCALS]; /* places, where not all rested */
} ln_seen;

typedef struct ln_chunk {
    ln_active *active[LN_LANES];
    int count;
    ln_scatter gather;
    ln_lane_rows *row; /* per value of the batch: where it goes */
    /* where the entries begin among those of the system: of each `count` ones, lane by lane */
    int first_df, first_dq;
    ln_lanes *place; /* per local unknown: where the lanes were evaluated last, in first polarity */
    ln_lanes *flows; /* LN_FLOW_ROWS per joined branch: what flowed there */
    double unlimited; /* the least of ln_device.unlimited() of the lanes */
    /* bits of lanes: that is known; dq and df hold it */
    unsigned known, set;
    int quiet;     /* looks in a row at which all lanes rested */
    int held;      /* it is no longer visited: resting.c gives what it gives */
    ln_seen *seen; /* where threads look at chunks (threads.c), NULL: none do */
} ln_chunk;

typedef struct ln_batch {
    const linnet_block_class *type;
    const ln_device_shape *shape;
    const ln_active *first; /* instance; all others are joined alike */
    ln_chunk *chunks;
    int count; /* instances */
    /* rows that an evaluation writes, from ln_flow[] */
    ln_lane_copy *written;
    int nwritten;
    /* sums of the flows: entries; what goes to each row, nf currents, then charges: at the place,
     * and beyond it */
    ln_lane_sums df, dq, values, values_beyond;
    int nf, shared; /* shared: of df and dq, the first so many are at the same places */
    double *work;   /* room for one of these lists */
} ln_batch;

static inline int ln_batch_chunks(const ln_batch *batch) {
    return (batch->count + LN_LANES - 1) / LN_LANES;
}

/* What the lanes give at x, by their tangents, into batch->work: of each value chunk->count
 * numbers. */
void ln_chunk_values(const ln_batch *batch, ln_chunk *chunk, const double *x);

/* As ln_system_visit() for all lanes, in two halves: a look, which writes to what is the chunk's
 * own, its entries of df and dq among them, so that several chunks may be looked at at once; and
 * what it gives, in the order of the chunks. */
void ln_chunk_look(ln_system *system, const ln_batch *batch, ln_chunk *chunk, const ln_look *at,
                   ln_seen *seen);
linnet_status ln_chunk_give(ln_system *system, const ln_batch *batch, ln_chunk *chunk, ln_look *at,
                            const ln_seen *seen);

/* Looks at all chunks that are not held by several threads; 0: there are none of these. */
int ln_threads_look(ln_system *system, const ln_look *at);

#endif
