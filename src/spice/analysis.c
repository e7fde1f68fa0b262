/* SPDX-License-Identifier: MIT */
/* .ac becomes <frequency-response>, what `linnet ac` takes where its options are silent; V and I cards with AC are its
 * input. .dc becomes <dc-sweep>, for `linnet sweep`. Analyses that Linnet does not have are errors. */
#include "spice/deck.h"

#include <math.h>
#include <string.h>

void ln_drive(const ln_cursor *cursor, double size, double degrees) {
    char a[32], b[32];
    ln_spice *spice = cursor->spice;
    const ln_emitted *source = ln_emitted_named(spice, cursor->name);
    const char *id = source != NULL ? ln_attribute_of(source->element, "id") : NULL;
    if (id == NULL || size == 0) return;
    ln_number_format(a, size);
    ln_number_format(b, degrees);
    const char *weight = size == 1 && degrees == 0 ? "" : degrees == 0 ? ln_spice_text(spice, ":%s", a) : ln_spice_text(spice, ":%s@%s", a, b);
    LN_SPICE_ADD(spice, spice->drives, ln_spice_text(spice, "%s%s", id, weight));
}

/* .ac dec|oct|lin points from to */
static void frequency_response(ln_spice *spice, ln_card *card) {
    static const char *const words[] = {"dec", "oct", "lin"}, *const attributes[] = {"points", "points", "linear"};
    ln_cursor cursor = ln_card_words(spice, NULL, card);
    if (cursor.words == NULL) return;
    cursor.name = cursor.words[0].text;
    cursor.at = 1;
    const char *word = ln_take_name(&cursor, "dec, oct or lin");
    int k = 0;
    double points, from, to;
    while (word != NULL && k < 3 && strcmp(words[k], word) != 0) k++;
    if (word == NULL || k == 3) {
        if (word != NULL) ln_card_error(&cursor, "'%s' is neither dec, oct nor lin", word);
        return;
    }
    if (!ln_take_value(&cursor, "the number of points", &points) || !ln_take_value(&cursor, "the lowest frequency", &from) ||
        !ln_take_value(&cursor, "the highest frequency", &to)) return;
    ln_expect_end(&cursor);
    if (spice->drives.count == 0) {
        ln_card_error(&cursor, "no source has an AC value; write AC 1 on the card of the source that drives the circuit");
        return;
    }
    ln_element *e = ln_emit(spice, "frequency-response", card->place, 8);
    ln_text list = {0};
    for (size_t j = 0; j < spice->drives.count; j++) ln_text_printf(&list, "%s%s", j > 0 ? " " : "", spice->drives.items[j]);
    ln_emit_text(spice, e, "input", ln_spice_text(spice, "%s", list.data));
    ln_text_free(&list);
    for (size_t j = 0; j < (spice->responses.count > 0 ? spice->responses.count : spice->node_list.count); j++) {
        const char *name = spice->responses.count > 0 ? spice->responses.items[j] : spice->node_list.items[j];
        if (strcmp(name, "0") != 0) ln_text_printf(&list, "%s%s", list.length > 0 ? " " : "", name);
    }
    ln_emit_text(spice, e, "output", ln_spice_text(spice, "%s", list.data != NULL ? list.data : ""));
    ln_text_free(&list);
    ln_emit_number(spice, e, "from", from);
    ln_emit_number(spice, e, "to", to);
    ln_emit_number(spice, e, attributes[k], points);
    if (k == 1) ln_emit_text(spice, e, "per", "octave");
}

/* The parameter of an element that is its value at rest; NULL: none. */
static const char *value_of(const ln_element *element) {
    static const char *const known[][2] = {{"voltage-source", "V"}, {"current-source", "I"}, {"resistor", "R"}, {"sine-voltage", "offset"},
        {"sine-current", "offset"}, {"pulse-voltage", "low"}, {"pulse-current", "low"}, {"exponential-voltage", "low"}, {"exponential-current", "low"}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(known[k][0], element->name) == 0) return known[k][1];
    return NULL;
}

