/* SPDX-License-Identifier: MIT */
/* The diode and the Zener diode: descriptors and the calls of the block interface. The mathematics
 * is in diode_equations.c.
 *
 *     v = p.v - n.v
 *     diode        p.i = Is (e^(v/(N Vt)) - 1) + Gmin v                                  n.i = -p.i
 *     zener-diode  p.i = Is (e^(v/(N Vt)) - 1) - Ibv (e^(-(v + Bv)/(Nbv Vt)) - e^(-Bv/(Nbv Vt))) +
 * Gmin v
 *
 * Parameters bear their SPICE names. The Zener diode carries -Ibv at v = -Bv (but for the leakage);
 * the last term of its breakdown makes i(0) = 0, so that it never gives power. */
#include "blocks/native/diode_equations.h"
#include "blocks/native/native.h"

#include <math.h>

enum { P, N };                                 /* local unknowns and rows: the two ports */
enum { IS, EMISSION, VT, GMIN, BV, IBV, NBV }; /* parameters; the diode has the first four */
/* derived: N*Vt, Nbv*Vt, see ln_breakdown_shift() */
enum { SCALE, REVERSE_SCALE, REVERSE_SHIFT, NWORK };

static const linnet_port ports[] = {
    {"p", LINNET_ELECTRICAL, 0, "anode"},
    {"n", LINNET_ELECTRICAL, 0, "cathode"},
};

/* clang-format off */
#define JUNCTION_PARAMETERS \
    {"Is", "A", "1e-14 A", 0, INFINITY, LINNET_OPEN_MIN, "saturation current", IS, 1, 1, NULL}, \
    {"N", "", "1", 0, INFINITY, LINNET_OPEN_MIN, "emission coefficient", EMISSION, 1, 1, NULL}, \
    {"Vt", "V", "25.85 mV", 0, INFINITY, LINNET_OPEN_MIN, \
     "thermal voltage k*T/q; 25.85 mV is 300 K", VT, 1, 1, NULL}, \
    {"Gmin", "S", "1e-12 S", 0, INFINITY, 0, "conductance across the junction", GMIN, 1, 1, NULL}
/* clang-format on */

static const linnet_param diode_params[] = {JUNCTION_PARAMETERS};
static const linnet_param zener_params[] = {
    JUNCTION_PARAMETERS,
    {"Bv", "V", NULL, 0, INFINITY, LINNET_REQUIRED | LINNET_OPEN_MIN, "breakdown voltage", BV, 1, 1,
     NULL},
    {"Ibv", "A", "1 mA", 0, INFINITY, LINNET_OPEN_MIN, "reverse current at the breakdown voltage",
     IBV, 1, 1, NULL},
    {"Nbv", "", "1", 0, INFINITY, LINNET_OPEN_MIN, "emission coefficient of the breakdown", NBV, 1,
     1, NULL},
};

static const linnet_alias zener_aliases[] = {{"Vz", "Bv"}, {"Iz", "Ibv"}};

static const linnet_entry entries[] = {
    {P, P, LINNET_A, LINNET_STATE},
    {P, N, LINNET_A, LINNET_STATE},
    {N, P, LINNET_A, LINNET_STATE},
    {N, N, LINNET_A, LINNET_STATE},
};

/* What a current `i` with slope g = di/dv, flowing from p to n, contributes. */
static void conduct(double i, double g, linnet_out *out) {
    out->f[P] = i;
    out->f[N] = -i;
    out->entry[0] = g;
    out->entry[1] = -g;
    out->entry[2] = -g;
    out->entry[3] = g;
}

static linnet_status diode_prepare(const linnet_block *block, char message[256]) {
    (void)message; /* nothing can be wrong that the ranges have not caught */
    block->work[SCALE] = block->p[EMISSION] * block->p[VT];
    return LINNET_OK;
}

