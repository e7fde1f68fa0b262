/* SPDX-License-Identifier: MIT */
/* .meas cards to <measure> elements.
 *
 * A card that needs two crossings (TRIG ... TARG) or a value where another signal crosses (FIND ...
 * WHEN) becomes several measures. Their names are that of the card with _trig, _targ or _when
 * behind it; a <measure kind="formula"> joins them. The forms are those of the ngspice manual,
 * section ".MEASURE statements"; of a frequency response, signals are parts of complex values. */
#include "base/words.h"
#include "spice/deck.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

/* A place on the axis of the analysis (time, frequency, the value of a .dc sweep): where a signal
 * crosses a level for the count-th time, counted from 1 and from `from` on. */
typedef struct crossing {
    const char *signal, *direction;
    double level, count, from;
    double at; /* AT=: the place itself; NAN: none */
} crossing;

/* ---- signals of a run ---- */

/* Are the arguments of v and i names? Every other function may take anything. */
static int names_a_signal(const ln_formula *formula) {
    const int is_voltage = strcmp(formula->name, "v") == 0;
    if (!is_voltage && strcmp(formula->name, "i") != 0)
        return 1;
    for (int k = 0; k < formula->nargs; k++)
        if (formula->args[k]->name == NULL)
            return 0;
    return formula->nargs >= 1 && formula->nargs <= (is_voltage ? 2 : 1);
}

/* The expression in our language; NULL, reported. */
static const char *printed(const ln_cursor *cursor, const ln_formula *formula) {
    ln_text out = {0};
    const char *made = ln_formula_print(cursor, formula, NULL, &out)
                           ? ln_spice_text(cursor->spice, "%s", out.data)
                           : NULL;
    ln_spice_text_free(cursor->spice, &out);
    return made;
}

/* A call: v(a), v(a,b), i(x), or a function of such. NULL, reported. */
static const char *signal_of_call(const ln_cursor *cursor, const ln_formula *call) {
    if (!names_a_signal(call)) {
        ln_card_error(cursor, "'%s' names no signal; write v(node), v(node, node) or i(source)",
                      call->name);
        return NULL;
    }
    if (strcmp(call->name, "v") == 0)
        return ln_signal_voltage(cursor, call->args[0]->name,
                                 call->nargs > 1 ? call->args[1]->name : NULL);
    if (strcmp(call->name, "i") == 0)
        return ln_signal_current(cursor, call->args[0]->name);
    return printed(cursor, call);
}

/* v(a), v(a,b), i(x), a name of let, or any expression of them: as <measure signal=...> has it.
 * NULL, reported. */
static const char *signal_of_run(const ln_cursor *cursor, const char *text) {
    const ln_formula *formula = ln_formula_parse(cursor->spice, text, cursor->card->place);
    if (formula == NULL)
        return NULL;
    if (formula->kind == 'n' && ln_let_named(cursor->spice, formula->name) != NULL)
        formula = ln_let_named(cursor->spice, formula->name);
    if (formula->kind == 'n')
        return ln_signal_voltage(cursor, formula->name, NULL);
    return formula->kind == 'f' ? signal_of_call(cursor, formula) : printed(cursor, formula);
}

/* ---- signals of a frequency response: out.dB, out.radians, ... ---- */

/* Functions of a complex value, and the part of a response that each gives. */
typedef struct response_part {
    const char *function, *part;
} response_part;

static const response_part functions_of_response[] = {
    {"db", "dB"},       {"m", "magnitude"},   {"p", "radians"},     {"r", "re"},
    {"i", "im"},        {"mag", "magnitude"}, {"abs", "magnitude"}, {"ph", "radians"},
    {"cph", "radians"}, {"phase", "radians"}, {"real", "re"},       {"re", "re"},
    {"imag", "im"},     {"im", "im"}};

/* What stands behind v and i: vdb, vm, vp, vr, vi. */
static const response_part suffixes_of_probe[] = {
    {"db", "dB"}, {"m", "magnitude"}, {"p", "radians"}, {"r", "re"}, {"i", "im"}};

static const char *response_of(const ln_cursor *cursor, const ln_formula *formula,
                               const char *part);

