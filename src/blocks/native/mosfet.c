/* SPDX-License-Identifier: MIT */
/* The MOS transistor: descriptor and calls. The channel's mathematics is in mosfet_equations.c, that of the junctions of
 * drain and source with the bulk in junction_equations.c. */
#include "blocks/native/device.h"
#include "blocks/native/diode_equations.h"
#include "blocks/native/junction_equations.h"
#include "blocks/native/mosfet_equations.h"
#include "blocks/native/native.h"

#include <math.h>
#include <stdio.h>

enum { D, G, S, B, DI, SI };                      /* nodes: the ports, and those behind RD and RS                     */
enum { AT_D, AT_S, CHANNEL, DIODE_D, DIODE_S, CHARGE_S, CHARGE_D, CHARGE_B, DEPLETION_D, DEPLETION_S, NBRANCHES };
enum { TYPE, VTO, TOX, U0, KP, GAMMA, PHI, LAMBDA, L, W, LD, RD, RS, RSH, NRD, NRS, IS, JS, AD, AS, PD, PS, CBD, CBS, CJ, MJ,
       CJSW, MJSW, PB, FC, CGSO, CGDO, CGBO, MANY, GMIN, TEMP, TNOM, NPARAMS };
#define OXIDE (3.9 * 8.854214871e-12)             /* permittivity of silicon dioxide, F/m                             */

/* A junction of the bulk: its current, and the layers of its floor and its side. */
typedef struct bulk_junction { double saturation; ln_depletion floor, side; } bulk_junction;
typedef struct mosfet {
    ln_channel channel;
    double drain, source;                         /* conductances                                                     */
    double over_source, over_drain, over_bulk;    /* capacitances where the gate overlaps                             */
    double vt, gmin;
    bulk_junction at_drain, at_source;
} mosfet;
enum { NWORK = sizeof(mosfet) / sizeof(double) };

static const linnet_port ports[] = {
    {"d", LINNET_ELECTRICAL, 0, "drain"},
    {"g", LINNET_ELECTRICAL, 0, "gate"},
    {"s", LINNET_ELECTRICAL, 0, "source"},
    {"b", LINNET_ELECTRICAL, 0, "bulk"},
};
#define ABOVE LINNET_OPEN_MIN
static const linnet_param params[] = {
    {"type", NULL, "nmos", -INFINITY, INFINITY, LINNET_TEXT | LINNET_STRUCTURAL, "nmos or pmos", TYPE, 1, 1, NULL},
    LN_NUMBER(VTO, "VTO", "V", "0", -INFINITY, INFINITY, 0, "threshold without bulk bias; negative for an enhancement pmos"),
    LN_NUMBER(TOX, "TOX", "m", "0", 0, INFINITY, 0, "thickness of the oxide; 0: the gate has no charge"),
    LN_NUMBER(U0, "U0", "", "600", 0, INFINITY, ABOVE, "mobility, cm^2/(V s); counts with TOX and without KP"),
    LN_NUMBER(KP, "KP", NULL, "if(TOX gt 0, U0*1e-4*3.453143799690e-11/TOX, 2e-5)", 0, INFINITY, ABOVE, "transconductance, A/V^2"),
    LN_NUMBER(GAMMA, "GAMMA", "", "0", 0, INFINITY, 0, "body effect, sqrt V"),
    LN_NUMBER(PHI, "PHI", "V", "0.6 V", 0, INFINITY, ABOVE, "surface potential"),
    LN_NUMBER(LAMBDA, "LAMBDA", "", "0", 0, INFINITY, 0, "channel length modulation, 1/V"),
    LN_NUMBER(L, "L", "m", "100 um", 0, INFINITY, ABOVE, "length"),
    LN_NUMBER(W, "W", "m", "100 um", 0, INFINITY, ABOVE, "width"),
    LN_NUMBER(LD, "LD", "m", "0", 0, INFINITY, 0, "what drain and source each take of the length"),
    LN_NUMBER(RD, "RD", "Ohm", "0", 0, INFINITY, 0, "drain resistance"),
    LN_NUMBER(RS, "RS", "Ohm", "0", 0, INFINITY, 0, "source resistance"),
    LN_NUMBER(RSH, "RSH", "Ohm", "0", 0, INFINITY, 0, "sheet resistance; counts where RD or RS is 0"),
    LN_NUMBER(NRD, "NRD", "", "1", 0, INFINITY, 0, "squares of the drain"),
    LN_NUMBER(NRS, "NRS", "", "1", 0, INFINITY, 0, "squares of the source"),
    LN_NUMBER(IS, "IS", "A", "1e-14 A", 0, INFINITY, ABOVE, "saturation current of the bulk's junctions"),
    LN_NUMBER(JS, "JS", "", "0", 0, INFINITY, 0, "the same per area, A/m^2; counts with AD and AS"),
    LN_NUMBER(AD, "AD", "m^2", "0", 0, INFINITY, 0, "area of the drain"),
    LN_NUMBER(AS, "AS", "m^2", "0", 0, INFINITY, 0, "area of the source"),
    LN_NUMBER(PD, "PD", "m", "0", 0, INFINITY, 0, "perimeter of the drain"),
    LN_NUMBER(PS, "PS", "m", "0", 0, INFINITY, 0, "perimeter of the source"),
    LN_NUMBER(CBD, "CBD", "F", "0", 0, INFINITY, 0, "bulk-drain capacitance without bias; 0: from CJ"),
    LN_NUMBER(CBS, "CBS", "F", "0", 0, INFINITY, 0, "bulk-source capacitance without bias; 0: from CJ"),
    LN_NUMBER(CJ, "CJ", "", "0", 0, INFINITY, 0, "junction capacitance per area, F/m^2"),
    LN_NUMBER(MJ, "MJ", "", "0.5", 0, 1, LINNET_OPEN_MAX, "its grading coefficient"),
    LN_NUMBER(CJSW, "CJSW", "", "0", 0, INFINITY, 0, "junction capacitance per length of perimeter, F/m"),
    LN_NUMBER(MJSW, "MJSW", "", "0.5", 0, 1, LINNET_OPEN_MAX, "its grading coefficient"),
    LN_NUMBER(PB, "PB", "V", "0.8 V", 0, INFINITY, ABOVE, "junction potential"),
    LN_NUMBER(FC, "FC", "", "0.5", 0, 1, LINNET_OPEN_MAX, "share of PB from which capacitances grow linearly"),
    LN_NUMBER(CGSO, "CGSO", "", "0", 0, INFINITY, 0, "gate-source overlap capacitance per width, F/m"),
    LN_NUMBER(CGDO, "CGDO", "", "0", 0, INFINITY, 0, "gate-drain overlap capacitance per width, F/m"),
    LN_NUMBER(CGBO, "CGBO", "", "0", 0, INFINITY, 0, "gate-bulk overlap capacitance per length, F/m"),
    LN_NUMBER(MANY, "M", "", "1", 0, INFINITY, ABOVE, "number of such transistors in parallel"),
    LN_NUMBER(GMIN, "GMIN", "S", "1e-12 S", 0, INFINITY, 0, "conductance across each junction"),
    LN_NUMBER(TEMP, "temp", "K", "27 degC", 0, INFINITY, ABOVE, "temperature"),
    LN_NUMBER(TNOM, "tnom", "K", "27 degC", 0, INFINITY, ABOVE, "temperature the parameters were measured at"),
};

