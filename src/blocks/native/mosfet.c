/* SPDX-License-Identifier: MIT */
/* The MOS transistor: descriptor and calls. The channel's mathematics is in mosfet_equations.c,
 * mosfet_level2.c, mosfet_level3.c and mosfet_charges.c, that of the junctions of drain and source
 * with the bulk in junction_equations.c. */
#include "base/report.h"
#include "blocks/native/device.h"
#include "blocks/native/diode_equations.h"
#include "blocks/native/junction_equations.h"
#include "blocks/native/mosfet_branches.h"
#include "blocks/native/mosfet_parameters.h"
#include "blocks/native/native.h"

#include <math.h>
#include <stdio.h>

enum { D = LN_MOS_D, G = LN_MOS_G, S = LN_MOS_S, B = LN_MOS_B, DI = LN_MOS_DI, SI = LN_MOS_SI };
enum {
    AT_D = LN_MOS_AT_D,
    AT_S = LN_MOS_AT_S,
    CHANNEL = LN_MOS_CHANNEL,
    DIODE_D = LN_MOS_DIODE_D,
    DIODE_S = LN_MOS_DIODE_S,
    CHARGE_S = LN_MOS_CHARGE_S,
    CHARGE_D = LN_MOS_CHARGE_D,
    CHARGE_B = LN_MOS_CHARGE_B,
    DEPLETION_D = LN_MOS_DEPLETION_D,
    DEPLETION_S = LN_MOS_DEPLETION_S,
    NBRANCHES = LN_MOS_BRANCHES
};
enum { NWORK = sizeof(ln_mosfet) / sizeof(double) };

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

static void set_channel(const ln_process *process, const double *p, double sign, ln_mosfet *m) {
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
                         double capacitance, ln_bulk_junction *j) {
    const double growth = ln_energy_gap(p[TNOM]) / ln_thermal_voltage(p[TNOM]) -
                          ln_energy_gap(p[TEMP]) / ln_thermal_voltage(p[TEMP]);
    const int by_area = p[JS] > 0 && p[AD] > 0 && p[AS] > 0;
    const double floor = isnan(capacitance) ? p[CJ] * area : capacitance;
    j->saturation = (by_area ? p[JS] * area : p[IS]) * p[MANY] * exp(growth);
    j->floor = ln_depletion_at(
        (ln_depletion){
            .capacitance = floor * p[MANY], .potential = p[PB], .grading = p[MJ], .forward = p[FC]},
        p[TNOM], p[TEMP]);
    j->side = ln_depletion_at(
        (ln_depletion){.capacitance = p[CJSW] * perimeter * p[MANY],
                       .potential = p[PB],
                       .grading = isnan(p[MJSW]) ? p[LEVEL] > 1 ? 0.33 : 0.5 : p[MJSW],
                       .forward = p[FC]},
        p[TNOM], p[TEMP]);
    j->bare = j->floor.capacitance > 0 || j->side.capacitance > 0 ? 0 : bare;
}

