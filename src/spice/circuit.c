/* SPDX-License-Identifier: MIT */
/* Cards sorted: elements into the circuit they stand in (.subckt ... .ends, nested), .model,
 * .param, .func and .global beside them; what says how to run is kept for control.c. */
#include "spice/deck.h"

#include <string.h>

enum { DEEPEST = 32, MOST_PORTS = 1000, MOST_BRANCHES = 32 };

typedef struct branches_open {
    int depth;
    char state[MOST_BRANCHES];
} branches_open;

/* Ports, then parameters behind an optional "params:". */
static void subckt(ln_cursor *cursor, ln_circuit *circuit) {
    ln_spice *spice = cursor->spice;
    circuit->name = ln_take_name(cursor, "the name of the subcircuit");
    circuit->ports = LN_SPICE_NEW(spice, const char *, MOST_PORTS);
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
    for (const ln_circuit *other = outer->inner; other != NULL; other = other->next)
        if (strcmp(other->name, circuit->name) == 0)
            ln_spice_error(spice, cursor->card->place,
                           "subcircuit '%s' is already defined at %s:%d", circuit->name,
                           other->card->place.file, other->card->place.line);
    circuit->next = outer->inner;
    outer->inner = circuit;
    int depth = 0;
    for (const ln_circuit *c = circuit; c != NULL; c = c->outer)
        depth++;
    if (depth <= DEEPEST)
        return circuit;
    ln_spice_error(spice, cursor->card->place,
                   "definitions of subcircuits are nested deeper than %d, the limit", DEEPEST);
    return outer;
}

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
    static const char *const others[][2] = {
        {"res", "r"}, {"cap", "c"}, {"ind", "l"}, {"core", "l"}};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strcmp(others[k][0], kind) == 0)
            return others[k][1];
    return kind;
}

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
    for (const ln_spice_model *other = circuit->models; other != NULL; other = other->next)
        if (strcmp(other->name, name) == 0)
            ln_spice_error(spice, cursor->card->place, "model '%s' is already defined at %s:%d",
                           name, other->card->place.file, other->card->place.line);
    *made = (ln_spice_model){.name = name,
                             .kind = kind,
                             .given = given,
                             .card = cursor->card,
                             .home = circuit,
                             .next = circuit->models};
    circuit->models = made;
}

static void parameters(ln_cursor *cursor, ln_circuit *circuit) {
    ln_spice_param **end = &circuit->params;
    while (*end != NULL)
        end = &(*end)->next;
    ln_spice_param **first = end;
    cursor->name = ".param";
    ln_take_params(cursor, &end);
    /* the last of a name holds, as in ngspice */
    for (ln_spice_param *fresh = *first; fresh != NULL; fresh = fresh->next)
        for (ln_spice_param *old = circuit->params; old != *first; old = old->next)
            if (strcmp(old->name, fresh->name) == 0) {
                old->text = fresh->text;
                old->place = fresh->place;
            }
    if (circuit->outer == NULL)
        ln_spice_take_values(cursor->spice);
}

