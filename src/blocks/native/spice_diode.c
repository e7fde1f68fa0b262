/* SPDX-License-Identifier: MIT */
/* The junction diode with SPICE's parameters: descriptor and calls. The mathematics is in
 * spice_diode_equations.c. */
/* By -O3 only loops over lanes become vectors. The pragma would else lose the command line's
 * contraction. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=off")
#endif

#include "base/pairs.h"
#include "blocks/native/device.h"
#include "blocks/native/diode_equations.h"
#include "blocks/native/junction_lanes.h"
#include "blocks/native/native.h"
#include "blocks/native/spice_diode_equations.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

enum { P = LN_DIODE_P, N = LN_DIODE_N, A = LN_DIODE_A };
enum {
    RESISTANCE = LN_DIODE_RESISTANCE,
    CURRENT = LN_DIODE_CURRENT,
    CHARGE = LN_DIODE_CHARGE,
    NBRANCHES = LN_DIODE_BRANCHES
};
enum {
    IS,
    RS,
    EMISSION,
    TT,
    CJO,
    VJ,
    M,
    FC,
    BV,
    IBV,
    NBV,
    IKF,
    IKR,
    ISR,
    NR,
    JSW,
    NS,
    CJSW,
    PHP,
    MJSW,
    FCS,
    PJ,
    EG,
    XTI,
    TRS1,
    TRS2,
    TTT1,
    TTT2,
    TM1,
    TM2,
    TCV,
    TLEV,
    TLEVC,
    CTA,
    CTP,
    TPB,
    TPHP,
    JTUN,
    JTUNSW,
    NTUN,
    XTITUN,
    KEG,
    AREA,
    PARALLEL,
    GMIN,
    TEMP,
    TNOM,
    V0,
    OFF,
    NPARAMS
};
enum { NWORK = sizeof(ln_spice_diode) / sizeof(double) };

static const linnet_port ports[] = {
    {"p", LINNET_ELECTRICAL, 0, "anode"},
    {"n", LINNET_ELECTRICAL, 0, "cathode"},
    LN_DEVICE_HEAT,
};
static const linnet_param params[] = {
    LN_NUMBER(IS, "IS", "A", "1e-14 A", 0, INFINITY, LINNET_OPEN_MIN, "saturation current"),
    LN_NUMBER(RS, "RS", "Ohm", "0", 0, INFINITY, 0, "series resistance"),
    LN_NUMBER(EMISSION, "N", "", "1", 0, INFINITY, LINNET_OPEN_MIN, "emission coefficient"),
    LN_NUMBER(TT, "TT", "s", "0", 0, INFINITY, 0, "transit time"),
    LN_NUMBER(CJO, "CJO", "F", "0", 0, INFINITY, 0, "depletion capacitance without bias"),
    LN_NUMBER(VJ, "VJ", "V", "1 V", 0, INFINITY, LINNET_OPEN_MIN, "junction potential"),
    LN_NUMBER(M, "M", "", "0.5", 0, 1, LINNET_OPEN_MAX, "grading coefficient"),
    LN_NUMBER(FC, "FC", "", "0.5", 0, 1, LINNET_OPEN_MAX,
              "share of VJ from which the capacitance grows linearly"),
    LN_NUMBER(BV, "BV", "V", "0", 0, INFINITY, 0, "breakdown voltage; 0: none"),
    LN_NUMBER(IBV, "IBV", "A", "1 mA", 0, INFINITY, LINNET_OPEN_MIN,
              "current at the breakdown voltage, whatever the area"),
    LN_NUMBER(NBV, "NBV", "", "N", 0, INFINITY, LINNET_OPEN_MIN,
              "emission coefficient of the breakdown"),
    LN_NUMBER(IKF, "IKF", "A", "0", 0, INFINITY, 0,
              "forward current from which high injection takes its part; 0: none"),
    LN_NUMBER(IKR, "IKR", "A", "0", 0, INFINITY, 0, "the same in reverse"),
    LN_NUMBER(ISR, "ISR", "A", "0", 0, INFINITY, 0, "recombination saturation current"),
    LN_NUMBER(NR, "NR", "", "1", 0, INFINITY, LINNET_OPEN_MIN, "its emission coefficient"),
    LN_NUMBER(JSW, "JSW", "A", "0", 0, INFINITY, 0, "saturation current of the side, per PJ"),
    LN_NUMBER(NS, "NS", "", "N", 0, INFINITY, LINNET_OPEN_MIN, "its emission coefficient"),
    LN_NUMBER(CJSW, "CJSW", "F", "0", 0, INFINITY, 0,
              "depletion capacitance of the side without bias, per PJ"),
    LN_NUMBER(PHP, "PHP", "V", "1 V", 0, INFINITY, LINNET_OPEN_MIN,
              "junction potential of the side"),
    LN_NUMBER(MJSW, "MJSW", "", "0.33", 0, 1, LINNET_OPEN_MAX, "grading coefficient of the side"),
    LN_NUMBER(FCS, "FCS", "", "0.5", 0, 1, LINNET_OPEN_MAX,
              "share of PHP from which its capacitance grows linearly"),
    LN_NUMBER(PJ, "PJ", "", "0", 0, INFINITY, 0, "perimeter"),
    LN_NUMBER(EG, "EG", "", "1.11", 0, INFINITY, LINNET_OPEN_MIN, "energy gap, eV"),
    LN_NUMBER(XTI, "XTI", "", "3", -INFINITY, INFINITY, 0,
              "exponent of the saturation current's temperature"),
    LN_NUMBER(TRS1, "TRS1", "", "0", -INFINITY, INFINITY, 0,
              "first temperature coefficient of RS, 1/K"),
    LN_NUMBER(TRS2, "TRS2", "", "0", -INFINITY, INFINITY, 0, "second, 1/K^2"),
    LN_NUMBER(TTT1, "TTT1", "", "0", -INFINITY, INFINITY, 0,
              "first temperature coefficient of TT, 1/K"),
    LN_NUMBER(TTT2, "TTT2", "", "0", -INFINITY, INFINITY, 0, "second, 1/K^2"),
    LN_NUMBER(TM1, "TM1", "", "0", -INFINITY, INFINITY, 0,
              "first temperature coefficient of M, 1/K"),
    LN_NUMBER(TM2, "TM2", "", "0", -INFINITY, INFINITY, 0, "second, 1/K^2"),
    LN_NUMBER(TCV, "TCV", "", "0", -INFINITY, INFINITY, 0, "what BV falls by, V/K"),
    LN_NUMBER(TLEV, "TLEV", "", "0", 0, 2, LINNET_INTEGER, "1: TCV is a share of BV"),
    LN_NUMBER(TLEVC, "TLEVC", "", "0", 0, 1, LINNET_INTEGER,
              "1: capacitances and potentials by CTA, CTP, TPB, TPHP"),
    LN_NUMBER(CTA, "CTA", "", "0", -INFINITY, INFINITY, 0,
              "what CJO grows by, 1/K, with TLEVC = 1"),
    LN_NUMBER(CTP, "CTP", "", "0", -INFINITY, INFINITY, 0,
              "what CJSW grows by, 1/K, with TLEVC = 1"),
    LN_NUMBER(TPB, "TPB", "", "0", -INFINITY, INFINITY, 0, "what VJ falls by, V/K, with TLEVC = 1"),
    LN_NUMBER(TPHP, "TPHP", "", "0", -INFINITY, INFINITY, 0,
              "what PHP falls by, V/K, with TLEVC = 1"),
    LN_NUMBER(JTUN, "JTUN", "A", "0", 0, INFINITY, 0, "saturation current of tunnelling"),
    LN_NUMBER(JTUNSW, "JTUNSW", "A", "0", 0, INFINITY, 0, "the same of the side, per PJ"),
    LN_NUMBER(NTUN, "NTUN", "", "30", 0, INFINITY, LINNET_OPEN_MIN, "its emission coefficient"),
    LN_NUMBER(XTITUN, "XTITUN", "", "3", -INFINITY, INFINITY, 0, "exponent of its temperature"),
    LN_NUMBER(KEG, "KEG", "", "1", -INFINITY, INFINITY, 0, "what EG counts for in its temperature"),
    LN_NUMBER(AREA, "area", "", "1", 0, INFINITY, LINNET_OPEN_MIN,
              "area, as a multiple of the diode that IS is of"),
    LN_NUMBER(PARALLEL, "parallel", "", "1", 0, INFINITY, LINNET_OPEN_MIN,
              "number of such diodes in parallel, which also multiplies PJ and IBV"),
    LN_NUMBER(GMIN, "GMIN", "S", "1e-12 S", 0, INFINITY, 0, "conductance across the junction"),
    LN_NUMBER(TEMP, "temp", "K", "27 degC", 0, INFINITY, LINNET_OPEN_MIN, "temperature"),
    LN_NUMBER(TNOM, "tnom", "K", "27 degC", 0, INFINITY, LINNET_OPEN_MIN,
              "temperature the parameters were measured at"),
    LN_NUMBER(V0, "v0", "V", NULL, -INFINITY, INFINITY, 0, "voltage at the start"),
    LN_OFF(OFF),
};

static const ln_inner inner[] = {{{"a", "V", 0, 0, "potential of the anode behind RS", 0}, P}};
static const ln_branch branches[NBRANCHES] = {
    [RESISTANCE] = {P, A, 0, 1, {{P, A}}},
    [CURRENT] = {A, N, 0, 1, {{A, N}}},
    [CHARGE] = {A, N, 1, 1, {{A, N}}},
};

static const ln_device_start starts[] = {{V0, A, N}};

/* Without a charge the current behind RS is that before it, and the law of the two in series is
 * solved where it is evaluated: beside RS a node would have GMIN alone, which rounding takes for
 * nothing. */
