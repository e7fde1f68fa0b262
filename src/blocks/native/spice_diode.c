/* SPDX-License-Identifier: MIT */
/* The junction diode with SPICE's parameters: descriptor and calls. The mathematics is in junction_equations.c. */
#include "blocks/native/device.h"
#include "blocks/native/diode_equations.h"
#include "blocks/native/junction_equations.h"
#include "blocks/native/native.h"

#include <math.h>
#include <stdio.h>

enum { P, N, A };                                 /* nodes: the ports, and the anode behind RS                        */
enum { RESISTANCE, CURRENT, CHARGE, NBRANCHES };
enum { IS, RS, EMISSION, TT, CJO, VJ, M, FC, BV, IBV, NBV, EG, XTI, AREA, GMIN, TEMP, TNOM, NPARAMS };

/* Derived: the diode at its temperature, for its area. */
typedef struct diode {
    double saturation, scale, conductance, transit, gmin;
    double breakdown, reverse_scale, reverse_saturation; /* breakdown: where it begins; INFINITY: never               */
    ln_depletion layer;
} diode;
enum { NWORK = sizeof(diode) / sizeof(double) };

static const linnet_port ports[] = {
    {"p", LINNET_ELECTRICAL, 0, "anode"},
    {"n", LINNET_ELECTRICAL, 0, "cathode"},
};
static const linnet_param params[] = {
    LN_NUMBER(IS, "IS", "A", "1e-14 A", 0, INFINITY, LINNET_OPEN_MIN, "saturation current"),
    LN_NUMBER(RS, "RS", "Ohm", "0", 0, INFINITY, 0, "series resistance"),
    LN_NUMBER(EMISSION, "N", "", "1", 0, INFINITY, LINNET_OPEN_MIN, "emission coefficient"),
    LN_NUMBER(TT, "TT", "s", "0", 0, INFINITY, 0, "transit time"),
    LN_NUMBER(CJO, "CJO", "F", "0", 0, INFINITY, 0, "depletion capacitance without bias"),
    LN_NUMBER(VJ, "VJ", "V", "1 V", 0, INFINITY, LINNET_OPEN_MIN, "junction potential"),
    LN_NUMBER(M, "M", "", "0.5", 0, 1, LINNET_OPEN_MAX, "grading coefficient"),
    LN_NUMBER(FC, "FC", "", "0.5", 0, 1, LINNET_OPEN_MAX, "share of VJ from which the capacitance grows linearly"),
    LN_NUMBER(BV, "BV", "V", "0", 0, INFINITY, 0, "breakdown voltage; 0: none"),
    LN_NUMBER(IBV, "IBV", "A", "1 mA", 0, INFINITY, LINNET_OPEN_MIN, "current at the breakdown voltage"),
    LN_NUMBER(NBV, "NBV", "", "N", 0, INFINITY, LINNET_OPEN_MIN, "emission coefficient of the breakdown"),
    LN_NUMBER(EG, "EG", "", "1.11", 0, INFINITY, LINNET_OPEN_MIN, "energy gap, eV"),
    LN_NUMBER(XTI, "XTI", "", "3", -INFINITY, INFINITY, 0, "exponent of the saturation current's temperature"),
    LN_NUMBER(AREA, "area", "", "1", 0, INFINITY, LINNET_OPEN_MIN, "area, as a multiple of the diode that IS is of"),
    LN_NUMBER(GMIN, "GMIN", "S", "1e-12 S", 0, INFINITY, 0, "conductance across the junction"),
    LN_NUMBER(TEMP, "temp", "K", "27 degC", 0, INFINITY, LINNET_OPEN_MIN, "temperature"),
    LN_NUMBER(TNOM, "tnom", "K", "27 degC", 0, INFINITY, LINNET_OPEN_MIN, "temperature the parameters were measured at"),
};

static const ln_inner inner[] = {{{"a", "V", 0, 0, "potential of the anode behind RS", 0}, P}};
static const ln_branch branches[NBRANCHES] = {
    [RESISTANCE] = {P, A, 0, 1, {{P, A}}},
    [CURRENT] = {A, N, 0, 1, {{A, N}}},
    [CHARGE] = {A, N, 1, 1, {{A, N}}},
};

static int exists(const double *const *values, int node) {
    (void)node;
    return *values[RS] > 0;
}

