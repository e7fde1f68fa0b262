/* SPDX-License-Identifier: MIT */
/* What loops over many numbers are written with, so that they become vectors. */
#ifndef LN_BASE_LOOPS_H
#define LN_BASE_LOOPS_H

/* Before a loop: what it writes to is nothing that another turn of it reads. gcc forgets `restrict`
 * where pointers come from a struct. */
#if defined(__GNUC__) && !defined(__clang__)
#define LN_APART _Pragma("GCC ivdep")
#else
#define LN_APART
#endif

/* What an address points to is needed soon: it is fetched meanwhile. Where millions of things are
 * met in the order of their names each comes from memory; any address will do. */
#if defined(__GNUC__)
#define LN_SOON(address) __builtin_prefetch(address)
#else
#define LN_SOON(address) ((void)(address))
#endif

/* The larger of two numbers. fmax() and fmin() would be calls, as they know NaN: here b counts only
 * where it is larger, a NaN never. */
static inline double ln_larger(double a, double b) {
    return b > a ? b : a;
}

static inline double ln_smaller(double a, double b) {
    return b < a ? b : a;
}

#endif