static linnet_status prepare(const linnet_block *block, char message[256]) {
    const double *p = block->p;
    ln_mosfet *m = (ln_mosfet *)block->work;
    *m = (ln_mosfet){.vt = ln_thermal_voltage(p[TEMP]), .gmin = p[GMIN]};
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

static void flows(const linnet_block *block, const double *v, ln_flow *flow) {
    ln_mosfet_branches((const ln_mosfet *)block->work, v, flow);
}

static int limit(const linnet_block *block, const double *v_old, double *v) {
    return ln_mosfet_limit((const ln_mosfet *)block->work, v_old, v);
}

/* Half of what ln_junction_limit() lets pass, so that rounding does not matter. */
static double unlimited(const linnet_block *block) {
    /* the junctions by their thermal voltage; gate and drain by half a volt at least */
    return fmin(((const ln_mosfet *)block->work)->vt, 0.25);
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
    const ln_mosfet *m = (const ln_mosfet *)block->work;
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

static const ln_device device = {.carried = "ln_mosfet",
                                 .branches = branches,
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
                                 .unlimited = unlimited,
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
        "u = gs - VTO - GAMMA*(sqrt(PHI - bs) - sqrt(PHI))\n"
        "beta = M*KP*W/(L - 2*LD)\n"
        "i = if(u le 0, 0, if(u le ds, beta*(1 + LAMBDA*ds)*u^2/2, beta*(1 + LAMBDA*ds)*ds*(u - "
        "ds/2)))\n"
        "(level 1: i flows from di to si; voltages against the inner source si, behind RS; inner "
        "drain di behind RD; pmos: all signs reversed; ds < 0: ends exchanged)\n"
        "i = beta*((gs - V_bin - N*v/2)*v - 2/3*G*((PHI + v - bs)^1.5 - (PHI - bs)^1.5))/(1 - "
        "d/L_eff)\n"
        "v = min(ds, V_sat)\n"
        "N = 1 + DELTA*pi*eps/(4*C_ox*W)\n"
        "(level 2: G = GAMMA*(1 - shares of source and drain by XJ); the mobility takes "
        "(UCRIT*eps/(Cox*u))^UEXP; Vsat: where no charge is left, or by VMAX (Baum); d: "
        "LAMBDA*ds*Leff, or by NSUB, with VMAX and NEFF; below Von as in level 3)\n"
        "i = beta*v*(u - (1 + F)*v/2)/((1 + THETA*u)*(1 + v/V_c)*(1 - d/L_eff))\n"
        "F = GAMMA*F_s/(4*sqrt(PHI - bs)) + F_n\n"
        "V_c = VMAX*L_eff*(1 + THETA*u)/mobility\n"
        "V_sat = u/(1 + F) + V_c - sqrt((u/(1 + F))^2 + V_c^2)\n"
        "(level 3: v as in level 2; the threshold with XJ, LD (short), DELTA (narrow) and ETA "
        "(drain); Weff = W - 2*WD + XW, Leff = L - 2*LD + XL; d by KAPPA and NSUB; with NFS below "
        "Von = Vth + n*Vt as exp((gs - Von)/(n*Vt)))\n"
        "w = max(u - (1 + F)*v, 0)\n"
        "q = 2/3*C_ox*(u^2 + u*w + w^2)/(u + w)\n"
        "(q: the charge of the gate against si and di; against di for XQC = 0 Cox*w^2/(u + w), for "
        "0.4 Cox*2/15*(3*w^3 + 6*w^2*u + 4*w*u^2 + 2*u^3)/(u + w)^2, for 0.5 half; against b: "
        "Cox*GAMMA*sqrt(PHI - bs), in level 3 with F; for u <= 0 the charge of depletion or "
        "accumulation; overlaps CGSO*W, CGDO*W, CGBO*L)\n"
        "(b to di and si: junctions of IS (JS), with depletion charges of CBD, CBS or CJ*AD, "
        "CJ*AS, and CJSW*PD, CJSW*PS; without any 1/1000 of the oxide's capacitance)\n"
        "(with TOX and NSUB: what is not given of KP, PHI, GAMMA, VTO follows from U0, NSUB, NSS, "
        "TPG)\n"
        "(Shichman, Hodges: IEEE J. Solid-State Circuits SC-3, 1968; Vladimirescu, Liu: ERL-M80/7, "
        "1980; Ward, Dutton: SC-13, 1978; Antognetti, Massobrio: Semiconductor Device Modeling "
        "with SPICE, 1988, chapter 4; ngspice manual, chapter 11)",
    .example = "<mosfet id=\"M1\" d=\"out\" g=\"in\" s=\"0\" b=\"0\" type=\"nmos\" L=\"2 um\" "
               "W=\"10 um\" VTO=\"0.7 V\" KP=\"60e-6\" GAMMA=\"0.4\" "
               "LAMBDA=\"0.02\" TOX=\"40 nm\" CGSO=\"3e-10\" CGDO=\"3e-10\" RD=\"50 Ohm\" RS=\"50 "
               "Ohm\" CBD=\"20 fF\" CBS=\"20 fF\"/>",
    LN_DEVICE_MEMBERS(device, ln_mosfet_params),
};
