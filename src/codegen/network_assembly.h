/* SPDX-License-Identifier: MIT */
/* Private to the plan of a physical network: its rows as expressions, and what is made of them.
 *
 *     network_across.c       differences of potentials that are unknowns
 *     network_rows.c         blocks and devices to rows, each split into Q and F
 *     network_floating.c     parts of which only differences are stored
 *     network_leaves.c       columns of the linearised equations and leaves of expressions
 *     network_rights.c       right-hand sides of its linearised equations
 *     network_elimination.c  a system of residuals to the solution of the linearised equations
 *     network_choice.c       what of it is iterated, what follows, what nobody asks for
 *     network_hoist.c        what of it is computed once for all iterations
 *     network_prolonged.c    the algebra where the index is above 1
 *     network_plan.c         the step, the algebra, what jumps; what a user names */
#ifndef LN_CODEGEN_NETWORK_ASSEMBLY_H
#define LN_CODEGEN_NETWORK_ASSEMBLY_H

#include "codegen/network_across.h"
#include "codegen/network_plan.h"
#include "system/storage.h"

typedef struct ln_assembly {
    ln_plan *plan;
    ln_network_plan *out;
    ln_system *system;
    ln_side side;
    const double *x;  /* the start */
    int n, nunknowns; /* of the network, of the code */
    int shows_all;
    int keeps_stored;    /* of the algebra where events act, not of the step */
    ln_node *flux;       /* per row: what the blocks contribute, with DER nodes */
    ln_node *stored;     /* per row: Q, or LN_NONE */
    ln_node *before;     /* per row: Q at the step's begin, or LN_NONE */
    ln_node *gone;       /* per row: alpha (Q - Q at the step's begin), or LN_NONE */
    ln_node *rest;       /* per row: F */
    char *counts_change; /* per unknown, then per branch: what is stored depends on it */
    /* per unknown of the code: a device reads it or it stands where equations bend, so that
     * Newton's method iterates on it */
    char *steers;
    const ln_storage *storage;
    ln_node *floating; /* per floating part of storage: the sum of its rows, or LN_NONE */
} ln_assembly;

/* A linearised system, solved: unknowns of the code and, behind them, a flow for each branch of the
 * devices.
 * change: from what ln_assembly_origin() says. */
typedef struct ln_solution {
    ln_node *value, *change;
    int bends;   /* some equation does, not devices alone */
    int refuses; /* some equation has no value at some points */
} ln_solution;

static inline ln_graph *ln_assembly_graph(const ln_assembly *all) {
    return all->plan->graph;
}
static inline ln_node ln_assembly_two(const ln_assembly *all, ln_op op, ln_node a, ln_node b) {
    return ln_operation(all->plan->graph, op, a, b, LN_NONE);
}

/* The floating part of an unknown, or of a row; -1: none, or neither. */
static inline int ln_assembly_part(const ln_assembly *all, int unknown) {
    return unknown >= 0 ? all->storage->part[unknown] : -1;
}
static inline int ln_assembly_row_part(const ln_assembly *all, int row) {
    return row >= 0 ? all->storage->row_part[row] : -1;
}
/* The unknown that stands for what the part of another has in common, or -1. */
static inline int ln_assembly_common(const ln_assembly *all, int unknown) {
    const int part = ln_assembly_part(all, unknown);
    return part >= 0 ? all->storage->common[part] : -1;
}

/* network_floating.c: all->storage and room for the sums, of the start. LINNET_MEMORY is reported.
 */
linnet_status ln_assembly_find_floating(ln_assembly *all);
/* What an instance contributes to rows (row[k] < 0 or node[k] LN_NONE: nothing), and what flows
 * from one row's node to another's, into the sums of floating parts. */
void ln_assembly_float_rows(const ln_assembly *all, const int *row, const ln_node *node, int count);
void ln_assembly_float_flow(const ln_assembly *all, int from, int to, ln_node flow);
/* The slope of a node where all unknowns of a part move alike. */
ln_node ln_assembly_common_slope(const ln_assembly *all, ln_node node, int part);

/* `what` is wrong with the row; LINNET_MODEL. */
linnet_status ln_assembly_refuse(const ln_assembly *all, int row, const char *what);
/* The row is left without a pivot. */
linnet_status ln_assembly_refuse_pivot(const ln_assembly *all, int row);

