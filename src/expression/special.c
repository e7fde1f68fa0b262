/* SPDX-License-Identifier: MIT */
/* Functions of expressions that C99 does not have; see special.h. Includes nothing but math.h and
 * its own header. */
#include "expression/special.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Series of the n-th derivative, term by term from sum (-1)^k (pi x)^2k / (2k+1)!; z = pi x small.
 */
static double sinc_series(int n, double z) {
    int k = (n + 1) / 2, power = 2 * k - n;
    double term = k % 2 ? -1 : 1, sum = 0;
    for (int i = 2; i <= 2 * k + 1; i++)
        term /= i; /* 1/(2k+1)! */
    for (int i = power + 1; i <= 2 * k; i++)
        term *= i; /* (2k)!/(2k-n)! of d^n z^2k/dz^n */
    if (power == 1)
        term *= z;
    for (;; k++, power += 2) {
        double before = sum;
        sum += term;
        if (sum == before)
            break;
        double up = (2.0 * k + 1) * (2.0 * k + 2) / ((power + 1.0) * (power + 2.0));
        term *= -z * z * up / ((2.0 * k + 2) * (2.0 * k + 3));
    }
    return sum;
}

/* z s = sin z, n times derived: z s_n + n s_(n-1) = sin(z + n pi/2). Upwards this is stable where
 * |z| > n. */
double linnet_sinc(double order, double x) {
    int n = (int)order;
    double z = pi * x, scale = pow(pi, n);
    if (fabs(z) <= n + 1.0)
        return scale * sinc_series(n, z);
    double s = sin(z) / z;
    for (int i = 1; i <= n; i++) {
        double wave = i % 4 == 0 ? sin(z) : i % 4 == 1 ? cos(z) : i % 4 == 2 ? -sin(z) : -cos(z);
        s = (wave - i * s) / z;
    }
    return scale * s;
}

/* Abramowitz and Stegun 6.3.18, 6.4.11: asymptotic series at large x, with the Bernoulli numbers
 * B_2k. */
static double polygamma_large(int n, double x) {
    static const double bernoulli[] = {1.0 / 6,  -1.0 / 30,     1.0 / 42, -1.0 / 30,
                                       5.0 / 66, -691.0 / 2730, 7.0 / 6,  -3617.0 / 510};
    double factorial = 1, power = pow(x, -n); /* (n-1)! and x^-n */
    for (int i = 2; i < n; i++)
        factorial *= i;
    double sum = n == 0 ? log(x) - 0.5 / x : factorial * power + 0.5 * n * factorial * power / x;
    /* (n + 2k - 1)!/(2k)! x^-(n+2k), without its first factors */
    double term = n == 0 ? 1 : factorial * n * power;
    double sign = n == 0 ? -1 : 1;
    for (int k = 1; k <= 8; k++) {
        /* (n+2k-1)!/(2k)! from (n+2k-3)!/(2k-2)!; at k = 1: (n+1)!/2! from n!/1 */
        if (k == 1)
            term *= n == 0 ? 0.5 : (n + 1) / 2.0;
        else
            term *= (n + 2.0 * k - 2) * (n + 2.0 * k - 1) / ((2.0 * k - 1) * 2.0 * k);
        term /= x * x;
        sum += sign * bernoulli[k - 1] * term;
    }
    return n % 2 || n == 0 ? sum : -sum;
}

/* Recurrence psi_n(x) = psi_n(x + 1) - (-1)^n n! x^-(n+1) up to where the series holds; for digamma
 * the reflection psi(x) = psi(1 - x) - pi cot(pi x) spares the way up from far below zero. */
double linnet_polygamma(double order, double x) {
    int n = (int)order;
    if (x <= 0 && floor(x) == x)
        return NAN;
    if (n == 0 && x < 0)
        return linnet_polygamma(0, 1 - x) - pi / tan(pi * (x - floor(x)));
    if (!(x > -1e5))
        return NAN;
    double factorial = 1, sum = 0;
    for (int i = 2; i <= n; i++)
        factorial *= i;
    for (; x < 12 + n; x += 1)
        sum += factorial * pow(x, -(n + 1));
    return (n % 2 ? sum : -sum) + polygamma_large(n, x);
}

