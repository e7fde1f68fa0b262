/* SPDX-License-Identifier: MIT */
/* The part of a plan that concerns the boundary of a step: modes and events of all instances as
 * three programs over the signals, states and memories of the whole diagram. */
#include "codegen/plan.h"
#include "blocks/equations.h"

#include <string.h>

/* What grows while instances are visited. */
typedef struct gathering {
    ln_plan *plan;
    ln_node *modes, *conditions, *sets, *asserts;
    int *mode_target, *condition_target, *set_target, *assert_target;
    int nmodes, nevents, nsets, nasserts;
} gathering;

static linnet_status count_all(ln_plan *plan, gathering *gather) {
    size_t modes = 0, events = 0, sets = 0;
    for (int i = 0; i < plan->network->ninstances; i++) {
        const linnet_block_class *class = plan->network->instances[i].block.type;
        const ln_residuals *residuals = ln_class_residuals(class);
        modes += (size_t) class->nmodes;
        events += (size_t) class->nevents;
        sets += residuals != NULL ? (size_t)residuals->nsets : 0;
    }
    ln_arena *scratch = plan->diagram.scratch;
    gather->modes = LN_NEW(plan->arena, ln_node, modes),
    gather->mode_target = LN_NEW(scratch, int, modes);
    gather->conditions = LN_NEW(scratch, ln_node, events),
    gather->condition_target = LN_NEW(scratch, int, events);
    gather->sets = LN_NEW(plan->arena, ln_node, sets),
    gather->set_target = LN_NEW(scratch, int, sets);
    gather->asserts = LN_NEW(scratch, ln_node, events),
    gather->assert_target = LN_NEW(scratch, int, events);
    plan->events = LN_NEW(plan->arena, ln_plan_event, events);
    plan->asserted = LN_NEW(plan->arena, ln_plan_event, events);
    plan->sets = LN_NEW(plan->arena, ln_plan_set, sets);
    return gather->modes && gather->mode_target && gather->conditions && gather->condition_target &&
                   gather->sets && gather->set_target && gather->asserts && gather->assert_target &&
                   plan->events && plan->asserted && plan->sets
               ? LINNET_OK
               : ln_no_memory(plan->report);
}

static linnet_status add_modes(gathering *gather, int i, const ln_residuals *residuals) {
    ln_plan *plan = gather->plan;
    const ln_instance *instance = &plan->network->instances[i];
    const linnet_block_class *class = instance->block.type;
    if (class->nmodes == 0)
        return LINNET_OK;
    memcpy(gather->modes + gather->nmodes, residuals->modes,
           (size_t) class->nmodes * sizeof(ln_node));
    LN_TRY(ln_plan_copy(plan, i, residuals->graph, gather->modes + gather->nmodes, class->nmodes));
    for (int k = 0; k < class->nmodes; k++)
        gather->mode_target[gather->nmodes++] =
            instance->first_memory + class->nmemories - class->nmodes + k;
    return LINNET_OK;
}

/* place: of each event of the instance, or -1. */
static linnet_status add_sets(gathering *gather, int i, const ln_residuals *residuals,
                              const int *place) {
    ln_plan *plan = gather->plan;
    const ln_instance *instance = &plan->network->instances[i];
    for (int k = 0; k < residuals->nsets; k++) {
        const int memory = residuals->set_memory[k], event = place[residuals->set_event[k]];
        const int unknown =
            memory >= 0 ? -1
                        : ln_diagram_unknown(plan->network, instance, residuals->set_unknown[k]);
        if (event < 0 || (memory < 0 && unknown < 0)) /* a reference stays */
            continue;
        gather->sets[gather->nsets] = residuals->sets[k];
        LN_TRY(ln_plan_copy(plan, i, residuals->graph, &gather->sets[gather->nsets], 1));
        plan->sets[gather->nsets] =
            (ln_plan_set){event, memory >= 0 ? instance->first_memory + memory : -1, unknown};
        gather->set_target[gather->nsets] = gather->nsets;
        gather->nsets++;
        if (memory < 0 && plan->implicit == NULL && plan->state_of[unknown] < 0)
            return ln_fail(
                plan->report, LINNET_MODEL, instance->place,
                "%s (%s): an event sets what is no state of the diagram, which an explicit "
                "method finds anew at each point; give --method backward-euler or "
                "crank-nicolson, or let it set a state or a memory",
                instance->name, instance->block.type->name);
    }
    return LINNET_OK;
}

/* In a network, whose inputs are no parameters of programs: does an assertion ask for parameters
 * alone? It is one on ranges then, and nothing happens at instants because of it. */
static int asserts_parameters(const ln_plan *plan, const linnet_event *event, ln_node condition) {
    const unsigned parameter = 1u << LN_LEAF_PARAMETER;
    return plan->implicit != NULL && (event->flags & LINNET_FAILS) &&
           !(ln_depends(plan->graph, condition) & ~parameter);
}

