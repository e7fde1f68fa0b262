/* SPDX-License-Identifier: MIT */
/* The value of an expression of constants. Lowering folds it to one constant; what is left
 * otherwise is an operation without a finite value, whose place and operands the message tells. */
#include "expression/lower.h"
#include "expression/message.h"
#include "expression/nodes.h"

#include "base/sys.h"
#include "base/text.h"
#include "expression/graph.h"

/* The first operation below `node` that failed on operands that have values. */
static ln_node culprit(const ln_graph *graph, ln_node node) {
    int count = ln_below(graph, &node, 1, 0, 0);
    for (int i = 0; i < count; i++)
        if (ln_is_failing(graph, graph->order[i]))
            return graph->order[i];
    return node;
}

static const ln_ast *origin_of(const ln_origins *origins, ln_node node) {
    size_t i = origins->count;
    while (i > 1 && origins->item[i - 1].first > node)
        i--;
    return origins->item[i - 1].ast;
}

/* Tells why the operation has no value. */
static void report_failure(const ln_graph *graph, ln_node node, const ln_ast *at, ln_place place,
                           ln_report *report) {
    char number[3][32];
    const char *operand[3] = {"", "", ""};
    double value[3] = {0, 0, 0};
    ln_op op = ln_node_op(graph, node);
    for (int i = 0; i < ln_op_arity(op); i++) {
        value[i] = ln_node_value(graph, ln_node_arg(graph, node, i));
        ln_number_format(number[i], value[i]);
        operand[i] = number[i];
    }
    ln_text text = {0};
    ln_op_text(op, operand, &text);
    const char *why = op == LN_OP_DIV && value[1] == 0                    ? "a division by zero"
                      : isnan(ln_apply(op, value[0], value[1], value[2])) ? "not a number"
                                                                          : "not finite";
    ln_expression_error(report, place, at->text, at->column,
                        "%s is %s; check the values it is made of", text.data ? text.data : "this",
                        why);
    ln_text_free(&text);
}

/* The number that the result of the tree is; 0 after an error. */
static int constant_value(const ln_graph *graph, const ln_ast *ast, const ln_tracked *result,
                          ln_place place, ln_report *report, double *value) {
    const ln_node root = result->value.node;
    if (ln_node_op(graph, root) == LN_OP_CONSTANT) {
        *value = ln_node_value(graph, root);
        if (isfinite(*value))
            return 1;
        ln_expression_error(report, place, ast->text, ast->column, "the value is not finite");
    } else if (ln_depends(graph, root) != 0) {
        ln_expression_error(report, place, ast->text, ast->column, "the value is not a constant");
    } else {
        ln_node node = culprit(graph, root);
        report_failure(graph, node, origin_of(result->origins, node), place, report);
    }
    return 0;
}

int ln_evaluate(const ln_ast *ast, const ln_names *names, ln_place place, ln_report *report,
                double *value, ln_dimension *dimension) {
    ln_origins origins = {0};
    ln_tracked result = {.origins = &origins};
    if (ast->kind == LN_AST_NUMBER) {
        *value = ast->value;
        *dimension = ast->dimension;
        return 1;
    }
    ln_graph *graph = ln_graph_new();
    if (!graph)
        return ln_no_memory(report) == LINNET_OK;
    int good = ln_lower_tracked(graph, ast, names, place, report, &result) &&
               constant_value(graph, ast, &result, place, report, value);
    if (good)
        *dimension = result.value.dimension;
    ln_sys->release(origins.item);
    ln_graph_free(graph);
    return good;
}
