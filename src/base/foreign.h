/* SPDX-License-Identifier: MIT */
/* Words that other programs use for what has another name here, so that a message can answer with
 * ours. */
#ifndef LN_BASE_FOREIGN_H
#define LN_BASE_FOREIGN_H

#include <stddef.h>

typedef enum ln_foreign {
    LN_FOREIGN_METHOD,
    LN_FOREIGN_SETTING,
    LN_FOREIGN_UNIT,
    LN_FOREIGN_TYPE,
    LN_FOREIGN_MEASURE,
    LN_FOREIGN_ATTRIBUTE /* ports and parameters of blocks: one word has several meanings */
} ln_foreign;

/* Linnet's name for a word of that kind, whatever the case of its letters: "ode45" among methods is
 * "rk45". NULL when the table does not know the word. Static storage. */
const char *ln_foreign_word(ln_foreign kind, const char *word);
/* The same where a word has several meanings: the first that is among `known`; NULL: none is. */
const char *ln_foreign_among(ln_foreign kind, const char *word, const char *const *known,
                             size_t nknown);

#endif
