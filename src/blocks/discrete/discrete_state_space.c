/* SPDX-License-Identifier: MIT */
/* discrete-state-space: x(n+1) = A x(n) + B u(n), y(n) = C x(n) + D u(n), any number of inputs,
 * outputs and states. */
#include "blocks/discrete/sampled.h"
#include "blocks/signal/matrices.h"
#include "blocks/equations.h"

#include <math.h>

enum { IN, CLOCK, OUT };
enum { PERIOD, OFFSET, A, B, C, D, X0 };
static const linnet_port ports[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT | LINNET_MANY, "inputs u"},
    LN_SAMPLED_PORT,
    {"out", LINNET_SIGNAL, LINNET_OUTPUT | LINNET_MANY, "outputs y, held from tick to tick"},
};
#define MATRIX LINNET_MATRIX | LINNET_STRUCTURAL
static const linnet_param params[] = {
    LN_SAMPLED_PARAMETERS,
    {.name = "A", LN_FREE, .flags = LINNET_REQUIRED | MATRIX, .doc = "n x n, rows by ';'"},
    {.name = "B", LN_FREE, .flags = LINNET_REQUIRED | MATRIX, .doc = "n x inputs"},
    {.name = "C", LN_FREE, .flags = LINNET_REQUIRED | MATRIX, .doc = "outputs x n"},
    {.name = "D", LN_FREE, .flags = MATRIX, .doc = "outputs x inputs; zeros when absent"},
    {.name = "x0",
     LN_FREE,
     .flags = LINNET_LIST,
     .doc = "states at the first tick; zeros when absent"},
};
static const linnet_block_class face = {
    .abi = LINNET_ABI,
    .name = "discrete-state-space",
    .doc = "State space in discrete time, any number of inputs and outputs",
    .formula = "out(k) = C*x(k) + D*in(k)\n"
               "x(k + 1) = A*x(k) + B*in(k)\n"
               "(at tick k, held until the next)",
    .example = "<discrete-state-space id=\"f1\" in=\"u\" out=\"y\" period=\"10 ms\" A=\"0.9\" "
               "B=\"0.1\" C=\"1\"/>",
    .ports = ports,
    .nports = 3,
    .params = params,
    .nparams = 7,
    .reference_port = -1};

/* Adds sum(M[row][k]*of[k]) to *sum, zeros left out. */
static void add_row(ln_equations *e, const ln_shape *shape, int matrix, int row, const ln_node *of,
                    ln_node *sum) {
    int cols = shape->cols[matrix];
    for (int k = 0; k < cols && shape->rows[matrix] > 0; k++) {
        if (shape->values[matrix][row * cols + k] == 0)
            continue;
        *sum = ln_sum2(e->graph, *sum,
                       ln_product2(e->graph, ln_param_item(e, matrix, row * cols + k), of[k]));
    }
}

static linnet_status describe(const ln_shape *shape, ln_equations *e, ln_report *report) {
    LN_TRY(ln_check_matrices(shape, params, A, IN, OUT, report));
    LN_TRY(ln_sized_begin(&face, shape, e, report));
    const int n = shape->rows[A], m = shape->links[IN], p = shape->links[OUT];
    ln_ticks ticks = ln_ticks_new(e, shape, CLOCK, PERIOD);
    ln_node *x = LN_NEW(e->arena, ln_node, n), *u = LN_NEW(e->arena, ln_node, m);
    if (x == NULL || u == NULL)
        return ln_no_memory(report);
    for (int k = 0; k < m; k++)
        u[k] = ln_sized_port(e, shape, IN, k);
    for (int k = 0; k < n; k++)
        x[k] = ln_ticks_memory(&ticks, "x", k + 1, "state",
                               shape->rows[X0] > 0 ? ln_param_item(e, X0, k) : LN_NONE);
    for (int k = 0; k < n; k++) {
        ln_node next = ln_constant(e->graph, 0);
        add_row(e, shape, A, k, x, &next);
        add_row(e, shape, B, k, u, &next);
        ln_ticks_set(&ticks, x[k], next);
    }
    for (int k = 0; k < p; k++) {
        ln_node y = ln_constant(e->graph, 0);
        add_row(e, shape, C, k, x, &y);
        add_row(e, shape, D, k, u, &y);
        ln_ticks_output(&ticks, ln_sized_port(e, shape, OUT, k), p > 1 ? k + 1 : 0, y, LN_NONE);
    }
    return LINNET_OK;
}

static linnet_status measure(const ln_shape *shape, ln_size *const *sizes, ln_report *report) {
    return ln_measure_matrices(shape, sizes, A, IN, OUT, report);
}

const ln_type ln_type_discrete_state_space = {
    "discrete-state-space", "discrete", &face, describe, NULL, measure, NULL, NULL};
