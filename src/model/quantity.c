/* SPDX-License-Identifier: MIT */
/* Text to numbers in a scope: literals without a tree, expressions through one that is dropped at
 * once, lists; and the unit that the value must have. A value without unit is taken in the unit
 * that is asked for. */
#include "model/binding.h"

#include "expression/message.h"

#include <stdio.h>
#include <string.h>

/* ---- units ---- */

linnet_status ln_quantity_unit(ln_scope *scope, const char *unit, ln_place place) {
    const char *nearest = NULL;
    if (scope->unit.factor != 0 && strcmp(scope->unit.text, unit) == 0)
        return LINNET_OK;
    scope->unit.factor = 0;
    if (strlen(unit) >= sizeof scope->unit.text ||
        !ln_unit_read(unit, &scope->unit.factor, &scope->unit.offset, &scope->unit.dimension,
                      &nearest)) {
        scope->unit.factor = 0;
        return ln_fail(scope->report, LINNET_MODEL, place, "unknown unit '%.60s'%s%s%s", unit,
                       nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                       nearest != NULL ? "'?" : "");
    }
    memcpy(scope->unit.text, unit, strlen(unit) + 1);
    return LINNET_OK;
}

static linnet_status wrong_unit(const ln_scope *scope, const char *text, const char *unit,
                                ln_dimension dimension, ln_place place) {
    char is[64];
    ln_dimension_text(dimension, is);
    if (unit[0] == '\0' || strcmp(unit, "1") == 0)
        ln_expression_error(scope->report, place, text, 1,
                            "a plain number is wanted here, not %s; remove the unit", is);
    else
        ln_expression_error(scope->report, place, text, 1,
                            "a value in %s is wanted here, not in %s; check the unit%s", unit, is,
                            strcmp(is, "K") == 0 ? " (K is kelvin, kilo is a small k)"
                            : strcmp(is, "C") == 0 && strcmp(unit, "K") == 0
                                ? " (degrees Celsius are degC)"
                                : "");
    return LINNET_MODEL;
}

/* Checks the unit of a value, and converts one that has none. `literal`: text is nothing but a
 * number, which is then read again with the unit behind it, so that 0.1 in mm is the double nearest
 * to 1e-4. */
static linnet_status fit(ln_scope *scope, const ln_written *written, int literal, double *value,
                         ln_dimension *dimension) {
    const char *text = written->text, *unit = written->unit;
    const ln_place place = written->place;
    if (unit == NULL)
        return LINNET_OK;
    LN_TRY(ln_quantity_unit(scope, unit, place));
    if (!dimension->any && !ln_dimension_fits(*dimension, scope->unit.dimension))
        return wrong_unit(scope, text, unit, *dimension, place);
    if (!dimension->any)
        return LINNET_OK;
    *dimension = scope->unit.dimension;
    if (scope->unit.factor == 1 && scope->unit.offset == 0)
        return LINNET_OK;
    char exact[128];
    double again;
    ln_dimension ignored;
    if (literal && strlen(text) <= 90) {
        snprintf(exact, sizeof exact, "%.90s %.31s", text, unit);
        if (ln_ast_literal(exact, &again, &ignored)) {
            *value = again;
            return LINNET_OK;
        }
    }
    *value = *value * scope->unit.factor + scope->unit.offset;
    return LINNET_OK;
}

/* ---- names ---- */

static int find(void *context, const char *name, int column, ln_value *value) {
    (void)column;
    ln_scope *scope = context;
    ln_binding *binding = ln_scope_binding(scope, name);
    if (binding == NULL)
        return 0;
    if (ln_scope_settle_binding(scope, binding) != LINNET_OK)
        return -1;
    value->node = LN_NONE;
    value->constant = binding->value;
    value->dimension = binding->dimension;
    return 1;
}

ln_names ln_scope_names(ln_scope *scope) {
    const ln_scope *hints = scope; /* names for hints: those of the scope around repetitions */
    while (hints->outer != NULL)
        hints = hints->outer;
    return (ln_names){find, scope, hints->names, (size_t)hints->count, NULL, 0};
}

/* ---- values ---- */

