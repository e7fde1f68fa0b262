/* SPDX-License-Identifier: MIT */
/* The junction field-effect transistor: descriptor and calls. The mathematics is in
 * jfet_equations.c. */
#include "blocks/native/device.h"
#include "blocks/native/jfet_equations.h"
#include "blocks/native/native.h"

#include <math.h>
#include <stdio.h>

enum { D = LN_JFET_D, G = LN_JFET_G, S = LN_JFET_S, DI = LN_JFET_DI, SI = LN_JFET_SI };
enum {
    AT_D = LN_JFET_AT_D,
    AT_S = LN_JFET_AT_S,
    CHANNEL = LN_JFET_CHANNEL,
    GATE_D = LN_JFET_GATE_D,
    GATE_S = LN_JFET_GATE_S,
    CHARGE_D = LN_JFET_CHARGE_D,
    CHARGE_S = LN_JFET_CHARGE_S,
    NBRANCHES = LN_JFET_BRANCHES
};
enum {
    TYPE,
    VTO,
    BETA,
    LAMBDA,
    B,
    RD,
    RS,
    CGS,
    CGD,
    PB,
    IS,
    EG,
    XTI,
    FC,
    TCV,
    VTOTC,
    BEX,
    BETATCE,
    AREA,
    GMIN,
    TEMP,
    TNOM,
    VDS0,
    VGS0,
    OFF,
    NPARAMS
};

enum { NWORK = sizeof(ln_jfet) / sizeof(double) };

static const linnet_port ports[] = {
    {"d", LINNET_ELECTRICAL, 0, "drain"},
    {"g", LINNET_ELECTRICAL, 0, "gate"},
    {"s", LINNET_ELECTRICAL, 0, "source"},
    LN_DEVICE_HEAT,
};
#define ABOVE LINNET_OPEN_MIN
static const linnet_param params[] = {
    {"type", NULL, "njf", -INFINITY, INFINITY, LINNET_TEXT | LINNET_STRUCTURAL, "njf or pjf", TYPE,
     1, 1, NULL},
    LN_NUMBER(VTO, "VTO", "V", "-2 V", -INFINITY, INFINITY, 0,
              "threshold; negative for both types"),
    LN_NUMBER(BETA, "BETA", "", "1e-4", 0, INFINITY, ABOVE, "transconductance, A/V^2"),
    LN_NUMBER(LAMBDA, "LAMBDA", "", "0", 0, INFINITY, 0, "channel length modulation, 1/V"),
    LN_NUMBER(B, "B", "", "1", 0, INFINITY, 0, "doping tail; 1: none"),
    LN_NUMBER(RD, "RD", "Ohm", "0", 0, INFINITY, 0, "drain resistance"),
    LN_NUMBER(RS, "RS", "Ohm", "0", 0, INFINITY, 0, "source resistance"),
    LN_NUMBER(CGS, "CGS", "F", "0", 0, INFINITY, 0,
              "gate-source depletion capacitance without bias"),
    LN_NUMBER(CGD, "CGD", "F", "0", 0, INFINITY, 0,
              "gate-drain depletion capacitance without bias"),
    LN_NUMBER(PB, "PB", "V", "1 V", 0, INFINITY, ABOVE, "junction potential"),
    LN_NUMBER(IS, "IS", "A", "1e-14 A", 0, INFINITY, ABOVE,
              "saturation current of the gate's junctions"),
    LN_NUMBER(EG, "EG", "", "1.11", 0, INFINITY, ABOVE, "energy gap, eV"),
    LN_NUMBER(XTI, "XTI", "", "0", -INFINITY, INFINITY, 0,
              "exponent of the saturation current's temperature"),
    LN_NUMBER(FC, "FC", "", "0.5", 0, 1, LINNET_OPEN_MAX,
              "share of PB from which capacitances grow linearly"),
    LN_NUMBER(TCV, "TCV", "", "0", -INFINITY, INFINITY, 0, "what VTO falls by, V/K"),
    LN_NUMBER(VTOTC, "VTOTC", "", NULL, -INFINITY, INFINITY, 0,
              "what VTO rises by, V/K; takes the place of TCV"),
    LN_NUMBER(BEX, "BEX", "", "0", -INFINITY, INFINITY, 0, "exponent of BETA's temperature"),
    LN_NUMBER(BETATCE, "BETATCE", "", NULL, -INFINITY, INFINITY, 0,
              "what BETA grows by, percent/K; takes the place of BEX"),
    LN_NUMBER(AREA, "area", "", "1", 0, INFINITY, ABOVE,
              "area, as a multiple of the transistor that BETA is of"),
    LN_NUMBER(GMIN, "GMIN", "S", "1e-12 S", 0, INFINITY, 0, "conductance across each junction"),
    LN_NUMBER(TEMP, "temp", "K", "27 degC", 0, INFINITY, ABOVE, "temperature"),
    LN_NUMBER(TNOM, "tnom", "K", "27 degC", 0, INFINITY, ABOVE,
              "temperature the parameters were measured at"),
    LN_NUMBER(VDS0, "vds0", "V", NULL, -INFINITY, INFINITY, 0, "drain-source voltage at the start"),
    LN_NUMBER(VGS0, "vgs0", "V", NULL, -INFINITY, INFINITY, 0, "gate-source voltage at the start"),
    LN_OFF(OFF),
};

