/* SPDX-License-Identifier: MIT */
/* Circuits of the signal graph as loops of blocks: members, sign, sums. */
#include "network/feedback_graph.h"

#include <string.h>

typedef struct loop_enumeration {
    const ln_feedback_graph *graph;
    ln_loop_member *members; /* room for the longest */
    ln_loop_member *turned;
    long limit;
    ln_feedback_visitor visitor;
    ln_loop_count *count;
} loop_enumeration;

int ln_is_sum(const ln_network *network, int instance) {
    return strcmp(network->instances[instance].block.type->name, "sum") == 0;
}

/* The edges of a circuit as members; an edge into a physical network and the one out of it are one.
 * 0: the input does not act on that output, and there is no loop. */
static int read_members(loop_enumeration *all, const int *path, int length, int *count) {
    const ln_feedback_graph *graph = all->graph;
    int nlinks = graph->network->nlinks, first = 0;
    while (first < length && graph->edges[path[first]].from >= nlinks)
        first++;
    *count = 0;
    for (int k = 0; k < length; k++) {
        const ln_edge *edge = &graph->edges[path[(first + k) % length]];
        ln_loop_member *member = &all->members[*count];
        *member = (ln_loop_member){.from = edge->from,
                                   .to = edge->to,
                                   .instance = edge->in.instance,
                                   .in = edge->in.port,
                                   .out_instance = edge->out.instance,
                                   .out = edge->out.port,
                                   .physical = -1,
                                   .sign = edge->gain.sign,
                                   .start = edge->gain.start,
                                   .direct = edge->gain.direct};
        (*count)++;
        if (edge->to < nlinks)
            continue;
        const ln_edge *out = &graph->edges[path[(first + ++k) % length]];
        const ln_cluster *hub = &graph->hubs[edge->to - nlinks];
        const ln_gain *gain = &hub->gains[edge->item * hub->noutputs + out->item];
        if (!gain->acts)
            return 0;
        member->to = out->to;
        member->out_instance = out->out.instance;
        member->out = out->out.port;
        member->physical = edge->to - nlinks;
        member->sign = gain->sign;
        member->start = gain->start;
        member->direct = gain->direct;
    }
    return 1;
}

/* Where the loop is told from: the sum of the first name, or else the block. */
static int beginning(const ln_network *network, const ln_loop_member *members, int count) {
    int best = 0;
    for (int k = 1; k < count; k++) {
        int sum = ln_is_sum(network, members[k].instance),
            best_sum = ln_is_sum(network, members[best].instance);
        if (sum != best_sum ? sum : members[k].instance < members[best].instance)
            best = k;
    }
    return best;
}

static linnet_status visit_circuit(void *context, const int *path, int length) {
    loop_enumeration *all = context;
    int count;
    if (!read_members(all, path, length, &count))
        return LINNET_OK;
    if (all->count->loops == all->limit) {
        all->count->complete = 0;
        return LINNET_RETRY; /* enough */
    }
    ln_feedback_loop loop = {
        .members = all->turned, .nmembers = count, .sign = 1, .start = 1, .algebraic = 1};
    int begin = beginning(all->graph->network, all->members, count);
    for (int k = 0; k < count; k++) {
        const ln_loop_member *member = &all->members[(begin + k) % count];
        all->turned[k] = *member;
        loop.sign *= member->sign;
        loop.start *= member->start;
        loop.algebraic &= member->direct;
        loop.nsums += ln_is_sum(all->graph->network, member->instance);
    }
    all->count->loops++;
    all->count->algebraic += loop.algebraic;
    return all->visitor.visit(all->visitor.context, &loop);
}

linnet_status ln_feedback_loops(const ln_network *network, long limit,
                                const ln_feedback_start *start, ln_report *report,
                                ln_feedback_visitor visitor, ln_loop_count *count) {
    ln_arena *arena = ln_arena_new();
    if (arena == NULL)
        return ln_no_memory(report);
    ln_feedback_graph graph;
    *count = (ln_loop_count){.complete = 1};
    linnet_status status = ln_feedback_graph_new(network, start, arena, report, &graph);
    loop_enumeration all = {.graph = &graph,
                            .limit = limit,
                            .visitor = visitor,
                            .count = count,
                            .members = LN_NEW(arena, ln_loop_member, graph.nnodes + 1),
                            .turned = LN_NEW(arena, ln_loop_member, graph.nnodes + 1)};
    if (status == LINNET_OK && (all.members == NULL || all.turned == NULL))
        status = ln_no_memory(report);
    if (status == LINNET_OK) {
        count->physical = graph.nphysical;
        for (int h = 0; h < graph.nhubs; h++)
            count->passable += graph.hubs[h].gains != NULL;
        status = ln_circuits(&graph, report, visit_circuit, &all);
        if (status == LINNET_RETRY && !count->complete)
            status = LINNET_OK;
    }
    ln_feedback_graph_free(&graph);
    ln_arena_free(arena);
    return status;
}
