/* SPDX-License-Identifier: MIT */
/* Names of a model as identifiers of generated code.
 *
 * Letters, digits and underscores stay, every other character becomes an underscore. A name that
 * begins with a digit, is a keyword of C, C++ or Python, or is a macro of the headers that such
 * code meets, gets an addition; of two names that come out alike, the second gets a number.
 * Elements of vectors and matrices, "u[1]" and "m[2,1]", become one array. */
#ifndef LN_CODEGEN_NAMES_H
#define LN_CODEGEN_NAMES_H

#include "base/arena.h"
#include "base/arena.h"

typedef struct ln_map ln_map;
typedef struct ln_text ln_text;

/* A member of a struct. */
typedef struct ln_field {
    const char *identifier;
    const char *name;  /* in the model: "plant.x", of an array without its indices */
    int rows, cols;    /* of an array, from 1; 0 0: a number; cols 0: a vector */
    const char *unit;  /* NULL or "": none */
    const char *about; /* for its comment: block, place; may be NULL */
    int hidden;        /* 1: the struct has no such member after all */
} ln_field;

/* Where a quantity stands: its field, and its element, counted from 0. */
typedef struct ln_member {
    int field, row, col;
} ln_member;

/* The members of one struct. */
typedef struct ln_fields {
    ln_arena *arena;       /* borrowed */
    ln_map *taken, *known; /* identifiers; names of the model */
    ln_field *field;
    size_t count, room;
    int failed; /* memory was short; stays set */
} ln_fields;

/* reserved: identifiers that no member may bear, ended by NULL; may be NULL. */
void ln_fields_init(ln_fields *fields, ln_arena *arena, const char *const *reserved);
void ln_fields_free(ln_fields *fields);

/* The member for a name of the model, made if it is new; NULL for either: memory was short. */
ln_member ln_fields_add(ln_fields *fields, const char *name, const char *about);
/* Says in which unit the member is; unit may be NULL, and lives as long as the fields. */
void ln_fields_set_unit(ln_fields *fields, ln_member member, const char *unit);
/* Appends what there is to say of a field, as ln_comment_text(): "V, diode D1, model.xml:12". */
void ln_field_about(const ln_field *field, ln_text *out);
/* Appends the member as an operand: "y", "u[2]", "m[1][0]". */
void ln_member_print(const ln_fields *fields, ln_member member, ln_text *out);
/* The number of elements of a field. */
int ln_field_size(const ln_field *field);

/* A name as an identifier, without regard to others; in the arena, NULL when memory is short. */
const char *ln_identifier(ln_arena *arena, const char *name);
/* Whether a text is a plain identifier of C, no keyword and no name of a header. */
int ln_is_identifier(const char *text);

/* A text of the model inside a comment: nothing in it ends the comment, continues a line or is a
 * control character. */
void ln_comment_text(ln_text *out, const char *text);

#endif
