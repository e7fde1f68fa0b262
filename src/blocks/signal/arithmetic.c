/* SPDX-License-Identifier: MIT */
/* sum, product, min, max: one output from a list of inputs. */
#include "blocks/signal/sized.h"
#include "base/report.h"
#include "blocks/catalogue.h"
#include "blocks/equations.h"
#include "expression/graph.h"
#include "model/model.h"

#include <math.h>

enum { IN, OUT };
static const linnet_port many_to_one[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT | LINNET_MANY, "inputs"},
    {"out", LINNET_SIGNAL, LINNET_OUTPUT, "result"},
};

/* The k-th character of a list of operators, blanks skipped; '\0' behind the last. An absent text
 * repeats `usual`. */
static char operator_at(const char *text, int k, char usual) {
    if (text == NULL || text[0] == '\0')
        return usual;
    for (; *text != '\0'; text++)
        if (*text != ' ' && k-- == 0)
            return *text;
    return '\0';
}

/* As many operators as inputs, and only the two allowed. */
static linnet_status check_operators(const ln_shape *shape, const char *parameter,
                                     const char allowed[2], ln_report *report) {
    const char *text = shape->texts[0];
    int n = shape->links[IN], count = 0;
    if (text == NULL || text[0] == '\0')
        return LINNET_OK;
    for (char word; (word = operator_at(text, count, '\0')) != '\0'; count++)
        if (word != allowed[0] && word != allowed[1])
            return ln_fail(report, LINNET_MODEL, shape->place,
                           "'%c' in %s=\"%s\" is neither '%c' nor '%c'", word, parameter, text,
                           allowed[0], allowed[1]);
    if (count == n)
        return LINNET_OK;
    return ln_fail(report, LINNET_MODEL, shape->place,
                   "%s=\"%s\" has %d character%s for %d input%s; write one each", parameter, text,
                   count, count == 1 ? "" : "s", n, n == 1 ? "" : "s");
}

static void finish(ln_equations *e, const ln_shape *shape, ln_node result) {
    ln_add_equation(e, ln_sized_port(e, shape, OUT, 0), result);
}

/* ---- sum ---- */

static const linnet_param sum_params[] = {{.name = "signs",
                                           .default_text = "",
                                           LN_FREE,
                                           .flags = LINNET_TEXT | LINNET_STRUCTURAL,
                                           .doc = "a + or - for each input; all + when absent"}};
static const linnet_block_class sum_face = {
    .abi = LINNET_ABI,
    .name = "sum",
    .doc = "Sum of signals with signs",
    .formula = "out = s[1]*in[1] + s[2]*in[2] + ...\n"
               "(each s is 1 where signs has a + and -1 where it has a -)",
    .example = "<sum id=\"e\" in=\"r y\" signs=\"+-\" out=\"error\"/>",
    .ports = many_to_one,
    .nports = 2,
    .params = sum_params,
    .nparams = 1,
    .reference_port = -1};

static linnet_status describe_sum(const ln_shape *shape, ln_equations *e, ln_report *report) {
    LN_TRY(check_operators(shape, "signs", "+-", report));
    LN_TRY(ln_sized_begin(&sum_face, shape, e, report));
    ln_node all = ln_constant(e->graph, 0);
    for (int k = 0; k < shape->links[IN]; k++) {
        ln_op op = operator_at(shape->texts[0], k, '+') == '-' ? LN_OP_SUB : LN_OP_ADD;
        all = ln_operation(e->graph, op, all, ln_sized_port(e, shape, IN, k), LN_NONE);
    }
    finish(e, shape, all);
    return LINNET_OK;
}

const ln_type ln_type_sum = {"sum", "signal", &sum_face, describe_sum, NULL, NULL, NULL, NULL};

/* ---- product ---- */

static const linnet_param product_params[] = {
    {.name = "operations",
     .default_text = "",
     LN_FREE,
     .flags = LINNET_TEXT | LINNET_STRUCTURAL,
     .doc = "a * or / for each input; all * when absent"}};
static const linnet_block_class product_face = {
    .abi = LINNET_ABI,
    .name = "product",
    .doc = "Product and quotient of signals",
    .formula = "out = in[1]^s[1]*in[2]^s[2]*...\n"
               "(each s is 1 where operators has a * and -1 where it has a /)",
    .example = "<product id=\"p\" in=\"a b c\" operations=\"**/\" out=\"y\"/>",
    .ports = many_to_one,
    .nports = 2,
    .params = product_params,
    .nparams = 1,
    .reference_port = -1};

static linnet_status describe_product(const ln_shape *shape, ln_equations *e, ln_report *report) {
    LN_TRY(check_operators(shape, "operations", "*/", report));
    LN_TRY(ln_sized_begin(&product_face, shape, e, report));
    ln_node all = ln_constant(e->graph, 1);
    for (int k = 0; k < shape->links[IN]; k++) {
        ln_op op = operator_at(shape->texts[0], k, '*') == '/' ? LN_OP_DIV : LN_OP_MUL;
        all = ln_operation(e->graph, op, all, ln_sized_port(e, shape, IN, k), LN_NONE);
    }
    finish(e, shape, all);
    return LINNET_OK;
}

const ln_type ln_type_product = {"product", "signal", &product_face, describe_product,
                                 NULL,      NULL,     NULL,          NULL};

/* ---- min and max ---- */

static linnet_status describe_extreme(const linnet_block_class *face, int largest,
                                      const ln_shape *shape, ln_equations *e, ln_report *report) {
    if (shape->links[IN] < 1)
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "it has no input; name at least one link in in=\"...\"");
    LN_TRY(ln_sized_begin(face, shape, e, report));
    ln_node best = ln_sized_port(e, shape, IN, 0);
    for (int k = 1; k < shape->links[IN]; k++) {
        ln_node next = ln_sized_port(e, shape, IN, k);
        ln_node better =
            ln_operation(e->graph, LN_OP_LT, largest ? best : next, largest ? next : best, LN_NONE);
        best = ln_operation(e->graph, LN_OP_IF, better, next, best);
    }
    finish(e, shape, best);
    return LINNET_OK;
}

static const linnet_block_class min_face = {.abi = LINNET_ABI,
                                            .name = "min",
                                            .doc = "Smallest of signals",
                                            .formula = "out = min(in[1], in[2], ...)",
                                            .example = "<min id=\"low\" in=\"a b\" out=\"y\"/>",
                                            .ports = many_to_one,
                                            .nports = 2,
                                            .reference_port = -1};
static const linnet_block_class max_face = {.abi = LINNET_ABI,
                                            .name = "max",
                                            .doc = "Largest of signals",
                                            .formula = "out = max(in[1], in[2], ...)",
                                            .example = "<max id=\"high\" in=\"a b\" out=\"y\"/>",
                                            .ports = many_to_one,
                                            .nports = 2,
                                            .reference_port = -1};

static linnet_status describe_min(const ln_shape *shape, ln_equations *e, ln_report *report) {
    return describe_extreme(&min_face, 0, shape, e, report);
}
static linnet_status describe_max(const ln_shape *shape, ln_equations *e, ln_report *report) {
    return describe_extreme(&max_face, 1, shape, e, report);
}

const ln_type ln_type_min = {"min", "signal", &min_face, describe_min, NULL, NULL, NULL, NULL};
const ln_type ln_type_max = {"max", "signal", &max_face, describe_max, NULL, NULL, NULL, NULL};
