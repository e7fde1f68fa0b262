/* SPDX-License-Identifier: MIT */
/* The bipolar transistor: descriptor and calls. The mathematics is in bjt_equations.c. */
#include "blocks/native/bjt_equations.h"
#include "blocks/native/device.h"
#include "blocks/native/diode_equations.h"
#include "blocks/native/native.h"

#include <math.h>
#include <stdio.h>

enum { C, B, E, S, CI, BI, EI };                  /* nodes: the ports, and those behind RC, RB and RE                 */
enum { AT_C, AT_B, AT_E, BASE_E, BASE_C, THROUGH, CHARGE_E, CHARGE_C, CHARGE_X, CHARGE_S, CHARGE_L, LEAK_S, LEAK_L, NBRANCHES };
enum { TYPE, IS, BF, NF, VAF, IKF, ISE, NE, BR, NR, VAR, IKR, ISC, NC, RB, IRB, RBM, RE, RC, CJE, VJE, MJE, TF, XTF, VTF,
       ITF, PTF, CJC, VJC, MJC, XCJC, TR, CJS, VJS, MJS, XTB, EG, XTI, FC, SUBS, NKF, ISS, NS, AREA, GMIN, TEMP, TNOM, NPARAMS };
enum { NWORK = sizeof(ln_bjt) / sizeof(double) };

