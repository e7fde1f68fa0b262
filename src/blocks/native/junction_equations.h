/* SPDX-License-Identifier: MIT */
/* P-n junctions as SPICE's models have them: current, depletion charge, temperature. Pure
 * functions, no other include than math.h and diode_equations.h, so that generated code can carry
 * them.
 *
 * Sources: P. Antognetti, G. Massobrio, Semiconductor Device Modeling with SPICE, McGraw-Hill 1988,
 * chapters 1 and 2; the equations in chapters 7 and 8 of the ngspice user manual. Constants are
 * ngspice's (CODATA 2014), so that results agree. Voltages in V, currents in A, charges in C,
 * temperatures in K. */
#ifndef LN_BLOCKS_NATIVE_JUNCTION_EQUATIONS_H
#define LN_BLOCKS_NATIVE_JUNCTION_EQUATIONS_H

#define LN_REFERENCE_TEMPERATURE 300.15 /* 27 degC: that of silicon's constants below */

/* k T/q. */
double ln_thermal_voltage(double temperature);
/* Band gap of silicon, eV: 1.16 - 7.02e-4 T^2/(T + 1108). */
double ln_energy_gap(double temperature);

/* Current of a junction: saturation * (e^(v/scale) - 1); below -3 scale it goes over, with its
 * slope, into -saturation * (1 + (3 scale/(e v))^3). *slope: di/dv. */
double ln_spice_junction(double v, double saturation, double scale, double *slope);

/* The voltage from which a junction counts as broken down: there its exponential of `scale` carries
 * the saturation current, and the knee current at `breakdown`. vt: k T/q. */
double ln_spice_breakdown(double saturation, double knee, double breakdown, double scale,
                          double vt);

/* A depletion layer: capacitance*(1 - v/potential)^-grading, from forward*potential on, the knee,
 * continued by its tangent, as junctions that conduct are. What the knee is, as parts of
 * `capacitance`, is made with the layer by ln_depletion_at() or ln_depletion_linear(). */
typedef struct ln_depletion {
    double capacitance, potential, grading, forward;
    double knee;                               /* V */
    double knee_charge, knee_slope, knee_bend; /* V, 1, 1/V: charge, capacitance, its slope */
} ln_depletion;
/* Its charge, 0 at v = 0; *slope: the capacitance. */
double ln_depletion_charge(double v, const ln_depletion *layer, double *slope);
/* Two layers at one voltage, a junction's floor and its side: the sum of both. Where their
 * potentials are one, they share a logarithm. */
double ln_depletion_charges(double v, const ln_depletion *floor, const ln_depletion *side,
                            double *slope);
/* The layer at another temperature than that at which its parameters were measured. */
ln_depletion ln_depletion_at(ln_depletion layer, double measured, double temperature);
/* The same by straight lines from 27 degC on, as SPICE's TLEVC = 1 has it: growth in 1/K, fall in
 * V/K. */
ln_depletion ln_depletion_linear(ln_depletion layer, double growth, double fall,
                                 double temperature);
/* A built-in potential likewise. */
double ln_potential_at(double potential, double measured, double temperature);

/* ln(e^x) of a saturation current's growth from `measured` to `temperature`: gap energy EG in eV,
 * exponent XTI. */
double ln_saturation_growth(double gap, double exponent, double measured, double temperature);

#endif
