/* SPDX-License-Identifier: MIT */
/* Linear systems: both backends against the residual and each other, singular matrices against known null vectors. */
#include "base/sys.h"
#include "linear/linear.h"
#include "unit.h"

#include <stdlib.h>

enum { N = 80 };

typedef struct matrix { int n, start[N + 1], row[N * N]; double value[N * N]; ln_pattern pattern; } matrix;

static unsigned long seed = 1;
static double uniform(void) { /* in (-1, 1); Knuth's MMIX generator */
    seed = seed * 6364136223846793005ul + 1442695040888963407ul;
    return (double)(seed >> 11) / 4503599627370496.0 - 1;
}

/* About `per_column` entries a column, the diagonal always. */
static void random_matrix(matrix *m, int n, int per_column) {
    int count = 0;
    m->n = n;
    for (int j = 0; j < n; j++) {
        m->start[j] = count;
        for (int i = 0; i < n; i++)
            if (i == j || fabs(uniform()) * n < per_column) {
                m->row[count] = i;
                m->value[count++] = i == j ? 3 + uniform() : uniform();
            }
    }
    m->start[n] = count;
    m->pattern = (ln_pattern){n, m->start, m->row};
}

static double residual(const matrix *m, const double *x, const double *b, int transposed) {
    double r[N] = {0}, worst = 0;
    for (int j = 0; j < m->n; j++)
        for (int k = m->start[j]; k < m->start[j + 1]; k++) {
            if (transposed) r[j] += m->value[k] * x[m->row[k]];
            else r[m->row[k]] += m->value[k] * x[j];
        }
    for (int i = 0; i < m->n; i++) worst = fmax(worst, fabs(r[i] - b[i]));
    return worst;
}

static void check_solves(const matrix *m, ln_linear *linear) {
    CU_ASSERT_EQUAL_FATAL(ln_linear_factor(linear, m->value), LN_FACTORED);
    for (int turn = 0; turn < 6; turn++) {          /* before and after the factors are copied out */
        double b[N], x[N];
        for (int i = 0; i < m->n; i++) x[i] = b[i] = uniform();
        ln_linear_solve(linear, x);
        CU_ASSERT(residual(m, x, b, 0) < 1e-11);
        memcpy(x, b, sizeof x);
        ln_linear_solve_transposed(linear, x);
        CU_ASSERT(residual(m, x, b, 1) < 1e-11);
    }
}

static void random_systems(void) {
    static matrix m;
    for (int n = 1; n <= N; n += 13)
        for (int per = 1; per <= 20; per += 6)
            for (int kind = LN_LINEAR_AUTO; kind <= LN_LINEAR_SPARSE; kind++) {
                random_matrix(&m, n, per);
                ln_linear *linear = ln_linear_new(&m.pattern, (ln_linear_kind)kind);
                CU_ASSERT_PTR_NOT_NULL_FATAL(linear);
                check_solves(&m, linear);
                for (int k = 0; k < m.start[n]; k++) m.value[k] *= 1 + 0.1 * uniform();
                check_solves(&m, linear);
                ln_linear_counts counts = ln_linear_count(linear);
                CU_ASSERT_EQUAL(counts.factored + counts.refactored, 2);
                CU_ASSERT_EQUAL(counts.solved, 24);
                ln_linear_free(linear);
            }
}

/* Pivots chosen for one set of values are useless for the other: the refactorisation must notice. */
static void changed_pivots(void) {
    static const int start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    const ln_pattern pattern = {2, start, row};
    ln_linear *linear = ln_linear_new(&pattern, LN_LINEAR_SPARSE);
    const double first[] = {1, 1e-3, 1e-3, 1}, second[] = {1e-14, 1, 1, 1e-14};
    double b[2] = {1, 2};
    CU_ASSERT_EQUAL(ln_linear_factor(linear, first), LN_FACTORED);
    CU_ASSERT_EQUAL(ln_linear_factor(linear, second), LN_FACTORED);
    CU_ASSERT_EQUAL(ln_linear_count(linear).factored, 2);
    ln_linear_solve(linear, b);
    CHECK_CLOSE(b[0], 2, 1e-12);
    CHECK_CLOSE(b[1], 1, 1e-12);
    ln_linear_free(linear);
}

static void fills_to_dense(void) {
    static matrix m;
    random_matrix(&m, N, 60);
    ln_linear *linear = ln_linear_new(&m.pattern, LN_LINEAR_AUTO);
    check_solves(&m, linear);
    CU_ASSERT_EQUAL(ln_linear_chosen(linear), LN_LINEAR_DENSE);
    ln_linear_free(linear);
    random_matrix(&m, N, 1);
    linear = ln_linear_new(&m.pattern, LN_LINEAR_AUTO);
    check_solves(&m, linear);
    CU_ASSERT_EQUAL(ln_linear_chosen(linear), LN_LINEAR_SPARSE);
    ln_linear_free(linear);
}

