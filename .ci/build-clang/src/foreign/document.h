/* SPDX-License-Identifier: MIT */
/* A YAML or JSON file as a tree of data with lines. JSON is read as the YAML it is, for libyaml
 * knows the line of every value and Jansson does not. */
#ifndef LN_FOREIGN_DOCUMENT_H
#define LN_FOREIGN_DOCUMENT_H

#include "base/arena.h"
#include "base/report.h"

typedef enum ln_datum_kind { LN_DATUM_TEXT, LN_DATUM_LIST, LN_DATUM_MAP } ln_datum_kind;

typedef struct ln_datum {
    ln_datum_kind kind;
    const char *key;  /* within a map; else NULL */
    const char *text; /* of a text; "" otherwise */
    int quoted;       /* the text stood in quotes: it is no number, no true, no null */
    int line;
    struct ln_datum *first, *next; /* of a list or map: its items, in order */
} ln_datum;

/* Reads a file into the arena. On failure NULL, told; *status says LINNET_IO (cannot be read, or
 * libyaml is missing) or LINNET_MODEL. Refused are anchors, several documents, keys that are no
 * text, a depth above LN_DATUM_DEPTH and more than LN_DATUM_BYTES. */
enum { LN_DATUM_DEPTH = 64, LN_DATUM_BYTES = 1 << 28 };
const ln_datum *ln_document_read(ln_arena *arena, const char *path, ln_report *report,
                                 linnet_status *status);

/* The item of a map under a key, NULL when there is none (or `map` is NULL or no map). */
const ln_datum *ln_datum_of(const ln_datum *map, const char *key);
/* Its text, or `otherwise` when there is no text under the key, an empty one or null. */
const char *ln_datum_text(const ln_datum *map, const char *key, const char *otherwise);
/* Its number, or `otherwise` when it is not there or no number. */
double ln_datum_number(const ln_datum *map, const char *key, double otherwise);
/* Is it there and true? */
int ln_datum_is_true(const ln_datum *map, const char *key);
int ln_datum_count(const ln_datum *list);

#endif
