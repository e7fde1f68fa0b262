/* SPDX-License-Identifier: MIT */
/* Values with their derivatives to three controls: forward differentiation, so that the equations
 * of a channel stand as they are published and their Jacobian is exact (A. Griewank, A. Walther,
 * Evaluating Derivatives, 2008, chapter 3). */
#ifndef LN_BLOCKS_NATIVE_DUAL_H
#define LN_BLOCKS_NATIVE_DUAL_H

#include <math.h>

/* A value and its derivatives to the gate, the drain and the bulk, all against the source. */
typedef struct ln_dual {
    double value, gs, ds, bs;
} ln_dual;

static inline ln_dual ln_dual_constant(double value) {
    return (ln_dual){value, 0.0, 0.0, 0.0};
}

/* f(a), where f has this value and slope at a. */
static inline ln_dual ln_dual_through(ln_dual a, double value, double slope) {
    return (ln_dual){value, slope * a.gs, slope * a.ds, slope * a.bs};
}

/* p a + q b */
static inline ln_dual ln_dual_sum(double p, ln_dual a, double q, ln_dual b) {
    return (ln_dual){p * a.value + q * b.value, p * a.gs + q * b.gs, p * a.ds + q * b.ds,
                     p * a.bs + q * b.bs};
}
static inline ln_dual ln_dual_add(ln_dual a, ln_dual b) {
    return ln_dual_sum(1.0, a, 1.0, b);
}
static inline ln_dual ln_dual_subtract(ln_dual a, ln_dual b) {
    return ln_dual_sum(1.0, a, -1.0, b);
}
static inline ln_dual ln_dual_scale(double p, ln_dual a) {
    return ln_dual_through(a, p * a.value, p);
}
/* c + p a */
static inline ln_dual ln_dual_affine(double c, double p, ln_dual a) {
    return ln_dual_through(a, c + p * a.value, p);
}

static inline ln_dual ln_dual_multiply(ln_dual a, ln_dual b) {
    return (ln_dual){a.value * b.value, a.value * b.gs + b.value * a.gs,
                     a.value * b.ds + b.value * a.ds, a.value * b.bs + b.value * a.bs};
}
static inline ln_dual ln_dual_divide(ln_dual a, ln_dual b) {
    const double ratio = a.value / b.value, per = 1.0 / b.value;
    return (ln_dual){ratio, (a.gs - ratio * b.gs) * per, (a.ds - ratio * b.ds) * per,
                     (a.bs - ratio * b.bs) * per};
}
static inline ln_dual ln_dual_reciprocal(ln_dual a) {
    const double per = 1.0 / a.value;
    return ln_dual_through(a, per, -per * per);
}
static inline ln_dual ln_dual_square(ln_dual a) {
    return ln_dual_through(a, a.value * a.value, 2.0 * a.value);
}
/* At zero the slope counts as zero. */
static inline ln_dual ln_dual_root(ln_dual a) {
    const double root = sqrt(a.value);
    return ln_dual_through(a, root, root > 0.0 ? 0.5 / root : 0.0);
}
static inline ln_dual ln_dual_exp(ln_dual a) {
    const double value = exp(a.value);
    return ln_dual_through(a, value, value);
}
static inline ln_dual ln_dual_greater(ln_dual a, ln_dual b) {
    return a.value < b.value ? b : a;
}
static inline ln_dual ln_dual_lesser(ln_dual a, ln_dual b) {
    return a.value < b.value ? a : b;
}

#endif
