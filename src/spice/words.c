/* SPDX-License-Identifier: MIT */
/* A card as words, and the words as names, numbers and name=value pairs.
 *
 * Blanks and commas separate; '=' and parentheses are words of their own; braces and quotes hold an
 * expression. "V1 in 0 SIN(0 5 {f0}) ac=1" is
 *     v1  in  0  sin  (  0  5  {f0}  )  ac  =  1 */
#include "spice/deck.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { MOST_WORDS = 200000 };

/* Where an expression in braces or quotes ends, or the text's end. */
static size_t closing(const char *text, size_t at) {
    const char open = text[at];
    int depth = 0;
    for (size_t k = at; text[k] != '\0'; k++) {
        if (open == '{')
            depth += text[k] == '{' ? 1 : text[k] == '}' ? -1 : 0;
        if (open == '{' ? depth == 0 : k > at && text[k] == open)
            return k;
    }
    return strlen(text);
}

/* Where a plain word ends: at a separator, or where another kind of word begins. */
static size_t plain_end(const char *text, size_t at) {
    while (text[at] != '\0' && strchr(" \t,=(){}'\"", text[at]) == NULL)
        at++;
    return at;
}

/* The word that begins at `at`, which is no blank. A text that is not the same for all words of its
 * kind stands in `cut`, the card's text, and is ended there by a NUL in the place of the separator
 * or bracket behind it. NULL: it is measured only. */
static ln_spice_word word_at(const char *text, size_t at, char *cut) {
    enum { PLACE = 0xffffff }; /* a bit-field's width */
    const unsigned begin = (unsigned)at, next = begin + 1;
    const char kind = text[at];
    if (kind == '=' || kind == '(' || kind == ')' || kind == '}')
        return (ln_spice_word){kind == '='   ? "="
                               : kind == '(' ? "("
                               : kind == ')' ? ")"
                                             : "}",
                               kind == '}' ? 'w' : (unsigned char)kind, begin & PLACE, next};
    const int is_formula = strchr("{'\"", kind) != NULL;
    const size_t end = is_formula ? closing(text, at) : plain_end(text, at);
    if (cut != NULL)
        cut[end] = '\0';
    return (ln_spice_word){cut != NULL ? cut + at + is_formula : "", is_formula ? '{' : 'w',
                           begin & PLACE,
                           (unsigned)(is_formula && text[end] != '\0' ? end + 1 : end)};
}

/* The words of a text into `words` and `cut`, or, where these are NULL, their number. */
static int find_words(const char *text, ln_spice_word *words, char *cut) {
    int count = 0;
    for (size_t at = 0; text[at] != '\0' && count < MOST_WORDS; count++) {
        at += strspn(text + at, " \t,");
        if (text[at] == '\0')
            break;
        const ln_spice_word word = word_at(text, at, cut);
        if (words != NULL)
            words[count] = word;
        at = word.end;
    }
    return count;
}

/* An expression that goes on to the end of its card. */
static void check_closed(ln_spice *spice, const ln_card *card) {
    const char *text = card->text;
    for (int k = 0; k < card->nwords; k++) {
        const unsigned begin = card->words[k].begin;
        if (card->words[k].kind == '{' && text[closing(text, begin)] == '\0')
            ln_spice_error(spice, card->place, "a '%c' is not closed", text[begin]);
    }
}

/* The words of a card, made once however often its subcircuit is opened. They are counted first,
 * since a card may have 200 000 (a PWL of measured points). begin and end are places in the card's
 * text, from which a formula without braces is taken as it stands. */
static void split(ln_spice *spice, ln_card *card) {
    const int count = find_words(card->text, NULL, NULL);
    ln_spice_word *words = LN_NEW(spice->cards, ln_spice_word, count);
    char *cut = ln_arena_string(spice->arena, card->text);
    if (words == NULL || cut == NULL) {
        (void)ln_spice_no_memory(spice);
        return;
    }
    card->words = words;
    card->nwords = find_words(card->text, words, cut);
    check_closed(spice, card);
}

