/* SPDX-License-Identifier: MIT */
/* The floor for the ladder bench: microseconds per bare klu_solve of the ladder's Crank-Nicolson
 * matrix. The matrix is written down here from Kirchhoff's laws, not taken from Linnet: node i
 * carries 2C/h + 2G (the last one G), neighbours -G; the source adds one row and one column. */
#include <stdio.h>
#include <stdlib.h>
#include <suitesparse/klu.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
    int sections = argc > 1 ? atoi(argv[1]) : 10000, solves = argc > 2 ? atoi(argv[2]) : 5000;
    int n = sections + 2; /* nodes 0..sections, source current */
    double g = 1.0 / 100, c = 2 * 1e-9 / 1e-6;
    int *start = malloc(((size_t)n + 1) * sizeof *start),
        *row = malloc(4 * (size_t)n * sizeof *row), k = 0;
    double *value = malloc(4 * (size_t)n * sizeof *value), *b = malloc((size_t)n * sizeof *b);
    if (!start || !row || !value || !b)
        return 1;
    for (int j = 0; j <= sections; j++) {
        start[j] = k;
        if (j > 0)
            row[k] = j - 1, value[k++] = -g;
        row[k] = j;
        value[k++] = j == 0 ? g : c + (j < sections ? 2 * g : g);
        if (j < sections)
            row[k] = j + 1, value[k++] = -g;
        if (j == 0)
            row[k] = n - 1, value[k++] = 1;
    }
    start[n - 1] = k;
    row[k] = 0;
    value[k++] = 1;
    start[n] = k;
    klu_common common;
    klu_defaults(&common);
    klu_symbolic *symbolic = klu_analyze(n, start, row, &common);
    klu_numeric *numeric = symbolic ? klu_factor(start, row, value, symbolic, &common) : NULL;
    if (numeric == NULL)
        return 1;
    double best = 1e9;
    for (int trial = 0; trial < 5; trial++) {
        double begin = now();
        for (int s = 0; s < solves / 5; s++) {
            for (int i = 0; i < n; i++)
                b[i] = i == n - 1;
            klu_solve(symbolic, numeric, n, 1, b, &common);
        }
        double each = (now() - begin) / (solves / 5);
        if (each < best)
            best = each;
    }
    printf("%.3f\n", best * 1e6);
    return b[0] > 0.9 ? 0 : 1;
}
