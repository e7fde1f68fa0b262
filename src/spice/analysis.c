/* SPDX-License-Identifier: MIT */
/* Cards of analyses to their elements: .ac to <frequency-response>, of which V and I cards with an
 * AC value are the input; .dc to <dc-sweep>, .op to <operating-point>, .tf to <dc-gain>.
 *
 * The cards are kept in order and made to elements when all blocks are known, for they name blocks
 * and nodes. For an analysis that Linnet does not have a warning says what comes nearest; the other
 * analyses of the deck are performed. */
#include "base/words.h"
#include "spice/deck.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

/* The source of the card at hand, which has just been made, is an input of the frequency response,
 * with its AC value as a weight: "V1", "V1:2", "V1:2@90" (size, phase in degrees). All sources with
 * an AC value drive at once, as in SPICE: the response is the sum of theirs, and its size is that
 * of the output itself, not a gain, unless the one source has AC 1. */
void ln_ac_input(const ln_cursor *cursor, double size, double degrees) {
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

/* The cursor behind the card's own word; 0: memory is short. */
static int begin(ln_spice *spice, ln_card *card, ln_cursor *cursor) {
    *cursor = ln_card_words(spice, NULL, card);
    if (cursor->words == NULL)
        return 0;
    cursor->name = cursor->words[0].text;
    cursor->at = 1;
    return 1;
}

/* The spacing of frequencies, and how <frequency-response> says it. */
typedef struct grid {
    const char *word, *attribute, *per;
} grid;

/* NULL, reported. */
static const grid *take_grid(ln_cursor *cursor) {
    static const grid grids[] = {
        {"dec", "points", NULL}, {"oct", "points", "octave"}, {"lin", "linear", NULL}};
    const char *word = ln_take_name(cursor, "dec, oct or lin");
    const grid *found = word != NULL ? LN_ROW(grids, word) : NULL;
    if (word != NULL && found == NULL)
        ln_card_error(cursor, "'%s' is neither dec, oct nor lin", word);
    return found;
}

/* The words with blanks between them. */
static const char *joined(ln_spice *spice, const char *const *words, size_t count) {
    ln_text list = {0};
    for (size_t k = 0; k < count; k++)
        ln_text_printf(&list, "%s%s", k > 0 ? " " : "", words[k]);
    const char *text = ln_spice_text(spice, "%s", list.data != NULL ? list.data : "");
    ln_text_free(&list);
    return text;
}

/* .ac dec|oct|lin points from to: so many points a decade, an octave, or in all; Hz. "V1 in 0 AC 1"
 * and ".ac dec 10 1 1meg" become <frequency-response input="V1" output="..." from="1" to="1e6"
 * points="10"/>. */
static void frequency_response(ln_spice *spice, ln_card *card) {
    ln_spice_request *asked = &spice->asked;
    ln_cursor cursor;
    double points, from, to;
    const grid *spacing = begin(spice, card, &cursor) ? take_grid(&cursor) : NULL;
    if (spacing == NULL || !ln_take_value(&cursor, "the number of points", &points) ||
        !ln_take_value(&cursor, "the lowest frequency", &from) ||
        !ln_take_value(&cursor, "the highest frequency", &to))
        return;
    ln_expect_end(&cursor);
    if (asked->drives.count == 0) {
        ln_card_error(&cursor, "no source has an AC value; write AC 1 on the card of the source "
                               "that drives the circuit");
        return;
    }
    ln_element *e = ln_emit(spice, "frequency-response", card->place);
    ln_emit_text(spice, e, "input", joined(spice, asked->drives.items, asked->drives.count));
    ln_answer_all_by_default(spice);
    ln_emit_text(spice, e, "output", joined(spice, asked->responses.items, asked->responses.count));
    ln_emit_number(spice, e, "from", from);
    ln_emit_number(spice, e, "to", to);
    ln_emit_number(spice, e, spacing->attribute, points);
    if (spacing->per != NULL)
        ln_emit_text(spice, e, "per", spacing->per);
}

/* source from to step: "V1.V=0:5:51"; NULL, reported. Our sweeps take the number of points: that of
 * whole steps that fit between the ends, with 1e-9 of a step for 0.1 * 50 that is not quite 5. */
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
    ln_cursor cursor;
    const char *inner = begin(spice, card, &cursor) ? take_axis(&cursor) : NULL;
    const char *outer = inner != NULL && ln_peek(&cursor) != NULL ? take_axis(&cursor) : NULL;
    if (inner == NULL)
        return;
    ln_expect_end(&cursor);
    ln_emit_text(spice, ln_emit(spice, "dc-sweep", card->place), "vary",
                 outer != NULL ? ln_spice_text(spice, "%s %s", outer, inner) : inner);
}

