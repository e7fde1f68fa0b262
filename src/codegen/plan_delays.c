/* SPDX-License-Identifier: MIT */
/* The delay lines of delayed signals: numbers, bounds and inputs of all delays of a network, and
 * rows of the native types that delay, or are linear.
 *
 * A delay is read by a node RECALL (expression/graph.h) and written by a program that computes the
 * inputs of all delays where a step begins. Rows and inputs of a native type, a transport delay, a
 * transmission line or one of resistance and capacitance, are linear: their coefficients are its
 * constant entries, and what its own functions say for one unknown, or one delayed value, at a
 * time. */
#include "codegen/plan.h"

#include "base/sys.h"
#include "system/active.h"
#include "blocks/equations.h"
#include "expression/graph.h"

#include <math.h>
#include <string.h>

/* A step may be longer than a delay by rounding only. */
static const double ROUNDING = 1e-9;
/* How much comes through of a signal half a step ago: an example for the choice of pivots. */
static const double HALF = 0.5;

static const linnet_block_class *type_of(const ln_plan *plan, int instance) {
    return plan->network->instances[instance].block.type;
}

/* ---- native types ---- */

/* What a native type says at one point of its unknowns and delayed values. */
typedef struct probe {
    const linnet_block *block;
    int locals, first_slot;
    double *x, *m, *f, *q, *entry;
    linnet_delay *delay, *rest; /* at this point; at 0 */
} probe;

static void ask(probe *p, linnet_delay *delay) {
    const linnet_point point = {0, 0, p->x, p->m};
    p->block->type->delays(p->block, &point, delay);
}

/* a sum grown by value * leaf */
static void add_term(ln_graph *graph, ln_node *sum, double value, ln_node leaf) {
    if (value == 0)
        return;
    const ln_node term = ln_operation(graph, LN_OP_MUL, ln_constant(graph, value), leaf, LN_NONE);
    *sum = *sum == LN_NONE ? term : ln_operation(graph, LN_OP_ADD, *sum, term, LN_NONE);
}

/* Rows: entries that are constant, and what delayed values bring in. */
static void probe_rows(probe *p, ln_graph *graph, ln_node *row) {
    const linnet_block_class *type = p->block->type;
    linnet_out out = {p->q, p->f, p->entry};
    if (type->linear != NULL)
        type->linear(p->block, p->entry);
    for (int k = 0; k < type->nentries; k++) {
        const linnet_entry *entry = &type->entries[k];
        const ln_node leaf = ln_leaf_node(graph, LN_LEAF_UNKNOWN, entry->col);
        if (entry->change == LINNET_CONSTANT)
            add_term(graph, &row[entry->row], p->entry[k],
                     entry->kind == LINNET_E
                         ? ln_operation(graph, LN_OP_DER, leaf, LN_NONE, LN_NONE)
                         : leaf);
    }
    for (int d = 0; d < type->ndelays; d++) {
        const int slot = p->first_slot + 3 * d;
        memset(p->f, 0, (size_t)p->locals * sizeof *p->f);
        p->m[slot] = 1;
        const linnet_point point = {0, 0, p->x, p->m};
        (void)type->eval(p->block, &point, &out);
        for (int k = 0; k < p->locals; k++)
            add_term(graph, &row[k], p->f[k], ln_leaf_node(graph, LN_LEAF_MEMORY, slot));
        p->m[slot] = 0;
    }
}

