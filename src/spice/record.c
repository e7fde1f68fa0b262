/* SPDX-License-Identifier: MIT */
/* What is recorded: .save, .print, .plot, .probe and their like in scripts to <record> elements,
 * under the names that SPICE users know: v(out), v(a,b), i(v1), @q1[ic], expressions.
 *
 * A deck that asks for nothing gets ngspice's default: every node, and the currents of voltage
 * sources and inductors. What is asked of the frequency response (.print ac, vdb(out)) is listed
 * as an output of <frequency-response>. The cards are read when all blocks are made, for signals
 * are named after them. */
#include "base/words.h"
#include "expression/graph.h"
#include "spice/deck.h"

#include <string.h>

/* `what` is "signals", one name that is taken as it is, or "expression". */
static void record(ln_spice *spice, const char *name, const char *what, const char *value,
                   ln_place place) {
    if (ln_map_get(spice->asked.recorded, name) >= 0)
        return;
    if (ln_map_put(spice->asked.recorded, name, 1) < 0)
        (void)ln_spice_no_memory(spice);
    ln_element *e = ln_emit(spice, "record", place);
    ln_emit_text(spice, e, "name", name);
    ln_emit_text(spice, e, what, value);
    spice->asked.has_records = 1;
}

/* @q1[ic], ngspice's writing for a parameter of an instance: here a current into a terminal, or the
 * power that the element takes up. A row says for which letters a parameter means which of our
 * signals: id of a diode or transistor is i, that through its first terminal. */
static const char *of_device(const ln_cursor *cursor, const char *text) {
    static const struct {
        const char *letters, *parameter, *signal;
    } known[] = {{"rclvidqmj", "p", "P"}, {"v", "dc", "v"},    {"d", "id", "i"},
                 {"mj", "id", "i"},       {"mj", "ig", "g.i"}, {"mj", "is", "s.i"},
                 {"m", "ib", "b.i"},      {"q", "ic", "i"},    {"q", "ib", "b.i"},
                 {"q", "ie", "e.i"},      {"q", "is", "s.i"}};
    ln_spice *spice = cursor->spice;
    const size_t size = strcspn(text + 1, "[");
    const char *name = ln_spice_text(spice, "%.*s", (int)size, text + 1), *open = text + 1 + size;
    const ln_emitted *emitted = ln_branch_named(spice, name);
    const char *parameter =
        *open == '[' ? ln_spice_text(spice, "%.*s", (int)strcspn(open + 1, "]"), open + 1) : "";
    if (emitted == NULL) {
        ln_card_error(cursor, "%s: there is no element '%s'", text, name);
        return NULL;
    }
    const char *dot = strrchr(emitted->name, '.'), letter = dot != NULL ? dot[1] : emitted->name[0];
    if (strcmp(parameter, "i") == 0 && emitted->current != NULL)
        return emitted->current;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strchr(known[k].letters, letter) != NULL && strcmp(known[k].parameter, parameter) == 0)
            return ln_spice_text(spice, "%s.%s", ln_attribute_of(emitted->element, "id"),
                                 known[k].signal);
    ln_warn(
        spice->report, cursor->card->place,
        "%s: of elements only their currents and their power p can be recorded; this is left out",
        text);
    return NULL;
}

/* Under its SPICE name: one node is a signal, a difference an expression. */
static void record_voltage(const ln_cursor *cursor, const char *a, const char *b) {
    ln_spice *spice = cursor->spice;
    const char *signal = ln_signal_voltage(cursor, a, b);
    const char *name =
        b != NULL ? ln_spice_text(spice, "v(%s,%s)", a, b) : ln_spice_text(spice, "v(%s)", a);
    if (signal != NULL)
        record(spice, name, strpbrk(signal, "-`") != NULL && b != NULL ? "expression" : "signals",
               signal, cursor->card->place);
}

/* ---- everything ---- */

/* What ngspice records where a deck asks for nothing. */
static void record_all(ln_spice *spice) {
    ln_place place = {spice->tree.root->file, spice->tree.root->line, 0};
    for (size_t k = 0; k < spice->nodes.list.count; k++) {
        const char *node = spice->nodes.list.items[k];
        if (strcmp(node, "0") != 0)
            record(spice, ln_spice_text(spice, "v(%s)", node), "signals", node, place);
    }
    for (size_t k = 0; k < spice->tree.blocks.count; k++) {
        const ln_emitted *emitted = &spice->tree.blocks.items[k];
        if (ln_keeps_current(emitted))
            record(spice, ln_spice_text(spice, "i(%s)", emitted->name), "signals", emitted->current,
                   place);
    }
}

/* ---- one thing that is asked for ---- */

