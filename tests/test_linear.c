/* SPDX-License-Identifier: MIT */
/* The room `linear`: both backends against known solutions and against each other, singular
 * matrices with known null spaces, pivots that go bad, economy of memory. */
#include "unit.h"

#include "base/sys.h"
#include "linear/linear.h"
#include "linear/twisted_order.h"
#include <float.h>
#include <stdlib.h>

enum { MOST = 40, ROOM = MOST * MOST };

/* ---- matrices ---- */

typedef struct matrix {
    ln_pattern pattern;
    int start[MOST + 1], row[ROOM];
    double value[ROOM];
} matrix;

/* From a dense array a[row][column] of n x n; zeros are no entries. */
static void fill_from(matrix *m, int n, const double *a) {
    int count = 0;
    for (int j = 0; j < n; j++) {
        m->start[j] = count;
        for (int i = 0; i < n; i++) {
            if (a[i * n + j] == 0)
                continue;
            m->row[count] = i;
            m->value[count++] = a[i * n + j];
        }
    }
    m->start[n] = count;
    m->pattern = (ln_pattern){n, m->start, m->row};
}

static unsigned long long random_state = 1;
static double uniform(void) { /* in [0, 1); splitmix64 */
    unsigned long long z = random_state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}
static int below(int n) {
    return (int)(uniform() * n);
}

/* A permuted matrix with a transversal; `share` of the rest is there, only above the diagonal if
 * `triangular`. */
static void random_matrix(double *a, int n, double share, int triangular) {
    int order[MOST];
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int other = below(i + 1), swap = order[i];
        order[i] = order[other];
        order[other] = swap;
    }
    memset(a, 0, (size_t)n * (size_t)n * sizeof *a);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (i == j)
                a[order[i] * n + j] = 1 + uniform();
            else if (uniform() < share && (!triangular || j > i))
                a[order[i] * n + j] = 2 * uniform() - 1;
        }
}

/* |K x - b| or |K' x - b|, largest entry, against the size of what is added up. */
static double relative_residual(const matrix *m, const double *x, const double *b, int transposed) {
    double sum[MOST], size[MOST], worst = 0;
    int n = m->pattern.n;
    for (int i = 0; i < n; i++) {
        sum[i] = -b[i];
        size[i] = fabs(b[i]);
    }
    for (int j = 0; j < n; j++)
        for (int k = m->start[j]; k < m->start[j + 1]; k++) {
            int row = transposed ? j : m->row[k], column = transposed ? m->row[k] : j;
            sum[row] += m->value[k] * x[column];
            size[row] += fabs(m->value[k] * x[column]);
        }
    for (int i = 0; i < n; i++)
        worst = fmax(worst, fabs(sum[i]) / size[i]);
    return worst;
}

/* ---- solving ---- */

static void solve_several(ln_linear *linear, const matrix *m, double tolerance) {
    double b[MOST], x[MOST];
    for (int turn = 0; turn < 9; turn++) { /* the later ones over the copied factors */
        for (int i = 0; i < m->pattern.n; i++)
            x[i] = b[i] = 2 * uniform() - 1;
        ln_linear_solve(linear, x);
        CU_ASSERT(relative_residual(m, x, b, 0) < tolerance);
    }
    memcpy(x, b, sizeof x);
    ln_linear_solve_transposed(linear, x);
    CU_ASSERT(relative_residual(m, x, b, 1) < tolerance);
}

static void test_random_systems(void) {
    static const double shares[] = {0, 0.05, 0.2, 0.9};
    static matrix m;
    double a[ROOM];
    for (int trial = 0; trial < 200; trial++) {
        int n = 1 + below(MOST);
        random_matrix(a, n, shares[trial % 4], trial % 3 == 0);
        fill_from(&m, n, a);
        for (int kind = LN_LINEAR_DENSE; kind <= LN_LINEAR_SPARSE; kind++) {
            ln_linear *linear = ln_linear_new(&m.pattern, (ln_linear_kind)kind);
            CU_ASSERT_FATAL(linear != NULL);
            for (int again = 0; again < 3; again++) {
                CU_ASSERT_FATAL(ln_linear_factor(linear, m.value) == LN_FACTORED);
                solve_several(linear, &m, 1e-9);
                for (int k = 0; k < m.start[n]; k++)
                    m.value[k] *= 1 + 0.3 * uniform();
            }
            ln_linear_free(linear);
        }
    }
}

