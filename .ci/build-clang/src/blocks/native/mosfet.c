/* SPDX-License-Identifier: MIT */
/* The MOS transistor: descriptor and calls. The channel's mathematics is in mosfet_equations.c,
 * mosfet_level2.c, mosfet_level3.c and mosfet_charges.c, that of the junctions of drain and source
 * with the bulk in junction_equations.c. */
#include "base/report.h"
#include "blocks/native/device.h"
#include "blocks/native/diode_equations.h"
#include "blocks/native/junction_equations.h"
#include "blocks/native/mosfet_equations.h"
#include "blocks/native/mosfet_parameters.h"
#include "blocks/native/native.h"

#include <math.h>
#include <stdio.h>

enum { D, G, S, B, DI, SI }; /* nodes: the ports, and those behind RD and RS */
enum {
    AT_D,
    AT_S,
    CHANNEL,
    DIODE_D,
    DIODE_S,
    CHARGE_S,
    CHARGE_D,
    CHARGE_B,
    DEPLETION_D,
    DEPLETION_S,
    NBRANCHES
};
/* A junction of the bulk: its current, the layers of its floor and its side, and what it stores
 * without these, F. */
typedef struct bulk_junction {
    double saturation;
    ln_depletion floor, side;
    double bare;
} bulk_junction;
typedef struct mosfet {
    ln_channel channel;
    double drain, source;                      /* conductances */
    double over_source, over_drain, over_bulk; /* capacitances where the gate overlaps */
    double vt, gmin;
    bulk_junction at_drain, at_source;
} mosfet;
enum { NWORK = sizeof(mosfet) / sizeof(double) };

static const linnet_port ports[] = {
    {"d", LINNET_ELECTRICAL, 0, "drain"},
    {"g", LINNET_ELECTRICAL, 0, "gate"},
    {"s", LINNET_ELECTRICAL, 0, "source"},
    {"b", LINNET_ELECTRICAL, 0, "bulk"},
    LN_DEVICE_HEAT,
};
static const ln_inner inner[] = {
    {{"di", "V", 0, 0, "potential of the inner drain", 0}, D},
    {{"si", "V", 0, 0, "potential of the inner source", 0}, S},
};
#define CHANNEL_CONTROLS     \
    {                        \
        {G, SI}, {DI, SI}, { \
            B, SI            \
        }                    \
    }
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

static const ln_device_start starts[] = {{VDS0, DI, SI}, {VGS0, G, SI}, {VBS0, B, SI}};

static double resistance(double own, double sheet, double squares) {
    return isnan(own) ? sheet * squares : own;
}

static int exists(const double *const *values, int node) {
    return node == 0 ? resistance(*values[RD], *values[RSH], *values[NRD]) > 0
                     : resistance(*values[RS], *values[RSH], *values[NRS]) > 0;
}

static double per(double value) {
    return value > 0 ? 1 / value : 0;
}

static void set_channel(const ln_process *process, const double *p, double sign, mosfet *m) {
    const double ratio = p[TEMP] / p[TNOM], cooler = 1 / (ratio * sqrt(ratio)),
                 cox = process->oxide;
    const double length = ln_mosfet_length(p), width = ln_mosfet_width(p);
    const double potential = ln_potential_at(process->potential, p[TNOM], p[TEMP]);
    const double gap = 0.5 * (ln_energy_gap(p[TNOM]) - ln_energy_gap(p[TEMP]));
    m->channel = (ln_channel){.gain = process->gain * cooler * p[MANY] * width / length,
                              .built_in = sign * (process->threshold + p[DELVTO] + gap) -
                                          process->body * sqrt(process->potential) +
                                          0.5 * (potential - process->potential),
                              .body = process->body,
                              .potential = potential,
                              .modulation = p[LAMBDA],
                              .oxide = cox * width * length * p[MANY],
                              .level = p[LEVEL]};
    ln_channel_partition(p[XQC], m->channel.at_drain);
    m->over_source = p[CGSO] * width * p[MANY];
    m->over_drain = p[CGDO] * width * p[MANY];
    m->over_bulk = p[CGBO] * length * p[MANY];
    if (!(p[LEVEL] > 1))
        return;
    const double narrow = p[DELTA] * 0.5 * LN_PI * LN_SILICON / (cox * width);
    const double depth = process->depletion * sqrt(ln_potential_at(p[PB], p[TNOM], p[TEMP]));
    m->channel.extra = (ln_short_channel){
        .feedback = p[ETA] * 8.15e-22 / (cox * length * length * length),
        .roughness = p[THETA],
        .saturation = length * p[VMAX] / (process->mobility * (p[LEVEL] > 2 ? cooler : 1)),
        /* so in SPICE */ .stretch = p[KAPPA],
        .depletion = process->depletion,
        .depth = p[XJ],
        .reach = p[LD],
        .length = length,
        .narrow = p[LEVEL] > 2 ? narrow : 0.5 * narrow,
        .states = LN_CHARGE * 1e4 * p[NFS] / cox,
        .vt = ln_thermal_voltage(p[TEMP]),
        .critical = 100 * p[UCRIT] * LN_SILICON / cox,
        .exponent = p[UEXP],
        .shallow = 1 / sqrt(p[NEFF]),
        .punched = depth > 0 ? depth : 0.25e-6};
}

