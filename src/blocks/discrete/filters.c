/* SPDX-License-Identifier: MIT */
/* discrete-transfer-function and iir-filter: rational functions of z, whole or as a chain of
 * sections. */
#include "blocks/discrete/sampled.h"
#include "blocks/equations.h"

#include <math.h>
#include <string.h>

enum { IN, CLOCK, OUT };
static const linnet_port ports[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT, "input"},
    LN_SAMPLED_PORT,
    {"out", LINNET_SIGNAL, LINNET_OUTPUT, "output, held from tick to tick"},
};

/* ---- discrete-transfer-function ---- */

enum { PERIOD, OFFSET, NUMERATOR, DENOMINATOR, S0, Y0 };
static const linnet_param tf_params[] = {
    LN_SAMPLED_PARAMETERS,
    {.name = "numerator",
     LN_FREE,
     .flags = LINNET_REQUIRED | LINNET_LIST | LINNET_STRUCTURAL,
     .doc = "coefficients of z, highest power first"},
    {.name = "denominator",
     LN_FREE,
     .flags = LINNET_REQUIRED | LINNET_LIST | LINNET_STRUCTURAL,
     .doc = "coefficients of z, highest power first"},
    {.name = "s0",
     LN_FREE,
     .flags = LINNET_LIST,
     .doc = "states s1 ... sn at the first tick; zeros when absent"},
    {.name = "y0", .default_text = "0", LN_FREE, .doc = "output before the first tick"},
};
static const linnet_block_class tf_face = {
    .abi = LINNET_ABI,
    .name = "discrete-transfer-function",
    .doc = "Rational function of z, any order",
    .formula = "out = numerator(z)/denominator(z)*in\n"
               "out = (b[0]*in + s[1])/a[0]\n"
               "s[i] = b[i]*in - a[i]*out + s[i+1]   for i = 1 .. n\n"
               "(at a tick, in this order; b numerator, a denominator; transposed direct form II: "
               "Oppenheim, Schafer, Discrete-Time Signal Processing, section 6.3)",
    .example = "<discrete-transfer-function id=\"f1\" in=\"u\" out=\"y\" period=\"10 ms\" "
               "numerator=\"0.1\" "
               "denominator=\"1 -0.9\"/>",
    .ports = ports,
    .nports = 3,
    .params = tf_params,
    .nparams = 6,
    .reference_port = -1};

/* A list without its leading zeros. */
typedef struct polynomial {
    int first, degree;
} polynomial;

static polynomial read_polynomial(const ln_shape *shape, int param) {
    polynomial poly = {0, shape->rows[param] * shape->cols[param] - 1};
    while (poly.degree > 0 && shape->values[param][poly.first] == 0)
        poly.first++, poly.degree--;
    return poly;
}

/* Its coefficients, filled up with zeros in front to order + 1. */
static ln_node *coefficients(ln_equations *e, polynomial poly, int param, int order) {
    ln_node *nodes = LN_NEW(e->arena, ln_node, order + 1);
    for (int k = 0; nodes != NULL && k <= order; k++) {
        int item = k - (order - poly.degree);
        nodes[k] = item < 0 ? ln_constant(e->graph, 0) : ln_param_item(e, param, poly.first + item);
    }
    return nodes;
}

static linnet_status check_tf(const ln_shape *shape, polynomial b, polynomial a,
                              ln_report *report) {
    if (b.degree < 0 || a.degree < 0 || shape->values[DENOMINATOR][a.first] == 0)
        return ln_fail(report, LINNET_MODEL, shape->place, "its %s",
                       b.degree < 0 ? "numerator is empty; give at least one number"
                                    : "denominator is zero; give a number other than 0");
    if (b.degree > a.degree && shape->values[NUMERATOR][b.first] != 0)
        return ln_fail(
            report, LINNET_MODEL, shape->place,
            "its numerator has degree %d, its denominator %d, so it would "
            "need samples that are still to come; multiply the denominator by a power of z",
            b.degree, a.degree);
    int starts = shape->rows[S0] * shape->cols[S0];
    if (starts > 0 && starts != a.degree)
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "s0 has %d values for %d states; give one for each", starts, a.degree);
    return LINNET_OK;
}

