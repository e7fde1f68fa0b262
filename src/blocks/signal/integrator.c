/* SPDX-License-Identifier: MIT */
/* integrator: y' = k*in, kept between limits where there are any.
 *
 * Near a limit the rate fades to zero over a band of a millionth, which every method can follow; a rate that jumps to
 * zero at the limit would leave an implicit step without a solution. Without limits the instance is linear. */
#include "blocks/signal/range.h"

#include <math.h>

enum { IN, OUT };
enum { K, Y0, MIN };
static const linnet_port ports[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT, "input"},
    {"out", LINNET_SIGNAL, LINNET_OUTPUT, "integral"},
};
static const linnet_param params[] = {
    {.name = "k", .default_text = "1", .min = -INFINITY, .max = INFINITY, .doc = "factor"},
    {.name = "y0", .default_text = "0", .min = -INFINITY, .max = INFINITY, .doc = "output at the start"},
    LN_RANGE_PARAMETERS("the output"),
};
static const linnet_block_class face = {
    .abi = LINNET_ABI, .name = "integrator", .doc = "Integral of k*in, kept between limits if asked for",
    .formula = "rate = k*in\n"
               "room = max - y where rate > 0, else y - min\n"
               "band = 1e-6*max(1, smaller of abs(min), abs(max))\n"
               "der(y) = rate*clamp(room, 0, band)/band; without limits der(y) = rate\n"
               "out = clamp(y, min, max)",
    .example = "<integrator id=\"i1\" in=\"u\" out=\"y\" y0=\"1\"/>",
    .ports = ports, .nports = 2, .params = params, .nparams = 4, .reference_port = -1};

/* The share of the rate that is left at a distance from a limit. */
static ln_node fade(ln_graph *g, ln_node room, double band) {
    ln_node share = ln_range_clamp(g, room, (ln_range){0, band});
    return ln_operation(g, LN_OP_DIV, share, ln_constant(g, band), LN_NONE);
}

/* The rate as the limits leave it. */
static ln_node limited_rate(ln_graph *g, ln_node rate, ln_node y, ln_range range) {
    const double band = 1e-6 * fmax(1, fmin(fabs(range.low), fabs(range.high)));
    ln_node up = ln_constant(g, 1), down = up;
    if (ln_range_from_above(range))
        up = fade(g, ln_operation(g, LN_OP_SUB, ln_constant(g, range.high), y, LN_NONE), band);
    if (ln_range_from_below(range))
        down = fade(g, ln_operation(g, LN_OP_SUB, y, ln_constant(g, range.low), LN_NONE), band);
    ln_node rises = ln_operation(g, LN_OP_LT, ln_constant(g, 0), rate, LN_NONE);
    return ln_product2(g, rate, ln_operation(g, LN_OP_IF, rises, up, down));
}

static linnet_status describe(const ln_shape *shape, ln_equations *e, ln_report *report) {
    ln_range range;
    LN_TRY(ln_range_read(shape, MIN, report, &range));
    LN_TRY(ln_sized_begin(&face, shape, e, report));
    e->no_modes = 1; /* the band is for steps to pass over, not to stop at */
    linnet_var var = {"y", NULL, 0, LINNET_START_FIXED, "integral", 0};
    ln_node y = ln_add_variable(e, var, ln_param_item(e, Y0, 0), "y0");
    ln_node rate = ln_product2(e->graph, ln_param_item(e, K, 0), ln_sized_port(e, shape, IN, 0));
    if (ln_range_from_below(range) || ln_range_from_above(range)) rate = limited_rate(e->graph, rate, y, range);
    ln_add_equation(e, ln_der(e, y), rate);
    ln_add_equation(e, ln_sized_port(e, shape, OUT, 0), ln_range_clamp(e->graph, y, range));
    return LINNET_OK;
}

const ln_type ln_type_integrator = {"integrator", "signal", &face, describe, NULL, NULL, NULL, NULL};
