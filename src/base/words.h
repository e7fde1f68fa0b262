/* SPDX-License-Identifier: MIT */
/* Lists of words, and tables whose rows begin with a word. They are searched from the first to the
 * last: the longest has some hundred rows. */
#ifndef LN_BASE_WORDS_H
#define LN_BASE_WORDS_H

#include <stddef.h>

/* The index of the word in the list, or -1. */
int ln_word_index(const char *const *list, size_t count, const char *word);
#define LN_WORD_INDEX(list, word) ln_word_index((list), sizeof(list) / sizeof *(list), (word))
#define LN_IS_AMONG(list, word) (LN_WORD_INDEX(list, word) >= 0)

/* The row of that word, or NULL. The first member of a row, `size` bytes long, is its word (const
 * char *). */
const void *ln_table_row(const void *rows, size_t count, size_t size, const char *word);
#define LN_ROW(rows, word) \
    ln_table_row((rows), sizeof(rows) / sizeof *(rows), sizeof *(rows), (word))

#endif
