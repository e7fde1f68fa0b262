/* SPDX-License-Identifier: MIT */
/* Poles of Bessel filters. */
#ifndef LN_BLOCKS_BESSEL_H
#define LN_BLOCKS_BESSEL_H

#include <complex.h>

enum { LN_BESSEL_MOST = 20 }; /* beyond, the zeros of the polynomial drown in rounding */

/* The n poles of the low-pass of order n (1 to LN_BESSEL_MOST) with the flattest group delay that
 * is 3 dB down at 1 rad/s. */
void ln_bessel_poles(int n, double complex *pole);

#endif
