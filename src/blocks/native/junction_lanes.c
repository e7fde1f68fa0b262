/* SPDX-License-Identifier: MIT */
/* See the header. Loops over lanes become vectors by -O3 only. The pragma would else lose the
 * command line's contraction. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=off")
#endif

#include "blocks/native/junction_lanes.h"

#include "base/pairs.h"
#include "blocks/native/diode_equations.h"
#include "blocks/native/junction_equations.h"

#include <math.h>

#define NAPIER 2.718281828459045

enum { LANES = LN_DEVICE_LANES, PAIRS = LANES / 2 };
typedef ln_pair pair;
typedef ln_mask mask;

static inline pair get(const double *row, int p) {
    return ln_pair_get(row, p);
}

static inline pair select(mask which, pair a, pair b) {
    return ln_pair_select(which, a, b);
}

void ln_junction_lanes(const double *v, const double *saturation, const double *scale,
                       double *current, double *slope) {
    for (int p = 0; p < PAIRS; p++) {
        const pair at = get(v, p), is = get(saturation, p);
        const pair part = 3.0 * get(scale, p) / (at * NAPIER), cube = part * part * part;
        ln_pair_put(slope, p, 3.0 * is * cube / at);
        ln_pair_put(current, p, -is * (1.0 + cube));
    }
    for (int l = 0; l < LANES; l++) {
        if (saturation[l] == 0.0)
            current[l] = slope[l] = 0.0;
        else if (!(v[l] < -3.0 * scale[l]))
            current[l] = ln_junction_current(v[l], saturation[l], scale[l], &slope[l]);
    }
}

/* A voltage as a part of a layer's potential, and what the square root or the power of 1 - share
 * makes of it (charge_at() in junction_equations.c); beyond the knee nothing. */
typedef struct place {
    ln_device_lanes share, reach, grown, root;
} place;

static inline int is_abrupt(double grading) {
    return !(grading < 0.5 || grading > 0.5);
}

static void find_shares(const double *v, const ln_depletion_lanes *layer, place *at) {
    for (int p = 0; p < PAIRS; p++) {
        const pair share = get(v, p) / get(layer->potential, p);
        ln_pair_put(at->share, p, share);
        ln_pair_put(at->reach, p, 1.0 - share);
        ln_pair_put(at->root, p, ln_pair_of(0));
        ln_pair_put(at->grown, p, ln_pair_of(0));
    }
}

static void find_powers(const double *v, const ln_depletion_lanes *layer, place *at) {
    ln_device_lanes rest;
    for (int p = 0; p < PAIRS; p++) {
        const pair reach = get(at->reach, p);
        ln_pair_put(rest, p, (1.0 - reach - get(at->share, p)) / reach);
    }
    for (int l = 0; l < LANES; l++) {
        if (!(v[l] < layer->knee[l]))
            continue;
        if (is_abrupt(layer->grading[l])) {
            at->root[l] = sqrt(at->reach[l]);
            at->grown[l] = -at->share[l] / (1.0 + at->root[l]);
        } else {
            const double logarithm = log(at->reach[l]) + rest[l];
            at->grown[l] = ln_junction_less_one((1.0 - layer->grading[l]) * logarithm);
        }
    }
}

void ln_depletion_charge_lanes(const double *v, const ln_depletion_lanes *layer, double *charge,
                               double *slope) {
    place at;
    find_shares(v, layer, &at);
    find_powers(v, layer, &at);
    for (int p = 0; p < PAIRS; p++) {
        const pair c = get(layer->capacitance, p), vj = get(layer->potential, p),
                   m = get(layer->grading, p), reach = get(at.reach, p), root = get(at.root, p),
                   grown = get(at.grown, p), low = get(layer->knee_slope, p),
                   bend = get(layer->knee_bend, p), knee = get(layer->knee, p);
        const mask is_root = (mask)(root > 0.0), is_none = (mask)(c == 0.0),
                   is_below = (mask)(get(v, p) < knee);
        const pair power =
            select(is_root, ln_pair_of(1), 1.0 + grown) / select(is_root, root, reach);
        const pair q = -vj * grown / (1.0 - m), beyond = get(v, p) - knee;
        const pair all = c *
                         select(is_below, q,
                                get(layer->knee_charge, p) + beyond * (low + 0.5 * bend * beyond)),
                   by = select(is_below, power * c, c * (low + bend * beyond));
        ln_pair_put(charge, p, select(is_none, ln_pair_of(0), all));
        ln_pair_put(slope, p, select(is_none, ln_pair_of(0), by));
    }
}