static linnet_status diode_eval(const linnet_block *block, const linnet_point *point,
                                linnet_out *out) {
    const double v = point->x[P] - point->x[N];
    double g;
    const double i = ln_junction_current(v, block->p[IS], block->work[SCALE], &g);
    conduct(i + block->p[GMIN] * v, g + block->p[GMIN], out);
    return LINNET_OK;
}

/* Moves the anode so that the junction sees v. Only the difference counts, so it does not matter
 * which end moves. */
static int move_to(double v, double *x) {
    const double wanted = x[P] - x[N];
    if (!(v < wanted || v > wanted))
        return 0;
    x[P] = x[N] + v;
    return 1;
}

static int diode_limit(const linnet_block *block, const double *x_old, double *x_new) {
    return move_to(ln_junction_limit(x_old[P] - x_old[N], x_new[P] - x_new[N], block->work[SCALE]),
                   x_new);
}

static linnet_status zener_prepare(const linnet_block *block, char message[256]) {
    const double *p = block->p;
    const double scale = p[NBV] * p[VT];
    (void)message;
    block->work[SCALE] = p[EMISSION] * p[VT];
    block->work[REVERSE_SCALE] = scale;
    block->work[REVERSE_SHIFT] = ln_breakdown_shift(p[IS], p[IBV], p[BV], scale);
    return LINNET_OK;
}

static linnet_status zener_eval(const linnet_block *block, const linnet_point *point,
                                linnet_out *out) {
    const double *p = block->p;
    const double v = point->x[P] - point->x[N];
    double g, g_reverse;
    const double forward = ln_junction_current(v, p[IS], block->work[SCALE], &g);
    const double reverse =
        ln_breakdown_current(v, p[IBV], p[BV], block->work[REVERSE_SCALE], &g_reverse);
    conduct(forward + reverse + p[GMIN] * v, g + g_reverse + p[GMIN], out);
    return LINNET_OK;
}

static int zener_limit(const linnet_block *block, const double *x_old, double *x_new) {
    const double v_old = x_old[P] - x_old[N], v_new = x_new[P] - x_new[N],
                 shift = block->work[REVERSE_SHIFT];
    if (v_new > v_old)
        return move_to(ln_junction_limit(v_old, v_new, block->work[SCALE]), x_new);
    const double w =
        ln_junction_limit(-(v_old + shift), -(v_new + shift), block->work[REVERSE_SCALE]);
    /* where nothing is to be limited, do not let the shift there and back round the voltage */
    return w < -(v_new + shift) ? move_to(-w - shift, x_new) : 0;
}

const linnet_block_class ln_diode_class = {
    .abi = LINNET_ABI,
    .name = "diode",
    .doc = "Junction diode (Shockley)",
    .formula = "v = p.v - n.v\n"
               "p.i = Is*(exp(v/(N*Vt)) - 1) + Gmin*v\n"
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
    .nwork = NWORK,
    .nonlinear_rows = "11",
    .prepare = diode_prepare,
    .eval = diode_eval,
    .limit = diode_limit,
};

const linnet_block_class ln_zener_diode_class = {
    .abi = LINNET_ABI,
    .name = "zener-diode",
    .doc = "Zener diode: a junction that breaks down at -Bv",
    .formula =
        "v = p.v - n.v\n"
        "p.i = Is*(exp(v/(N*Vt)) - 1) - Ibv*(exp(-(v + Bv)/(Nbv*Vt)) - exp(-Bv/(Nbv*Vt))) + "
        "Gmin*v\n"
        "n.i = -p.i\n"
        "(exp goes on as its tangent beyond an argument of 230; breakdown with SPICE's parameters)",
    .example = "<zener-diode id=\"Z1\" p=\"0\" n=\"out\" Bv=\"5.1 V\"/>",
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
    .nwork = NWORK,
    .nonlinear_rows = "11",
    .prepare = zener_prepare,
    .eval = zener_eval,
    .limit = zener_limit,
};