/* Units of rows and columns eight decades apart change neither accuracy nor what is singular. */
static void test_units(void) {
    static matrix m;
    double a[ROOM], exact[MOST], b[MOST];
    for (int trial = 0; trial < 50; trial++) {
        int n = 2 + below(MOST - 2);
        random_matrix(a, n, 0.2, 0);
        for (int i = 0; i < n; i++) {
            double row = pow(10, 8 * uniform() - 4), column = pow(10, 8 * uniform() - 4);
            for (int j = 0; j < n; j++) {
                a[i * n + j] *= row;
                a[j * n + i] *= column;
            }
        }
        fill_from(&m, n, a);
        for (int kind = LN_LINEAR_DENSE; kind <= LN_LINEAR_SPARSE; kind++) {
            ln_linear *linear = ln_linear_new(&m.pattern, (ln_linear_kind)kind);
            CU_ASSERT(ln_linear_factor(linear, m.value) == LN_FACTORED);
            for (int i = 0; i < n; i++)
                exact[i] = b[i] = 2 * uniform() - 1;
            ln_linear_solve(linear, exact);
            CU_ASSERT(relative_residual(&m, exact, b, 0) < 1e-9);
            ln_linear_free(linear);
        }
    }
}

/* Rows as small and as large as numbers go are brought to one size without rounding. */
static void test_far_rows(void) {
    static const double sizes[3] = {1e-300, 1, 1e300};
    static matrix m;
    double a[9] = {2, 1, 0, 1, 3, 1, 0, 1, 4}, x[3];
    for (int k = 0; k < 9; k++)
        a[k] *= sizes[k / 3];
    fill_from(&m, 3, a);
    ln_linear *linear = ln_linear_new(&m.pattern, LN_LINEAR_SPARSE);
    for (int again = 0; again < 3; again++) {
        CU_ASSERT(ln_linear_factor(linear, m.value) == LN_FACTORED);
        for (int i = 0; i < 3; i++)
            x[i] = a[3 * i] + a[3 * i + 1] + a[3 * i + 2];
        ln_linear_solve(linear, x);
        for (int i = 0; i < 3; i++)
            CHECK_CLOSE(x[i], 1, 1e-14);
        for (int k = 0; k < 9; k++)
            a[k] *= 1.25;
        fill_from(&m, 3, a);
    }
    CU_ASSERT_EQUAL(ln_linear_count(linear).refactored, 2);
    ln_linear_free(linear);
}

static void test_small_sizes(void) {
    static const int start0[] = {0}, start1[] = {0, 1}, row[] = {0};
    static const double four[] = {4}, zero[] = {0}, nan_value[] = {NAN}, infinite[] = {INFINITY};
    for (int kind = LN_LINEAR_AUTO; kind <= LN_LINEAR_SPARSE; kind++) {
        ln_pattern none = {0, start0, row}, one = {1, start1, row};
        ln_linear *linear = ln_linear_new(&none, (ln_linear_kind)kind);
        CU_ASSERT(ln_linear_factor(linear, four) == LN_FACTORED);
        ln_linear_solve(linear, NULL);
        ln_linear_free(linear);
        linear = ln_linear_new(&one, (ln_linear_kind)kind);
        CU_ASSERT(ln_linear_factor(linear, zero) == LN_SINGULAR);
        CU_ASSERT(ln_linear_factor(linear, nan_value) == LN_SINGULAR);
        CU_ASSERT(ln_linear_factor(linear, infinite) == LN_SINGULAR);
        CU_ASSERT(ln_linear_factor(linear, four) == LN_FACTORED);
        for (int turn = 0; turn < 9; turn++) {
            double b = 10;
            ln_linear_solve(linear, &b);
            CHECK_CLOSE(b, 2.5, 0);
        }
        CU_ASSERT(ln_linear_factor(linear, nan_value) == LN_SINGULAR);
        ln_linear_free(linear);
    }
    ln_linear_free(NULL);
}

