/* SPDX-License-Identifier: MIT */
/* The reader of <block-type>: element by element in the order ports, parameters, variables,
 * memories, lets, start values, equations, events, so that each may name those before it; constants
 * and sizes of arrays before all. An element with a size is read once for each of its elements, an
 * equation once for each value of its indices: from here on there are scalars only. What a name
 * means is in type_names.c, parameters are in type_parameter.c, arrays in type_array.c, memories
 * and events in type_event.c. That names are well-formed and distinct, and that nothing required is
 * missing, the model room has checked. */
#include "blocks/read_type.h"

#include "blocks/type_reader.h"

#include "base/domain.h"
#include "base/sys.h"
#include "base/text.h"
#include "expression/graph.h"

#include <math.h>
#include <string.h>

/* ---- expressions ---- */

/* A start value: an expression of parameters; *parameter is its name if it is just one. */
static ln_node read_start(ln_type_reader *r, const ln_element *element, const char *text,
                          ln_dimension wanted, const char *name, const char **parameter) {
    const ln_names names = ln_type_names_resolver(r->names, LN_VIEW_PARAMETERS);
    ln_value value;
    *parameter = NULL;
    if (text == NULL || !ln_type_lower(r, text, &names, ln_place_of(element), &value))
        return LN_NONE;
    ln_type_check_fit(r, wanted, value.dimension, ln_place_of(element), "the start of", name);
    for (size_t k = 0; k < r->e->nparams; k++)
        for (int i = 0; i < r->e->params[k].rows * r->e->params[k].cols; i++)
            if (value.node == ln_param_item(r->e, (int)k, i))
                *parameter = r->e->params[k].name;
    return value.node;
}

/* ---- ports ---- */

static void unknown_domain(ln_type_reader *r, const ln_element *element, const char *domain) {
    const char *known[LINNET_DOMAINS];
    for (int k = 0; k < LINNET_DOMAINS; k++)
        known[k] = k == LINNET_SIGNAL ? NULL : ln_domain((linnet_domain)k)->name;
    const char *nearest = ln_nearest(domain, known, LINNET_DOMAINS);
    r->errors++;
    ln_error(r->report, ln_place_of(element), "port '%s': '%s' is no physical domain; %s%s",
             ln_name_of(element), domain,
             nearest != NULL ? "did you mean " : "signals are <input> and <output>",
             nearest != NULL ? nearest : "");
}

/* One port, or one for each element of a vector. */
static int add_port(ln_type_reader *r, const ln_element *element, const char *name, void *context) {
    linnet_port port = *(const linnet_port *)context;
    (void)element;
    port.name = name;
    ln_node node = ln_add_port(r->e, port);
    if (!r->e->failed)
        ln_type_names_add_port(r->names, port.name, port.domain, node,
                               ln_flux_of(r->e, (int)r->e->nports - 1));
    return !r->e->failed;
}

static void read_port(ln_type_reader *r, const ln_element *element) {
    const char *domain_name = ln_attribute_of(element, "domain");
    int domain = domain_name == NULL ? LINNET_SIGNAL : ln_domain_find(domain_name);
    linnet_port port = {ln_name_of(element), LINNET_SIGNAL, 0, ln_attribute_of(element, "doc")};
    if (strcmp(element->name, "input") == 0) {
        port.flags = LINNET_INPUT | (ln_type_yes(r, element, "optional") ? LINNET_OPTIONAL : 0);
    } else if (strcmp(element->name, "output") == 0) {
        port.flags = LINNET_OUTPUT;
    } else if (domain <= LINNET_SIGNAL) {
        unknown_domain(r, element, domain_name);
        return;
    } else {
        port.domain = (linnet_domain)domain;
        port.flags = ln_type_yes(r, element, "optional") ? LINNET_OPTIONAL : 0;
    }
    ln_array array;
    if (ln_type_array(r, element, &array))
        ln_type_each_element(r, element, &array, add_port, &port);
}

/* ---- variables, lets, start values ---- */

typedef struct variable_element {
    linnet_var var;
    ln_dimension dimension;
    int errors;
} variable_element;

static int add_variable(ln_type_reader *r, const ln_element *element, const char *name,
                        void *context) {
    const variable_element *like = context;
    const char *parameter;
    linnet_var var = like->var;
    /* The start of one element that is wrong is told once; the others are declared nevertheless. */
    const char *start_text = r->errors > like->errors ? NULL : ln_attribute_of(element, "start");
    var.name = name;
    ln_node start = read_start(r, element, start_text, like->dimension, name, &parameter);
    ln_node node = ln_add_variable(r->e, var, start, parameter);
    ln_type_names_add(r->names, name, LN_NAME_VARIABLE, node, like->dimension);
    return !r->e->failed;
}

/* An attribute that is a size. */
static void read_positive(ln_type_reader *r, const ln_element *element, const char *attribute,
                          const char *what, ln_dimension dimension, double *value) {
    const ln_type_scale scale = {dimension, 1, 0};
    if (!ln_type_bound(r, element, attribute, scale, value) || *value > 0)
        return;
    r->errors++;
    ln_error(r->report, ln_place_of(element), "the %s of '%s' must be above zero", what,
             ln_name_of(element));
}

