/* SPDX-License-Identifier: MIT */
/* Complex linear systems against the real ones of twice the size that they are, and against Ohm's
 * law for phasors. */
#include "unit.h"

#include "base/sys.h"
#include "linear/linear.h"

enum { N = 12, ENTRIES = N * N };

static unsigned long long random_state = 3;
static double uniform(void) { /* in [-1, 1); splitmix64 */
    unsigned long long z = random_state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

/* A complex matrix in `value`, and [Re -Im; Im Re] in `twice`, both by columns. */
typedef struct system_pair {
    ln_pattern pattern, twice_pattern;
    int start[N + 1], row[ENTRIES], twice_start[2 * N + 1], twice_row[4 * ENTRIES];
    double value[2 * ENTRIES], twice[4 * ENTRIES];
} system_pair;

static void make_system(system_pair *s, double share) {
    int count = 0;
    for (int j = 0; j < N; j++) {
        s->start[j] = count;
        for (int i = 0; i < N; i++) {
            /* a transversal off the diagonal */
            if (i != (j + 1) % N && uniform() > share)
                continue;
            s->row[count] = i;
            s->value[2 * count] = uniform() + (i == (j + 1) % N ? 2 : 0);
            s->value[2 * count++ + 1] = uniform();
        }
    }
    s->start[N] = count;
    s->pattern = (ln_pattern){N, s->start, s->row};
    count = 0;
    for (int j = 0; j < 2 * N; j++) {
        s->twice_start[j] = count;
        for (int half = 0; half < 2; half++)
            for (int k = s->start[j % N]; k < s->start[j % N + 1]; k++) {
                double re = s->value[2 * k], im = s->value[2 * k + 1];
                s->twice_row[count] = s->row[k] + half * N;
                s->twice[count++] = (j >= N) == half ? re : half ? im : -im;
            }
    }
    s->twice_start[2 * N] = count;
    s->twice_pattern = (ln_pattern){2 * N, s->twice_start, s->twice_row};
}

static void test_against_real(void) {
    static system_pair s;
    for (int trial = 0; trial < 60; trial++) {
        make_system(&s, trial % 2 ? 0.9 : -0.6);
        ln_linear *real = ln_linear_new(&s.twice_pattern, LN_LINEAR_DENSE);
        CU_ASSERT_FATAL(ln_linear_factor(real, s.twice) == LN_FACTORED);
        for (int kind = LN_LINEAR_AUTO; kind <= LN_LINEAR_SPARSE; kind++) {
            double b[2 * N], x[2 * N], y[2 * N], worst = 0;
            ln_linear *complex = ln_linear_new_complex(&s.pattern, (ln_linear_kind)kind);
            for (int again = 0; again < 2; again++)
                CU_ASSERT_FATAL(ln_linear_factor(complex, s.value) == LN_FACTORED);
            for (int transposed = 0; transposed < 2; transposed++) {
                for (int i = 0; i < 2 * N; i++)
                    x[i] = b[i] = uniform();
                for (int i = 0; i < 2 * N; i++)
                    y[i % 2 * N + i / 2] = b[i] * (transposed && i % 2 ? -1 : 1);
                if (transposed) {
                    ln_linear_solve_transposed(complex, x);
                    /* K' y = b is conj(K)^T: of the conjugated b */
                    ln_linear_solve_transposed(real, y);
                } else {
                    ln_linear_solve(complex, x);
                    ln_linear_solve(real, y);
                }
                for (int i = 0; i < 2 * N; i++)
                    worst = fmax(
                        worst, fabs(x[i] - y[i % 2 * N + i / 2] * (transposed && i % 2 ? -1 : 1)));
            }
            CU_ASSERT(worst < 1e-9);
            CU_ASSERT_EQUAL(ln_linear_count(complex).refactored, kind == LN_LINEAR_DENSE ? 0 : 1);
            ln_linear_free(complex);
        }
        ln_linear_free(real);
    }
}

/* 1 V behind 3 Ohm and 4j Ohm in series: 0.12 - 0.16j A. Unknowns: source node, middle, source
 * current. */
static void test_phasor(void) {
    static const int start[] = {0, 3, 5, 6}, row[] = {0, 1, 2, 0, 1, 0};
    const double g = 1.0 / 3, b = -0.25;
    const double value[] = {g, 0, -g, 0, 1, 0, -g, 0, g, b, 1, 0};
    ln_pattern pattern = {3, start, row};
    for (int kind = LN_LINEAR_DENSE; kind <= LN_LINEAR_SPARSE; kind++) {
        ln_linear *linear = ln_linear_new_complex(&pattern, (ln_linear_kind)kind);
        CU_ASSERT(ln_linear_factor(linear, value) == LN_FACTORED);
        unsigned long before = ln_sys_allocations();
        double x[6] = {0, 0, 0, 0, 1, 0};
        ln_linear_solve(linear, x);
        CU_ASSERT_EQUAL(ln_sys_allocations(), before);
        CHECK_CLOSE(x[0], 1, 1e-15);
        CHECK_CLOSE(x[2], 0.64, 1e-15); /* 4j / (3 + 4j) */
        CHECK_CLOSE(x[3], 0.48, 1e-15);
        CHECK_CLOSE(x[4], -0.12, 1e-15);
        CHECK_CLOSE(x[5], 0.16, 1e-15);
        ln_linear_free(linear);
    }
}

/* Rows (1 + j, 2) and (1, 1 - j): the first is 1 + j times the second. */
static void test_singular(void) {
    static const int start[] = {0, 2, 4}, row[] = {0, 1, 0, 1}, none[] = {0};
    double value[] = {1, 1, 1, 0, 2, 0, 1, -1}, *where[] = {&value[0], &value[7]};
    ln_pattern pattern = {2, start, row}, empty = {0, none, row};
    for (int kind = LN_LINEAR_DENSE; kind <= LN_LINEAR_SPARSE; kind++) {
        ln_linear *linear = ln_linear_new_complex(&pattern, (ln_linear_kind)kind);
        CU_ASSERT(ln_linear_factor(linear, value) == LN_SINGULAR);
        for (int k = 0; k < 2; k++) {
            double kept = *where[k];
            *where[k] = k ? NAN : INFINITY;
            CU_ASSERT(ln_linear_factor(linear, value) == LN_SINGULAR);
            *where[k] = kept;
        }
        value[1] = 3;
        CU_ASSERT(ln_linear_factor(linear, value) == LN_FACTORED);
        value[1] = 1;
        ln_linear_free(linear);
        linear = ln_linear_new_complex(&empty, (ln_linear_kind)kind);
        CU_ASSERT(ln_linear_factor(linear, value) == LN_FACTORED);
        ln_linear_solve(linear, NULL);
        ln_linear_free(linear);
    }
}

UNIT_MAIN({"against the real system of twice the size", test_against_real},
          {"phasors", test_phasor}, {"singular, not finite, empty", test_singular})