static const linnet_port ports[] = {
    {"c", LINNET_ELECTRICAL, 0, "collector"},
    {"b", LINNET_ELECTRICAL, 0, "base"},
    {"e", LINNET_ELECTRICAL, 0, "emitter"},
    {"s", LINNET_ELECTRICAL, LINNET_OPTIONAL, "substrate"},
};
#define ABOVE LINNET_OPEN_MIN
static const linnet_param params[] = {
    {"type", NULL, "npn", -INFINITY, INFINITY, LINNET_TEXT | LINNET_STRUCTURAL, "npn or pnp", TYPE, 1, 1, NULL},
    LN_NUMBER(IS, "IS", "A", "1e-16 A", 0, INFINITY, ABOVE, "transport saturation current"),
    LN_NUMBER(BF, "BF", "", "100", 0, INFINITY, ABOVE, "ideal maximum forward gain"),
    LN_NUMBER(NF, "NF", "", "1", 0, INFINITY, ABOVE, "forward emission coefficient"),
    LN_NUMBER(VAF, "VAF", "V", "0", 0, INFINITY, 0, "forward Early voltage; 0: no effect"),
    LN_NUMBER(IKF, "IKF", "A", "0", 0, INFINITY, 0, "corner of forward gain at high current; 0: none"),
    LN_NUMBER(ISE, "ISE", "A", "0", 0, INFINITY, 0, "leakage saturation current, base to emitter"),
    LN_NUMBER(NE, "NE", "", "1.5", 0, INFINITY, ABOVE, "its emission coefficient"),
    LN_NUMBER(BR, "BR", "", "1", 0, INFINITY, ABOVE, "ideal maximum reverse gain"),
    LN_NUMBER(NR, "NR", "", "1", 0, INFINITY, ABOVE, "reverse emission coefficient"),
    LN_NUMBER(VAR, "VAR", "V", "0", 0, INFINITY, 0, "reverse Early voltage; 0: no effect"),
    LN_NUMBER(IKR, "IKR", "A", "0", 0, INFINITY, 0, "corner of reverse gain at high current; 0: none"),
    LN_NUMBER(ISC, "ISC", "A", "0", 0, INFINITY, 0, "leakage saturation current, base to collector"),
    LN_NUMBER(NC, "NC", "", "2", 0, INFINITY, ABOVE, "its emission coefficient"),
    LN_NUMBER(RB, "RB", "Ohm", "0", 0, INFINITY, 0, "base resistance without bias"),
    LN_NUMBER(IRB, "IRB", "A", "0", 0, INFINITY, 0, "current at which it has fallen halfway to RBM; 0: it follows qb"),
    LN_NUMBER(RBM, "RBM", "Ohm", "RB", 0, INFINITY, 0, "least base resistance, at high current"),
    LN_NUMBER(RE, "RE", "Ohm", "0", 0, INFINITY, 0, "emitter resistance"),
    LN_NUMBER(RC, "RC", "Ohm", "0", 0, INFINITY, 0, "collector resistance"),
    LN_NUMBER(CJE, "CJE", "F", "0", 0, INFINITY, 0, "base-emitter depletion capacitance without bias"),
    LN_NUMBER(VJE, "VJE", "V", "0.75 V", 0, INFINITY, ABOVE, "base-emitter potential"),
    LN_NUMBER(MJE, "MJE", "", "0.33", 0, 1, LINNET_OPEN_MAX, "base-emitter grading coefficient"),
    LN_NUMBER(TF, "TF", "s", "0", 0, INFINITY, 0, "ideal forward transit time"),
    LN_NUMBER(XTF, "XTF", "", "0", 0, INFINITY, 0, "how much TF depends on bias"),
    LN_NUMBER(VTF, "VTF", "V", "0", 0, INFINITY, 0, "voltage by which TF depends on bc; 0: it does not"),
    LN_NUMBER(ITF, "ITF", "A", "0", 0, INFINITY, 0, "current from which TF grows"),
    LN_NUMBER(PTF, "PTF", "", "0", 0, 0, 0, "excess phase: not supported, 0 only"),
    LN_NUMBER(CJC, "CJC", "F", "0", 0, INFINITY, 0, "base-collector depletion capacitance without bias"),
    LN_NUMBER(VJC, "VJC", "V", "0.75 V", 0, INFINITY, ABOVE, "base-collector potential"),
    LN_NUMBER(MJC, "MJC", "", "0.33", 0, 1, LINNET_OPEN_MAX, "base-collector grading coefficient"),
    LN_NUMBER(XCJC, "XCJC", "", "1", 0, 1, 0, "share of CJC at the inner base"),
    LN_NUMBER(TR, "TR", "s", "0", 0, INFINITY, 0, "ideal reverse transit time"),
    LN_NUMBER(CJS, "CJS", "F", "0", 0, INFINITY, 0, "substrate capacitance without bias"),
    LN_NUMBER(VJS, "VJS", "V", "0.75 V", 0, INFINITY, ABOVE, "substrate potential"),
    LN_NUMBER(MJS, "MJS", "", "0", 0, 1, LINNET_OPEN_MAX, "substrate grading coefficient"),
    LN_NUMBER(XTB, "XTB", "", "0", -INFINITY, INFINITY, 0, "exponent of the gains' temperature"),
    LN_NUMBER(EG, "EG", "", "1.11", 0, INFINITY, ABOVE, "energy gap, eV"),
    LN_NUMBER(XTI, "XTI", "", "3", -INFINITY, INFINITY, 0, "exponent of the saturation current's temperature"),
    LN_NUMBER(FC, "FC", "", "0.5", 0, 1, LINNET_OPEN_MAX, "share of the potentials from which capacitances grow linearly"),
    LN_NUMBER(SUBS, "SUBS", "", "0", -1, 1, LINNET_INTEGER, "substrate lies at the collector 1, the base -1; 0: 1 for npn, -1 for pnp"),
    LN_NUMBER(NKF, "NKF", "", "0.5", 0, 1, ABOVE, "exponent of the gain's fall at high current"),
    LN_NUMBER(ISS, "ISS", "A", "0", 0, INFINITY, 0, "saturation current of the substrate's junction"),
    LN_NUMBER(NS, "NS", "", "1", 0, INFINITY, ABOVE, "its emission coefficient"),
    LN_NUMBER(AREA, "area", "", "1", 0, INFINITY, ABOVE, "area, as a multiple of the transistor that IS is of"),
    LN_NUMBER(GMIN, "GMIN", "S", "1e-12 S", 0, INFINITY, 0, "conductance across each junction"),
    LN_NUMBER(TEMP, "temp", "K", "27 degC", 0, INFINITY, ABOVE, "temperature"),
    LN_NUMBER(TNOM, "tnom", "K", "27 degC", 0, INFINITY, ABOVE, "temperature the parameters were measured at"),
};

