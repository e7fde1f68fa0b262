/* SPDX-License-Identifier: MIT */
/* Crossings are bracketed between samples of the curve and refined by Brent's method (R. P. Brent,
 * Algorithms for Minimization without Derivatives, 1973, chapter 4) on ln w; minima of |1 + L| are
 * zeros of its exact derivative. A criterion that is never further from zero than rounding leaves
 * it has no sign: it crosses nothing. */
#include "analysis/loop_curve.h"
#include "base/constants.h"

#include "base/sys.h"
#include <math.h>
#include <stdlib.h>

static const double degree = 180 / LN_PI;
static const double QUIET = 1e-10; /* a criterion below this is rounding */
static const double FADED = 1e-6;  /* |1 + L| as near to 1 as this: L has faded away */

/* What is zero at a crossing. */
static double criterion(ln_crossing_kind kind, const ln_loop_point *at) {
    switch (kind) {
    case LN_CROSSING_GAIN: return log(cabs(at->L));
    case LN_CROSSING_PHASE: return cimag(at->L) / cabs(at->L);
    default: return creal(conj(1 + at->L) * at->dL) * at->w;
    }
}

/* Brent's method on u = ln w; *at becomes the point nearest to the zero. */
static linnet_status refine(ln_loop_curve *curve, ln_crossing_kind kind, const ln_loop_point *low,
                            const ln_loop_point *high, ln_loop_point *at) {
    double a = log(low->w), b = log(high->w), fa = criterion(kind, low), fb = criterion(kind, high);
    double c = a, fc = fa, d = b - a, e = d;
    *at = *high;
    for (int k = 0; k < 100 && fb != 0; k++) {
        if ((fb > 0) == (fc > 0)) {
            c = a;
            fc = fa;
            d = e = b - a;
        }
        if (fabs(fc) < fabs(fb)) {
            a = b, b = c, c = a;
            fa = fb, fb = fc, fc = fa;
        }
        double tolerance = 2e-16 * fabs(b) + 1e-15, half = (c - b) / 2;
        if (fabs(half) <= tolerance)
            break;
        if (fabs(e) >= tolerance && fabs(fa) > fabs(fb)) {
            double s = fb / fa, p = 2 * half * s, q = 1 - s;
            if (a != c) {
                double r = fb / fc, t = fa / fc;
                p = s * (2 * half * t * (t - r) - (b - a) * (r - 1));
                q = (t - 1) * (r - 1) * (s - 1);
            }
            if (p > 0)
                q = -q;
            p = fabs(p);
            int good = 2 * p < fmin(3 * half * q - fabs(tolerance * q), fabs(e * q));
            e = good ? d : half;
            d = good ? p / q : half;
        } else {
            d = e = half;
        }
        a = b;
        fa = fb;
        b += fabs(d) > tolerance ? d : half > 0 ? tolerance : -tolerance;
        ln_loop_point point;
        linnet_status status = curve->at(curve, exp(b), &point);
        if (status == LINNET_RETRY)
            break; /* a pole: not a zero */
        LN_TRY(status);
        fb = criterion(kind, &point);
    }
    return curve->at(curve, exp(b), at);
}

/* 180 + arg L, within (-180, 180] */
static double phase_margin(double complex L) {
    return carg(-L) * degree;
}

static linnet_status keep(ln_margins *out, size_t *room, ln_crossing_kind kind,
                          const ln_loop_point *at) {
    size_t count = (size_t)out->ncrossings;
    if (!LN_GROW(out->crossings, count, *room))
        return LINNET_MEMORY;
    ln_loop_crossing one = {.kind = kind, .w = at->w};
    if (kind == LN_CROSSING_GAIN) {
        one.margin = phase_margin(at->L);
        double turn = one.margin > 0 ? one.margin : one.margin + 360;
        one.delay = turn / degree / at->w;
    } else {
        one.margin = kind == LN_CROSSING_PHASE ? 1 / cabs(at->L) : cabs(1 + at->L);
    }
    out->crossings[out->ncrossings++] = one;
    return LINNET_OK;
}

