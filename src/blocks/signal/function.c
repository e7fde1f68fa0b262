/* SPDX-License-Identifier: MIT */
/* function: out = any expression of its inputs u1, u2, ... (u is u1), of t and of the parameters in
 * scope. */
#include "blocks/signal/sized.h"
#include "blocks/equations.h"
#include "expression/ast.h"
#include "expression/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { IN, OUT };
static const linnet_port ports[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT | LINNET_MANY | LINNET_OPTIONAL, "inputs u1, u2, ..."},
    {"out", LINNET_SIGNAL, LINNET_OUTPUT, "value of the expression"},
};
static const linnet_param params[] = {{.name = "expression",
                                       LN_FREE,
                                       .flags = LINNET_TEXT | LINNET_REQUIRED,
                                       .doc = "of u1, u2, ... (or u), t and parameters in scope"}};
static const linnet_block_class face = {
    .abi = LINNET_ABI,
    .name = "function",
    .doc = "Any expression of signals and time",
    .formula = "out = expression(u1, u2, ..., t)",
    .example = "<function id=\"f\" in=\"a b\" out=\"y\" expression=\"2*u1 + sqrt(abs(u2))\"/>",
    .ports = ports,
    .nports = 2,
    .params = params,
    .nparams = 1,
    .reference_port = -1};

typedef struct scope {
    ln_equations *equations;
    const ln_shape *shape;
} scope;

/* Number of the input that a name "u", "u3" means, from 1; 0 for another name. */
static int input_number(const char *name) {
    if (name[0] != 'u')
        return 0;
    if (name[1] == '\0')
        return 1;
    if (name[1] == '0' || strlen(name) > 6 || name[1 + strspn(name + 1, "0123456789")] != '\0')
        return 0;
    return (int)strtol(name + 1, NULL, 10);
}

/* Inputs and time; all else is a parameter in scope, which is a number here. */
static int find(void *context, const char *name, int column, ln_value *value) {
    const scope *names = context;
    ln_graph *graph = names->equations->graph;
    int number = input_number(name);
    value->dimension = ln_dimension_any;
    if (number > 0 && number <= names->shape->links[IN]) {
        value->node = ln_sized_port(names->equations, names->shape, IN, number - 1);
        return 1;
    }
    if (strcmp(name, "t") == 0) {
        value->node = ln_leaf_node(graph, LN_LEAF_TIME, 0);
        return 1;
    }
    const ln_names *scope_names = names->shape->names;
    return scope_names != NULL ? scope_names->find(scope_names->context, name, column, value) : 0;
}

/* All names that may be meant, for the hint at a misspelt one. */
static const char **known_names(const ln_shape *shape, ln_arena *arena, size_t *count) {
    size_t inputs = (size_t)shape->links[IN],
           parameters = shape->names != NULL ? shape->names->nknown : 0;
    const char **names = LN_NEW(arena, const char *, inputs + parameters + 1);
    *count = 0;
    if (names == NULL)
        return NULL;
    for (size_t k = 0; k < inputs; k++)
        names[(*count)++] = ln_arena_printf(arena, "u%zu", k + 1);
    for (size_t k = 0; k < parameters; k++)
        names[(*count)++] = shape->names->known[k];
    names[(*count)++] = "t";
    return names;
}

static linnet_status describe(const ln_shape *shape, ln_equations *e, ln_report *report) {
    LN_TRY(ln_sized_begin(&face, shape, e, report));
    scope context = {e, shape};
    ln_names names = {find, &context, NULL, 0, NULL, 1};
    names.known = known_names(shape, e->arena, &names.nknown);
    const ln_ast *ast = ln_ast_parse(e->arena, shape->texts[0], shape->place, report);
    ln_value value;
    if (ast == NULL || !ln_lower(e->graph, ast, &names, shape->place, report, &value))
        return LINNET_MODEL;
    if (ln_depends(e->graph, value.node) & LN_DEPENDS_DER)
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "der() has no place here; use a <derivative> block for '%s'",
                       shape->texts[0]);
    ln_add_equation(e, ln_sized_port(e, shape, OUT, 0), value.node);
    return LINNET_OK;
}

const ln_type ln_type_function = {"function", "signal", &face, describe, NULL, NULL, NULL, NULL};
