/* SPDX-License-Identifier: MIT */
/* The diagram compiler: the steps from a plain block diagram to one program, each in a file of its
 * own. Private to it and to code generation, which takes the expressions and makes programs of its
 * own.
 *
 * - diagram_nodes.c: what is in a row's expression, and the values put in;
 * - diagram_rows.c: the rows of all instances as one set of equations; which of them are rates of
 *   states;
 * - diagram_order.c: which algebraic row determines which unknown, and in what order they can be
 *   computed;
 * - diagram_loop.c: what cannot be ordered: loops, solved at once where they are linear, else torn
 *   for Newton;
 * - diagram.c: the programs, and the ln_ode that runs them.
 *
 * Two graphs: in `rows` the unknowns are leaves numbered as in the network; in `graph` every
 * unknown has become an expression of the states, the unknowns on which loops iterate (leaves
 * numbered by their place in the point: states first), and time. Parameters are constants in both,
 * but for those of tables, which the programs look up, and those that code generation keeps open:
 * PARAMETER leaves, by their place in `parameters`, and behind all of them the inputs. */
#ifndef LN_SYSTEM_DIAGRAM_H
#define LN_SYSTEM_DIAGRAM_H

#include "network/network.h"
#include "system/loop.h"
#include "blocks/equations.h"

/* A row of the network: residual = 0. */
typedef struct ln_row {
    int instance;
    ln_node node;     /* the residual in diagram->rows */
    int state;        /* unknown whose derivative the row gives, or -1 */
    ln_node factor;   /* of that derivative, in diagram->rows; of parameters alone */
    int first, count; /* unknowns outside DER: diagram->uses[first .. first+count-1], rising */
    int unknown;      /* algebraic: the unknown it determines */
    /* 1: its derivatives are of signals that others drive; it determines its own unknown
     * (diagram_derived.c); later: its uses once all that it needs is known */
    int derives, later_first, later_count;
    /* ... of which the residual is linear, with this coefficient of parameters alone: */
    int is_explicit;
    ln_node coefficient;
} ln_row;

/* A maximal set of algebraic rows that need each other, in an order in which sets can be computed.
 */
/* diagram->order[first .. first+count-1]: rows */
typedef struct ln_part {
    int first, count;
} ln_part;

/* A loop for Newton. */
typedef struct ln_cycle {
    /* outputs of its program: count residuals, count x count slopes by columns */
    ln_node *nodes;
    int first, count; /* its unknowns: diagram->iterated[first .. first+count-1] */
    int affine;
    const char *members; /* in diagram->arena */
    ln_place place;
} ln_cycle;

/* Of each delay: the time that it lies back; the signal as it is now, where that takes part: of one
 * that may lie within the step at hand, else LN_NONE. */
typedef struct ln_delay_nodes {
    ln_node *lag, *now;
} ln_delay_nodes;

typedef struct ln_diagram {
    ln_network *network;
    ln_report *report;
    ln_arena *arena;   /* lives as long as the ode */
    ln_arena *scratch; /* of the compiler */
    ln_graph *rows, *graph;
    int n; /* unknowns = rows */
    /* of all instances end to end, and where each instance's begin */
    double *parameters;
    int *shift;
    int nparameters;
    /* unknowns that come from outside, PARAMETER leaves nparameters + k; may be none */
    const int *inputs;
    int ninputs;
    /* Whether the value at `offset` of an instance's parameters stays open. NULL: none does. */
    int (*tunes)(const void *context, int instance, int offset);
    /* Where delays are read by code: the number of each instance's first; those that may lie within
     * the step at hand; their nodes in `rows`; and the rows of native types that delay. NULL:
     * MEMORY leaves stand for them. */
    const int *first_delay;
    const char *is_near;
    ln_delay_nodes delays;
    const ln_residuals *(*residuals)(const void *context, int instance);
    const void *context; /* of tunes and residuals */
    int refused;         /* the instance for which LINNET_USAGE was the answer, or -1 */
    ln_row *row;
    int *uses;
    size_t nuses;
    /* per unknown: its rate row if it is a state, else the row that determines it */
    int *row_of;
    int *state;
    int nstates; /* unknown of each state */
    int *order;
    ln_part *part;
    int nparts;
    ln_node *value; /* per unknown, in graph */
    ln_node *slope; /* per unknown: d/dt of its value, LN_NONE where nobody asked */
    int *position;  /* per row: its number within the loop at hand */
    char *leaves;   /* per unknown: rows outside of its part read it */
    /* unknowns on which loops iterate; they stand behind the states */
    int *iterated;
    size_t niterated, iterated_room;
    ln_cycle *loops;
    size_t nloops, loops_room;
} ln_diagram;

/* A walk over the nodes below others, each visited once per stamp (> 0): push nodes, then ask for
 * parts. */
