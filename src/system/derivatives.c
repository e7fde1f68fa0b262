/* SPDX-License-Identifier: MIT */
/* Rows differentiated with respect to time: block by block, by its equations, by its slopes or by
 * samples.
 *
 * A row is r = d/dt q(x, t) + f(x, t). What a motion with x, x', x'', ... makes of it and of its
 * derivatives is needed where the index is above 1: hidden constraints are derivatives of rows
 * (index.h), and a consistent start must meet them. Orders are counted from the row itself, order
 * 0, which already holds x'. */
#include "system/derivatives.h"

#include "base/sys.h"
#include "blocks/equations.h"
#include "blocks/native/device.h"
#include "system/active.h"
#include <math.h>
#include <string.h>

enum { SAMPLES = 5, NATIVE_ORDERS = 2 };

/* Of a class in equations, up to an order: derivatives of its rows, order by order. */
typedef struct differentiated {
    const linnet_block_class *type;
    int most;
    const ln_program *program;
    const int *row; /* per output of one order: its local row */
    int nrows;
} differentiated;

/* A block with a row that is wanted. */
typedef struct item {
    ln_instance *instance;
    int hybrid, most;
    /* per local unknown, per local row; -1: none, or not wanted */
    const int *unknown, *row, *balance_row;
    const differentiated *way; /* NULL: by samples */
} item;

struct ln_derivatives {
    ln_system *system;
    ln_arena *arena;
    int n, most;
    const int *wanted;
    item *items;
    int nitems;
    differentiated *classes;
    int nclasses;
    double *file;          /* registers of the largest program */
    double *local, *moved; /* (most + 2) x locals; locals */
    double *q, *f;         /* SAMPLES x locals each */
};

/* ---- equations ---- */

typedef struct differentiation {
    const linnet_block_class *type;
    int nlocal, most;
} differentiation;

static ln_node product(ln_graph *graph, ln_node sum, ln_node slope, ln_node rate) {
    const ln_node term = ln_operation(graph, LN_OP_MUL, slope, rate, LN_NONE);
    return ln_operation(graph, LN_OP_ADD, sum, term, LN_NONE);
}

/* d/dt of a node over leaves of x, x', ...: UNKNOWN order * nlocal + local. The chain rule:
 *     dg/dt = dg/dt|x + sum over orders k and locals j of dg/dx_j^(k) x_j^(k+1).
 * Terms that are zero fold away as they are made. The value of a delay moves at the rate that
 * stands two memories behind it (LN_SLOPE behind LN_VALUE); modes and other memories do not move.
 */
static ln_node total_derivative(const differentiation *by, ln_graph *graph, ln_node node) {
    const linnet_block_class *type = by->type;
    const int first = type->nmemories - type->nmodes - LN_DELAY_MEMORIES * type->ndelays;
    ln_node sum = ln_derivative(graph, node, ln_leaf_node(graph, LN_LEAF_TIME, 0));
    for (int k = 0; k < (by->most + 1) * by->nlocal; k++) {
        const ln_node slope = ln_derivative(graph, node, ln_leaf_node(graph, LN_LEAF_UNKNOWN, k));
        sum = product(graph, sum, slope, ln_leaf_node(graph, LN_LEAF_UNKNOWN, k + by->nlocal));
    }
    for (int k = 0; k < type->ndelays; k++) {
        const int at = first + LN_DELAY_MEMORIES * k;
        const ln_node slope = ln_derivative(graph, node, ln_leaf_node(graph, LN_LEAF_MEMORY, at));
        sum = product(graph, sum, slope, ln_leaf_node(graph, LN_LEAF_MEMORY, at + 2));
    }
    return sum;
}

/* Copies a node, der(...) written out. */
static ln_node write_out(void *context, ln_graph *to, const ln_graph *from, ln_node old,
                         const ln_node arg[3]) {
    if (ln_node_op(from, old) == LN_OP_DER)
        return total_derivative(context, to, arg[0]);
    return ln_remake(to, from, old, arg);
}

/* Derivatives of all rows of the class, as one program with the outputs row by row, order by order:
 * the expression of each order is the total derivative of that below it. Subexpressions that orders
 * share are computed once. */
