/* SPDX-License-Identifier: MIT */
/* The cards of a deck sorted: elements into the circuit they stand in (.subckt ... .ends, nested),
 * with .model, .param and .func of that circuit beside them.
 *
 * Elements are not read yet: what they need (models, parameters, subcircuits) may stand behind
 * them. Cards between .if and .endif whose condition does not hold are left out. Cards that say how
 * to run go to control.c, the lines of a script to script.c. */
#include "base/words.h"
#include "spice/deck.h"

#include <string.h>

enum { DEEPEST = 32, MOST_PORTS = 1000, MOST_BRANCHES = 32 };

typedef struct branches_open {
    int depth;
    char state[MOST_BRANCHES];
} branches_open;

/* Ports, then parameters behind an optional "params:", as PSpice has it:
 *     .subckt filter in out params: f0=1k q={sqrt(2)/2} */
static void subckt(ln_cursor *cursor, ln_circuit *circuit) {
    ln_spice *spice = cursor->spice;
    circuit->name = ln_take_name(cursor, "the name of the subcircuit");
    circuit->ports =
        LN_SPICE_NEW(spice, const char *, cursor->count < MOST_PORTS ? cursor->count : MOST_PORTS);
    while (circuit->ports != NULL && ln_peek_is(cursor, 'w') && !ln_peek_pair(cursor) &&
           strcmp(ln_peek(cursor)->text, "params:") != 0) {
        const char *port = ln_take_name(cursor, "a node");
        if (circuit->nports < MOST_PORTS)
            circuit->ports[circuit->nports++] = port;
        else
            ln_spice_error(spice, cursor->card->place,
                           "a subcircuit has more than %d nodes, the limit", MOST_PORTS);
    }
    if (ln_peek_is(cursor, 'w') && strcmp(ln_peek(cursor)->text, "params:") == 0)
        cursor->at++;
    ln_spice_param **end = &circuit->formal;
    ln_take_params(cursor, &end);
}

/* The first holds, as in ngspice: libraries of vendors say the same twice. */
static void tell_of_second(const ln_cursor *cursor, const char *what, const char *name,
                           const ln_card *first) {
    ln_warn(cursor->spice->report, cursor->card->place,
            "%s '%s' is already defined at %s:%d, and that one holds; take one of them out", what,
            name, first->place.file, first->place.line);
}

/* Returns the circuit that begins, in which the next cards stand, or the outer one where it cannot
 * begin. */
static ln_circuit *open_subckt(ln_cursor *cursor, ln_circuit *outer) {
    ln_spice *spice = cursor->spice;
    ln_circuit *circuit = LN_SPICE_NEW(spice, ln_circuit, 1);
    if (circuit == NULL)
        return outer;
    circuit->card = cursor->card;
    circuit->outer = outer;
    cursor->name = "subcircuit";
    subckt(cursor, circuit);
    if (circuit->name == NULL)
        circuit->name = "";
    const ln_circuit *first = ln_define(spice, &outer->inner, circuit->name, circuit);
    if (first != circuit)
        tell_of_second(cursor, "subcircuit", circuit->name, first->card);
    int depth = 0;
    for (const ln_circuit *c = circuit; c != NULL; c = c->outer)
        depth++;
    if (depth <= DEEPEST)
        return circuit;
    ln_spice_error(spice, cursor->card->place,
                   "definitions of subcircuits are nested deeper than %d, the limit", DEEPEST);
    return outer;
}

/* Returns the circuit around the one that ends. A name that is not its own is told, no more:
 * ngspice ignores it. */
static ln_circuit *close_subckt(ln_cursor *cursor, ln_circuit *circuit) {
    const char *name = ln_peek_is(cursor, 'w') ? ln_take_name(cursor, "") : NULL;
    if (circuit->outer == NULL)
        ln_spice_error(cursor->spice, cursor->card->place, ".ends without a .subckt");
    else if (name != NULL && strcmp(name, circuit->name) != 0)
        ln_warn(cursor->spice->report, cursor->card->place,
                ".ends %s closes the subcircuit '%s' of line %d", name, circuit->name,
                circuit->card->place.line);
    return circuit->outer != NULL ? circuit->outer : circuit;
}

