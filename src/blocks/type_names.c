/* SPDX-License-Identifier: MIT */
/* Names of one block type: a map from text to a node with its dimension. */
#include "blocks/type_names.h"

#include "base/domain.h"
#include "base/sys.h"
#include "base/text.h"

#include <string.h>

typedef struct meaning {
    ln_name_kind kind;
    ln_value value;
} meaning;

/* What a resolver sees. */
typedef struct view {
    ln_type_names *names;
    ln_name_view which;
} view;

struct ln_type_names {
    ln_equations *equations;
    ln_map *map; /* name -> index of meanings[] */
    meaning *meanings;
    size_t count, room;
    const char **known;
    size_t known_room; /* all names, as many as meanings */
    const char **parameters;
    size_t nparameters, parameters_room;
    view views[3];
};

ln_type_names *ln_type_names_new(ln_equations *equations) {
    ln_type_names *names = LN_NEW(equations->arena, ln_type_names, 1);
    if (names == NULL || (names->map = ln_map_new()) == NULL)
        return NULL;
    names->equations = equations;
    for (int k = 0; k < 3; k++)
        names->views[k] = (view){names, (ln_name_view)k};
    ln_type_names_add(names, "t", LN_NAME_TIME, ln_leaf_node(equations->graph, LN_LEAF_TIME, 0),
                      ln_dimension_any);
    return names;
}

void ln_type_names_free(ln_type_names *names) {
    if (names == NULL)
        return;
    ln_map_free(names->map);
    ln_sys->release(names->meanings);
    ln_sys->release(names->known);
    ln_sys->release(names->parameters);
}

void ln_type_names_add(ln_type_names *names, const char *name, ln_name_kind kind, ln_node node,
                       ln_dimension dimension) {
    if (names->equations->failed)
        return;
    if (!LN_GROW(names->meanings, names->count, names->room) ||
        !LN_GROW(names->known, names->count, names->known_room) ||
        !LN_GROW(names->parameters, names->nparameters, names->parameters_room) ||
        ln_map_put(names->map, name, (int)names->count) < 0) {
        names->equations->failed = 1;
        return;
    }
    names->known[names->count] = name;
    names->meanings[names->count++] = (meaning){kind, {node, dimension, 0}};
    if (kind == LN_NAME_PARAMETER)
        names->parameters[names->nparameters++] = name;
}

static ln_dimension dimension_of(const char *unit) {
    double factor, offset;
    const char *nearest;
    ln_dimension dimension = ln_dimension_any;
    /* units of the domain table are all known */
    (void)ln_unit_read(unit, &factor, &offset, &dimension, &nearest);
    return dimension;
}

void ln_type_names_add_port(ln_type_names *names, const char *name, linnet_domain domain,
                            ln_node node, ln_node flux) {
    const ln_domain_info *info = ln_domain(domain);
    if (domain == LINNET_SIGNAL) {
        ln_type_names_add(names, name, LN_NAME_PORT, node, ln_dimension_any);
        return;
    }
    ln_arena *arena = names->equations->arena;
    const char *potential_name = ln_arena_printf(arena, "%s.%s", name, info->potential);
    const char *flux_name = ln_arena_printf(arena, "%s.%s", name, info->flux);
    if (potential_name == NULL || flux_name == NULL) {
        names->equations->failed = 1;
        return;
    }
    ln_type_names_add(names, potential_name, LN_NAME_PORT, node,
                      dimension_of(info->potential_unit));
    ln_type_names_add(names, flux_name, LN_NAME_PORT, flux, dimension_of(info->flux_unit));
}

static int find(void *context, const char *name, int column, ln_value *value) {
    (void)column;
    const view *described = context;
    /* memory was short, which the end of the reading tells */
    if (described->names->equations->failed)
        return -1;
    int index = ln_map_get(described->names->map, name);
    if (index < 0)
        return 0;
    const meaning *found = &described->names->meanings[index];
    int plain = found->kind == LN_NAME_PARAMETER ||
                (described->which == LN_VIEW_START && found->kind == LN_NAME_TIME);
    if (described->which != LN_VIEW_ALL && !plain)
        return 0;
    *value = found->value;
    return 1;
}

ln_names ln_type_names_resolver(ln_type_names *names, ln_name_view which) {
    if (which == LN_VIEW_ALL)
        return (ln_names){find, &names->views[which], names->known, names->count, NULL, 1};
    return (ln_names){find, &names->views[which], names->parameters, names->nparameters, NULL, 0};
}

static int find_nothing(void *context, const char *name, int column, ln_value *value) {
    (void)context, (void)name, (void)column, (void)value;
    return 0;
}

ln_names ln_type_names_nothing(void) {
    return (ln_names){find_nothing, NULL, NULL, 0, NULL, 0};
}
