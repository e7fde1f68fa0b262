/* SPDX-License-Identifier: MIT */
/* Expressions and equations as TeX, for pages about block types. */
#ifndef LN_EXPRESSION_TYPESET_H
#define LN_EXPRESSION_TYPESET_H

#include "expression/ast.h"

/* The formula in TeX's mathematics, without dollars: `p.v` is v_{\mathrm{p}}, a quotient a
 * fraction, `if` a choice in cases. Lives in the arena; NULL when memory is short or the tree has
 * more than 1000 nodes, which is no formula to be read. */
const char *ln_typeset(ln_arena *arena, const ln_ast *ast);

/* The same of one line as a block type tells its equations: `a = b`, `a = b   for i = 1 .. n`,
 * `assert c`, `when c: a = b, ...`; an operand `...` is shown as dots. NULL for any other text (a
 * remark, a rule in words). */
const char *ln_typeset_line(ln_arena *arena, const char *line);

#endif
