/* SPDX-License-Identifier: MIT */
/* .ac becomes <frequency-response>, V and I cards with AC are its input; .dc becomes <dc-sweep>,
 * .op <operating-point>. Of analyses that Linnet does not have a warning says what comes nearest;
 * the others of the deck are performed. */
#include "spice/deck.h"

#include <math.h>
#include <string.h>

void ln_drive(const ln_cursor *cursor, double size, double degrees) {
    char a[32], b[32];
    ln_spice *spice = cursor->spice;
    const ln_emitted *source = ln_emitted_named(spice, cursor->name);
    const char *id = source != NULL ? ln_attribute_of(source->element, "id") : NULL;
    if (id == NULL || size == 0)
        return;
    ln_number_format(a, size);
    ln_number_format(b, degrees);
    const char *weight = size == 1 && degrees == 0 ? ""
                         : degrees == 0            ? ln_spice_text(spice, ":%s", a)
                                                   : ln_spice_text(spice, ":%s@%s", a, b);
    LN_SPICE_ADD(spice, spice->asked.drives, ln_spice_text(spice, "%s%s", id, weight));
}

/* What ngspice keeps: nodes, and currents of voltage sources and inductors. */
void ln_answer_all_by_default(ln_spice *spice) {
    if (spice->asked.responses.count > 0)
        return;
    for (size_t k = 0; k < spice->nodes.list.count; k++)
        if (strcmp(spice->nodes.list.items[k], "0") != 0)
            LN_SPICE_ADD(spice, spice->asked.responses, spice->nodes.list.items[k]);
    for (size_t k = 0; k < spice->tree.blocks.count; k++)
        if (ln_keeps_current(&spice->tree.blocks.items[k]))
            LN_SPICE_ADD(spice, spice->asked.responses, spice->tree.blocks.items[k].current);
}

/* .ac dec|oct|lin points from to */
static void frequency_response(ln_spice *spice, ln_card *card) {
    static const char *const words[] = {"dec", "oct", "lin"}, *const attributes[] = {
                                                                  "points", "points", "linear"};
    ln_cursor cursor = ln_card_words(spice, NULL, card);
    if (cursor.words == NULL)
        return;
    cursor.name = cursor.words[0].text;
    cursor.at = 1;
    const char *word = ln_take_name(&cursor, "dec, oct or lin");
    int k = 0;
    double points, from, to;
    while (word != NULL && k < 3 && strcmp(words[k], word) != 0)
        k++;
    if (word == NULL || k == 3) {
        if (word != NULL)
            ln_card_error(&cursor, "'%s' is neither dec, oct nor lin", word);
        return;
    }
    if (!ln_take_value(&cursor, "the number of points", &points) ||
        !ln_take_value(&cursor, "the lowest frequency", &from) ||
        !ln_take_value(&cursor, "the highest frequency", &to))
        return;
    ln_expect_end(&cursor);
    if (spice->asked.drives.count == 0) {
        ln_card_error(&cursor, "no source has an AC value; write AC 1 on the card of the source "
                               "that drives the circuit");
        return;
    }
    ln_element *e = ln_emit(spice, "frequency-response", card->place, 8);
    ln_text list = {0};
    for (size_t j = 0; j < spice->asked.drives.count; j++)
        ln_text_printf(&list, "%s%s", j > 0 ? " " : "", spice->asked.drives.items[j]);
    ln_emit_text(spice, e, "input", ln_spice_text(spice, "%s", list.data));
    ln_text_free(&list);
    ln_answer_all_by_default(spice);
    for (size_t j = 0; j < spice->asked.responses.count; j++)
        ln_text_printf(&list, "%s%s", j > 0 ? " " : "", spice->asked.responses.items[j]);
    ln_emit_text(spice, e, "output",
                 ln_spice_text(spice, "%s", list.data != NULL ? list.data : ""));
    ln_text_free(&list);
    ln_emit_number(spice, e, "from", from);
    ln_emit_number(spice, e, "to", to);
    ln_emit_number(spice, e, attributes[k], points);
    if (k == 1)
        ln_emit_text(spice, e, "per", "octave");
}

