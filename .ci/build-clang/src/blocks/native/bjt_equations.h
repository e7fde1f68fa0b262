/* SPDX-License-Identifier: MIT */
/* The bipolar transistor after Gummel and Poon (Bell System Technical Journal 49, 1970), in SPICE's
 * form: P. Antognetti, G. Massobrio, Semiconductor Device Modeling with SPICE, 1988, chapter 2;
 * ngspice manual, chapter 8. Quasi-saturation after G. M. Kull, L. W. Nagel, S.-W. Lee, P. Lloyd,
 * E. J. Prendergast, H. Dirks (IEEE Trans. Electron Devices ED-32, 1985). Pure functions, no other
 * include than math.h and the junctions' equations.
 *
 * Voltages are those of an npn transistor at its inner nodes: be base against emitter, bc base
 * against collector. A flow is a value with its derivatives to be and bc. */
#ifndef LN_BLOCKS_NATIVE_BJT_EQUATIONS_H
#define LN_BLOCKS_NATIVE_BJT_EQUATIONS_H

#include "blocks/native/junction_equations.h"

/* A transistor at its temperature, for its area; reciprocals are 0 where the effect is left out.
 * All doubles. */
typedef struct ln_bjt {
    /* IBE, IBC (IS), BF, BR */
    double forward_saturation, reverse_saturation, forward_gain, reverse_gain;
    double forward_scale, reverse_scale; /* NF Vt, NR Vt */
    /* ISE, ISC, NE Vt, NC Vt */
    double forward_leak, reverse_leak, forward_leak_scale, reverse_leak_scale;
    double per_forward_early, per_reverse_early;           /* 1/VAF, 1/VAR */
    double per_forward_knee, per_reverse_knee, knee_power; /* 1/IKF, 1/IKR, NKF */
    double base_least, base_more, base_half;               /* RBM, RB - RBM, IRB */
    double emitter, collector;                             /* 1/RE, 1/RC */
    double forward_transit, bias_transit, per_transit_voltage, transit_current, reverse_transit;
    /* TF, XTF, 1/(1.44 VTF), ITF, TR */
    double gmin;
    double substrate_saturation, substrate_scale; /* ISS, NS Vt */
    /* 1/RCO, 0: none; VO, GAMMA, QCO; k T/q */
    double epitaxial, drift, doping, epitaxial_charge, vt;
    double delay;                 /* excess phase, s; 0: none */
    double to_collector, to_base; /* where the substrate's junction lies: 1 and 0 */
    ln_depletion be, bc, bx, substrate;
} ln_bjt;

typedef struct ln_bjt_flow {
    double value, be, bc;
} ln_bjt_flow;

typedef struct ln_bjt_flows {
    ln_bjt_flow forward, reverse, qb;             /* currents of the ideal junctions; base charge */
    ln_bjt_flow base_emitter, base_collector;     /* currents of the base */
    ln_bjt_flow transport;                        /* from collector to emitter */
    ln_bjt_flow base_resistance;                  /* Ohm */
    ln_bjt_flow emitter_charge, collector_charge; /* base against emitter and collector */
} ln_bjt_flows;

/* Collector to emitter, where `forward` has come late: derivatives of the rest; *by_forward: that
 * to it. */
ln_bjt_flow ln_bjt_late_transport(const ln_bjt_flows *flows, double forward, double *by_forward);
/* The epitaxial layer of the collector, bx being the base against its far side: the current through
 * it from there to the collector's junction, the charges at either end against the base, with
 * derivatives (.be: to bx in the current). */
typedef struct ln_epitaxial {
    ln_bjt_flow current;
    double near, near_slope, far, far_slope;
} ln_epitaxial;
void ln_bjt_epitaxial(const ln_bjt *bjt, double bc, double bx, ln_epitaxial *layer);

void ln_bjt_evaluate(const ln_bjt *bjt, double be, double bc, ln_bjt_flows *flows);
/* Charge of the substrate's junction: no forward bias is meant, so it goes on linearly from 0. */
double ln_bjt_substrate_charge(double v, const ln_depletion *layer, double *slope);

#endif
