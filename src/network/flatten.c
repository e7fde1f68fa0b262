/* SPDX-License-Identifier: MIT */
/* Flattening: from the model's elements to raw instances, in the order of the file. The reader has
 * seen to it that words of the language have their attributes and that blocks hold no elements.
 *
 * A block element is named after its type; `id` names it, its other attributes are ports and
 * parameters. A component opens a level of its own (component.c). An element with an error keeps
 * its place, so that others that name it do not lead to further messages. */
#include "network/flatten.h"
#include "model/scope.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

/* ---- names of blocks ---- */

static int line_of_block(const ln_build *build, int code) {
    return code & 1 ? build->components[code / 2].element->line
                    : build->instances[code / 2].element->line;
}

/* The id of a block, checked, under its full name, which stands for `code` from now on; NULL after
 * an error. */
static const char *block_name(ln_build *build, const ln_level *level, const ln_element *element,
                              int code) {
    ln_place place = ln_place_of(element);
    const char *written = ln_attribute_of(element, "id"),
               *id = ln_spell(build, level, written, place);
    if (id == NULL && written != NULL)
        return NULL;
    if (id == NULL || id[0] == '\0') {
        const char *name = ln_attribute_of(element, "name");
        LN_WRONG(build, place, "<%s> has no id; name it: <%s id=\"%.60s\">", element->name,
                 element->name, name != NULL ? name : "...");
        return NULL;
    }
    size_t length = strlen(id);
    if (!ln_is_id(build, id)) {
        LN_WRONG(build, place, "<%s>: id '%s' is not a name; use letters, digits, '_' and '-'",
                 element->name, id);
        return NULL;
    }
    if (ln_port_find(level->ports, level->nports, id) >= 0) {
        LN_WRONG(build, place, "id '%s' is a port of component %s already; choose another", id,
                 level->definition->name);
        return NULL;
    }
    const char *name = ln_full_name(build, level, id, length);
    if (name != NULL && name != id)
        name = ln_arena_string(build->network->arena, name);
    int known = name == NULL ? -1 : ln_map_put(build->block_map, name, code);
    if (known < 0) {
        ln_build_failed(build);
        return NULL;
    }
    if (known == code)
        return name;
    LN_WRONG(build, place, "id '%s' is already defined at line %d; choose another", id,
             line_of_block(build, known));
    return NULL;
}

/* ---- attributes ---- */

/* The parameter an attribute gives, -1 if it is none. Who gives it under another name is told the
 * one it has here. */
static int parameter_of(ln_build *build, const ln_kind *kind, const ln_element *element,
                        const char *name, const char *attribute) {
    int param = ln_param_find(kind, attribute);
    if (param >= 0 || ln_is_enable_attribute(kind, element, attribute))
        return param;
    param = kind->type->face != NULL ? ln_param_meant(kind->type->face, attribute) : -1;
    if (param < 0)
        return -1;
    const char *known = kind->type->face->params[param].name;
    if (ln_attribute_of(element, known) != NULL || build->values.written[param] != NULL)
        LN_WRONG(build, ln_place_of(element),
                 "%s (%s): '%s' is another name of '%s', which is given too; keep one", name,
                 kind->element, attribute, known);
    else
        ln_note(build->report, ln_place_of(element),
                "%s (%s): '%s' is taken as '%s', its name here", name, kind->element, attribute,
                known);
    return param;
}

/* Sorts attributes and text content into ports and parameters. */
static int read_attributes(ln_build *build, const ln_level *level, const ln_kind *kind,
                           const ln_element *element, const char *name) {
    for (int i = 0; i < element->nattributes; i++) {
        const ln_attribute *attribute = &element->attributes[i];
        if (strcmp(attribute->name, "id") == 0 || strcmp(attribute->name, "if") == 0 ||
            ln_is_position(build, kind, element, attribute, name))
            continue;
        int port = ln_port_find(kind->ports, kind->nports, attribute->name), param = -1;
        if (port >= 0) {
            build->port_text[port] = attribute->value;
        } else if ((param = parameter_of(build, kind, element, name, attribute->name)) >= 0) {
            build->values.written[param] = attribute->value;
            build->values.where[param] = level->scope;
        } else if (!ln_is_enable_attribute(kind, element, attribute->name) &&
                   !ln_unknown_attribute(build, kind, element, name, attribute->name)) {
            return 0;
        }
    }
    if (element->text == NULL)
        return 1;
    if (kind->text_parameter < 0 || build->values.written[kind->text_parameter] != NULL) {
        LN_WRONG(build, ln_place_of(element),
                 "%s (%s): there is text inside that belongs to no parameter; remove it", name,
                 kind->element);
        return 1;
    }
    build->values.written[kind->text_parameter] = element->text;
    build->values.where[kind->text_parameter] = level->scope;
    return 1;
}

