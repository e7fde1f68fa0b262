/* SPDX-License-Identifier: MIT */
/* The algebra of a network whose index is above 1 where events act: a capacitor across a source, a
 * place that is imposed on play. What is stored and the rows alone do not determine it then; it
 * takes derivatives of rows, and impulses that move what is stored to where a row wants it. These
 * equations are those of the simulation (system/prolonged.h), with the structure that they have at
 * the start, as expressions; their elimination is written out like that of a step. */
#include "codegen/network_assembly.h"
#include "system/prolonged_structure.h"

#include <string.h>

/* ---- unknowns ---- */

/* "derivative 1 of out", "impulse 1 of V1.i": the member for a derivative (order > 0) or impulse (<
 * 0). */
static linnet_status add_member(ln_plan *plan, ln_network_plan *out, ln_motion motion) {
    const int order = motion.order < 0 ? -motion.order : motion.order;
    const int number = plan->network->n + out->nacross + out->nmotions;
    const char *name =
        ln_arena_printf(plan->arena, "%s %d of %s", motion.order < 0 ? "impulse" : "derivative",
                        order, ln_network_unknown_name(plan->network, motion.unknown));
    if (name == NULL)
        return ln_no_memory(plan->report);
    out->motion[out->nmotions++] = motion;
    plan->state_of[number] = -1;
    plan->member[number] = ln_fields_add(&plan->signals, ln_identifier(plan->arena, name), name);
    return LINNET_OK;
}

static linnet_status add_members(ln_plan *plan, ln_network_plan *out) {
    const ln_prolonged_structure *found = out->prolonged;
    const int n = found->n, before = n + out->nacross, count = before + found->size - n;
    ln_member *member = LN_NEW(plan->arena, ln_member, count);
    int *state_of = LN_NEW(plan->arena, int, count);
    out->motion = LN_NEW(plan->arena, ln_motion, found->size - n);
    if (member == NULL || state_of == NULL || out->motion == NULL)
        return ln_no_memory(plan->report);
    memcpy(member, plan->member, (size_t)before * sizeof *member);
    memcpy(state_of, plan->state_of, (size_t)before * sizeof *state_of);
    plan->member = member;
    plan->state_of = state_of;
    for (int o = 1; o <= found->most + 1; o++)
        for (int j = 0; j < n; j++)
            if (found->derivative[o * n + j] >= 0)
                LN_TRY(add_member(plan, out, (ln_motion){j, o}));
    for (int o = 1; o <= found->depth; o++)
        for (int j = 0; j < n; j++)
            if (found->impulse[o * n + j] >= 0)
                LN_TRY(add_member(plan, out, (ln_motion){j, -o}));
    return LINNET_OK;
}

linnet_status ln_network_find_motions(ln_plan *plan, const ln_system *system,
                                      ln_network_plan *out) {
    ln_prolonged_structure *found = LN_NEW(plan->arena, ln_prolonged_structure, 1);
    const linnet_status status =
        found == NULL ? LINNET_MEMORY
                      : ln_prolonged_structure_number(system, NULL, plan->arena, found);
    if (status == LINNET_MEMORY)
        return ln_no_memory(plan->report);
    /* of a floating part only differences have derivatives, and combinations are of these numbers
     * only */
    if (status != LINNET_OK || found->index.highest < 2 || !found->plain)
        return LINNET_OK;
    out->prolonged = found;
    return add_members(plan, out);
}

/* ---- other modes ---- */

static int same_structure(const ln_prolonged_structure *a, const ln_prolonged_structure *b) {
    const size_t n = (size_t)a->n;
    return b->plain && memcmp(a->index.c, b->index.c, n * sizeof *a->index.c) == 0 &&
           memcmp(a->index.d, b->index.d, n * sizeof *a->index.d) == 0 &&
           memcmp(a->index.split_index, b->index.split_index, n) == 0;
}

