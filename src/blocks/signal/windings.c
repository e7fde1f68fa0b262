/* SPDX-License-Identifier: MIT */
/* coupled-windings: any number of inductors with common fluxes, by their inductance matrix or by
 * couplings.
 *
 * Its energy i'Li/2 must grow with every current, whatever the others: L is positive definite.
 * Couplings of more than two windings do not choose freely (0.9, 0.9 and -0.9 cannot be): what
 * fails is named. */
#include "blocks/signal/sized.h"
#include "base/report.h"
#include "blocks/equations.h"
#include "expression/graph.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>

enum { P, N };
enum { L, K, I0 };
static const linnet_port ports[] = {
    {"p", LINNET_ELECTRICAL, LINNET_MANY, "beginnings of the windings"},
    {"n", LINNET_ELECTRICAL, LINNET_MANY, "their ends, in the same order"},
};
static const linnet_param params[] = {
    {.name = "L",
     .unit = "H",
     LN_FREE,
     .flags = LINNET_REQUIRED | LINNET_MATRIX | LINNET_STRUCTURAL,
     .doc = "inductance of each winding, or the matrix of inductances, n x n"},
    {.name = "K",
     LN_FREE,
     .flags = LINNET_MATRIX | LINNET_STRUCTURAL,
     .doc = "couplings: one number for all pairs, or one for each (12 13 .. 23 ..), or n x n; not "
            "with a matrix L"},
    {.name = "i0",
     .unit = "A",
     LN_FREE,
     .flags = LINNET_LIST,
     .doc = "currents into p at the start; zeros when absent"},
};
static const linnet_block_class face = {
    .abi = LINNET_ABI,
    .name = "coupled-windings",
    .doc = "Any number of windings with common fluxes",
    .formula = "sum(j = 1 .. N, M[k,j]*der(i[j])) = v[k]   for k = 1 .. N\n"
               "M[k,k] = L[k]\n"
               "M[k,j] = K[k,j]*sqrt(L[k]*L[j])\n"
               "(v: of p against n of each winding, i: into p)",
    .example =
        "<coupled-windings id=\"T1\" p=\"a b c\" n=\"0 0 0\" L=\"10e-3 1e-3 1e-3\" K=\"0.98\"/>",
    .ports = ports,
    .nports = 2,
    .params = params,
    .nparams = 3,
    .reference_port = -1};

static linnet_status wrong(const ln_shape *shape, ln_report *report, const char *what) {
    return ln_fail(report, LINNET_MODEL, shape->place, "%s", what);
}

static int is_square(const ln_shape *shape, int param) {
    const int n = shape->links[P];
    return shape->rows[param] == n && shape->cols[param] == n;
}

/* K has one coupling, or one of each pair, or the matrix of all. */
static linnet_status check_couplings(const ln_shape *shape, ln_report *report) {
    const int n = shape->links[P], pairs = n * (n - 1) / 2,
              couplings = shape->rows[K] * shape->cols[K];
    const int is_matrix = shape->rows[L] > 1;
    if (is_matrix && couplings > 0)
        return wrong(shape, report, "L is a matrix and says all; remove K");
    if (!is_matrix && n > 1 && couplings == 0)
        return wrong(shape, report, "K is missing: how the windings are coupled");
    if (couplings > 1 && couplings != pairs && !is_square(shape, K))
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "K has %d x %d values for %d pairs of windings; give one, one for each "
                       "pair, or %d x %d",
                       shape->rows[K], shape->cols[K], pairs, n, n);
    return LINNET_OK;
}

static linnet_status check_sizes(const ln_shape *shape, ln_report *report) {
    const int n = shape->links[P], values = shape->rows[L] * shape->cols[L],
              starts = shape->rows[I0] * shape->cols[I0];
    const int is_matrix = shape->rows[L] > 1;
    if (shape->links[N] != n)
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "p names %d links and n %d; each winding has one of both", n,
                       shape->links[N]);
    if (is_matrix ? !is_square(shape, L) : values != n)
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "L has %d x %d values for %d windings; give one each, or %d x %d",
                       shape->rows[L], shape->cols[L], n, n, n);
    LN_TRY(check_couplings(shape, report));
    if (starts > 0 && starts != n)
        return ln_fail(report, LINNET_MODEL, shape->place, "i0 has %d values for %d windings",
                       starts, n);
    return LINNET_OK;
}

/* The coupling of windings a < b. */
static double coupling(const ln_shape *shape, int a, int b) {
    const int n = shape->links[P], couplings = shape->rows[K] * shape->cols[K];
    if (couplings == 1)
        return shape->values[K][0];
    if (is_square(shape, K))
        return shape->values[K][a * n + b];
    return shape->values[K][a * n - a * (a + 1) / 2 + b - a - 1];
}