static const ln_inner inner[] = {
    {{"ci", "V", 0, 0, "potential of the inner collector", 0}, C},
    {{"bi", "V", 0, 0, "potential of the inner base", 0}, B},
    {{"ei", "V", 0, 0, "potential of the inner emitter", 0}, E},
};
#define BE {BI, EI}
#define BC {BI, CI}
static const ln_branch branches[NBRANCHES] = {
    [AT_C] = {C, CI, 0, 1, {{C, CI}}},         [AT_B] = {B, BI, 0, 3, {{B, BI}, BE, BC}}, [AT_E] = {E, EI, 0, 1, {{E, EI}}},
    [BASE_E] = {BI, EI, 0, 1, {BE}},           [BASE_C] = {BI, CI, 0, 1, {BC}},           [THROUGH] = {CI, EI, 0, 2, {BE, BC}},
    [CHARGE_E] = {BI, EI, 1, 2, {BE, BC}},     [CHARGE_C] = {BI, CI, 1, 1, {BC}},         [CHARGE_X] = {B, CI, 1, 1, {{B, CI}}},
    [CHARGE_S] = {S, CI, 1, 1, {{S, CI}}},     [CHARGE_L] = {S, BI, 1, 1, {{S, BI}}},
    [LEAK_S] = {S, CI, 0, 1, {{S, CI}}},       [LEAK_L] = {S, BI, 0, 1, {{S, BI}}},
};

static int exists(const double *const *values, int node) {
    static const int resistance[] = {RC, RB, RE};
    return *values[resistance[node]] > 0;
}

static double per(double value) { return value > 0 ? 1 / value : 0; }

static void set_currents(const double *p, ln_bjt *b) {
    const double vt = ln_thermal_voltage(p[TEMP]), growth = ln_saturation_growth(p[EG], p[XTI], p[TNOM], p[TEMP]);
    const double gain = exp(p[XTB] * log(p[TEMP] / p[TNOM]));
    b->saturation = p[IS] * p[AREA] * exp(growth);
    b->forward_gain = p[BF] * gain;
    b->reverse_gain = p[BR] * gain;
    b->forward_scale = p[NF] * vt;
    b->reverse_scale = p[NR] * vt;
    b->forward_leak = p[ISE] * p[AREA] * exp(growth / p[NE]) / gain;
    b->reverse_leak = p[ISC] * p[AREA] * exp(growth / p[NC]) / gain;
    b->forward_leak_scale = p[NE] * vt;
    b->reverse_leak_scale = p[NC] * vt;
    b->per_forward_early = per(p[VAF]);
    b->per_reverse_early = per(p[VAR]);
    b->per_forward_knee = per(p[IKF] * p[AREA]);
    b->per_reverse_knee = per(p[IKR] * p[AREA]);
    b->knee_power = p[NKF];
    b->substrate_saturation = p[ISS] * p[AREA] * exp(growth);
    b->substrate_scale = p[NS] * vt;
    b->gmin = p[GMIN];
}

static void set_resistances(const double *p, ln_bjt *b) {
    b->base_least = p[RBM] / p[AREA];
    b->base_more = (p[RB] - p[RBM]) / p[AREA];
    b->base_half = p[IRB] * p[AREA];
    b->emitter = per(p[RE] / p[AREA]);
    b->collector = per(p[RC] / p[AREA]);
}

static void set_charges(const double *p, double sign, ln_bjt *b) {
    const double area = p[AREA];
    b->forward_transit = p[TF];
    b->bias_transit = p[XTF];
    b->per_transit_voltage = per(1.44 * p[VTF]);
    b->transit_current = p[ITF] * area;
    b->reverse_transit = p[TR];
    b->be = ln_depletion_at((ln_depletion){p[CJE] * area, p[VJE], p[MJE], p[FC]}, p[TNOM], p[TEMP]);
    b->bc = ln_depletion_at((ln_depletion){p[CJC] * area, p[VJC], p[MJC], p[FC]}, p[TNOM], p[TEMP]);
    b->substrate = ln_depletion_at((ln_depletion){p[CJS] * area, p[VJS], p[MJS], 0}, p[TNOM], p[TEMP]);
    b->bx = b->bc;
    b->bx.capacitance *= 1 - p[XCJC];
    b->bc.capacitance *= p[XCJC];
    b->to_collector = (p[SUBS] > 0 || (p[SUBS] >= 0 && sign > 0)) ? 1 : 0;
    b->to_base = 1 - b->to_collector;
}

