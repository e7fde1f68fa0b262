/* SPDX-License-Identifier: MIT */
/* Strings: growing text, numbers that read back exactly in every locale, hashed maps, nearest
 * names. */
#include "base/text.h"

#include "base/loops.h"
#include "base/sys.h"
#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- growing text ---- */

static int make_room(ln_text *text, size_t more) {
    if (text->failed)
        return 0;
    if (text->length + more + 1 <= text->room)
        return 1;
    text->data = ln_grow(text->data, &text->room, text->length + more + 1, 1);
    if (text->length + more + 1 <= text->room)
        return 1;
    ln_sys->release(text->data);
    *text = (ln_text){.failed = 1};
    return 0;
}

void ln_text_add_bytes(ln_text *text, const char *more, size_t length) {
    if (!make_room(text, length))
        return;
    if (length > 0)
        memcpy(text->data + text->length, more, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void ln_text_add(ln_text *text, const char *more) {
    ln_text_add_bytes(text, more, strlen(more));
}

void ln_text_printf(ln_text *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (length < 0 || !make_room(text, (size_t)length))
        return;
    va_start(list, format);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, list);
    va_end(list);
    text->length += (size_t)length;
}

void ln_text_free(ln_text *text) {
    ln_sys->release(text->data);
    *text = (ln_text){0};
}

int ln_ends_with(const char *text, const char *ending) {
    const size_t length = strlen(text), end = strlen(ending);
    return length > end && strcmp(text + length - end, ending) == 0;
}

size_t ln_word_length(const char *text) {
    size_t length = 0;
    int depth = 0;
    for (; text[length] != '\0'; length++) {
        depth += (text[length] == '[') - (text[length] == ']' && depth > 0);
        if (depth == 0 && strchr(LN_BETWEEN_WORDS, text[length]) != NULL)
            break;
    }
    return length;
}

/* ---- maps ---- */

typedef struct entry {
    const char *key;
    uint32_t hash;
    int value;
} entry;
/* room: a power of two, at most two thirds full */
struct ln_map {
    entry *entries;
    size_t count, room;
};

static uint32_t hash_of(const char *key) { /* FNV-1a */
    uint32_t hash = 2166136261u;
    for (; *key != '\0'; key++)
        hash = (hash ^ (unsigned char)*key) * 16777619u;
    return hash;
}

ln_map *ln_map_new(void) {
    ln_map *map = ln_sys->allocate(sizeof *map);
    if (map != NULL)
        *map = (ln_map){NULL, 0, 0};
    return map;
}

void ln_map_free(ln_map *map) {
    if (map == NULL)
        return;
    ln_sys->release(map->entries);
    ln_sys->release(map);
}

static entry *find_entry(const ln_map *map, const char *key, uint32_t hash) {
    size_t mask = map->room - 1;
    assert((map->room & mask) == 0 && map->count < map->room); /* a free slot ends the search */
    for (size_t k = hash & mask;; k = (k + 1) & mask) {
        entry *slot = &map->entries[k];
        if (slot->key == NULL || (slot->hash == hash && strcmp(slot->key, key) == 0))
            return slot;
    }
}

void ln_map_expect(const ln_map *map, const char *key) {
    if (map->room > 0)
        LN_SOON(&map->entries[hash_of(key) & (map->room - 1)]);
}

int ln_map_get(const ln_map *map, const char *key) {
    if (map->room == 0)
        return -1;
    const entry *slot = find_entry(map, key, hash_of(key));
    return slot->key == NULL ? -1 : slot->value;
}

static int enlarge(ln_map *map) {
    size_t room = map->room == 0 ? 16 : map->room * 2;
    entry *entries = ln_sys->allocate(room * sizeof *entries);
    if (entries == NULL)
        return 0;
    memset(entries, 0, room * sizeof *entries);
    ln_map larger = {entries, map->count, room};
    for (size_t k = 0; k < map->room; k++)
        if (map->entries[k].key != NULL)
            *find_entry(&larger, map->entries[k].key, map->entries[k].hash) = map->entries[k];
    ln_sys->release(map->entries);
    *map = larger;
    return 1;
}

int ln_map_put(ln_map *map, const char *key, int value) {
    assert(value >= 0); /* -1 is the answer when memory is short */
    if (map->count * 3 >= map->room * 2 && !enlarge(map))
        return -1;
    uint32_t hash = hash_of(key);
    entry *slot = find_entry(map, key, hash);
    if (slot->key != NULL)
        return slot->value;
    *slot = (entry){key, hash, value};
    map->count++;
    return value;
}

/* ---- nearest names ---- */

enum { LONGEST = 64 };

/* Edits (insert, delete, replace, swap neighbours) from a to b, both at most LONGEST long. */
static size_t distance(const char *a, size_t na, const char *b, size_t nb) {
    size_t row[3][LONGEST + 1];
    for (size_t j = 0; j <= nb; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t *now = row[i % 3], *last = row[(i - 1) % 3], *before = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t best = last[j - 1] + (a[i - 1] != b[j - 1]);
            if (last[j] + 1 < best)
                best = last[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[na % 3][nb];
}

void ln_nearest_add(ln_nearness *nearness, const char *name) {
    const char *wrong = nearness->wrong;
    if (name == NULL)
        return;
    const size_t length = strlen(wrong), other = strlen(name),
                 longer = other > length ? other : length;
    if (longer > LONGEST)
        return;
    const size_t edits = strcasecmp(wrong, name) == 0 ? 0 : distance(wrong, length, name, other);
    if (edits * 3 > longer + 1 || (nearness->name != NULL && edits >= nearness->edits))
        return;
    nearness->edits = edits;
    nearness->name = name;
}

const char *ln_nearest(const char *wrong, const char *const *names, size_t count) {
    ln_nearness nearness = {.wrong = wrong};
    for (size_t k = 0; k < count; k++)
        ln_nearest_add(&nearness, names[k]);
    return nearness.name;
}

/* Goes back to the last star only, so the cost is at most pattern times name. */
int ln_matches(const char *pattern, const char *name) {
    const char *star = NULL, *resume = NULL;
    while (*name != '\0') {
        if (*pattern == '*') {
            star = pattern++;
            resume = name;
        } else if (*pattern == '?' || *pattern == *name) {
            pattern++;
            name++;
        } else if (star != NULL) {
            pattern = star + 1;
            name = ++resume;
        } else {
            return 0;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}
