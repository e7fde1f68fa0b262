/* SPDX-License-Identifier: MIT */
/* The bipolar transistor: descriptor and calls. The mathematics is in bjt_equations.c. */
#include "blocks/native/bjt_equations.h"
#include "blocks/native/bjt_parameters.h"
#include "blocks/native/device.h"
#include "blocks/native/diode_equations.h"
#include "blocks/native/native.h"

#include <math.h>
#include <stdio.h>

enum {
    C = LN_BJT_C,
    B = LN_BJT_B,
    E = LN_BJT_E,
    S = LN_BJT_S,
    CI = LN_BJT_CI,
    BI = LN_BJT_BI,
    EI = LN_BJT_EI,
    CJ = LN_BJT_CJ,
    LAG = LN_BJT_LAG,
    LATE = LN_BJT_LATE
};
enum {
    AT_C = LN_BJT_AT_C,
    AT_B = LN_BJT_AT_B,
    AT_E = LN_BJT_AT_E,
    BASE_E = LN_BJT_BASE_E,
    BASE_C = LN_BJT_BASE_C,
    THROUGH = LN_BJT_THROUGH,
    CHARGE_E = LN_BJT_CHARGE_E,
    CHARGE_C = LN_BJT_CHARGE_C,
    CHARGE_X = LN_BJT_CHARGE_X,
    CHARGE_S = LN_BJT_CHARGE_S,
    CHARGE_L = LN_BJT_CHARGE_L,
    LEAK_S = LN_BJT_LEAK_S,
    LEAK_L = LN_BJT_LEAK_L,
    EPITAXIAL = LN_BJT_EPITAXIAL,
    CHARGE_F = LN_BJT_CHARGE_F,
    LAG_IN = LN_BJT_LAG_IN,
    LAG_OUT = LN_BJT_LAG_OUT,
    LAG_STORE = LN_BJT_LAG_STORE,
    LATE_IN = LN_BJT_LATE_IN,
    LATE_STORE = LN_BJT_LATE_STORE,
    NBRANCHES = LN_BJT_BRANCHES
};
#define DEGREES 57.295779513082320877 /* in a radian */
enum { NWORK = sizeof(ln_bjt) / sizeof(double) };

static const linnet_port ports[] = {
    {"c", LINNET_ELECTRICAL, 0, "collector"},
    {"b", LINNET_ELECTRICAL, 0, "base"},
    {"e", LINNET_ELECTRICAL, 0, "emitter"},
    {"s", LINNET_ELECTRICAL, LINNET_OPTIONAL, "substrate"},
    LN_DEVICE_HEAT,
};

static const ln_inner inner[] = {
    {{"ci", "V", 0, 0, "potential of the inner collector", 0}, C},
    {{"bi", "V", 0, 0, "potential of the inner base", 0}, B},
    {{"ei", "V", 0, 0, "potential of the inner emitter", 0}, E},
    {{"cj", "V", 0, 0, "potential of the collector's junction, behind RCO", 0}, CI},
    {{"lag", "V", 0, 0, "10 kOhm times what the delayed current has on its way", 0}, EI},
    {{"late", "V", 0, 0, "10 kOhm times the delayed current", 0}, EI},
};
#define BE \
    { BI, EI }
#define BC \
    { BI, CJ }
static const ln_branch branches[NBRANCHES] = {
    [AT_C] = {C, CI, 0, 1, {{C, CI}}},
    [AT_B] = {B, BI, 0, 3, {{B, BI}, BE, BC}},
    [AT_E] = {E, EI, 0, 1, {{E, EI}}},
    [BASE_E] = {BI, EI, 0, 1, {BE}},
    [BASE_C] = {BI, CJ, 0, 1, {BC}},
    [THROUGH] = {CJ, EI, 0, 3, {BE, BC, {LATE, EI}}},
    [CHARGE_E] = {BI, EI, 1, 2, {BE, BC}},
    [CHARGE_C] = {BI, CJ, 1, 1, {BC}},
    [CHARGE_X] = {B, CI, 1, 1, {{B, CI}}},
    [CHARGE_S] = {S, CJ, 1, 1, {{S, CJ}}},
    [CHARGE_L] = {S, BI, 1, 1, {{S, BI}}},
    [LEAK_S] = {S, CJ, 0, 1, {{S, CJ}}},
    [LEAK_L] = {S, BI, 0, 1, {{S, BI}}},
    [EPITAXIAL] = {CI, CJ, 0, 2, {{BI, CI}, BC}},
    [CHARGE_F] = {BI, CI, 1, 1, {{BI, CI}}},
    [LAG_IN] = {EI, LAG, 0, 1, {BE}, 1},
    [LAG_OUT] = {LAG, EI, 0, 1, {{LATE, EI}}, 1},
    [LAG_STORE] = {LAG, EI, 1, 1, {{LAG, EI}}},
    [LATE_IN] = {LATE, EI, 0, 1, {{LATE, LAG}}, 1},
    [LATE_STORE] = {LATE, EI, 1, 1, {{LATE, EI}}},
};

