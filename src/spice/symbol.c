/* SPDX-License-Identifier: MIT */
/* Symbols of schematics: where their pins lie, and what card they make.
 *
 * The pins' places are all that joins a symbol to its wires, and the order of the pins is the order
 * of the card's nodes: D, G, S of a transistor; p, n of a source. Points are in the symbol's own
 * coordinates, x to the right, y down; schematic.c turns and moves them.
 *
 * A schematic does not hold its symbols. LTspice's elementary ones are a table here. Those that
 * somebody drew are files (.asy) of lines: PIN x y ..., PINATTR SpiceOrder n for the pin before it,
 * SYMATTR name value for what a schematic need not say again (LTspice help, "Symbols"). */
#include "spice/symbol.h"

#include "base/input.h"
#include "base/utf16.h"
#include "base/visible.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MOST_PINS = 100, MOST_BYTES = 1 << 20 };

const char *const ln_symbol_values[LN_SYMBOL_VALUES] = {"Value", "Value2", "SpiceLine",
                                                        "SpiceLine2", "SpiceModel"};

/* The common places of pins: of passive parts (LONG with leads, SHORT), sources, transistors with
 * collector or drain above, base or gate at the left, emitter or source below; MOS4 with the bulk
 * at the source's side. A row is name, letter, pins, the .model that LTspice defines by itself,
 * whether the last node is written twice (nmos: the bulk on the source), whether it is the ideal
 * operational amplifier, the values of attributes, and the file of models. Note that the pins of g
 * stand the other way round than those of e, and that the control of sw does. */
#define PINS(...)       \
    (const ln_spot[]) { \
        __VA_ARGS__     \
    }
#define LONG PINS({16, 16}, {16, 96})
#define SHORT PINS({16, 0}, {16, 64})
#define SOURCE PINS({0, 16}, {0, 96})
#define CURRENT PINS({0, 0}, {0, 80})
#define BIPOLAR PINS({64, 0}, {0, 48}, {64, 96})
#define MOS PINS({48, 0}, {0, 80}, {48, 96})
#define MOS4 PINS({48, 0}, {0, 80}, {48, 96}, {48, 48})
#define JFET PINS({48, 0}, {0, 64}, {48, 96})

static const ln_schematic_symbol symbols[] = {
    {"res", 'r', 2, LONG, NULL, 0, 0, {NULL}, NULL},
    {"res2", 'r', 2, SHORT, NULL, 0, 0, {NULL}, NULL},
    {"EuropeanResistor", 'r', 2, LONG, NULL, 0, 0, {NULL}, NULL},
    {"cap", 'c', 2, SHORT, NULL, 0, 0, {NULL}, NULL},
    {"polcap", 'c', 2, SHORT, NULL, 0, 0, {NULL}, NULL},
    {"EuropeanCap", 'c', 2, SHORT, NULL, 0, 0, {NULL}, NULL},
    {"EuropeanPolcap", 'c', 2, SHORT, NULL, 0, 0, {NULL}, NULL},
    {"ind", 'l', 2, LONG, NULL, 0, 0, {NULL}, NULL},
    {"ind2", 'l', 2, LONG, NULL, 0, 0, {NULL}, NULL},
    {"voltage", 'v', 2, SOURCE, NULL, 0, 0, {NULL}, NULL},
    {"battery", 'v', 2, SOURCE, NULL, 0, 0, {NULL}, NULL},
    {"signal", 'v', 2, SOURCE, NULL, 0, 0, {NULL}, NULL},
    {"current", 'i', 2, CURRENT, NULL, 0, 0, {NULL}, NULL},
    {"bv", 'b', 2, SOURCE, NULL, 0, 0, {NULL}, NULL},
    {"bi", 'b', 2, CURRENT, NULL, 0, 0, {NULL}, NULL},
    {"diode", 'd', 2, SHORT, "D D", 0, 0, {NULL}, NULL},
    {"zener", 'd', 2, SHORT, "D D", 0, 0, {NULL}, NULL},
    {"schottky", 'd', 2, SHORT, "D D", 0, 0, {NULL}, NULL},
    {"led", 'd', 2, SHORT, "D D", 0, 0, {NULL}, NULL},
    {"varactor", 'd', 2, SHORT, "D D", 0, 0, {NULL}, NULL},
    {"npn", 'q', 3, BIPOLAR, "NPN NPN", 0, 0, {NULL}, NULL},
    {"npn2", 'q', 3, BIPOLAR, "NPN NPN", 0, 0, {NULL}, NULL},
    {"pnp", 'q', 3, BIPOLAR, "PNP PNP", 0, 0, {NULL}, NULL},
    {"pnp2", 'q', 3, BIPOLAR, "PNP PNP", 0, 0, {NULL}, NULL},
    {"nmos", 'm', 3, MOS, "NMOS NMOS", 1, 0, {NULL}, NULL},
    {"pmos", 'm', 3, MOS, "PMOS PMOS", 1, 0, {NULL}, NULL},
    {"nmos4", 'm', 4, MOS4, "NMOS NMOS", 0, 0, {NULL}, NULL},
    {"pmos4", 'm', 4, MOS4, "PMOS PMOS", 0, 0, {NULL}, NULL},
    {"njf", 'j', 3, JFET, "NJF NJF", 0, 0, {NULL}, NULL},
    {"pjf", 'j', 3, JFET, "PJF PJF", 0, 0, {NULL}, NULL},
    {"e", 'e', 4, PINS({0, 16}, {0, 96}, {-48, 32}, {-48, 80}), NULL, 0, 0, {NULL}, NULL},
    {"g", 'g', 4, PINS({0, 96}, {0, 16}, {-48, 32}, {-48, 80}), NULL, 0, 0, {NULL}, NULL},
    {"sw", 's', 4, PINS({0, 16}, {0, 96}, {-48, 80}, {-48, 32}), NULL, 0, 0, {NULL}, NULL},
    /* a pole and a gain: inverting and other input, output */
    {"opamp", 'x', 3, PINS({-32, 48}, {-32, 80}, {32, 64}), NULL, 0, 1, {NULL}, NULL},
    /* a subcircuit of the user's: the other and the inverting input, supplies, output */
    {"opamp2",
     'x',
     5,
     PINS({-32, 80}, {-32, 48}, {0, 32}, {0, 96}, {32, 64}),
     NULL,
     0,
     0,
     {NULL},
     NULL},
};

