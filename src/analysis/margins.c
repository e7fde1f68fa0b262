/* SPDX-License-Identifier: MIT */
/* Crossings are bracketed between neighbouring samples of the curve and refined by Brent's method
 * (R. P. Brent, Algorithms for Minimization without Derivatives, 1973, chapter 4) on ln w; minima
 * of |1 + L| are zeros of its exact derivative. */
#include "analysis/margins.h"

#include "analysis/loop_curve.h"
#include "base/sys.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double tau = 6.283185307179586476925, degree = 180 / 3.14159265358979323846;

/* With transport delays L turns for ever. Nobody asks for a gain margin above 100, or for the five
 * thousandth turn. */
static const double FAINT = 0.01;
enum { MOST_TURNS = 5000 };

/* ---- crossings ---- */

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
        linnet_status status = ln_loop_at(curve, exp(b), &point);
        if (status == LINNET_RETRY)
            break; /* a pole: not a zero */
        LN_TRY(status);
        fb = criterion(kind, &point);
    }
    return ln_loop_at(curve, exp(b), at);
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

/* The crossings between two neighbours. A change of sign at a pole of L is none. */
static linnet_status look_between(ln_loop_curve *curve, const ln_loop_point *low,
                                  const ln_loop_point *high, ln_margins *out, size_t *room) {
    for (int kind = LN_CROSSING_GAIN; kind <= LN_CROSSING_MODULUS; kind++) {
        double before = criterion((ln_crossing_kind)kind, low),
               after = criterion((ln_crossing_kind)kind, high);
        if (!isfinite(before) || !isfinite(after) || before == 0 ||
            (after != 0 && (before > 0) == (after > 0)))
            continue;
        if (kind == LN_CROSSING_MODULUS && before > 0)
            continue; /* a maximum */
        if (kind == LN_CROSSING_PHASE && creal(low->L) > 0 && creal(high->L) > 0)
            continue;
        if (kind != LN_CROSSING_GAIN && cabs(low->L) < curve->faint && cabs(high->L) < curve->faint)
            continue;
        ln_loop_point at;
        linnet_status status = refine(curve, (ln_crossing_kind)kind, low, high, &at);
        if (status == LINNET_RETRY)
            continue;
        LN_TRY(status);
        if (kind == LN_CROSSING_PHASE && (creal(at.L) > 0 || fabs(cimag(at.L)) > 1e-6 * cabs(at.L)))
            continue;
        if (kind == LN_CROSSING_GAIN && fabs(cabs(at.L) - 1) > 1e-6)
            continue;
        LN_TRY(keep(out, room, (ln_crossing_kind)kind, &at));
    }
    return LINNET_OK;
}

/* At w = 0 L is real: on the negative axis it has a gain margin there. */
static linnet_status look_at_zero(ln_loop_curve *curve, ln_margins *out, size_t *room) {
    ln_loop_point at;
    linnet_status status = ln_loop_at(curve, 0, &at);
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

/* |1 + L| may be least at an end of the curve: then that is where L is nearest to -1. Where L fades
 * away, the distance nears 1 from either side and is no margin. */
static linnet_status look_at_ends(const ln_loop_curve *curve, ln_margins *out, size_t *room) {
    double least = 1 - 1e-6;
    for (int k = 0; k < out->ncrossings; k++)
        if (out->crossings[k].kind == LN_CROSSING_MODULUS)
            least = fmin(least, out->crossings[k].margin);
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

static void decide(ln_margins *out) {
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
            if (out->modulus == NULL || crossing->margin < out->modulus->margin)
                out->modulus = crossing;
        }
    }
}

/* ---- the whole ---- */

/* Natural frequencies: where the curve is looked at, and who grows. */
static linnet_status use_modes(ln_small_signal *exact, ln_margins *out, double *low, double *high,
                               double **also, int *nalso) {
    ln_small_signal expanded;
    ln_modes modes = {.count = 0};
    linnet_status status = ln_pade_expand(exact, LN_MARGINS_PADE, &expanded);
    ln_small_signal *small = &expanded;
    int all = small->n <= LN_DENSE_MODES;
    if (status == LINNET_OK)
        status =
            all ? ln_modes_find(small, 0, 0, 0, &modes) : ln_modes_find(small, 50, 1e-3, 0, &modes);
    out->unstable = out->marginal = all ? 0 : -1;
    *also = status == LINNET_OK ? LN_NEW(out->arena, double, 3 * (size_t)modes.count) : NULL;
    if (status == LINNET_OK && *also == NULL)
        status = ln_no_memory(small->report);
    double least = INFINITY, most = 0;
    for (int k = 0; status == LINNET_OK && k < modes.count; k++) {
        double re = modes.modes[k].re, im = modes.modes[k].im, size = hypot(re, im);
        if (all && re > 1e-9 * size)
            out->unstable++;
        else if (all && fabs(re) <= 1e-9 * fmax(size, 1e-3))
            out->marginal++;
        if (!(size > 1e-9))
            continue;
        least = fmin(least, size);
        most = fmax(most, size);
        if (!(im > 0))
            continue;
        (*also)[(*nalso)++] = im;
        (*also)[(*nalso)++] = im + fabs(re);
        if (im > fabs(re))
            (*also)[(*nalso)++] = im - fabs(re);
    }
    ln_modes_free(&modes);
    ln_small_signal_free(&expanded);
    *low = most > 0 ? 1e-4 * least : 1e-3;
    *high = most > 0 ? 1e4 * most : 1e3;
    double longest = 0;
    for (int k = 0; k < exact->nterms; k++)
        longest = fmax(longest, exact->terms[k].lag);
    if (longest > 0)
        *high = fmin(fmax(*high, 100 / longest), MOST_TURNS * tau / longest);
    return status;
}

