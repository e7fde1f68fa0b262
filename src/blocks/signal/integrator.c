/* SPDX-License-Identifier: MIT */
/* integrator: y' = k*in, kept between limits where there are any.
 *
 * The limit it rests at is a memory: an event sets it, and y to it exactly, where y would pass, and
 * another takes it back where the rate turns inwards. In between every method sees a rate that is
 * smooth. Each event has its comparison made of values that are far from equal while it has nothing
 * to say, so that no crossing is looked for in vain. Without limits the instance is linear. */
#include "blocks/signal/range.h"
#include "blocks/catalogue.h"
#include "blocks/equations.h"
#include "expression/graph.h"
#include "model/model.h"

#include <math.h>

enum { IN, OUT };
enum { K, Y0, MIN };
static const linnet_port ports[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT, "input"},
    {"out", LINNET_SIGNAL, LINNET_OUTPUT, "integral"},
};
static const linnet_param params[] = {
    {.name = "k", .default_text = "1", .min = -INFINITY, .max = INFINITY, .doc = "factor"},
    {.name = "y0",
     .default_text = "0",
     .min = -INFINITY,
     .max = INFINITY,
     .doc = "output at the start"},
    LN_RANGE_PARAMETERS("the output"),
};
static const linnet_block_class face = {
    .abi = LINNET_ABI,
    .name = "integrator",
    .doc = "Integral of k*in, kept between limits if asked for",
    .formula = "der(y) = k*in, at a limit 0 until k*in turns inwards\n"
               "out = y\n"
               "limit: 1 at max, -1 at min, else 0",
    .example = "<integrator id=\"i1\" in=\"u\" out=\"y\" y0=\"1\"/>",
    .ports = ports,
    .nports = 2,
    .params = params,
    .nparams = 4,
    .reference_port = -1};

static ln_node two(ln_equations *e, ln_op op, ln_node a, ln_node b) {
    return ln_operation(e->graph, op, a, b, LN_NONE);
}

static ln_node choose(ln_equations *e, ln_node condition, ln_node yes, ln_node no) {
    return ln_operation(e->graph, LN_OP_IF, condition, yes, no);
}

/* A value between the limits that keeps its distance from both. */
static double inside(ln_range range) {
    if (!ln_range_from_above(range))
        return range.low + 1 + fabs(range.low);
    if (!ln_range_from_below(range))
        return range.high - 1 - fabs(range.high);
    return range.low + (range.high - range.low) / 2;
}

/* The integral and the limit it rests at: 1 max, -1 min, 0 none. */
typedef struct limited {
    ln_node y, limit;
} limited;

/* The event that puts the integral to rest at a side, where y has that value. */
static void add_arrival(ln_equations *e, ln_event event, const limited *integral, double side,
                        double value) {
    int index = ln_add_event(e, event);
    ln_add_set(e, (ln_set){index, integral->limit, ln_constant(e->graph, side)});
    ln_add_set(e, (ln_set){index, integral->y, ln_constant(e->graph, value)});
}

/* The rate as the limits leave it. */
static ln_node add_limits(ln_equations *e, const ln_shape *shape, ln_node rate, ln_node y,
                          ln_range range) {
    static const linnet_memory memory = {"limit", "",
                                         "the limit it rests at: 1 max, -1 min, 0 none"};
    ln_graph *g = e->graph;
    ln_node limit = ln_add_memory(e, memory, LN_NONE), zero = ln_constant(g, 0),
            minus = ln_constant(g, -1);
    ln_node is_free = two(e, LN_OP_EQ, limit, zero);
    ln_node moving = choose(e, is_free, y, ln_constant(g, inside(range)));
    const limited integral = {y, limit};
    if (ln_range_from_above(range)) {
        const ln_event arrives = {.event = {"y gt max", 0, NULL},
                                  .condition = two(e, LN_OP_LT, ln_constant(g, range.high), moving),
                                  .place = shape->place};
        add_arrival(e, arrives, &integral, 1, range.high);
    }
    if (ln_range_from_below(range)) {
        const ln_event arrives = {.event = {"y lt min", 0, NULL},
                                  .condition = two(e, LN_OP_LT, moving, ln_constant(g, range.low)),
                                  .place = shape->place};
        add_arrival(e, arrives, &integral, -1, range.low);
    }
    ln_node inwards = choose(e, two(e, LN_OP_LT, limit, zero), rate, two(e, LN_OP_SUB, zero, rate));
    ln_event leaves = {.event = {"k*in turns inwards", 0, NULL},
                       .place = shape->place,
                       .condition = two(e, LN_OP_LT, zero, choose(e, is_free, minus, inwards))};
    ln_add_set(e, (ln_set){ln_add_event(e, leaves), limit, zero});
    return choose(e, is_free, rate, zero);
}

static linnet_status describe(const ln_shape *shape, ln_equations *e, ln_report *report) {
    ln_range range;
    LN_TRY(ln_range_read(shape, MIN, report, &range));
    LN_TRY(ln_sized_begin(&face, shape, e, report));
    ln_node start = ln_range_clamp(e->graph, ln_param_item(e, Y0, 0), range);
    linnet_var var = {"y", NULL, 0, LINNET_START_FIXED, "integral", 0};
    ln_node y = ln_add_variable(e, var, start, "y0");
    ln_node rate = ln_product2(e->graph, ln_param_item(e, K, 0), ln_sized_port(e, shape, IN, 0));
    if (ln_range_from_below(range) || ln_range_from_above(range))
        rate = add_limits(e, shape, rate, y, range);
    ln_add_equation(e, ln_der(e, y), rate);
    ln_add_equation(e, ln_sized_port(e, shape, OUT, 0), y);
    return LINNET_OK;
}

const ln_type ln_type_integrator = {"integrator", "signal", &face, describe,
                                    NULL,         NULL,     NULL,  NULL};
