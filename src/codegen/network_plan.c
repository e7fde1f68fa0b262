/* SPDX-License-Identifier: MIT */
/* The programs of a physical network's step, and what a user names in it: see network_plan.h. */
#include "codegen/network_assembly.h"

#include "base/domain.h"
#include "system/active.h"
#include "system/storage.h"

#include <math.h>
#include <string.h>

enum { MOST_UNKNOWNS = 500 }; /* the search for pivots is cubic, and the code grows with the fill */

/* Does something act between steps? */
static int is_hybrid(const ln_plan *plan) {
    return plan->nmemories > 0 || plan->nevents > 0;
}

/* ---- the step ---- */

/* R of each row; a dynamic one gets its number and its rate. */
static linnet_status make_step(ln_assembly *all) {
    ln_plan *plan = all->plan;
    ln_network_plan *out = all->out;
    ln_graph *graph = plan->graph;
    ln_arena *scratch = plan->diagram.scratch;
    int *dynamic = LN_NEW(plan->arena, int, all->n), *target = LN_NEW(scratch, int, all->n);
    ln_node *rates = LN_NEW(scratch, ln_node, all->n), *residual = LN_NEW(scratch, ln_node, all->n);
    if (dynamic == NULL || target == NULL || rates == NULL || residual == NULL)
        return ln_no_memory(plan->report);
    for (int row = 0; row < all->n; row++) {
        residual[row] = all->rest[row];
        target[row] = row;
        if (all->stored[row] == LN_NONE)
            continue;
        const ln_node gone =
            ln_assembly_two(all, LN_OP_MUL, ln_constant(graph, out->alpha),
                            ln_assembly_two(all, LN_OP_SUB, all->stored[row], all->before[row]));
        const ln_node kept =
            ln_leaf_node(graph, LN_LEAF_MEMORY, ln_network_rate(plan, out->nrates));
        const ln_node pulled = ln_assembly_two(all, LN_OP_ADD, gone, kept);
        residual[row] = ln_assembly_two(all, LN_OP_ADD, pulled, all->rest[row]);
        rates[out->nrates] = ln_operation(graph, LN_OP_NEG, pulled, LN_NONE, LN_NONE);
        dynamic[out->nrates++] = row;
    }
    if (ln_graph_failed(graph))
        return ln_no_memory(plan->report);
    out->dynamic_row = dynamic;
    LN_TRY(ln_plan_compile(plan, rates, target, out->nrates, &out->rates));
    LN_TRY(ln_assembly_eliminate(all, residual, residual, &out->linear));
    if (!out->linear)
        LN_TRY(ln_assembly_hoist(all, residual, all->n));
    return ln_plan_compile(plan, residual, target, all->n, &out->update);
}

/* F of the dynamic rows, and its values at the start. */
static linnet_status make_fresh(ln_assembly *all) {
    ln_plan *plan = all->plan;
    ln_network_plan *out = all->out;
    ln_node *rest = LN_NEW(plan->diagram.scratch, ln_node, out->nrates);
    int *target = LN_NEW(plan->diagram.scratch, int, out->nrates);
    out->start_rates = LN_NEW(plan->arena, double, out->nrates);
    if (rest == NULL || target == NULL || out->start_rates == NULL)
        return ln_no_memory(plan->report);
    for (int k = 0; k < out->nrates; k++) {
        rest[k] = all->rest[out->dynamic_row[k]];
        target[k] = k;
    }
    if (is_hybrid(plan))
        LN_TRY(ln_plan_compile(plan, rest, target, out->nrates, &out->fresh));
    return ln_assembly_evaluate(all, 0, rest, out->nrates, out->start_rates);
}

/* ---- the algebra ---- */

/* Rows that store independently keep what they store; a combination of each other one holds no
 * storage. */
static linnet_status make_settle(ln_assembly *all) {
    ln_plan *plan = all->plan;
    ln_graph *graph = plan->graph;
    ln_node *residual = LN_NEW(plan->diagram.scratch, ln_node, all->n);
    int *target = LN_NEW(plan->diagram.scratch, int, all->n);
    ln_storage storage;
    if (residual == NULL || target == NULL)
        return ln_no_memory(plan->report);
    if (ln_storage_split(all->system, plan->diagram.scratch, &storage) != LINNET_OK)
        return ln_no_memory(plan->report);
    if (storage.dense > 0 && plan->diagram.tunes != NULL)
        return ln_fail(plan->report, LINNET_MODEL, LN_NOWHERE,
                       "--tunable: which rows store independently follows from numbers in this "
                       "model, where events act; leave its parameters constant");
    for (int k = 0; k < all->n; k++) {
        target[k] = k;
        if (storage.differential[k]) {
            residual[k] = ln_assembly_two(all, LN_OP_SUB, all->stored[k], all->before[k]);
            continue;
        }
        residual[k] = LN_NONE;
        for (int i = storage.start[k]; i < storage.start[k + 1]; i++) {
            const ln_node part =
                ln_assembly_two(all, LN_OP_MUL, ln_constant(graph, storage.coefficient[i]),
                                all->rest[storage.row[i]]);
            residual[k] =
                residual[k] == LN_NONE ? part : ln_assembly_two(all, LN_OP_ADD, residual[k], part);
        }
    }
    if (ln_graph_failed(graph))
        return ln_no_memory(plan->report);
    LN_TRY(ln_assembly_eliminate(all, residual, residual, &all->out->settles_at_once));
    return ln_plan_compile(plan, residual, target, all->n, &all->out->settle);
}

/* ---- edges in time ---- */

