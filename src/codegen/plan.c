/* SPDX-License-Identifier: MIT */
/* From a network to a plan: see plan.h. */
#include "codegen/plan.h"

#include "codegen/network_plan.h"

#include "base/sys.h"
#include "blocks/equations.h"
#include <math.h>
#include <string.h>

/* ---- nodes ---- */

/* A leaf of the diagram's graph: an unknown on which a loop iterates becomes its signal. */
static ln_node diagram_leaf(void *context, ln_graph *to, const ln_graph *from, ln_node leaf) {
    const ln_plan *plan = context;
    const ln_diagram *d = &plan->diagram;
    int index;
    if (ln_node_op(from, leaf) == LN_OP_DER || ln_node_leaf(from, leaf, &index) != LN_LEAF_UNKNOWN)
        return LN_NONE;
    return index < d->nstates ? LN_NONE
                              : ln_leaf_node(to, LN_LEAF_UNKNOWN,
                                             ln_plan_signal(plan, d->iterated[index - d->nstates]));
}

/* What a program may read in place of computing it: the signal whose value a node is, or -1. */
typedef struct known_values {
    const ln_plan *plan;
    int *signal_of;
    int size;
} known_values;

static ln_node use_signal(void *context, ln_graph *to, const ln_graph *from, ln_node old,
                          const ln_node arg[3]) {
    const known_values *known = context;
    const int u = old < known->size ? known->signal_of[old] : -1;
    if (u >= 0)
        return ln_leaf_node(to, LN_LEAF_UNKNOWN, ln_plan_signal(known->plan, u));
    return ln_remake(to, from, old, arg);
}

/* Marks the signals that stand as leaves below the nodes. */
static linnet_status mark_signals(ln_plan *plan, const ln_node *nodes, int count, char *marked) {
    ln_walk walk;
    LN_TRY(ln_walk_new(&walk, &plan->diagram, plan->graph));
    for (int k = 0; k < count; k++)
        ln_walk_push(&walk, nodes[k], 1);
    for (ln_node part; (part = ln_walk_next(&walk, 1)) != LN_NONE;) {
        int index;
        if (ln_node_leaf(plan->graph, part, &index) != LN_LEAF_UNKNOWN)
            continue;
        index -= plan->diagram.nstates;
        if (index >= 0 && index < plan->diagram.n)
            marked[index] = 1;
    }
    return LINNET_OK;
}

/* ---- programs ---- */

/* The signals of which needed[u] is `which`. */
static linnet_status compile_signals(ln_plan *plan, const ln_node *value, const char *needed,
                                     int which, ln_plan_part *part) {
    const ln_diagram *d = &plan->diagram;
    ln_node *nodes = LN_NEW(d->scratch, ln_node, d->n);
    int *target = LN_NEW(d->scratch, int, d->n), count = 0;
    if (nodes == NULL || target == NULL)
        return ln_no_memory(plan->report);
    for (int u = 0; u < d->n; u++) {
        if (plan->state_of[u] >= 0 || needed[u] != which)
            continue;
        nodes[count] = value[u];
        target[count++] = u;
    }
    return ln_plan_compile(plan, nodes, target, count, part);
}

/* Each signal by the number of the node that is its value, where `takes` says so; leaves and
 * constants stay. */
static void know(const ln_plan *plan, const ln_node *value, const char *takes,
                 known_values *known) {
    for (int k = 0; k < known->size; k++)
        known->signal_of[k] = -1;
    for (int u = plan->diagram.n; u-- > 0;) {
        const ln_op op = ln_node_op(plan->graph, value[u]);
        if (plan->state_of[u] >= 0 || op == LN_OP_LEAF || op == LN_OP_CONSTANT ||
            (takes != NULL && !takes[u]))
            continue;
        known->signal_of[value[u]] = u;
    }
}

