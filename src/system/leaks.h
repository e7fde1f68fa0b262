/* SPDX-License-Identifier: MIT */
/* Rows of the algebra through which what is stored relaxes at once.
 *
 * The current of a coil that ends at a blocking junction of g = 1 pS is g v there: with L = 40 uH
 * it relaxes in L g = 4e-17 s, and v = i / g is the rounding of i times 1e12. In numbers that row
 * says what i is and nothing of v; v is what keeps i so, and follows from the row's derivative, as
 * with g = 0. So is the current of a capacitor behind a resistance that is nearly none. */
#ifndef LN_SYSTEM_LEAKS_H
#define LN_SYSTEM_LEAKS_H

#include "system/matrix.h"

/* leaks (n values) becomes 1 for each row in which nothing is stored and that holds unknowns that
 * are stored and others, where through all of these others what is stored relaxes in less than
 * `within` (s); else 0. E and A by rows; nominal: n values, sizes of the unknowns. *any: there is
 * such a row. LINNET_MEMORY is not reported. */
linnet_status ln_find_leaks(const ln_matrix *E, const ln_matrix *A, const double *nominal,
                            double within, char *leaks, int *any);
/* In those rows the slopes of unknowns that are not stored become zero. LINNET_MEMORY. */
linnet_status ln_close_leaks(const ln_matrix *E, ln_matrix *A, const char *leaks);

#endif
