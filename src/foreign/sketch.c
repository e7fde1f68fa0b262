/* SPDX-License-Identifier: MIT */
/* Wires followed to what drives them, links named, parts written. */
#include "foreign/sketch.h"

#include "base/sys.h"

#include <string.h>

enum { MOST_PORTS = 1000, ATTRIBUTES = 16 };

ln_sketch *ln_sketch_new(ln_draft *draft, ln_sketch *outer, const char *component) {
    ln_sketch *sketch = ln_draft_alloc(draft, 1, sizeof *sketch);
    if (sketch == NULL)
        return NULL;
    *sketch = (ln_sketch){.draft = draft, .outer = outer, .component = component};
    sketch->keys = ln_draft_map(draft);
    sketch->names = ln_draft_map(draft);
    sketch->sinks = ln_draft_map(draft);
    sketch->ports = ln_draft_map(draft);
    for (int k = 0; k < draft->nparameters; k++)
        (void)ln_draft_unique(draft, sketch->names, draft->parameters[k]);
    return draft->status != LINNET_MEMORY ? sketch : NULL;
}

void ln_sketch_free(ln_sketch *sketch) {
    for (size_t k = 0; sketch != NULL && k < sketch->nparts; k++)
        ln_sketch_free(sketch->parts[k].inside);
    if (sketch != NULL) {
        ln_sys->release(sketch->parts);
        ln_sys->release((void *)sketch->views);
    }
}

ln_foreign_part *ln_sketch_add(ln_sketch *sketch, const char *key, int line) {
    ln_draft *draft = sketch->draft;
    if (ln_map_get(sketch->keys, key) >= 0) {
        ln_draft_error(draft, line, "the block '%.80s' is there twice", key);
        return NULL;
    }
    if (!LN_GROW(sketch->parts, sketch->nparts, sketch->room) ||
        ln_map_put(sketch->keys, key, (int)sketch->nparts) < 0) {
        draft->status = ln_no_memory(draft->report);
        return NULL;
    }
    ln_foreign_part *part = &sketch->parts[sketch->nparts++];
    *part = (ln_foreign_part){.key = key, .title = key, .line = line, .enable = {-1, 0}};
    return part;
}

ln_foreign_part *ln_sketch_part(const ln_sketch *sketch, const char *key) {
    const int index = ln_map_get(sketch->keys, key);
    return index >= 0 ? &sketch->parts[index] : NULL;
}

/* ---- wires ---- */

static int has_port(ln_draft *draft, int port, int line) {
    if (port >= 0 && port < MOST_PORTS)
        return 1;
    ln_draft_error(draft, line, "a wire joins port %d; ports count from 0 to %d", port,
                   MOST_PORTS - 1);
    return 0;
}

static int make_inputs(ln_draft *draft, ln_foreign_part *part, int count) {
    if (count <= part->ninputs)
        return 1;
    ln_sketch_end *ends = ln_draft_alloc(draft, (size_t)count, sizeof *ends);
    if (ends == NULL)
        return 0;
    for (int k = 0; k < count; k++)
        ends[k] = k < part->ninputs ? part->inputs[k] : (ln_sketch_end){-1, 0};
    part->inputs = ends;
    part->ninputs = count;
    return 1;
}

void ln_sketch_wire(ln_sketch *sketch, ln_plug from, ln_plug to, int line) {
    ln_draft *draft = sketch->draft;
    const int source = ln_map_get(sketch->keys, from.key);
    ln_foreign_part *target = ln_sketch_part(sketch, to.key);
    if (source < 0 || target == NULL) {
        ln_draft_error(draft, line, "a wire joins the block '%.80s', which is not there",
                       source < 0 ? from.key : to.key);
        return;
    }
    if (!has_port(draft, from.port, line) || (to.port != -1 && !has_port(draft, to.port, line)))
        return;
    if (sketch->parts[source].noutputs <= from.port)
        sketch->parts[source].noutputs = from.port + 1;
    if (to.port != -1 && !make_inputs(draft, target, to.port + 1))
        return;
    ln_sketch_end *end = to.port == -1 ? &target->enable : &target->inputs[to.port];
    if (end->part >= 0 && (end->part != source || end->port != from.port))
        ln_draft_error(draft, line, "two wires come into input %d of '%.80s'", to.port, to.key);
    *end = (ln_sketch_end){source, from.port};
}

/* ---- names ---- */

