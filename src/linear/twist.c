/* SPDX-License-Identifier: MIT */
/* Minimum degree eats a ladder from one end: row after row, each waiting for the one before, and solving takes the time
 * of one long chain of multiplications and additions. From both ends towards the middle it is two chains half as long
 * that do not know of each other, with the same number of entries (the twisted factorisation of tridiagonal matrices,
 * B. Parlett and I. Dhillon, Linear Algebra Appl. 267 (1997) 247). On a ladder that solves 1.7 times faster
 * (bench/linear.c). */
#include "linear/twist.h"

#include "base/sys.h"
#include <stddef.h>

enum { SHORTEST = 64 };                    /* chains below it fit into a processor's window anyway                    */
static const double SHORT_ROWS = 4;        /* entries of L per row beyond which there is other work to do meanwhile   */
static const double MORE = 1.02;           /* fill that may be paid                                                   */

typedef struct symbolic {
    int n;
    const int *start, *row;
    int *position;                         /* n: of a column in the order                                             */
    int *earlier_start, *earlier;          /* per position: positions before it that it is coupled with               */
    int *parent, *mark, *level;            /* n: elimination tree                                                     */
} symbolic;

typedef struct shape { long fill; int height; } shape;

static void list_earlier(symbolic *it, const int *order) {
    int n = it->n;
    for (int k = 0; k < n; k++) it->position[order[k]] = k;
    for (int k = 0; k <= n; k++) it->earlier_start[k] = 0;
    for (int fill = 0; fill < 2; fill++) {
        for (int j = 0; j < n; j++)
            for (int p = it->start[j]; p < it->start[j + 1]; p++) {
                int a = it->position[j], b = it->position[it->row[p]], late = a > b ? a : b, early = a > b ? b : a;
                if (a == b) continue;
                if (fill) it->earlier[--it->earlier_start[late]] = early;
                else it->earlier_start[late]++;
            }
        for (int k = 0, sum = 0; !fill && k <= n; k++) it->earlier_start[k] = sum += it->earlier_start[k];
    }
}

/* Entries of L and height of the elimination tree, row by row (J. Liu, The role of elimination trees in sparse
 * factorization, SIAM J. Matrix Anal. Appl. 11 (1990) 134); stops when there are more than `limit` entries. */
static shape shape_of(symbolic *it, const int *order, long limit) {
    shape out = {0, 0};
    list_earlier(it, order);
    for (int k = 0; k < it->n; k++) it->parent[k] = it->mark[k] = -1;
    for (int k = 0; k < it->n && out.fill <= limit; k++) {
        it->mark[k] = k;
        it->level[k] = 1;
        for (int p = it->earlier_start[k]; p < it->earlier_start[k + 1]; p++)
            for (int i = it->earlier[p]; it->mark[i] != k; i = it->parent[i]) {
                if (it->parent[i] < 0) it->parent[i] = k;
                if (it->level[i] >= it->level[k] && it->parent[i] == k) it->level[k] = it->level[i] + 1;
                it->mark[i] = k;
                out.fill++;
            }
        if (it->level[k] > out.height) out.height = it->level[k];
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

int ln_twist(int n, const int *start, const int *row, int *order) {
    if (n < SHORTEST) return 0;
    size_t size = (size_t)n;
    int *ints = ln_sys->allocate((5 * size + 2 + (size_t)start[n]) * sizeof *ints), turned = 0;
    if (ints == NULL) return 0;
    symbolic it = {n, start, row, ints, ints + size, ints + 5 * size + 1, ints + 2 * size + 1, ints + 3 * size + 1,
                   ints + 4 * size + 1};
    long most = (long)(SHORT_ROWS * n);
    shape before = shape_of(&it, order, most);
    if (before.fill <= most && before.height > n / 2) {
        turn_second_half(n, order);
        shape after = shape_of(&it, order, most);
        turned = (double)after.fill <= MORE * (double)before.fill && after.height < before.height * 3 / 4;
        if (!turned) turn_second_half(n, order);
    }
    ln_sys->release(ints);
    return turned;
}
