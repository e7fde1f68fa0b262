/* SPDX-License-Identifier: MIT */
#include "base/bytes.h"

#include "base/arena.h"
#include "base/sys.h"
#include <string.h>

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
        unsigned char *larger = ln_grow(bytes->data, &bytes->room, bytes->length + length, 1);
        bytes->data = larger;
        if (larger == NULL) {
            bytes->length = bytes->room = 0;
            bytes->failed = 1;
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