/* "a sign b" of both arguments' part; NULL, reported. */
static const char *joined(const ln_cursor *cursor, const ln_formula *formula, const char *part,
                          char sign) {
    const char *a = response_of(cursor, formula->args[0], part);
    const char *b = a != NULL ? response_of(cursor, formula->args[1], part) : NULL;
    return b != NULL ? ln_spice_text(cursor->spice, "%s %c %s", a, sign, b) : NULL;
}

/* v(node), i(source), vdb(node), ip(source), ... */
static int is_probe(const ln_formula *formula) {
    return formula->kind == 'f' && (formula->name[0] == 'v' || formula->name[0] == 'i') &&
           formula->nargs == 1 && formula->args[0]->kind == 'n';
}

/* "out.dB": the signal and the part of the response, which is the function's own (vdb) or the one
 * asked for around it (db(v(out))). The signal becomes an output of the response. */
static const char *probe(const ln_cursor *cursor, const ln_formula *formula, const char *part) {
    const response_part *suffix = LN_ROW(suffixes_of_probe, formula->name + 1);
    const char *name = formula->args[0]->name;
    const char *signal = formula->name[0] == 'i' ? ln_signal_current(cursor, name)
                                                 : ln_signal_voltage(cursor, name, NULL);
    if (signal == NULL)
        return NULL;
    ln_answer(cursor->spice, signal);
    return ln_spice_text(cursor->spice, "%s.%s", signal, suffix != NULL ? suffix->part : part);
}

/* Of a quotient the dB and the phase are differences; of a sum the real part is a sum. A measure
 * takes numbers from the response's columns, which hold parts of complex values, so what is asked
 * for must be a sum of such parts: |a - b| is not, and is refused. */
static const char *response_of(const ln_cursor *cursor, const ln_formula *formula,
                               const char *part) {
    const ln_formula *let =
        formula->kind == 'n' ? ln_let_named(cursor->spice, formula->name) : NULL;
    const int is_log = strcmp(part, "dB") == 0 || strcmp(part, "radians") == 0;
    const int is_sum = formula->kind == 'm' || formula->kind == 'p';
    if (let != NULL)
        return response_of(cursor, let, part);
    if (formula->kind == '/' && is_log)
        return joined(cursor, formula, part, '-');
    if (is_sum && strcmp(part, "re") == 0)
        return joined(cursor, formula, part, formula->kind == 'm' ? '-' : '+');
    if (is_probe(formula))
        return probe(cursor, formula, part);
    const response_part *function = formula->kind == 'f' && formula->nargs == 1
                                        ? LN_ROW(functions_of_response, formula->name)
                                        : NULL;
    if (function != NULL)
        return response_of(cursor, formula->args[0], function->part);
    ln_card_error(cursor, "of a frequency response v(node), i(source) and their parts (vdb, vp, "
                          "...) are measured, quotients in dB or phase");
    return NULL;
}

/* A .dc sweep measures a column of the result, which is recorded for it. */
static const char *signal_of(const ln_cursor *cursor, const char *text) {
    const char analysis = cursor->words[1].text[0];
    if (analysis == 't')
        return signal_of_run(cursor, text);
    if (analysis == 'd')
        return ln_record_text(cursor, text);
    const ln_formula *formula = ln_formula_parse(cursor->spice, text, cursor->card->place);
    return formula != NULL ? response_of(cursor, formula, "re") : NULL;
}

/* The next signal: quotes, or words without a blank between them, as in v(a)-v(b). */
static const char *take_signal(ln_cursor *cursor) {
    const ln_spice_word *first = ln_peek(cursor), *word = first;
    if (first == NULL) {
        ln_card_error(cursor, "a signal is missing");
        return NULL;
    }
    if (first->kind == '{')
        return cursor->at++, signal_of(cursor, first->text);
    size_t end = first->begin;
    for (int depth = 0; word != NULL && (depth > 0 || (word->begin == end && word->kind != '='));
         word = ln_peek(cursor)) {
        depth += word->kind == '(' ? 1 : word->kind == ')' ? -1 : 0;
        end = word->end;
        cursor->at++;
    }
    return signal_of(cursor, ln_spice_text(cursor->spice, "%.*s", (int)(end - first->begin),
                                           cursor->card->text + first->begin));
}