/* ---- blocks ---- */

static int flatten_instance(ln_build *build, ln_level *level, const ln_kind *kind,
                            const ln_element *element) {
    size_t index = build->ninstances;
    if (!LN_GROW(build->instances, index, build->instances_room))
        return ln_build_failed(build);
    const char *name = block_name(build, level, element, 2 * (int)index);
    if (name == NULL)
        return build->status != LINNET_MEMORY;
    build->instances[build->ninstances++] =
        (ln_raw_instance){.name = name, .element = element, .first = (int)build->nport_links};
    if (!ln_values_begin(build, kind) || !read_attributes(build, level, kind, element, name))
        return 0;
    return ln_connect(build, level, kind, element, name) &&
           ln_read_enables(build, level, kind, element, name, &build->instances[index].enables) &&
           ln_values_finish(build, level, kind, &build->instances[index]);
}

static int flatten_body(ln_build *build, ln_level *level);

static int flatten_block(ln_build *build, ln_level *level, const ln_element *element) {
    if (!ln_wanted(build, level, element))
        return build->status != LINNET_MEMORY;
    if (build->ninstances + build->ncomponents >= LN_MOST_BLOCKS) {
        LN_WRONG(build, ln_place_of(element),
                 "the model expands into more than %d blocks, the limit", LN_MOST_BLOCKS);
        return 0;
    }
    const ln_kind *kind = ln_kind_of(build, element);
    if (kind == NULL)
        return build->status != LINNET_MEMORY;
    if (kind->type->face != NULL)
        return flatten_instance(build, level, kind, element);
    const char *name = block_name(build, level, element, 2 * (int)build->ncomponents + 1);
    if (name == NULL)
        return build->status != LINNET_MEMORY;
    ln_level inside;
    if (!ln_component_open(build, level, kind, element, name, &inside))
        return 0;
    const int going = inside.broken || flatten_body(build, &inside);
    ln_free_ends(&inside);
    return going;
}

static int unknown_start(ln_build *build, const ln_level *level, const ln_element *element,
                         const char *name) {
    const char **known = LN_NEW(build->scratch, const char *, build->nlinks);
    size_t count = 0;
    if (known == NULL)
        return ln_build_failed(build);
    for (size_t k = 0; k < build->nlinks; k++)
        if (strncmp(build->links[k].name, level->prefix, level->prefix_length) == 0)
            known[count++] = build->links[k].name + level->prefix_length;
    const char *nearest = ln_nearest(name, known, count);
    if (nearest != NULL)
        LN_WRONG(build, ln_place_of(element), "<start>: there is no link '%s'; did you mean '%s'?",
                 name, nearest);
    else
        LN_WRONG(build, ln_place_of(element),
                 "<start>: there is no link '%s'; name one that a block joins", name);
    return 1;
}

/* <start link value>: kept until the link's domain is known. */
static int read_guess(ln_build *build, const ln_level *level, const ln_element *element) {
    const char *name =
        ln_spell(build, level, ln_attribute_of(element, "link"), ln_place_of(element));
    if (name == NULL)
        return build->status != LINNET_MEMORY;
    int port = ln_port_find(level->ports, level->nports, name), link;
    if (port >= 0) {
        link = level->port_links[port];
    } else {
        const char *full = ln_full_name(build, level, name, strlen(name));
        if (full == NULL)
            return 0;
        link = ln_map_get(build->link_map, full);
    }
    if (link < 0)
        return unknown_start(build, level, element, name);
    if (!LN_GROW(build->guesses, build->nguesses, build->guesses_room))
        return ln_build_failed(build);
    build->guesses[build->nguesses++] = (ln_guess){link, element, level->scope};
    return 1;
}

