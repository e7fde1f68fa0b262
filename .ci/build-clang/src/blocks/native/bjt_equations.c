/* SPDX-License-Identifier: MIT */
/* See the header for sources and conventions. */
#include "blocks/native/bjt_equations.h"

#include "blocks/native/diode_equations.h"

#include <math.h>

typedef ln_bjt_flows core; /* of which forward, reverse and qb are known first */

/* qb = q1 (1 + (1 + 4 q2)^NKF)/2, q1 = 1/(1 - bc/VAF - be/VAR), q2 = I_f/IKF + I_r/IKR. */
static ln_bjt_flow base_charge(const ln_bjt *b, const core *c, double be, double bc) {
    const double q1 = 1.0 / (1.0 - b->per_forward_early * bc - b->per_reverse_early * be);
    const double q2 =
        b->per_forward_knee * c->forward.value + b->per_reverse_knee * c->reverse.value;
    const double inside = 1.0 + 4.0 * q2, base = inside > 1e-12 ? inside : 1e-12;
    const int is_root = !(b->knee_power < 0.5 || b->knee_power > 0.5);
    const double power = is_root ? sqrt(base) : pow(base, b->knee_power);
    const double half = 0.5 * (1.0 + power),
                 steep = inside > 1e-12 ? 2.0 * q1 * b->knee_power * power / inside : 0.0;
    return (ln_bjt_flow){
        q1 * half,
        q1 * q1 * half * b->per_reverse_early + steep * b->per_forward_knee * c->forward.be,
        q1 * q1 * half * b->per_forward_early + steep * b->per_reverse_knee * c->reverse.bc};
}

/* above[0] + above[1] s + ... and its slope. */
static double series(const double *term, int count, double s, double *slope) {
    double value = 0.0;
    *slope = 0.0;
    for (int k = count - 1; k >= 0; k--) {
        *slope = *slope * s + value;
        value = value * s + term[k];
    }
    return value;
}

/* 3 (tan z - z)/(z tan^2 z); near z = 0, where the difference loses its digits, by the first terms
 * of both series. */
static double crowding(double z, double *slope) {
    enum { TERMS = 5 };
    static const double over[TERMS] = {1.0, 2.0 / 5.0, 17.0 / 105.0, 62.0 / 945.0,
                                       1382.0 / 51975.0},
                        under[TERMS] = {1.0, 2.0 / 3.0, 17.0 / 45.0, 62.0 / 315.0,
                                        1382.0 / 14175.0};
    if (z < 0.05) {
        double steep, fall;
        const double above = series(over, TERMS, z * z, &steep),
                     below = series(under, TERMS, z * z, &fall);
        *slope = 2.0 * z * (steep - above / below * fall) / below;
        return above / below;
    }
    const double t = tan(z), rise = 1.0 + t * t, below = z * t * t; /* rise: (tan z)' */
    *slope = 3.0 * (t * t / below - (t - z) * (t * t + 2.0 * z * t * rise) / (below * below));
    return 3.0 * (t - z) / below;
}

/* RBM + (RB - RBM)/qb, or with IRB RBM + 3 (RB - RBM) (tan z - z)/(z tan^2 z), where
 * z = (sqrt(1 + 144 u/pi^2) - 1)/(24/pi^2 sqrt u), u = I_b/IRB. Rounded as in
 * SPICE: 14.59025, 2.4317. */
static ln_bjt_flow base_resistance(const ln_bjt *b, const ln_bjt_flow *qb, double i, double i_be,
                                   double i_bc) {
    if (!(b->base_half > 0.0)) {
        const double r = b->base_more / qb->value, steep = -r / qb->value;
        return (ln_bjt_flow){b->base_least + r, steep * qb->be, steep * qb->bc};
    }
    const double u = i / b->base_half > 1e-9 ? i / b->base_half : 1e-9;
    const double root = sqrt(u), inside = sqrt(1.0 + 14.59025 * u);
    const double z = 14.59025 * root / (2.4317 * (inside + 1.0)); /* without cancellation */
    double slope;
    const double r = b->base_more * crowding(z, &slope);
    if (!(i / b->base_half > 1e-9))
        return (ln_bjt_flow){b->base_least + r, 0.0, 0.0};
    const double dz = 14.59025 / (2.0 * inside * 2.4317 * root) - z / (2.0 * u);
    const double steep = b->base_more * slope * dz / b->base_half;
    return (ln_bjt_flow){b->base_least + r, steep * i_be, steep * i_bc};
}

/* TF (1 + XTF (I_f/(I_f + ITF))^2 e^(bc/(1.44 VTF))) I_f/qb. */
static ln_bjt_flow forward_charge(const ln_bjt *b, const core *c, double bc) {
    const double i = c->forward.value, g = c->forward.be;
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
    return (ln_bjt_flow){charge,
                         tf * (g * (1.0 + more) + i * more_be) - charge * c->qb.be / c->qb.value,
                         tf * i * more_bc - charge * c->qb.bc / c->qb.value};
}

