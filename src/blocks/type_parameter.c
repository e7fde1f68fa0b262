/* SPDX-License-Identifier: MIT */
/* Parameters of a <block-type>: unit, range, default; lists and matrices of them. */
#include "blocks/type_reader.h"

#include <math.h>
#include <string.h>

static void read_range(ln_type_reader *r, const ln_element *element, linnet_param *param,
                       ln_type_scale scale) {
    static const struct {
        const char *closed, *open;
        unsigned flag;
    } sides[] = {{"min", "above", LINNET_OPEN_MIN}, {"max", "below", LINNET_OPEN_MAX}};
    double *const bounds[] = {&param->min, &param->max};
    param->min = -INFINITY, param->max = INFINITY;
    for (int k = 0; k < 2; k++) {
        int closed = ln_type_bound(r, element, sides[k].closed, scale, bounds[k]);
        int open = ln_type_bound(r, element, sides[k].open, scale, bounds[k]);
        if (open)
            param->flags |= sides[k].flag;
        if (!closed || !open)
            continue;
        r->errors++;
        ln_error(r->report, ln_place_of(element), "parameter '%s' has both %s and %s; keep one",
                 param->name, sides[k].closed, sides[k].open);
    }
    if (!(param->min > param->max))
        return;
    r->errors++;
    ln_error(r->report, ln_place_of(element), "parameter '%s' has no value left between %g and %g",
             param->name, param->min, param->max);
}

/* A list or matrix of constants in the size of the parameter. */
static int read_list_default(ln_type_reader *r, const ln_element *element, const char *text,
                             const linnet_param *param, ln_dimension dimension, ln_arena *scratch) {
    const ln_names nothing = ln_type_names_nothing();
    const ln_place place = ln_place_of(element);
    int rows, cols;
    const ln_ast **items = ln_ast_parse_list(scratch, text, place, r->report, &rows, &cols);
    if (items == NULL)
        return 0;
    if (rows != param->rows || cols != param->cols) {
        ln_error(r->report, place,
                 "the default of '%s' has %d x %d elements, its size asks for %d x %d", param->name,
                 rows, cols, param->rows, param->cols);
        return 0;
    }
    for (int k = 0; k < rows * cols; k++) {
        double value;
        ln_dimension given;
        if (!ln_evaluate(items[k], &nothing, place, r->report, &value, &given))
            return 0;
        ln_type_check_fit(r, dimension, given, place, "parameter", param->name);
    }
    return 1;
}

static void check_list_default(ln_type_reader *r, const ln_element *element, const char *text,
                               const linnet_param *param, ln_dimension dimension) {
    ln_arena *scratch = ln_arena_new();
    if (scratch == NULL)
        r->e->failed = 1;
    else
        r->errors += !read_list_default(r, element, text, param, dimension, scratch);
    ln_arena_free(scratch);
}

/* The default is an expression of parameters that stand before; constants of the type mean nothing
 * where it counts. */
static void check_default(ln_type_reader *r, const ln_element *element, const char *text,
                          const char *name, ln_dimension dimension) {
    const ln_names names = ln_type_names_resolver(r->names, LN_VIEW_PARAMETERS);
    const size_t nconstants = r->unroll.nconstants;
    ln_value value;
    r->unroll.nconstants = 0;
    if (ln_type_lower(r, text, &names, ln_place_of(element), &value))
        ln_type_check_fit(r, dimension, value.dimension, ln_place_of(element), "parameter", name);
    r->unroll.nconstants = nconstants;
}

typedef struct param_items {
    int param, item;
    ln_dimension dimension;
} param_items;

static int name_item(ln_type_reader *r, const ln_element *element, const char *name,
                     void *context) {
    param_items *items = context;
    (void)element;
    ln_type_names_add(r->names, name, LN_NAME_PARAMETER,
                      ln_param_item(r->e, items->param, items->item++), items->dimension);
    return 1;
}

/* also="Vz U_z": other names of the parameter. */
static void read_aliases(ln_type_reader *r, const ln_element *element, const char *name) {
    const char *at = ln_attribute_of(element, "also");
    for (size_t length; at != NULL && (length = strcspn(at, " ")) > 0;
         at += length, at += strspn(at, " ")) {
        const char *alias = ln_arena_text(r->e->arena, at, length);
        if (alias == NULL)
            r->e->failed = 1;
        else
            ln_add_alias(r->e, alias, name);
    }
}

void ln_type_parameter(ln_type_reader *r, const ln_element *element) {
    const char *name = ln_name_of(element);
    ln_array array;
    if (!ln_type_array(r, element, &array))
        return;
    const ln_type_scale scale = ln_type_unit(r, element, name, 0);
    linnet_param param = {.name = name,
                          .unit = ln_attribute_of(element, "unit"),
                          .doc = ln_attribute_of(element, "doc"),
                          .default_text = ln_attribute_of(element, "default"),
                          .unless = ln_attribute_of(element, "unless")};
    if (array.dimensions > 0)
        param.flags |= array.dimensions == 1 ? LINNET_LIST : LINNET_MATRIX;
    param.rows = array.dimensions == 1 ? 1 : array.size[0];
    param.cols = array.dimensions == 1 ? array.size[0] : array.size[1];
    if (param.default_text == NULL)
        param.flags |= LINNET_REQUIRED;
    else if (array.dimensions > 0 && r->of_instance)
        param.default_text = NULL;
    else if (array.dimensions > 0)
        check_list_default(r, element, param.default_text, &param, scale.dimension);
    else
        check_default(r, element, param.default_text, name, scale.dimension);
    if (ln_type_yes(r, element, "integer"))
        param.flags |= LINNET_INTEGER;
    if (ln_type_decides_sizes(r->definition, element))
        param.flags |= LINNET_STRUCTURAL;
    read_range(r, element, &param, scale);
    read_aliases(r, element, name);
    param_items items = {ln_add_param(r->e, param), 0, scale.dimension};
    if (!r->e->failed)
        ln_type_each_element(r, element, &array, name_item, &items);
}