/* Other simulators' words for ngspice's kinds of models. */
static const char *plain_kind(const char *kind) {
    static const struct synonym {
        const char *word, *kind;
    } synonyms[] = {{"res", "r"}, {"cap", "c"}, {"ind", "l"}, {"core", "l"}};
    const struct synonym *row = LN_ROW(synonyms, kind);
    return row != NULL ? row->kind : kind;
}

/* A .model belongs to the circuit in which it stands: it is seen from there and from the circuits
 * within. Its words are kept and read by the taker of the card that names it, which knows the
 * parameters of the kind. */
static void model(ln_cursor *cursor, ln_circuit *circuit) {
    ln_spice *spice = cursor->spice;
    ln_spice_model *made = LN_SPICE_NEW(spice, ln_spice_model, 1);
    ln_model_given *given = LN_SPICE_NEW(spice, ln_model_given, 1);
    cursor->name = ".model";
    const char *name = ln_take_name(cursor, "the name of the model"),
               *kind = ln_take_name(cursor, "the kind of the model (r, d, npn, ...)");
    if (made == NULL || given == NULL || name == NULL || kind == NULL)
        return;
    kind = plain_kind(kind);
    *made = (ln_spice_model){
        .name = name, .kind = kind, .given = given, .card = cursor->card, .home = circuit};
    const ln_spice_model *first = ln_define(spice, &circuit->models, name, made);
    if (first != made)
        tell_of_second(cursor, "model", name, first->card);
}

/* .param of this circuit. A name may come again; the first entry then gets the last expression. */
static void parameters(ln_cursor *cursor, ln_circuit *circuit) {
    ln_spice_param **first = ln_params_end(circuit), **end = first;
    cursor->name = ".param";
    ln_take_params(cursor, &end);
    for (ln_spice_param *fresh = *first; fresh != NULL; fresh = fresh->next) {
        ln_spice_param *named = ln_define(cursor->spice, &circuit->every, fresh->name, fresh);
        named->text = fresh->text; /* the last of a name holds, as in ngspice */
        named->place = fresh->place;
    }
    if (circuit->outer == NULL)
        ln_spice_take_values(cursor->spice);
}

static void globals(ln_cursor *cursor, ln_circuit *circuit) {
    (void)circuit; /* a global node is one everywhere */
    ln_spice *spice = cursor->spice;
    while (ln_peek_is(cursor, 'w')) {
        const char *name = ln_take_name(cursor, "a node");
        if (spice->nodes.globals.count < 1000)
            LN_SPICE_ADD(spice, spice->nodes.globals, name);
    }
    cursor->name = ".global";
    ln_expect_end(cursor);
}

/* ---- .if (condition) ... .elseif (condition) ... .else ... .endif ---- */

/* The condition of .if or .elseif, from the parameters that stand before it. */
static int holds(const ln_cursor *cursor) {
    ln_spice *spice = cursor->spice;
    double value = 0;
    if (cursor->count < 2) {
        ln_spice_error(spice, cursor->card->place, "%s: the condition is missing",
                       cursor->words[0].text);
        return 0;
    }
    spice->global.params = spice->deck.params;
    (void)ln_text_value(spice, &spice->global, cursor->card->text + cursor->words[1].begin,
                        cursor->card->place, &value);
    return value != 0;
}

enum branch_state { BEFORE, WITHIN, BEHIND }; /* the part of an .if whose condition holds */

static void open_branch(const ln_cursor *cursor, branches_open *branches) {
    const int within = branches->depth == 0 || branches->state[branches->depth - 1] == WITHIN;
    if (branches->depth == MOST_BRANCHES)
        ln_spice_error(cursor->spice, cursor->card->place,
                       ".if is nested deeper than %d, the limit", MOST_BRANCHES);
    else
        branches->state[branches->depth++] = !within ? BEHIND : holds(cursor) ? WITHIN : BEFORE;
}

