/* SPDX-License-Identifier: MIT */
/* Private to the reader of <block-type>: what read_type.c, type_parameter.c and type_array.c share.
 */
#ifndef LN_BLOCKS_TYPE_READER_H
#define LN_BLOCKS_TYPE_READER_H

#include "blocks/read_type.h"
#include "blocks/type_names.h"
#include "expression/unroll.h"

typedef struct ln_type_reader {
    const ln_definition *definition;
    ln_equations *e;
    ln_report *report;
    ln_type_names *names;
    ln_names all;              /* every name of the type */
    const char *title;         /* for messages */
    const char *const *wanted; /* as in ln_read_type() */
    int of_instance;           /* 1: sizes are an instance's, which lists by default may not fit */
    ln_array *arrays;          /* ln_sys memory */
    ln_bound *constants;       /* ln_sys memory */
    size_t array_room, constant_room;
    ln_unroll unroll;
    int errors;
} ln_type_reader;

static inline const char *ln_name_of(const ln_element *element) {
    return ln_attribute_of(element, "name");
}

/* ---- type_text.c ---- */

/* A unit by its way to SI: a bare number v in it means v*factor + offset. */
typedef struct ln_type_scale {
    ln_dimension dimension;
    double factor, offset;
} ln_type_scale;
/* What the unit attribute says (none: any dimension, as it is). coherent: it must be SI without a
 * prefix. */
ln_type_scale ln_type_unit(ln_type_reader *r, const ln_element *element, const char *name,
                           int coherent);
/* An expression at the indices in effect to a value; 0 after an error. */
int ln_type_lower(ln_type_reader *r, const char *text, const ln_names *names, ln_place place,
                  ln_value *value);
/* The same of a tree; those of its unrolling live in `scratch`. */
int ln_type_lower_tree(ln_type_reader *r, ln_arena *scratch, const ln_ast *ast,
                       const ln_names *names, ln_place place, ln_value *value);
void ln_type_check_fit(ln_type_reader *r, ln_dimension a, ln_dimension b, ln_place place,
                       const char *what, const char *name);
/* A bound: a constant; a bare number takes the parameter's unit. 0 when absent or wrong. */
int ln_type_bound(ln_type_reader *r, const ln_element *element, const char *attribute,
                  ln_type_scale scale, double *value);
/* An attribute that says yes or no; no when absent. */
int ln_type_yes(ln_type_reader *r, const ln_element *element, const char *attribute);

/* Calls read once, or for all values of the element's indices (for, where), and stops where it
 * returns 0. Calls nest. */
int ln_type_repeat(ln_type_reader *r, const ln_element *element,
                   int (*read)(ln_type_reader *r, const ln_element *node, void *context),
                   void *context);
/* "   for i = 1 .. n where i ne 3", if so. */
void ln_type_ranges_text(const ln_element *element, ln_text *text);

/* ---- type_event.c ---- */

void ln_type_memory(ln_type_reader *r, const ln_element *element);
void ln_type_event(ln_type_reader *r, const ln_element *element);
/* "when h lt 0: v = -e*v, h = 0" */
void ln_type_event_text(const ln_element *element, ln_text *text);

/* ---- type_array.c ---- */

/* The array that the element declares, noted for all that follows; without a size, one that has no
 * dimension. 0 after an error. */
int ln_type_array(ln_type_reader *r, const ln_element *element, ln_array *array);
/* Calls visit with the name of each element, row by row, with its indices in effect; stops where it
 * returns 0. */
typedef int ln_element_visit(ln_type_reader *r, const ln_element *element, const char *name,
                             void *context);
int ln_type_each_element(ln_type_reader *r, const ln_element *element, const ln_array *array,
                         ln_element_visit *visit, void *context);
/* <number>: a name for a number, and so known where sizes and indices are decided. */
void ln_type_number(ln_type_reader *r, const ln_element *element);

/* ---- type_size.c ---- */

/* 1 for an integer parameter that a size, a range of an index or a <number> names. */
int ln_type_decides_sizes(const ln_definition *definition, const ln_element *parameter);
/* Makes these parameters constants: as given (by index of the parameter), or NULL: as the type is
 * shown. */
void ln_type_sizes(ln_type_reader *r, const double *const *given);

/* ---- type_parameter.c ---- */

void ln_type_parameter(ln_type_reader *r, const ln_element *element);

#endif
