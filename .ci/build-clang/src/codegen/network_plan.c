/* SPDX-License-Identifier: MIT */
/* Rows of the network, their Jacobian and its elimination, as expressions: see network_plan.h. */
#include "codegen/network_plan.h"

#include "base/domain.h"
#include "system/active.h"

#include <math.h>
#include <string.h>

enum { MOST_UNKNOWNS = 500 }; /* the search for pivots is cubic, and the code grows with the fill */
/* A pivot is at least this part of the largest entry of its row. */
static const double PIVOT = 1e-3;

typedef struct assembly {
    ln_plan *plan;
    ln_network_plan *out;
    ln_side side;
    const double *x;
    int n;
    ln_node *flux;     /* per row: what the blocks contribute, with DER nodes */
    ln_node *stored;   /* per row: Q, or LN_NONE */
    ln_node *rest;     /* per row: F */
    ln_node *residual; /* per row */
    ln_node *entry;    /* n x n, row by row; LN_NONE: zero */
    double *value;     /* likewise, at the start */
} assembly;

static ln_graph *graph_of(const assembly *all) {
    return all->plan->graph;
}

static ln_node two(const assembly *all, ln_op op, ln_node a, ln_node b) {
    return ln_operation(graph_of(all), op, a, b, LN_NONE);
}

/* ---- rows ---- */

static void add_to(const assembly *all, int row, ln_node node) {
    if (row < 0)
        return;
    all->flux[row] = all->flux[row] == LN_NONE ? node : two(all, LN_OP_ADD, all->flux[row], node);
}

/* The unknown that stands for a flux that is recorded, or -1. */
static int extra_of(const ln_network *network, int instance, int port) {
    for (int k = 0; k < network->nextras; k++)
        if (network->extras[k].instance == instance && network->extras[k].port == port)
            return network->extras[k].unknown;
    return -1;
}

static linnet_status add_instance(assembly *all, int index) {
    ln_plan *plan = all->plan;
    const ln_instance *instance = &plan->network->instances[index];
    const linnet_block_class *class = instance->block.type;
    const ln_residuals *residuals = ln_class_residuals(class);
    const int count = class->nports + class->nvars;
    ln_node *nodes = LN_NEW(plan->diagram.scratch, ln_node, count);
    int *row = LN_NEW(plan->diagram.scratch, int, count);
    if (nodes == NULL || row == NULL)
        return ln_no_memory(plan->report);
    if (class->reference_port >= 0)
        return LINNET_OK;
    memcpy(nodes, residuals->row, (size_t)count * sizeof *nodes);
    ln_local_rows(plan->network, index, row);
    LN_TRY(ln_plan_copy(plan, index, residuals->graph, nodes, count));
    for (int k = 0; k < count; k++) {
        const int extra = k < class->nports ? extra_of(plan->network, index, k) : -1;
        if (nodes[k] == LN_NONE)
            continue;
        if (extra >= 0) {
            const ln_node leaf =
                ln_leaf_node(graph_of(all), LN_LEAF_UNKNOWN, ln_plan_signal(plan, extra));
            add_to(all, extra, two(all, LN_OP_SUB, nodes[k], leaf));
            nodes[k] = leaf;
        }
        add_to(all, row[k], nodes[k]);
    }
    return LINNET_OK;
}

/* ---- derivatives ---- */

static ln_node without_derivatives(void *context, ln_graph *to, const ln_graph *from,
                                   ln_node leaf) {
    (void)context;
    return ln_node_op(from, leaf) == LN_OP_DER ? ln_constant(to, 0.0) : LN_NONE;
}

static ln_node as_before(void *context, ln_graph *to, const ln_graph *from, ln_node leaf) {
    const ln_plan *plan = context;
    int index;
    if (ln_node_op(from, leaf) == LN_OP_DER || ln_node_leaf(from, leaf, &index) != LN_LEAF_UNKNOWN)
        return LN_NONE;
    return ln_leaf_node(to, LN_LEAF_UNKNOWN, ln_plan_before(plan, index - ln_plan_signal(plan, 0)));
}

static linnet_status refuse_row(const assembly *all, int row, const char *what) {
    const ln_instance *block = ln_network_row_block(all->plan->network, row);
    char text[160];
    ln_network_row_text(all->plan->network, row, text);
    return ln_fail(all->plan->report, LINNET_MODEL,
                   block != NULL ? block->place : ln_network_unknown_place(all->plan->network, row),
                   "%s %s; generated code cannot carry that", text, what);
}

