/* SPDX-License-Identifier: MIT */
/* The last row of a file as the start of a run. Every name in the file must mean something in the
 * model; those that are unknowns are taken, and a drop between two links (C1.v) where one end is
 * known gives the other. What follows from these (fluxes, powers) is computed, not read. Memories
 * are taken as well, but for what belongs to the time of the run that wrote them: counts of clocks,
 * times that a block has noted. */
#include "analysis/operating.h"
#include "result/sink.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

typedef struct filling {
    ln_simulation *simulation;
    const ln_csv *csv;
    const double *row;
    ln_quantity *quantities; /* per column */
    double *x;
    char *known;    /* per unknown */
    double *memory; /* per memory; NAN: as the model says */
} filling;

/* A column that the model's own <record> computes. */
static int is_recorded(const ln_model *model, const char *name) {
    for (int k = 0; k < model->nrecords; k++) {
        const char *recorded = ln_attribute_of(model->records[k], "name");
        if (recorded != NULL && strcmp(recorded, name) == 0)
            return 1;
    }
    return 0;
}

static linnet_status refuse(const filling *filler, const char *path, const char *name,
                            const char *nearest) {
    return ln_fail(filler->simulation->report, LINNET_MODEL, (ln_place){path, 1, 0},
                   "there is no '%s' in the model %s%s%s%s", name,
                   filler->simulation->network->name,
                   nearest != NULL ? "; did you mean '" : "; take a file of this model",
                   nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
}

/* What each column means. All that mean nothing are told, and those that tell no number. */
static linnet_status resolve(filling *filler, const char *path) {
    const ln_network *network = filler->simulation->network;
    linnet_status status = LINNET_OK;
    for (int k = 1; k < filler->csv->ncolumns; k++) {
        const char *name = filler->csv->names[k], *nearest = NULL;
        const int is_found = ln_network_find(network, name, &filler->quantities[k], &nearest);
        if (!is_found && !is_recorded(network->model, name))
            status = refuse(filler, path, name, nearest);
        if (is_found && !isfinite(filler->row[k]))
            status =
                ln_fail(filler->simulation->report, LINNET_MODEL, (ln_place){path, 0, 0},
                        "'%s' has no finite value in the last row, where the run starts", name);
    }
    return status;
}

static int port_unknown(const ln_network *network, const ln_quantity *quantity, int port) {
    int link = network->instances[quantity->index].links[port];
    return link < 0 ? -1 : network->links[link].unknown;
}

/* A drop gives the end that is not known yet; both unknown: the second is left where it is. 1 when
 * something was set. */
static int fill_drop(filling *filler, const ln_quantity *quantity, double value, int force) {
    const ln_network *network = filler->simulation->network;
    int a = port_unknown(network, quantity, quantity->item),
        b = port_unknown(network, quantity, quantity->other);
    int a_known = a < 0 || filler->known[a], b_known = b < 0 || filler->known[b];
    if ((a_known && b_known) || (!a_known && !b_known && !force))
        return 0;
    if (!a_known)
        filler->x[a] = value + (b < 0 ? 0 : filler->x[b]);
    else
        filler->x[b] = (a < 0 ? 0 : filler->x[a]) - value;
    if (a >= 0)
        filler->known[a] = 1;
    if (b >= 0)
        filler->known[b] = 1;
    return 1;
}

static void fill(filling *filler) {
    for (int k = 1; k < filler->csv->ncolumns; k++) {
        const ln_quantity *quantity = &filler->quantities[k];
        if (quantity->kind != LN_Q_UNKNOWN)
            continue;
        filler->x[quantity->index] = (quantity->sign < 0 ? -1 : 1) * filler->row[k];
        filler->known[quantity->index] = 1;
    }
    for (int force = 0; force < 2; force++)
        for (int again = 1; again;) {
            again = 0;
            for (int k = 1; k < filler->csv->ncolumns; k++)
                if (filler->quantities[k].kind == LN_Q_DROP)
                    again |= fill_drop(filler, &filler->quantities[k],
                                       (filler->quantities[k].sign < 0 ? -1 : 1) * filler->row[k],
                                       force);
        }
}

/* Memories whose start depends on the time of the start are times themselves. */
static linnet_status fill_memories(filling *filler, ln_arena *arena) {
    const ln_network *network = filler->simulation->network;
    const double begin = filler->simulation->settings.begin;
    double *now = LN_NEW(arena, double, network->nmemories),
           *later = LN_NEW(arena, double, network->nmemories);
    if (now == NULL || later == NULL)
        return ln_no_memory(filler->simulation->report);
    for (int i = 0; i < network->ninstances; i++) {
        const ln_instance *block = &network->instances[i];
        const linnet_block_class *type = block->block.type;
        if (type->remember == NULL || block->block.work == NULL ||
            ln_network_is_clock(network, block))
            continue;
        type->remember(&block->block, begin, now + block->first_memory);
        type->remember(&block->block, begin + 1, later + block->first_memory);
        for (int k = 1; k < filler->csv->ncolumns; k++) {
            const ln_quantity *quantity = &filler->quantities[k];
            const int own = quantity->index - block->first_memory;
            if (quantity->kind == LN_Q_MEMORY && own >= 0 && own < type->nmemories &&
                now[quantity->index] == later[quantity->index])
                filler->memory[quantity->index] = filler->row[k];
        }
    }
    return LINNET_OK;
}

/* States that the file does not tell. */
static linnet_status note_missing(void *context, const ln_start_condition *condition) {
    filling *filler = context;
    if ((condition->a < 0 || filler->known[condition->a]) &&
        (condition->b < 0 || filler->known[condition->b]))
        return LINNET_OK;
    /* a link's own start is the model's word all the same */
    if (condition->block == NULL)
        return LINNET_OK;
    ln_warn(filler->simulation->report, condition->block->place,
            "%s (%s): the file tells no start of it; it starts at %s%s%.9g, as "
            "the model says",
            condition->block->name, condition->block->block.type->name, condition->name,
            *condition->name != '\0' ? " = " : "", condition->wanted);
    return LINNET_OK;
}

linnet_status ln_start_from(ln_simulation *simulation, const char *path, ln_arena *arena) {
    ln_csv csv;
    LN_TRY(ln_csv_read(path, LN_FROM_USER, arena, simulation->report, &csv));
    if (csv.nrows == 0)
        return ln_fail(simulation->report, LINNET_IO, (ln_place){path, 0, 0},
                       "the file has no row to start from");
    filling filler = {.simulation = simulation,
                      .csv = &csv,
                      .row = csv.data + (csv.nrows - 1) * (size_t)csv.ncolumns,
                      .quantities = LN_NEW(arena, ln_quantity, csv.ncolumns),
                      .x = LN_NEW(arena, double, simulation->system->n),
                      .known = LN_NEW(arena, char, simulation->system->n),
                      .memory = LN_NEW(arena, double, simulation->network->nmemories)};
    if (filler.quantities == NULL || filler.x == NULL || filler.known == NULL ||
        filler.memory == NULL)
        return ln_no_memory(simulation->report);
    LN_TRY(resolve(&filler, path));
    LN_TRY(ln_system_start_values(simulation->system, filler.x, simulation->report));
    fill(&filler);
    for (int k = 0; k < simulation->network->nmemories; k++)
        filler.memory[k] = NAN;
    LN_TRY(fill_memories(&filler, arena));
    LN_TRY(
        ln_visit_start_conditions(simulation->system, filler.x, filler.x, note_missing, &filler));
    simulation->settings.start_x = filler.x;
    simulation->settings.start_memory = filler.memory;
    return LINNET_OK;
}
