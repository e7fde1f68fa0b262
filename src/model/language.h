/* SPDX-License-Identifier: MIT */
/* The words of the model language: which element may stand where, with which attributes. Reading
 * uses the table in the room `model` alone; others may only list it. Every element that is none of
 * these words, in a model or a component, is a block. */
#ifndef LN_MODEL_LANGUAGE_H
#define LN_MODEL_LANGUAGE_H

#include "model/tree.h"

/* What an element's children are read as; bits, since a word may stand in several. */
typedef enum ln_context {
    LN_IN_MODEL = 1,
    LN_IN_LIBRARY = 2, /* <library>, and a <model> that is included */
    LN_IN_COMPONENT = 4,
    LN_IN_BLOCK_TYPE = 8,
    LN_IN_REPEAT = 16,
    LN_IN_WHEN = 32,
    LN_IN_TRIM = 64
} ln_context;

typedef enum ln_word_kind {
    LN_WORD_PARAMETER,
    LN_WORD_BLOCK,
    LN_WORD_LINK,
    LN_WORD_PORT,
    LN_WORD_START,
    LN_WORD_STATE,
    LN_WORD_LET,
    LN_WORD_NUMBER,
    LN_WORD_EQUATION,
    LN_WORD_MEMORY,
    LN_WORD_EVENT,
    LN_WORD_REPEAT,
    LN_WORD_RECORD,
    LN_WORD_REFERENCE,
    LN_WORD_TOLERANCE,
    LN_WORD_MEASURE,
    LN_WORD_ANALYSIS,
    LN_WORD_AT_REST,
    LN_WORD_LISTS, /* the kinds above are collected in lists */
    LN_WORD_SIMULATION = LN_WORD_LISTS,
    LN_WORD_TRIM,
    LN_WORD_INCLUDE,
    LN_WORD_DEFINITION,
    LN_WORD_ROOT,
    LN_WORD_ACTION
} ln_word_kind;

/* What the attribute `name` of a word must be. */
typedef enum ln_name_rule {
    LN_NAME_NONE, /* it has none, or a free one */
    LN_NAME_TYPE, /* of a type: letters, digits, '-', '_'; no word of the language */
    LN_NAME_PORT, /* letters, digits, '_' */
    LN_NAME_VALUE /* the same, and not reserved in expressions */
} ln_name_rule;

enum { LN_WORD_ATTRIBUTES = 20 }; /* at most */

typedef struct ln_word {
    const char *name;
    unsigned contexts; /* of ln_context */
    ln_word_kind kind;
    ln_name_rule rule;
    /* '!' in front: required; NULL behind the last, so that one place is more than they take */
    const char *attributes[LN_WORD_ATTRIBUTES + 1];
    int takes_text; /* 1: must hold text, 0: must not */
} ln_word;

/* The word as it is read in a context; NULL when it has no meaning there. O(words). */
const ln_word *ln_word_find(const char *name, ln_context context);

/* Is it a name of blocks, where it stands in the model itself? What is no word is one, or refused.
 * Names are interned; the last ones are kept in `known`, which begins as zeros. */
enum { LN_BLOCKS_KNOWN = 16 };
typedef struct ln_block_names {
    const char *name[LN_BLOCKS_KNOWN];
    int is_block[LN_BLOCKS_KNOWN];
} ln_block_names;
int ln_is_block_name(ln_block_names *known, const char *name);

/* The words in turn; NULL behind the last. One name may come several times, for other contexts. */
const ln_word *ln_word_at(size_t index);

/* The word of a root element, "model" or "library". */
const ln_word *ln_word_root(const char *name);

/* Reports an element that is no word of this context and cannot be a block there: misplaced, of a
 * later version of the language, or misspelt. `where`: "<model>" or "block type 'ball'". Returns 0
 * when it may well be a block. */
int ln_word_refuse(const ln_element *element, ln_context context, const char *where,
                   ln_report *report);

/* Attributes known and required ones there, name well formed, text only where it belongs, no
 * children unless `children`. Reports all that is wrong; returns 0 if anything was. */
int ln_word_check(const ln_word *word, const ln_element *element, int children, ln_report *report);

/* The attribute `index` of a <repeat> is a name that expressions can use. */
int ln_word_check_index(const ln_element *element, ln_report *report);

#endif
