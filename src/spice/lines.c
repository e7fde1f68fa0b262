/* SPDX-License-Identifier: MIT */
/* From the bytes of a deck and its .include and .lib files to cards: comments removed,
 * continuations joined, lower case.
 *
 * The first line of the deck (not of an included file) is its title. A comment is a line that
 * begins with '*', and what follows ';', '//' or a '$' at the start or end of a word; a '+'
 * continues the card before it, across comments. Input is not trusted: bytes, cards and the length
 * of a card have limits. */
#include "base/input.h"
#include "base/sys.h"
#include "base/utf16.h"
#include "base/visible.h"
#include "base/words.h"
#include "spice/deck.h"
#include "spice/schematic.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { MOST_BYTES = 1 << 30, MOST_CARD = 1 << 20, MOST_CARDS = 20000000 };

typedef struct file {
    ln_spice *spice;
    const char *path;
    int source;          /* its number among the model's files */
    const char *section; /* of .lib to be read, lower case; NULL: all of it */
    int within, found;   /* the section is open; was met */
    int depth;           /* of sections that ask for others of the same file */
    ln_text card;
    int card_line, line;
} file;

static void read_lines(file *reader, const char *bytes, size_t length);

/* ---- bytes ---- */

/* DOS ends a file by a byte of its own; files that were joined have it within. */
static void blank_ends_of_files(ln_text *text) {
    enum { END_OF_FILE = 0x1a };
    for (size_t k = 0; k < text->length; k++)
        if (text->data[k] == END_OF_FILE)
            text->data[k] = ' ';
}

/* The bytes of a deck, in the arena-free *text; NULL, reported. */
static char *read_bytes(ln_spice *spice, const char *path, ln_text *text) {
    const ln_model_options *options = ln_reader_options(spice->reader);
    linnet_status status = LINNET_OK;
    if (spice->input.bytes == 0 && options != NULL && options->bytes != NULL)
        ln_text_add_bytes(text, options->bytes, options->length);
    else
        status = ln_input_read(path, LN_FROM_MODEL, MOST_BYTES, spice->report, text);
    spice->input.bytes += text->length;
    ln_utf16_decode(text);
    if (status != LINNET_OK) {
        spice->status = status;
    } else if (text->failed) {
        (void)ln_spice_no_memory(spice);
    } else if (spice->input.bytes > MOST_BYTES) {
        ln_spice_error(spice, (ln_place){path, 0, 0},
                       "the deck and what it includes are larger than 1 GiB, the limit");
    } else if (text->length > 0 && memchr(text->data, '\0', text->length) != NULL) {
        ln_spice_error(spice, (ln_place){path, 0, 0},
                       "the file holds bytes of zero: it is no text");
    } else {
        blank_ends_of_files(text);
        ln_visible_clean(text);
        if (text->failed)
            (void)ln_spice_no_memory(spice);
    }
    if (spice->status == LINNET_OK)
        return text->data;
    ln_text_free(text);
    return NULL;
}

/* ---- files that cards name ---- */

/* Carriage returns and form feeds are blanks, too: decks come from other systems. */
static int is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f';
}

/* The next word of a line, quotes removed; 0 at the end. Case as written. */
static int next_word(ln_spice *spice, const char **at, const char **word) {
    while (is_blank(**at))
        ++*at;
    if (**at == '\0')
        return 0;
    const char quote = **at == '"' || **at == '\'' ? *(*at)++ : '\0', *begin = *at;
    while (**at != '\0' && (quote != '\0' ? **at != quote : !is_blank(**at)))
        ++*at;
    *word = ln_spice_text(spice, "%.*s", (int)(*at - begin), begin);
    if (**at != '\0')
        ++*at;
    return 1;
}

