/* SPDX-License-Identifier: MIT */
/* The channel of level 2: the bulk's charge along the channel (A. S. Grove, Physics and Technology
 * of Semiconductor Devices, 1967; D. Frohman-Bentchkowsky, Proc. IEEE 56, 1968), mobility by the
 * gate's field, velocity saturation after G. Baum (IEEE Trans. Electron Devices ED-17, 1970), weak
 * inversion. See mosfet_equations.h for sources and conventions. Unlike in ngspice the channel's
 * shortening does not end at ds = 0, where it would make the conductance jump. */
#include "blocks/native/mosfet_equations.h"

/* What the current depends on, at given voltages. */
typedef struct bulk_channel {
    ln_dual drain, root, root_drain; /* ds; sqrt(PHI - bs), sqrt(PHI + ds - bs) */
    ln_dual base, slope;             /* Vbin; G, what is left of GAMMA */
    ln_dual below;                   /* PHI - bs */
    double width;                    /* N, of the narrow channel */
} bulk_channel;

/* Cylinders around source and drain hold a part of the depletion charge (L. D. Yau, Solid-State
 * Electronics 17, 1974): XJ/(2 L) (sqrt(1 + 2 W/XJ) - 1) each. */
static ln_dual taken(const ln_short_channel *e, ln_dual root) {
    if (!(e->depth > 0.0))
        return ln_dual_constant(0.0);
    const ln_dual wide = ln_dual_root(ln_dual_affine(1.0, 2.0 * e->depletion / e->depth, root));
    return ln_dual_affine(-0.5 * e->depth / e->length, 0.5 * e->depth / e->length, wide);
}

static bulk_channel at_voltages(const ln_channel *c, double ds, double bs) {
    const ln_short_channel *e = &c->extra;
    bulk_channel channel = {.drain = {ds, 0.0, 1.0, 0.0}, .width = 1.0 + e->narrow};
    const ln_dual bulk = {bs, 0.0, 0.0, 1.0};
    channel.below = ln_dual_affine(c->potential, -1.0, bulk);
    channel.root = ln_channel_root(c->potential, bulk);
    channel.root_drain = ln_channel_root(c->potential, ln_dual_subtract(bulk, channel.drain));
    channel.base = ln_dual_affine(c->built_in, e->narrow, channel.below);
    channel.slope = ln_dual_affine(
        c->body, -c->body, ln_dual_add(taken(e, channel.root), taken(e, channel.root_drain)));
    return channel;
}

/* (UCRIT eps/(Cox u))^UEXP, at most 1. */
static ln_dual mobility(const ln_short_channel *e, ln_dual over) {
    if (!(over.value > e->critical) || !(e->exponent > 0.0))
        return ln_dual_constant(1.0);
    const double value = pow(e->critical / over.value, e->exponent);
    return ln_dual_through(over, value, -value * e->exponent / over.value);
}

/* Where the channel's end has no charge left: v = V - G'^2/2 (sqrt(1 + 4 (V + PHI - bs)/G'^2) - 1),
 * V = gate/N, G' = G/N. */
static ln_dual pinched(const bulk_channel *channel, ln_dual gate) {
    const ln_dual v = ln_dual_scale(1.0 / channel->width, gate),
                  slope = ln_dual_scale(1.0 / channel->width, channel->slope);
    if (!(slope.value > 0.0))
        return ln_dual_greater(v, ln_dual_constant(0.0));
    const ln_dual all = ln_dual_add(v, channel->below), square = ln_dual_square(slope);
    if (!(all.value > 0.0))
        return ln_dual_constant(0.0);
    const ln_dual root = ln_dual_root(ln_dual_sum(1.0, square, 4.0, all));
    const ln_dual end =
        ln_dual_sum(1.0, v, 0.5, ln_dual_subtract(square, ln_dual_multiply(slope, root)));
    return ln_dual_greater(end, ln_dual_constant(0.0));
}

/* x^4 + a x^3 + b x^2 + c x + d */
static double quartic(const ln_dual *k, double x) {
    return (((x + k[0].value) * x + k[1].value) * x + k[2].value) * x + k[3].value;
}

/* Where the carriers reach their velocity before: with x^2 = v + PHI - bs the current carried to
 * there equals the charge there times VMAX, a quartic in x which changes its sign once between v =
 * 0 and where the channel is pinched off. */
