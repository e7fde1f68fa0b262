/* SPDX-License-Identifier: MIT */
/* Dependent rows that are redundant among themselves. Two contacts on one pair of shafts, or three
 * around three shafts, say how fast the same differences change; each follows from what the shafts
 * store, and so they follow from each other. As sums over the shafts they would agree but for the
 * rounding of all torques there, and what the contacts share, of which their creep alone decides
 * (1e-12 of a torque), would be lost in it. So such a row is combined with the others around its
 * cycle: relative accelerations then add up to zero, exactly. */
#include "system/splitter.h"

#include "base/forest.h"
#include <string.h>

/* Dependent rows c (x[a] - x[b]), b = ground: c x[a], as edges of a forest on the unknowns. */
typedef struct row_forest {
    int n, ground; /* nodes, the last of which is the ground */
    int nrows;
    int *row, *a, *b;  /* nrows */
    double *c;         /* nrows */
    char *closes;      /* nrows: the edge closes a cycle of edges before it */
    int *first, *next; /* of a node its half edges, 2 k and 2 k + 1 of edge k; -1 ends */
    int *up, *up_edge; /* of a node: towards the root of its tree; -1: it is the root */
    int *depth;        /* of a node; -1: not reached yet */
    int *queue;        /* nodes */
} row_forest;

static linnet_status allocate(const ln_splitter *splits, row_forest *forest) {
    ln_arena *arena = splits->scratch;
    const int n = splits->n;
    int **of_rows[] = {&forest->row, &forest->a, &forest->b},
        **of_nodes[] = {&forest->first, &forest->up, &forest->up_edge, &forest->depth,
                        &forest->queue};
    *forest = (row_forest){.n = n + 1, .ground = n};
    for (size_t k = 0; k < sizeof of_rows / sizeof *of_rows; k++)
        if ((*of_rows[k] = LN_NEW(arena, int, n)) == NULL)
            return LINNET_MEMORY;
    for (size_t k = 0; k < sizeof of_nodes / sizeof *of_nodes; k++)
        if ((*of_nodes[k] = LN_NEW(arena, int, n + 1)) == NULL)
            return LINNET_MEMORY;
    forest->c = LN_NEW(arena, double, n);
    forest->closes = LN_NEW(arena, char, n);
    forest->next = LN_NEW(arena, int, 2 * (size_t)n);
    return forest->c != NULL && forest->closes != NULL && forest->next != NULL ? LINNET_OK
                                                                               : LINNET_MEMORY;
}

/* Lists the dependent rows of one entry, or of two that are opposite. */
static void list_rows(const ln_splitter *splits, row_forest *forest) {
    const ln_pattern *by_row = &splits->by_row.pattern;
    for (int i = 0; i < splits->n; i++) {
        const int at = by_row->start[i], count = by_row->start[i + 1] - at;
        const double *value = splits->by_row.value + at;
        if (splits->extra_count[i] == 0 || count < 1 || count > 2 ||
            (count == 2 && value[0] != -value[1]))
            continue;
        const int k = forest->nrows++;
        forest->row[k] = i;
        forest->a[k] = by_row->row[at];
        forest->b[k] = count == 2 ? by_row->row[at + 1] : forest->ground;
        forest->c[k] = value[0];
    }
}

/* How many edges close cycles. */
static int find_cycles(row_forest *forest) {
    int *parent = forest->queue, count = 0;
    for (int i = 0; i < forest->n; i++)
        parent[i] = i;
    for (int k = 0; k < forest->nrows; k++) {
        const int a = ln_root_of(parent, forest->a[k]), b = ln_root_of(parent, forest->b[k]);
        forest->closes[k] = a == b;
        count += a == b;
        parent[a] = b;
    }
    return count;
}

static void link_edges(row_forest *forest) {
    for (int i = 0; i < forest->n; i++)
        forest->first[i] = forest->depth[i] = -1;
    for (int k = 0; k < forest->nrows; k++) {
        if (forest->closes[k])
            continue;
        forest->next[2 * k] = forest->first[forest->a[k]];
        forest->first[forest->a[k]] = 2 * k;
        forest->next[2 * k + 1] = forest->first[forest->b[k]];
        forest->first[forest->b[k]] = 2 * k + 1;
    }
}

static void climb_from(row_forest *forest, int root) {
    int head = 0, tail = 0;
    forest->up[root] = forest->up_edge[root] = -1;
    forest->depth[root] = 0;
    forest->queue[tail++] = root;
    while (head < tail) {
        const int node = forest->queue[head++];
        for (int half = forest->first[node]; half >= 0; half = forest->next[half]) {
            const int edge = half / 2, other = half % 2 ? forest->a[edge] : forest->b[edge];
            if (forest->depth[other] >= 0)
                continue;
            forest->up[other] = node;
            forest->up_edge[other] = edge;
            forest->depth[other] = forest->depth[node] + 1;
            forest->queue[tail++] = other;
        }
    }
}

/* Row k without the difference along the edge above `node`; sign: 1 on the way up from a, -1 from
 * b. Returns the node above. */
static int take_away(ln_splitter *splits, const row_forest *forest, int k, int node, int sign,
                     int *going) {
    const int edge = forest->up_edge[node];
    const int along = forest->a[edge] == node ? 1 : -1;
    *going &= ln_splitter_add(splits, forest->row[k], forest->row[edge],
                              -sign * along * (forest->c[k] / forest->c[edge]));
    return forest->up[node];
}

static linnet_status combine(ln_splitter *splits, const row_forest *forest, int k) {
    int a = forest->a[k], b = forest->b[k], going = 1;
    splits->extra_start[forest->row[k]] = (int)splits->count;
    splits->extra_count[forest->row[k]] = 0;
    while (a != b && going)
        if (forest->depth[a] >= forest->depth[b])
            a = take_away(splits, forest, k, a, 1, &going);
        else
            b = take_away(splits, forest, k, b, -1, &going);
    return going ? LINNET_OK : LINNET_MEMORY;
}

linnet_status ln_splitter_close_cycles(ln_splitter *splits) {
    row_forest forest;
    LN_TRY(allocate(splits, &forest));
    list_rows(splits, &forest);
    if (find_cycles(&forest) == 0)
        return LINNET_OK;
    link_edges(&forest);
    for (int i = 0; i < forest.n; i++)
        if (forest.depth[i] < 0)
            climb_from(&forest, i);
    for (int k = 0; k < forest.nrows; k++)
        if (forest.closes[k])
            LN_TRY(combine(splits, &forest, k));
    return LINNET_OK;
}
