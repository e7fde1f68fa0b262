/* SPDX-License-Identifier: MIT */
/* See the header for sources and conventions. */
#include "blocks/native/spice_diode_equations.h"

#include "blocks/native/diode_equations.h"

#include <math.h>

/* In breakdown -IS e^(-(v + BV)/(NBV Vt)) takes the place of the reverse current. */
static double diode_junction(const ln_spice_diode *d, const ln_exponential *exponential, double v,
                             double *slope) {
    double steep;
    if (!(v < -d->breakdown))
        return ln_spice_junction(v, exponential->saturation, exponential->scale, slope);
    const double edge =
        ln_spice_junction(-d->breakdown, exponential->saturation, exponential->scale, &steep);
    return ln_breakdown_edge(v + d->breakdown, -edge, d->reverse_scale, slope);
}

/* In the depletion layer, whose width it follows: ISR (e^(v/(NR Vt)) - 1) ((1 - v/VJ)^2 +
 * 0.005)^(M/2); below -3 N Vt it stays. */
static double recombination(const ln_spice_diode *d, double v, double *slope) {
    const double least = -3.0 * d->floor.scale, m = d->floor_layer.grading,
                 at = v < least ? least : v;
    const double open = 1.0 - at / d->floor_layer.potential, inside = open * open + 0.005,
                 width = pow(inside, 0.5 * m);
    const double i =
        ln_junction_current(at, d->recombination.saturation, d->recombination.scale, slope);
    *slope = v < least
                 ? 0.0
                 : *slope * width - i * width * m * open / (inside * d->floor_layer.potential);
    return i * width;
}

/* High injection: i/(1 + sqrt(i/knee)). */
static double injected(double i, double knee, double *slope) {
    const double root = sqrt(fabs(i) / knee), per = 1.0 / (1.0 + root);
    *slope *= (1.0 + 0.5 * root) * per * per;
    return i * per;
}

double ln_spice_diode_current(const ln_spice_diode *d, double v, double *slope) {
    double more = 0.0, i = diode_junction(d, &d->floor, v, slope);
    if (d->recombination.saturation > 0.0) {
        i += recombination(d, v, &more);
        *slope += more;
    }
    if (d->side.saturation > 0.0) {
        i += diode_junction(d, &d->side, v, &more);
        *slope += more;
    }
    if (d->tunnel.saturation > 0.0) {
        i -= ln_junction_current(-v, d->tunnel.saturation, d->tunnel.scale, &more);
        *slope += more;
    }
    const int is_forward = v >= -3.0 * d->floor.scale;
    const double knee = is_forward ? d->forward_knee : d->reverse_knee;
    return knee > 0.0 && (is_forward ? i > 1e-18 : i < -1e-18) ? injected(i, knee, slope) : i;
}

double ln_spice_diode_charge(const ln_spice_diode *d, double v, double current, double slope,
                             double *capacitance) {
    const double charge = ln_depletion_charges(v, &d->floor_layer, &d->side_layer, capacitance);
    *capacitance += d->transit * slope;
    return charge + d->transit * current;
}

/* Through the junction, with GMIN. */
static double conducted(const ln_spice_diode *d, double across, double *slope) {
    const double i = ln_spice_diode_current(d, across, slope);
    *slope += d->gmin;
    return i + d->gmin * across;
}

/* The voltage at which an exponential that carries `edge` at 0 would carry all of v / RS. */
static double most_of(double v, double series, double edge, double scale) {
    return edge > 0.0 ? scale * log1p(v / (series * edge)) : v;
}

/* Newton's step from w, where the junction carries i and RS would carry `through`: of the balance
 * itself, or of its logarithm where the junction, which may be exponential, carries too much. */
static double junction_step(const ln_spice_diode *d, double i, double slope, double through) {
    if (i * through > 0.0 && fabs(i) > fabs(through))
        return log(through / i) / (slope / i + 1.0 / (through * d->series));
    return (through - i) / (slope + 1.0 / d->series);
}

/* Junction and RS in series carry one current. It grows with the voltage, so the junction's voltage
 * w lies between 0 and v, and what is found of it narrows that. Newton's method is done when the
 * square of its step over twice an exponential's scale, which is what is left, is rounding. */
double ln_spice_diode_junction(const ln_spice_diode *d, double v) {
    enum { MOST = 100 }; /* halving alone takes 60 */
    static const double rounding = 4.0 * 2.2e-16;
    double low = v < 0.0 ? v : 0.0, high = v < 0.0 ? 0.0 : v, w = v, slope;
    if (!(d->series > 0.0) || v == 0.0)
        return v;
    if (v > 0.0)
        w = fmin(v, most_of(v, d->series, d->floor.saturation, d->floor.scale));
    else if (v < -d->breakdown)
        w = fmax(v, -d->breakdown - most_of(-v - d->breakdown, d->series, d->floor.saturation,
                                            d->reverse_scale));
    for (int k = 0; k < MOST; k++) {
        const double i = conducted(d, w, &slope), through = (v - w) / d->series,
                     step = junction_step(d, i, slope, through);
        if (through > i)
            low = w;
        else
            high = w;
        const double next = w + step;
        if (step * step <= rounding * fabs(w) * fmin(d->floor.scale, d->reverse_scale))
            return next;
        w = next >= low && next <= high ? next : 0.5 * (low + high);
    }
    return w;
}

void ln_spice_diode_branches(const ln_spice_diode *d, const double *v, ln_flow *flow) {
    const double across = ln_spice_diode_junction(d, v[LN_DIODE_A] - v[LN_DIODE_N]);
    double g, c;
    flow[LN_DIODE_RESISTANCE] =
        (ln_flow){d->conductance * (v[LN_DIODE_P] - v[LN_DIODE_A]), {d->conductance}};
    const double i = ln_spice_diode_current(d, across, &g),
                 q = ln_spice_diode_charge(d, across, i, g, &c);
    g += d->gmin;
    flow[LN_DIODE_CURRENT] = (ln_flow){i + d->gmin * across, {g / (1.0 + g * d->series)}};
    flow[LN_DIODE_CHARGE] = (ln_flow){q, {c}};
}

/* RS, which is linear, takes its share of the way. */
int ln_spice_diode_limit(const ln_spice_diode *d, const double *v_old, double *v) {
    const double across = v_old[LN_DIODE_A] - v_old[LN_DIODE_N],
                 way = v[LN_DIODE_A] - v[LN_DIODE_N] - across;
    double slope = 0.0;
    if (way > 0.0 ? across + way <= 0.0 : !isfinite(d->breakdown))
        return 0; /* further into the region that blocks: nothing is steep there */
    const double old = ln_spice_diode_junction(d, across);
    if (d->series > 0.0)
        conducted(d, old, &slope);
    const double wanted = old + way / (1.0 + slope * d->series);
    double to = wanted > old ? ln_junction_limit(old, wanted, d->floor.scale) : wanted;
    if (wanted < old && isfinite(d->breakdown)) {
        const double back =
            ln_junction_limit(-(old + d->breakdown), -(wanted + d->breakdown), d->reverse_scale);
        if (back < -(wanted + d->breakdown))
            to = -back - d->breakdown;
    }
    if (!(to < wanted || to > wanted))
        return 0;
    v[LN_DIODE_A] = v[LN_DIODE_N] + to + d->series * conducted(d, to, &slope);
    return 1;
}
