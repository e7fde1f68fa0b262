/* SPDX-License-Identifier: MIT */
/* pid: controller with filtered derivative, limits and anti-windup by back-calculation (K. J.
 * Astrom, T. Hagglund, Advanced PID Control, 2006, section 3.5):
 *
 *     u = kp*in + i + kd*(in - x)/Tf        out = clamp(u, min, max)
 *     i' = ki*in + kb*(out - u)             Tf*x' = in - x
 *
 * What is not asked for is not there: no state without its gain, and without limits the instance is
 * linear. */
#include "blocks/signal/range.h"
#include "base/report.h"
#include "blocks/equations.h"
#include "expression/graph.h"
#include "expression/nodes.h"
#include "model/model.h"

#include <math.h>

enum { IN, OUT };
enum { KP, KI, KD, TF, MIN, KB = MIN + 2, I0, X0 };
static const linnet_port ports[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT, "control error"},
    {"out", LINNET_SIGNAL, LINNET_OUTPUT, "output"},
};
static const linnet_param params[] = {
    {.name = "kp",
     .min = -INFINITY,
     .max = INFINITY,
     .flags = LINNET_REQUIRED,
     .doc = "proportional gain"},
    {.name = "ki",
     .default_text = "0",
     .min = -INFINITY,
     .max = INFINITY,
     .flags = LINNET_STRUCTURAL,
     .doc = "integral gain, per second"},
    {.name = "kd",
     .default_text = "0",
     .min = -INFINITY,
     .max = INFINITY,
     .flags = LINNET_STRUCTURAL,
     .doc = "derivative gain, times second"},
    {.name = "Tf",
     .unit = "s",
     .default_text = "10 ms",
     .min = 0,
     .max = INFINITY,
     .flags = LINNET_OPEN_MIN,
     .doc = "time constant of the filter of the derivative"},
    LN_RANGE_PARAMETERS("the output"),
    {.name = "kb",
     .unit = "1/s",
     .default_text = "abs(ki)/if(kp eq 0, 1, abs(kp))",
     .min = 0,
     .max = INFINITY,
     .doc = "rate at which the excess over the limits is taken from the integral; 0: never"},
    {.name = "i0",
     .default_text = "0",
     .min = -INFINITY,
     .max = INFINITY,
     .doc = "integral part at the start"},
    {.name = "x0",
     .default_text = "0",
     .min = -INFINITY,
     .max = INFINITY,
     .doc = "filtered input at the start"},
};
static const linnet_block_class face = {
    .abi = LINNET_ABI,
    .name = "pid",
    .doc = "PID controller with filtered derivative, limits and anti-windup",
    .formula = "u = kp*in + i + kd*(in - x)/Tf\n"
               "out = clamp(u, min, max)\n"
               "der(i) = ki*in + kb*(out - u)\n"
               "Tf*der(x) = in - x\n"
               "(back-calculation: Astrom, Hagglund, Advanced PID Control, 2006, section 3.5)",
    .example = "<pid id=\"c1\" in=\"e\" out=\"u\" kp=\"2\" ki=\"1\" min=\"-10\" max=\"10\"/>",
    .ports = ports,
    .nports = 2,
    .params = params,
    .nparams = 9,
    .reference_port = -1};

/* The derivative part: kd*(in - x)/Tf. */
static ln_node add_derivative(ln_equations *e, ln_node in) {
    ln_graph *g = e->graph;
    linnet_var var = {"x", NULL, 0, LINNET_START_FIXED, "filtered input", 0};
    ln_node x = ln_add_variable(e, var, ln_param_item(e, X0, 0), "x0"),
            Tf = ln_param_item(e, TF, 0);
    ln_node rest = ln_operation(g, LN_OP_SUB, in, x, LN_NONE);
    ln_add_equation(e, ln_product2(g, Tf, ln_der(e, x)), rest);
    return ln_operation(g, LN_OP_DIV, ln_product2(g, ln_param_item(e, KD, 0), rest), Tf, LN_NONE);
}

static linnet_status describe(const ln_shape *shape, ln_equations *e, ln_report *report) {
    ln_range range;
    LN_TRY(ln_range_read(shape, MIN, report, &range));
    LN_TRY(ln_sized_begin(&face, shape, e, report));
    ln_graph *g = e->graph;
    ln_node in = ln_sized_port(e, shape, IN, 0), out = ln_sized_port(e, shape, OUT, 0);
    ln_node i = ln_param_item(e, I0, 0), u = ln_product2(g, ln_param_item(e, KP, 0), in);
    const int integrates = shape->values[KI][0] != 0;
    if (integrates) {
        linnet_var var = {"i", NULL, 0, LINNET_START_FIXED, "integral part", 0};
        i = ln_add_variable(e, var, i, "i0");
    }
    u = ln_sum2(g, u, i);
    if (shape->values[KD][0] != 0)
        u = ln_sum2(g, u, add_derivative(e, in));
    if (integrates) {
        ln_node rate = ln_product2(g, ln_param_item(e, KI, 0), in);
        ln_node excess = ln_operation(g, LN_OP_SUB, out, u, LN_NONE);
        if (ln_range_from_below(range) || ln_range_from_above(range))
            rate = ln_sum2(g, rate, ln_product2(g, ln_param_item(e, KB, 0), excess));
        ln_add_equation(e, ln_der(e, i), rate);
    }
    ln_add_let(e, (ln_named){"u", u, "output before limits"});
    ln_add_equation(e, out, ln_range_clamp(g, u, range));
    return LINNET_OK;
}

const ln_type ln_type_pid = {"pid", "signal", &face, describe, NULL, NULL, NULL, NULL};
