/* SPDX-License-Identifier: MIT */
/* Inputs changed at random: see mutate.h. */
#include "mutate.h"

#include <stdlib.h>
#include <string.h>

typedef struct seed {
    uint8_t *data;
    size_t length;
} seed;

static seed *pool;
static size_t count, room;

void mutate_keep(const uint8_t *data, size_t length) {
    if (length > MUTATE_LONGEST)
        return;
    if (count == room) {
        room = room > 0 ? 2 * room : 64;
        pool = realloc(pool, room * sizeof *pool);
    }
    uint8_t *copy = malloc(length + 1);
    if (pool == NULL || copy == NULL)
        abort();
    memcpy(copy, data, length);
    pool[count++] = (seed){copy, length};
}

/* xorshift64*: the same numbers everywhere. */
static uint64_t state;
static uint64_t draw(void) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 2685821657736338717u;
}
static size_t below(size_t n) {
    return n == 0 ? 0 : (size_t)(draw() >> 16) % n;
}

void mutate_begin(uint64_t start) {
    state = start * 0x9E3779B97F4A7C15u + 1;
    (void)draw();
}

/* `length` bytes of `from` in the place of `gone` bytes at `at`; what does not fit is left out. */
static size_t put(uint8_t *out, size_t length, size_t at, size_t gone, const uint8_t *from,
                  size_t more) {
    if (length - gone + more > MUTATE_LONGEST)
        return length;
    memmove(out + at + more, out + at + gone, length - at - gone);
    memcpy(out + at, from, more);
    return length - gone + more;
}

static size_t put_word(uint8_t *out, size_t length, size_t at) {
    static const char *const words[] = {
        "0", "-1", "1e308", "1e-320", "nan", "-", "(",    ")",    "0x1", "1e99", "\"",    "<",
        "&", "/>", "\n",    " ",      ",",   ".", "\x1b", "\xff", "{",   "}",    "65536", "inf"};
    const char *word = words[below(sizeof words / sizeof *words)];
    return put(out, length, at, below(2) && at < length ? 1 : 0, (const uint8_t *)word,
               strlen(word));
}

static size_t change(uint8_t *out, size_t length) {
    uint8_t piece[64];
    const size_t at = below(length + 1), most = length - at < sizeof piece ? length - at : 64;
    const size_t span = most > 0 ? 1 + below(most) : 0;
    switch (below(7)) {
    case 0:
        if (at < length)
            out[at] ^= (uint8_t)(1u << below(8));
        return length;
    case 1:
        if (at < length)
            out[at] = (uint8_t)draw();
        return length;
    case 2: return put(out, length, at, span, piece, 0);
    case 3:
        memcpy(piece, out + at, span);
        return put(out, length, below(length + 1), 0, piece, span);
    case 4: return put_word(out, length, at);
    case 5: {
        const seed *other = &pool[below(count)];
        const size_t from = below(other->length + 1), left = other->length - from;
        return put(out, length, at, span, other->data + from,
                   left > 0 ? 1 + below(left < 64 ? left : 64) : 0);
    }
    default:
        for (size_t k = 0; k < 8; k++)
            piece[k] = (uint8_t)draw();
        return put(out, length, at, 0, piece, 1 + below(8));
    }
}

size_t mutate_next(uint8_t *out, int free_bytes) {
    size_t length = 0;
    if (count == 0 || (free_bytes && below(2))) {
        length = below(200);
        for (size_t k = 0; k < length; k++)
            out[k] = (uint8_t)draw();
        return length;
    }
    const seed *one = &pool[below(count)];
    memcpy(out, one->data, length = one->length);
    for (size_t changes = 1 + below(6); changes > 0; changes--)
        length = change(out, length);
    return length;
}

void mutate_end(void) {
    while (count > 0)
        free(pool[--count].data);
    free(pool);
    pool = NULL;
    room = 0;
}
