/* SPDX-License-Identifier: MIT */
/* Sampling L(jw): a logarithmic grid and the natural frequencies to begin with; then every interval
 * is halved in which L turns by more than 15 degrees, changes by more than a factor of 2, or
 * otherwise than the slopes at its ends foretell. */
#include "analysis/loop_curve.h"

#include "base/sys.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TURN = 0.26, GROWTH = 0.7, MISMATCH = 0.02; /* rad, ln|L|, of both */
static const double NARROWEST = 1e-9;                           /* relative width of an interval */
enum { PER_DECADE = 30, ROUNDS = 32, MOST = 400000 };

linnet_status ln_loop_at_signal(const ln_loop_curve *curve, double w, ln_loop_point *point) {
    double complex t, dt;
    LN_TRY(ln_response_at(curve->response, w * I, &t, &dt));
    double complex s = 1 + t; /* the sensitivity 1/(1 + L) */
    if (s == 0)
        return LINNET_RETRY;
    *point = (ln_loop_point){w, -t / s, -I * dt / (s * s)};
    return LINNET_OK;
}

linnet_status ln_loop_at_probe(const ln_loop_curve *curve, double w, ln_loop_point *point) {
    double complex q, dq;
    LN_TRY(ln_loop_probe_at(curve->probe, w * I, &q, &dq));
    const double complex s = 1 - q;
    if (s == 0)
        return LINNET_RETRY;
    *point = (ln_loop_point){w, q / s, I * dq / (s * s)};
    return LINNET_OK;
}

static int by_frequency(const void *left, const void *right) {
    double a = ((const ln_loop_point *)left)->w, b = ((const ln_loop_point *)right)->w;
    return (a > b) - (a < b);
}

/* Adds a point, a little beside it if it is a pole. */
static linnet_status add(ln_loop_curve *curve, double w) {
    ln_loop_point point;
    linnet_status status = curve->at(curve, w, &point);
    for (int k = 0; status == LINNET_RETRY && k < 3; k++)
        status = curve->at(curve, w *= 1 + 1e-7, &point);
    if (status == LINNET_RETRY)
        return LINNET_OK;
    LN_TRY(status);
    if (!LN_GROW(curve->points, curve->count, curve->room))
        return LINNET_MEMORY;
    curve->points[curve->count++] = point;
    return LINNET_OK;
}

static int needs_more(const ln_loop_curve *curve, const ln_loop_point *a, const ln_loop_point *b) {
    if (b->w - a->w <= NARROWEST * b->w || a->L == 0 || b->L == 0)
        return 0;
    if (cabs(a->L) < curve->faint && cabs(b->L) < curve->faint)
        return 0;
    double span = log(b->w / a->w);
    double complex ratio = b->L / a->L, slope_a = a->dL * a->w / a->L,
                   slope_b = b->dL * b->w / b->L;
    double complex told = (slope_a + slope_b) / 2 * span;
    double turn = carg(ratio), growth = log(cabs(ratio));
    if (fabs(turn) > TURN || fabs(growth) > GROWTH)
        return 1;
    return fabs(turn - cimag(told)) > MISMATCH || fabs(growth - creal(told)) > MISMATCH;
}

/* One round of halving; *more tells whether anything was halved. */
static linnet_status refine(ln_loop_curve *curve, int *more) {
    size_t before = curve->count;
    *more = 0;
    for (size_t k = 0; k + 1 < before && curve->count < MOST; k++) {
        if (!needs_more(curve, &curve->points[k], &curve->points[k + 1]))
            continue;
        LN_TRY(add(curve, sqrt(curve->points[k].w) * sqrt(curve->points[k + 1].w)));
        *more = 1;
    }
    qsort(curve->points, curve->count, sizeof *curve->points, by_frequency);
    return LINNET_OK;
}

linnet_status ln_loop_sample(ln_loop_curve *curve, double low, double high, const double *also,
                             size_t nalso) {
    int steps = (int)ceil(log10(high / low) * PER_DECADE), more = 1;
    for (int k = 0; k <= steps; k++)
        LN_TRY(add(curve, low * pow(high / low, (double)k / steps)));
    for (size_t k = 0; k < nalso; k++)
        LN_TRY(add(curve, also[k]));
    if (curve->count > 0)
        qsort(curve->points, curve->count, sizeof *curve->points, by_frequency);
    for (int round = 0; round < ROUNDS && more; round++)
        LN_TRY(refine(curve, &more));
    return LINNET_OK;
}