/* Does the expression hold a part of the frequency response: vdb(out), db(v(out)), ...? */
static int is_response(const ln_formula *formula) {
    static const char *const names[] = {"vdb",   "vm",     "vp",  "vr",   "vi",   "vg", "db",
                                        "mag",   "ph",     "cph", "real", "imag", "re", "im",
                                        "phase", "unwrap", "idb", "ip",   "ir",   "ii"};
    if (formula->kind == 'f' && LN_IS_AMONG(names, formula->name))
        return 1;
    for (int k = 0; k < formula->nargs; k++)
        if (is_response(formula->args[k]))
            return 1;
    return 0;
}

/* i(v1), and its parts idb(v1), ip(v1), ... */
static int is_current(const char *name) {
    static const char *const names[] = {"i", "idb", "im", "ip", "ir", "ii"};
    return LN_IS_AMONG(names, name);
}

void ln_answer(ln_spice *spice, const char *signal) {
    for (size_t k = 0; k < spice->asked.responses.count; k++)
        if (strcmp(spice->asked.responses.items[k], signal) == 0)
            return;
    LN_SPICE_ADD(spice, spice->asked.responses, signal);
}

/* Everything that the expression speaks of is listed: vdb(out)-vdb(in) needs the responses of both.
 */
static void respond(const ln_cursor *cursor, const ln_formula *formula) {
    ln_spice *spice = cursor->spice;
    const ln_formula *let = formula->kind == 'n' ? ln_let_named(spice, formula->name) : NULL;
    double constant;
    if (let != NULL) {
        respond(cursor, let);
    } else if (formula->kind == 'n') {
        if (strcmp(formula->name, "frequency") == 0 || strcmp(formula->name, "hertz") == 0)
            return;
        if (ln_scope_find(spice, &spice->global, formula->name, &constant) > 0)
            return;
        const char *signal = ln_signal_voltage(cursor, formula->name, NULL);
        if (signal != NULL && strcmp(signal, "0") != 0)
            ln_answer(spice, signal);
    } else if (formula->kind == 'f' && formula->nargs == 1 && is_current(formula->name)) {
        const char *current = ln_signal_current(cursor, formula->args[0]->name);
        if (current != NULL)
            ln_answer(spice, current);
    } else {
        for (int k = 0; k < formula->nargs; k++)
            respond(cursor, formula->args[k]);
    }
}

/* Under the text of the card. */
static void record_formula(const ln_cursor *cursor, const char *text, const ln_formula *formula) {
    ln_spice *spice = cursor->spice;
    ln_text out = {0};
    if (ln_formula_print(cursor, formula, NULL, &out))
        record(spice, text, "expression", ln_spice_text(spice, "%s", out.data),
               cursor->card->place);
    ln_spice_text_free(spice, &out);
}

/* Options that plot takes between its curves, with how many words follow each. */
static int plot_word(const char *word) {
    static const struct option {
        const char *word;
        int more;
    } known[] = {{"vs", 0},        {"xlimit", 2},      {"ylimit", 2},    {"xl", 2},
                 {"yl", 2},        {"title", 1},       {"xlabel", 1},    {"ylabel", 1},
                 {"xlog", 0},      {"ylog", 0},        {"loglog", 0},    {"linear", 0},
                 {"pointplot", 0}, {"combplot", 0},    {"lingrid", 0},   {"nogrid", 0},
                 {"smith", 0},     {"polar", 0},       {"smithgrid", 0}, {"xdelta", 1},
                 {"ydelta", 1},    {"xcompress", 1},   {"xindices", 2},  {"samep", 0},
                 {"line", 0},      {"retraceplot", 0}, {"nointerp", 0},  {"noretraceplot", 0},
                 {"ydel", 1},      {"xdel", 1},        {"col", 0},       {"kicad", 0},
                 {"plainplot", 0}};
    const struct option *row = LN_ROW(known, word);
    return row != NULL ? row->more : -1;
}

/* @q1[ic]: a signal of an element. */
static void save_of_device(const ln_cursor *cursor, const char *text, int response) {
    ln_spice *spice = cursor->spice;
    const char *signal = of_device(cursor, text);
    if (signal != NULL && response)
        LN_SPICE_ADD(spice, spice->asked.responses, signal);
    else if (signal != NULL)
        record(spice, text, "signals", signal, cursor->card->place);
}

/* A name alone: what let defined, or a node. Time and frequency are in every result. */
static void save_name(const ln_cursor *cursor, const char *text, const ln_formula *formula,
                      int response) {
    const ln_formula *let = ln_let_named(cursor->spice, formula->name);
    if (let != NULL && !response)
        record_formula(cursor, text, let);
    else if (strcmp(formula->name, "time") == 0 || strcmp(formula->name, "frequency") == 0)
        return;
    else if (response)
        respond(cursor, let != NULL ? let : formula);
    else
        record_voltage(cursor, formula->name, NULL);
}

