/* SPDX-License-Identifier: MIT */
/* The natural modes of a linearised model: eigenvalues with what a user wants to know of them. */
#ifndef LN_ANALYSIS_MODES_H
#define LN_ANALYSIS_MODES_H

#include "analysis/small_signal.h"
#include "integrate/stability.h"
#include "linear/eigen.h"

/* A state in a mode. Its share is |w_i E_ij x_j| summed over the entries that store it
 * (participation factor of Perez- Arriaga, Verghese and Schweppe 1982); the shares of a mode sum
 * to 1. */
typedef struct ln_participant {
    const char *name; /* "C1.v", "L1.i", "plant.x1" */
    double share;
} ln_participant;

typedef struct ln_eigenmode {
    double re, im; /* eigenvalue, 1/s */
    /* how well its vectors satisfy the model; by how much, 1/s, the eigenvalue may be wrong because
     * the model's numbers are rounded (linear/eigen.h) */
    double residual, uncertainty;
    ln_participant *states;
    int nstates; /* by falling share; those below 0.001 are left out */
} ln_eigenmode;

typedef struct ln_modes {
    ln_small_signal *small; /* borrowed */
    ln_arena *arena;        /* owned */
    ln_eigenmode *modes;
    int count;            /* by rising modulus; of a pair the one with im > 0 first */
    const double *values; /* the same eigenvalues as pairs, for ln_stable_step() */
    int all;              /* every finite mode, else those nearest to a point */
    int index;            /* -1: not known */
    /* index above 1: unknowns that follow a derivative, by name */
    const char **hidden;
    int nhidden;
    const char **tied;
    int ntied; /* and the blocks whose storage the algebra ties */
} ln_modes;

/* More unknowns than this are not taken apart as a dense pencil. */
enum { LN_DENSE_MODES = 1500 };

/* All modes (count 0), or the `count` nearest to (re, im). Failures are reported: a model too large
 * for all, a singular pencil. The result is the caller's in any case. */
linnet_status ln_modes_find(ln_small_signal *small, int count, double re, double im, ln_modes *out);
void ln_modes_free(ln_modes *modes);

/* Of a mode; an infinite or undefined one is INFINITY or NAN. Time constant -1/re [s]; natural
 * frequency |s|/(2 pi) [Hz]; damping ratio -re/|s|. */
double ln_mode_time(const ln_eigenmode *mode);
double ln_mode_frequency(const ln_eigenmode *mode);
double ln_mode_damping(const ln_eigenmode *mode);
/* Largest by smallest |re| of the modes that decay; NAN when none does. */
double ln_modes_stiffness(const ln_modes *modes);

/* The largest stable step of an explicit method (NULL tableau: never) and the mode that sets it. */
double ln_modes_step(const ln_modes *modes, const ln_method *method, int *limiting);

/* ---- from one input to one output ---- */

/* H(s) = gain prod(s - zero)/prod(s - pole), all poles of the model among the poles. */
typedef struct ln_transfer {
    double *zeros;
    int nzeros; /* pairs, by rising modulus */
    double gain;
    double at_zero; /* H(0); not finite when 0 is a pole */
    int none;       /* the output does not see the input at all */
} ln_transfer;
/* The zeros are those of the pencil [s E + A, -B; C, D] (Rosenbrock 1970). In the arena of `modes`,
 * which must hold all. */
linnet_status ln_transfer_find(ln_modes *modes, const ln_input *input, const ln_quantity *output,
                               ln_transfer *out);

#endif
