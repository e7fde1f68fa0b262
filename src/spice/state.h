/* SPDX-License-Identifier: MIT */
/* Private to the room `spice`: what is known while one deck is read, by the file that owns it.
 *
 * Everything is entered in the order of the deck and used when all of it is there: settings before
 * the first element, signals, measures and analyses after the last. Items of lists are released
 * with the reading; what they point to lives in the arena. */
#ifndef LN_SPICE_STATE_H
#define LN_SPICE_STATE_H

#include "spice/card.h"
#include "base/text.h"
#include "model/language.h"

/* A growing array, zero-initialised (LN_SPICE_ADD). */
#define LN_SPICE_LIST(type) \
    struct {                \
        type *items;        \
        size_t count, room; \
    }

typedef struct ln_emitted {  /* an element that others may name: sources and inductors */
    const char *name, *node; /* full name, lower case */
    ln_element *element;
    ln_element *ports;   /* of which a port is moved when the current is sensed; NULL: none */
    const char *port;    /* that port: "p" */
    const char *current; /* how an expression names its current: "V1.i" */
    const char *rest; /* the parameter that is its value at rest, where a block beside it has it */
    int sensed;
} ln_emitted;

typedef struct ln_winding {
    const char *name;
    ln_element *element;
    double henry;
    const char *p, *n, *start;
    int group;
} ln_winding;
typedef struct ln_coupling {
    int a, b;
    double k;
    ln_place place;
    const char *name, *names[2];
} ln_coupling;
typedef struct ln_series {
    ln_element *element;
    const char *source;
} ln_series;
/* from word `skip` on; named: an analysis may stand there */
typedef struct ln_save {
    ln_card *card;
    int skip, named, response;
} ln_save;
typedef struct ln_let {
    const char *name;
    const ln_formula *formula;
} ln_let;
typedef struct ln_analysis {
    ln_card *card;
    void (*emit)(ln_spice *spice, ln_card *card);
} ln_analysis;
typedef struct ln_initial {
    const char *node;
    double value;
    ln_place place;
} ln_initial;

/* The files of the deck, as cards (lines.c). */
typedef struct ln_deck_input {
    ln_card *first, *last;
    size_t ncards, bytes; /* limited */
    int ended;            /* .end was met in the deck's own file */
} ln_deck_input;

/* The lines between .control and .endc (script.c). */
typedef struct ln_script {
    int within;
    /* Within if ... end: how many are open, and the line and word that opened the outermost. */
    int depth, line;
    const char *opened;
    int refused;          /* a command in there was reported; one report is enough */
    const char *analysis; /* the last one called, "" none: print shows its result */
    LN_SPICE_LIST(ln_let) lets;
} ln_script;

/* How the deck wants to be run: .tran, .options, .temp, .ic, .nodeset (control.c). They hold
 * before the first element is made, wherever their cards stand. */
typedef struct ln_deck_settings {
    LN_SPICE_LIST(ln_card *) early; /* the cards */
    ln_card *tran;
    double tran_step, tran_stop, tran_start, tran_max; /* s */
    int uic, startup;
    double temperature, nominal; /* degC */
    double reltol, trtol, gmin;  /* 1, 1, S */
    double vntol, abstol;        /* V, A; 0: not said */
    ln_place tolerances;         /* where they are said */
    int told_of_powers;          /* that odd ones lose the sign, once a deck */
    ln_place idle_start;         /* the first ic= that has no effect; line 0: none */
    double scale;                /* of the lengths of MOS transistors */
    const char *method;
    LN_SPICE_LIST(ln_initial) initial; /* .ic */
    LN_SPICE_LIST(ln_initial) guesses; /* .nodeset */
} ln_deck_settings;

/* The results that the deck asks for (analysis.c, record.c, measure.c). */
typedef struct ln_spice_request {
    LN_SPICE_LIST(ln_analysis) analyses; /* all but .tran, in order */
    LN_SPICE_LIST(ln_save) saves;        /* .save, .print, ... */
    LN_SPICE_LIST(ln_card *) measuring;  /* .meas */
    ln_map *measures;                    /* their names, and "tran NAME" once one is taken */
    /* "V1", "V2:0.5@180": inputs of the frequency response */
    LN_SPICE_LIST(const char *) drives;
    LN_SPICE_LIST(const char *) responses; /* its outputs */
    ln_map *recorded;                      /* names of <record> */
    int has_records;
} ln_spice_request;

/* The model that is made (emit.c). */
typedef struct ln_model_tree {
    ln_element *root, *last_child;
    ln_element nowhere; /* written to when memory is short; never read */
    ln_map *names;      /* interned names of elements and attributes: indices into name_list */
    LN_SPICE_LIST(const char *) name_list;
    ln_block_names block_names; /* which of them are blocks' */
    ln_map *ids;                /* full names of blocks: indices into blocks */
    LN_SPICE_LIST(ln_emitted) blocks;
    ln_map *types; /* texts of generated block types: indices into type_texts */
    LN_SPICE_LIST(const char *) type_texts;
    LN_SPICE_LIST(ln_series) series;
} ln_model_tree;

/* Every link of the circuit (expand.c). */
typedef struct ln_deck_nodes {
    ln_map *names; /* indices into list */
    LN_SPICE_LIST(const char *) list;
    LN_SPICE_LIST(const char *) globals; /* of .global: the same node in all subcircuits */
    int opening; /* elements are being made: a node that is named comes into being */
} ln_deck_nodes;

/* Inductors, and the K cards that couple them (coupled.c). */
typedef struct ln_inductors {
    ln_map *names; /* indices into windings */
    LN_SPICE_LIST(ln_winding) windings;
    LN_SPICE_LIST(ln_coupling) couplings;
} ln_inductors;

/* What is limited, for a deck is not trusted: a few lines of it can ask for any amount of work. */
typedef struct ln_effort {
    size_t formulas; /* nodes of formulas evaluated */
    size_t cards;    /* cards that subcircuits opened into */
    int depth;       /* of formulas within formulas */
} ln_effort;

/* One deck while it is read. Elements and the texts in them live in the arena of the model, which
 * outlives it; cards, lists and maps are released with it. */
struct ln_spice {
    ln_reader *reader;
    ln_arena *arena; /* of the model: what the tree is made of, and words, which it names */
    ln_arena *cards; /* cards and their texts; freed with the reading */
    ln_report *report;
    linnet_status status; /* the first error */
    ln_map *noted;        /* notes that are made once */
    ln_circuit deck;
    ln_spice_scope global;
    ln_deck_input input;
    ln_script script;
    ln_deck_settings settings;
    ln_spice_request asked;
    ln_model_tree tree;
    ln_deck_nodes nodes;
    ln_inductors inductors;
    ln_effort effort;
};

#endif
