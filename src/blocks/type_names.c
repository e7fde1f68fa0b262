/* SPDX-License-Identifier: MIT */
/* Names of one block type: a map from text to a node with its dimension. */
#include "blocks/type_names.h"

#include "base/domain.h"
#include "base/sys.h"

#include <string.h>

typedef struct meaning {
    ln_name_kind kind;
    ln_value value;
    ln_place place;
} meaning;

/* A resolver's view: all names, or parameters only. */
typedef struct view {
    ln_type_names *names;
    int parameters_only;
} view;

struct ln_type_names {
    ln_equations *equations;
    ln_report *report;
    ln_map *map;              /* name -> index of meanings[] */
    meaning *meanings;
    size_t count, room;
    const char **known, **known_parameters;
    size_t nknown, known_room, nparameters, parameters_room;
    view views[2];
};

ln_type_names *ln_type_names_new(ln_equations *equations, ln_report *report) {
    ln_type_names *names = LN_NEW(equations->arena, ln_type_names, 1);
    if (names == NULL) return NULL;
    names->equations = equations;
    names->report = report;
    names->map = ln_map_new();
    for (int k = 0; k < 2; k++) names->views[k] = (view){names, k};
    ln_node time = ln_leaf_node(equations->graph, LN_LEAF_TIME, 0);
    if (names->map == NULL ||
        !ln_type_names_add(names, "t", LN_NAME_TIME, time, ln_dimension_any, equations->place)) {
        ln_type_names_free(names);
        return NULL;
    }
    return names;
}

void ln_type_names_free(ln_type_names *names) {
    if (names == NULL) return;
    ln_map_free(names->map);
    ln_sys->release(names->meanings);
    ln_sys->release(names->known);
    ln_sys->release(names->known_parameters);
}

static int no_room(ln_type_names *names) {
    names->equations->failed = 1;
    (void)ln_no_memory(names->report);
    return 0;
}

int ln_type_names_add(ln_type_names *names, const char *name, ln_name_kind kind, ln_node node,
                      ln_dimension dimension, ln_place place) {
    static const char *const kinds[] = {"port", "parameter", "variable", "let", "time"};
    const char *title = names->equations->name;
    if (names->equations->failed) return 0;
    if (kind != LN_NAME_TIME && node != LN_NONE && ln_is_reserved(name)) {
        ln_error(names->report, place, "block type '%s': '%s' has a meaning of its own in expressions; choose another name",
                 title, name);
        return 0;
    }
    int old = ln_map_get(names->map, name);
    if (old >= 0) {
        const meaning *it = &names->meanings[old];
        ln_error(names->report, place, "block type '%s': the name '%s' is taken by a %s (line %d); choose another name",
                 title, name, kinds[it->kind], it->place.line);
        return 0;
    }
    if (!LN_GROW(names->meanings, names->count, names->room) || !LN_GROW(names->known, names->nknown, names->known_room) ||
        !LN_GROW(names->known_parameters, names->nparameters, names->parameters_room) ||
        ln_map_put(names->map, name, (int)names->count) < 0)
        return no_room(names);
    names->meanings[names->count++] = (meaning){kind, {node, dimension, 0}, place};
    if (node != LN_NONE) names->known[names->nknown++] = name;
    if (kind == LN_NAME_PARAMETER) names->known_parameters[names->nparameters++] = name;
    return 1;
}

static ln_dimension dimension_of(const char *unit) {
    double factor, offset;
    const char *nearest;
    ln_dimension dimension = ln_dimension_any;
    (void)ln_unit_read(unit, &factor, &offset, &dimension, &nearest); /* units of the domain table are all known */
    return dimension;
}

int ln_type_names_add_port(ln_type_names *names, const char *name, linnet_domain domain, ln_node node, ln_node flux,
                           ln_place place) {
    const ln_domain_info *info = ln_domain(domain);
    if (domain == LINNET_SIGNAL)
        return ln_type_names_add(names, name, LN_NAME_PORT, node, ln_dimension_any, place);
    ln_arena *arena = names->equations->arena;
    const char *potential_name = ln_arena_printf(arena, "%s.%s", name, info->potential);
    const char *flux_name = ln_arena_printf(arena, "%s.%s", name, info->flux);
    if (potential_name == NULL || flux_name == NULL) return no_room(names);
    return ln_type_names_add(names, name, LN_NAME_PORT, LN_NONE, ln_dimension_any, place) &&
           ln_type_names_add(names, potential_name, LN_NAME_PORT, node, dimension_of(info->potential_unit), place) &&
           ln_type_names_add(names, flux_name, LN_NAME_PORT, flux, dimension_of(info->flux_unit), place);
}

static int find(void *context, const char *name, int column, ln_value *value) {
    (void)column;
    const view *it = context;
    int index = it->names->equations->failed ? -1 : ln_map_get(it->names->map, name);
    if (index < 0) return 0;
    const meaning *found = &it->names->meanings[index];
    if (found->value.node == LN_NONE) return 0; /* the bare name of a physical port is no value */
    if (it->parameters_only && found->kind != LN_NAME_PARAMETER) return 0;
    *value = found->value;
    return 1;
}

ln_names ln_type_names_resolver(ln_type_names *names, int parameters_only) {
    ln_names resolver = {find, &names->views[parameters_only], names->known, names->nknown};
    if (parameters_only) {
        resolver.known = names->known_parameters;
        resolver.nknown = names->nparameters;
    }
    return resolver;
}

static int find_nothing(void *context, const char *name, int column, ln_value *value) {
    (void)context, (void)name, (void)column, (void)value;
    return 0;
}

ln_names ln_type_names_nothing(void) { return (ln_names){find_nothing, NULL, NULL, 0}; }
