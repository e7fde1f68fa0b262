/* SPDX-License-Identifier: MIT */
/* and, or, xor, nand, nor, xnor of any number of signals, and multi-switch. Truth is 1 or 0; what
 * is above 0.5 counts as true, so each input gives a crossing of its own. */
#include "blocks/signal/sized.h"
#include "base/report.h"
#include "blocks/catalogue.h"
#include "blocks/equations.h"
#include "expression/graph.h"
#include "expression/nodes.h"
#include "model/model.h"

#include <math.h>

enum { IN, OUT };
static const linnet_port many_to_one[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT | LINNET_MANY, "inputs; above 0.5 is true"},
    {"out", LINNET_SIGNAL, LINNET_OUTPUT, "1 or 0"},
};
/* clang-format off */
#define LOGIC_FACE(type, text, how) \
    {.abi = LINNET_ABI, .name = type, .doc = text, .formula = how, \
     .example = "<" type " id=\"g1\" in=\"a b c\" out=\"y\"/>", .ports = many_to_one, .nports = 2, \
     .reference_port = -1}
/* clang-format on */

static const linnet_block_class and_face =
    LOGIC_FACE("and", "1 where all inputs are true", "out = in[1] and in[2] and ...");
static const linnet_block_class nand_face =
    LOGIC_FACE("nand", "0 where all inputs are true", "out = not (in[1] and in[2] and ...)");
static const linnet_block_class or_face =
    LOGIC_FACE("or", "1 where some input is true", "out = in[1] or in[2] or ...");
static const linnet_block_class nor_face =
    LOGIC_FACE("nor", "1 where no input is true", "out = not (in[1] or in[2] or ...)");
static const linnet_block_class xor_face = LOGIC_FACE(
    "xor", "1 where an odd number of inputs is true", "out = mod(in[1] + in[2] + ..., 2)");
static const linnet_block_class xnor_face = LOGIC_FACE(
    "xnor", "1 where an even number of inputs is true", "out = 1 - mod(in[1] + in[2] + ..., 2)");

static linnet_status no_input(const ln_shape *shape, ln_report *report) {
    return ln_fail(report, LINNET_MODEL, shape->place,
                   "it has no input; name at least one link in in=\"...\"");
}

static ln_node truth(ln_equations *e, const ln_shape *shape, int k) {
    return ln_operation(e->graph, LN_OP_LT, ln_constant(e->graph, 0.5),
                        ln_sized_port(e, shape, IN, k), LN_NONE);
}

/* a or b, but not both. */
static ln_node differ(ln_graph *g, ln_node a, ln_node b) {
    ln_node not_b = ln_operation(g, LN_OP_NOT, b, LN_NONE, LN_NONE);
    return ln_operation(g, LN_OP_IF, a, not_b, b);
}

/* LN_OP_EQ stands for xor here. */
static linnet_status describe_logic(const linnet_block_class *face, ln_op op, int negate,
                                    const ln_shape *shape, ln_equations *e, ln_report *report) {
    if (shape->links[IN] < 1)
        return no_input(shape, report);
    LN_TRY(ln_sized_begin(face, shape, e, report));
    ln_graph *g = e->graph;
    ln_node all = truth(e, shape, 0);
    for (int k = 1; k < shape->links[IN]; k++) {
        ln_node next = truth(e, shape, k);
        all = op == LN_OP_EQ ? differ(g, all, next) : ln_operation(g, op, all, next, LN_NONE);
    }
    ln_node one = ln_constant(g, negate ? 0 : 1), zero = ln_constant(g, negate ? 1 : 0);
    ln_add_equation(e, ln_sized_port(e, shape, OUT, 0), ln_operation(g, LN_OP_IF, all, one, zero));
    return LINNET_OK;
}

#define LOGIC_TYPE(name, op, negate)                                               \
    static linnet_status describe_##name(const ln_shape *shape, ln_equations *e,   \
                                         ln_report *report) {                      \
        return describe_logic(&name##_face, op, negate, shape, e, report);         \
    }                                                                              \
    const ln_type ln_type_##name = {#name, "logic", &name##_face, describe_##name, \
                                    NULL,  NULL,    NULL,         NULL};
LOGIC_TYPE(and, LN_OP_AND, 0)
LOGIC_TYPE(nand, LN_OP_AND, 1)
LOGIC_TYPE(or, LN_OP_OR, 0)
LOGIC_TYPE(nor, LN_OP_OR, 1)
LOGIC_TYPE(xor, LN_OP_EQ, 0)
LOGIC_TYPE(xnor, LN_OP_EQ, 1)

/* ---- multi-switch ---- */

enum { SELECT = 1, CHOSEN };
static const linnet_port switch_ports[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT | LINNET_MANY, "inputs, numbered from 1"},
    {"select", LINNET_SIGNAL, LINNET_INPUT,
     "which of them passes: the nearest whole number, within 1 and their count"},
    {"out", LINNET_SIGNAL, LINNET_OUTPUT, "the one selected"},
};
static const linnet_block_class switch_face = {
    .abi = LINNET_ABI,
    .name = "multi-switch",
    .doc = "One of many inputs, by its number",
    .formula = "out = in[round(select)]",
    .example = "<multi-switch id=\"s1\" in=\"a b c\" select=\"n\" out=\"y\"/>",
    .ports = switch_ports,
    .nports = 3,
    .reference_port = -1};

static linnet_status describe_switch(const ln_shape *shape, ln_equations *e, ln_report *report) {
    if (shape->links[IN] < 1)
        return no_input(shape, report);
    LN_TRY(ln_sized_begin(&switch_face, shape, e, report));
    ln_graph *g = e->graph;
    ln_node select = ln_sized_port(e, shape, SELECT, 0),
            chosen = ln_sized_port(e, shape, IN, shape->links[IN] - 1);
    for (int k = shape->links[IN] - 2; k >= 0; k--) {
        ln_node is = ln_operation(g, LN_OP_LT, select, ln_constant(g, k + 1.5), LN_NONE);
        chosen = ln_operation(g, LN_OP_IF, is, ln_sized_port(e, shape, IN, k), chosen);
    }
    ln_add_equation(e, ln_sized_port(e, shape, CHOSEN, 0), chosen);
    return LINNET_OK;
}

const ln_type ln_type_multi_switch = {"multi-switch", "logic", &switch_face, describe_switch,
                                      NULL,           NULL,    NULL,         NULL};