/* In one scope ids, links and parameters differ. (An id that is also a link shows when both are
 * sorted, in join.c.) */
static int check_parameter_names(ln_build *build, const ln_level *level) {
    for (int i = 0; i < level->body->nparameters; i++) {
        const ln_element *element = level->body->parameters[i];
        const char *name = ln_attribute_of(element, "name");
        const char *full = ln_full_name(build, level, name, strlen(name));
        if (full == NULL)
            return 0;
        int is_block = ln_map_get(build->block_map, full) >= 0;
        if (is_block || ln_map_get(build->link_map, full) >= 0)
            LN_WRONG(build, ln_place_of(element),
                     "parameter '%s' has the name of a %s; choose another", name,
                     is_block ? "block" : "link");
    }
    return 1;
}

/* The names that a block of the top level writes come into the maps soon. */
static void expect(const ln_build *build, const ln_element *element) {
    for (int k = 0; k < element->nattributes; k++)
        ln_map_expect(strcmp(element->attributes[k].name, "id") == 0 ? build->block_map
                                                                     : build->link_map,
                      element->attributes[k].value);
}

static int flatten_blocks(ln_build *build, ln_level *level, const ln_body *body) {
    enum { AHEAD = 3, MANY = 1000 }; /* fewer are in the cache anyway */
    for (int i = 0; i < body->nblocks; i++) {
        if (body->nblocks >= MANY && level->prefix_length == 0 && i + AHEAD < body->nblocks)
            expect(build, body->blocks[i + AHEAD]);
        if (!flatten_block(build, level, body->blocks[i]))
            return 0;
    }
    return 1;
}

static int read_guesses(ln_build *build, ln_level *level, const ln_body *body) {
    for (int i = 0; i < body->nstarts; i++)
        if (ln_wanted(build, level, body->starts[i]) && !read_guess(build, level, body->starts[i]))
            return 0;
    return 1;
}

/* What stands in a level: the model's or a component instance's inside. */
static int flatten_body(ln_build *build, ln_level *level) {
    const ln_body *body = level->body;
    if (!ln_read_ends(build, level))
        return 0;
    if (build->stopped)
        return 1; /* the same repetitions would say the same again */
    if (!ln_walk_body(build, level, body, LN_WALK_BLOCKS, flatten_blocks))
        return 0;
    ln_check_ends(build, level);
    if (!build->stopped && !ln_walk_body(build, level, body, LN_WALK_STARTS, read_guesses))
        return 0;
    return check_parameter_names(build, level);
}

/* ---- the model ---- */

/* Room for what the top level holds at least, so that large flat models do not grow step by step.
 */
static int reserve(ln_build *build, size_t nblocks) {
    build->instances = ln_grow(NULL, &build->instances_room, nblocks + 1, sizeof *build->instances);
    build->port_link =
        ln_grow(NULL, &build->port_links_room, 2 * nblocks + 1, sizeof *build->port_link);
    build->port_arrow =
        ln_grow(NULL, &build->port_arrows_room, 2 * nblocks + 1, sizeof *build->port_arrow);
    return (build->instances && build->port_link && build->port_arrow) || ln_build_failed(build);
}

/* Names the parameters that the block has, and the nearest of them. name NULL: the block itself was
 * named for one. */
