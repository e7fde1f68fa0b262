/* SPDX-License-Identifier: MIT */
/* Kinds: what the flattener prepares once for all elements of a name, so that a million of them
 * cost no search in the catalogue and no parsing of defaults. Equal element names of one file are
 * equal pointers. */
#include "base/domain.h"

#include "base/foreign.h"
#include "model/scope.h"
#include "network/flatten.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- defaults ---- */

/* Marks the parameters whose names the text holds; 0: it holds none. (A unit of the same letters
 * counts too, which costs time only.) */
static int mark_named(const linnet_block_class *face, const char *text, char *marks) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    int found = 0;
    while (*text != '\0') {
        size_t length = strspn(text, letters);
        for (int k = 0; length > 0 && k < face->nparams; k++)
            if (strncmp(face->params[k].name, text, length) == 0 &&
                face->params[k].name[length] == '\0')
                found = marks[k] = 1;
        text += length > 0 ? length : 1;
    }
    return found;
}

static int is_number(const linnet_param *param) {
    return !(param->flags & (LINNET_LIST | LINNET_MATRIX | LINNET_TEXT));
}

static int compare_names(const void *a, const void *b) {
    return strcmp(((const ln_param_name *)a)->name, ((const ln_param_name *)b)->name);
}

static int sort_names(ln_build *build, ln_kind *kind) {
    const linnet_block_class *face = kind->type->face;
    ln_param_name *names = LN_NEW(build->scratch, ln_param_name, face->nparams);
    if (names == NULL)
        return ln_build_failed(build);
    for (int k = 0; k < face->nparams; k++)
        names[k] = (ln_param_name){face->params[k].name, k};
    if (face->nparams > 0)
        qsort(names, (size_t)face->nparams, sizeof *names, compare_names);
    kind->names = names;
    return 1;
}

int ln_param_find(const ln_kind *kind, const char *name) {
    const ln_param_name wanted = {name, -1};
    const int count = kind->type->face->nparams;
    const ln_param_name *found =
        count > 0 ? bsearch(&wanted, kind->names, (size_t)count, sizeof wanted, compare_names)
                  : NULL;
    return found == NULL ? -1 : found->param;
}

/* Evaluates the defaults of numbers that stand for themselves, and marks those that name other
 * parameters. */
static int read_defaults(ln_build *build, ln_kind *kind) {
    const linnet_block_class *face = kind->type->face;
    double *defaults = LN_NEW(build->scratch, double, face->nparams);
    char *dependent = LN_NEW(build->scratch, char, face->nparams);
    char *asked = LN_NEW(build->scratch, char, face->nparams);
    if (defaults == NULL || dependent == NULL || asked == NULL)
        return ln_build_failed(build);
    kind->defaults = defaults;
    kind->dependent = dependent;
    kind->asked = asked;
    const ln_definition *definition = kind->type->definition;
    ln_place place = definition != NULL ? ln_place_of(definition->element) : LN_NOWHERE;
    for (int k = 0; k < face->nparams; k++) {
        const linnet_param *param = &face->params[k];
        if (!is_number(param))
            continue;
        if (param->default_text == NULL) {
            defaults[k] = NAN; /* required, or absent */
            continue;
        }
        dependent[k] = (char)mark_named(face, param->default_text, asked);
        kind->any_dependent |= dependent[k];
        asked[k] |= dependent[k];
        if (dependent[k])
            continue;
        linnet_status status =
            ln_scope_value(build->blank, param->default_text, param->unit, place, &defaults[k]);
        if (status != LINNET_OK)
            build->status = status;
    }
    return build->status != LINNET_MEMORY;
}

/* Text content is the first parameter that a text may fill: a list, a matrix or an expression. */
static int text_parameter(const linnet_block_class *face) {
    for (int k = 0; k < face->nparams; k++)
        if (!is_number(&face->params[k]))
            return k;
    return -1;
}

/* ---- components ---- */

