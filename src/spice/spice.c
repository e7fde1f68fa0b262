/* SPDX-License-Identifier: MIT */
/* The entrance to the room: a deck to the tree of a model. */
#include "spice/spice.h"

#include "base/input.h"
#include "base/sys.h"
#include "spice/deck.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- what all files of the room use ---- */

static void say(ln_spice *spice, ln_place place, const char *name, const char *format,
                va_list arguments) {
    char text[1024];
    vsnprintf(text, sizeof text, format, arguments);
    if (name != NULL && name[0] != '\0')
        ln_error(spice->report, place, "%s: %s", name, text);
    else
        ln_error(spice->report, place, "%s", text);
    if (spice->status == LINNET_OK)
        spice->status = LINNET_MODEL;
}

void ln_spice_error(ln_spice *spice, ln_place place, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(spice, place, NULL, format, arguments);
    va_end(arguments);
}

void ln_card_error(const ln_cursor *cursor, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(cursor->spice, cursor->card->place, cursor->name, format, arguments);
    va_end(arguments);
}

void *ln_spice_no_memory(ln_spice *spice) {
    if (spice->status != LINNET_MEMORY)
        spice->status = ln_no_memory(spice->report);
    return NULL;
}

void *ln_spice_alloc(ln_spice *spice, size_t count, size_t size) {
    void *memory = ln_arena_alloc(spice->arena, count, size);
    return memory != NULL ? memory : ln_spice_no_memory(spice);
}

const char *ln_spice_text(ln_spice *spice, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    char *text = length >= 0 ? ln_arena_alloc(spice->arena, (size_t)length + 1, 1) : NULL;
    if (text != NULL)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    if (text != NULL)
        return text;
    (void)ln_spice_no_memory(spice);
    return "";
}

/* ---- the way through ---- */

static int begin(ln_spice *spice, const char *path) {
    spice->names = ln_map_new();
    spice->nodes = ln_map_new();
    spice->blocks = ln_map_new();
    spice->types = ln_map_new();
    spice->winding_names = ln_map_new();
    spice->recorded = ln_map_new();
    spice->told = ln_map_new();
    if (spice->names == NULL || spice->nodes == NULL || spice->blocks == NULL ||
        spice->types == NULL || spice->winding_names == NULL || spice->recorded == NULL ||
        spice->told == NULL)
        return ln_spice_no_memory(spice), 0;
    spice->temperature = spice->nominal = 27;
    spice->script_analysis = spice->script_opened = "";
    /* what waveforms take for times that are left out, until .tran says better */
    spice->tran_step = 0.02;
    spice->tran_stop = 1;
    spice->reltol = 1e-3;
    spice->gmin = 1e-12;
    spice->scale = 1;
    spice->global.circuit = &spice->deck;
    spice->root = LN_SPICE_NEW(spice, ln_element, 1);
    ln_attribute *flat = LN_SPICE_NEW(spice, ln_attribute, 1);
    if (spice->root == NULL || flat == NULL)
        return 0;
    *spice->root = (ln_element){
        .name = "model", .file = ln_spice_text(spice, "%s", path), .line = 1, .attributes = flat};
    ln_emit_text(spice, spice->root, "flat", "yes");
    return spice->status == LINNET_OK;
}

static void release(ln_spice *spice) {
    ln_map *const maps[] = {spice->names,         spice->nodes,    spice->blocks, spice->types,
                            spice->winding_names, spice->recorded, spice->told};
    for (size_t k = 0; k < sizeof maps / sizeof *maps; k++)
        ln_map_free(maps[k]);
    void *const lists[] = {(void *)spice->globals.items,
                           spice->initial.items,
                           spice->guesses.items,
                           spice->saves.items,
                           spice->lets.items,
                           spice->analyses.items,
                           (void *)spice->measuring.items,
                           (void *)spice->measures.items,
                           (void *)spice->drives.items,
                           (void *)spice->responses.items,
                           (void *)spice->early.items,
                           (void *)spice->name_list.items,
                           (void *)spice->node_list.items,
                           spice->block_list.items,
                           (void *)spice->type_texts.items,
                           spice->windings.items,
                           spice->couplings.items,
                           spice->series.items};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        ln_sys->release(lists[k]);
}

static void make(ln_spice *spice) {
    ln_spice_circuits(spice);
    ln_spice_settings(spice);
    ln_spice_take_values(spice);
    ln_spice_expand(spice);
    if (spice->status != LINNET_OK)
        return;
    ln_spice_couple(spice);
    ln_emit_sensors(spice);
    if (ln_node_is_used(spice, "0")) {
        ln_element *ground = ln_emit(spice, "ground", (ln_place){spice->root->file, 1, 0}, 2);
        ln_emit_text(spice, ground, "id", "Ground");
        ln_emit_text(spice, ground, "p", "0");
    } else {
        ln_spice_error(spice, (ln_place){spice->root->file, 0, 0}, "%s",
                       spice->block_list.count == 0
                           ? "the deck has no elements; its first line is the title"
                           : "no element is joined to node 0, the ground");
    }
    ln_spice_starts(spice);
    ln_spice_simulation(spice);
    ln_spice_records(spice);
    ln_spice_measures(spice);
    ln_spice_analyses(spice);
    ln_spice_parameters(spice);
}