static int has_node(double series, double floor, double side, double perimeter, double transit) {
    return series > 0 && (floor > 0 || side * perimeter > 0 || transit > 0);
}

static int exists(const double *const *values, int node) {
    (void)node;
    return has_node(*values[RS], *values[CJO], *values[CJSW], *values[PJ], *values[TT]);
}

/* 1 + first d + second d^2 at d over the nominal temperature. */
static double warmer(const double *p, int first, int second) {
    const double d = p[TEMP] - p[TNOM];
    return 1 + p[first] * d + p[second] * d * d;
}

/* Area and perimeter of all diodes in parallel. */
static double area_of(const double *p) {
    return p[AREA] * p[PARALLEL];
}
static double side_of(const double *p) {
    return p[PJ] * p[PARALLEL];
}

static void set_currents(const double *p, ln_spice_diode *d) {
    const double area = area_of(p), side = side_of(p), warmed = p[TEMP] - p[TNOM];
    const double vt = ln_thermal_voltage(p[TEMP]),
                 growth = ln_saturation_growth(p[EG], p[XTI], p[TNOM], p[TEMP]);
    d->floor = (ln_exponential){p[IS] * area * exp(growth / p[EMISSION]), p[EMISSION] * vt};
    d->side = (ln_exponential){p[JSW] * side * exp(growth / p[NS]), p[NS] * vt};
    d->recombination = (ln_exponential){p[ISR] * area * exp(growth / p[NR]), p[NR] * vt};
    d->forward_knee = p[IKF] * area;
    d->reverse_knee = p[IKR] * area;
    d->reverse_scale = p[NBV] * vt;
    d->breakdown = INFINITY;
    const double breakdown = p[TLEV] > 0 ? p[BV] * (1 - p[TCV] * warmed) : p[BV] - p[TCV] * warmed;
    if (p[BV] > 0)
        d->breakdown = ln_spice_breakdown(d->floor.saturation, p[IBV] * p[PARALLEL], breakdown,
                                          d->reverse_scale, vt);
    const double tunnel =
        exp(ln_saturation_growth(p[KEG] * p[EG], p[XTITUN], p[TNOM], p[TEMP]) / p[NTUN]);
    d->tunnel = (ln_exponential){(p[JTUN] * area + p[JTUNSW] * side) * tunnel, p[NTUN] * vt};
}

