/* SPDX-License-Identifier: MIT */
/* Newton's update of a system of residuals, its Jacobian by exact derivatives and the elimination
 * written out as expressions, in an order chosen now: see network_plan.h. */
#include "codegen/network_assembly.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* A pivot is at least this part of the largest entry of its row, in all samples. */
static const double PIVOT = 1e-3;
/* The part of one that is zero in some sample. */
static const double NEVER = 1e-300;

typedef struct elimination {
    const ln_assembly *all;
    int n, *linear;
    ln_node *entry;            /* n x n, row by row; LN_NONE: zero */
    double *value[LN_SAMPLES]; /* likewise */
    int singular[LN_SAMPLES];  /* the sample has come to an end: nobody works there */
    char *row_done, *col_done;
    int *pivot_row, *pivot_col; /* in order */
    ln_node *right;             /* per row: the right-hand side as it becomes */
} elimination;

static ln_graph *graph_of(const elimination *e) {
    return ln_assembly_graph(e->all);
}

static ln_node two(const elimination *e, ln_op op, ln_node a, ln_node b) {
    return ln_assembly_two(e->all, op, a, b);
}

static int is_constant(const elimination *e, ln_node node, double value) {
    return ln_node_op(graph_of(e), node) == LN_OP_CONSTANT &&
           ln_node_value(graph_of(e), node) == value;
}

/* ---- the Jacobian ---- */

static void add_entry(elimination *e, int row, int col, ln_node slope) {
    ln_node *entry = &e->entry[row * e->n + col];
    if (col < 0 || is_constant(e, slope, 0.0))
        return;
    *entry = *entry == LN_NONE ? slope : two(e, LN_OP_ADD, *entry, slope);
}

/* By an unknown, or by what a flow depends on. */
static linnet_status add_slope(elimination *e, int row, ln_node residual, ln_node leaf) {
    const ln_plan *plan = e->all->plan;
    const int flow = ln_network_flow(plan, 0), last = flow + e->all->out->nflows;
    int index, unknown[2 * LN_DEVICE_CONTROLS];
    ln_node slopes[2 * LN_DEVICE_CONTROLS];
    if (ln_node_leaf(graph_of(e), leaf, &index) != LN_LEAF_UNKNOWN)
        return LINNET_OK;
    const int is_flow = index >= flow && index < last;
    if (!is_flow && index >= e->n)
        return LINNET_OK;
    const ln_node slope = ln_derivative(graph_of(e), residual, leaf);
    if (slope == LN_NONE)
        return ln_no_memory(plan->report);
    if (!is_flow)
        add_entry(e, row, index, slope);
    const int count = is_flow ? ln_assembly_slopes(e->all, index, unknown, slopes) : 0;
    for (int k = 0; k < count; k++)
        add_entry(e, row, unknown[k], two(e, LN_OP_MUL, slope, slopes[k]));
    return LINNET_OK;
}

static linnet_status make_entries(elimination *e, int row, ln_node residual) {
    ln_graph *graph = graph_of(e);
    ln_walk walk;
    LN_TRY(ln_walk_new(&walk, &e->all->plan->diagram, graph));
    ln_walk_push(&walk, residual, 1);
    for (ln_node part; (part = ln_walk_next(&walk, 1)) != LN_NONE;)
        if (ln_node_op(graph, part) == LN_OP_LEAF)
            LN_TRY(add_slope(e, row, residual, part));
    const unsigned varies = 1u << LN_LEAF_UNKNOWN | 1u << LN_LEAF_TIME | 1u << LN_LEAF_DECIDE;
    for (int col = 0; col < e->n; col++) {
        const ln_node entry = e->entry[row * e->n + col];
        if (entry == LN_NONE)
            continue;
        if (ln_depends(graph, entry) & varies)
            *e->linear = 0;
        if (is_constant(e, entry, 0.0))
            e->entry[row * e->n + col] = LN_NONE;
    }
    return LINNET_OK;
}

static linnet_status evaluate_entries(elimination *e) {
    const int size = e->n * e->n;
    ln_arena *scratch = e->all->plan->diagram.scratch;
    ln_node *nodes = LN_NEW(scratch, ln_node, size);
    double *value = LN_NEW(scratch, double, size);
    int *at = LN_NEW(scratch, int, size), count = 0;
    if (nodes == NULL || value == NULL || at == NULL)
        return ln_no_memory(e->all->plan->report);
    for (int k = 0; k < size; k++) {
        if (e->entry[k] == LN_NONE)
            continue;
        at[count] = k;
        nodes[count++] = e->entry[k];
    }
    for (int s = 0; s < LN_SAMPLES; s++) {
        LN_TRY(ln_assembly_evaluate(e->all, s, nodes, count, value));
        for (int k = 0; k < count; k++)
            e->value[s][at[k]] = value[k];
    }
    return LINNET_OK;
}

