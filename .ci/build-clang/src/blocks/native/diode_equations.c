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
    if (x > -0.5 && x < 0.5) {
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
