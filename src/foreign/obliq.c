/* SPDX-License-Identifier: MIT */
/* obliq-2's files: sheets of blocks and connections, joined by labels; a subsystem, which has
 * sheets of its own, becomes a component. */
#include "foreign/foreign.h"

#include <string.h>

static ln_role role_of(const ln_sketch *sketch, const char *type) {
    const int is_within = sketch->component != NULL;
    if (strcmp(type, "output_port") == 0) /* that of the model gives a name to be recorded */
        return is_within ? LN_ROLE_OUTPUT : LN_ROLE_SINK;
    if (strcmp(type, "input_port") == 0)
        return is_within ? LN_ROLE_INPUT : LN_ROLE_BLOCK;
    if (strcmp(type, "sheet_label_sink") == 0)
        return LN_ROLE_SINK;
    if (strcmp(type, "sheet_label_source") == 0)
        return LN_ROLE_SOURCE;
    if (strcmp(type, "signal_display") == 0 || strcmp(type, "signal_logger") == 0)
        return LN_ROLE_VIEW;
    return LN_ROLE_BLOCK;
}

/* Ports and labels are told apart: a port may bear the name of a label of its sheet. */
static const char *label_of(ln_draft *draft, const char *type, const ln_datum *params,
                            const char *title) {
    if (strncmp(type, "sheet_label", 11) == 0)
        return ln_datum_text(params, "signalName", title);
    const char *name =
        ln_datum_text(params, "portName", ln_datum_text(params, "signalName", title));
    return ln_draft_text(draft, "%s%s", strcmp(type, "input_port") == 0 ? "in " : "out ", name);
}

static void read_sheets(ln_sketch *sketch, const ln_datum *sheets);

/* The parts that are ports of a kind, in the order in which the subsystem lists their names. */
static const int *read_ports(ln_sketch *inside, const ln_datum *list, ln_role role, int *count) {
    ln_draft *draft = inside->draft;
    int *ports = ln_draft_alloc(draft, (size_t)ln_datum_count(list), sizeof *ports);
    const char *kind = role == LN_ROLE_INPUT ? "in" : "out";
    *count = 0;
    for (const ln_datum *item = ports != NULL && list != NULL ? list->first : NULL; item != NULL;
         item = item->next) {
        const char *label = ln_draft_text(draft, "%s %s", kind, item->text);
        int found = -1;
        for (size_t k = 0; k < inside->nparts; k++)
            if (inside->parts[k].role == role && strcmp(inside->parts[k].label, label) == 0)
                found = (int)k;
        if (found < 0)
            ln_draft_error(draft, item->line, "the subsystem has no %sput port '%.80s'", kind,
                           item->text);
        else
            ports[(*count)++] = found;
    }
    return ports;
}

static ln_sketch *read_subsystem(ln_sketch *sketch, const ln_datum *params, const char *title) {
    ln_draft *draft = sketch->draft;
    const char *name = ln_draft_text(draft, "subsystem_%s", ln_draft_name(draft, title));
    ln_sketch *inside = ln_sketch_new(draft, sketch, ln_draft_unique(draft, draft->types, name));
    if (inside == NULL)
        return NULL;
    read_sheets(inside, ln_datum_of(params, "sheets"));
    inside->in = read_ports(inside, ln_datum_of(params, "inputPorts"), LN_ROLE_INPUT, &inside->nin);
    inside->out =
        read_ports(inside, ln_datum_of(params, "outputPorts"), LN_ROLE_OUTPUT, &inside->nout);
    return inside;
}

/* Ids are those of a sheet: "2 sum1" is the block sum1 of the second. */
static const char *key_of(ln_draft *draft, int sheet, const char *id) {
    return ln_draft_text(draft, "%d %s", sheet, id);
}

