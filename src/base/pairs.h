/* SPDX-License-Identifier: MIT */
/* Numbers of several devices side by side, two at a time: the widest vectors that every processor
 * of the family has. gcc left to itself makes vectors across rows, or none where something is
 * selected. Each number is computed by itself, so that the bits do not depend on its neighbour. */
#ifndef LN_BASE_PAIRS_H
#define LN_BASE_PAIRS_H

/* Two neighbours of a row, wherever it stands in memory; and what comparing them gives. */
typedef double ln_pair __attribute__((vector_size(16), aligned(8), may_alias));
typedef long long ln_mask __attribute__((vector_size(16)));

static inline ln_pair ln_pair_get(const double *row, int p) {
    return *(const ln_pair *)(const void *)(row + 2 * p);
}

static inline void ln_pair_put(double *row, int p, ln_pair value) {
    *(ln_pair *)(void *)(row + 2 * p) = value;
}

static inline ln_pair ln_pair_of(double both) {
    return (ln_pair){both, both};
}

/* a where the mask is set, else b. */
static inline ln_pair ln_pair_select(ln_mask which, ln_pair a, ln_pair b) {
    return (ln_pair)((which & (ln_mask)a) | (~which & (ln_mask)b));
}

#endif
