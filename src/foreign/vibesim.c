/* SPDX-License-Identifier: MIT */
/* Vibesim's files: blocks, connections, variables; a subsystem becomes a component. */
#include "foreign/foreign.h"

#include <string.h>

/* ---- variables ---- */

/* Enters a parameter of the model; `value` NULL: one of ours, written where it is used. */
static int enter(ln_draft *draft, const char *name) {
    const int fresh = draft->nparameters;
    if (ln_draft_enter(draft, draft->variables, name, fresh) != fresh)
        return 0;
    draft->parameters[draft->nparameters++] = name;
    return 1;
}

typedef struct line {
    const char *name, *value;
    int at;
} line;

/* "name = expression", a line each; '#' begins a comment. Fills `lines`, which has room. */
static int split_variables(ln_draft *draft, const ln_datum *data, line *lines) {
    int count = 0;
    const char *text = ln_datum_text(data, "variables", "");
    const ln_datum *item = ln_datum_of(data, "variables");
    const int at = item != NULL ? item->line : 0;
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n"), code = strcspn(text, "#\n");
        const char *equals = memchr(text, '=', code), *name = text + strspn(text, " \t\\");
        if (equals != NULL && equals > name) {
            size_t end = (size_t)(equals - name);
            while (end > 0 && (name[end - 1] == ' ' || name[end - 1] == '\t'))
                end--;
            const char *own = ln_draft_name(draft, ln_draft_text(draft, "%.*s", (int)end, name));
            lines[count++] = (line){
                own,
                ln_draft_text(draft, "%.*s", (int)(code - 1 - (size_t)(equals - text)), equals + 1),
                at};
        }
        text += length + (text[length] == '\n');
    }
    return count;
}

static int count_lines(const char *text) {
    int count = 1;
    for (; *text != '\0'; text++)
        count += *text == '\n';
    return count;
}

/* The model's parameters, and that of the step; those of ours only if they are used. */
static void write_variables(ln_sketch *sketch, ln_nest *root, const line *lines, int nlines,
                            const char *step) {
    ln_draft *draft = sketch->draft;
    for (int k = 0; k < nlines; k++)
        if (ln_map_get(draft->variables, lines[k].name) >= 0 && sketch->uses != NULL)
            sketch->uses[ln_map_get(draft->variables, lines[k].name)] = 1;
    const line own[] = {{LN_VIBESIM_STEP, step, 0},
                        /* far below the step: Vibesim means a derivative, not a filter */
                        {LN_VIBESIM_FILTER, LN_VIBESIM_STEP "/100", 0}};
    const int filter = ln_map_get(draft->variables, LN_VIBESIM_FILTER),
              sample = ln_map_get(draft->variables, LN_VIBESIM_STEP);
    if (sketch->uses != NULL && filter >= 0 && sample >= 0 && sketch->uses[filter])
        sketch->uses[sample] = 1;
    for (int k = 0; k < nlines + 2; k++) {
        const line *from = k < nlines ? &lines[k] : &own[k - nlines];
        const int index = ln_map_get(draft->variables, from->name);
        if (index < 0 || sketch->uses == NULL || !sketch->uses[index])
            continue;
        ln_element *element = ln_draft_add(draft, root, "parameter", from->at, 2);
        ln_draft_put(draft, element, "name", from->name);
        ln_draft_put(draft, element, "value", ln_vibesim_formula(sketch, from->value));
    }
}

/* ---- diagrams ---- */

static ln_role role_of(const ln_sketch *sketch, const char *type, const ln_datum *params) {
    static const struct {
        const char *type;
        ln_role role;
    } roles[] = {{"labelSink", LN_ROLE_SINK}, {"labelSource", LN_ROLE_SOURCE},
                 {"scope", LN_ROLE_VIEW},     {"xyScope", LN_ROLE_VIEW},
                 {"fileSink", LN_ROLE_VIEW},  {"comment", LN_ROLE_NONE}};
    const int is_port = sketch->component != NULL && ln_datum_is_true(params, "isExternalPort");
    for (size_t k = 0; k < sizeof roles / sizeof *roles; k++)
        if (strcmp(roles[k].type, type) == 0)
            return !is_port                          ? roles[k].role
                   : roles[k].role == LN_ROLE_SINK   ? LN_ROLE_OUTPUT
                   : roles[k].role == LN_ROLE_SOURCE ? LN_ROLE_INPUT
                                                     : roles[k].role;
    return LN_ROLE_BLOCK;
}

static void read_diagram(ln_sketch *sketch, const ln_datum *data);

static const int *read_ports(ln_sketch *inside, const ln_datum *list, ln_role role, int *count) {
    ln_draft *draft = inside->draft;
    int *ports = ln_draft_alloc(draft, (size_t)ln_datum_count(list), sizeof *ports);
    *count = 0;
    for (const ln_datum *item = ports != NULL && list != NULL ? list->first : NULL; item != NULL;
         item = item->next) {
        const char *key = ln_datum_text(item, "id", "");
        const int index = ln_map_get(inside->keys, key);
        if (index < 0 || inside->parts[index].role != role)
            ln_draft_error(draft, item->line, "the port '%.80s' is no label of the subsystem", key);
        else
            ports[(*count)++] = index;
    }
    return ports;
}