/* Under "i(v1)", whatever the card called it ("v1#branch"). */
static void record_current(const ln_cursor *cursor, const char *name) {
    ln_spice *spice = cursor->spice;
    const char *current = ln_signal_current(cursor, name);
    if (current != NULL)
        record(spice, ln_spice_text(spice, "i(%s)", ln_branch_named(spice, name)->name), "signals",
               current, cursor->card->place);
}

/* Is it a call of the function with `least` to `most` arguments? */
static int is_call(const ln_formula *formula, const char *name, int least, int most) {
    return formula->kind == 'f' && strcmp(formula->name, name) == 0 && formula->nargs >= least &&
           formula->nargs <= most;
}

/* One thing that is asked for, of a run or of the frequency response. */
static void save_text(const ln_cursor *cursor, const char *text, int response) {
    static const char *const everything[] = {"all", "allv", "ally", "alli", "v(*)", "i(*)"};
    ln_spice *spice = cursor->spice;
    if (LN_IS_AMONG(everything, text)) {
        if (!response)
            record_all(spice);
        return;
    }
    if (text[0] == '@') {
        save_of_device(cursor, text, response);
        return;
    }
    if (ln_ends_with(text, "#branch")) /* v1#branch is ngspice's name of i(v1) */
        text = ln_spice_text(spice, "i(%.*s)", (int)(strlen(text) - strlen("#branch")), text);
    const ln_formula *formula = ln_formula_parse(spice, text, cursor->card->place);
    if (formula == NULL)
        return;
    if (formula->kind == 'n')
        save_name(cursor, text, formula, response);
    else if (response || is_response(formula))
        respond(cursor, formula);
    else if (is_call(formula, "v", 1, 2))
        record_voltage(cursor, formula->args[0]->name,
                       formula->nargs == 2 ? formula->args[1]->name : NULL);
    else if (is_call(formula, "i", 1, 1))
        record_current(cursor, formula->args[0]->name);
    else
        record_formula(cursor, text, formula);
}

const char *ln_record_text(const ln_cursor *cursor, const char *text) {
    ln_spice *spice = cursor->spice;
    const ln_formula *formula = ln_formula_parse(spice, text, cursor->card->place);
    if (formula == NULL)
        return NULL;
    const int is_probe = is_call(formula, "v", 1, 2) || is_call(formula, "i", 1, 2);
    if (is_probe && formula->nargs == 1)
        text = ln_spice_text(spice, "%s(%s)", formula->name, formula->args[0]->name);
    if (is_probe && formula->nargs == 2)
        text = ln_spice_text(spice, "v(%s,%s)", formula->args[0]->name, formula->args[1]->name);
    if (formula->kind == 'n' && ln_let_named(spice, formula->name) == NULL)
        text = ln_spice_text(spice, "v(%s)", formula->name);
    save_text(cursor, text, 0);
    return text;
}

/* ---- what stands on a card ----
 *
 * Blanks separate what is asked for, and stand within it, too: ".print tran v(a) - v(b) i(v1)" has
 * two columns in most decks that say so. An operator with a blank behind it joins what stands
 * around it; "v(a) -v(b)" is two. */

static int is_operator(char c) {
    return c != '\0' && strchr("+-*/^<>=&|,?:", c) != NULL;
}

/* The next argument: up to a blank outside of parentheses, unless an operator stands there. NULL at
 * the end. */
static const char *next_argument(ln_cursor *cursor) {
    const char *text = cursor->card->text;
    if (cursor->at >= cursor->count)
        return NULL;
    const size_t begin = cursor->words[cursor->at].begin;
    size_t end = begin;
    int depth = 0;
    for (; cursor->at < cursor->count; cursor->at++) {
        const ln_spice_word *word = &cursor->words[cursor->at];
        const int joined =
            depth > 0 || word->begin == end || is_operator(text[end - 1]) ||
            (is_operator(text[word->begin]) && strchr(" \t", text[word->begin + 1]) != NULL);
        if (word->begin > begin && !joined)
            break;
        depth += word->kind == '(' ? 1 : word->kind == ')' ? -1 : 0;
        end = word->end;
    }
    while (end > begin + 1 && text[end - 1] == ',')
        end--;
    return ln_spice_text(cursor->spice, "%.*s", (int)(end - begin), text + begin);
}

