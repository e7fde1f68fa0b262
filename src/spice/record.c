/* SPDX-License-Identifier: MIT */
/* What is kept: <record> elements under the names that SPICE users know, v(out), v(a,b) and i(v1), from .save, .print,
 * .plot and .probe; without those every node, and the currents of voltage sources and inductors. Also .ic and .nodeset. */
#include "expression/graph.h"
#include "spice/deck.h"

#include <string.h>

/* `what` is "signals", one name that is taken as it is, or "expression". */
static void record(ln_spice *spice, const char *name, const char *what, const char *value, ln_place place) {
    if (ln_map_get(spice->recorded, name) >= 0) return;
    if (ln_map_put(spice->recorded, name, 1) < 0) (void)ln_spice_no_memory(spice);
    ln_element *e = ln_emit(spice, "record", place, 2);
    ln_emit_text(spice, e, "name", name);
    ln_emit_text(spice, e, what, value);
}

static void record_current(ln_spice *spice, const ln_emitted *it, ln_place place) {
    record(spice, ln_spice_text(spice, "i(%s)", it->name), "signals", it->current, place);
}

/* v(a) or, with another node, v(a,b), under the names as they were given. */
static void record_voltage(const ln_cursor *cursor, const ln_inside *top, const char *a, const char *b) {
    ln_spice *spice = cursor->spice;
    const char *links[2] = {ln_node_of(spice, top, a), b != NULL ? ln_node_of(spice, top, b) : "0"};
    for (int k = 0; k < 2; k++) {
        if (k == 0 || b != NULL) {
            if (!ln_node_is_used(spice, links[k])) ln_card_error(cursor, "there is no node '%s'", k == 0 ? a : b);
            else if (b != NULL && ln_is_reserved(links[k]))
                ln_card_error(cursor, "v(%s,%s): node '%s' bears the name of a constant or function; record both nodes, or rename it", a, b, links[k]);
        }
    }
    const char *name = b != NULL ? ln_spice_text(spice, "v(%s,%s)", a, b) : ln_spice_text(spice, "v(%s)", a);
    const int zero = strcmp(links[0], "0") == 0;
    if (strcmp(links[1], "0") == 0) record(spice, name, "signals", zero ? "0" : links[0], cursor->card->place);
    else record(spice, name, "expression", zero ? ln_spice_text(spice, "-`%s`", links[1])
                                                : ln_spice_text(spice, "`%s` - `%s`", links[0], links[1]), cursor->card->place);
}

static void record_all(ln_spice *spice) {
    ln_place place = {spice->root->file, spice->root->line, 0};
    for (size_t k = 0; k < spice->node_list.count; k++) {
        const char *node = spice->node_list.items[k];
        if (strcmp(node, "0") != 0) record(spice, ln_spice_text(spice, "v(%s)", node), "signals", node, place);
    }
    for (size_t k = 0; k < spice->block_list.count; k++) {
        const ln_emitted *it = &spice->block_list.items[k];
        const char *dot = strrchr(it->name, '.'), letter = dot != NULL ? dot[1] : it->name[0];
        if (it->current != NULL && (letter == 'v' || letter == 'l')) record_current(spice, it, place);
    }
}

/* v(a), v(a,b) */
static void save_voltage(ln_cursor *cursor, const ln_inside *top) {
    const char *nodes[2] = {NULL, NULL};
    int count = 0;
    while (count < 2 && ln_peek_is(cursor, 'w')) nodes[count++] = ln_take_name(cursor, "a node");
    if (count == 0 || !ln_skip(cursor, ')')) {
        ln_card_error(cursor, "write v(node) or v(node,node)");
        cursor->at = cursor->count;
        return;
    }
    record_voltage(cursor, top, nodes[0], nodes[1]);
}