static ln_sketch *read_subsystem(ln_sketch *sketch, const ln_datum *params) {
    ln_draft *draft = sketch->draft;
    const ln_datum *data = ln_datum_of(params, "subsystem");
    const char *name = ln_draft_text(
        draft, "subsystem_%s",
        ln_draft_name(draft, ln_datum_text(params, "name", ln_datum_text(data, "name", "1"))));
    ln_sketch *inside = ln_sketch_new(draft, sketch, ln_draft_unique(draft, draft->types, name));
    if (inside == NULL)
        return NULL;
    read_diagram(inside, data);
    inside->in =
        read_ports(inside, ln_datum_of(params, "externalInputs"), LN_ROLE_INPUT, &inside->nin);
    inside->out =
        read_ports(inside, ln_datum_of(params, "externalOutputs"), LN_ROLE_OUTPUT, &inside->nout);
    return inside;
}

static void read_block(ln_sketch *sketch, const ln_datum *data) {
    ln_draft *draft = sketch->draft;
    const char *key = ln_datum_text(data, "id", NULL);
    if (key == NULL) {
        ln_draft_error(draft, data->line, "a block has no id");
        return;
    }
    const ln_datum *params = ln_datum_of(data, "params");
    const char *type = ln_datum_text(data, "type", "");
    ln_sketch *inside = NULL;
    if (strcmp(type, "subsystem") == 0)
        inside = read_subsystem(sketch, params);
    ln_foreign_part *part = ln_sketch_add(sketch, key, data->line);
    if (part == NULL) {
        ln_sketch_free(inside);
        return;
    }
    part->type = type;
    part->params = params;
    part->inside = inside;
    part->role = role_of(sketch, type, params);
    part->label = ln_datum_text(params, "name", "x");
    if (part->role != LN_ROLE_BLOCK)
        part->title = part->label;
}

/* Sources of a label that nothing gives: the first becomes a block, the others follow it. */
static void open_labels(ln_sketch *sketch) {
    ln_map *given = ln_draft_map(sketch->draft);
    for (size_t k = 0; given != NULL && k < sketch->nparts; k++)
        if (sketch->parts[k].role != LN_ROLE_BLOCK && sketch->parts[k].role != LN_ROLE_SOURCE)
            (void)ln_draft_enter(sketch->draft, given, sketch->parts[k].label, 0);
    for (size_t k = 0; given != NULL && k < sketch->nparts; k++) {
        ln_foreign_part *part = &sketch->parts[k];
        if (part->role != LN_ROLE_SOURCE || ln_map_get(given, part->label) >= 0)
            continue;
        (void)ln_draft_enter(sketch->draft, given, part->label, 0);
        (void)ln_draft_enter(sketch->draft, sketch->ports, part->label, (int)k);
        part->role = LN_ROLE_BLOCK;
        part->title = part->label;
    }
}

static void read_diagram(ln_sketch *sketch, const ln_datum *data) {
    const ln_datum *blocks = ln_datum_of(data, "blocks"), *wires = ln_datum_of(data, "connections");
    for (const ln_datum *item = blocks != NULL ? blocks->first : NULL; item != NULL;
         item = item->next)
        read_block(sketch, item);
    for (const ln_datum *item = wires != NULL ? wires->first : NULL; item != NULL;
         item = item->next)
        ln_sketch_wire(
            sketch,
            (ln_plug){ln_datum_text(item, "from", ""), (int)ln_datum_number(item, "fromIndex", 0)},
            (ln_plug){ln_datum_text(item, "to", ""), (int)ln_datum_number(item, "toIndex", 0)},
            item->line);
    open_labels(sketch);
}

/* ---- the model ---- */

void ln_vibesim_model(ln_draft *draft, const ln_datum *data, ln_element *model) {
    const int most = count_lines(ln_datum_text(data, "variables", ""));
    line *lines = ln_draft_alloc(draft, (size_t)most, sizeof *lines);
    draft->parameters = ln_draft_alloc(draft, (size_t)most + 2, sizeof *draft->parameters);
    if (lines == NULL || draft->parameters == NULL)
        return;
    const int nlines = split_variables(draft, data, lines);
    const char *step = "0.01";
    for (int k = 0; k < nlines; k++) {
        if (!enter(draft, lines[k].name))
            ln_draft_error(draft, lines[k].at, "the variable '%.80s' is given twice",
                           lines[k].name);
        if (strcmp(lines[k].name, "dt") == 0 || strcmp(lines[k].name, "sampleTime") == 0)
            step = lines[k].name;
    }
    (void)enter(draft, LN_VIBESIM_STEP);
    (void)enter(draft, LN_VIBESIM_FILTER);
    ln_sketch *sketch = ln_sketch_new(draft, NULL, NULL);
    if (sketch == NULL)
        return;
    step = ln_datum_text(data, "sampleTime", step);
    read_diagram(sketch, data);
    if (draft->status == LINNET_OK)
        ln_sketch_name(sketch);
    ln_nest root = {model, NULL}, types = {ln_draft_add(draft, NULL, "model", 0, 1), NULL};
    if (draft->status == LINNET_OK) {
        ln_sketch_write(sketch, &types, ln_vibesim_block);
        write_variables(sketch, &root, lines, nlines, step);
        ln_diagram_settings(sketch, &root, &types, ln_datum_text(data, "runtime", "10"), step);
    }
    ln_sketch_free(sketch);
}
