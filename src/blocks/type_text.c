/* SPDX-License-Identifier: MIT */
/* What all readers of a <block-type>'s elements share: units, expressions lowered at the indices in
 * effect, constants, repetition over indices. */
#include "base/text.h"
#include "blocks/type_reader.h"

#include <string.h>

/* Dimension of the unit attribute (none: any), its factor and offset. coherent: it must be SI
 * without a prefix. */
ln_type_scale ln_type_unit(ln_type_reader *r, const ln_element *element, const char *name,
                           int coherent) {
    const ln_type_scale plain = {ln_dimension_any, 1, 0};
    const char *unit = ln_attribute_of(element, "unit"), *nearest = NULL;
    ln_type_scale scale = plain;
    if (unit == NULL)
        return plain;
    if (!ln_unit_read(unit, &scale.factor, &scale.offset, &scale.dimension, &nearest)) {
        r->errors++;
        ln_error(r->report, ln_place_of(element), "%s '%s' has the unknown unit '%s'%s%s%s",
                 element->name, name, unit, nearest != NULL ? "; the nearest is '" : "",
                 nearest != NULL ? nearest : "", nearest != NULL ? "'" : "");
        return plain;
    }
    if (coherent && (scale.factor != 1 || scale.offset != 0)) {
        char text[64];
        ln_dimension_text(scale.dimension, text);
        r->errors++;
        ln_error(r->report, ln_place_of(element),
                 "equations work in SI units; give %s '%s' in %s, not %s", element->name, name,
                 text, unit);
    }
    return scale;
}

/* A tree, at the indices in effect, to a value. The trees of its unrolling live in `scratch`. */
int ln_type_lower_tree(ln_type_reader *r, ln_arena *scratch, const ln_ast *ast,
                       const ln_names *names, ln_place place, ln_value *value) {
    ln_arena *outer = r->unroll.arena;
    r->unroll.arena = scratch;
    r->unroll.place = place;
    const ln_ast *plain = ln_unroll_tree(&r->unroll, ast);
    const char *indices = plain == NULL ? NULL : ln_unroll_indices(&r->unroll, scratch);
    r->unroll.arena = outer;
    r->unroll.last = NULL;
    if (plain == NULL)
        return 0;
    if (indices == NULL)
        return ln_no_memory(r->report) == LINNET_OK;
    ln_subject before = ln_report_about(
        r->report, (ln_subject){r->title, NULL, indices[0] != '\0' ? indices : NULL});
    int good = ln_lower(r->e->graph, plain, names, place, r->report, value);
    ln_report_about(r->report, before);
    return good;
}

int ln_type_lower(ln_type_reader *r, const char *text, const ln_names *names, ln_place place,
                  ln_value *value) {
    ln_arena *scratch = ln_arena_new();
    const ln_ast *ast = scratch == NULL ? NULL : ln_ast_parse(scratch, text, place, r->report);
    int good = ast != NULL && ln_type_lower_tree(r, scratch, ast, names, place, value);
    if (scratch == NULL)
        ln_no_memory(r->report);
    ln_arena_free(scratch);
    r->errors += !good;
    return good;
}

void ln_type_check_fit(ln_type_reader *r, ln_dimension a, ln_dimension b, ln_place place,
                       const char *what, const char *name) {
    char left[64], right[64];
    if (ln_dimension_fits(a, b))
        return;
    ln_dimension_text(a, left);
    ln_dimension_text(b, right);
    r->errors++;
    ln_error(r->report, place, "%s '%s' is in %s, its value in %s; make them agree", what, name,
             left, right);
}

/* A bound: a constant; a bare number takes the parameter's unit. */
int ln_type_bound(ln_type_reader *r, const ln_element *element, const char *attribute,
                  ln_type_scale scale, double *value) {
    const char *text = ln_attribute_of(element, attribute);
    if (text == NULL)
        return 0;
    const ln_names nothing = ln_type_names_nothing();
    ln_dimension given;
    const ln_ast *ast = ln_ast_parse(r->e->arena, text, ln_place_of(element), r->report);
    if (ast == NULL ||
        !ln_evaluate(ast, &nothing, ln_place_of(element), r->report, value, &given)) {
        r->errors++;
        return 0;
    }
    ln_type_check_fit(r, scale.dimension, given, ln_place_of(element), "parameter",
                      ln_name_of(element));
    if (given.any)
        *value = *value * scale.factor + scale.offset;
    return 1;
}

/* An attribute that says yes or no; no when absent. */
int ln_type_yes(ln_type_reader *r, const ln_element *element, const char *attribute) {
    const char *value = ln_attribute_of(element, attribute);
    if (value == NULL || strcmp(value, "no") == 0)
        return 0;
    if (strcmp(value, "yes") == 0)
        return 1;
    r->errors++;
    ln_error(r->report, ln_place_of(element), "%s of '%s' is '%s'; write yes or no", attribute,
             ln_name_of(element), value);
    return 0;
}

typedef struct range_visit {
    ln_type_reader *r;
    const ln_element *element;
    int (*read)(ln_type_reader *r, const ln_element *element, void *context);
    void *context;
} range_visit;

static int visit_range(void *context) {
    const range_visit *visit = context;
    return visit->read(visit->r, visit->element, visit->context);
}

int ln_type_repeat(ln_type_reader *r, const ln_element *element,
                   int (*read)(ln_type_reader *r, const ln_element *node, void *context),
                   void *context) {
    const char *ranges = ln_attribute_of(element, "for"),
               *where = ln_attribute_of(element, "where");
    range_visit visit = {r, element, read, context};
    ln_arena *outer = r->unroll.arena;
    int good;
    r->unroll.place = ln_place_of(element);
    if (ranges != NULL) {
        good = ln_unroll_for(&r->unroll, ranges, where, visit_range, &visit);
    } else if (where != NULL) {
        ln_error(r->report, ln_place_of(element),
                 "<%s> has where=\"%s\" without indices; add for=\"i = 1 .. n\"", element->name,
                 where);
        good = 0;
    } else {
        good = read(r, element, context);
    }
    r->unroll.arena = outer;
    return good;
}

/* "   for i = 1 .. n where i ne 3" behind an equation. */
void ln_type_ranges_text(const ln_element *element, ln_text *text) {
    const char *ranges = ln_attribute_of(element, "for"),
               *where = ln_attribute_of(element, "where");
    if (ranges != NULL)
        ln_text_printf(text, "   for %s", ranges);
    if (where != NULL)
        ln_text_printf(text, " where %s", where);
}
