/* SPDX-License-Identifier: MIT */
/* See the header for sources and conventions. */
#include "blocks/native/bjt_equations.h"

#include "blocks/native/diode_equations.h"

#include <math.h>

/* Currents of the ideal junctions and the normalised base charge qb. */
typedef struct core {
    double forward, forward_slope, reverse, reverse_slope;
    ln_bjt_flow qb;
} core;

/* qb = q1 (1 + (1 + 4 q2)^NKF)/2, q1 = 1/(1 - bc/VAF - be/VAR), q2 = I_f/IKF + I_r/IKR. */
static ln_bjt_flow base_charge(const ln_bjt *b, const core *c, double be, double bc) {
    const double q1 = 1.0 / (1.0 - b->per_forward_early * bc - b->per_reverse_early * be);
    const double q2 = b->per_forward_knee * c->forward + b->per_reverse_knee * c->reverse;
    const double inside = 1.0 + 4.0 * q2;
    const double power = pow(inside > 1e-12 ? inside : 1e-12, b->knee_power);
    const double half = 0.5 * (1.0 + power), steep = inside > 1e-12 ? 2.0 * q1 * b->knee_power * power / inside : 0.0;
    return (ln_bjt_flow){q1 * half, q1 * q1 * half * b->per_reverse_early + steep * b->per_forward_knee * c->forward_slope,
                         q1 * q1 * half * b->per_forward_early + steep * b->per_reverse_knee * c->reverse_slope};
}

/* 3 (tan z - z)/(z tan^2 z); near z = 0, where the difference loses its digits, by the first terms of both series. */
static double crowding(double z, double *slope) {
    if (z < 0.02) {
        const double s = z * z, above = 1.0 + s * (0.4 + s * 17.0 / 105.0), below = 1.0 + s * (2.0 / 3.0 + s * 17.0 / 45.0);
        *slope = 2.0 * z * ((0.4 + s * 34.0 / 105.0) - above / below * (2.0 / 3.0 + s * 34.0 / 45.0)) / below;
        return above / below;
    }
    const double t = tan(z), rise = 1.0 + t * t, below = z * t * t; /* rise: (tan z)' */
    *slope = 3.0 * (t * t / below - (t - z) * (t * t + 2.0 * z * t * rise) / (below * below));
    return 3.0 * (t - z) / below;
}

/* RBM + (RB - RBM)/qb, or with IRB RBM + 3 (RB - RBM) (tan z - z)/(z tan^2 z), where
 * z = (sqrt(1 + 144 u/pi^2) - 1)/(24/pi^2 sqrt u), u = I_b/IRB. Rounded as in SPICE: 14.59025, 2.4317. */
static ln_bjt_flow base_resistance(const ln_bjt *b, const ln_bjt_flow *qb, double i, double i_be, double i_bc) {
    if (!(b->base_half > 0.0)) {
        const double r = b->base_more / qb->value, steep = -r / qb->value;
        return (ln_bjt_flow){b->base_least + r, steep * qb->be, steep * qb->bc};
    }
    const double u = i / b->base_half > 1e-9 ? i / b->base_half : 1e-9;
    const double root = sqrt(u), inside = sqrt(1.0 + 14.59025 * u);
    const double z = 14.59025 * root / (2.4317 * (inside + 1.0)); /* without cancellation */
    double slope;
    const double r = b->base_more * crowding(z, &slope);
    if (!(i / b->base_half > 1e-9)) return (ln_bjt_flow){b->base_least + r, 0.0, 0.0};
    const double dz = 14.59025 / (2.0 * inside * 2.4317 * root) - z / (2.0 * u);
    const double steep = b->base_more * slope * dz / b->base_half;
    return (ln_bjt_flow){b->base_least + r, steep * i_be, steep * i_bc};
}

/* TF (1 + XTF (I_f/(I_f + ITF))^2 e^(bc/(1.44 VTF))) I_f/qb. */
static ln_bjt_flow forward_charge(const ln_bjt *b, const core *c, double bc) {
    const double i = c->forward, g = c->forward_slope;
    double more = 0.0, more_be = 0.0, more_bc = 0.0;
    if (b->bias_transit > 0.0 && i > 0.0) {
        const double share = b->transit_current > 0.0 ? i / (i + b->transit_current) : 1.0;
        double slope;
        const double far = ln_junction_exp(bc * b->per_transit_voltage, &slope);
        more = b->bias_transit * share * share * far;
        more_be = b->transit_current > 0.0 ? 2.0 * more * (1.0 - share) * g / i : 0.0;
        more_bc = b->bias_transit * share * share * slope * b->per_transit_voltage;
    }
    const double tf = b->forward_transit / c->qb.value, charge = tf * i * (1.0 + more);
    return (ln_bjt_flow){charge, tf * (g * (1.0 + more) + i * more_be) - charge * c->qb.be / c->qb.value,
                         tf * i * more_bc - charge * c->qb.bc / c->qb.value};
}

void ln_bjt_evaluate(const ln_bjt *b, double be, double bc, ln_bjt_flows *flows) {
    core c;
    double leak_slope, slope;
    c.forward = ln_spice_junction(be, b->saturation, b->forward_scale, &c.forward_slope);
    c.reverse = ln_spice_junction(bc, b->saturation, b->reverse_scale, &c.reverse_slope);
    c.qb = base_charge(b, &c, be, bc);

    const double per_qb = 1.0 / c.qb.value, through = (c.forward - c.reverse) * per_qb;
    flows->transport = (ln_bjt_flow){through, (c.forward_slope - through * c.qb.be) * per_qb,
                                     (-c.reverse_slope - through * c.qb.bc) * per_qb};

    double leak = ln_spice_junction(be, b->forward_leak, b->forward_leak_scale, &leak_slope);
    flows->base_emitter = (ln_bjt_flow){c.forward / b->forward_gain + leak + b->gmin * be,
                                        c.forward_slope / b->forward_gain + leak_slope + b->gmin, 0.0};
    leak = ln_spice_junction(bc, b->reverse_leak, b->reverse_leak_scale, &leak_slope);
    flows->base_collector = (ln_bjt_flow){c.reverse / b->reverse_gain + leak + b->gmin * bc, 0.0,
                                          c.reverse_slope / b->reverse_gain + leak_slope + b->gmin};
    flows->base_resistance = base_resistance(b, &c.qb, flows->base_emitter.value + flows->base_collector.value,
                                             flows->base_emitter.be, flows->base_collector.bc);

    flows->emitter_charge = forward_charge(b, &c, bc);
    flows->emitter_charge.value += ln_depletion_charge(be, &b->be, &slope);
    flows->emitter_charge.be += slope;
    flows->collector_charge =
        (ln_bjt_flow){b->reverse_transit * c.reverse + ln_depletion_charge(bc, &b->bc, &slope), 0.0, 0.0};
    flows->collector_charge.bc = b->reverse_transit * c.reverse_slope + slope;
}

double ln_bjt_substrate_charge(double v, const ln_depletion *layer, double *slope) {
    if (v < 0.0) return ln_depletion_charge(v, layer, slope);
    *slope = layer->capacitance * (1.0 + layer->grading * v / layer->potential);
    return layer->capacitance * v * (1.0 + 0.5 * layer->grading * v / layer->potential);
}
