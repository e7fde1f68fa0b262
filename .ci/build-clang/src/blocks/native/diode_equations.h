/* SPDX-License-Identifier: MIT */
/* The mathematics of p-n junctions, as pure functions: no state, no other include than math.h, so
 * that generated code can carry this file as it is. Voltages in V, currents in A; a current and its
 * derivative always come together. */
#ifndef LN_BLOCKS_NATIVE_DIODE_EQUATIONS_H
#define LN_BLOCKS_NATIVE_DIODE_EQUATIONS_H

/* e^x, continued by its tangent beyond x = 230 (e^230 = 7e99) so that no iterate, however far off,
 * overflows. *slope is the derivative. */
double ln_junction_exp(double x, double *slope);

/* e^x - 1 to 3e-16 of itself: near zero, where the difference of two numbers close to one would
 * lose its digits, by the slower expm1. */
double ln_junction_less_one(double x);

/* Shockley's junction: saturation * (e^(v/scale) - 1), scale = N*Vt > 0. *slope: di/dv. */
double ln_junction_current(double v, double saturation, double scale, double *slope);

/* Current in avalanche or Zener breakdown, negative, for a junction that carries -knee at v =
 * -breakdown: -knee * (e^(-(v + breakdown)/scale) - e^(-breakdown/scale)); it vanishes at v = 0.
 * *slope: di/dv. */
double ln_breakdown_current(double v, double knee, double breakdown, double scale, double *slope);

/* Current beyond the edge of a breakdown, -edge * e^(-v/scale), v < 0 counted from that edge. */
double ln_breakdown_edge(double v, double edge, double scale, double *slope);

/* Where a junction that was evaluated at v_old shall be evaluated when Newton asks for v_new.
 * Newton works with the tangent, so what it really asks for is the current on that tangent; this
 * returns the voltage at which the exponential carries it. Steps down and steps of at most two
 * scales are left alone. */
double ln_junction_limit(double v_old, double v_new, double scale);

/* The voltage from which breakdown, counted backwards, behaves like a junction of this saturation
 * current: w = -(v + shift) gives saturation * e^(w/scale). For use of ln_junction_limit() on the
 * reverse side. */
double ln_breakdown_shift(double saturation, double knee, double breakdown, double scale);

#endif