static ln_depletion warmed_layer(const double *p, ln_depletion layer, int growth, int fall) {
    return p[TLEVC] > 0 ? ln_depletion_linear(layer, p[growth], p[fall], p[TEMP])
                        : ln_depletion_at(layer, p[TNOM], p[TEMP]);
}

static linnet_status prepare(const linnet_block *block, char message[256]) {
    const double *p = block->p, grading = p[M] * warmer(p, TM1, TM2),
                 series = p[RS] * warmer(p, TRS1, TRS2);
    ln_spice_diode *d = (ln_spice_diode *)block->work;
    *d = (ln_spice_diode){.transit = p[TT] * warmer(p, TTT1, TTT2), .gmin = p[GMIN]};
    set_currents(p, d);
    if (has_node(p[RS], p[CJO], p[CJSW], p[PJ], p[TT]))
        d->conductance = area_of(p) / series;
    else if (p[RS] > 0)
        d->series = series / area_of(p);
    d->floor_layer = warmed_layer(p,
                                  (ln_depletion){.capacitance = p[CJO] * area_of(p),
                                                 .potential = p[VJ],
                                                 .grading = grading,
                                                 .forward = p[FC]},
                                  CTA, TPB);
    d->side_layer = warmed_layer(p,
                                 (ln_depletion){.capacitance = p[CJSW] * side_of(p),
                                                .potential = p[PHP],
                                                .grading = p[MJSW],
                                                .forward = p[FCS]},
                                 CTP, TPHP);
    const char *lacks = !(d->floor_layer.potential > 0)  ? "positive junction potential VJ"
                        : !(d->side_layer.potential > 0) ? "positive junction potential PHP"
                        : !(d->breakdown > 0) ? "positive breakdown voltage; mind IBV and TCV"
                        : !(d->transit >= 0)  ? "positive transit time; mind TTT1 and TTT2"
                        : !(series >= 0) || (p[RS] > 0 && !(series > 0))
                            ? "positive series resistance; mind TRS1 and TRS2"
                        : !(grading >= 0 && grading < 1)
                            ? "grading coefficient between 0 and 1; mind TM1 and TM2"
                            : NULL;
    if (lacks == NULL)
        return ln_device_check(block, (const char *const[]){"RS"}, message);
    snprintf(message, 256, "at temp = %g K, tnom = %g K it has no %s", p[TEMP], p[TNOM], lacks);
    return LINNET_MODEL;
}

