/* SPDX-License-Identifier: MIT */
/* A physical network as one step of an implicit method, its elimination unrolled.
 *
 * Every row of the network is d/dt Q(x) + F(x, t) = 0. With alpha = 1/h (backward Euler) or 2/h
 * (Crank-Nicolson, and its two halves of backward Euler where something jumps) a step solves
 *
 *     R(x) = alpha (Q(x) - Q(x before)) + w + F(x, t) = 0,      w = 0 or the rates before: F there.
 *
 * Newton's next point, x with J x = J x_k - R(x_k), is written out as expressions: J by exact
 * derivatives, its elimination in an order that is chosen now, by what the code pays for each pivot
 * that is large enough in J at the start and where devices and branches are otherwise, so that no
 * pivot is sought when the code runs. What is constant in J is eliminated now, in numbers; of a
 * linear network only the solution is left. Iterated are the unknowns on which this depends; the
 * others follow from them, once they are found, and those of which nothing depends that a user asks
 * for are left out.
 *
 * Where equations or devices bend, Newton's method may find no solution of a whole step, as where
 * dry friction falls with speed or a trigger flips; then parts of the step are solved. `shorter` is
 * the same as `step` for
 *
 *     R(x) = pace alpha (Q(x) - Q(x before)) + w + F(x, t) = 0
 *
 * with a leaf, `pace`: how many such parts the step would have (1/2 of that for backward Euler in a
 * part of Crank-Nicolson, whose alpha is twice as large).
 *
 * Where events act, the algebra is solved while what is stored stays: `algebra` is the same for
 *
 *     Q(x) - Q(x before) = 0 on rows that store independently,   N' F(x, t) = 0 on the others
 *
 * (system/row_transform.h).
 *
 * Devices in C (blocks/native) are no expressions: what flows in their branches, and its slopes,
 * are leaves whose values the code computes by the devices' own equations before each update. Where
 * they read nothing but differences, these are unknowns beside those of the network.
 *
 * Leaves: those of plan.h, with no states; `before` are the unknowns at the step's begin. Behind
 * the memories and those before the instant stand rates and the pace, behind the unknowns flows,
 * see below. */
#ifndef LN_CODEGEN_NETWORK_PLAN_H
#define LN_CODEGEN_NETWORK_PLAN_H

#include "blocks/native/device.h"
#include "codegen/plan.h"
#include "system/system.h"

/* A device: its flows are `first`, `first` + 1, ...: of each branch its value, then
 * LN_DEVICE_CONTROLS slopes; its nodes' voltages are remembered from `first_node` on. */
typedef struct ln_network_device {
    ln_carried carried;
    int instance, first, first_node;
} ln_network_device;
enum { LN_FLOW_VALUES = 1 + LN_DEVICE_CONTROLS };

/* A difference of potentials: of one unknown above another. */
typedef struct ln_across {
    int unknown, base;
} ln_across;

/* A derivative (order > 0) or impulse (< 0) of an unknown of the network. */
typedef struct ln_motion {
    int unknown, order;
} ln_motion;

/* How a system of equations is solved. */
typedef struct ln_network_solver {
    ln_plan_part
        update;        /* iterated unknowns, as Newton's method has them next; targets: unknowns */
    ln_plan_part rest; /* the others that are kept, from those; the same */
    const char *iterates; /* per unknown of the code */
    int niterated;        /* 0: `rest` is the solution */
    int bends;            /* equations do, not devices alone */
    int refuses;          /* equations have no value at some points */
    int kinks;            /* `update` decides by what is iterated: changes tell no rate */
} ln_network_solver;

