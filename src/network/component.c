/* SPDX-License-Identifier: MIT */
/* Components: an instance opens a level of its own, with its parameters, its links and its blocks;
 * only its ports join what is outside. The inside is then flattened under dotted names (flatten.c);
 * expand.c has limited how deep that goes. */
#include "network/flatten.h"
#include "model/scope.h"

#include <math.h>
#include <string.h>

/* ---- parameters ---- */

/* A bound of a parameter, or `otherwise` when it has none. Exclusive bounds move by the smallest
 * step. */
static double bound(ln_build *build, const ln_element *element, const char *closed,
                    const char *open, double otherwise) {
    const char *text = ln_attribute_of(element, closed),
               *open_text = ln_attribute_of(element, open);
    double value = otherwise;
    if (text == NULL && open_text == NULL)
        return otherwise;
    linnet_status status =
        ln_scope_value(build->blank, text != NULL ? text : open_text,
                       ln_attribute_of(element, "unit"), ln_place_of(element), &value);
    if (status != LINNET_OK)
        build->status = status;
    return text != NULL ? value : nextafter(value, -otherwise);
}

/* What kind of value a parameter takes. */
typedef enum value_kind { NUMBER, INTEGER, TEXT, CHOICE } value_kind;

static value_kind kind_of(ln_build *build, const ln_element *element) {
    static const char *const names[] = {"number", "integer", "text", "choice"};
    const char *type = ln_attribute_of(element, "type"),
               *choices = ln_attribute_of(element, "choices");
    size_t k = 0;
    while (type != NULL && k < 4 && strcmp(type, names[k]) != 0)
        k++;
    if (k == 4)
        LN_WRONG(build, ln_place_of(element),
                 "<parameter> %s: type=\"%s\" is none; it must be number, integer, text or "
                 "choice",
                 ln_attribute_of(element, "name"), type);
    else if ((k == CHOICE && choices == NULL) || (type != NULL && k != CHOICE && choices != NULL))
        LN_WRONG(build, ln_place_of(element),
                 "<parameter> %s: choices=\"a b\" and type=\"choice\" belong together",
                 ln_attribute_of(element, "name"));
    return choices != NULL ? CHOICE : k < CHOICE ? (value_kind)k : NUMBER;
}

/* A choice: its name is text for the blocks inside, and `parameter.choice` is 1 for the one taken
 * and 0 for the others, for conditions. */
static int declare_choices(ln_build *build, ln_level *level, const ln_element *element,
                           const ln_written *written, const char *block) {
    const char *name = ln_attribute_of(element, "name"), *text = written->text,
               *choices = ln_attribute_of(element, "choices");
    int found = 0;
    for (const char *at = choices + strspn(choices, " \t\r\n,"); *at != '\0';
         at += strspn(at, " \t\r\n,")) {
        size_t length = ln_word_length(at);
        int taken = strlen(text) == length && strncmp(text, at, length) == 0;
        char *full = ln_arena_printf(build->network->arena, "%s.%.*s", name, (int)length, at);
        if (full == NULL)
            return ln_build_failed(build);
        linnet_status status = ln_scope_declare(
            level->scope, full, (ln_written){taken ? "1" : "0", "", ln_place_of(element)},
            level->scope, -INFINITY, INFINITY);
        if (status != LINNET_OK)
            build->status = status;
        found |= taken;
        at += length;
    }
    if (!found)
        LN_WRONG(build, written->place, "%s%sparameter '%s' is '%s'; it must be one of: %s", block,
                 block[0] != '\0' ? ": " : "", name, text, choices);
    return build->status != LINNET_MEMORY;
}

/* Texts and choices. One that is the name of a text where the instance stands hands that on. */
static int declare_text(ln_build *build, ln_level *level, const ln_element *element,
                        ln_written written, const ln_scope *where, const char *block) {
    const char *passed = ln_scope_text(where, written.text);
    if (passed != NULL && where != level->scope)
        written.text = passed;
    if (!ln_scope_add_text(level->scope, ln_attribute_of(element, "name"), written.text))
        return ln_build_failed(build);
    return ln_attribute_of(element, "choices") == NULL ||
           declare_choices(build, level, element, &written, block);
}

/* instance: the element that gives values, NULL for the model itself. */
static int check_integers(ln_build *build, const ln_level *level, const ln_element *instance,
                          const char *block) {
    for (int i = 0; i < level->body->nparameters; i++) {
        const ln_element *element = level->body->parameters[i];
        const char *name = ln_attribute_of(element, "name"),
                   *type = ln_attribute_of(element, "type");
        double value;
        char number[32];
        if (type == NULL || strcmp(type, "integer") != 0 ||
            !ln_scope_number(level->scope, name, &value))
            continue;
        if (value == nearbyint(value))
            continue;
        ln_number_format(number, value);
        const int given = instance != NULL && ln_attribute_of(instance, name) != NULL;
        LN_WRONG(build, ln_place_of(given ? instance : element),
                 "%s%sparameter '%s' is %s; it must be a whole number", block,
                 block[0] != '\0' ? ": " : "", name, number);
    }
    return build->status == LINNET_OK;
}

/* An override of one of the model's own parameters. */
static const char *plain_override(ln_build *build, const char *name) {
    const char *text = NULL;
    for (int i = 0; i < build->noverrides; i++) {
        if (strcmp(build->overrides[i].name, name) != 0)
            continue;
        build->override_used[i] = 1;
        text = build->overrides[i].value;
    }
    return text;
}

