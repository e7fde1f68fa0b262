/* SPDX-License-Identifier: MIT */
/* Memory that lives and dies together.
 *
 * Each stage of a model's way (tree, network, system, integrator) owns one arena and frees it
 * whole; nothing in it is freed singly. Memory comes from the table in sys.h, so tests can make any
 * request fail. */
#ifndef LN_BASE_ARENA_H
#define LN_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct ln_arena ln_arena;

/* A new empty arena, or NULL when memory is short. Owner: the caller, until ln_arena_free(). */
ln_arena *ln_arena_new(void);
/* Frees the arena and all it holds. NULL is allowed. */
void ln_arena_free(ln_arena *arena);

/* An arena within the arena, for what may go before the rest: freed with it, or by
 * ln_arena_free_part(). Made when it is first asked for; NULL when memory is short. */
ln_arena *ln_arena_part(ln_arena *arena);
void ln_arena_free_part(ln_arena *arena);

/* `count` objects of `size` bytes, zeroed, aligned for any type. NULL when memory is short or
 * count*size overflows; a count of zero gives a valid pointer. */
void *ln_arena_alloc(ln_arena *arena, size_t count, size_t size);
/* Typed form: LN_NEW(arena, double, n). */
#define LN_NEW(arena, type, count) ((type *)ln_arena_alloc((arena), (size_t)(count), sizeof(type)))

/* Copy of `length` bytes of text, with a NUL behind it; at any address. NULL when memory is short.
 */
char *ln_arena_text(ln_arena *arena, const char *text, size_t length);
/* Copy of a NUL-terminated string. */
char *ln_arena_string(ln_arena *arena, const char *text);
/* printf into the arena. */
char *ln_arena_printf(ln_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *ln_arena_vprintf(ln_arena *arena, const char *format, va_list list)
    __attribute__((format(printf, 2, 0)));

/* 1: memory was short for some request so far. Who calls what makes do without (a name for a
 * message) asks here where that is not enough. */
int ln_arena_failed(const ln_arena *arena);
/* Memory was short for what was made elsewhere to come into the arena: ln_arena_failed() tells. */
void ln_arena_fail(ln_arena *arena);

/* Bytes handed out so far (for the summary and for tests). */
size_t ln_arena_used(const ln_arena *arena);

/* Growable array outside any arena: makes room for one more item. `items` is a T* lvalue, `count`
 * and `room` are size_t. Evaluates to 0 when memory is short, else 1; what was in the array stays
 * there in any case, so that its owner can release what it points to. Free with
 * ln_sys->release(items). */
#define LN_GROW(items, count, room) \
    ((count) < (room) ||            \
     ((items) = ln_grow((items), &(room), (count) + 1, sizeof *(items)), (count) < (room)))
/* Helper of LN_GROW: the block enlarged to at least `needed` items (room grows by half at least),
 * or as it was. */
void *ln_grow(void *items, size_t *room, size_t needed, size_t size);

/* Are all of these pointers set, has memory been enough for all? */
int ln_all_set(const void *const *pointers, size_t count);
#define LN_ALL_SET(...)                            \
    ln_all_set((const void *const[]){__VA_ARGS__}, \
               sizeof(const void *const[]){__VA_ARGS__} / sizeof(const void *))

#endif
