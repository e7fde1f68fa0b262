/* SPDX-License-Identifier: MIT */
/* Transport delays in a linearised model as rational functions, for what needs finitely many
 * states: eigenvalues, state matrices. exp(-s T) becomes its Pade approximant of degree N over N.
 *
 * A delay's part of A is a product: what it reads, e = gamma x + delta u, comes back as d and
 * enters rows, f += beta d; an output may see it as y += epsilon d. With N states z of its own for
 * each such product
 *
 *     T diag(weight) z' = rate z + in e,      d = out z + direct e.
 *
 * The approximant is tanh(s T/2) = x/(1 + x^2/(3 + x^2/(5 + ...))), x = s T/2, broken off (J. H.
 * Lambert, 1761; G. A. Baker, P. Graves-Morris, Pade Approximants, 1996, section 4.6), in exp(-s T)
 * = (1 - tanh)/(1 + tanh): a ladder without losses, so its numbers stay of one size whatever the
 * order. */
#ifndef LN_ANALYSIS_PADE_H
#define LN_ANALYSIS_PADE_H

#include "analysis/delayed.h"

enum { LN_PADE_ORDER = 6, LN_PADE_MOST = 40 }; /* unless told otherwise; the highest */

typedef struct ln_pade_chain {
    int term;
    double lag;
    const int *rows, *cols;
    int nrows, ncols;
    const double *beta, *gamma; /* by rows, by cols */
    int row, col;               /* indices of the largest beta and of the gamma that is 1 */
} ln_pade_chain;

typedef struct ln_pade {
    ln_small_signal *exact; /* borrowed */
    int order;
    double *weight, *rate, *in, *out; /* order; order x order, row by row; order; order */
    double direct;
    ln_pade_chain *chains;
    int nchains;
} ln_pade;

/* In the arena of the linearisation. Failures are reported. */
linnet_status ln_pade_make(ln_small_signal *exact, int order, ln_pade *out);
/* delta of every chain for an input, epsilon of every chain for an output (nchains values each). */
linnet_status ln_pade_input(const ln_pade *pade, const char *input, double *delta);
linnet_status ln_pade_output(const ln_pade *pade, const ln_quantity *output, double *epsilon);

/* The linearised model with z among its unknowns; an independent copy when there is no delay. The
 * caller's in any case, to be freed before `exact`. */
linnet_status ln_pade_expand(ln_small_signal *exact, int order, ln_small_signal *out);

#endif
