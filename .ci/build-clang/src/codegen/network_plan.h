/* SPDX-License-Identifier: MIT */
/* A physical network as one step of an implicit method, its elimination unrolled.
 *
 * Every row of the network is d/dt Q(x) + F(x, t) = 0. With alpha = 1/h (backward Euler) or 2/h
 * (Crank-Nicolson, and its two halves of backward Euler where something jumps) a step solves
 *
 *     R(x) = alpha (Q(x) - Q(x before)) + w + F(x, t) = 0,      w = 0 or the rates before: F there.
 *
 * Newton's update J^-1 R is written out as expressions: J by exact derivatives, its elimination in
 * an order that is chosen now, by Markowitz's rule on the values of J at the start, so that no
 * pivot is sought when the code runs. What is constant in J is eliminated now, in numbers; of a
 * linear network only the solution is left.
 *
 * Leaves: those of plan.h, with no states; `before` are the unknowns at the step's begin; the rate
 * w of the dynamic row k is the MEMORY k. */
#ifndef LN_CODEGEN_NETWORK_PLAN_H
#define LN_CODEGEN_NETWORK_PLAN_H

#include "codegen/plan.h"
#include "system/system.h"

typedef struct ln_network_plan {
    double alpha;
    ln_plan_part update; /* J^-1 R; targets: unknowns */
    ln_plan_part rates;  /* of the dynamic rows after a solve; targets: their numbers */
    /* F at the step's begin of rows in which time alone decides: where it differs between the
     * sides, something jumps; targets: their numbers */
    ln_plan_part edges;
    int nrates, nedges;
    const int *dynamic_row; /* nrates: rows of the network */
    double *start_rates;    /* nrates */
    int linear;             /* J does not depend on x: one update is exact */
    int fill;               /* entries of the factors */
} ln_network_plan;

/* Everything of `network_plan`, for plan->network, whose unknowns are members already. x: the
 * start. LINNET_MODEL, reported: something that cannot be carried, or a matrix without pivots. */
linnet_status ln_network_plan_make(ln_plan *plan, double alpha, ln_side side, const double *x,
                                   ln_network_plan *network_plan);

/* A recorded flux, and a difference of potentials, as nodes of plan->graph. */
linnet_status ln_network_plan_flux(ln_plan *plan, const ln_quantity *quantity, ln_node *node);
linnet_status ln_network_plan_power(ln_plan *plan, const ln_quantity *quantity, ln_node *node);
linnet_status ln_network_plan_drop(ln_plan *plan, const ln_quantity *quantity, ln_node *node);

#endif