/* New values under which the old pivots would divide by almost nothing. */
static void test_changed_pivots(void) {
    static matrix m;
    double a[9] = {1, 1, 0, 1, 3, 1, 0, 1, 1};
    fill_from(&m, 3, a);
    ln_linear *linear = ln_linear_new(&m.pattern, LN_LINEAR_SPARSE);
    CU_ASSERT(ln_linear_factor(linear, m.value) == LN_FACTORED);
    double b[3] = {2, 5, 2};
    ln_linear_solve(linear, b);
    for (int i = 0; i < 3; i++)
        CHECK_CLOSE(b[i], 1, 1e-14);
    /* columns (0 1 0), (2 1 2), (0 3 0): first and last equation both give the middle unknown */
    for (int j = 0, k = 0; j < 3; j++)
        for (; k < m.start[j + 1]; k++)
            m.value[k] = m.row[k] == j ? (j == 1) : 1 + j;
    CU_ASSERT(ln_linear_factor(linear, m.value) == LN_SINGULAR);
    double c[16] = {1e-18, 1, 0, 0, 1, 1, 1, 0, 0, 1, 1e-18, 1, 0, 0, 1, 2};
    double sound[16] = {5, 1, 0, 0, 1, 5, 1, 0, 0, 1, 5, 1, 0, 0, 1, 5};
    ln_linear_free(linear);
    fill_from(&m, 4, sound);
    linear = ln_linear_new(&m.pattern, LN_LINEAR_SPARSE);
    CU_ASSERT(ln_linear_factor(linear, m.value) == LN_FACTORED);
    solve_several(linear, &m, 1e-14);
    fill_from(&m, 4, c);
    CU_ASSERT(ln_linear_factor(linear, m.value) == LN_FACTORED);
    solve_several(linear, &m, 1e-12);
    CU_ASSERT(ln_linear_count(linear).factored == 2 && ln_linear_count(linear).refactored == 0);
    m.value[m.start[4] - 1] = 2.5;
    CU_ASSERT(ln_linear_factor(linear, m.value) == LN_FACTORED);
    CU_ASSERT(ln_linear_count(linear).refactored == 1);
    solve_several(linear, &m, 1e-12);
    ln_linear_free(linear);
}

/* ---- networks of conductors ---- */

typedef struct sheet {
    ln_pattern pattern;
    int *start, *row;
    double *value;
} sheet;

/* side x side nodes joined by conductances around 1 S; `ground` S from node 0 to the reference. */
static sheet conductors(int columns, int rows, double ground) {
    int n = columns * rows, count = 0;
    sheet s = {.start = malloc(((size_t)n + 1) * sizeof(int)),
               .row = malloc(5 * (size_t)n * sizeof(int)),
               .value = malloc(5 * (size_t)n * sizeof(double))};
    double *right = malloc((size_t)n * sizeof(double)), *down = malloc((size_t)n * sizeof(double));
    CU_ASSERT_FATAL(s.start != NULL && s.row != NULL && s.value != NULL && right != NULL &&
                    down != NULL);
    for (int j = 0; j < n; j++) {
        right[j] = j % columns < columns - 1 ? 0.1 + uniform() : 0;
        down[j] = j < n - columns ? 0.1 + uniform() : 0;
    }
    for (int j = 0; j < n; j++) {
        double up = j >= columns ? down[j - columns] : 0, left = j % columns > 0 ? right[j - 1] : 0;
        struct {
            int to;
            double g;
        } side[] = {{j - columns, -up},
                    {j - 1, -left},
                    {j, up + left + right[j] + down[j] + (j == 0 ? ground : 0)},
                    {j + 1, -right[j]},
                    {j + columns, -down[j]}};
        s.start[j] = count;
        for (int k = 0; k < 5; k++) {
            if (side[k].g == 0)
                continue;
            s.row[count] = side[k].to;
            s.value[count++] = side[k].g;
        }
    }
    s.start[n] = count;
    s.pattern = (ln_pattern){n, s.start, s.row};
    free(right);
    free(down);
    return s;
}