/* needed, rest, rates. */
static linnet_status make_programs(ln_plan *plan, ln_node *value, ln_node *rate) {
    const ln_diagram *d = &plan->diagram;
    known_values known = {plan, LN_NEW(d->scratch, int, ln_graph_size(plan->graph)),
                          ln_graph_size(plan->graph)};
    char *needed = LN_NEW(d->scratch, char, d->n);
    int *target = LN_NEW(d->scratch, int, d->nstates);
    ln_node *others = LN_NEW(d->scratch, ln_node, d->n);
    if (known.signal_of == NULL || needed == NULL || target == NULL || others == NULL)
        return ln_no_memory(plan->report);
    know(plan, value, NULL, &known);
    ln_rewrite(plan->graph, plan->graph, rate, d->nstates, use_signal, &known);
    if (ln_graph_failed(plan->graph))
        return ln_no_memory(plan->report);
    LN_TRY(mark_signals(plan, rate, d->nstates, needed));
    for (int k = 0; k < d->nstates; k++)
        target[k] = d->state[k];
    LN_TRY(ln_plan_compile(plan, rate, target, d->nstates, &plan->rates));
    LN_TRY(compile_signals(plan, value, needed, 1, &plan->needed));
    know(plan, value, needed, &known);
    memcpy(others, value, (size_t)d->n * sizeof *others);
    ln_rewrite(plan->graph, plan->graph, others, d->n, use_signal, &known);
    if (ln_graph_failed(plan->graph))
        return ln_no_memory(plan->report);
    return compile_signals(plan, others, needed, 0, &plan->rest);
}

static linnet_status make_loop(ln_plan *plan, const ln_cycle *cycle, ln_plan_loop *loop) {
    const ln_diagram *d = &plan->diagram;
    const int count = cycle->count * (cycle->count + 1);
    ln_node *nodes = LN_NEW(plan->arena, ln_node, count);
    int *unknown = LN_NEW(plan->arena, int, cycle->count);
    double *nominal = LN_NEW(plan->arena, double, cycle->count), absolute;
    if (nodes == NULL || unknown == NULL || nominal == NULL)
        return ln_no_memory(plan->report);
    memcpy(nodes, cycle->nodes, (size_t)count * sizeof *nodes);
    ln_copy(plan->graph, d->graph, nodes, count, diagram_leaf, plan);
    if (ln_graph_failed(plan->graph))
        return ln_no_memory(plan->report);
    for (int k = 0; k < cycle->count; k++) {
        unknown[k] = d->iterated[cycle->first + k];
        ln_network_unknown_scale(plan->network, unknown[k], &absolute, &nominal[k]);
    }
    *loop = (ln_plan_loop){.nodes = nodes,
                           .program = ln_program_compile(plan->arena, plan->graph, nodes, count),
                           .count = cycle->count,
                           .unknown = unknown,
                           .nominal = nominal,
                           .affine = cycle->affine,
                           .members = ln_arena_string(plan->arena, cycle->members),
                           .place = cycle->place};
    return loop->program == NULL || loop->members == NULL ? ln_no_memory(plan->report) : LINNET_OK;
}

/* The loops whose unknowns stand below what was pushed on the walk. */
static void mark_loops(ln_plan *plan, ln_walk *walk) {
    for (ln_node part; (part = ln_walk_next(walk, 1)) != LN_NONE;) {
        int index;
        if (ln_node_leaf(plan->graph, part, &index) != LN_LEAF_UNKNOWN)
            continue;
        for (int k = 0; k < plan->nloops; k++)
            for (int i = 0; i < plan->loops[k].count; i++)
                if (index == ln_plan_signal(plan, plan->loops[k].unknown[i]))
                    plan->loops[k].for_rates = 1;
    }
}

/* Which loops must be solved for the rates: those whose unknowns these hold, and earlier ones that
 * those need. */
static linnet_status mark_needed_loops(ln_plan *plan, const ln_node *rate) {
    ln_walk walk;
    LN_TRY(ln_walk_new(&walk, &plan->diagram, plan->graph));
    for (int k = 0; k < plan->diagram.nstates; k++)
        ln_walk_push(&walk, rate[k], 1);
    mark_loops(plan, &walk);
    for (int k = plan->nloops; k-- > 0;) {
        const ln_plan_loop *loop = &plan->loops[k];
        for (int i = 0; loop->for_rates && i < loop->count * (loop->count + 1); i++)
            ln_walk_push(&walk, loop->nodes[i], 1);
        mark_loops(plan, &walk);
    }
    return LINNET_OK;
}