/* A copy in lower case, in which SPICE's names are compared; it lives as long as cards do. */
static const char *lower(ln_spice *spice, const char *text) {
    char *copy = ln_arena_string(spice->cards, text);
    if (copy == NULL)
        return ln_spice_no_memory(spice), "";
    for (char *c = copy; *c != '\0'; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
    return copy;
}

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* A section of a library asks for another one of the same file: no circle, unless sections
 * themselves make one. */
static int include_own(file *reader, const char *href, const char *section, ln_place place) {
    enum { DEEPEST = 20 };
    if (section == NULL || reader->source == 0 ||
        strcmp(last_part(href), last_part(reader->path)) != 0)
        return 0;
    if (reader->section != NULL && strcmp(reader->section, section) == 0)
        return 0;
    ln_text text = {0};
    file inner = {.spice = reader->spice,
                  .path = reader->path,
                  .source = reader->source,
                  .section = section,
                  .depth = reader->depth + 1};
    char *bytes = inner.depth <= DEEPEST ? read_bytes(reader->spice, reader->path, &text) : NULL;
    if (inner.depth > DEEPEST)
        ln_spice_error(reader->spice, place, ".lib: sections ask for one another in a circle");
    if (bytes != NULL)
        read_lines(&inner, bytes, text.length);
    ln_text_free(&text);
    if (bytes != NULL && !inner.found && reader->spice->status == LINNET_OK)
        ln_spice_error(reader->spice, place,
                       ".lib: the file '%s' has no section '%s' (.lib %s ... .endl)", href, section,
                       section);
    return 1;
}

/* LTspice's own models, which its netlists name by the path they have where it is installed: what
 * is missing without them is told where a card needs it. */
static int is_standard(const file *reader, const char *href, ln_place place) {
    const char *back = strrchr(href, '\\'), *name = back != NULL ? back + 1 : last_part(href);
    if (strncmp(name, "standard.", 9) != 0)
        return 0;
    ln_note(reader->spice->report, place,
            "%s holds LTspice's own models and is not read; give the .model cards that the deck "
            "needs",
            name);
    return 1;
}

/* A path of another system: with the slashes of this one, and of an absolute one the file's name
 * alone, to be found in the deck's folder or one that the command line names. */
static const char *own_path(ln_spice *spice, const char *href) {
    const int drive = href[0] != '\0' && href[1] == ':';
    if (strchr(href, '\\') == NULL && !drive)
        return href;
    char *copy = ln_arena_string(spice->arena, href);
    if (copy == NULL)
        return ln_spice_no_memory(spice), href;
    for (char *c = copy; *c != '\0'; c++)
        if (*c == '\\')
            *c = '/';
    return drive || copy[0] == '/' ? last_part(copy) : copy;
}

/* Reads a file that a card names. Nesting is limited by the rule of <include>. */
static void include(file *reader, const char *href, const char *section, ln_place place) {
    ln_spice *spice = reader->spice;
    const char *path = href;
    if (include_own(reader, href, section, place) || is_standard(reader, href, place))
        return;
    href = own_path(spice, href);
    int source = ln_model_source(spice->reader, href, reader->source, place, &path);
    if (source < 0) {
        spice->status = spice->status == LINNET_OK ? LINNET_MODEL : spice->status;
        return;
    }
    ln_text text = {0};
    file inner = {.spice = spice,
                  .path = path,
                  .source = source,
                  .section = section,
                  .within = section == NULL};
    char *bytes = read_bytes(spice, path, &text);
    if (bytes != NULL)
        read_lines(&inner, bytes, text.length);
    ln_text_free(&text);
    ln_model_source_end(spice->reader, source);
    if (section != NULL && !inner.found && spice->status == LINNET_OK)
        ln_spice_error(spice, place, ".lib: the file '%s' has no section '%s' (.lib %s ... .endl)",
                       href, section, section);
}

/* What stands on a card about files: its own word, then one or two names. */
typedef struct file_card {
    const char *word;
    int count; /* of names; 3: more */
    const char *first, *second, *rest;
    ln_place place;
} file_card;

/* .include reads a file to where it stands, unless the card lies outside of the section asked for.
 */
static void take_include(file *reader, const file_card *card) {
    if (!reader->within)
        return;
    if (card->count == 0)
        ln_spice_error(reader->spice, card->place, "%s: write .include FILE", card->word);
    else
        include(reader, card->count == 1 ? card->first : card->rest, NULL, card->place);
}

/* LTspice writes paths without quotes, blanks within them and all, and knows no sections: a path of
 * Windows, or more than two words, are one name. */
static int is_one_path(const file_card *card) {
    return card->count > 2 ||
           (card->count == 2 && (strchr(card->first, '\\') != NULL ||
                                 (card->first[0] != '\0' && card->first[1] == ':')));
}

/* .lib SECTION in a library begins a section, .lib FILE [SECTION] reads one. */
static void take_lib(file *reader, const file_card *card) {
    ln_spice *spice = reader->spice;
    if (card->count == 1 && reader->source > 0) {
        const int asked =
            reader->section != NULL && strcmp(lower(spice, card->first), reader->section) == 0;
        reader->within = asked || (reader->section == NULL && reader->within);
        reader->found |= asked;
    } else if (!reader->within) {
        return;
    } else if (card->count < 1) {
        ln_spice_error(spice, card->place, "%s: write .lib FILE SECTION", card->word);
    } else if (is_one_path(card)) {
        include(reader, card->rest, NULL, card->place);
    } else {
        include(reader, card->first, card->second != NULL ? lower(spice, card->second) : NULL,
                card->place);
    }
}

/* The section ends. */
static void take_endl(file *reader, const file_card *card) {
    (void)card;
    reader->within = reader->section == NULL;
}

/* .include FILE, .lib FILE SECTION, .lib SECTION ... .endl; 1 when the card was one of them. */
static int is_about_files(file *reader, const char *text, ln_place place) {
    static const struct row {
        const char *word;
        void (*take)(file *reader, const file_card *card);
    } rows[] = {{".include", take_include},
                {".inc", take_include},
                {".lib", take_lib},
                {".endl", take_endl}};
    ln_spice *spice = reader->spice;
    file_card card = {.place = place};
    const char *at = text, *more;
    if (*text != '.' || !next_word(spice, &at, &card.word))
        return 0;
    card.word = lower(spice, card.word);
    const struct row *row = LN_ROW(rows, card.word);
    if (row == NULL)
        return 0;
    const char **const names[] = {&card.first, &card.second, &more};
    card.rest = ln_spice_text(spice, "%s", at + strspn(at, " \t\r\f"));
    while (card.count < 3 && next_word(spice, &at, names[card.count]))
        card.count++;
    row->take(reader, &card);
    return 1;
}

/* ---- cards ---- */

/* The card is complete when the next one begins: it is a card about files, .end, or kept. */
static void end_card(file *reader) {
    ln_spice *spice = reader->spice;
    if (reader->card.length == 0)
        return;
    ln_place place = {reader->path, reader->card_line, 0};
    if (!is_about_files(reader, reader->card.data, place) && reader->within) {
        ln_card *card = LN_NEW(spice->cards, ln_card, 1);
        if (spice->input.ncards++ > MOST_CARDS)
            ln_spice_error(spice, place, "the deck has more than %d cards, the limit", MOST_CARDS);
        if (card == NULL)
            (void)ln_spice_no_memory(spice);
        if (spice->status == LINNET_MEMORY)
            return;
        card->place = place;
        card->text = lower(spice, reader->card.data);
        if (strcmp(card->text, ".end") == 0) {
            spice->input.ended = 1;
        } else {
            if (spice->input.last != NULL)
                spice->input.last->next = card;
            else
                spice->input.first = card;
            spice->input.last = card;
        }
    }
    reader->card.length = 0;
    if (reader->card.data != NULL)
        reader->card.data[0] = '\0';
}

/* ';' anywhere, '//' at the start of a word, '$' at its start or end. */
static int begins_comment(const char *line, size_t length, size_t k) {
    const int starts_word = k == 0 || is_blank(line[k - 1]);
    switch (line[k]) {
    case ';': return 1;
    case '$': return starts_word || k + 1 == length || is_blank(line[k + 1]);
    case '/': return starts_word && k + 1 < length && line[k + 1] == '/';
    default: return 0;
    }
}

/* The length of a line without its comment and trailing blanks. Nothing within double quotes begins
 * a comment. */
static size_t without_comment(const char *line, size_t length) {
    int quoted = 0;
    size_t k = 0;
    for (; k < length && (quoted || !begins_comment(line, length, k)); k++)
        if (line[k] == '"')
            quoted = !quoted;
    while (k > 0 && is_blank(line[k - 1]))
        k--;
    return k;
}

/* A line of a deck: a comment or nothing, the continuation of the card before, or the begin of a
 * new card. */
static void take_line(file *reader, const char *line, size_t length) {
    while (length > 0 && is_blank(*line))
        line++, length--;
    if (length == 0 || *line == '*' || *line == '#')
        return;
    length = without_comment(line, length);
    if (length == 0)
        return;
    if (*line == '+') {
        if (reader->card.length == 0) {
            ln_spice_error(reader->spice, (ln_place){reader->path, reader->line, 0},
                           "a line that continues ('+') has no card before it");
            return;
        }
        ln_text_add(&reader->card, " ");
        line++, length--;
    } else {
        end_card(reader);
        reader->card_line = reader->line;
    }
    ln_text_add_bytes(&reader->card, line, length);
    if (reader->card.failed)
        (void)ln_spice_no_memory(reader->spice);
    if (reader->card.length > MOST_CARD)
        ln_spice_error(reader->spice, (ln_place){reader->path, reader->card_line, 0},
                       "a card is longer than 1 MiB, the limit");
}

/* Letter and digits, two nodes, and a number as its value: "V1 in 0 5". */
static int looks_like_element(const char *line, size_t length) {
    char word[4][24] = {""};
    int count = 0;
    double value;
    for (size_t k = 0; k < length && count < 5; count++) {
        while (k < length && is_blank(line[k]))
            k++;
        size_t size = 0;
        while (k + size < length && !is_blank(line[k + size]))
            size++;
        if (size == 0)
            break;
        if (count < 4)
            snprintf(word[count], sizeof word[count], "%.*s", (int)size, line + k);
        k += size;
    }
    const size_t digits = strspn(word[0] + (word[0][0] != '\0'), "0123456789");
    return count == 4 && strchr("RCLVIrclvi", word[0][0]) != NULL && digits > 0 &&
           word[0][1 + digits] == '\0' && ln_spice_number(word[3], &value);
}

/* Up to .end. The first line of the deck itself is its title. */
static void read_lines(file *reader, const char *bytes, size_t length) {
    ln_spice *spice = reader->spice;
    for (size_t at = 0; at < length && !spice->input.ended && spice->status != LINNET_MEMORY &&
                        reader->card.length <= MOST_CARD;) {
        const char *newline = memchr(bytes + at, '\n', length - at);
        const size_t end = newline != NULL ? (size_t)(newline - bytes) : length;
        reader->line++;
        if (reader->source > 0 || reader->line > 1)
            take_line(reader, bytes + at, end - at);
        else if (looks_like_element(bytes + at, end - at))
            ln_warn(spice->report, (ln_place){reader->path, 1, 0},
                    "the first line of a deck is its title, and no element comes of it; put a "
                    "title before it");
        at = end + 1;
    }
    if (!spice->input.ended)
        end_card(reader);
    ln_text_free(&reader->card);
}

/* A schematic, whose cards bear the lines of symbols and texts. */
static void read_schematic(file *reader, const char *bytes, size_t length) {
    ln_schematic cards = {0};
    ln_schematic_read(reader->spice, reader->path, bytes, length, &cards);
    for (size_t k = 0; k < cards.count && !reader->spice->input.ended; k++) {
        reader->line = cards.items[k].line;
        take_line(reader, cards.items[k].text, strlen(cards.items[k].text));
    }
    end_card(reader);
    ln_text_free(&reader->card);
    ln_sys->release(cards.items);
}

void ln_spice_lines(ln_spice *spice, const char *path) {
    ln_text text = {0};
    char *bytes = read_bytes(spice, path, &text);
    file reader = {.spice = spice, .path = ln_spice_text(spice, "%s", path), .within = 1};
    if (bytes != NULL && ln_ends_with(path, ".asc"))
        read_schematic(&reader, bytes, text.length);
    else if (bytes != NULL)
        read_lines(&reader, bytes, text.length);
    ln_text_free(&text);
}