static const ln_device_start starts[] = {{VBE0, BI, EI}, {VCE0, CJ, EI}};

static int exists(const double *const *values, int node) {
    static const int resistance[] = {RC, RB, RE, RCO};
    return node < 4 ? *values[resistance[node]] > 0 : *values[PTF] > 0 && *values[TF] > 0;
}

static double per(double value) {
    return value > 0 ? 1 / value : 0;
}

/* The substrate touches the collector's area, or a lateral transistor's base. */
static double substrate_area(const double *p, const ln_bjt *b) {
    return b->to_collector > 0 ? p[AREAC] : p[AREAB];
}

/* cold: the parameters without their temperature coefficients. */
static void set_currents(const double *p, const double *cold, ln_bjt *b) {
    const double vt = ln_thermal_voltage(p[TEMP]),
                 given = ln_saturation_growth(p[EG], p[XTI], p[TNOM], p[TEMP]);
    const double growth = p[TLEV] > 2 ? 0 : given, base = b->to_collector > 0 ? p[AREAB] : p[AREAC];
    const double gain = p[TLEV] > 2   ? 1
                        : p[TLEV] > 0 ? 1 + p[XTB] * (p[TEMP] - p[TNOM])
                                      : exp(p[XTB] * log(p[TEMP] / p[TNOM]));
    const int own = !isnan(p[IBE]) && !isnan(p[IBC]); /* only together, as in SPICE */
    b->forward_saturation = (own ? p[IBE] : p[IS]) * p[AREA] * exp(growth);
    b->reverse_saturation = (own ? p[IBC] : p[IS]) * base * exp(growth);
    b->forward_gain = p[BF] * gain;
    b->reverse_gain = p[BR] * gain;
    b->forward_scale = p[NF] * vt;
    b->reverse_scale = p[NR] * vt;
    b->forward_leak = p[ISE] * p[AREA] * exp(growth / cold[NE]) / gain;
    b->reverse_leak = p[ISC] * base * exp(growth / cold[NC]) / gain;
    b->forward_leak_scale = p[NE] * vt;
    b->reverse_leak_scale = p[NC] * vt;
    b->per_forward_early = per(p[VAF]);
    b->per_reverse_early = per(p[VAR]);
    b->per_forward_knee = per(p[IKF] * p[AREA]);
    b->per_reverse_knee = per(p[IKR] * p[AREA]);
    b->knee_power = p[NKF];
    b->substrate_saturation = p[ISS] * substrate_area(p, b) * exp(growth);
    b->substrate_scale = p[NS] * vt;
    b->gmin = p[GMIN];
    b->vt = vt;
}

static void set_resistances(const double *p, double sign, ln_bjt *b) {
    b->base_least = p[RBM] / p[AREA];
    b->base_more = (p[RB] - p[RBM]) / p[AREA];
    b->base_half = p[IRB] * p[AREA];
    b->emitter = per(p[RE] / p[AREA]);
    b->collector = per(p[RC] / p[AREA]);
    const double ratio = p[QUASIMOD] > 0 ? p[TEMP] / p[TNOM] : 1;
    const double cn = isnan(p[CN]) ? sign > 0 ? 2.42 : 2.2 : p[CN],
                 d = isnan(p[D]) ? sign > 0 ? 0.87 : 0.52 : p[D];
    b->epitaxial = per(p[RCO] / p[AREA] * pow(ratio, cn));
    b->drift = p[VO] * pow(ratio, cn - d);
    b->doping = p[GAMMA] * pow(ratio, p[XTI]) * exp(p[VG] * (ratio - 1) / b->vt);
    b->epitaxial_charge = p[QCO] * p[AREA];
}

