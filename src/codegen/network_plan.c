/* SPDX-License-Identifier: MIT */
/* The programs of a physical network's step, and what a user names in it: see network_plan.h. */
#include "codegen/network_assembly.h"

#include "base/domain.h"
#include "linear/convergence.h"
#include "system/active.h"

#include <math.h>
#include <string.h>

enum { MOST_UNKNOWNS = 2000 }; /* its matrix is kept densely, and the code grows with the fill */

/* ---- the step ---- */

/* R of each row, of a step or of a part of it; a dynamic one gets its number and its rate. */
static linnet_status make_step(ln_assembly *all, int shorter, ln_node *residual, ln_node *rates) {
    ln_plan *plan = all->plan;
    ln_network_plan *out = all->out;
    int *dynamic = LN_NEW(plan->arena, int, all->n);
    if (dynamic == NULL)
        return ln_no_memory(plan->report);
    out->nrates = 0;
    for (int u = 0; u < all->nunknowns; u++)
        residual[u] = LN_NONE;
    for (int row = 0; row < all->n; row++) {
        residual[row] = all->rest[row];
        if (all->stored[row] == LN_NONE)
            continue;
        const ln_node gone =
            shorter
                ? ln_assembly_two(all, LN_OP_MUL,
                                  ln_leaf_node(plan->graph, LN_LEAF_MEMORY, ln_network_pace(plan)),
                                  all->gone[row])
                : all->gone[row];
        const ln_node pulled =
            out->averages ? ln_assembly_two(all, LN_OP_ADD, gone,
                                            ln_leaf_node(plan->graph, LN_LEAF_MEMORY,
                                                         ln_network_rate(plan, out->nrates)))
                          : gone;
        residual[row] = ln_assembly_two(all, LN_OP_ADD, pulled, all->rest[row]);
        rates[out->nrates] = ln_operation(plan->graph, LN_OP_NEG, pulled, LN_NONE, LN_NONE);
        dynamic[out->nrates++] = row;
    }
    out->dynamic_row = dynamic;
    return ln_graph_failed(plan->graph) ? ln_no_memory(plan->report) : LINNET_OK;
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
    if (out->is_hybrid)
        LN_TRY(ln_plan_compile(plan, rest, target, out->nrates, &out->fresh));
    LN_TRY(ln_assembly_start_devices(all));
    return ln_assembly_evaluate(all, 0, rest, out->nrates, out->start_rates);
}

/* ---- the algebra ---- */

/* A row of which, with others, a combination stores nothing; 0: there is none. */
static int combined_row(const ln_storage *storage) {
    for (int k = 0; k < storage->n; k++)
        if (!storage->differential[k] && storage->start[k + 1] - storage->start[k] > 1)
            return k;
    return 0;
}

/* Does anything happen between steps? Assertions on parameters alone do not (plan_hybrid.c). */
static int has_instants(const ln_plan *plan) {
    const ln_network *network = plan->network;
    int any = plan->nmemories > 0;
    for (int i = 0; i < network->ninstances; i++) {
        const linnet_block_class *class = network->instances[i].block.type;
        for (int k = 0; k < class->nevents; k++)
            any |= !(class->events[k].flags & LINNET_FAILS);
    }
    return any;
}

/* Do sources jump or bend, at other times than never (1e30 s)? */
static int has_edges(const ln_system *system) {
    return ln_system_next_breakpoint(system, 0.0) < 1e29;
}

/* The blocks with storage in a row that is marked. */
static linnet_status mark_storing(ln_plan *plan, const char *together, char *fixed) {
    const ln_network *network = plan->network;
    for (int i = 0; i < network->ninstances; i++) {
        const linnet_block_class *class = network->instances[i].block.type;
        int *row = LN_NEW(plan->diagram.scratch, int, class->nports + class->nvars);
        if (row == NULL)
            return ln_no_memory(plan->report);
        ln_local_rows(network, i, row);
        for (int k = 0; k < class->nentries; k++) {
            const linnet_entry *entry = &class->entries[k];
            fixed[i] |=
                entry->kind == LINNET_E && row[entry->row] >= 0 && together[row[entry->row]];
        }
        if (fixed[i] && class->nparams > 0)
            ln_note(plan->report, network->instances[i].place,
                    "%s (%s): its parameters stay constants: it stores together with others, and "
                    "something acts between steps",
                    network->instances[i].name, class->name);
    }
    return LINNET_OK;
}