static const ln_inner inner[] = {
    {{"di", "V", 0, 0, "potential of the inner drain", 0}, D},
    {{"si", "V", 0, 0, "potential of the inner source", 0}, S},
};
#define CHANNEL_CONTROLS {{G, SI}, {DI, SI}, {B, SI}}
static const ln_branch branches[NBRANCHES] = {
    [AT_D] = {D, DI, 0, 1, {{D, DI}}},
    [AT_S] = {S, SI, 0, 1, {{S, SI}}},
    [CHANNEL] = {DI, SI, 0, 3, CHANNEL_CONTROLS},
    [DIODE_D] = {B, DI, 0, 1, {{B, DI}}},
    [DIODE_S] = {B, SI, 0, 1, {{B, SI}}},
    [CHARGE_S] = {G, SI, 1, 3, CHANNEL_CONTROLS},
    [CHARGE_D] = {G, DI, 1, 3, CHANNEL_CONTROLS},
    [CHARGE_B] = {G, B, 1, 3, CHANNEL_CONTROLS},
    [DEPLETION_D] = {B, DI, 1, 1, {{B, DI}}},
    [DEPLETION_S] = {B, SI, 1, 1, {{B, SI}}},
};

static double resistance(double own, double sheet, double squares) { return own > 0 ? own : sheet * squares; }

static int exists(const double *const *values, int node) {
    return node == 0 ? resistance(*values[RD], *values[RSH], *values[NRD]) > 0
                     : resistance(*values[RS], *values[RSH], *values[NRS]) > 0;
}

static double per(double value) { return value > 0 ? 1 / value : 0; }