static linnet_status prepare(const linnet_block *block, char message[256]) {
    const double *p = block->p;
    ln_bjt *b = (ln_bjt *)block->work;
    *b = (ln_bjt){.gmin = p[GMIN]};
    if (p[RBM] > p[RB]) {
        snprintf(message, 256, "RBM = %g Ohm must be at most RB = %g Ohm", p[RBM], p[RB]);
        return LINNET_MODEL;
    }
    set_currents(p, b);
    set_resistances(p, b);
    set_charges(p, ln_device_sign(block), b);
    if (!(b->be.potential > 0 && b->bc.potential > 0 && b->substrate.potential > 0)) {
        snprintf(message, 256, "a junction has no potential left at temp = %g K; mind temp, tnom, VJE, VJC and VJS",
                 p[TEMP]);
        return LINNET_MODEL;
    }
    return ln_device_check(block, (const char *const[]){"RC", "RB", "RE"}, message);
}

/* Current v/r through the base's resistance, which depends on the other controls. */
static ln_flow through_base(double v, const ln_bjt_flow *r) {
    const double g = r->value > 0 ? 1 / r->value : 0, i = v * g;
    return (ln_flow){i, {g, -i * g * r->be, -i * g * r->bc}};
}

/* The substrate's junction, where it lies (1) or not (0): forward when way * v > 0. */
static ln_flow substrate_current(const ln_bjt *b, double v, double way, double lies) {
    double g;
    const double i = ln_spice_junction(way * v, b->substrate_saturation, b->substrate_scale, &g);
    return (ln_flow){lies * (way * i + b->gmin * v), {lies * (g + b->gmin)}};
}

static ln_flow substrate_charge(const ln_bjt *b, double v, double way, double lies) {
    double c;
    const double q = ln_bjt_substrate_charge(way * v, &b->substrate, &c);
    return (ln_flow){lies * way * q, {lies * c}};
}

static void flows(const linnet_block *block, const double *v, ln_flow *flow) {
    const ln_bjt *b = (const ln_bjt *)block->work;
    ln_bjt_flows it;
    double c;
    ln_bjt_evaluate(b, v[BI] - v[EI], v[BI] - v[CI], &it);
    flow[AT_C] = (ln_flow){(v[C] - v[CI]) * b->collector, {b->collector}};
    flow[AT_E] = (ln_flow){(v[E] - v[EI]) * b->emitter, {b->emitter}};
    flow[AT_B] = through_base(v[B] - v[BI], &it.base_resistance);
    flow[BASE_E] = (ln_flow){it.base_emitter.value, {it.base_emitter.be}};
    flow[BASE_C] = (ln_flow){it.base_collector.value, {it.base_collector.bc}};
    flow[THROUGH] = (ln_flow){it.transport.value, {it.transport.be, it.transport.bc}};
    flow[CHARGE_E] = (ln_flow){it.emitter_charge.value, {it.emitter_charge.be, it.emitter_charge.bc}};
    flow[CHARGE_C] = (ln_flow){it.collector_charge.value, {it.collector_charge.bc}};
    const double x = ln_depletion_charge(v[B] - v[CI], &b->bx, &c);
    flow[CHARGE_X] = (ln_flow){x, {c}};
    /* at the base of a lateral transistor the junction lies the other way round */
    flow[CHARGE_S] = substrate_charge(b, v[S] - v[CI], 1, b->to_collector);
    flow[CHARGE_L] = substrate_charge(b, v[S] - v[BI], -1, b->to_base);
    flow[LEAK_S] = substrate_current(b, v[S] - v[CI], 1, b->to_collector);
    flow[LEAK_L] = substrate_current(b, v[S] - v[BI], -1, b->to_base);
}

