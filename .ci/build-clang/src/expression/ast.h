/* SPDX-License-Identifier: MIT */
/* Expressions as written: text to a tree, with the place of every node, so that later messages can
 * point at it.
 *
 * Grammar, weakest first; all binary operators lean to the left except ^:
 *   or ||   and &&   not   lt < le <= gt > ge >= eq == ne !=   + -   * /   unary - + !   ^ number,
 * name, call, ( ) so that -2^2 is -4 and 2^3^2 is 512. Comparisons do not chain. A name is letters,
 * digits and _ in parts joined by dots (`heat.T`); a part with other characters stands in
 * backquotes (`` `my-block`.i ``). A name that equals a unit is a unit only behind a number. `x[i]`
 * and `M[i, j]` are elements of arrays, `sum(i = a .. b, expression)` a sum over an index; unroll.h
 * makes plain expressions of both.
 *
 * Every node knows the node written before it in reverse Polish order, so that trees are walked by
 * loops: from ast->first along ->next to ast itself, arguments before what uses them, however deep
 * the tree is. */
#ifndef LN_EXPRESSION_AST_H
#define LN_EXPRESSION_AST_H

#include "base/arena.h"
#include "base/report.h"
#include "expression/dimension.h"

/* Limits of one expression. */
enum { LN_EXPRESSION_BYTES = 65536, LN_EXPRESSION_DEPTH = 200 };

typedef enum ln_ast_kind {
    LN_AST_NUMBER,
    LN_AST_NAME,
    LN_AST_CALL,
    LN_AST_ELEMENT,
    LN_AST_SUM
} ln_ast_kind;

/* Operators are calls too: "+", "-", "*", "/", "^", "neg", "lt", "le", "gt", "ge", "eq", "ne",
 * "and", "or", "not". */
typedef struct ln_ast {
    ln_ast_kind kind;
    int column;             /* of the token, bytes from 1 in the expression's text */
    double value;           /* NUMBER, in SI */
    ln_dimension dimension; /* NUMBER; `any` without a unit */
    /* NAME ("heat.T", dotted), CALL (function name), ELEMENT (array; args are its indices), SUM
     * (index; args are from, to, body) */
    const char *name;
    const struct ln_ast **args;
    int nargs;
    const char *text;           /* the whole expression, for messages */
    const struct ln_ast *first; /* first node of this subtree in reverse Polish order */
    const struct ln_ast *next;  /* next node of the whole expression in that order */
} ln_ast;

/* Parses one expression. `place` is where the text stands in the model (its column is that of the
 * first byte, 0 for unknown: the expression then counts from 1). NULL after an error, which has
 * been reported. At most 65 536 bytes and nesting of 200. The tree lives in the arena. */
const ln_ast *ln_ast_parse(ln_arena *arena, const char *text, ln_place place, ln_report *report);

/* Parses `left = right`, an equation. Returns 0 after an error. */
int ln_ast_parse_equation(ln_arena *arena, const char *text, ln_place place, ln_report *report,
                          const ln_ast **left, const ln_ast **right);

/* `i = 1 .. n`: what an index runs over, both ends included. */
typedef struct ln_index_range {
    const char *name;
    int column;
    const ln_ast *from, *to;
} ln_index_range;

/* Parses ranges separated by commas, "i = 1 .. n, j = i .. n", into the arena. Returns 0 after an
 * error. */
int ln_ast_parse_ranges(ln_arena *arena, const char *text, ln_place place, ln_report *report,
                        ln_index_range **ranges, int *count);

/* Reads text that is nothing but a number with an optional sign, prefix and unit ("-4.7 uF", "25
 * degC", "10k"), without any memory: the fast way for parameters. Returns 0 when it is anything
 * else (then parse it). */
int ln_ast_literal(const char *text, double *value, ln_dimension *dimension);

/* Splits a list value ("1 -2", "a, 2*b", "1 2; 3 4") into its elements by the rule of the design:
 * by commas, or by blanks when no element holds one ("1 kOhm, 2 kOhm" needs commas); rows by ';'.
 * Parses each. *rows x *cols elements, row by row. Rows of different length are an error. Returns
 * NULL after an error. */
const ln_ast **ln_ast_parse_list(ln_arena *arena, const char *text, ln_place place,
                                 ln_report *report, int *rows, int *cols);
/* Does a text that may be one value read as a list: separated by commas or ';', or plain numbers by
 * blanks? */
int ln_is_list(const char *text);

/* Calls visit(context, node) for every NAME node, left to right. */
void ln_ast_names(const ln_ast *ast, void (*visit)(void *context, const ln_ast *name),
                  void *context);

#endif