static linnet_status make_loops(ln_plan *plan, const ln_node *rate) {
    const ln_diagram *d = &plan->diagram;
    plan->loops = LN_NEW(plan->arena, ln_plan_loop, d->nloops);
    if (plan->loops == NULL)
        return ln_no_memory(plan->report);
    for (; plan->nloops < (int)d->nloops; plan->nloops++)
        LN_TRY(make_loop(plan, &d->loops[plan->nloops], &plan->loops[plan->nloops]));
    return mark_needed_loops(plan, rate);
}

/* ---- outputs ---- */

static linnet_status refuse_output(const ln_plan *plan, const char *name) {
    return ln_fail(plan->report, LINNET_MODEL, LN_NOWHERE,
                   "output '%s' holds what is no signal, state, flux, memory or value of a block; "
                   "generated code cannot give it; leave it out of <record>",
                   name);
}

static linnet_status quantity_node(ln_plan *plan, const char *name, const ln_quantity *q,
                                   ln_node *node) {
    switch (q->kind) {
    case LN_Q_UNKNOWN:
        *node = ln_leaf_node(plan->graph, LN_LEAF_UNKNOWN,
                             plan->state_of[q->index] >= 0 ? plan->state_of[q->index]
                                                           : ln_plan_signal(plan, q->index));
        if (q->sign < 0)
            *node = ln_operation(plan->graph, LN_OP_NEG, *node, LN_NONE, LN_NONE);
        return LINNET_OK;
    case LN_Q_MEMORY: *node = ln_leaf_node(plan->graph, LN_LEAF_MEMORY, q->index); return LINNET_OK;
    case LN_Q_ZERO: *node = ln_constant(plan->graph, 0.0); return LINNET_OK;
    case LN_Q_CONSTANT: *node = ln_constant(plan->graph, q->value); return LINNET_OK;
    case LN_Q_FLUX: return ln_network_plan_flux(plan, q, node);
    case LN_Q_DROP: return ln_network_plan_drop(plan, q, node);
    case LN_Q_POWER: return ln_network_plan_power(plan, q, node);
    case LN_Q_OBSERVED: {
        const ln_residuals *residuals =
            ln_class_residuals(plan->network->instances[q->index].block.type);
        if (residuals == NULL)
            return refuse_output(plan, name);
        *node = residuals->lets[q->item];
        return ln_plan_copy(plan, q->index, residuals->graph, node, 1);
    }
    default: return refuse_output(plan, name);
    }
}

typedef struct recorded_context {
    ln_plan *plan;
    const ln_codegen_output *output;
    linnet_status status;
} recorded_context;

static ln_node recorded_leaf(void *context, ln_graph *to, const ln_graph *from, ln_node leaf) {
    recorded_context *recorded = context;
    int index;
    ln_node node = LN_NONE;
    (void)to;
    if (ln_node_op(from, leaf) == LN_OP_DER)
        recorded->status = refuse_output(recorded->plan, recorded->output->name);
    else if (ln_node_leaf(from, leaf, &index) == LN_LEAF_UNKNOWN && recorded->status == LINNET_OK)
        recorded->status = quantity_node(recorded->plan, recorded->output->name,
                                         &recorded->output->inputs[index], &node);
    return node;
}

static linnet_status output_node(ln_plan *plan, const ln_codegen_output *output, ln_node *node) {
    if (output->graph != NULL) {
        recorded_context context = {plan, output, LINNET_OK};
        *node = output->node;
        ln_copy(plan->graph, output->graph, node, 1, recorded_leaf, &context);
        return context.status;
    }
    return quantity_node(plan, output->name, &output->quantity, node);
}

/* "resistor R1, model.xml:8": the block of which it is recorded. */
static const char *about_output(ln_plan *plan, const ln_codegen_output *output) {
    const char *dot = strrchr(output->name, '.');
    const int unknown = output->quantity.index;
    if (output->graph != NULL)
        return "";
    if (output->quantity.kind == LN_Q_UNKNOWN)
        return (plan->state_of[unknown] >= 0 ? &plan->states : &plan->signals)
            ->field[plan->member[unknown].field]
            .about;
    const int instance =
        dot == NULL ? -1
                    : ln_find_instance(plan->network, output->name, (size_t)(dot - output->name));
    if (instance < 0)
        return "";
    const ln_instance *block = &plan->network->instances[instance];
    return ln_plan_about(plan, block, block->place);
}

