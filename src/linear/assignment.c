/* SPDX-License-Identifier: MIT */
/* Matchings by augmenting paths; offsets by raising those of all rows that no path serves, at once
 * (the primal-dual way of Kuhn and Munkres), and then the smallest ones by Pryce's fixed point. */
#include "linear/assignment.h"

#include "base/sys.h"
#include <assert.h>
#include <limits.h>
#include <suitesparse/btf.h>
#include <string.h>

/* ---- maximum matching ---- */

typedef struct row_column_matching {
    const ln_bipartite *graph;
    int *row_of, *col_of;
    size_t *look, *next; /* per row: where look-ahead and search go on */
    int *seen; /* per column: last search that came by; n: left out                              */
    int *stack, *touched;
} row_column_matching;

static void pair(row_column_matching *m, int row, int col) {
    m->col_of[row] = col;
    m->row_of[col] = row;
}

/* An unmatched column of the row, or -1; each entry is looked at once in all searches. */
static int look_ahead(row_column_matching *m, int row) {
    while (m->look[row] < m->graph->start[row + 1]) {
        const int col = m->graph->col[m->look[row]++];
        if (m->row_of[col] < 0)
            return col;
    }
    return -1;
}

/* The next column of the row that this search has not seen, or -1. */
static int step(row_column_matching *m, int row, int search, int *ntouched) {
    while (m->next[row] < m->graph->start[row + 1]) {
        const int col = m->graph->col[m->next[row]++];
        if (m->seen[col] == search || m->seen[col] == m->graph->n)
            continue;
        m->seen[col] = search;
        m->touched[(*ntouched)++] = col;
        return col;
    }
    return -1;
}

/* Looks for an augmenting path from a row and switches way. */
static int augment(row_column_matching *m, int search) {
    int top = 0, ntouched = 0;
    m->stack[0] = search;
    m->next[search] = m->graph->start[search];
    while (top >= 0) {
        int row = m->stack[top], free_col = look_ahead(m, row);
        if (free_col >= 0) {
            for (; top >= 0;
                 top--) { /* each row of the path takes the column the next one leaves */
                const int left = m->col_of[m->stack[top]];
                pair(m, m->stack[top], free_col);
                free_col = left;
            }
            return 1;
        }
        const int col = step(m, row, search, &ntouched);
        if (col < 0) {
            top--;
            continue;
        }
        m->stack[++top] = m->row_of[col];
        m->next[m->stack[top]] = m->graph->start[m->stack[top]];
    }
    for (int k = 0; k < ntouched; k++)
        m->seen[m->touched[k]] = m->graph->n;
    return 0;
}

#ifndef NDEBUG
/* Do the two lists tell the same pairs? */
static int are_inverse(const row_column_matching *m) {
    for (int i = 0; i < m->graph->n; i++)
        if ((m->col_of[i] >= 0 && m->row_of[m->col_of[i]] != i) ||
            (m->row_of[i] >= 0 && m->col_of[m->row_of[i]] != i))
            return 0;
    return 1;
}
#endif

int ln_match(const ln_bipartite *graph, int *row_of, int *col_of) {
    const size_t n = (size_t)graph->n + 1;
    int unmatched = -1;
    row_column_matching m = {graph,
                             row_of,
                             col_of,
                             ln_sys->allocate(n * sizeof(size_t)),
                             ln_sys->allocate(n * sizeof(size_t)),
                             ln_sys->allocate(n * sizeof(int)),
                             ln_sys->allocate(n * sizeof(int)),
                             ln_sys->allocate(n * sizeof(int))};
    if (m.look != NULL && m.next != NULL && m.seen != NULL && m.stack != NULL &&
        m.touched != NULL) {
        unmatched = 0;
        for (int i = 0; i < graph->n; i++) {
            m.look[i] = graph->start[i];
            m.seen[i] = -1;
        }
        for (int i = 0; i < graph->n; i++)
            if (col_of[i] < 0 && !augment(&m, i))
                unmatched++;
        assert(are_inverse(&m));
    }
    ln_sys->release(m.look);
    ln_sys->release(m.next);
    ln_sys->release(m.seen);
    ln_sys->release(m.stack);
    ln_sys->release(m.touched);
    return unmatched;
}

/* ---- offsets ---- */

typedef struct sigma {
    const ln_bipartite *graph;
    const signed char *order;
    int *c, *d, *row_of, *col_of;
    size_t *start; /* the entries in which equality holds */
    int *col, *queue;
    char *reached_row, *reached_col;
    signed char *own; /* per row: the order in which it holds its column */
} sigma;

static int slack(const sigma *way, int row, size_t entry) {
    return way->d[way->graph->col[entry]] - way->c[row] - way->order[entry];
}

static void choose_tight(sigma *way) {
    size_t count = 0;
    for (int i = 0; i < way->graph->n; i++) {
        way->start[i] = count;
        for (size_t k = way->graph->start[i]; k < way->graph->start[i + 1]; k++)
            if (slack(way, i, k) == 0)
                way->col[count++] = way->graph->col[k];
    }
    way->start[way->graph->n] = count;
}

/* Rows and columns on alternating paths from the rows left over; the rows stand in the queue.
 * Returns their number. */
