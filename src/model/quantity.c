/* SPDX-License-Identifier: MIT */
/* Text to numbers in a scope: literals without a tree, expressions through one that is dropped at
 * once, lists. */
#include "model/binding.h"

#include "expression/message.h"
#include "expression/ast.h"

#include <stdio.h>
#include <string.h>

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
        return ln_quantity_fit(scope, written, 0, value, &dimension);
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

linnet_status ln_scope_list(ln_scope *scope, ln_written written, double **values, int *rows,
                            int *cols) {
    if (is_one_number(scope, written.text, written.unit, written.place)) {
        *values = LN_NEW(scope->arena, double, 1);
        *rows = *cols = 1;
        return *values != NULL
                   ? ln_scope_value(scope, written.text, written.unit, written.place, *values)
                   : ln_no_memory(scope->report);
    }
    ln_arena *trees = ln_arena_new();
    if (trees == NULL)
        return ln_no_memory(scope->report);
    const ln_ast **items =
        ln_ast_parse_list(trees, written.text, written.place, scope->report, rows, cols);
    linnet_status status = items != NULL ? LINNET_OK : LINNET_MODEL;
    if (items != NULL) {
        *values = ln_arena_alloc(scope->arena, (size_t)*rows, (size_t)*cols * sizeof **values);
        if (*values == NULL)
            status = ln_no_memory(scope->report);
    }
    for (int k = 0; status == LINNET_OK && k < *rows * *cols; k++)
        status = read_item(scope, items[k], &written, &(*values)[k]);
    ln_arena_free(trees);
    return status;
}
