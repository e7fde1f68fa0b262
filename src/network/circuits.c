/* SPDX-License-Identifier: MIT */
/* The elementary circuits of a directed graph, each once: D. B. Johnson, "Finding all the
 * elementary circuits of a directed graph", SIAM J. Comput. 4 (1975) 77-84, without recursion and
 * component by component.
 *
 * A strongly connected part of the graph waits on a stack. From one of its nodes, the one with most
 * edges, all circuits are followed that stay in the part; the node is then taken out, and the
 * strongly connected parts of what is left wait in turn. Where parts are small, so is the work: the
 * whole is linear in the graph and the output for graphs whose circuits do not cross each other. A
 * node from which the start cannot be reached without crossing the present path is blocked until
 * one of its followers leaves the path; instead of Johnson's lists B each edge carries a mark. */
#include "network/feedback_graph.h"

#include "base/sys.h"
#include <string.h>

typedef struct circuit_search {
    const ln_feedback_graph *graph;
    int *part; /* per node: the part it is in, 0: taken out */
    int nparts;
    int *waiting;
    size_t nwaiting;         /* nodes of the parts that wait, part by part */
    int *low, *index, *next; /* of Tarjan's search; next: the edge to look at */
    int *path, *stack;
    int *way;                     /* edges of the present path */
    char *blocked, *found, *mark; /* per node, per level of the path, per edge */
    linnet_status (*visit)(void *context, const int *path, int length);
    void *context;
} circuit_search;

/* ---- strongly connected parts ---- */

static int has_loop(const circuit_search *all, int node) {
    for (int e = all->graph->first[node]; e < all->graph->first[node + 1]; e++)
        if (all->graph->edges[e].to == node)
            return 1;
    return 0;
}

/* A part is complete: its nodes, from the top of the stack, go to those that wait; a lone node
 * without a circuit out. */
static int complete(circuit_search *all, int root, int top) {
    int size = 1, begin = top;
    while (all->stack[begin] != root)
        begin--;
    size = top - begin + 1;
    int part = size > 1 || has_loop(all, root) ? ++all->nparts : 0;
    for (int k = begin; k <= top; k++) {
        all->part[all->stack[k]] = part;
        all->index[all->stack[k]] = -1; /* done: no longer on the stack */
        if (part > 0)
            all->waiting[all->nwaiting++] = all->stack[k];
    }
    return begin - 1;
}

/* R. E. Tarjan, SIAM J. Comput. 1 (1972) 146-160, from one node, within the part `inside`. */
static void find_parts(circuit_search *all, int root, int inside, int *counter) {
    const ln_feedback_graph *graph = all->graph;
    int depth = 0, top = -1;
    all->path[0] = all->stack[++top] = root;
    all->index[root] = all->low[root] = ++*counter;
    all->next[root] = graph->first[root];
    while (depth >= 0) {
        int v = all->path[depth];
        if (all->next[v] < graph->first[v + 1]) {
            int w = graph->edges[all->next[v]++].to;
            if (all->part[w] != inside)
                continue;
            if (all->index[w] == 0) {
                all->path[++depth] = all->stack[++top] = w;
                all->index[w] = all->low[w] = ++*counter;
                all->next[w] = graph->first[w];
            } else if (all->index[w] > 0 && all->index[w] < all->low[v]) {
                all->low[v] = all->index[w];
            }
            continue;
        }
        if (all->low[v] == all->index[v])
            top = complete(all, v, top);
        if (--depth >= 0 && all->low[v] < all->low[all->path[depth]])
            all->low[all->path[depth]] = all->low[v];
    }
}

/* The parts among some nodes, all of which are in the part `inside`. */
static void split(circuit_search *all, const int *nodes, size_t count, int inside) {
    int counter = 0;
    for (size_t k = 0; k < count; k++)
        if (all->part[nodes[k]] == inside)
            all->index[nodes[k]] = 0;
    for (size_t k = 0; k < count; k++)
        if (all->part[nodes[k]] == inside && all->index[nodes[k]] == 0)
            find_parts(all, nodes[k], inside, &counter);
}

/* ---- circuits through one node ---- */

/* Frees a node, and whatever waited for it. */
static void unblock(circuit_search *all, int node) {
    int depth = 0;
    all->stack[0] = node;
    all->blocked[node] = 0;
    while (depth >= 0) {
        int u = all->stack[depth--];
        for (int k = all->graph->back_first[u]; k < all->graph->back_first[u + 1]; k++) {
            int e = all->graph->back[k], v = all->graph->edges[e].from;
            if (!all->mark[e])
                continue;
            all->mark[e] = 0;
            if (!all->blocked[v])
                continue;
            all->blocked[v] = 0;
            all->stack[++depth] = v;
        }
    }
}