static const ln_inner inner[] = {
    {{"di", "V", 0, 0, "potential of the inner drain", 0}, D},
    {{"si", "V", 0, 0, "potential of the inner source", 0}, S},
};
static const ln_branch branches[NBRANCHES] = {
    [AT_D] = {D, DI, 0, 1, {{D, DI}}},
    [AT_S] = {S, SI, 0, 1, {{S, SI}}},
    [CHANNEL] = {DI, SI, 0, 2, {{G, SI}, {DI, SI}}},
    [GATE_D] = {G, DI, 0, 1, {{G, DI}}},
    [GATE_S] = {G, SI, 0, 1, {{G, SI}}},
    [CHARGE_D] = {G, DI, 1, 1, {{G, DI}}},
    [CHARGE_S] = {G, SI, 1, 1, {{G, SI}}},
};

static const ln_device_start starts[] = {{VDS0, DI, SI}, {VGS0, G, SI}};

static int exists(const double *const *values, int node) {
    return *values[node == 0 ? RD : RS] > 0;
}

static void set_channel(const double *p, ln_jfet *j) {
    const double warmer = p[TEMP] - p[TNOM];
    const double growth =
        isnan(p[BETATCE]) ? pow(p[TEMP] / p[TNOM], p[BEX]) : pow(1.01, p[BETATCE] * warmer);
    j->threshold = p[VTO] + warmer * (isnan(p[VTOTC]) ? -p[TCV] : p[VTOTC]);
    j->gain = p[BETA] * growth * p[AREA];
    j->modulation = p[LAMBDA];
    j->even = p[B];
    j->tail = (1 - p[B]) / (p[PB] - p[VTO]);
}

static linnet_status prepare(const linnet_block *block, char message[256]) {
    const double *p = block->p, area = p[AREA];
    ln_jfet *j = (ln_jfet *)block->work;
    *j = (ln_jfet){.vt = ln_thermal_voltage(p[TEMP]), .gmin = p[GMIN]};
    if (!(p[VTO] < p[PB])) {
        snprintf(message, 256, "VTO = %g V must lie below PB = %g V", p[VTO], p[PB]);
        return LINNET_MODEL;
    }
    set_channel(p, j);
    j->drain = p[RD] > 0 ? area / p[RD] : 0;
    j->source = p[RS] > 0 ? area / p[RS] : 0;
    j->saturation = p[IS] * area * exp(ln_saturation_growth(p[EG], p[XTI], p[TNOM], p[TEMP]));
    j->at_drain = ln_depletion_at(
        (ln_depletion){
            .capacitance = p[CGD] * area, .potential = p[PB], .grading = 0.5, .forward = p[FC]},
        p[TNOM], p[TEMP]);
    j->at_source = ln_depletion_at(
        (ln_depletion){
            .capacitance = p[CGS] * area, .potential = p[PB], .grading = 0.5, .forward = p[FC]},
        p[TNOM], p[TEMP]);
    if (!(j->at_drain.potential > 0)) {
        snprintf(message, 256,
                 "the junctions have no potential left at temp = %g K; mind temp, tnom and PB",
                 p[TEMP]);
        return LINNET_MODEL;
    }
    return ln_device_check(block, (const char *const[]){"RD", "RS"}, message);
}

