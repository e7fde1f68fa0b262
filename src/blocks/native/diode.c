/* SPDX-License-Identifier: MIT */
/* The diode and the Zener diode: descriptors and the calls of the block interface. The mathematics
 * is in diode_equations.c.
 *
 *     v = p.v - n.v
 *     diode        p.i = IS (e^(v/(N Vt)) - 1) + GMIN v                                  n.i = -p.i
 *     zener-diode  p.i = IS (e^(v/(N Vt)) - 1) - IBV (e^(-(v + BV)/(NBV Vt)) - e^(-BV/(NBV Vt))) +
 * GMIN v
 *
 * Parameters bear their SPICE names. The Zener diode carries -IBV at v = -BV (but for the leakage);
 * the last term of its breakdown makes i(0) = 0, so that it never gives power. */
#include "blocks/native/device.h"
#include "blocks/native/diode_equations.h"
#include "blocks/native/native.h"

#include <math.h>

enum { P, N };                                 /* local unknowns and rows: the two ports */
enum { IS, EMISSION, VT, GMIN, BV, IBV, NBV }; /* parameters; the diode has the first four */

static const linnet_port ports[] = {
    {"p", LINNET_ELECTRICAL, 0, "anode"},
    {"n", LINNET_ELECTRICAL, 0, "cathode"},
};

/* clang-format off */
#define JUNCTION_PARAMETERS \
    {"IS", "A", "1e-14 A", 0, INFINITY, LINNET_OPEN_MIN, "saturation current", IS, 1, 1, NULL}, \
    {"N", "", "1", 0, INFINITY, LINNET_OPEN_MIN, "emission coefficient", EMISSION, 1, 1, NULL}, \
    {"Vt", "V", "25.85 mV", 0, INFINITY, LINNET_OPEN_MIN, \
     "thermal voltage k*T/q; 25.85 mV is 300 K", VT, 1, 1, NULL}, \
    {"GMIN", "S", "1e-12 S", 0, INFINITY, 0, "conductance across the junction", GMIN, 1, 1, NULL}
/* clang-format on */

static const linnet_param diode_params[] = {JUNCTION_PARAMETERS};
static const linnet_param zener_params[] = {
    JUNCTION_PARAMETERS,
    {"BV", "V", NULL, 0, INFINITY, LINNET_REQUIRED | LINNET_OPEN_MIN, "breakdown voltage", BV, 1, 1,
     NULL},
    {"IBV", "A", "1 mA", 0, INFINITY, LINNET_OPEN_MIN, "reverse current at the breakdown voltage",
     IBV, 1, 1, NULL},
    {"NBV", "", "1", 0, INFINITY, LINNET_OPEN_MIN, "emission coefficient of the breakdown", NBV, 1,
     1, NULL},
};

static const linnet_alias zener_aliases[] = {{"Vz", "BV"}, {"Iz", "IBV"}};

static const linnet_entry entries[] = {
    {P, P, LINNET_A, LINNET_STATE},
    {P, N, LINNET_A, LINNET_STATE},
    {N, P, LINNET_A, LINNET_STATE},
    {N, N, LINNET_A, LINNET_STATE},
};

static const ln_branch branches[] = {{P, N, 0, 1, {{P, N}}, 0}};

/* What the branch contributes. */
static linnet_status conduct(const ln_flow *flow, linnet_out *out) {
    const double i = flow->value, g = flow->slope[0];
    out->f[P] = i;
    out->f[N] = -i;
    out->entry[0] = g;
    out->entry[1] = -g;
    out->entry[2] = -g;
    out->entry[3] = g;
    return LINNET_OK;
}

static linnet_status diode_prepare(const linnet_block *block, char message[256]) {
    const double *p = block->p;
    (void)message; /* nothing can be wrong that the ranges have not caught */
    *(ln_diode *)block->work =
        (ln_diode){.saturation = p[IS], .scale = p[EMISSION] * p[VT], .gmin = p[GMIN]};
    return LINNET_OK;
}

static void diode_flows(const linnet_block *block, const double *v, ln_flow *flow) {
    ln_diode_branches((const ln_diode *)block->work, v, flow);
}

