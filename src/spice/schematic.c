/* SPDX-License-Identifier: MIT */
/* LTspice's schematics (.asc) as cards: wires, flags and the pins of symbols are points, joined
 * where they meet; a symbol with its attributes is a card, a text with '!' is one as it stands.
 *
 * A schematic is a text of one item a line:
 *     WIRE 96 80 192 80                    from one point to another, straight
 *     FLAG 96 176 0                        a name for the net at the point; 0 is ground
 *     SYMBOL res 176 64 R90                the symbol, its origin, its orientation
 *     SYMATTR InstName R1                  an attribute of the symbol above
 *     SYMATTR Value 1k
 *     TEXT 96 200 Left 2 !.tran 1m         '!' cards of the deck, ';' a comment
 * Coordinates are whole numbers on the grid, x to the right, y down. What draws only (LINE,
 * RECTANGLE, WINDOW, ...) is passed over.
 *
 * A schematic does not hold its symbols: symbol.c knows where their pins lie. A symbol is turned by
 * its angle, clockwise on the screen, where y points down, and then mirrored if its orientation
 * begins with M. */
#include "spice/schematic.h"

#include "spice/symbol.h"

#include "base/sys.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MOST_ITEMS = 20000, WORDS = 200 };

typedef struct wire {
    ln_spot a, b;
} wire;
/* A name of a net, "0" among them. Flags of one name join their nets, wherever they stand. */
typedef struct flag {
    ln_spot at;
    const char *name;
} flag;
typedef struct part {
    const ln_schematic_symbol *symbol;
    const char *written; /* the symbol's name as it stands */
    ln_spot at;
    char mirrored;
    int quarters, line;
    int first_pin;                               /* its number among all */
    const char *name, *values[LN_SYMBOL_VALUES]; /* InstName; NULL: as the symbol says */
} part;

typedef struct sheet {
    ln_spice *spice;
    const char *path;
    wire *wires;
    size_t nwires, wire_room;
    flag *flags;
    size_t nflags, flag_room;
    part *parts;
    size_t nparts, part_room;
    int npins;
    ln_schematic *cards;
    /* nets: a number for each point, ends of wires first, then flags, then pins; joined */
    int *net;
    int unnamed;
} sheet;

static void error(sheet *of, int line, const char *name, const char *text) {
    ln_spice_error(of->spice, (ln_place){of->path, line, 0}, "%s: %s", name, text);
}

static void add_card(sheet *of, int line, const char *text) {
    ln_schematic *cards = of->cards;
    if (LN_GROW(cards->items, cards->count, cards->room))
        cards->items[cards->count++] = (ln_schematic_card){line, text};
    else
        (void)ln_spice_no_memory(of->spice);
}

/* ---- reading ---- */

static const char *last_part(const char *name) {
    const char *slash = strrchr(name, '/'), *back = strrchr(name, '\\');
    const char *last = slash > back ? slash : back;
    return last != NULL ? last + 1 : name;
}

/* The place of the last three words: a symbol's name may hold blanks. */
static const char *behind_name(const char *text) {
    const char *at = text + strlen(text);
    for (int words = 0; words < 3 && at > text; words++) {
        while (at > text && at[-1] == ' ')
            at--;
        while (at > text && at[-1] != ' ')
            at--;
    }
    return at;
}

/* "opamps\\LT1001 176 64 M90": folders before the name do not count, for symbols are known by their
 * names. A symbol that is not known keeps its place, and is an error when the cards are made, where
 * its InstName is known, too. */
