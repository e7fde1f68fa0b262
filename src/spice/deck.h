/* SPDX-License-Identifier: MIT */
/* Private to the room `spice`: what the files of the room do for one another.
 *
 * The way of a deck: bytes -> cards (lines.c) -> words (words.c) -> circuits with their models and
 * parameters (circuit.c) -> elements of our language, subcircuits opened and numbers computed
 * (expand.c and one file per family of cards, through emit.c). Names are lower case; a block's id
 * is its name with the last part in capitals ("x1.R1"), so that a source and a node of one name
 * ("vcc") stay apart.
 *
 * Conventions. A cursor stands on the next word of a card: `peek` looks at it, `take` and `skip`
 * pass it. A function of which NULL, 0 or -1 is said to be "reported" has told the error with the
 * card's place; its caller returns, and the reading goes on with the next card, so that all errors
 * of a deck are told at once. A lack of memory is noted in the status; functions then return what
 * may be used without harm. Numbers are SI, temperatures degC until they are emitted in K; a value
 * that is not said is NAN. */
#ifndef LN_SPICE_DECK_H
#define LN_SPICE_DECK_H

#include "spice/state.h"
#include "base/text.h"

/* A card being read. */
typedef struct ln_cursor {
    ln_spice *spice;
    const ln_inside *inside;
    ln_card *card;
    const ln_spice_word *words;
    int count, at;
    const char *name; /* of the element, as messages call it: "x1.R1" */
} ln_cursor;

/* report.c
 * Reports on a card; the reading goes on, to fail at the end. */
