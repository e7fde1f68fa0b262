/* SPDX-License-Identifier: MIT */
/* Parameters in scope: names with expressions that may name each other in any order, evaluated when
 * asked for, with units, ranges and cycles checked. A component instance has a scope of its own. */
#ifndef LN_MODEL_SCOPE_H
#define LN_MODEL_SCOPE_H

#include "base/arena.h"
#include "base/report.h"
#include "expression/dimension.h"

typedef struct ln_scope ln_scope;
typedef struct ln_names ln_names; /* expression/graph.h */

/* An empty scope in the arena; `title` names it in messages ("" for the model, "motor" for an
 * instance). */
ln_scope *ln_scope_new(ln_arena *arena, const char *title, ln_report *report);

/* A scope inside another, in which one more name stands for a number: the index of a repetition,
 * set by ln_scope_count_to(). NULL when memory is short. */
ln_scope *ln_scope_inside(ln_arena *arena, ln_scope *outer, const char *index);
void ln_scope_count_to(ln_scope *scope, double value);
/* The number that a name stands for, if it is known; 0: there is none. */
int ln_scope_number(const ln_scope *scope, const char *name, double *value);

/* A name that stands for text, not a number; borrowed. 0 when memory is short. */
int ln_scope_add_text(ln_scope *scope, const char *name, const char *text);
/* The text behind a name, in the scope or one around it; NULL when it stands for none. */
const char *ln_scope_text(const ln_scope *scope, const char *name);

/* A value as it is written, and the unit that it must fit (NULL: any). A bare number takes the unit
 * (so `unit="mm"` and a value of 5 is 0.005). */
typedef struct ln_written {
    const char *text, *unit;
    ln_place place;
} ln_written;

/* Declares a parameter with its expression, to be evaluated in `where` (its own scope for a
 * default, the scope in which the instance stands for a given value). Its value must lie between
 * min and max. Name twice, or reserved: error. */
linnet_status ln_scope_declare(ln_scope *scope, const char *name, ln_written written,
                               ln_scope *where, double min, double max);
/* Replaces the expression of a declared name, before first use (--set, public API). 0 if there is
 * no such name. */
int ln_scope_override(ln_scope *scope, const char *name, const char *text, ln_place place);

/* Evaluates all that was declared; errors are reported (all of them). */
linnet_status ln_scope_evaluate_all(ln_scope *scope);

/* Value of an expression in this scope, which must fit `unit` (NULL: any; a bare number takes the
 * unit). Literals are fast: a million calls must not need a million parsed trees kept. */
linnet_status ln_scope_value(ln_scope *scope, const char *text, const char *unit, ln_place place,
                             double *value);
/* The same, of which literals are read once: for those who read many, in any scopes. In the arena;
 * NULL when memory is short. */
typedef struct ln_literals ln_literals;
ln_literals *ln_literals_new(ln_arena *arena);
/* Was the text read as a literal of this unit before? Then *value is what it was. */
int ln_literals_know(const ln_literals *literals, const ln_written *written, double *value);
linnet_status ln_literals_value(ln_literals *literals, ln_scope *scope, const ln_written *written,
                                double *value);
/* The same for a list or matrix; *values in the arena, row by row. */
linnet_status ln_scope_list(ln_scope *scope, ln_written written, double **values, int *rows,
                            int *cols);

/* Names declared, in order, with their values (once evaluated). */
int ln_scope_count(const ln_scope *scope);
const char *ln_scope_name(const ln_scope *scope, int index, double *value, const char **unit);
ln_dimension ln_scope_dimension(const ln_scope *scope, int index);
/* The scope's names as a resolver for ln_lower (values become constants). `t` is not among them. */
ln_names ln_scope_names(ln_scope *scope);

#endif
