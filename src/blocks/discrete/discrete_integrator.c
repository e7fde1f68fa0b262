/* SPDX-License-Identifier: MIT */
/* discrete-integrator: a sum over ticks, by three rules, kept between limits where there are any.
 */
#include "blocks/discrete/sampled.h"
#include "blocks/signal/range.h"

#include "base/text.h"
#include "blocks/equations.h"
#include <math.h>
#include <string.h>

enum { IN, RESET, CLOCK, OUT };
static const linnet_port ports[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT, "input"},
    {"reset", LINNET_SIGNAL, LINNET_INPUT | LINNET_OPTIONAL,
     "at a tick at which it is true (above 0.5) the sum is y0"},
    LN_SAMPLED_PORT,
    {"out", LINNET_SIGNAL, LINNET_OUTPUT, "integral, held from tick to tick"},
};
enum { PERIOD, OFFSET, METHOD, K, Y0, MIN };
static const linnet_param params[] = {
    LN_SAMPLED_PARAMETERS,
    {.name = "method",
     .default_text = "forward",
     LN_FREE,
     .flags = LINNET_TEXT | LINNET_STRUCTURAL,
     .doc = "forward, backward or trapezoidal"},
    {.name = "k", .default_text = "1", LN_FREE, .doc = "factor"},
    {.name = "y0", .default_text = "0", LN_FREE, .doc = "output until the second tick"},
    LN_RANGE_PARAMETERS("the output"),
};
static const linnet_block_class face = {
    .abi = LINNET_ABI,
    .name = "discrete-integrator",
    .doc = "Integral in discrete time, kept between limits if asked for",
    .formula = "y(0) = y0\n"
               "forward:     y(n) = y(n-1) + T*k*in(n-1)\n"
               "backward:    y(n) = y(n-1) + T*k*in(n)\n"
               "trapezoidal: y(n) = y(n-1) + T*k*(in(n-1) + in(n))/2\n"
               "T: time since tick n-1; y is kept between min and max",
    .example = "<discrete-integrator id=\"i1\" in=\"u\" out=\"y\" period=\"10 ms\" "
               "method=\"trapezoidal\"/>",
    .ports = ports,
    .nports = 4,
    .params = params,
    .nparams = 7,
    .reference_port = -1};

static linnet_status describe(const ln_shape *shape, ln_equations *e, ln_report *report) {
    static const char *const methods[] = {"forward", "backward", "trapezoidal"};
    static const double weights[] = {0, 1, 0.5}; /* of the sample now */
    int method = 0;
    while (method < 3 && strcmp(shape->texts[METHOD], methods[method]) != 0)
        method++;
    if (method == 3) {
        const char *nearest = ln_nearest(shape->texts[METHOD], methods, 3);
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "method '%s' is none of forward, backward and trapezoidal%s%s%s",
                       shape->texts[METHOD], nearest != NULL ? "; did you mean '" : "",
                       nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
    }
    ln_range range;
    LN_TRY(ln_range_read(shape, MIN, report, &range));
    LN_TRY(ln_sized_begin(&face, shape, e, report));
    ln_graph *g = e->graph;
    ln_ticks ticks = ln_ticks_new(e, shape, CLOCK, PERIOD);
    ln_node in = ln_sized_port(e, shape, IN, 0), y0 = ln_param_item(e, Y0, 0);
    ln_node first = ln_ticks_first(&ticks), T = ln_ticks_elapsed(&ticks);
    ln_node last = ln_ticks_memory(&ticks, "last", 0, "last sample", LN_NONE);
    ln_ticks_set(&ticks, last, in);
    ln_node mean = ln_sum2(g, ln_product2(g, ln_constant(g, weights[method]), in),
                           ln_product2(g, ln_constant(g, 1 - weights[method]), last));
    ln_node y = ln_ticks_memory(&ticks, "y", 0, "integral", y0);
    ln_node next = ln_sum2(g, y, ln_product2(g, T, ln_product2(g, ln_param_item(e, K, 0), mean)));
    next = ln_range_clamp(g, next, range);
    ln_node anew =
        ln_operation(g, LN_OP_LT, ln_constant(g, 0.5), ln_sized_port(e, shape, RESET, 0), LN_NONE);
    anew = ln_operation(g, LN_OP_OR, first, anew, LN_NONE);
    ln_ticks_set(&ticks, y, ln_operation(g, LN_OP_IF, anew, ln_range_clamp(g, y0, range), next));
    ln_add_equation(e, ln_sized_port(e, shape, OUT, 0), y);
    return LINNET_OK;
}

const ln_type ln_type_discrete_integrator = {
    "discrete-integrator", "discrete", &face, describe, NULL, NULL, NULL, NULL};
