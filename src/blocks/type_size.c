/* SPDX-License-Identifier: MIT */
/* Integer parameters that decide sizes: `<input name="u" width="n"/>` with `<parameter name="n"
 * integer="yes"/>`.
 *
 * Such a parameter is a number in all that the type says, like a <number>, and its instances have a
 * class for each of its values. A type is recognised by what it says: a size, a range of an index
 * or a <number> names the parameter. */
#include "blocks/type_reader.h"

#include "base/sys.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static int is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* 1 when the name stands in the text as a word of its own. */
static int mentions(const char *text, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = text; at != NULL && (at = strstr(at, name)) != NULL; at += length)
        if ((at == text || !is_word(at[-1])) && !is_word(at[length]))
            return 1;
    return 0;
}

static int is_sized_by(const ln_element *element, const char *name) {
    static const char *const attributes[] = {"size", "width", "shape", "for"};
    for (size_t k = 0; k < sizeof attributes / sizeof *attributes; k++)
        if (mentions(ln_attribute_of(element, attributes[k]), name))
            return 1;
    for (const ln_element *child = element->first; child != NULL; child = child->next)
        if (is_sized_by(child, name))
            return 1;
    return 0;
}

static int some_sized_by(const ln_element *const *elements, int count, const char *name) {
    for (int k = 0; k < count; k++)
        if (is_sized_by(elements[k], name))
            return 1;
    return 0;
}

int ln_type_decides_sizes(const ln_definition *definition, const ln_element *parameter) {
    const ln_body *body = &definition->body;
    const char *integer = ln_attribute_of(parameter, "integer"), *name = ln_name_of(parameter);
    if (integer == NULL || strcmp(integer, "yes") != 0 ||
        ln_attribute_of(parameter, "size") != NULL)
        return 0;
    for (int k = 0; k < body->nnumbers; k++)
        if (mentions(ln_attribute_of(body->numbers[k], "value"), name))
            return 1;
    return some_sized_by(body->ports, body->nports, name) ||
           some_sized_by(body->parameters, body->nparameters, name) ||
           some_sized_by(body->states, body->nstates, name) ||
           some_sized_by(body->lets, body->nlets, name) ||
           some_sized_by(body->memories, body->nmemories, name) ||
           some_sized_by(body->events, body->nevents, name) ||
           some_sized_by(body->equations, body->nequations, name);
}

/* What the type is shown with: the default, else the least value, else a size in which indices have
 * neighbours. */
static double shown_value(ln_type_reader *r, const ln_element *element) {
    static const double some = 3;
    const char *text = ln_attribute_of(element, "default");
    const ln_type_scale number = {ln_dimension_none, 1, 0};
    double value, least = ln_type_bound(r, element, "min", number, &value) ? value : 1;
    if (text == NULL)
        return fmax(least, some);
    const ln_names nothing = ln_type_names_nothing();
    ln_dimension dimension;
    const ln_ast *ast = ln_ast_parse(r->e->arena, text, ln_place_of(element), r->report);
    if (ast != NULL &&
        ln_evaluate(ast, &nothing, ln_place_of(element), r->report, &value, &dimension))
        return value;
    r->errors++;
    return least;
}

void ln_type_sizes(ln_type_reader *r, const double *const *given) {
    const ln_body *body = &r->definition->body;
    r->of_instance = given != NULL;
    for (int k = 0; k < body->nparameters; k++) {
        const ln_element *element = body->parameters[k];
        if (!ln_type_decides_sizes(r->definition, element))
            continue;
        if (!LN_GROW(r->constants, r->unroll.nconstants, r->constant_room)) {
            r->e->failed = 1;
            return;
        }
        const double value = given != NULL ? given[k][0] : shown_value(r, element);
        r->constants[r->unroll.nconstants++] =
            (ln_bound){ln_name_of(element), value, ln_dimension_plain};
        r->unroll.constants = r->constants;
    }
}
