/* SPDX-License-Identifier: MIT */
/* Strings and numbers as text: a growing buffer, exact number formatting and reading (always with
 * '.', whatever the locale), interning, a string map, and the nearest known name for a misspelt
 * one. */
#ifndef LN_BASE_TEXT_H
#define LN_BASE_TEXT_H

#include "base/arena.h"

/* Growing text. Zero-initialise; `data` is NUL-terminated once non-NULL. `failed` is set, and
 * stays, when memory was short: append freely and test once. Free with ln_text_free(). */
typedef struct ln_text {
    char *data;
    size_t length, room;
    int failed;
} ln_text;
void ln_text_add(ln_text *text, const char *more);
void ln_text_add_bytes(ln_text *text, const char *more, size_t length);
void ln_text_printf(ln_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ln_text_free(ln_text *text);

/* Whether a text ends so and has something in front: "a.csv" with ".csv". */
int ln_ends_with(const char *text, const char *ending);

/* The length of the word at the start of a list of names: up to a blank or comma, but those within
 * brackets belong to it
 * ("M[2,1] x" has 6). */
size_t ln_word_length(const char *text);
#define LN_BETWEEN_WORDS " \t\r\n,"

/* Shortest decimal text that reads back as exactly `value` ("0.1", "1e-06", "nan", "inf"); at most
 * 32 bytes with NUL. Returns its length. Locale-independent. */
int ln_number_format(char buffer[32], double value);
/* Reads a decimal number at `text` (as C99 strtod in the C locale, but no hexadecimal, inf or nan);
 * *end behind it, or
 * == text when there is none. Overflow gives HUGE_VAL. Locale-independent. */
double ln_number_read(const char *text, const char **end);

/* Map from strings to non-negative ints, hashed; keys are NOT copied and must outlive it. */
typedef struct ln_map ln_map;
ln_map *ln_map_new(void);
void ln_map_free(ln_map *map);
/* The value under key, or -1. */
int ln_map_get(const ln_map *map, const char *key);
/* Adds key with value >= 0 if absent. Returns the value now under key (the old one if it was
 * there), -1 when memory is short. */
int ln_map_put(ln_map *map, const char *key, int value);
/* The key will be looked for soon: its place is fetched from memory meanwhile. */
void ln_map_expect(const ln_map *map, const char *key);

/* Damerau-Levenshtein nearest to `wrong` of the names that are added one by one: `name`, NULL when
 * none is close (more than a third of the longer word differs). Begin with {.wrong = ...}; names
 * are borrowed, NULLs skipped. */
typedef struct ln_nearness {
    const char *wrong, *name;
    size_t edits; /* between them */
} ln_nearness;
void ln_nearest_add(ln_nearness *nearness, const char *name);
/* The nearest of `names` (count of them). */
const char *ln_nearest(const char *wrong, const char *const *names, size_t count);

/* Does the name match the pattern? '*' stands for any text, '?' for any character. */
int ln_matches(const char *pattern, const char *name);

#endif