static void take_symbol(sheet *of, const char *text, int line) {
    const char *rest = behind_name(text);
    char turn[16];
    part fresh = {.line = line, .name = "", .first_pin = of->npins};
    if (rest == text || sscanf(rest, "%d %d %15s", &fresh.at.x, &fresh.at.y, turn) != 3 ||
        strchr("RM", turn[0]) == NULL) {
        error(of, line, "SYMBOL", "write SYMBOL name x y orientation");
        return;
    }
    fresh.mirrored = turn[0] == 'M';
    fresh.quarters = strcmp(turn + 1, "90") == 0    ? 1
                     : strcmp(turn + 1, "180") == 0 ? 2
                     : strcmp(turn + 1, "270") == 0 ? 3
                                                    : 0;
    fresh.written = fresh.name =
        last_part(ln_spice_text(of->spice, "%.*s", (int)(rest - text) - 1, text));
    fresh.symbol = ln_symbol_find(of->spice, fresh.written, (ln_place){of->path, line, 0});
    of->npins += fresh.symbol != NULL ? fresh.symbol->pins : 0;
    if (LN_GROW(of->parts, of->nparts, of->part_room))
        of->parts[of->nparts++] = fresh;
    else
        (void)ln_spice_no_memory(of->spice);
}

/* "InstName R1", "Value 1k", ...: of the last symbol. The value "" (two quotes) is LTspice's way to
 * say nothing where the symbol has a value. */
static void take_attribute(sheet *of, const char *text) {
    const size_t length = strcspn(text, " ");
    const char *value = text + length + (text[length] == ' ');
    part *last = of->nparts > 0 ? &of->parts[of->nparts - 1] : NULL;
    if (last == NULL)
        return;
    if (strncmp(text, "InstName", length) == 0)
        last->name = value;
    for (int k = 0; k < LN_SYMBOL_VALUES; k++)
        if (strlen(ln_symbol_values[k]) == length &&
            strncmp(text, ln_symbol_values[k], length) == 0)
            last->values[k] = strcmp(value, "\"\"") == 0 ? "" : value;
}

/* "x y Left 2 !.tran 1m\n.op": what follows '!' are cards. */
static void take_text(sheet *of, const char *text, int line) {
    for (int k = 0; k < 4 && *text != '\0'; k++) {
        text += strcspn(text, " ");
        text += strspn(text, " ");
    }
    if (*text != '!')
        return;
    for (text++; *text != '\0';) {
        const char *end = strstr(text, "\\n");
        const int length = end != NULL ? (int)(end - text) : (int)strlen(text);
        add_card(of, line, ln_spice_text(of->spice, "%.*s", length, text));
        text += length + (end != NULL ? 2 : 0);
    }
}

/* "96 176 out". An IOPIN beside it, the flag's shape, does not matter. */
static void take_flag(sheet *of, const char *text, int line) {
    char name[WORDS];
    flag fresh;
    if (sscanf(text, "%d %d %199s", &fresh.at.x, &fresh.at.y, name) != 3) {
        error(of, line, "FLAG", "write FLAG x y name");
        return;
    }
    fresh.name = ln_spice_text(of->spice, "%s", name);
    if (LN_GROW(of->flags, of->nflags, of->flag_room))
        of->flags[of->nflags++] = fresh;
    else
        (void)ln_spice_no_memory(of->spice);
}

static void take_wire(sheet *of, const char *text, int line) {
    wire fresh;
    if (sscanf(text, "%d %d %d %d", &fresh.a.x, &fresh.a.y, &fresh.b.x, &fresh.b.y) != 4) {
        error(of, line, "WIRE", "write WIRE x y x y");
        return;
    }
    if (LN_GROW(of->wires, of->nwires, of->wire_room))
        of->wires[of->nwires++] = fresh;
    else
        (void)ln_spice_no_memory(of->spice);
}

static void take_line(sheet *of, const char *text, int line) {
    static const struct {
        const char *word;
        void (*take)(sheet *, const char *, int);
    } words[] = {
        {"WIRE ", take_wire}, {"FLAG ", take_flag}, {"SYMBOL ", take_symbol}, {"TEXT ", take_text}};
    if (strncmp(text, "SYMATTR ", 8) == 0)
        take_attribute(of, text + 8);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strncmp(text, words[k].word, strlen(words[k].word)) == 0)
            words[k].take(of, text + strlen(words[k].word), line);
    if (of->nwires > MOST_ITEMS || of->nparts > MOST_ITEMS || of->nflags > MOST_ITEMS)
        error(of, line, "the schematic", "it has more than 20000 wires, symbols or flags");
}

