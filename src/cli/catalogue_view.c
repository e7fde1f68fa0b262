/* SPDX-License-Identifier: MIT */
/* Gathers what there is to say about a type from its tables, or from the elements of a component.
 */
#include "cli/catalogue_view.h"

#include "base/domain.h"
#include "base/text.h"
#include "model/model.h"
#include "model/tree.h"
#include <math.h>
#include <string.h>

/* ---- classes ---- */

static ln_view_port port_view(const linnet_port *port) {
    const char *role = port->flags & LINNET_INPUT    ? "input"
                       : port->flags & LINNET_OUTPUT ? "output"
                                                     : "port";
    return (ln_view_port){
        port->name, ln_domain(port->domain)->name,    port->doc,
        role,       (port->flags & LINNET_MANY) != 0, (port->flags & LINNET_OPTIONAL) != 0};
}

static const char *range_text(ln_arena *arena, const linnet_param *param) {
    char low[32], high[32];
    ln_number_format(low, param->min);
    ln_number_format(high, param->max);
    const char *above = param->flags & LINNET_OPEN_MIN ? ">" : ">=",
               *below = param->flags & LINNET_OPEN_MAX ? "<" : "<=";
    if (param->flags & LINNET_TEXT || (isinf(param->min) && isinf(param->max)))
        return "";
    if (isinf(param->max))
        return ln_arena_printf(arena, "%s %s", above, low);
    if (isinf(param->min))
        return ln_arena_printf(arena, "%s %s", below, high);
    if (param->flags & (LINNET_OPEN_MIN | LINNET_OPEN_MAX))
        return ln_arena_printf(arena, "%s %s, %s %s", above, low, below, high);
    return ln_arena_printf(arena, "%s to %s", low, high);
}

static ln_view_param param_view(ln_arena *arena, const linnet_param *param) {
    const char *kind = param->flags & LINNET_TEXT      ? "text"
                       : param->flags & LINNET_MATRIX  ? "matrix"
                       : param->flags & LINNET_LIST    ? "list"
                       : param->flags & LINNET_INTEGER ? "integer"
                                                       : "number";
    return (ln_view_param){param->name,
                           param->unit != NULL ? param->unit : "",
                           param->doc,
                           kind,
                           param->default_text,
                           range_text(arena, param),
                           (param->flags & LINNET_REQUIRED) != 0};
}

static int names_a_port(const linnet_block_class *face, const char *name, size_t length) {
    for (int k = 0; k < face->nports; k++)
        if (strlen(face->ports[k].name) == length &&
            strncmp(face->ports[k].name, name, length) == 0)
            return 1;
    return 0;
}

/* Adds a name unless the type uses it for something of its own. */
static void add_value(const ln_view *view, ln_view_value *values, int *count, const char *name,
                      const char *unit, const char *doc) {
    for (int k = 0; k < *count; k++)
        if (strcmp(values[k].name, name) == 0)
            return;
    for (int k = 0; k < view->nparams; k++)
        if (strcmp(view->params[k].name, name) == 0)
            return;
    values[(*count)++] = (ln_view_value){name, unit != NULL ? unit : "", doc};
}

/* Of two ports of a domain the drop and the flux into the first, of more the flux into each. */
static void domain_values(const linnet_block_class *face, int domain, ln_arena *arena,
                          const ln_view *view, ln_view_value *values, int *count) {
    const ln_domain_info *info = ln_domain((linnet_domain)domain);
    int ports[64], n = 0;
    for (int k = 0; k < face->nports && n < 64; k++)
        if ((int)face->ports[k].domain == domain)
            ports[n++] = k;
    if (n == 0)
        return;
    const char *first = face->ports[ports[0]].name;
    const char *drop = n == 1 ? ln_arena_printf(arena, "potential of %s", first)
                              : ln_arena_printf(arena, "potential of %s minus that of %s", first,
                                                face->ports[ports[1]].name);
    add_value(view, values, count, info->potential, info->potential_unit, drop);
    add_value(view, values, count, info->flux, info->flux_unit,
              ln_arena_printf(arena, "flux into %s", first));
    for (int k = 1; n > 2 && k < n; k++) {
        const char *name = ln_arena_printf(arena, "%s.%s", face->ports[ports[k]].name, info->flux);
        if (name != NULL)
            add_value(view, values, count, name, info->flux_unit,
                      ln_arena_printf(arena, "flux into %s", face->ports[ports[k]].name));
    }
}

static int has_power(const linnet_block_class *face) {
    int some = 0;
    for (int k = 0; k < face->nports; k++) {
        if (face->ports[k].domain == LINNET_SIGNAL)
            continue;
        if (ln_domain(face->ports[k].domain)->power == LN_POWER_NONE)
            return 0;
        some = 1;
    }
    return some;
}