linnet_status ln_plan_outputs(ln_plan *plan, const ln_plan_request *request) {
    const int count = plan->noutputs = request->noutputs;
    ln_node *nodes = LN_NEW(plan->arena, ln_node, count);
    int *target = LN_NEW(plan->diagram.scratch, int, count);
    plan->output_node = nodes;
    plan->output = LN_NEW(plan->arena, ln_member, count);
    plan->recorded = request->outputs;
    if (nodes == NULL || target == NULL || plan->output == NULL)
        return ln_no_memory(plan->report);
    for (int k = 0; k < count; k++) {
        const ln_codegen_output *output = &request->outputs[k];
        LN_TRY(output_node(plan, output, &nodes[k]));
        plan->output[k] = ln_fields_add(&plan->outputs, output->name, about_output(plan, output));
        ln_fields_set_unit(&plan->outputs, plan->output[k], output->unit);
        target[k] = k;
    }
    if (ln_graph_failed(plan->graph))
        return ln_no_memory(plan->report);
    return ln_plan_compile(plan, nodes, target, count, &plan->observed);
}

/* ---- inputs ---- */

typedef struct input_search {
    ln_plan *plan;
    int *unknown;
    int others; /* what bears the name and is no signal */
} input_search;

static void add_input(void *context, const char *name, const ln_quantity *quantity) {
    input_search *search = context;
    ln_plan *plan = search->plan;
    (void)name;
    if (quantity->kind != LN_Q_UNKNOWN) {
        search->others++;
        return;
    }
    for (int i = 0; i < plan->ninputs; i++)
        if (search->unknown[i] == quantity->index)
            return;
    search->unknown[plan->ninputs++] = quantity->index;
}

static linnet_status refuse_input(const ln_plan *plan, const char *name) {
    ln_quantity q;
    const char *nearest = NULL;
    ln_network_find(plan->network, name, &q, &nearest);
    return ln_fail(plan->report, LINNET_USAGE, LN_NOWHERE,
                   "there is no signal '%s' to be an input%s%s%s", name,
                   nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                   nearest != NULL ? "'?" : "");
}

/* The name of a vector or matrix stands for its elements. */
static linnet_status find_inputs(ln_plan *plan, const ln_plan_request *request) {
    int *unknown = LN_NEW(plan->arena, int, plan->network->n);
    if (unknown == NULL)
        return ln_no_memory(plan->report);
    plan->input_unknown = unknown;
    for (int k = 0; k < request->ninputs; k++) {
        input_search search = {plan, unknown, 0};
        const int found = ln_network_match(plan->network, request->inputs[k], add_input, &search);
        if (found < 0)
            return ln_no_memory(plan->report);
        if (found == 0 || search.others > 0)
            return refuse_input(plan, request->inputs[k]);
    }
    return LINNET_OK;
}

/* ---- the whole ---- */

/* The structs, empty, and the inputs' unknowns. */
static linnet_status open_structs(ln_plan *plan, ln_network *network,
                                  const ln_plan_request *request, ln_report *report) {
    *plan = (ln_plan){.network = network,
                      .report = report,
                      .arena = ln_arena_new(),
                      .diagram = {.network = network, .report = report}};
    if (plan->arena == NULL)
        return ln_no_memory(report);
    ln_fields *const all[] = {&plan->inputs,       &plan->outputs,    &plan->signals,
                              &plan->states,       &plan->parameters, &plan->memories,
                              &plan->enable_states};
    for (int k = 0; k < LN_PLAN_STRUCTS; k++)
        ln_fields_init(all[k], plan->arena, NULL);
    LN_TRY(find_inputs(plan, request));
    plan->diagram.inputs = plan->input_unknown, plan->diagram.ninputs = plan->ninputs;
    plan->diagram.tunes = request->tunable ? ln_plan_tunes : NULL;
    plan->diagram.context = plan;
    plan->graph = ln_graph_new();
    plan->start = LN_NEW(plan->arena, double, network->n);
    return plan->graph == NULL || plan->start == NULL ? ln_no_memory(report)
                                                      : ln_plan_find_delays(plan, request->step);
}