static void set_channel(const double *p, double sign, mosfet *m) {
    const double length = p[L] - 2 * p[LD], ratio = p[TEMP] / p[TNOM], root = sqrt(p[PHI]);
    const double potential = ln_potential_at(p[PHI], p[TNOM], p[TEMP]);
    const double gap = 0.5 * (ln_energy_gap(p[TNOM]) - ln_energy_gap(p[TEMP]));
    m->channel = (ln_channel){.gain = p[KP] / (ratio * sqrt(ratio)) * p[MANY] * p[W] / length,
                              .built_in = sign * (p[VTO] + gap) - p[GAMMA] * root + 0.5 * (potential - p[PHI]),
                              .body = p[GAMMA], .potential = potential, .modulation = p[LAMBDA],
                              .oxide = p[TOX] > 0 ? OXIDE / p[TOX] * p[W] * length * p[MANY] : 0};
    m->over_source = p[CGSO] * p[W] * p[MANY];
    m->over_drain = p[CGDO] * p[W] * p[MANY];
    m->over_bulk = p[CGBO] * length * p[MANY];
}

static void set_junction(const double *p, double area, double perimeter, double capacitance, bulk_junction *j) {
    const double growth = ln_energy_gap(p[TNOM]) / ln_thermal_voltage(p[TNOM]) - ln_energy_gap(p[TEMP]) / ln_thermal_voltage(p[TEMP]);
    const int by_area = p[JS] > 0 && p[AD] > 0 && p[AS] > 0;
    const double floor = capacitance > 0 ? capacitance : p[CJ] * area;
    j->saturation = (by_area ? p[JS] * area : p[IS]) * p[MANY] * exp(growth);
    j->floor = ln_depletion_at((ln_depletion){floor * p[MANY], p[PB], p[MJ], p[FC]}, p[TNOM], p[TEMP]);
    j->side = ln_depletion_at((ln_depletion){p[CJSW] * perimeter * p[MANY], p[PB], p[MJSW], p[FC]}, p[TNOM], p[TEMP]);
}

static linnet_status prepare(const linnet_block *block, char message[256]) {
    const double *p = block->p;
    mosfet *m = (mosfet *)block->work;
    *m = (mosfet){.vt = ln_thermal_voltage(p[TEMP]), .gmin = p[GMIN]};
    if (!(p[L] > 2 * p[LD])) {
        snprintf(message, 256, "L = %g m leaves no channel between drain and source of LD = %g m each", p[L], p[LD]);
        return LINNET_MODEL;
    }
    m->drain = per(resistance(p[RD], p[RSH], p[NRD])) * p[MANY];
    m->source = per(resistance(p[RS], p[RSH], p[NRS])) * p[MANY];
    set_channel(p, ln_device_sign(block), m);
    set_junction(p, p[AD], p[PD], p[CBD], &m->at_drain);
    set_junction(p, p[AS], p[PS], p[CBS], &m->at_source);
    if (!(m->channel.potential > 0 && m->at_drain.floor.potential > 0)) {
        snprintf(message, 256, "there is no surface or junction potential left at temp = %g K; mind temp, tnom, PHI and PB", p[TEMP]);
        return LINNET_MODEL;
    }
    return ln_device_check(block, (const char *const[]){"the drain's resistance", "the source's resistance"}, message);
}

static ln_flow of_channel(const ln_mosfet_flow *f) { return (ln_flow){f->value, {f->gs, f->ds, f->bs}}; }

static void junction(const mosfet *m, const bulk_junction *j, double v, ln_flow *current, ln_flow *charge) {
    double g, floor_c, side_c;
    const double i = ln_spice_junction(v, j->saturation, m->vt, &g);
    const double floor_q = ln_depletion_charge(v, &j->floor, &floor_c), side_q = ln_depletion_charge(v, &j->side, &side_c);
    *current = (ln_flow){i + m->gmin * v, {g + m->gmin}};
    *charge = (ln_flow){floor_q + side_q, {floor_c + side_c}};
}

/* A linear capacitance, driven by the voltage gs + by_ds ds + by_bs bs. */
static void overlap(double c, double v, double by_ds, double by_bs, ln_flow *charge) {
    charge->value += c * v;
    charge->slope[0] += c;
    charge->slope[1] += c * by_ds;
    charge->slope[2] += c * by_bs;
}

static void flows(const linnet_block *block, const double *v, ln_flow *flow) {
    const mosfet *m = (const mosfet *)block->work;
    ln_channel_flows it;
    ln_channel_evaluate(&m->channel, v[G] - v[SI], v[DI] - v[SI], v[B] - v[SI], &it);
    flow[AT_D] = (ln_flow){(v[D] - v[DI]) * m->drain, {m->drain}};
    flow[AT_S] = (ln_flow){(v[S] - v[SI]) * m->source, {m->source}};
    flow[CHANNEL] = of_channel(&it.current);
    flow[CHARGE_S] = of_channel(&it.to_source);
    flow[CHARGE_D] = of_channel(&it.to_drain);
    flow[CHARGE_B] = of_channel(&it.to_bulk);
    overlap(m->over_source, v[G] - v[SI], 0, 0, &flow[CHARGE_S]);
    overlap(m->over_drain, v[G] - v[DI], -1, 0, &flow[CHARGE_D]);
    overlap(m->over_bulk, v[G] - v[B], 0, -1, &flow[CHARGE_B]);
    junction(m, &m->at_drain, v[B] - v[DI], &flow[DIODE_D], &flow[DEPLETION_D]);
    junction(m, &m->at_source, v[B] - v[SI], &flow[DIODE_S], &flow[DEPLETION_S]);
}