/* ---- pivots ---- */

static int is_there(const elimination *e, int row, int col) {
    return e->entry[row * e->n + col] != LN_NONE;
}

static int varies(const elimination *e, int row, int col) {
    return ln_node_op(graph_of(e), e->entry[row * e->n + col]) != LN_OP_CONSTANT;
}

static int row_varies(const elimination *e, int row) {
    for (int j = 0; j < e->n; j++)
        if (!e->col_done[j] && is_there(e, row, j) && varies(e, row, j))
            return 1;
    return 0;
}

/* operations that a division counts for */
enum { DIVISION = 4 };

/* An entry of the pivot's row, beside the pivot (p, q), that is not done. */
static int is_beside(const elimination *e, int p, int q, int j) {
    return j != q && !e->col_done[j] && is_there(e, p, j);
}

/* What row i costs where the row of the pivot (p, q) is taken from it. */
static long cost_of_row(const elimination *e, int p, int q, int i) {
    const int by_factor = varies(e, p, q) || varies(e, i, q);
    long cost = 1 + (by_factor ? DIVISION : 0);
    if ((row_varies(e, p) || by_factor) && !row_varies(e, i))
        cost += 2 * DIVISION;
    for (int j = 0; j < e->n; j++)
        if (is_beside(e, p, q, j))
            cost += !is_there(e, i, j) || by_factor || varies(e, p, j);
    return cost;
}

/* What the code pays for a pivot: operations on entries that vary, a few for each division by them,
 * one for each entry that is new, and for each right-hand side and unknown that it moves. A row
 * that comes to vary will be divided by its pivot. */
static long cost_of(const elimination *e, int p, int q) {
    long cost = varies(e, p, q) ? 2 * DIVISION : 0;
    for (int j = 0; j < e->n; j++)
        cost += is_beside(e, p, q, j);
    for (int i = 0; i < e->n; i++)
        if (i != p && !e->row_done[i] && is_there(e, i, q))
            cost += cost_of_row(e, p, q, i);
    return cost;
}

static void largest_in_row(const elimination *e, int row, double largest[LN_SAMPLES]) {
    for (int s = 0; s < LN_SAMPLES; s++) {
        largest[s] = 0;
        for (int j = 0; j < e->n; j++)
            if (!e->col_done[j] && is_there(e, row, j))
                largest[s] = fmax(largest[s], fabs(e->value[s][row * e->n + j]));
    }
}

/* What part of the largest entry of its row an entry is, in the sample where that is least; 0: it
 * is none at the start. */
static double part_of(const elimination *e, int at, const double largest[LN_SAMPLES]) {
    double least = fabs(e->value[0][at]) / largest[0];
    if (!(least > 0) || !isfinite(least))
        return 0;
    for (int s = 1; s < LN_SAMPLES; s++) {
        const double part = fabs(e->value[s][at]) / largest[s];
        if (!e->singular[s])
            least = part > 0 ? fmin(least, part) : NEVER;
    }
    return least;
}

/* The cheapest pivot of those that are not small in their row. Where all are small, the one that is
 * least so. 0: there is none. */
static int choose_pivot(elimination *e, int step) {
    const int n = e->n;
    long best = -1;
    double size = 0;
    for (int i = 0; i < n; i++) {
        double largest[LN_SAMPLES];
        if (e->row_done[i])
            continue;
        largest_in_row(e, i, largest);
        for (int j = 0; j < n; j++) {
            if (e->col_done[j] || !is_there(e, i, j))
                continue;
            const double part = part_of(e, i * n + j, largest);
            const long cost = part < PIVOT ? LONG_MAX : cost_of(e, i, j);
            if (!(part > 0) || (best >= 0 && (cost > best || (cost == best && part <= size))))
                continue;
            best = cost;
            size = part;
            e->pivot_row[step] = i;
            e->pivot_col[step] = j;
        }
    }
    return best >= 0;
}

/* ---- elimination ---- */

