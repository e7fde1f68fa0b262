/* SPDX-License-Identifier: MIT */
/* The lines between .control and .endc, as far as they say what a deck could say: analyses,
 * options, what to show, measures. They are read in order but not executed: what would change the
 * circuit or call analyses in loops is an error, what only looks at results is passed over.
 *
 * ngspice runs them as a program of its command language (ngspice manual, "Interactive
 * Interpreter"), in which the circuit, options and results are variables. Most scripts in decks are
 * a batch: "tran 1u 1m", "plot v(out)", "meas tran ...". Those commands are cards without their
 * dot, and are given to the takers of the cards. */
#include "spice/deck.h"

#include <string.h>

/* Commands about ngspice's own files, screen and memory: nothing of the circuit follows from them.
 */
static const char *const idle[] = {
    "run",     "set",       "unset",     "echo",          "quit",     "exit",       "bye",
    "display", "listing",   "rusage",    "destroy",       "setplot",  "settype",    "status",
    "version", "show",      "showmod",   "reset",         "setscale", "unlet",      "cd",
    "pwd",     "history",   "remcirc",   "esave",         "help",     "inventory",  "cdump",
    "where",   "shell",     "alias",     "unalias",       "setcirc",  "setcs",      "setseed",
    "strcmp",  "strslice",  "strstr",    "define",        "undefine", "remzerovec", "pre_set",
    "compose", "transpose", "codemodel", "pre_codemodel", "else",     "elseif",     "elif"};

/* What ngspice makes of a result: it is told that this is left out. */
static const char *const afterwards[] = {"linearize", "fft",     "psd",     "spec",
                                         "cross",     "deriv",   "reshape", "spectrum",
                                         "diff",      "wrnodev", "snsave",  "wrs2p"};

/* What encloses other commands up to `end`. */
static const char *const enclosing[] = {"if", "while", "foreach", "repeat", "dowhile"};

static int is_among(const char *word, const char *const *list, size_t count) {
    for (size_t k = 0; k < count; k++)
        if (strcmp(list[k], word) == 0)
            return 1;
    return 0;
}
#define IS_AMONG(word, list) is_among((word), (list), sizeof(list) / sizeof *(list))

typedef enum kind { ANALYSIS, SHOW, SHOW_FILE, MEASURE, OPTIONS, LET } kind;