/* F at the beginning of a step, of the rows in which time alone decides something. */
static linnet_status find_edges(ln_assembly *all) {
    ln_plan *plan = all->plan;
    ln_node *edges = LN_NEW(plan->diagram.scratch, ln_node, all->n);
    int *target = LN_NEW(plan->diagram.scratch, int, all->n), count = 0;
    if (edges == NULL || target == NULL)
        return ln_no_memory(plan->report);
    for (int row = 0; row < all->n; row++) {
        if (!(ln_depends(plan->graph, all->rest[row]) & 1u << LN_LEAF_DECIDE))
            continue;
        edges[count] = all->rest[row];
        target[count] = count;
        count++;
    }
    LN_TRY(ln_assembly_before(plan, edges, count));
    all->out->nedges = count;
    LN_TRY(ln_assembly_sides(all, edges, count));
    return ln_plan_compile(plan, edges, target, count, &all->out->edges);
}

/* ---- what a user names ---- */

/* The potential or signal at a port. */
static ln_node at_port(ln_plan *plan, int instance, int port) {
    const int unknown =
        ln_diagram_unknown(plan->network, &plan->network->instances[instance], port);
    return unknown < 0 ? ln_constant(plan->graph, 0.0)
                       : ln_leaf_node(plan->graph, LN_LEAF_UNKNOWN, ln_plan_signal(plan, unknown));
}

linnet_status ln_network_plan_drop(ln_plan *plan, const ln_quantity *q, ln_node *node) {
    *node = ln_operation(plan->graph, LN_OP_SUB, at_port(plan, q->index, q->item),
                         at_port(plan, q->index, q->other), LN_NONE);
    return ln_graph_failed(plan->graph) ? ln_no_memory(plan->report) : LINNET_OK;
}

linnet_status ln_network_plan_flux(ln_plan *plan, const ln_quantity *q, ln_node *node) {
    const ln_instance *instance = &plan->network->instances[q->index];
    const linnet_block_class *class = instance->block.type;
    const ln_extra *extra = ln_find_extra(plan->network, q->index, q->item);
    ln_node *rows = LN_NEW(plan->diagram.scratch, ln_node, class->nports + class->nvars);
    if (rows == NULL)
        return ln_no_memory(plan->report);
    LN_TRY(ln_assembly_instance(plan, plan->implicit, q->index, rows));
    *node = extra == NULL
                ? rows[q->item]
                : ln_leaf_node(plan->graph, LN_LEAF_UNKNOWN, ln_plan_signal(plan, extra->unknown));
    if (*node == LN_NONE)
        *node = ln_constant(plan->graph, 0.0);
    if (ln_depends(plan->graph, *node) & LN_DEPENDS_DER)
        return ln_fail(plan->report, LINNET_MODEL, instance->place,
                       "%s (%s): the recorded flux at port %d holds a derivative; generated code "
                       "cannot give it",
                       instance->name, instance->block.type->name, q->item + 1);
    *node = ln_operation(plan->graph, LN_OP_MUL, ln_constant(plan->graph, q->sign), *node, LN_NONE);
    return ln_graph_failed(plan->graph) ? ln_no_memory(plan->report) : LINNET_OK;
}

linnet_status ln_network_plan_power(ln_plan *plan, const ln_quantity *q, ln_node *node) {
    const linnet_block_class *class = plan->network->instances[q->index].block.type;
    *node = ln_constant(plan->graph, 0.0);
    for (int port = 0; port < class->nports; port++) {
        const ln_power power = ln_domain(class->ports[port].domain)->power;
        ln_node part;
        if (power == LN_POWER_NONE)
            continue;
        LN_TRY(ln_network_plan_flux(
            plan, &(ln_quantity){.index = q->index, .item = port, .sign = 1}, &part));
        if (power == LN_POWER_PRODUCT)
            part =
                ln_operation(plan->graph, LN_OP_MUL, at_port(plan, q->index, port), part, LN_NONE);
        *node = ln_operation(plan->graph, LN_OP_ADD, *node, part, LN_NONE);
    }
    return ln_graph_failed(plan->graph) ? ln_no_memory(plan->report) : LINNET_OK;
}

/* ---- the whole ---- */

linnet_status ln_network_plan_make(ln_plan *plan, ln_system *system, double alpha, ln_side side,
                                   const double *x, ln_network_plan *out) {
    const int n = plan->network->n;
    ln_arena *scratch = plan->diagram.scratch;
    if (n > MOST_UNKNOWNS)
        return ln_fail(plan->report, LINNET_MODEL, LN_NOWHERE,
                       "the network has %d unknowns; generated code unrolls its elimination, for "
                       "at most %d",
                       n, MOST_UNKNOWNS);
    *out = (ln_network_plan){.alpha = alpha};
    ln_assembly all = {.plan = plan,
                       .out = out,
                       .system = system,
                       .side = side,
                       .x = x,
                       .n = n,
                       .flux = LN_NEW(scratch, ln_node, n),
                       .stored = LN_NEW(scratch, ln_node, n),
                       .before = LN_NEW(scratch, ln_node, n),
                       .rest = LN_NEW(scratch, ln_node, n)};
    if (all.flux == NULL || all.stored == NULL || all.before == NULL || all.rest == NULL)
        return ln_no_memory(plan->report);
    LN_TRY(ln_assembly_devices(plan, out));
    LN_TRY(ln_assembly_rows(&all));
    LN_TRY(make_step(&all));
    LN_TRY(make_fresh(&all));
    LN_TRY(find_edges(&all));
    return is_hybrid(plan) ? make_settle(&all) : LINNET_OK;
}
