/* SPDX-License-Identifier: MIT */
/* What the cards name, in our language: the signal of a voltage or a current, the parameter that a
 * sweep varies. All blocks are made by then, for signals are named after them. */
#include "base/words.h"
#include "expression/graph.h"
#include "spice/deck.h"

#include <string.h>

const ln_emitted *ln_branch_named(ln_spice *spice, const char *name) {
    const ln_emitted *emitted = ln_emitted_named(spice, name);
    /* ngspice's name of an element in a subcircuit: v.x1.v2 */
    return emitted == NULL && name[0] != '\0' && name[1] == '.' ? ln_emitted_named(spice, name + 2)
                                                                : emitted;
}

/* NULL, reported. */
const char *ln_signal_current(const ln_cursor *cursor, const char *name) {
    const ln_emitted *emitted = ln_branch_named(cursor->spice, name);
    if (emitted != NULL && emitted->current != NULL)
        return emitted->current;
    ln_card_error(cursor, "there is no element '%s' with one current", name);
    return NULL;
}

const char *ln_signal_voltage(const ln_cursor *cursor, const char *a, const char *b) {
    ln_spice *spice = cursor->spice;
    const ln_inside top = {.circuit = &spice->deck, .scope = &spice->global, .prefix = "", .m = 1};
    const char *names[2] = {a, b}, *links[2] = {"0", "0"};
    for (int k = 0; k < (b != NULL ? 2 : 1); k++) {
        links[k] = ln_node_of(spice, &top, names[k]);
        if (ln_node_is_used(spice, links[k])) {
            if (b == NULL || !ln_is_reserved(links[k]))
                continue;
            ln_card_error(cursor,
                          "v(%s,%s): node '%s' bears the name of a constant or function; take both "
                          "nodes alone, or rename it",
                          a, b, links[k]);
        } else {
            ln_card_error(cursor, "there is no node '%s'", names[k]);
        }
        return NULL;
    }
    const int zero = strcmp(links[0], "0") == 0;
    if (strcmp(links[1], "0") == 0)
        return links[0];
    return zero ? ln_spice_text(spice, "-`%s`", links[1])
                : ln_spice_text(spice, "`%s` - `%s`", links[0], links[1]);
}

int ln_keeps_current(const ln_emitted *emitted) {
    const char *dot = strrchr(emitted->name, '.'), letter = dot != NULL ? dot[1] : emitted->name[0];
    return emitted->current != NULL && (letter == 'v' || letter == 'l');
}

/* The parameter of a source or resistor that is its value at rest; NULL: none. A source with a
 * waveform is swept by that of its parameters which holds before the waveform begins. */
static const char *value_of(const ln_emitted *emitted) {
    static const struct rest_value {
        const char *type, *parameter;
    } known[] = {
        {"voltage-source", "V"},    {"current-source", "I"},        {"resistor", "R"},
        {"sine-voltage", "offset"}, {"sine-current", "offset"},     {"pulse-voltage", "low"},
        {"pulse-current", "low"},   {"exponential-voltage", "low"}, {"exponential-current", "low"}};
    if (emitted->rest != NULL)
        return emitted->rest;
    const struct rest_value *row = LN_ROW(known, emitted->element->name);
    return row != NULL ? row->parameter : NULL;
}

/* What a name on a .dc card means in our language: "V1.V", "temp", a parameter of the deck; NULL,
 * reported. */
const char *ln_swept_by(ln_cursor *cursor, const char *name) {
    ln_spice *spice = cursor->spice;
    double value;
    const ln_emitted *emitted = ln_emitted_named(spice, name);
    const char *parameter = emitted != NULL ? value_of(emitted) : NULL;
    if (parameter != NULL)
        return ln_spice_text(spice, "%s.%s", ln_attribute_of(emitted->element, "id"), parameter);
    if (emitted == NULL &&
        (strcmp(name, "temp") == 0 || ln_scope_find(spice, &spice->global, name, &value) > 0)) {
        if (!ln_node_is_used(spice, name))
            return name;
        ln_card_error(cursor, "'%s' is also the name of a node; rename one of the two", name);
    } else {
        ln_card_error(cursor,
                      emitted == NULL ? "'%s' is no source, resistor or parameter of this circuit"
                                      : "the value of '%s' cannot be swept",
                      name);
    }
    return NULL;
}