/* The parameter of an element that is its value at rest; NULL: none. */
static const char *value_of(const ln_element *element) {
    static const char *const known[][2] = {{"voltage-source", "V"},
                                           {"current-source", "I"},
                                           {"resistor", "R"},
                                           {"sine-voltage", "offset"},
                                           {"sine-current", "offset"},
                                           {"piecewise-linear-voltage", "rest.V"},
                                           {"piecewise-linear-current", "rest.I"},
                                           {"pulse-voltage", "low"},
                                           {"pulse-current", "low"},
                                           {"exponential-voltage", "low"},
                                           {"exponential-current", "low"}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(known[k][0], element->name) == 0)
            return known[k][1];
    return NULL;
}

/* What a name on a .dc card means in our language: "V1.V", "temp", a parameter of the deck; NULL,
 * reported. */
const char *ln_swept_by(ln_cursor *cursor, const char *name) {
    ln_spice *spice = cursor->spice;
    double value;
    const ln_emitted *emitted = ln_emitted_named(spice, name);
    const char *parameter = emitted != NULL ? value_of(emitted->element) : NULL;
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

/* source from to step: "V1.V=0:5:51"; NULL, reported. */
static const char *take_axis(ln_cursor *cursor) {
    ln_spice *spice = cursor->spice;
    double v[3];
    const char *name = ln_take_name(cursor, "a source");
    const char *swept = name != NULL ? ln_swept_by(cursor, name) : NULL;
    if (swept == NULL)
        return NULL;
    for (int k = 0; k < 3; k++)
        if (!ln_take_value(cursor, "start, stop or step of the sweep", &v[k]))
            return NULL;
    const double steps = floor((v[1] - v[0]) / v[2] + 1e-9);
    if (!(steps >= 0) || steps > 1e6) {
        ln_card_error(cursor, "from %g to %g in steps of %g is no sweep", v[0], v[1], v[2]);
        return NULL;
    }
    char from[32], to[32];
    ln_number_format(from, v[0]);
    ln_number_format(to, v[0] + steps * v[2]);
    return steps > 0 ? ln_spice_text(spice, "%s=%s:%s:%.0f", swept, from, to, steps + 1)
                     : ln_spice_text(spice, "%s=%s", swept, from);
}

/* .dc source from to step [source from to step]: the first runs through for each value of the
 * second. */
static void dc_sweep(ln_spice *spice, ln_card *card) {
    ln_cursor cursor = ln_card_words(spice, NULL, card);
    if (cursor.words == NULL)
        return;
    cursor.name = cursor.words[0].text;
    cursor.at = 1;
    const char *inner = take_axis(&cursor),
               *outer = inner != NULL && ln_peek(&cursor) != NULL ? take_axis(&cursor) : NULL;
    if (inner == NULL)
        return;
    ln_expect_end(&cursor);
    ln_emit_text(spice, ln_emit(spice, "dc-sweep", card->place, 1), "vary",
                 outer != NULL ? ln_spice_text(spice, "%s %s", outer, inner) : inner);
}

/* .tf v(a), v(a,b) or i(v2), then the source that drives. */
static void dc_gain(ln_spice *spice, ln_card *card) {
    ln_cursor cursor = ln_card_words(spice, NULL, card);
    if (cursor.words == NULL)
        return;
    cursor.name = cursor.words[0].text;
    cursor.at = 1;
    const char *kind = ln_take_name(&cursor, "v(node) or i(source)"), *names[2] = {NULL, NULL},
               *links[2] = {NULL, NULL};
    const int is_current = kind != NULL && strcmp(kind, "i") == 0;
    if (kind == NULL || (!is_current && strcmp(kind, "v") != 0) || !ln_skip(&cursor, '(')) {
        if (kind != NULL)
            ln_card_error(
                &cursor,
                "write .tf v(node) source, .tf v(node,node) source or .tf i(source) source");
        return;
    }
    for (int k = 0; k < 2 && ln_peek_is(&cursor, 'w'); k++)
        names[k] = ln_take_name(&cursor, "a node");
    ln_skip(&cursor, ')');
    const char *source = ln_take_name(&cursor, "the source");
    const ln_emitted *emitted = source != NULL ? ln_emitted_named(spice, source) : NULL;
    if (source == NULL || names[0] == NULL)
        return;
    if (emitted == NULL)
        ln_card_error(&cursor, "'%s' is no source of this circuit", source);
    ln_expect_end(&cursor);
    if (is_current)
        links[0] = ln_signal_current(&cursor, names[0]);
    for (int k = 0; !is_current && k < 2 && names[k] != NULL; k++)
        links[k] = ln_signal_voltage(&cursor, names[k], NULL);
    if (emitted == NULL || links[0] == NULL)
        return;
    ln_element *e = ln_emit(spice, "dc-gain", card->place, 3);
    ln_emit_text(spice, e, "input", ln_attribute_of(emitted->element, "id"));
    ln_emit_text(spice, e, "output", links[0]);
    if (links[1] != NULL && strcmp(links[1], "0") != 0)
        ln_emit_text(spice, e, "minus", links[1]);
}

static void operating_point(ln_spice *spice, ln_card *card) {
    for (const ln_element *e = spice->tree.root->first; e != NULL; e = e->next) /* once is enough */
        if (strcmp(e->name, "operating-point") == 0)
            return;
    (void)ln_emit(spice, "operating-point", card->place, 1);
}

void ln_spice_analyses(ln_spice *spice) {
    for (size_t k = 0; k < spice->asked.analyses.count; k++)
        spice->asked.analyses.items[k].emit(spice, spice->asked.analyses.items[k].card);
}

/* The same card twice, as a script repeats those of the deck, is one analysis. */
static int ask(const ln_cursor *cursor, void (*emit)(ln_spice *spice, ln_card *card)) {
    ln_spice *spice = cursor->spice;
    const char *text = cursor->card->text + (cursor->card->text[0] == '.');
    for (size_t k = 0; k < spice->asked.analyses.count; k++) {
        const char *other = spice->asked.analyses.items[k].card->text;
        if (strcmp(other + (*other == '.'), text) == 0)
            return 1;
    }
    LN_SPICE_ADD(spice, spice->asked.analyses, (ln_analysis){cursor->card, emit});
    return 1;
}

int ln_is_swept(const ln_cursor *cursor) {
    ln_spice *spice = cursor->spice;
    for (size_t k = 0; k < spice->asked.analyses.count; k++) {
        const ln_cursor card = ln_card_words(spice, NULL, spice->asked.analyses.items[k].card);
        for (int j = 1; spice->asked.analyses.items[k].emit == dc_sweep && j < card.count; j++)
            if (strcmp(card.words[j].text, cursor->name) == 0)
                return 1;
    }
    return 0;
}

int ln_keep_first(ln_cursor *cursor, ln_card **kept) {
    if (*kept == NULL)
        *kept = cursor->card;
    else
        ln_warn(cursor->spice->report, cursor->card->place,
                "%s: the one of line %d is taken; others are asked for by options of the command",
                cursor->name, (*kept)->place.line);
    return 1;
}

int ln_analysis_card(ln_cursor *cursor, const char *word) {
    static const struct {
        const char *word, *what;
    } absent[] = {
        {".noise", "there is no noise analysis; `linnet ac` gives the gains from each source"},
        {".sens",
         "there is no sensitivity analysis; `linnet sweep --vary` shows what a parameter does"},
        {".disto", "there is no analysis of small distortion; run the circuit and look at the "
                   "spectrum of the result"},
        {".four", "there is no Fourier analysis; the result of `linnet run` has the waveform"},
        {".fourier", "there is no Fourier analysis; the result of `linnet run` has the waveform"},
        {".fft", "there is no Fourier analysis; the result of `linnet run` has the waveform"},
        {".sp", "S parameters are not computed; `linnet ac` gives responses from each source"},
        {".pss", "periodic steady states are not sought; run the circuit long enough"},
        {".hb", "there is no harmonic balance; run the circuit long enough"},
        {".pz", "`linnet eig` gives the poles, `linnet linearise` the whole linear model"}};
    ln_spice *spice = cursor->spice;
    if (strcmp(word, ".tf") == 0)
        return ask(cursor, dc_gain);
    if (strcmp(word, ".ac") == 0)
        return ask(cursor, frequency_response);
    /* .dc alone is gnucap's .op */
    if (strcmp(word, ".op") == 0 || (strcmp(word, ".dc") == 0 && cursor->count == 1))
        return ask(cursor, operating_point);
    if (strcmp(word, ".dc") == 0)
        return ask(cursor, dc_sweep);
    if (strcmp(word, ".step") == 0)
        return ask(cursor, ln_step_sweep);
    for (size_t k = 0; k < sizeof absent / sizeof *absent; k++)
        if (strcmp(absent[k].word, word) == 0) {
            ln_warn(spice->report, cursor->card->place, "%s is not performed: %s", word,
                    absent[k].what);
            return 1;
        }
    return 0;
}