/* What drives an end, through labels; part -1: nothing. */
static ln_sketch_end driver_of(const ln_sketch *sketch, ln_sketch_end end) {
    for (size_t turns = 0; end.part >= 0 && turns <= sketch->nparts; turns++) {
        const ln_foreign_part *part = &sketch->parts[end.part];
        if (part->role != LN_ROLE_SOURCE)
            return end;
        const int port = ln_map_get(sketch->ports, part->label),
                  sink = ln_map_get(sketch->sinks, part->label);
        if (port >= 0)
            return (ln_sketch_end){port, 0};
        if (sink < 0 || sketch->parts[sink].ninputs == 0)
            break;
        end = sketch->parts[sink].inputs[0];
    }
    return (ln_sketch_end){-1, 0};
}

static ln_sketch_end driver_at(const ln_sketch *sketch, const ln_foreign_part *part, int port) {
    return port < part->ninputs ? driver_of(sketch, part->inputs[port]) : (ln_sketch_end){-1, 0};
}

/* A label or port lends its name to the link it is joined to, if that has none. Returns 0 if not.
 */
static int lend(ln_sketch *sketch, const ln_foreign_part *part, const char *name) {
    const ln_sketch_end from = driver_at(sketch, part, 0);
    if (from.part < 0 || sketch->parts[from.part].outputs == NULL ||
        sketch->parts[from.part].outputs[from.port] != NULL)
        return 0;
    sketch->parts[from.part].outputs[from.port] = name;
    return 1;
}

static void enter(ln_sketch *sketch, ln_map *map, const char *label, size_t part, int line) {
    const int first = ln_draft_enter(sketch->draft, map, label, (int)part);
    if (first >= 0 && first != (int)part)
        ln_draft_error(sketch->draft, line, "the label '%.80s' is given twice, first in line %d",
                       label, sketch->parts[first].line);
}

/* Ports stand in equations, where '-' is a minus: their names have '_' in its place. */
static const char *port_name(ln_draft *draft, const char *title) {
    const char *name = ln_draft_name(draft, title);
    char *copy = ln_draft_alloc(draft, strlen(name) + 1, 1);
    for (size_t k = 0; copy != NULL && name[k] != '\0'; k++)
        copy[k] = name[k] == '-' ? '_' : name[k];
    return copy != NULL ? copy : name;
}

/* Names that are fixed: ports, and who bears which label. */
static void name_ports(ln_sketch *sketch) {
    ln_draft *draft = sketch->draft;
    for (size_t k = 0; k < sketch->nparts; k++) {
        ln_foreign_part *part = &sketch->parts[k];
        const int is_port = part->role == LN_ROLE_INPUT || part->role == LN_ROLE_OUTPUT;
        if (part->role == LN_ROLE_INPUT)
            enter(sketch, sketch->ports, part->label, k, part->line);
        if (part->role == LN_ROLE_SINK || part->role == LN_ROLE_OUTPUT)
            enter(sketch, sketch->sinks, part->label, k, part->line);
        if (is_port)
            part->id = ln_draft_unique(draft, sketch->names, port_name(draft, part->title));
    }
}

static void name_blocks(ln_sketch *sketch) {
    ln_draft *draft = sketch->draft;
    for (size_t k = 0; k < sketch->nparts; k++) {
        ln_foreign_part *part = &sketch->parts[k];
        if (part->role == LN_ROLE_BLOCK)
            part->id = ln_draft_unique(draft, sketch->names, ln_draft_name(draft, part->title));
        if (part->role != LN_ROLE_BLOCK && part->role != LN_ROLE_INPUT)
            continue;
        part->noutputs = part->noutputs > 0 ? part->noutputs : 1;
        part->outputs = ln_draft_alloc(draft, (size_t)part->noutputs, sizeof *part->outputs);
        if (part->outputs != NULL && part->role == LN_ROLE_INPUT)
            part->outputs[0] = part->id;
    }
}

/* What no label and no port has named: after its block, or after the port of the diagram within. */
static void name_rest(ln_sketch *sketch, ln_foreign_part *part) {
    ln_draft *draft = sketch->draft;
    for (int k = 0; part->outputs != NULL && k < part->noutputs; k++) {
        if (part->outputs[k] != NULL)
            continue;
        const ln_sketch *inside = part->inside;
        if (inside != NULL && k < inside->nout)
            part->outputs[k] = ln_draft_unique(
                draft, sketch->names,
                ln_draft_text(draft, "%s_%s", part->id, inside->parts[inside->out[k]].id));
        else
            part->outputs[k] =
                part->noutputs == 1
                    ? part->id
                    : ln_draft_unique(draft, sketch->names,
                                      ln_draft_text(draft, "%s_%d", part->id, k + 1));
    }
}