static void free_sheet(sheet *s) {
    free(s->start);
    free(s->row);
    free(s->value);
}

/* Without a reference a network of conductors is singular, though rounding leaves no exact zero;
 * with one it is not, even through a large resistance. */
static void test_rounding_or_zero(void) {
    static const struct {
        int columns, rows;
        ln_linear_kind kind;
    } cases[] = {{2, 1, LN_LINEAR_DENSE},     {7, 5, LN_LINEAR_DENSE},   {20, 20, LN_LINEAR_DENSE},
                 {2, 1, LN_LINEAR_SPARSE},    {7, 5, LN_LINEAR_SPARSE},  {30, 30, LN_LINEAR_SPARSE},
                 {2000, 1, LN_LINEAR_SPARSE}, {60, 60, LN_LINEAR_SPARSE}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int trial = 0; trial < 5; trial++)
            for (int grounded = 0; grounded < 2; grounded++) {
                sheet s = conductors(cases[k].columns, cases[k].rows, grounded ? 1e-9 : 0);
                ln_linear *linear = ln_linear_new(&s.pattern, cases[k].kind);
                CU_ASSERT(ln_linear_factor(linear, s.value) ==
                          (grounded ? LN_FACTORED : LN_SINGULAR));
                ln_linear_free(linear);
                free_sheet(&s);
            }
}

/* One island: every node belongs to the one null vector, unknowns and equations alike. Small by
 * SVD, large by iteration. */
static void test_floating_network(void) {
    static const int sides[] = {3, 30, 45};
    for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
        sheet s = conductors(sides[k], sides[k], 0);
        size_t n = (size_t)s.pattern.n;
        double *right = malloc(3 * n * sizeof *right), *left = malloc(3 * n * sizeof *left);
        CU_ASSERT_EQUAL(ln_linear_null(&s.pattern, s.value, 3, right, left), 1);
        double off = 0;
        for (size_t i = 0; i < n; i++)
            off = fmax(off, fmax(fabs(right[i] - 1), fabs(left[i] - 1)));
        CU_ASSERT(off < 1e-6);
        free(right);
        free(left);
        free_sheet(&s);
    }
}

/* Two islands of `half` nodes in a row each: two vectors, each the nodes of one island and nothing
 * else. */
static void check_two_islands(int half) {
    sheet s = conductors(2 * half, 1, 0);
    for (int j = 0; j < 2 * half; j++) /* cut the link between the halves */
        for (int k = s.start[j]; k < s.start[j + 1]; k++)
            if ((j < half) != (s.row[k] < half)) {
                for (int d = s.start[j]; d < s.start[j + 1]; d++)
                    if (s.row[d] == j)
                        s.value[d] += s.value[k];
                s.value[k] = 0;
            }
    size_t n = (size_t)s.pattern.n;
    double *right = malloc(4 * n * sizeof *right), *left = malloc(4 * n * sizeof *left);
    CU_ASSERT_EQUAL_FATAL(ln_linear_null(&s.pattern, s.value, 4, right, left), 2);
    double worst = 0;
    for (int v = 0; v < 2; v++) {
        double *vector = right + (size_t)v * n;
        int first = fabs(vector[0]) > 0.5;
        for (int i = 0; i < 2 * half; i++)
            worst = fmax(worst, fabs(vector[i] - ((i < half) == first)));
    }
    CU_ASSERT((fabs(right[0]) > 0.5) != (fabs(right[n]) > 0.5));
    CU_ASSERT(worst < 1e-6);
    free(right);
    free(left);
    free_sheet(&s);
}
static void test_two_islands(void) {
    check_two_islands(4);
    check_two_islands(1000);
}

/* Two voltage sources across the same node (unknowns v, i1, i2): the currents are undetermined
 * against each other, the two source equations depend on each other. */
