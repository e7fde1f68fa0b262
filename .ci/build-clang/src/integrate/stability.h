/* SPDX-License-Identifier: MIT */
/* How long a step an explicit method may take: |R(h s)| <= 1 for every mode s, where R is its
 * stability function. */
#ifndef LN_INTEGRATE_STABILITY_H
#define LN_INTEGRATE_STABILITY_H

#include "integrate/runge_kutta.h"

/* The largest r with |R(rho exp(i angle))| <= 1 for all 0 < rho <= r; 0 when the region does not
 * begin in this direction (Euler's method along the imaginary axis). angle: pi/2 to pi, the left
 * half plane. */
double ln_stability_radius(const ln_tableau *tableau, double angle);

/* The largest step for `count` modes (pairs re, im), and in *limiting the mode that sets it. Modes
 * that do not decay are left out: growth is what the model does. INFINITY and -1 when no mode
 * limits the step. */
double ln_stable_step(const ln_tableau *tableau, const double *modes, int count, int *limiting);

#endif
