/* SPDX-License-Identifier: MIT */
/* D, Q, J and M cards: semiconductors, to the native block types that bear SPICE's equations.
 *
 * What a type's .model gives is computed once for all its devices, unless the model stands in a
 * subcircuit, where its words may hold the parameters of the instance. What SPICE knows and the
 * block type does not (device_table.c) is refused, by name. */
#include "spice/device.h"

#include "base/words.h"

#include <math.h>
#include <string.h>

/* ---- .model ---- */

/* A parameter stands once, the last word of it counting. */
static void set(ln_spice *spice, ln_element *element, const char *name, double value) {
    for (int k = 0; k < element->nattributes; k++) {
        if (strcmp(element->attributes[k].name, name) != 0)
            continue;
        char digits[32];
        ln_number_format(digits, value);
        ((ln_attribute *)element->attributes)[k].value = ln_spice_text(spice, "%s", digits);
        return;
    }
    ln_emit_number(spice, element, name, value);
}

/* One note for all devices of a model, however many there are. */
static void note_once(ln_spice *spice, ln_place place, const char *text) {
    if (ln_map_get(spice->noted, text) < 0)
        ln_note(spice->report, place, "%s", text);
    if (ln_map_put(spice->noted, text, 1) < 0)
        (void)ln_spice_no_memory(spice);
}

/* XQC above a half asks SPICE2 for Meyer's capacitances, which are those of no charge. 1 if that is
 * said. */
static int is_meyer(ln_cursor *words, const ln_spice_model *model, const char *name, double value) {
    if (strcmp(name, "xqc") != 0 || !(value > 0.5))
        return 0;
    note_once(words->spice, words->card->place,
              ln_spice_text(words->spice,
                            ".model %s: xqc=%g asks for capacitances after Meyer, which lose "
                            "charge; charges with xqc=0, "
                            "which are nearest, take their place",
                            model->name, value));
    return 1;
}

/* What its first device was given by a model of the deck itself, for all others. In a subcircuit a
 * model's words are read in each instance anew, whose parameters they may hold. */
static void keep_given(ln_spice *spice, const ln_device_row *row, const ln_spice_model *model,
                       const ln_element *element, int first, double area) {
    const int count = element->nattributes - first;
    ln_attribute *kept = LN_SPICE_NEW(spice, ln_attribute, count);
    if (model->home->outer != NULL || kept == NULL || element->attributes == NULL)
        return;
    memcpy(kept, element->attributes + first, (size_t)count * sizeof *kept);
    *model->given = (ln_model_given){row, kept, count, area, model->given->is_straight};
}

/* 1 when what the model gives is known from another device. */
static int give_again(ln_spice *spice, const ln_device_row *row, const ln_spice_model *model,
                      ln_element *element, double *area) {
    const ln_model_given *given = model->given;
    if (given->device != row || element->attributes == NULL)
        return 0;
    ln_emit_all(spice, element, given->attributes, given->nattributes);
    *area = given->area;
    return 1;
}

/* Names that a .model of this row may give, for the nearest to a misspelt one. */
static void unknown_parameter(const ln_cursor *words, const ln_device_row *row, const char *kind,
                              const char *name) {
    enum { MOST_NAMES = 200 };
    const char *known[MOST_NAMES];
    size_t count = 0;
    for (int k = 0; k < row->type->nparams; k++) {
        char *word = ln_arena_string(words->spice->arena, row->type->params[k].name);
        for (char *c = word; c != NULL && *c != '\0'; c++)
            if (*c >= 'A' && *c <= 'Z')
                *c = (char)(*c - 'A' + 'a');
        if (count < MOST_NAMES && word != NULL && ln_parameter_of_model(row, word) != NULL)
            known[count++] = word;
    }
    for (int k = 0; k < row->nother_names && count < MOST_NAMES; k++)
        known[count++] = row->other_names[k].name;
    ln_model_unknown(words, kind, name, known, count);
}

/* A parameter that the type does not have at this level. */
static void without_effect(const ln_cursor *words, const ln_device_row *row,
                           const ln_spice_model *model, const char *name, double value) {
    ln_spice *spice = words->spice;
    if (ln_is_listed(row->absent, name)) {
        if (value != 0)
            ln_card_error(words, "%s=%g: the block type %s has nothing like it", name, value,
                          row->type->name);
    } else if (ln_is_listed(row->other, name)) {
        note_once(spice, words->card->place,
                  ln_spice_text(
                      spice, ".model %s: '%s' is no parameter of level %d and has no effect on it",
                      model->name, name, row->level));
    } else {
        unknown_parameter(words, row, model->kind, name);
    }
}

/* The model's temperature, measured or (in PSpice) its own, absolute or relative to the circuit's;
 * 0: it is another parameter. */