/* ---- elements ---- */

/* A <measure> of the card's analysis, to which its options are added. */
static ln_element *measure(const ln_cursor *cursor, const char *name, const char *kind) {
    ln_element *e = ln_emit(cursor->spice, "measure", cursor->card->place);
    ln_emit_text(cursor->spice, e, "name", name);
    ln_emit_text(cursor->spice, e, "kind", kind);
    if (cursor->words[1].text[0] != 't')
        ln_emit_text(cursor->spice, e, "analysis",
                     cursor->words[1].text[0] == 'a' ? "frequency-response" : "dc-sweep");
    return e;
}

/* The measure that finds a crossing; AT= needs no search and becomes a number. */
static void emit_crossing(const ln_cursor *cursor, const char *name, const crossing *edge) {
    ln_spice *spice = cursor->spice;
    if (!isnan(edge->at)) {
        char digits[32];
        ln_number_format(digits, edge->at);
        ln_element *fixed = measure(cursor, name, "formula");
        ln_emit_text(spice, fixed, "value", ln_spice_text(spice, "%s", digits));
        if (cursor->words[1].text[0] == 't')
            ln_emit_text(spice, fixed, "unit", "s");
        return;
    }
    ln_element *e = measure(cursor, name, "crossing");
    ln_emit_text(spice, e, "signal", edge->signal);
    ln_emit_number(spice, e, "level", edge->level);
    ln_emit_text(spice, e, "direction", edge->direction);
    ln_emit_number(spice, e, "count", edge->count);
    if (edge->from > 0)
        ln_emit_number(spice, e, "from", edge->from);
}

/* ---- words behind ---- */

/* RISE=n FALL=n CROSS=n TD=t VAL=v, n also LAST; 0 reported. */
static int take_crossing(ln_cursor *cursor, crossing *edge) {
    static const struct {
        const char *word, *direction;
    } directions[] = {{"rise", "rising"}, {"fall", "falling"}, {"cross", "either"}};
    const char *name;
    while (ln_peek_pair(cursor)) {
        const char *word = ln_peek(cursor)->text;
        int k = 0;
        while (k < 3 && strcmp(directions[k].word, word) != 0)
            k++;
        if (k < 3 && cursor->at + 2 < cursor->count &&
            strcmp(cursor->words[cursor->at + 2].text, "last") == 0) {
            edge->count = -1;
            edge->direction = directions[k].direction;
            cursor->at += 3;
            continue;
        }
        double *value = k < 3                      ? &edge->count
                        : strcmp(word, "td") == 0  ? &edge->from
                        : strcmp(word, "val") == 0 ? &edge->level
                                                   : NULL;
        if (value == NULL)
            return 1;
        if (!ln_take_pair(cursor, &name, value))
            return 0;
        if (k < 3)
            edge->direction = directions[k].direction;
    }
    return 1;
}

/* TRIG or TARG: signal VAL=v RISE=n ..., or AT=t. */
static int take_end(ln_cursor *cursor, crossing *edge) {
    const char *name;
    *edge = (crossing){.direction = "either", .level = NAN, .count = 1, .at = NAN};
    if (ln_peek_pair(cursor) && strcmp(ln_peek(cursor)->text, "at") == 0)
        return ln_take_pair(cursor, &name, &edge->at);
    if ((edge->signal = take_signal(cursor)) == NULL || !take_crossing(cursor, edge))
        return 0;
    if (isnan(edge->level))
        ln_card_error(cursor, "VAL= is missing");
    return !isnan(edge->level);
}

/* WHEN v(a)=value RISE=n ...: a level only, not another signal. */
static int take_when(ln_cursor *cursor, crossing *edge) {
    *edge = (crossing){.direction = "either", .level = NAN, .count = 1, .at = NAN};
    if ((edge->signal = take_signal(cursor)) == NULL)
        return 0;
    if (!ln_skip(cursor, '=')) {
        ln_card_error(cursor, "write WHEN signal=value");
        return 0;
    }
    if (ln_peek_is(cursor, 'w') && cursor->at + 1 < cursor->count &&
        cursor->words[cursor->at + 1].kind == '(') {
        const char *other = take_signal(cursor);
        if (other == NULL)
            return 0;
        edge->signal = ln_spice_text(
            cursor->spice, "(%s) - (%s)",
            strchr(edge->signal, '`') ? edge->signal
                                      : ln_spice_text(cursor->spice, "`%s`", edge->signal),
            strchr(other, '`') ? other : ln_spice_text(cursor->spice, "`%s`", other));
        edge->level = 0;
    } else if (!ln_take_value(cursor, "the level", &edge->level))
        return 0;
    return take_crossing(cursor, edge);
}