static linnet_status describe_tf(const ln_shape *shape, ln_equations *e, ln_report *report) {
    polynomial b = read_polynomial(shape, NUMERATOR), a = read_polynomial(shape, DENOMINATOR);
    LN_TRY(check_tf(shape, b, a, report));
    LN_TRY(ln_sized_begin(&tf_face, shape, e, report));
    const int n = a.degree;
    if (b.degree > n)
        b.first += b.degree - n, b.degree = n; /* a numerator of zeros alone */
    ln_ticks ticks = ln_ticks_new(e, shape, CLOCK, PERIOD);
    ln_section section = {n, coefficients(e, b, NUMERATOR, n), coefficients(e, a, DENOMINATOR, n)};
    ln_node *start = LN_NEW(e->arena, ln_node, n);
    if (section.b == NULL || section.a == NULL || start == NULL)
        return ln_no_memory(report);
    int given = shape->rows[S0] * shape->cols[S0] > 0;
    for (int k = 0; k < n && given; k++)
        start[k] = ln_param_item(e, S0, k);
    ln_node y =
        ln_ticks_section(&ticks, &section, ln_sized_port(e, shape, IN, 0), 1, given ? start : NULL);
    ln_ticks_output(&ticks, ln_sized_port(e, shape, OUT, 0), 0, y, ln_param_item(e, Y0, 0));
    return LINNET_OK;
}

const ln_type ln_type_discrete_transfer_function = {
    "discrete-transfer-function", "discrete", &tf_face, describe_tf, NULL, NULL, NULL, NULL};

/* ---- iir-filter ---- */

enum { SOS = 2, ZEROS, POLES, GAIN };
static const linnet_param iir_params[] = {
    LN_SAMPLED_PARAMETERS,
    {.name = "sos",
     LN_FREE,
     .flags = LINNET_MATRIX | LINNET_STRUCTURAL,
     .doc = "second-order sections, a row for each: b0 b1 b2 a0 a1 a2"},
    {.name = "zeros",
     LN_FREE,
     .flags = LINNET_TEXT | LINNET_STRUCTURAL,
     .doc = "zeros of z instead, \"1 0.5+0.5i 0.5-0.5i\""},
    {.name = "poles", LN_FREE, .flags = LINNET_TEXT | LINNET_STRUCTURAL, .doc = "poles of z"},
    {.name = "gain", .default_text = "1", LN_FREE, .doc = "factor of the whole"},
};
static const linnet_block_class iir_face = {
    .abi = LINNET_ABI,
    .name = "iir-filter",
    .doc = "Filter as a chain of second-order sections, or by zeros and poles of z",
    .formula = "out = gain*product(i, (b[i,0]*z^2 + b[i,1]*z + b[i,2])/(a[i,0]*z^2 + a[i,1]*z + "
               "a[i,2]))*in\n"
               "(or gain, zeros and poles, in sections too; each section in the transposed direct "
               "form II)",
    .example = "<iir-filter id=\"f1\" in=\"u\" out=\"y\" period=\"1 ms\" sos=\"0.25 0.5 0.25 1 "
               "-0.5 0.1\"/>",
    .ports = ports,
    .nports = 3,
    .params = iir_params,
    .nparams = 6,
    .reference_port = -1};

typedef struct chain {
    const ln_ticks *ticks;
    ln_node signal;
    int states;
} chain;

static void append(chain *cascade, const ln_section *section) {
    cascade->signal =
        ln_ticks_section(cascade->ticks, section, cascade->signal, cascade->states + 1, NULL);
    cascade->states += section->order;
}

static linnet_status add_sos(const ln_shape *shape, ln_equations *e, chain *cascade,
                             ln_report *report) {
    if (shape->cols[SOS] != 6)
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "sos has %d columns; a section is a row of six: b0 b1 b2 a0 a1 a2",
                       shape->cols[SOS]);
    for (int row = 0; row < shape->rows[SOS]; row++) {
        ln_node *c = LN_NEW(e->arena, ln_node, 6);
        if (c == NULL)
            return ln_no_memory(report);
        if (shape->values[SOS][6 * row + 3] == 0)
            return ln_fail(report, LINNET_MODEL, shape->place,
                           "a0 of section %d is 0, so it would need samples that are "
                           "still to come",
                           row + 1);
        for (int k = 0; k < 6; k++)
            c[k] = ln_param_item(e, SOS, 6 * row + k);
        append(cascade, &(ln_section){2, c, c + 3});
    }
    return LINNET_OK;
}

/* Roots are pairs of numbers: real part, imaginary part. The first complex one, or else the first:
 * pairs come first, so that only real ones are left over. */
static int first_complex(const double *root, int count) {
    for (int k = 0; k < count; k++)
        if (root[2 * k + 1] != 0)
            return k;
    return 0;
}

