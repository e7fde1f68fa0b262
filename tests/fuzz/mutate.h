/* SPDX-License-Identifier: MIT */
/* Inputs changed at random, without knowing what they reach: for builds without libFuzzer, where an
 * execution costs a tenth of what it does under the sanitizers. A number decides all. */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

enum { MUTATE_LONGEST = 16384 };

/* One more input to change; copied. Longer ones are left out. */
void mutate_keep(const uint8_t *data, size_t length);
void mutate_begin(uint64_t start);
/* The next input, of at most MUTATE_LONGEST bytes. free_bytes: any bytes make one. */
size_t mutate_next(uint8_t *out, int free_bytes);
void mutate_end(void);

#endif