static int is_wanted(const ln_type_reader *r, const char *state) {
    if (r->wanted == NULL)
        return 1;
    for (int k = 0; r->wanted[k] != NULL; k++)
        if (strcmp(r->wanted[k], state) == 0)
            return 1;
    return 0;
}

static void read_variable(ln_type_reader *r, const ln_element *element) {
    const char *name = ln_name_of(element);
    ln_array array;
    const int optional = ln_type_yes(r, element, "optional");
    if ((optional && !is_wanted(r, name)) || !ln_type_array(r, element, &array))
        return;
    const ln_dimension dimension = ln_type_unit(r, element, name, 1).dimension;
    linnet_var var = {name, ln_attribute_of(element, "unit"), 0,
                      0,    ln_attribute_of(element, "doc"),  0};
    if (strcmp(element->name, "state") == 0)
        var.flags |= LINNET_START_FIXED;
    if (optional)
        var.flags |= LINNET_ON_REQUEST;
    read_positive(r, element, "nominal", "nominal value", dimension, &var.nominal);
    read_positive(r, element, "absolute", "absolute tolerance", dimension, &var.absolute);
    ln_type_each_element(r, element, &array, add_variable,
                         &(variable_element){var, dimension, r->errors});
}

static int add_let(ln_type_reader *r, const ln_element *element, const char *name, void *context) {
    const ln_names names = ln_type_names_resolver(r->names, LN_VIEW_ALL);
    ln_value value;
    (void)context;
    if (!ln_type_lower(r, ln_attribute_of(element, "value"), &names, ln_place_of(element), &value))
        return 0;
    ln_add_let(r->e, (ln_named){name, value.node, ln_attribute_of(element, "doc")});
    ln_type_names_add(r->names, name, LN_NAME_LET, value.node, value.dimension);
    return !r->e->failed;
}

static void read_let(ln_type_reader *r, const ln_element *element) {
    ln_array array;
    if (ln_type_array(r, element, &array))
        ln_type_each_element(r, element, &array, add_let, NULL);
}

static void read_condition(ln_type_reader *r, const ln_element *element) {
    const char *of = ln_attribute_of(element, "of"), *parameter;
    const ln_names names = ln_type_names_resolver(r->names, LN_VIEW_ALL);
    ln_value left;
    if (!ln_type_lower(r, of, &names, ln_place_of(element), &left))
        return;
    ln_node value =
        read_start(r, element, ln_attribute_of(element, "value"), left.dimension, of, &parameter);
    ln_add_condition(r->e, (ln_condition){left.node, value, parameter, ln_place_of(element)});
}

/* ---- equations ---- */

/* The unit of a row as text in the arena; NULL: any. */
static const char *unit_text(ln_type_reader *r, ln_dimension dimension) {
    char text[64];
    if (dimension.any)
        return NULL;
    if (memcmp(dimension.exponent, ln_dimension_none.exponent, sizeof dimension.exponent) == 0)
        return "";
    ln_dimension_text(dimension, text);
    return ln_arena_string(r->e->arena, text);
}

/* Both sides at the indices in effect. */
static int lower_sides(ln_type_reader *r, const ln_element *element, ln_value value[2]) {
    const ln_names names = ln_type_names_resolver(r->names, LN_VIEW_ALL);
    const ln_ast *sides[2];
    ln_arena *scratch = ln_arena_new();
    if (scratch == NULL)
        return ln_no_memory(r->report) == LINNET_OK;
    int good = ln_ast_parse_equation(scratch, element->text, ln_place_of(element), r->report,
                                     &sides[0], &sides[1]);
    for (int k = 0; good && k < 2; k++)
        good = ln_type_lower_tree(r, scratch, sides[k], &names, ln_place_of(element), &value[k]);
    ln_arena_free(scratch);
    return good;
}

/* The equation with its indices, for messages. */
static const char *equation_text(ln_type_reader *r, const ln_element *element) {
    if (r->unroll.nindices == 0)
        return element->text;
    const char *indices = ln_unroll_indices(&r->unroll, r->e->arena);
    const char *text =
        indices == NULL ? NULL : ln_arena_printf(r->e->arena, "%s (%s)", element->text, indices);
    if (text == NULL)
        r->e->failed = 1;
    return text;
}

static int add_equation(ln_type_reader *r, const ln_element *element) {
    const ln_place place = ln_place_of(element);
    ln_value value[2];
    const char *text = equation_text(r, element);
    int good = text != NULL && lower_sides(r, element, value);
    if (good && !ln_dimension_fits(value[0].dimension, value[1].dimension)) {
        char left[64], right[64];
        ln_dimension_text(value[0].dimension, left);
        ln_dimension_text(value[1].dimension, right);
        ln_error(r->report, place, "the sides of '%s' do not fit: %s on the left, %s on the right",
                 text, left, right);
        good = 0;
    }
    if (!good)
        return 0;
    const char *unit = unit_text(r, ln_dimension_merge(value[0].dimension, value[1].dimension));
    ln_add_written(r->e, (ln_equation){value[0].node, value[1].node, text, unit, place});
    return !r->e->failed;
}

