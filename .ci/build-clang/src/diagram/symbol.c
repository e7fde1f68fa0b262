/* SPDX-License-Identifier: MIT */
/* Symbols found in their tables; see symbol.h. */
#include "diagram/symbol_table.h"

#include <string.h>

/* The symbols of both tables in one row; NULL behind the last. */
static const ln_symbol *symbol_at(int index) {
    if (index < 0 || index >= ln_symbols_physical_count + ln_symbols_block_count)
        return NULL;
    return index < ln_symbols_physical_count ? &ln_symbols_physical[index]
                                             : &ln_symbols_block[index - ln_symbols_physical_count];
}

/* Whether a list of words, separated by blanks, has the word. */
static int has_word(const char *list, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return 1;
    return 0;
}

static int holds(const char *when, const char *(*attribute)(const void *block, const char *name),
                 const void *block) {
    const char *equals = when != NULL ? strchr(when, '=') : NULL;
    char name[16];
    if (equals == NULL)
        return 1;
    const size_t length = (size_t)(equals - when);
    memcpy(name, when, length);
    name[length] = '\0';
    const char *value = attribute(block, name);
    return value != NULL && strcmp(value, equals + 1) == 0;
}

const ln_symbol *ln_symbol_of(const char *type,
                              const char *(*attribute)(const void *block, const char *name),
                              const void *block) {
    const ln_symbol *symbol;
    for (int k = 0; (symbol = symbol_at(k)) != NULL; k++)
        if (has_word(symbol->types, type) && holds(symbol->when, attribute, block))
            return symbol;
    return NULL;
}

const ln_symbol *ln_symbol_named(const char *name) {
    const ln_symbol *symbol;
    for (int k = 0; (symbol = symbol_at(k)) != NULL; k++)
        if (strcmp(symbol->name, name) == 0)
            return symbol;
    return NULL;
}

const char *ln_symbol_name(int index) {
    const ln_symbol *symbol = symbol_at(index);
    return symbol != NULL ? symbol->name : NULL;
}
