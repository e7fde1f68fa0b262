/* SPDX-License-Identifier: MIT */
/* JSON (RFC 8259) written as it comes: the writer places commas, line breaks and quotes, its owner
 * says what the values are. A library that builds a tree first (Jansson) would hold whole results,
 * and writes 0.1 as 0.10000000000000001. */
#ifndef LN_BASE_JSON_H
#define LN_BASE_JSON_H

#include "base/arena.h"

typedef struct ln_text ln_text;

enum { LN_JSON_DEPTH = 16 }; /* objects and lists within one another; deeper fails the text */

typedef enum ln_json_kind {
    LN_JSON_OBJECT,
    LN_JSON_LIST,
    LN_JSON_OBJECT_LINES, /* each member on a line of its own, two blanks a depth in front */
    LN_JSON_LIST_LINES
} ln_json_kind;

/* Zero-initialise with `out`, to which all is added; memory that is short fails that text. */
typedef struct ln_json {
    ln_text *out;      /* borrowed */
    int depth, indent; /* open now; levels around what is written here, for its lines */
    unsigned char kind[LN_JSON_DEPTH], filled[LN_JSON_DEPTH];
} ln_json;

/* Begin and end an object or a list. In all functions `name` is that of the member in an object,
 * and NULL in a list and for the document itself. */
void ln_json_begin(ln_json *json, const char *name, ln_json_kind kind);
void ln_json_end(ln_json *json);
/* Ends the document, with a line break behind it. */
void ln_json_finish(ln_json *json);

/* Values. A text that is NULL and a number that is not finite are null; numbers are the shortest
 * that read back as the same. */
void ln_json_text(ln_json *json, const char *name, const char *text);
void ln_json_number(ln_json *json, const char *name, double value);
void ln_json_integer(ln_json *json, const char *name, long long value);
void ln_json_flag(ln_json *json, const char *name, int value);
void ln_json_null(ln_json *json, const char *name);
/* A text where there is one; nothing for NULL. */
void ln_json_text_if(ln_json *json, const char *name, const char *text);
/* `count` numbers, each `stride` behind the last, as a list. */
void ln_json_numbers(ln_json *json, const char *name, const double *values, int count, int stride);
/* A value that another writer has written. */
void ln_json_written(ln_json *json, const char *name, const ln_text *value);

#endif
