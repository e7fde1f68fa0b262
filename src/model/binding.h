/* SPDX-License-Identifier: MIT */
/* Private to the room `model`: the inside of a scope. */
#ifndef LN_MODEL_BINDING_H
#define LN_MODEL_BINDING_H

#include "model/scope.h"
#include "expression/ast.h"

typedef enum ln_binding_state {
    LN_BINDING_NEW,
    LN_BINDING_OPEN, /* waits for the names it needs: meeting it again is a circle */
    LN_BINDING_DONE,
    LN_BINDING_FAILED /* reported */
} ln_binding_state;

/* A name with its expression and, once asked for, its value. */
typedef struct ln_binding {
    const char *name, *text, *unit;
    double min, max;
    ln_scope *where; /* scope of the names in its expression */
    ln_place place;
    ln_binding_state state;
    double value; /* SI */
    ln_dimension dimension;
} ln_binding;

/* A name that stands for text. */
typedef struct ln_scope_text_of {
    const char *name, *text;
    struct ln_scope_text_of *next;
} ln_scope_text_of;

struct ln_scope {
    ln_arena *arena;
    ln_scope *outer; /* of a repetition: where all other names are */
    ln_scope_text_of *texts;
    const char *title;
    ln_report *report;
    ln_binding *bindings; /* in order of declaration; grows by doubling in the arena */
    const char **names;   /* of the bindings, for hints */
    int count, room;
    int *slots, nslots; /* hash table of binding numbers + 1; a power of two */
    struct {            /* the unit met last, as it is written and read */
        char text[32];
        double factor, offset;
        ln_dimension dimension;
    } unit;
};

/* The binding of that name, or NULL. */
ln_binding *ln_scope_binding(const ln_scope *scope, const char *name);

/* Evaluates the parsed text with the names of `scope`, all of which are known, in the unit.
 * Reports. (scope.c) */
linnet_status ln_quantity_read(ln_scope *scope, const ln_ast *ast, const ln_written *written,
                               double *value, ln_dimension *dimension);
/* Checks the unit of a value, and converts one that has none. literal: the text is nothing but a
 * number, which is then read again with the unit behind it, so that 0.1 in mm is the double nearest
 * to 1e-4. */
linnet_status ln_quantity_fit(ln_scope *scope, const ln_written *written, int literal,
                              double *value, ln_dimension *dimension);
/* Text that is nothing but a number with its unit: 1 when it is one and fits, 0 when it must be
 * parsed, -1 reported. */
int ln_quantity_literal(ln_scope *scope, const char *text, const char *unit, ln_place place,
                        double *value, ln_dimension *dimension);
/* Reads a unit into scope->unit. (quantity_unit.c) */
linnet_status ln_quantity_unit(ln_scope *scope, const char *unit, ln_place place);
/* Evaluates a binding, or all that a tree names; circles are reported. LINNET_MODEL: one of them
 * failed. (scope.c) */
linnet_status ln_scope_evaluate_binding(ln_scope *scope, ln_binding *binding);
linnet_status ln_scope_need(ln_scope *scope, const ln_ast *ast);

#endif