/* Splits a row into Q and F. */
static linnet_status split_row(assembly *all, int row) {
    enum { MOST = 256 };
    ln_graph *graph = graph_of(all);
    ln_node der[MOST], node = all->flux[row];
    int count = 0;
    ln_walk walk;
    all->stored[row] = LN_NONE;
    LN_TRY(ln_walk_new(&walk, &all->plan->diagram, graph));
    ln_walk_push(&walk, node, 1);
    for (ln_node part; (part = ln_walk_next(&walk, 1)) != LN_NONE;)
        if (ln_node_op(graph, part) == LN_OP_DER && count < MOST)
            der[count++] = part;
    if (count == MOST)
        return refuse_row(all, row, "has too many derivatives");
    for (int k = 0; k < count; k++) {
        const ln_node coefficient = ln_derivative(graph, node, der[k]);
        if (!ln_is_usable(graph, coefficient))
            return refuse_row(all, row, "has a derivative with a factor that varies");
        const ln_node part = two(all, LN_OP_MUL, coefficient, ln_node_arg(graph, der[k], 0));
        all->stored[row] =
            all->stored[row] == LN_NONE ? part : two(all, LN_OP_ADD, all->stored[row], part);
    }
    all->rest[row] = node;
    ln_copy(graph, graph, &all->rest[row], 1, without_derivatives, NULL);
    return ln_graph_failed(graph) ? ln_no_memory(all->plan->report) : LINNET_OK;
}

/* R of a row; a dynamic one gets its number and its rate. */
static linnet_status make_residual(assembly *all, int row, int *dynamic_row, ln_node *rates) {
    ln_graph *graph = graph_of(all);
    ln_network_plan *out = all->out;
    all->residual[row] = all->rest[row];
    if (all->stored[row] == LN_NONE)
        return LINNET_OK;
    ln_node before = all->stored[row];
    ln_copy(graph, graph, &before, 1, as_before, all->plan);
    const ln_node gone = two(all, LN_OP_MUL, ln_constant(graph, out->alpha),
                             two(all, LN_OP_SUB, all->stored[row], before));
    const ln_node kept = ln_leaf_node(graph, LN_LEAF_MEMORY, out->nrates);
    const ln_node pulled = two(all, LN_OP_ADD, gone, kept);
    all->residual[row] = two(all, LN_OP_ADD, pulled, all->rest[row]);
    rates[out->nrates] = ln_operation(graph, LN_OP_NEG, pulled, LN_NONE, LN_NONE);
    dynamic_row[out->nrates++] = row;
    return ln_graph_failed(graph) ? ln_no_memory(all->plan->report) : LINNET_OK;
}

static linnet_status make_rows(assembly *all) {
    ln_plan *plan = all->plan;
    ln_arena *scratch = plan->diagram.scratch;
    int *dynamic = LN_NEW(plan->arena, int, all->n), *target = LN_NEW(scratch, int, all->n);
    ln_node *rates = LN_NEW(scratch, ln_node, all->n);
    if (dynamic == NULL || target == NULL || rates == NULL)
        return ln_no_memory(plan->report);
    for (int row = 0; row < all->n; row++)
        all->flux[row] = LN_NONE;
    for (int i = 0; i < plan->network->ninstances; i++)
        LN_TRY(add_instance(all, i));
    for (int k = 0; k < plan->network->nextras; k++) {
        const ln_extra *extra = &plan->network->extras[k];
        if (all->flux[extra->unknown] == LN_NONE)
            return refuse_row(all, extra->unknown, "records a flux that no equation gives");
    }
    for (int k = 0; k < plan->ninputs; k++) {
        const int u = plan->input_unknown[k];
        all->flux[u] =
            two(all, LN_OP_SUB, ln_leaf_node(plan->graph, LN_LEAF_UNKNOWN, ln_plan_signal(plan, u)),
                ln_leaf_node(plan->graph, LN_LEAF_PARAMETER, ln_plan_first_input(plan) + k));
    }
    for (int row = 0; row < all->n; row++) {
        if (all->flux[row] == LN_NONE)
            return refuse_row(all, row, "is given by no equation");
        LN_TRY(split_row(all, row));
        LN_TRY(make_residual(all, row, dynamic, rates));
        target[row] = row;
    }
    all->out->dynamic_row = dynamic;
    return ln_plan_compile(plan, rates, target, all->out->nrates, &all->out->rates);
}

/* ---- the Jacobian ---- */

