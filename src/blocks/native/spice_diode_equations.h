/* SPDX-License-Identifier: MIT */
/* The junction diode of SPICE: P. Antognetti, G. Massobrio, Semiconductor Device Modeling with
 * SPICE, 1988, chapter 1; ngspice manual, chapter 7. Pure functions, no other include than math.h
 * and the junctions' equations. */
#ifndef LN_BLOCKS_NATIVE_SPICE_DIODE_EQUATIONS_H
#define LN_BLOCKS_NATIVE_SPICE_DIODE_EQUATIONS_H

#include "blocks/native/flow.h"
#include "blocks/native/junction_equations.h"

/* A current saturation * (e^(v/scale) - 1). */
typedef struct ln_exponential {
    double saturation, scale;
} ln_exponential;

/* A diode at its temperature, for its area. All doubles. */
typedef struct ln_spice_diode {
    ln_exponential floor, side, recombination, tunnel; /* IS, JSW, ISR, JTUN */
    double breakdown, reverse_scale;   /* where it begins, INFINITY: never; NBV Vt */
    double forward_knee, reverse_knee; /* IKF, IKR; 0: none */
    double transit, gmin, conductance; /* TT; GMIN; 1/RS, 0: none, or no node behind it */
    double series;                     /* RS without a node behind it; 0: none */
    ln_depletion floor_layer, side_layer;
} ln_spice_diode;

/* Without GMIN; *slope: di/dv. */
double ln_spice_diode_current(const ln_spice_diode *diode, double v, double *slope);
/* Where the current is `current`, of that slope; *capacitance: dq/dv. */
double ln_spice_diode_charge(const ln_spice_diode *diode, double v, double current, double slope,
                             double *capacitance);

/* The voltage across the junction where v is that across the diode. */
double ln_spice_diode_junction(const ln_spice_diode *diode, double v);

/* Nodes: anode and cathode, and the anode behind RS. */
enum { LN_DIODE_P, LN_DIODE_N, LN_DIODE_A, LN_DIODE_NODES };
enum { LN_DIODE_RESISTANCE, LN_DIODE_CURRENT, LN_DIODE_CHARGE, LN_DIODE_BRANCHES };
/* The branches at the node voltages v. */
void ln_spice_diode_branches(const ln_spice_diode *diode, const double *v, ln_flow *flow);
/* Where the junction shall be evaluated that was evaluated at v_old: moves v, returns 1 if it did.
 */
int ln_spice_diode_limit(const ln_spice_diode *diode, const double *v_old, double *v);

#endif
