/* SPDX-License-Identifier: MIT */
/* Complex linear systems of one pattern: what linear.h is for real ones, for methods with complex coefficients
 * (radau5) and frequency response. Numbers are pairs re, im end to end. */
#ifndef LN_LINEAR_COMPLEX_H
#define LN_LINEAR_COMPLEX_H

#include "linear/linear.h"

typedef struct ln_complex_linear ln_complex_linear;

/* DENSE or SPARSE (AUTO: sparse). The pattern is borrowed. NULL when memory is short. */
ln_complex_linear *ln_complex_new(const ln_pattern *pattern, ln_linear_kind kind);
void ln_complex_free(ln_complex_linear *linear);

/* values: re, im at each pattern position. Not finite entries give LN_SINGULAR. */
ln_factored ln_complex_factor(ln_complex_linear *linear, const double *values);
/* b: n pairs re, im; becomes x. Allocates nothing. */
void ln_complex_solve(ln_complex_linear *linear, double *b);
ln_linear_counts ln_complex_count(const ln_complex_linear *linear);

#endif
