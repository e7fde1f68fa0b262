/* SPDX-License-Identifier: MIT */
/* Natural modes of pencils: closed forms, the equations they must satisfy, and what has no finite
 * value. */
#include "base/sys.h"
#include "linear/eigen.h"
#include "unit.h"
#include <complex.h>
#include <stdlib.h>

/* A pencil from two dense matrices written row by row. */
typedef struct given {
    ln_arena *arena;
    ln_pattern pattern;
    ln_pencil pencil;
    int *start, *row;
    double *E, *A;
} given;

static given make(int n, const double *E, const double *A) {
    given pair = {.arena = ln_arena_new()};
    pair.start = LN_NEW(pair.arena, int, n + 1);
    pair.row = LN_NEW(pair.arena, int, n *n);
    pair.E = LN_NEW(pair.arena, double, n *n);
    pair.A = LN_NEW(pair.arena, double, n *n);
    int count = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            if (E[i * n + j] == 0 && A[i * n + j] == 0)
                continue;
            pair.row[count] = i;
            pair.E[count] = E[i * n + j];
            pair.A[count++] = A[i * n + j];
        }
        pair.start[j + 1] = count;
    }
    pair.pattern = (ln_pattern){n, pair.start, pair.row};
    return pair;
}

static void done(given *pair) {
    ln_arena_free(pair->arena);
}

static linnet_status modes(given *pair, ln_eigen *out) {
    pair->pencil = (ln_pencil){.pattern = &pair->pattern, .E = pair->E, .A = pair->A};
    return ln_eigen_dense(&pair->pencil, 1, pair->arena, out);
}

/* Largest |(s E + A) x| and |w^H (s E + A)| relative to the sizes of what is summed. */
static double residual(const given *pair, const ln_eigen *eigen, int k, int left) {
    int n = pair->pattern.n;
    double complex s = eigen->value[2 * k] + eigen->value[2 * k + 1] * I, sum[2100];
    double size[2100], worst = 0;
    const double *v = (left ? eigen->left : eigen->right) + 2 * (size_t)n * (size_t)k;
    memset(size, 0, sizeof size);
    memset(sum, 0, sizeof sum);
    for (int j = 0; j < n; j++)
        for (int e = pair->pattern.start[j]; e < pair->pattern.start[j + 1]; e++) {
            int to = left ? j : pair->pattern.row[e], from = left ? pair->pattern.row[e] : j;
            double complex x = v[2 * from] + (left ? -1 : 1) * v[2 * from + 1] * I;
            sum[to] += (s * pair->E[e] + pair->A[e]) * x;
            size[to] += cabs(s * pair->E[e] * x) + cabs(pair->A[e] * x);
        }
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, size[i]);
    for (int i = 0; i < n; i++)
        worst = fmax(worst, cabs(sum[i]) / most);
    return worst;
}

/* x' = v, v' = -4 x - v / 2, and an output y = x + v as an algebraic row: -1/4 +- i sqrt(4 - 1/16).
 */
static void test_oscillator(void) {
    given pair = make(3, (const double[]){1, 0, 0, 0, 1, 0, 0, 0, 0},
                      (const double[]){0, -1, 0, 4, 0.5, 0, -1, -1, 1});
    ln_eigen out;
    CU_ASSERT_EQUAL_FATAL(modes(&pair, &out), LINNET_OK);
    CU_ASSERT_EQUAL_FATAL(out.count, 2);
    CU_ASSERT_EQUAL(out.index, 1);
    CHECK_CLOSE(out.value[0], -0.25, 1e-14);
    CHECK_CLOSE(fabs(out.value[1]), sqrt(4 - 0.0625), 1e-14);
    CHECK_CLOSE(out.value[3], -out.value[1], 1e-14);
    for (int k = 0; k < 2; k++) {
        CU_ASSERT(residual(&pair, &out, k, 0) < 1e-14);
        CU_ASSERT(residual(&pair, &out, k, 1) < 1e-14);
    }
    done(&pair);
}