/* With one mode the other way: is the structure the same, or none? *other: it is not. */
static linnet_status try_mode(const ln_assembly *all, double *mode, int *other) {
    ln_system *system = all->system;
    const double kept = *mode;
    ln_prolonged_structure found;
    *mode = kept > 0 ? 0 : 1;
    linnet_status status =
        ln_system_eval(system, &(ln_moment){all->side, all->x}, LN_LIMIT_OFF, NULL, NULL, NULL);
    if (status == LINNET_OK)
        status = ln_prolonged_structure_number(system, NULL, all->plan->diagram.scratch, &found);
    *mode = kept;
    *other = status == LINNET_OK && !same_structure(all->out->prolonged, &found);
    return status == LINNET_MEMORY ? ln_no_memory(all->plan->report) : LINNET_OK;
}

linnet_status ln_assembly_check_modes(const ln_assembly *all) {
    const ln_network *network = all->plan->network;
    for (int i = 0; i < network->ninstances; i++) {
        const ln_instance *instance = &network->instances[i];
        const linnet_block_class *class = instance->block.type;
        double *mode =
            all->system->memory + instance->first_memory + class->nmemories - class->nmodes;
        for (int k = 0; k < class->nmodes; k++) {
            int other;
            LN_TRY(try_mode(all, &mode[k], &other));
            if (other)
                return ln_fail(all->plan->report, LINNET_MODEL, instance->place,
                               "%s (%s): its conditions decide what is given by a derivative where "
                               "events act (index above 1), so no elimination is fixed; let "
                               "something that stores or gives way stand between, a mass, a "
                               "capacitor, a filter; generated code cannot carry that",
                               instance->name, class->name);
        }
    }
    const linnet_status status = ln_system_eval(all->system, &(ln_moment){all->side, all->x},
                                                LN_LIMIT_OFF, NULL, NULL, NULL);
    return status == LINNET_MEMORY ? ln_no_memory(all->plan->report) : LINNET_OK;
}

/* ---- directions ---- */

/* What unknowns move by: order > 0: at the rates that are one order above them; < 0: by impulses
 * of that order. */
typedef struct direction {
    const ln_assembly *all;
    int order;
} direction;

/* The leaf of a derivative or impulse of an unknown of the network; zero where there is none. */
static ln_node motion_of(const ln_assembly *all, int unknown, int order) {
    const ln_prolonged_structure *found = all->out->prolonged;
    const int n = all->n;
    int number = -1;
    if (order > 0 && order <= found->most + 1)
        number = found->derivative[order * n + unknown];
    if (order < 0 && -order <= found->depth)
        number = found->impulse[-order * n + unknown];
    if (number < 0)
        return ln_constant(ln_assembly_graph(all), 0.0);
    return ln_leaf_node(ln_assembly_graph(all), LN_LEAF_UNKNOWN,
                        ln_network_leaf(all->plan, all->out, number + all->out->nacross));
}

/* What an unknown of the code moves by. */
static ln_node way_of(const direction *by, int unknown) {
    const ln_assembly *all = by->all;
    const ln_network_plan *out = all->out;
    if (unknown < all->n)
        return motion_of(all, unknown, by->order);
    if (unknown < all->n + out->nacross) {
        const ln_across across = out->across[unknown - all->n];
        return ln_assembly_two(all, LN_OP_SUB, motion_of(all, across.unknown, by->order),
                               motion_of(all, across.base, by->order));
    }
    const ln_motion motion = out->motion[unknown - all->n - out->nacross];
    return motion_of(all, motion.unknown, motion.order + by->order);
}

/* What flows in a branch of a device moves by, by its slopes. */
static ln_node way_of_flow(const direction *by, int leaf) {
    int unknown[2 * LN_DEVICE_CONTROLS];
    ln_node slope[2 * LN_DEVICE_CONTROLS];
    const int count = ln_assembly_slopes(by->all, leaf, unknown, slope);
    ln_node sum = ln_constant(ln_assembly_graph(by->all), 0.0);
    for (int k = 0; k < count; k++)
        if (unknown[k] >= 0)
            sum = ln_assembly_two(
                by->all, LN_OP_ADD, sum,
                ln_assembly_two(by->all, LN_OP_MUL, slope[k], way_of(by, unknown[k])));
    return sum;
}