static ln_depletion layer_of(const double *p, ln_depletion layer, int growth, int fall) {
    return p[TLEVC] > 0 ? ln_depletion_linear(layer, p[growth], p[fall], p[TEMP])
                        : ln_depletion_at(layer, p[TNOM], p[TEMP]);
}

static void set_charges(const double *p, ln_bjt *b) {
    b->forward_transit = p[TF];
    b->bias_transit = p[XTF];
    b->per_transit_voltage = per(1.44 * p[VTF]);
    b->transit_current = p[ITF] * p[AREA];
    b->reverse_transit = p[TR];
    b->delay = p[PTF] * p[TF] / DEGREES;
    const double base = b->to_collector > 0 ? p[AREAB] : p[AREAC];
    b->be = layer_of(p,
                     (ln_depletion){.capacitance = p[CJE] * p[AREA],
                                    .potential = p[VJE],
                                    .grading = p[MJE],
                                    .forward = p[FC]},
                     CTE, TVJE);
    b->bc = layer_of(
        p,
        (ln_depletion){
            .capacitance = p[CJC] * base, .potential = p[VJC], .grading = p[MJC], .forward = p[FC]},
        CTC, TVJC);
    b->substrate = layer_of(p,
                            (ln_depletion){.capacitance = p[CJS] * substrate_area(p, b),
                                           .potential = p[VJS],
                                           .grading = p[MJS],
                                           .forward = 0},
                            CTS, TVJS);
    b->bx = b->bc;
    b->bx.capacitance *= 1 - p[XCJC];
    b->bc.capacitance *= p[XCJC];
}

static linnet_status prepare(const linnet_block *block, char message[256]) {
    const double sign = ln_device_sign(block);
    double p[NPARAMS];
    ln_bjt *b = (ln_bjt *)block->work;
    ln_bjt_warm(block->p, p);
    *b = (ln_bjt){.gmin = p[GMIN]};
    b->to_collector = (p[SUBS] > 0 || (p[SUBS] >= 0 && sign > 0)) ? 1 : 0;
    b->to_base = 1 - b->to_collector;
    if (p[RBM] > p[RB]) {
        snprintf(message, 256, "RBM = %g Ohm must be at most RB = %g Ohm", p[RBM], p[RB]);
        return LINNET_MODEL;
    }
    set_currents(p, block->p, b);
    set_resistances(p, sign, b);
    set_charges(p, b);
    if (!(b->be.potential > 0 && b->bc.potential > 0 && b->substrate.potential > 0)) {
        snprintf(
            message, 256,
            "a junction has no potential left at temp = %g K; mind temp, tnom, VJE, VJC and VJS",
            p[TEMP]);
        return LINNET_MODEL;
    }
    return ln_device_check(block, (const char *const[]){"RC", "RB", "RE", "RCO", "PTF", "PTF"},
                           message);
}

static void flows(const linnet_block *block, const double *v, ln_flow *flow) {
    ln_bjt_branches((const ln_bjt *)block->work, v, flow);
}

static int limit(const linnet_block *block, const double *v_old, double *v) {
    return ln_bjt_limit((const ln_bjt *)block->work, v_old, v);
}

/* Half of what ln_junction_limit() lets pass, so that rounding does not matter. */
static double unlimited(const linnet_block *block) {
    const ln_bjt *b = (const ln_bjt *)block->work;
    return fmin(b->vt, fmin(b->forward_scale, b->reverse_scale));
}

/* thermal voltages from which a junction counts as conducting: 22 000 times IS */
static const double CONDUCTS = 10;

/* gm and go are those of ngspice: at constant vce and vbe. */
static const char *const conditions[] = {"vbe", "vbc", "vce", "ic",  "ib",  "gm",
                                         "gpi", "gmu", "go",  "cpi", "cmu", "region"};
static const char *const docs[] = {"voltage from base to emitter",
                                   "voltage from base to collector",
                                   "voltage from collector to emitter",
                                   "current into the collector",
                                   "current into the base",
                                   "transconductance",
                                   "conductance from base to emitter",
                                   "conductance from base to collector",
                                   "output conductance",
                                   "capacitance from base to emitter",
                                   "capacitance from base to collector",
                                   "region it works in"};
static const char *const units[] = {"V", "V", "V", "A", "A", "S",
                                    "S", "S", "S", "F", "F", "off|active|saturated|reverse"};