/* Currents in nanoamperes beside pressures in bar: rows and columns of any size. */
static void test_scales(void) {
    given pair = make(3, (const double[]){1e-12, 0, 0, 0, 1e5, 0, 0, 0, 0},
                      (const double[]){1e-6, -1e-6, 0, 0, 3e2, 0, 1e-9, 0, 1e7});
    ln_eigen out;
    CU_ASSERT_EQUAL_FATAL(modes(&pair, &out), LINNET_OK);
    CU_ASSERT_EQUAL_FATAL(out.count, 2);
    double slow = fmax(out.value[0], out.value[2]), fast = fmin(out.value[0], out.value[2]);
    CHECK_CLOSE(slow / -3e-3, 1, 1e-13);
    CHECK_CLOSE(fast / -1e6, 1, 1e-13);
    done(&pair);
}

/* A capacitor across a source: v = u, C v' = i. And a chain of three derivatives: index 2, 3 and 4,
 * one mode beside. */
static void test_index(void) {
    ln_eigen out;
    given pair = make(2, (const double[]){1e-6, 0, 0, 0}, (const double[]){0, -1, 1, 0});
    CU_ASSERT_EQUAL_FATAL(modes(&pair, &out), LINNET_OK);
    CU_ASSERT_EQUAL(out.count, 0);
    CU_ASSERT_EQUAL(out.index, 2);
    CU_ASSERT(out.hidden_unknown[1] > 0.5 && out.hidden_unknown[0] < 1e-12); /* the current */
    CU_ASSERT(out.hidden_row[0] > 0.5 && out.hidden_row[1] < 1e-12); /* the capacitor's row */
    done(&pair);
    /* x1 = u, x1' = x2, x2' = x3, ..., z' = -7 z + x2 */
    for (int index = 2; index <= 4; index++) {
        double E[25] = {0}, A[25] = {0};
        int n = index + 1;
        A[0] = 1;
        for (int i = 1; i < index; i++) {
            E[i * n + i - 1] = 1;
            A[i * n + i] = -1;
        }
        E[index * n + index] = 2;
        A[index * n + index] = 14;
        A[index * n + 1] = -1;
        pair = make(n, E, A);
        CU_ASSERT_EQUAL_FATAL(modes(&pair, &out), LINNET_OK);
        CU_ASSERT_EQUAL(out.index, index);
        CU_ASSERT_EQUAL_FATAL(out.count, 1);
        CHECK_CLOSE(out.value[0], -7, 1e-14);
        CU_ASSERT(residual(&pair, &out, 0, 0) < 1e-14);
        CU_ASSERT(residual(&pair, &out, 0, 1) < 1e-14);
        done(&pair);
    }
}

static void test_singular(void) {
    ln_eigen out;
    /* a row of nothing */
    given pair = make(2, (const double[]){1, 1, 0, 0}, (const double[]){1, 2, 0, 0});
    CU_ASSERT_EQUAL(modes(&pair, &out), LINNET_RETRY);
    done(&pair);
    pair = make(3, (const double[]){1, 0, 0, 0, 0, 0, 0, 0, 0},
                (const double[]){1, 0, 0, 0, 1, 2, 0, 2, 4});
    CU_ASSERT_EQUAL(modes(&pair, &out), LINNET_RETRY);
    done(&pair);
    pair = make(0, NULL, NULL);
    CU_ASSERT_EQUAL(modes(&pair, &out), LINNET_OK);
    CU_ASSERT_EQUAL(out.count, 0);
    done(&pair);
}

/* Random pencils of 30 rows, E of rank 20 in general position: as
 * many values, whose vectors satisfy the equations. */
