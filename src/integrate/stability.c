/* SPDX-License-Identifier: MIT */
/* Stability regions of explicit formulas, from their tables. R(z) = 1 + z b'(I - z A)^-1 1 is a
 * polynomial, evaluated stage by stage (Hairer, Wanner: Solving Ordinary Differential Equations II,
 * IV.2). */
#include "integrate/stability.h"

#include <complex.h>
#include <math.h>

/* Farther than the region of any method here (6 stages reach 3.3; s^2 = 49 bounds all that 7 stages
 * can). */
static const double FARTHEST = 50, STRIDE = 0.01;
/* Of |R|, not |R| - 1 of an undamped mode: a method that amplifies does so visibly at the first
 * sample. */
static const double ROUNDING = 1e-12;
static const double AXIS = 1e-12; /* a real part below this share of the modulus is rounding */

static double amplification(const ln_tableau *tableau, double radius, double angle) {
    double complex z = radius * cos(angle) + radius * sin(angle) * I, k[LN_MOST_STAGES], sum = 1;
    for (int s = 0; s < tableau->stages; s++) {
        k[s] = 1;
        for (int j = 0; j < s; j++)
            k[s] += z * tableau->a[s][j] * k[j];
        sum += z * tableau->b[s] * k[s];
    }
    return cabs(sum);
}

double ln_stability_radius(const ln_tableau *tableau, double angle) {
    double stable = 0, unstable = 5 * STRIDE; /* nearer to 0 rounding hides what the formula does */
    if (amplification(tableau, unstable, angle) > 1 + ROUNDING)
        return 0;
    while (amplification(tableau, unstable, angle) <= 1 + ROUNDING) {
        stable = unstable;
        unstable += STRIDE;
        if (unstable > FARTHEST)
            return INFINITY;
    }
    for (int k = 0; k < 60; k++) {
        double middle = stable + (unstable - stable) / 2;
        if (amplification(tableau, middle, angle) <= 1 + ROUNDING)
            stable = middle;
        else
            unstable = middle;
    }
    return stable;
}

double ln_stable_step(const ln_tableau *tableau, const double *modes, int count, int *limiting) {
    double step = INFINITY;
    *limiting = -1;
    for (int k = 0; k < count; k++) {
        double re = modes[2 * k], im = fabs(modes[2 * k + 1]), size = hypot(re, im);
        if (size == 0 || re > AXIS * size || (im == 0 && re > 0))
            continue;
        if (fabs(re) <= AXIS * size)
            re = 0;
        double longest = ln_stability_radius(tableau, atan2(im, re)) / size;
        if (longest >= step)
            continue;
        step = longest;
        *limiting = k;
    }
    return step;
}