static void test_source_loop(void) {
    static matrix m;
    double a[9] = {0.5, 1, 1, 1, 0, 0, 1, 0, 0}, right[9], left[9];
    fill_from(&m, 3, a);
    for (int kind = LN_LINEAR_DENSE; kind <= LN_LINEAR_SPARSE; kind++) {
        ln_linear *linear = ln_linear_new(&m.pattern, (ln_linear_kind)kind);
        CU_ASSERT(ln_linear_factor(linear, m.value) == LN_SINGULAR);
        ln_linear_free(linear);
    }
    CU_ASSERT_EQUAL_FATAL(ln_linear_null(&m.pattern, m.value, 3, right, left), 1);
    CHECK_CLOSE(right[0], 0, 1e-12);
    CHECK_CLOSE(right[1] + right[2], 0, 1e-12);
    CHECK_CLOSE(fabs(right[1]), 1, 1e-12);
    CHECK_CLOSE(left[0], 0, 1e-12);
    CHECK_CLOSE(left[1] + left[2], 0, 1e-12);
    double zeros[9] = {0, 0, 0, 0, 2, 0, 0, 0, 3}; /* a row and column of nothing */
    fill_from(&m, 3, zeros);
    CU_ASSERT_EQUAL_FATAL(ln_linear_null(&m.pattern, m.value, 3, right, left), 1);
    for (int i = 0; i < 3; i++)
        CHECK_CLOSE(right[i], i == 0, 1e-14);
    m.value[0] = NAN;
    CU_ASSERT_EQUAL(ln_linear_null(&m.pattern, m.value, 3, right, left), 0);
}

/* ---- chains ---- */

/* A chain is eliminated from both ends, and the answer stays right; a sheet keeps its order. */
static void check_chain(int columns, int rows, int turned) {
    sheet s = conductors(columns, rows, 1);
    int n = s.pattern.n, *order = malloc((size_t)n * sizeof *order),
        *seen = calloc((size_t)n, sizeof *seen), missing = 0;
    /* along the longer side */
    for (int k = 0; k < n; k++)
        order[k] = columns == n ? k : k % rows * columns + k / rows;
    CU_ASSERT_EQUAL(ln_twisted_order(n, s.start, s.row, order), turned);
    for (int k = 0; k < n; k++)
        seen[order[k]]++;
    for (int k = 0; k < n; k++)
        missing += seen[k] != 1;
    CU_ASSERT_EQUAL(missing, 0);
    CU_ASSERT_EQUAL(order[n / 2] == n - 1, turned);
    double *b = malloc((size_t)n * sizeof *b), *exact = malloc((size_t)n * sizeof *exact),
           worst = 0;
    ln_linear *linear = ln_linear_new(&s.pattern, LN_LINEAR_SPARSE);
    CU_ASSERT(ln_linear_factor(linear, s.value) == LN_FACTORED);
    for (int turn = 0; turn < 9; turn++) {
        for (int i = 0; i < n; i++) {
            exact[i] = uniform();
            b[i] = 0;
        }
        for (int j = 0; j < n; j++)
            for (int k = s.start[j]; k < s.start[j + 1]; k++)
                b[s.row[k]] += s.value[k] * exact[j];
        ln_linear_solve(linear, b);
        for (int i = 0; i < n; i++)
            worst = fmax(worst, fabs(b[i] - exact[i]));
    }
    CU_ASSERT(worst < 1e-8); /* the condition number goes with the square of the length */
    ln_linear_free(linear);
    free(order);
    free(seen);
    free(b);
    free(exact);
    free_sheet(&s);
}
static void test_chains(void) {
    check_chain(63, 1, 0);
    check_chain(64, 1, 1);
    check_chain(1001, 1, 1);
    check_chain(300, 2, 1);
    check_chain(30, 30, 0);
}

/* ---- choice, economy, faults ---- */

static void test_choice(void) {
    static const struct {
        int n, full;
        ln_linear_kind chosen;
    } cases[] = {{20, 1, LN_LINEAR_SPARSE}, {200, 1, LN_LINEAR_DENSE}, {200, 0, LN_LINEAR_SPARSE}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        int n = cases[c].n, count = 0;
        size_t size = (size_t)n * (size_t)n;
        sheet s = {.start = malloc(((size_t)n + 1) * sizeof(int)),
                   .row = malloc(size * sizeof(int)),
                   .value = malloc(size * sizeof(double))};
        for (int j = 0; j < n; j++) {
            s.start[j] = count;
            for (int i = 0; i < n; i++)
                if (i == j || cases[c].full) {
                    s.row[count] = i;
                    s.value[count++] = i == j ? n : uniform();
                }
        }
        s.start[n] = count;
        s.pattern = (ln_pattern){n, s.start, s.row};
        ln_linear *linear = ln_linear_new(&s.pattern, LN_LINEAR_AUTO);
        CU_ASSERT(ln_linear_factor(linear, s.value) == LN_FACTORED);
        CU_ASSERT_EQUAL(ln_linear_chosen(linear), cases[c].chosen);
        ln_linear_free(linear);
        free_sheet(&s);
    }
}

