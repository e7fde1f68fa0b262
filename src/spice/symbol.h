/* SPDX-License-Identifier: MIT */
/* Private to the room `spice`: what a symbol of a schematic stands for. */
#ifndef LN_SPICE_SYMBOL_H
#define LN_SPICE_SYMBOL_H

#include "spice/deck.h"

typedef struct ln_spot {
    int x, y;
} ln_spot;

/* Attributes that make up a card behind its nodes, in this order. */
enum { LN_SYMBOL_VALUES = 5, LN_SYMBOL_MODEL = 4 };
extern const char *const ln_symbol_values[LN_SYMBOL_VALUES];

typedef struct ln_schematic_symbol {
    const char *name;
    char letter; /* of the card, lower case */
    int pins;
    const ln_spot *at;                    /* in the order of the card's nodes, before turning */
    const char *standard;                 /* the .model that LTspice has by itself */
    int repeats;                          /* the last node once more: a bulk on its source */
    int is_opamp;                         /* LTspice's ideal one, whose subcircuit is known here */
    const char *values[LN_SYMBOL_VALUES]; /* where the schematic says nothing; "" or NULL: none */
    const char *library;                  /* a file of models that it needs; NULL: none */
} ln_schematic_symbol;

/* One of LTspice's elementary symbols, or what the file NAME.asy in the folder of the schematic, or
 * in one that the command line allows, makes of the name. NULL: neither is there, or it is wrong
 * and told at the place. */
const ln_schematic_symbol *ln_symbol_find(ln_spice *spice, const char *name, ln_place place);

#endif