static int is_slope(const ln_assembly *all, int leaf) {
    const int flow = leaf - ln_network_flow(all->plan, 0);
    return flow >= 0 && flow < all->out->nflows;
}

static ln_node add_slope(const direction *by, ln_node sum, ln_node node, ln_node leaf,
                         ln_node way) {
    ln_graph *graph = ln_assembly_graph(by->all);
    if (ln_node_op(graph, way) == LN_OP_CONSTANT && ln_node_value(graph, way) == 0.0)
        return sum;
    const ln_node slope = ln_assembly_finite(by->all, ln_derivative(graph, node, leaf));
    return ln_assembly_two(by->all, LN_OP_ADD, sum,
                           ln_assembly_two(by->all, LN_OP_MUL, slope, way));
}

/* What a node moves by: the sum of its slopes times what its leaves move by; in time, too, where
 * these are rates. LINNET_MODEL: it is delayed, or holds slopes of devices, which have none here.
 */
static linnet_status move(const direction *by, ln_node node, ln_node *moved) {
    const ln_assembly *all = by->all;
    ln_graph *graph = ln_assembly_graph(all);
    ln_walk walk;
    ln_node sum = ln_constant(graph, 0.0);
    LN_TRY(ln_walk_new(&walk, &all->plan->diagram, graph));
    ln_walk_push(&walk, node, 1);
    for (ln_node part; (part = ln_walk_next(&walk, 1)) != LN_NONE;) {
        int index;
        const int column = ln_assembly_column(all, part);
        if (ln_op_recalls(ln_node_op(graph, part)))
            return LINNET_MODEL;
        if (ln_node_op(graph, part) != LN_OP_LEAF)
            continue;
        const ln_leaf kind = ln_node_leaf(graph, part, &index);
        if (kind == LN_LEAF_TIME && by->order > 0)
            sum = add_slope(by, sum, node, part, ln_constant(graph, 1.0));
        if (kind == LN_LEAF_UNKNOWN && column < 0 && is_slope(all, index))
            return LINNET_MODEL;
        if (column >= all->nunknowns)
            sum = add_slope(by, sum, node, part, way_of_flow(by, index));
        else if (column >= 0)
            sum = add_slope(by, sum, node, part, way_of(by, column));
    }
    *moved = sum;
    return ln_graph_failed(graph) ? LINNET_MEMORY : LINNET_OK;
}

/* ---- equations ---- */

/* Rows and their derivatives up to the order that is wanted: row[order * n + k]. */
static linnet_status differentiate(const ln_assembly *all, ln_node *row) {
    const ln_prolonged_structure *found = all->out->prolonged;
    const direction rates = {all, 1};
    for (int k = 0; k < all->n; k++) {
        row[k] = all->rest[k];
        if (all->stored[k] != LN_NONE) {
            LN_TRY(move(&rates, all->stored[k], &row[k]));
            row[k] = ln_assembly_two(all, LN_OP_ADD, row[k], all->rest[k]);
        }
        for (int o = 1; o <= found->wanted[k]; o++)
            LN_TRY(move(&rates, row[(o - 1) * all->n + k], &row[o * all->n + k]));
    }
    return LINNET_OK;
}

/* What row `row` balances of impulses of an order: of the first also what is stored now. */
static linnet_status balance(const ln_assembly *all, int row, int order, ln_node *sum) {
    const direction below = {all, 1 - order}, here = {all, -order};
    ln_node stored = ln_constant(ln_assembly_graph(all), 0.0), flows;
    if (all->stored[row] != LN_NONE && order == 1)
        stored = ln_assembly_two(all, LN_OP_SUB, all->stored[row], all->before[row]);
    else if (all->stored[row] != LN_NONE)
        LN_TRY(move(&below, all->stored[row], &stored));
    LN_TRY(move(&here, all->rest[row], &flows));
    *sum = ln_assembly_two(all, LN_OP_ADD, *sum, ln_assembly_two(all, LN_OP_ADD, stored, flows));
    return LINNET_OK;
}