static int is_temperature(ln_spice *spice, ln_element *element, const char *name, double value) {
    static const char *const measured[] = {"tnom", "tref", "t_measured"};
    if (LN_IS_AMONG(measured, name))
        set(spice, element, "tnom", value + 273.15);
    else if (strcmp(name, "t_abs") == 0)
        set(spice, element, "temp", value + 273.15);
    else if (strcmp(name, "t_rel_global") == 0)
        set(spice, element, "temp", value + spice->settings.temperature + 273.15);
    else
        return 0;
    return 1;
}

/* What the model's words give the element. *area: what instances without one have. */
static void model_parameters(const ln_cursor *cursor, const ln_device_row *row,
                             const ln_spice_model *model, ln_element *element, double *area) {
    ln_spice *spice = cursor->spice;
    ln_cursor words;
    const char *name, *parameter;
    double value;
    const int first = element->nattributes;
    if (give_again(spice, row, model, element, area) || !ln_model_words(cursor, model, &words))
        return;
    for (;;) {
        if (ln_model_skip_idle(&words))
            continue;
        if (!ln_model_next(&words, &name, &value))
            break;
        if (strcmp(name, "level") == 0 || is_meyer(&words, model, name, value))
            continue; /* the row was chosen by the level */
        if (is_temperature(spice, element, name, value))
            continue;
        if (row->letter == 'd' && strcmp(name, "area") == 0)
            *area = value;
        else if ((parameter = ln_parameter_of_model(row, name)) != NULL)
            set(spice, element, parameter, value);
        else
            without_effect(&words, row, model, name, value);
    }
    keep_given(spice, row, model, element, first, *area);
}

/* ---- the card ---- */

/* ic=vbe,vce or icvbe=..., which have a meaning with UIC only. 0: it is another parameter. */
static int take_start(ln_cursor *cursor, const ln_device_row *row, const char *name, double value,
                      ln_element *element) {
    ln_spice *spice = cursor->spice;
    const int list = name[2] == '\0';
    int k = 0;
    while (!list && row->starts[k] != NULL &&
           strncmp(row->starts[k], name + 2, strlen(row->starts[k]) - 1) != 0)
        k++;
    if (row->starts[k] == NULL)
        return 0;
    do {
        if (row->starts[k] == NULL) {
            ln_card_error(cursor, "ic= has too many values");
            return 1;
        }
        if (ln_start_acts(cursor, value))
            ln_emit_number(spice, element, row->starts[k], value);
        k++;
    } while (list && ln_peek(cursor) != NULL && !ln_peek_pair(cursor) &&
             ln_take_optional(cursor, &value));
    return 1;
}

/* .options scale: lengths on a transistor's card are in this unit, areas in its square. */
static double scale_of(const ln_spice *spice, const ln_device_row *row, const char *name) {
    if (row->letter != 'm')
        return 1;
    if (name[0] == 'a')
        return spice->settings.scale * spice->settings.scale; /* ad, as */
    return strcmp(name, "l") == 0 || strcmp(name, "w") == 0 || name[0] == 'p'
               ? spice->settings.scale
               : 1;
}

/* MOS transistors in parallel: m= of the card times that of the instance. */
static void scale_parallel(ln_spice *spice, ln_element *element, double m) {
    const char *given = ln_attribute_of(element, "M"), *end;
    set(spice, element, "M", given != NULL ? m * ln_number_read(given, &end) : m);
}

/* What an instance has beside its type's parameters. */
typedef struct instance {
    double area, m, temperature, warmer; /* 1, 1, degC (NAN: it says none), K */
} instance;

/* A name=value of the card. MOS transistors have W in place of an area, and M of their own. */
static void card_parameter(ln_cursor *cursor, const ln_device_row *row, ln_element *element,
                           instance *given, const char *name, double value) {
    const int has_area = row->letter != 'm';
    if (strncmp(name, "ic", 2) == 0 && take_start(cursor, row, name, value, element))
        return;
    if (has_area && strcmp(name, "area") == 0)
        given->area = value;
    else if (has_area && strcmp(name, "m") == 0)
        given->m = value;
    else if (strcmp(name, "temp") == 0)
        given->temperature = value;
    else if (strcmp(name, "dtemp") == 0)
        given->warmer = value;
    else if (ln_is_listed(row->card, name))
        set(cursor->spice, element, ln_parameter_of_type(row, name),
            value * scale_of(cursor->spice, row, name));
    else
        ln_card_error(cursor, "'%s' is no parameter that this card knows", name);
}

/* Area and number in parallel; a diode's number multiplies more than its area does. */
static void emit_size(const ln_cursor *cursor, const ln_device_row *row, const instance *given,
                      ln_element *element) {
    ln_spice *spice = cursor->spice;
    const double outer = cursor->inside->m, m = given->m * outer;
    double area = given->area;
    if (row->letter == 'm' && outer != 1)
        scale_parallel(spice, element, outer);
    if (row->letter == 'd' && m != 1)
        ln_emit_number(spice, element, "parallel", m);
    else if (row->letter != 'm')
        area *= m;
    if (area != 1)
        ln_emit_number(spice, element, "area", area);
}