static linnet_status prepare(const linnet_block *block, char message[256]) {
    const double *p = block->p, vt = ln_thermal_voltage(p[TEMP]);
    diode *d = (diode *)block->work;
    *d = (diode){.scale = p[EMISSION] * vt, .transit = p[TT], .gmin = p[GMIN], .reverse_scale = p[NBV] * vt};
    d->saturation = p[IS] * p[AREA] * exp(ln_saturation_growth(p[EG], p[XTI], p[TNOM], p[TEMP]) / p[EMISSION]);
    d->conductance = p[RS] > 0 ? p[AREA] / p[RS] : 0;
    d->layer = ln_depletion_at((ln_depletion){p[CJO] * p[AREA], p[VJ], p[M], p[FC]}, p[TNOM], p[TEMP]);
    d->breakdown = INFINITY;
    if (p[BV] > 0) d->breakdown = ln_spice_breakdown(d->saturation, p[IBV] * p[AREA], p[BV], d->reverse_scale);
    d->reverse_saturation = d->saturation;
    if (!(d->layer.potential > 0) || !(d->breakdown > 0)) {
        snprintf(message, 256, "the junction has no %s at temp = %g K; mind temp, tnom%s",
                 d->breakdown > 0 ? "potential VJ" : "breakdown", p[TEMP], d->breakdown > 0 ? " and VJ" : ", BV and IBV");
        return LINNET_MODEL;
    }
    return ln_device_check(block, (const char *const[]){"RS"}, message);
}

/* Without GMIN. In breakdown -IS e^(-(v + BV)/(NBV Vt)) takes the place of the reverse current. */
static double junction_current(const diode *d, double v, double *slope) {
    double current = ln_spice_junction(v, d->saturation, d->scale, slope);
    if (!(v < -d->breakdown)) return current;
    double edge, steep;
    edge = ln_spice_junction(-d->breakdown, d->saturation, d->scale, &steep);
    current = ln_breakdown_edge(v + d->breakdown, -edge, d->reverse_scale, slope);
    return current;
}

static void flows(const linnet_block *block, const double *v, ln_flow *flow) {
    const diode *d = (const diode *)block->work;
    const double across = v[A] - v[N];
    double g, c;
    flow[RESISTANCE] = (ln_flow){d->conductance * (v[P] - v[A]), {d->conductance}};
    const double i = junction_current(d, across, &g), q = ln_depletion_charge(across, &d->layer, &c);
    flow[CURRENT] = (ln_flow){i + d->gmin * across, {g + d->gmin}};
    flow[CHARGE] = (ln_flow){d->transit * i + q, {d->transit * g + c}};
}

static int limit(const linnet_block *block, const double *v_old, double *v) {
    const diode *d = (const diode *)block->work;
    const double old = v_old[A] - v_old[N], wanted = v[A] - v[N];
    double to = wanted > old ? ln_junction_limit(old, wanted, d->scale) : wanted;
    if (wanted < old && isfinite(d->breakdown)) {
        const double back = ln_junction_limit(-(old + d->breakdown), -(wanted + d->breakdown), d->reverse_scale);
        if (back < -(wanted + d->breakdown)) to = -back - d->breakdown;
    }
    if (!(to < wanted || to > wanted)) return 0;
    v[A] = v[N] + to;
    return 1;
}

static const ln_device device = {.branches = branches, .nbranches = NBRANCHES, .inner = inner, .ninner = 1, .type = -1,
                                 .exists = exists, .flows = flows, .limit = limit};
LN_DEVICE_CALLS(device)

const linnet_block_class ln_spice_diode_class = {
    .abi = LINNET_ABI,
    .name = "spice-diode",
    .doc = "Junction diode, SPICE's model: breakdown, charges, series resistance, temperature",
    .formula = "v = v(a) - v(n), a behind RS/area\n"
               "i = IS*area*(exp(v/(N*Vt)) - 1) + GMIN*v, below -3*N*Vt: -IS*area*(1 + (3*N*Vt/(e*v))^3) + GMIN*v\n"
               "beyond breakdown: -IS*area*exp(-(v + BV')/(NBV*Vt)), where BV' gives IBV at BV\n"
               "q = TT*i + CJO*area*integral of (1 - v/VJ)^-M, from FC*VJ on along the tangent\n"
               "p.i = i + der(q), n.i = -p.i; IS, VJ, CJO at temp by EG, XTI\n"
               "(Antognetti, Massobrio: Semiconductor Device Modeling with SPICE, 1988, chapter 1; ngspice manual, chapter 7)",
    .example = "<spice-diode id=\"D1\" p=\"in\" n=\"out\" IS=\"2.5 nA\" RS=\"0.6 Ohm\" N=\"1.75\" TT=\"4 ns\" CJO=\"4 pF\" BV=\"100 V\"/>",
    .ports = ports,
    .nports = 2,
    .params = params,
    .nparams = NPARAMS,
    .nvalues = NPARAMS,
    .nwork = NWORK,
    .prepare = prepare,
    LN_DEVICE_MEMBERS(device),
};
