/* SPDX-License-Identifier: MIT */
/* Transport delays in a linearised model, exactly: wherever a delay takes part, in A, B, C or D,
 * its term k adds
 *
 *     (exp(-s T_k) - 1) * value
 *
 * to what is there with all delays at zero. The shares here are those values, each with its place.
 */
#ifndef LN_ANALYSIS_DELAYED_H
#define LN_ANALYSIS_DELAYED_H

#include "analysis/small_signal.h"

#include <complex.h>

typedef struct ln_delay_share {
    /* of A: row and unknown; of B: row and input; of C: output and unknown; of D: output and input
     */
    int term, row, col;
    double value;
} ln_delay_share;

/* items to be released */
typedef struct ln_delay_shares {
    ln_delay_share *items;
    size_t count, room;
} ln_delay_shares;

/* Each appends the shares to a list. Failures are reported. */
linnet_status ln_delayed_matrix(const ln_small_signal *small, ln_delay_shares *a);
linnet_status ln_delayed_input(ln_small_signal *small, const char *input, int col,
                               ln_delay_shares *b);
/* Where the shares of an output go: its row, in lists of C and of D. d may be NULL with no inputs.
 */
typedef struct ln_output_shares {
    int row;
    ln_delay_shares *c, *d;
} ln_output_shares;
linnet_status ln_delayed_output(ln_small_signal *small, const ln_quantity *output,
                                const ln_input *inputs, int ninputs, ln_output_shares shares);

/* exp(-s T) - 1 of every term and its derivative by s (nterms values each). */
void ln_delayed_factors(const ln_small_signal *small, double complex s, double complex *factor,
                        double complex *slope);

/* s E + A with the delays at their factors, as ln_small_signal_pencil() lays it out; a: the shares
 * of the matrix. */
void ln_delayed_pencil(const ln_small_signal *small, const ln_delay_shares *a, double complex s,
                       const double complex *factor, double *values);
/* Takes the derivative of that by s, times x, off `out` (pairs, n each). */
void ln_delayed_slope(const ln_small_signal *small, const ln_delay_shares *a,
                      const double complex *slope, const double *x, double *out);

#endif