/* Inputs, and lags: numbers, or where they vary the one unknown that they follow, bounded. */
static void probe_delays(probe *p, ln_graph *graph, ln_node *delays) {
    const linnet_block_class *type = p->block->type;
    if (type->ndelays == 0)
        return;
    ask(p, p->rest);
    for (int d = 0; d < type->ndelays; d++) {
        delays[2 * d] = LN_NONE;
        delays[2 * d + 1] = ln_constant(graph, p->rest[d].lag);
    }
    for (int j = 0; j < p->locals; j++) {
        p->x[j] = 1;
        ask(p, p->delay);
        const ln_node leaf = ln_leaf_node(graph, LN_LEAF_UNKNOWN, j);
        for (int d = 0; d < type->ndelays; d++) {
            add_term(graph, &delays[2 * d], p->delay[d].input - p->rest[d].input, leaf);
            if (!type->lags_vary || !(fabs(p->delay[d].lag - p->rest[d].lag) > 0))
                continue;
            const ln_node most = ln_constant(graph, p->rest[d].most);
            delays[2 * d + 1] = ln_operation(
                graph, LN_OP_IF, ln_operation(graph, LN_OP_LT, most, leaf, LN_NONE), most, leaf);
        }
        p->x[j] = 0;
    }
}

static linnet_status add_native(ln_plan *plan, int instance, ln_residuals *out) {
    const linnet_block *block = &plan->network->instances[instance].block;
    const linnet_block_class *type = block->type;
    ln_arena *arena = plan->arena;
    const int locals = type->nports + type->nvars, nd = type->ndelays;
    probe p = {block,
               locals,
               type->nmemories - type->nmodes - 3 * nd,
               LN_NEW(arena, double, locals),
               LN_NEW(arena, double, type->nmemories),
               LN_NEW(arena, double, locals),
               LN_NEW(arena, double, locals),
               LN_NEW(arena, double, type->nentries),
               LN_NEW(arena, linnet_delay, nd),
               LN_NEW(arena, linnet_delay, nd)};
    ln_node *row = LN_NEW(arena, ln_node, locals), *delays = LN_NEW(arena, ln_node, 2 * nd);
    if (!p.x || !p.m || !p.f || !p.q || !p.entry || !p.delay || !p.rest || !row || !delays)
        return ln_no_memory(plan->report);
    for (int k = 0; k < locals; k++)
        row[k] = LN_NONE;
    probe_rows(&p, plan->natives, row);
    probe_delays(&p, plan->natives, delays);
    *out = (ln_residuals){.graph = plan->natives, .row = row, .live = row, .delays = delays};
    return ln_graph_failed(plan->natives) ? ln_no_memory(plan->report) : LINNET_OK;
}

static const ln_residuals *native_rows(const void *context, int instance) {
    const ln_plan *plan = context;
    return plan->native != NULL ? plan->native[instance] : NULL;
}

/* ---- numbers ---- */

/* A rate of a type stands in the last memory of its three (blocks/delays.c). */
static void add_delay(ln_plan *plan, int instance, int number) {
    const linnet_block_class *type = type_of(plan, instance);
    const ln_residuals *residuals = ln_class_residuals(type);
    const int is_rate = residuals != NULL && residuals->delays[2 * number + 1] == LN_NONE;
    const int first = type->nmemories - type->nmodes - LN_DELAY_MEMORIES * type->ndelays;
    plan->delays[plan->ndelays++] =
        (ln_plan_delay){.instance = instance, .number = number, .is_rate = is_rate};
    if (is_rate)
        plan->change_memory[plan->nchanges++] = plan->network->instances[instance].first_memory +
                                                first + LN_DELAY_MEMORIES * (number + 1) - 1;
    else
        plan->nlines++;
}

/* Its delays, and the rows of a native type that delays or is linear. */
static linnet_status find_of_instance(ln_plan *plan, int instance) {
    const linnet_block_class *type = type_of(plan, instance);
    for (int k = 0; k < type->ndelays; k++)
        add_delay(plan, instance, k);
    if (ln_class_residuals(type) != NULL || (type->ndelays == 0 && !ln_plan_is_linear(type)))
        return LINNET_OK;
    ln_residuals *made = LN_NEW(plan->arena, ln_residuals, 1);
    if (made == NULL)
        return ln_no_memory(plan->report);
    LN_TRY(add_native(plan, instance, made));
    plan->native[instance] = made;
    return LINNET_OK;
}

