/* SPDX-License-Identifier: MIT */
/* The graph of signals: an edge for every input of a block that acts on an output; physical
 * networks as nodes. */
#include "network/feedback_graph.h"

#include "base/forest.h"
#include "base/sys.h"
#include <string.h>

typedef struct building {
    ln_feedback_graph *graph;
    ln_report *report;
    linnet_status status;
    int *up;     /* per link: towards the root of its physical network */
    int *part;   /* per instance: root link, or -1 for a signal block */
    int *hub_of; /* per root link: its cluster, or -1 */
    ln_gaining gaining;
} building;

static int no_memory(building *all) {
    all->status = ln_no_memory(all->report);
    return 0;
}

/* ---- physical networks ---- */

/* A reference link holds its potential: what meets only there is not connected. */
static int is_physical(const ln_network *network, int link) {
    return link >= 0 && network->links[link].domain != LINNET_SIGNAL &&
           network->links[link].unknown >= 0;
}

static void join_parts(building *all) {
    const ln_network *network = all->graph->network;
    for (int k = 0; k < network->nlinks; k++)
        all->up[k] = k;
    for (int i = 0; i < network->ninstances; i++) {
        const ln_instance *instance = &network->instances[i];
        int first = -1;
        for (int j = 0; j < instance->block.type->nports; j++) {
            if (!is_physical(network, instance->links[j]))
                continue;
            if (first < 0)
                first = instance->links[j];
            all->up[ln_root_of(all->up, instance->links[j])] = ln_root_of(all->up, first);
        }
        all->part[i] = first;
    }
    for (int k = 0; k < network->nlinks; k++)
        all->graph->nphysical += is_physical(network, k) && ln_root_of(all->up, k) == k;
}

/* ---- edges ---- */

static int add_edge(building *all, ln_edge edge) {
    ln_feedback_graph *graph = all->graph;
    if (!LN_GROW(graph->edges, graph->nedges, graph->edges_room))
        return no_memory(all);
    graph->edges[graph->nedges++] = edge;
    return 1;
}

static int link_of(const building *all, ln_terminal end) {
    return all->graph->network->instances[end.instance].links[end.port];
}

/* The signal ports of a block, appended to the cluster's. */
static void add_terminals(const ln_network *network, ln_cluster *cluster, int instance) {
    const linnet_block_class *type = network->instances[instance].block.type;
    for (int j = 0; j < type->nports; j++) {
        if (network->instances[instance].links[j] < 0 && !(type->ports[j].flags & LINNET_INPUT))
            continue;
        if (type->ports[j].flags & LINNET_INPUT)
            cluster->inputs[cluster->ninputs++] = (ln_terminal){instance, j};
        else if (type->ports[j].flags & LINNET_OUTPUT)
            cluster->outputs[cluster->noutputs++] = (ln_terminal){instance, j};
    }
}

static int add_block(building *all, int instance, ln_arena *arena) {
    int nports = all->graph->network->instances[instance].block.type->nports;
    ln_cluster cluster = {.instances = &instance,
                          .count = 1,
                          .inputs = LN_NEW(arena, ln_terminal, nports),
                          .outputs = LN_NEW(arena, ln_terminal, nports)};
    if (cluster.inputs == NULL || cluster.outputs == NULL)
        return no_memory(all);
    add_terminals(all->graph->network, &cluster, instance);
    if (cluster.ninputs == 0 || cluster.noutputs == 0)
        return 1;
    cluster.gains = LN_NEW(arena, ln_gain, cluster.ninputs * cluster.noutputs);
    if (cluster.gains == NULL)
        return no_memory(all);
    all->status = ln_cluster_gains(&all->gaining, &cluster, all->report);
    if (all->status != LINNET_OK)
        return 0;
    for (int u = 0; u < cluster.ninputs; u++)
        for (int y = 0; y < cluster.noutputs; y++) {
            const ln_gain *gain = &cluster.gains[u * cluster.noutputs + y];
            int from = link_of(all, cluster.inputs[u]);
            if (!gain->acts || from < 0)
                continue;
            if (!add_edge(all, (ln_edge){from, link_of(all, cluster.outputs[y]), cluster.inputs[u],
                                         cluster.outputs[y], -1, *gain}))
                return 0;
        }
    return 1;
}

static int add_blocks(building *all) {
    for (int i = 0; i < all->graph->network->ninstances; i++) {
        if (all->part[i] >= 0)
            continue;
        ln_arena *arena = ln_arena_new();
        int going = arena != NULL ? add_block(all, i, arena) : no_memory(all);
        ln_arena_free(arena);
        if (!going)
            return 0;
    }
    return 1;
}

/* ---- hubs ---- */

