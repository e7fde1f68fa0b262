/* SPDX-License-Identifier: MIT */
/* Inside the graph: how nodes are stored, for the files of this room that walk over them. */
#ifndef LN_EXPRESSION_NODES_H
#define LN_EXPRESSION_NODES_H

#include "expression/graph.h"
#include "expression/special.h"

#include <math.h>

typedef struct ln_cell {
    unsigned char op, depends;
    ln_node arg[3];
    union {
        double value; /* CONSTANT */
        struct {
            int kind, index;
        } leaf; /* LEAF */
        /* TABLE, TABLE_SLOPE: place among the parameters */
        struct {
            int first, points;
        } table;
        unsigned long long bits;
    } at;
    /* Scratch of whoever walks; nobody builds nodes by looking at it. */
    unsigned mark; /* == graph->mark: met by the last ln_below() */
    int memo;
} ln_cell;

struct ln_graph {
    ln_cell *cell;
    int count, room;
    int *slot;
    unsigned slots;     /* hash table of node + 1; a power of two, >= 2 * room */
    int *order, *stack; /* room each: scratch of ln_below() */
    unsigned mark;
    int failed;
};

/* Lists the nodes below (and with) the roots, arguments first, in graph->order, and returns their
 * number; LN_NONE among the roots is skipped. Only nodes >= least that depend on something in
 * `mask` are visited (mask 0: all). Marks them. Reading graph->order stays allowed while nodes are
 * built, through the graph each time. */
int ln_below(const ln_graph *graph, const ln_node *roots, int count, ln_node least, unsigned mask);
static inline int ln_is_below(const ln_graph *graph, ln_node node) {
    return graph->cell[node].mark == graph->mark;
}

/* The node equal to this cell, made if there is none; `commutes`: equal also with the first two
 * arguments exchanged. */
ln_node ln_intern(ln_graph *graph, const ln_cell *cell, int commutes);

/* Value of a MATH operation. */
double ln_apply(ln_op op, double a, double b, double c);
int ln_op_arity(ln_op op);

static inline int ln_op_has_table(ln_op op) {
    return op >= LN_OP_TABLE && op <= LN_OP_TABLE_ROOM;
}
/* Nodes with a table; `decide` (the second argument) is LN_NONE for TABLE_SLOPE and TABLE_MIDDLE.
 */
ln_node ln_table_node(ln_graph *graph, ln_op op, ln_node x, ln_node decide, int first, int points);
static inline int ln_is(const ln_graph *graph, ln_node node, double value) {
    return graph->cell[node].op == LN_OP_CONSTANT && graph->cell[node].at.value == value;
}
/* An operation of constants that has no finite value. */
static inline int ln_is_failing(const ln_graph *graph, ln_node node) {
    return graph->cell[node].depends == 0 && graph->cell[node].op != LN_OP_CONSTANT;
}

/* The derivative of a node of which only argument `which` (0 or 1) depends on the variable, and
 * that with this slope. */
ln_node ln_slope_through(ln_graph *graph, ln_node node, int which, ln_node slope);
/* ln_degree_in() with coefficients that depend on the leaves of `constant_mask` only. */
ln_degree ln_degree_over(ln_graph *graph, ln_node node, ln_node variable, unsigned constant_mask);

#endif
