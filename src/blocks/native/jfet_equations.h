/* SPDX-License-Identifier: MIT */
/* The junction field-effect transistor, SPICE level 1: Shichman and Hodges' channel between two
 * junctions, with the doping tail of A. E. Parker and D. J. Skellern (Sydney University, 1990).
 * Pure functions, no other include than math.h and the junctions' equations. */
#ifndef LN_BLOCKS_NATIVE_JFET_EQUATIONS_H
#define LN_BLOCKS_NATIVE_JFET_EQUATIONS_H

#include "blocks/native/flow.h"
#include "blocks/native/junction_equations.h"

/* A transistor at its temperature, for its area. All doubles. */
typedef struct ln_jfet {
    double threshold, gain, modulation; /* VTO, BETA, LAMBDA */
    double even, tail;                  /* B; (1 - B)/(PB - VTO), 1/V */
    double drain, source, saturation, vt, gmin;
    ln_depletion at_drain, at_source;
} ln_jfet;

/* Nodes: the ports, and those behind RD and RS. */
enum { LN_JFET_D, LN_JFET_G, LN_JFET_S, LN_JFET_DI, LN_JFET_SI, LN_JFET_NODES };
enum {
    LN_JFET_AT_D,
    LN_JFET_AT_S,
    LN_JFET_CHANNEL,
    LN_JFET_GATE_D,
    LN_JFET_GATE_S,
    LN_JFET_CHARGE_D,
    LN_JFET_CHARGE_S,
    LN_JFET_BRANCHES
};
/* The branches at the node voltages v. */
void ln_jfet_branches(const ln_jfet *jfet, const double *v, ln_flow *flow);
/* The gate so that neither junction goes too far: moves v, returns 1 if it did. */
int ln_jfet_limit(const ln_jfet *jfet, const double *v_old, double *v);

#endif