/* name=par('...') or name={...}: HSPICE's name for an expression, which is recorded under it. Xyce
 * says there how its files are written. 1: it was one of them. */
static int named_item(ln_cursor *cursor, int response) {
    static const char *const idle[] = {"format",    "file",      "width",
                                       "precision", "delimiter", "timescalefactor"};
    ln_spice *spice = cursor->spice;
    if (!ln_peek_pair(cursor))
        return 0;
    const char *name = ln_take_name(cursor, "a name");
    if (LN_IS_AMONG(idle, name))
        return cursor->at += 2, 1;
    ln_skip(cursor, '=');
    (void)ln_take_word(cursor, "par");
    ln_skip(cursor, '(');
    const char *text = ln_peek(cursor) != NULL ? ln_peek(cursor)->text : "";
    if (ln_peek(cursor) != NULL)
        cursor->at++;
    ln_skip(cursor, ')');
    const ln_formula *formula = ln_formula_parse(spice, text, cursor->card->place);
    if (formula == NULL)
        return 1;
    if (response || is_response(formula))
        respond(cursor, formula);
    else
        record_formula(cursor, name, formula);
    return 1;
}

/* All that a card asks for, without the options of a plot. */
static void save_card(ln_cursor *cursor, int response) {
    while (named_item(cursor, response))
        continue;
    for (const char *text = next_argument(cursor); text != NULL; text = next_argument(cursor)) {
        int skip = plot_word(text);
        if (skip < 0 && text[0] == '(')
            skip = 0; /* .plot v(1) (0,5): limits of the axis */
        if (skip < 0)
            save_text(cursor, text, response); /* {v(a)/2}: a formula, too */
        for (; skip > 0 && next_argument(cursor) != NULL; skip--)
            continue;
        while (named_item(cursor, response))
            continue;
    }
}

/* What a script shows may be a vector that it computed: what means nothing here is left out, with a
 * note. */
static void show(ln_cursor *cursor, int response) {
    ln_spice *spice = cursor->spice;
    ln_report *report = spice->report;
    const linnet_status before = spice->status;
    spice->report = NULL;
    save_card(cursor, response);
    spice->report = report;
    if (spice->status == before || spice->status == LINNET_MEMORY)
        return;
    spice->status = before;
    ln_note(report, cursor->card->place,
            "%s: something of this is no signal of the circuit, and is left out",
            cursor->words[0].text);
}

static void save(ln_spice *spice, const ln_save *asked) {
    static const char *const others[] = {"dc", "op", "noise", "disto", "sens", "sp", "tf", "pz"};
    ln_cursor cursor = ln_card_words(spice, NULL, asked->card);
    if (cursor.words == NULL)
        return;
    cursor.name = cursor.words[0].text;
    cursor.at = asked->skip;
    if (!asked->named) {
        show(&cursor, asked->response);
        return;
    }
    if (ln_peek_is(&cursor, 'w') && LN_IS_AMONG(others, ln_peek(&cursor)->text))
        return; /* the output of another analysis, which is named to its command */
    const int response = ln_take_word(&cursor, "ac") || asked->response;
    if (!response)
        (void)ln_take_word(&cursor, "tran");
    save_card(&cursor, response);
}

void ln_spice_records(ln_spice *spice) {
    for (size_t k = 0; k < spice->asked.saves.count; k++)
        save(spice, &spice->asked.saves.items[k]);
    if (!spice->asked.has_records)
        record_all(spice);
}

/* ---- starts ---- */

/* Reports a node of .ic or .nodeset that no element has. */
static int known(ln_spice *spice, const ln_initial *initial, const char *card) {
    if (ln_node_is_used(spice, initial->node))
        return 1;
    ln_spice_error(spice, initial->place, "%s: there is no node '%s'", card, initial->node);
    return 0;
}

/* A <start> of the node's link: fixed holds it at the start of the run, else it is a first guess.
 */
static void start(ln_spice *spice, const ln_initial *initial, const char *card, int fixed) {
    if (!known(spice, initial, card))
        return;
    ln_element *e = ln_emit(spice, "start", initial->place);
    ln_emit_text(spice, e, "link", initial->node);
    ln_emit_number(spice, e, "value", initial->value);
    if (fixed)
        ln_emit_text(spice, e, "fixed", "yes");
}

/* .nodeset is a first guess; .ic is where its nodes start. */
void ln_spice_starts(ln_spice *spice) {
    for (size_t k = 0; k < spice->settings.guesses.count; k++)
        start(spice, &spice->settings.guesses.items[k], ".nodeset", 0);
    for (size_t k = 0; k < spice->settings.initial.count; k++)
        start(spice, &spice->settings.initial.items[k], ".ic", 1);
}