static const ln_element *read_deck(ln_reader *reader, ln_arena *arena, const char *path,
                                   ln_report *report, linnet_status *status) {
    ln_spice spice = {.reader = reader, .arena = arena, .report = report};
    if (begin(&spice, path))
        ln_spice_lines(&spice, path);
    if (spice.status == LINNET_OK)
        make(&spice);
    release(&spice);
    *status = spice.status;
    return spice.status == LINNET_OK ? spice.root : NULL;
}

/* ---- which language ---- */

/* The first byte that is no blank, 0 when there is none. */
static int first_of(const char *bytes, size_t length) {
    for (size_t k = 0; k < length; k++)
        if (strchr(" \t\r\n", bytes[k]) == NULL || bytes[k] == '\0')
            return (unsigned char)bytes[k];
    return 0;
}

static int first_of_file(const char *path) {
    char bytes[256];
    const int fd = ln_input_open(path, LN_FROM_MODEL);
    const ssize_t got = fd >= 0 ? ln_sys->read(fd, bytes, sizeof bytes) : 0;
    ln_input_close(fd);
    return got > 0 ? first_of(bytes, (size_t)got) : 0;
}

static const char *suffix_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return strrchr(slash != NULL ? slash : path, '.');
}

int ln_deck_suffix(const char *path) {
    static const char *const suffixes[] = {".cir", ".sp", ".spi", ".spice", ".ckt", ".net"};
    const char *dot = suffix_of(path);
    for (size_t k = 0; dot != NULL && k < sizeof suffixes / sizeof *suffixes; k++)
        if (strcasecmp(dot, suffixes[k]) == 0)
            return 1;
    return 0;
}

/* By its name; where that says nothing, by its beginning: a model in XML has a '<' or a byte order
 * mark there. */
static int is_deck(const char *path, const ln_model_options *options) {
    const char *dot = suffix_of(path);
    if (ln_deck_suffix(path))
        return 1;
    if (dot != NULL && strcasecmp(dot, ".xml") == 0)
        return 0;
    const int first =
        options->bytes != NULL ? first_of(options->bytes, options->length) : first_of_file(path);
    return first != 0 && first != '<' && first != 0xef;
}

/* ---- the model, from a file or a stream ---- */

static linnet_status read_either(const char *path, const ln_model_options *options,
                                 ln_report *report, ln_model **model) {
    if (!is_deck(path, options))
        return ln_model_read(path, options, report, model);
    LN_TRY(ln_model_read_with(path, options, read_deck, report, model));
    (*model)->again = ln_model_open;
    return LINNET_OK;
}

/* The bytes of a stream stay with the model: a deck is read again with other parameters. */
static linnet_status keep_bytes(ln_model *model, const ln_text *bytes, ln_report *report) {
    model->options.length = bytes->length;
    model->options.bytes = ln_arena_text(model->arena, bytes->data, bytes->length);
    return model->options.bytes != NULL ? LINNET_OK : ln_no_memory(report);
}

static linnet_status read_stream(const char *path, ln_model_options *options, ln_report *report,
                                 ln_model **model) {
    ln_text bytes = {0};
    linnet_status status = ln_input_read(path, LN_FROM_USER, LN_STREAM_BYTES, report, &bytes);
    options->bytes = bytes.data;
    options->length = bytes.length;
    if (status == LINNET_OK)
        status = read_either("-", options, report, model);
    if (status == LINNET_OK) {
        (*model)->options = *options;
        status = keep_bytes(*model, &bytes, report);
        if (status != LINNET_OK) {
            ln_model_free(*model);
            *model = NULL;
        }
    }
    ln_text_free(&bytes);
    return status;
}

/* Files that people give for a model and that are none, by their ending, and what to do with each.
 */
static const struct foreign_file {
    const char *suffix, *advice;
} foreign_files[] = {
    {".csv", "a result or a table, not a model; 'linnet plot' draws it"},
    {".raw", "a result, not a model; 'linnet plot' draws it"},
    {".mat", "a result, not a model; 'linnet plot' draws it"},
    {".asc",
     "a schematic of LTspice; let LTspice write its netlist (View, SPICE Netlist) and give that"},
    {".kicad_sch", "a schematic of KiCad; let KiCad export a SPICE netlist and give that"},
    {".sch", "a schematic; let its editor export a SPICE netlist and give that"},
    {".slx", "a model of Simulink, which cannot be read; doc/coming-from.md says what its blocks "
             "are called here"},
    {".mdl", "a model of Simulink, which cannot be read; doc/coming-from.md says what its blocks "
             "are called here"},
    {".mo", "a model in Modelica, which cannot be read; doc/manual.md says how equations are "
            "written here"},
};

static const char *advice_for(const char *path) {
    const char *dot = strrchr(path, '.');
    for (size_t k = 0; dot != NULL && k < sizeof foreign_files / sizeof *foreign_files; k++)
        if (strcasecmp(dot, foreign_files[k].suffix) == 0 && first_of_file(path) != '<')
            return foreign_files[k].advice;
    return NULL;
}

linnet_status ln_model_open(const char *path, const ln_model_options *options, ln_report *report,
                            ln_model **model) {
    ln_model_options own = options != NULL ? *options : (ln_model_options){0};
    if (own.bytes == NULL && ln_input_is_stream(path))
        return read_stream(path, &own, report, model);
    const char *advice = advice_for(path);
    if (advice != NULL && first_of_file(path) != 0)
        return ln_fail(report, LINNET_MODEL, (ln_place){path, 0, 0}, "this is %s", advice);
    LN_TRY(read_either(path, &own, report, model));
    (*model)->options = own;
    return LINNET_OK;
}
