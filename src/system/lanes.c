/* SPDX-License-Identifier: MIT */
/* See the header. The loops over lanes are all of fixed length, which gcc unrolls and turns into
 * vectors by -O3 only. The pragma would else lose the command line's contraction. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=off")
#endif

#include "system/lanes.h"

#include <math.h>

void ln_lanes_sum(const ln_lane_sums *list, const ln_lanes *from, ln_lanes *to) {
    const ln_lane_term *term = list->terms;
    for (const ln_lane_sum *row = list->sums; row < list->sums + list->count; row++) {
        ln_lanes sum = {0};
        for (const ln_lane_term *end = term + row->count; term < end; term++) {
            const double *value = from[term->at];
            if (term->sign > 0)
                for (int l = 0; l < LN_LANES; l++)
                    sum[l] += value[l];
            else
                for (int l = 0; l < LN_LANES; l++)
                    sum[l] -= value[l];
        }
        for (int l = 0; l < LN_LANES; l++) /* from registers */
            to[row->to][l] = sum[l];
    }
}

void ln_lanes_subtract(const ln_lanes *a, const ln_lanes *b, int count, ln_lanes *to) {
    for (int j = 0; j < count; j++)
        for (int l = 0; l < LN_LANES; l++)
            to[j][l] = a[j][l] - b[j][l];
}

void ln_lanes_tangent(const ln_lanes *slope, const unsigned char (*control)[2], int count,
                      const ln_lanes *way, ln_lanes to) {
    ln_lanes sum = {0};
    for (int c = 0; c < count; c++) {
        const double *a = way[control[c][0]], *b = way[control[c][1]];
        for (int l = 0; l < LN_LANES; l++)
            sum[l] += slope[c][l] * (a[l] - b[l]);
    }
    for (int l = 0; l < LN_LANES; l++)
        to[l] = sum[l];
}

void ln_lanes_way(const ln_lanes *a, const ln_lanes *b, int count, ln_lanes way) {
    ln_lanes sum = {0};
    for (int j = 0; j < count; j++)
        for (int l = 0; l < LN_LANES; l++)
            sum[l] += fabs(a[j][l] - b[j][l]);
    for (int l = 0; l < LN_LANES; l++)
        way[l] = sum[l];
}

static unsigned bits_of(const double *is) {
    unsigned bits = 0;
    for (int l = 0; l < LN_LANES; l++)
        bits |= (unsigned)(is[l] == 0) << l;
    return bits;
}

unsigned ln_lanes_near(const ln_lanes *a, const ln_lanes *b, int count, double most) {
    ln_lanes far = {0};
    for (int j = 0; j < count; j++)
        for (int l = 0; l < LN_LANES; l++)
            far[l] = fabs(a[j][l] - b[j][l]) <= most ? far[l] : 1;
    return bits_of(far);
}

unsigned ln_lanes_finite(const ln_lane_copy *list, int count, const ln_lanes *values) {
    ln_lanes sum = {0};
    for (int k = 0; k < count; k++) {
        const double *value = values[list[k].to];
        for (int l = 0; l < LN_LANES; l++)
            sum[l] += value[l] * 0.0; /* NaN and infinities turn into NaN */
    }
    return bits_of(sum);
}

unsigned ln_lanes_put_all(const ln_lane_copy *list, int count, const double *from, int stride,
                          ln_lanes *to) {
    ln_lanes sum = {0};
    for (int k = 0; k < count; k++) {
        const double *value = from + list[k].from;
        double *row = to[list[k].to];
        ln_lanes one;
        for (int l = 0; l < LN_LANES; l++)
            one[l] = value[l * stride];
        for (int l = 0; l < LN_LANES; l++)
            row[l] = one[l];
        for (int l = 0; l < LN_LANES; l++)
            sum[l] += one[l] * 0.0; /* as in ln_lanes_finite() */
    }
    return bits_of(sum);
}