static void globals(ln_cursor *cursor) {
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

/* Is the card to be left out? A level is 0 before its part was found, 1 within it, 2 behind it. */
static int is_left_out(const ln_cursor *cursor, branches_open *branches) {
    ln_spice *spice = cursor->spice;
    const char *word = cursor->words[0].text;
    const int within = branches->depth == 0 || branches->state[branches->depth - 1] == 1;
    if (strcmp(word, ".if") == 0) {
        if (branches->depth == MOST_BRANCHES)
            ln_spice_error(spice, cursor->card->place, ".if is nested deeper than %d, the limit",
                           MOST_BRANCHES);
        else
            branches->state[branches->depth++] = !within ? 2 : holds(cursor) ? 1 : 0;
        return 1;
    }
    const int is_else = strcmp(word, ".else") == 0, is_elseif = strcmp(word, ".elseif") == 0;
    if (!is_else && !is_elseif && strcmp(word, ".endif") != 0)
        return !within;
    if (branches->depth == 0) {
        ln_spice_error(spice, cursor->card->place, "%s without .if", word);
        return 1;
    }
    char *state = &branches->state[branches->depth - 1];
    if (!is_else && !is_elseif)
        branches->depth--;
    else if (*state == 1)
        *state = 2;
    else if (*state == 0 && (is_else || holds(cursor)))
        *state = 1;
    return 1;
}

/* A card that begins with a dot. */
static ln_circuit *dot_card(ln_cursor *cursor, ln_circuit *circuit) {
    const char *word = ln_take_name(cursor, "a card");
    if (strcmp(word, ".subckt") == 0 || strcmp(word, ".macro") == 0)
        return open_subckt(cursor, circuit);
    if (strcmp(word, ".ends") == 0 || strcmp(word, ".eom") == 0)
        return close_subckt(cursor, circuit);
    if (strcmp(word, ".model") == 0)
        model(cursor, circuit);
    else if (strcmp(word, ".param") == 0 || strcmp(word, ".parameter") == 0 ||
             strcmp(word, ".global_param") == 0)
        parameters(cursor, circuit);
    else if (strcmp(word, ".func") == 0)
        cursor->name = ".func", ln_take_function(cursor, circuit);
    else if (strcmp(word, ".global") == 0)
        globals(cursor);
    else if (circuit->outer != NULL)
        ln_spice_error(cursor->spice, cursor->card->place,
                       "%s has no meaning in a subcircuit; move it behind .ends", word);
    else
        ln_spice_control(cursor, word);
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

/* .model name ako:other [kind] (...): the words of the other one, then its own, of which the last
 * counts. */
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
    card->raw = card->text =
        ln_spice_text(spice, ".model %s %s %s %s", model->name, other->kind,
                      said_of(spice, other, 3), said_of(spice, model, has_kind ? 4 : 3));
    model->card = card;
    model->kind = other->kind;
}

static void take_models_after(ln_spice *spice, const ln_circuit *circuit) {
    for (ln_spice_model *card = circuit->models; card != NULL; card = card->next)
        take_after(spice, circuit, card, 0);
    for (const ln_circuit *inner = circuit->inner; inner != NULL; inner = inner->next)
        take_models_after(spice, inner);
}

void ln_spice_circuits(ln_spice *spice) {
    ln_circuit *circuit = &spice->deck;
    branches_open branches = {.depth = 0};
    for (ln_card *card = spice->input.first, *next; card != NULL && spice->status != LINNET_MEMORY;
         card = next) {
        next = card->next;
        card->next = NULL;
        if (spice->script.within) {
            ln_cursor cursor = ln_card_words(spice, NULL, card);
            if (strncmp(card->text, ".endc", 5) == 0)
                spice->script.within = 0;
            else if (cursor.words != NULL && cursor.count > 0)
                ln_spice_script(&cursor);
            continue;
        }
        ln_cursor cursor = branches.depth > 0 || card->text[0] == '.'
                               ? ln_card_words(spice, NULL, card)
                               : (ln_cursor){.count = 0};
        if (cursor.count > 0 && is_left_out(&cursor, &branches))
            continue;
        if (card->text[0] == '.') {
            if (cursor.words != NULL && cursor.count > 0)
                circuit = dot_card(&cursor, circuit);
            continue;
        }
        if (circuit->last_card != NULL)
            circuit->last_card->next = card;
        else
            circuit->cards = card;
        circuit->last_card = card;
    }
    if (circuit->outer != NULL)
        ln_spice_error(spice, circuit->card->place, "subcircuit '%s' has no .ends", circuit->name);
    if (branches.depth > 0)
        ln_spice_error(spice, (ln_place){spice->tree.root->file, 0, 0}, "an .if has no .endif");
    take_models_after(spice, &spice->deck);
    spice->global.params = spice->deck.params;
}

const ln_spice_model *ln_model_named(const ln_circuit *circuit, const char *name) {
    for (; circuit != NULL; circuit = circuit->outer)
        for (const ln_spice_model *model = circuit->models; model != NULL; model = model->next)
            if (strcmp(model->name, name) == 0)
                return model;
    return NULL;
}

const ln_circuit *ln_subckt_named(const ln_circuit *circuit, const char *name) {
    for (; circuit != NULL; circuit = circuit->outer)
        for (const ln_circuit *inner = circuit->inner; inner != NULL; inner = inner->next)
            if (strcmp(inner->name, name) == 0)
                return inner;
    return NULL;
}