/* Without any capacitance a node between two channels that are off would be held by GMIN alone, and
 * its potential would jump where the charge of a channel vanishes: no step is short enough for
 * that, and ngspice gives up. So a junction for which none is given has this share of the gate's
 * oxide; without an oxide that of 100 nm over a square of 1 um for each W/L, so that it is as fast
 * as the channel. */
static double bare_capacitance(const double *p, double oxide) {
    const double length = ln_mosfet_length(p), width = ln_mosfet_width(p), share = 1e-3 * p[MANY];
    return oxide > 0 ? share * oxide * length * width
                     : share * LN_OXIDE / 1e-7 * 1e-12 * width / length;
}

static void set_junction(const double *p, double bare, double area, double perimeter,
                         double capacitance, bulk_junction *j) {
    const double growth = ln_energy_gap(p[TNOM]) / ln_thermal_voltage(p[TNOM]) -
                          ln_energy_gap(p[TEMP]) / ln_thermal_voltage(p[TEMP]);
    const int by_area = p[JS] > 0 && p[AD] > 0 && p[AS] > 0;
    const double floor = isnan(capacitance) ? p[CJ] * area : capacitance;
    j->saturation = (by_area ? p[JS] * area : p[IS]) * p[MANY] * exp(growth);
    j->floor =
        ln_depletion_at((ln_depletion){floor * p[MANY], p[PB], p[MJ], p[FC]}, p[TNOM], p[TEMP]);
    j->side =
        ln_depletion_at((ln_depletion){p[CJSW] * perimeter * p[MANY], p[PB],
                                       isnan(p[MJSW]) ? p[LEVEL] > 1 ? 0.33 : 0.5 : p[MJSW], p[FC]},
                        p[TNOM], p[TEMP]);
    j->bare = j->floor.capacitance > 0 || j->side.capacitance > 0 ? 0 : bare;
}

static linnet_status prepare(const linnet_block *block, char message[256]) {
    const double *p = block->p;
    mosfet *m = (mosfet *)block->work;
    *m = (mosfet){.vt = ln_thermal_voltage(p[TEMP]), .gmin = p[GMIN]};
    ln_process process;
    LN_TRY(ln_mosfet_process(p, ln_device_sign(block), &process, message));
    m->drain = per(resistance(p[RD], p[RSH], p[NRD])) * p[MANY];
    m->source = per(resistance(p[RS], p[RSH], p[NRS])) * p[MANY];
    set_channel(&process, p, ln_device_sign(block), m);
    const double bare = bare_capacitance(p, process.oxide);
    set_junction(p, bare, p[AD], p[PD], p[CBD], &m->at_drain);
    set_junction(p, bare, p[AS], p[PS], p[CBS], &m->at_source);
    if (!(m->channel.potential > 0 && m->at_drain.floor.potential > 0)) {
        snprintf(message, 256,
                 "there is no surface or junction potential left at temp = %g K; mind temp, tnom, "
                 "PHI and PB",
                 p[TEMP]);
        return LINNET_MODEL;
    }
    return ln_device_check(
        block, (const char *const[]){"the drain's resistance", "the source's resistance"}, message);
}

static ln_flow of_channel(const ln_dual *f) {
    return (ln_flow){f->value, {f->gs, f->ds, f->bs}};
}

