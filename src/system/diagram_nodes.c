/* SPDX-License-Identifier: MIT */
/* Expressions of a diagram: what stands in a block's place for its local unknowns, parameters and
 * delays; rows with the values put in that are known; rates of states; walks over expressions. */
#include "system/diagram.h"
#include "blocks/equations.h"
#include "expression/graph.h"

#include <math.h>

/* ---- of an instance ---- */

int ln_diagram_unknown(const ln_network *network, const ln_instance *instance, int local) {
    const int nports = instance->block.type->nports;
    if (local >= nports)
        return instance->first_own + local - nports;
    return instance->links[local] >= 0 ? network->links[instance->links[local]].unknown : -1;
}

/* A constant, by which expressions fold (a gain of 1, a sum with 0), or a leaf where the value may
 * be changed after the program is made (generated code). */
ln_node ln_diagram_parameter(const ln_diagram *d, ln_graph *graph, int instance, int offset) {
    if (d->tunes != NULL && d->tunes(d->context, instance, offset))
        return ln_leaf_node(graph, LN_LEAF_PARAMETER, d->shift[instance] + offset);
    return ln_constant(graph, d->network->instances[instance].block.p[offset]);
}

const ln_residuals *ln_diagram_residuals(const ln_diagram *d, int instance) {
    const ln_residuals *own = ln_class_residuals(d->network->instances[instance].block.type);
    return own == NULL && d->residuals != NULL ? d->residuals(d->context, instance) : own;
}

ln_node ln_diagram_recall(const ln_diagram *d, ln_graph *to, const ln_delay_nodes *delays,
                          int instance, int memory) {
    const linnet_block_class *type = d->network->instances[instance].block.type;
    const int slot = memory - (type->nmemories - type->nmodes - LN_DELAY_MEMORIES * type->ndelays);
    if (d->first_delay == NULL || slot < 0 || slot >= LN_DELAY_MEMORIES * type->ndelays)
        return LN_NONE;
    const int delay = d->first_delay[instance] + slot / LN_DELAY_MEMORIES;
    const ln_node lag = delays->lag[delay], number = ln_constant(to, delay);
    if (lag == LN_NONE) /* a rate: a memory like others */
        return LN_NONE;
    const ln_node sampled = ln_operation(to, LN_OP_RECALL, lag, number, LN_NONE);
    if (delays->now[delay] == LN_NONE)
        return sampled;
    const ln_node through = ln_operation(to, LN_OP_RECALL_WEIGHT, lag, number, LN_NONE);
    return ln_operation(to, LN_OP_ADD, sampled,
                        ln_operation(to, LN_OP_MUL, through, delays->now[delay], LN_NONE), LN_NONE);
}

void ln_diagram_copy_delays(const ln_diagram *d, ln_graph *to, ln_delay_nodes *delays, int instance,
                            ln_leaf_map *map, void *context) {
    const int count = d->network->instances[instance].block.type->ndelays;
    const ln_residuals *residuals =
        count > 0 && d->first_delay != NULL ? ln_diagram_residuals(d, instance) : NULL;
    for (int k = 0; residuals != NULL && k < count; k++) {
        /* one may hold the values of those before it */
        const int delay = d->first_delay[instance] + k;
        const ln_leaf_mapping mapping = {map, context, d->shift[instance]};
        delays->lag[delay] = residuals->delays[2 * k + 1];
        delays->now[delay] = LN_NONE;
        if (delays->lag[delay] == LN_NONE)
            continue;
        ln_copy_shifted(to, residuals->graph, &delays->lag[delay], 1, &mapping);
        if (!d->is_near[delay])
            continue;
        delays->now[delay] = residuals->delays[2 * k];
        if (delays->now[delay] != LN_NONE)
            ln_copy_shifted(to, residuals->graph, &delays->now[delay], 1, &mapping);
    }
}

/* ---- of a row ---- */

typedef struct value_context {
    const ln_diagram *diagram;
    int skip, derives;
} value_context;

