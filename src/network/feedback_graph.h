/* SPDX-License-Identifier: MIT */
/* Private to the room `network`: the graph in which feedback loops are sought. */
#ifndef LN_NETWORK_FEEDBACK_GRAPH_H
#define LN_NETWORK_FEEDBACK_GRAPH_H

#include "network/feedback.h"

/* What one input does to one output. */
typedef struct ln_gain {
    signed char sign;              /* of the slow gain; 0: not decidable                                             */
    char acts, direct;
} ln_gain;

typedef struct ln_terminal { int instance, port; } ln_terminal;

/* Blocks that are looked at as one: a signal block, or a physical network. */
typedef struct ln_cluster {
    const int *instances; int count;
    ln_terminal *inputs;  int ninputs;     /* signal ports                                                           */
    ln_terminal *outputs; int noutputs;
    ln_gain *gains;                        /* [input * noutputs + output]                                            */
} ln_cluster;

/* An edge of the graph. Nodes are links and, behind them, the physical networks that signals pass. */
typedef struct ln_edge {
    int from, to;
    ln_terminal in, out;           /* instance -1 on the side of a physical network's node                           */
    int item;                      /* there: the number of the input or output in its cluster                        */
    ln_gain gain;                  /* of a signal block                                                              */
} ln_edge;

typedef struct ln_feedback_graph {
    const ln_network *network;
    ln_arena *arena;
    int nnodes;
    ln_edge *edges; size_t nedges, edges_room; /* ordered by `from`                                                  */
    int *first;                    /* per node: its first edge; nnodes + 1                                           */
    int *back, *back_first;        /* edges ordered by `to`                                                          */
    ln_cluster *hubs; int nhubs;   /* physical networks that signals pass: node nlinks + h                           */
    int nphysical;
} ln_feedback_graph;

/* ---- feedback_graph.c ---- */
linnet_status ln_feedback_graph_new(const ln_network *network, ln_arena *arena, ln_report *report,
                                    ln_feedback_graph *graph);
void ln_feedback_graph_free(ln_feedback_graph *graph);

/* ---- feedback_gain.c ---- */
/* Fills cluster->gains; `place`: room for an int per unknown of the network, all -1, and again so afterwards. */
linnet_status ln_cluster_gains(const ln_network *network, const ln_cluster *cluster, int *place, ln_report *report);

/* ---- circuits.c ---- */
/* Calls visit for every elementary circuit: `path` holds its edges in order. What visit returns, unless LINNET_OK, ends
 * the search and is returned. */
linnet_status ln_circuits(const ln_feedback_graph *graph, ln_report *report,
                          linnet_status (*visit)(void *context, const int *path, int length), void *context);

#endif
