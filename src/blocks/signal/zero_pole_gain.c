/* SPDX-License-Identifier: MIT */
/* zero-pole-gain: gain * (s - z1)(s - z2).../((s - p1)(s - p2)...), as a cascade of sections of
 * second order, which keeps the digits that a product polynomial of high order would lose.
 *
 * Each section is scaled by a power of two to a gain near one at the size of its poles, so that all
 * states have a typical size of their own; the product of the scales goes to the end and changes no
 * digit. */
#include "blocks/signal/sized.h"
#include "base/report.h"
#include "blocks/equations.h"
#include "expression/graph.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>

enum { IN, OUT };
enum { ZEROS, POLES, GAIN };
static const linnet_port ports[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT, "input"},
    {"out", LINNET_SIGNAL, LINNET_OUTPUT, "output"},
};
static const linnet_param params[] = {
    {.name = "zeros",
     .default_text = "",
     LN_FREE,
     .flags = LINNET_TEXT | LINNET_STRUCTURAL,
     .doc = "zeros in rad/s, complex ones with their conjugates: \"-1 -2+3i -2-3i\""},
    {.name = "poles",
     .default_text = "",
     LN_FREE,
     .flags = LINNET_TEXT | LINNET_STRUCTURAL,
     .doc = "poles in rad/s, likewise; at least as many as zeros"},
    {.name = "gain", .default_text = "1", LN_FREE, .rows = 1, .cols = 1, .doc = "factor in front"},
};
static const linnet_block_class face = {
    .abi = LINNET_ABI,
    .name = "zero-pole-gain",
    .doc = "Transfer function by its zeros, poles and gain",
    .formula = "out = gain*((s - z1)*(s - z2)*...)/((s - p1)*(s - p2)*...)*in\n"
               "(as a cascade of second-order sections)",
    .example = "<zero-pole-gain id=\"plant\" in=\"u\" out=\"y\" zeros=\"-1\" poles=\"-2+3i -2-3i\" "
               "gain=\"2\"/>",
    .ports = ports,
    .nports = 2,
    .params = params,
    .nparams = 3,
    .reference_port = -1};

typedef ln_factor factor;

static int compare_degree(const void *a, const void *b) {
    return ((const factor *)b)->degree - ((const factor *)a)->degree;
}

/* A polynomial by its real factors. */
typedef struct product {
    factor *item;
    int count, degree;
} product;

/* Real factors of a list of roots. LINNET_MODEL: reported. */
static linnet_status read_factors(const ln_shape *shape, ln_equations *e, int param, product *all,
                                  ln_report *report) {
    double *roots;
    const char *text = shape->texts[param] != NULL ? shape->texts[param] : "";
    const char *wrong = ln_read_complex(e->arena, text, &roots, &all->degree);
    if (wrong != NULL)
        return ln_fail(report, LINNET_MODEL, shape->place, "%s: %s", params[param].name, wrong);
    const int degree = all->degree;
    all->count = 0;
    all->item = LN_NEW(e->arena, factor, degree);
    if (all->item == NULL)
        return ln_no_memory(report);
    for (int k = 0; k < degree; k++) {
        double re = roots[2 * k], im = roots[2 * k + 1];
        if (isnan(re))
            continue; /* the conjugate of an earlier one */
        if (im == 0) {
            all->item[all->count++] = (factor){1, {1, -re, 0}};
            continue;
        }
        int twin = k + 1;
        while (twin < degree && !(roots[2 * twin] == re && roots[2 * twin + 1] == -im))
            twin++;
        if (twin == degree)
            return ln_fail(report, LINNET_MODEL, shape->place,
                           "%s: %g%+gi stands without its conjugate; add %g%+gi",
                           params[param].name, re, im, re, -im);
        roots[2 * twin] = NAN;
        all->item[all->count++] = (factor){2, {1, -2 * re, re * re + im * im}};
    }
    return LINNET_OK;
}

static factor multiply(factor a, factor b) { /* of degrees that add up to two at most */
    if (a.degree == 0)
        return b;
    if (b.degree == 0)
        return a;
    return (factor){2, {1, a.c[1] + b.c[1], a.c[1] * b.c[1]}};
}