static int visit_equation(ln_type_reader *r, const ln_element *element, void *context) {
    (void)context;
    return add_equation(r, element);
}

/* The optional state of that name; NULL: there is none. */
static const ln_element *optional_state(const ln_body *body, const char *name) {
    for (int k = 0; k < body->nstates; k++) {
        const char *optional = ln_attribute_of(body->states[k], "optional");
        if (optional != NULL && strcmp(optional, "yes") == 0 &&
            strcmp(ln_name_of(body->states[k]), name) == 0)
            return body->states[k];
    }
    return NULL;
}

/* with="x": an equation that stands where the optional state x does. */
static void read_equation(ln_type_reader *r, const ln_element *element) {
    const char *with = ln_attribute_of(element, "with");
    if (with != NULL && optional_state(&r->definition->body, with) == NULL) {
        r->errors++;
        ln_error(r->report, ln_place_of(element),
                 "<equation>: with=\"%s\" names no state of this type with optional=\"yes\"", with);
        return;
    }
    if (with != NULL && !is_wanted(r, with))
        return;
    r->errors += !ln_type_repeat(r, element, visit_equation, NULL);
}

/* "x" or "x[i]" with a let's index. */
static void add_let_name(ln_text *text, const ln_element *element) {
    const char *index = ln_attribute_of(element, "index");
    ln_text_add(text, ln_name_of(element));
    if (index != NULL)
        ln_text_printf(text, "[%s]", index);
}

/* What `linnet blocks` shows: lets, equations and events as written. */
static const char *formula_text(ln_type_reader *r) {
    const ln_body *body = &r->definition->body;
    ln_text text = {0};
    for (int k = 0; k < body->nlets; k++) {
        if (text.length > 0)
            ln_text_add(&text, "\n");
        add_let_name(&text, body->lets[k]);
        ln_text_printf(&text, " = %s", ln_attribute_of(body->lets[k], "value"));
    }
    for (int k = 0; k < body->nequations; k++) {
        ln_text_printf(&text, "%s%s", text.length > 0 ? "\n" : "", body->equations[k]->text);
        ln_type_ranges_text(body->equations[k], &text);
    }
    for (int k = 0; k < body->nevents; k++) {
        if (text.length > 0)
            ln_text_add(&text, "\n");
        ln_type_event_text(body->events[k], &text);
    }
    const char *kept =
        text.failed ? NULL : ln_arena_string(r->e->arena, text.data != NULL ? text.data : "");
    ln_text_free(&text);
    if (kept == NULL)
        r->e->failed = 1;
    return kept;
}

static void read_all(ln_type_reader *r, const ln_element *const *elements, int count,
                     void (*read)(ln_type_reader *, const ln_element *)) {
    for (int k = 0; k < count; k++)
        read(r, elements[k]);
}

linnet_status ln_read_type(const ln_definition *definition, const double *const *given,
                           const char *const *wanted, ln_report *report, ln_equations **equations) {
    const ln_body *body = &definition->body;
    ln_type_reader r = {.definition = definition, .report = report, .wanted = wanted};
    r.e = ln_equations_new(definition->name);
    r.names = r.e == NULL ? NULL : ln_type_names_new(r.e);
    if (r.names == NULL) {
        ln_equations_free(r.e);
        return ln_no_memory(report);
    }
    const char *title = ln_arena_printf(r.e->arena, "block type '%s'", definition->name);
    const ln_subject before = ln_report_about(report, (ln_subject){title, NULL, NULL});
    r.title = title;
    r.all = ln_type_names_resolver(r.names, LN_VIEW_ALL);
    r.unroll.report = report;
    r.unroll.names = &r.all;
    r.e->doc = definition->doc;
    r.e->place = ln_place_of(definition->element);
    r.e->example = ln_attribute_of(definition->element, "example");
    ln_type_sizes(&r, given);
    read_all(&r, body->numbers, body->nnumbers, ln_type_number);
    read_all(&r, body->ports, body->nports, read_port);
    read_all(&r, body->parameters, body->nparameters, ln_type_parameter);
    read_all(&r, body->states, body->nstates, read_variable);
    read_all(&r, body->memories, body->nmemories, ln_type_memory);
    read_all(&r, body->lets, body->nlets, read_let);
    read_all(&r, body->starts, body->nstarts, read_condition);
    read_all(&r, body->equations, body->nequations, read_equation);
    read_all(&r, body->events, body->nevents, ln_type_event);
    ln_report_about(report, before);
    ln_type_names_free(r.names);
    ln_unroll_free(&r.unroll);
    ln_sys->release(r.arrays);
    ln_sys->release(r.constants);
    if (r.errors == 0)
        r.e->formula = formula_text(&r);
    linnet_status status = r.e->failed || ln_arena_failed(r.e->arena) ? ln_no_memory(report)
                           : r.errors > 0                             ? LINNET_MODEL
                                                                      : LINNET_OK;
    if (status != LINNET_OK)
        ln_equations_free(r.e);
    else
        *equations = r.e;
    return status;
}