static void save_current(ln_cursor *cursor, const char *name) {
    ln_spice *spice = cursor->spice;
    const ln_emitted *it = ln_emitted_named(spice, name);
    /* ngspice's name of an element in a subcircuit: v.x1.v2 */
    if (it == NULL && name[0] != '\0' && name[1] == '.') it = ln_emitted_named(spice, name + 2);
    if (it == NULL || it->current == NULL) ln_card_error(cursor, "there is no element '%s' with one current", name);
    else record_current(spice, it, cursor->card->place);
}

static void save_one(ln_cursor *cursor, const ln_inside *top) {
    ln_spice *spice = cursor->spice;
    const char *word = ln_take_name(cursor, "v(node), i(source) or all");
    if (word == NULL) {
        cursor->at = cursor->count;
    } else if (strcmp(word, "all") == 0) {
        record_all(spice);
    } else if ((strcmp(word, "v") == 0 || strcmp(word, "i") == 0) && ln_skip(cursor, '(')) {
        if (word[0] == 'v') {
            save_voltage(cursor, top);
            return;
        }
        const char *name = ln_take_name(cursor, "a source");
        if (name != NULL) save_current(cursor, name);
        ln_skip(cursor, ')');
    } else if (ln_peek_is(cursor, '(')) {
        ln_card_error(cursor, "'%s(...)' cannot be recorded; there are v(node), v(node,node) and i(element)", word);
        cursor->at = cursor->count;
    } else if (ln_node_is_used(spice, ln_node_of(spice, top, word))) {
        record_voltage(cursor, top, word, NULL);
    } else {
        ln_card_error(cursor, "there is no node '%s'", word);
    }
}

void ln_spice_records(ln_spice *spice) {
    const ln_inside top = {.circuit = &spice->deck, .scope = &spice->global, .prefix = ""};
    for (size_t k = 0; k < spice->saves.count; k++) {
        ln_cursor cursor = ln_card_words(spice, &top, spice->saves.items[k]);
        if (cursor.words == NULL) return;
        const char *word = cursor.name = ln_take_name(&cursor, "a card");
        if ((strcmp(word, ".print") == 0 || strcmp(word, ".plot") == 0) && ln_peek_is(&cursor, 'w')) {
            const char *analysis = ln_take_name(&cursor, "an analysis");
            if (strcmp(analysis, "tran") != 0) continue; /* the output of another analysis, named to its command */
        }
        if (ln_peek_is(&cursor, 'w') && strcmp(ln_peek(&cursor)->text, "tran") == 0) cursor.at++;
        while (ln_peek(&cursor) != NULL) save_one(&cursor, &top);
    }
    if (spice->last_child != NULL && strcmp(spice->last_child->name, "record") != 0) record_all(spice);
}

static int known(ln_spice *spice, const ln_initial *it, const char *card) {
    if (ln_node_is_used(spice, it->node)) return 1;
    ln_spice_error(spice, it->place, "%s: there is no node '%s'", card, it->node);
    return 0;
}

/* .nodeset is a first guess. .ic without UIC holds its nodes while the operating point is sought, as ngspice does: a
 * source of little resistance that lets go at the first event, which is at once. */
void ln_spice_starts(ln_spice *spice) {
    for (size_t k = 0; k < spice->guesses.count; k++) {
        const ln_initial *it = &spice->guesses.items[k];
        if (!known(spice, it, ".nodeset")) continue;
        ln_element *e = ln_emit(spice, "start", it->place, 2);
        ln_emit_text(spice, e, "link", it->node);
        ln_emit_number(spice, e, "value", it->value);
    }
    for (size_t k = 0; k < spice->initial.count; k++) {
        const ln_initial *it = &spice->initial.items[k];
        if (!known(spice, it, ".ic") || spice->uic) continue;
        ln_element *e = ln_emit(spice, "initial-voltage", it->place, 3);
        ln_emit_text(spice, e, "id", ln_spice_text(spice, "ic(%s)", it->node));
        ln_emit_text(spice, e, "p", it->node);
        ln_emit_number(spice, e, "V", it->value);
    }
}