/* FROM=t TO=t TD=t */
static void take_window(ln_cursor *cursor, ln_element *e) {
    const char *name;
    double value;
    while (ln_peek_pair(cursor)) {
        const char *word = ln_peek(cursor)->text;
        const int from = strcmp(word, "from") == 0 || strcmp(word, "td") == 0;
        if ((!from && strcmp(word, "to") != 0) || !ln_take_pair(cursor, &name, &value))
            break;
        ln_emit_number(cursor->spice, e, from ? "from" : "to", value);
    }
    ln_expect_end(cursor);
}

/* ---- forms ---- */

/* TRIG ... TARG ...: the distance of two crossings, as in
 *     .meas tran t_rise TRIG v(out) VAL=0.5 RISE=1 TARG v(out) VAL=4.5 RISE=1
 * which becomes <measure kind="crossing" name="t_rise_trig"/>, another "t_rise_targ", and their
 * difference under the card's name. The sign is kept: it is negative where TARG comes first. */
static void between(ln_cursor *cursor, const char *name) {
    ln_spice *spice = cursor->spice;
    crossing ends[2];
    if (!take_end(cursor, &ends[0]))
        return;
    if (!ln_take_word(cursor, "targ")) {
        ln_card_error(cursor, "TRIG needs a TARG");
        return;
    }
    if (!take_end(cursor, &ends[1]))
        return;
    ln_expect_end(cursor);
    const char *names[2] = {ln_spice_text(spice, "%s_trig", name),
                            ln_spice_text(spice, "%s_targ", name)};
    for (int k = 0; k < 2; k++)
        emit_crossing(cursor, names[k], &ends[k]);
    ln_element *e = measure(cursor, name, "formula");
    ln_emit_text(spice, e, "value", ln_spice_text(spice, "%s - %s", names[1], names[0]));
    ln_emit_text(spice, e, "unit",
                 cursor->words[1].text[0] == 't'   ? "s"
                 : cursor->words[1].text[0] == 'a' ? "Hz"
                                                   : "");
}

/* FIND signal AT=t, or FIND signal WHEN other=value: "FIND i(l1) WHEN v(sw)=0 FALL=2". */
static void find(ln_cursor *cursor, const char *name) {
    ln_spice *spice = cursor->spice;
    const char *signal = take_signal(cursor), *word;
    double at;
    if (signal == NULL)
        return;
    if (ln_peek_pair(cursor) && strcmp(ln_peek(cursor)->text, "at") == 0) {
        if (!ln_take_pair(cursor, &word, &at))
            return;
        ln_element *e = measure(cursor, name, "value");
        ln_emit_text(spice, e, "signal", signal);
        ln_emit_number(spice, e, "at", at);
    } else if (ln_take_word(cursor, "when")) {
        crossing edge;
        if (!take_when(cursor, &edge))
            return;
        const char *when = ln_spice_text(spice, "%s_when", name);
        emit_crossing(cursor, when, &edge);
        ln_element *e = measure(cursor, name, "value");
        ln_emit_text(spice, e, "signal", signal);
        ln_emit_text(spice, e, "when", when);
    } else {
        ln_card_error(cursor, "FIND needs AT=time or WHEN signal=value");
        return;
    }
    ln_expect_end(cursor);
}

/* PARAM='expression' of other measures and parameters. */
static void compute(ln_cursor *cursor, const char *name) {
    ln_spice *spice = cursor->spice;
    ln_skip(cursor, '=');
    const char *text = ln_take_formula(cursor);
    const ln_formula *formula =
        text != NULL ? ln_formula_parse(spice, text, cursor->card->place) : NULL;
    const char *value = formula != NULL ? printed(cursor, formula) : NULL;
    if (value != NULL)
        ln_emit_text(spice, measure(cursor, name, "formula"), "value", value);
    ln_expect_end(cursor);
}