static linnet_status differentiate(ln_derivatives *all, const linnet_block_class *type, int most,
                                   differentiated *out) {
    const ln_residuals *residuals = ln_class_residuals(type);
    const int count = type->nports + type->nvars;
    differentiation by = {type, count, most};
    ln_graph *graph = ln_graph_new();
    ln_node *nodes = LN_NEW(all->arena, ln_node, (size_t)count * (size_t)(most + 1));
    int *row = LN_NEW(all->arena, int, count), kept = 0;
    *out = (differentiated){.type = type, .most = most, .row = row};
    for (int k = 0; nodes != NULL && row != NULL && k < count; k++)
        if (residuals->row[k] != LN_NONE) {
            nodes[kept] = residuals->row[k];
            row[kept++] = k;
        }
    if (graph != NULL && nodes != NULL && row != NULL) {
        ln_rewrite(graph, residuals->graph, nodes, kept, write_out, &by);
        for (int k = kept; k < kept * (most + 1); k++)
            nodes[k] = total_derivative(&by, graph, nodes[k - kept]);
        if (!ln_graph_failed(graph))
            out->program = ln_program_compile(all->arena, graph, nodes, kept * (most + 1));
    }
    out->nrows = kept;
    ln_graph_free(graph);
    return out->program != NULL ? LINNET_OK : LINNET_MEMORY;
}

/* The class's derivatives, found once. */
static linnet_status take_class(ln_derivatives *all, item *one) {
    const linnet_block_class *type = one->instance->block.type;
    if (ln_class_residuals(type) == NULL)
        return one->most <= NATIVE_ORDERS ? LINNET_OK : LINNET_RETRY;
    for (int k = 0; k < all->nclasses; k++)
        if (all->classes[k].type == type && all->classes[k].most == one->most) {
            one->way = &all->classes[k];
            return LINNET_OK;
        }
    one->way = &all->classes[all->nclasses];
    return differentiate(all, type, one->most, &all->classes[all->nclasses++]);
}

/* ---- making ---- */

static linnet_status add_item(ln_derivatives *all, int index) {
    const ln_network *network = all->system->network;
    const linnet_block_class *type = network->instances[index].block.type;
    const size_t n = (size_t)(type->nports + type->nvars);
    int *unknown = LN_NEW(all->arena, int, n), *row = LN_NEW(all->arena, int, n),
        *balance_row = LN_NEW(all->arena, int, n), most = 0;
    if (unknown == NULL || row == NULL || balance_row == NULL)
        return LINNET_MEMORY;
    ln_local_unknowns(network, index, unknown);
    LN_TRY(ln_place_rows(all->system, index, row, balance_row));
    for (size_t k = 0; k < 2 * n; k++) {
        const int at = (k % 2 == 0 ? row : balance_row)[k / 2];
        if (at >= 0 && all->wanted[at] > most)
            most = all->wanted[at];
    }
    if (type->reference_port >= 0)
        return LINNET_OK;
    all->items[all->nitems] = (item){.instance = &network->instances[index],
                                     .hybrid = all->system->own->hybrid[index],
                                     .most = most,
                                     .unknown = unknown,
                                     .row = row,
                                     .balance_row = balance_row};
    return take_class(all, &all->items[all->nitems++]);
}

linnet_status ln_derivatives_new(ln_system *system, const int *wanted, ln_derivatives **result) {
    ln_arena *arena = ln_arena_new();
    ln_derivatives *all = arena == NULL ? NULL : LN_NEW(arena, ln_derivatives, 1);
    const ln_network *network = system->network;
    size_t registers = 1, locals = 1;
    if (all == NULL) {
        ln_arena_free(arena);
        return LINNET_MEMORY;
    }
    int *kept = LN_NEW(arena, int, system->n);
    *all = (ln_derivatives){.system = system, .arena = arena, .n = system->n, .wanted = kept};
    for (int i = 0; i < system->n; i++)
        if (wanted[i] > all->most)
            all->most = wanted[i];
    all->items = LN_NEW(arena, item, network->ninstances);
    all->classes = LN_NEW(arena, differentiated, network->ninstances);
    linnet_status status = ln_arena_failed(arena) ? LINNET_MEMORY : LINNET_OK;
    if (status == LINNET_OK)
        memcpy(kept, wanted, (size_t)system->n * sizeof *kept);
    for (int i = 0; status == LINNET_OK && i < network->ninstances; i++) {
        status = add_item(all, i);
        const linnet_block_class *type = network->instances[i].block.type;
        if ((size_t)(type->nports + type->nvars) > locals)
            locals = (size_t)(type->nports + type->nvars);
    }
    for (int k = 0; k < all->nclasses; k++)
        if (all->classes[k].program != NULL &&
            (size_t)all->classes[k].program->registers > registers)
            registers = (size_t)all->classes[k].program->registers;
    all->file = LN_NEW(arena, double, registers);
    all->local = LN_NEW(arena, double, locals *(size_t)(all->most + 2));
    all->moved = LN_NEW(arena, double, locals);
    all->q = LN_NEW(arena, double, locals *SAMPLES);
    all->f = LN_NEW(arena, double, locals *SAMPLES);
    if (ln_arena_failed(arena))
        status = LINNET_MEMORY;
    if (status == LINNET_OK)
        *result = all;
    else
        ln_arena_free(arena);
    return status;
}

