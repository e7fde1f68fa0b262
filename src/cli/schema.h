/* SPDX-License-Identifier: MIT */
/* The model language as a schema for editors: its words from the reader's own table, its types from
 * the catalogue. */
#ifndef LN_CLI_SCHEMA_H
#define LN_CLI_SCHEMA_H

#include "base/arena.h"
#include "blocks/catalogue.h"
#include "cli/catalogue_view.h"
#include "model/language.h"

typedef struct ln_text ln_text;

/* A type with what may be written on its element. */
typedef struct ln_schema_type {
    const linnet_block_class *face; /* NULL: a component of the library */
    ln_view view;
    int takes_text; /* a list or a text may stand inside */
} ln_schema_type;

typedef struct ln_schema {
    ln_arena *arena;
    ln_schema_type *types;
    int ntypes;
    const char **words; /* names of all words of the language, each once */
    int nwords;
} ln_schema;

/* What can stand on every block: name and what it is. NULL behind the last. */
const char *ln_schema_common(int index, const char **doc);
/* Whether the type has a port or parameter of that name. */
int ln_schema_is_own(const ln_schema_type *type, const char *name);
/* What is to be said of a parameter: text, unit, default, range. NULL when memory is short. */
const char *ln_schema_about(ln_arena *arena, const ln_view_param *param);
/* 1 when an element without it is wrong whatever else it holds. */
int ln_schema_requires(const ln_schema_type *type, const ln_view_param *param);
/* Calls `put` for each attribute that an element of the type may have. */
typedef void ln_schema_put(ln_text *out, const char *name, const char *doc, int required);
void ln_schema_attributes(const ln_schema *schema, const ln_schema_type *type, ln_schema_put *put,
                          ln_text *out);
/* The values an attribute of a word can have, 0-based; NULL behind the last, or when it takes any.
 */
const char *ln_schema_choice(const char *word, const char *attribute, int index);
/* The contexts in which words stand, with the element that makes each; NULL behind the last. */
typedef struct ln_schema_place {
    ln_context context;
    const char *name; /* of a pattern */
    int holds_blocks;
} ln_schema_place;
const ln_schema_place *ln_schema_place_at(int index);
/* The place of what stands inside a word; NULL: nothing does. */
const ln_schema_place *ln_schema_inside(const ln_word *word);

void ln_schema_rng(const ln_schema *schema, ln_text *out);
void ln_schema_xsd(const ln_schema *schema, ln_text *out);

#endif
