/* SPDX-License-Identifier: MIT */
/* pade-delay: exp(-s T) as a rational function, the Pade approximation of numerator degree m and
 * denominator degree n (G. H. Golub, C. F. Van Loan, Matrix Computations, 4th edition, 2013,
 * section 9.3.1):
 *
 *     numerator    sum over k of (m + n - k)! m! / ((m + n)! k! (m - k)!) (-s T)^k, denominator
 * likewise
 *
 * In the time s T all coefficients are of one size; the states are those of canonical form. */
#include "blocks/signal/sized.h"
#include "base/report.h"
#include "blocks/equations.h"
#include "expression/graph.h"
#include "model/model.h"

#include <math.h>

enum { IN, OUT };
enum { DELAY, ORDER, NUMERATOR };
static const linnet_port ports[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT, "input"},
    {"out", LINNET_SIGNAL, LINNET_OUTPUT, "output"},
};
static const linnet_param params[] = {
    {.name = "delay",
     .unit = "s",
     .min = 0,
     .max = INFINITY,
     .flags = LINNET_REQUIRED | LINNET_STRUCTURAL | LINNET_OPEN_MIN,
     .doc = "delay"},
    {.name = "order",
     .unit = "",
     .default_text = "2",
     .min = 1,
     .max = 12,
     .flags = LINNET_STRUCTURAL | LINNET_INTEGER,
     .doc = "degree of the denominator"},
    {.name = "numerator",
     .unit = "",
     .default_text = "order",
     .min = 0,
     .max = 12,
     .flags = LINNET_STRUCTURAL | LINNET_INTEGER,
     .doc =
         "degree of the numerator, at most that of the denominator; less: no jump passes at once"},
};
static const linnet_block_class face = {
    .abi = LINNET_ABI,
    .name = "pade-delay",
    .doc = "Delay as a rational function (Pade)",
    .formula = "out = P(-s*delay)/Q(s*delay)*in\n(Golub, Van Loan, Matrix Computations, 2013, "
               "section 9.3.1)",
    .example = "<pade-delay id=\"d1\" in=\"u\" out=\"y\" delay=\"0.1 s\" order=\"3\"/>",
    .ports = ports,
    .nports = 2,
    .params = params,
    .nparams = 3,
    .reference_port = -1};

/* The coefficients of degree `own`, highest power first, the last one being 1; `length` of them. */
static void coefficients(int own, int other, double T, int length, double *c) {
    double value = 1;
    for (int k = 0; k < length; k++) {
        c[length - 1 - k] = k <= own ? value : 0;
        value *= T * (own - k) / ((double)(own + other - k) * (k + 1));
    }
}

static linnet_status describe(const ln_shape *shape, ln_equations *e, ln_report *report) {
    const int n = (int)shape->values[ORDER][0], m = (int)shape->values[NUMERATOR][0];
    const double T = shape->values[DELAY][0];
    if (m > n)
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "numerator=\"%d\" is above order=\"%d\", which would "
                       "differentiate the input",
                       m, n);
    LN_TRY(ln_sized_begin(&face, shape, e, report));
    double a_value[16], b_value[16];
    ln_node a[16], b[16];
    coefficients(n, m, T, n + 1, a_value);
    coefficients(m, n, -T, n + 1, b_value);
    for (int k = 0; k <= n; k++)
        a[k] = ln_constant(e->graph, a_value[k]), b[k] = ln_constant(e->graph, b_value[k]);
    const ln_rational rational = {n, b, a, b_value, a_value};
    ln_node y = ln_add_rational(e, &rational, ln_sized_port(e, shape, IN, 0), 1, NULL, NULL);
    if (y == LN_NONE)
        return ln_no_memory(report);
    ln_add_equation(e, ln_sized_port(e, shape, OUT, 0), y);
    return LINNET_OK;
}

const ln_type ln_type_pade_delay = {"pade-delay", "control", &face, describe,
                                    NULL,         NULL,      NULL,  NULL};