static ln_dual limited(const bulk_channel *channel, ln_dual gate, ln_dual pinch, ln_dual velocity) {
    const ln_dual slope = ln_dual_scale(1.0 / channel->width, channel->slope),
                  below = channel->below;
    const ln_dual all = ln_dual_sum(1.0 / channel->width, gate, 1.0, below);
    const ln_dual cube = ln_dual_multiply(channel->root, ln_dual_square(channel->root));
    const ln_dual far = ln_dual_multiply(all, ln_dual_add(below, velocity));
    const ln_dual rest =
        ln_dual_sum(1.0, ln_dual_square(below), 4.0 / 3.0, ln_dual_multiply(slope, cube));
    const ln_dual k[4] = {ln_dual_scale(4.0 / 3.0, slope), ln_dual_sum(-2.0, all, -2.0, velocity),
                          ln_dual_scale(-2.0, ln_dual_multiply(slope, velocity)),
                          ln_dual_sum(2.0, far, -1.0, rest)};
    double low = channel->root.value, high = sqrt(fmax(pinch.value + below.value, 0.0));
    if (!(high > low) || !(quartic(k, low) > 0.0) || quartic(k, high) > 0.0)
        return pinch;
    for (int i = 0; i < 60 && high - low > 1e-16 * high; i++) {
        const double middle = 0.5 * (low + high);
        if (quartic(k, middle) > 0.0)
            low = middle;
        else
            high = middle;
    }
    /* its derivatives by those of the coefficients */
    const double x = 0.5 * (low + high),
                 rise = ((4.0 * x + 3.0 * k[0].value) * x + 2.0 * k[1].value) * x + k[2].value;
    const ln_dual moved =
        ln_dual_add(ln_dual_sum(x * x * x, k[0], x * x, k[1]), ln_dual_sum(x, k[2], 1.0, k[3]));
    const ln_dual root = {x, -moved.gs / rise, -moved.ds / rise, -moved.bs / rise};
    return ln_dual_subtract(ln_dual_square(root), below);
}

/* What the drain takes from the channel's length, m. */
static ln_dual level2_shortening(const ln_channel *c, const bulk_channel *channel,
                                 ln_dual saturation, ln_dual mobile) {
    const ln_short_channel *e = &c->extra;
    if (c->modulation > 0.0 || !(e->depletion > 0.0))
        return ln_dual_scale(c->modulation * e->length, channel->drain);
    const ln_dual beyond = ln_dual_subtract(channel->drain, saturation);
    if (!(e->saturation > 0.0)) {
        const ln_dual part = ln_dual_scale(0.25, beyond);
        const ln_dual round = ln_dual_root(ln_dual_affine(1.0, 1.0, ln_dual_square(part)));
        return ln_dual_scale(e->depletion, ln_dual_root(ln_dual_add(part, round)));
    }
    const double depth = e->depletion * e->shallow;
    const ln_dual field =
        ln_dual_scale(0.5 * depth * e->saturation / e->length, ln_dual_reciprocal(mobile));
    if (!(beyond.value > 0.0))
        return ln_dual_constant(0.0);
    return ln_dual_scale(
        depth, ln_dual_subtract(ln_dual_root(ln_dual_add(ln_dual_square(field), beyond)), field));
}

/* 1/(1 - taken/L); where less than the length `punched` would be left, it shrinks on more slowly.
 */
static ln_dual level2_lengthened(const ln_short_channel *e, ln_dual by) {
    /* without NSUB all of L is there to be taken */
    const double reach = e->depletion > 0.0 ? e->punched : 0.0;
    const ln_dual left = ln_dual_affine(e->length, -1.0, by);
    if (!(left.value < e->punched))
        return ln_dual_scale(e->length, ln_dual_reciprocal(left));
    return ln_dual_affine(e->length / e->punched * (1.0 - (e->length - reach) / e->punched),
                          e->length / (e->punched * e->punched), by);
}

/* Less its mobility, length and the gain: (gate - N v/2) v - 2/3 G ((PHI + v - bs)^1.5 - (PHI -
 * bs)^1.5). */
static ln_dual carried(const bulk_channel *channel, ln_dual gate, ln_dual v, ln_dual root) {
    const ln_dual cubes =
        ln_dual_subtract(ln_dual_multiply(root, ln_dual_square(root)),
                         ln_dual_multiply(channel->root, ln_dual_square(channel->root)));
    const ln_dual bulk = ln_dual_multiply(channel->slope, cubes);
    return ln_dual_sum(1.0, ln_dual_multiply(v, ln_dual_sum(1.0, gate, -0.5 * channel->width, v)),
                       -2.0 / 3.0, bulk);
}

