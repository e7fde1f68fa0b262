/* SPDX-License-Identifier: MIT */
/* The functions of expressions that C99 does not have. Pure C99, so that generated code carries
 * this file and special.c as they are. */
#ifndef LINNET_SPECIAL_H
#define LINNET_SPECIAL_H

/* The order-th derivative (0, 1, ...) of sinc(x) = sin(pi x)/(pi x). */
double linnet_sinc(double order, double x);
/* The order-th derivative of the digamma function, d/dx log(gamma(x)): 0 digamma, 1 trigamma. NaN
 * at its poles (0, -1,
 * ...), and for order > 0 below x = -100 000. */
double linnet_polygamma(double order, double x);
/* Random numbers by counter: the value belongs to (seed, number) alone, whoever asks and however
 * often. Uniform in (0, 1); normal with mean 0 and deviation 1. */
double linnet_uniform(double seed, double number);
double linnet_normal(double seed, double number);
/* A piecewise linear table x1 y1 x2 y2 ... of `points` pairs, x not falling: the value at x on the
 * segment that holds `decide`. Beyond the ends the end value is held; at a jump (equal x) the right
 * side counts. */
double linnet_table(double x, double decide, const double *table, int points);
/* The slope of the segment that holds `decide`. */
double linnet_table_slope(double decide, const double *table, int points);
/* An abscissa that stands for the segment which holds `decide`: its middle, or a point beyond the
 * end. */
double linnet_table_middle(double decide, const double *table, int points);
/* How far x is inside the segment that holds `decide`: >= 0 there, < 0 outside. */
double linnet_table_room(double x, double decide, const double *table, int points);
/* The first time after t, by more than rounding, at which scale*t + shift is zero (kind 0), an
 * integer (1), an integer and a half (2), or an abscissa of the table (3); INFINITY: none. */
double linnet_next_breakpoint(int kind, double scale, double shift, const double *table, int points,
                              double t);

#endif
