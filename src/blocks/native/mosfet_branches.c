/* SPDX-License-Identifier: MIT */
/* The MOS transistor's branches. See the header. */
#include "blocks/native/mosfet_branches.h"

#include "blocks/native/diode_equations.h"

static ln_flow of_channel(const ln_dual *f) {
    return (ln_flow){f->value, {f->gs, f->ds, f->bs}};
}

static void bulk_junction(const ln_mosfet *m, const ln_bulk_junction *j, double v, ln_flow *current,
                          ln_flow *charge) {
    double g, c;
    const double i = ln_spice_junction(v, j->saturation, m->vt, &g);
    const double q = ln_depletion_charges(v, &j->floor, &j->side, &c);
    *current = (ln_flow){i + m->gmin * v, {g + m->gmin}};
    *charge = (ln_flow){q + j->bare * v, {c + j->bare}};
}

/* A linear capacitance, driven by the voltage gs + by_ds ds + by_bs bs. */
static void overlap(double c, double v, double by_ds, double by_bs, ln_flow *charge) {
    charge->value += c * v;
    charge->slope[0] += c;
    charge->slope[1] += c * by_ds;
    charge->slope[2] += c * by_bs;
}

void ln_mosfet_branches(const ln_mosfet *m, const double *v, ln_flow *flow) {
    ln_channel_flows channel;
    ln_channel_evaluate(&m->channel, v[LN_MOS_G] - v[LN_MOS_SI], v[LN_MOS_DI] - v[LN_MOS_SI],
                        v[LN_MOS_B] - v[LN_MOS_SI], &channel);
    flow[LN_MOS_AT_D] = (ln_flow){(v[LN_MOS_D] - v[LN_MOS_DI]) * m->drain, {m->drain}};
    flow[LN_MOS_AT_S] = (ln_flow){(v[LN_MOS_S] - v[LN_MOS_SI]) * m->source, {m->source}};
    flow[LN_MOS_CHANNEL] = of_channel(&channel.current);
    flow[LN_MOS_CHARGE_S] = of_channel(&channel.to_source);
    flow[LN_MOS_CHARGE_D] = of_channel(&channel.to_drain);
    flow[LN_MOS_CHARGE_B] = of_channel(&channel.to_bulk);
    overlap(m->over_source, v[LN_MOS_G] - v[LN_MOS_SI], 0, 0, &flow[LN_MOS_CHARGE_S]);
    overlap(m->over_drain, v[LN_MOS_G] - v[LN_MOS_DI], -1, 0, &flow[LN_MOS_CHARGE_D]);
    overlap(m->over_bulk, v[LN_MOS_G] - v[LN_MOS_B], 0, -1, &flow[LN_MOS_CHARGE_B]);
    bulk_junction(m, &m->at_drain, v[LN_MOS_B] - v[LN_MOS_DI], &flow[LN_MOS_DIODE_D],
                  &flow[LN_MOS_DEPLETION_D]);
    bulk_junction(m, &m->at_source, v[LN_MOS_B] - v[LN_MOS_SI], &flow[LN_MOS_DIODE_S],
                  &flow[LN_MOS_DEPLETION_S]);
}

int ln_mosfet_limit(const ln_mosfet *m, const double *v_old, double *v) {
    const int low = v_old[LN_MOS_DI] < v_old[LN_MOS_SI] ? LN_MOS_DI : LN_MOS_SI,
              high = low == LN_MOS_DI ? LN_MOS_SI : LN_MOS_DI;
    const double gate = v[LN_MOS_G] - v[low], drain = v[high] - v[low];
    const double threshold = ln_channel_threshold(&m->channel, v_old[LN_MOS_B] - v_old[low]);
    const double to_gate = ln_enable_limit(v_old[LN_MOS_G] - v_old[low], gate, threshold);
    const double to_drain = ln_drain_limit(v_old[high] - v_old[low], drain);
    int moved = 0;
    if (to_gate < gate || to_gate > gate)
        v[LN_MOS_G] = v[low] + to_gate, moved = 1;
    if (to_drain < drain || to_drain > drain)
        v[high] = v[low] + to_drain, moved = 1;
    const double bs = v[LN_MOS_B] - v[LN_MOS_SI],
                 to_bs = ln_junction_limit(v_old[LN_MOS_B] - v_old[LN_MOS_SI], bs, m->vt);
    if (to_bs < bs)
        v[LN_MOS_B] = v[LN_MOS_SI] + to_bs, moved = 1;
    const double bd = v[LN_MOS_B] - v[LN_MOS_DI],
                 to_bd = ln_junction_limit(v_old[LN_MOS_B] - v_old[LN_MOS_DI], bd, m->vt);
    if (to_bd < bd)
        v[LN_MOS_B] = v[LN_MOS_DI] + to_bd, moved = 1;
    return moved;
}