/* What stands on both sides of the diagonal must agree. */
static linnet_status check_symmetric(const ln_shape *shape, int matrix, ln_report *report) {
    const int n = shape->links[P];
    const double *m = shape->values[matrix];
    for (int a = 0; a < n && shape->rows[matrix] == n && n > 1; a++)
        for (int b = 0; b < a; b++)
            if (fabs(m[a * n + b] - m[b * n + a]) > 1e-9 * fabs(m[a * n + b]))
                return ln_fail(report, LINNET_MODEL, shape->place,
                               "%s must be symmetric; %g stands at row %d, column %d and %g across",
                               params[matrix].name, m[a * n + b], a + 1, b + 1, m[b * n + a]);
    return LINNET_OK;
}

/* m: the inductances, n x n. */
static linnet_status fill(const ln_shape *shape, double *m, ln_report *report) {
    const int n = shape->links[P], is_matrix = shape->rows[L] > 1;
    const double *l = shape->values[L];
    LN_TRY(check_symmetric(shape, L, report));
    LN_TRY(check_symmetric(shape, K, report));
    for (int a = 0; a < n; a++)
        if (!(l[is_matrix ? a * n + a : a] > 0))
            return ln_fail(report, LINNET_MODEL, shape->place,
                           "the inductance of winding %d must be above 0 H", a + 1);
    for (int a = 0; a < n; a++)
        for (int b = 0; b <= a; b++) {
            const double mutual = is_matrix ? l[a * n + b]
                                  : a == b  ? l[a]
                                            : coupling(shape, b, a) * sqrt(l[a] * l[b]);
            m[a * n + b] = m[b * n + a] = mutual;
        }
    return LINNET_OK;
}

/* Cholesky's pivots: what is left of a winding's inductance when those before it are
 * short-circuited. */
static linnet_status check_definite(const ln_shape *shape, const double *m, double *work,
                                    ln_report *report) {
    const int n = shape->links[P];
    for (int a = 0; a < n; a++)
        for (int b = 0; b <= a; b++) {
            double sum = m[a * n + b];
            for (int k = 0; k < b; k++)
                sum -= work[a * n + k] * work[b * n + k];
            if (a != b)
                work[a * n + b] = sum / work[b * n + b];
            else if (sum > 1e-12 * m[a * n + a])
                work[a * n + a] = sqrt(sum);
            else
                return ln_fail(report, LINNET_MODEL, shape->place,
                               "winding %d is coupled more than it can be: with the windings "
                               "before it short-circuited %g of its inductance "
                               "would be left, and they would give energy for ever; make the "
                               "couplings smaller",
                               a + 1, sum / m[a * n + a]);
        }
    return LINNET_OK;
}

static linnet_status add_windings(const ln_shape *shape, ln_equations *e, int table,
                                  ln_report *report) {
    const int n = shape->links[P];
    for (int k = 0; k < n; k++) {
        const char *name = ln_arena_printf(e->arena, "i[%d]", k + 1);
        if (name == NULL)
            return ln_no_memory(report);
        const ln_node start = shape->rows[I0] > 0 ? ln_param_item(e, I0, k) : LN_NONE;
        ln_add_variable(e, (linnet_var){name, "A", 0, LINNET_START_FIXED, "current into p", 0},
                        start, "i0");
    }
    for (int k = 0; k < n; k++) {
        ln_node flux = ln_constant(e->graph, 0);
        for (int j = 0; j < n; j++)
            flux = ln_sum2(e->graph, flux,
                           ln_product2(e->graph, ln_param_item(e, table, k * n + j),
                                       ln_leaf_node(e->graph, LN_LEAF_UNKNOWN, 2 * n + j)));
        const ln_node current = ln_leaf_node(e->graph, LN_LEAF_UNKNOWN, 2 * n + k);
        ln_add_equation(e, ln_der(e, flux),
                        ln_operation(e->graph, LN_OP_SUB, ln_sized_port(e, shape, P, k),
                                     ln_sized_port(e, shape, N, k), LN_NONE));
        ln_add_equation(e, ln_flux_of(e, k), current);
        ln_add_equation(
            e, ln_flux_of(e, n + k),
            ln_operation(e->graph, LN_OP_SUB, ln_constant(e->graph, 0), current, LN_NONE));
    }
    return LINNET_OK;
}

static linnet_status describe(const ln_shape *shape, ln_equations *e, ln_report *report) {
    LN_TRY(check_sizes(shape, report));
    const size_t n = (size_t)shape->links[P];
    double *m = LN_NEW(e->arena, double, n *n), *work = LN_NEW(e->arena, double, n *n);
    if (m == NULL || work == NULL)
        return ln_no_memory(report);
    LN_TRY(fill(shape, m, report));
    LN_TRY(check_definite(shape, m, work, report));
    LN_TRY(ln_sized_begin(&face, shape, e, report));
    const int table = ln_add_hidden(e, "M", m, (int)n, (int)n);
    if (table < 0)
        return ln_no_memory(report);
    return add_windings(shape, e, table, report);
}

const ln_type ln_type_coupled_windings = {
    "coupled-windings", "electrical", &face, describe, NULL, NULL, NULL, NULL};