typedef struct ln_network_plan {
    double alpha; /* order of the method by its step, 1/s */
    int averages; /* Crank-Nicolson, not backward Euler */
    ln_network_device *devices;
    int ndevices, nflows, nnodes;
    /* differences that devices read in the place of potentials; per unknown of the network: the
     * unknown of the code that devices read in its place (network_across.h) */
    ln_across *across;
    int nacross, *seen_as;
    /* of an index above 1 where events act: what determines it then (network_prolonged.c), or NULL;
     * its derivatives and impulses are unknowns of the code behind the differences */
    const struct ln_prolonged_structure *prolonged;
    ln_motion *motion;
    int nmotions;
    ln_network_solver step;
    ln_plan_part known; /* what of it stays while Newton's method goes on; targets: their numbers */
    int divides;        /* a step may be divided */
    ln_network_solver shorter;  /* then */
    ln_plan_part shorter_rates; /* `rates` after a part of a step */
    int is_hybrid;              /* something happens between steps */
    ln_network_solver algebra;  /* then */
    const char *shown;          /* per unknown of the code: it keeps it */
    ln_plan_part rates;         /* of the dynamic rows after a solve; targets: their numbers */
    ln_plan_part fresh;         /* F of the dynamic rows, where something has happened */
    /* F at the step's begin of rows in which time alone decides: where it differs between the
     * sides, something jumps; targets: their numbers */
    ln_plan_part edges;
    ln_plan_part sides; /* what time decides in them; nothing where that is no value of its own */
    /* With `prolonged`: what of the equations and their slopes memories and
     * decisions of time change. While it stays at an instant, so do the signals
     * (integrate/jumps.c). */
    ln_plan_part equations;
    int nequations;
    /* nedges, nrates: a difference up to this moves no unknown to speak of */
    const double *least_edge, *least_rate;
    int nrates, nedges, nsides, nknown;
    const int *dynamic_row;           /* nrates: rows of the network */
    double *start_rates;              /* nrates */
    double *start_flows, *start_seen; /* of devices: nflows, nnodes */
    int fill;                         /* entries of the factors of J */
} ln_network_plan;

/* The index of the MEMORY leaf that is the rate w of dynamic row k; the pace; a known value; those
 * of the UNKNOWN leaves that are flow k as it is, and flow k, a charge, as it was at the step's
 * begin. */
static inline int ln_network_rate(const ln_plan *plan, int k) {
    return 2 * plan->nmemories + k;
}
static inline int ln_network_pace(const ln_plan *plan) {
    return ln_network_rate(plan, plan->network->n);
}
static inline int ln_network_known(const ln_plan *plan, int k) {
    return ln_network_pace(plan) + 1 + k;
}
static inline int ln_network_flow(const ln_plan *plan, int k) {
    return ln_plan_before(plan, plan->network->n) + k;
}
static inline int ln_network_stored(const ln_plan *plan, const ln_network_plan *network, int k) {
    return ln_network_flow(plan, network->nflows) + k;
}
/* Likewise of unknown u of the code: of the network, or, behind those, a difference, or, behind
 * these, a derivative or impulse. */
static inline int ln_network_leaf(const ln_plan *plan, const ln_network_plan *network, int u) {
    return u < plan->network->n
               ? ln_plan_signal(plan, u)
               : ln_network_stored(plan, network, network->nflows) + (u - plan->network->n);
}
/* The unknown of the code whose leaf that is, as it is; -1: it is another leaf. */
static inline int ln_network_unknown(const ln_plan *plan, const ln_network_plan *network,
                                     int leaf) {
    const int n = plan->network->n, behind = leaf - ln_network_leaf(plan, network, n);
    if (behind >= 0)
        return behind < network->nacross + network->nmotions ? n + behind : -1;
    return leaf >= ln_plan_signal(plan, 0) && leaf < ln_plan_signal(plan, n)
               ? leaf - ln_plan_signal(plan, 0)
               : -1;
}
/* How many unknowns the code has. */
static inline int ln_network_unknowns(const ln_plan *plan) {
    return plan->diagram.n +
           (plan->implicit != NULL ? plan->implicit->nacross + plan->implicit->nmotions : 0);
}

/* plan->implicit, with its devices, for plan->network, whose unknowns and memories are members
 * already; then, with the plan's outputs, all the rest of it. x: the start, at which the system has
 * been evaluated; all: every unknown is kept. LINNET_MODEL, reported: something that cannot be
 * carried, or a matrix without pivots. */
linnet_status ln_network_plan_begin(ln_plan *plan, const ln_system *system, double step, int order);
linnet_status ln_network_plan_make(ln_plan *plan, ln_system *system, ln_side side, const double *x,
                                   int all);

/* A recorded flux, and a difference of potentials, as nodes of plan->graph. */
linnet_status ln_network_plan_flux(ln_plan *plan, const ln_quantity *quantity, ln_node *node);
linnet_status ln_network_plan_power(ln_plan *plan, const ln_quantity *quantity, ln_node *node);
linnet_status ln_network_plan_drop(ln_plan *plan, const ln_quantity *quantity, ln_node *node);

/* Why a block's type cannot stand in such a plan, or NULL. */
const char *ln_network_plan_refuses(const linnet_block_class *class, const ln_instance *instance);

#endif
