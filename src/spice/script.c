/* SPDX-License-Identifier: MIT */
/* The lines between .control and .endc, as far as they say what a deck could say: analyses, options, what to show, measures.
 * They are read in order but not executed; what would need that (loops, alter, fft, ...) is an error. */
#include "spice/deck.h"

#include <string.h>

/* Commands about ngspice's own files, screen and memory: nothing of the circuit follows from them. */
static const char *const idle[] = {"run", "set", "unset", "echo", "quit", "exit", "bye", "display", "listing", "rusage", "destroy", "setplot",
                                   "settype", "status", "version", "show", "showmod", "reset", "setscale", "unlet", "cd", "pwd", "history", "remcirc",
                                   "esave", "help", "inventory", "cdump", "where", "shell", "alias", "unalias", "setcirc"};

/* What ngspice makes of a result: it is told that this is left out. */
static const char *const afterwards[] = {"linearize", "fft", "psd", "spec", "cross", "deriv", "reshape", "compose", "spectrum", "diff", "wrnodev"};

typedef enum kind { ANALYSIS, SHOW, SHOW_FILE, MEASURE, OPTIONS, LET } kind;

static const struct { const char *word; kind kind; } commands[] = {
    {"tran", ANALYSIS}, {"op", ANALYSIS}, {"ac", ANALYSIS}, {"dc", ANALYSIS}, {"noise", ANALYSIS}, {"sens", ANALYSIS}, {"tf", ANALYSIS},
    {"pz", ANALYSIS}, {"disto", ANALYSIS}, {"sp", ANALYSIS}, {"pss", ANALYSIS}, {"fourier", ANALYSIS}, {"four", ANALYSIS},
    {"print", SHOW}, {"plot", SHOW}, {"asciiplot", SHOW}, {"iplot", SHOW}, {"save", SHOW}, {"probe", SHOW},
    {"gnuplot", SHOW_FILE}, {"wrdata", SHOW_FILE}, {"write", SHOW_FILE}, {"hardcopy", SHOW_FILE},
    {"meas", MEASURE}, {"measure", MEASURE}, {"option", OPTIONS}, {"options", OPTIONS}, {"let", LET}};
enum { COMMANDS = sizeof commands / sizeof *commands };

const ln_formula *ln_let_named(const ln_spice *spice, const char *name) {
    for (size_t k = spice->lets.count; k > 0; k--)
        if (strcmp(spice->lets.items[k - 1].name, name) == 0) return spice->lets.items[k - 1].formula;
    return NULL;
}

/* let name = expression: it stands for the expression wherever it is shown or measured. */
static void let(ln_cursor *cursor) {
    ln_spice *spice = cursor->spice;
    const char *name = ln_take_name(cursor, "a name");
    if (name == NULL) return;
    if (!ln_skip(cursor, '=') || ln_peek(cursor) == NULL) {
        ln_card_error(cursor, "write let name = expression");
        return;
    }
    const ln_formula *formula = ln_formula_parse(spice, cursor->card->text + ln_peek(cursor)->begin, cursor->card->place);
    if (formula != NULL) LN_SPICE_ADD(spice, spice->lets, (ln_let){name, formula});
}

/* print and plot show results of the analysis before them. */
static void show(ln_cursor *cursor, int files) {
    ln_spice *spice = cursor->spice;
    const char *last = spice->script_analysis;
    for (size_t k = 0; k < spice->measures.count && cursor->count == 2; k++) /* print t50: told with the measures */
        if (strcmp(spice->measures.items[k], cursor->words[1].text) == 0) return;
    if (last[0] != '\0' && strcmp(last, "tran") != 0 && strcmp(last, "ac") != 0) return; /* of op or dc: their commands show all */
    LN_SPICE_ADD(spice, spice->saves, (ln_save){.card = cursor->card, .skip = 1 + files, .response = strcmp(last, "ac") == 0});
}

static void refuse(const ln_cursor *cursor, const char *word) {
    const char *known[COMMANDS];
    for (size_t k = 0; k < COMMANDS; k++) known[k] = commands[k].word;
    const char *nearest = ln_nearest(word, known, COMMANDS);
    ln_card_error(
        cursor,
        "this command of a script is not supported%s%s%s; scripts are read for their analyses, options, print, plot, meas and let",
        nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
}

void ln_spice_script(ln_cursor *cursor) {
    ln_spice *spice = cursor->spice;
    const char *word = cursor->name = ln_take_name(cursor, "a command");
    if (word == NULL) return;
    for (size_t k = 0; k < sizeof idle / sizeof *idle; k++)
        if (strcmp(idle[k], word) == 0) return;
    for (size_t k = 0; k < sizeof afterwards / sizeof *afterwards; k++)
        if (strcmp(afterwards[k], word) == 0) {
            ln_note(spice->report, cursor->card->place, "%s is not performed: results are written as they are computed", word);
            return;
        }
    size_t k = 0;
    while (k < COMMANDS && strcmp(commands[k].word, word) != 0) k++;
    if (k == COMMANDS) {
        refuse(cursor, word);
        return;
    }
    switch (commands[k].kind) {
    case ANALYSIS:
        spice->script_analysis = word;
        (void)ln_spice_control(cursor, ln_spice_text(spice, ".%s", word));
        break;
    case SHOW: show(cursor, 0); break;
    case SHOW_FILE: show(cursor, 1); break;
    case MEASURE: (void)ln_spice_control(cursor, ".meas"); break;
    case OPTIONS: (void)ln_spice_control(cursor, ".options"); break;
    case LET: let(cursor); break;
    }
}
