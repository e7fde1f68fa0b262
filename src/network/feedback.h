/* SPDX-License-Identifier: MIT */
/* The feedback loops of a network: which signals act on themselves, through which blocks, with
 * which sign.
 *
 * Nodes are the signal links of the flattened network, so that components and their labels are seen
 * through; an edge is a pair of an input and an output of a block of which the one acts on the
 * other. Physical links have no direction: what they connect is one node, a physical network with
 * signal inputs (driven sources) and outputs (sensors), and a loop that passes it enters by one of
 * these and leaves by another. */
#ifndef LN_NETWORK_FEEDBACK_H
#define LN_NETWORK_FEEDBACK_H

#include "base/side.h"
#include "network/network.h"

/* One step of a loop: from a link into `in`, out of `out` to the next link. */
typedef struct ln_loop_member {
    int from, to;     /* links */
    int instance, in; /* block and its input port */
    /* the same block and its output port; of a physical network, another block */
    int out_instance, out;
    int physical;     /* number of the physical network it passes, -1: none */
    signed char sign; /* of the slow gain from in to out: 1, -1, 0 not decidable */
    /* the same, and where it is not decidable what it is at the start; 0 unknown */
    signed char start;
    char direct; /* part of the input passes at once, through no state */
} ln_loop_member;

/* Members in the order of the signal, from the sum of the first name if there is one; each
 * elementary circuit once. */
typedef struct ln_feedback_loop {
    const ln_loop_member *members;
    int nmembers;
    int sign;      /* 1 positive feedback, -1 negative, 0 not decidable */
    int start;     /* the same at the start of a run */
    int algebraic; /* no state in it: its signals depend on themselves at the same instant */
    int nsums;     /* blocks of type `sum` it passes */
} ln_feedback_loop;

typedef struct ln_loop_count {
    long loops, algebraic; /* that were visited */
    int complete;          /* 0: the limit was reached and there is at least one more */
    int physical; /* physical networks; those with signals on both sides can lie in a loop */
    int passable;
} ln_loop_count;

/* Where values are asked for that change with the state. */
typedef struct ln_feedback_point {
    ln_side side;
    const double *x, *memory; /* of the whole network */
} ln_feedback_point;

/* The start of a run, for those who can find it: called once, when some sign is not decidable
 * without. 0: there is none. */
typedef struct ln_feedback_start {
    int (*find)(void *context, ln_feedback_point *point);
    void *context;
} ln_feedback_start;

/* Who is shown the loops; another status than LINNET_OK ends the search. */
typedef struct ln_feedback_visitor {
    linnet_status (*visit)(void *context, const ln_feedback_loop *loop);
    void *context;
} ln_feedback_visitor;

/* Shows every loop to the visitor, `limit` of them at most. The sign is that of slow changes (s ->
 * 0+ along the real axis): the product of the signs of gains, integrators and so on. A nonlinear
 * block has one where its slope has the same sign everywhere; else that at the start (which may be
 * NULL) is told. The order depends on names only. Cost: that of one pass over the blocks, and
 * Johnson's (1975) of (nodes + edges) for each loop, in the part of the graph that is strongly
 * connected. Returns LINNET_MEMORY (told) or what visit returned. */
linnet_status ln_feedback_loops(const ln_network *network, long limit,
                                const ln_feedback_start *start, ln_report *report,
                                ln_feedback_visitor visitor, ln_loop_count *count);

/* Is the block one of the loop's sums? */
int ln_is_sum(const ln_network *network, int instance);

#endif