static double condition(const linnet_block *block, const double *v, const ln_flow *flow,
                        int index) {
    const ln_bjt *b = (const ln_bjt *)block->work;
    const double be = v[BI] - v[EI], bc = v[BI] - v[CJ], base = flow[BASE_C].value,
                 *through = flow[THROUGH].slope;
    const int forward = be > CONDUCTS * b->forward_scale,
              reverse = bc > CONDUCTS * b->reverse_scale;
    const double values[] = {be,
                             bc,
                             be - bc,
                             flow[THROUGH].value - base,
                             flow[BASE_E].value + base,
                             through[0] + through[1],
                             flow[BASE_E].slope[0],
                             flow[BASE_C].slope[0],
                             -through[1],
                             flow[CHARGE_E].slope[0],
                             flow[CHARGE_C].slope[0],
                             forward   ? (reverse ? 2 : 1)
                             : reverse ? 3
                                       : 0};
    return values[index];
}

static const ln_device device = {.carried = "ln_bjt",
                                 .branches = branches,
                                 .nbranches = NBRANCHES,
                                 .inner = inner,
                                 .ninner = 6,
                                 .starts = starts,
                                 .nstarts = 2,
                                 .off = OFF,
                                 .type = TYPE,
                                 .polarity = {"npn", "pnp"},
                                 .exists = exists,
                                 .flows = flows,
                                 .limit = limit,
                                 .unlimited = unlimited,
                                 .condition = condition,
                                 .temperature = TEMP,
                                 .nsigned = 5};
LN_DEVICE_CALLS(device)

const linnet_block_class ln_bjt_class = {
    .abi = LINNET_ABI,
    .name = "bjt",
    .doc = "Bipolar transistor after Gummel and Poon, SPICE's model",
    .formula = "be = v(bi) - v(ei), bc = v(bi) - v(cj): nodes behind RB, RE, RC and RCO; all "
               "divided by area; pnp: all signs reversed\n"
               "If = IS*(exp(be/(NF*Vt)) - 1), Ir = IS*(exp(bc/(NR*Vt)) - 1)\n"
               "qb = (1 + (1 + 4*(If/IKF + Ir/IKR))^NKF)/2/(1 - bc/VAF - be/VAR)\n"
               "collector to emitter: (If - Ir)/qb\n"
               "base to emitter: If/BF + ISE*(exp(be/(NE*Vt)) - 1) + GMIN*be; to collector: Ir/BR "
               "+ ISC*(exp(bc/(NC*Vt)) - 1) + GMIN*bc\n"
               "between ci and cj with RCO: (Vt*(K(bc) - K(bx) - ln((1 + K(bc))/(1 + K(bx)))) + bc "
               "- bx)/RCO/(1 + (bc - bx)/VO), backwards (bc - bx)/RCO, "
               "K(v) = sqrt(1 + GAMMA*exp(v/Vt)), bx = v(bi) - v(ci), charges QCO*K; with PTF If "
               "comes late by TD = PTF*TF: 3/(3 + 3*s*TD + (s*TD)^2)\n"
               "base resistance: RBM + (RB - RBM)/qb, with IRB RBM + 3*(RB - RBM)*(tan(z) - "
               "z)/(z*tan(z)^2)\n"
               "charges: TF*(1 + XTF*(If/(If + ITF))^2*exp(bc/(1.44*VTF)))*If/qb, TR*Ir, depletion "
               "of CJE, CJC (share XCJC inside), CJS\n"
               "(Kull, Nagel, Lee, Lloyd, Prendergast, Dirks: IEEE Trans. ED-32, 1985; Weil, "
               "McNamee: CAS-25, 1978; "
               "Gummel, Poon: Bell System Technical Journal 49, 1970; Antognetti, Massobrio: "
               "Semiconductor Device Modeling with "
               "SPICE, 1988, chapter 2; ngspice manual, chapter 8)",
    .example = "<bjt id=\"Q1\" c=\"out\" b=\"in\" e=\"0\" type=\"npn\" IS=\"1e-15\" BF=\"200\" "
               "VAF=\"100 V\" IKF=\"20 mA\" ISE=\"1e-14\" "
               "RB=\"100 Ohm\" RBM=\"20 Ohm\" RE=\"1 Ohm\" RC=\"5 Ohm\" CJE=\"8 pF\" CJC=\"4 pF\" "
               "TF=\"0.4 ns\" TR=\"50 ns\"/>",
    LN_DEVICE_MEMBERS(device, ln_bjt_params),
};
