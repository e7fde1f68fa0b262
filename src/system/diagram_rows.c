/* SPDX-License-Identifier: MIT */
/* From instances to one set of equations.
 *
 * Each instance's residuals are copied from the graph of its class, local unknowns becoming the
 * network's and parameters constants. A row that holds derivatives must be `factor * der(state) +
 * rest` with a constant factor: it gives that state's rate,
 *
 *     T*der(y) + y - K*u = 0     becomes     der(y) = -(y - K*u)/T.
 *
 * Such a diagram is an ordinary differential equation y' = f(t, y), as explicit methods and the
 * generated code take it. Anything else (masses that couple, derivatives of signals) is left to the
 * split of the whole network: LINNET_USAGE is no error of the user's here but the answer "not this
 * way", and `refused` says by which block. */
#include "system/diagram.h"
#include "blocks/equations.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* ---- leaves ---- */

typedef struct leaf_context {
    const ln_diagram *diagram;
    int instance;
} leaf_context;

static ln_node instance_leaf(void *context, ln_graph *to, const ln_graph *from, ln_node leaf) {
    const leaf_context *leaves = context;
    const ln_network *network = leaves->diagram->network;
    const ln_instance *instance = &network->instances[leaves->instance];
    int index;
    if (ln_node_op(from, leaf) == LN_OP_DER)
        return LN_NONE;
    switch (ln_node_leaf(from, leaf, &index)) {
    case LN_LEAF_PARAMETER:
        return ln_diagram_parameter(leaves->diagram, to, leaves->instance, index);
    case LN_LEAF_MEMORY: {
        const ln_node delay = ln_diagram_recall(leaves->diagram, to, &leaves->diagram->delays,
                                                leaves->instance, index);
        return delay != LN_NONE ? delay
                                : ln_leaf_node(to, LN_LEAF_MEMORY, instance->first_memory + index);
    }
    case LN_LEAF_UNKNOWN:
        index = ln_diagram_unknown(network, instance, index);
        return index < 0 ? ln_constant(to, 0.0) : ln_leaf_node(to, LN_LEAF_UNKNOWN, index);
    default: return LN_NONE;
    }
}

/* ---- rows ---- */

/* The rows of one instance; LINNET_USAGE when it is native or not a signal block. */
static linnet_status add_rows(ln_diagram *d, int index) {
    const ln_instance *instance = &d->network->instances[index];
    const linnet_block_class *class = instance->block.type;
    const ln_residuals *residuals = ln_diagram_residuals(d, index);
    const int count = class->nports + class->nvars;
    d->refused = index;
    if (residuals == NULL)
        return LINNET_USAGE;
    ln_node *nodes = LN_NEW(d->scratch, ln_node, count);
    if (nodes == NULL)
        return ln_no_memory(d->report);
    for (int k = 0; k < count; k++)
        nodes[k] = residuals->row[k];
    leaf_context context = {d, index};
    ln_diagram_copy_delays(d, d->rows, &d->delays, index, instance_leaf, &context);
    ln_copy_shifted(d->rows, residuals->graph, nodes, count,
                    &(ln_leaf_mapping){instance_leaf, &context, d->shift[index]});
    for (int k = 0; k < count; k++) {
        if (residuals->row[k] == LN_NONE)
            continue;
        int row = ln_diagram_unknown(d->network, instance, k);
        if (row < 0 || d->row[row].instance >= 0)
            return LINNET_USAGE;
        if (k < class->nports && class->ports[k].domain != LINNET_SIGNAL)
            return LINNET_USAGE;
        d->row[row].instance = index;
        d->row[row].node = nodes[k];
    }
    return LINNET_OK;
}

linnet_status ln_diagram_gather(ln_diagram *d) {
    const ln_network *network = d->network;
    size_t total = 0;
    d->shift = LN_NEW(d->scratch, int, network->ninstances);
    if (d->shift == NULL)
        return ln_no_memory(d->report);
    for (int k = 0; k < network->ninstances; k++) {
        if (total > INT_MAX / 2)
            return LINNET_USAGE; /* tables are found by an int */
        d->shift[k] = (int)total;
        total += (size_t)network->instances[k].block.type->nvalues;
    }
    d->nparameters = (int)total;
    d->parameters = LN_NEW(d->arena, double, total);
    if (d->parameters == NULL)
        return ln_no_memory(d->report);
    for (int k = 0; k < network->ninstances; k++)
        for (int i = 0; i < network->instances[k].block.type->nvalues; i++)
            d->parameters[d->shift[k] + i] = network->instances[k].block.p[i];
    return LINNET_OK;
}

static linnet_status add_all_rows(ln_diagram *d) {
    for (int i = 0; i < d->n; i++)
        d->row[i] = (ln_row){
            .instance = -1, .node = LN_NONE, .state = -1, .factor = LN_NONE, .unknown = -1};
    for (int k = 0; k < d->network->ninstances; k++)
        LN_TRY(add_rows(d, k));
    for (int i = 0; i < d->n; i++)
        if (d->row[i].instance < 0)
            return LINNET_USAGE;
    for (int k = 0; k < d->ninputs; k++) {
        const int u = d->inputs[k];
        d->row[u].node =
            ln_operation(d->rows, LN_OP_SUB, ln_leaf_node(d->rows, LN_LEAF_UNKNOWN, u),
                         ln_leaf_node(d->rows, LN_LEAF_PARAMETER, d->nparameters + k), LN_NONE);
    }
    return ln_graph_failed(d->rows) ? ln_no_memory(d->report) : LINNET_OK;
}

/* ---- what a row is made of ---- */

static int add_use(ln_diagram *d, size_t *room, int unknown) {
    if (!LN_GROW(d->uses, d->nuses, *room))
        return 0;
    d->uses[d->nuses++] = unknown;
    return 1;
}

