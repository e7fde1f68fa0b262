/* SPDX-License-Identifier: MIT */
/* .model cards, and the cards of devices: semiconductors, switches and lines. */
#include "spice/deck.h"

#include <string.h>

/* The words of a .model behind its kind, in the scope of the instance that uses it. */
int ln_model_values(const ln_cursor *cursor, const char *name, const char *kind, const char *const *names, double *values) {
    const ln_spice_model *model = ln_model_named(cursor->inside->circuit, name);
    if (model == NULL) return 0;
    if (strcmp(model->kind, kind) != 0) {
        ln_card_error(cursor, "the model '%s' (line %d) is of kind %s, not %s", name, model->card->place.line, model->kind, kind);
        return -1;
    }
    ln_cursor at = ln_card_words(cursor->spice, cursor->inside, model->card);
    if (at.words == NULL) return -1;
    at.name = ln_spice_text(cursor->spice, ".model %s", name);
    at.at = 3;
    ln_skip(&at, '(');
    const char *given;
    double value;
    while (ln_take_pair(&at, &given, &value)) {
        int k = 0;
        size_t count = 0;
        while (names[count] != NULL) count++;
        while (names[k] != NULL && strcmp(names[k], given) != 0) k++;
        if (names[k] != NULL) values[k] = value;
        else {
            const char *nearest = ln_nearest(given, names, count);
            ln_card_error(&at, "a model of kind %s has no parameter '%s' here%s%s%s", kind, given, nearest != NULL ? "; did you mean '" : "",
                          nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
        }
    }
    ln_skip(&at, ')');
    ln_expect_end(&at);
    return 1;
}

/* ---- semiconductors ---- */

/* A device whose model's parameters are those of a block type, under their SPICE names in capitals. */
typedef struct device {
    char letter;
    const char *type, *kinds[2];  /* of .model; two: said to the block as its type */
    const char *ports[5];
    int least;                    /* ports that must be given */
} device;

static const device devices[] = {
    {'d', "spice-diode", {"d", NULL}, {"p", "n", NULL}, 2},
    {'q', "bjt", {"npn", "pnp"}, {"c", "b", "e", "s", NULL}, 3},
};

static const char *capitals(ln_spice *spice, const char *name) {
    char *copy = ln_arena_string(spice->arena, name);
    if (copy == NULL) return ln_spice_no_memory(spice), name;
    for (char *c = copy; *c != '\0'; c++)
        if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 'a' + 'A');
    return copy;
}

/* The block checks names and ranges; words that describe the model and say nothing to the equations are passed over. */
static void model_attributes(const ln_cursor *cursor, const ln_spice_model *model, ln_element *element) {
    static const char *const words[] = {"level", "mfg", "type", "vceo", "icrating", "iave", "vpk"};
    ln_spice *spice = cursor->spice;
    ln_cursor at = ln_card_words(spice, cursor->inside, model->card);
    if (at.words == NULL) return;
    at.name = ln_spice_text(spice, ".model %s", model->name);
    at.at = 3;
    ln_skip(&at, '(');
    const char *name;
    double value;
    for (int count = 0; ln_peek_pair(&at) && count < 60; count++) {
        int known = 0;
        name = ln_peek(&at)->text;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) known |= strcmp(words[k], name) == 0;
        if (known && strcmp(name, "level") != 0) {
            at.at += 3;
            continue;
        }
        if (!ln_take_pair(&at, &name, &value)) return;
        if (known && value != 1) ln_card_error(&at, "level %g is not supported", value);
        if (known) continue;
        if (strcmp(name, "va") == 0) name = "vaf";
        if (strcmp(name, "cjo") != 0 && strcmp(name, "cj0") == 0) name = "cjo";
        const int is_nominal = strcmp(name, "tnom") == 0;
        ln_emit_number(spice, element, is_nominal ? name : capitals(spice, name), is_nominal ? value + 273.15 : value);
    }
    ln_skip(&at, ')');
    ln_expect_end(&at);
}

static void semiconductor(ln_cursor *cursor, const device *it) {
    ln_spice *spice = cursor->spice;
    const char *nodes[5] = {NULL};
    const ln_spice_model *model = NULL;
    int count = 0;
    /* the model stands behind the nodes, of which the last may be left out */
    while (it->ports[count] != NULL) {
        if (count >= it->least && ln_peek_is(cursor, 'w') && (model = ln_model_named(cursor->inside->circuit, ln_peek(cursor)->text)) != NULL) break;
        if ((nodes[count++] = ln_take_node(cursor, "a node")) == NULL) return;
    }
    const char *name = ln_take_name(cursor, "the model");
    if (name == NULL) return;
    model = ln_model_named(cursor->inside->circuit, name);
    if (model == NULL) {
        ln_card_error(cursor, "the model '%s' is not defined; a .model of this name is missing", name);
        return;
    }
    const int second = it->kinds[1] != NULL && strcmp(model->kind, it->kinds[1]) == 0;
    if (!second && strcmp(model->kind, it->kinds[0]) != 0) {
        ln_card_error(cursor, "the model '%s' (line %d) is of kind %s, not %s", name, model->card->place.line, model->kind, it->kinds[0]);
        return;
    }
    ln_element *e = ln_emit_device(cursor, it->type);
    for (int k = 0; k < count; k++) ln_emit_text(spice, e, it->ports[k], nodes[k]);
    if (it->kinds[1] != NULL) ln_emit_text(spice, e, "type", model->kind);
    double area = 1, temperature = spice->temperature, value;
    (void)ln_take_optional(cursor, &area);
    while (ln_peek(cursor) != NULL) {
        const char *option = ln_peek(cursor)->text;
        if (strcmp(option, "off") == 0) {
            cursor->at++; /* a hint for the first guess, which the search here does not need */
        } else if (ln_take_pair(cursor, &option, &value)) {
            if (strcmp(option, "area") == 0) area = value;
            else if (strcmp(option, "m") == 0) area *= value;
            else if (strcmp(option, "temp") == 0) temperature = value;
            else if (strcmp(option, "dtemp") == 0) temperature += value;
            else ln_card_error(cursor, "'%s' is no parameter that this card knows", option);
        } else {
            ln_expect_end(cursor);
            break;
        }
    }
    if (area != 1) ln_emit_number(spice, e, "area", area);
    ln_emit_number(spice, e, "temp", temperature + 273.15);
    if (spice->gmin != 1e-12) ln_emit_number(spice, e, "GMIN", spice->gmin);
    model_attributes(cursor, model, e);
    if (ln_attribute_of(e, "tnom") == NULL && spice->nominal != 27) ln_emit_number(spice, e, "tnom", spice->nominal + 273.15);
}

void ln_card_device(ln_cursor *cursor, char letter) {
    for (size_t k = 0; k < sizeof devices / sizeof *devices; k++)
        if (devices[k].letter == letter) {
            semiconductor(cursor, &devices[k]);
            return;
        }
    static const struct { char letter; const char *what; } known[] = {
        {'m', "a MOSFET"}, {'j', "a JFET"}, {'s', "a voltage-controlled switch"},
        {'w', "a current-controlled switch"}, {'t', "a lossless transmission line"}, {'u', "a distributed RC line"},
        {'z', "a MESFET"}, {'o', "a lossy transmission line"}, {'a', "a code model"}, {'n', "a Verilog-A device"}, {'p', "coupled lines"}, {'y', "a single lossy line"}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (known[k].letter == letter) {
            ln_card_error(cursor, "%s: there is no block type for this SPICE device in this version", known[k].what);
            return;
        }
    ln_card_error(cursor, "no SPICE device begins with '%c'", letter);
}