/* ---- random numbers ---- */

/* The finisher of SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom
 * number generators, OOPSLA 2014): every bit of the argument decides every bit of the result. */
static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    value += 0.0; /* no negative zero */
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

double linnet_uniform(double seed, double number) {
    const uint64_t golden = 0x9e3779b97f4a7c15u;
    uint64_t z = mix(mix(bits_of(seed) + golden) + bits_of(number) + golden);
    return ((double)(z >> 11) + 0.5) / 9007199254740992.0;
}

/* G. E. P. Box, M. E. Muller, A note on the generation of random normal deviates, 1958. */
double linnet_normal(double seed, double number) {
    double radius = sqrt(-2 * log(linnet_uniform(seed, 2 * number)));
    return radius * cos(2 * 3.14159265358979323846 * linnet_uniform(seed, 2 * number + 1));
}

/* Index of the last point with abscissa <= decide, or -1. */
static int table_segment(double decide, const double *table, int points) {
    int low = -1, high = points;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (table[2 * middle] <= decide)
            low = middle;
        else
            high = middle;
    }
    return low;
}

double linnet_table_slope(double decide, const double *table, int points) {
    int i = table_segment(decide, table, points);
    if (i < 0 || i == points - 1)
        return 0;
    return (table[2 * i + 3] - table[2 * i + 1]) / (table[2 * i + 2] - table[2 * i]);
}

double linnet_table(double x, double decide, const double *table, int points) {
    int i = table_segment(decide, table, points);
    if (i < 0)
        return table[1];
    if (i == points - 1)
        return table[2 * i + 1];
    return table[2 * i + 1] + (x - table[2 * i]) * linnet_table_slope(decide, table, points);
}

double linnet_table_middle(double decide, const double *table, int points) {
    int i = table_segment(decide, table, points);
    if (i < 0)
        return table[0] - 1 - fabs(table[0]);
    if (i == points - 1)
        return table[2 * i] + 1 + fabs(table[2 * i]);
    return table[2 * i] + 0.5 * (table[2 * i + 2] - table[2 * i]);
}

double linnet_table_room(double x, double decide, const double *table, int points) {
    int i = table_segment(decide, table, points);
    double left = i < 0 ? INFINITY : x - table[2 * i];
    double right = i == points - 1 ? INFINITY : table[2 * i + 2] - x;
    return fmin(left, right);
}

/* Later than t by more than the rounding of the crossing's computation. */
static int breakpoint_is_after(double crossing, double t) {
    return crossing > t && crossing - t > 4 * 2.220446049250313e-16 * fabs(t);
}

/* The first time after t at which scale*t + shift is an integer. */
static double breakpoint_of_integer(double scale, double shift, double t) {
    double here = scale * t + shift, direction = scale > 0 ? 1 : -1;
    /* 2^52: every double beyond is an integer */
    if (!(fabs(here) < 4503599627370496.0))
        return (double)INFINITY;
    double level = scale > 0 ? floor(here) : ceil(here);
    for (int i = 0; i < 4; i++, level += direction) {
        double crossing = (level - shift) / scale;
        if (breakpoint_is_after(crossing, t))
            return crossing;
    }
    return (double)INFINITY;
}

double linnet_next_breakpoint(int kind, double scale, double shift, const double *table, int points,
                              double t) {
    double next = (double)INFINITY;
    if (!(fabs(scale) > 0) || !isfinite(scale) || !isfinite(shift))
        return (double)INFINITY;
    if (kind == 0)
        return breakpoint_is_after(-shift / scale, t) ? -shift / scale : INFINITY;
    if (kind < 3)
        return breakpoint_of_integer(scale, kind == 1 ? shift : shift - 0.5, t);
    for (int i = 0; i < points; i++) {
        double crossing = (table[2 * i] - shift) / scale;
        if (breakpoint_is_after(crossing, t) && crossing < next)
            next = crossing;
    }
    return next;
}
