/* SPDX-License-Identifier: MIT */
/* Arrays of a <block-type>: their sizes and indices, and the numbers that both are made of. An
 * array is read element by element: what reads one is called with the element's name, "x[3]", while
 * its indices are in effect. */
#include "blocks/type_reader.h"

#include "base/sys.h"

#include <math.h>
#include <string.h>

/* One or two whole numbers, at least 1, separated by a comma; 0 after an error. */
static int read_sizes(ln_type_reader *r, const ln_element *element, const char *text,
                      ln_arena *scratch, ln_array *array) {
    int rows = 1, cols = 1;
    const ln_place place = ln_place_of(element);
    const ln_ast *one, **items = &one;
    if (strpbrk(text, ",;") == NULL && !ln_is_list(text))
        one = ln_ast_parse(scratch, text, place, r->report);
    else
        items = ln_ast_parse_list(scratch, text, place, r->report, &rows, &cols);
    if (items == NULL || items[0] == NULL)
        return 0;
    if (rows != 1 || cols > 2) {
        ln_error(r->report, place,
                 "size of '%s' is '%s'; write one number (\"40\") or two (\"3, 3\")", array->name,
                 text);
        return 0;
    }
    r->unroll.place = place;
    array->dimensions = cols;
    for (int k = 0; k < cols; k++) {
        double value;
        if (!ln_unroll_number(&r->unroll, items[k], &value))
            return 0;
        if (value == floor(value) && value >= 1 && value * array->size[0] <= LN_ARRAY_ELEMENTS) {
            array->size[k] = (int)value;
            continue;
        }
        ln_error(r->report, place, "size of '%s' is '%s'; an array has 1 to %d elements",
                 array->name, text, LN_ARRAY_ELEMENTS);
        return 0;
    }
    return 1;
}

/* The array that the element declares (of a port: its width or shape), noted for all that follows;
 * without a size, one that has no dimension. 0 after an error. */
int ln_type_array(ln_type_reader *r, const ln_element *element, ln_array *array) {
    const char *text = ln_attribute_of(element, "size"), *shape = ln_attribute_of(element, "shape");
    if (text == NULL)
        text = shape != NULL ? shape : ln_attribute_of(element, "width");
    *array = (ln_array){ln_name_of(element), 0, {1, 1}};
    if (text == NULL)
        return 1;
    ln_arena *scratch = r->unroll.arena = ln_arena_new();
    int good = scratch != NULL ? read_sizes(r, element, text, scratch, array)
                               : ln_no_memory(r->report) == LINNET_OK;
    ln_arena_free(scratch);
    r->unroll.arena = NULL;
    r->errors += !good;
    if (!good)
        return 0;
    if (!LN_GROW(r->arrays, r->unroll.narrays, r->array_room)) {
        r->e->failed = 1;
        return 0;
    }
    r->arrays[r->unroll.narrays++] = *array;
    r->unroll.arrays = r->arrays;
    return 1;
}

/* The names in index="i" or index="i, j", in the arena; 0 after an error. */
static int read_index_names(ln_type_reader *r, const ln_element *element, const ln_array *array,
                            const char *name[2]) {
    const char *text = ln_attribute_of(element, "index"), *const blanks = " \t\r\n,";
    int count = 0;
    if (text == NULL)
        return 1;
    for (const char *at = text + strspn(text, blanks); *at != '\0'; at += strspn(at, blanks)) {
        size_t length = strcspn(at, blanks);
        if (count < 2)
            name[count] = ln_arena_text(r->e->arena, at, length);
        count++;
        at += length;
    }
    if (count == array->dimensions && count > 0)
        return 1;
    ln_error(r->report, ln_place_of(element), "index of '%s' is '%s'; %s", array->name, text,
             array->dimensions == 0   ? "it needs a size, too"
             : array->dimensions == 1 ? "write one name (\"i\")"
                                      : "write two names (\"i, j\")");
    r->errors++;
    return 0;
}

/* The name of an element of an array; NULL when memory is short. */
static const char *element_name(ln_arena *arena, const ln_array *array, int row, int col) {
    if (array->dimensions == 0)
        return array->name;
    return array->dimensions == 1 ? ln_arena_printf(arena, "%s[%d]", array->name, row)
                                  : ln_arena_printf(arena, "%s[%d,%d]", array->name, row, col);
}

/* A visit of all elements of an array; index: the names of row and column, or NULL. */
typedef struct walk {
    const ln_element *element;
    const ln_array *array;
    const char *index[2];
    ln_element_visit *visit;
    void *context;
} walk;

/* Calls visit with the name of each element, with its indices in effect; stops after an error. */
static int each_in_row(ln_type_reader *r, const walk *over, int row) {
    const char *index = over->index[1];
    for (int col = 1, good = 1; col <= over->array->size[1]; col++) {
        if (index != NULL && !ln_unroll_push(&r->unroll, index, col, index, 1))
            return r->errors++, 0;
        const char *name = element_name(r->e->arena, over->array, row, col);
        if (name == NULL)
            r->e->failed = 1;
        good = name != NULL && over->visit(r, over->element, name, over->context);
        if (index != NULL)
            ln_unroll_pop(&r->unroll);
        if (!good)
            return 0;
    }
    return 1;
}

int ln_type_each_element(ln_type_reader *r, const ln_element *element, const ln_array *array,
                         ln_element_visit *visit, void *context) {
    walk over = {element, array, {NULL, NULL}, visit, context};
    const char *const *index = over.index;
    int good = read_index_names(r, element, array, over.index);
    ln_arena *own = r->unroll.arena = ln_arena_new(); /* for messages */
    r->unroll.place = ln_place_of(element);
    if (own == NULL)
        r->e->failed = 1;
    for (int row = 1; good && own != NULL && row <= array->size[0]; row++) {
        if (index[0] != NULL && !ln_unroll_push(&r->unroll, index[0], row, index[0], 1)) {
            r->errors++;
            break;
        }
        good = each_in_row(r, &over, row);
        if (index[0] != NULL)
            ln_unroll_pop(&r->unroll);
    }
    r->e->failed |= own != NULL && ln_arena_failed(own);
    ln_arena_free(own);
    r->unroll.arena = NULL;
    return good;
}

/* <number>: a number, and so known where sizes and indices are decided. */
void ln_type_number(ln_type_reader *r, const ln_element *element) {
    const ln_names nothing = ln_type_names_nothing();
    const ln_place place = ln_place_of(element);
    ln_arena *scratch = r->unroll.arena = ln_arena_new();
    ln_bound constant = {.name = ln_name_of(element)};
    const ln_ast *ast = scratch == NULL ? NULL
                                        : ln_ast_parse(scratch, ln_attribute_of(element, "value"),
                                                       place, r->report);
    r->unroll.place = place;
    if (ast != NULL)
        ast = ln_unroll_tree(&r->unroll, ast);
    int good = ast != NULL &&
               ln_evaluate(ast, &nothing, place, r->report, &constant.value, &constant.dimension);
    ln_arena_free(scratch);
    r->unroll.arena = NULL;
    r->unroll.last = NULL;
    r->errors += !good;
    if (scratch == NULL || !LN_GROW(r->constants, r->unroll.nconstants, r->constant_room)) {
        r->e->failed = 1;
        return;
    }
    r->constants[r->unroll.nconstants++] = constant;
    r->unroll.constants = r->constants;
}
