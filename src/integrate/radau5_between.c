/* SPDX-License-Identifier: MIT */
/* Does the collocation polynomial of a step of radau5 hold between its nodes? The error test is
 * about the end of a step. What a user sees within a step, and where events are sought, is the
 * polynomial: a node that falls fast and is then caught by a diode has good values at the nodes,
 * and the polynomial through them shoots past the diode by volts.
 *
 * Where the polynomial leaves the range of the two nodes beside a point by more than its
 * bound, it has an extremum or is wrong. What the point misses of its equations tells which: the
 * rate of what is stored is that of the polynomial through the charges. In the first step after an
 * instant what is not stored may have left its start at once (parabola.h), and goes by the stages
 * alone. */
#include "integrate/radau5.h"

#include "base/loops.h"

#include <float.h>
#include <math.h>

/* The increments of the stages weigh so much in the polynomial, and in its slope times the step. */
typedef struct node_weights {
    double value[3], slope[3];
} node_weights;

/* Lagrange's basis at s on the nodes from `from` on of 0, c1, c2, 1, but for that of 0, where the
 * increment is 0. */
static node_weights weights_at(double s, int from) {
    node_weights out;
    for (int j = 0; j < 3; j++) {
        double value = 1, slope = 0;
        for (int k = from; k < 4; k++) {
            if (k == j + 1)
                continue;
            const double apart = ln_radau5_node[j + 1] - ln_radau5_node[k];
            slope = (slope * (s - ln_radau5_node[k]) + value) / apart;
            value *= (s - ln_radau5_node[k]) / apart;
        }
        out.value[j] = value;
        out.slope[j] = slope;
    }
    return out;
}

static double sum(const double weight[3], double *const of[3], int i) {
    return weight[0] * of[0][i] + weight[1] * of[1][i] + weight[2] * of[2][i];
}

/* The polynomials at a point: the one through all nodes, and the one of what is not stored. */
typedef struct polynomials {
    double s;
    node_weights stored, other;
} polynomials;

static polynomials polynomials_at(const ln_radau5 *radau, double s) {
    return (polynomials){s, weights_at(s, 0), weights_at(s, radau->leaves_start)};
}

/* Of unknown i, as increments from the step's start: where that lies behind a layer at it, and the
 * polynomial at a point. */
static double behind_layer(const ln_radau5 *radau, int i) {
    return radau->estimate.has_layer ? radau->estimate.layer[i] : 0;
}
static double value_of(const ln_radau5 *radau, const polynomials *at, int i) {
    const double *by = at->stored.value;
    return radau->jacobian.stored[i] || !radau->leaves_start
               ? sum(by, radau->stages.z, i) + (1 - by[0] - by[1] - by[2]) * behind_layer(radau, i)
               : sum(at->other.value, radau->stages.z, i);
}

/* Where of the middles between nodes the polynomial goes farthest beyond them; 0: nowhere beyond
 * its bound. */
static double find_farthest(ln_run *run, ln_radau5 *radau, const double *bound) {
    double farthest = 1, at = 0;
    for (int part = 0; part < 3; part++) {
        const polynomials middle =
            polynomials_at(radau, (ln_radau5_node[part] + ln_radau5_node[part + 1]) / 2);
        const double *after = radau->stages.z[part],
                     *before = part > 0 ? radau->stages.z[part - 1] : NULL;
        for (int i = 0; i < run->n; i++) {
            const double a = before != NULL ? before[i] : behind_layer(radau, i), b = after[i];
            const double value = value_of(radau, &middle, i);
            const double beyond = ln_larger(value - ln_larger(a, b), ln_smaller(a, b) - value);
            if (!(beyond > farthest * bound[i]))
                continue;
            farthest = beyond / bound[i];
            run->errors.dominant = i;
            at = middle.s;
        }
    }
    return at;
}

/* After so many trials a potential that is not stored is no reason for a still shorter step: then
 * the point that the step begins at is itself off, and no step mends that. Coils that end at open
 * switches of 1 MOhm relax within three (tests/switching.sh: a rectifier's thyristor at 1e-3). In a
 * first step they may do without that point. */
enum { MOST_TRIALS = 3 };

/* Must unknown i hold between the nodes? What is stored, and the potentials and fluxes that users
 * read, those of floating parts among them, of which differences alone are stored. No step mends
 * signals that follow from noise, as the phase of a harmonic that is not there, nor forces of
 * constraints, which the polynomial keeps only so far. */
static int is_judged(const ln_run *run, const ln_radau5 *radau, int i) {
    const int may_leave_start = radau->first && !radau->leaves_start;
    const int read = radau->is_physical[i] && (radau->rejected < MOST_TRIALS || may_leave_start);
    const int floats = run->system->nparts > 0 && run->system->common_unknown[i] >= 0;
    return ((radau->jacobian.stored[i] && !floats) || read) &&
           (run->index == NULL || run->index[i] == 1 || may_leave_start);
}

static void find_bounds(const ln_run *run, const ln_radau5 *radau, double *bound) {
    for (int i = 0; i < run->n; i++) {
        const double size = ln_larger(fabs(run->x[i]), fabs(run->x[i] + radau->stages.z[2][i]));
        bound[i] = is_judged(run, radau, i)
                       ? LN_EXPECTED * radau->rtol *
                             ln_error_unit(run, i, ln_larger(run->errors.peak[i], size))
                       : DBL_MAX;
    }
}

/* The same of the polynomials at hand. */
static int hold(ln_run *run, ln_radau5 *radau, ln_side side) {
    double *x = radau->stages.work[0], *rate = radau->stages.work[1], *bound = run->x1;
    find_bounds(run, radau, bound);
    const double s = find_farthest(run, radau, bound);
    if (s == 0)
        return 1;
    const polynomials here = polynomials_at(radau, s);
    for (int i = 0; i < run->n; i++) {
        x[i] = run->x[i] + value_of(radau, &here, i);
        rate[i] = sum(here.stored.slope, radau->stages.q_increment, i) / radau->h;
    }
    radau->end.evaluated = 0;
    const ln_point_check at = {
        gamma_ / radau->h, ln_side_at(side, run->side.t + s * radau->h), rate, x, radau->end.q_nl,
        radau->end.f};
    const int dominant = run->errors.dominant;
    const double missed = ln_run_defect_norm(run, &at, radau->cache.real, bound, radau->y);
    run->errors.dominant = dominant;
    return missed <= 1;
}

int ln_radau5_holds_between(ln_run *run, ln_radau5 *radau, ln_side side) {
    radau->leaves_start = 0;
    if (hold(run, radau, side))
        return 1;
    radau->leaves_start = radau->first;
    return radau->first && hold(run, radau, side);
}