ln_bjt_flow ln_bjt_late_transport(const ln_bjt_flows *flows, double forward, double *by_forward) {
    const double per_qb = 1.0 / flows->qb.value,
                 through = (forward - flows->reverse.value) * per_qb;
    *by_forward = per_qb;
    return (ln_bjt_flow){through, -through * flows->qb.be * per_qb,
                         (-flows->reverse.bc - through * flows->qb.bc) * per_qb};
}

/* K(v) - 1 = sqrt(1 + e) - 1, e = GAMMA e^(v/Vt), with all digits of small ones. */
static double widened(const ln_bjt *b, double v, double *slope) {
    const double e = b->doping * ln_junction_exp(v / b->vt, slope), k = sqrt(1.0 + e);
    *slope *= 0.5 * b->doping / (b->vt * k);
    return e / (1.0 + k);
}

/* I = (Vt (K(bc) - K(bx) - ln((1 + K(bc))/(1 + K(bx)))) + v)/(RCO (1 + v/VO)), v = bc - bx;
 * backwards v/RCO, as ngspice has it. Charges QCO (K - 1): what is constant in them does nothing.
 */
void ln_bjt_epitaxial(const ln_bjt *b, double bc, double bx, ln_epitaxial *layer) {
    double near_slope, far_slope;
    const double near = widened(b, bc, &near_slope), far = widened(b, bx, &far_slope), v = bc - bx;
    const double top = b->vt * (near - far - log1p((near - far) / (2.0 + far))) + v;
    /* by their velocity */
    const double per = b->epitaxial / (1.0 + v / b->drift), i = top * per,
                 less = i / (b->drift + v);
    const double by_near = b->vt * near_slope * (1.0 + near) / (2.0 + near),
                 by_far = b->vt * far_slope * (1.0 + far) / (2.0 + far);
    layer->current =
        v > 0.0 ? (ln_bjt_flow){i, -(by_far + 1.0) * per + less, (by_near + 1.0) * per - less}
                : (ln_bjt_flow){v * b->epitaxial, -b->epitaxial, b->epitaxial};
    layer->near = b->epitaxial_charge * near;
    layer->near_slope = b->epitaxial_charge * near_slope;
    layer->far = b->epitaxial_charge * far;
    layer->far_slope = b->epitaxial_charge * far_slope;
}

void ln_bjt_evaluate(const ln_bjt *b, double be, double bc, ln_bjt_flows *flows) {
    double leak_slope, slope, by_forward;
    flows->forward.value =
        ln_spice_junction(be, b->forward_saturation, b->forward_scale, &flows->forward.be);
    flows->reverse.value =
        ln_spice_junction(bc, b->reverse_saturation, b->reverse_scale, &flows->reverse.bc);
    flows->forward.bc = flows->reverse.be = 0.0;
    flows->qb = base_charge(b, flows, be, bc);
    flows->transport = ln_bjt_late_transport(flows, flows->forward.value, &by_forward);
    flows->transport.be += by_forward * flows->forward.be;

    double leak = ln_spice_junction(be, b->forward_leak, b->forward_leak_scale, &leak_slope);
    flows->base_emitter =
        (ln_bjt_flow){flows->forward.value / b->forward_gain + leak + b->gmin * be,
                      flows->forward.be / b->forward_gain + leak_slope + b->gmin, 0.0};
    leak = ln_spice_junction(bc, b->reverse_leak, b->reverse_leak_scale, &leak_slope);
    flows->base_collector =
        (ln_bjt_flow){flows->reverse.value / b->reverse_gain + leak + b->gmin * bc, 0.0,
                      flows->reverse.bc / b->reverse_gain + leak_slope + b->gmin};
    flows->base_resistance =
        base_resistance(b, &flows->qb, flows->base_emitter.value + flows->base_collector.value,
                        flows->base_emitter.be, flows->base_collector.bc);

    flows->emitter_charge = forward_charge(b, flows, bc);
    flows->emitter_charge.value += ln_depletion_charge(be, &b->be, &slope);
    flows->emitter_charge.be += slope;
    flows->collector_charge = (ln_bjt_flow){b->reverse_transit * flows->reverse.value +
                                                ln_depletion_charge(bc, &b->bc, &slope),
                                            0.0, 0.0};
    flows->collector_charge.bc = b->reverse_transit * flows->reverse.bc + slope;
}

double ln_bjt_substrate_charge(double v, const ln_depletion *layer, double *slope) {
    if (v < 0.0)
        return ln_depletion_charge(v, layer, slope);
    *slope = layer->capacitance * (1.0 + layer->grading * v / layer->potential);
    return layer->capacitance * v * (1.0 + 0.5 * layer->grading * v / layer->potential);
}