ln_cursor ln_card_words(ln_spice *spice, const ln_inside *inside, ln_card *card) {
    /* once, however often its subcircuit is opened */
    if (card->words == NULL)
        split(spice, card);
    return (ln_cursor){.spice = spice,
                       .inside = inside,
                       .card = card,
                       .words = card->words,
                       .count = card->words != NULL ? card->nwords : 0,
                       .name = ""};
}

const ln_spice_word *ln_peek(const ln_cursor *cursor) {
    assert(cursor->at >= 0 && cursor->at <= cursor->count);
    return cursor->at < cursor->count ? &cursor->words[cursor->at] : NULL;
}

int ln_peek_is(const ln_cursor *cursor, char kind) {
    return cursor->at < cursor->count && cursor->words[cursor->at].kind == kind;
}

int ln_peek_pair(const ln_cursor *cursor) {
    return cursor->at + 1 < cursor->count && cursor->words[cursor->at].kind == 'w' &&
           cursor->words[cursor->at + 1].kind == '=';
}

int ln_peek_word(const ln_cursor *cursor, const char *word) {
    return ln_peek_is(cursor, 'w') && strcmp(cursor->words[cursor->at].text, word) == 0;
}

int ln_take_word(ln_cursor *cursor, const char *word) {
    if (!ln_peek_word(cursor, word))
        return 0;
    cursor->at++;
    return 1;
}

int ln_skip(ln_cursor *cursor, char kind) {
    if (!ln_peek_is(cursor, kind))
        return 0;
    cursor->at++;
    return 1;
}

const char *ln_take_name(ln_cursor *cursor, const char *what) {
    if (ln_peek_is(cursor, 'w'))
        return cursor->words[cursor->at++].text;
    const ln_spice_word *word = ln_peek(cursor);
    if (word == NULL)
        ln_card_error(cursor, "%s is missing", what);
    else
        ln_card_error(cursor, "'%.60s' stands where %s is expected", word->text, what);
    return NULL;
}

const char *ln_take_node(ln_cursor *cursor, const char *what) {
    const char *name = ln_take_name(cursor, what);
    return name != NULL ? ln_node_of(cursor->spice, cursor->inside, name) : NULL;
}

/* A number, an expression in braces, or the bare name of a parameter, which ngspice and HSPICE
 * allow ("R1 a b rload"). A name before '=' is none: it begins the next pair. 1 a value, 0 the word
 * is none (not reported), -1 reported. */
static int value_here(ln_cursor *cursor, double *value) {
    const ln_spice_word *word = ln_peek(cursor);
    ln_spice *spice = cursor->spice;
    const ln_spice_scope *scope = cursor->inside != NULL ? cursor->inside->scope : &spice->global;
    double number;
    if (word == NULL || (word->kind != 'w' && word->kind != '{'))
        return 0;
    if (word->kind == 'w' && ln_spice_number(word->text, &number))
        return *value = number, cursor->at++, 1;
    if (word->kind == 'w') {
        if (ln_peek_pair(cursor))
            return 0;
        int found = ln_scope_find(spice, scope, word->text, value);
        cursor->at += found != 0;
        return found;
    }
    cursor->at++;
    return ln_text_value(spice, scope, word->text, cursor->card->place, value) ? 1 : -1;
}

/* "10 k": SPICE would read the value 10 and take k for the next item, mostly without a word. An
 * error passes the rest of the card, whose meaning is lost. */
int ln_take_value(ln_cursor *cursor, const char *what, double *value) {
    int found = value_here(cursor, value);
    if (found != 0)
        return found > 0;
    const ln_spice_word *word = ln_peek(cursor);
    const ln_spice_word *before = word != NULL && cursor->at > 0 ? word - 1 : NULL;
    double number;
    if (word == NULL)
        ln_card_error(cursor, "%s is missing", what);
    else if (before != NULL && before->kind == 'w' && ln_spice_number(before->text, &number) &&
             ln_spice_number(ln_spice_text(cursor->spice, "1%s", word->text), &number))
        ln_card_error(cursor, "'%s %.60s': a unit is joined to its number: %s%.60s", before->text,
                      word->text, before->text, word->text);
    else
        ln_card_error(
            cursor, "'%.60s' is no number, and no parameter of that name is known; expected is %s",
            word->text, what);
    cursor->at = cursor->count;
    return 0;
}