static int rising(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

/* The unknowns outside DER of every row. DER nodes end a walk, so a row's own are few; they are
 * found again later. */
static linnet_status find_uses(ln_diagram *d) {
    ln_walk walk;
    size_t room = 0;
    LN_TRY(ln_walk_new(&walk, d, d->rows));
    for (int i = 0; i < d->n; i++) {
        ln_row *row = &d->row[i];
        row->first = (int)d->nuses;
        ln_walk_push(&walk, row->node, i + 1);
        for (ln_node part; (part = ln_walk_next(&walk, i + 1)) != LN_NONE;) {
            int index;
            if (ln_node_op(d->rows, part) == LN_OP_DER)
                continue;
            if (ln_node_leaf(d->rows, part, &index) != LN_LEAF_UNKNOWN)
                continue;
            if (!add_use(d, &room, index))
                return ln_no_memory(d->report);
        }
        row->count = (int)d->nuses - row->first;
        if (row->count > 1)
            qsort(d->uses + row->first, (size_t)row->count, sizeof *d->uses, rising);
    }
    return LINNET_OK;
}

/* ---- rates ---- */

/* der(argument) as factor * der(state): the argument is linear in one unknown and depends on
 * nothing else. */
static int single_state(ln_graph *graph, ln_node argument, int *state, ln_node *factor) {
    const unsigned others = (1u << LN_LEAF_TIME) | (1u << LN_LEAF_DECIDE) | LN_DEPENDS_DER;
    if (ln_depends(graph, argument) & others)
        return 0;
    /* c*x, x*c, x/c, -x: what the rules of folding leave */
    while (ln_node_op(graph, argument) != LN_OP_LEAF) {
        ln_node a = ln_node_arg(graph, argument, 0), b = ln_node_arg(graph, argument, 1);
        const int a_first = ln_is_usable(graph, a);
        switch (ln_node_op(graph, argument)) {
        case LN_OP_NEG:
            *factor = ln_operation(graph, LN_OP_NEG, *factor, LN_NONE, LN_NONE);
            argument = a;
            break;
        case LN_OP_MUL:
            if (!a_first && !ln_is_usable(graph, b))
                return 0;
            *factor = ln_operation(graph, LN_OP_MUL, *factor, a_first ? a : b, LN_NONE);
            argument = a_first ? b : a;
            break;
        case LN_OP_DIV:
            if (!ln_is_usable(graph, b))
                return 0;
            *factor = ln_operation(graph, LN_OP_DIV, *factor, b, LN_NONE);
            argument = a;
            break;
        default: return 0;
        }
    }
    return ln_node_leaf(graph, argument, state) == LN_LEAF_UNKNOWN;
}

/* Different DER nodes of one state in one row, as in `der(x) + der(2*x)`: rarely more than one. */
enum { MOST_DERIVATIVES = 8 };

/* Finds factor * der(state) in a row that holds derivatives. */
static int find_rate(ln_diagram *d, ln_walk *walk, int index) {
    ln_row *row = &d->row[index];
    ln_node der[MOST_DERIVATIVES];
    int count = 0, too_many = 0;
    ln_walk_push(walk, row->node, index + 1);
    for (ln_node part; (part = ln_walk_next(walk, index + 1)) != LN_NONE;) {
        if (ln_node_op(d->rows, part) != LN_OP_DER)
            continue;
        if (count < MOST_DERIVATIVES)
            der[count++] = part;
        else
            too_many = 1;
    }
    if (too_many)
        return 0;
    for (int k = 0; k < count; k++) {
        int state;
        ln_node factor = ln_derivative(d->rows, row->node, der[k]);
        if (!ln_is_usable(d->rows, factor))
            return 0;
        if (!single_state(d->rows, ln_node_arg(d->rows, der[k], 0), &state, &factor))
            return 0;
        if (row->state >= 0 && row->state != state)
            return 0;
        row->state = state;
        row->factor = row->factor == LN_NONE
                          ? factor
                          : ln_operation(d->rows, LN_OP_ADD, row->factor, factor, LN_NONE);
    }
    return row->state >= 0 && ln_is_usable(d->rows, row->factor);
}

static linnet_status find_states(ln_diagram *d) {
    ln_walk walk, signals;
    LN_TRY(ln_walk_new(&walk, d, d->rows));
    LN_TRY(ln_walk_new(&signals, d, d->rows));
    for (int i = 0; i < d->n; i++)
        d->row_of[i] = -1;
    for (int i = 0; i < d->n; i++) {
        if (!(ln_depends(d->rows, d->row[i].node) & LN_DEPENDS_DER))
            continue;
        d->refused = d->row[i].instance;
        if ((d->row[i].derives = ln_diagram_derives(d, &signals, i)))
            continue;
        if (!find_rate(d, &walk, i) || d->row_of[d->row[i].state] >= 0)
            return LINNET_USAGE;
        d->row_of[d->row[i].state] = i;
    }
    for (int u = 0; u < d->n; u++)
        if (d->row_of[u] >= 0)
            d->state[d->nstates++] = u;
    return ln_graph_failed(d->rows) ? ln_no_memory(d->report) : LINNET_OK;
}

linnet_status ln_diagram_rows(ln_diagram *d) {
    d->n = d->network->n;
    d->row = LN_NEW(d->scratch, ln_row, d->n);
    d->row_of = LN_NEW(d->scratch, int, d->n);
    d->state = LN_NEW(d->arena, int, d->n);
    if (d->row == NULL || d->row_of == NULL || d->state == NULL)
        return ln_no_memory(d->report);
    LN_TRY(add_all_rows(d));
    LN_TRY(find_uses(d));
    return find_states(d);
}