void ln_sketch_name(ln_sketch *sketch) {
    ln_draft *draft = sketch->draft;
    for (size_t k = 0; k < sketch->nparts; k++)
        if (sketch->parts[k].inside != NULL)
            ln_sketch_name(sketch->parts[k].inside);
    name_ports(sketch);
    name_blocks(sketch);
    for (size_t k = 0; k < sketch->nparts; k++)
        if (sketch->parts[k].role == LN_ROLE_OUTPUT)
            sketch->parts[k].is_copied = !lend(sketch, &sketch->parts[k], sketch->parts[k].id);
    for (size_t k = 0; k < sketch->nparts; k++) {
        ln_foreign_part *part = &sketch->parts[k];
        const ln_sketch_end from = driver_at(sketch, part, 0);
        if (part->role == LN_ROLE_SINK && from.part >= 0 &&
            sketch->parts[from.part].outputs != NULL &&
            sketch->parts[from.part].outputs[from.port] == NULL)
            (void)lend(sketch, part,
                       ln_draft_unique(draft, sketch->names, ln_draft_name(draft, part->title)));
    }
    for (size_t k = 0; k < sketch->nparts; k++)
        if (sketch->parts[k].role == LN_ROLE_BLOCK)
            name_rest(sketch, &sketch->parts[k]);
}

static const char *link_of(const ln_sketch *sketch, ln_sketch_end end) {
    const ln_sketch_end from = driver_of(sketch, end);
    return from.part >= 0 && sketch->parts[from.part].outputs != NULL
               ? sketch->parts[from.part].outputs[from.port]
               : NULL;
}

const char *ln_sketch_input(ln_sketch *sketch, const ln_foreign_part *part, int port) {
    return port < part->ninputs ? link_of(sketch, part->inputs[port]) : NULL;
}

const char *ln_sketch_joined(ln_sketch *sketch, const ln_foreign_part *part, int port) {
    const char *link = ln_sketch_input(sketch, part, port);
    if (link != NULL)
        return link;
    if (sketch->zero == NULL) {
        sketch->zero = ln_draft_unique(sketch->draft, sketch->names, "zero");
        ln_element *element =
            ln_draft_add(sketch->draft, &sketch->body, "constant", part->line, ATTRIBUTES);
        ln_draft_put(sketch->draft, element, "id", sketch->zero);
        ln_draft_put(sketch->draft, element, "out", sketch->zero);
        ln_draft_put(sketch->draft, element, "value", "0");
    }
    return sketch->zero;
}

const char *ln_sketch_inputs(ln_sketch *sketch, const ln_foreign_part *part) {
    ln_text text = {0};
    for (int k = 0; k < part->ninputs; k++)
        if (ln_sketch_input(sketch, part, k) != NULL)
            ln_text_printf(&text, "%s%s", text.length > 0 ? " " : "",
                           ln_sketch_input(sketch, part, k));
    return ln_draft_keep(sketch->draft, &text);
}

/* ---- elements ---- */

ln_element *ln_sketch_block(ln_sketch *sketch, const ln_foreign_part *part, const char *type,
                            const char *suffix) {
    ln_draft *draft = sketch->draft;
    ln_element *element = ln_draft_add(draft, &sketch->body, type, part->line, ATTRIBUTES);
    ln_draft_put(draft, element, "id",
                 *suffix == '\0'
                     ? part->id
                     : ln_draft_unique(draft, sketch->names,
                                       ln_draft_text(draft, "%s_%s", part->id, suffix)));
    return element;
}

static void add_view(ln_sketch *sketch, const char *name) {
    for (size_t k = 0; k < sketch->nviews; k++)
        if (strcmp(sketch->views[k], name) == 0)
            return;
    if (LN_GROW(sketch->views, sketch->nviews, sketch->view_room))
        sketch->views[sketch->nviews++] = name;
    else
        sketch->draft->status = ln_no_memory(sketch->draft->report);
}

