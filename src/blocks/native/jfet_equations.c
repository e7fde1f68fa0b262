/* SPDX-License-Identifier: MIT */
/* The channel and the junctions of the junction field-effect transistor. See the header. */
#include "blocks/native/jfet_equations.h"

#include "blocks/native/diode_equations.h"
#include "blocks/native/dual.h"

/* Over the threshold by u, at ds >= 0. */
static ln_dual current(const ln_jfet *j, double over, double across) {
    const ln_dual u = {over, 1, 0, 0}, ds = {across, 0, 1, 0};
    if (!(over > 0))
        return ln_dual_constant(0);
    const ln_dual gain = ln_dual_affine(j->gain, j->gain * j->modulation, ds);
    const ln_dual bottom = over < across ? u : ds, rest = ln_dual_subtract(u, bottom);
    /* v (2 u - v) B + tail (v^3 + 3 u v (u - v)), v = min(u, ds) */
    const ln_dual even = ln_dual_multiply(bottom, ln_dual_add(u, rest));
    const ln_dual cube = ln_dual_multiply(
        bottom, ln_dual_add(ln_dual_square(bottom), ln_dual_scale(3, ln_dual_multiply(u, rest))));
    return ln_dual_multiply(gain, ln_dual_sum(j->even, even, j->tail, cube));
}

/* From drain to source; where the drain lies below the source they change places. */
static ln_flow channel(const ln_jfet *j, double gs, double ds) {
    if (!(ds < 0)) {
        const ln_dual i = current(j, gs - j->threshold, ds);
        return (ln_flow){i.value, {i.gs, i.ds}};
    }
    const ln_dual i = current(j, gs - ds - j->threshold, -ds);
    return (ln_flow){-i.value, {-i.gs, i.gs + i.ds}};
}

static void gate_junction(const ln_jfet *j, const ln_depletion *layer, double v, ln_flow *current,
                          ln_flow *charge) {
    double g, c;
    const double i = ln_spice_junction(v, j->saturation, j->vt, &g),
                 q = ln_depletion_charge(v, layer, &c);
    *current = (ln_flow){i + j->gmin * v, {g + j->gmin}};
    *charge = (ln_flow){q, {c}};
}

void ln_jfet_branches(const ln_jfet *j, const double *v, ln_flow *flow) {
    flow[LN_JFET_AT_D] = (ln_flow){(v[LN_JFET_D] - v[LN_JFET_DI]) * j->drain, {j->drain}};
    flow[LN_JFET_AT_S] = (ln_flow){(v[LN_JFET_S] - v[LN_JFET_SI]) * j->source, {j->source}};
    flow[LN_JFET_CHANNEL] = channel(j, v[LN_JFET_G] - v[LN_JFET_SI], v[LN_JFET_DI] - v[LN_JFET_SI]);
    gate_junction(j, &j->at_drain, v[LN_JFET_G] - v[LN_JFET_DI], &flow[LN_JFET_GATE_D],
                  &flow[LN_JFET_CHARGE_D]);
    gate_junction(j, &j->at_source, v[LN_JFET_G] - v[LN_JFET_SI], &flow[LN_JFET_GATE_S],
                  &flow[LN_JFET_CHARGE_S]);
}

int ln_jfet_limit(const ln_jfet *j, const double *v_old, double *v) {
    int moved = 0;
    const int nodes[] = {LN_JFET_SI, LN_JFET_DI};
    for (int k = 0; k < 2; k++) {
        const double wanted = v[LN_JFET_G] - v[nodes[k]],
                     to = ln_junction_limit(v_old[LN_JFET_G] - v_old[nodes[k]], wanted, j->vt);
        if (to < wanted)
            v[LN_JFET_G] = v[nodes[k]] + to, moved = 1;
    }
    return moved;
}