/* Amplifiers in a row, each fed by three outputs not far off, at rest: of each an input, an output
 * and its current, which is on no diagonal. `follows`: the inputs' capacitors are there, too, as in
 * a step. */
static void amplifiers(sheet *s, int n, int follows) {
    enum { NEAR = 40, FED_BY = 3 };
    s->start = malloc((3 * (size_t)n + 1) * sizeof(int));
    s->row = malloc(16 * (size_t)n * sizeof(int));
    s->value = malloc(16 * (size_t)n * sizeof(double));
    double *dense = calloc(9 * (size_t)n * (size_t)n, sizeof *dense);
    for (int k = 0; k < n; k++) {
        double *input = dense + 3 * k, *output = input + 1; /* columns follow after 3 n */
        const int column = 3 * n;
        for (int i = 0; i < FED_BY; i++) {
            const int from = (k + n - NEAR + below(2 * NEAR)) % n;
            const double G = 1e-3 * (0.1 + uniform());
            input[3 * k * column] += G;
            input[(3 * from + 1) * column] -= G;
            dense[3 * from + 1 + (3 * from + 1) * column] += G;
            dense[3 * from + 1 + 3 * k * column] -= G;
        }
        if (follows) {
            input[3 * k * column] += 1e-3;
            output[3 * k * column] -= 1e-3;
        }
        output[(3 * k + 2) * column] = 1;
        dense[3 * k + 2 + (3 * k + 1) * column] = 1;
        dense[3 * k + 2 + 3 * k * column] = 1e5;
    }
    int count = 0;
    for (int j = 0; j < 3 * n; j++) {
        s->start[j] = count;
        for (int i = 0; i < 3 * n; i++)
            if (dense[i + j * 3 * n] != 0) {
                s->row[count] = i;
                s->value[count++] = dense[i + j * 3 * n];
            }
    }
    s->start[3 * n] = count;
    s->pattern = (ln_pattern){3 * n, s->start, s->row};
    free(dense);
}

/* COLAMD serves them better. */
static void test_orders(void) {
    for (int follows = 0; follows < 2; follows++) {
        sheet s;
        amplifiers(&s, 400, follows);
        ln_linear *linear = ln_linear_new(&s.pattern, LN_LINEAR_SPARSE);
        CU_ASSERT(ln_linear_factor(linear, s.value) == LN_FACTORED);
        CU_ASSERT(ln_linear_count(linear).fill < 20000); /* 28 000 by AMD */
        ln_linear_free(linear);
        free_sheet(&s);
    }
}

/* The matrix of the last factorisation is not factored again; one that differs in a bit is, and so
 * is a good one after one that failed; whether each matrix, none or every other one is written into
 * the solver's own room. */
static void test_same_matrix(void) {
    enum { NONE, ALL, EVERY_OTHER, WAYS };
    sheet s = conductors(6, 6, 1);
    const double conductance = s.value[0];
    const size_t bytes = (size_t)s.pattern.start[s.pattern.n] * sizeof *s.value;
    for (int kind_and_way = 0; kind_and_way < 2 * WAYS; kind_and_way++) {
        const int way = kind_and_way / 2;
        ln_linear *linear =
            ln_linear_new(&s.pattern, kind_and_way % 2 ? LN_LINEAR_DENSE : LN_LINEAR_SPARSE);
        const double values[] = {1, 2, 2, 2, nextafter(2, 3), 2, NAN, 2, 2};
        static const int counted[] = {1, 2, 2, 2, 3, 4, 4, 5, 5};
        for (int k = 0; k < 9; k++) {
            s.value[0] = conductance * values[k];
            double *room = ln_linear_room(linear);
            const int in_room = way == ALL || (way == EVERY_OTHER && k % 2 == 1);
            memcpy(room, s.value, bytes);
            CU_ASSERT(ln_linear_factor(linear, in_room ? room : s.value) ==
                      (isnan(values[k]) ? LN_SINGULAR : LN_FACTORED));
            const ln_linear_counts counts = ln_linear_count(linear);
            CU_ASSERT_EQUAL(counts.factored + counts.refactored, counted[k]);
        }
        ln_linear_free(linear);
        s.value[0] = conductance;
    }
    free_sheet(&s);
}