/* source from to step: "V1.V=0:5:51"; NULL, reported. */
static const char *take_axis(ln_cursor *cursor) {
    ln_spice *spice = cursor->spice;
    double v[3];
    const char *name = ln_take_name(cursor, "a source");
    const ln_emitted *it = name != NULL ? ln_emitted_named(spice, name) : NULL;
    const char *parameter = it != NULL ? value_of(it->element) : NULL;
    if (name == NULL) return NULL;
    if (parameter == NULL) {
        ln_card_error(cursor, it == NULL ? "'%s' is no source or resistor of this circuit" : "the value of '%s' cannot be swept", name);
        return NULL;
    }
    for (int k = 0; k < 3; k++)
        if (!ln_take_value(cursor, "start, stop or step of the sweep", &v[k])) return NULL;
    const double steps = floor((v[1] - v[0]) / v[2] + 1e-9);
    if (!(steps >= 0) || steps > 1e6) {
        ln_card_error(cursor, "from %g to %g in steps of %g is no sweep", v[0], v[1], v[2]);
        return NULL;
    }
    char from[32], to[32];
    ln_number_format(from, v[0]);
    ln_number_format(to, v[0] + steps * v[2]);
    const char *id = ln_attribute_of(it->element, "id");
    return steps > 0 ? ln_spice_text(spice, "%s.%s=%s:%s:%.0f", id, parameter, from, to, steps + 1) : ln_spice_text(spice, "%s.%s=%s", id, parameter, from);
}

/* .dc source from to step [source from to step]: the first runs through for each value of the second. */
static void dc_sweep(ln_spice *spice, ln_card *card) {
    ln_cursor cursor = ln_card_words(spice, NULL, card);
    if (cursor.words == NULL) return;
    cursor.name = cursor.words[0].text;
    cursor.at = 1;
    const char *inner = take_axis(&cursor), *outer = inner != NULL && ln_peek(&cursor) != NULL ? take_axis(&cursor) : NULL;
    if (inner == NULL) return;
    ln_expect_end(&cursor);
    ln_emit_text(spice, ln_emit(spice, "dc-sweep", card->place, 1), "vary", outer != NULL ? ln_spice_text(spice, "%s %s", outer, inner) : inner);
}

void ln_spice_analyses(ln_spice *spice) {
    if (spice->dc != NULL) dc_sweep(spice, spice->dc);
    if (spice->ac != NULL) frequency_response(spice, spice->ac);
}

int ln_keep_first(ln_cursor *cursor, ln_card **kept) {
    if (*kept == NULL) *kept = cursor->card;
    else ln_warn(cursor->spice->report, cursor->card->place, "%s: the one of line %d is taken; others are asked for by options of the command", cursor->name, (*kept)->place.line);
    return 1;
}

int ln_analysis_card(ln_cursor *cursor, const char *word) {
    static const struct { const char *word, *what; } refused[] = {
        {".noise", "a noise analysis"}, {".sens", "a sensitivity analysis; `linnet sweep` varies parameters"},
        {".disto", "an analysis of small distortion"}, {".four", "a Fourier analysis; it can be computed from the result of `linnet run`"},
        {".fourier", "a Fourier analysis; it can be computed from the result of `linnet run`"}, {".fft", "a Fourier analysis"}, {".sp", "an analysis of S parameters"},
        {".pss", "a search for periodic steady states"}, {".step", "a stepped run in a deck; `linnet sweep --vary` does it"}, {".hb", "harmonic balance"}};
    ln_spice *spice = cursor->spice;
    if (strcmp(word, ".ac") == 0) return ln_keep_first(cursor, &spice->ac);
    if (strcmp(word, ".op") == 0) return 1; /* `linnet op` finds it for any model */
    if (strcmp(word, ".dc") == 0) /* alone it is gnucap's .op */
        return cursor->count > 1 ? ln_keep_first(cursor, &spice->dc) : 1;
    if (strcmp(word, ".tf") == 0 || strcmp(word, ".pz") == 0) {
        ln_note(spice->report, cursor->card->place, "%s: %s", word, word[1] == 't' ? "`linnet linearise` gives gains of this deck" : "`linnet eig` gives the poles of this deck");
        return 1;
    }
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        if (strcmp(refused[k].word, word) == 0) {
            ln_card_error(cursor, "Linnet has no such thing as %s", refused[k].what);
            return 1;
        }
    return 0;
}
