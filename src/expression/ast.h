/* SPDX-License-Identifier: MIT */
/* Expressions as written: text to a tree, with the place of every node, so that later messages can point at it. */
#ifndef LN_EXPRESSION_AST_H
#define LN_EXPRESSION_AST_H

#include "base/arena.h"
#include "base/report.h"
#include "expression/dimension.h"

typedef enum ln_ast_kind { LN_AST_NUMBER, LN_AST_NAME, LN_AST_CALL } ln_ast_kind;

/* Operators are calls too: "+", "-", "*", "/", "^", "neg", "lt", "le", "gt", "ge", "eq", "ne", "and", "or", "not". */
typedef struct ln_ast {
    ln_ast_kind kind;
    int column;              /* of the token, bytes from 1 in the expression's text */
    double value;            /* NUMBER, in SI                                       */
    ln_dimension dimension;  /* NUMBER; `any` without a unit                        */
    const char *name;        /* NAME ("heat.T", dotted) or CALL (function name)     */
    const struct ln_ast **args;
    int nargs;
} ln_ast;

/* Parses one expression. `place` is where the text stands in the model (its column is that of the first byte, 0 for
 * unknown: the expression then counts from 1). NULL after an error, which has been reported. At most 65 536 bytes and
 * nesting of 200. The tree lives in the arena. */
const ln_ast *ln_ast_parse(ln_arena *arena, const char *text, ln_place place, ln_report *report);

/* Parses `left = right`, an equation. Returns 0 after an error. */
int ln_ast_parse_equation(ln_arena *arena, const char *text, ln_place place, ln_report *report, const ln_ast **left,
                          const ln_ast **right);

/* Splits a list value ("1 -2", "a, 2*b", "1 2; 3 4") into its elements by the rule of the design: by commas, or by
 * blanks when no element holds one ("1 kOhm, 2 kOhm" needs commas); rows by ';'. Parses each. *rows x *cols elements,
 * row by row. Rows of different length are an error. Returns NULL after an error. */
const ln_ast **ln_ast_parse_list(ln_arena *arena, const char *text, ln_place place, ln_report *report, int *rows,
                                 int *cols);

/* Calls visit(context, node) for every NAME node, left to right. */
void ln_ast_names(const ln_ast *ast, void (*visit)(void *context, const ln_ast *name), void *context);

#endif
