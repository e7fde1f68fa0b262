/* SPDX-License-Identifier: MIT */
/* The bipolar transistor after Gummel and Poon (Bell System Technical Journal 49, 1970), in SPICE's form: P. Antognetti,
 * G. Massobrio, Semiconductor Device Modeling with SPICE, 1988, chapter 2; ngspice manual, chapter 8. Pure functions, no
 * other include than math.h and the junctions' equations.
 *
 * Voltages are those of an npn transistor at its inner nodes: be base against emitter, bc base against collector. A flow
 * is a value with its derivatives to be and bc. */
#ifndef LN_BLOCKS_NATIVE_BJT_EQUATIONS_H
#define LN_BLOCKS_NATIVE_BJT_EQUATIONS_H

#include "blocks/native/junction_equations.h"

/* A transistor at its temperature, for its area; reciprocals are 0 where the effect is left out. All doubles. */
typedef struct ln_bjt {
    double saturation, forward_gain, reverse_gain;             /* IS, BF, BR                                          */
    double forward_scale, reverse_scale;                       /* NF Vt, NR Vt                                        */
    double forward_leak, reverse_leak, forward_leak_scale, reverse_leak_scale; /* ISE, ISC, NE Vt, NC Vt              */
    double per_forward_early, per_reverse_early;               /* 1/VAF, 1/VAR                                        */
    double per_forward_knee, per_reverse_knee, knee_power;     /* 1/IKF, 1/IKR, NKF                                   */
    double base_least, base_more, base_half;                   /* RBM, RB - RBM, IRB                                  */
    double emitter, collector;                                 /* 1/RE, 1/RC                                          */
    double forward_transit, bias_transit, per_transit_voltage, transit_current, reverse_transit;
                                                               /* TF, XTF, 1/(1.44 VTF), ITF, TR                      */
    double gmin;
    double substrate_saturation, substrate_scale;              /* ISS, NS Vt                                          */
    double to_collector, to_base;                              /* where the substrate's junction lies: 1 and 0        */
    ln_depletion be, bc, bx, substrate;
} ln_bjt;

typedef struct ln_bjt_flow { double value, be, bc; } ln_bjt_flow;

typedef struct ln_bjt_flows {
    ln_bjt_flow base_emitter, base_collector;                  /* currents of the base                                */
    ln_bjt_flow transport;                                     /* from collector to emitter                           */
    ln_bjt_flow base_resistance;                               /* Ohm                                                 */
    ln_bjt_flow emitter_charge, collector_charge;              /* base against emitter and collector                  */
} ln_bjt_flows;

void ln_bjt_evaluate(const ln_bjt *bjt, double be, double bc, ln_bjt_flows *flows);
/* Charge of the substrate's junction: no forward bias is meant, so it goes on linearly from 0. */
double ln_bjt_substrate_charge(double v, const ln_depletion *layer, double *slope);

#endif
