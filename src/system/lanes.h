/* SPDX-License-Identifier: MIT */
/* Private to the room `system`: loops over numbers of several devices that stand side by side. Each
 * lane is computed by itself, so that the bits do not depend on how many go at a time. */
#ifndef LN_SYSTEM_LANES_H
#define LN_SYSTEM_LANES_H

#include "base/arena.h"
#include "blocks/native/device.h"

enum { LN_LANES = LN_DEVICE_LANES };
typedef ln_device_lanes ln_lanes;

/* A term of a sum: plus or minus the numbers at a place. */
typedef struct ln_lane_term {
    short at, sign; /* 1 or -1 */
} ln_lane_term;

typedef struct ln_lane_sums {
    int count;
    short *counts;       /* of terms */
    ln_lane_term *terms; /* of all sums, one after the other */
} ln_lane_sums;

/* to = the sums of what stands in from[], of the first lanes: so many numbers for each sum. */
void ln_lanes_sum(const ln_lane_sums *list, const ln_lanes *from, int lanes, double *to);

/* to = a - b, all of them `count` rows of lanes. */
void ln_lanes_subtract(const ln_lanes *a, const ln_lanes *b, int count, ln_lanes *to);

/* The tangent of a value: to = the sum of slope[c] (way[control[c][0]] - way[control[c][1]]). */
void ln_lanes_tangent(const ln_lanes *slope, const unsigned char (*control)[2], int count,
                      const ln_lanes *way, ln_lanes to);

/* Bits of the lanes in which no number of a is further than `most` from that of b; of the first
 * lanes at least. */
unsigned ln_lanes_near(const ln_lanes *a, const ln_lanes *b, int count, double most, int lanes);

/* Bits of the lanes that are no further than `most` from b, all of their numbers together; of the
 * first lanes at least. */
unsigned ln_lanes_within(const ln_lanes *a, const ln_lanes *b, int count, double most, int lanes);

/* One number of a lane: from[] of an array, to a row of lanes. */
typedef struct ln_lane_copy {
    short from, to;
} ln_lane_copy;

/* The numbers of one lane join the others. */
static inline void ln_lanes_put(const ln_lane_copy *list, int count, const double *from, int lane,
                                ln_lanes *to) {
    for (int k = 0; k < count; k++)
        to[list[k].to][lane] = from[list[k].from];
}

/* The same of all lanes, whose arrays stand `stride` numbers apart. Returns as ln_lanes_finite().
 */
unsigned ln_lanes_put_all(const ln_lane_copy *list, int count, const double *from, int stride,
                          ln_lanes *to);

/* The same of rows of lanes. */
unsigned ln_lanes_put_rows(const ln_lane_copy *list, int count, const ln_lanes *from, ln_lanes *to);

/* Bits of the lanes in which all numbers in the rows of the list are finite; of the first lanes at
 * least. */
unsigned ln_lanes_finite(const ln_lane_copy *list, int count, const ln_lanes *values, int lanes);

#endif