/* The conjugate of a root, or beside a real one another real one; -1: there is none. */
static int partner_of(const double *root, int count, int first) {
    const double re = root[2 * first], im = root[2 * first + 1];
    for (int k = 0; k < count; k++)
        if (k != first && fabs(root[2 * k + 1] + im) <= 1e-12 * fabs(im) &&
            (im == 0 || fabs(root[2 * k] - re) <= 1e-12 * hypot(re, im)))
            return k;
    return -1;
}

static void remove_root(double *root, int *count, int k) {
    --*count;
    memmove(root + 2 * k, root + 2 * k + 2, (size_t)(*count - k) * 2 * sizeof *root);
}

/* Takes one or two roots (a conjugate pair, or two real ones; `most`) out of the list: the
 * coefficients c[0] = 1, c[1], c[2] of their product, highest power first. Returns how many; -1: a
 * root without its conjugate. */
static int take_roots(double *root, int *count, int most, double c[3]) {
    if (*count == 0 || most == 0)
        return 0;
    const int first = first_complex(root, *count);
    const int second = most < 2 ? -1 : partner_of(root, *count, first);
    const double re = root[2 * first], im = root[2 * first + 1];
    if (im != 0 && second < 0)
        return -1;
    c[0] = 1;
    if (second < 0) {
        c[1] = -re;
        remove_root(root, count, first);
        return 1;
    }
    c[1] = -(re + root[2 * second]);
    c[2] = im != 0 ? re * re + im * im : re * root[2 * second];
    /* the later one first: what stands before it keeps its place */
    remove_root(root, count, first > second ? first : second);
    remove_root(root, count, first > second ? second : first);
    return 2;
}

static linnet_status add_roots(const ln_shape *shape, ln_equations *e, chain *cascade,
                               ln_report *report) {
    double *zero, *pole;
    int nzeros, npoles;
    const char *texts[2] = {shape->texts[ZEROS] != NULL ? shape->texts[ZEROS] : "",
                            shape->texts[POLES]};
    const char *wrong = ln_read_complex(e->arena, texts[0], &zero, &nzeros);
    if (wrong == NULL)
        wrong = ln_read_complex(e->arena, texts[1], &pole, &npoles);
    if (wrong != NULL)
        return ln_fail(report, LINNET_MODEL, shape->place, "%s", wrong);
    if (nzeros > npoles)
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "it has %d zeros and %d poles, so it would need samples that are "
                       "still to come; add poles at 0",
                       nzeros, npoles);
    while (npoles > 0) {
        double numbers[6] = {0, 0, 0, 0, 0, 0};
        const int order = take_roots(pole, &npoles, 2, numbers + 3);
        const int degree = order < 0 ? 0 : take_roots(zero, &nzeros, order, numbers);
        if (order < 0 || degree < 0)
            return ln_fail(report, LINNET_MODEL, shape->place,
                           "a complex %s lacks its conjugate; write both, \"0.5+0.2i "
                           "0.5-0.2i\"",
                           order < 0 ? "pole" : "zero");
        if (degree == 0)
            numbers[0] = 1;
        ln_node *c = LN_NEW(e->arena, ln_node, 6);
        if (c == NULL)
            return ln_no_memory(report);
        for (int k = 0; k <= order; k++) {
            int from = k - (order - degree);
            c[k] = ln_constant(e->graph, from < 0 ? 0 : numbers[from]);
            c[3 + k] = ln_constant(e->graph, numbers[3 + k]);
        }
        append(cascade, &(ln_section){order, c, c + 3});
    }
    return LINNET_OK;
}

static linnet_status describe_iir(const ln_shape *shape, ln_equations *e, ln_report *report) {
    const int by_sections = shape->rows[SOS] > 0,
              by_roots = shape->texts[POLES] != NULL || shape->texts[ZEROS] != NULL;
    if (by_sections == by_roots || (by_roots && shape->texts[POLES] == NULL))
        return ln_fail(report, LINNET_MODEL, shape->place, "give either sos, or poles and zeros");
    LN_TRY(ln_sized_begin(&iir_face, shape, e, report));
    ln_ticks ticks = ln_ticks_new(e, shape, CLOCK, 0);
    chain cascade = {
        &ticks, ln_product2(e->graph, ln_param_item(e, GAIN, 0), ln_sized_port(e, shape, IN, 0)),
        0};
    LN_TRY(by_sections ? add_sos(shape, e, &cascade, report)
                       : add_roots(shape, e, &cascade, report));
    ln_ticks_output(&ticks, ln_sized_port(e, shape, OUT, 0), 0, cascade.signal, LN_NONE);
    return LINNET_OK;
}

const ln_type ln_type_iir_filter = {"iir-filter", "discrete", &iir_face, describe_iir,
                                    NULL,         NULL,       NULL,      NULL};
