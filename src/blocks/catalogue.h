/* SPDX-License-Identifier: MIT */
/* The catalogue: every type a model may name, whatever it is made of - a native class in C, a class
 * in C whose tables follow from the instance (a sum of n inputs), a block type in equations (of the
 * library or of the model), or a component. */
#ifndef LN_BLOCKS_CATALOGUE_H
#define LN_BLOCKS_CATALOGUE_H

#include "blocks/enable.h"
#include "base/arena.h"
#include "base/report.h"
#include <linnet/block.h>

typedef struct ln_definition ln_definition;
typedef struct ln_equations ln_equations;
typedef struct ln_model ln_model;
typedef struct ln_names ln_names;

/* The size of a signal: a vector is a column, a scalar 1 x 1; 0 x 0: not known (yet). */
typedef struct ln_size {
    int rows, cols;
} ln_size;

/* What decides the tables of a sized type: the instance's lists and texts, by index in the face's
 * tables. */
typedef struct ln_shape {
    /* per port of the face: how many scalars a LINNET_MANY port joins; 1 for others, but for
     * vectors at the port of a type with measure() */
    const int *links;
    const int *joined;           /* per port: how many links, of any size; NULL without vectors */
    const ln_size *const *sizes; /* per port: the sizes of these links; NULL without vectors */
    /* likewise: the links with their sizes and places, for messages; or NULL */
    const char *const *const *ends;
    /* per parameter of the face; 1 x 1 for numbers, 0 x 0 for an absent list */
    const int *rows, *cols;
    const char *const *texts; /* per parameter: TEXT parameters' value, else NULL */
    /* per parameter: values (STRUCTURAL ones may decide the tables), row by row */
    const double *const *values;
    /* parameters in scope where the instance stands, for texts that are expressions */
    const ln_names *names;
    ln_place place;
    const char *block; /* the instance's name, for messages */
    int allow_native;  /* code that the model names may run */
    /* of the states on request those that the instance has, NULL behind the last; NULL: all */
    const char *const *wanted;
} ln_shape;

typedef struct ln_type {
    /* group: "electrical", "signal", ... or "model" for a model's own */
    const char *name, *group;
    /* tables as a user sees them (`linnet blocks`, attribute checks). NULL for a component. For a
     * type that is not sized it is the class of every instance */
    const linnet_block_class *face;
    /* Sized types: describes one instance in equations; NULL for others. Reports what does not fit.
     */
    linnet_status (*describe)(const ln_shape *shape, ln_equations *equations, ln_report *report);
    const ln_definition *definition; /* block type or component in XML, else NULL */
    /* Types that know sizes (a matrix gain): writes the sizes of the output links into
     * sizes[port][link], from those of the inputs and the parameters; what cannot be told yet stays
     * as it is. When called with a report all sizes are known, and it reports what does not fit;
     * without one it just fails. NULL: a type with signal ports alone works element by element, any
     * other on scalars. */
    linnet_status (*measure)(const ln_shape *shape, ln_size *const *sizes, ln_report *report);
    /* Types whose ports have sizes of their own: that of each port of the face, and the class of
     * every instance, which has a port for each element. NULL for others. */
    const ln_size *sizes;
    const linnet_block_class *whole;
} ln_type;

typedef struct ln_catalogue ln_catalogue;

/* The built-in types. `extra`: model whose own definitions are added (may be NULL; must outlive the
 * catalogue); a definition that bears a built-in name takes its place, with a note. Library block
 * types are parsed when first asked for. NULL after an error, which is reported and, where status
 * is not NULL, told there. The report must outlive the catalogue, too. Owner: caller. */
ln_catalogue *ln_catalogue_new(const ln_model *extra, ln_report *report, linnet_status *status);
void ln_catalogue_free(ln_catalogue *catalogue);

/* The type of that name, compiled, or NULL with *status: LINNET_OK = there is none of the name (not
 * reported, see ln_catalogue_nearest), else its definition has errors (reported once). */
const ln_type *ln_catalogue_find(ln_catalogue *catalogue, const char *name, linnet_status *status);
const char *ln_catalogue_nearest(const ln_catalogue *catalogue, const char *name);
/* All names in order of group and name; 0-based; NULL behind the last. */
const char *ln_catalogue_name(const ln_catalogue *catalogue, int index, const char **group);

/* The class of an instance: the type's face, or for a sized type one made for this shape (kept by
 * the catalogue; equal shapes may share it). */
linnet_status ln_catalogue_class(ln_catalogue *catalogue, const ln_type *type,
                                 const ln_shape *shape, ln_report *report,
                                 const linnet_block_class **class);

/* 1 when instances have classes of their own: a type that describes each, or one in XML with
 * parameters that decide sizes, or states on request. */
int ln_type_is_sized(const ln_type *type);
/* 1 when the type has states that only those instances have that want them (LINNET_ON_REQUEST). */
int ln_type_offers(const ln_type *type);
/* Sizes of the ports of an instance of a type whose ports have sizes of their own; into the arena
 * where they follow from its parameters. */
linnet_status ln_catalogue_sizes(ln_catalogue *catalogue, const ln_type *type,
                                 const ln_shape *shape, ln_arena *arena, ln_report *report,
                                 const ln_size **sizes);

/* For a catalogue that serves several networks, one after the other. tell: where errors go from now
 * on. forget: gives up the classes made for the shapes of a network that is freed now, those that
 * hold its parameters always, others when they have become many. */
void ln_catalogue_tell(ln_catalogue *catalogue, ln_report *report);
void ln_catalogue_forget(ln_catalogue *catalogue);

/* The class with enables (enable.h) in place of a class of equations; NULL in *enabled for a class
 * in C or with delays, which cannot have them. Its further inputs come behind the ports of the
 * class. */
linnet_status ln_catalogue_enabled(ln_catalogue *catalogue, const linnet_block_class *class,
                                   const ln_enable *enables, int nenables, ln_report *report,
                                   const linnet_block_class **enabled);
/* The class that acts at the edges of a trigger (trigger.h), its further input. *reason: why it
 * cannot be, and NULL in *triggered; else NULL. */
linnet_status ln_catalogue_triggered(ln_catalogue *catalogue, const linnet_block_class *class,
                                     ln_trigger_edge edge, ln_report *report,
                                     const linnet_block_class **triggered, const char **reason);

/* Registers a native class (public API); copied by reference, checked (ABI, tables, pointers). */
linnet_status ln_catalogue_register(ln_catalogue *catalogue, const linnet_block_class *class,
                                    ln_report *report);

/* Checks the tables of a class: entries in range, no entry in a signal input's row, own rows named,
 * offsets... */
linnet_status ln_class_check(const linnet_block_class *class, ln_report *report);

#endif
