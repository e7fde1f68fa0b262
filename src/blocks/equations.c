/* SPDX-License-Identifier: MIT */
/* A block type in equations as a list that describers fill: ports, parameters, variables,
 * equations. What becomes of it is in class.c; here is only the list.
 *
 * Running out of memory sets `failed` (or the graph's own mark), which ln_equations_class() looks
 * at once. */
#include "blocks/equations.h"

#include "base/sys.h"

#include <assert.h>
#include <math.h>

ln_equations *ln_equations_new(const char *name) {
    ln_arena *arena = ln_arena_new();
    ln_equations *equations = arena == NULL ? NULL : LN_NEW(arena, ln_equations, 1);
    if (equations == NULL) {
        ln_arena_free(arena);
        return NULL;
    }
    equations->arena = arena;
    equations->name = ln_arena_string(arena, name);
    equations->graph = ln_graph_new();
    if (equations->name == NULL || equations->graph == NULL) {
        ln_equations_free(equations);
        return NULL;
    }
    return equations;
}

void ln_equations_free(ln_equations *equations) {
    if (equations == NULL)
        return;
    if (equations->end != NULL)
        equations->end(equations->data);
    ln_sys->release(equations->ports);
    ln_sys->release(equations->aliases);
    ln_sys->release(equations->params);
    ln_sys->release(equations->fixed);
    ln_sys->release(equations->variables);
    ln_sys->release(equations->equations);
    ln_sys->release(equations->conditions);
    ln_sys->release(equations->lets);
    ln_sys->release(equations->memories);
    ln_sys->release(equations->events);
    ln_sys->release(equations->sets);
    ln_sys->release(equations->periods);
    ln_graph_free(equations->graph);
    ln_arena_free(equations->arena);
}

