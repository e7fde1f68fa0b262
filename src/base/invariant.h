/* SPDX-License-Identifier: MIT */
/* What asserts ask of arrays. In a release (-DNDEBUG) nothing calls these. */
#ifndef LN_BASE_INVARIANT_H
#define LN_BASE_INVARIANT_H

#include <stddef.h>

/* 1 when no value is below the one before it; NaN is below nothing and above nothing. */
static inline int ln_is_rising(const double *values, size_t count) {
    for (size_t k = 1; k < count; k++)
        if (!(values[k] >= values[k - 1]))
            return 0;
    return 1;
}

/* 1 when each number is above the one before it. */
static inline int ln_is_strictly_rising(const int *numbers, size_t count) {
    for (size_t k = 1; k < count; k++)
        if (numbers[k] <= numbers[k - 1])
            return 0;
    return 1;
}

/* 1 when the numbers are 0 .. count-1 in any order, as far as their sum and the sum of their
 * squares tell. */
static inline int ln_is_permutation(const int *numbers, int count) {
    unsigned long long sum = 0, squares = 0, all = 0, all_squares = 0;
    for (int k = 0; k < count; k++) {
        const unsigned long long number = (unsigned)numbers[k], place = (unsigned)k;
        if (numbers[k] < 0 || numbers[k] >= count)
            return 0;
        sum += number;
        squares += number * number;
        all += place;
        all_squares += place * place;
    }
    return sum == all && squares == all_squares;
}

#endif