/* ---- nets ----
 *
 * Points are joined by union-find: each is an element of a forest, and those of one tree are one
 * net. As LTspice has it, two wires that cross are joined only where one of them ends, while pins
 * and flags are joined to any wire that they lie on. The work is the product of the numbers of
 * points and wires, which the limit of 20000 items bounds. */

/* Where a pin lies on the sheet: turned and mirrored with its symbol. */
static ln_spot pin_of(const part *of, int pin) {
    ln_spot at = of->symbol->at[pin];
    for (int k = 0; k < of->quarters; k++)
        at = (ln_spot){-at.y, at.x};
    if (of->mirrored)
        at.x = -at.x;
    return (ln_spot){of->at.x + at.x, of->at.y + at.y};
}

/* The net that stands for all that are joined to this one. */
static int root_of(const sheet *of, int net) {
    while (of->net[net] != net)
        net = of->net[net];
    return net;
}

static void join(sheet *of, int a, int b) {
    of->net[root_of(of, a)] = root_of(of, b);
}

static int between(int x, int a, int b) {
    return a < b ? a <= x && x <= b : b <= x && x <= a;
}

/* Wires run straight: a point lies on one when the triangle of it and the ends has no area, and it
 * is between the ends. 64 bits hold the product of any two differences of int. */
static int lies_on(ln_spot at, const wire *on) {
    const long long area = (long long)(on->b.x - on->a.x) * (at.y - on->a.y) -
                           (long long)(on->b.y - on->a.y) * (at.x - on->a.x);
    return area == 0 && between(at.x, on->a.x, on->b.x) && between(at.y, on->a.y, on->b.y);
}

static int same(ln_spot a, ln_spot b) {
    return a.x == b.x && a.y == b.y;
}

static int flag_number(const sheet *of, size_t k) {
    return (int)(of->nwires + k);
}
static int pin_number(const sheet *of, size_t part_index, int pin) {
    return (int)(of->nwires + of->nflags) + of->parts[part_index].first_pin + pin;
}

/* A point is joined to the wires it lies on. */
static void join_wires(sheet *of, ln_spot at, int number) {
    for (size_t k = 0; k < of->nwires; k++)
        if (lies_on(at, &of->wires[k]))
            join(of, number, (int)k);
}

static void join_flags(sheet *of) {
    for (size_t k = 0; k < of->nflags; k++) {
        join_wires(of, of->flags[k].at, flag_number(of, k));
        for (size_t j = 0; j < k; j++)
            if (same(of->flags[k].at, of->flags[j].at) ||
                strcasecmp(of->flags[k].name, of->flags[j].name) == 0)
                join(of, flag_number(of, k), flag_number(of, j));
    }
}

/* Pins that lie on a wire, a flag or one another are joined. */
static void join_pins(sheet *of, size_t k) {
    const part *one = &of->parts[k];
    for (int pin = 0; one->symbol != NULL && pin < one->symbol->pins; pin++) {
        const ln_spot at = pin_of(one, pin);
        const int number = pin_number(of, k, pin);
        join_wires(of, at, number);
        for (size_t j = 0; j < of->nflags; j++)
            if (same(at, of->flags[j].at))
                join(of, number, flag_number(of, j));
        for (size_t j = 0; j < k; j++)
            for (int other = 0; of->parts[j].symbol != NULL && other < of->parts[j].symbol->pins;
                 other++)
                if (same(at, pin_of(&of->parts[j], other)))
                    join(of, number, pin_number(of, j, other));
    }
}

