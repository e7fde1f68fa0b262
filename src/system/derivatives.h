/* SPDX-License-Identifier: MIT */
/* Derivatives of a system's rows with respect to time.
 *
 * Along a motion with x, x', x'', ... given at a point, the total derivative of order k of a row
 * d/dt q(x, t) + f(x, t) is a function of x and its derivatives up to order k + 1. For types in
 * equations it is found by differentiating the equations (exactly; delays by the rate of their
 * signal), and compiled. Native types, which have no equations to differentiate, are sampled along
 * the motion at five points beside t, on the same stretch of time: good to about 1e-9 of the size
 * of the terms, 1e-6 of a junction's, for orders up to two. Conditions stay as they are. */
#ifndef LN_SYSTEM_DERIVATIVES_H
#define LN_SYSTEM_DERIVATIVES_H

#include "system/system.h"

typedef struct ln_derivatives ln_derivatives;

/* wanted[k]: up to which order row k is to be differentiated; 0: it is only wanted itself.
 * LINNET_RETRY: a native type would have to be differentiated more than twice. LINNET_MEMORY.
 * Neither is reported. */
linnet_status ln_derivatives_new(ln_system *system, const int *wanted,
                                 ln_derivatives **derivatives);
void ln_derivatives_free(ln_derivatives *derivatives);

/* x: derivatives of orders 0 to most + 1, n values each, one after the other, with `most` the
 * highest order wanted. rows: the orders 0 to most of all rows, n values each; zero where not
 * wanted. LINNET_RETRY: a value is not finite, or a block refuses the point. */
linnet_status ln_derivatives_find(ln_derivatives *derivatives, ln_side side, const double *x,
                                  double *rows);

#endif