static int new_nodes(const ln_plan *plan, ln_delay_nodes *nodes, int count) {
    nodes->lag = LN_NEW(plan->arena, ln_node, count);
    nodes->now = LN_NEW(plan->arena, ln_node, count);
    return nodes->lag != NULL && nodes->now != NULL;
}

/* Which of an instance's delays may lie within a step: those that vary, and those that are shorter.
 */
static linnet_status find_near(ln_plan *plan, int instance, int first, double step) {
    const linnet_block *block = &plan->network->instances[instance].block;
    const linnet_block_class *type = block->type;
    double *x = LN_NEW(plan->arena, double, type->nports + type->nvars);
    double *m = LN_NEW(plan->arena, double, type->nmemories);
    linnet_delay *asked = LN_NEW(plan->arena, linnet_delay, type->ndelays);
    if (type->ndelays == 0)
        return LINNET_OK;
    if (x == NULL || m == NULL || asked == NULL)
        return ln_no_memory(plan->report);
    const linnet_point point = {0, 0, x, m};
    type->delays(block, &point, asked);
    for (int k = 0; k < type->ndelays; k++)
        plan->near[first + k] = !plan->delays[first + k].is_rate &&
                                (type->lags_vary || asked[k].lag < step * (1 - ROUNDING));
    return LINNET_OK;
}

linnet_status ln_plan_find_delays(ln_plan *plan, double step) {
    const int count = plan->network->ninstances;
    int total = 0, linear = 0;
    for (int i = 0; i < count; i++) {
        total += type_of(plan, i)->ndelays;
        linear += ln_plan_is_linear(type_of(plan, i));
    }
    if (total == 0 && linear == 0)
        return LINNET_OK;
    int *first = LN_NEW(plan->arena, int, count);
    plan->native = LN_NEW(plan->arena, const ln_residuals *, count);
    plan->natives = ln_graph_new();
    plan->delays = LN_NEW(plan->arena, ln_plan_delay, total);
    plan->change_memory = LN_NEW(plan->arena, int, total);
    plan->near = LN_NEW(plan->arena, char, total);
    if (!first || !plan->native || !plan->natives || !plan->delays || !plan->change_memory ||
        !plan->near || !new_nodes(plan, &plan->delay_nodes, total) ||
        !new_nodes(plan, &plan->diagram.delays, total))
        return ln_no_memory(plan->report);
    for (int i = 0; i < count; i++) {
        first[i] = plan->ndelays;
        LN_TRY(find_of_instance(plan, i));
        LN_TRY(find_near(plan, i, first[i], step));
    }
    /* an event that waits for a turn reads what was before it */
    plan->reads_before |= plan->nchanges > 0;
    plan->diagram.first_delay = first;
    plan->diagram.is_near = plan->near;
    plan->diagram.residuals = native_rows;
    return LINNET_OK;
}

/* ---- bounds ---- */

static linnet_status refuse(const ln_plan *plan, const ln_plan_delay *delay, const char *why) {
    const ln_instance *instance = &plan->network->instances[delay->instance];
    return ln_fail(plan->report, LINNET_MODEL, instance->place, "%s (%s): %s", instance->name,
                   instance->block.type->name, why);
}

static linnet_status size_delay(ln_plan *plan, ln_plan_delay *delay, const linnet_delay *asked,
                                double step) {
    enum { MOST = 1000000, NODES = 6 };
    if (!isfinite(asked->most))
        return refuse(plan, delay,
                      "the time of its delay varies without a bound, so generated code cannot tell "
                      "how much of the past to keep; a variable-delay has one, `longest`");
    if (asked->most / step > MOST)
        return refuse(plan, delay, "its delay takes more than a million steps");
    delay->varies = type_of(plan, delay->instance)->lags_vary;
    delay->first = plan->delay_samples;
    delay->size = (int)ceil(asked->most / step) + NODES + 2;
    delay->begin = asked->input;
    delay->before = isnan(asked->before) ? asked->input : asked->before;
    plan->delay_samples += delay->size;
    return LINNET_OK;
}