static ln_node value_leaf(void *context, ln_graph *to, const ln_graph *from, ln_node leaf) {
    const value_context *values = context;
    int index;
    if (ln_node_op(from, leaf) == LN_OP_DER && !values->derives)
        return ln_constant(to, 0.0);
    if (ln_node_op(from, leaf) == LN_OP_DER) {
        (void)ln_node_leaf(from, ln_node_arg(from, leaf, 0), &index);
        return values->diagram->slope[index];
    }
    if (ln_node_leaf(from, leaf, &index) != LN_LEAF_UNKNOWN)
        return LN_NONE;
    return index == values->skip ? ln_constant(to, 0.0) : values->diagram->value[index];
}

ln_node ln_diagram_residual(ln_diagram *d, int row, int skip) {
    value_context context = {d, skip, d->row[row].derives};
    ln_node node = d->row[row].node;
    ln_copy(d->graph, d->rows, &node, 1, value_leaf, &context);
    return node;
}

ln_node ln_diagram_coefficient(ln_diagram *d, ln_node node) {
    value_context context = {d, -1, 0};
    ln_copy(d->graph, d->rows, &node, 1, value_leaf, &context);
    return node;
}

int ln_is_one(const ln_graph *graph, ln_node node) {
    return node != LN_NONE && ln_node_op(graph, node) == LN_OP_CONSTANT &&
           ln_node_value(graph, node) == 1.0;
}

ln_node ln_diagram_solved(ln_graph *graph, ln_node rest, ln_node coefficient) {
    if (ln_is_one(graph, coefficient))
        return ln_operation(graph, LN_OP_NEG, rest, LN_NONE, LN_NONE);
    ln_node opposite = ln_operation(graph, LN_OP_NEG, coefficient, LN_NONE, LN_NONE);
    return ln_operation(graph, LN_OP_DIV, rest, opposite, LN_NONE);
}

ln_node ln_diagram_rate(ln_diagram *d, int k) {
    const int row = d->row_of[d->state[k]];
    const ln_node factor = ln_diagram_coefficient(d, d->row[row].factor);
    return ln_diagram_solved(d->graph, ln_diagram_residual(d, row, -1), factor);
}

linnet_status ln_diagram_rates(ln_diagram *d, ln_node *rates) {
    for (int k = 0; k < d->nstates; k++)
        rates[k] = ln_diagram_rate(d, k);
    return ln_graph_failed(d->graph) ? ln_no_memory(d->report) : LINNET_OK;
}

int ln_is_usable(const ln_graph *graph, ln_node node) {
    if (node == LN_NONE || (ln_depends(graph, node) & ~(1u << LN_LEAF_PARAMETER)) != 0)
        return 0;
    if (ln_node_op(graph, node) != LN_OP_CONSTANT)
        return 1;
    const double value = ln_node_value(graph, node);
    return isfinite(value) && value != 0.0;
}

/* ---- walks ----
 *
 * A walk visits each node of an expression once, by a stamp that is another for each row: marks of
 * earlier rows need not be cleared, and all rows together cost what they contain. The expressions
 * share nodes, so a walk without marks could take exponential time. */

linnet_status ln_walk_new(ln_walk *walk, ln_diagram *d, const ln_graph *graph) {
    *walk = (ln_walk){.graph = graph, .size = ln_graph_size(graph)};
    walk->seen = LN_NEW(d->scratch, int, walk->size);
    walk->stack = LN_NEW(d->scratch, ln_node, walk->size);
    return walk->seen == NULL || walk->stack == NULL ? ln_no_memory(d->report) : LINNET_OK;
}

void ln_walk_push(ln_walk *walk, ln_node node, int stamp) {
    if (node == LN_NONE || walk->seen[node] == stamp)
        return;
    walk->seen[node] = stamp;
    walk->stack[walk->height++] = node;
}

ln_node ln_walk_next(ln_walk *walk, int stamp) {
    while (walk->height > 0) {
        ln_node node = walk->stack[--walk->height];
        ln_op op = ln_node_op(walk->graph, node);
        if (op == LN_OP_LEAF || op == LN_OP_DER)
            return node;
        for (int k = 0; k < 3; k++)
            ln_walk_push(walk, ln_node_arg(walk->graph, node, k), stamp);
    }
    return LN_NONE;
}
