/* SPDX-License-Identifier: MIT */
/* See the header for sources and conventions. */
#include "blocks/native/junction_equations.h"

#include "blocks/native/diode_equations.h"

#include <math.h>

#define BOLTZMANN 1.38064852e-23   /* J/K */
#define CHARGE 1.6021766208e-19    /* C */
#define GAP_AT_REFERENCE 1.1150877 /* eV, silicon at 300.15 K */
#define NAPIER 2.718281828459045

double ln_thermal_voltage(double temperature) {
    return BOLTZMANN / CHARGE * temperature;
}

double ln_energy_gap(double temperature) {
    return 1.16 - 7.02e-4 * temperature * temperature / (temperature + 1108.0);
}

double ln_spice_junction(double v, double saturation, double scale, double *slope) {
    if (saturation ==
        0.0) /* no junction: most transistors leave none at the base, or to the bulk */
        return *slope = 0.0;
    if (!(v < -3.0 * scale))
        return ln_junction_current(v, saturation, scale, slope);
    const double part = 3.0 * scale / (v * NAPIER), cube = part * part * part;
    *slope = 3.0 * saturation * cube / v;
    return -saturation * (1.0 + cube);
}

double ln_spice_breakdown(double saturation, double knee, double breakdown, double scale,
                          double vt) {
    if (knee < saturation * breakdown / vt)
        return breakdown;
    double v = breakdown - scale * log(1.0 + knee / saturation);
    for (int k = 0; k < 25; k++)
        v = breakdown - scale * log(knee / saturation + 1.0 - v / vt);
    return v;
}

/* A voltage below the knee as a part of a layer's potential, and what is common to all gradings
 * there. */
typedef struct place {
    double share, reach; /* v/VJ, at most FC; 1 - share */
    double logarithm;    /* ln(1 - share) */
} place;

static int is_abrupt(const ln_depletion *layer) {
    return !(layer->grading < 0.5 || layer->grading > 0.5);
}

/* The logarithm has all digits of small shares: what rounding takes from 1 - share is known exactly
 * there, and the logarithm's tangent gives it back. An abrupt junction needs none. */
static place place_of(double share, int is_needed) {
    const double reach = 1.0 - share;
    return (place){share, reach, is_needed ? log(reach) + (1.0 - reach - share) / reach : 0.0};
}

/* The charge of a layer at its place, *slope: its capacitance, both as parts of that at v = 0; a
 * square root serves the abrupt junction. */
static double charge_at(const ln_depletion *layer, const place *at, double *slope) {
    const double m = layer->grading;
    const int abrupt = is_abrupt(layer);
    const double root = abrupt ? sqrt(at->reach) : 0.0;
    /* (1 - v/VJ)^(1 - M) - 1, all digits near v = 0, too */
    const double grown =
        abrupt ? -at->share / (1.0 + root) : ln_junction_less_one((1.0 - m) * at->logarithm);
    *slope = abrupt ? 1.0 / root : (1.0 + grown) / at->reach;
    return -layer->potential * grown / (1.0 - m);
}

/* (1 - fc)^-(1 + m) (1 - fc (1 + m) + m v/vj), the capacitance's tangent at the knee, and its
 * charge. */
static double charge_beyond(double v, const ln_depletion *layer, double *slope) {
    const double c = layer->capacitance, beyond = v - layer->knee;
    *slope = c * (layer->knee_slope + layer->knee_bend * beyond);
    return c *
           (layer->knee_charge + beyond * (layer->knee_slope + 0.5 * layer->knee_bend * beyond));
}

double ln_depletion_charge(double v, const ln_depletion *layer, double *slope) {
    if (layer->capacitance == 0.0)
        return *slope = 0.0;
    if (!(v < layer->knee))
        return charge_beyond(v, layer, slope);
    const place at = place_of(v / layer->potential, !is_abrupt(layer));
    const double charge = charge_at(layer, &at, slope);
    *slope *= layer->capacitance;
    return layer->capacitance * charge;
}

