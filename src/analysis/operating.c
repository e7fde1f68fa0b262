/* SPDX-License-Identifier: MIT */
/* Preparing, finding, and looking at an operating point: every recordable quantity is a column,
 * sorted to its owner. */
#include "analysis/operating.h"

#include <stdlib.h>
#include <math.h>
#include <string.h>

/* All links by their own names first, then whatever else has a name. */
linnet_status ln_operating_record(void *context, ln_simulation *simulation) {
    (void)context;
    LN_TRY(ln_recorder_add_links(simulation->recorder));
    return ln_recorder_add(simulation->recorder, "*", LN_NOWHERE);
}

linnet_status ln_operating_prepare(ln_operating *op, const ln_model *model,
                                   const ln_request *request, ln_report *report) {
    *op = (ln_operating){.simulation = {.method_why = ""}, .arena = ln_arena_new()};
    if (op->arena == NULL)
        return ln_no_memory(report);
    LN_TRY(ln_simulation_prepare(&op->simulation, model, request, 0,
                                 &(ln_record_choice){ln_operating_record, NULL}, report));
    op->x = LN_NEW(op->arena, double, op->simulation.system->n);
    return op->x != NULL ? LINNET_OK : ln_no_memory(report);
}

linnet_status ln_operating_find(ln_operating *op) {
    ln_simulation *simulation = &op->simulation;
    LN_TRY(ln_report_status(simulation->report,
                            ln_operating_point_find(simulation->system, &simulation->settings,
                                                    op->arena, simulation->report, op->x,
                                                    &op->point)));
    return ln_operating_observe(op);
}

void ln_operating_free(ln_operating *op) {
    ln_simulation_free(&op->simulation);
    ln_arena_free(op->arena);
    *op = (ln_operating){.simulation = {.method_why = ""}};
}

/* ---- looking at it ---- */

typedef struct part_of_name {
    const char *text;
    size_t length;
} part_of_name;

static int compare_instance(const void *key, const void *item) {
    const part_of_name *part = key;
    const char *name = ((const ln_instance *)item)->name;
    int order = strncmp(part->text, name, part->length);
    return order != 0 ? order : name[part->length] == '\0' ? 0 : -1;
}

/* The instance that a quantity's name begins with, or -1. */
static int owner_of(const ln_network *network, const char *name) {
    for (size_t length = strlen(name); length-- > 0;) {
        if (name[length] != '.')
            continue;
        const part_of_name part = {name, length};
        const ln_instance *found = bsearch(&part, network->instances, (size_t)network->ninstances,
                                           sizeof *network->instances, compare_instance);
        if (found != NULL)
            return (int)(found - network->instances);
    }
    return -1;
}

typedef struct noting {
    ln_operating *op;
    int counting;
} noting;

static linnet_status note_start_condition(void *context, const ln_start_condition *condition) {
    const noting *notes = context;
    ln_operating *op = notes->op;
    const char *free_unknown = op->point.free_unknown;
    int is_free = (condition->a >= 0 && free_unknown[condition->a]) ||
                  (condition->b >= 0 && free_unknown[condition->b]);
    ln_start_note note = {condition->block,  condition->link, condition->name, "",
                          condition->wanted, condition->found};
    ln_quantity quantity;
    if (condition->a >= 0) {
        const char *unknown = ln_network_unknown_name(op->simulation.network, condition->a);
        if (ln_network_find(op->simulation.network, unknown, &quantity, NULL) &&
            quantity.unit != NULL)
            note.unit = quantity.unit;
    }
    if (condition->met && is_free) {
        if (!notes->counting)
            op->kept[op->nkept] = note;
        op->nkept++;
    } else if (!condition->met && condition->given) {
        if (!notes->counting)
            op->dropped[op->ndropped] = note;
        op->ndropped++;
    } else if (!condition->met) {
        op->ndefaults++;
    }
    return LINNET_OK;
}

static linnet_status note_start_conditions(ln_operating *op) {
    for (int counting = 1; counting >= 0; counting--) {
        if (!counting) {
            op->kept = LN_NEW(op->arena, ln_start_note, op->nkept);
            op->dropped = LN_NEW(op->arena, ln_start_note, op->ndropped);
            if (op->kept == NULL || op->dropped == NULL)
                return ln_no_memory(op->simulation.report);
        }
        op->nkept = op->ndropped = op->ndefaults = 0;
        LN_TRY(ln_visit_start_conditions(op->simulation.system, op->point.start, op->x,
                                         note_start_condition, &(noting){op, counting}));
    }
    return LINNET_OK;
}

/* Newton's iteration may end where an equation has no value: 1/u at u = 0, or near it. */
static void warn_of_no_number(const ln_operating *op) {
    int first = -1, count = 0;
    for (int k = 0; k < op->ncolumns; k++)
        if (!isfinite(op->values[k])) {
            first = first < 0 ? k : first;
            count++;
        }
    if (count == 0)
        return;
    const ln_network *network = op->simulation.network;
    const int owner = op->owner[first];
    ln_warn(
        op->simulation.report, owner >= 0 ? network->instances[owner].place : LN_NOWHERE,
        "%s is no finite number at this point (as %d values in all): an expression has no value "
        "there, such as a quotient by 0, and the point is not to be trusted",
        op->columns[first].name, count);
}

linnet_status ln_operating_observe(ln_operating *op) {
    ln_simulation *simulation = &op->simulation;
    const ln_side side = ln_side_left(simulation->settings.begin, 0);
    op->columns = ln_recorder_columns(simulation->recorder, &op->ncolumns);
    op->values = ln_recorder_observe(simulation->recorder, simulation->system, side, op->x);
    int *owner = LN_NEW(op->arena, int, op->ncolumns);
    if (owner == NULL)
        return ln_no_memory(simulation->report);
    op->nlinks = 0;
    for (int k = 0; k < simulation->network->nlinks; k++)
        op->nlinks += simulation->network->links[k].unknown >= 0;
    for (int k = 0; k < op->ncolumns; k++)
        owner[k] = k < op->nlinks ? -1 : owner_of(simulation->network, op->columns[k].name);
    op->owner = owner;
    warn_of_no_number(op);
    return note_start_conditions(op);
}
