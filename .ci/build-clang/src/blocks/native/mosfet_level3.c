/* SPDX-License-Identifier: MIT */
/* The channel of level 3, semi-empirical: short and narrow channels, velocity saturation, weak
 * inversion. See mosfet_equations.h for sources and conventions; as ngspice has it, the channel is
 * shortened from KAPPA on already below saturation, so that the conductance is continuous there. */
#include "blocks/native/mosfet_equations.h"

/* Share of the depletion charge that the gate holds, the rest being that of cylinders around source
 * and drain (L. Dang, IEEE J. Solid-State Circuits SC-14, 1979): 1 - XJ/L ((Wc + LD)/XJ sqrt(1 -
 * (Wp/(XJ + Wp))^2) - LD/XJ). */
static ln_dual gate_share(const ln_short_channel *e, ln_dual root) {
    if (!(e->depth > 0.0 && e->depletion > 0.0))
        return ln_dual_constant(1.0);
    const ln_dual plane = ln_dual_scale(e->depletion / e->depth, root);
    const ln_dual cylinder = ln_dual_affine(
        0.0631353, 1.0, ln_dual_sum(0.8013292, plane, -0.01110777, ln_dual_square(plane)));
    const ln_dual angle = ln_dual_divide(plane, ln_dual_affine(1.0, 1.0, plane));
    const ln_dual cosine = ln_dual_root(ln_dual_affine(1.0, -1.0, ln_dual_square(angle)));
    const double reach = e->reach / e->depth, by_length = e->depth / e->length;
    return ln_dual_affine(1.0 + by_length * reach, -by_length,
                          ln_dual_multiply(ln_dual_affine(reach, 1.0, cylinder), cosine));
}

/* What the channel's end takes from its length where the drain stands `beyond` over saturation. */
static ln_dual shortening(const ln_short_channel *e, ln_dual ds, ln_dual saturation,
                          ln_dual current, ln_dual fall) {
    const double alpha = e->depletion * e->depletion, reach = e->stretch * alpha;
    const int saturated = ds.value > saturation.value;
    const ln_dual beyond = ln_dual_subtract(ds, saturation);
    if (!(e->saturation > 0.0)) {
        if (saturated)
            return ln_dual_root(ln_dual_scale(reach, ln_dual_sum(1.0, beyond, 0.125, saturation)));
        const ln_dual part = ln_dual_square(ln_dual_square(ln_dual_divide(ds, saturation)));
        return ln_dual_multiply(ln_dual_root(ln_dual_scale(0.125 * reach, saturation)), part);
    }
    if (!saturated)
        return ln_dual_constant(0.0);
    /* field at the end of the channel: KAPPA Id/(L gd), gd = Id (1 - fall)/Vc */
    ln_dual conductance = ln_dual_multiply(current, fall);
    if (conductance.value < 1e-12)
        conductance = ln_dual_constant(1e-12);
    const ln_dual field =
        ln_dual_scale(0.5 * alpha * e->stretch / e->length, ln_dual_divide(current, conductance));
    return ln_dual_subtract(ln_dual_root(ln_dual_sum(1.0, ln_dual_square(field), reach, beyond)),
                            field);
}

/* 1/(1 - shortening/L); beyond half the length the drain's field punches through. */
static ln_dual lengthened(const ln_short_channel *e, ln_dual taken) {
    ln_dual part = ln_dual_scale(1.0 / e->length, taken);
    if (part.value > 0.5)
        part = ln_dual_affine(1.0, -0.25, ln_dual_reciprocal(part));
    return ln_dual_reciprocal(ln_dual_affine(1.0, -1.0, part));
}

/* Saturation: where the channel's end has no charge left, u/(1 + F), or before, by the carriers'
 * velocity. */
static ln_dual saturation_voltage(ln_dual pinched, ln_dual critical, int limited) {
    if (!limited)
        return pinched;
    const ln_dual far =
        ln_dual_root(ln_dual_add(ln_dual_square(pinched), ln_dual_square(critical)));
    return ln_dual_subtract(ln_dual_add(pinched, critical), far);
}

