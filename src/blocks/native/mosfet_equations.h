/* SPDX-License-Identifier: MIT */
/* The MOS transistor of SPICE: currents of level 1 after H. Shichman and D. A. Hodges (IEEE J.
 * Solid-State Circuits SC-3, 1968) with body effect, of levels 2 and 3 after A. Vladimirescu and S.
 * Liu, The Simulation of MOS Integrated Circuits Using SPICE2, ERL-M80/7, Berkeley 1980, both as in
 * P. Antognetti, G. Massobrio, Semiconductor Device Modeling with SPICE, 1988, chapter 4, and the
 * ngspice manual, chapter 11; charges after D. E. Ward and R. W. Dutton (IEEE J. Solid-State
 * Circuits SC-13, 1978), which ngspice's capacitances after Meyer are not. Pure functions, no other
 * include than math.h.
 *
 * Voltages are those of an n-channel transistor against its inner source; where the drain lies
 * below the source the two change places. All structs hold doubles only. */
#ifndef LN_BLOCKS_NATIVE_MOSFET_EQUATIONS_H
#define LN_BLOCKS_NATIVE_MOSFET_EQUATIONS_H

#include "blocks/native/dual.h"

/* What levels 2 and 3 have beyond level 1; 0 where an effect is left out. */
typedef struct ln_short_channel {
    double feedback;  /* of the drain on the threshold, ETA 8.15e-22/(Cox L^3), V/V */
    double roughness; /* THETA: what the gate takes of the mobility, 1/V */
    /* VMAX L/mobility: voltage at which the carriers' velocity saturates, V */
    double saturation;
    double stretch;   /* KAPPA */
    double depletion; /* width of a depletion layer per root of its voltage, XD, m/sqrt V */
    double depth, reach, length; /* XJ, LD, effective L, m */
    double narrow;               /* DELTA pi eps/(2 Cox W), in level 2 half of it */
    double states, vt;           /* fast surface states, q NFS/Cox; k T/q, V */
    /* level 2: UCRIT eps/Cox, V, and UEXP: where and how the mobility falls */
    double critical, exponent;
    double shallow; /* level 2: 1/sqrt(NEFF) */
    double punched; /* level 2: length at which drain and source meet, m */
} ln_short_channel;

enum { LN_CUBIC = 4 };

/* The channel at its temperature. */
typedef struct ln_channel {
    double gain;               /* KP W/L, A/V^2 */
    double built_in;           /* threshold less the bulk's share, VTO - GAMMA sqrt(PHI), V */
    double body, potential;    /* GAMMA, sqrt V; PHI, V */
    double modulation;         /* LAMBDA, 1/V */
    double oxide;              /* capacitance of the gate's oxide, F */
    double at_drain[LN_CUBIC]; /* how the drain shares the channel's charge */
    double level;              /* 1; 2 and 3: `extra` counts */
    ln_short_channel extra;
} ln_channel;

typedef struct ln_channel_flows {
    ln_dual current; /* from drain to source */
    /* charges of the gate against each; their sum is the gate's */
    ln_dual to_source, to_drain, to_bulk;
} ln_channel_flows;

/* sqrt(PHI - v); forward of v = 0 it falls off as 1/v instead. Of levels 2 and 3. */
static inline ln_dual ln_channel_root(double potential, ln_dual v) {
    if (v.value <= 0.0) {
        const double root = sqrt(potential - v.value);
        return ln_dual_through(v, root, -0.5 / root);
    }
    const double root = sqrt(potential), fall = 1.0 / (1.0 + 0.5 * v.value / potential);
    return ln_dual_through(v, root * fall, -0.5 * fall * fall / root);
}

/* The state of a channel that its charges follow from, all at its source's end unless said. */
typedef struct ln_channel_state {
    /* gate over the threshold there and, >= 0, at the drain's end, V */
    ln_dual over, over_drain;
    ln_dual root, body; /* sqrt(PHI - bs) and the GAMMA that goes with it */
    ln_dual bulk_share; /* share of the bulk in what the channel's voltage moves, F/(1 + F) */
} ln_channel_state;

void ln_channel_evaluate(const ln_channel *channel, double gs, double ds, double bs,
                         ln_channel_flows *flows);
/* Threshold against the source, V, without level 3's corrections. */
double ln_channel_threshold(const ln_channel *channel, double bs);

/* Its steps: the current at ds >= 0 and the state, of levels 1, 2, 3; the charges in a state. */
ln_dual ln_long_channel(const ln_channel *channel, double gs, double ds, double bs,
                        ln_channel_state *state);
ln_dual ln_bulk_channel(const ln_channel *channel, double gs, double ds, double bs,
                        ln_channel_state *state);
ln_dual ln_short_channel_current(const ln_channel *channel, double gs, double ds, double bs,
                                 ln_channel_state *state);
void ln_channel_charges(const ln_channel *channel, const ln_channel_state *state,
                        ln_channel_flows *flows);

/* The cubic for a drain that has this share, 0 to 0.5, of the charge of a channel that is pinched
 * off. */
void ln_channel_partition(double at_drain, double *cubic);

/* How far a gate or drain, against the source, may go from where it was evaluated when Newton wants
 * more: where the channel opens or saturates a tangent says little about what lies beyond (L. W.
 * Nagel, SPICE2, ERL-M520, 1975). */
double ln_enable_limit(double old, double wanted, double threshold);
double ln_drain_limit(double old, double wanted);

#endif