/* Of ln_channel_root(): its derivative to the bulk's voltage v. */
static ln_dual steepness(double potential, ln_dual root, double v) {
    return v > 0.0 ? ln_dual_scale(-0.5 / (potential * sqrt(potential)), ln_dual_square(root))
                   : ln_dual_scale(-0.5, ln_dual_reciprocal(root));
}

/* Von lies n Vt over the threshold, n = 1 + q NFS/Cox + narrow - d(G sqrt(PHI - bs))/dbs. */
static ln_dual ideality(const ln_channel *c, const bulk_channel *channel, double ds, double bs) {
    const ln_short_channel *e = &c->extra;
    const ln_dual roots[2] = {channel->root, channel->root_drain};
    const double at[2] = {bs, bs - ds};
    ln_dual change = ln_dual_multiply(channel->slope, steepness(c->potential, channel->root, bs));
    /* of G: -GAMMA XD/(2 L sqrt(1 + 2 W/XJ)) that of the root */
    for (int end = 0; end < 2 && e->depth > 0.0; end++) {
        const ln_dual wide =
            ln_dual_root(ln_dual_affine(1.0, 2.0 * e->depletion / e->depth, roots[end]));
        const ln_dual steep = ln_dual_divide(steepness(c->potential, roots[end], at[end]), wide);
        change = ln_dual_sum(1.0, change, -0.5 * c->body * e->depletion / e->length,
                             ln_dual_multiply(steep, channel->root));
    }
    return ln_dual_affine(1.0 + e->states + e->narrow, -1.0, change);
}

/* 1 + F: what the voltage along the channel takes from it and from the bulk, G/(sqrt(PHI + Vsat -
 * bs) + sqrt(PHI - bs)) + N. */
static ln_dual factor_of(const bulk_channel *channel, ln_dual pinch) {
    const ln_dual far =
        ln_dual_root(ln_dual_greater(ln_dual_add(pinch, channel->below), ln_dual_constant(0.0)));
    return ln_dual_affine(channel->width, 1.0,
                          ln_dual_divide(channel->slope, ln_dual_add(far, channel->root)));
}

ln_dual ln_bulk_channel(const ln_channel *c, double gs, double ds, double bs,
                        ln_channel_state *state) {
    const ln_short_channel *e = &c->extra;
    const bulk_channel channel = at_voltages(c, ds, bs);
    const ln_dual gate = {gs, 1.0, 0.0, 0.0},
                  threshold =
                      ln_dual_add(channel.base, ln_dual_multiply(channel.slope, channel.root));
    *state = (ln_channel_state){.over = ln_dual_subtract(gate, threshold),
                                .over_drain = ln_dual_constant(0.0),
                                .root = channel.root,
                                .body = ln_dual_sum(1.0, channel.slope, e->narrow, channel.root),
                                .bulk_share = ln_dual_constant(0.0)};
    ln_dual on = threshold, width = ln_dual_constant(e->vt);
    if (e->states > 0.0) {
        width = ln_dual_scale(e->vt, ideality(c, &channel, ds, bs));
        on = ln_dual_add(threshold, width);
    } else if (gs <= threshold.value)
        return ln_dual_constant(0.0);
    const ln_dual high = ln_dual_subtract(ln_dual_greater(gate, on), channel.base),
                  mobile = mobility(e, ln_dual_subtract(gate, on));
    const ln_dual pinch = pinched(&channel, high);
    const ln_dual saturation =
        e->saturation > 0.0 ? limited(&channel, high, pinch,
                                      ln_dual_scale(e->saturation, ln_dual_reciprocal(mobile)))
                            : pinch;
    const int saturated = ds > saturation.value;
    const ln_dual v = saturated ? saturation : channel.drain, below = {bs, 0.0, 0.0, 1.0};
    const ln_dual root = saturated
                             ? ln_channel_root(c->potential, ln_dual_subtract(below, saturation))
                             : channel.root_drain;
    ln_dual current = ln_dual_multiply(
        mobile, level2_lengthened(e, level2_shortening(c, &channel, saturation, mobile)));
    current = ln_dual_scale(c->gain, ln_dual_multiply(current, carried(&channel, high, v, root)));
    if (gs < on.value)
        current = ln_dual_multiply(current,
                                   ln_dual_exp(ln_dual_divide(ln_dual_subtract(gate, on), width)));
    const ln_dual factor = factor_of(&channel, pinch),
                  left = ln_dual_subtract(state->over, ln_dual_multiply(factor, v));
    state->bulk_share = ln_dual_affine(1.0, -1.0, ln_dual_reciprocal(factor));
    if (left.value > 0.0)
        state->over_drain = left;
    return current;
}