/* Marks the unknowns on which the row depends. */
static linnet_status make_entries(assembly *all, int row) {
    ln_graph *graph = graph_of(all);
    ln_walk walk;
    LN_TRY(ln_walk_new(&walk, &all->plan->diagram, graph));
    ln_walk_push(&walk, all->residual[row], 1);
    for (ln_node part; (part = ln_walk_next(&walk, 1)) != LN_NONE;) {
        int index;
        if (ln_node_leaf(graph, part, &index) != LN_LEAF_UNKNOWN || index >= all->n)
            continue;
        const ln_node slope = ln_derivative(graph, all->residual[row], part);
        if (slope == LN_NONE)
            return ln_no_memory(all->plan->report);
        if (ln_node_op(graph, slope) == LN_OP_CONSTANT && ln_node_value(graph, slope) == 0.0)
            continue;
        all->entry[row * all->n + index] = slope;
        if (ln_depends(graph, slope) & 1u << LN_LEAF_UNKNOWN)
            all->out->linear = 0;
        if (ln_depends(graph, slope) & (1u << LN_LEAF_TIME | 1u << LN_LEAF_DECIDE))
            all->out->linear = 0;
    }
    return LINNET_OK;
}

/* The values of nodes at the start, where all that is before is as it is. */
static linnet_status evaluate(assembly *all, const ln_node *nodes, int count, double *value) {
    ln_plan *plan = all->plan;
    const ln_program *program =
        ln_program_compile(plan->diagram.scratch, plan->graph, nodes, count);
    double *file =
        program == NULL ? NULL : LN_NEW(plan->diagram.scratch, double, program->registers);
    double *x = LN_NEW(plan->diagram.scratch, double, 2 * (size_t)all->n);
    double *rates = LN_NEW(plan->diagram.scratch, double, all->n);
    double *open = LN_NEW(plan->diagram.scratch, double, plan->diagram.nparameters + plan->ninputs);
    if (file == NULL || x == NULL || rates == NULL || open == NULL)
        return ln_no_memory(plan->report);
    memcpy(x, all->x, (size_t)all->n * sizeof *x);
    memcpy(x + all->n, all->x, (size_t)all->n * sizeof *x);
    memcpy(open, plan->diagram.parameters, (size_t)plan->diagram.nparameters * sizeof *open);
    for (int k = 0; k < plan->ninputs; k++)
        open[plan->diagram.nparameters + k] = plan->input_value[k];
    ln_program_start(program, file, open);
    ln_program_run(program, file, open, x, rates, all->side.t, all->side.within);
    for (int k = 0; k < count; k++)
        value[k] = file[program->output[k]];
    return LINNET_OK;
}

static linnet_status evaluate_entries(assembly *all) {
    const int size = all->n * all->n;
    ln_node *nodes = LN_NEW(all->plan->diagram.scratch, ln_node, size);
    double *value = LN_NEW(all->plan->diagram.scratch, double, size);
    int *at = LN_NEW(all->plan->diagram.scratch, int, size), count = 0;
    if (nodes == NULL || value == NULL || at == NULL)
        return ln_no_memory(all->plan->report);
    for (int k = 0; k < size; k++) {
        if (all->entry[k] == LN_NONE)
            continue;
        at[count] = k;
        nodes[count++] = all->entry[k];
    }
    LN_TRY(evaluate(all, nodes, count, value));
    for (int k = 0; k < count; k++)
        all->value[at[k]] = value[k];
    return LINNET_OK;
}

/* ---- elimination ---- */

typedef struct elimination {
    assembly *all;
    char *row_done, *col_done;
    int *row_count, *col_count; /* entries in what is left */
    int *pivot_row, *pivot_col; /* in order */
    ln_node *right;             /* per row: the right-hand side as it becomes */
} elimination;

static int is_there(const assembly *all, int row, int col) {
    return all->entry[row * all->n + col] != LN_NONE;
}

static int is_constant(const assembly *all, int row, int col) {
    return ln_node_op(graph_of(all), all->entry[row * all->n + col]) == LN_OP_CONSTANT;
}

static void count_entries(elimination *e) {
    const int n = e->all->n;
    for (int k = 0; k < n; k++)
        e->row_count[k] = e->col_count[k] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n && !e->row_done[i]; j++) {
            if (e->col_done[j] || !is_there(e->all, i, j))
                continue;
            e->row_count[i]++;
            e->col_count[j]++;
        }
}

static double largest_in_row(const elimination *e, int row) {
    double largest = 0;
    for (int j = 0; j < e->all->n; j++)
        if (!e->col_done[j] && is_there(e->all, row, j))
            largest = fmax(largest, fabs(e->all->value[row * e->all->n + j]));
    return largest;
}