/* Is the card to be left out? Those of branches themselves are. The state of each open .if goes
 * BEFORE -> WITHIN -> BEHIND, in this direction only, so one of its branches holds at most. An .if
 * in what is left out begins BEHIND, and its condition, which may name what is not defined there,
 * is not computed. */
static int is_left_out(const ln_cursor *cursor, branches_open *branches) {
    const char *word = cursor->words[0].text;
    if (strcmp(word, ".if") == 0)
        return open_branch(cursor, branches), 1;
    char *state = branches->depth > 0 ? &branches->state[branches->depth - 1] : NULL;
    const int is_else = strcmp(word, ".else") == 0, is_elseif = strcmp(word, ".elseif") == 0;
    const int is_end = strcmp(word, ".endif") == 0;
    if (!is_else && !is_elseif && !is_end)
        return state != NULL && *state != WITHIN;
    if (state == NULL)
        ln_spice_error(cursor->spice, cursor->card->place, "%s without .if", word);
    else if (is_end)
        branches->depth--;
    else if (*state == WITHIN)
        *state = BEHIND;
    else if (*state == BEFORE && (is_else || holds(cursor)))
        *state = WITHIN;
    return 1;
}

static void append(ln_card_list *list, ln_card *card) {
    if (list->last != NULL)
        list->last->next = card;
    else
        list->first = card;
    list->last = card;
}

/* ".ends*** of the filter ***": a comment follows at once. */
static const char *word_of_dot_card(ln_cursor *cursor) {
    static const char ends[] = ".ends";
    const char *word = ln_take_name(cursor, "a card");
    const size_t length = sizeof ends - 1;
    if (strncmp(word, ends, length) != 0 || word[length] == 0 || ln_is_letter(word[length]))
        return word;
    cursor->at = cursor->count;
    return ends;
}

/* A card that begins with a dot; returns the circuit that the next one stands in. */
static ln_circuit *dot_card(ln_cursor *cursor, ln_circuit *circuit) {
    static const struct nesting {
        const char *word;
        ln_circuit *(*take)(ln_cursor *cursor, ln_circuit *circuit);
    } nestings[] = {{".subckt", open_subckt},
                    {".macro", open_subckt},
                    {".ends", close_subckt},
                    {".eom", close_subckt}};
    static const struct definition {
        const char *word;
        void (*take)(ln_cursor *cursor, ln_circuit *circuit);
    } definitions[] = {
        {".model", model},          {".param", parameters},        {".params", parameters},
        {".parameter", parameters}, {".global_param", parameters}, {".func", ln_take_function},
        {".global", globals}};
    const char *word = word_of_dot_card(cursor);
    const struct nesting *nesting = LN_ROW(nestings, word);
    const struct definition *definition = LN_ROW(definitions, word);
    if (nesting != NULL)
        return nesting->take(cursor, circuit);
    if (definition != NULL)
        definition->take(cursor, circuit);
    else if (circuit->outer != NULL && ln_is_start_card(word))
        append(&circuit->starts, cursor->card);
    else if (circuit->outer != NULL && !ln_is_idle_card(word))
        ln_spice_error(cursor->spice, cursor->card->place,
                       "%s has no meaning in a subcircuit; move it behind .ends", word);
    else
        ln_spice_control(cursor, word); /* idle ones of a subcircuit, too */
    return circuit;
}

/* ---- models like others ---- */

/* What a .model says behind its kind, without parentheses around it. */
static const char *said_of(ln_spice *spice, const ln_spice_model *model, int words) {
    const ln_cursor cursor = ln_card_words(spice, NULL, model->card);
    int first = words, last = cursor.count;
    while (first < last && cursor.words[first].kind == '(')
        first++;
    while (last > first && cursor.words[last - 1].kind == ')')
        last--;
    if (first >= last)
        return "";
    return ln_spice_text(spice, "%.*s",
                         (int)(cursor.words[last - 1].end - cursor.words[first].begin),
                         model->card->text + cursor.words[first].begin);
}