/* A ring of conductances without reference: unknowns may shift together, equations sum to zero. */
static void floating_ring(int n) {
    int *start = malloc(((size_t)n + 1) * sizeof *start), *row = malloc(3 * (size_t)n * sizeof *row), count = 0;
    double *value = malloc(3 * (size_t)n * sizeof *value), *right = malloc(3 * (size_t)n * sizeof *right),
           *left = malloc(3 * (size_t)n * sizeof *left);
    for (int j = 0; j < n; j++) {
        int around[3] = {(j + n - 1) % n, j, (j + 1) % n};
        start[j] = count;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 3; k++)
                if (around[k] == i) {
                    row[count] = i;
                    value[count++] = k == 1 ? 2 : -1;
                }
    }
    start[n] = count;
    const ln_pattern pattern = {n, start, row};
    for (int kind = LN_LINEAR_DENSE; n < 1000 && kind <= LN_LINEAR_SPARSE; kind++) {
        ln_linear *linear = ln_linear_new(&pattern, (ln_linear_kind)kind);
        ln_factored done = ln_linear_factor(linear, value);
        if (done == LN_FACTORED) { /* rounding may leave a pivot of 1e-16: then the solution is of that size */
            double *b = right;
            for (int i = 0; i < n; i++) b[i] = i == 0;
            ln_linear_solve(linear, b);
            CU_ASSERT(fabs(b[0]) > 1e12 || !isfinite(b[0]));
        }
        ln_linear_free(linear);
    }
    CU_ASSERT_EQUAL(ln_linear_null(&pattern, value, 3, right, left), 1);
    for (int i = 0; i < n; i++) {
        CHECK_CLOSE(fabs(right[i]), 1, 1e-6);
        CHECK_CLOSE(fabs(left[i]), 1, 1e-6);
    }
    free(start);
    free(row);
    free(value);
    free(right);
    free(left);
}
static void null_vectors(void) {
    floating_ring(50);
    floating_ring(1600);
}

static void not_finite(void) {
    static matrix m;
    random_matrix(&m, 5, 3);
    ln_linear *linear = ln_linear_new(&m.pattern, LN_LINEAR_AUTO);
    m.value[0] = NAN;
    CU_ASSERT_EQUAL(ln_linear_factor(linear, m.value), LN_SINGULAR);
    double right[5], left[5];
    CU_ASSERT_EQUAL(ln_linear_null(&m.pattern, m.value, 1, right, left), -1);
    ln_linear_free(linear);
}

static void no_allocation(void) {
    static matrix m;
    random_matrix(&m, N, 4);
    ln_linear *linear = ln_linear_new(&m.pattern, LN_LINEAR_SPARSE);
    check_solves(&m, linear);
    unsigned long before = ln_sys_allocations();
    double b[N] = {1};
    for (int k = 0; k < 1000; k++) {
        if (k % 10 == 0) CU_ASSERT_EQUAL(ln_linear_factor(linear, m.value), LN_FACTORED);
        ln_linear_solve(linear, b);
    }
    CU_ASSERT_EQUAL(ln_sys_allocations(), before);
    ln_linear_free(linear);
}

/* A floating capacitor's block of E: two rows, one independent, the other minus it. */
static void row_basis(void) {
    double e[4] = {2, -2, -2, 2}, dependence[4];
    int order[2];
    CU_ASSERT_EQUAL(ln_dense_row_basis(2, 2, e, 1e-13, order, dependence), 1);
    CU_ASSERT_EQUAL(order[0] + order[1], 1);
    CHECK_CLOSE(dependence[0], -1, 1e-14);
    double full[6] = {1, 0, 1, 0, 1, 1}; /* 3 x 2: third row the sum of the others */
    double c[9];
    int p[3];
    CU_ASSERT_EQUAL(ln_dense_row_basis(3, 2, full, 1e-13, p, c), 2);
    double rows[3][2] = {{1, 0}, {0, 1}, {1, 1}};
    for (int j = 0; j < 2; j++) CHECK_CLOSE(c[0] * rows[p[0]][j] + c[1] * rows[p[1]][j], rows[p[2]][j], 1e-13);
}

UNIT_MAIN({"random systems", random_systems}, {"changed pivots", changed_pivots}, {"fill decides", fills_to_dense},
          {"null vectors", null_vectors}, {"not finite", not_finite}, {"no allocation", no_allocation},
          {"row basis", row_basis})