linnet_status ln_assembly_prolong(const ln_assembly *all, ln_node *residual) {
    const ln_prolonged_structure *found = all->out->prolonged;
    const int n = all->n;
    ln_node *row = LN_NEW(all->plan->diagram.scratch, ln_node, (found->most + 1) * n);
    int next = n + all->out->nacross;
    if (row == NULL)
        return LINNET_MEMORY;
    for (int k = 0; k < all->nunknowns; k++)
        residual[k] = LN_NONE;
    LN_TRY(differentiate(all, row));
    for (int k = 0; k < n; k++) {
        residual[k] = row[k];
        for (int o = 1; o <= found->index.c[k]; o++)
            residual[next++] = row[o * n + k];
    }
    for (int order = 1; order <= found->depth + 1; order++)
        for (int k = 0; k < n; k++) {
            if (ln_prolonged_balances(found, k) < order)
                continue;
            residual[next] = ln_constant(ln_assembly_graph(all), 0.0);
            LN_TRY(balance(all, k, order, &residual[next++]));
        }
    return next == all->nunknowns ? LINNET_OK : LINNET_MODEL;
}

/* ---- what may stay ---- */

typedef struct node_list {
    ln_node *item;
    int count;
} node_list;

static void add_changing(const ln_assembly *all, node_list *list, ln_node node) {
    const unsigned changing = 1u << LN_LEAF_MEMORY | 1u << LN_LEAF_DECIDE;
    if (node == LN_NONE || !(ln_depends(ln_assembly_graph(all), node) & changing))
        return;
    for (int k = 0; k < list->count; k++)
        if (list->item[k] == node)
            return;
    list->item[list->count++] = node;
}

/* Visits a node and its slopes by what it holds of unknowns; without a list they are counted. */
static linnet_status add_with_slopes(const ln_assembly *all, ln_node node, node_list *list,
                                     int *count) {
    ln_graph *graph = ln_assembly_graph(all);
    ln_walk walk;
    if (node == LN_NONE)
        return LINNET_OK;
    ++*count;
    if (list != NULL)
        add_changing(all, list, node);
    LN_TRY(ln_walk_new(&walk, &all->plan->diagram, graph));
    ln_walk_push(&walk, node, 1);
    for (ln_node part; (part = ln_walk_next(&walk, 1)) != LN_NONE;) {
        if (ln_assembly_column(all, part) < 0)
            continue;
        ++*count;
        if (list != NULL)
            add_changing(all, list, ln_derivative(graph, node, part));
    }
    return ln_graph_failed(graph) ? ln_no_memory(all->plan->report) : LINNET_OK;
}

linnet_status ln_assembly_equations(const ln_assembly *all) {
    ln_arena *scratch = all->plan->diagram.scratch;
    node_list list = {NULL, 0};
    int count = 0;
    for (int counts = 1; counts >= 0; counts--) {
        for (int k = 0; k < all->n; k++) {
            LN_TRY(add_with_slopes(all, all->rest[k], counts ? NULL : &list, &count));
            LN_TRY(add_with_slopes(all, all->stored[k], counts ? NULL : &list, &count));
        }
        if (counts && (list.item = LN_NEW(scratch, ln_node, count)) == NULL)
            return ln_no_memory(all->plan->report);
    }
    int *target = LN_NEW(scratch, int, list.count);
    if (target == NULL)
        return ln_no_memory(all->plan->report);
    for (int k = 0; k < list.count; k++)
        target[k] = k;
    all->out->nequations = list.count;
    return ln_plan_compile(all->plan, list.item, target, list.count, &all->out->equations);
}
