/* SPDX-License-Identifier: MIT */
/* Attributes of an element that are neither ports nor parameters of its kind: the place in a
 * diagram, and those that mean nothing, with what comes nearest. */
#include "network/flatten.h"

#include "base/foreign.h"
#include "model/position.h"

#include <string.h>
#include <strings.h>

/* What value="..." means: the parameter that must be given, or the first. */
static const char *main_parameter(const ln_kind *kind) {
    const linnet_block_class *face = kind->type != NULL ? kind->type->face : NULL;
    for (int k = 0; face != NULL && k < face->nparams; k++)
        if (face->params[k].flags & LINNET_REQUIRED)
            return face->params[k].name;
    return face != NULL && face->nparams > 0 ? face->params[0].name : NULL;
}

/* What to say of a port p or n that the type has not: of one with a single physical port, where its
 * other end is; of a signal's block, which types of a like name have the port. "" when neither. */
static const char *port_hint(ln_build *build, const ln_kind *kind, const char *attribute) {
    int physical = 0;
    if (strcmp(attribute, "p") != 0 && strcmp(attribute, "n") != 0)
        return "";
    for (int j = 0; j < kind->nports; j++)
        physical += kind->ports[j].domain != LINNET_SIGNAL;
    if (physical == 1)
        return "; its other end is the reference of its domain";
    const char *name, *group, *found = NULL;
    for (int k = 0;
         physical == 0 && (name = ln_catalogue_name(build->network->catalogue, k, &group)) != NULL;
         k++) {
        linnet_status status;
        const ln_type *type =
            strstr(name, kind->element) == NULL || strcmp(name, kind->element) == 0
                ? NULL
                : ln_catalogue_find(build->network->catalogue, name, &status);
        if (type == NULL || type->face == NULL ||
            ln_port_find(type->face->ports, type->face->nports, attribute) < 0)
            continue;
        found = ln_arena_printf(build->scratch, "%s%s<%s>",
                                found == NULL ? "; for a physical network there are " : found,
                                found == NULL ? "" : ", ", name);
    }
    return found != NULL ? found : "";
}

/* The names of the kind's ports and parameters; NULL: memory is short. */
static const char **own_names(ln_build *build, const ln_kind *kind, size_t *count) {
    const linnet_block_class *face = kind->type->face;
    const ln_body *body = face == NULL ? &kind->type->definition->body : NULL;
    const int nparams = face != NULL ? face->nparams : body->nparameters;
    const char **names = LN_NEW(build->scratch, const char *, kind->nports + nparams);
    *count = 0;
    for (int j = 0; names != NULL && j < kind->nports; j++)
        names[(*count)++] = kind->ports[j].name;
    for (int k = 0; names != NULL && k < nparams; k++)
        names[(*count)++] =
            face != NULL ? face->params[k].name : ln_attribute_of(body->parameters[k], "name");
    return names;
}

int ln_unknown_attribute(ln_build *build, const ln_kind *kind, const ln_element *element,
                         const char *name, const char *attribute) {
    size_t nknown;
    const char **known = own_names(build, kind, &nknown);
    if (known == NULL)
        return ln_build_failed(build);
    const char *nearest = strcmp(attribute, "value") == 0
                              ? main_parameter(kind)
                              : ln_foreign_among(LN_FOREIGN_ATTRIBUTE, attribute, known, nknown);
    if (nearest == NULL)
        nearest = ln_nearest(attribute, known, nknown);
    for (int j = 0; j < kind->nports && nearest == NULL; j++)
        if (kind->ports[j].doc != NULL && strcasecmp(kind->ports[j].doc, attribute) == 0)
            nearest = kind->ports[j].name; /* "anode" is p */
    ln_text list = {0};
    for (size_t k = 0; k < nknown; k++)
        ln_text_printf(&list, "%s%s", k > 0 ? ", " : "", known[k]);
    if (nearest != NULL)
        LN_WRONG(build, ln_place_of(element),
                 "%s (%s): it has no port or parameter '%s'; did you mean '%s'?", name,
                 kind->element, attribute, nearest);
    else
        LN_WRONG(build, ln_place_of(element),
                 "%s (%s): it has no port or parameter '%s'; it has: %s%s", name, kind->element,
                 attribute, list.data != NULL ? list.data : "none",
                 port_hint(build, kind, attribute));
    ln_text_free(&list);
    return 1;
}

int ln_is_position(ln_build *build, const ln_kind *kind, const ln_element *element,
                   const ln_attribute *attribute, const char *name) {
    ln_position position;
    if (strcmp(attribute->name, "at") != 0 || ln_is_own_attribute(kind, "at"))
        return 0;
    if (!ln_position_read(attribute->value, &position))
        LN_WRONG(build, ln_place_of(element),
                 "%s (%s): at=\"%.60s\" is no place in a diagram; write at=\"x,y\" in pixels, or "
                 "at=\"x,y,turn\" with a turn of 0, 90, 180 or 270",
                 name, kind->element, attribute->value);
    return 1;
}
