/* SPDX-License-Identifier: MIT */
/* The reader of <block-type>: element by element in the order ports, parameters, variables, lets, start values,
 * equations, so that each may name those before it. What a name means is in type_names.c. That names are well-formed
 * and distinct, and that nothing required is missing, the model room has checked. */
#include "blocks/read_type.h"

#include "base/domain.h"
#include "blocks/type_names.h"

#include <math.h>
#include <string.h>

typedef struct reader {
    const ln_definition *definition;
    ln_equations *e;
    ln_report *report;
    ln_type_names *names;
    int errors;
} reader;

static const char *name_of(const ln_element *it) { return ln_attribute_of(it, "name"); }

/* Dimension of the unit attribute (none: any), its factor and offset. coherent: it must be SI without a prefix. */
static ln_dimension read_unit(reader *r, const ln_element *it, const char *name, int coherent, double *factor,
                              double *offset) {
    const char *unit = ln_attribute_of(it, "unit"), *nearest = NULL;
    ln_dimension dimension = ln_dimension_any;
    *factor = 1, *offset = 0;
    if (unit == NULL) return dimension;
    if (!ln_unit_read(unit, factor, offset, &dimension, &nearest)) {
        r->errors++;
        ln_error(r->report, ln_place_of(it), "%s '%s' has the unknown unit '%s'%s%s%s", it->name,
                 name, unit, nearest != NULL ? "; the nearest is '" : "", nearest != NULL ? nearest : "",
                 nearest != NULL ? "'" : "");
        *factor = 1, *offset = 0;
        return ln_dimension_any;
    }
    if (coherent && (*factor != 1 || *offset != 0)) {
        char text[64];
        ln_dimension_text(dimension, text);
        r->errors++;
        ln_error(r->report, ln_place_of(it), "equations work in SI units; give %s '%s' in %s, not %s", it->name, name,
                 text, unit);
    }
    return dimension;
}

/* ---- expressions ---- */

static int lower(reader *r, const char *text, const ln_names *names, ln_place place, ln_value *value) {
    const ln_ast *ast = ln_ast_parse(r->e->arena, text, place, r->report);
    if (ast != NULL && ln_lower(r->e->graph, ast, names, place, r->report, value)) return 1;
    r->errors++;
    return 0;
}

static void check_fit(reader *r, ln_dimension a, ln_dimension b, ln_place place, const char *what, const char *name) {
    char left[64], right[64];
    if (ln_dimension_fits(a, b)) return;
    ln_dimension_text(a, left);
    ln_dimension_text(b, right);
    r->errors++;
    ln_error(r->report, place, "%s '%s' is in %s, its value in %s; make them agree", what, name, left, right);
}

/* A start value: an expression of parameters; *parameter is its name if it is just one. */
static ln_node read_start(reader *r, const ln_element *it, const char *text, ln_dimension wanted, const char *name,
                          const char **parameter) {
    const ln_names names = ln_type_names_resolver(r->names, 1);
    ln_value value;
    *parameter = NULL;
    if (text == NULL || !lower(r, text, &names, ln_place_of(it), &value)) return LN_NONE;
    check_fit(r, wanted, value.dimension, ln_place_of(it), "the start of", name);
    for (size_t k = 0; k < r->e->nparams; k++)
        if (value.node == ln_param_item(r->e, (int)k, 0)) *parameter = r->e->params[k].name;
    return value.node;
}

/* ---- ports ---- */

/* An attribute that says yes or no; no when absent. */
static int read_yes(reader *r, const ln_element *it, const char *attribute) {
    const char *value = ln_attribute_of(it, attribute);
    if (value == NULL || strcmp(value, "no") == 0) return 0;
    if (strcmp(value, "yes") == 0) return 1;
    r->errors++;
    ln_error(r->report, ln_place_of(it), "%s of '%s' is '%s'; write yes or no", attribute, name_of(it), value);
    return 0;
}

static void unknown_domain(reader *r, const ln_element *it, const char *domain) {
    const char *known[LINNET_DOMAINS];
    for (int k = 0; k < LINNET_DOMAINS; k++) known[k] = k == LINNET_SIGNAL ? NULL : ln_domain((linnet_domain)k)->name;
    const char *nearest = ln_nearest(domain, known, LINNET_DOMAINS);
    r->errors++;
    ln_error(r->report, ln_place_of(it), "port '%s': '%s' is no physical domain; %s%s",
             name_of(it), domain, nearest != NULL ? "did you mean " : "signals are <input> and <output>",
             nearest != NULL ? nearest : "");
}