static void write_copy(ln_sketch *sketch, const ln_foreign_part *part) {
    ln_draft *draft = sketch->draft;
    ln_element *element = ln_draft_add(draft, &sketch->body, "gain", part->line, ATTRIBUTES);
    ln_draft_put(draft, element, "id",
                 ln_draft_unique(draft, sketch->names, ln_draft_text(draft, "%s_copy", part->id)));
    ln_draft_put(draft, element, "in", ln_sketch_joined(sketch, part, 0));
    ln_draft_put(draft, element, "k", "1");
    ln_draft_put(draft, element, "out", part->id);
}

/* The head of a component: what it uses of the model's parameters, its ports; its blocks hang
 * behind. */
static void write_type(ln_sketch *inside, ln_nest *types, int line) {
    ln_draft *draft = inside->draft;
    ln_element *body = inside->body.element->first;
    ln_nest nest = {ln_draft_add(draft, types, "component", line, 1), NULL};
    ln_draft_put(draft, nest.element, "name", inside->component);
    for (int k = 0; inside->uses != NULL && k < draft->nparameters; k++)
        if (inside->uses[k])
            ln_draft_put(draft, ln_draft_add(draft, &nest, "parameter", line, 1), "name",
                         draft->parameters[k]);
    for (int k = 0; k < inside->nin; k++)
        ln_draft_put(draft, ln_draft_add(draft, &nest, "input", line, 1), "name",
                     inside->parts[inside->in[k]].id);
    for (int k = 0; k < inside->nout; k++)
        ln_draft_put(draft, ln_draft_add(draft, &nest, "output", line, 1), "name",
                     inside->parts[inside->out[k]].id);
    if (nest.last != NULL)
        nest.last->next = body;
    else
        nest.element->first = body;
}

static void write_instance(ln_sketch *sketch, ln_foreign_part *part, ln_nest *types,
                           ln_sketch_emit *emit) {
    ln_draft *draft = sketch->draft;
    ln_sketch *inside = part->inside;
    ln_sketch_write(inside, types, emit);
    write_type(inside, types, part->line);
    ln_element *element = ln_draft_add(draft, &sketch->body, inside->component, part->line,
                                       4 + inside->nin + inside->nout + draft->nparameters);
    ln_draft_put(draft, element, "id", part->id);
    for (int k = 0; inside->uses != NULL && k < draft->nparameters; k++)
        if (inside->uses[k] && sketch->uses != NULL) {
            sketch->uses[k] = 1;
            ln_draft_put(draft, element, draft->parameters[k], draft->parameters[k]);
        }
    for (int k = 0; k < inside->nin; k++)
        ln_draft_put(draft, element, inside->parts[inside->in[k]].id,
                     ln_sketch_joined(sketch, part, k));
    for (int k = 0; k < inside->nout && k < part->noutputs && part->outputs != NULL; k++)
        ln_draft_put(draft, element, inside->parts[inside->out[k]].id, part->outputs[k]);
    if (part->enable.part >= 0) {
        const char *enable = link_of(sketch, part->enable);
        ln_draft_put(draft, element, "enable", enable);
        ln_draft_put(draft, element, "outputs", enable != NULL ? "hold" : NULL);
    }
    for (size_t k = 0; k < inside->nviews; k++)
        add_view(sketch, ln_draft_text(draft, "%s.%s", part->id, inside->views[k]));
}

void ln_sketch_write(ln_sketch *sketch, ln_nest *types, ln_sketch_emit *emit) {
    ln_draft *draft = sketch->draft;
    sketch->body.element = ln_draft_add(draft, NULL, "model", 0, ATTRIBUTES);
    sketch->uses = ln_draft_alloc(draft, (size_t)draft->nparameters + 1, sizeof *sketch->uses);
    for (size_t k = 0; k < sketch->nparts; k++) {
        ln_foreign_part *part = &sketch->parts[k];
        if (part->inside != NULL)
            write_instance(sketch, part, types, emit);
        else if (part->role == LN_ROLE_BLOCK)
            emit(sketch, part);
        else if (part->role == LN_ROLE_OUTPUT && part->is_copied)
            write_copy(sketch, part);
        /* a label of the model itself is there to be looked at */
        const int is_shown =
            part->role == LN_ROLE_VIEW || (part->role == LN_ROLE_SINK && sketch->component == NULL);
        for (int port = 0; is_shown && port < part->ninputs; port++)
            if (ln_sketch_input(sketch, part, port) != NULL)
                add_view(sketch, ln_sketch_input(sketch, part, port));
    }
}