static void tell_parameters(ln_build *build, const ln_raw_instance *raw, const char *name) {
    const linnet_block_class *face = raw->class;
    ln_text text = {0};
    const char **known = LN_NEW(build->scratch, const char *, face->nparams);
    for (int k = 0; known != NULL && k < face->nparams; k++) {
        known[k] = face->params[k].name;
        if (strchr(known[k], ' ') != NULL)
            continue; /* a table of the type's own */
        ln_text_printf(&text, "%s%s", text.length > 0 ? ", " : "", known[k]);
    }
    const char *nearest =
        known != NULL && name != NULL ? ln_nearest(name, known, (size_t)face->nparams) : NULL;
    const char *all = text.data != NULL ? text.data : "none";
    if (name == NULL)
        ln_error(build->report, LN_NOWHERE,
                 "%s is a block (%s), not a parameter; name one of its parameters as %s.NAME: %s",
                 raw->name, face->name, raw->name, all);
    else if (nearest != NULL)
        ln_error(build->report, LN_NOWHERE,
                 "%s (%s) has no parameter '%s'; did you mean '%s'? It has: %s", raw->name,
                 face->name, name, nearest, all);
    else
        ln_error(build->report, LN_NOWHERE, "%s (%s) has no parameter '%s'; it has: %s", raw->name,
                 face->name, name, all);
    ln_text_free(&text);
}

/* Every name before a dot that an override could have: parameters of the model, blocks, components.
 * NULL: memory is short. */
static const char **names_to_set(ln_build *build, size_t *count) {
    const size_t nparameters = (size_t)ln_scope_count(build->network->scope);
    const char **known =
        LN_NEW(build->scratch, const char *, nparameters + build->ninstances + build->ncomponents);
    double value;
    const char *unit;
    *count = 0;
    if (known == NULL)
        return NULL;
    for (; *count < nparameters; ++*count)
        known[*count] = ln_scope_name(build->network->scope, (int)*count, &value, &unit);
    for (size_t k = 0; k < build->ninstances; k++)
        known[(*count)++] = build->instances[k].name;
    for (size_t k = 0; k < build->ncomponents; k++)
        known[(*count)++] = build->components[k].name;
    return known;
}

/* The last instance of that name whose class is known; NULL: none. */
static const ln_raw_instance *instance_named(const ln_build *build, const char *name) {
    for (size_t k = build->ninstances; k-- > 0;)
        if (strcmp(build->instances[k].name, name) == 0 && build->instances[k].class != NULL)
            return &build->instances[k];
    return NULL;
}

/* An override that names nothing: the nearest parameter of the model, or block. */
static int unknown_override(ln_build *build, const char *name) {
    size_t count;
    const char **known = names_to_set(build, &count);
    const char *dot = strrchr(name, '.');
    const char *block =
        dot == NULL ? name : ln_arena_text(build->scratch, name, (size_t)(dot - name));
    if (known == NULL || block == NULL)
        return ln_build_failed(build);
    const char *nearest = ln_nearest(block, known, count);
    const ln_raw_instance *raw = instance_named(build, block);
    if (raw != NULL)
        tell_parameters(build, raw, dot != NULL ? dot + 1 : NULL);
    else if (nearest == NULL)
        ln_error(build->report, LN_NOWHERE, "there is no parameter '%s' to set", name);
    else if (strcmp(nearest, block) == 0)
        ln_error(build->report, LN_NOWHERE, "%s has no parameter '%s' to set", block,
                 dot == NULL ? "" : dot + 1);
    else
        ln_error(build->report, LN_NOWHERE,
                 "there is no parameter '%s' to set; did you mean '%s%s'?", name, nearest,
                 dot == NULL ? "" : dot);
    build->status = LINNET_USAGE;
    return 1;
}

static int check_overrides(ln_build *build) {
    for (int i = 0; i < build->noverrides; i++)
        if (!build->override_used[i] && !unknown_override(build, build->overrides[i].name))
            return 0;
    return 1;
}

int ln_flatten(ln_build *build) {
    const ln_model *model = build->network->model;
    ln_level top = {.body = &model->body, .prefix = "", .scope = build->network->scope};
    if (!ln_check_expansion(build))
        return 0;
    if (!reserve(build, (size_t)model->body.nblocks) ||
        !ln_declare_parameters(build, &top, NULL, ""))
        return 0;
    if (model->body.nblocks == 0 && model->body.nrepeats == 0)
        LN_WRONG(build, (ln_place){model->path, 0, 0},
                 "the model has no blocks; add one: <resistor id=\"R1\" .../>");
    int going = flatten_body(build, &top);
    ln_free_ends(&top);
    if (!going)
        return 0;
    ln_check_ahead(build);
    return build->status == LINNET_OK ? check_overrides(build) : 1;
}
