/* SPDX-License-Identifier: MIT */
/* Inside: lowering that remembers which piece of the text made which nodes. */
#ifndef LN_EXPRESSION_LOWER_H
#define LN_EXPRESSION_LOWER_H

#include "expression/graph.h"

/* The nodes from `first` up to the next origin's come from `ast`. */
typedef struct ln_origin {
    ln_node first;
    const ln_ast *ast;
} ln_origin;
typedef struct ln_origins {
    ln_origin *item; /* ln_sys memory, the caller's */
    size_t count, room;
} ln_origins;

/* A value, and where the nodes behind it come from (NULL: that is not kept). */
typedef struct ln_tracked {
    ln_value value;
    ln_origins *origins;
} ln_tracked;

/* ln_lower() to result->value, adding to its origins. */
int ln_lower_tracked(ln_graph *graph, const ln_ast *ast, const ln_names *names, ln_place place,
                     ln_report *report, ln_tracked *result);

/* The operation as C text with these operands, "sqrt(-0.3)" (operations of LN_OP_MATH). */
void ln_op_text(ln_op op, const char *const operand[3], ln_text *out);
/* The same with operands a, b, c, as the table of graph.h has it: "pow(a, b)". */
const char *ln_op_template(ln_op op);

#endif
