/* SPDX-License-Identifier: MIT */
/* Private to state_space: a state space whose transport delays are cut open, and its closing with
 * Pade approximants. Of the inputs the last nchains are what delays give, of the outputs the last
 * nchains what they read (pade.h: d and e). */
#ifndef LN_ANALYSIS_STATE_SPACE_DELAYS_H
#define LN_ANALYSIS_STATE_SPACE_DELAYS_H

#include "analysis/state_space.h"

typedef struct ln_raw_space {
    int n, ninputs, noutputs;
    double *A, *B, *C, *D; /* column by column */
    ln_pade pade;
    double *delta, *epsilon; /* by input, output asked for: nchains values each */
} ln_raw_space;

/* Finds the delays; counts become those with the delays. Failures are reported. */
linnet_status ln_raw_space_cut(ln_small_signal *small, const ln_space_ports *ports, int order,
                               ln_raw_space *raw);
/* Room for the matrices (those of `out` if nothing was cut), and the columns of B (unknowns x
 * ninputs) and rows of C and D (row by row) that belong to the delays. */
linnet_status ln_raw_space_begin(ln_raw_space *raw, int unknowns, ln_state_space *out, double *B,
                                 double *C, double *D);
/* Puts the approximants in; their states get labels. */
linnet_status ln_raw_space_close(const ln_raw_space *raw, ln_report *report, ln_state_space *out);

#endif