static void flows(const linnet_block *block, const double *v, ln_flow *flow) {
    ln_spice_diode_branches((const ln_spice_diode *)block->work, v, flow);
}

/* Parameters of all lanes. */
typedef struct lanes {
    ln_device_lanes saturation, scale, transit, gmin, conductance;
    ln_depletion_lanes layer;
} lanes;

static inline int is_plain(const ln_spice_diode *d) {
    return d->side.saturation + d->recombination.saturation + d->tunnel.saturation +
               d->forward_knee + d->reverse_knee + d->series + d->side_layer.capacitance ==
           0;
}

/* 0: not all of them have one exponential, one layer and no RS in their law, or one is broken down
 * at the voltages v. */
static int gather_lanes(const double *const *work, const double *v, lanes *all) {
    int others = 0;
    for (int p = 0; p < LN_DEVICE_LANES / 2; p++) {
        const ln_spice_diode *d = (const ln_spice_diode *)work[2 * p],
                             *e = (const ln_spice_diode *)work[2 * p + 1];
        others |= !is_plain(d) || v[2 * p] < -d->breakdown;
        others |= !is_plain(e) || v[2 * p + 1] < -e->breakdown;
        ln_pair_put(all->saturation, p, (ln_pair){d->floor.saturation, e->floor.saturation});
        ln_pair_put(all->scale, p, (ln_pair){d->floor.scale, e->floor.scale});
        ln_pair_put(all->transit, p, (ln_pair){d->transit, e->transit});
        ln_pair_put(all->gmin, p, (ln_pair){d->gmin, e->gmin});
        ln_pair_put(all->conductance, p, (ln_pair){d->conductance, e->conductance});
    }
    return !others;
}

/* ln_spice_diode_branches(), operation by operation. */
static int flows_of_lanes(const double *const *work, const double *const *node,
                          ln_device_lanes *flow) {
    enum { NUMBERS = 1 + LN_DEVICE_CONTROLS, LAYER = offsetof(ln_spice_diode, floor_layer) };
    lanes d;
    ln_device_lanes v, i, g, q, c;
    for (int p = 0; p < LN_DEVICE_LANES / 2; p++)
        ln_pair_put(v, p, ln_pair_get(node[A], p) - ln_pair_get(node[N], p));
    if (!gather_lanes(work, v, &d))
        return 0;
    ln_depletion_gather(work, LAYER / sizeof(double), &d.layer);
    ln_junction_lanes(v, d.saturation, d.scale, i, g);
    ln_depletion_charge_lanes(v, &d.layer, q, c);
    ln_device_lanes *resistance = flow + RESISTANCE * NUMBERS, *current = flow + CURRENT * NUMBERS,
                    *charge = flow + CHARGE * NUMBERS;
    for (int p = 0; p < LN_DEVICE_LANES / 2; p++) {
        const ln_pair at = ln_pair_get(v, p), transit = ln_pair_get(d.transit, p),
                      conductance = ln_pair_get(d.conductance, p), gmin = ln_pair_get(d.gmin, p);
        const ln_mask is_zero = (ln_mask)(at == 0.0);
        const ln_pair stored = ln_pair_select(is_zero, ln_pair_of(0), ln_pair_get(q, p)),
                      capacitance = ln_pair_select(is_zero, ln_pair_get(d.layer.capacitance, p),
                                                   ln_pair_get(c, p));
        ln_pair_put(resistance[0], p,
                    conductance * (ln_pair_get(node[P], p) - ln_pair_get(node[A], p)));
        ln_pair_put(resistance[1], p, conductance);
        ln_pair_put(charge[0], p, stored + transit * ln_pair_get(i, p));
        ln_pair_put(charge[1], p, capacitance + transit * ln_pair_get(g, p));
        ln_pair_put(current[0], p, ln_pair_get(i, p) + gmin * at);
        ln_pair_put(current[1], p, ln_pair_get(g, p) + gmin);
    }
    return 1;
}