/* Of what is stored together numbers alone tell what is independent where events act: parameters
 * of the blocks that store it stay constants. */
static linnet_status fix_stored(ln_plan *plan, const ln_system *system) {
    ln_arena *scratch = plan->diagram.scratch;
    ln_storage storage;
    char *together = LN_NEW(scratch, char, system->n);
    char *fixed = LN_NEW(plan->arena, char, plan->network->ninstances);
    if (plan->diagram.tunes == NULL || !has_instants(plan))
        return LINNET_OK;
    if (together == NULL || fixed == NULL ||
        ln_storage_split(system, scratch, &storage) != LINNET_OK)
        return ln_no_memory(plan->report);
    if (storage.dense == 0)
        return LINNET_OK;
    for (int k = 0; k < storage.n; k++)
        for (int i = storage.start[k]; i < storage.start[k + 1]; i++)
            together[storage.row[i]] |= storage.start[k + 1] - storage.start[k] > 1;
    plan->fixed = fixed;
    return mark_storing(plan, together, fixed);
}

/* The equations with their derivatives. Where edges alone ask for them, and there are none, edges
 * act in the course of a step. */
static linnet_status prolong(ln_assembly *all, ln_node *residual) {
    const linnet_status status = ln_assembly_prolong(all, residual);
    all->out->is_hybrid &= status != LINNET_MODEL || has_instants(all->plan);
    if (!all->out->is_hybrid)
        return LINNET_OK;
    if (status == LINNET_MODEL)
        return ln_assembly_refuse(
            all, 0,
            "and others have an index above 1 where events act, and there what is delayed, or the "
            "slope of a device, would have to be differentiated; let something that stores or "
            "gives way stand between, a mass, a capacitor, a filter");
    return status == LINNET_OK ? status : ln_no_memory(all->plan->report);
}

/* Rows that store independently keep what they store; a combination of each other one holds no
 * storage. */
static linnet_status make_algebra(ln_assembly *all, ln_node *residual) {
    ln_plan *plan = all->plan;
    ln_graph *graph = plan->graph;
    const ln_storage *storage = all->storage;
    if (all->out->prolonged != NULL) {
        LN_TRY(ln_assembly_check_modes(all));
        return prolong(all, residual);
    }
    for (int u = all->n; u < all->nunknowns; u++)
        residual[u] = LN_NONE;
    if (storage->dense > 0 && plan->diagram.tunes != NULL && plan->fixed == NULL)
        return ln_assembly_refuse(
            all, combined_row(storage),
            "stores together with others, and numbers alone tell what of that is independent where "
            "events act; with --tunable numbers change: leave it out");
    for (int k = 0; k < all->n; k++) {
        if (storage->differential[k]) {
            residual[k] = ln_assembly_two(all, LN_OP_SUB, all->stored[k], all->before[k]);
            continue;
        }
        if (ln_assembly_common(all, k) == k) { /* the sum of its part's rows already */
            residual[k] = all->rest[k];
            continue;
        }
        residual[k] = LN_NONE;
        for (int i = storage->start[k]; i < storage->start[k + 1]; i++) {
            const ln_node part =
                ln_assembly_two(all, LN_OP_MUL, ln_constant(graph, storage->coefficient[i]),
                                all->rest[storage->row[i]]);
            residual[k] =
                residual[k] == LN_NONE ? part : ln_assembly_two(all, LN_OP_ADD, residual[k], part);
        }
    }
    return ln_graph_failed(graph) ? ln_no_memory(plan->report) : LINNET_OK;
}

/* ---- edges in time ---- */

/* The terms of a row in which time decides something: beside those that balance them in the row a
 * jump of rounding would look large. */
