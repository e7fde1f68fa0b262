/* SPDX-License-Identifier: MIT */
/* The model linearised at a point, for eigenvalues, state matrices and frequency response.
 *
 *     (s E + A) X = B U,      Y = C X + D U
 *
 * E is dq/dx and A is df/dx of  d/dt q(x) + f(x, t) = 0  with exact derivatives, both over one
 * pattern; X, U, Y are small deviations. Note the sign: the natural motions exp(s t) are where s E
 * + A is singular, x' = -E^-1 A x where E is regular. The point is an operating point, or any time
 * of a run, with E and A as they are there. Memories and the modes of conditions are frozen.
 * Transport delays pass changes on at once in E and A; each of the terms says what exp(-s lag) in
 * place of 1 makes of that (delayed.h does it exactly, pade.h by rational functions). */
#ifndef LN_ANALYSIS_SMALL_SIGNAL_H
#define LN_ANALYSIS_SMALL_SIGNAL_H

#include "analysis/simulation.h"
#include "linear/eigen.h"
#include "system/linearise.h"

typedef struct ln_small_signal {
    ln_system *system; /* borrowed */
    ln_arena *arena;   /* owned: what follows, and the inputs */
    ln_report *report; /* borrowed */
    int n;
    ln_moment at;
    double *x;                 /* the point */
    const ln_pattern *pattern; /* of E and A both */
    double *E, *A;
    /* the same with what the rounding of sums has cut off; NULL until it is asked for */
    const ln_pencil *pencil;
    ln_delay_term *terms;
    int nterms; /* transport delays */
    /* not NULL: the delays are unknowns of the model by now (pade.h) */
    const struct ln_pade *pade;
    int at_rest;       /* an operating point, else a time of a run */
    const char *means; /* what the operating point or start needed: "Newton", "gmin stepping" */
} ln_small_signal;

/* At the operating point of a prepared simulation (need_settings 0 suffices), or at the time t of
 * its run, which is made to t first (stop, context: see ln_simulation_run). The result is the
 * caller's in any case, to be freed. Failures are reported. */
linnet_status ln_small_signal_at_rest(ln_simulation *simulation, ln_small_signal *out);
linnet_status ln_small_signal_at_time(ln_simulation *simulation, double t,
                                      int (*stop)(void *context), void *context,
                                      ln_small_signal *out);
/* At a point that the caller has (n values, copied). */
linnet_status ln_small_signal_at_point(ln_system *system, ln_side side, const double *x,
                                       ln_report *report, ln_small_signal *out);
void ln_small_signal_free(ln_small_signal *small_signal);

/* An input by its name (system/linearise.h says what may be one); lives as long as the
 * linearisation. An unknown one is reported: LINNET_USAGE. */
linnet_status ln_small_signal_input(ln_small_signal *small_signal, const char *name,
                                    ln_input *input);
/* The row of C (n values) and the row of D (ninputs values) of a quantity. Failures are reported.
 */
linnet_status ln_small_signal_output(ln_small_signal *small_signal, const ln_quantity *output,
                                     const ln_input *inputs, int ninputs, double *c, double *d);
/* The same of a model whose delays no chains stand for. */
linnet_status ln_small_signal_plain_output(ln_small_signal *small_signal, const ln_quantity *output,
                                           const ln_input *inputs, int ninputs, double *c,
                                           double *d);

/* The column of B of an input (n values, zeroed before by the caller). */
linnet_status ln_small_signal_column(ln_small_signal *small_signal, const ln_input *input,
                                     double *b);
/* What unknown i is called. NULL when memory is short. */
const char *ln_small_signal_name(const ln_small_signal *small_signal, int unknown);
/* As ln_system_storage(), for all unknowns. */
linnet_status ln_small_signal_storage(ln_small_signal *small_signal, ln_storage_visit *visit,
                                      void *context);

/* E and A as sums of the blocks' entries, exactly: what many small entries beside a large one are
 * worth shows in their differences. Owned by the linearisation. Failures are reported. */
linnet_status ln_small_signal_exact(ln_small_signal *small_signal, const ln_pencil **pencil);

/* s E + A: at the pattern's positions, as pairs re, im, for ln_linear_new_complex(). */
void ln_small_signal_pencil(const ln_small_signal *small_signal, double re, double im,
                            double *values);

/* A ln_choose_record for analyses that need no trajectory: requests the fluxes among the quantities
 * (names, separated by blanks or commas; the context), so that ln_small_signal_output() may ask for
 * them; records nothing else. */
linnet_status ln_small_signal_choose(void *names, ln_simulation *simulation);

#endif