void ln_derivatives_free(ln_derivatives *derivatives) {
    if (derivatives != NULL)
        ln_arena_free(derivatives->arena);
}

/* ---- finding ---- */

static void add_rows(const ln_derivatives *all, const item *one, int local, int order, double value,
                     double *rows) {
    for (int side = 0; side < 2; side++) {
        const int row = (side == 0 ? one->row : one->balance_row)[local];
        if (row >= 0 && order <= all->wanted[row])
            rows[(size_t)order * (size_t)all->n + (size_t)row] += value;
    }
}

static void by_equations(ln_derivatives *all, const item *one, ln_side side, double *rows) {
    const differentiated *way = one->way;
    const ln_instance *instance = one->instance;
    const double *m = ln_memories_at(all->system, instance, one->hybrid, side, all->local);
    ln_program_start(way->program, all->file, instance->block.p);
    ln_program_run(way->program, all->file, instance->block.p,
                   &(linnet_point){side.t, side.within, all->local, m});
    for (int order = 0; order <= way->most; order++)
        for (int k = 0; k < way->nrows; k++)
            add_rows(all, one, way->row[k], order,
                     all->file[way->program->output[order * way->nrows + k]], rows);
}

/* q and f of a native block at x(t + tau), into sample k. */
static linnet_status sample(ln_derivatives *all, const item *one, const linnet_block *block,
                            ln_side side, double tau, int k) {
    const linnet_block_class *type = block->type;
    const size_t n = (size_t)(type->nports + type->nvars);
    double *q = all->q + (size_t)k * n, *f = all->f + (size_t)k * n;
    double *entry = all->system->own->entry, *source = all->system->own->x;
    for (size_t j = 0; j < n; j++) {
        double power = 1;
        all->moved[j] = 0;
        q[j] = f[j] = source[j] = 0;
        for (int order = 0; order <= one->most + 1; order++) {
            all->moved[j] += power * all->local[(size_t)order * n + j];
            power *= tau / (order + 1);
        }
    }
    const linnet_point point = {
        side.t + tau, side.within, all->moved,
        ln_memories_at(all->system, one->instance, one->hybrid, side, all->local)};
    memset(entry, 0, (size_t)type->nentries * sizeof *entry);
    if (type->eval != NULL)
        LN_TRY(type->eval(block, &point, &(linnet_out){q, f, entry}));
    memset(entry, 0, (size_t)type->nentries * sizeof *entry);
    if (type->linear != NULL)
        type->linear(block, entry);
    for (int e = 0; e < type->nentries; e++)
        if (type->entries[e].change == LINNET_CONSTANT)
            (type->entries[e].kind == LINNET_E ? q : f)[type->entries[e].row] +=
                entry[e] * all->moved[type->entries[e].col];
    if (type->source != NULL)
        type->source(block, &(linnet_point){side.t + tau, side.within, NULL, point.m}, source);
    for (size_t j = 0; j < n; j++)
        f[j] -= source[j];
    return LINNET_OK;
}

/* A device stores what its voltages alone say, so that d/dt q is exactly its slopes times theirs:
 * the row itself needs no samples. */
static int serves_by_slopes(const item *one) {
    return one->most == 0 && ln_device_shape_of(one->instance->block.type) != NULL;
}

static linnet_status by_slopes(ln_derivatives *all, const item *one, ln_side side, double *rows) {
    const linnet_block_class *type = one->instance->block.type;
    const size_t n = (size_t)(type->nports + type->nvars);
    const double *rate = all->local + n;
    double *entry = all->system->own->entry;
    linnet_block block;
    LN_TRY(ln_prepare(all->system, one->instance, &block, NULL));
    memset(all->q, 0, n * sizeof *all->q);
    memset(all->f, 0, n * sizeof *all->f);
    memset(entry, 0, (size_t)type->nentries * sizeof *entry);
    const linnet_point point = {side.t, side.within, all->local, NULL};
    LN_TRY(type->eval(&block, &point, &(linnet_out){all->q, all->f, entry}));
    for (int e = 0; e < type->nentries; e++)
        if (type->entries[e].kind == LINNET_E)
            all->f[type->entries[e].row] += entry[e] * rate[type->entries[e].col];
    for (size_t j = 0; j < n; j++)
        add_rows(all, one, (int)j, 0, all->f[j], rows);
    return LINNET_OK;
}

/* How far beside t samples lie: what moves most moves by a thousandth of its size, or bends by as
 * much. Differences of order 4 so err by about (1e-3)^4 of the terms, that of order 2 for a third
 * derivative by (1e-3)^2; rounding, divided by 1e-3 for each derivative, adds 1e-13, 1e-10, 1e-7.
 */
