/* SPDX-License-Identifier: MIT */
/* Subcircuits opened: the cards of the deck, and those of each X card's circuit once for each
 * instance, to the taker of their letter.
 *
 * Names in an instance bear its prefix: the element "x1.r1", the node "x1.mid". Ports are the links
 * of the X card; ground and the nodes of .global are the same everywhere. */
#include "base/words.h"
#include "spice/deck.h"

#include <string.h>

/* Depth and number of what subcircuits open into are the only growth that the size of a deck does
 * not bound: ten lines of nested calls can ask for 1e9 elements. A deck's own cards do not count.
 */
enum { DEEPEST = 64, MOST_OPENED = 4000000 };

static void open_circuit(ln_spice *spice, const ln_inside *inside, int depth);

/* ---- X ---- */

/* Is it one of .param inside, which the call then replaces? */
static int uses_parameter(const ln_circuit *circuit, const char *name) {
    return ln_param_named(circuit, name) != NULL;
}

/* The scope of an instance: the parameters of the call, computed outside, before the defaults and
 * .param inside; *m: its m=. */
static ln_spice_scope *instance_scope(ln_cursor *cursor, const ln_circuit *circuit, double *m) {
    ln_spice *spice = cursor->spice;
    ln_spice_scope *scope = LN_SPICE_NEW(spice, ln_spice_scope, 1);
    if (scope == NULL)
        return NULL;
    /* as in ngspice, a name is looked for where the instance stands */
    scope->outer = cursor->inside->scope;
    scope->circuit = circuit;
    ln_spice_param **end = &scope->params;
    const char *name;
    double value;
    while (ln_take_pair(cursor, &name, &value)) {
        const ln_spice_param *formal = circuit->formal;
        while (formal != NULL && strcmp(formal->name, name) != 0)
            formal = formal->next;
        if (strcmp(name, "m") == 0 && formal == NULL) {
            *m = value;
            continue;
        }
        if (formal == NULL && !uses_parameter(circuit, name)) /* ngspice takes it, too */
            ln_warn(spice->report, cursor->card->place, "%s: subcircuit '%s' has no parameter '%s'",
                    cursor->name, circuit->name, name);
        ln_spice_param *param = ln_param_new(spice, name, NULL, cursor->card->place);
        if (param == NULL)
            return NULL;
        param->value = value;
        param->state = 2;
        *end = param;
        end = &param->next;
    }
    for (int own = 0; own < 2; own++)
        for (const ln_spice_param *parameter = own ? circuit->params : circuit->formal;
             parameter != NULL; parameter = parameter->next) {
            if ((*end = ln_param_new(spice, parameter->name, parameter->text, parameter->place)) ==
                NULL)
                return NULL;
            end = &(*end)->next;
        }
    return scope;
}

/* 1, told once a card, when the circuit is open already: "a holds b holds a". */
static int holds_itself(const ln_cursor *cursor, const ln_circuit *circuit) {
    ln_spice *spice = cursor->spice;
    const ln_inside *from = cursor->inside;
    while (from != NULL && from->circuit != circuit)
        from = from->outer;
    if (from == NULL)
        return 0;
    const char *chain = circuit->name;
    for (const ln_inside *at = cursor->inside; at != from; at = at->outer)
        chain = ln_spice_text(spice, "%s -> %s", at->circuit->name, chain);
    ln_card_error(cursor, "subcircuit '%s' contains itself: %s -> %s; take one of them out",
                  circuit->name, circuit->name, chain);
    return 1;
}

/* The word that names the subcircuit: the last before the parameters; -1: there is none. */
static int name_of_circuit(const ln_cursor *cursor) {
    int last = cursor->at;
    while (last < cursor->count && cursor->words[last].kind == 'w' &&
           strcmp(cursor->words[last].text, "params:") != 0 &&
           !(last + 1 < cursor->count && cursor->words[last + 1].kind == '='))
        last++;
    return last > cursor->at ? last - 1 : -1;
}

/* The subcircuit that may be opened here with so many nodes; NULL, reported. */
static const ln_circuit *circuit_to_open(const ln_cursor *cursor, const char *name, int nodes,
                                         int depth) {
    const ln_circuit *circuit = ln_subckt_named(cursor->inside->circuit, name);
    if (circuit == NULL) {
        ln_card_error(cursor,
                      "subcircuit '%s' is not defined; a .subckt of this name, or the .include of "
                      "its file, is missing",
                      name);
        return NULL;
    }
    if (nodes != circuit->nports) {
        ln_card_error(cursor, "%d nodes are given, but subcircuit '%s' (line %d) has %d", nodes,
                      name, circuit->card->place.line, circuit->nports);
        return NULL;
    }
    if (holds_itself(cursor, circuit))
        return NULL;
    if (depth >= DEEPEST) {
        ln_card_error(cursor, "subcircuits are nested deeper than %d", DEEPEST);
        return NULL;
    }
    return circuit;
}

/* x1 node ... name [params:] [p=value ...]: "X1 in out filter f0=10k" opens .subckt filter with the
 * prefix "x1." and its own scope. The values of the call are computed outside, where the card
 * stands; m= multiplies with that of the instances around. */