/* The card's, else the model's, else the circuit's, and what the card adds to it. */
static void emit_temperature(ln_spice *spice, const instance *given, ln_element *element) {
    const char *of_model = ln_attribute_of(element, "temp"), *end;
    const double kelvin = !isnan(given->temperature) ? given->temperature + 273.15
                          : of_model != NULL         ? ln_number_read(of_model, &end)
                                                     : spice->settings.temperature + 273.15;
    if (of_model == NULL || !isnan(given->temperature) || given->warmer != 0)
        set(spice, element, "temp", kelvin + given->warmer);
}

/* Behind the model: an area, OFF, IC=... and name=value. */
static void card_parameters(ln_cursor *cursor, const ln_device_row *row, double area,
                            ln_element *element) {
    ln_spice *spice = cursor->spice;
    const ln_deck_settings *settings = &spice->settings;
    instance given = {.area = area, .m = 1, .temperature = NAN};
    const char *name;
    double value;
    if (row->letter != 'm')
        (void)ln_take_optional(cursor, &given.area);
    while (ln_peek(cursor) != NULL) {
        if (!ln_peek_pair(cursor) && strcmp(ln_peek(cursor)->text, "off") == 0) {
            cursor->at++;
            ln_emit_number(spice, element, "off", 1);
        } else if (ln_take_pair(cursor, &name, &value)) {
            card_parameter(cursor, row, element, &given, name, value);
        } else {
            ln_expect_end(cursor);
            break;
        }
    }
    emit_size(cursor, row, &given, element);
    emit_temperature(spice, &given, element);
    if (settings->gmin != 1e-12)
        ln_emit_number(spice, element, "GMIN", settings->gmin);
    if (ln_attribute_of(element, "tnom") == NULL && settings->nominal != 27)
        ln_emit_number(spice, element, "tnom", settings->nominal + 273.15);
}

/* The model stands behind the nodes, of which the last may be left out. */
static int take_nodes(ln_cursor *cursor, const ln_device_row *row, const char **nodes) {
    int count = 0;
    for (; count < row->most; count++) {
        if (count >= row->least && ln_peek_is(cursor, 'w') &&
            ln_model_named(cursor->inside->circuit, ln_peek(cursor)->text) != NULL)
            break;
        if ((nodes[count] = ln_take_node(cursor, "a node")) == NULL)
            return 0;
    }
    return count;
}

/* Nothing stands behind the nodes: no name, or one that no .model has and that was taken for the
 * last node. */
static void no_model(const ln_cursor *cursor, const ln_device_row *row, int count) {
    const char *last = cursor->words[cursor->at - 1].text;
    if (count > row->least)
        ln_card_error(cursor,
                      "the model is missing; if '%.60s' is its name: the deck has no .model of it "
                      "(.model %.60s %s)",
                      last, last, row->kinds[0]);
    else
        ln_card_error(cursor,
                      "the model is missing; write its name behind the nodes, and .model NAME %s; "
                      "'%.60s' is taken for the last of %d nodes",
                      row->kinds[0], last, count);
}

/* Power transistors and diodes of straight lines have files of their own; 1: the card is one. */
static int is_of_other_file(ln_cursor *cursor, const ln_device_row *row) {
    const ln_spice_model *power = row->letter == 'm' ? ln_vdmos_of(cursor) : NULL;
    if (power != NULL)
        return ln_card_vdmos(cursor, power), 1;
    if (row->letter == 'd' && ln_is_straight_diode(cursor))
        return ln_card_straight_diode(cursor), 1;
    return 0;
}

/* Nodes, then the model, whose level chooses the row, then the rest of the card. */
static void semiconductor(ln_cursor *cursor, const ln_device_row *row) {
    ln_spice *spice = cursor->spice;
    const char *nodes[5] = {NULL};
    if (is_of_other_file(cursor, row))
        return;
    const int count = take_nodes(cursor, row, nodes);
    if (count > 0 && (ln_peek_pair(cursor) || ln_peek(cursor) == NULL)) {
        no_model(cursor, row, count);
        return;
    }
    const ln_spice_model *model = count > 0 ? ln_take_model(cursor, row->kinds) : NULL;
    if (model == NULL || (row = ln_device_of_level(cursor, row, model)) == NULL)
        return;
    ln_element *element = ln_emit_block(cursor, row->type->name);
    if (count == 2)
        ln_name_current(cursor, element, row->type->ports[0].name);
    for (int k = 0; k < count; k++)
        ln_emit_text(spice, element, row->type->ports[k].name, nodes[k]);
    if (row->kinds[1] != NULL)
        ln_emit_text(spice, element, "type", model->kind);
    if (row->level != 1)
        ln_emit_number(spice, element, "LEVEL", row->level);
    double area = 1;
    model_parameters(cursor, row, model, element, &area);
    card_parameters(cursor, row, area, element);
}

int ln_card_device(ln_cursor *cursor, char letter) {
    const ln_device_row *row = ln_device_of_letter(letter);
    if (row != NULL)
        semiconductor(cursor, row);
    return row != NULL;
}
