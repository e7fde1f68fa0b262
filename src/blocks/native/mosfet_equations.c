/* SPDX-License-Identifier: MIT */
/* The channel of level 1, and what all levels share. See the header for sources and conventions. */
#include "blocks/native/mosfet_equations.h"

/* sqrt(PHI - bs), from bs = 0 on along its tangent down to zero, as in SPICE. */
static ln_dual bulk_root(const ln_channel *c, double bs) {
    if (bs <= 0.0) {
        const double root = sqrt(c->potential - bs);
        return (ln_dual){root, 0.0, 0.0, -0.5 / root};
    }
    const double root = sqrt(c->potential), tangent = root - 0.5 * bs / root;
    return tangent > 0.0 ? (ln_dual){tangent, 0.0, 0.0, -0.5 / root} : ln_dual_constant(0.0);
}

double ln_channel_threshold(const ln_channel *c, double bs) {
    return c->built_in + c->body * bulk_root(c, bs).value;
}

/* Shichman and Hodges: over the threshold by u, KP W/L (1 + LAMBDA ds) times ds (u - ds/2), or
 * u^2/2 in saturation. */
ln_dual ln_long_channel(const ln_channel *c, double gs, double ds, double bs,
                        ln_channel_state *state) {
    const ln_dual root = bulk_root(c, bs), u = ln_dual_affine(gs - c->built_in, -c->body, root),
                  drain = {ds, 0.0, 1.0, 0.0};
    *state = (ln_channel_state){.over = u,
                                .over_drain = ln_dual_constant(0.0),
                                .root = root,
                                .body = ln_dual_constant(c->body),
                                .bulk_share = ln_dual_constant(0.0)};
    state->over.gs = 1.0;
    if (u.value <= 0.0)
        return ln_dual_constant(0.0);
    const ln_dual gain = ln_dual_affine(c->gain, c->gain * c->modulation, drain);
    if (u.value <= ds)
        return ln_dual_multiply(gain, ln_dual_scale(0.5, ln_dual_square(state->over)));
    state->over_drain = ln_dual_subtract(state->over, drain);
    return ln_dual_multiply(gain,
                            ln_dual_multiply(drain, ln_dual_sum(1.0, state->over, -0.5, drain)));
}

/* A flow of gd, sd, bd as one of gs = gd + ds, ds, bs. */
static ln_dual turned(const ln_dual *f, double sign) {
    return (ln_dual){sign * f->value, sign * f->gs, -sign * (f->gs + f->ds + f->bs), sign * f->bs};
}

/* At ds >= 0. */
static void forward(const ln_channel *c, double gs, double ds, double bs, ln_channel_flows *flows) {
    ln_channel_state state;
    flows->current = c->level > 2.0   ? ln_short_channel_current(c, gs, ds, bs, &state)
                     : c->level > 1.0 ? ln_bulk_channel(c, gs, ds, bs, &state)
                                      : ln_long_channel(c, gs, ds, bs, &state);
    ln_channel_charges(c, &state, flows);
}

void ln_channel_evaluate(const ln_channel *c, double gs, double ds, double bs,
                         ln_channel_flows *flows) {
    if (!(ds < 0.0)) {
        forward(c, gs, ds, bs, flows);
        return;
    }
    ln_channel_flows channel;
    forward(c, gs - ds, -ds, bs - ds, &channel);
    flows->current = turned(&channel.current, -1.0);
    flows->to_source = turned(&channel.to_drain, 1.0);
    flows->to_drain = turned(&channel.to_source, 1.0);
    flows->to_bulk = turned(&channel.to_bulk, 1.0);
}

double ln_enable_limit(double old, double wanted, double threshold) {
    const double over = old - threshold, reach = 2.0 * fabs(over) + 2.0;
    if (over < 0.0 && wanted > threshold + 0.5)
        return threshold + 0.5;
    if (wanted > old + reach)
        return old + reach;
    return wanted < old - reach ? old - reach : wanted;
}

double ln_drain_limit(double old, double wanted) {
    if (wanted > old)
        return old < 3.5 ? fmin(wanted, 4.0) : fmin(wanted, 3.0 * old + 2.0);
    return old < 3.5 ? fmax(wanted, -0.5) : fmax(wanted, 2.0);
}