static void instance(ln_cursor *cursor, int depth) {
    ln_spice *spice = cursor->spice;
    const int last = name_of_circuit(cursor), nodes = last - cursor->at;
    if (last < 0) {
        ln_card_error(cursor, "the name of a subcircuit is missing");
        return;
    }
    const ln_circuit *circuit = circuit_to_open(cursor, cursor->words[last].text, nodes, depth);
    if (circuit == NULL)
        return;
    const char **joined = LN_SPICE_NEW(spice, const char *, nodes);
    for (int k = 0; joined != NULL && k < nodes; k++)
        joined[k] = ln_take_node(cursor, "a node");
    cursor->at = last + 1;
    (void)ln_take_word(cursor, "params:");
    double m = 1;
    const ln_spice_scope *scope = instance_scope(cursor, circuit, &m);
    ln_expect_end(cursor);
    if (joined == NULL || scope == NULL)
        return;
    const ln_inside inner = {
        circuit,
        scope,
        ln_spice_text(spice, "%s%s.", cursor->inside->prefix, cursor->words[0].text),
        joined,
        m * cursor->inside->m,
        cursor->inside};
    open_circuit(spice, &inner, depth + 1);
}

/* ---- elements ---- */

/* Letters of SPICE devices that have no block type here, and those of none. */
static void refuse(const ln_cursor *cursor, char letter) {
    static const struct {
        char letter;
        const char *what;
    } known[] = {{'z', "a MESFET"},
                 {'a', "a code model"},
                 {'n', "a Verilog-A device"},
                 {'p', "coupled lines"}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (known[k].letter == letter) {
            ln_card_error(cursor,
                          "%s: there is no block type for this SPICE device in this version",
                          known[k].what);
            return;
        }
    ln_card_error(cursor, "no SPICE device begins with '%c'", letter);
}

/* Letters whose cards have a taker of their own; the others are semiconductors (device.c). */
static const struct {
    char letter;
    void (*take)(ln_cursor *cursor, char letter);
} takers[] = {{'r', ln_card_resistor},   {'c', ln_card_capacitor},   {'l', ln_card_inductor},
              {'k', ln_card_coupling},   {'v', ln_card_source},      {'i', ln_card_source},
              {'e', ln_card_controlled}, {'f', ln_card_controlled},  {'g', ln_card_controlled},
              {'h', ln_card_controlled}, {'b', ln_card_behavioural}, {'s', ln_card_switch},
              {'w', ln_card_switch},     {'t', ln_card_line},        {'o', ln_card_line},
              {'y', ln_card_line},       {'u', ln_card_line}};

static void element(ln_cursor *cursor, int depth) {
    const char letter = cursor->words[0].text[0];
    cursor->at = 1;
    if (letter == 'x') {
        instance(cursor, depth);
        return;
    }
    for (size_t k = 0; k < sizeof takers / sizeof *takers; k++)
        if (takers[k].letter == letter) {
            takers[k].take(cursor, letter);
            return;
        }
    if (!ln_card_device(cursor, letter))
        refuse(cursor, letter);
}

/* .ic and .nodeset inside come first, for capacitors look for them; they name nodes and make none.
 */
static void take_starts(ln_spice *spice, const ln_inside *inside) {
    spice->nodes.opening = 0;
    for (ln_card *card = inside->circuit->starts.first; card != NULL; card = card->next) {
        ln_cursor cursor = ln_card_words(spice, inside, card);
        if (cursor.words == NULL)
            break;
        cursor.name = ln_spice_text(spice, "%s%s", inside->prefix, cursor.words[0].text);
        cursor.at = 1;
        ln_take_starts(&cursor);
    }
    spice->nodes.opening = 1;
}

static void open_circuit(ln_spice *spice, const ln_inside *inside, int depth) {
    take_starts(spice, inside);
    for (ln_card *card = inside->circuit->elements.first; card != NULL; card = card->next) {
        if (depth > 0 && spice->effort.cards++ >= MOST_OPENED) {
            if (spice->effort.cards == MOST_OPENED + 1)
                ln_spice_error(spice, card->place,
                               "the subcircuits open into more than %d elements, the limit",
                               MOST_OPENED);
            return;
        }
        if (spice->status == LINNET_MEMORY)
            return;
        ln_cursor cursor = ln_card_words(spice, inside, card);
        if (cursor.words == NULL || cursor.count == 0)
            continue;
        cursor.name = ln_spice_text(spice, "%s%s", inside->prefix, cursor.words[0].text);
        if (cursor.words[0].kind == 'w')
            element(&cursor, depth);
        else
            ln_spice_error(spice, card->place, "a card cannot begin with '%s'",
                           cursor.words[0].text);
    }
}

void ln_spice_expand(ln_spice *spice) {
    const ln_inside top = {&spice->deck, &spice->global, "", NULL, 1, NULL};
    spice->nodes.opening = 1;
    open_circuit(spice, &top, 0);
    spice->nodes.opening = 0;
}