/* "C1 a b 10mH", "L1 a b 100uF": the letters behind the prefix say nothing to SPICE, so a value in
 * a wrong place goes unnoticed. The prefix is needed, for 10f is femto and no farad. */
void ln_check_letters(const ln_cursor *cursor, const ln_spice_word *word, char own) {
    static const struct {
        char own;
        const char *ending, *quantity;
    } wrong[] = {{'l', "f", "capacitance"},  {'l', "ohm", "resistance"}, {'c', "h", "inductance"},
                 {'c', "ohm", "resistance"}, {'r', "f", "capacitance"},  {'r', "h", "inductance"}};
    const char *text = word->text;
    const size_t length = strlen(text);
    double value;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        if (own != wrong[k].own)
            continue;
        const size_t ending = strlen(wrong[k].ending);
        /* 10f is femto, 10mf millifarad */
        if (length > ending + 1 && ln_is_letter(text[length - ending - 1]) &&
            strcmp(text + length - ending, wrong[k].ending) == 0 && ln_spice_number(text, &value))
            ln_warn(cursor->spice->report, cursor->card->place,
                    "%s: '%.60s' is read as %g: its last letters are the unit of a %s, and letters "
                    "behind the prefix say nothing in a deck",
                    cursor->name, text, value, wrong[k].quantity);
    }
}

int ln_take_optional(ln_cursor *cursor, double *value) {
    return value_here(cursor, value) > 0;
}

int ln_take_pair(ln_cursor *cursor, const char **name, double *value) {
    if (!ln_peek_pair(cursor))
        return 0;
    *name = cursor->words[cursor->at].text;
    cursor->at += 2;
    if (ln_peek(cursor) == NULL) {
        ln_card_error(cursor, "a value is missing behind '%s='", *name);
        return 0;
    }
    return ln_take_value(cursor, *name, value);
}

/* Does the next parameter begin here: a name that any parameter may have, and a '='? "a==b" and
 * "a!=b" are comparisons within the formula. */
static int begins_parameter(const ln_cursor *cursor) {
    const ln_spice_word *word = ln_peek(cursor);
    if (!ln_peek_pair(cursor) || cursor->at + 2 >= cursor->count || word[2].kind == '=' ||
        cursor->card->text[word[1].begin - 1] == '!')
        return 0;
    const char *c = word->text;
    if (!ln_is_letter(*c))
        return 0;
    while (ln_is_letter(*c) || (*c >= '0' && *c <= '9') || *c == '_')
        c++;
    return *c == '\0';
}

/* "V={2*v(a)}", "V=2*v(a) + 1 tc1=2m": with braces around all of it the text within; else all words
 * up to the next parameter, with the blanks between them. "{a}*2" begins with a brace, too, and is
 * taken as a text. */
const char *ln_take_formula(ln_cursor *cursor) {
    const ln_spice_word *first = ln_peek(cursor);
    if (first == NULL) {
        ln_card_error(cursor, "an expression is missing");
        return NULL;
    }
    const int next_pair = cursor->at + 2 < cursor->count &&
                          cursor->words[cursor->at + 1].kind == 'w' &&
                          cursor->words[cursor->at + 2].kind == '=';
    if (first->kind == '{' && (cursor->at + 1 == cursor->count || next_pair))
        return cursor->at++, first->text;
    size_t end = first->end;
    for (; cursor->at < cursor->count && !begins_parameter(cursor); cursor->at++)
        end = cursor->words[cursor->at].end;
    return ln_spice_text(cursor->spice, "%.*s", (int)(end - first->begin),
                         cursor->card->text + first->begin);
}

void ln_expect_end(ln_cursor *cursor) {
    const ln_spice_word *word = ln_peek(cursor);
    const int is_element = cursor->name != NULL && cursor->name[0] != '.';
    if (word != NULL)
        ln_card_error(cursor, "'%.60s' is not understood here%s", word->text,
                      ln_peek_pair(cursor) ? "; Linnet has nothing like this parameter"
                      : is_element ? "; an element has a line of its own, and names have no blanks"
                                   : "");
}
