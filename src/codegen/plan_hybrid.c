/* SPDX-License-Identifier: MIT */
/* The part of a plan that concerns the boundary of a step: modes and events of all instances as
 * three programs over the signals, states and memories of the whole diagram. */
#include "codegen/plan.h"

#include <string.h>

/* What grows while instances are visited. */
typedef struct gathering {
    ln_plan *plan;
    ln_node *modes, *conditions, *sets;
    int *mode_target, *condition_target, *set_target;
    int nmodes, nevents, nsets;
} gathering;

static linnet_status count_all(ln_plan *plan, gathering *it) {
    size_t modes = 0, events = 0, sets = 0;
    for (int i = 0; i < plan->network->ninstances; i++) {
        const linnet_block_class *class = plan->network->instances[i].block.type;
        const ln_residuals *residuals = ln_class_residuals(class);
        modes += (size_t) class->nmodes;
        events += (size_t) class->nevents;
        sets += residuals != NULL ? (size_t)residuals->nsets : 0;
    }
    ln_arena *scratch = plan->diagram.scratch;
    it->modes = LN_NEW(plan->arena, ln_node, modes), it->mode_target = LN_NEW(scratch, int, modes);
    it->conditions = LN_NEW(scratch, ln_node, events),
    it->condition_target = LN_NEW(scratch, int, events);
    it->sets = LN_NEW(plan->arena, ln_node, sets), it->set_target = LN_NEW(scratch, int, sets);
    plan->events = LN_NEW(plan->arena, ln_plan_event, events);
    plan->sets = LN_NEW(plan->arena, ln_plan_set, sets);
    return it->modes && it->mode_target && it->conditions && it->condition_target && it->sets &&
                   it->set_target && plan->events && plan->sets
               ? LINNET_OK
               : ln_no_memory(plan->report);
}

static linnet_status add_modes(gathering *it, int i, const ln_residuals *residuals) {
    ln_plan *plan = it->plan;
    const ln_instance *instance = &plan->network->instances[i];
    const linnet_block_class *class = instance->block.type;
    if (class->nmodes == 0)
        return LINNET_OK;
    memcpy(it->modes + it->nmodes, residuals->modes, (size_t) class->nmodes * sizeof(ln_node));
    LN_TRY(ln_plan_copy(plan, i, residuals->graph, it->modes + it->nmodes, class->nmodes));
    for (int k = 0; k < class->nmodes; k++)
        it->mode_target[it->nmodes++] =
            instance->first_memory + class->nmemories - class->nmodes + k;
    return LINNET_OK;
}

/* place: of each event of the instance, or -1. */
static linnet_status add_sets(gathering *it, int i, const ln_residuals *residuals,
                              const int *place) {
    ln_plan *plan = it->plan;
    const ln_instance *instance = &plan->network->instances[i];
    for (int k = 0; k < residuals->nsets; k++) {
        const int memory = residuals->set_memory[k], event = place[residuals->set_event[k]];
        const int unknown =
            memory >= 0 ? -1
                        : ln_diagram_unknown(plan->network, instance, residuals->set_unknown[k]);
        if (event < 0 || (memory < 0 && unknown < 0)) /* a reference stays */
            continue;
        it->sets[it->nsets] = residuals->sets[k];
        LN_TRY(ln_plan_copy(plan, i, residuals->graph, &it->sets[it->nsets], 1));
        plan->sets[it->nsets] =
            (ln_plan_set){event, memory >= 0 ? instance->first_memory + memory : -1, unknown};
        it->set_target[it->nsets] = it->nsets;
        it->nsets++;
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

/* A condition of parameters alone never turns true: what it asserts has been checked. */
static linnet_status add_events(gathering *it, int i, const ln_residuals *residuals) {
    ln_plan *plan = it->plan;
    const ln_instance *instance = &plan->network->instances[i];
    const linnet_block_class *class = instance->block.type;
    int *place = LN_NEW(plan->diagram.scratch, int, class->nevents);
    if (place == NULL)
        return ln_no_memory(plan->report);
    for (int k = 0; k < class->nevents; k++) {
        ln_node *condition = &it->conditions[it->nevents];
        *condition = residuals->conditions[k];
        LN_TRY(ln_plan_copy(plan, i, residuals->graph, condition, 1));
        place[k] = ln_node_op(plan->graph, *condition) == LN_OP_CONSTANT ? -1 : it->nevents;
        if (place[k] < 0)
            continue;
        plan->events[it->nevents] = (ln_plan_event){&class->events[k], instance};
        it->condition_target[it->nevents] = it->nevents;
        it->nevents++;
    }
    return add_sets(it, i, residuals, place);
}

linnet_status ln_plan_hybrid(ln_plan *plan) {
    gathering it = {.plan = plan};
    LN_TRY(count_all(plan, &it));
    for (int i = 0; i < plan->network->ninstances; i++) {
        const ln_residuals *residuals = ln_class_residuals(plan->network->instances[i].block.type);
        if (residuals == NULL)
            continue; /* a device, or a delay */
        LN_TRY(add_modes(&it, i, residuals));
        LN_TRY(add_events(&it, i, residuals));
    }
    plan->nevents = it.nevents;
    plan->nmodes = it.nmodes;
    plan->set_node = it.sets;
    plan->mode_node = it.modes;
    LN_TRY(ln_plan_compile(plan, it.modes, it.mode_target, it.nmodes, &plan->modes));
    LN_TRY(
        ln_plan_compile(plan, it.conditions, it.condition_target, it.nevents, &plan->conditions));
    return ln_plan_compile(plan, it.sets, it.set_target, it.nsets, &plan->act);
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

static linnet_status add_corners(ln_plan *plan, int i, ln_node *nodes) {
    const ln_residuals *residuals = ln_class_residuals(plan->network->instances[i].block.type);
    const int first = plan->ncorners;
    if (residuals == NULL || is_replaced(plan, i))
        return LINNET_OK;
    for (int k = 0; k < residuals->nbreakpoints; k++) {
        const ln_breakpoint *it = &residuals->breakpoints[k];
        nodes[2 * plan->ncorners] = it->scale, nodes[2 * plan->ncorners + 1] = it->shift;
        plan->corner[plan->ncorners++] =
            (ln_plan_corner){it->kind, it->table_first + plan->diagram.shift[i], it->table_points};
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
    plan->corner = LN_NEW(plan->arena, ln_plan_corner, most);
    if (nodes == NULL || target == NULL || plan->corner == NULL)
        return ln_no_memory(plan->report);
    for (int k = 0; k < 2 * (int)most; k++)
        target[k] = k;
    int done = 0;
    for (int i = 0; i < count; i++)
        LN_TRY(add_guards(plan, i, nodes, &done));
    LN_TRY(ln_plan_compile(plan, nodes, target, done, &plan->guards));
    for (int i = 0; i < count; i++)
        LN_TRY(add_corners(plan, i, nodes));
    return ln_plan_compile(plan, nodes, target, 2 * plan->ncorners, &plan->corners);
}