/* The entry becomes itself less factor times that of the pivot's row. */
static void subtract(elimination *e, int row, int col, ln_node factor,
                     const double part[LN_SAMPLES], int from) {
    const int at = row * e->n + col, by = from * e->n + col;
    const ln_node product = two(e, LN_OP_MUL, factor, e->entry[by]), old = e->entry[at];
    const ln_node now = old == LN_NONE
                            ? ln_operation(graph_of(e), LN_OP_NEG, product, LN_NONE, LN_NONE)
                            : two(e, LN_OP_SUB, old, product);
    for (int s = 0; s < LN_SAMPLES; s++)
        e->value[s][at] = (old == LN_NONE ? 0 : e->value[s][at]) - part[s] * e->value[s][by];
    e->entry[at] = is_constant(e, now, 0.0) ? LN_NONE : now;
}

static void eliminate(elimination *e, int step) {
    const int n = e->n, p = e->pivot_row[step], q = e->pivot_col[step];
    e->row_done[p] = e->col_done[q] = 1;
    for (int i = 0; i < n; i++) {
        if (e->row_done[i] || !is_there(e, i, q))
            continue;
        const ln_node factor = two(e, LN_OP_DIV, e->entry[i * n + q], e->entry[p * n + q]);
        double part[LN_SAMPLES];
        for (int s = 0; s < LN_SAMPLES; s++) {
            part[s] = e->value[s][i * n + q] / e->value[s][p * n + q];
            e->singular[s] |= !isfinite(part[s]);
        }
        for (int j = 0; j < n; j++)
            if (!e->col_done[j] && is_there(e, p, j))
                subtract(e, i, j, factor, part, p);
        e->right[i] = two(e, LN_OP_SUB, e->right[i], two(e, LN_OP_MUL, factor, e->right[p]));
        e->all->out->fill++;
    }
}

/* The update of each unknown, last pivot first. */
static void substitute(const elimination *e, ln_node *update) {
    const int n = e->n;
    for (int step = n; step-- > 0;) {
        const int p = e->pivot_row[step], q = e->pivot_col[step];
        ln_node sum = e->right[p];
        for (int later = step + 1; later < n; later++) {
            const int j = e->pivot_col[later];
            if (!is_there(e, p, j))
                continue;
            sum = two(e, LN_OP_SUB, sum, two(e, LN_OP_MUL, e->entry[p * n + j], update[j]));
            e->all->out->fill++;
        }
        update[q] = two(e, LN_OP_DIV, sum, e->entry[p * n + q]);
        e->all->out->fill++;
    }
}

static linnet_status no_pivot(const elimination *e) {
    for (int i = 0; i < e->n; i++)
        if (!e->row_done[i])
            return ln_assembly_refuse(e->all, i,
                                      "has no pivot: at the start, or where a branch of its "
                                      "conditions holds, the equations are singular");
    return LINNET_OK;
}

static int make_room(elimination *e) {
    ln_arena *scratch = e->all->plan->diagram.scratch;
    const int n = e->n;
    const size_t square = (size_t)n * (size_t)n;
    int whole = 1;
    for (int s = 0; s < LN_SAMPLES; s++)
        whole &= (e->value[s] = LN_NEW(scratch, double, square)) != NULL;
    e->entry = LN_NEW(scratch, ln_node, square);
    e->row_done = LN_NEW(scratch, char, n), e->col_done = LN_NEW(scratch, char, n);
    e->pivot_row = LN_NEW(scratch, int, n), e->pivot_col = LN_NEW(scratch, int, n);
    e->right = LN_NEW(scratch, ln_node, n);
    for (size_t k = 0; e->entry != NULL && k < square; k++)
        e->entry[k] = LN_NONE;
    return whole && e->entry && e->row_done && e->col_done && e->pivot_row && e->pivot_col &&
           e->right;
}

linnet_status ln_assembly_eliminate(const ln_assembly *all, const ln_node *residual,
                                    ln_node *update, int *linear) {
    ln_plan *plan = all->plan;
    const int n = all->n;
    elimination e = {.all = all, .n = n, .linear = linear};
    *linear = 1;
    if (!make_room(&e))
        return ln_no_memory(plan->report);
    memcpy(e.right, residual, (size_t)n * sizeof *e.right);
    for (int row = 0; row < n; row++)
        LN_TRY(make_entries(&e, row, residual[row]));
    LN_TRY(evaluate_entries(&e));
    for (int step = 0; step < n; step++) {
        if (!choose_pivot(&e, step))
            return no_pivot(&e);
        eliminate(&e, step);
    }
    substitute(&e, update);
    return ln_graph_failed(plan->graph) ? ln_no_memory(plan->report) : LINNET_OK;
}
