/* SPDX-License-Identifier: MIT */
/* Loops over numbers of several devices side by side: each lane is what the same formula gives of
 * its numbers alone, whatever stands in the others. */
#include "unit.h"

#include "system/lanes.h"
#include <math.h>

enum { ROWS = 5, ROUNDS = 500 };

static double number(void) {
    static unsigned long long state = 20261127;
    state = state * 6364136223846793005u + 1442695040888963407u;
    const int kind = (int)(state >> 60);
    return kind == 0   ? INFINITY
           : kind == 1 ? NAN
                       : ((double)(state >> 40) / (1 << 24) - 0.5) * (kind < 8 ? 1 : 1e3);
}

static void fill(ln_lanes *rows) {
    for (int j = 0; j < ROWS; j++)
        for (int lane = 0; lane < LN_LANES; lane++)
            rows[j][lane] = number();
}

static int is_same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

/* No further apart: each number; and all together, by the sum of their distances. */
static void test_distances(void) {
    int found[2] = {0, 0};
    for (int round = 0; round < ROUNDS; round++) {
        ln_lanes a[ROWS], b[ROWS];
        const double most = round % 3 == 0 ? 0.3 : round % 3 == 1 ? 1 : 900;
        const int lanes = 1 + round % LN_LANES, count = 1 + round % ROWS;
        fill(a);
        fill(b);
        if (round % 4 == 0) /* large, and next to each other */
            for (int j = 0; j < ROWS; j++)
                for (int lane = 0; lane < LN_LANES; lane++)
                    b[j][lane] = a[j][lane] = 1e6 + lane;
        const unsigned near = ln_lanes_near(a, b, count, most, lanes),
                       within = ln_lanes_within(a, b, count, most, lanes);
        for (int lane = 0; lane < lanes; lane++) {
            int all_near = 1;
            double sum = 0;
            for (int j = 0; j < count; j++) {
                all_near = all_near && fabs(a[j][lane] - b[j][lane]) <= most;
                sum += fabs(a[j][lane] - b[j][lane]);
            }
            CU_ASSERT_EQUAL(near >> lane & 1, (unsigned)all_near);
            CU_ASSERT_EQUAL(within >> lane & 1, (unsigned)(sum <= most));
            found[0] += all_near;
            found[1] += sum <= most;
        }
    }
    CU_ASSERT(found[0] > ROUNDS / 10 && found[1] > ROUNDS / 10);
}

static void test_differences(void) {
    static const unsigned char control[2][2] = {{0, 1}, {3, 2}};
    for (int round = 0; round < ROUNDS; round++) {
        ln_lanes a[ROWS], b[ROWS], to[ROWS], slope[2], tangent;
        fill(a);
        fill(b);
        for (int lane = 0; lane < LN_LANES; lane++) {
            slope[0][lane] = number();
            slope[1][lane] = number();
        }
        ln_lanes_subtract(a, b, ROWS, to);
        ln_lanes_tangent(slope, control, 2, a, tangent);
        for (int lane = 0; lane < LN_LANES; lane++) {
            for (int j = 0; j < ROWS; j++)
                CU_ASSERT(is_same(to[j][lane], a[j][lane] - b[j][lane]));
            CU_ASSERT(is_same(tangent[lane], slope[0][lane] * (a[0][lane] - a[1][lane]) +
                                                 slope[1][lane] * (a[3][lane] - a[2][lane])));
        }
    }
}

static void test_finite(void) {
    static const ln_lane_copy list[3] = {{0, 0}, {1, 2}, {2, 4}};
    for (int round = 0; round < ROUNDS; round++) {
        ln_lanes rows[ROWS];
        fill(rows);
        const int lanes = 1 + round % LN_LANES;
        const unsigned finite = ln_lanes_finite(list, 3, (const ln_lanes *)rows, lanes);
        for (int lane = 0; lane < lanes; lane++)
            CU_ASSERT_EQUAL(finite >> lane & 1,
                            (unsigned)(isfinite(rows[0][lane]) && isfinite(rows[2][lane]) &&
                                       isfinite(rows[4][lane])));
    }
}

/* Sums of terms, plus and minus; one sum of all lanes behind the other. */
static void test_sums(void) {
    short counts[2] = {3, 2};
    ln_lane_term terms[5] = {{0, 1}, {1, -1}, {4, 1}, {2, -1}, {3, -1}};
    const ln_lane_sums list = {2, counts, terms};
    for (int round = 0; round < ROUNDS; round++) {
        ln_lanes rows[ROWS];
        double to[2 * LN_LANES];
        fill(rows);
        const int lanes = 1 + round % LN_LANES;
        ln_lanes_sum(&list, (const ln_lanes *)rows, lanes, to);
        for (int lane = 0; lane < lanes; lane++) {
            CU_ASSERT(is_same(to[lane], rows[0][lane] - rows[1][lane] + rows[4][lane]));
            CU_ASSERT(is_same(to[lanes + lane], -rows[2][lane] - rows[3][lane]));
        }
    }
}

UNIT_MAIN({"distances", test_distances}, {"differences", test_differences},
          {"finite numbers", test_finite}, {"sums", test_sums})