/* Has memory been enough for all members so far? */
static linnet_status check_structs(const ln_plan *plan) {
    const ln_fields *const all[] = {&plan->inputs,       &plan->outputs,    &plan->signals,
                                    &plan->states,       &plan->parameters, &plan->memories,
                                    &plan->enable_states};
    for (int k = 0; k < LN_PLAN_STRUCTS; k++)
        if (all[k]->failed)
            return ln_no_memory(plan->report);
    /* names of unknowns are the network's */
    return ln_arena_failed(plan->network->arena) ? ln_no_memory(plan->report) : LINNET_OK;
}

linnet_status ln_plan_begin(ln_plan *plan, ln_network *network, const ln_plan_request *request,
                            ln_report *report) {
    LN_TRY(open_structs(plan, network, request, report));
    LN_TRY(ln_diagram_begin(&plan->diagram));
    LN_TRY(ln_plan_add_unknowns(plan));
    LN_TRY(ln_plan_add_inputs(plan));
    LN_TRY(ln_plan_add_memories(plan));
    LN_TRY(ln_plan_add_enables(plan));
    return check_structs(plan);
}

linnet_status ln_plan_end(ln_plan *plan) {
    LN_TRY(ln_plan_find_parameters(plan));
    return check_structs(plan);
}

static linnet_status open_diagram(ln_plan *plan) {
    ln_diagram *d = &plan->diagram;
    const linnet_status status = ln_diagram_open(d);
    if (status != LINNET_USAGE || d->refused < 0)
        return status;
    const ln_instance *instance = &plan->network->instances[d->refused];
    return ln_fail(plan->report, LINNET_MODEL, instance->place,
                   "%s (%s): its equations give no rates of states and no signals one after the "
                   "other; generated code with an explicit method needs that",
                   instance->name, instance->block.type->name);
}

linnet_status ln_plan_make(ln_plan *plan, ln_network *network, const ln_plan_request *request,
                           ln_report *report) {
    LN_TRY(open_structs(plan, network, request, report));
    LN_TRY(open_diagram(plan));
    const ln_diagram *d = &plan->diagram;
    LN_TRY(ln_plan_add_unknowns(plan));
    LN_TRY(ln_plan_add_inputs(plan));
    LN_TRY(ln_plan_add_memories(plan));
    LN_TRY(ln_plan_add_enables(plan));
    LN_TRY(check_structs(plan));
    ln_node *value = LN_NEW(plan->arena, ln_node, d->n);
    ln_node *rate = LN_NEW(d->scratch, ln_node, d->nstates);
    plan->value = value;
    if (value == NULL || rate == NULL)
        return ln_no_memory(report);
    memcpy(value, d->value, (size_t)d->n * sizeof *value);
    LN_TRY(ln_diagram_rates(&plan->diagram, rate));
    ln_copy(plan->graph, d->graph, value, d->n, diagram_leaf, plan);
    ln_copy(plan->graph, d->graph, rate, d->nstates, diagram_leaf, plan);
    if (ln_graph_failed(plan->graph))
        return ln_no_memory(report);
    LN_TRY(make_loops(plan, rate));
    LN_TRY(make_programs(plan, value, rate));
    LN_TRY(ln_plan_hybrid(plan));
    LN_TRY(ln_plan_delay_inputs(plan));
    if (request->exchange)
        LN_TRY(ln_plan_exchange(plan));
    LN_TRY(ln_plan_outputs(plan, request));
    return ln_plan_end(plan);
}

void ln_plan_free(ln_plan *plan) {
    ln_fields *const all[] = {&plan->inputs,       &plan->outputs,    &plan->signals,
                              &plan->states,       &plan->parameters, &plan->memories,
                              &plan->enable_states};
    for (int k = 0; k < LN_PLAN_STRUCTS; k++)
        ln_fields_free(all[k]);
    if (plan->graph != NULL)
        ln_graph_free(plan->graph);
    if (plan->natives != NULL)
        ln_graph_free(plan->natives);
    ln_diagram_close(&plan->diagram);
    ln_arena_free(plan->arena);
    *plan = (ln_plan){0};
}