/* The pivot that fills least, of those that are not small in their row; constant ones first. 0:
 * there is none. */
static int choose_pivot(elimination *e, int step) {
    const int n = e->all->n;
    long best = -1;
    double size = 0;
    for (int i = 0; i < n; i++) {
        if (e->row_done[i])
            continue;
        const double least = PIVOT * largest_in_row(e, i);
        for (int j = 0; j < n; j++) {
            if (e->col_done[j] || !is_there(e->all, i, j))
                continue;
            const double value = fabs(e->all->value[i * n + j]);
            const long cost =
                2L * (e->row_count[i] - 1) * (e->col_count[j] - 1) + !is_constant(e->all, i, j);
            if (!(value >= least) || !(value > 0) || !isfinite(value) ||
                (best >= 0 && (cost > best || (cost == best && value <= size))))
                continue;
            best = cost;
            size = value;
            e->pivot_row[step] = i;
            e->pivot_col[step] = j;
        }
    }
    return best >= 0;
}

/* entry and value become themselves less factor times those of the pivot's row. */
static void subtract(assembly *all, int row, int col, ln_node factor, double part, int from) {
    const int at = row * all->n + col, by = from * all->n + col;
    const ln_node product = two(all, LN_OP_MUL, factor, all->entry[by]);
    const ln_node old = all->entry[at];
    const ln_node now = old == LN_NONE
                            ? ln_operation(graph_of(all), LN_OP_NEG, product, LN_NONE, LN_NONE)
                            : two(all, LN_OP_SUB, old, product);
    all->value[at] = (old == LN_NONE ? 0 : all->value[at]) - part * all->value[by];
    all->entry[at] =
        ln_node_op(graph_of(all), now) == LN_OP_CONSTANT && ln_node_value(graph_of(all), now) == 0.0
            ? LN_NONE
            : now;
}

static void eliminate(elimination *e, int step) {
    assembly *all = e->all;
    const int n = all->n, p = e->pivot_row[step], q = e->pivot_col[step];
    e->row_done[p] = e->col_done[q] = 1;
    for (int i = 0; i < n; i++) {
        if (e->row_done[i] || !is_there(all, i, q))
            continue;
        const ln_node factor = two(all, LN_OP_DIV, all->entry[i * n + q], all->entry[p * n + q]);
        const double part = all->value[i * n + q] / all->value[p * n + q];
        for (int j = 0; j < n; j++)
            if (!e->col_done[j] && is_there(all, p, j))
                subtract(all, i, j, factor, part, p);
        e->right[i] = two(all, LN_OP_SUB, e->right[i], two(all, LN_OP_MUL, factor, e->right[p]));
        all->out->fill++;
    }
}

/* The update of each unknown, last pivot first. */
static void substitute(const elimination *e, ln_node *update) {
    const assembly *all = e->all;
    const int n = all->n;
    for (int step = n; step-- > 0;) {
        const int p = e->pivot_row[step], q = e->pivot_col[step];
        ln_node sum = e->right[p];
        for (int later = step + 1; later < n; later++) {
            const int j = e->pivot_col[later];
            if (!is_there(all, p, j))
                continue;
            sum = two(all, LN_OP_SUB, sum, two(all, LN_OP_MUL, all->entry[p * n + j], update[j]));
            all->out->fill++;
        }
        update[q] = two(all, LN_OP_DIV, sum, all->entry[p * n + q]);
        all->out->fill++;
    }
}

static linnet_status no_pivot(const elimination *e) {
    const assembly *all = e->all;
    for (int i = 0; i < all->n; i++)
        if (!e->row_done[i])
            return refuse_row(all, i,
                              "has no pivot at the start: the equations are singular there");
    return LINNET_OK;
}