static void test_random(void) {
    enum { N = 30, RANK = 20 };
    static double E[N * N], A[N * N], L[N * RANK], R[RANK * N], size[N * N];
    unsigned state = 7;
    for (int round = 0; round < 5; round++) {
#define NEXT() ((state = state * 1664525u + 1013904223u), (double)(state >> 8) / (1 << 23) - 1)
        for (int k = 0; k < N * RANK; k++) {
            L[k] = NEXT();
            R[k] = NEXT();
        }
        for (int k = 0; k < N * N; k++)
            A[k] = NEXT();
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double sum = 0;
                size[j * N + i] = 0; /* the roundings of RANK sums of such terms */
                for (int k = 0; k < RANK; k++) {
                    sum += L[i * RANK + k] * R[k * N + j];
                    size[j * N + i] += fabs(L[i * RANK + k] * R[k * N + j]);
                }
                E[i * N + j] = sum;
            }
        given pair = make(N, E, A);
        ln_eigen out;
        pair.pencil =
            (ln_pencil){.pattern = &pair.pattern, .E = pair.E, .A = pair.A, .E_size = size};
        CU_ASSERT_EQUAL_FATAL(ln_eigen_dense(&pair.pencil, 1, pair.arena, &out), LINNET_OK);
        CU_ASSERT_EQUAL(out.count, RANK);
        CU_ASSERT_EQUAL(out.index, 1);
        for (int k = 0; k < out.count; k++) {
            CU_ASSERT(residual(&pair, &out, k, 0) < 1e-11);
            CU_ASSERT(residual(&pair, &out, k, 1) < 1e-11);
        }
        done(&pair);
    }
}

/* RC ladder of N sections behind a source: s_k = -4/(RC) sin^2((2 k - 1) pi / (2 (2 N + 1))). */
static double ladder_value(int sections, int k) {
    double angle = (2 * k - 1) * acos(-1) / (2 * (2 * sections + 1));
    return -4 * sin(angle) * sin(angle);
}

/* With the source's node (algebraic) as unknown 0. */
static given ladder(int sections) {
    given pair = {.arena = ln_arena_new()};
    int n = sections + 1, count = 0;
    pair.start = LN_NEW(pair.arena, int, n + 1);
    pair.row = LN_NEW(pair.arena, int, 3 * n);
    pair.E = LN_NEW(pair.arena, double, 3 * n);
    pair.A = LN_NEW(pair.arena, double, 3 * n);
    for (int j = 0; j < n; j++) {
        for (int i = j - 1; i <= j + 1; i++) {
            if (i < 0 || i >= n || (i == 0 && j != 0))
                continue;
            pair.row[count] = i;
            pair.E[count] = i == j && j > 0;
            pair.A[count++] = i != j ? -1 : j == 0 || j == n - 1 ? 1 : 2;
        }
        pair.start[j + 1] = count;
    }
    pair.pattern = (ln_pattern){n, pair.start, pair.row};
    pair.pencil = (ln_pencil){.pattern = &pair.pattern, .E = pair.E, .A = pair.A};
    return pair;
}

