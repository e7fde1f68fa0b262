/* SPDX-License-Identifier: MIT */
/* The solution of the linearised equations: the Jacobian of residuals by exact derivatives and its
 * elimination written out as expressions, in an order chosen now (network_plan.h).
 *
 * Unknown are those of the network and, behind them, what flows in each branch of a device. The
 * rows of the network are then linear in what devices do, and each branch has a row of its own,
 *
 *     flow - sum g v = (flow - sum g v where the device was evaluated last),
 *
 * so what is linear is eliminated in numbers before what is not; of a diode in a linear network one
 * equation is left.
 *
 * Where devices read differences of potentials, each of these has a row that says so.
 *
 * Of a floating part one unknown is what its potentials have in common, the others are differences
 * to it (network_floating.c).
 *
 * What is stored is sought as a change since the step's begin: so the rounding of coefficients,
 * which is the same in every step, touches changes alone and does not add up. */
#include "codegen/network_assembly.h"
#include "codegen/network_range.h"
#include "codegen/number_list.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* A pivot is at least this part of the largest entry of its row, in all samples (threshold
 * pivoting; I. S. Duff, A. M. Erisman, J. K. Reid, Direct Methods for Sparse Matrices, 2017,
 * section 5.2): by 1e-3 the forty segments of models/examples/hydraulic/water-hammer.xml grew
 * roundings by 1e8. */
static const double PIVOT = 0.1;
/* The same of a branch's row, in which a flow stands beside slopes: it is what it says up to
 * 1000 S. */
static const double PIVOT_OF_BRANCH = 1e-3;
/* The part of one that is zero in some sample. */
static const double NEVER = 1e-300;
/* What the coefficient of a flow counts for beside those of potentials, so that from PIVOT * FLOW =
 * 1e-4 S on a potential is what flows through that conductance leave of it. Rounding of 1 A is then
 * 1e-12 V; below, as where a node has devices alone, the flows are eliminated by their slopes. */
static const double FLOW = 1e-3;

typedef struct elimination {
    const ln_assembly *all;
    int n;                       /* unknowns of the code and flows */
    int failed;                  /* memory was short */
    ln_ranges ranges;            /* of entries */
    ln_node *entry;              /* n x n, row by row; LN_NONE: zero */
    double *value[LN_SAMPLES];   /* likewise */
    char *listed;                /* likewise: it stands in the two lists */
    ln_numbers *in_row, *in_col; /* columns of a row, rows of a column where entries are, or were */
    int singular[LN_SAMPLES];    /* the sample has come to an end: nobody works there */
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
    return node != LN_NONE && ln_node_op(graph_of(e), node) == LN_OP_CONSTANT &&
           ln_node_value(graph_of(e), node) == value;
}

static int is_there(const elimination *e, int row, int col) {
    return e->entry[row * e->n + col] != LN_NONE;
}

/* The entry becomes a node; one that is zero is none. */
static void put_entry(elimination *e, int row, int col, ln_node node) {
    const int at = row * e->n + col;
    ln_arena *scratch = e->all->plan->diagram.scratch;
    e->entry[at] = is_constant(e, node, 0.0) ? LN_NONE : node;
    if (e->entry[at] == LN_NONE || e->listed[at])
        return;
    e->listed[at] = 1;
    e->failed |= !ln_numbers_add(scratch, &e->in_row[row], col) ||
                 !ln_numbers_add(scratch, &e->in_col[col], row);
}

/* ---- the Jacobian ---- */

static void add_entry(elimination *e, int row, int col, ln_node slope) {
    if (col < 0)
        return;
    const ln_node old = e->entry[row * e->n + col];
    put_entry(e, row, col, old == LN_NONE ? slope : two(e, LN_OP_ADD, old, slope));
}

/* The unknown that stands for the common potential of the part that a column is of, or -1. */
static int common_of(const elimination *e, int col) {
    return col < e->all->n ? ln_assembly_common(e->all, col) : -1;
}

static linnet_status make_entries(elimination *e, ln_walk *walk, int row, ln_node residual) {
    ln_graph *graph = graph_of(e);
    ln_walk_push(walk, residual, row + 1);
    for (ln_node part; (part = ln_walk_next(walk, row + 1)) != LN_NONE;) {
        const int col = ln_assembly_column(e->all, part),
                  common = col >= 0 ? common_of(e, col) : -1;
        if (common >= 0 && !e->listed[row * e->n + common])
            add_entry(e, row, common,
                      ln_assembly_finite(
                          e->all, ln_assembly_common_slope(e->all, residual,
                                                           ln_assembly_part(e->all, common))));
        if (col >= 0 && col != common)
            add_entry(e, row, col,
                      ln_assembly_finite(e->all, ln_derivative(graph, residual, part)));
    }
    return ln_graph_failed(graph) ? ln_no_memory(e->all->plan->report) : LINNET_OK;
}

