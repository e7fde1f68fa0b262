/* SPDX-License-Identifier: MIT */
/* transfer-function: numerator(s)/denominator(s), coefficients highest power first, any order. */
#include "blocks/signal/sized.h"
#include "base/report.h"
#include "blocks/equations.h"
#include "expression/graph.h"
#include "model/model.h"

#include <math.h>

enum { IN, OUT };
enum { NUMERATOR, DENOMINATOR, X0, Y0 };
static const linnet_port ports[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT, "input"},
    {"out", LINNET_SIGNAL, LINNET_OUTPUT, "output"},
};
static const linnet_param params[] = {
    {.name = "numerator",
     LN_FREE,
     .flags = LINNET_REQUIRED | LINNET_LIST | LINNET_STRUCTURAL,
     .doc = "coefficients of s, highest power first"},
    {.name = "denominator",
     LN_FREE,
     .flags = LINNET_REQUIRED | LINNET_LIST | LINNET_STRUCTURAL,
     .doc = "coefficients of s, highest power first"},
    {.name = "x0",
     LN_FREE,
     .flags = LINNET_LIST,
     .doc = "start of the states x1 ... xn; zeros when absent"},
    {.name = "y0",
     LN_FREE,
     .flags = LINNET_LIST,
     .doc = "output of the steady state to start in, instead of x0"},
};
static const linnet_block_class face = {
    .abi = LINNET_ABI,
    .name = "transfer-function",
    .doc = "Rational transfer function of any order",
    .formula = "out = numerator(s)/denominator(s)*in\n"
               "der(x[i]) = x[i+1]   for i = 1 .. n - 1\n"
               "a[0]*der(x[n]) = in - (a[1]*x[n] + ... + a[n]*x[1])\n"
               "out = b[0]/a[0]*in + sum(i = 1 .. n, (b[i] - b[0]/a[0]*a[i])*x[n+1-i])\n"
               "(b numerator, a denominator; controllable canonical form, Kailath, Linear Systems, "
               "1980, section 2.1)",
    .example = "<transfer-function id=\"plant\" in=\"u\" out=\"y\" numerator=\"1\" denominator=\"1 "
               "3 2\"/>",
    .ports = ports,
    .nports = 2,
    .params = params,
    .nparams = 4,
    .reference_port = -1};

/* Coefficients of a parameter without its leading zeros, filled up with zeros in front to order
 * + 1. */
typedef struct polynomial {
    const double *value;
    int leading, degree;
} polynomial;

static polynomial read_polynomial(const ln_shape *shape, int param) {
    polynomial poly = {shape->values[param], 0, shape->rows[param] * shape->cols[param] - 1};
    while (poly.degree > 0 && poly.value[poly.leading] == 0)
        poly.leading++, poly.degree--;
    return poly;
}

static int fill(ln_equations *e, const polynomial *poly, int param, int order, ln_node **nodes,
                double **values) {
    *nodes = LN_NEW(e->arena, ln_node, order + 1);
    *values = LN_NEW(e->arena, double, order + 1);
    if (*nodes == NULL || *values == NULL)
        return 0;
    for (int k = 0; k <= order; k++) {
        int item = poly->leading + poly->degree - order + k;
        int inside = k >= order - poly->degree;
        (*values)[k] = inside ? poly->value[item] : 0;
        (*nodes)[k] = inside ? ln_param_item(e, param, item) : ln_constant(e->graph, 0);
    }
    return 1;
}

static linnet_status check_polynomials(const ln_shape *shape, const polynomial *b,
                                       const polynomial *a, ln_report *report) {
    if (b->degree < 0 || a->degree < 0 || a->value[a->leading] == 0)
        return ln_fail(report, LINNET_MODEL, shape->place, "its %s; give at least one number%s",
                       b->degree < 0 ? "numerator is empty" : "denominator is zero",
                       b->degree < 0 ? "" : " other than 0");
    if (b->degree > a->degree && b->value[b->leading] != 0)
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "its numerator has degree %d, its denominator %d, so it would differentiate "
                       "its input; add fast poles until it is proper",
                       b->degree, a->degree);
    return LINNET_OK;
}

static linnet_status check_start(const ln_shape *shape, const polynomial *b, const polynomial *a,
                                 ln_report *report) {
    int nx0 = shape->rows[X0] * shape->cols[X0], ny0 = shape->rows[Y0] * shape->cols[Y0];
    if (nx0 > 0 && ny0 > 0)
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "x0 and y0 both set its start; keep one");
    if (nx0 > 0 && nx0 != a->degree)
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "x0 has %d values for %d states; give one for each state", nx0, a->degree);
    if (ny0 > 0 && (ny0 > 1 || a->degree == 0 || b->value[b->leading + b->degree] == 0))
        return ln_fail(report, LINNET_MODEL, shape->place, "y0 %s",
                       ny0 > 1          ? "is one number"
                       : a->degree == 0 ? "has no state to start; remove it"
                                        : "cannot be held in a steady state, for the last "
                                          "coefficient of the numerator is zero; give x0");
    return LINNET_OK;
}

/* Start of the states: x0; or from y0, the steady state: all derivatives zero, so y = bn*x1. */
static ln_node *read_start(const ln_shape *shape, ln_equations *e, const polynomial *b, int order) {
    int has_x0 = shape->rows[X0] * shape->cols[X0] > 0,
        has_y0 = shape->rows[Y0] * shape->cols[Y0] > 0;
    ln_node *start = LN_NEW(e->arena, ln_node, order);
    for (int k = 0; start != NULL && k < order; k++)
        start[k] = has_x0 ? ln_param_item(e, X0, k) : ln_constant(e->graph, 0);
    if (start != NULL && has_y0)
        start[0] = ln_operation(e->graph, LN_OP_DIV, ln_param_item(e, Y0, 0),
                                ln_param_item(e, NUMERATOR, b->leading + b->degree), LN_NONE);
    return start;
}

static linnet_status describe(const ln_shape *shape, ln_equations *e, ln_report *report) {
    polynomial b = read_polynomial(shape, NUMERATOR), a = read_polynomial(shape, DENOMINATOR);
    LN_TRY(check_polynomials(shape, &b, &a, report));
    LN_TRY(check_start(shape, &b, &a, report));
    LN_TRY(ln_sized_begin(&face, shape, e, report));
    int n = a.degree;
    if (b.degree > n)
        b.leading += b.degree - n, b.degree = n; /* a numerator of zeros alone */
    ln_node *b_nodes, *a_nodes, *start = read_start(shape, e, &b, n);
    double *b_values, *a_values;
    if (start == NULL || !fill(e, &b, NUMERATOR, n, &b_nodes, &b_values) ||
        !fill(e, &a, DENOMINATOR, n, &a_nodes, &a_values))
        return ln_no_memory(report);
    ln_rational rational = {n, b_nodes, a_nodes, b_values, a_values};
    const char *name = shape->rows[Y0] * shape->cols[Y0] > 0 ? "y0" : "x0";
    ln_node y = ln_add_rational(e, &rational, ln_sized_port(e, shape, IN, 0), 1, start, name);
    ln_add_equation(e, ln_sized_port(e, shape, OUT, 0), y);
    return LINNET_OK;
}

const ln_type ln_type_transfer_function = {
    "transfer-function", "signal", &face, describe, NULL, NULL, NULL, NULL};