static int declare(ln_build *build, ln_level *level, const ln_element *element,
                   const ln_element *instance, const char *block) {
    const char *name = ln_attribute_of(element, "name");
    ln_written written = {ln_attribute_of(element, "value"), ln_attribute_of(element, "unit"),
                          ln_place_of(element)};
    ln_scope *where = level->scope;
    if (written.text == NULL)
        written.text = ln_attribute_of(element, "default");
    const char *given = instance == NULL ? NULL : ln_attribute_of(instance, name);
    if (given != NULL) {
        written.text = given;
        written.place = ln_place_of(instance);
        where = level->outer->scope;
    }
    const char *override = instance == NULL ? NULL : ln_override_of(build, block, NULL, name);
    if (override != NULL) {
        written.text = override;
        written.place = LN_NOWHERE;
        where = build->network->scope;
    }
    if (written.text == NULL) {
        LN_WRONG(build, ln_place_of(instance),
                 "%s (%s): parameter '%s' is required; add %s=\"...\"", block, instance->name, name,
                 name);
        return 1;
    }
    value_kind kind = kind_of(build, element);
    if (kind == TEXT || kind == CHOICE) {
        const char *said = instance == NULL ? plain_override(build, name) : NULL;
        if (said != NULL)
            written.text = said, written.place = LN_NOWHERE;
        return declare_text(build, level, element, written, where, block);
    }
    double min = bound(build, element, "min", "above", -INFINITY),
           max = bound(build, element, "max", "below", INFINITY);
    linnet_status status = ln_scope_declare(level->scope, name, written, where, min, max);
    if (status != LINNET_OK)
        build->status = status;
    return status != LINNET_MEMORY;
}

int ln_declare_parameters(ln_build *build, ln_level *level, const ln_element *given,
                          const char *name) {
    linnet_status before = build->status;
    build->status = LINNET_OK;
    for (int i = 0; i < level->body->nparameters; i++)
        if (!declare(build, level, level->body->parameters[i], given, name))
            return 0;
    for (int i = 0; given == NULL && i < build->noverrides; i++) {
        const ln_override *setting = &build->overrides[i];
        if (ln_scope_override(level->scope, setting->name, setting->value, LN_NOWHERE))
            build->override_used[i] = 1;
    }
    if (build->status == LINNET_OK)
        build->status = ln_scope_evaluate_all(level->scope);
    if (build->status == LINNET_OK)
        (void)check_integers(build, level, given, name);
    level->broken = build->status != LINNET_OK;
    if (!level->broken)
        build->status = before;
    return build->status != LINNET_MEMORY;
}

/* ---- instances ---- */

static int check_attributes(ln_build *build, const ln_kind *kind, const ln_element *element,
                            const char *name) {
    for (int i = 0; i < element->nattributes; i++) {
        const ln_attribute *attribute = &element->attributes[i];
        int port = ln_port_find(kind->ports, kind->nports, attribute->name);
        if (port >= 0)
            build->port_text[port] = attribute->value;
        else if (!ln_is_own_attribute(kind, attribute->name) &&
                 !ln_is_enable_attribute(kind, element, attribute->name) &&
                 !ln_is_position(build, kind, element, attribute, name) &&
                 strcmp(attribute->name, "id") != 0 && strcmp(attribute->name, "if") != 0 &&
                 !ln_unknown_attribute(build, kind, element, name, attribute->name))
            return 0;
    }
    if (element->text != NULL)
        LN_WRONG(build, ln_place_of(element),
                 "%s (%s): there is text inside, which means nothing here; remove it", name,
                 kind->element);
    return 1;
}

/* The instance's record: its ports' links are taken from where ln_connect() put them. */
static int add_component(ln_build *build, const ln_kind *kind, const ln_element *element,
                         const char *name) {
    size_t index = build->ncomponents, first = build->nport_links;
    ln_arena *arena = build->network->arena;
    if (!LN_GROW(build->components, index, build->components_room))
        return ln_build_failed(build);
    int *links = LN_NEW(arena, int, kind->nports);
    signed char *arrows = LN_NEW(arena, signed char, kind->nports);
    ln_scope *scope = ln_scope_new(arena, name, build->report);
    if (links == NULL || arrows == NULL || scope == NULL)
        return ln_build_failed(build);
    for (int j = 0; j < kind->nports; j++)
        links[j] = -1;
    build->components[build->ncomponents++] =
        (ln_component){name, element, kind->ports, kind->nports, links, NULL, arrows, scope};
    return first == build->nport_links;
}

int ln_component_open(ln_build *build, ln_level *level, const ln_kind *kind,
                      const ln_element *element, const char *name, ln_level *inside) {
    size_t index = build->ncomponents, first = build->nport_links;
    if (!add_component(build, kind, element, name))
        return 0;
    if (!ln_values_begin(build, kind) || !check_attributes(build, kind, element, name) ||
        !ln_connect(build, level, kind, element, name))
        return 0;
    ln_component *component = &build->components[index];
    for (int j = 0; j < kind->nports; j++) {
        component->links[j] = build->port_link[first + (size_t)j];
        ((signed char *)component->arrows)[j] = build->port_arrow[first + (size_t)j];
    }
    build->nport_links = first;
    size_t length = strlen(name);
    char *prefix = ln_arena_printf(build->scratch, "%s.", name);
    if (prefix == NULL)
        return ln_build_failed(build);
    const ln_definition *definition = kind->type->definition;
    *inside = (ln_level){.outer = level,
                         .definition = definition,
                         .body = &definition->body,
                         .prefix = prefix,
                         .prefix_length = length + 1,
                         .scope = component->scope,
                         .ports = kind->ports,
                         .nports = kind->nports,
                         .port_links = component->links};
    return ln_read_enables(build, level, kind, element, name, &inside->enables) &&
           ln_declare_parameters(build, inside, element, name);
}
