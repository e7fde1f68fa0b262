/* SPDX-License-Identifier: MIT */
/* Private to the room `model`: the XML parser (libxml2, SAX2, fed in pieces) and the tree that
 * grows from its calls.
 *
 * libxml2 builds no document of its own. It is given no means to load anything: no option that
 * substitutes entities, loads document types or follows XInclude, and callbacks that refuse. The
 * first error ends the parse; its text is ours (xml_error.c). */
#ifndef LN_MODEL_BUILDER_H
#define LN_MODEL_BUILDER_H

#include "base/text.h"
#include "model/language.h"
#include "model/scan.h"

#include <libxml/parser.h>

typedef struct ln_builder_level { /* an element that is still open */
    ln_element *element, *last;   /* last: its youngest child */
    size_t text;                  /* where its character data begins in builder->text */
} ln_builder_level;

#define LN_NAME_CACHE 1024

typedef struct ln_model_builder {
    ln_arena *arena;
    const char *file; /* in the arena */
    const ln_limits *limits;
    ln_report *report;
    linnet_status status; /* the first failure, reported */
    ln_scan scan;
    xmlParserCtxtPtr parser;
    ln_builder_level *open;
    size_t depth, room;
    ln_element *root;
    size_t elements;
    size_t passing; /* levels of what is passed over, for it is of another namespace */
    ln_text text;   /* character data of all open elements, one behind the other */
    ln_map *names;  /* interned names: their index in name_list */
    const char **name_list;
    size_t nnames, name_room;
    /* libxml2's interned pointer to ours */
    struct {
        const xmlChar *theirs;
        const char *ours;
    } cache[LN_NAME_CACHE];
    ln_block_names blocks;
} ln_model_builder;

/* Fails, reported, when memory is short. `file` must live as long as the arena. */
linnet_status ln_builder_start(ln_model_builder *builder, ln_arena *arena, const char *file,
                               const ln_limits *limits, ln_report *report);
linnet_status ln_builder_feed(ln_model_builder *builder, const char *bytes, size_t length);
/* After the last byte: the root, or NULL with builder->status. */
const ln_element *ln_builder_finish(ln_model_builder *builder);
/* Frees all but the tree. */
void ln_builder_end(ln_model_builder *builder);

/* Ends the parse with the first failure; later ones are consequences and are dropped. */
void ln_builder_stop(ln_model_builder *builder, linnet_status status);

/* Callback of libxml2: turns its error into our message and stops the builder. */
void ln_builder_error(void *builder, xmlErrorPtr error);

#endif