static void read_port(reader *r, const ln_element *it) {
    const char *domain_name = ln_attribute_of(it, "domain");
    int domain = domain_name == NULL ? LINNET_SIGNAL : ln_domain_find(domain_name);
    linnet_port port = {name_of(it), LINNET_SIGNAL, 0, ln_attribute_of(it, "doc")};
    if (strcmp(it->name, "input") == 0) {
        port.flags = LINNET_INPUT;
    } else if (strcmp(it->name, "output") == 0) {
        port.flags = LINNET_OUTPUT;
    } else if (domain <= LINNET_SIGNAL) {
        unknown_domain(r, it, domain_name);
        return;
    } else {
        port.domain = (linnet_domain)domain;
        port.flags = read_yes(r, it, "optional") ? LINNET_OPTIONAL : 0;
    }
    ln_node node = ln_add_port(r->e, port);
    if (!r->e->failed)
        ln_type_names_add_port(r->names, port.name, port.domain, node, ln_flux_of(r->e, (int)r->e->nports - 1));
}

/* ---- parameters ---- */

/* A bound: a constant; a bare number takes the parameter's unit. */
static int read_bound(reader *r, const ln_element *it, const char *attribute, const char *name, ln_dimension dimension,
                      double factor, double offset, double *value) {
    const char *text = ln_attribute_of(it, attribute);
    if (text == NULL) return 0;
    const ln_names nothing = ln_type_names_nothing();
    ln_dimension given;
    const ln_ast *ast = ln_ast_parse(r->e->arena, text, ln_place_of(it), r->report);
    if (ast == NULL || !ln_evaluate(ast, &nothing, ln_place_of(it), r->report, value, &given)) {
        r->errors++;
        return 0;
    }
    check_fit(r, dimension, given, ln_place_of(it), "parameter", name);
    if (given.any) *value = *value * factor + offset;
    return 1;
}

static void read_range(reader *r, const ln_element *it, linnet_param *param, ln_dimension dimension, double factor,
                       double offset) {
    static const struct { const char *closed, *open; unsigned flag; } sides[] = {
        {"min", "above", LINNET_OPEN_MIN}, {"max", "below", LINNET_OPEN_MAX}};
    double *const bounds[] = {&param->min, &param->max};
    param->min = -INFINITY, param->max = INFINITY;
    for (int k = 0; k < 2; k++) {
        int closed = read_bound(r, it, sides[k].closed, param->name, dimension, factor, offset, bounds[k]);
        int open = read_bound(r, it, sides[k].open, param->name, dimension, factor, offset, bounds[k]);
        if (open) param->flags |= sides[k].flag;
        if (!closed || !open) continue;
        r->errors++;
        ln_error(r->report, ln_place_of(it), "parameter '%s' has both %s and %s; keep one",
                 param->name, sides[k].closed, sides[k].open);
    }
    if (!(param->min > param->max)) return;
    r->errors++;
    ln_error(r->report, ln_place_of(it), "parameter '%s' has no value left between %g and %g",
             param->name, param->min, param->max);
}

/* The default is an expression of parameters that stand before. */
static void check_default(reader *r, const ln_element *it, const char *text, const char *name, ln_dimension dimension) {
    const ln_names names = ln_type_names_resolver(r->names, 1);
    ln_value value;
    if (lower(r, text, &names, ln_place_of(it), &value))
        check_fit(r, dimension, value.dimension, ln_place_of(it), "parameter", name);
}

static void read_parameter(reader *r, const ln_element *it) {
    const char *name = name_of(it);
    double factor, offset;
    ln_dimension dimension = read_unit(r, it, name, 0, &factor, &offset);
    linnet_param param = {.name = name, .unit = ln_attribute_of(it, "unit"), .doc = ln_attribute_of(it, "doc"),
                          .default_text = ln_attribute_of(it, "default")};
    if (param.default_text == NULL) param.flags |= LINNET_REQUIRED;
    else check_default(r, it, param.default_text, name, dimension);
    if (read_yes(r, it, "integer")) param.flags |= LINNET_INTEGER;
    read_range(r, it, &param, dimension, factor, offset);
    int index = ln_add_param(r->e, param);
    ln_type_names_add(r->names, name, LN_NAME_PARAMETER, ln_param_item(r->e, index, 0), dimension);
}

/* ---- variables, lets, start values ---- */

static void read_variable(reader *r, const ln_element *it) {
    const char *name = name_of(it), *nominal = ln_attribute_of(it, "nominal"), *parameter;
    double factor, offset;
    ln_dimension dimension = read_unit(r, it, name, 1, &factor, &offset);
    ln_node start = read_start(r, it, ln_attribute_of(it, "start"), dimension, name, &parameter);
    linnet_var var = {name, ln_attribute_of(it, "unit"), 0, 0, ln_attribute_of(it, "doc")};
    if (strcmp(it->name, "state") == 0) var.flags |= LINNET_START_FIXED;
    if (nominal != NULL && read_bound(r, it, "nominal", name, dimension, 1, 0, &var.nominal) && !(var.nominal > 0)) {
        r->errors++;
        ln_error(r->report, ln_place_of(it), "the nominal value of '%s' must be above zero", name);
    }
    ln_node node = ln_add_variable(r->e, var, start, parameter);
    ln_type_names_add(r->names, name, LN_NAME_VARIABLE, node, dimension);
}

