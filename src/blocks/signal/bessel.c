/* SPDX-License-Identifier: MIT */
/* The poles are the zeros of the reverse Bessel polynomial
 *
 *     B_n(s) = (2 n - 1) B_(n-1)(s) + s^2 B_(n-2)(s),   B_0 = 1, B_1 = s + 1,   B_n'(s) = B_n(s) -
 * s B_(n-1)(s)
 *
 * [Paarmann, Design and Analysis of Analog Filters, 2001, chapter 6]. All zeros are sought at once,
 * each kept away from the others [Aberth, Math. Comp. 27 (1973) 339]. */
#include "blocks/signal/bessel.h"
#include "base/constants.h"

#include <math.h>

enum { ROUNDS = 200 };

/* B_n(s) and B_(n-1)(s), both divided by B_n(0). */
static void evaluate(int n, double complex s, double complex *now, double complex *before) {
    double complex last = 0, b = 1;
    for (int k = 1; k <= n; k++) { /* divided by (2 k - 1)!!, which is B_k(0) */
        double complex next = k == 1 ? s + 1 : b + s * s * last / ((2 * k - 1) * (2 * k - 3.0));
        last = b, b = next;
    }
    *now = b;
    *before = last / (2 * n - 1);
}

/* Where the low-pass is 3 dB down: |B_n(jw)| = sqrt(2) B_n(0), which grows with w. */
static double cut_off(int n) {
    double low = 0, high = 2.0 * n;
    for (int k = 0; k < 100; k++) {
        double complex now, before;
        double middle = (low + high) / 2;
        evaluate(n, I * middle, &now, &before);
        if (cabs(now) < sqrt(2))
            low = middle;
        else
            high = middle;
    }
    return low;
}

void ln_bessel_poles(int n, double complex *pole) {
    const double cut = cut_off(n);
    /* they lie on an arc around zero, open to the right */
    for (int k = 0; k < n; k++)
        pole[k] = n * cexp(I * (LN_PI * (0.55 + 0.9 * (k + 0.5) / n)));
    for (int round = 0, moved = 1; round < ROUNDS && moved; round++) {
        moved = 0;
        for (int k = 0; k < n; k++) {
            double complex now, before, away = 0;
            evaluate(n, pole[k], &now, &before);
            for (int j = 0; j < n; j++)
                if (j != k)
                    away += 1 / (pole[k] - pole[j]);
            double complex newton = now / (now - pole[k] * before),
                           step = newton / (1 - newton * away);
            pole[k] -= step;
            moved |= cabs(step) > 1e-15 * cabs(pole[k]);
        }
    }
    for (int k = 0; k < n; k++)
        pole[k] /= cut;
}
