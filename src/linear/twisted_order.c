/* SPDX-License-Identifier: MIT */
/* Minimum degree eats a ladder from one end: row after row, each waiting for the one before, and
 * solving takes the time of one long chain of multiplications and additions. From both ends towards
 * the middle it is two chains half as long that do not know of each other, with the same number of
 * entries (the twisted factorisation of tridiagonal matrices, B. Parlett and I. Dhillon, Linear
 * Algebra Appl. 267 (1997) 247). On a ladder that solves 1.7 times faster (bench/linear.c). */
#include "linear/twisted_order.h"

#include "base/sys.h"
#include <stddef.h>

enum { SHORTEST = 64 }; /* chains below it fit into a processor's window anyway */
/* entries of L per row beyond which there is other work to do meanwhile */
static const double SHORT_ROWS = 4;
static const double MORE = 1.02; /* fill that may be paid */

typedef struct symbolic {
    int n;
    const int *start, *row;
    int *position; /* n: of a column in the order */
    /* per position: positions before it that it is coupled with */
    int *earlier_start, *earlier;
    int *parent, *mark, *level; /* n: elimination tree */
} symbolic;

typedef struct shape {
    long fill;
    int height;
} shape;

static void list_earlier(symbolic *analysis, const int *order) {
    int n = analysis->n;
    for (int k = 0; k < n; k++)
        analysis->position[order[k]] = k;
    for (int k = 0; k <= n; k++)
        analysis->earlier_start[k] = 0;
    for (int fill = 0; fill < 2; fill++) {
        for (int j = 0; j < n; j++)
            for (int p = analysis->start[j]; p < analysis->start[j + 1]; p++) {
                int a = analysis->position[j], b = analysis->position[analysis->row[p]],
                    late = a > b ? a : b, early = a > b ? b : a;
                if (a == b)
                    continue;
                if (fill)
                    analysis->earlier[--analysis->earlier_start[late]] = early;
                else
                    analysis->earlier_start[late]++;
            }
        for (int k = 0, sum = 0; !fill && k <= n; k++)
            analysis->earlier_start[k] = sum += analysis->earlier_start[k];
    }
}

/* Entries of L and height of the elimination tree, row by row (J. Liu, The role of elimination
 * trees in sparse factorization, SIAM J. Matrix Anal. Appl. 11 (1990) 134); stops when there are
 * more than `limit` entries. */
static shape shape_of(symbolic *analysis, const int *order, long limit) {
    shape out = {0, 0};
    list_earlier(analysis, order);
    for (int k = 0; k < analysis->n; k++)
        analysis->parent[k] = analysis->mark[k] = -1;
    for (int k = 0; k < analysis->n && out.fill <= limit; k++) {
        analysis->mark[k] = k;
        analysis->level[k] = 1;
        for (int p = analysis->earlier_start[k]; p < analysis->earlier_start[k + 1]; p++)
            for (int i = analysis->earlier[p]; analysis->mark[i] != k; i = analysis->parent[i]) {
                if (analysis->parent[i] < 0)
                    analysis->parent[i] = k;
                if (analysis->level[i] >= analysis->level[k] && analysis->parent[i] == k)
                    analysis->level[k] = analysis->level[i] + 1;
                analysis->mark[i] = k;
                out.fill++;
            }
        if (analysis->level[k] > out.height)
            out.height = analysis->level[k];
    }
    return out;
}

static void turn_second_half(int n, int *order) {
    for (int a = n / 2, b = n - 1; a < b; a++, b--) {
        int swap = order[a];
        order[a] = order[b];
        order[b] = swap;
    }
}

int ln_twisted_order(int n, const int *start, const int *row, int *order) {
    if (n < SHORTEST)
        return 0;
    size_t size = (size_t)n;
    int *ints = ln_sys->allocate((5 * size + 2 + (size_t)start[n]) * sizeof *ints), turned = 0;
    if (ints == NULL)
        return -1;
    symbolic analysis = {n,
                         start,
                         row,
                         ints,
                         ints + size,
                         ints + 5 * size + 1,
                         ints + 2 * size + 1,
                         ints + 3 * size + 1,
                         ints + 4 * size + 1};
    long most = (long)(SHORT_ROWS * n);
    shape before = shape_of(&analysis, order, most);
    if (before.fill <= most && before.height > n / 2) {
        turn_second_half(n, order);
        shape after = shape_of(&analysis, order, most);
        turned = (double)after.fill <= MORE * (double)before.fill &&
                 after.height < before.height * 3 / 4;
        if (!turned)
            turn_second_half(n, order);
    }
    ln_sys->release(ints);
    return turned;
}
