/* SPDX-License-Identifier: MIT */
/* Charges of the gate: Ward and Dutton's shares of source and drain, the rest in the bulk. See mosfet_equations.h. */
#include "blocks/native/mosfet_equations.h"

/* The share of the channel's charge at the end that stands `near` over the threshold, where the other end stands `far`:
 * 2/15 (3 near^3 + 6 near^2 far + 4 near far^2 + 2 far^3)/(near + far)^2. */
static ln_dual share(ln_dual near, ln_dual far) {
    const double n = near.value, f = far.value, sum = n + f, a = n / sum, b = f / sum;
    const double value = 2.0 / 15.0 * (3.0 * a * a * a + 6.0 * a * a * b + 4.0 * a * b * b + 2.0 * b * b * b);
    const double by_near = 2.0 / 15.0 * (9.0 * a * a + 12.0 * a * b + 4.0 * b * b) - 2.0 * value;
    const double by_far = 2.0 / 15.0 * (6.0 * a * a + 8.0 * a * b + 6.0 * b * b) - 2.0 * value;
    ln_dual charge = ln_dual_sum(by_near, near, by_far, far);
    charge.value = sum * value;
    return charge;
}

/* The bulk's charge below the threshold (u < 0): with y = gate against bulk less flat band = root^2 + GAMMA root + u,
 * GAMMA^2/2 (sqrt(1 + 4 y/GAMMA^2) - 1) in depletion, y in accumulation. */
static ln_dual without_channel(const ln_channel_state *s) {
    const ln_dual y = ln_dual_add(ln_dual_multiply(s->root, ln_dual_add(s->root, s->body)), s->over);
    if (!(y.value > 0.0)) return y;
    if (!(s->body.value > 0.0)) return ln_dual_constant(0.0);
    /* the same without cancellation */
    const ln_dual inside = ln_dual_root(ln_dual_sum(0.25, ln_dual_square(s->body), 1.0, y));
    return ln_dual_divide(ln_dual_multiply(s->body, y), ln_dual_sum(1.0, inside, 0.5, s->body));
}

/* With a channel the bulk holds GAMMA sqrt(PHI - bs), and its share of what the voltage along the channel takes from it. */
void ln_channel_charges(double oxide, const ln_channel_state *s, ln_channel_flows *to) {
    if (!(s->over.value > 0.0)) {
        to->to_source = to->to_drain = ln_dual_constant(0.0);
        to->to_bulk = ln_dual_scale(oxide, without_channel(s));
        return;
    }
    const ln_dual source = share(s->over, s->over_drain), drain = share(s->over_drain, s->over);
    const ln_dual lost = ln_dual_subtract(s->over, ln_dual_add(source, drain));
    to->to_source = ln_dual_scale(oxide, source);
    to->to_drain = ln_dual_scale(oxide, drain);
    to->to_bulk =
        ln_dual_scale(oxide, ln_dual_add(ln_dual_multiply(s->body, s->root), ln_dual_multiply(s->bulk_share, lost)));
}