double ln_depletion_charges(double v, const ln_depletion *floor, const ln_depletion *side,
                            double *slope) {
    double charge, sum, more;
    if (v == 0.0) { /* the source of most MOS transistors is their bulk */
        *slope = floor->capacitance + side->capacitance;
        return 0.0;
    }
    if (side->capacitance == 0.0)
        return ln_depletion_charge(v, floor, slope);
    if (floor->capacitance == 0.0 || floor->potential < side->potential ||
        floor->potential > side->potential || !(v < floor->knee && v < side->knee)) {
        charge = ln_depletion_charge(v, floor, slope);
        sum = charge + ln_depletion_charge(v, side, &more);
        *slope += more;
        return sum;
    }
    const place at = place_of(v / floor->potential, !(is_abrupt(floor) && is_abrupt(side)));
    charge = floor->capacitance * charge_at(floor, &at, slope);
    sum = charge + side->capacitance * charge_at(side, &at, &more);
    *slope = floor->capacitance * *slope + side->capacitance * more;
    return sum;
}

/* The layer with its knee. */
static ln_depletion bent(const ln_depletion *layer) {
    ln_depletion out = *layer;
    const place at = place_of(layer->forward, !is_abrupt(layer));
    out.knee = layer->forward * layer->potential;
    out.knee_charge = charge_at(layer, &at, &out.knee_slope);
    out.knee_bend = out.knee_slope * layer->grading / (layer->potential * at.reach);
    return out;
}

/* What a potential of silicon moves by between the reference and a temperature, V. */
static double potential_shift(double temperature) {
    const double vt = ln_thermal_voltage(temperature),
                 vt0 = ln_thermal_voltage(LN_REFERENCE_TEMPERATURE);
    return -2.0 * vt *
           (1.5 * log(temperature / LN_REFERENCE_TEMPERATURE) +
            0.5 * (GAP_AT_REFERENCE / vt0 - ln_energy_gap(temperature) / vt));
}

/* The potential at the reference temperature. */
static double at_reference(double potential, double measured) {
    return (potential - potential_shift(measured)) * LN_REFERENCE_TEMPERATURE / measured;
}

double ln_potential_at(double potential, double measured, double temperature) {
    return at_reference(potential, measured) * temperature / LN_REFERENCE_TEMPERATURE +
           potential_shift(temperature);
}

/* C(T)/C(reference) = 1 + M (4e-4 (T - reference) - (VJ(T) - VJ0)/VJ0). */
static double capacitance_growth(double grading, double potential, double at_rest,
                                 double temperature) {
    return 1.0 + grading * (4e-4 * (temperature - LN_REFERENCE_TEMPERATURE) -
                            (potential - at_rest) / at_rest);
}

ln_depletion ln_depletion_at(ln_depletion layer, double measured, double temperature) {
    const double at_rest = at_reference(layer.potential, measured);
    const double potential = ln_potential_at(layer.potential, measured, temperature);
    ln_depletion warm = layer;
    warm.capacitance *= capacitance_growth(layer.grading, potential, at_rest, temperature) /
                        capacitance_growth(layer.grading, layer.potential, at_rest, measured);
    warm.potential = potential;
    return bent(&warm);
}

ln_depletion ln_depletion_linear(ln_depletion layer, double growth, double fall,
                                 double temperature) {
    ln_depletion warm = layer;
    warm.capacitance *= 1.0 + growth * (temperature - LN_REFERENCE_TEMPERATURE);
    warm.potential -= fall * (temperature - LN_REFERENCE_TEMPERATURE);
    return bent(&warm);
}

double ln_saturation_growth(double gap, double exponent, double measured, double temperature) {
    const double ratio = temperature / measured;
    return (ratio - 1.0) * gap / ln_thermal_voltage(temperature) + exponent * log(ratio);
}