/* Finds the devices of the network; then all rows, split. */
linnet_status ln_assembly_devices(ln_plan *plan, ln_network_plan *out);
linnet_status ln_assembly_rows(ln_assembly *all);
/* The nodes of an instance's rows over the plan's leaves: nports + nvars. */
linnet_status ln_assembly_instance(ln_plan *plan, const ln_network_plan *out, int instance,
                                   ln_node *nodes);
/* Leaves at the step's begin in the place of leaves now. */
linnet_status ln_assembly_before(ln_plan *plan, ln_node *nodes, int count);
/* How a flow depends on unknowns of the code: unknown[] (-1: none) and the node of each slope with
 * its sign, at most 2 LN_DEVICE_CONTROLS; returns how many. leaf: the index of its leaf. */
int ln_assembly_slopes(const ln_assembly *all, int leaf, int *unknown, ln_node *slope);

/* Values of nodes at a point where memories, slopes of devices and all that is before are as in a
 * sample: 0 as at the start, then as conductors, as insulators, with every branch of a condition
 * the other way. */
enum { LN_SAMPLES = 4 };
linnet_status ln_assembly_evaluate(const ln_assembly *all, int sample, const ln_node *nodes,
                                   int count, double *value);

/* What flows in devices at the start: out->start_flows, out->start_seen. */
linnet_status ln_assembly_start_devices(const ln_assembly *all);

/* network_leaves.c: what an unknown of the code, or behind them the flow of a branch, is counted
 * from: of what Newton's method iterates on, and what flows in devices, the value it has now, so
 * that the rounding of the elimination touches its update alone; else of what is stored that at the
 * step's begin; else 0. */
ln_node ln_assembly_origin(const ln_assembly *all, int column);

/* The column of a leaf: of an unknown of the code as it is, or of a flow; -1: it stays. */
int ln_assembly_column(const ln_assembly *all, ln_node leaf);
/* network_rights.c: a slope as the elimination takes it, finite where the value is; right-hand
 * sides of the network's rows, at the unknowns as they are; told in the solution: bends, refuses.
 */
ln_node ln_assembly_finite(const ln_assembly *all, ln_node slope);
/* all->steers of what stands where these rows bend. */
linnet_status ln_assembly_find_bent(const ln_assembly *all, const ln_node *residual);
linnet_status ln_assembly_rights(const ln_assembly *all, const ln_node *residual, ln_node *right,
                                 ln_solution *solution);
/* The solution of residual = 0 linearised at the unknowns as they are, eliminated; in scratch. Of
 * the unknowns of the code those without a residual (LN_NONE) are differences, or stay. */
linnet_status ln_assembly_eliminate(const ln_assembly *all, const ln_node *residual,
                                    ln_solution *solution);
/* network_prolonged.c: where the index of a network with instants is above 1, out->prolonged and
 * members for its unknowns; nothing where it is 1 or the equations are singular. */
linnet_status ln_network_find_motions(ln_plan *plan, const ln_system *system, ln_network_plan *out);
/* Is out->prolonged what determines it whatever the modes? LINNET_MODEL, reported: it is not. */
linnet_status ln_assembly_check_modes(const ln_assembly *all);
/* Its residuals: nunknowns, LN_NONE of differences. LINNET_MODEL: something in them has no
 * derivative here; not reported. */
linnet_status ln_assembly_prolong(const ln_assembly *all, ln_node *residual);
/* out->equations. */
linnet_status ln_assembly_equations(const ln_assembly *all);

/* Takes out of the nodes what does not change with the unknowns: known values, out->known; more:
 * reads these where it holds them. */
linnet_status ln_assembly_hoist(const ln_assembly *all, ln_node *nodes, int count, ln_node *more,
                                int nmore);
/* What of solutions is iterated and what follows; which unknowns the code keeps (out->shown):
 * out->step, out->shorter where the step iterates, out->algebra, and the rates of the first two. */
typedef struct ln_solutions {
    const ln_solution *step, *shorter, *algebra; /* the last two: or NULL */
    ln_node *rates, *shorter_rates;              /* out->nrates each */
} ln_solutions;
linnet_status ln_assembly_choose(const ln_assembly *all, const ln_solutions *solutions);
/* The largest parts of the nodes that hold a time at which conditions are decided, and nothing
 * else: out->sides. */
linnet_status ln_assembly_sides(const ln_assembly *all, const ln_node *nodes, int count);

#endif
