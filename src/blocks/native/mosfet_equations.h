/* SPDX-License-Identifier: MIT */
/* The MOS transistor, SPICE level 1: currents after H. Shichman and D. A. Hodges (IEEE J. Solid-State Circuits SC-3, 1968)
 * with body effect, as in P. Antognetti, G. Massobrio, Semiconductor Device Modeling with SPICE, 1988, chapter 4, and the
 * ngspice manual, chapter 11; charges after D. E. Ward and R. W. Dutton (IEEE J. Solid-State Circuits SC-13, 1978), which
 * ngspice's capacitances after Meyer are not. Pure functions, no other include than math.h.
 *
 * Voltages are those of an n-channel transistor against its inner source; where the drain lies below the source the two
 * change places. A flow is a value with its derivatives to gs, ds and bs. */
#ifndef LN_BLOCKS_NATIVE_MOSFET_EQUATIONS_H
#define LN_BLOCKS_NATIVE_MOSFET_EQUATIONS_H

typedef struct ln_mosfet_flow { double value, gs, ds, bs; } ln_mosfet_flow;

/* The channel at its temperature. */
typedef struct ln_channel {
    double gain;                   /* KP W/L, A/V^2                                                                   */
    double built_in;               /* threshold less the bulk's share, VTO - GAMMA sqrt(PHI), V                       */
    double body, potential;        /* GAMMA, sqrt V; PHI, V                                                           */
    double modulation;             /* LAMBDA, 1/V                                                                     */
    double oxide;                  /* capacitance of the gate's oxide, F                                              */
} ln_channel;

typedef struct ln_channel_flows {
    ln_mosfet_flow current;        /* from drain to source                                                            */
    ln_mosfet_flow to_source, to_drain, to_bulk; /* charges of the gate against each; their sum is the gate's          */
} ln_channel_flows;

void ln_channel_evaluate(const ln_channel *channel, double gs, double ds, double bs, ln_channel_flows *flows);
/* Threshold against the source, V. */
double ln_channel_threshold(const ln_channel *channel, double bs);

/* How far a gate or drain, against the source, may go from where it was evaluated when Newton wants more: where the
 * channel opens or saturates a tangent says little about what lies beyond (L. W. Nagel, SPICE2, ERL-M520, 1975). */
double ln_gate_limit(double old, double wanted, double threshold);
double ln_drain_limit(double old, double wanted);

#endif