/* .model name ako:other [kind] (...), "a kind of", of PSpice: the words of the other one, then its
 * own, of which the last counts. The card is written anew as a model without ako:, so that nobody
 * else needs to know the form; chains are followed to the end first. */
static void take_after(ln_spice *spice, const ln_circuit *circuit, ln_spice_model *model,
                       int depth) {
    if (strncmp(model->kind, "ako:", 4) != 0)
        return;
    ln_spice_model *other = (ln_spice_model *)ln_model_named(circuit, model->kind + 4);
    if (other == NULL || other == model || depth > DEEPEST) {
        ln_spice_error(spice, model->card->place,
                       "model '%s': there is no model '%s' that it could be like", model->name,
                       model->kind + 4);
        return;
    }
    take_after(spice, other->home, other, depth + 1);
    const ln_cursor cursor = ln_card_words(spice, NULL, model->card);
    const int has_kind = cursor.count > 3 && cursor.words[3].kind == 'w' &&
                         (cursor.count == 4 || cursor.words[4].kind != '=');
    ln_card *card = LN_SPICE_NEW(spice, ln_card, 1);
    if (card == NULL)
        return;
    card->place = model->card->place;
    card->text = ln_spice_text(spice, ".model %s %s %s %s", model->name, other->kind,
                               said_of(spice, other, 3), said_of(spice, model, has_kind ? 4 : 3));
    model->card = card;
    model->kind = other->kind;
}

/* In all circuits, once each model is known. */
static void take_models_after(ln_spice *spice, const ln_circuit *circuit) {
    for (size_t k = circuit->models.count; k-- > 0;)
        take_after(spice, circuit, circuit->models.items[k], 0);
    for (size_t k = 0; k < circuit->inner.count; k++)
        take_models_after(spice, circuit->inner.items[k]);
}

/* A line between .control and .endc. */
static void script_line(ln_spice *spice, ln_card *card) {
    ln_cursor cursor = ln_card_words(spice, NULL, card);
    if (strncmp(card->text, ".endc", 5) == 0)
        spice->script.within = 0;
    else if (cursor.words != NULL && cursor.count > 0)
        ln_spice_script(&cursor);
}

/* Puts a card where it belongs; returns the circuit that the next one stands in. Elements, which
 * most cards are, are not split into words here, for those of a subcircuit that nobody opens never
 * need to be: libraries of vendors hold thousands. */
static ln_circuit *sort_card(ln_spice *spice, ln_card *card, ln_circuit *circuit,
                             branches_open *branches) {
    const int is_control = card->text[0] == '.';
    if (!is_control && branches->depth == 0) { /* split when its circuit is opened */
        append(&circuit->elements, card);
        return circuit;
    }
    ln_cursor cursor = ln_card_words(spice, NULL, card);
    const int is_empty = cursor.words == NULL || cursor.count == 0;
    if (!is_empty && is_left_out(&cursor, branches))
        return circuit;
    if (!is_control)
        append(&circuit->elements, card);
    return is_control && !is_empty ? dot_card(&cursor, circuit) : circuit;
}

void ln_spice_circuits(ln_spice *spice) {
    ln_circuit *circuit = &spice->deck;
    branches_open branches = {.depth = 0};
    for (ln_card *card = spice->input.first, *next; card != NULL && spice->status != LINNET_MEMORY;
         card = next) {
        next = card->next;
        card->next = NULL;
        if (spice->script.within)
            script_line(spice, card);
        else
            circuit = sort_card(spice, card, circuit, &branches);
    }
    if (circuit->outer != NULL)
        ln_spice_error(spice, circuit->card->place, "subcircuit '%s' has no .ends", circuit->name);
    if (branches.depth > 0)
        ln_spice_error(spice, (ln_place){spice->tree.root->file, 0, 0}, "an .if has no .endif");
    take_models_after(spice, &spice->deck);
    spice->global.params = spice->deck.params;
}
