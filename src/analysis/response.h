/* SPDX-License-Identifier: MIT */
/* The small-signal response H(s) = Y/U of a linearised model, with its exact derivative in s.
 *
 *     H = c X + d,  (s E + A) X = b          dH/ds = -c (s E + A)^-1 E X
 *
 * Everything that depends on s is computed in ln_response_at(); that includes the factors of
 * transport delays, which are exact. */
#ifndef LN_ANALYSIS_RESPONSE_H
#define LN_ANALYSIS_RESPONSE_H

#include "analysis/delayed.h"

typedef struct ln_response {
    ln_small_signal *small; /* borrowed */
    ln_arena *arena;        /* borrowed: the linearisation's */
    ln_linear *solver;      /* owned */
    const char *input;      /* as it was asked for */
    ln_input *inputs;
    double complex *weights;
    int ninputs;
    int noutputs;
    const char **names, **units; /* of the outputs; a unit may be "" */
    double *c;
    double complex *d;                      /* noutputs x n, row by row; noutputs */
    double *values, *b, *x, *dx, *column;   /* private: pairs; column: n numbers */
    ln_delay_shares in_a, in_b, in_c, in_d; /* private: what delays add */
    double complex *factor, *slope;         /* private: of each term of the delays */
} ln_response;

/* From the input to the outputs (names separated by commas or blanks), all of which must have been
 * requested when the simulation was prepared (ln_small_signal_choose). The input may be several
 * that are driven together, each as NAME, NAME:SIZE or NAME:SIZE@DEGREES: "V1:0.5 V2:-0.5".
 * LINNET_USAGE, reported, for names that mean nothing. To be freed in any case. */
linnet_status ln_response_begin(ln_response *response, ln_small_signal *small, const char *input,
                                const char *outputs, ln_linear_kind kind);
/* Adds another input: what comes in through the first one comes in there too. */
linnet_status ln_response_join(ln_response *response, const char *input);
void ln_response_free(ln_response *response);

/* h and dh (noutputs values each; dh may be NULL) at s. LINNET_RETRY: s is a pole of the model. */
linnet_status ln_response_at(ln_response *response, double complex s, double complex *h,
                             double complex *dh);

/* A sweep over frequencies. */
typedef struct ln_bode {
    int count, noutputs;
    double *frequency;               /* count, Hz */
    double complex *h;               /* noutputs x count, output by output; NAN at a pole */
    double *decibel, *phase, *delay; /* the same; degrees, unwrapped along the sweep; s */
    int poles;                       /* frequencies at which the model has a pole */
} ln_bode;
/* Room for it in the arena of `small`; then the points of each output in their order, h NAN at a
 * pole, with dh its derivative by s. */
linnet_status ln_bode_begin(ln_small_signal *small, int count, int noutputs, ln_bode *out);
void ln_bode_put(ln_bode *bode, int output, int k, double complex h, double complex dh);
/* Fills h, decibel, phase and delay at the frequencies given. stop as in ln_simulation_run(). */
linnet_status ln_bode_sweep(ln_response *response, const double *frequency, int count,
                            int (*stop)(void *context), void *context, ln_bode *out);

#endif