/* Does this joint read the signal, and is it what is opened: any reader, or the one that is named?
 */
static int is_opened(const ln_network *network, const ln_joint *joint, const char *signal, int only,
                     ln_arena *arena, const char **name) {
    const ln_instance *instance = &network->instances[joint->instance];
    const linnet_port *port = &instance->block.type->ports[joint->port];
    if (!(port->flags & LINNET_INPUT))
        return 0;
    *name = ln_arena_printf(arena, "%s.%s", instance->name, port->name);
    return *name == NULL || !only || strcmp(*name, signal) == 0;
}

/* What is added to the signal enters every reader; b becomes the sum of their columns. */
static linnet_status add_readers(ln_small_signal *small, const ln_link *link, const char *signal,
                                 ln_linear_kind kind, ln_response *response) {
    const ln_network *network = small->system->network;
    const char *name = NULL;
    int only = 0, count = 0;
    for (int k = 0; k < link->nports && !only; k++)
        only =
            is_opened(network, &network->joints[link->first + k], signal, 1, small->arena, &name);
    for (int k = 0; k < link->nports; k++) {
        if (!is_opened(network, &network->joints[link->first + k], signal, only, small->arena,
                       &name))
            continue;
        if (name == NULL)
            return ln_no_memory(small->report);
        if (count++ == 0) {
            LN_TRY(ln_response_begin(response, small, name, link->name, kind));
            continue;
        }
        LN_TRY(ln_response_join(response, name));
    }
    if (count == 0)
        return ln_fail(small->report, LINNET_USAGE, LN_NOWHERE,
                       "nothing reads '%s': it is in no loop; linnet loops "
                       "lists those there are",
                       signal);
    response->d[0] = 0; /* what the driver gives, without what is added */
    return LINNET_OK;
}

static linnet_status begin(ln_small_signal *small, const char *signal, ln_linear_kind kind,
                           ln_response *response) {
    const ln_network *network = small->system->network;
    ln_quantity quantity;
    const char *nearest = NULL;
    if (!ln_network_find(network, signal, &quantity, &nearest))
        return ln_fail(small->report, LINNET_USAGE, LN_NOWHERE,
                       "there is no signal '%s' to open a loop at%s%s%s", signal,
                       nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                       nearest != NULL ? "'?" : "");
    for (int k = 0; quantity.kind == LN_Q_UNKNOWN && k < network->nlinks; k++)
        if (network->links[k].unknown == quantity.index &&
            network->links[k].domain == LINNET_SIGNAL)
            return add_readers(small, &network->links[k], signal, kind, response);
    return ln_fail(small->report, LINNET_USAGE, LN_NOWHERE,
                   "a loop is opened at a signal, which '%s' is not; name a "
                   "signal link or a block's signal input",
                   signal);
}

static int by_frequency(const void *left, const void *right) {
    const ln_loop_crossing *a = left, *b = right;
    return a->w != b->w ? (a->w > b->w) - (a->w < b->w) : (int)a->kind - (int)b->kind;
}

static linnet_status find_in(ln_small_signal *small, const char *signal, ln_loop_curve *curve,
                             ln_margins *out, size_t *room) {
    double low, high, *also = NULL;
    int nalso = 0;
    LN_TRY(use_modes(small, out, &low, &high, &also, &nalso));
    if (small->nterms > 0)
        curve->faint = FAINT;
    LN_TRY(ln_loop_sample(curve, low, high, also, nalso));
    int closed = 0;
    for (size_t k = 0; k < curve->count && !closed; k++)
        closed = curve->points[k].L != 0;
    if (!closed)
        return ln_fail(small->report, LINNET_USAGE, LN_NOWHERE,
                       "nothing comes back to '%s': it is in no loop; linnet "
                       "loops lists those there are",
                       signal);
    LN_TRY(look_at_zero(curve, out, room));
    for (size_t k = 0; k + 1 < curve->count; k++)
        LN_TRY(look_between(curve, &curve->points[k], &curve->points[k + 1], out, room));
    LN_TRY(look_at_ends(curve, out, room));
    if (out->ncrossings > 0)
        qsort(out->crossings, (size_t)out->ncrossings, sizeof *out->crossings, by_frequency);
    decide(out);
    out->points = curve->points;
    out->npoints = (int)curve->count;
    curve->points = NULL;
    return LINNET_OK;
}

linnet_status ln_margins_find(ln_small_signal *small, const char *signal, ln_linear_kind kind,
                              ln_margins *out) {
    ln_response response = {.noutputs = 0};
    ln_loop_curve curve = {.response = &response};
    size_t room = 0;
    *out = (ln_margins){.arena = ln_arena_new(), .delays = small->nterms};
    linnet_status status =
        out->arena != NULL ? begin(small, signal, kind, &response) : LINNET_MEMORY;
    if (status == LINNET_OK)
        status = find_in(small, signal, &curve, out, &room);
    ln_sys->release(curve.points);
    ln_response_free(&response);
    if (status == LINNET_MEMORY)
        (void)ln_no_memory(small->report);
    return status;
}

void ln_margins_free(ln_margins *margins) {
    ln_sys->release(margins->crossings);
    ln_sys->release(margins->points);
    ln_arena_free(margins->arena);
    *margins = (ln_margins){.ncrossings = 0};
}