/* The current at a gate that is `u` over the threshold; *end: the channel's voltage at the drain's
 * end. */
static ln_dual strong(const ln_channel *c, ln_dual u, ln_dual ds, ln_dual factor, ln_dual *end) {
    const ln_short_channel *e = &c->extra;
    const int limited = e->saturation > 0.0;
    const ln_dual rough = ln_dual_affine(1.0, e->roughness, u),
                  critical = ln_dual_scale(e->saturation, rough);
    const ln_dual saturation = saturation_voltage(ln_dual_divide(u, factor), critical, limited);
    const ln_dual v = *end = ln_dual_lesser(ds, saturation);
    ln_dual current =
        ln_dual_multiply(v, ln_dual_subtract(u, ln_dual_scale(0.5, ln_dual_multiply(factor, v))));
    current = ln_dual_scale(c->gain, ln_dual_divide(current, rough));
    ln_dual fall = ln_dual_constant(0.0); /* (1 - velocity factor)/Vc */
    if (limited) {
        const ln_dual velocity =
            ln_dual_reciprocal(ln_dual_affine(1.0, 1.0, ln_dual_divide(v, critical)));
        current = ln_dual_multiply(current, velocity);
        fall = ln_dual_divide(ln_dual_affine(1.0, -1.0, velocity), critical);
    }
    if (!(e->depletion > 0.0 && e->stretch > 0.0))
        return current;
    return ln_dual_multiply(current, lengthened(e, shortening(e, ds, saturation, current, fall)));
}

ln_dual ln_short_channel_current(const ln_channel *c, double gs, double ds, double bs,
                                 ln_channel_state *state) {
    const ln_short_channel *e = &c->extra;
    const ln_dual gate = {gs, 1.0, 0.0, 0.0}, drain = {ds, 0.0, 1.0, 0.0},
                  root = ln_channel_root(c->potential, (ln_dual){bs, 0.0, 0.0, 1.0});
    const ln_dual body = ln_dual_scale(c->body, gate_share(e, root));
    /* F = GAMMA/(4 sqrt(PHI - bs)) and the narrow channel's; threshold with the bulk's charge, less
     * the drain's feedback */
    const ln_dual factor = ln_dual_affine(1.0 + e->narrow, 0.25, ln_dual_divide(body, root));
    const ln_dual whole_body = ln_dual_sum(1.0, body, e->narrow, root),
                  bulk = ln_dual_multiply(whole_body, root);
    const ln_dual threshold =
        ln_dual_affine(c->built_in, 1.0, ln_dual_sum(1.0, bulk, -e->feedback, drain));
    *state =
        (ln_channel_state){.over = ln_dual_subtract(gate, threshold),
                           .over_drain = ln_dual_constant(0.0),
                           .root = root,
                           .body = whole_body,
                           .bulk_share = ln_dual_affine(1.0, -1.0, ln_dual_reciprocal(factor))};
    /* weak inversion: below `on` the current falls off as e^((gs - on)/(n Vt)) */
    ln_dual on = threshold, width = ln_dual_constant(e->vt);
    if (e->states > 0.0) {
        const ln_dual n = ln_dual_affine(1.0 + e->states, 0.5, ln_dual_divide(whole_body, root));
        width = ln_dual_scale(e->vt, n);
        on = ln_dual_add(threshold, width);
    } else if (gs <= threshold.value)
        return ln_dual_constant(0.0);
    ln_dual end;
    ln_dual current =
        strong(c, ln_dual_subtract(ln_dual_greater(gate, on), threshold), drain, factor, &end);
    if (gs < on.value)
        current = ln_dual_multiply(current,
                                   ln_dual_exp(ln_dual_divide(ln_dual_subtract(gate, on), width)));
    const ln_dual left = ln_dual_subtract(state->over, ln_dual_multiply(factor, end));
    if (left.value > 0.0)
        state->over_drain = left;
    return current;
}
