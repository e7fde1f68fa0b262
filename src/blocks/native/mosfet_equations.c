/* SPDX-License-Identifier: MIT */
/* See the header for sources and conventions. */
#include "blocks/native/mosfet_equations.h"

#include <math.h>

/* sqrt(PHI - bs), from bs = 0 on along its tangent down to zero, as in SPICE. *slope: d/dbs. */
static double bulk_root(const ln_channel *c, double bs, double *slope) {
    if (bs <= 0.0) {
        const double root = sqrt(c->potential - bs);
        *slope = -0.5 / root;
        return root;
    }
    const double root = sqrt(c->potential), tangent = root - 0.5 * bs / root;
    *slope = tangent > 0.0 ? -0.5 / root : 0.0;
    return tangent > 0.0 ? tangent : 0.0;
}

double ln_channel_threshold(const ln_channel *c, double bs) {
    double slope;
    return c->built_in + c->body * bulk_root(c, bs, &slope);
}

/* Shichman and Hodges: over the threshold by u, KP W/L (1 + LAMBDA ds) times ds (u - ds/2), or u^2/2 in saturation. */
static ln_mosfet_flow current(const ln_channel *c, double u, double u_bs, double ds) {
    if (u <= 0.0) return (ln_mosfet_flow){0.0, 0.0, 0.0, 0.0};
    const double more = 1.0 + c->modulation * ds, gain = c->gain * more;
    const int saturated = u <= ds;
    const double shape = saturated ? 0.5 * u * u : ds * (u - 0.5 * ds);
    const double by_u = gain * (saturated ? u : ds);
    return (ln_mosfet_flow){gain * shape, by_u, gain * (saturated ? 0.0 : u - ds) + c->gain * c->modulation * shape, by_u * u_bs};
}

/* Ward and Dutton's share of the channel's charge at the end that stands `near` over the threshold, where the other end
 * stands `far`: 2/15 (3 near^3 + 6 near^2 far + 4 near far^2 + 2 far^3)/(near + far)^2. slope: d/dnear, d/dfar. */
static double share(double near, double far, double slope[2]) {
    const double sum = near + far, a = near / sum, b = far / sum;
    const double value = 2.0 / 15.0 * (3.0 * a * a * a + 6.0 * a * a * b + 4.0 * a * b * b + 2.0 * b * b * b);
    slope[0] = 2.0 / 15.0 * (9.0 * a * a + 12.0 * a * b + 4.0 * b * b) - 2.0 * value;
    slope[1] = 2.0 / 15.0 * (6.0 * a * a + 8.0 * a * b + 6.0 * b * b) - 2.0 * value;
    return sum * value;
}

/* Charges with a channel: shares of source and drain, and GAMMA sqrt(PHI - bs) in the bulk. The channel ends where
 * saturation begins. */
static void channel_charges(const ln_channel *c, double u, double u_bs, double ds, double root, double root_bs,
                            ln_channel_flows *to) {
    const int saturated = ds >= u;
    const double w = saturated ? 0.0 : u - ds, cox = c->oxide;
    double s[2], d[2];
    const double source = share(u, w, s), drain = share(w, u, d);
    const double w_u = saturated ? 0.0 : 1.0;
    const double source_u = s[0] + s[1] * w_u, drain_u = d[1] + d[0] * w_u;
    to->to_source = (ln_mosfet_flow){cox * source, cox * source_u, -cox * s[1] * w_u, cox * source_u * u_bs};
    to->to_drain = (ln_mosfet_flow){cox * drain, cox * drain_u, -cox * d[0] * w_u, cox * drain_u * u_bs};
    to->to_bulk = (ln_mosfet_flow){cox * c->body * root, 0.0, 0.0, cox * c->body * root_bs};
}

/* Below the threshold (u < 0) all charge lies in the bulk: with y = gate against bulk less flat band = root^2 + GAMMA root + u,
 * GAMMA^2/2 (sqrt(1 + 4 y/GAMMA^2) - 1) in depletion, y in accumulation. */
static void bulk_charge(const ln_channel *c, double u, double u_bs, double root, double root_bs, ln_channel_flows *to) {
    const ln_mosfet_flow none = {0.0, 0.0, 0.0, 0.0};
    const double gamma = c->body, cox = c->oxide, y = root * (root + gamma) + u;
    const double y_bs = (2.0 * root + gamma) * root_bs + u_bs;
    double charge = y, slope = 1.0;
    if (y > 0.0) {
        const double inside = sqrt(0.25 * gamma * gamma + y);
        charge = gamma * y / (inside + 0.5 * gamma); /* the same without cancellation, and 0 without body effect */
        slope = 0.5 * gamma / inside;
    }
    to->to_source = to->to_drain = none;
    to->to_bulk = (ln_mosfet_flow){cox * charge, cox * slope, 0.0, cox * slope * y_bs};
}

/* At ds >= 0. */
static void forward(const ln_channel *c, double gs, double ds, double bs, ln_channel_flows *flows) {
    double root_bs;
    const double root = bulk_root(c, bs, &root_bs);
    const double u = gs - c->built_in - c->body * root, u_bs = -c->body * root_bs;
    flows->current = current(c, u, u_bs, ds);
    if (u > 0.0) channel_charges(c, u, u_bs, ds, root, root_bs, flows);
    else bulk_charge(c, u, u_bs, root, root_bs, flows);
}

/* A flow of gd, sd, bd as one of gs = gd + ds, ds, bs. */
static ln_mosfet_flow turned(const ln_mosfet_flow *f, double sign) {
    return (ln_mosfet_flow){sign * f->value, sign * f->gs, -sign * (f->gs + f->ds + f->bs), sign * f->bs};
}

void ln_channel_evaluate(const ln_channel *c, double gs, double ds, double bs, ln_channel_flows *flows) {
    if (!(ds < 0.0)) {
        forward(c, gs, ds, bs, flows);
        return;
    }
    ln_channel_flows it;
    forward(c, gs - ds, -ds, bs - ds, &it);
    flows->current = turned(&it.current, -1.0);
    flows->to_source = turned(&it.to_drain, 1.0);
    flows->to_drain = turned(&it.to_source, 1.0);
    flows->to_bulk = turned(&it.to_bulk, 1.0);
}

double ln_gate_limit(double old, double wanted, double threshold) {
    const double over = old - threshold, reach = 2.0 * fabs(over) + 2.0;
    if (over < 0.0 && wanted > threshold + 0.5) return threshold + 0.5;
    if (wanted > old + reach) return old + reach;
    return wanted < old - reach ? old - reach : wanted;
}

double ln_drain_limit(double old, double wanted) {
    if (wanted > old) return old < 3.5 ? fmin(wanted, 4.0) : fmin(wanted, 3.0 * old + 2.0);
    return old < 3.5 ? fmax(wanted, -0.5) : fmax(wanted, 2.0);
}