static int reach(sigma *way) {
    int rows = 0;
    const size_t n = (size_t)way->graph->n;
    memset(way->reached_row, 0, n);
    memset(way->reached_col, 0, n);
    for (int i = 0; i < way->graph->n; i++) {
        if (way->col_of[i] >= 0)
            continue;
        way->reached_row[i] = 1;
        way->queue[rows++] = i;
    }
    for (int head = 0; head < rows; head++)
        for (size_t k = way->start[way->queue[head]]; k < way->start[way->queue[head] + 1]; k++) {
            if (way->reached_col[way->col[k]])
                continue;
            way->reached_col[way->col[k]] = 1;
            way->queue[rows++] = way->row_of[way->col[k]]; /* matched, for no path augments */
        }
    return rows;
}

/* Raises the offsets of what was reached until another entry becomes tight. 0 when there is none.
 */
static int raise_offsets(sigma *way, int rows) {
    int least = INT_MAX;
    for (int q = 0; q < rows; q++)
        for (size_t k = way->graph->start[way->queue[q]]; k < way->graph->start[way->queue[q] + 1];
             k++)
            if (!way->reached_col[way->graph->col[k]] && slack(way, way->queue[q], k) < least)
                least = slack(way, way->queue[q], k);
    if (least == INT_MAX)
        return 0;
    for (int q = 0; q < rows; q++)
        way->c[way->queue[q]] += least;
    for (int j = 0; j < way->graph->n; j++)
        way->d[j] += way->reached_col[j] ? least : 0;
    return 1;
}

/* The smallest offsets for the transversal that was found. */
static void lower_offsets(sigma *way) {
    const int n = way->graph->n;
    int head = 0, waiting = n;
    memset(way->c, 0, (size_t)n * sizeof *way->c);
    memset(way->d, 0, (size_t)n * sizeof *way->d);
    for (int i = 0; i < n; i++) {
        way->queue[i] = i;
        way->reached_row[i] = 1; /* in the queue */
        way->own[i] = -1;
        for (size_t k = way->graph->start[i]; k < way->graph->start[i + 1]; k++)
            if (way->graph->col[k] == way->col_of[i] && way->order[k] > way->own[i])
                way->own[i] = way->order[k];
    }
    while (waiting > 0) {
        const int row = way->queue[head];
        head = (head + 1) % n;
        waiting--;
        way->reached_row[row] = 0;
        for (size_t k = way->graph->start[row]; k < way->graph->start[row + 1]; k++) {
            const int col = way->graph->col[k], owner = way->row_of[col];
            if (slack(way, row, k) < 0)
                way->d[col] = way->c[row] + way->order[k];
            if (way->c[owner] >= way->d[col] - way->own[owner])
                continue;
            way->c[owner] = way->d[col] - way->own[owner];
            if (way->reached_row[owner])
                continue;
            way->reached_row[owner] = 1;
            way->queue[(head + waiting++) % n] = owner;
        }
    }
}

static linnet_status find_offsets(sigma *way) {
    const int n = way->graph->n;
    for (int i = 0; i < n; i++) {
        way->row_of[i] = way->col_of[i] = -1;
        way->c[i] = way->d[i] = 0;
    }
    for (int i = 0; i < n; i++)
        for (size_t k = way->graph->start[i]; k < way->graph->start[i + 1]; k++)
            if (slack(way, i, k) < 0)
                way->d[way->graph->col[k]] = way->order[k];
    for (;;) {
        choose_tight(way);
        const ln_bipartite tight = {n, way->start, way->col};
        const int unmatched = ln_match(&tight, way->row_of, way->col_of);
        if (unmatched < 0)
            return LINNET_MEMORY;
        if (unmatched == 0)
            break;
        if (!raise_offsets(way, reach(way)))
            return LINNET_RETRY;
    }
    lower_offsets(way);
    return LINNET_OK;
}

linnet_status ln_sigma_offsets(const ln_bipartite *graph, const signed char *order, int *c, int *d,
                               int *row_of, int *col_of) {
    ln_arena *arena = ln_arena_new();
    linnet_status status = LINNET_MEMORY;
    if (arena == NULL)
        return status;
    const size_t n = (size_t)graph->n;
    sigma way = {graph,
                 order,
                 c,
                 d,
                 row_of,
                 col_of,
                 LN_NEW(arena, size_t, n + 1),
                 LN_NEW(arena, int, graph->start[n]),
                 LN_NEW(arena, int, n),
                 LN_NEW(arena, char, n),
                 LN_NEW(arena, char, n),
                 LN_NEW(arena, signed char, n)};
    if (way.own && way.start && way.col && way.queue && way.reached_row && way.reached_col)
        status = find_offsets(&way);
    ln_arena_free(arena);
    return status;
}

/* ---- blocks ---- */

int ln_strong_blocks(const ln_pattern *pattern, int *row, int *col, int *first) {
    const int n = pattern->n;
    double work;
    int matched;
    int *space = ln_sys->allocate(((size_t)n * 5 + 1) * sizeof *space);
    if (space == NULL)
        return -1;
    /* BTF does not write to the pattern, but its header does not say so */
    const int blocks = btf_order(n, (int *)(size_t)pattern->start, (int *)(size_t)pattern->row, 0,
                                 &work, row, col, first, &matched, space);
    ln_sys->release(space);
    for (int k = 0; k < n; k++)
        col[k] = BTF_UNFLIP(col[k]);
    return blocks;
}