static int limit(const linnet_block *block, const double *v_old, double *v) {
    return ln_spice_diode_limit((const ln_spice_diode *)block->work, v_old, v);
}

/* Half of what ln_junction_limit() lets pass, so that rounding does not matter. */
static double unlimited(const linnet_block *block) {
    const ln_spice_diode *d = (const ln_spice_diode *)block->work;
    return fmin(d->floor.scale, d->reverse_scale);
}

static const char *const conditions[] = {"vd", "id", "gd", "cd"};
static const char *const docs[] = {"voltage across the junction", "current through it",
                                   "conductance", "capacitance"};
static const char *const units[] = {"V", "A", "S", "F"};
static double condition(const linnet_block *block, const double *v, const ln_flow *flow,
                        int index) {
    const ln_spice_diode *d = (const ln_spice_diode *)block->work;
    const double across = ln_spice_diode_junction(d, v[A] - v[N]);
    double slope;
    (void)ln_spice_diode_current(d, across, &slope);
    const double values[] = {across, flow[CURRENT].value, slope + d->gmin, flow[CHARGE].slope[0]};
    return values[index];
}

static const ln_device device = {.carried = "ln_spice_diode",
                                 .branches = branches,
                                 .nbranches = NBRANCHES,
                                 .off = OFF,
                                 .inner = inner,
                                 .ninner = 1,
                                 .starts = starts,
                                 .nstarts = 1,
                                 .type = -1,
                                 .exists = exists,
                                 .flows = flows,
                                 .flows_of_lanes = flows_of_lanes,
                                 .limit = limit,
                                 .unlimited = unlimited,
                                 .condition = condition,
                                 .temperature = TEMP,
                                 .nsigned = 2};
LN_DEVICE_CALLS(device)

const linnet_block_class ln_spice_diode_class = {
    .abi = LINNET_ABI,
    .name = "spice-diode",
    .doc = "Junction diode, SPICE's model: breakdown, charges, series resistance, temperature",
    .formula = "i = if(v ge -3*N*Vt, IS*area*(exp(v/(N*Vt)) - 1) + GMIN*v, GMIN*v - IS*area*(1 + "
               "(3*N*Vt/(e*v))^3))\n"
               "i_breakdown = -IS*area*exp(-(v + BV_fit)/(NBV*Vt))\n"
               "i_recombination = ISR*area*(exp(v/(NR*Vt)) - 1)*((1 - v/VJ)^2 + 0.005)^(M/2)\n"
               "i_side = JSW*PJ*(exp(v/(NS*Vt)) - 1)\n"
               "i_tunnel = -(JTUN*area + JTUNSW*PJ)*(exp(-v/(NTUN*Vt)) - 1)\n"
               "i_high = i/(1 + sqrt(i/(IKF*area)))\n"
               "der(q) = (TT*der(i) + CJO*area*(1 - v/VJ)^(-M)*der(v))\n"
               "p.i = i + der(q)\n"
               "n.i = -p.i\n"
               "(v: behind RS/area; BV_fit gives IBV at BV; recombination, side and tunnelling are "
               "added, high injection takes the place of i; from FC*VJ on the charge goes along "
               "the tangent, the side has CJSW*PJ, PHP, MJSW, FCS; IS, VJ, CJO at temp by EG, XTI; "
               "RS, TT, M, BV by TRS1, TTT1, TM1, TCV)\n"
               "(Antognetti, Massobrio: Semiconductor Device Modeling with SPICE, 1988, chapter 1; "
               "ngspice manual, chapter 7)",
    .example = "<spice-diode id=\"D1\" p=\"in\" n=\"out\" IS=\"2.5 nA\" RS=\"0.6 Ohm\" N=\"1.75\" "
               "TT=\"4 ns\" CJO=\"4 pF\" BV=\"100 V\"/>",
    LN_DEVICE_MEMBERS(device, params),
};
