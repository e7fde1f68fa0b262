/* SPDX-License-Identifier: MIT */
/* Stability and margins of a model with clocks, from its map over their common period (sampled.h).
 *
 * Multipliers are the eigenvalues of A in x[k+1] = A x[k] + B u[k]; one outside of the unit circle
 * grows. The loop through a signal is seen once a period, at the slowest clock: with v added to the
 * signal and held over the period, the signal is H v, and L = 1/H - 1 at z = exp(jwP), w up to
 * pi/P. */
#ifndef LN_ANALYSIS_SAMPLED_LOOP_H
#define LN_ANALYSIS_SAMPLED_LOOP_H

#include "analysis/margins.h"
#include "analysis/sampled.h"

typedef struct ln_multipliers {
    double period;        /* s; 0: the model has no clocks, or no map */
    const char *why_none; /* it has clocks and no map: why, in words; else NULL */
    const double *value;  /* count pairs, by falling modulus */
    int count;
    int growing, marginal; /* outside of the unit circle, on it */
} ln_multipliers;

/* Of all states and memories that a link sees. Lives in the arena of `small`. No map is no failure:
 * period is 0 then, and why_none tells the reason. */
linnet_status ln_multipliers_find(ln_small_signal *small, const ln_settings *settings,
                                  ln_multipliers *out);

/* As ln_margins_find(); where nothing comes back to the signal while memories stand still, but the
 * model has clocks, of the sampled loop: out->period is its period then. */
linnet_status ln_margins_find_any(ln_small_signal *small, const ln_settings *settings,
                                  const char *signal, ln_linear_kind kind, ln_margins *out);

#endif