/* ---- a file ---- */

/* An .asy file while it is read. order[k] is the SpiceOrder of pin k, from 1. */
typedef struct symbol_reader {
    ln_spice *spice;
    ln_place place; /* of the schematic */
    const char *file;
    ln_schematic_symbol *symbol;
    ln_spot *at;
    int *order, pins;
    int has_prefix, is_block;
} symbol_reader;

static void error(symbol_reader *of, const char *text) {
    ln_spice_error(of->spice, of->place, "the symbol's file '%s': %s", of->file, text);
}

/* "0 16 NONE 0": a pin without a SpiceOrder keeps its place in the file. */
static void take_pin(symbol_reader *of, const char *text) {
    ln_spot at;
    if (sscanf(text, "%d %d", &at.x, &at.y) != 2)
        error(of, "write PIN x y");
    else if (of->pins == MOST_PINS)
        error(of, "it has more than 100 pins");
    else {
        of->order[of->pins] = of->pins + 1;
        of->at[of->pins++] = at;
    }
}

/* Prefix is the card's letter ("X", "QN": the first letter counts); Value ... SpiceModel stand
 * where a schematic says nothing. */
static void take_attribute(symbol_reader *of, const char *text) {
    const size_t length = strcspn(text, " ");
    const char *value = ln_spice_text(of->spice, "%s", text + length + (text[length] == ' '));
    const char *name = ln_spice_text(of->spice, "%.*s", (int)length, text);
    if (strcmp(name, "Prefix") == 0 && value[0] != '\0') {
        of->symbol->letter = (char)(value[0] | 0x20);
        of->has_prefix = 1;
    }
    if (strcmp(name, "ModelFile") == 0 && value[0] != '\0')
        of->symbol->library = value;
    for (int k = 0; k < LN_SYMBOL_VALUES; k++)
        if (strcmp(name, ln_symbol_values[k]) == 0)
            of->symbol->values[k] = value;
}

static void take_line(symbol_reader *of, const char *line) {
    int order;
    if (strncmp(line, "PIN ", 4) == 0)
        take_pin(of, line + 4);
    else if (sscanf(line, "PINATTR SpiceOrder %d", &order) == 1 && of->pins > 0)
        of->order[of->pins - 1] = order;
    else if (strncmp(line, "SYMATTR ", 8) == 0)
        take_attribute(of, line + 8);
    else if (strncmp(line, "SymbolType BLOCK", 16) == 0)
        of->is_block = 1;
}

