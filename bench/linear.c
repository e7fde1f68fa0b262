/* SPDX-License-Identifier: MIT */
/* What the choices of src/linear rest on: `make bench-linear`.
 *   1. solving again with the same factors against bare klu_solve, and factoring again with the
 * same pivots against klu_refactor, on RC ladders and square resistor meshes;
 *   2. KLU against LAPACK by size and fill: where linear.c goes over to dense.
 * Best of several runs, microseconds, one core. The matrices are written down here from Kirchhoff's
 * laws. */
#include "base/sys.h"
#include "linear/linear.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/klu.h>

typedef struct matrix {
    ln_pattern pattern;
    int *start, *row;
    double *value;
    int count;
} matrix;

static matrix room_for(int n, int entries) {
    matrix m = {.start = malloc(((size_t)n + 1) * sizeof(int)),
                .row = malloc((size_t)entries * sizeof(int)),
                .value = malloc((size_t)entries * sizeof(double))};
    if (m.start == NULL || m.row == NULL || m.value == NULL)
        exit(1);
    m.pattern = (ln_pattern){n, m.start, m.row};
    return m;
}

static void put(matrix *m, int row, double value) {
    m->row[m->count] = row;
    m->value[m->count++] = value;
}

static void let_go(matrix *m) {
    free(m->start);
    free(m->row);
    free(m->value);
}

/* Source, then `sections` of 100 Ohm and 1 nF, Crank-Nicolson with 1 us: nodes 0..sections and the
 * source's current. */
static matrix ladder(int sections) {
    matrix m = room_for(sections + 2, 4 * (sections + 2));
    double g = 1.0 / 100, c = 2 * 1e-9 / 1e-6;
    for (int j = 0; j <= sections; j++) {
        m.start[j] = m.count;
        if (j > 0)
            put(&m, j - 1, -g);
        put(&m, j, j == 0 ? g : c + (j < sections ? 2 * g : g));
        if (j < sections)
            put(&m, j + 1, -g);
        if (j == 0)
            put(&m, sections + 1, 1);
    }
    m.start[sections + 1] = m.count;
    put(&m, 0, 1);
    m.start[sections + 2] = m.count;
    return m;
}

/* side x side nodes, 1 S between neighbours, 0.3 S from each to ground. */
static matrix mesh(int side) {
    matrix m = room_for(side * side, 5 * side * side);
    for (int j = 0; j < side * side; j++) {
        int up = j >= side, left = j % side > 0, right = j % side < side - 1,
            down = j < side * (side - 1);
        m.start[j] = m.count;
        if (up)
            put(&m, j - side, -1);
        if (left)
            put(&m, j - 1, -1);
        put(&m, j, 0.3 + up + left + right + down);
        if (right)
            put(&m, j + 1, -1);
        if (down)
            put(&m, j + side, -1);
    }
    m.start[side * side] = m.count;
    return m;
}

/* n rows with `each` entries beside a strong diagonal, anywhere. */
static matrix scattered(int n, int each) {
    matrix m = room_for(n, n * n);
    unsigned state = 12345;
    for (int j = 0; j < n; j++) {
        m.start[j] = m.count;
        for (int i = 0; i < n; i++) {
            state = state * 1664525u + 1013904223u;
            if (i == j)
                put(&m, i, each + 2);
            else if ((state >> 8) % (unsigned)n < (unsigned)each)
                put(&m, i, -1 + 1e-9 * (state >> 8));
        }
    }
    m.start[n] = m.count;
    return m;
}

/* Least seconds of one call of `what` over several rounds. */
typedef struct work {
    matrix *m;
    ln_linear *linear;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    klu_common common;
    double *b, *x;
} work;
static double least(work *w, void (*what)(work *), int calls) {
    double best = 1e30;
    for (int round = 0; round < 5; round++) {
        double begin = ln_sys->clock();
        for (int k = 0; k < calls; k++)
            what(w);
        best = fmin(best, (ln_sys->clock() - begin) / calls);
    }
    return best;
}

static void by_klu(work *w) {
    memcpy(w->x, w->b, (size_t)w->m->pattern.n * sizeof *w->x);
    klu_solve(w->symbolic, w->numeric, w->m->pattern.n, 1, w->x, &w->common);
}

static void by_linnet(work *w) {
    memcpy(w->x, w->b, (size_t)w->m->pattern.n * sizeof *w->x);
    ln_linear_solve(w->linear, w->x);
}