/* A constant condition never turns true: what it asserts has been checked. */
static linnet_status add_events(gathering *gather, int i, const ln_residuals *residuals) {
    ln_plan *plan = gather->plan;
    const ln_instance *instance = &plan->network->instances[i];
    const linnet_block_class *class = instance->block.type;
    int *place = LN_NEW(plan->diagram.scratch, int, class->nevents);
    if (place == NULL)
        return ln_no_memory(plan->report);
    for (int k = 0; k < class->nevents; k++) {
        ln_node *condition = &gather->conditions[gather->nevents];
        *condition = residuals->conditions[k];
        LN_TRY(ln_plan_copy(plan, i, residuals->graph, condition, 1));
        place[k] = -1;
        if (ln_node_op(plan->graph, *condition) == LN_OP_CONSTANT)
            continue;
        if (asserts_parameters(plan, &class->events[k], *condition)) {
            plan->asserted[gather->nasserts] = (ln_plan_event){&class->events[k], instance};
            gather->assert_target[gather->nasserts] = gather->nasserts;
            gather->asserts[gather->nasserts++] = *condition;
            continue;
        }
        place[k] = gather->nevents;
        plan->events[gather->nevents] = (ln_plan_event){&class->events[k], instance};
        gather->condition_target[gather->nevents] = gather->nevents;
        gather->nevents++;
    }
    return add_sets(gather, i, residuals, place);
}

linnet_status ln_plan_hybrid(ln_plan *plan) {
    gathering gather = {.plan = plan};
    LN_TRY(count_all(plan, &gather));
    for (int i = 0; i < plan->network->ninstances; i++) {
        const ln_residuals *residuals = ln_class_residuals(plan->network->instances[i].block.type);
        if (residuals == NULL)
            continue; /* a device, or a delay */
        LN_TRY(add_modes(&gather, i, residuals));
        LN_TRY(add_events(&gather, i, residuals));
    }
    plan->nevents = gather.nevents;
    plan->nmodes = gather.nmodes;
    plan->set_node = gather.sets;
    plan->mode_node = gather.modes;
    LN_TRY(ln_plan_compile(plan, gather.modes, gather.mode_target, gather.nmodes, &plan->modes));
    LN_TRY(ln_plan_compile(plan, gather.conditions, gather.condition_target, gather.nevents,
                           &plan->conditions));
    LN_TRY(ln_plan_compile(plan, gather.asserts, gather.assert_target, gather.nasserts,
                           &plan->asserts));
    return ln_plan_compile(plan, gather.sets, gather.set_target, gather.nsets, &plan->act);
}

/* ---- for whoever integrates the states himself ---- */

/* The guards of the instance, behind the first `done`. */
static linnet_status add_guards(ln_plan *plan, int i, ln_node *guards, int *done) {
    const linnet_block_class *class = plan->network->instances[i].block.type;
    const ln_residuals *residuals = ln_class_residuals(class);
    if (class->nmodes == 0)
        return LINNET_OK;
    guards += *done;
    memcpy(guards, residuals->guards, (size_t) class->nmodes * sizeof *guards);
    *done += class->nmodes;
    return ln_plan_copy(plan, i, residuals->graph, guards, class->nmodes);
}

/* Does what the block computes come from outside in its place? */
static int is_replaced(const ln_plan *plan, int i) {
    const ln_instance *instance = &plan->network->instances[i];
    for (int port = 0; port < instance->block.type->nports; port++) {
        const int unknown = ln_diagram_unknown(plan->network, instance, port);
        for (int k = 0; k < plan->ninputs; k++)
            if ((instance->block.type->ports[port].flags & LINNET_OUTPUT) &&
                plan->input_unknown[k] == unknown)
                return 1;
    }
    return 0;
}

static linnet_status add_breakpoints(ln_plan *plan, int i, ln_node *nodes) {
    const ln_residuals *residuals = ln_class_residuals(plan->network->instances[i].block.type);
    const int first = plan->nbreakpoints;
    if (residuals == NULL || is_replaced(plan, i))
        return LINNET_OK;
    for (int k = 0; k < residuals->nbreakpoints; k++) {
        const ln_breakpoint *gather = &residuals->breakpoints[k];
        nodes[2 * plan->nbreakpoints] = gather->scale,
                  nodes[2 * plan->nbreakpoints + 1] = gather->shift;
        plan->breakpoint[plan->nbreakpoints++] = (ln_plan_breakpoint){
            gather->kind, gather->table_first + plan->diagram.shift[i], gather->table_points};
    }
    return residuals->nbreakpoints == 0
               ? LINNET_OK
               : ln_plan_copy(plan, i, residuals->graph, nodes + 2 * (size_t)first,
                              2 * residuals->nbreakpoints);
}

static size_t breakpoints_of(const ln_plan *plan, int i) {
    const ln_residuals *residuals = ln_class_residuals(plan->network->instances[i].block.type);
    return residuals != NULL ? (size_t)residuals->nbreakpoints : 0;
}

linnet_status ln_plan_exchange(ln_plan *plan) {
    const int count = plan->network->ninstances;
    size_t most = (size_t)plan->nmodes;
    for (int i = 0; i < count; i++)
        most += breakpoints_of(plan, i);
    ln_node *nodes = LN_NEW(plan->diagram.scratch, ln_node, 2 * most);
    int *target = LN_NEW(plan->diagram.scratch, int, 2 * most);
    plan->breakpoint = LN_NEW(plan->arena, ln_plan_breakpoint, most);
    if (nodes == NULL || target == NULL || plan->breakpoint == NULL)
        return ln_no_memory(plan->report);
    for (int k = 0; k < 2 * (int)most; k++)
        target[k] = k;
    int done = 0;
    for (int i = 0; i < count; i++)
        LN_TRY(add_guards(plan, i, nodes, &done));
    LN_TRY(ln_plan_compile(plan, nodes, target, done, &plan->guards));
    for (int i = 0; i < count; i++)
        LN_TRY(add_breakpoints(plan, i, nodes));
    return ln_plan_compile(plan, nodes, target, 2 * plan->nbreakpoints, &plan->breakpoints);
}