static int read_port(ln_build *build, const ln_element *element, linnet_port *port) {
    const char *name = ln_attribute_of(element, "name"),
               *domain = ln_attribute_of(element, "domain");
    *port = (linnet_port){name, LINNET_SIGNAL, 0, ln_attribute_of(element, "doc")};
    if (strcmp(element->name, "input") == 0)
        port->flags = LINNET_INPUT;
    else if (strcmp(element->name, "output") == 0)
        port->flags = LINNET_OUTPUT;
    else {
        int found = domain == NULL ? -1 : ln_domain_find(domain);
        if (found < 0 || found == LINNET_SIGNAL) {
            LN_WRONG(build, ln_place_of(element),
                     "<port> %s needs a physical domain, such as domain=\"electrical\"", name);
            return 0;
        }
        port->domain = (linnet_domain)found;
    }
    return 1;
}

static int read_component(ln_build *build, ln_kind *kind) {
    const ln_body *body = &kind->type->definition->body;
    linnet_port *ports = LN_NEW(build->network->arena, linnet_port, body->nports);
    if (ports == NULL)
        return ln_build_failed(build);
    for (int i = 0; i < body->nports; i++) {
        if (!read_port(build, body->ports[i], &ports[kind->nports]))
            continue;
        if (ln_port_find(ports, kind->nports, ports[kind->nports].name) >= 0)
            LN_WRONG(build, ln_place_of(body->ports[i]), "component %s has port '%s' twice",
                     kind->type->name, ports[kind->nports].name);
        else
            kind->nports++;
    }
    kind->ports = ports;
    return 1;
}

/* ---- look-up ---- */

static int prepare(ln_build *build, const ln_element *element, ln_kind *kind) {
    linnet_status status = LINNET_OK;
    *kind = (ln_kind){.element = element->name, .text_parameter = -1};
    kind->type = ln_catalogue_find(build->network->catalogue, element->name, &status);
    if (kind->type == NULL) {
        if (status == LINNET_OK)
            kind->nearest = ln_catalogue_nearest(build->network->catalogue, element->name);
        else
            build->status = status;
        kind->broken = status != LINNET_OK;
        return status == LINNET_OK || status == LINNET_MODEL;
    }
    const linnet_block_class *face = kind->type->face;
    if (face == NULL)
        return read_component(build, kind);
    if ((kind->last = LN_NEW(build->scratch, ln_last_values, 1)) == NULL)
        return ln_build_failed(build);
    kind->ports = face->ports;
    kind->nports = face->nports;
    kind->text_parameter = text_parameter(face);
    kind->elementwise =
        face->nports > 0 && kind->type->measure == NULL && kind->type->sizes == NULL;
    for (int j = 0; j < face->nports; j++)
        kind->elementwise &= face->ports[j].domain == LINNET_SIGNAL;
    return sort_names(build, kind) && read_defaults(build, kind);
}

static const ln_kind *unknown(ln_build *build, const ln_kind *kind, const ln_element *element) {
    const char *foreign = ln_foreign_word(LN_FOREIGN_TYPE, element->name),
               *meant = foreign != NULL ? foreign : kind->nearest;
    if (meant != NULL)
        LN_WRONG(build, ln_place_of(element), "unknown element <%s>; did you mean <%s>?",
                 element->name, meant);
    else
        LN_WRONG(build, ln_place_of(element),
                 "unknown element <%s>; 'linnet blocks' lists the types", element->name);
    return NULL;
}

const ln_kind *ln_kind_of(ln_build *build, const ln_element *element) {
    size_t index = 0;
    while (index < build->nkinds && build->kinds[index]->element != element->name)
        index++;
    if (index == build->nkinds) {
        ln_kind *kind = LN_NEW(build->scratch, ln_kind, 1);
        if (kind == NULL || !LN_GROW(build->kinds, build->nkinds, build->kinds_room)) {
            ln_build_failed(build);
            return NULL;
        }
        build->kinds[build->nkinds++] = kind;
        if (!prepare(build, element, kind))
            return NULL;
    }
    const ln_kind *kind = build->kinds[index];
    if (kind->type != NULL)
        return kind;
    return kind->broken ? NULL : unknown(build, kind, element);
}
