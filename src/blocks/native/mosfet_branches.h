/* SPDX-License-Identifier: MIT */
/* The MOS transistor as branches between its nodes: its channel (mosfet_equations.h), the junctions
 * of drain and source with the bulk, the series resistances and the overlaps of the gate. Pure
 * functions, no other include than math.h and the equations of its parts. */
#ifndef LN_BLOCKS_NATIVE_MOSFET_BRANCHES_H
#define LN_BLOCKS_NATIVE_MOSFET_BRANCHES_H

#include "blocks/native/flow.h"
#include "blocks/native/junction_equations.h"
#include "blocks/native/mosfet_equations.h"

/* A junction of the bulk: its current, the layers of its floor and its side, and what it stores
 * without these, F. */
typedef struct ln_bulk_junction {
    double saturation;
    ln_depletion floor, side;
    double bare;
} ln_bulk_junction;

/* A transistor at its temperature, for its size. All doubles. */
typedef struct ln_mosfet {
    ln_channel channel;
    double drain, source;                      /* conductances */
    double over_source, over_drain, over_bulk; /* capacitances where the gate overlaps */
    double vt, gmin;
    ln_bulk_junction at_drain, at_source;
} ln_mosfet;

/* Nodes: the ports, and those behind RD and RS. */
enum { LN_MOS_D, LN_MOS_G, LN_MOS_S, LN_MOS_B, LN_MOS_DI, LN_MOS_SI, LN_MOS_NODES };
enum {
    LN_MOS_AT_D,
    LN_MOS_AT_S,
    LN_MOS_CHANNEL,
    LN_MOS_DIODE_D,
    LN_MOS_DIODE_S,
    LN_MOS_CHARGE_S,
    LN_MOS_CHARGE_D,
    LN_MOS_CHARGE_B,
    LN_MOS_DEPLETION_D,
    LN_MOS_DEPLETION_S,
    LN_MOS_BRANCHES
};
/* The branches at the node voltages v. */
void ln_mosfet_branches(const ln_mosfet *mosfet, const double *v, ln_flow *flow);
/* Gate and drain against the end of the channel that was the lower one; the bulk so that neither
 * junction goes too far: moves v, returns 1 if it did. */
int ln_mosfet_limit(const ln_mosfet *mosfet, const double *v_old, double *v);

#endif