static void join_all(sheet *of) {
    const size_t count = of->nwires + of->nflags + (size_t)of->npins;
    of->net = LN_SPICE_NEW(of->spice, int, count + 1);
    if (of->net == NULL)
        return;
    for (size_t k = 0; k <= count; k++)
        of->net[k] = (int)k;
    for (size_t k = 0; k < of->nwires; k++) {
        join_wires(of, of->wires[k].a, (int)k);
        join_wires(of, of->wires[k].b, (int)k);
    }
    join_flags(of);
    for (size_t k = 0; k < of->nparts; k++)
        join_pins(of, k);
}

/* The name of a pin's net: of a flag on it, or N001, N002, ... in the order of the symbols. */
static const char *node_of(sheet *of, const char **names, size_t k, int pin) {
    const int root = root_of(of, pin_number(of, k, pin));
    for (size_t j = 0; names[root] == NULL && j < of->nflags; j++)
        if (root_of(of, flag_number(of, j)) == root)
            names[root] = of->flags[j].name;
    if (names[root] == NULL)
        names[root] = ln_spice_text(of->spice, "N%03d", ++of->unnamed);
    return names[root];
}

/* ---- cards ---- */

static int has_model(const sheet *of, const char *standard) {
    const size_t name = strcspn(standard, " ");
    for (size_t k = 0; k < of->cards->count; k++) {
        const char *text = of->cards->items[k].text + strspn(of->cards->items[k].text, " ");
        if (strncasecmp(text, ".model ", 7) != 0)
            continue;
        text += 7 + strspn(text + 7, " ");
        if (strcspn(text, " (") == name && strncasecmp(text, standard, name) == 0)
            return 1;
    }
    return 0;
}

/* "NPN": the name of the model that LTspice has by itself. */
static const char *standard_name(sheet *of, const ln_schematic_symbol *symbol) {
    const char *standard = symbol->standard;
    return ln_spice_text(of->spice, "%.*s", (int)strcspn(standard, " "), standard);
}

/* The models that LTspice has by itself, under the names that symbols have at first: an npn whose
 * Value nobody changed is "NPN", which LTspice defines as ".model NPN NPN". A model of that name in
 * the schematic goes before it. */
static void add_standard(sheet *of, const part *one, const char *value) {
    const char *standard = one->symbol->standard;
    if (standard != NULL && strcasecmp(value, standard_name(of, one->symbol)) == 0 &&
        !has_model(of, standard))
        add_card(of, one->line, ln_spice_text(of->spice, ".model %s", standard));
}

#define OPAMP "schematic_opamp"

/* LTspice's symbol `opamp` belongs to its library file opamp.sub: one pole without limits. A
 * transconductance Aol into 1 Ohm has the gain Aol; C = Aol/(2 pi GBW) in parallel puts the pole
 * at GBW/Aol, so that the gain is 1 at GBW (Hz). */
static void add_opamp(sheet *of, int line) {
    static const char *const lines[] = {".subckt " OPAMP " minus plus out Aol=100k GBW=10Meg",
                                        "G1 0 out plus minus {Aol}", "R1 out 0 1",
                                        "C1 out 0 {Aol/(GBW*6.283185307179586)}", ".ends"};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        add_card(of, line, lines[k]);
}

/* What stands behind the nodes. A symbol's attributes hold where the schematic has none. Of a
 * subcircuit with a file as SpiceModel the name stands in Value2; otherwise SpiceModel, where there
 * is one, is the name. */
static const char *choose_values(sheet *of, const part *one, const char *values[LN_SYMBOL_VALUES]) {
    const ln_schematic_symbol *symbol = one->symbol;
    for (int v = 0; v < LN_SYMBOL_VALUES; v++) {
        values[v] = one->values[v] != NULL ? one->values[v] : symbol->values[v];
        values[v] = values[v] != NULL ? values[v] : "";
    }
    if (values[0][0] == '\0' && symbol->standard != NULL)
        values[0] = standard_name(of, symbol);
    const char *model = values[LN_SYMBOL_MODEL], *library = symbol->library;
    if (symbol->letter != 'x' || model[0] == '\0')
        return library;
    if (strchr(model, '.') == NULL) {
        values[0] = model;
        return library;
    }
    if (values[1][0] != '\0') {
        values[0] = values[1];
        values[1] = "";
    }
    return model;
}