static linnet_status unroll(assembly *all) {
    ln_plan *plan = all->plan;
    ln_arena *scratch = plan->diagram.scratch;
    const int n = all->n;
    elimination e = {.all = all,
                     .row_done = LN_NEW(scratch, char, n),
                     .col_done = LN_NEW(scratch, char, n),
                     .row_count = LN_NEW(scratch, int, n),
                     .col_count = LN_NEW(scratch, int, n),
                     .pivot_row = LN_NEW(scratch, int, n),
                     .pivot_col = LN_NEW(scratch, int, n),
                     .right = LN_NEW(scratch, ln_node, n)};
    ln_node *update = LN_NEW(scratch, ln_node, n);
    int *target = LN_NEW(scratch, int, n);
    if (e.row_done == NULL || e.col_done == NULL || e.row_count == NULL || e.col_count == NULL ||
        e.pivot_row == NULL || e.pivot_col == NULL || e.right == NULL || update == NULL ||
        target == NULL)
        return ln_no_memory(plan->report);
    memcpy(e.right, all->residual, (size_t)n * sizeof *e.right);
    for (int step = 0; step < n; step++) {
        count_entries(&e);
        if (!choose_pivot(&e, step))
            return no_pivot(&e);
        eliminate(&e, step);
        target[step] = step;
    }
    substitute(&e, update);
    if (ln_graph_failed(plan->graph))
        return ln_no_memory(plan->report);
    return ln_plan_compile(plan, update, target, n, &all->out->update);
}

/* ---- edges in time ---- */

/* F at the beginning of a step, of the rows in which time alone decides something. */
static linnet_status find_edges(assembly *all) {
    ln_graph *graph = graph_of(all);
    ln_node *edges = LN_NEW(all->plan->diagram.scratch, ln_node, all->n);
    int *target = LN_NEW(all->plan->diagram.scratch, int, all->n), count = 0;
    if (edges == NULL || target == NULL)
        return ln_no_memory(all->plan->report);
    for (int row = 0; row < all->n; row++) {
        if (!(ln_depends(graph, all->rest[row]) & 1u << LN_LEAF_DECIDE))
            continue;
        edges[count] = all->rest[row];
        target[count] = count;
        count++;
    }
    ln_copy(graph, graph, edges, count, as_before, all->plan);
    if (ln_graph_failed(graph))
        return ln_no_memory(all->plan->report);
    all->out->nedges = count;
    return ln_plan_compile(all->plan, edges, target, count, &all->out->edges);
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
    const ln_residuals *residuals = ln_class_residuals(instance->block.type);
    const int extra = extra_of(plan->network, q->index, q->item);
    *node = extra < 0 ? residuals->row[q->item]
                      : ln_leaf_node(plan->graph, LN_LEAF_UNKNOWN, ln_plan_signal(plan, extra));
    if (extra < 0)
        LN_TRY(ln_plan_copy(plan, q->index, residuals->graph, node, 1));
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

static linnet_status start_rates(assembly *all) {
    ln_network_plan *out = all->out;
    ln_node *rest = LN_NEW(all->plan->diagram.scratch, ln_node, out->nrates);
    out->start_rates = LN_NEW(all->plan->arena, double, out->nrates);
    if (rest == NULL || out->start_rates == NULL)
        return ln_no_memory(all->plan->report);
    for (int k = 0; k < out->nrates; k++)
        rest[k] = all->rest[out->dynamic_row[k]];
    return evaluate(all, rest, out->nrates, out->start_rates);
}

linnet_status ln_network_plan_make(ln_plan *plan, double alpha, ln_side side, const double *x,
                                   ln_network_plan *out) {
    const int n = plan->network->n;
    ln_arena *scratch = plan->diagram.scratch;
    if (n > MOST_UNKNOWNS)
        return ln_fail(plan->report, LINNET_MODEL, LN_NOWHERE,
                       "the network has %d unknowns; generated code unrolls its elimination, for "
                       "at most %d",
                       n, MOST_UNKNOWNS);
    const size_t square = (size_t)n * (size_t)n;
    *out = (ln_network_plan){.alpha = alpha, .linear = 1};
    assembly all = {.plan = plan,
                    .out = out,
                    .side = side,
                    .x = x,
                    .n = n,
                    .flux = LN_NEW(scratch, ln_node, n),
                    .stored = LN_NEW(scratch, ln_node, n),
                    .rest = LN_NEW(scratch, ln_node, n),
                    .residual = LN_NEW(scratch, ln_node, n),
                    .entry = LN_NEW(scratch, ln_node, square),
                    .value = LN_NEW(scratch, double, square)};
    if (all.flux == NULL || all.stored == NULL || all.rest == NULL || all.residual == NULL ||
        all.entry == NULL || all.value == NULL)
        return ln_no_memory(plan->report);
    for (size_t k = 0; k < square; k++)
        all.entry[k] = LN_NONE;
    LN_TRY(make_rows(&all));
    for (int row = 0; row < n; row++)
        LN_TRY(make_entries(&all, row));
    LN_TRY(find_edges(&all));
    LN_TRY(start_rates(&all));
    LN_TRY(evaluate_entries(&all));
    return unroll(&all);
}