/* Sorts the blocks of physical networks into one cluster each. */
static int make_hubs(building *all) {
    ln_feedback_graph *graph = all->graph;
    const ln_network *network = graph->network;
    size_t n = (size_t)network->ninstances, nports = 0;
    int *count = LN_NEW(graph->arena, int, network->nlinks),
        *members = LN_NEW(graph->arena, int, n);
    graph->hubs = LN_NEW(graph->arena, ln_cluster, graph->nphysical);
    if (count == NULL || members == NULL || graph->hubs == NULL)
        return no_memory(all);
    for (size_t i = 0; i < n; i++) {
        if (all->part[i] < 0)
            continue;
        all->part[i] = ln_root_of(all->up, all->part[i]);
        count[all->part[i]]++;
        nports += (size_t)network->instances[i].block.type->nports;
    }
    ln_terminal *inputs = LN_NEW(graph->arena, ln_terminal, nports),
                *outputs = LN_NEW(graph->arena, ln_terminal, nports);
    if (inputs == NULL || outputs == NULL)
        return no_memory(all);
    for (int k = 0; k < network->nlinks; k++) {
        all->hub_of[k] = -1;
        if (count[k] == 0)
            continue;
        all->hub_of[k] = graph->nhubs;
        graph->hubs[graph->nhubs++] = (ln_cluster){.instances = members, .count = 0};
        members += count[k];
    }
    for (size_t i = 0; i < n; i++) {
        if (all->part[i] < 0)
            continue;
        ln_cluster *hub = &graph->hubs[all->hub_of[all->part[i]]];
        ((int *)hub->instances)[hub->count++] = (int)i;
    }
    for (int h = 0; h < graph->nhubs; h++) {
        ln_cluster *hub = &graph->hubs[h];
        hub->inputs = inputs;
        hub->outputs = outputs;
        for (int k = 0; k < hub->count; k++)
            add_terminals(network, hub, hub->instances[k]);
        inputs += hub->ninputs;
        outputs += hub->noutputs;
    }
    return 1;
}

static int add_hub(building *all, int h) {
    ln_feedback_graph *graph = all->graph;
    ln_cluster *hub = &graph->hubs[h];
    int node = graph->network->nlinks + h;
    if (hub->ninputs == 0 || hub->noutputs == 0)
        return 1;
    hub->gains = LN_NEW(graph->arena, ln_gain, (size_t)hub->ninputs * (size_t)hub->noutputs);
    if (hub->gains == NULL)
        return no_memory(all);
    all->status = ln_cluster_gains(&all->gaining, hub, all->report);
    for (int u = 0; all->status == LINNET_OK && u < hub->ninputs; u++) {
        int link = link_of(all, hub->inputs[u]);
        if (link >= 0)
            add_edge(all, (ln_edge){link, node, hub->inputs[u], {-1, -1}, u, {0}});
    }
    for (int y = 0; all->status == LINNET_OK && y < hub->noutputs; y++)
        add_edge(all,
                 (ln_edge){node, link_of(all, hub->outputs[y]), {-1, -1}, hub->outputs[y], y, {0}});
    return all->status == LINNET_OK;
}

/* ---- order ---- */

/* Edges by the node they leave, the order otherwise kept; and their numbers by the node they enter.
 */
static int sort_edges(building *all) {
    ln_feedback_graph *graph = all->graph;
    size_t n = graph->nedges, nodes = (size_t)graph->nnodes;
    ln_edge *sorted = ln_sys->allocate((n + 1) * sizeof *sorted);
    graph->first = LN_NEW(graph->arena, int, nodes + 2);
    graph->back_first = LN_NEW(graph->arena, int, nodes + 2);
    graph->back = LN_NEW(graph->arena, int, n + 1);
    if (sorted == NULL || graph->first == NULL || graph->back_first == NULL ||
        graph->back == NULL) {
        ln_sys->release(sorted);
        return no_memory(all);
    }
    /* Counted one place too high, and the counts then serve as cursors: in the end first[v] is
     * where v begins. */
    for (size_t e = 0; e < n; e++)
        graph->first[graph->edges[e].from + 2]++;
    for (size_t v = 0; v < nodes; v++)
        graph->first[v + 2] += graph->first[v + 1];
    for (size_t e = 0; e < n; e++)
        sorted[graph->first[graph->edges[e].from + 1]++] = graph->edges[e];
    ln_sys->release(graph->edges);
    graph->edges = sorted;
    graph->edges_room = n + 1;
    for (size_t e = 0; e < n; e++)
        graph->back_first[sorted[e].to + 2]++;
    for (size_t v = 0; v < nodes; v++)
        graph->back_first[v + 2] += graph->back_first[v + 1];
    for (size_t e = 0; e < n; e++)
        graph->back[graph->back_first[sorted[e].to + 1]++] = (int)e;
    return 1;
}

linnet_status ln_feedback_graph_new(const ln_network *network, const ln_feedback_start *start,
                                    ln_arena *arena, ln_report *report, ln_feedback_graph *graph) {
    *graph = (ln_feedback_graph){.network = network, .arena = arena};
    building all = {
        .graph = graph,
        .report = report,
        .status = LINNET_OK,
        .up = LN_NEW(arena, int, network->nlinks),
        .part = LN_NEW(arena, int, network->ninstances),
        .hub_of = LN_NEW(arena, int, network->nlinks),
        .gaining = {.network = network, .start = start, .place = LN_NEW(arena, int, network->n)}};
    if (!all.up || !all.part || !all.hub_of || !all.gaining.place)
        return ln_no_memory(report);
    for (int k = 0; k < network->n; k++)
        all.gaining.place[k] = -1;
    join_parts(&all);
    int going = add_blocks(&all) && make_hubs(&all);
    graph->nnodes = network->nlinks + graph->nhubs;
    for (int h = 0; going && h < graph->nhubs; h++)
        going = add_hub(&all, h);
    if (going)
        (void)sort_edges(&all);
    return all.status;
}

void ln_feedback_graph_free(ln_feedback_graph *graph) {
    ln_sys->release(graph->edges);
    graph->edges = NULL;
}
