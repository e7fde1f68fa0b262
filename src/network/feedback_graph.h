/* SPDX-License-Identifier: MIT */
/* Private to the room `network`: the graph in which feedback loops are sought. */
#ifndef LN_NETWORK_FEEDBACK_GRAPH_H
#define LN_NETWORK_FEEDBACK_GRAPH_H

#include "blocks/equations.h"
#include "expression/slope.h"
#include "network/feedback.h"

/* What one input does to one output. */
typedef struct ln_gain {
    signed char sign;  /* of the slow gain; 0: not decidable */
    signed char start; /* the same; where it is not decidable that at the start, 0: unknown */
    char acts, direct;
} ln_gain;

typedef struct ln_terminal {
    int instance, port;
} ln_terminal;

/* Blocks that are looked at as one: a signal block, or a physical network. */
typedef struct ln_cluster {
    const int *instances;
    int count;
    ln_terminal *inputs;
    int ninputs; /* signal ports */
    ln_terminal *outputs;
    int noutputs;
    ln_gain *gains; /* [input * noutputs + output] */
} ln_cluster;

/* An edge of the graph. Nodes are links and, behind them, the physical networks that signals pass.
 */
typedef struct ln_edge {
    int from, to;
    ln_terminal in, out; /* instance -1 on the side of a physical network's node */
    int item;            /* there: the number of the input or output in its cluster */
    ln_gain gain;        /* of a signal block */
} ln_edge;

typedef struct ln_feedback_graph {
    const ln_network *network;
    ln_arena *arena;
    int nnodes;
    ln_edge *edges;
    size_t nedges, edges_room; /* ordered by `from` */
    int *first;                /* per node: its first edge; nnodes + 1 */
    int *back, *back_first;    /* edges ordered by `to` */
    ln_cluster *hubs;
    int nhubs; /* physical networks that signals pass: node nlinks + h */
    int nphysical;
} ln_feedback_graph;

/* ---- feedback_graph.c ---- */
linnet_status ln_feedback_graph_new(const ln_network *network, const ln_feedback_start *start,
                                    ln_arena *arena, ln_report *report, ln_feedback_graph *graph);
void ln_feedback_graph_free(ln_feedback_graph *graph);

/* What is the same for all clusters of a network. */
typedef struct ln_gaining {
    const ln_network *network;
    const ln_feedback_start *start; /* may be NULL */
    ln_feedback_point point;
    int sought; /* 1: the start was sought and `point` is it, -1: and there is none */
    int *place; /* room for an int per unknown of the network, all -1 */
} ln_gaining;

/* ---- feedback_items.c ---- */
/* An entry of a cluster's matrices; col < 0: that of input -1 - col. */
typedef struct ln_gain_item {
    int row, col, at; /* at: position in the pattern of the matrix */
    linnet_kind kind;
    ln_interval is; /* where its value lies, whatever the state is */
} ln_gain_item;
typedef struct ln_gain_items {
    ln_gain_item *item;
    size_t count, room;
    int extra; /* unknowns and rows that were added behind the n placed ones */
    int sets;  /* asked for: with what events do to slow changes */
    int open;  /* and of some event it is not known */
} ln_gain_items;
/* All entries of the cluster's blocks; at a point (may be NULL) their values there. `place`: where
 * the n unknowns stand. 0 when memory is short. The caller releases items->item. */
int ln_gain_items_collect(const ln_network *network, const ln_cluster *cluster, const int *place,
                          int n, const ln_feedback_point *point, ln_gain_items *items);

/* ---- feedback_slopes.c ---- */
/* The rows of a block in a graph of numbers. What several unknowns make together, linearly, before
 * something that is not linear sees it (the u of clamp(u, ...)) is an unknown of its own, behind
 * those of the class, with the row that says what it is: so all that follows from it has one slope.
 */
/* the class's rows, then those */
typedef struct ln_slope_rows {
    ln_node *row;
    int nextra;
} ln_slope_rows;
int ln_slope_rows_make(const linnet_block *block, const ln_residuals *residuals, ln_graph *graph,
                       ln_arena *arena, ln_slope_rows *rows);
/* The same of n rows of n unknowns that are in the graph, with parameters as numbers. */
int ln_slope_rows_of(ln_graph *graph, const ln_node *row, int n, ln_arena *arena,
                     ln_slope_rows *rows);

/* ---- feedback_sets.c ---- */
/* Rows of a block with its events: the class's, then of as many unknowns behind its own memories
 * that events set and what sets them (LN_NONE: the items say all). */
typedef struct ln_set_rows {
    ln_node *row;
    int count;
    ln_gain_items items; /* in the numbers of the block; the caller releases items.item */
    int open;            /* 1: of what some event does nothing is known */
} ln_set_rows;
/* Of a class of equations; entry: the values of the class's constant entries. *rows is zero before.
 * 0 when memory is short. */
int ln_set_rows_make(const ln_instance *instance, const double *entry, ln_graph *graph,
                     ln_arena *arena, ln_set_rows *rows);

/* ---- feedback_gain.c ---- */
/* Fills cluster->gains. */
linnet_status ln_cluster_gains(ln_gaining *all, const ln_cluster *cluster, ln_report *report);

/* ---- circuits.c ---- */
/* Calls visit for every elementary circuit: `path` holds its edges in order. What visit returns,
 * unless LINNET_OK, ends the search and is returned. */
linnet_status ln_circuits(const ln_feedback_graph *graph, ln_report *report,
                          linnet_status (*visit)(void *context, const int *path, int length),
                          void *context);

#endif
