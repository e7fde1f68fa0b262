/* SPDX-License-Identifier: MIT */
/* Charges of the gate: against source and drain, which share the channel's, and the bulk. See
 * mosfet_equations.h. */
#include "blocks/native/mosfet_equations.h"

/* Charge of one terminal: a cubic in `far` and `near`, the voltages over the threshold at both
 * ends, by (near + far)^2. cubic: coefficients of far^3, far^2 near, far near^2, near^3. */
static ln_dual share(const double *cubic, ln_dual near, ln_dual far) {
    const double sum = near.value + far.value, n = near.value / sum, f = far.value / sum;
    const double value =
        ((cubic[3] * n + cubic[2] * f) * n + cubic[1] * f * f) * n + cubic[0] * f * f * f;
    const double by_near =
        (3.0 * cubic[3] * n + 2.0 * cubic[2] * f) * n + cubic[1] * f * f - 2.0 * value;
    const double by_far =
        (3.0 * cubic[0] * f + 2.0 * cubic[1] * n) * f + cubic[2] * n * n - 2.0 * value;
    ln_dual charge = ln_dual_sum(by_near, near, by_far, far);
    charge.value = sum * value;
    return charge;
}

/* 2/3 (near^2 + near far + far^2)/(near + far), all that the channel holds. */
static const double whole[LN_CUBIC] = {2.0 / 3.0, 4.0 / 3.0, 4.0 / 3.0, 2.0 / 3.0};

/* Source and drain share it by halves where the channel is uniform. Where it is pinched off the
 * drain has the share XQC: none, far^2/(near + far), as BSIM's 0/100 (B. J. Sheu, D. L.
 * Scharfetter, P.-K. Ko, M.-C. Jeng, IEEE J. Solid-State Circuits SC-22, 1987); 2/5 after Ward,
 * each piece of channel belonging to either end as it is near it; or half all along. */
void ln_channel_partition(double at_drain, double *cubic) {
    static const double corner[3] = {0.0, 0.4, 0.5};
    static const double of[3][LN_CUBIC] = {{1.0, 1.0, 0.0, 0.0},
                                           {6.0 / 15.0, 12.0 / 15.0, 8.0 / 15.0, 4.0 / 15.0},
                                           {1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0, 1.0 / 3.0}};
    const int k = at_drain > corner[1];
    const double part = (at_drain - corner[k]) / (corner[k + 1] - corner[k]);
    for (int i = 0; i < LN_CUBIC; i++)
        cubic[i] = (1.0 - part) * of[k][i] + part * of[k + 1][i];
}

/* The bulk's charge below the threshold (u < 0): with y = gate against bulk less flat band = root^2
 * + GAMMA root + u, GAMMA^2/2 (sqrt(1 + 4 y/GAMMA^2) - 1) in depletion, y in accumulation. */
static ln_dual without_channel(const ln_channel_state *s) {
    const ln_dual y =
        ln_dual_add(ln_dual_multiply(s->root, ln_dual_add(s->root, s->body)), s->over);
    if (!(y.value > 0.0))
        return y;
    if (!(s->body.value > 0.0))
        return ln_dual_constant(0.0);
    /* the same without cancellation */
    const ln_dual inside = ln_dual_root(ln_dual_sum(0.25, ln_dual_square(s->body), 1.0, y));
    return ln_dual_divide(ln_dual_multiply(s->body, y), ln_dual_sum(1.0, inside, 0.5, s->body));
}

/* With a channel the bulk holds GAMMA sqrt(PHI - bs), and its share of what the voltage along the
 * channel takes from it. */
void ln_channel_charges(const ln_channel *c, const ln_channel_state *s, ln_channel_flows *to) {
    const double oxide = c->oxide;
    if (!(s->over.value > 0.0)) {
        to->to_source = to->to_drain = ln_dual_constant(0.0);
        to->to_bulk = ln_dual_scale(oxide, without_channel(s));
        return;
    }
    const ln_dual all = share(whole, s->over, s->over_drain),
                  drain = share(c->at_drain, s->over, s->over_drain);
    const ln_dual lost = ln_dual_subtract(s->over, all);
    to->to_source = ln_dual_scale(oxide, ln_dual_subtract(all, drain));
    to->to_drain = ln_dual_scale(oxide, drain);
    to->to_bulk = ln_dual_scale(oxide, ln_dual_add(ln_dual_multiply(s->body, s->root),
                                                   ln_dual_multiply(s->bulk_share, lost)));
}