static int rising(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void test_ladder(void) {
    enum { SMALL = 120, LARGE = 1000, FEW = 12 };
    given pair = ladder(SMALL);
    pair.pencil = (ln_pencil){.pattern = &pair.pattern, .E = pair.E, .A = pair.A};
    ln_eigen out;
    CU_ASSERT_EQUAL_FATAL(ln_eigen_dense(&pair.pencil, 0, pair.arena, &out), LINNET_OK);
    CU_ASSERT_EQUAL_FATAL(out.count, SMALL);
    qsort(out.value, SMALL, 2 * sizeof(double), rising);
    for (int k = 1; k <= SMALL; k++)
        CHECK_CLOSE(out.value[2 * (SMALL - k)], ladder_value(SMALL, k), 1e-13);
    done(&pair);
    pair = ladder(LARGE);
    pair.pencil = (ln_pencil){.pattern = &pair.pattern, .E = pair.E, .A = pair.A};
    CU_ASSERT_EQUAL_FATAL(
        ln_eigen_near(&pair.pencil, &(ln_eigen_wish){0, 0, FEW, 1}, pair.arena, &out), LINNET_OK);
    CU_ASSERT_EQUAL_FATAL(out.count, FEW);
    qsort(out.value, FEW, 2 * sizeof(double), rising);
    for (int k = 1; k <= FEW; k++)
        CHECK_CLOSE(out.value[2 * (FEW - k)] / ladder_value(LARGE, k), 1, 1e-10);
    CU_ASSERT_EQUAL_FATAL(
        ln_eigen_near(&pair.pencil, &(ln_eigen_wish){-4, 0, FEW, 1}, pair.arena, &out), LINNET_OK);
    for (int k = 0; k < out.count; k++) {
        CU_ASSERT(residual(&pair, &out, k, 0) < 1e-12);
        CU_ASSERT(residual(&pair, &out, k, 1) < 1e-9);
    }
    qsort(out.value, FEW, 2 * sizeof(double), rising);
    for (int k = 0; k < FEW; k++)
        CHECK_CLOSE(out.value[2 * k], ladder_value(LARGE, LARGE - k), 1e-12);
    done(&pair);
}

/* 100 oscillators x'' = -w^2 x - x' / 10 of frequencies 1, 2, ..., 100: those near 10 i, and near 0
 * as pairs. */
static void test_pairs(void) {
    enum { PAIRS = 100 };
    given pair = {.arena = ln_arena_new()};
    int n = 2 * PAIRS, count = 0;
    pair.start = LN_NEW(pair.arena, int, n + 1);
    pair.row = LN_NEW(pair.arena, int, 2 * n);
    pair.E = LN_NEW(pair.arena, double, 2 * n);
    pair.A = LN_NEW(pair.arena, double, 2 * n);
    for (int j = 0; j < n; j++) {
        double w = j / 2 + 1;
        for (int i = j / 2 * 2; i < j / 2 * 2 + 2; i++) {
            pair.row[count] = i;
            pair.E[count] = i == j;
            pair.A[count++] = i % 2 == 0 ? (j % 2 == 0 ? 0 : -1) : (j % 2 == 0 ? w * w : 0.1);
        }
        pair.start[j + 1] = count;
    }
    pair.pattern = (ln_pattern){n, pair.start, pair.row};
    pair.pencil = (ln_pencil){.pattern = &pair.pattern, .E = pair.E, .A = pair.A};
    ln_eigen out;
    CU_ASSERT_EQUAL_FATAL(
        ln_eigen_near(&pair.pencil, &(ln_eigen_wish){0, 10, 3, 0}, pair.arena, &out), LINNET_OK);
    CU_ASSERT_EQUAL(out.count, 3);
    for (int k = 0; k < out.count; k++) {
        double w = floor(hypot(out.value[2 * k], out.value[2 * k + 1]) + 0.5);
        CU_ASSERT(w >= 9 && w <= 11);
        CHECK_CLOSE(out.value[2 * k], -0.05, 1e-10);
        CHECK_CLOSE(out.value[2 * k + 1], sqrt(w * w - 0.0025), 1e-11);
    }
    CU_ASSERT_EQUAL_FATAL(
        ln_eigen_near(&pair.pencil, &(ln_eigen_wish){0, 0, 5, 1}, pair.arena, &out), LINNET_OK);
    CU_ASSERT_EQUAL(out.count, 6); /* three pairs: none without its conjugate */
    for (int k = 0; k < out.count; k++) {
        CU_ASSERT(fabs(out.value[2 * k + 1]) < 3.1);
        CU_ASSERT(residual(&pair, &out, k, 0) < 1e-11);
        CU_ASSERT(residual(&pair, &out, k, 1) < 1e-8);
    }
    done(&pair);
}

UNIT_MAIN({"an oscillator and an output", test_oscillator}, {"scales", test_scales},
          {"index 2, 3 and 4", test_index}, {"singular pencils", test_singular},
          {"random pencils", test_random}, {"RC ladders", test_ladder},
          {"pairs near a point", test_pairs})
