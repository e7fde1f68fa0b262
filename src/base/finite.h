/* SPDX-License-Identifier: MIT */
/* Are numbers finite? */
#ifndef LN_BASE_FINITE_H
#define LN_BASE_FINITE_H

#include <stddef.h>

/* No NaN and no infinity among them. Several sums run side by side, since each waits for its last
 * addition; times zero, NaN and infinities turn into NaN. */
static inline int ln_all_finite(const double *values, size_t count) {
    enum { SUMS = 4 };
    double test[SUMS] = {0};
    size_t k = 0;
    for (; k + SUMS <= count; k += SUMS)
        for (size_t j = 0; j < SUMS; j++)
            test[j] += values[k + j] * 0.0;
    for (; k < count; k++)
        test[0] += values[k] * 0.0;
    return test[0] + test[1] + test[2] + test[3] == 0;
}

#endif
