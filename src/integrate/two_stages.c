/* SPDX-License-Identifier: MIT */
/* The error that the two-stage methods of order 2 estimate: see tr_bdf2.c for the formula. */
/* The loop becomes vectors by -O3 only. The pragma would else lose the command line's
 * contraction. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=off")
#endif

#include "integrate/two_stages.h"

#include "base/loops.h"

void ln_two_stage_error(ln_run *run, double h, double inside, const double *f_inner) {
    const double g = ln_gamma, c = inside, alpha = 2 / (g * h),
                 k = (-3 * g * g + 4 * g - 2) / (12 * (2 - g));
    const double factor = -2 * k * h * alpha;
    const double *start = run->f, *inner = f_inner, *end = run->f1;
    double *w = run->w;
    LN_APART
    for (int i = 0; i < run->n; i++)
        w[i] = factor * (start[i] / c - inner[i] / (c * (1 - c)) + end[i] / (1 - c));
}