/* Both junctions by themselves; the base stays where Newton wants it. */
static int limit(const linnet_block *block, const double *v_old, double *v) {
    const ln_bjt *b = (const ln_bjt *)block->work;
    const double be = v[BI] - v[EI], bc = v[BI] - v[CI];
    const double to_be = ln_junction_limit(v_old[BI] - v_old[EI], be, b->forward_scale);
    const double to_bc = ln_junction_limit(v_old[BI] - v_old[CI], bc, b->reverse_scale);
    if (!(to_be < be) && !(to_bc < bc)) return 0;
    if (to_be < be) v[EI] = v[BI] - to_be;
    if (to_bc < bc) v[CI] = v[BI] - to_bc;
    return 1;
}

/* region: 0 off, 1 active, 2 saturated, 3 reverse. gm and go are those of ngspice: at constant vce and vbe. */
static const char *const conditions[] = {"vbe", "vbc", "vce", "ic", "ib", "gm", "gpi", "gmu", "go", "cpi", "cmu", "region"};
static double condition(const linnet_block *block, const double *v, const ln_flow *flow, int index) {
    (void)block;
    const double be = v[BI] - v[EI], bc = v[BI] - v[CI], base = flow[BASE_C].value, *through = flow[THROUGH].slope;
    const double values[] = {be, bc, be - bc, flow[THROUGH].value - base, flow[BASE_E].value + base,
                             through[0] + through[1], flow[BASE_E].slope[0], flow[BASE_C].slope[0], -through[1],
                             flow[CHARGE_E].slope[0], flow[CHARGE_C].slope[0], be > 0 ? (bc > 0 ? 2 : 1) : bc > 0 ? 3 : 0};
    return values[index];
}

static const ln_device device = {.branches = branches, .nbranches = NBRANCHES, .inner = inner, .ninner = 3, .type = TYPE,
                                 .polarity = {"npn", "pnp"}, .exists = exists, .flows = flows, .limit = limit,
                                 .condition = condition, .nsigned = 5};
LN_DEVICE_CALLS(device)

const linnet_block_class ln_bjt_class = {
    .abi = LINNET_ABI,
    .name = "bjt",
    .doc = "Bipolar transistor after Gummel and Poon, SPICE's model",
    .formula =
        "be = v(bi) - v(ei), bc = v(bi) - v(ci): nodes behind RB, RE, RC; all divided by area; pnp: all signs reversed\n"
        "If = IS*(exp(be/(NF*Vt)) - 1), Ir = IS*(exp(bc/(NR*Vt)) - 1)\n"
        "qb = (1 + (1 + 4*(If/IKF + Ir/IKR))^NKF)/2/(1 - bc/VAF - be/VAR)\n"
        "collector to emitter: (If - Ir)/qb\n"
        "base to emitter: If/BF + ISE*(exp(be/(NE*Vt)) - 1) + GMIN*be; to collector: Ir/BR + ISC*(exp(bc/(NC*Vt)) - 1) + GMIN*bc\n"
        "base resistance: RBM + (RB - RBM)/qb, with IRB RBM + 3*(RB - RBM)*(tan(z) - z)/(z*tan(z)^2)\n"
        "charges: TF*(1 + XTF*(If/(If + ITF))^2*exp(bc/(1.44*VTF)))*If/qb, TR*Ir, depletion of CJE, CJC (share XCJC inside), CJS\n"
        "(Gummel, Poon: Bell System Technical Journal 49, 1970; Antognetti, Massobrio: Semiconductor Device Modeling with "
        "SPICE, 1988, chapter 2; ngspice manual, chapter 8)",
    .example = "<bjt id=\"Q1\" c=\"out\" b=\"in\" e=\"0\" type=\"npn\" IS=\"1e-15\" BF=\"200\" VAF=\"100 V\" IKF=\"20 mA\" ISE=\"1e-14\" "
               "RB=\"100 Ohm\" RBM=\"20 Ohm\" RE=\"1 Ohm\" RC=\"5 Ohm\" CJE=\"8 pF\" CJC=\"4 pF\" TF=\"0.4 ns\" TR=\"50 ns\"/>",
    .ports = ports,
    .nports = 4,
    .params = params,
    .nparams = NPARAMS,
    .nvalues = NPARAMS,
    .nwork = NWORK,
    .prepare = prepare,
    LN_DEVICE_MEMBERS(device),
};
