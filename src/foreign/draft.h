/* SPDX-License-Identifier: MIT */
/* A model in the making: elements of our language with the lines of a foreign file. Memory that
 * runs short is noted in `status`; what is made then is never read. */
#ifndef LN_FOREIGN_DRAFT_H
#define LN_FOREIGN_DRAFT_H

#include "base/text.h"
#include "model/tree.h"

typedef struct ln_draft {
    ln_arena *arena;
    ln_report *report;
    linnet_status status;
    const char *file, *system; /* path; "Vibesim" */
    ln_map *interned;          /* names of elements and attributes */
    const char **names;
    size_t nnames, name_room;
    ln_map **maps; /* freed with the draft */
    size_t nmaps, map_room;
    ln_map *types;           /* names of components */
    ln_map *variables;       /* names of the model's parameters: 0, 1, ... */
    const char **parameters; /* the same, in order */
    int nparameters;
    const struct ln_datum *metadata; /* of an obliq-2 file */
    ln_element nowhere;              /* written to when memory is short; never read */
    ln_attribute nothing[1];
} ln_draft;

/* A place for children: an element and its last child. */
typedef struct ln_nest {
    ln_element *element, *last;
} ln_nest;

/* Status LINNET_MEMORY when it cannot begin; to be ended in any case. */
void ln_draft_begin(ln_draft *draft, ln_arena *arena, const char *file, const char *system,
                    ln_report *report);
void ln_draft_end(ln_draft *draft);

/* Tells an error at a line and notes LINNET_MODEL. */
void ln_draft_error(ln_draft *draft, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Text in the arena; "" when memory is short. */
const char *ln_draft_text(ln_draft *draft, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A growing text as one in the arena; frees it. */
const char *ln_draft_keep(ln_draft *draft, ln_text *text);
void *ln_draft_alloc(ln_draft *draft, size_t count, size_t size);
/* A map that lives as long as the draft; NULL when memory is short. */
ln_map *ln_draft_map(ln_draft *draft);

/* A new element below another (or below none, `nest` NULL), with room for attributes. */
ln_element *ln_draft_add(ln_draft *draft, ln_nest *nest, const char *name, int line, int room);
/* An attribute; none where `value` is NULL. */
void ln_draft_put(ln_draft *draft, ln_element *element, const char *name, const char *value);

/* A foreign name as one of ours: what is no letter, digit, '_' or '-' becomes '_'. */
const char *ln_draft_name(ln_draft *draft, const char *name);
/* As ln_map_put(); the draft notes when memory is short. */
int ln_draft_enter(ln_draft *draft, ln_map *map, const char *key, int value);
/* The name, or with _2, _3, ... behind it the first that `taken` does not hold; it is entered. */
const char *ln_draft_unique(ln_draft *draft, ln_map *taken, const char *name);

#endif