/* WHEN signal=value: the place itself. */
static void when(ln_cursor *cursor, const char *name) {
    crossing edge;
    if (!take_when(cursor, &edge))
        return;
    emit_crossing(cursor, name, &edge);
    ln_expect_end(cursor);
}

/* AVG, MAX, ...: one number of a signal within a window. */
static void statistic(ln_cursor *cursor, const char *name) {
    static const struct kind {
        const char *word, *kind;
    } kinds[] = {{"avg", "mean"},
                 {"max", "maximum"},
                 {"min", "minimum"},
                 {"pp", "peak-to-peak"},
                 {"rms", "rms"},
                 {"integ", "integral"},
                 {"integral", "integral"},
                 {"max_at", "time-of-maximum"},
                 {"min_at", "time-of-minimum"}};
    const char *word = ln_take_name(cursor, "what is measured");
    const struct kind *row = word != NULL ? LN_ROW(kinds, word) : NULL;
    if (word != NULL && row == NULL)
        ln_card_error(cursor,
                      "'%s' is not supported; there are TRIG, FIND, WHEN, PARAM, AVG, MAX, "
                      "MIN, PP, RMS, INTEG, MAX_AT and MIN_AT",
                      word);
    const char *signal = row != NULL ? take_signal(cursor) : NULL;
    if (signal == NULL)
        return;
    ln_element *e = measure(cursor, name, row->kind);
    ln_emit_text(cursor->spice, e, "signal", signal);
    take_window(cursor, e);
}

/* .meas analysis name form ...; the second word decides what the signals are: columns of a run, of
 * a sweep, or parts of a response. */
static void one_measure(ln_cursor *cursor) {
    static const char *const analyses[] = {"tran", "ac", "dc"};
    static const struct form {
        const char *word;
        void (*take)(ln_cursor *cursor, const char *name);
    } forms[] = {{"trig", between}, {"find", find}, {"param", compute}, {"when", when}};
    ln_spice *spice = cursor->spice;
    const char *analysis = ln_take_name(cursor, "the analysis"),
               *name = analysis != NULL ? ln_take_name(cursor, "the name of the measure") : NULL;
    if (name == NULL)
        return;
    if (!LN_IS_AMONG(analyses, analysis)) {
        ln_warn(spice->report, cursor->card->place,
                "%s: measures of %s are not taken; there are those of tran, ac and dc",
                cursor->name, analysis);
        return;
    }
    if (strcmp(analysis, "ac") == 0)
        ln_answer_all_by_default(spice);
    const struct form *form = ln_peek_is(cursor, 'w') ? LN_ROW(forms, ln_peek(cursor)->text) : NULL;
    if (form == NULL) {
        statistic(cursor, name);
        return;
    }
    cursor->at++;
    form->take(cursor, name);
}

/* Is there a measure of the name and analysis before card k, which asks now? */
static int is_taken(ln_spice *spice, size_t k, const char *analysis, const char *name) {
    const char *both = ln_spice_text(spice, "%s %s", analysis, name);
    const int first = ln_map_put(spice->asked.measures, both, (int)k);
    if (first < 0)
        (void)ln_spice_no_memory(spice);
    return first >= 0 && (size_t)first < k;
}

void ln_spice_measures(ln_spice *spice) {
    const ln_inside top = {.circuit = &spice->deck, .scope = &spice->global, .prefix = "", .m = 1};
    for (size_t k = 0; k < spice->asked.measuring.count; k++) {
        ln_cursor cursor = ln_card_words(spice, &top, spice->asked.measuring.items[k]);
        if (cursor.words == NULL)
            return;
        cursor.at = 1;
        cursor.name = ln_spice_text(spice, "%s %s", cursor.words[0].text,
                                    cursor.count > 2 ? cursor.words[2].text : "");
        if (cursor.count > 2 && is_taken(spice, k, cursor.words[1].text, cursor.words[2].text)) {
            ln_warn(spice->report, cursor.card->place, "%s: the first measure of the name is taken",
                    cursor.name);
            continue;
        }
        one_measure(&cursor);
    }
}