static ln_node origin(const elimination *e, int col) {
    return ln_assembly_origin(e->all, col);
}

/* What an unknown contributes to a row in which its factor is 1 or -1. */
static void add_unknown(elimination *e, int row, int col, double factor) {
    const int common = common_of(e, col);
    const ln_node slope = ln_constant(graph_of(e), factor);
    if (common != col)
        add_entry(e, row, col, slope);
    if (common >= 0) /* of two in one part that cancels */
        add_entry(e, row, common, slope);
}

/* The row of a difference: itself less the potential above, and that below. */
static void make_across(elimination *e, int row) {
    const ln_across across = e->all->out->across[row - e->all->n];
    add_entry(e, row, row, ln_constant(graph_of(e), 1.0));
    add_unknown(e, row, across.unknown, -1.0);
    add_unknown(e, row, across.base, 1.0);
    e->right[row] =
        two(e, LN_OP_SUB, two(e, LN_OP_SUB, origin(e, across.unknown), origin(e, across.base)),
            origin(e, row));
}

/* The row of an unknown that has no part in these equations: it stays. */
static void make_still(elimination *e, int row) {
    add_entry(e, row, row, ln_constant(graph_of(e), 1.0));
    e->right[row] = ln_constant(graph_of(e), 0.0);
}

/* The row of branch b. */
static linnet_status make_branch(elimination *e, int b) {
    const int row = e->all->nunknowns + b, leaf = ln_network_flow(e->all->plan, LN_FLOW_VALUES * b);
    int unknown[2 * LN_DEVICE_CONTROLS];
    ln_node slope[2 * LN_DEVICE_CONTROLS];
    const int count = ln_assembly_slopes(e->all, leaf, unknown, slope);
    ln_node there =
        two(e, LN_OP_SUB, ln_leaf_node(graph_of(e), LN_LEAF_UNKNOWN, leaf), origin(e, row));
    add_entry(e, row, row, ln_constant(graph_of(e), 1.0));
    for (int k = 0; k < count; k++) {
        if (unknown[k] < 0)
            continue;
        const ln_node x = ln_leaf_node(graph_of(e), LN_LEAF_UNKNOWN,
                                       ln_network_leaf(e->all->plan, e->all->out, unknown[k]));
        there = two(e, LN_OP_SUB, there,
                    two(e, LN_OP_MUL, slope[k], two(e, LN_OP_SUB, x, origin(e, unknown[k]))));
        const ln_node minus = ln_operation(graph_of(e), LN_OP_NEG, slope[k], LN_NONE, LN_NONE);
        const int common = common_of(e, unknown[k]);
        if (common != unknown[k])
            add_entry(e, row, unknown[k], minus);
        if (common >= 0) /* both ends of a control in one part cancel */
            add_entry(e, row, common, minus);
    }
    e->right[row] = there;
    return ln_graph_failed(graph_of(e)) ? ln_no_memory(e->all->plan->report) : LINNET_OK;
}

/* ---- values ---- */

static linnet_status evaluate_entries(elimination *e) {
    ln_arena *scratch = e->all->plan->diagram.scratch;
    int size = 0;
    for (int i = 0; i < e->n; i++)
        size += e->in_row[i].count;
    ln_node *nodes = LN_NEW(scratch, ln_node, size);
    double *value = LN_NEW(scratch, double, size);
    int *at = LN_NEW(scratch, int, size), count = 0;
    if (nodes == NULL || value == NULL || at == NULL)
        return ln_no_memory(e->all->plan->report);
    for (int i = 0; i < e->n; i++)
        for (int k = 0; k < e->in_row[i].count; k++) {
            const int place = i * e->n + e->in_row[i].item[k];
            if (e->entry[place] == LN_NONE)
                continue;
            at[count] = place;
            nodes[count++] = e->entry[place];
        }
    for (int s = 0; s < LN_SAMPLES; s++) {
        LN_TRY(ln_assembly_evaluate(e->all, s, nodes, count, value));
        for (int k = 0; k < count; k++)
            e->value[s][at[k]] = value[k];
    }
    return LINNET_OK;
}

/* ---- pivots ---- */

static int varies(const elimination *e, int row, int col) {
    return ln_node_op(graph_of(e), e->entry[row * e->n + col]) != LN_OP_CONSTANT;
}

