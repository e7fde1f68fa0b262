/* SPDX-License-Identifier: MIT */
/* P-n junctions: Shockley's equation (W. Shockley, Bell System Technical Journal 28, 1949) and an
 * exponential breakdown in SPICE's parameters BV, IBV, NBV. See the header for conventions. */
#include "blocks/native/diode_equations.h"

#include <math.h>

#define LARGEST_ARGUMENT 230.0

double ln_junction_exp(double x, double *slope) {
    if (x <= LARGEST_ARGUMENT)
        return *slope = exp(x);
    *slope = exp(LARGEST_ARGUMENT);
    return *slope * (1.0 + x - LARGEST_ARGUMENT);
}

double ln_junction_less_one(double x) {
    return x > -0.5 && x < 0.5 ? expm1(x) : exp(x) - 1.0;
}

double ln_junction_current(double v, double saturation, double scale, double *slope) {
    const double x = v / scale;
    double less;
    if (v == 0.0) {
        less = 0.0;
        *slope = 1.0;
    } else if (x > -0.5 && x < 0.5) {
        less = ln_junction_less_one(x);
        *slope = less + 1.0;
    } else {
        less = ln_junction_exp(x, slope) - 1.0;
    }
    *slope *= saturation / scale;
    return saturation * less;
}

double ln_breakdown_current(double v, double knee, double breakdown, double scale, double *slope) {
    const double current = knee * ln_junction_exp(-(v + breakdown) / scale, slope);
    *slope *= knee / scale;
    return knee * exp(-breakdown / scale) - current;
}

double ln_breakdown_edge(double v, double edge, double scale, double *slope) {
    const double current = edge * ln_junction_exp(-v / scale, slope);
    *slope *= edge / scale;
    return -current;
}

double ln_junction_limit(double v_old, double v_new, double scale) {
    if (v_new <= 0.0 || v_new - v_old <= 2.0 * scale)
        return v_new;
    const double from = v_old > 0.0 ? v_old : 0.0;
    /* tangent at `from`: e^(from/scale) (1 + (v_new - from)/scale) = e^(v/scale) */
    return from + scale * log1p((v_new - from) / scale);
}

double ln_breakdown_shift(double saturation, double knee, double breakdown, double scale) {
    const double decades = knee > saturation && saturation > 0.0 ? log(knee / saturation) : 0.0;
    return breakdown - scale * decades;
}

void ln_diode_branches(const ln_diode *d, const double *v, ln_flow *flow) {
    const double across = v[0] - v[1];
    double g;
    const double i = ln_junction_current(across, d->saturation, d->scale, &g);
    flow[0] = (ln_flow){i + d->gmin * across, {g + d->gmin}};
}

/* Moves the anode so that the junction sees `to`. Only the difference counts, so it does not matter
 * which end moves. */
static int move_anode(double to, double *v) {
    const double wanted = v[0] - v[1];
    if (!(to < wanted || to > wanted))
        return 0;
    v[0] = v[1] + to;
    return 1;
}

int ln_diode_limit(const ln_diode *d, const double *v_old, double *v) {
    return move_anode(ln_junction_limit(v_old[0] - v_old[1], v[0] - v[1], d->scale), v);
}

void ln_zener_diode_branches(const ln_zener_diode *d, const double *v, ln_flow *flow) {
    const double across = v[0] - v[1];
    double g, g_reverse;
    const double forward = ln_junction_current(across, d->saturation, d->scale, &g);
    const double reverse =
        ln_breakdown_current(across, d->knee, d->breakdown, d->reverse_scale, &g_reverse);
    flow[0] = (ln_flow){forward + reverse + d->gmin * across, {g + g_reverse + d->gmin}};
}

int ln_zener_diode_limit(const ln_zener_diode *d, const double *v_old, double *v) {
    const double old = v_old[0] - v_old[1], wanted = v[0] - v[1];
    if (wanted > old)
        return move_anode(ln_junction_limit(old, wanted, d->scale), v);
    const double back =
        ln_junction_limit(-(old + d->shift), -(wanted + d->shift), d->reverse_scale);
    /* where nothing is to be limited, do not let the shift there and back round the voltage */
    return back < -(wanted + d->shift) ? move_anode(-back - d->shift, v) : 0;
}
