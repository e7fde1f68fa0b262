/* SPDX-License-Identifier: MIT */
/* Private to the room `linear`: eigenvalues and vectors of the matrix F that a reduced pencil
 * leaves, s z = F z.
 *
 * F falls into its strong components (SuiteSparse BTF), each of which has eigenvalues of its own. A
 * component of up to LN_SPECTRUM_PRECISE states is solved by the QR algorithm in 256 bits (Arb), so
 * that neither time constants a factor of 1e20 apart nor equal ones lose digits; a larger one that
 * a scaling makes symmetric (RC, RL, heat) by LAPACK's dsyevd, any other by dgeevx, balanced. */
#ifndef LN_LINEAR_SPECTRUM_H
#define LN_LINEAR_SPECTRUM_H

#include "linear/reduce.h"

enum { LN_SPECTRUM_PRECISE = 64 };

typedef struct ln_spectrum {
    double complex *value; /* m; a value with an imaginary part is followed by its conjugate */
    /* m vectors of m: F x = s x, w^H F = s w^H, but for what other components add */
    double complex *right, *left;
    char *precise; /* m: the value is right to the last digit of F */
} ln_spectrum;

/* Lives in the arena. LINNET_FAILED, not reported: no convergence. LINNET_MEMORY. */
linnet_status ln_spectrum_find(const ln_reduced *reduced, ln_arena *arena, ln_spectrum *out);

/* One component of n states by Arb: F column by column; values, and vectors as columns. The only
 * file that includes Arb. LINNET_FAILED: no convergence. LINNET_MEMORY. */
linnet_status ln_spectrum_precise(int n, const ln_wide *F, ln_arena *arena, double complex *value,
                                  double complex *right, double complex *left);

#endif
