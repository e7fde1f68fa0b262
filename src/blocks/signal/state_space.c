/* SPDX-License-Identifier: MIT */
/* state-space: x' = A x + B u, y = C x + D u, with any number of inputs, outputs and states. Zeros
 * of the matrices leave no entry. */
#include "blocks/signal/matrices.h"
#include "base/report.h"
#include "blocks/equations.h"
#include "expression/graph.h"
#include "model/model.h"

#include <math.h>

enum { IN, OUT };
enum { A, B, C, D, X0 };
static const linnet_port ports[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT | LINNET_MANY, "inputs u"},
    {"out", LINNET_SIGNAL, LINNET_OUTPUT | LINNET_MANY, "outputs y"},
};
#define MATRIX LINNET_MATRIX | LINNET_STRUCTURAL
static const linnet_param params[] = {
    {.name = "A", LN_FREE, .flags = LINNET_REQUIRED | MATRIX, .doc = "n x n, rows by ';'"},
    {.name = "B", LN_FREE, .flags = LINNET_REQUIRED | MATRIX, .doc = "n x inputs"},
    {.name = "C", LN_FREE, .flags = LINNET_REQUIRED | MATRIX, .doc = "outputs x n"},
    {.name = "D", LN_FREE, .flags = MATRIX, .doc = "outputs x inputs; zeros when absent"},
    {.name = "x0", LN_FREE, .flags = LINNET_LIST, .doc = "start of the states; zeros when absent"},
};
static const linnet_block_class face = {
    .abi = LINNET_ABI,
    .name = "state-space",
    .doc = "Linear state space with any number of inputs and outputs",
    .formula = "x' = A*x + B*in\nout = C*x + D*in",
    .example = "<state-space id=\"motor\" in=\"u\" out=\"speed position\" A=\"-2 0; 1 0\" B=\"4; "
               "0\" C=\"1 0; 0 1\"/>",
    .ports = ports,
    .nports = 2,
    .params = params,
    .nparams = 5,
    .reference_port = -1};

/* Adds sum(M[row][k] * (first leaf + k)) to *sum, zeros left out. */
static void add_row(ln_equations *e, const ln_shape *shape, int matrix, int row, int first,
                    ln_node *sum) {
    int cols = shape->cols[matrix];
    for (int k = 0; k < cols && shape->rows[matrix] > 0; k++) {
        if (shape->values[matrix][row * cols + k] == 0)
            continue;
        ln_node leaf = ln_leaf_node(e->graph, LN_LEAF_UNKNOWN, first + k);
        *sum = ln_sum2(e->graph, *sum,
                       ln_product2(e->graph, ln_param_item(e, matrix, row * cols + k), leaf));
    }
}

static linnet_status describe(const ln_shape *shape, ln_equations *e, ln_report *report) {
    LN_TRY(ln_check_matrices(shape, params, A, IN, OUT, report));
    LN_TRY(ln_sized_begin(&face, shape, e, report));
    const int n = shape->rows[A], m = shape->links[IN], p = shape->links[OUT];
    for (int k = 0; k < n; k++) {
        const char *name = ln_arena_printf(e->arena, "x%d", k + 1);
        if (name == NULL)
            return ln_no_memory(report);
        ln_node start = shape->rows[X0] > 0 ? ln_param_item(e, X0, k) : LN_NONE;
        ln_add_variable(e, (linnet_var){name, NULL, 0, LINNET_START_FIXED, "state", 0}, start,
                        "x0");
    }
    for (int k = 0; k < n; k++) {
        ln_node right = ln_constant(e->graph, 0);
        add_row(e, shape, A, k, m + p, &right);
        add_row(e, shape, B, k, 0, &right);
        ln_add_equation(e, ln_der(e, ln_leaf_node(e->graph, LN_LEAF_UNKNOWN, m + p + k)), right);
    }
    for (int k = 0; k < p; k++) {
        ln_node right = ln_constant(e->graph, 0);
        add_row(e, shape, C, k, m + p, &right);
        add_row(e, shape, D, k, 0, &right);
        ln_add_equation(e, ln_sized_port(e, shape, OUT, k), right);
    }
    return LINNET_OK;
}

static linnet_status measure(const ln_shape *shape, ln_size *const *sizes, ln_report *report) {
    return ln_measure_matrices(shape, sizes, A, IN, OUT, report);
}

const ln_type ln_type_state_space = {"state-space", "signal", &face, describe,
                                     NULL,          measure,  NULL,  NULL};