static void flows(const linnet_block *block, const double *v, ln_flow *flow) {
    ln_jfet_branches((const ln_jfet *)block->work, v, flow);
}

static int limit(const linnet_block *block, const double *v_old, double *v) {
    return ln_jfet_limit((const ln_jfet *)block->work, v_old, v);
}

/* Half of what ln_junction_limit() lets pass, so that rounding does not matter. */
static double unlimited(const linnet_block *block) {
    return ((const ln_jfet *)block->work)->vt;
}

static const char *const conditions[] = {"vgs", "vds", "id", "gm", "gds", "region"};
static const char *const docs[] = {"voltage from gate to source", "voltage from drain to source",
                                   "current into the drain",      "transconductance",
                                   "output conductance",          "region it works in"};
static const char *const units[] = {"V", "V", "A", "S", "S", "off|linear|saturated"};
static double condition(const linnet_block *block, const double *v, const ln_flow *flow,
                        int index) {
    const ln_jfet *j = (const ln_jfet *)block->work;
    const double gs = v[G] - v[SI], ds = v[DI] - v[SI], *slope = flow[CHANNEL].slope;
    const double over = (ds < 0 ? gs - ds : gs) - j->threshold;
    const double values[] = {gs,       ds,       flow[CHANNEL].value,
                             slope[0], slope[1], over <= 0 ? 0 : fabs(ds) < over ? 1 : 2};
    return values[index];
}

static const ln_device device = {.carried = "ln_jfet",
                                 .branches = branches,
                                 .nbranches = NBRANCHES,
                                 .off = OFF,
                                 .inner = inner,
                                 .ninner = 2,
                                 .type = TYPE,
                                 .starts = starts,
                                 .nstarts = 2,
                                 .polarity = {"njf", "pjf"},
                                 .exists = exists,
                                 .flows = flows,
                                 .limit = limit,
                                 .unlimited = unlimited,
                                 .condition = condition,
                                 .temperature = TEMP,
                                 .nsigned = 3};
LN_DEVICE_CALLS(device)

const linnet_block_class ln_jfet_class = {
    .abi = LINNET_ABI,
    .name = "jfet",
    .doc = "Junction field-effect transistor, SPICE's level 1",
    .formula =
        "u = gs - VTO\n"
        "v = min(u, ds)\n"
        "i = if(u le 0, 0, area*BETA*(1 + LAMBDA*ds)*(B*v*(2*u - v) + (1 - B)/(PB - VTO)*(v^3 + "
        "3*u*v*(u - v))))\n"
        "(i flows from di to si; voltages against the inner source si, behind RS; inner drain di "
        "behind RD; pjf: all signs reversed; ds < 0: ends exchanged)\n"
        "(g to di and si: junctions of IS, with depletion charges of CGD and CGS, grading 1/2)\n"
        "(Shichman, Hodges: IEEE J. Solid-State Circuits SC-3, 1968; B: Parker, Skellern, Sydney "
        "University, 1990; Antognetti, Massobrio: Semiconductor Device Modeling with SPICE, 1988, "
        "chapter 3; ngspice manual, chapter 9)",
    .example = "<jfet id=\"J1\" d=\"out\" g=\"in\" s=\"0\" type=\"njf\" VTO=\"-2 V\" BETA=\"1e-3\" "
               "LAMBDA=\"0.01\" RD=\"10 Ohm\" RS=\"10 Ohm\" "
               "CGS=\"4 pF\" CGD=\"2 pF\"/>",
    LN_DEVICE_MEMBERS(device, params),
};
