/* SPDX-License-Identifier: MIT */
/* Arenas: chunks that double up to 1 MiB, handed out in order; a request larger than a chunk gets
 * one of its own. Texts follow each other byte by byte. */
#include "base/arena.h"

#include "base/sys.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_CHUNK = 4096, LAST_CHUNK = 1 << 20, ALIGN = 16 };

typedef struct chunk {
    struct chunk *next;
    size_t used, room; /* bytes behind the header */
} chunk;

struct ln_arena {
    chunk *chunks; /* the newest first: the only one that is still filled */
    size_t total;
    int failed;
    ln_arena *part; /* NULL: nobody has asked for it, or it is free again */
};

static const size_t header = (sizeof(chunk) + ALIGN - 1) / ALIGN * ALIGN;

ln_arena *ln_arena_new(void) {
    ln_arena *arena = ln_sys->allocate(sizeof *arena);
    if (arena != NULL)
        *arena = (ln_arena){NULL, 0, 0, NULL};
    return arena;
}

ln_arena *ln_arena_part(ln_arena *arena) {
    if (arena->part == NULL)
        arena->part = ln_arena_new();
    arena->failed |= arena->part == NULL;
    return arena->part;
}

void ln_arena_free_part(ln_arena *arena) {
    ln_arena_free(arena->part);
    arena->part = NULL;
}

void ln_arena_free(ln_arena *arena) {
    if (arena == NULL)
        return;
    ln_arena_free_part(arena);
    for (chunk *block = arena->chunks, *next; block != NULL; block = next) {
        next = block->next;
        ln_sys->release(block);
    }
    ln_sys->release(arena);
}

static chunk *add_chunk(ln_arena *arena, size_t bytes) {
    size_t room = arena->chunks == NULL ? FIRST_CHUNK : arena->chunks->room * 2;
    if (room > LAST_CHUNK)
        room = LAST_CHUNK;
    if (ln_sys->arena_pieces)
        room = bytes;
    int large = bytes > room;
    if (large)
        room = bytes;
    chunk *block = ln_sys_zeroed(header + room);
    if (block == NULL)
        return NULL;
    block->used = 0;
    block->room = room;
    if (large && arena->chunks != NULL) { /* keep filling the present chunk */
        block->next = arena->chunks->next;
        arena->chunks->next = block;
    } else {
        block->next = arena->chunks;
        arena->chunks = block;
    }
    return block;
}

/* `bytes` of the newest chunk, or of one more, from a multiple of `align` on; zeroed. */
static void *take(ln_arena *arena, size_t bytes, size_t align) {
    chunk *block = arena->chunks;
    size_t at = block != NULL ? (block->used + align - 1) / align * align : 0;
    if (block == NULL || block->room < at || block->room - at < bytes) {
        block = add_chunk(arena, bytes);
        at = 0;
    }
    arena->failed |= block == NULL;
    if (block == NULL)
        return NULL;
    arena->total += at + bytes - block->used;
    block->used = at + bytes;
    return (char *)block + header + at; /* zeroed with its chunk */
}

void *ln_arena_alloc(ln_arena *arena, size_t count, size_t size) {
    if (size != 0 && count > (SIZE_MAX / 2) / size)
        return NULL;
    return take(arena, count * size, ALIGN);
}

/* Room for a text of that length and the NUL behind it. */
static char *take_text(ln_arena *arena, size_t length) {
    return length < SIZE_MAX / 2 ? take(arena, length + 1, 1) : NULL;
}

char *ln_arena_text(ln_arena *arena, const char *text, size_t length) {
    char *copy = take_text(arena, length);
    if (copy != NULL && length > 0)
        memcpy(copy, text, length);
    return copy;
}

char *ln_arena_string(ln_arena *arena, const char *text) {
    return ln_arena_text(arena, text, strlen(text));
}

/* What a format asks for that names texts alone, "%s" and "%.*s", as those of names do: its next
 * piece, which is no longer empty, with *format behind it. 0: it asks for something else. */
static int take_piece(const char **format, va_list *list, const char **piece, size_t *length) {
    const char *at = *format;
    if (*at != '%') {
        *piece = at;
        *length = strcspn(at, "%");
        *format = at + *length;
        return 1;
    }
    const int is_part = strncmp(at, "%.*s", 4) == 0;
    if (!is_part && at[1] != 's')
        return 0;
    const int most = is_part ? va_arg(*list, int) : 0;
    *piece = va_arg(*list, const char *);
    if (*piece == NULL)
        *piece = ""; /* memory was short for it, and what is printed is not looked at */
    *length = is_part ? strnlen(*piece, most > 0 ? (size_t)most : 0) : strlen(*piece);
    *format = at + (is_part ? 4 : 2);
    return is_part ? most >= 0 : 1;
}

/* The pieces one after the other into `to`, which may be NULL; SIZE_MAX: not all are texts. */
static size_t put_pieces(const char *format, va_list *list, char *to) {
    size_t total = 0, length;
    const char *piece;
    while (*format != '\0') {
        if (!take_piece(&format, list, &piece, &length))
            return SIZE_MAX;
        if (to != NULL)
            memcpy(to + total, piece, length);
        total += length;
    }
    return total;
}

/* The same as printf, which takes ten times as long. 0: the format is not for texts alone. */
static int print_texts(ln_arena *arena, const char *format, va_list list, char **text) {
    va_list first, second;
    va_copy(first, list);
    va_copy(second, list);
    const size_t length = put_pieces(format, &first, NULL);
    *text = length == SIZE_MAX ? NULL : take_text(arena, length);
    if (*text != NULL)
        (void)put_pieces(format, &second, *text); /* zeroed by the arena behind it */
    va_end(first);
    va_end(second);
    return length != SIZE_MAX;
}

char *ln_arena_vprintf(ln_arena *arena, const char *format, va_list list) {
    char most[256]; /* of what is printed, so that it is printed once */
    va_list again;
    char *texts;
    if (print_texts(arena, format, list, &texts))
        return texts;
    va_copy(again, list);
    const int length = vsnprintf(most, sizeof most, format, list);
    char *text = length < 0 ? NULL : take_text(arena, (size_t)length);
    if (text != NULL && (size_t)length < sizeof most)
        memcpy(text, most, (size_t)length + 1);
    else if (text != NULL)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *ln_arena_printf(ln_arena *arena, const char *format, ...) {
    va_list list;
    va_start(list, format);
    char *text = ln_arena_vprintf(arena, format, list);
    va_end(list);
    return text;
}

int ln_arena_failed(const ln_arena *arena) {
    return arena->failed || (arena->part != NULL && arena->part->failed);
}

void ln_arena_fail(ln_arena *arena) {
    arena->failed = 1;
}

size_t ln_arena_used(const ln_arena *arena) {
    return arena->total;
}

void *ln_grow(void *items, size_t *room, size_t needed, size_t size) {
    size_t more = *room + *room / 2 + 8;
    if (more < needed)
        more = needed;
    void *grown = more > (SIZE_MAX / 2) / size ? NULL : ln_sys->resize(items, more * size);
    if (grown == NULL)
        return items;
    *room = more;
    return grown;
}

int ln_all_set(const void *const *pointers, size_t count) {
    for (size_t k = 0; k < count; k++)
        if (pointers[k] == NULL)
            return 0;
    return 1;
}