void ln_spice_error(ln_spice *spice, ln_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with the element's name in front. */
void ln_card_error(const ln_cursor *cursor, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Notes that memory is short; returns NULL. */
void *ln_spice_no_memory(ln_spice *spice);
/* printf into the arena, never NULL: "" when memory is short, which has been noted. */
const char *ln_spice_text(ln_spice *spice, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Of a text that was used: notes, too, that memory was short for it. */
void ln_spice_text_free(ln_spice *spice, ln_text *text);
/* Zeroed memory of the arena, or NULL, noted. */
#define LN_SPICE_NEW(spice, type, count) \
    ((type *)ln_spice_alloc((spice), (size_t)(count), sizeof(type)))
void *ln_spice_alloc(ln_spice *spice, size_t count, size_t size);
/* Adds an item to a LN_SPICE_LIST. */
#define LN_SPICE_ADD(spice, list, ...)                        \
    do {                                                      \
        if (LN_GROW((list).items, (list).count, (list).room)) \
            (list).items[(list).count++] = __VA_ARGS__;       \
        else {                                                \
            (list).count = 0;                                 \
            (void)ln_spice_no_memory(spice);                  \
        }                                                     \
    } while (0)

/* lines.c: the file and what it includes, as cards. */
void ln_spice_lines(ln_spice *spice, const char *path);

/* number.c */
int ln_is_letter(char c); /* of ASCII */
/* 1 when all of it is a SPICE number: "4.7uF" */
int ln_spice_number(const char *text, double *value);
/* Where the number that begins here ends, with its suffix and unit; `text` itself: it is none. */
const char *ln_spice_number_end(const char *text);
/* lookup.c: what a name means in the circuit of a card and those around it; NULL: nothing. */
/* the link of a node, which comes into being while elements are made */
const char *ln_node_of(ln_spice *spice, const ln_inside *inside, const char *name);
int ln_node_is_used(ln_spice *spice, const char *link); /* by an element */
const ln_spice_model *ln_model_named(const ln_circuit *circuit, const char *name);
const ln_circuit *ln_subckt_named(const ln_circuit *circuit, const char *name);
/* The function of that name and number of arguments that holds in the scope: of its circuit, or of
 * one around it. */
const ln_spice_function *ln_function_named(const ln_spice_scope *scope, const char *name,
                                           int nargs);
/* what `let` of a script has defined */
const ln_formula *ln_let_named(const ln_spice *spice, const char *name);

/* words.c */
ln_cursor ln_card_words(ln_spice *spice, const ln_inside *inside, ln_card *card);
const ln_spice_word *ln_peek(const ln_cursor *cursor); /* NULL at the end */
int ln_peek_is(const ln_cursor *cursor, char kind);
int ln_peek_pair(const ln_cursor *cursor); /* name = ... */
int ln_peek_word(const ln_cursor *cursor, const char *word);
int ln_take_word(ln_cursor *cursor, const char *word);         /* 1 when it was there */
int ln_skip(ln_cursor *cursor, char kind);                     /* 1 when it was there */
const char *ln_take_name(ln_cursor *cursor, const char *what); /* NULL, reported */
/* number, expression, parameter; 0 reported */
int ln_take_value(ln_cursor *cursor, const char *what, double *value);
int ln_take_optional(ln_cursor *cursor, double *value); /* a value if one is there; 0: none */
/* Warns where a number's letters are the unit of something else than an 'r', 'c' or 'l'. */
void ln_check_letters(const ln_cursor *cursor, const ln_spice_word *word, char own);
/* name=value; 0 when none is there */
int ln_take_pair(ln_cursor *cursor, const char **name, double *value);
/* Text of a formula: in braces or quotes, or plain up to the next name= or the end. */
const char *ln_take_formula(ln_cursor *cursor);
const char *ln_take_node(ln_cursor *cursor, const char *what); /* the link; NULL, reported */
void ln_expect_end(ln_cursor *cursor); /* what is left is an error that names it */

/* formula.c, value.c, print.c */
ln_formula *ln_formula_parse(ln_spice *spice, const char *text, ln_place place);
int ln_formula_value(ln_spice *spice, const ln_spice_scope *scope, const ln_formula *formula,
                     ln_place place, double *value);
int ln_text_value(ln_spice *spice, const ln_spice_scope *scope, const char *text, ln_place place,
                  double *value);
/* A parameter or constant: 1 found, 0 not there, -1 reported. */
int ln_scope_find(ln_spice *spice, const ln_spice_scope *scope, const char *name, double *value);
/* Does a formula follow the circuit or time, itself or by a parameter: v(...), i(...), time? */
int ln_formula_follows(ln_spice *spice, const ln_spice_scope *scope, const ln_formula *formula);
/* The formula of a parameter that follows the circuit or time, as Xyce has them: it has no value of
 * its own; or NULL. */
const ln_formula *ln_scope_follows(ln_spice *spice, const ln_spice_scope *scope, const char *name);
/* Part of a formula: 'a' another formula, by name; 'h' an integral "start|integrand" that is held
 * at its start at rest; 's' a state whose derivative is the formula. */
typedef struct ln_formula_part {
    char kind;
    const char *name, *text;
} ln_formula_part;
/* Where the names of a behavioural source's formula lead: ports and inputs of its generated type.
 */
typedef struct ln_controls {
    LN_SPICE_LIST(const char *) nodes;    /* links joined to ports c1, c2, ... */
    LN_SPICE_LIST(const char *) currents; /* full names of sensed sources, inputs i1, i2, ... */
    LN_SPICE_LIST(ln_formula_part) parts; /* what the formula uses by name, in order */
} ln_controls;
/* The formula in our language, dimensionless, for a generated type; controls NULL: for the model
 * itself, where signals stand under their names. 0, reported. */
int ln_formula_print(const ln_cursor *cursor, const ln_formula *formula, ln_controls *controls,
                     ln_text *out);
/* function_words.c: what stands before, between and behind the arguments of a function; NULL: it
 * takes more than words, or is not known. */
typedef struct ln_function_words {
    const char *name;
    int nargs;
    const char *before, *between, *after;
} ln_function_words;
const ln_function_words *ln_words_of_function(const ln_formula *formula);
/* A note, once a deck: x^3, a power but not pwr(), is |x|^3 where other simulators keep the sign.
 */
void ln_tell_of_odd_power(const ln_cursor *cursor, const ln_formula *formula);

/* 0: ground, else k of ck */
int ln_control_node(const ln_cursor *cursor, ln_controls *controls, const char *node);
/* its name */
const char *ln_control_part(const ln_cursor *cursor, ln_controls *controls, char kind,
                            const char *text);
/* Straight lines through n points x, y; x: a name or a formula in parentheses; is_level: beyond the
 * ends, else they go on. */
void ln_print_lines(ln_text *out, const char *x, const double *points, int n, int is_level);
/* the same of a link */
int ln_control_link(const ln_cursor *cursor, ln_controls *controls, const char *link);
/* k of ik; 0 reported */
int ln_control_current(const ln_cursor *cursor, ln_controls *controls, const char *source);
void ln_controls_free(ln_controls *controls);

/* definitions.c */
/* Adds one, under a name that lives as long. Returns the first of that name: `item` itself where
 * the name is new, or memory is short, which is noted. */
void *ln_define(ln_spice *spice, ln_definitions *all, const char *name, void *item);
/* The first of that name, or NULL: at once, however many there are. */
void *ln_defined(const ln_definitions *all, const char *name);
/* Where the next .param of a circuit is linked; who links one there defines it, in order. */
ln_spice_param **ln_params_end(ln_circuit *circuit);
/* The first .param of that name in the circuit, or NULL. */
ln_spice_param *ln_param_named(const ln_circuit *circuit, const char *name);
/* That of a scope alone, without those around it. */
ln_spice_param *ln_scope_param(const ln_spice_scope *scope, const char *name);
/* Frees what is not in the arena, of all circuits inside, too. */
void ln_definitions_free(ln_circuit *circuit);
/* scope.c */
ln_spice_param *ln_param_new(ln_spice *spice, const char *name, const char *text, ln_place place);
void ln_take_params(ln_cursor *cursor, ln_spice_param ***end); /* name=formula ... appended */
void ln_take_function(ln_cursor *cursor, ln_circuit *circuit);
/* What the reader was given for parameters of the deck, and `temp`, holds whatever the deck says.
 */
void ln_spice_take_values(ln_spice *spice);
/* The parameters that the deck has used, and its temperature, as <parameter>: with another value
 * the deck is read again. */
void ln_spice_parameters(ln_spice *spice);

/* circuit.c */
void ln_spice_circuits(ln_spice *spice);

/* control.c: which card it is; .tran, .options and the like are read by ln_spice_settings before
 * the elements. */
void ln_spice_control(ln_cursor *cursor, const char *word);
void ln_spice_simulation(ln_spice *spice);
/* Does an ic= on a card act? Without UIC none does, which is told of the first that is not 0. */
int ln_start_acts(const ln_cursor *cursor, double value);
void ln_spice_settings(ln_spice *spice);
/* Cards of which nothing of the circuit follows, as .backanno */
int ln_is_idle_card(const char *word);
/* .ic and .nodeset; what one says of the nodes of the circuit in which it stands */
int ln_is_start_card(const char *word);
void ln_take_starts(ln_cursor *cursor);

/* script.c: a line of .control ... .endc */
void ln_spice_script(ln_cursor *cursor);

/* analysis.c */
int ln_is_swept(const ln_cursor *cursor); /* does a .dc card name this element? */
/* Of several cards of one analysis the first is taken; the others are told. Returns 1. */
int ln_keep_first(ln_cursor *cursor, ln_card **kept);
/* Takes a card of an analysis other than .tran; 1 when it is one. */
int ln_analysis_card(ln_cursor *cursor, const char *word);
void ln_spice_analyses(ln_spice *spice);
/* The card's source becomes an input of the frequency response: AC size, phase in degrees. */
void ln_ac_input(const ln_cursor *cursor, double size, double degrees);

/* step.c: .step, and what it says before elements are read */
void ln_step_parameter(ln_spice *spice, ln_card *card);
void ln_step_sweep(ln_spice *spice, ln_card *card);

/* measure.c */
void ln_spice_measures(ln_spice *spice);

/* signal.c: what a card names in our language. Signals are links, `V1.i`, or an expression; NULL,
 * reported. */
const char *ln_signal_voltage(const ln_cursor *cursor, const char *a, const char *b);
const char *ln_signal_current(const ln_cursor *cursor, const char *name);
/* The branch of that name, also as ngspice calls one in a subcircuit, v.x1.v2; NULL: none. */
const ln_emitted *ln_branch_named(ln_spice *spice, const char *name);
/* is its current kept where nothing is asked for? */
int ln_keeps_current(const ln_emitted *emitted);
/* what a card varies by this name: "V1.V", "temp", a parameter; NULL, reported */
const char *ln_swept_by(ln_cursor *cursor, const char *name);

/* record.c */
/* records it too; the column's name, NULL, reported */
const char *ln_record_text(const ln_cursor *cursor, const char *text);
void ln_answer(ln_spice *spice, const char *signal); /* an output of the frequency response */
/* those that stand for none at all (analysis.c) */
void ln_answer_all_by_default(ln_spice *spice);
void ln_spice_records(ln_spice *spice);
void ln_spice_starts(ln_spice *spice);

/* coupled.c: the groups of coupled inductors, once all cards are read */
void ln_spice_couple(ln_spice *spice);

/* expand.c */
void ln_spice_expand(ln_spice *spice);

/* emit.c */
ln_element *ln_emit(ln_spice *spice, const char *type, ln_place place);
/* value NULL: nothing, for memory was short. What is emitted may move element->attributes. */
void ln_emit_text(ln_spice *spice, ln_element *element, const char *name, const char *value);
void ln_emit_all(ln_spice *spice, ln_element *element, const ln_attribute *attributes, int count);
void ln_emit_number(ln_spice *spice, ln_element *element, const char *name, double value);
/* A block with the card's id; 0: the id is taken, reported. */
ln_element *ln_emit_block(const ln_cursor *cursor, const char *type);
/* The id that the card's block bears. */
const char *ln_block_id(const ln_cursor *cursor);
/* The current into a port is what i(NAME) means for the block just emitted; elements that follow it
 * sense it there. */
void ln_name_current(const ln_cursor *cursor, ln_element *element, const char *port);
/* The same with ports p and n, and known by name to what senses its current. */
ln_element *ln_emit_branch(const ln_cursor *cursor, const char *type, const char *p, const char *n);
/* A parameter of the card's block where an operating point is sought for itself (<at-rest>). */
void ln_emit_for_operating_point(const ln_cursor *cursor, const char *parameter, const char *value);
/* A source ID.rest beside the card's source, in series with a voltage, parallel to a current: of
 * the value `running` in a run and `at_rest` where an operating point is sought for itself. */
void ln_emit_offset(const ln_cursor *cursor, int is_current, double running, double at_rest);
/* LTspice's startup: between the card's source and the circuit comes a block ID.startup, by which
 * it rises from 0 within 20 us; at rest the source acts in full. */
void ln_emit_startup(const ln_cursor *cursor, int is_current);
/* The block of that full name, or NULL. */
ln_emitted *ln_emitted_named(ln_spice *spice, const char *name);
/* A behavioural source: kind 'v' voltage, 'i' current; the formula is 'r' a resistance, 'z' one
 * that may be next to nothing, 'c' a capacitance, 'q' a charge, 'l' an inductance. */
void ln_emit_behavioural(const ln_cursor *cursor, char kind, const char *p, const char *n,
                         const char *formula, ln_controls *controls);
/* Puts ports cp and cn of a block in series with the source of that full name, once all cards are
 * read. */
void ln_emit_in_series(const ln_cursor *cursor, ln_element *element, const char *source);
void ln_emit_sensors(ln_spice *spice);
ln_element *ln_emit_child(ln_spice *spice, ln_element *parent, ln_element *after, const char *name,
                          ln_place place);

/* model.c */
/* The model that is named next, of one of two kinds (the second may be NULL); NULL, reported. */
const ln_spice_model *ln_take_model(ln_cursor *cursor, const char *const *kinds);
/* A cursor on the words behind its kind, evaluated where the model is defined. 0 when memory is
 * short. */
int ln_model_words(const ln_cursor *cursor, const ln_spice_model *model, ln_cursor *words);
/* How ngspice computes a lossy line: nothing of the line follows from it. */
int ln_is_line_control(const char *name);
/* Passes noise and ratings of semiconductors, which nothing here follows from; 1 when one was
 * there. */
int ln_model_skip_idle(ln_cursor *words);
/* The next name=value; 0 at the end, which is checked. */
int ln_model_next(ln_cursor *words, const char **name, double *value);
/* A parameter that is none of those known: an error with the nearest. */
void ln_model_unknown(const ln_cursor *words, const char *kind, const char *name,
                      const char *const *known, size_t count);
/* The parameters of a .model that are known; others are errors. 1 when the card names a model of
 * that kind, and fills values[k] for names[k] (NULL ends them) that it gives; 0: no such model; -1
 * reported. */
int ln_model_values(const ln_cursor *cursor, const char *name, const char *kind,
                    const char *const *names, double *values);

/* passive.c, coupled.c, source.c, controlled.c, switch.c, line.c: the card behind its name, which
 * begins with the letter. */
void ln_card_resistor(ln_cursor *cursor, char letter);
void ln_card_capacitor(ln_cursor *cursor, char letter);
void ln_card_inductor(ln_cursor *cursor, char letter);
void ln_card_coupling(ln_cursor *cursor, char letter);
/* LTspice's rser= of a voltage source, between *p, which becomes the inner node, and the source;
 * cpar= across both. (passive.c) */
void ln_series_resistance(const ln_cursor *cursor, const char **p, const char *n, double rser,
                          double cpar);
/* LTspice's rpar= and cpar= across a source, for each of those in parallel; 0: there is none
 * (passive.c) */
void ln_shunt(const ln_cursor *cursor, const char *p, const char *n, double rpar, double cpar);
void ln_card_source(ln_cursor *cursor, char letter);
/* vdmos.c: the model of an M card if it is a power transistor, or NULL; such a card */
const ln_spice_model *ln_vdmos_of(const ln_cursor *cursor);
void ln_card_vdmos(ln_cursor *cursor, const ln_spice_model *model);
/* straight_diode.c: is the model of a D card LTspice's of straight lines? such a card */
int ln_is_straight_diode(const ln_cursor *cursor);
void ln_card_straight_diode(ln_cursor *cursor);
void ln_card_controlled(ln_cursor *cursor, char letter);
void ln_card_behavioural(ln_cursor *cursor, char letter);
/* behind the word LAPLACE */
void ln_card_laplace(ln_cursor *cursor, char kind, const char *p, const char *n);
void ln_card_line(ln_cursor *cursor, char letter);
void ln_card_switch(ln_cursor *cursor, char letter);
int ln_card_device(ln_cursor *cursor, char letter); /* 0: no semiconductor has this letter */

#endif
