/* SPDX-License-Identifier: MIT */
/* Lists and tables of words, searched in order. */
#include "base/words.h"

#include <string.h>

int ln_word_index(const char *const *list, size_t count, const char *word) {
    for (size_t k = 0; k < count; k++)
        if (strcmp(list[k], word) == 0)
            return (int)k;
    return -1;
}

const void *ln_table_row(const void *rows, size_t count, size_t size, const char *word) {
    for (size_t k = 0; k < count; k++) {
        const char *row = (const char *)rows + k * size;
        if (strcmp(*(const char *const *)(const void *)row, word) == 0)
            return row;
    }
    return NULL;
}