/* .include of a symbol's file of models, once, however many symbols need it. */
static void add_library(sheet *of, int line, const char *library) {
    const char *card = ln_spice_text(of->spice, ".include \"%s\"", library);
    for (size_t k = 0; k < of->cards->count; k++)
        if (strcmp(of->cards->items[k].text, card) == 0)
            return;
    add_card(of, line, card);
}

/* The card of a symbol: "R1 N001 out 1k". SPICE knows an element by its first letter: an InstName
 * that begins with another one gets the letter and `_` in front ("Load" of the symbol res becomes
 * "r_Load"). LTspice joins a paragraph sign there; both keep names apart. */
static void add_part(sheet *of, const char **names, size_t k) {
    const part *one = &of->parts[k];
    ln_text text = {0};
    const char letter = one->symbol->letter, *values[LN_SYMBOL_VALUES],
               *library = choose_values(of, one, values);
    const int fits = (one->name[0] | 32) == letter;
    ln_text_printf(&text, "%c%s%s", letter, fits ? "" : "_", fits ? one->name + 1 : one->name);
    for (int pin = 0; pin < one->symbol->pins; pin++)
        ln_text_printf(&text, " %s", node_of(of, names, k, pin));
    if (one->symbol->repeats)
        ln_text_printf(&text, " %s", node_of(of, names, k, one->symbol->pins - 1));
    if (one->symbol->is_opamp)
        values[0] = OPAMP;
    for (int v = 0; v < LN_SYMBOL_MODEL; v++)
        if (values[v][0] != '\0')
            ln_text_printf(&text, " %s", values[v]);
    if (text.failed)
        (void)ln_spice_no_memory(of->spice);
    else
        add_card(of, one->line, ln_spice_text(of->spice, "%s", text.data));
    ln_text_free(&text);
    add_standard(of, one, values[0]);
    if (library != NULL)
        add_library(of, one->line, library);
}

/* The cards of a deck, which is then read as any other; each bears the line of its symbol. */
static void make_cards(sheet *of) {
    const size_t count = of->nwires + of->nflags + (size_t)of->npins;
    const char **names = LN_SPICE_NEW(of->spice, const char *, count + 1);
    int opamp = 0;
    for (size_t k = 0; names != NULL && k < of->nparts; k++) {
        if (of->parts[k].symbol == NULL) {
            ln_spice_error(of->spice, (ln_place){of->path, of->parts[k].line, 0},
                           "%s: the symbol '%s' is not known here; put its file %s.asy into the "
                           "schematic's folder or one that -I names, or let LTspice write the "
                           "netlist (View, SPICE Netlist) and give that",
                           of->parts[k].name, of->parts[k].written, of->parts[k].written);
            continue;
        }
        if (of->parts[k].symbol->is_opamp && opamp++ == 0)
            add_opamp(of, of->parts[k].line);
        add_part(of, names, k);
    }
}

void ln_schematic_read(ln_spice *spice, const char *path, const char *bytes, size_t length,
                       ln_schematic *cards) {
    sheet of = {.spice = spice, .path = path, .cards = cards};
    int line = 0;
    for (size_t at = 0; at < length && spice->status == LINNET_OK;) {
        const char *newline = memchr(bytes + at, '\n', length - at);
        size_t end = newline != NULL ? (size_t)(newline - bytes) : length;
        const size_t next = end + 1;
        while (end > at && (bytes[end - 1] == '\r' || bytes[end - 1] == ' '))
            end--;
        take_line(&of, ln_spice_text(spice, "%.*s", (int)(end - at), bytes + at), ++line);
        at = next;
    }
    if (spice->status == LINNET_OK)
        join_all(&of);
    if (spice->status == LINNET_OK)
        make_cards(&of);
    ln_sys->release(of.wires);
    ln_sys->release(of.flags);
    ln_sys->release(of.parts);
}