/* Makes room and appends; a list that could not grow is empty from then on. */
#define APPEND(equations, list, item)                                           \
    (LN_GROW((equations)->list, (equations)->n##list, (equations)->list##_room) \
         ? (void)((equations)->list[(equations)->n##list++] = (item))           \
         : (void)((equations)->failed = 1))

ln_node ln_add_port(ln_equations *equations, linnet_port port) {
    assert(equations->nvariables == 0); /* variables are numbered behind the ports */
    APPEND(equations, ports, port);
    if (equations->failed)
        return LN_NONE;
    return ln_leaf_node(equations->graph, LN_LEAF_UNKNOWN, (int)equations->nports - 1);
}

ln_node ln_flux_of(ln_equations *equations, int port) {
    return ln_leaf_node(equations->graph, LN_LEAF_UNKNOWN, LN_FLUX + port);
}

int ln_equation_values(const ln_equations *equations) {
    if (equations->nparams == 0)
        return 0;
    const linnet_param *last = &equations->params[equations->nparams - 1];
    return last->offset + last->rows * last->cols;
}

int ln_add_param(ln_equations *equations, linnet_param param) {
    if (!(param.flags & (LINNET_LIST | LINNET_MATRIX)))
        param.rows = param.cols = param.flags & LINNET_TEXT ? 0 : 1;
    param.offset = ln_equation_values(equations);
    APPEND(equations, params, param);
    return (int)equations->nparams - 1;
}

void ln_add_alias(ln_equations *equations, const char *name, const char *param) {
    APPEND(equations, aliases, ((linnet_alias){name, param}));
}

int ln_add_hidden(ln_equations *equations, const char *name, const double *values, int rows,
                  int cols) {
    const linnet_param param = {.name = name,
                                .min = -INFINITY,
                                .max = INFINITY,
                                .flags = LINNET_MATRIX,
                                .doc = "table of the type",
                                .rows = rows,
                                .cols = cols};
    const linnet_fixed fixed = {ln_add_param(equations, param), values};
    APPEND(equations, fixed, fixed);
    return fixed.param;
}

ln_node ln_param_item(ln_equations *equations, int param, int item) {
    if (equations->failed)
        return LN_NONE;
    const linnet_param *parameter = &equations->params[param];
    assert(item >= 0 && item < parameter->rows * parameter->cols);
    return ln_leaf_node(equations->graph, LN_LEAF_PARAMETER, parameter->offset + item);
}

ln_node ln_add_variable(ln_equations *equations, linnet_var var, ln_node start,
                        const char *start_parameter) {
    ln_variable variable = {var, start, start_parameter};
    APPEND(equations, variables, variable);
    if (equations->failed)
        return LN_NONE;
    return ln_leaf_node(equations->graph, LN_LEAF_UNKNOWN,
                        (int)(equations->nports + equations->nvariables) - 1);
}

ln_node ln_der(ln_equations *equations, ln_node of) {
    return ln_operation(equations->graph, LN_OP_DER, of, LN_NONE, LN_NONE);
}

void ln_add_written(ln_equations *equations, ln_equation equation) {
    if (equation.left == LN_NONE || equation.right == LN_NONE)
        equations->failed = 1;
    APPEND(equations, equations, equation);
}

void ln_add_equation(ln_equations *equations, ln_node left, ln_node right) {
    ln_add_written(equations,
                   (ln_equation){.left = left, .right = right, .place = equations->place});
}

void ln_add_condition(ln_equations *equations, ln_condition condition) {
    APPEND(equations, conditions, condition);
}

void ln_add_let(ln_equations *equations, ln_named let) {
    APPEND(equations, lets, let);
}

/* ---- what changes at events ---- */

ln_node ln_add_memory(ln_equations *equations, linnet_memory memory, ln_node start) {
    ln_memory item = {memory, start, 0};
    APPEND(equations, memories, item);
    if (equations->failed)
        return LN_NONE;
    return ln_leaf_node(equations->graph, LN_LEAF_MEMORY, (int)equations->nmemories - 1);
}

int ln_add_event(ln_equations *equations, ln_event event) {
    if (event.condition == LN_NONE)
        equations->failed = 1;
    APPEND(equations, events, event);
    return (int)equations->nevents - 1;
}

void ln_add_set(ln_equations *equations, ln_set set) {
    if (set.target == LN_NONE || set.value == LN_NONE)
        equations->failed = 1;
    APPEND(equations, sets, set);
}

void ln_add_period(ln_equations *equations, ln_period period) {
    APPEND(equations, periods, period);
}

/* The first sample at or after the start: k = max(0, ceil((t - offset)/period)), a sample at the
 * start counting. */
static ln_node first_sample(ln_graph *g, ln_node period, ln_node offset) {
    ln_node t = ln_leaf_node(g, LN_LEAF_TIME, 0);
    ln_node passed =
        ln_operation(g, LN_OP_DIV, ln_operation(g, LN_OP_SUB, t, offset, LN_NONE), period, LN_NONE);
    ln_node rounded = ln_operation(g, LN_OP_SUB, passed, ln_constant(g, 1e-9), LN_NONE);
    const ln_node ends[2] = {ln_operation(g, LN_OP_CEIL, rounded, LN_NONE, LN_NONE),
                             ln_constant(g, 0)};
    return ends[0] == LN_NONE || ends[1] == LN_NONE ? LN_NONE : ln_function(g, "max", ends, 2);
}

/* A clock counts its ticks; half a count tells any two of its values apart, whatever the rounding.
 */
static ln_node changed(ln_graph *g, ln_node clock, ln_node seen) {
    ln_node apart = ln_operation(g, LN_OP_SUB, clock, seen, LN_NONE);
    ln_node square = ln_operation(g, LN_OP_MUL, apart, apart, LN_NONE);
    return ln_operation(g, LN_OP_LT, ln_constant(g, 0.25), square, LN_NONE);
}

ln_sample ln_add_sample(ln_equations *equations, ln_node period, ln_node offset, ln_node clock) {
    static const linnet_memory number = {NULL, "", "number of the next sample"},
                               count = {NULL, "", "count of the clock at the last sample"};
    static const double never = 1e300;
    ln_graph *g = equations->graph;
    ln_period checked = {period, "the period of sample()", 0};
    ln_node given = ln_operation(g, LN_OP_LT, ln_constant(g, 0), period, LN_NONE);
    if (clock != LN_NONE)
        period = ln_operation(g, LN_OP_IF, given, period, ln_constant(g, never));
    ln_node first = first_sample(g, period, offset);
    if (clock != LN_NONE) /* without a period none is due, not even at the start */
        first = ln_operation(g, LN_OP_IF, given, first, ln_constant(g, 1));
    ln_sample sample = {
        .counter = ln_add_memory(equations, number, first), .seen = LN_NONE, .clock = clock};
    if (clock == LN_NONE)
        APPEND(equations, periods, checked);
    ln_node at = ln_operation(g, LN_OP_ADD, offset,
                              ln_operation(g, LN_OP_MUL, sample.counter, period, LN_NONE), LN_NONE);
    sample.condition = ln_operation(g, LN_OP_LE, at, ln_leaf_node(g, LN_LEAF_TIME, 0), LN_NONE);
    sample.next = ln_operation(g, LN_OP_ADD, sample.counter, ln_constant(g, 1), LN_NONE);
    if (!equations->failed)
        equations->memories[equations->nmemories - 1].counts = 1;
    if (clock == LN_NONE)
        return sample;
    sample.seen = ln_add_memory(equations, count, LN_NONE);
    if (!equations->failed)
        equations->memories[equations->nmemories - 1].counts = 1;
    ln_node due = ln_operation(g, LN_OP_LE, at, ln_leaf_node(g, LN_LEAF_DECIDE, 0), LN_NONE);
    /* not by the clock's ticks */
    sample.next = ln_operation(g, LN_OP_ADD, sample.counter, due, LN_NONE);
    sample.condition = ln_operation(g, LN_OP_AND, given, sample.condition, LN_NONE);
    sample.condition =
        ln_operation(g, LN_OP_OR, sample.condition, changed(g, clock, sample.seen), LN_NONE);
    return sample;
}

void ln_end_sample(ln_equations *equations, const ln_sample *sample, int event) {
    ln_add_set(equations, (ln_set){event, sample->counter, sample->next});
    if (sample->seen != LN_NONE)
        ln_add_set(equations, (ln_set){event, sample->seen, sample->clock});
}