/* An observed value. A unit with bars is a list of words: "region it works in: off|active". */
static void add_observed(const linnet_block_class *face, int k, ln_arena *arena, ln_view *view,
                         ln_view_value *values, int *count) {
    const char *unit = face->observed_units != NULL ? face->observed_units[k] : NULL;
    const char *doc = face->observed_docs != NULL ? face->observed_docs[k] : NULL;
    const int words = unit != NULL && strchr(unit, '|') != NULL;
    if (words && doc != NULL)
        doc = ln_arena_printf(arena, "%s: %s", doc, unit);
    add_value(view, values, count, face->observed[k], words ? "" : unit, doc);
}

static int class_values(const linnet_block_class *face, ln_arena *arena, ln_view *view) {
    int most = face->nvars + face->nmemories + face->nobserved + 2 * face->nports +
               2 * LINNET_DOMAINS + 1,
        count = 0;
    ln_view_value *values = LN_NEW(arena, ln_view_value, most);
    if (values == NULL)
        return 0;
    for (int k = 0; k < face->nvars; k++) {
        const char *dot = strchr(face->vars[k].name, '.');
        if (dot != NULL &&
            names_a_port(face, face->vars[k].name, (size_t)(dot - face->vars[k].name)))
            continue;
        add_value(view, values, &count, face->vars[k].name, face->vars[k].unit, face->vars[k].doc);
    }
    for (int k = 0; k < face->nmemories; k++)
        if (face->memories[k].name != NULL)
            add_value(view, values, &count, face->memories[k].name, face->memories[k].unit,
                      face->memories[k].doc);
    for (int k = 0; k < face->nobserved; k++)
        add_observed(face, k, arena, view, values, &count);
    for (int k = 0; k < face->nports; k++)
        if (face->ports[k].flags & LINNET_OUTPUT)
            add_value(view, values, &count, face->ports[k].name, NULL, face->ports[k].doc);
    for (int d = LINNET_SIGNAL + 1; d < LINNET_DOMAINS; d++)
        domain_values(face, d, arena, view, values, &count);
    if (has_power(face))
        add_value(view, values, &count, "P", "W", "power into the block");
    view->values = values;
    view->nvalues = count;
    return 1;
}

static int class_view(const linnet_block_class *face, ln_arena *arena, ln_view *view) {
    ln_view_port *ports = LN_NEW(arena, ln_view_port, face->nports);
    ln_view_param *params = LN_NEW(arena, ln_view_param, face->nparams);
    if (ports == NULL || params == NULL)
        return 0;
    view->doc = face->doc;
    view->formula = face->formula;
    view->example = face->example;
    for (int k = 0; k < face->nports; k++)
        ports[k] = port_view(&face->ports[k]);
    for (int k = 0; k < face->nparams; k++)
        params[k] = param_view(arena, &face->params[k]);
    view->ports = ports;
    view->nports = face->nports;
    view->params = params;
    view->nparams = face->nparams;
    return class_values(face, arena, view);
}

/* ---- components ---- */

static int component_view(const ln_definition *definition, ln_arena *arena, ln_view *view) {
    const ln_body *body = &definition->body;
    ln_view_port *ports = LN_NEW(arena, ln_view_port, body->nports);
    ln_view_param *params = LN_NEW(arena, ln_view_param, body->nparameters);
    if (ports == NULL || params == NULL)
        return 0;
    view->is_component = 1;
    view->doc = definition->doc;
    view->example = ln_attribute_of(definition->element, "example");
    for (int k = 0; k < body->nports; k++) {
        const ln_element *element = body->ports[k];
        int physical = strcmp(element->name, "port") == 0;
        ports[k] = (ln_view_port){ln_attribute_of(element, "name"),
                                  physical ? ln_attribute_of(element, "domain") : "signal",
                                  ln_attribute_of(element, "doc"),
                                  element->name,
                                  0,
                                  0};
    }
    for (int k = 0; k < body->nparameters; k++) {
        const ln_element *node = body->parameters[k];
        const char *standard = ln_attribute_of(node, "default"),
                   *unit = ln_attribute_of(node, "unit");
        params[k] = (ln_view_param){ln_attribute_of(node, "name"),
                                    unit != NULL ? unit : "",
                                    ln_attribute_of(node, "doc"),
                                    "number",
                                    standard,
                                    "",
                                    standard == NULL};
    }
    view->ports = ports;
    view->nports = body->nports;
    view->params = params;
    view->nparams = body->nparameters;
    return 1;
}

int ln_view_make(const ln_type *type, ln_arena *arena, ln_view *view) {
    *view = (ln_view){.name = type->name, .group = type->group};
    const int made = type->face != NULL ? class_view(type->face, arena, view)
                                        : component_view(type->definition, arena, view);
    return made && !ln_arena_failed(arena); /* texts were composed, too */
}