static void test_no_allocation(void) {
    sheet s = conductors(30, 30, 1);
    double *b = calloc((size_t)s.pattern.n, sizeof *b);
    for (int kind = LN_LINEAR_DENSE; kind <= LN_LINEAR_SPARSE; kind++) {
        ln_linear *linear = ln_linear_new(&s.pattern, (ln_linear_kind)kind);
        CU_ASSERT(ln_linear_factor(linear, s.value) == LN_FACTORED);
        unsigned long before = ln_sys_allocations();
        for (int turn = 0; turn < 30; turn++) {
            b[0] = 1;
            ln_linear_solve(linear, b);
            if (turn % 10 == 9) {
                s.value[0] *= 1.5;
                CU_ASSERT(ln_linear_factor(linear, s.value) == LN_FACTORED);
            }
        }
        CU_ASSERT_EQUAL(ln_sys_allocations(), before);
        CU_ASSERT(ln_linear_count(linear).refactored == 3 || kind == LN_LINEAR_DENSE);
        CU_ASSERT_EQUAL(ln_linear_count(linear).solved, 30);
        ln_linear_free(linear);
    }
    free(b);
    free_sheet(&s);
}

static int calls_left;
static void *allocate_some(size_t bytes) {
    return calls_left-- > 0 ? ln_sys_real.allocate(bytes) : NULL;
}

static void test_short_memory(void) {
    sheet s = conductors(5, 5, 1);
    ln_sys_table table = ln_sys_real;
    double right[75], left[75];
    table.allocate = allocate_some;
    for (int kind = LN_LINEAR_DENSE; kind <= LN_LINEAR_SPARSE; kind++) {
        int succeeded = 0;
        for (int calls = 0; calls < 40; calls++) {
            calls_left = calls;
            ln_sys = &table;
            ln_linear *linear = ln_linear_new(&s.pattern, (ln_linear_kind)kind);
            ln_factored outcome =
                linear == NULL ? LN_FACTOR_MEMORY : ln_linear_factor(linear, s.value);
            CU_ASSERT(outcome == LN_FACTORED || outcome == LN_FACTOR_MEMORY);
            CU_ASSERT(outcome == LN_FACTORED || !succeeded);
            succeeded = outcome == LN_FACTORED;
            ln_linear_free(linear);
            ln_sys = &ln_sys_real;
        }
        CU_ASSERT(succeeded);
    }
    for (int calls = 0; calls < 40; calls++) {
        calls_left = calls;
        ln_sys = &table;
        int found = ln_linear_null(&s.pattern, s.value, 3, right, left);
        ln_sys = &ln_sys_real;
        CU_ASSERT(found == (calls < 6 ? -1 : 0));
    }
    free_sheet(&s);
}

/* Factors by the list of an earlier elimination give, bit for bit, what KLU gives that sees the
 * matrix for the first time, where it chooses the same pivots. */
