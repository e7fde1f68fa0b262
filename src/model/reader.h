/* SPDX-License-Identifier: MIT */
/* Private to the room `model`: what the reading of one model and its includes shares. */
#ifndef LN_MODEL_READER_H
#define LN_MODEL_READER_H

#include "base/text.h"
#include "model/language.h"
#include "model/model.h"

typedef struct ln_list {
    const ln_element **items;
    size_t count, room;
} ln_list;

/* A file of the model: the model itself or an included one. */
typedef struct ln_source {
    const char *real; /* resolved path: the file's identity */
    const char *path; /* as it stands in messages */
    int open;         /* still being read: including it again is a circle */
    int from;         /* the source that includes it, -1 for the model */
} ln_source;

/* The name of elements that are no words in this context, and whether they are blocks there: a
 * large model has a million of one name, which the tree holds once. */
typedef struct ln_block_name {
    const char *name;
    ln_context context;
    int is_block;
} ln_block_name;
enum { LN_BLOCK_NAMES = 16 };

struct ln_reader {
    ln_model *model;
    const ln_model_options *options;
    const ln_limits *limits;
    ln_report *report;
    linnet_status status;         /* the gravest so far; reading goes on after LINNET_MODEL */
    ln_list lists[LN_WORD_LISTS]; /* children of the body being sorted, by kind */
    ln_definition *definitions;
    size_t ndefinitions, definition_room;
    ln_map *definition_names;
    ln_block_name block_names[LN_BLOCK_NAMES]; /* found last */
    const char *folder; /* the model's folder, NULL when it is read from memory */
    ln_source *sources;
    size_t nsources, source_room;
};

/* Notes a status that has been reported: memory and input failures outrank wrong models. */
void ln_reader_note(ln_reader *reader, linnet_status status);
/* Notes LINNET_MODEL unless `fine`. */
void ln_reader_expect(ln_reader *reader, int fine);

/* Sorts a root element: its definitions, and with context LN_IN_MODEL its body into reader->model.
 * `source` is the index of its file, -1 when it has none; includes are followed. (sort.c) */
void ln_sort_root(ln_reader *reader, const ln_element *root, ln_context context, int source);

/* Finds the file that `href` names from `source` by the rule of <include>, and enters it as open,
 * to be closed by the caller: its index; -1 after an error; -2 when it has been read already and
 * `again` is 0. (include.c) */
int ln_include_open(ln_reader *reader, const char *href, int source, int again, ln_place place);

/* Reads the file an <include> names and takes its definitions. (include.c) */
void ln_include(ln_reader *reader, const ln_element *include, int source);
/* Enters the model's own file as the first source; returns its index, -1 after an error. */
int ln_include_first(ln_reader *reader, const char *path);

#endif