int ln_quantity_literal(ln_scope *scope, const char *text, const char *unit, ln_place place,
                        double *value, ln_dimension *dimension) {
    if (!ln_ast_literal(text, value, dimension))
        return 0;
    return fit(scope, &(ln_written){text, unit, place}, 1, value, dimension) == LINNET_OK ? 1 : -1;
}

linnet_status ln_quantity_read(ln_scope *scope, const ln_ast *ast, const ln_written *written,
                               double *value, ln_dimension *dimension) {
    ln_names names = ln_scope_names(scope);
    if (!ln_evaluate(ast, &names, written->place, scope->report, value, dimension))
        return LINNET_MODEL;
    return fit(scope, written, 0, value, dimension);
}

linnet_status ln_scope_value(ln_scope *scope, const char *text, const char *unit, ln_place place,
                             double *value) {
    ln_dimension dimension;
    int literal = ln_quantity_literal(scope, text, unit, place, value, &dimension);
    if (literal != 0)
        return literal > 0 ? LINNET_OK : LINNET_MODEL;
    ln_arena *tree = ln_arena_new();
    if (tree == NULL)
        return ln_no_memory(scope->report);
    const ln_ast *ast = ln_ast_parse(tree, text, place, scope->report);
    linnet_status status = ast != NULL ? ln_scope_need(scope, ast) : LINNET_MODEL;
    if (status == LINNET_OK)
        status = ln_quantity_read(scope, ast, &(ln_written){text, unit, place}, value, &dimension);
    ln_arena_free(tree);
    return status;
}

/* One element of a list; plain numbers need no evaluation. */
static linnet_status read_item(ln_scope *scope, const ln_ast *ast, const ln_written *written,
                               double *value) {
    int negative = ast->kind == LN_AST_CALL && strcmp(ast->name, "neg") == 0;
    const ln_ast *number = negative ? ast->args[0] : ast;
    if (number->kind == LN_AST_NUMBER && number->dimension.any) {
        ln_dimension dimension = number->dimension;
        *value = negative ? -number->value : number->value;
        return fit(scope, written, 0, value, &dimension);
    }
    ln_dimension dimension;
    LN_TRY(ln_scope_need(scope, ast));
    return ln_quantity_read(scope, ast, written, value, &dimension);
}

/* "2 ms" where times are wanted is one element, though blanks separate elements; "2 m" where
 * lengths are wanted, and a parameter m is in scope, might be two, and is left to the list, which
 * refuses it. */
static int is_one_number(ln_scope *scope, const char *text, const char *unit, ln_place place) {
    double value;
    ln_dimension dimension;
    if (unit == NULL || !ln_ast_literal(text, &value, &dimension) || dimension.any)
        return 0;
    const char *word = text + strlen(text);
    while (word > text && strchr("0123456789. \t\r\n", word[-1]) == NULL)
        word--;
    return ln_scope_binding(scope, word) == NULL &&
           ln_quantity_unit(scope, unit, place) == LINNET_OK &&
           ln_dimension_fits(dimension, scope->unit.dimension);
}

linnet_status ln_scope_list(ln_scope *scope, const char *text, const char *unit, ln_place place,
                            double **values, int *rows, int *cols) {
    if (is_one_number(scope, text, unit, place)) {
        *values = LN_NEW(scope->arena, double, 1);
        *rows = *cols = 1;
        return *values != NULL ? ln_scope_value(scope, text, unit, place, *values)
                               : ln_no_memory(scope->report);
    }
    ln_arena *trees = ln_arena_new();
    if (trees == NULL)
        return ln_no_memory(scope->report);
    const ln_ast **items = ln_ast_parse_list(trees, text, place, scope->report, rows, cols);
    linnet_status status = items != NULL ? LINNET_OK : LINNET_MODEL;
    if (items != NULL) {
        *values = ln_arena_alloc(scope->arena, (size_t)*rows, (size_t)*cols * sizeof **values);
        if (*values == NULL)
            status = ln_no_memory(scope->report);
    }
    for (int k = 0; status == LINNET_OK && k < *rows * *cols; k++)
        status = read_item(scope, items[k], &(ln_written){text, unit, place}, &(*values)[k]);
    ln_arena_free(trees);
    return status;
}