/* The sign of a criterion; 0: rounding alone. */
static int sign_at(ln_crossing_kind kind, const ln_loop_point *at) {
    const double value = criterion(kind, at);
    const double distance = cabs(1 + at->L);
    const double least = kind == LN_CROSSING_MODULUS ? QUIET * distance * distance : QUIET;
    return isfinite(value) && fabs(value) > least ? (value > 0) - (value < 0) : 0;
}

/* Whether a change of sign from low to high can be a crossing of this kind. */
static int may_cross(const ln_loop_curve *curve, ln_crossing_kind kind, const ln_loop_point *low,
                     const ln_loop_point *high) {
    if (kind == LN_CROSSING_MODULUS && sign_at(kind, low) > 0)
        return 0; /* a maximum */
    if (kind == LN_CROSSING_PHASE && creal(low->L) > 0 && creal(high->L) > 0)
        return 0;
    return kind == LN_CROSSING_GAIN || cabs(low->L) >= curve->faint ||
           cabs(high->L) >= curve->faint;
}

/* A change of sign at a pole of L is no crossing. */
static linnet_status look_between(ln_loop_curve *curve, ln_crossing_kind kind,
                                  const ln_loop_point *low, const ln_loop_point *high,
                                  ln_margins *out, size_t *room) {
    ln_loop_point at;
    linnet_status status = refine(curve, kind, low, high, &at);
    if (status == LINNET_RETRY)
        return LINNET_OK;
    LN_TRY(status);
    if (kind == LN_CROSSING_PHASE && (creal(at.L) > 0 || fabs(cimag(at.L)) > 1e-6 * cabs(at.L)))
        return LINNET_OK;
    if (kind == LN_CROSSING_GAIN && fabs(cabs(at.L) - 1) > 1e-6)
        return LINNET_OK;
    return keep(out, room, kind, &at);
}

/* All crossings of a kind along the curve. */
static linnet_status look_along(ln_loop_curve *curve, ln_crossing_kind kind, ln_margins *out,
                                size_t *room) {
    const ln_loop_point *last = NULL;
    int before = 0;
    for (size_t k = 0; k < curve->count; k++) {
        const ln_loop_point *here = &curve->points[k];
        const int now = sign_at(kind, here);
        if (now == 0)
            continue;
        if (before * now < 0 && may_cross(curve, kind, last, here))
            LN_TRY(look_between(curve, kind, last, here, out, room));
        before = now;
        last = here;
    }
    return LINNET_OK;
}

/* At w = 0 L is real: on the negative axis it has a gain margin there. */
static linnet_status look_at_zero(ln_loop_curve *curve, ln_margins *out, size_t *room) {
    ln_loop_point at;
    linnet_status status = curve->at(curve, 0, &at);
    if (status == LINNET_RETRY)
        return LINNET_OK;
    LN_TRY(status);
    double size = cabs(at.L);
    if (!isfinite(size) || size > 1e12)
        return LINNET_OK;
    if (creal(at.L) < 0)
        LN_TRY(keep(out, room, LN_CROSSING_PHASE, &at));
    /* 1 + L is even in w: a minimum there if it grows away from it */
    if (curve->count > 0 && criterion(LN_CROSSING_MODULUS, &curve->points[0]) > 0)
        return keep(out, room, LN_CROSSING_MODULUS, &at);
    return LINNET_OK;
}

/* Was the phase crossing of this end found already? A gain without frequency is found at 0. */
static int is_kept(const ln_margins *out, double end) {
    for (int k = 0; k < out->ncrossings; k++)
        if (out->crossings[k].kind == LN_CROSSING_PHASE &&
            fabs(out->crossings[k].margin * end + 1) <= QUIET)
            return 1;
    return 0;
}

