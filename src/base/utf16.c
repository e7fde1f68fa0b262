/* SPDX-License-Identifier: MIT */
/* UTF-16 to UTF-8 (The Unicode Standard, sections 3.9 and 23.8). */
#include "base/utf16.h"
#include "base/text.h"

#include <stddef.h>

enum { LITTLE = 1, BIG = 2 };

/* The order of bytes, by the mark or by the zero byte of a first ASCII character; 0: no UTF-16. */
static int order_of(const unsigned char *bytes, size_t length) {
    if (length < 2 || length % 2 != 0)
        return 0;
    if ((bytes[0] == 0xFF && bytes[1] == 0xFE) || (bytes[0] != 0 && bytes[1] == 0))
        return LITTLE;
    if ((bytes[0] == 0xFE && bytes[1] == 0xFF) || (bytes[0] == 0 && bytes[1] != 0))
        return BIG;
    return 0;
}

static unsigned unit_at(const unsigned char *bytes, size_t at, int order) {
    const unsigned low = bytes[at + (order == BIG)], high = bytes[at + (order == LITTLE)];
    return high << 8 | low;
}

static void add_point(ln_text *text, unsigned point) {
    char bytes[4];
    size_t count = 0;
    if (point < 0x80) {
        bytes[count++] = (char)point;
    } else if (point < 0x800) {
        bytes[count++] = (char)(0xC0 | point >> 6);
    } else if (point < 0x10000) {
        bytes[count++] = (char)(0xE0 | point >> 12);
        bytes[count++] = (char)(0x80 | (point >> 6 & 0x3F));
    } else {
        bytes[count++] = (char)(0xF0 | point >> 18);
        bytes[count++] = (char)(0x80 | (point >> 12 & 0x3F));
        bytes[count++] = (char)(0x80 | (point >> 6 & 0x3F));
    }
    if (point >= 0x80)
        bytes[count++] = (char)(0x80 | (point & 0x3F));
    ln_text_add_bytes(text, bytes, count);
}

static int is_high(unsigned unit) {
    return unit >= 0xD800 && unit < 0xDC00;
}

static int is_low(unsigned unit) {
    return unit >= 0xDC00 && unit < 0xE000;
}

void ln_utf16_decode(ln_text *text) {
    const unsigned char *bytes = (const unsigned char *)text->data;
    const int order = text->failed ? 0 : order_of(bytes, text->length);
    if (order == 0)
        return;
    ln_text decoded = {0};
    for (size_t at = 0; at < text->length; at += 2) {
        unsigned point = unit_at(bytes, at, order);
        const unsigned next = at + 3 < text->length ? unit_at(bytes, at + 2, order) : 0;
        if (is_high(point) && is_low(next)) {
            point = 0x10000 + ((point - 0xD800) << 10) + (next - 0xDC00);
            at += 2;
        } else if (is_high(point) || is_low(point)) {
            point = 0xFFFD;
        }
        if (at > 0 || point != 0xFEFF)
            add_point(&decoded, point);
    }
    ln_text_free(text);
    *text = decoded;
}