static void test_replay(void) {
    static matrix m;
    double a[ROOM], x[2][MOST];
    for (int trial = 0; trial < 100; trial++) {
        const int n = 1 + below(MOST);
        random_matrix(a, n, trial % 2 == 0 ? 0.05 : 0.2, trial % 3 == 0);
        fill_from(&m, n, a);
        ln_linear *one[2] = {ln_linear_new(&m.pattern, LN_LINEAR_SPARSE),
                             ln_linear_new(&m.pattern, LN_LINEAR_SPARSE)};
        for (int k = 0; k < m.start[n]; k++)
            m.value[k] *= fabs(m.value[k]) >= 1 ? 1e4 : 1; /* these alone are pivots */
        CU_ASSERT(ln_linear_factor(one[0], m.value) == LN_FACTORED);
        for (int k = 0; k < m.start[n]; k++)
            m.value[k] *= 1 + 0.3 * uniform();
        for (int which = 0; which < 2; which++) {
            CU_ASSERT(ln_linear_factor(one[which], m.value) == LN_FACTORED);
            for (int i = 0; i < n; i++)
                x[which][i] = 1.0 / (1 + i);
            ln_linear_solve(one[which], x[which]);
        }
        CU_ASSERT(memcmp(x[0], x[1], (size_t)n * sizeof(double)) == 0);
        CU_ASSERT_EQUAL(ln_linear_count(one[0]).refactored, 1);
        ln_linear_free(one[0]);
        ln_linear_free(one[1]);
    }
}

/* ---- independent rows ---- */

static void test_row_basis(void) {
    /* rows a, b, a + 2 b, 0, a - b of length 4, by columns */
    double rows[5][4] = {{1, 2, 0, -1}, {0, 1, 3, 1}, {1, 4, 6, 1}, {0, 0, 0, 0}, {1, 1, -3, -2}};
    double copy[20], dependence[25];
    int order[5];
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 4; j++)
            copy[j * 5 + i] = rows[i][j];
    int rank = ln_dense_row_basis(5, 4, copy, 1e-12, order, dependence);
    CU_ASSERT_EQUAL_FATAL(rank, 2);
    for (int k = 0; k < 5 - rank; k++)
        for (int j = 0; j < 4; j++) {
            double sum = 0;
            for (int i = 0; i < rank; i++)
                sum += dependence[i * (5 - rank) + k] * rows[order[i]][j];
            CHECK_CLOSE(sum, rows[order[rank + k]][j], 1e-13);
        }
    int seen = 0;
    for (int i = 0; i < 5; i++)
        seen |= 1 << order[i];
    CU_ASSERT_EQUAL(seen, 31);
    double one[1] = {0};
    CU_ASSERT_EQUAL(ln_dense_row_basis(1, 1, one, 1e-12, order, dependence), 0);
    CU_ASSERT_EQUAL(order[0], 0);
    CU_ASSERT_EQUAL(ln_dense_row_basis(2, 0, one, 1e-12, order, dependence), 0);
}

/* [1 2; 2 4; 0 0] x = (1, 2, 5): of rank 1; the shortest of the nearest is (1, 2)/5. Two numbers,
 * one equation: likewise. */
static void test_least_squares(void) {
    double A[6] = {1, 2, 0, 2, 4, 0}, b[3] = {1, 2, 5}, C[2] = {3, 4}, d[2] = {10, 0};
    CU_ASSERT_EQUAL(ln_dense_least_squares(3, 2, A, 1e-12, b), 1);
    CHECK_CLOSE(b[0], 0.2, 1e-14);
    CHECK_CLOSE(b[1], 0.4, 1e-14);
    CU_ASSERT_EQUAL(ln_dense_least_squares(1, 2, C, 1e-12, d), 1);
    CHECK_CLOSE(d[0], 1.2, 1e-14);
    CHECK_CLOSE(d[1], 1.6, 1e-14);
}

UNIT_MAIN({"least squares", test_least_squares},
          {"random systems, both backends", test_random_systems},
          {"rows and columns in any unit", test_units},
          {"rows of very different size", test_far_rows},
          {"no rows, one row, not finite", test_small_sizes},
          {"pivots that went bad", test_changed_pivots},
          {"the same matrix again", test_same_matrix},
          {"rounding is not a pivot", test_rounding_or_zero},
          {"null vector of a floating network", test_floating_network},
          {"two islands come apart", test_two_islands}, {"loop of sources", test_source_loop},
          {"chains from both ends", test_chains}, {"orders of amplifiers", test_orders},
          {"dense or sparse", test_choice}, {"no allocation between solves", test_no_allocation},
          {"memory runs short", test_short_memory}, {"independent rows", test_row_basis},
          {"an elimination again", test_replay})
