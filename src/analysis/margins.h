/* SPDX-License-Identifier: MIT */
/* Margins of a control loop, opened at a signal or at physical ports (loop_probe.h).
 *
 * The driver of the signal is cut from its readers; u goes to the readers, y comes back from the
 * driver, and the loop transfer is L = -Y/U: the usual sign for negative feedback, so the closed
 * loop is stable on its border where L = -1. With v added to the signal of the closed loop, the
 * driver gives T0 = Y/V = -L/(1 + L); so L = -T0/(1 + T0), exact for large and small L, and nothing
 * has to be cut. */
#ifndef LN_ANALYSIS_MARGINS_H
#define LN_ANALYSIS_MARGINS_H

#include "analysis/modes.h"
#include "analysis/nyquist.h"
#include "analysis/pade.h"
#include "analysis/response.h"

typedef struct ln_loop_point {
    double w;             /* rad/s */
    double complex L, dL; /* and its derivative by w */
} ln_loop_point;

typedef enum ln_crossing_kind {
    LN_CROSSING_GAIN,   /* |L| = 1 */
    LN_CROSSING_PHASE,  /* arg L = -180 degrees */
    LN_CROSSING_MODULUS /* a local minimum of |1 + L| */
} ln_crossing_kind;

typedef struct ln_loop_crossing {
    ln_crossing_kind kind;
    double w; /* rad/s, to rounding */
    /* GAIN: phase margin, degrees in (-180, 180]; PHASE: gain margin, the factor that makes |L| 1;
     * MODULUS: |1 + L| */
    double margin;
    double delay; /* GAIN: the dead time that makes the loop oscillate there, s */
} ln_loop_crossing;

typedef struct ln_margins {
    ln_arena *arena; /* owned */
    ln_loop_crossing *crossings;
    int ncrossings; /* by rising frequency */
    /* the decisive one of each, NULL: none. gain: the gain margin nearest to 1 (as a factor);
     * phase: the smallest phase margin */
    const ln_loop_crossing *gain, *phase, *delay, *modulus;
    double period; /* of a sampled loop, s (sampled_loop.h); 0: it is continuous */
    int delays;    /* transport delays: the modes are those of approximants */
    /* Modes of the closed loop that grow, by Nyquist's count on the exact curve (nyquist.h);
     * LN_NYQUIST_ENDLESS: infinitely many; -1: the model is too large, or the curve gave no whole
     * number of turns. */
    int unstable;
    int growing, marginal; /* the modes that grow, and that neither grow nor decay; -1: too large */
    ln_loop_point *points;
    int npoints; /* the grid, as fine as the curve needs */
} ln_margins;

/* Order of the Pade approximants by which the natural modes of a model with transport delays are
 * told; L is exact. */
enum { LN_MARGINS_PADE = 12 };

/* The loop through a signal, into one block's signal input ("G1.in"), or through a physical port.
 * LINNET_USAGE for a name that is none of them, or that is in no loop. The result is the caller's
 * in any case, to be freed. */
linnet_status ln_margins_find(ln_small_signal *small, const char *signal, ln_linear_kind kind,
                              ln_margins *out);
/* How many modes grow: Nyquist's count, else that of the modes where it is exact; -1: not told. */
int ln_margins_growing(const ln_margins *margins);
void ln_margins_free(ln_margins *margins);

/* The loop transfer itself over frequency, the loop opened as by ln_margins_find(): an ln_bode of
 * one output in the arena of `small`. stop as in ln_simulation_run(), or NULL. */
typedef struct ln_loop_sweep {
    const double *frequency; /* count, Hz */
    int count;
    int (*stop)(void *context);
    void *context;
} ln_loop_sweep;
linnet_status ln_loop_bode(ln_small_signal *small, const char *signal, ln_linear_kind kind,
                           const ln_loop_sweep *sweep, ln_bode *out);

#endif