/* Beside the column of a pivot. */
static int row_varies(const elimination *e, int row, int col) {
    const ln_numbers *in_row = &e->in_row[row];
    for (int k = 0; k < in_row->count; k++) {
        const int j = in_row->item[k];
        if (j != col && !e->col_done[j] && is_there(e, row, j) && varies(e, row, j))
            return 1;
    }
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
    long cost = 1 + (varies(e, p, q) ? DIVISION : by_factor);
    if ((row_varies(e, p, q) || by_factor) && !row_varies(e, i, q))
        cost += 2 * DIVISION;
    const ln_numbers *in_row = &e->in_row[p];
    for (int k = 0; k < in_row->count; k++) {
        const int j = in_row->item[k];
        if (is_beside(e, p, q, j))
            cost += !is_there(e, i, j) || by_factor || varies(e, p, j);
    }
    return cost;
}

/* What the code pays for a pivot: operations on entries that vary, a few for each division by them,
 * one for each entry that is new, and for each right-hand side and unknown that it moves. A row
 * that comes to vary will be divided by its pivot. */
static long cost_of(const elimination *e, int p, int q) {
    long cost = varies(e, p, q) ? 2 * DIVISION : 0;
    const ln_numbers *in_row = &e->in_row[p], *in_col = &e->in_col[q];
    for (int k = 0; k < in_row->count; k++)
        cost += is_beside(e, p, q, in_row->item[k]);
    for (int k = 0; k < in_col->count; k++) {
        const int i = in_col->item[k];
        if (i != p && !e->row_done[i] && is_there(e, i, q))
            cost += cost_of_row(e, p, q, i);
    }
    return cost;
}

/* A flow in a row of the network: the small difference of large currents that it may be there is no
 * way to find it. */
static int is_flow_beside(const elimination *e, int row, int col) {
    return row < e->all->nunknowns && col >= e->all->nunknowns;
}

static void largest_in_row(const elimination *e, int row, double largest[LN_SAMPLES]) {
    const ln_numbers *in_row = &e->in_row[row];
    for (int s = 0; s < LN_SAMPLES; s++) {
        largest[s] = 0;
        for (int k = 0; k < in_row->count; k++) {
            const int j = in_row->item[k];
            if (!e->col_done[j] && is_there(e, row, j))
                largest[s] = fmax(largest[s], (is_flow_beside(e, row, j) ? FLOW : 1) *
                                                  fabs(e->value[s][row * e->n + j]));
        }
    }
}

/* What part of the largest entry of its row an entry is, in the sample where that is least; 0: it
 * is none at the start. What conditions can make zero is no better than what a sample has found so.
 */