linnet_status ln_plan_size_delays(ln_plan *plan, const ln_system *system, ln_side side,
                                  const double *x, double step) {
    for (int k = 0; k < plan->ndelays; k++) {
        const ln_plan_delay *delay = &plan->delays[k];
        const ln_instance *instance = &plan->network->instances[delay->instance];
        const linnet_block_class *type = instance->block.type;
        const int locals = type->nports + type->nvars;
        double *local = LN_NEW(plan->diagram.scratch, double, locals);
        linnet_delay *asked = LN_NEW(plan->diagram.scratch, linnet_delay, type->ndelays);
        if (local == NULL || asked == NULL)
            return ln_no_memory(plan->report);
        for (int j = 0; j < locals; j++) {
            const int u = ln_diagram_unknown(plan->network, instance, j);
            local[j] = u < 0 ? 0 : x[u];
        }
        const linnet_point point = {side.t, side.within, local,
                                    system->memory + instance->first_memory};
        type->delays(&instance->block, &point, asked);
        for (int d = 0; d < type->ndelays; d++)
            if (!plan->delays[k + d].is_rate)
                LN_TRY(size_delay(plan, &plan->delays[k + d], &asked[d], step));
        k += type->ndelays - 1;
    }
    return LINNET_OK;
}

/* ---- inputs ---- */

/* The program of what is remembered of delays, or of rates. A delay's target is its number among
 * delays, a rate's that among rates. */
static linnet_status compile_inputs(ln_plan *plan, int of_rates, ln_plan_part *part) {
    ln_node *input = LN_NEW(plan->diagram.scratch, ln_node, plan->ndelays);
    int *target = LN_NEW(plan->diagram.scratch, int, plan->ndelays), count = 0;
    if (input == NULL || target == NULL)
        return ln_no_memory(plan->report);
    for (int k = 0; k < plan->ndelays; k++) {
        const ln_plan_delay *delay = &plan->delays[k];
        const ln_residuals *residuals = ln_diagram_residuals(&plan->diagram, delay->instance);
        if (delay->is_rate != of_rates)
            continue;
        target[count] = of_rates ? count : k;
        input[count] = residuals->delays[2 * delay->number];
        if (input[count] == LN_NONE)
            input[count] = ln_constant(plan->graph, 0.0);
        else
            LN_TRY(ln_plan_copy(plan, delay->instance, residuals->graph, &input[count], 1));
        count++;
    }
    return ln_plan_compile(plan, input, target, count, part);
}

linnet_status ln_plan_delay_inputs(ln_plan *plan) {
    LN_TRY(compile_inputs(plan, 0, &plan->remembered));
    return compile_inputs(plan, 1, &plan->changing);
}

typedef struct start {
    const ln_plan *plan;
    double through; /* how much of a signal now comes through */
} start;

/* The values at the start in the place of recalled values, where nodes are to be computed now. */
static ln_node as_at_start(void *context, ln_graph *to, const ln_graph *from, ln_node old,
                           const ln_node arg[3]) {
    const start *at = context;
    const ln_op op = ln_node_op(from, old);
    if (!ln_op_recalls(op))
        return ln_remake(to, from, old, arg);
    const double before = at->plan->delays[(int)ln_node_value(to, arg[1])].before;
    return ln_constant(to, op == LN_OP_RECALL          ? before
                           : op == LN_OP_RECALL_WEIGHT ? at->through
                                                       : 0.0);
}

linnet_status ln_plan_delays_at_start(ln_plan *plan, int is_near, ln_node *nodes, int count) {
    start at = {plan, is_near ? HALF : 0};
    if (plan->nlines > 0)
        ln_rewrite(plan->graph, plan->graph, nodes, count, as_at_start, &at);
    return ln_graph_failed(plan->graph) ? ln_no_memory(plan->report) : LINNET_OK;
}
