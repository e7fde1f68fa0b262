/* SPDX-License-Identifier: MIT */
/* A list of bytes that grows at its end and is read from its start: the state of a run on its way
 * to a file and back. Numbers keep their bits. Writing that finds no memory, and reading past the
 * end, set `failed`, which stays set; what is read then is zero. */
#ifndef LN_BASE_BYTES_H
#define LN_BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>

typedef struct ln_bytes {
    unsigned char *data;
    size_t length, room, at; /* at: read so far */
    int failed;
} ln_bytes;

/* FNV-1a, 64 bits [Fowler, Noll, Vo], of so many bytes behind what was hashed before, at first
 * LN_HASH_BEGIN: for fingerprints and names, not against whoever looks for two alike. */
#define LN_HASH_BEGIN 14695981039346656037u
uint64_t ln_hash(uint64_t hash, const void *bytes, size_t length);

void ln_bytes_free(ln_bytes *bytes);
/* Empty again, keeping its memory. */
void ln_bytes_clear(ln_bytes *bytes);

void ln_bytes_put(ln_bytes *bytes, const void *data, size_t length);
void ln_bytes_get(ln_bytes *bytes, void *data, size_t length);

static inline void ln_bytes_put_double(ln_bytes *bytes, double value) {
    ln_bytes_put(bytes, &value, sizeof value);
}
static inline void ln_bytes_put_long(ln_bytes *bytes, long long value) {
    ln_bytes_put(bytes, &value, sizeof value);
}
static inline double ln_bytes_get_double(ln_bytes *bytes) {
    double value;
    ln_bytes_get(bytes, &value, sizeof value);
    return value;
}
static inline long long ln_bytes_get_long(ln_bytes *bytes) {
    long long value;
    ln_bytes_get(bytes, &value, sizeof value);
    return value;
}

/* The same for input that is not trusted: what is no whole number from `least` to `most`, no finite
 * number (no number at all: NaN, for which infinities are fine), sets `failed` and is `least`, 0.
 */
long long ln_bytes_get_within(ln_bytes *bytes, long long least, long long most);
double ln_bytes_get_finite(ln_bytes *bytes);
double ln_bytes_get_number(ln_bytes *bytes);

#endif
