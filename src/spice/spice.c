/* SPDX-License-Identifier: MIT */
/* The entrance to the room: a deck to the tree of a model, step by step.
 *
 * The steps are: lines to cards (lines.c), cards into circuits (circuit.c), settings (control.c),
 * elements (expand.c), coupled inductors and sensed currents, which need all elements, then what
 * is asked of the results. An error on a card lets the reading go on, so that all are told; after
 * the elements it ends, for what follows names them. */
#include "spice/spice.h"

#include "base/input.h"
#include "base/sys.h"
#include "spice/deck.h"

/* What holds until the deck says otherwise: ngspice's defaults (ngspice manual, "Simulator
 * variables (.options)"): temp = tnom = 27 degC, reltol = 1e-3, gmin = 1e-12 S. */
static int begin(ln_spice *spice, const char *path) {
    spice->cards = ln_arena_new();
    spice->tree.names = ln_map_new();
    spice->nodes.names = ln_map_new();
    spice->tree.ids = ln_map_new();
    spice->tree.types = ln_map_new();
    spice->inductors.names = ln_map_new();
    spice->asked.recorded = ln_map_new();
    spice->noted = ln_map_new();
    spice->asked.measures = ln_map_new();
    if (spice->cards == NULL || spice->tree.names == NULL || spice->nodes.names == NULL ||
        spice->tree.ids == NULL || spice->tree.types == NULL || spice->inductors.names == NULL ||
        spice->asked.recorded == NULL || spice->noted == NULL || spice->asked.measures == NULL)
        return ln_spice_no_memory(spice), 0;
    spice->settings.temperature = spice->settings.nominal = 27;
    spice->script.analysis = spice->script.opened = "";
    /* what waveforms take for times that are left out, until .tran says better */
    spice->settings.tran_step = 0.02;
    spice->settings.tran_stop = 1;
    spice->settings.reltol = 1e-3;
    spice->settings.trtol = 7;
    spice->settings.gmin = 1e-12;
    spice->settings.scale = 1;
    spice->global.circuit = &spice->deck;
    spice->tree.root = LN_SPICE_NEW(spice, ln_element, 1);
    ln_attribute *flat = LN_SPICE_NEW(spice, ln_attribute, 1);
    if (spice->tree.root == NULL || flat == NULL)
        return 0;
    *spice->tree.root = (ln_element){
        .name = "model", .file = ln_spice_text(spice, "%s", path), .line = 1, .attributes = flat};
    ln_emit_text(spice, spice->tree.root, "flat", "yes");
    return spice->status == LINNET_OK;
}

/* Maps, lists and cards; all else lives in the arena of the model. */
static void release(ln_spice *spice) {
    ln_map *const maps[] = {spice->tree.names, spice->nodes.names,     spice->tree.ids,
                            spice->tree.types, spice->inductors.names, spice->asked.recorded,
                            spice->noted,      spice->asked.measures};
    for (size_t k = 0; k < sizeof maps / sizeof *maps; k++)
        ln_map_free(maps[k]);
    ln_definitions_free(&spice->deck);
    ln_arena_free(spice->cards);
    void *const lists[] = {(void *)spice->nodes.globals.items,
                           spice->settings.initial.items,
                           spice->settings.guesses.items,
                           spice->asked.saves.items,
                           spice->script.lets.items,
                           spice->asked.analyses.items,
                           (void *)spice->asked.measuring.items,
                           (void *)spice->asked.drives.items,
                           (void *)spice->asked.responses.items,
                           (void *)spice->settings.early.items,
                           (void *)spice->tree.name_list.items,
                           (void *)spice->nodes.list.items,
                           spice->tree.blocks.items,
                           (void *)spice->tree.type_texts.items,
                           spice->inductors.windings.items,
                           spice->inductors.couplings.items,
                           spice->tree.series.items};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        ln_sys->release(lists[k]);
}

/* Cards to the model, in the order that the head of this file tells. Node 0 becomes a block that
 * holds its link at zero: the reference that every circuit of SPICE needs. */
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
        ln_element *ground = ln_emit(spice, "ground", (ln_place){spice->tree.root->file, 1, 0});
        ln_emit_text(spice, ground, "id", "Ground");
        ln_emit_text(spice, ground, "p", "0");
    } else {
        ln_spice_error(spice, (ln_place){spice->tree.root->file, 0, 0}, "%s",
                       spice->tree.blocks.count == 0
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

const ln_element *ln_deck_tree(ln_reader *reader, ln_arena *arena, const char *path,
                               ln_report *report, linnet_status *status) {
    ln_spice spice = {.reader = reader, .arena = arena, .report = report};
    if (begin(&spice, path))
        ln_spice_lines(&spice, path);
    if (spice.status == LINNET_OK)
        make(&spice);
    if (spice.status == LINNET_OK && ln_arena_failed(arena)) /* texts were composed */
        (void)ln_spice_no_memory(&spice);
    release(&spice);
    *status = spice.status;
    return spice.status == LINNET_OK ? spice.tree.root : NULL;
}