/* Another matrix each time: one that has not moved is not factored again. */
static void factor(work *w) {
    w->m->value[0] *= 1 + 1e-12;
    ln_linear_factor(w->linear, w->m->value);
}

static void refactor_by_klu(work *w) {
    klu_refactor(w->m->start, w->m->row, w->m->value, w->symbolic, w->numeric, &w->common);
}

static void factor_and_solve(work *w) {
    factor(w);
    by_linnet(w);
}

static work begin_work(matrix *m, ln_linear_kind kind) {
    size_t n = (size_t)m->pattern.n;
    work w = {.m = m,
              .linear = ln_linear_new(&m->pattern, kind),
              .b = malloc(n * sizeof(double)),
              .x = malloc(n * sizeof(double))};
    if (w.linear == NULL || w.b == NULL || w.x == NULL ||
        ln_linear_factor(w.linear, m->value) != LN_FACTORED)
        exit(1);
    for (size_t k = 0; k < n; k++)
        w.b[k] = 1 + (double)(k % 7);
    klu_defaults(&w.common);
    w.symbolic = klu_analyze(m->pattern.n, m->start, m->row, &w.common);
    w.numeric = klu_factor(m->start, m->row, m->value, w.symbolic, &w.common);
    return w;
}

static void end_work(work *w) {
    ln_linear_free(w->linear);
    klu_free_numeric(&w->numeric, &w->common);
    klu_free_symbolic(&w->symbolic, &w->common);
    free(w->b);
    free(w->x);
}

static void compare_solves(const char *name, matrix m) {
    work w = begin_work(&m, LN_LINEAR_SPARSE);
    int calls = 4000000 / (int)(1 + ln_linear_count(w.linear).fill) + 3;
    for (int k = 0; k < 10; k++)
        by_linnet(&w);
    double klu = least(&w, by_klu, calls), ours = least(&w, by_linnet, calls),
           klu_again = least(&w, refactor_by_klu, calls / 20 + 1),
           again = least(&w, factor, calls / 20 + 1);
    const ln_linear_counts counts = ln_linear_count(w.linear);
    printf("  %-12s %7d rows %9ld in L+U   klu_solve %9.2f   linnet %9.2f   ratio %.2f   "
           "klu_refactor %.1f   linnet %.1f (%.1f products an entry)\n",
           name, m.pattern.n, counts.fill, klu * 1e6, ours * 1e6, klu / ours, klu_again * 1e6,
           again * 1e6, counts.products / (double)counts.fill);
    end_work(&w);
    let_go(&m);
}

static void compare_kinds(int n, int each) {
    matrix m = scattered(n, each);
    double seconds[2][2];
    long fill = 0;
    for (int dense = 0; dense < 2; dense++) {
        work w = begin_work(&m, dense ? LN_LINEAR_DENSE : LN_LINEAR_SPARSE);
        int calls = 20000000 / (n * n * n + 2000) + 2;
        seconds[dense][0] = least(&w, factor_and_solve, calls);
        for (int k = 0; k < 10; k++)
            by_linnet(&w);
        seconds[dense][1] = least(&w, by_linnet, calls * 4);
        if (!dense)
            fill = ln_linear_count(w.linear).fill;
        end_work(&w);
    }
    printf("  n %4d, full to %.2f   factor and solve: KLU %9.2f LAPACK %9.2f   solve: KLU %8.2f "
           "LAPACK %8.2f\n",
           n, (double)fill / n / n, seconds[0][0] * 1e6, seconds[1][0] * 1e6, seconds[0][1] * 1e6,
           seconds[1][1] * 1e6);
    let_go(&m);
}

int main(void) {
    puts("solving again with the same factors, us");
    compare_solves("ladder 100", ladder(100));
    compare_solves("ladder 1k", ladder(1000));
    compare_solves("ladder 10k", ladder(10000));
    compare_solves("ladder 100k", ladder(100000));
    compare_solves("mesh 10", mesh(10));
    compare_solves("mesh 30", mesh(30));
    compare_solves("mesh 100", mesh(100));
    compare_solves("mesh 300", mesh(300));
    puts("sparse or dense, us");
    static const int sizes[] = {2, 5, 10, 20, 40, 60, 80, 120, 200, 400};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int each = 2; each <= sizes[s]; each *= 2)
            compare_kinds(sizes[s], each);
    return 0;
}