/* What .tf measures: v(a), v(a,b) or i(source). */
typedef struct gain_output {
    int is_current;
    const char *names[2];
} gain_output;

/* 0: reported. */
static int take_output(ln_cursor *cursor, gain_output *output) {
    const char *kind = ln_take_name(cursor, "v(node) or i(source)");
    if (kind == NULL)
        return 0;
    output->is_current = strcmp(kind, "i") == 0;
    if ((!output->is_current && strcmp(kind, "v") != 0) || !ln_skip(cursor, '(')) {
        ln_card_error(cursor,
                      "write .tf v(node) source, .tf v(node,node) source or .tf i(source) source");
        return 0;
    }
    for (int k = 0; k < 2 && ln_peek_is(cursor, 'w'); k++)
        output->names[k] = ln_take_name(cursor, "a node");
    ln_skip(cursor, ')');
    return 1;
}

/* .tf output source: the small-signal gain at rest from the source's value to the output. SPICE
 * tells the input and output resistance beside it, and <dc-gain> does. A difference of two nodes is
 * an output and a `minus`. */
static void dc_gain(ln_spice *spice, ln_card *card) {
    ln_cursor cursor;
    gain_output output = {0};
    const char *links[2] = {NULL, NULL};
    if (!begin(spice, card, &cursor) || !take_output(&cursor, &output))
        return;
    const char *source = ln_take_name(&cursor, "the source");
    const ln_emitted *emitted = source != NULL ? ln_emitted_named(spice, source) : NULL;
    if (source == NULL || output.names[0] == NULL)
        return;
    if (emitted == NULL)
        ln_card_error(&cursor, "'%s' is no source of this circuit", source);
    ln_expect_end(&cursor);
    if (output.is_current)
        links[0] = ln_signal_current(&cursor, output.names[0]);
    for (int k = 0; !output.is_current && k < 2 && output.names[k] != NULL; k++)
        links[k] = ln_signal_voltage(&cursor, output.names[k], NULL);
    if (emitted == NULL || links[0] == NULL)
        return;
    ln_element *e = ln_emit(spice, "dc-gain", card->place);
    ln_emit_text(spice, e, "input", ln_attribute_of(emitted->element, "id"));
    ln_emit_text(spice, e, "output", links[0]);
    if (links[1] != NULL && strcmp(links[1], "0") != 0)
        ln_emit_text(spice, e, "minus", links[1]);
}

static void operating_point(ln_spice *spice, ln_card *card) {
    for (const ln_element *e = spice->tree.root->first; e != NULL; e = e->next) /* once is enough */
        if (strcmp(e->name, "operating-point") == 0)
            return;
    (void)ln_emit(spice, "operating-point", card->place);
}

/* In the order of the deck. */
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

/* Asked while elements are made: a source that a .dc card names needs a parameter of its own for
 * its value at rest, even where its waveform has none (ln_emit_offset). */
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

/* Analyses of SPICE that are not performed, and what comes nearest. */
typedef struct absent_analysis {
    const char *word, *nearest;
} absent_analysis;

static const absent_analysis absent[] = {
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

int ln_analysis_card(ln_cursor *cursor, const char *word) {
    static const struct performed {
        const char *word;
        void (*emit)(ln_spice *spice, ln_card *card);
    } performed[] = {{".tf", dc_gain},
                     {".ac", frequency_response},
                     {".op", operating_point},
                     {".dc", dc_sweep},
                     {".step", ln_step_sweep}};
    const struct performed *row = LN_ROW(performed, word);
    const absent_analysis *none = LN_ROW(absent, word);
    if (row != NULL && row->emit == dc_sweep && cursor->count == 1)
        return ask(cursor, operating_point); /* .dc alone is gnucap's .op */
    if (row != NULL)
        return ask(cursor, row->emit);
    if (none != NULL)
        ln_warn(cursor->spice->report, cursor->card->place, "%s is not performed: %s", word,
                none->nearest);
    return none != NULL;
}
