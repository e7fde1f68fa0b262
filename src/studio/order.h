/* SPDX-License-Identifier: MIT */
/* What the page asks for, as a command line of the program: words that were checked, never a line
 * that a shell would read. */
#ifndef LN_STUDIO_ORDER_H
#define LN_STUDIO_ORDER_H

#include "base/arena.h"
#include <jansson.h>

/* A command line that grows. */
typedef struct ln_words {
    ln_arena *arena;
    const char **words; /* ends with NULL */
    size_t count, room;
    int failed; /* memory is short */
} ln_words;

void ln_words_begin(ln_words *words, ln_arena *arena, const char *program, const char *command);
/* Adds a word, copied; NULL: memory was short. */
void ln_words_add(ln_words *words, const char *word);
void ln_words_free(ln_words *words);

/* A member that is a string; NULL when there is none, or one that is empty. */
const char *ln_order_text(const json_t *body, const char *name);

/* --duration, --step, --tolerance, --method and the like, and --set of `set`: {"R1.R": "2 kOhm"}.
 */
void ln_order_how(ln_words *words, const json_t *body);
/* --OPTION VALUE for each member of an object: NAME=VALUE. */
void ln_order_pairs(ln_words *words, const char *option, json_t *pairs);
/* --OPTION with a list of names: "in,out". */
void ln_order_list(ln_words *words, const char *option, const json_t *names);

#endif