static linnet_status diode_eval(const linnet_block *block, const linnet_point *point,
                                linnet_out *out) {
    ln_flow flow;
    diode_flows(block, point->x, &flow);
    return conduct(&flow, out);
}

static int diode_limit(const linnet_block *block, const double *x_old, double *x_new) {
    return ln_diode_limit((const ln_diode *)block->work, x_old, x_new);
}

static linnet_status zener_prepare(const linnet_block *block, char message[256]) {
    const double *p = block->p, scale = p[NBV] * p[VT];
    (void)message;
    *(ln_zener_diode *)block->work =
        (ln_zener_diode){.saturation = p[IS],
                         .scale = p[EMISSION] * p[VT],
                         .gmin = p[GMIN],
                         .knee = p[IBV],
                         .breakdown = p[BV],
                         .reverse_scale = scale,
                         .shift = ln_breakdown_shift(p[IS], p[IBV], p[BV], scale)};
    return LINNET_OK;
}

static void zener_flows(const linnet_block *block, const double *v, ln_flow *flow) {
    ln_zener_diode_branches((const ln_zener_diode *)block->work, v, flow);
}

static linnet_status zener_eval(const linnet_block *block, const linnet_point *point,
                                linnet_out *out) {
    ln_flow flow;
    zener_flows(block, point->x, &flow);
    return conduct(&flow, out);
}

static int zener_limit(const linnet_block *block, const double *x_old, double *x_new) {
    return ln_zener_diode_limit((const ln_zener_diode *)block->work, x_old, x_new);
}

int ln_diode_carried(const linnet_block_class *class, ln_carried *carried) {
    const int is_zener = class->eval == zener_eval;
    *carried = (ln_carried){.type = is_zener ? "ln_zener_diode" : "ln_diode",
                            .branches = branches,
                            .nbranches = 1,
                            .nnodes = 2,
                            .unknown = {P, N},
                            .sign = 1,
                            .flows = is_zener ? zener_flows : diode_flows};
    return is_zener || class->eval == diode_eval;
}

const linnet_block_class ln_diode_class = {
    .abi = LINNET_ABI,
    .name = "diode",
    .doc = "Junction diode (Shockley)",
    .formula = "v = p.v - n.v\n"
               "p.i = IS*(exp(v/(N*Vt)) - 1) + GMIN*v\n"
               "n.i = -p.i\n"
               "(exp goes on as its tangent beyond v = 230*N*Vt; Shockley, Bell System Technical "
               "Journal 28, 1949)",
    .example = "<diode id=\"D1\" p=\"in\" n=\"out\"/>",
    .ports = ports,
    .nports = 2,
    .params = diode_params,
    .nparams = 4,
    .nvalues = 4,
    .entries = entries,
    .nentries = 4,
    .reference_port = -1,
    .nwork = sizeof(ln_diode) / sizeof(double),
    .nonlinear_rows = "11",
    .prepare = diode_prepare,
    .eval = diode_eval,
    .limit = diode_limit,
};

const linnet_block_class ln_zener_diode_class = {
    .abi = LINNET_ABI,
    .name = "zener-diode",
    .doc = "Zener diode: a junction that breaks down at -BV",
    .formula =
        "v = p.v - n.v\n"
        "p.i = IS*(exp(v/(N*Vt)) - 1) - IBV*(exp(-(v + BV)/(NBV*Vt)) - exp(-BV/(NBV*Vt))) + "
        "GMIN*v\n"
        "n.i = -p.i\n"
        "(exp goes on as its tangent beyond an argument of 230; breakdown with SPICE's parameters)",
    .example = "<zener-diode id=\"Z1\" p=\"0\" n=\"out\" BV=\"5.1 V\"/>",
    .ports = ports,
    .nports = 2,
    .aliases = zener_aliases,
    .naliases = 2,
    .params = zener_params,
    .nparams = 7,
    .nvalues = 7,
    .entries = entries,
    .nentries = 4,
    .reference_port = -1,
    .nwork = sizeof(ln_zener_diode) / sizeof(double),
    .nonlinear_rows = "11",
    .prepare = zener_prepare,
    .eval = zener_eval,
    .limit = zener_limit,
};