static void read_let(reader *r, const ln_element *it) {
    const ln_names names = ln_type_names_resolver(r->names, 0);
    ln_value value;
    if (!lower(r, ln_attribute_of(it, "value"), &names, ln_place_of(it), &value)) return;
    ln_add_let(r->e, (ln_named){name_of(it), value.node});
    ln_type_names_add(r->names, name_of(it), LN_NAME_LET, value.node, value.dimension);
}

static void read_condition(reader *r, const ln_element *it) {
    const char *of = ln_attribute_of(it, "of"), *parameter;
    const ln_names names = ln_type_names_resolver(r->names, 0);
    ln_value left;
    if (!lower(r, of, &names, ln_place_of(it), &left)) return;
    ln_node value = read_start(r, it, ln_attribute_of(it, "value"), left.dimension, of, &parameter);
    ln_add_condition(r->e, (ln_condition){left.node, value, parameter, ln_place_of(it)});
}

/* ---- equations ---- */

/* The unit of a row as text in the arena; NULL: any. */
static const char *unit_text(reader *r, ln_dimension dimension) {
    char text[64];
    if (dimension.any) return NULL;
    if (memcmp(dimension.exponent, ln_dimension_none.exponent, sizeof dimension.exponent) == 0) return "";
    ln_dimension_text(dimension, text);
    return ln_arena_string(r->e->arena, text);
}

static void read_equation(reader *r, const ln_element *it) {
    const ln_names names = ln_type_names_resolver(r->names, 0);
    const ln_place place = ln_place_of(it);
    const ln_ast *sides[2];
    ln_value value[2];
    int good = ln_ast_parse_equation(r->e->arena, it->text, place, r->report, &sides[0], &sides[1]);
    for (int k = 0; good && k < 2; k++) good = ln_lower(r->e->graph, sides[k], &names, place, r->report, &value[k]);
    if (good && !ln_dimension_fits(value[0].dimension, value[1].dimension)) {
        char left[64], right[64];
        ln_dimension_text(value[0].dimension, left);
        ln_dimension_text(value[1].dimension, right);
        ln_error(r->report, place, "the sides of '%s' do not fit: %s on the left, %s on the right", it->text, left,
                 right);
        good = 0;
    }
    if (!good) {
        r->errors++;
        return;
    }
    const char *unit = unit_text(r, ln_dimension_merge(value[0].dimension, value[1].dimension));
    ln_add_written(r->e, (ln_equation){value[0].node, value[1].node, it->text, unit, place});
}

/* What `linnet blocks` shows: lets and equations as written. */
static const char *formula_text(reader *r) {
    const ln_body *body = &r->definition->body;
    ln_text text = {0};
    for (int k = 0; k < body->nlets; k++)
        ln_text_printf(&text, "%s%s = %s", text.length > 0 ? "\n" : "", ln_attribute_of(body->lets[k], "name"),
                       ln_attribute_of(body->lets[k], "value"));
    for (int k = 0; k < body->nequations; k++)
        ln_text_printf(&text, "%s%s", text.length > 0 ? "\n" : "", body->equations[k]->text);
    const char *kept = text.failed ? NULL : ln_arena_string(r->e->arena, text.data != NULL ? text.data : "");
    ln_text_free(&text);
    if (kept == NULL) r->e->failed = 1;
    return kept;
}

static void read_all(reader *r, const ln_element *const *elements, int count,
                     void (*read)(reader *, const ln_element *)) {
    for (int k = 0; k < count; k++) read(r, elements[k]);
}

linnet_status ln_read_type(const ln_definition *definition, ln_report *report, ln_equations **equations) {
    const ln_body *body = &definition->body;
    reader r = {.definition = definition, .report = report};
    r.e = ln_equations_new(definition->name);
    r.names = r.e == NULL ? NULL : ln_type_names_new(r.e);
    if (r.names == NULL) {
        ln_equations_free(r.e);
        return ln_no_memory(report);
    }
    const char *title = ln_arena_printf(r.e->arena, "block type '%s'", definition->name);
    const ln_subject before = ln_report_about(report, (ln_subject){title, NULL, NULL});
    r.e->doc = definition->doc;
    r.e->place = ln_place_of(definition->element);
    r.e->example = ln_attribute_of(definition->element, "example");
    read_all(&r, body->ports, body->nports, read_port);
    read_all(&r, body->parameters, body->nparameters, read_parameter);
    read_all(&r, body->states, body->nstates, read_variable);
    read_all(&r, body->lets, body->nlets, read_let);
    read_all(&r, body->starts, body->nstarts, read_condition);
    read_all(&r, body->equations, body->nequations, read_equation);
    ln_report_about(report, before);
    ln_type_names_free(r.names);
    if (r.errors == 0) r.e->formula = formula_text(&r);
    linnet_status status = r.e->failed ? ln_no_memory(report) : r.errors > 0 ? LINNET_MODEL : LINNET_OK;
    if (status != LINNET_OK) ln_equations_free(r.e);
    else *equations = r.e;
    return status;
}