static void read_block(ln_sketch *sketch, const ln_datum *data, int sheet) {
    ln_draft *draft = sketch->draft;
    const char *id = ln_datum_text(data, "id", NULL);
    if (id == NULL) {
        ln_draft_error(draft, data->line, "a block has no id");
        return;
    }
    const ln_datum *params = ln_datum_of(data, "parameters");
    const char *type = ln_datum_text(data, "type", ""), *title = ln_datum_text(data, "name", id);
    ln_sketch *inside = NULL;
    if (strcmp(type, "subsystem") == 0)
        inside = read_subsystem(sketch, params, title);
    ln_foreign_part *part = ln_sketch_add(sketch, key_of(draft, sheet, id), data->line);
    if (part == NULL) {
        ln_sketch_free(inside);
        return;
    }
    part->type = type;
    part->title = title;
    part->params = params;
    part->inside = inside;
    part->role = role_of(sketch, type);
    part->label = label_of(draft, type, params, title);
    if (strncmp(type, "sheet_label", 11) == 0)
        part->title = part->label;
    else if (strcmp(type, "input_port") == 0)
        part->title = part->label + strlen("in ");
    else if (strcmp(type, "output_port") == 0)
        part->title = part->label + strlen("out ");
    const int is_pair =
        strcmp(type, "trig") == 0 && strcmp(ln_datum_text(params, "function", ""), "sincos") == 0;
    const double outputs = strcmp(type, "demux") == 0 ? ln_datum_number(params, "outputCount", 4)
                           : is_pair                  ? 2
                                                      : 0;
    part->noutputs = outputs >= 1 && outputs <= 1000 ? (int)outputs : 0;
}

static ln_plug plug(ln_draft *draft, const ln_datum *wire, int sheet, const char *block,
                    const char *port) {
    return (ln_plug){key_of(draft, sheet, ln_datum_text(wire, block, "")),
                     (int)ln_datum_number(wire, port, 0)};
}

static void read_sheets(ln_sketch *sketch, const ln_datum *sheets) {
    ln_draft *draft = sketch->draft;
    int number = 0;
    for (const ln_datum *sheet = sheets != NULL ? sheets->first : NULL; sheet != NULL;
         sheet = sheet->next) {
        const ln_datum *blocks = ln_datum_of(sheet, "blocks"),
                       *wires = ln_datum_of(sheet, "connections");
        number++;
        for (const ln_datum *item = blocks != NULL ? blocks->first : NULL; item != NULL;
             item = item->next)
            read_block(sketch, item, number);
        for (const ln_datum *item = wires != NULL ? wires->first : NULL; item != NULL;
             item = item->next)
            ln_sketch_wire(sketch, plug(draft, item, number, "sourceBlockId", "sourcePortIndex"),
                           plug(draft, item, number, "targetBlockId", "targetPortIndex"),
                           item->line);
    }
}

/* A label that no sink gives is told: its readers would be 0. */
static void check_labels(const ln_sketch *sketch) {
    for (size_t k = 0; k < sketch->nparts; k++) {
        const ln_foreign_part *part = &sketch->parts[k];
        if (part->inside != NULL)
            check_labels(part->inside);
        if (part->role == LN_ROLE_SOURCE && ln_map_get(sketch->sinks, part->label) < 0)
            ln_draft_error(sketch->draft, part->line, "no sheet label sink gives the label '%.80s'",
                           part->label);
    }
}

void ln_obliq_model(ln_draft *draft, const ln_datum *data, ln_element *model) {
    static const char *names[] = {LN_OBLIQ_STEP};
    draft->parameters = names;
    draft->nparameters = 1;
    draft->metadata = ln_datum_of(data, "metadata");
    const ln_datum *settings = ln_datum_of(data, "globalSettings");
    const char *step = ln_datum_text(settings, "simulationTimeStep", "0.01");
    ln_sketch *sketch = ln_sketch_new(draft, NULL, NULL);
    if (sketch == NULL)
        return;
    read_sheets(sketch, ln_datum_of(data, "sheets"));
    if (draft->status == LINNET_OK) {
        ln_sketch_name(sketch);
        check_labels(sketch);
    }
    ln_nest root = {model, NULL}, types = {ln_draft_add(draft, NULL, "model", 0, 1), NULL};
    if (draft->status == LINNET_OK) {
        ln_sketch_write(sketch, &types, ln_obliq_block);
        if (sketch->uses != NULL && sketch->uses[0]) {
            ln_element *element = ln_draft_add(draft, &root, "parameter", 0, 2);
            ln_draft_put(draft, element, "name", LN_OBLIQ_STEP);
            ln_draft_put(draft, element, "value", step);
        }
        ln_diagram_settings(sketch, &root, &types,
                            ln_datum_text(settings, "simulationDuration", "10"), step);
    }
    ln_sketch_free(sketch);
}