static void junction(const mosfet *m, const bulk_junction *j, double v, ln_flow *current,
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

static void flows(const linnet_block *block, const double *v, ln_flow *flow) {
    const mosfet *m = (const mosfet *)block->work;
    ln_channel_flows channel;
    ln_channel_evaluate(&m->channel, v[G] - v[SI], v[DI] - v[SI], v[B] - v[SI], &channel);
    flow[AT_D] = (ln_flow){(v[D] - v[DI]) * m->drain, {m->drain}};
    flow[AT_S] = (ln_flow){(v[S] - v[SI]) * m->source, {m->source}};
    flow[CHANNEL] = of_channel(&channel.current);
    flow[CHARGE_S] = of_channel(&channel.to_source);
    flow[CHARGE_D] = of_channel(&channel.to_drain);
    flow[CHARGE_B] = of_channel(&channel.to_bulk);
    overlap(m->over_source, v[G] - v[SI], 0, 0, &flow[CHARGE_S]);
    overlap(m->over_drain, v[G] - v[DI], -1, 0, &flow[CHARGE_D]);
    overlap(m->over_bulk, v[G] - v[B], 0, -1, &flow[CHARGE_B]);
    junction(m, &m->at_drain, v[B] - v[DI], &flow[DIODE_D], &flow[DEPLETION_D]);
    junction(m, &m->at_source, v[B] - v[SI], &flow[DIODE_S], &flow[DEPLETION_S]);
}

/* Gate and drain against the end of the channel that was the lower one; the bulk so that neither
 * junction goes too far. */
static int limit(const linnet_block *block, const double *v_old, double *v) {
    const mosfet *m = (const mosfet *)block->work;
    const int low = v_old[DI] < v_old[SI] ? DI : SI, high = low == DI ? SI : DI;
    const double gate = v[G] - v[low], drain = v[high] - v[low];
    const double threshold = ln_channel_threshold(&m->channel, v_old[B] - v_old[low]);
    const double to_gate = ln_enable_limit(v_old[G] - v_old[low], gate, threshold);
    const double to_drain = ln_drain_limit(v_old[high] - v_old[low], drain);
    int moved = 0;
    if (to_gate < gate || to_gate > gate)
        v[G] = v[low] + to_gate, moved = 1;
    if (to_drain < drain || to_drain > drain)
        v[high] = v[low] + to_drain, moved = 1;
    const double bs = v[B] - v[SI], to_bs = ln_junction_limit(v_old[B] - v_old[SI], bs, m->vt);
    if (to_bs < bs)
        v[B] = v[SI] + to_bs, moved = 1;
    const double bd = v[B] - v[DI], to_bd = ln_junction_limit(v_old[B] - v_old[DI], bd, m->vt);
    if (to_bd < bd)
        v[B] = v[DI] + to_bd, moved = 1;
    return moved;
}

/* vth is that of a long, wide channel. */
static const char *const conditions[] = {"vgs", "vds", "vbs",  "vth",   "id",
                                         "gm",  "gds", "gmbs", "region"};
static const char *const docs[] = {
    "voltage from gate to source", "voltage from drain to source", "voltage from bulk to source",
    "threshold voltage",           "current into the drain",       "transconductance",
    "output conductance",          "transconductance of the bulk", "region it works in"};
static const char *const units[] = {"V", "V", "V", "V", "A", "S", "S", "S", "off|linear|saturated"};
static double condition(const linnet_block *block, const double *v, const ln_flow *flow,
                        int index) {
    const mosfet *m = (const mosfet *)block->work;
    const double gs = v[G] - v[SI], ds = v[DI] - v[SI], bs = v[B] - v[SI],
                 *slope = flow[CHANNEL].slope;
    const double threshold = ln_channel_threshold(&m->channel, ds < 0 ? bs - ds : bs),
                 over = (ds < 0 ? gs - ds : gs) - threshold;
    const double values[] = {gs,
                             ds,
                             bs,
                             threshold,
                             flow[CHANNEL].value,
                             slope[0],
                             slope[1],
                             slope[2],
                             over <= 0         ? 0
                             : fabs(ds) < over ? 1
                                               : 2};
    return values[index];
}

static const ln_device device = {.branches = branches,
                                 .nbranches = NBRANCHES,
                                 .off = OFF,
                                 .inner = inner,
                                 .ninner = 2,
                                 .type = TYPE,
                                 .starts = starts,
                                 .nstarts = 3,
                                 .polarity = {"nmos", "pmos"},
                                 .exists = exists,
                                 .flows = flows,
                                 .limit = limit,
                                 .condition = condition,
                                 .temperature = TEMP,
                                 .nsigned = 5};
LN_DEVICE_CALLS(device)

const linnet_block_class ln_mosfet_class = {
    .abi = LINNET_ABI,
    .name = "mosfet",
    .doc = "MOS transistor, SPICE's levels 1 (Shichman and Hodges), 2 (Grove and Frohman) and 3, "
           "with charges after Ward and Dutton",
    .formula =
        "voltages against the inner source si, behind RS; inner drain di behind RD; pmos: all "
        "signs reversed; ds < 0: ends exchanged\n"
        "level 1: u = gs - VTO - GAMMA*(sqrt(PHI - bs) - sqrt(PHI)); beta = M*KP*W/(L - 2*LD)\n"
        "di to si: 0 for u <= 0, beta*(1 + LAMBDA*ds)*u^2/2 for u <= ds, else beta*(1 + "
        "LAMBDA*ds)*ds*(u - ds/2)\n"
        "level 2: N = 1 + DELTA*pi*eps/(4*Cox*W); G = GAMMA*(1 - shares of source and drain by "
        "XJ); mobility*(UCRIT*eps/(Cox*u))^UEXP\n"
        "di to si: beta*((gs - Vbin - N*v/2)*v - 2/3*G*((PHI + v - bs)^1.5 - (PHI - bs)^1.5))/(1 - "
        "d/Leff), v = min(ds, Vsat)\n"
        "Vsat: where no charge is left, or by VMAX (Baum); d: LAMBDA*ds*Leff, or by NSUB, with "
        "VMAX and NEFF; below Von as in level 3\n"
        "level 3: the threshold with XJ, LD (short), DELTA (narrow) and ETA (drain); Weff = W - "
        "2*WD + XW, Leff = L - 2*LD + XL\n"
        "di to si: beta/(1 + THETA*u)*v*(u - (1 + F)*v/2)/(1 + v/Vc)/(1 - d/Leff), F = "
        "GAMMA*Fs/(4*sqrt(PHI - bs)) + Fn, "
        "v = min(ds, Vsat), Vc = VMAX*Leff*(1 + THETA*u)/mobility\n"
        "Vsat = u/(1 + F) + Vc - sqrt((u/(1 + F))^2 + Vc^2), d by KAPPA and NSUB; with NFS below "
        "Von = Vth + n*Vt as exp((gs - Von)/(n*Vt))\n"
        "gate charge against si and di: Cox*2/3*(u^2 + u*w + w^2)/(u + w), w = max(u - (1 + F)*v, "
        "0); against di for XQC = 0 "
        "Cox*w^2/(u + w), for 0.4 Cox*2/15*(3*w^3 + 6*w^2*u + 4*w*u^2 + 2*u^3)/(u + w)^2, for 0.5 "
        "half\n"
        "against b: Cox*GAMMA*sqrt(PHI - bs), in level 3 with F; for u <= 0 the charge of "
        "depletion or accumulation; overlaps CGSO*W, CGDO*W, CGBO*L\n"
        "b to di and si: junctions of IS (JS), with depletion charges of CBD, CBS or CJ*AD, CJ*AS, "
        "and CJSW*PD, CJSW*PS; without any 1/1000 of the oxide's capacitance\n"
        "with TOX and NSUB: what is not given of KP, PHI, GAMMA, VTO follows from U0, NSUB, NSS, "
        "TPG\n"
        "(Shichman, Hodges: IEEE J. Solid-State Circuits SC-3, 1968; Vladimirescu, Liu: ERL-M80/7, "
        "1980; Ward, Dutton: SC-13, 1978; "
        "Antognetti, Massobrio: Semiconductor Device Modeling with SPICE, 1988, chapter 4; ngspice "
        "manual, chapter 11)",
    .example = "<mosfet id=\"M1\" d=\"out\" g=\"in\" s=\"0\" b=\"0\" type=\"nmos\" L=\"2 um\" "
               "W=\"10 um\" VTO=\"0.7 V\" KP=\"60e-6\" GAMMA=\"0.4\" "
               "LAMBDA=\"0.02\" TOX=\"40 nm\" CGSO=\"3e-10\" CGDO=\"3e-10\" RD=\"50 Ohm\" RS=\"50 "
               "Ohm\" CBD=\"20 fF\" CBS=\"20 fF\"/>",
    LN_DEVICE_MEMBERS(device, ln_mosfet_params),
};
