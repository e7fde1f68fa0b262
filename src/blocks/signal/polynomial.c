/* SPDX-License-Identifier: MIT */
/* polynomial: by Horner's rule; convert: a number of one unit as a number of another. */
#include "blocks/signal/sized.h"

#include "expression/dimension.h"
#include "blocks/equations.h"
#include "expression/graph.h"
#include "expression/nodes.h"
#include "model/model.h"

#include <math.h>

enum { IN, OUT };
static const linnet_port ports[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT, "input"},
    {"out", LINNET_SIGNAL, LINNET_OUTPUT, "output"},
};

static const linnet_param polynomial_params[] = {{.name = "coefficients",
                                                  LN_FREE,
                                                  .flags = LINNET_REQUIRED | LINNET_LIST,
                                                  .doc = "highest power first"}};
static const linnet_block_class polynomial_face = {
    .abi = LINNET_ABI,
    .name = "polynomial",
    .doc = "Polynomial of the input",
    .formula = "out = c[1]*in^n + ... + c[n]*in + c[n+1]",
    .example = "<polynomial id=\"p1\" in=\"u\" out=\"y\" coefficients=\"2 0 -1\"/>",
    .ports = ports,
    .nports = 2,
    .params = polynomial_params,
    .nparams = 1,
    .reference_port = -1};

static linnet_status describe_polynomial(const ln_shape *shape, ln_equations *e,
                                         ln_report *report) {
    const int count = shape->rows[0] * shape->cols[0];
    if (count < 1)
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "it has no coefficients; write at least one");
    LN_TRY(ln_sized_begin(&polynomial_face, shape, e, report));
    ln_node in = ln_sized_port(e, shape, IN, 0), sum = ln_param_item(e, 0, 0);
    for (int k = 1; k < count; k++)
        sum = ln_sum2(e->graph, ln_product2(e->graph, sum, in), ln_param_item(e, 0, k));
    ln_add_equation(e, ln_sized_port(e, shape, OUT, 0), sum);
    return LINNET_OK;
}

const ln_type ln_type_polynomial = {
    "polynomial", "signal", &polynomial_face, describe_polynomial, NULL, NULL, NULL, NULL};

/* ---- convert ---- */

enum { FROM, TO };
static const linnet_param convert_params[] = {
    {.name = "from",
     LN_FREE,
     .flags = LINNET_TEXT | LINNET_STRUCTURAL | LINNET_REQUIRED,
     .doc = "unit of the input"},
    {.name = "to",
     LN_FREE,
     .flags = LINNET_TEXT | LINNET_STRUCTURAL | LINNET_REQUIRED,
     .doc = "unit of the output"},
};
static const linnet_block_class convert_face = {
    .abi = LINNET_ABI,
    .name = "convert",
    .doc = "Number of one unit as a number of another",
    .formula = "out = (in in unit `from`) in unit `to`",
    .example = "<convert id=\"c1\" in=\"n\" out=\"w\" from=\"rpm\" to=\"rad/s\"/>",
    .ports = ports,
    .nports = 2,
    .params = convert_params,
    .nparams = 2,
    .reference_port = -1};

typedef struct unit {
    double factor, offset;
    ln_dimension dimension;
} unit;

static linnet_status read_unit(const ln_shape *shape, int param, ln_report *report, unit *measure) {
    const char *nearest = NULL, *text = shape->texts[param];
    if (ln_unit_read(text, &measure->factor, &measure->offset, &measure->dimension, &nearest))
        return LINNET_OK;
    return ln_fail(report, LINNET_MODEL, shape->place, "%s: '%s' is no unit%s%s%s",
                   convert_params[param].name, text, nearest != NULL ? "; did you mean '" : "",
                   nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
}

static linnet_status describe_convert(const ln_shape *shape, ln_equations *e, ln_report *report) {
    unit from, to;
    LN_TRY(read_unit(shape, FROM, report, &from));
    LN_TRY(read_unit(shape, TO, report, &to));
    if (!ln_dimension_fits(from.dimension, to.dimension))
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "'%s' cannot become '%s'; they measure different things", shape->texts[FROM],
                       shape->texts[TO]);
    LN_TRY(ln_sized_begin(&convert_face, shape, e, report));
    ln_graph *g = e->graph;
    ln_node scaled =
        ln_product2(g, ln_constant(g, from.factor / to.factor), ln_sized_port(e, shape, IN, 0));
    ln_node shifted = ln_sum2(g, scaled, ln_constant(g, (from.offset - to.offset) / to.factor));
    ln_add_equation(e, ln_sized_port(e, shape, OUT, 0), shifted);
    return LINNET_OK;
}

const ln_type ln_type_convert = {"convert", "signal", &convert_face, describe_convert,
                                 NULL,      NULL,     NULL,          NULL};