/* Pins in the order of the nodes; every number from 1 on must be there once. */
static int order_pins(symbol_reader *of) {
    ln_spot *sorted = LN_SPICE_NEW(of->spice, ln_spot, of->pins + 1);
    for (int k = 0; sorted != NULL && k < of->pins; k++) {
        int found = -1;
        for (int j = 0; j < of->pins; j++)
            if (of->order[j] == k + 1)
                found = j;
        if (found < 0)
            return 0;
        sorted[k] = of->at[found];
    }
    of->symbol->at = sorted;
    of->symbol->pins = of->pins;
    return sorted != NULL;
}

static void take_lines(symbol_reader *of, const char *bytes) {
    for (const char *at = bytes; *at != '\0' && of->spice->status == LINNET_OK;) {
        const size_t length = strcspn(at, "\r\n");
        take_line(of, ln_spice_text(of->spice, "%.*s", (int)length, at));
        at += length;
        at += strspn(at, "\r\n");
    }
}

/* A symbol's file as a row like those of the table. A BLOCK without a Prefix stands for a schematic
 * of the same name, a hierarchy, which is refused. The file is not trusted: its bytes and pins are
 * limited, and bytes that are no text become visible before messages quote them. */
static const ln_schematic_symbol *read_file(ln_spice *spice, const char *name, const char *path,
                                            ln_place place) {
    ln_text text = {0};
    ln_schematic_symbol *symbol = LN_SPICE_NEW(spice, ln_schematic_symbol, 1);
    symbol_reader of = {.spice = spice,
                        .place = place,
                        .file = path,
                        .symbol = symbol,
                        .at = LN_SPICE_NEW(spice, ln_spot, MOST_PINS),
                        .order = LN_SPICE_NEW(spice, int, MOST_PINS)};
    if (symbol == NULL || of.at == NULL || of.order == NULL)
        return NULL;
    *symbol = (ln_schematic_symbol){.name = name};
    linnet_status status = ln_input_read(path, LN_FROM_MODEL, MOST_BYTES, spice->report, &text);
    ln_utf16_decode(&text);
    ln_visible_clean(&text);
    if (status != LINNET_OK)
        spice->status = status;
    else if (text.failed)
        (void)ln_spice_no_memory(spice);
    else if (text.length > MOST_BYTES)
        error(&of, "it is larger than 1 MiB");
    else
        take_lines(&of, text.data);
    ln_text_free(&text);
    if (spice->status != LINNET_OK)
        return NULL;
    if (of.is_block && !of.has_prefix)
        error(&of, "it stands for a schematic of its own, which is not read; let LTspice write the "
                   "netlist (View, SPICE Netlist) and give that");
    else if (!of.has_prefix)
        error(&of, "it has no Prefix, and so makes no card");
    else if (!order_pins(&of))
        error(&of, "the SpiceOrder of its pins is not 1, 2, 3, ...");
    return spice->status == LINNET_OK ? symbol : NULL;
}

static int is_there(ln_spice *spice, const char *folder, int length, const char *file) {
    const char *path =
        ln_spice_text(spice, "%.*s%s%s", length, folder, length > 0 ? "/" : "", file);
    const int fd = ln_input_open(path, LN_FROM_MODEL);
    if (fd >= 0)
        ln_input_close(fd);
    return fd >= 0;
}

/* Whether there is such a file is asked first, so that a symbol without one is told by what to do
 * and not as a file that cannot be opened. */
static int is_anywhere(ln_spice *spice, const char *schematic, const char *file) {
    const ln_model_options *options = ln_reader_options(spice->reader);
    const char *slash = strrchr(schematic, '/');
    if (is_there(spice, schematic, slash != NULL ? (int)(slash - schematic) : 0, file))
        return 1;
    for (int k = 0; options != NULL && k < options->ninclude_folders; k++) {
        const char *folder = options->include_folders[k];
        if (is_there(spice, folder, (int)strlen(folder), file))
            return 1;
    }
    return 0;
}

const ln_schematic_symbol *ln_symbol_find(ln_spice *spice, const char *name, ln_place place) {
    const char *path;
    for (size_t k = 0; k < sizeof symbols / sizeof *symbols; k++)
        if (strcasecmp(symbols[k].name, name) == 0)
            return &symbols[k];
    const char *file = ln_spice_text(spice, "%s.asy", name);
    if (!is_anywhere(spice, place.file, file))
        return NULL;
    const int source = ln_model_source(spice->reader, file, 0, place, &path);
    if (source < 0) {
        spice->status = spice->status == LINNET_OK ? LINNET_MODEL : spice->status;
        return NULL;
    }
    const ln_schematic_symbol *symbol = read_file(spice, name, path, place);
    ln_model_source_end(spice->reader, source);
    return symbol;
}