static double part_of(elimination *e, int at, const double largest[LN_SAMPLES]) {
    double least = fabs(e->value[0][at]) / largest[0];
    if (!(least > 0) || !isfinite(least))
        return 0;
    const int meets_zero = ln_range_meets_zero(&e->ranges, e->entry[at]);
    e->failed |= meets_zero < 0;
    if (meets_zero)
        return NEVER;
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
        for (int k = 0; k < e->in_row[i].count; k++) {
            const int j = e->in_row[i].item[k];
            if (e->col_done[j] || !is_there(e, i, j) || is_flow_beside(e, i, j))
                continue;
            const double part = part_of(e, i * n + j, largest);
            const double least = i < e->all->nunknowns ? PIVOT : PIVOT_OF_BRANCH;
            const long cost = part < least ? LONG_MAX : cost_of(e, i, j);
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
    put_entry(e, row, col, now);
}

/* Something divided by a pivot: in numbers, multiplied. */
static ln_node divided(const elimination *e, ln_node what, ln_node pivot) {
    return ln_node_op(graph_of(e), pivot) == LN_OP_CONSTANT
               ? two(e, LN_OP_MUL, what,
                     ln_constant(graph_of(e), 1.0 / ln_node_value(graph_of(e), pivot)))
               : two(e, LN_OP_DIV, what, pivot);
}

static void eliminate(elimination *e, int step) {
    const int n = e->n, p = e->pivot_row[step], q = e->pivot_col[step];
    e->row_done[p] = e->col_done[q] = 1;
    for (int k = 0; k < e->in_col[q].count; k++) {
        const int i = e->in_col[q].item[k];
        if (e->row_done[i] || !is_there(e, i, q))
            continue;
        const ln_node factor = divided(e, e->entry[i * n + q], e->entry[p * n + q]);
        double part[LN_SAMPLES];
        for (int s = 0; s < LN_SAMPLES; s++) {
            part[s] = e->value[s][i * n + q] / e->value[s][p * n + q];
            e->singular[s] |= !isfinite(part[s]);
        }
        for (int m = 0; m < e->in_row[p].count; m++) {
            const int j = e->in_row[p].item[m];
            if (!e->col_done[j] && is_there(e, p, j))
                subtract(e, i, j, factor, part, p);
        }
        e->right[i] = two(e, LN_OP_SUB, e->right[i], two(e, LN_OP_MUL, factor, e->right[p]));
        e->all->out->fill++;
    }
}

/* Each unknown, last pivot first. */
static void substitute(const elimination *e, ln_solution *solution) {
    const int n = e->n;
    for (int step = n; step-- > 0;) {
        const int p = e->pivot_row[step], q = e->pivot_col[step];
        ln_node sum = e->right[p];
        for (int later = step + 1; later < n; later++) {
            const int j = e->pivot_col[later];
            if (!is_there(e, p, j))
                continue;
            sum =
                two(e, LN_OP_SUB, sum, two(e, LN_OP_MUL, e->entry[p * n + j], solution->change[j]));
            e->all->out->fill++;
        }
        solution->change[q] = divided(e, sum, e->entry[p * n + q]);
        e->all->out->fill++;
    }
    for (int q = 0; q < e->all->n; q++)
        if (common_of(e, q) >= 0 && common_of(e, q) != q)
            solution->change[q] =
                two(e, LN_OP_ADD, solution->change[common_of(e, q)], solution->change[q]);
    for (int q = 0; q < n; q++)
        solution->value[q] = two(e, LN_OP_ADD, origin(e, q), solution->change[q]);
}

/* Has memory been short? */
static int is_short(const elimination *e) {
    return e->failed || ln_graph_failed(graph_of(e));
}

static linnet_status no_pivot(const elimination *e) {
    for (int i = 0; i < e->all->n; i++)
        if (!e->row_done[i])
            return ln_assembly_refuse_pivot(e->all, i);
    return ln_assembly_refuse_pivot(e->all, 0);
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
    e->listed = LN_NEW(scratch, char, square);
    e->in_row = LN_NEW(scratch, ln_numbers, n), e->in_col = LN_NEW(scratch, ln_numbers, n);
    for (size_t k = 0; e->entry != NULL && k < square; k++)
        e->entry[k] = LN_NONE;
    return whole && e->entry && e->row_done && e->col_done && e->pivot_row && e->pivot_col &&
           e->right && e->listed && e->in_row && e->in_col;
}

/* Fluxes that have a row of their own are what it says: exact, however small beside the others. */
static int take_extras(elimination *e) {
    const ln_network *network = e->all->plan->network;
    int step = 0;
    for (int k = 0; k < network->nextras; k++) {
        const int u = network->extras[k].unknown;
        if (e->row_done[u] || !is_there(e, u, u) || varies(e, u, u))
            continue;
        e->pivot_row[step] = e->pivot_col[step] = u;
        eliminate(e, step++);
    }
    return step;
}

linnet_status ln_assembly_eliminate(const ln_assembly *all, const ln_node *residual,
                                    ln_solution *solution) {
    ln_plan *plan = all->plan;
    const int branches = all->out->nflows / LN_FLOW_VALUES;
    elimination e = {.all = all,
                     .n = all->nunknowns + branches,
                     .ranges = {.graph = plan->graph, .arena = plan->diagram.scratch}};
    solution->value = LN_NEW(plan->diagram.scratch, ln_node, e.n);
    solution->change = LN_NEW(plan->diagram.scratch, ln_node, e.n);
    if (!make_room(&e) || solution->value == NULL || solution->change == NULL)
        return ln_no_memory(plan->report);
    LN_TRY(ln_assembly_rights(all, residual, e.right, solution));
    ln_walk walk;
    LN_TRY(ln_walk_new(&walk, &plan->diagram, plan->graph));
    for (int row = 0; row < all->nunknowns; row++)
        if (residual[row] != LN_NONE)
            LN_TRY(make_entries(&e, &walk, row, residual[row]));
        else if (row < all->n + all->out->nacross)
            make_across(&e, row);
        else
            make_still(&e, row);
    for (int b = 0; b < branches; b++)
        LN_TRY(make_branch(&e, b));
    LN_TRY(evaluate_entries(&e));
    for (int step = take_extras(&e); step < e.n; step++) {
        const int found = choose_pivot(&e, step);
        if (is_short(&e)) /* entries may be missing, and with them the pivot */
            return ln_no_memory(plan->report);
        if (!found)
            return no_pivot(&e);
        eliminate(&e, step);
    }
    substitute(&e, solution);
    return is_short(&e) ? ln_no_memory(plan->report) : LINNET_OK;
}
