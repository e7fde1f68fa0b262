/* SPDX-License-Identifier: MIT */
#include "base/bytes.h"

#include "base/arena.h"
#include "base/sys.h"
#include <math.h>
#include <string.h>

uint64_t ln_hash(uint64_t hash, const void *bytes, size_t length) {
    for (const unsigned char *byte = bytes; length > 0; length--, byte++)
        hash = (hash ^ *byte) * 1099511628211u;
    return hash;
}

void ln_bytes_free(ln_bytes *bytes) {
    ln_sys->release(bytes->data);
    *bytes = (ln_bytes){0};
}

void ln_bytes_clear(ln_bytes *bytes) {
    bytes->length = bytes->at = 0, bytes->failed = 0;
}

void ln_bytes_put(ln_bytes *bytes, const void *data, size_t length) {
    if (bytes->failed || length == 0)
        return;
    if (bytes->room - bytes->length < length) {
        bytes->data = ln_grow(bytes->data, &bytes->room, bytes->length + length, 1);
        if (bytes->room - bytes->length < length) {
            ln_sys->release(bytes->data);
            *bytes = (ln_bytes){.failed = 1};
            return;
        }
    }
    memcpy(bytes->data + bytes->length, data, length);
    bytes->length += length;
}

void ln_bytes_get(ln_bytes *bytes, void *data, size_t length) {
    if (bytes->length - bytes->at < length)
        bytes->failed = 1;
    if (bytes->failed) {
        memset(data, 0, length);
        return;
    }
    if (length > 0)
        memcpy(data, bytes->data + bytes->at, length);
    bytes->at += length;
}

long long ln_bytes_get_within(ln_bytes *bytes, long long least, long long most) {
    const long long value = ln_bytes_get_long(bytes);
    if (value < least || value > most)
        bytes->failed = 1;
    return bytes->failed ? least : value;
}

double ln_bytes_get_finite(ln_bytes *bytes) {
    const double value = ln_bytes_get_double(bytes);
    if (!isfinite(value))
        bytes->failed = 1;
    return bytes->failed ? 0 : value;
}

double ln_bytes_get_number(ln_bytes *bytes) {
    const double value = ln_bytes_get_double(bytes);
    if (isnan(value))
        bytes->failed = 1;
    return bytes->failed ? 0 : value;
}
