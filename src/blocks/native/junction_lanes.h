/* SPDX-License-Identifier: MIT */
/* P-n junctions of several devices side by side: the equations of junction_equations.h, operation
 * by operation, so that the bits are the same. What is cheap is computed for all lanes by loops
 * that become vectors, and selected; exponentials and logarithms are computed for the lanes that
 * need them. */
#ifndef LN_BLOCKS_NATIVE_JUNCTION_LANES_H
#define LN_BLOCKS_NATIVE_JUNCTION_LANES_H

#include "base/pairs.h"
#include "blocks/native/device.h"
#include "blocks/native/junction_equations.h"

/* ln_depletion, of each lane. */
typedef struct ln_depletion_lanes {
    ln_device_lanes capacitance, potential, grading, knee, knee_charge, knee_slope, knee_bend;
} ln_depletion_lanes;

/* The layer of each lane, that many numbers into its linnet_block.work. */
static inline void ln_depletion_gather(const double *const *work, int at,
                                       ln_depletion_lanes *layer) {
    for (int p = 0; p < LN_DEVICE_LANES / 2; p++) {
        const ln_depletion *a = (const ln_depletion *)(work[2 * p] + at),
                           *b = (const ln_depletion *)(work[2 * p + 1] + at);
        ln_pair_put(layer->capacitance, p, (ln_pair){a->capacitance, b->capacitance});
        ln_pair_put(layer->potential, p, (ln_pair){a->potential, b->potential});
        ln_pair_put(layer->grading, p, (ln_pair){a->grading, b->grading});
        ln_pair_put(layer->knee, p, (ln_pair){a->knee, b->knee});
        ln_pair_put(layer->knee_charge, p, (ln_pair){a->knee_charge, b->knee_charge});
        ln_pair_put(layer->knee_slope, p, (ln_pair){a->knee_slope, b->knee_slope});
        ln_pair_put(layer->knee_bend, p, (ln_pair){a->knee_bend, b->knee_bend});
    }
}

/* As ln_spice_junction(). */
void ln_junction_lanes(const double *v, const double *saturation, const double *scale,
                       double *current, double *slope);
/* As ln_depletion_charge(). */
void ln_depletion_charge_lanes(const double *v, const ln_depletion_lanes *layer, double *charge,
                               double *slope);

#endif