static const struct {
    const char *word;
    kind kind;
} commands[] = {
    {"tran", ANALYSIS},    {"op", ANALYSIS},     {"ac", ANALYSIS},        {"dc", ANALYSIS},
    {"noise", ANALYSIS},   {"sens", ANALYSIS},   {"tf", ANALYSIS},        {"pz", ANALYSIS},
    {"disto", ANALYSIS},   {"sp", ANALYSIS},     {"pss", ANALYSIS},       {"fourier", ANALYSIS},
    {"four", ANALYSIS},    {"print", SHOW},      {"plot", SHOW},          {"asciiplot", SHOW},
    {"iplot", SHOW},       {"save", SHOW},       {"probe", SHOW},         {"gnuplot", SHOW_FILE},
    {"wrdata", SHOW_FILE}, {"write", SHOW_FILE}, {"hardcopy", SHOW_FILE}, {"meas", MEASURE},
    {"measure", MEASURE},  {"option", OPTIONS},  {"options", OPTIONS},    {"let", LET}};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* let name = expression: it stands for the expression wherever it is shown or measured. What is no
 * such expression (a vector's element, a complex constant) matters when it is shown only. */
static void let(ln_cursor *cursor) {
    ln_spice *spice = cursor->spice;
    const char *name = ln_take_name(cursor, "a name");
    if (name == NULL || !ln_skip(cursor, '=') || ln_peek(cursor) == NULL) {
        ln_note(spice->report, cursor->card->place,
                "let: only let name = expression is understood; this one is passed over");
        return;
    }
    const linnet_status before = spice->status;
    ln_report *report = spice->report;
    spice->report = NULL;
    const ln_formula *formula =
        ln_formula_parse(spice, cursor->card->text + ln_peek(cursor)->begin, cursor->card->place);
    spice->report = report;
    if (formula != NULL)
        LN_SPICE_ADD(spice, spice->script.lets, (ln_let){name, formula});
    else if (spice->status != LINNET_MEMORY) {
        spice->status = before;
        ln_note(report, cursor->card->place,
                "let %s: the expression is not understood; it is passed over", name);
    }
}

/* print and plot show results of the analysis before them: behind `ac` v(out) is a response, behind
 * `tran` a signal of the run. files: 1 where the command names a file first (wrdata out.txt v(1)).
 */
static void show(ln_cursor *cursor, int files) {
    ln_spice *spice = cursor->spice;
    const char *last = spice->script.analysis;
    /* print t50: told with the measures */
    if (cursor->count == 2 && ln_map_get(spice->asked.measures, cursor->words[1].text) >= 0)
        return;
    /* of op or dc: their commands show all */
    if (last[0] != '\0' && strcmp(last, "tran") != 0 && strcmp(last, "ac") != 0)
        return;
    LN_SPICE_ADD(
        spice, spice->asked.saves,
        (ln_save){.card = cursor->card, .skip = 1 + files, .response = strcmp(last, "ac") == 0});
}

/* What would change the circuit, or is no command at all. */
static void refuse(const ln_cursor *cursor, const char *word) {
    const char *known[COMMANDS];
    for (size_t k = 0; k < COMMANDS; k++)
        known[k] = commands[k].word;
    const char *nearest = ln_nearest(word, known, COMMANDS);
    if (strncmp(word, "alter", 5) == 0)
        ln_card_error(cursor,
                      "a script that changes the circuit between runs is not executed; `linnet "
                      "sweep --vary` runs it for many values, --set for another one");
    else
        ln_card_error(cursor,
                      "this command of a script is not supported%s%s%s; scripts are read for their "
                      "analyses, options, print, plot, meas and let",
                      nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                      nearest != NULL ? "'?" : "");
}

/* -1: none of those that are read. */
static int command_of(const char *word) {
    for (int k = 0; k < COMMANDS; k++)
        if (strcmp(commands[k].word, word) == 0)
            return k;
    return -1;
}

/* Within if ... end and the like, which are not executed: what only looks at results is passed
 * over. */
static void pass_over(ln_cursor *cursor, const char *word) {
    ln_spice *spice = cursor->spice;
    const int k = command_of(word);
    const int looks = k >= 0 && commands[k].kind != ANALYSIS && commands[k].kind != OPTIONS;
    if (IS_AMONG(word, enclosing))
        spice->script.depth++;
    else if (strcmp(word, "end") == 0)
        spice->script.depth--;
    else if (!looks && !IS_AMONG(word, idle) && !IS_AMONG(word, afterwards) &&
             !spice->script.refused) {
        ln_card_error(cursor,
                      "stands within '%s' of line %d; loops and conditions of scripts are not "
                      "executed; `linnet sweep` runs a deck for many values",
                      spice->script.opened, spice->script.line);
        spice->script.refused = 1;
    }
}

void ln_spice_script(ln_cursor *cursor) {
    ln_spice *spice = cursor->spice;
    const char *word = cursor->name = ln_take_name(cursor, "a command");
    if (word == NULL)
        return;
    if (spice->script.depth > 0) {
        pass_over(cursor, word);
        return;
    }
    if (IS_AMONG(word, enclosing)) {
        spice->script.depth = 1;
        spice->script.refused = 0;
        spice->script.opened = word;
        spice->script.line = cursor->card->place.line;
        ln_note(spice->report, cursor->card->place,
                "%s ... end is passed over: scripts are not executed", word);
        return;
    }
    if (IS_AMONG(word, idle))
        return;
    if (IS_AMONG(word, afterwards)) {
        ln_note(spice->report, cursor->card->place,
                "%s is not performed: results are written as they are computed", word);
        return;
    }
    const int k = command_of(word);
    if (k < 0) {
        refuse(cursor, word);
        return;
    }
    switch (commands[k].kind) {
    case ANALYSIS:
        spice->script.analysis = word;
        ln_spice_control(cursor, ln_spice_text(spice, ".%s", word));
        break;
    case SHOW: show(cursor, 0); break;
    case SHOW_FILE: show(cursor, 1); break;
    case MEASURE: ln_spice_control(cursor, ".meas"); break;
    case OPTIONS: ln_spice_control(cursor, ".options"); break;
    case LET: let(cursor); break;
    }
}
