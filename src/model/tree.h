/* SPDX-License-Identifier: MIT */
/* A model file as a tree of elements with their places. Blocks of the model itself, of which there
 * may be millions, stand in a part of the arena that may go before the rest; their texts do not.
 *
 * Read by streaming (libxml2 SAX2) from a file that we read ourselves. Hostile input is refused
 * early: any DOCTYPE, depth, attributes per tag, bytes per tag, bytes per file, elements (limits
 * below; message gives limit and value). */
#ifndef LN_MODEL_TREE_H
#define LN_MODEL_TREE_H

#include "base/arena.h"
#include "base/report.h"

typedef struct ln_attribute {
    const char *name; /* interned in the tree: equal names are equal pointers */
    const char *value;
} ln_attribute;

typedef struct ln_element {
    const char *name; /* local name, interned */
    const char *file;
    int line;
    int nattributes;
    const ln_attribute *attributes; /* in document order */
    const char *text;               /* own character data, trimmed; NULL when blank */
    struct ln_element *first;       /* children in document order */
    struct ln_element *next;
} ln_element;

typedef struct ln_limits {
    size_t file_bytes;                /* default 4 GiB */
    size_t tag_bytes;                 /* 64 KiB */
    size_t section_bytes;             /* a comment, CDATA section or instruction: 8 MiB */
    int attributes;                   /* per tag, 64 */
    int depth;                        /* 64 */
    size_t elements;                  /* 20 million */
    int include_depth, include_files; /* 16, 256 */
    int passes_over;                  /* 0; 1: what is of other namespaces, in place of refusing */
} ln_limits;
extern const ln_limits ln_limits_default;

/* Reads one file into the arena. On failure NULL, reported; *status says LINNET_IO (cannot read) or
 * LINNET_MODEL (not well-formed, refused). Only elements of namespace urn:linnet:model:1 or of none
 * are accepted, unless limits say otherwise. */
const ln_element *ln_tree_read_file(ln_arena *arena, const char *path, const ln_limits *limits,
                                    ln_report *report, linnet_status *status);
/* A document in memory, and what messages call it. */
typedef struct ln_document {
    const char *name, *data;
    size_t length;
} ln_document;
/* The same from memory. */
const ln_element *ln_tree_read_memory(ln_arena *arena, ln_document document,
                                      const ln_limits *limits, ln_report *report,
                                      linnet_status *status);

/* Value of an attribute, or NULL. */
const char *ln_attribute_of(const ln_element *element, const char *name);
ln_place ln_place_of(const ln_element *element);

#endif