/* Joins factors of first degree by twos; returns the new number. */
static int pair_up(factor *factors, int count) {
    int kept = 0;
    for (int k = 0; k < count; k++) {
        if (factors[k].degree == 1 && k + 1 < count) {
            factors[kept++] = multiply(factors[k], factors[k + 1]);
            k++;
        } else {
            factors[kept++] = factors[k];
        }
    }
    return kept;
}

/* Hands the zeros out: the sections, second degree first, hold as many zeros as poles at most. */
static void hand_out(const factor *poles, int nsections, const factor *zeros, int nzeros,
                     factor *numerators) {
    for (int k = 0; k < nsections; k++)
        numerators[k] = (factor){0, {1, 0, 0}};
    for (int k = 0, section = 0; k < nzeros; k++) {
        while (numerators[section].degree + zeros[k].degree > poles[section].degree)
            section++;
        numerators[section] = multiply(numerators[section], zeros[k]);
    }
}

/* The power of two nearest to the section's gain where |s| is the size of its poles. */
static int gain_exponent(const factor *numerator, const factor *pole) {
    double w = pole->degree == 2 ? sqrt(fabs(pole->c[2])) : fabs(pole->c[1]), top = 0, bottom = 0;
    int exponent;
    if (w == 0)
        w = 1;
    for (int k = 0; k <= numerator->degree; k++)
        top += fabs(numerator->c[k]) * pow(w, numerator->degree - k);
    for (int k = 0; k <= pole->degree; k++)
        bottom += fabs(pole->c[k]) * pow(w, pole->degree - k);
    (void)frexp(top / bottom, &exponent);
    return exponent;
}

/* Adds a section; returns its output. */
static ln_node add_section(ln_equations *e, const factor *numerator, const factor *pole,
                           int exponent, ln_node u, int first) {
    ln_node a[3], b[3];
    double a_value[3], b_value[3];
    int n = pole->degree;
    for (int k = 0; k <= n; k++) {
        int at = k - (n - numerator->degree);
        a_value[k] = pole->c[k];
        b_value[k] = at < 0 ? 0 : ldexp(numerator->c[at], -exponent);
        a[k] = ln_constant(e->graph, a_value[k]);
        b[k] = ln_constant(e->graph, b_value[k]);
    }
    return ln_add_rational(e, &(ln_rational){n, b, a, b_value, a_value}, u, first, NULL, NULL);
}

ln_node ln_add_cascade(ln_equations *e, factor *zeros, int nzeros, factor *poles, int npoles,
                       ln_node u) {
    int scale = 0, first = 1;
    qsort(zeros, (size_t)nzeros, sizeof *zeros, compare_degree);
    qsort(poles, (size_t)npoles, sizeof *poles, compare_degree);
    int nsections = pair_up(poles, npoles);
    factor *numerators = LN_NEW(e->arena, factor, nsections);
    if (numerators == NULL)
        return LN_NONE;
    hand_out(poles, nsections, zeros, nzeros, numerators);
    for (int k = 0; k < nsections; k++) {
        int exponent = gain_exponent(&numerators[k], &poles[k]);
        if (abs(scale + exponent) > 1000)
            exponent = 0; /* ldexp(1, scale) must stay a number */
        scale += exponent;
        u = add_section(e, &numerators[k], &poles[k], exponent, u, first);
        first += poles[k].degree;
    }
    return ln_product2(e->graph, ln_constant(e->graph, ldexp(1, scale)), u);
}

static linnet_status describe(const ln_shape *shape, ln_equations *e, ln_report *report) {
    product zeros, poles;
    LN_TRY(read_factors(shape, e, ZEROS, &zeros, report));
    LN_TRY(read_factors(shape, e, POLES, &poles, report));
    if (zeros.degree > poles.degree)
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "%d zeros and %d poles would differentiate the input; add fast poles",
                       zeros.degree, poles.degree);
    LN_TRY(ln_sized_begin(&face, shape, e, report));
    ln_node y = ln_add_cascade(e, zeros.item, zeros.count, poles.item, poles.count,
                               ln_sized_port(e, shape, IN, 0));
    if (y == LN_NONE)
        return ln_no_memory(report);
    ln_add_equation(e, ln_sized_port(e, shape, OUT, 0),
                    ln_product2(e->graph, ln_param_item(e, GAIN, 0), y));
    return LINNET_OK;
}

const ln_type ln_type_zero_pole_gain = {
    "zero-pole-gain", "signal", &face, describe, NULL, NULL, NULL, NULL};
