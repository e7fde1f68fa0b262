/* SPDX-License-Identifier: MIT */
/* Private to the room `spice`: what a deck consists of, as it is read: cards and their words,
 * expressions, parameters in their scopes, models and subcircuits.
 *
 * Cards are freed with the reading; all else lives in the arena of the model that is made. Texts
 * are lower case, as SPICE compares names; a card keeps its text as written beside them. */
#ifndef LN_SPICE_CARD_H
#define LN_SPICE_CARD_H

#include "base/arena.h"
#include "base/text.h"
#include "model/model.h"

typedef struct ln_spice ln_spice;

/* ---- cards and words ---- */

/* Small, for a deck may have millions of them; a card is at most 1 MiB long. */
typedef struct ln_spice_word {
    const char *text;
    /* 'w' word; '{' expression (its text without braces or quotes); '=' '(' ')' */
    unsigned kind : 8, begin : 24, end; /* places in the card's text */
} ln_spice_word;

typedef struct ln_card {
    const char *text; /* lower case, continuations joined, comments gone */
    ln_place place;
    const ln_spice_word *words;
    int nwords; /* NULL until they are asked for */
    struct ln_card *next;
} ln_card;

/* ---- formulas ---- */

typedef struct ln_formula {
    /* '0' number, 'n' name, 'f' call, '?' choice, '-' '!' with one argument, else an operator */
    char kind;
    const char *name; /* of 'n', 'f' */
    double value;
    struct ln_formula **args;
    int nargs;
} ln_formula;

/* ---- parameters ---- */

typedef struct ln_spice_param {
    const char *name, *text; /* text NULL: value is known */
    double value;
    int state; /* 0 new, 1 being computed, 2 done */
    ln_place place;
    struct ln_spice_param *next;
} ln_spice_param;

typedef struct ln_spice_scope {
    const struct ln_spice_scope *outer;
    const struct ln_circuit *circuit; /* whose instance it is: where its functions are looked for */
    ln_spice_param *params;
} ln_spice_scope;

typedef struct ln_spice_function {
    const char *name, **formal;
    int nformal;
    ln_formula *body;
    struct ln_spice_function *next; /* of that name, with other numbers of arguments */
} ln_spice_function;

/* ---- circuits ---- */

/* What a .model card of the deck itself gives the devices of one type: the same for each. */
typedef struct ln_model_given {
    const void *device; /* the type (device.c); NULL: not read yet */
    ln_attribute *attributes;
    int nattributes;
    double area; /* of devices that say none */
    signed char
        is_straight; /* LTspice's diode of straight lines: 1; -1: it is none; 0: nobody asked */
} ln_model_given;

typedef struct ln_spice_model {
    const char *name, *kind; /* kind: "npn" */
    ln_model_given *given;
    ln_card *card;
    const struct ln_circuit *home;
} ln_spice_model;

/* Definitions of one kind in one circuit, in order, and by name (definitions.c). */
typedef struct ln_definitions {
    void **items;
    size_t count, room;
    ln_map *named; /* name -> the first of it, in `items`; NULL: there are none */
} ln_definitions;

typedef struct ln_card_list {
    ln_card *first, *last;
} ln_card_list;

typedef struct ln_circuit { /* the deck itself, or a .subckt */
    const char *name;       /* NULL: the deck */
    const char **ports;
    int nports;
    const ln_card *card;
    ln_card_list elements;
    ln_card_list starts;    /* .ic and .nodeset of a subcircuit, for each of its instances */
    ln_spice_param *params; /* .param; those of the .subckt line stand first, in `formal` */
    ln_spice_param *formal;
    ln_definitions every;     /* params again, of ln_spice_param */
    ln_definitions models;    /* of ln_spice_model */
    ln_definitions functions; /* .func, the first of each name, of ln_spice_function */
    ln_definitions inner;     /* of ln_circuit */
    struct ln_circuit *outer;
} ln_circuit;

/* An instance of a circuit while it is opened. */
typedef struct ln_inside {
    const ln_circuit *circuit;
    const ln_spice_scope *scope;
    const char *prefix;  /* "" or "x1." */
    const char **joined; /* links of the ports */
    double m;            /* so many of it in parallel */
    const struct ln_inside *outer;
} ln_inside;

#endif
