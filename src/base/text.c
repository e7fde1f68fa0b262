/* SPDX-License-Identifier: MIT */
/* Strings: growing text, numbers that read back exactly in every locale, hashed maps, nearest names. */
#include "base/text.h"

#include "base/sys.h"
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

/* ---- growing text ---- */

static int make_room(ln_text *text, size_t more) {
    if (text->failed) return 0;
    if (text->length + more + 1 <= text->room) return 1;
    char *grown = ln_grow(text->data, &text->room, text->length + more + 1, 1);
    text->data = grown;
    if (grown != NULL) return 1;
    text->length = 0;
    text->failed = 1;
    return 0;
}

void ln_text_add_bytes(ln_text *text, const char *more, size_t length) {
    if (!make_room(text, length)) return;
    if (length > 0) memcpy(text->data + text->length, more, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void ln_text_add(ln_text *text, const char *more) { ln_text_add_bytes(text, more, strlen(more)); }

void ln_text_printf(ln_text *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (length < 0 || !make_room(text, (size_t)length)) return;
    va_start(list, format);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, list);
    va_end(list);
    text->length += (size_t)length;
}

void ln_text_free(ln_text *text) {
    ln_sys->release(text->data);
    *text = (ln_text){0};
}

/* ---- numbers ---- */

static locale_t c_locale;
static once_flag c_locale_made = ONCE_FLAG_INIT;
static void make_c_locale(void) { c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

static double read_c(const char *text, char **end) {
    call_once(&c_locale_made, make_c_locale);
    return c_locale != (locale_t)0 ? strtod_l(text, end, c_locale) : strtod(text, end);
}

/* `value` in `digits` digits (15, 16 or 17; the formats are spelt out because printf is slow at "*"); 1 when that reads
 * back exactly. */
static int format_digits(char buffer[32], int digits, double value, int *length) {
    *length = digits == 15   ? snprintf(buffer, 32, "%.15g", value)
              : digits == 16 ? snprintf(buffer, 32, "%.16g", value)
                             : snprintf(buffer, 32, "%.17g", value);
    for (char *c = buffer; *c != '\0'; c++) /* another locale's decimal sign */
        if (!(*c >= '0' && *c <= '9') && *c != 'e' && *c != '+' && *c != '-') *c = '.';
    return digits == 17 || read_c(buffer, NULL) == value;
}

int ln_number_format(char buffer[32], double value) {
    if (fabs(value) < 1e15 && value == floor(value) && (value != 0 || !signbit(value)))
        return snprintf(buffer, 32, "%.0f", value);
    if (isnan(value)) return snprintf(buffer, 32, "nan");
    if (isinf(value)) return snprintf(buffer, 32, value > 0 ? "inf" : "-inf");
    char shorter[32];
    int length, less;
    if (!format_digits(buffer, 16, value, &length)) format_digits(buffer, 17, value, &length);
    else if (format_digits(shorter, 15, value, &less)) memcpy(buffer, shorter, (size_t)(length = less) + 1);
    return length;
}

double ln_number_read(const char *text, const char **end) {
    const char *c = text;
    if (*c == '+' || *c == '-') c++;
    int point = *c == '.';
    char first = c[point], *stop = NULL;
    int hexadecimal = c[0] == '0' && (c[1] == 'x' || c[1] == 'X');
    if (!(first >= '0' && first <= '9')) {
        *end = text;
        return 0;
    }
    if (hexadecimal) { /* only the zero is a number */
        *end = c + 1;
        return 0;
    }
    double value = read_c(text, &stop);
    *end = stop;
    return value;
}

/* ---- maps ---- */

typedef struct entry { const char *key; uint32_t hash; int value; } entry;
struct ln_map { entry *entries; size_t count, room; }; /* room: a power of two, at most two thirds full               */

static uint32_t hash_of(const char *key) { /* FNV-1a */
    uint32_t hash = 2166136261u;
    for (; *key != '\0'; key++) hash = (hash ^ (unsigned char)*key) * 16777619u;
    return hash;
}

ln_map *ln_map_new(void) {
    ln_map *map = ln_sys->allocate(sizeof *map);
    if (map != NULL) *map = (ln_map){NULL, 0, 0};
    return map;
}

void ln_map_free(ln_map *map) {
    if (map == NULL) return;
    ln_sys->release(map->entries);
    ln_sys->release(map);
}

static entry *find_entry(const ln_map *map, const char *key, uint32_t hash) {
    size_t mask = map->room - 1;
    for (size_t k = hash & mask;; k = (k + 1) & mask) {
        entry *it = &map->entries[k];
        if (it->key == NULL || (it->hash == hash && strcmp(it->key, key) == 0)) return it;
    }
}

int ln_map_get(const ln_map *map, const char *key) {
    if (map->room == 0) return -1;
    const entry *it = find_entry(map, key, hash_of(key));
    return it->key == NULL ? -1 : it->value;
}

static int enlarge(ln_map *map) {
    size_t room = map->room == 0 ? 16 : map->room * 2;
    entry *entries = ln_sys->allocate(room * sizeof *entries);
    if (entries == NULL) return 0;
    memset(entries, 0, room * sizeof *entries);
    ln_map larger = {entries, map->count, room};
    for (size_t k = 0; k < map->room; k++)
        if (map->entries[k].key != NULL) *find_entry(&larger, map->entries[k].key, map->entries[k].hash) = map->entries[k];
    ln_sys->release(map->entries);
    *map = larger;
    return 1;
}

int ln_map_put(ln_map *map, const char *key, int value) {
    if (map->count * 3 >= map->room * 2 && !enlarge(map)) return -1;
    uint32_t hash = hash_of(key);
    entry *it = find_entry(map, key, hash);
    if (it->key != NULL) return it->value;
    *it = (entry){key, hash, value};
    map->count++;
    return value;
}

/* ---- nearest names ---- */

enum { LONGEST = 64 };

/* Edits (insert, delete, replace, swap neighbours) from a to b, both at most LONGEST long. */
static size_t distance(const char *a, size_t na, const char *b, size_t nb) {
    size_t row[3][LONGEST + 1];
    for (size_t j = 0; j <= nb; j++) row[0][j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t *now = row[i % 3], *last = row[(i - 1) % 3], *before = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t best = last[j - 1] + (a[i - 1] != b[j - 1]);
            if (last[j] + 1 < best) best = last[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[na % 3][nb];
}

const char *ln_nearest(const char *wrong, const char *const *names, size_t count) {
    size_t length = strlen(wrong), least = SIZE_MAX;
    const char *nearest = NULL;
    if (length > LONGEST) return NULL;
    for (size_t k = 0; k < count; k++) {
        if (names[k] == NULL) continue;
        size_t other = strlen(names[k]), longer = other > length ? other : length;
        if (other > LONGEST) continue;
        size_t edits = distance(wrong, length, names[k], other);
        if (edits * 3 <= longer + 1 && edits < least) {
            least = edits;
            nearest = names[k];
        }
    }
    return nearest;
}
