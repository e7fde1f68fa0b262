/* SPDX-License-Identifier: MIT */
/* What underflows is zero. Numbers below 2.2e-308 are denormal: what decays ends among them, at
 * 5e-324 for ever where each step takes a tenth of it, and many processors need a hundred cycles
 * and more for each operation on one (a ladder of which most has decayed took ten times as long).
 * The mode is the thread's; a crew works in that of whom it works for (crew.h). Numbers that are
 * denormal to begin with stay what they are on x86, and count as zero on ARM; elsewhere nothing
 * changes. */
#ifndef LN_BASE_UNDERFLOW_H
#define LN_BASE_UNDERFLOW_H

#include <stdint.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

/* The thread's mode. */
static inline uint64_t ln_underflow(void) {
#if defined(__SSE2__)
    return _mm_getcsr() & _MM_FLUSH_ZERO_MASK;
#elif defined(__aarch64__)
    uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
#else
    return 0;
#endif
}

static inline void ln_underflow_restore(uint64_t was) {
#if defined(__SSE2__)
    /* exceptions that were raised meanwhile stay so */
    _mm_setcsr((_mm_getcsr() & ~(unsigned)_MM_FLUSH_ZERO_MASK) |
               ((unsigned)was & _MM_FLUSH_ZERO_MASK));
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(was));
#else
    (void)was;
#endif
}

/* From here on, until ln_underflow_restore() of what this returns. */
static inline uint64_t ln_underflow_to_zero(void) {
    const uint64_t was = ln_underflow();
#if defined(__SSE2__)
    ln_underflow_restore(_MM_FLUSH_ZERO_ON);
#elif defined(__aarch64__)
    ln_underflow_restore(was | (UINT64_C(1) << 24));
#endif
    return was;
}

#endif