/* Gate and drain against the end of the channel that was the lower one; the bulk so that neither junction goes too far. */
static int limit(const linnet_block *block, const double *v_old, double *v) {
    const mosfet *m = (const mosfet *)block->work;
    const int low = v_old[DI] < v_old[SI] ? DI : SI, high = low == DI ? SI : DI;
    const double gate = v[G] - v[low], drain = v[high] - v[low];
    const double threshold = ln_channel_threshold(&m->channel, v_old[B] - v_old[low]);
    const double to_gate = ln_gate_limit(v_old[G] - v_old[low], gate, threshold);
    const double to_drain = ln_drain_limit(v_old[high] - v_old[low], drain);
    int moved = 0;
    if (to_gate < gate || to_gate > gate) v[G] = v[low] + to_gate, moved = 1;
    if (to_drain < drain || to_drain > drain) v[high] = v[low] + to_drain, moved = 1;
    const double bs = v[B] - v[SI], to_bs = ln_junction_limit(v_old[B] - v_old[SI], bs, m->vt);
    if (to_bs < bs) v[B] = v[SI] + to_bs, moved = 1;
    const double bd = v[B] - v[DI], to_bd = ln_junction_limit(v_old[B] - v_old[DI], bd, m->vt);
    if (to_bd < bd) v[B] = v[DI] + to_bd, moved = 1;
    return moved;
}

static const ln_device device = {.branches = branches, .nbranches = NBRANCHES, .inner = inner, .ninner = 2, .type = TYPE,
                                 .polarity = {"nmos", "pmos"}, .exists = exists, .flows = flows, .limit = limit};
LN_DEVICE_CALLS(device)

const linnet_block_class ln_mosfet_class = {
    .abi = LINNET_ABI,
    .name = "mosfet",
    .doc = "MOS transistor, SPICE's level 1 (Shichman and Hodges) with charges after Ward and Dutton",
    .formula =
        "voltages against the inner source si, behind RS; inner drain di behind RD; pmos: all signs reversed; ds < 0: ends exchanged\n"
        "u = gs - VTO - GAMMA*(sqrt(PHI - bs) - sqrt(PHI)); beta = M*KP*W/(L - 2*LD)\n"
        "di to si: 0 for u <= 0, beta*(1 + LAMBDA*ds)*u^2/2 for u <= ds, else beta*(1 + LAMBDA*ds)*ds*(u - ds/2)\n"
        "gate charge against si: Cox*2/15*(3*u^3 + 6*u^2*w + 4*u*w^2 + 2*w^3)/(u + w)^2, w = max(u - ds, 0); against di: u and w exchanged\n"
        "against b: Cox*GAMMA*sqrt(PHI - bs); for u <= 0 the charge of depletion or accumulation; overlaps CGSO*W, CGDO*W, CGBO*L\n"
        "b to di and si: junctions of IS (JS), with depletion charges of CBD, CBS or CJ*AD, CJ*AS, and CJSW*PD, CJSW*PS\n"
        "(Shichman, Hodges: IEEE J. Solid-State Circuits SC-3, 1968; Ward, Dutton: SC-13, 1978; Antognetti, Massobrio: "
        "Semiconductor Device Modeling with SPICE, 1988, chapter 4; ngspice manual, chapter 11)",
    .example = "<mosfet id=\"M1\" d=\"out\" g=\"in\" s=\"0\" b=\"0\" type=\"nmos\" L=\"2 um\" W=\"10 um\" VTO=\"0.7 V\" KP=\"60e-6\" GAMMA=\"0.4\" "
               "LAMBDA=\"0.02\" TOX=\"40 nm\" CGSO=\"3e-10\" CGDO=\"3e-10\" RD=\"50 Ohm\" RS=\"50 Ohm\" CBD=\"20 fF\" CBS=\"20 fF\"/>",
    .ports = ports,
    .nports = 4,
    .params = params,
    .nparams = NPARAMS,
    .nvalues = NPARAMS,
    .nwork = NWORK,
    .prepare = prepare,
    LN_DEVICE_MEMBERS(device),
};
