/* SPDX-License-Identifier: MIT */
/* How many natural modes of a closed loop grow, by H. Nyquist's count on the exact curve.
 *
 * F of opening.h has the zeros of the closed model and the poles of the opened one, of which the
 * kernel counts those that grow (P). Along s = jw from 0 to infinity the angle of F turns by theta;
 * on the large arc through the right half plane F is c s^r, r the degree of the closed model less
 * that of the opened one, with all delays cut since they fade away there. So
 *
 *     Z = P + r/2 - theta/pi.
 *
 * Poles and zeros on the axis itself (integrators) are divided out first. Where delays remain on
 * the axis at high frequency (F / c s^r does not go to 1: a delay around a loop without lag) the
 * angle that they leave belongs to the ends of the arc; when they may reach -1 themselves,
 * infinitely many modes grow. */
#ifndef LN_ANALYSIS_NYQUIST_H
#define LN_ANALYSIS_NYQUIST_H

#include "analysis/opening.h"

enum { LN_NYQUIST_ENDLESS = 1000000000 }; /* infinitely many */

/* Frequencies (rad/s, above 0, any order) at which something happens, and the range. */
typedef struct ln_frequencies {
    double *w;
    size_t count, room; /* w: to be released */
    double low, high;
} ln_frequencies;

/* The frequencies of n values (pairs): of each the middle of its resonance, and its flanks. */
linnet_status ln_frequencies_add(ln_frequencies *list, const double *value, int count);

typedef struct ln_nyquist {
    int unstable;  /* modes that grow; -1: not known */
    int turns_off; /* 1: the curve was followed to no whole number of turns */
    ln_eigen open; /* of the opened model, delays cut */
} ln_nyquist;

/* marginal: modes of the closed model on the axis (pairs), which F is freed of. Adds the
 * frequencies of the opened model to the list. Failures are reported. */
linnet_status ln_nyquist_count(const ln_opening *opening, const double *marginal, int nmarginal,
                               ln_frequencies *list, ln_nyquist *out);

#endif
