/* SPDX-License-Identifier: MIT */
/* See the header. A circuit of few devices has chunks of one or two lanes, a larger one full
 * chunks: each function is made for one pair and for all. All loops over lanes are of fixed length;
 * they are written over pairs of lanes (base/pairs.h). -O3 unrolls them; the pragma would else lose
 * the command line's contraction. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=off")
#endif

#include "system/lanes.h"

#include "base/pairs.h"

#include <math.h>

typedef ln_pair pair;
typedef ln_mask mask;
enum { PAIRS = LN_LANES / 2 };

static inline pair get(const double *row, int p) {
    return ln_pair_get(row, p);
}

static inline void put(double *row, int p, pair value) {
    ln_pair_put(row, p, value);
}

static inline pair size_of(pair value) {
    static const long long ALL_BUT_SIGN = 0x7fffffffffffffff;
    return (pair)((mask)value & (mask){ALL_BUT_SIGN, ALL_BUT_SIGN});
}

static const pair ZERO = {0, 0};

/* So many pairs hold the lanes, where the rest may be anything. */
static inline int pairs_of(int lanes) {
    return lanes <= 2 ? 1 : PAIRS;
}

/* A bit for each lane whose mask is set. */
static inline unsigned bits_of(const mask *set, int pairs) {
    mask bits = {0, 0};
    for (int p = 0; p < pairs; p++)
        bits |= set[p] & (mask){1LL << 2 * p, 2LL << 2 * p};
    return (unsigned)(bits[0] | bits[1]);
}

static inline void sum_pairs(const ln_lane_sums *list, const ln_lanes *from, int pairs, int lanes,
                             double *to) {
    const ln_lane_term *term = list->terms;
    for (const short *count = list->counts; count < list->counts + list->count;
         count++, to += lanes) {
        pair sum[PAIRS] = {ZERO};
        for (const ln_lane_term *end = term + *count; term < end; term++) {
            const double *value = from[term->at];
            if (term->sign > 0)
                for (int p = 0; p < pairs; p++)
                    sum[p] += get(value, p);
            else
                for (int p = 0; p < pairs; p++)
                    sum[p] -= get(value, p);
        }
        if (lanes >= 2 * pairs)
            for (int p = 0; p < pairs; p++)
                put(to, p, sum[p]);
        else
            for (int l = 0; l < lanes; l++)
                to[l] = sum[l / 2][l % 2];
    }
}

void ln_lanes_sum(const ln_lane_sums *list, const ln_lanes *from, int lanes, double *to) {
    switch (lanes) {
    case 1: sum_pairs(list, from, 1, 1, to); break;
    case 2: sum_pairs(list, from, 1, 2, to); break;
    case LN_LANES: sum_pairs(list, from, PAIRS, LN_LANES, to); break;
    default: sum_pairs(list, from, PAIRS, lanes, to);
    }
}

void ln_lanes_subtract(const ln_lanes *a, const ln_lanes *b, int count, ln_lanes *to) {
    for (int j = 0; j < count; j++)
        for (int p = 0; p < PAIRS; p++)
            put(to[j], p, get(a[j], p) - get(b[j], p));
}

void ln_lanes_tangent(const ln_lanes *slope, const unsigned char (*control)[2], int count,
                      const ln_lanes *way, ln_lanes to) {
    pair sum[PAIRS] = {ZERO};
    for (int c = 0; c < count; c++) {
        const double *a = way[control[c][0]], *b = way[control[c][1]];
        for (int p = 0; p < PAIRS; p++)
            sum[p] += get(slope[c], p) * (get(a, p) - get(b, p));
    }
    for (int p = 0; p < PAIRS; p++)
        put(to, p, sum[p]);
}

static inline unsigned within_pairs(const ln_lanes *a, const ln_lanes *b, int count, double most,
                                    int pairs) {
    pair sum[PAIRS] = {ZERO};
    mask within[PAIRS];
    for (int j = 0; j < count; j++)
        for (int p = 0; p < pairs; p++)
            sum[p] += size_of(get(a[j], p) - get(b[j], p));
    for (int p = 0; p < pairs; p++)
        within[p] = (mask)(sum[p] <= (pair){most, most});
    return bits_of(within, pairs);
}

unsigned ln_lanes_within(const ln_lanes *a, const ln_lanes *b, int count, double most, int lanes) {
    return pairs_of(lanes) == 1 ? within_pairs(a, b, count, most, 1)
                                : within_pairs(a, b, count, most, PAIRS);
}

static inline unsigned near_pairs(const ln_lanes *a, const ln_lanes *b, int count, double most,
                                  int pairs) {
    mask near[PAIRS];
    for (int p = 0; p < pairs; p++)
        near[p] = ~(mask){0, 0};
    for (int j = 0; j < count; j++)
        for (int p = 0; p < pairs; p++)
            near[p] &= (mask)(size_of(get(a[j], p) - get(b[j], p)) <= (pair){most, most});
    return bits_of(near, pairs);
}

unsigned ln_lanes_near(const ln_lanes *a, const ln_lanes *b, int count, double most, int lanes) {
    return pairs_of(lanes) == 1 ? near_pairs(a, b, count, most, 1)
                                : near_pairs(a, b, count, most, PAIRS);
}

/* Of the lanes whose sum of numbers times zero is none: NaN and infinities turn into NaN. */
static inline unsigned finite_bits(const pair *sum, int pairs) {
    mask finite[PAIRS];
    for (int p = 0; p < pairs; p++)
        finite[p] = (mask)(sum[p] == ZERO);
    return bits_of(finite, pairs);
}

static inline unsigned finite_pairs(const ln_lane_copy *list, int count, const ln_lanes *values,
                                    int pairs) {
    pair sum[PAIRS] = {ZERO};
    for (int k = 0; k < count; k++)
        for (int p = 0; p < pairs; p++)
            sum[p] += get(values[list[k].to], p) * ZERO;
    return finite_bits(sum, pairs);
}

unsigned ln_lanes_finite(const ln_lane_copy *list, int count, const ln_lanes *values, int lanes) {
    return pairs_of(lanes) == 1 ? finite_pairs(list, count, values, 1)
                                : finite_pairs(list, count, values, PAIRS);
}

unsigned ln_lanes_put_all(const ln_lane_copy *list, int count, const double *from, int stride,
                          ln_lanes *to) {
    pair sum[PAIRS] = {ZERO};
    for (int k = 0; k < count; k++) {
        const double *value = from + list[k].from;
        for (int p = 0; p < PAIRS; p++, value += 2 * stride) {
            const pair one = {value[0], value[stride]};
            put(to[list[k].to], p, one);
            sum[p] += one * ZERO;
        }
    }
    return finite_bits(sum, PAIRS);
}

unsigned ln_lanes_put_rows(const ln_lane_copy *list, int count, const ln_lanes *from,
                           ln_lanes *to) {
    pair sum[PAIRS] = {ZERO};
    for (int k = 0; k < count; k++)
        for (int p = 0; p < PAIRS; p++) {
            const pair one = get(from[list[k].from], p);
            put(to[list[k].to], p, one);
            sum[p] += one * ZERO;
        }
    return finite_bits(sum, PAIRS);
}