typedef struct ln_walk {
    const ln_graph *graph;
    int *seen; /* per node: the last stamp that met it */
    ln_node *stack;
    int size, height;
    int stamp; /* the last one, where walks number themselves */
} ln_walk;

/* Everything up to values[] and loops[], of network, report, inputs, ninputs and tunes.
 * LINNET_USAGE, not reported: no diagram in causal form. The diagram is to be closed in any case;
 * its arena is freed, too. */
linnet_status ln_diagram_open(ln_diagram *diagram);
/* The beginning alone: arenas, graphs, n, and the parameters of all instances (ln_diagram_gather).
 */
linnet_status ln_diagram_begin(ln_diagram *diagram);
linnet_status ln_diagram_gather(ln_diagram *diagram);
void ln_diagram_close(ln_diagram *diagram);
/* The rates of all states, in diagram->graph. */
linnet_status ln_diagram_rates(ln_diagram *diagram, ln_node *rates);
/* The network's unknown for a local one of an instance; -1 where the value is zero (an open input).
 */
int ln_diagram_unknown(const ln_network *network, const ln_instance *instance, int local);
/* A value of an instance's parameters as a node: a constant, or the leaf of one that stays open. */
ln_node ln_diagram_parameter(const ln_diagram *diagram, ln_graph *graph, int instance, int offset);

/* Sets rows, parameters, row[], uses[], state[]. LINNET_USAGE, not reported: not a diagram in
 * causal form. */
linnet_status ln_diagram_rows(ln_diagram *diagram);

/* Sets unknown, is_explicit and coefficient of algebraic rows, row_of[], order[] and part[].
 * LINNET_MODEL, reported: some unknowns cannot be computed from states and time. */
linnet_status ln_diagram_order(ln_diagram *diagram);

/* Whether a row that holds derivatives computes its own unknown from those of signals that others
 * drive. walk: over diagram->rows. */
int ln_diagram_derives(ln_diagram *diagram, ln_walk *walk, int row);
/* After the matching: what such rows need before they can be computed joins their uses. Reported.
 */
linnet_status ln_diagram_order_derivatives(ln_diagram *diagram);
/* slope[] of what such a row holds; is_alone: it is in no loop. LINNET_MODEL, reported. */
linnet_status ln_diagram_slopes(ln_diagram *diagram, ln_walk *walk, int row, int is_alone);
/* The rate of state k, in diagram->graph. */
ln_node ln_diagram_rate(ln_diagram *diagram, int k);

/* Sets value[] of all unknowns, and loops[]. LINNET_MODEL, reported: a linear loop has a gain of
 * one. */
linnet_status ln_diagram_values(ln_diagram *diagram);

/* The residual of a row in diagram->graph with the known value[] put in, `skip` (an unknown, or -1)
 * and derivatives being zero. */
ln_node ln_diagram_residual(ln_diagram *diagram, int row, int skip);
/* x of  coefficient*x + rest = 0. */
ln_node ln_diagram_solved(ln_graph *graph, ln_node rest, ln_node coefficient);
/* A coefficient or factor of a row in diagram->graph. */
ln_node ln_diagram_coefficient(ln_diagram *diagram, ln_node node);
/* Is it made of parameters alone and not known to be zero or beyond all bounds? */
int ln_is_usable(const ln_graph *graph, ln_node node);
/* Is it the constant 1? */
int ln_is_one(const ln_graph *graph, ln_node node);
/* Sets value[] of a loop's unknowns, which its rows (count of them) determine together. */
linnet_status ln_diagram_solve_loop(ln_diagram *diagram, const int *rows, int count);

/* The rows of an instance, or NULL; where delays are read by code, of native types that delay, too.
 */
const ln_residuals *ln_diagram_residuals(const ln_diagram *diagram, int instance);
/* What a memory of an instance is that a delay gives, where delays are read by code, their nodes
 * being in `to`; else LN_NONE. Within a step it is what samples tell, and a part of what the signal
 * is now. */
ln_node ln_diagram_recall(const ln_diagram *diagram, ln_graph *to, const ln_delay_nodes *delays,
                          int instance, int memory);
/* Copies what an instance's delays need, as its rows are copied. */
void ln_diagram_copy_delays(const ln_diagram *diagram, ln_graph *to, ln_delay_nodes *delays,
                            int instance, ln_leaf_map *map, void *context);
/* For the nodes the graph has now. */
linnet_status ln_walk_new(ln_walk *walk, ln_diagram *diagram, const ln_graph *graph);
void ln_walk_push(ln_walk *walk, ln_node node, int stamp);
/* The next leaf or DER node, or LN_NONE when the walk is done. */
ln_node ln_walk_next(ln_walk *walk, int stamp);

#endif
