/* SPDX-License-Identifier: MIT */
/* A block type as help shows it, whatever it is made of: one view of classes and components for
 * text and JSON. */
#ifndef LN_CLI_CATALOGUE_VIEW_H
#define LN_CLI_CATALOGUE_VIEW_H

#include "base/json.h"
#include "blocks/catalogue.h"

typedef struct ln_view_port {
    const char *name, *domain, *doc;
    const char *role; /* "input", "output", "port" */
    int many, optional;
} ln_view_port;

typedef struct ln_view_param {
    const char *name, *unit, *doc;
    const char *kind;     /* "number", "integer", "list", "matrix", "text" */
    const char *standard; /* default as written, NULL: none */
    const char *range;    /* "> 0", "0 to 1", "" */
    int required;
} ln_view_param;

typedef struct ln_view_value {
    const char *name, *unit, *doc;
} ln_view_value;

typedef struct ln_view {
    const char *name, *group, *doc, *formula, *example;
    int is_component;
    const ln_view_port *ports;
    int nports;
    const ln_view_param *params;
    int nparams;
    const ln_view_value *values;
    int nvalues; /* what can be recorded: "R1.<name>" */
} ln_view;

/* Fills the view of a type; texts live in the arena or with the type. 0 when memory is short. */
int ln_view_make(const ln_type *type, ln_arena *arena, ln_view *view);

/* ---- the ways to show types ---- */
/* A page of text; 0 when memory is short. */
int ln_view_print(const ln_view *view, ln_arena *arena);
/* A section of Markdown under a heading of the third level; 0 when memory is short. */
int ln_view_print_markdown(const ln_view *view, ln_arena *arena);
/* One object in a list. */
void ln_view_json(const ln_view *view, ln_json *json);

/* ---- language_json.c ---- */

/* What is no block type: words, methods, measures, domains. */
void ln_language_json(ln_text *text);

#endif