static double spacing(const ln_derivatives *all, const item *one) {
    const linnet_block_class *type = one->instance->block.type;
    const size_t n = (size_t)(type->nports + type->nvars);
    double tau = INFINITY;
    for (size_t j = 0; j < n; j++) {
        if (one->unknown[j] < 0)
            continue;
        const double step = 1e-3 * (fabs(all->local[j]) + all->system->nominal[one->unknown[j]]);
        const double rate = fabs(all->local[n + j]);
        const double bend = one->most > 0 ? sqrt(step * fabs(all->local[2 * n + j])) : 0;
        tau = fmin(tau, step / fmax(rate, bend));
    }
    return isfinite(tau) ? tau : 1e-6; /* nothing moves: any will do */
}

/* Central differences on five points t - 2 tau ... t + 2 tau [Abramowitz and Stegun, table 25.2]:
 * first and second derivative of order 4, third of order 2. Order k of the row is
 * q^(k+1) + f^(k), so order 2, the highest, takes a third derivative of q. */
static linnet_status by_samples(ln_derivatives *all, const item *one, ln_side side, double *rows) {
    static const double first[SAMPLES] = {1, -8, 0, 8, -1}, second[SAMPLES] = {-1, 16, -30, 16, -1},
                        third[SAMPLES] = {-1, 2, 0, -2, 1};
    const linnet_block_class *type = one->instance->block.type;
    const size_t n = (size_t)(type->nports + type->nvars);
    const double tau = spacing(all, one);
    linnet_block block;
    LN_TRY(ln_prepare(all->system, one->instance, &block, NULL));
    for (int k = 0; k < SAMPLES; k++)
        LN_TRY(sample(all, one, &block, side, (k - SAMPLES / 2) * tau, k));
    for (size_t j = 0; j < n; j++) {
        double rate[NATIVE_ORDERS + 1] = {all->f[(size_t)(SAMPLES / 2) * n + j]};
        for (int k = 0; k < SAMPLES; k++) {
            const double q = all->q[(size_t)k * n + j], f = all->f[(size_t)k * n + j];
            rate[0] += first[k] * q / (12 * tau);
            rate[1] += second[k] * q / (12 * tau * tau) + first[k] * f / (12 * tau);
            rate[2] += third[k] * q / (2 * tau * tau * tau) + second[k] * f / (12 * tau * tau);
        }
        for (int order = 0; order <= one->most; order++)
            add_rows(all, one, (int)j, order, rate[order], rows);
    }
    return LINNET_OK;
}

/* Fluxes that are unknowns of their own: they enter the row of their link, and their own. */
static void add_extras(const ln_derivatives *all, const double *x, double *rows) {
    const ln_network *network = all->system->network;
    for (int k = 0; k < network->nextras; k++) {
        const ln_extra *extra = &network->extras[k];
        const int link = network->instances[extra->instance].links[extra->port];
        const int row[2] = {extra->unknown, link < 0 ? -1 : network->links[link].unknown};
        for (int order = 0; order <= all->most; order++) {
            const size_t first = (size_t)order * (size_t)all->n;
            const double value = x[first + (size_t)extra->unknown];
            for (int side = 0; side < 2; side++) {
                int entered[2];
                const int count = ln_system_entered(all->system, row[side], entered);
                for (int i = 0; i < count; i++)
                    if (order <= all->wanted[entered[i]])
                        rows[first + (size_t)entered[i]] += side == 0 ? -value : value;
            }
        }
    }
}

linnet_status ln_derivatives_find(ln_derivatives *derivatives, ln_side side, const double *x,
                                  double *rows) {
    ln_derivatives *all = derivatives;
    const size_t values = (size_t)all->n * (size_t)(all->most + 1);
    memset(rows, 0, values * sizeof *rows);
    for (int k = 0; k < all->nitems; k++) {
        const item *one = &all->items[k];
        const linnet_block_class *type = one->instance->block.type;
        const int n = type->nports + type->nvars;
        for (int order = 0; order <= one->most + 1; order++)
            for (int j = 0; j < n; j++)
                all->local[order * n + j] =
                    one->unknown[j] < 0
                        ? 0
                        : x[(size_t)order * (size_t)all->n + (size_t)one->unknown[j]];
        if (one->way != NULL)
            by_equations(all, one, side, rows);
        else if (serves_by_slopes(one))
            LN_TRY(by_slopes(all, one, side, rows));
        else
            LN_TRY(by_samples(all, one, side, rows));
    }
    add_extras(all, x, rows);
    for (size_t k = 0; k < values; k++)
        if (!isfinite(rows[k]))
            return LINNET_RETRY;
    return LINNET_OK;
}