/* The least |1 + L| of the minima found that are at most `least`; `least` itself: none is. */
static double least_distance(const ln_margins *out, double least, int *found) {
    *found = 0;
    for (int k = 0; k < out->ncrossings; k++)
        if (out->crossings[k].kind == LN_CROSSING_MODULUS && out->crossings[k].margin <= least) {
            least = out->crossings[k].margin;
            *found = 1;
        }
    return least;
}

/* L is known at infinite frequency. */
static linnet_status look_at_infinity(const ln_loop_curve *curve, ln_margins *out, size_t *room) {
    const int fades = fabs(curve->end) <= FADED;
    const ln_loop_point end = {.w = curve->end_w, .L = curve->end};
    int found;
    if (!fades && curve->end < 0 && !is_kept(out, curve->end))
        LN_TRY(keep(out, room, LN_CROSSING_PHASE, &end));
    (void)least_distance(out, fades ? 1 - FADED : fabs(1 + curve->end), &found);
    return fades || found ? LINNET_OK : keep(out, room, LN_CROSSING_MODULUS, &end);
}

/* Where L ends: at infinite frequency when it is known there, else at the ends of the curve. |1 +
 * L| may be least there. Where L fades away the distance nears 1 from either side and is no margin.
 */
static linnet_status look_at_ends(const ln_loop_curve *curve, ln_margins *out, size_t *room) {
    if (curve->ends)
        return look_at_infinity(curve, out, room);
    int found;
    double least = least_distance(out, 1 - FADED, &found);
    const ln_loop_point *ends[] = {&curve->points[0], &curve->points[curve->count - 1]},
                        *nearest = NULL;
    for (int k = 0; k < 2; k++) {
        if (!(cabs(1 + ends[k]->L) < least * (1 - 1e-9)))
            continue;
        nearest = ends[k];
        least = cabs(1 + nearest->L);
    }
    return nearest != NULL ? keep(out, room, LN_CROSSING_MODULUS, nearest) : LINNET_OK;
}

/* ---- the decisive ones ---- */

static void decide(const ln_loop_curve *curve, ln_margins *out) {
    for (int k = 0; k < out->ncrossings; k++) {
        const ln_loop_crossing *crossing = &out->crossings[k];
        switch (crossing->kind) {
        case LN_CROSSING_GAIN:
            if (out->phase == NULL || fabs(crossing->margin) < fabs(out->phase->margin))
                out->phase = crossing;
            if (out->delay == NULL || crossing->delay < out->delay->delay)
                out->delay = crossing;
            break;
        case LN_CROSSING_PHASE:
            if (out->gain == NULL || fabs(log(crossing->margin)) < fabs(log(out->gain->margin)))
                out->gain = crossing;
            break;
        default:
            if (curve->ends && fabs(curve->end) <= FADED && crossing->margin > 1 - FADED)
                break; /* L fades away: the distance of 1 at infinity is less */
            if (out->modulus == NULL || crossing->margin < out->modulus->margin)
                out->modulus = crossing;
        }
    }
}

static int by_frequency(const void *left, const void *right) {
    const ln_loop_crossing *a = left, *b = right;
    return a->w != b->w ? (a->w > b->w) - (a->w < b->w) : (int)a->kind - (int)b->kind;
}

linnet_status ln_loop_crossings(ln_loop_curve *curve, ln_margins *out) {
    size_t room = 0;
    LN_TRY(look_at_zero(curve, out, &room));
    for (int kind = LN_CROSSING_GAIN; kind <= LN_CROSSING_MODULUS; kind++)
        LN_TRY(look_along(curve, (ln_crossing_kind)kind, out, &room));
    LN_TRY(look_at_ends(curve, out, &room));
    if (out->ncrossings > 0)
        qsort(out->crossings, (size_t)out->ncrossings, sizeof *out->crossings, by_frequency);
    decide(curve, out);
    return LINNET_OK;
}