/* The last node of the path has no edges left. */
static void leave(circuit_search *all, int depth, int part) {
    int v = all->path[depth];
    if (all->found[depth]) {
        unblock(all, v);
        if (depth > 0)
            all->found[depth - 1] = 1;
        return;
    }
    for (int e = all->graph->first[v]; e < all->graph->first[v + 1]; e++)
        if (all->part[all->graph->edges[e].to] == part)
            all->mark[e] = 1;
}

static linnet_status follow(circuit_search *all, int start, int part) {
    const ln_feedback_graph *graph = all->graph;
    int depth = 0;
    all->path[0] = start;
    all->next[start] = graph->first[start];
    all->blocked[start] = 1;
    all->found[0] = 0;
    while (depth >= 0) {
        int v = all->path[depth];
        if (all->next[v] == graph->first[v + 1]) {
            leave(all, depth--, part);
            continue;
        }
        int e = all->next[v]++, w = graph->edges[e].to;
        if (all->part[w] != part)
            continue;
        if (w == start) {
            all->way[depth] = e;
            all->found[depth] = 1;
            LN_TRY(all->visit(all->context, all->way, depth + 1));
        } else if (!all->blocked[w]) {
            all->way[depth] = e;
            all->path[++depth] = w;
            all->next[w] = graph->first[w];
            all->blocked[w] = 1;
            all->found[depth] = 0;
        }
    }
    return LINNET_OK;
}

/* ---- the whole ---- */

/* The node of a part with most edges inside: with it most circuits go. */
static int busiest(const circuit_search *all, const int *nodes, size_t count, int part) {
    int best = nodes[0];
    long most = -1;
    for (size_t k = 0; k < count; k++) {
        long in = 0, out = 0;
        for (int e = all->graph->first[nodes[k]]; e < all->graph->first[nodes[k] + 1]; e++)
            out += all->part[all->graph->edges[e].to] == part;
        for (int b = all->graph->back_first[nodes[k]]; b < all->graph->back_first[nodes[k] + 1];
             b++)
            in += all->part[all->graph->edges[all->graph->back[b]].from] == part;
        if (in * out < most || (in * out == most && nodes[k] > best))
            continue;
        most = in * out;
        best = nodes[k];
    }
    return best;
}

/* The part on top of those that wait. */
static linnet_status take_part(circuit_search *all, int *nodes) {
    int part = all->part[all->waiting[all->nwaiting - 1]];
    size_t count = 0;
    while (all->nwaiting > 0 && all->part[all->waiting[all->nwaiting - 1]] == part)
        nodes[count++] = all->waiting[--all->nwaiting];
    int start = busiest(all, nodes, count, part);
    for (size_t k = 0; k < count; k++) {
        all->blocked[nodes[k]] = 0;
        memset(all->mark + all->graph->first[nodes[k]], 0,
               (size_t)(all->graph->first[nodes[k] + 1] - all->graph->first[nodes[k]]));
    }
    LN_TRY(follow(all, start, part));
    all->part[start] = 0;
    split(all, nodes, count, part);
    return LINNET_OK;
}

linnet_status ln_circuits(const ln_feedback_graph *graph, ln_report *report,
                          linnet_status (*visit)(void *context, const int *path, int length),
                          void *context) {
    size_t n = (size_t)graph->nnodes + 1;
    ln_arena *arena = ln_arena_new();
    if (arena == NULL)
        return ln_no_memory(report);
    circuit_search all = {.graph = graph,
                          .visit = visit,
                          .context = context,
                          .nparts = 1,
                          .part = LN_NEW(arena, int, n),
                          .waiting = LN_NEW(arena, int, n),
                          .low = LN_NEW(arena, int, n),
                          .index = LN_NEW(arena, int, n),
                          .next = LN_NEW(arena, int, n),
                          .path = LN_NEW(arena, int, n),
                          .stack = LN_NEW(arena, int, n),
                          .way = LN_NEW(arena, int, n),
                          .blocked = LN_NEW(arena, char, n),
                          .found = LN_NEW(arena, char, n),
                          .mark = LN_NEW(arena, char, graph->nedges + 1)};
    int *nodes = LN_NEW(arena, int, n);
    linnet_status status = LINNET_OK;
    if (!LN_ALL_SET(all.part, all.waiting, all.low, all.index, all.next, all.path, all.stack,
                    all.way, all.blocked, all.found, all.mark, nodes))
        status = ln_no_memory(report);
    if (status == LINNET_OK) {
        for (int v = 0; v < graph->nnodes; v++) {
            nodes[v] = v;
            all.part[v] = 1;
        }
        split(&all, nodes, (size_t)graph->nnodes, 1);
        while (status == LINNET_OK && all.nwaiting > 0)
            status = take_part(&all, nodes);
    }
    ln_arena_free(arena);
    return status;
}