static ln_node deciding(const ln_graph *graph, ln_node row) {
    const unsigned decides = 1u << LN_LEAF_DECIDE;
    for (;;) {
        const ln_op op = ln_node_op(graph, row);
        if (op != LN_OP_ADD && op != LN_OP_SUB && op != LN_OP_NEG)
            return row;
        const ln_node a = ln_node_arg(graph, row, 0), b = ln_node_arg(graph, row, 1);
        const int in_a = (ln_depends(graph, a) & decides) != 0;
        if (in_a && op != LN_OP_NEG && (ln_depends(graph, b) & decides))
            return row;
        row = in_a ? a : b;
    }
}

/* What of F at the beginning of a step time alone decides; what is no jump of it, and of rates
 * (integrate/jumps.c). */
static linnet_status find_edges(ln_assembly *all) {
    ln_plan *plan = all->plan;
    ln_node *edges = LN_NEW(plan->diagram.scratch, ln_node, all->n);
    int *target = LN_NEW(plan->diagram.scratch, int, all->n), count = 0;
    double *floor = LN_NEW(plan->diagram.scratch, double, all->n);
    double *least = LN_NEW(plan->arena, double, all->n);
    double *least_rate = LN_NEW(plan->arena, double, all->out->nrates);
    double *of_rates = LN_NEW(plan->diagram.scratch, double, all->n);
    if (edges == NULL || target == NULL || floor == NULL || least == NULL || least_rate == NULL ||
        of_rates == NULL)
        return ln_no_memory(plan->report);
    const ln_system *system = all->system;
    ln_system_least_jumps(system, 0, floor);
    ln_system_least_jumps(system, plan->implicit->alpha, of_rates);
    for (int k = 0; k < all->out->nrates; k++)
        least_rate[k] = of_rates[all->out->dynamic_row[k]];
    all->out->least_rate = least_rate;
    for (int row = 0; row < all->n; row++) {
        if (!(ln_depends(plan->graph, all->rest[row]) & 1u << LN_LEAF_DECIDE))
            continue;
        edges[count] = deciding(plan->graph, all->rest[row]);
        least[count] = floor[row];
        target[count] = count;
        count++;
    }
    all->out->least_edge = least;
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
    if (extra == NULL && instance->links[q->item] < 0) { /* nothing flows into an open port */
        *node = ln_constant(plan->graph, 0.0);
        return ln_graph_failed(plan->graph) ? ln_no_memory(plan->report) : LINNET_OK;
    }
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
        return ln_fail(
            plan->report, LINNET_MODEL, instance->place,
            "%s (%s): the recorded flux at port %d holds a derivative; generated code "
            "cannot give it: record what flows in a neighbour, or leave it out of <record>",
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

linnet_status ln_network_plan_begin(ln_plan *plan, const ln_system *system, double step,
                                    int order) {
    const int n = plan->network->n;
    if (n > MOST_UNKNOWNS)
        return ln_fail(plan->report, LINNET_MODEL, LN_NOWHERE,
                       "the network has %d unknowns; generated code unrolls its elimination, for "
                       "at most %d",
                       n, MOST_UNKNOWNS);
    plan->implicit = LN_NEW(plan->arena, ln_network_plan, 1);
    if (plan->implicit == NULL)
        return ln_no_memory(plan->report);
    plan->implicit->alpha = order / step;
    plan->implicit->averages = order == 2;
    LN_TRY(fix_stored(plan, system));
    LN_TRY(ln_assembly_devices(plan, plan->implicit));
    LN_TRY(ln_network_find_across(plan, plan->implicit));
    return has_instants(plan) || has_edges(system)
               ? ln_network_find_motions(plan, system, plan->implicit)
               : LINNET_OK;
}

/* Unknowns and charges on which it depends what is stored. */
static linnet_status find_stored(ln_assembly *all) {
    ln_plan *plan = all->plan;
    const int n = all->n, flow = ln_network_flow(plan, 0);
    ln_walk walk;
    LN_TRY(ln_walk_new(&walk, &plan->diagram, plan->graph));
    for (int row = 0; row < n; row++)
        if (all->stored[row] != LN_NONE)
            ln_walk_push(&walk, all->stored[row], 1);
    for (ln_node part; (part = ln_walk_next(&walk, 1)) != LN_NONE;) {
        int index;
        if (ln_node_op(plan->graph, part) != LN_OP_LEAF ||
            ln_node_leaf(plan->graph, part, &index) != LN_LEAF_UNKNOWN)
            continue;
        all->counts_change[index < n ? index : n + (index - flow) / LN_FLOW_VALUES] = 1;
    }
    return LINNET_OK;
}

/* Solutions of the step and of the algebra, and what of them is asked for. */
static linnet_status solve(ln_assembly *all) {
    ln_plan *plan = all->plan;
    ln_node *residual = LN_NEW(plan->diagram.scratch, ln_node, all->nunknowns);
    ln_node *at_instants = LN_NEW(plan->diagram.scratch, ln_node, all->nunknowns);
    ln_node *rates = LN_NEW(plan->diagram.scratch, ln_node, all->n);
    ln_node *shorter_rates = LN_NEW(plan->diagram.scratch, ln_node, all->n);
    ln_solution step, shorter, algebra;
    if (residual == NULL || at_instants == NULL || rates == NULL || shorter_rates == NULL)
        return ln_no_memory(plan->report);
    LN_TRY(find_stored(all));
    LN_TRY(make_step(all, 0, residual, rates));
    LN_TRY(ln_assembly_find_bent(all, residual));
    if (all->out->is_hybrid)
        LN_TRY(make_algebra(all, at_instants));
    if (all->out->is_hybrid && all->out->prolonged != NULL) {
        LN_TRY(ln_assembly_find_bent(all, at_instants));
        LN_TRY(ln_assembly_equations(all));
    }
    LN_TRY(ln_assembly_eliminate(all, residual, &step));
    const int divides = (step.bends || all->out->ndevices > 0) && all->out->nrates > 0;
    if (divides) {
        LN_TRY(make_step(all, 1, residual, shorter_rates));
        LN_TRY(ln_assembly_eliminate(all, residual, &shorter));
    }
    LN_TRY(make_fresh(all));
    LN_TRY(find_edges(all));
    if (all->out->is_hybrid) {
        all->keeps_stored = 1;
        LN_TRY(ln_assembly_eliminate(all, at_instants, &algebra));
    }
    return ln_assembly_choose(all, &(ln_solutions){&step, divides ? &shorter : NULL,
                                                   all->out->is_hybrid ? &algebra : NULL, rates,
                                                   shorter_rates});
}

linnet_status ln_network_plan_make(ln_plan *plan, ln_system *system, ln_side side, const double *x,
                                   int shows_all) {
    const int n = plan->network->n;
    ln_arena *scratch = plan->diagram.scratch;
    ln_assembly all = {.plan = plan,
                       .out = plan->implicit,
                       .system = system,
                       .side = side,
                       .x = x,
                       .n = n,
                       .nunknowns = ln_network_unknowns(plan),
                       .shows_all = shows_all,
                       .flux = LN_NEW(scratch, ln_node, n),
                       .stored = LN_NEW(scratch, ln_node, n),
                       .before = LN_NEW(scratch, ln_node, n),
                       .gone = LN_NEW(scratch, ln_node, n),
                       .rest = LN_NEW(scratch, ln_node, n),
                       .counts_change = LN_NEW(scratch, char, n + plan->implicit->nflows),
                       .steers = LN_NEW(scratch, char, ln_network_unknowns(plan))};
    if (all.flux == NULL || all.stored == NULL || all.before == NULL || all.gone == NULL ||
        all.rest == NULL || all.counts_change == NULL || all.steers == NULL)
        return ln_no_memory(plan->report);
    LN_TRY(ln_assembly_find_floating(&all));
    /* the edge of a source moves what is stored where that follows from it at once */
    plan->implicit->is_hybrid =
        plan->nmemories > 0 || plan->nevents > 0 || plan->implicit->prolonged != NULL;
    LN_TRY(ln_assembly_rows(&all));
    return solve(&all);
}
