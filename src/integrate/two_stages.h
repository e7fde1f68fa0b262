/* SPDX-License-Identifier: MIT */
/* What the two-stage methods of order 2 share: TR-BDF2, and the SDIRK method that begins where f at
 * the start is not to be relied upon (tr_bdf2.c). Both have alpha = 2/(gamma h) at both stages; the
 * SDIRK method's inner point lies at LN_SDIRK_INNER h. */
#ifndef LN_INTEGRATE_TWO_STAGES_H
#define LN_INTEGRATE_TWO_STAGES_H

#include "integrate/implicit.h"

static const double ln_gamma = 0.58578643762690495119831;       /* 2 - sqrt(2) */
static const double ln_sdirk_inner = 0.29289321881345247559916; /* gamma/2 */

/* The weight of q at the inner point less q at the start in the second stage's w. */
static inline double ln_sdirk_weight(double h) {
    return (2 - 1 / ln_sdirk_inner) / (ln_sdirk_inner * h);
}

/* The error of the equations of a step of h into run->w, by f at its start and its end (run) and at
 * its inner point (n values), which lies at `inside` h. */
void ln_two_stage_error(ln_run *run, double h, double inside, const double *f_inner);

#endif
