/* SPDX-License-Identifier: MIT */
/* Linear algebra: where dense beats sparse, and what copying the factors out of KLU gives. Matrices of a conductance mesh
 * and of random circuits of rising fill; microseconds per factorisation and per solve, best of several. */
#include "linear/linear.h"

#include "base/sys.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <suitesparse/klu.h>

typedef struct matrix { int n, *start, *row; double *value; } matrix;

static matrix make(int n, int (*coupled)(int i, int j, int parameter), int parameter) {
    matrix m = {n, malloc(((size_t)n + 1) * sizeof(int)), NULL, NULL};
    int count = 0, room = 0;
    for (int j = 0; j < n; j++) {
        m.start[j] = count;
        int span = parameter > 0 ? n : 2;
        for (int i = j - span < 0 ? 0 : j - span; i < n && i <= j + span; i++) {
            if (i != j && !coupled(i, j, parameter)) continue;
            if (count == room) {
                room = room * 2 + 64;
                m.row = realloc(m.row, (size_t)room * sizeof(int));
                m.value = realloc(m.value, (size_t)room * sizeof(double));
            }
            m.row[count] = i;
            m.value[count++] = i == j ? 10 : -1 + 0.1 * sin(i + 3 * j);
        }
    }
    m.start[n] = count;
    return m;
}
static int chain(int i, int j, int p) { return (void)p, abs(i - j) == 1; }
static int mesh(int i, int j, int side) { return abs(i - j) == side || (abs(i - j) == 1 && i / side == j / side); }
static int scattered(int i, int j, int per_thousand) { return (unsigned)(i * 7919 + j * 104729) % 1000u < (unsigned)per_thousand; }

static double best_factor(const matrix *m, ln_linear_kind kind, int turns) {
    ln_pattern pattern = {m->n, m->start, m->row};
    ln_linear *linear = ln_linear_new(&pattern, kind);
    double best = 1e9;
    for (int k = 0; k < turns; k++) {
        double begin = ln_sys->clock();
        if (ln_linear_factor(linear, m->value) != LN_FACTORED) return NAN;
        best = fmin(best, ln_sys->clock() - begin);
    }
    ln_linear_free(linear);
    return 1e6 * best;
}

static double best_solve(const matrix *m, ln_linear_kind kind, int turns) {
    ln_pattern pattern = {m->n, m->start, m->row};
    ln_linear *linear = ln_linear_new(&pattern, kind);
    double best = 1e9, *b = calloc((size_t)m->n, sizeof *b);
    if (ln_linear_factor(linear, m->value) != LN_FACTORED) return NAN;
    for (int k = 0; k < turns; k++) {
        for (int i = 0; i < m->n; i++) b[i] = i;
        double begin = ln_sys->clock();
        ln_linear_solve(linear, b);
        best = fmin(best, ln_sys->clock() - begin);
    }
    ln_linear_free(linear);
    free(b);
    return 1e6 * best;
}

static double best_klu_solve(const matrix *m, int turns) {
    klu_common common;
    klu_defaults(&common);
    klu_symbolic *symbolic = klu_analyze(m->n, m->start, m->row, &common);
    klu_numeric *numeric = klu_factor(m->start, m->row, m->value, symbolic, &common);
    double best = 1e9, *b = calloc((size_t)m->n, sizeof *b);
    for (int k = 0; k < turns; k++) {
        for (int i = 0; i < m->n; i++) b[i] = i;
        double begin = ln_sys->clock();
        klu_solve(symbolic, numeric, m->n, 1, b, &common);
        best = fmin(best, ln_sys->clock() - begin);
    }
    free(b);
    return 1e6 * best;
}

static void row(const char *name, matrix m, int turns, int dense) {
    ln_pattern pattern = {m.n, m.start, m.row};
    ln_linear *linear = ln_linear_new(&pattern, LN_LINEAR_SPARSE);
    ln_linear_factor(linear, m.value);
    double fill = (double)ln_linear_count(linear).fill / m.n / m.n;
    ln_linear_free(linear);
    printf("%-22s %7d %6.3f %12.2f %12.2f %10.2f %10.2f %10.2f\n", name, m.n, fill, best_factor(&m, LN_LINEAR_SPARSE, turns),
           dense ? best_factor(&m, LN_LINEAR_DENSE, turns) : NAN, best_solve(&m, LN_LINEAR_SPARSE, turns * 4),
           best_klu_solve(&m, turns * 4), dense ? best_solve(&m, LN_LINEAR_DENSE, turns * 4) : NAN);
}

int main(void) {
    printf("%-22s %7s %6s %12s %12s %10s %10s %10s\n", "matrix", "n", "fill", "refactor", "dgetrf", "solve", "klu_solve", "dgetrs");
    row("chain", make(10000, chain, 0), 50, 0);
    row("mesh 30 x 30", make(900, mesh, 30), 50, 1);
    row("mesh 100 x 100", make(10000, mesh, 100), 10, 0);
    static const int sizes[] = {10, 30, 60, 100, 200, 400}, share[] = {20, 50, 100, 200, 500};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t k = 0; k < sizeof share / sizeof *share; k++) {
            char name[32];
            snprintf(name, sizeof name, "scattered %d/1000", share[k]);
            row(name, make(sizes[s], scattered, share[k]), 200000 / sizes[s] / sizes[s] + 5, 1);
        }
    return 0;
}
