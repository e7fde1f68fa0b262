/* SPDX-License-Identifier: MIT */
/* piecewise-linear signal, voltage and current: straight lines between points (time, value); two
 * points of one time are a jump; before the first and behind the last point the value is held. */
#include "blocks/signal/sized.h"
#include "base/report.h"
#include "blocks/equations.h"
#include "expression/graph.h"
#include "model/model.h"

#include <math.h>

static const linnet_port signal_ports[] = {{"out", LINNET_SIGNAL, LINNET_OUTPUT, "output"}};
static const linnet_port electrical_ports[] = {
    {"p", LINNET_ELECTRICAL, 0, "positive terminal"},
    {"n", LINNET_ELECTRICAL, 0, "negative terminal"},
};
static const linnet_param params[] = {
    {.name = "points",
     LN_FREE,
     .flags = LINNET_REQUIRED | LINNET_MATRIX | LINNET_STRUCTURAL,
     .doc = "one row for each point: time in s, value; times rise, equal ones make a jump"}};

static const linnet_block_class signal_face = {
    .abi = LINNET_ABI,
    .name = "piecewise-linear",
    .doc = "Signal of straight lines between points",
    .formula = "out = line through points at t",
    .example = "<piecewise-linear id=\"set\" out=\"r\" points=\"0 0; 1 0; 1 5; 4 2\"/>",
    .ports = signal_ports,
    .nports = 1,
    .params = params,
    .nparams = 1,
    .reference_port = -1};
static const linnet_block_class voltage_face = {
    .abi = LINNET_ABI,
    .name = "piecewise-linear-voltage",
    .doc = "Voltage source of straight lines between points",
    .formula = "p.v - n.v = line through points at t\nn.i = -p.i",
    .example =
        "<piecewise-linear-voltage id=\"V1\" p=\"in\" n=\"0\" points=\"0 0; 1 0; 1 5; 4 2\"/>",
    .ports = electrical_ports,
    .nports = 2,
    .params = params,
    .nparams = 1,
    .reference_port = -1};
static const linnet_block_class current_face = {
    .abi = LINNET_ABI,
    .name = "piecewise-linear-current",
    .doc =
        "Current source of straight lines between points; the current flows through it from p to n",
    .formula = "p.i = line through points at t\nn.i = -p.i",
    .example =
        "<piecewise-linear-current id=\"I1\" p=\"0\" n=\"out\" points=\"0 0; 1 0; 1 5; 4 2\"/>",
    .ports = electrical_ports,
    .nports = 2,
    .params = params,
    .nparams = 1,
    .reference_port = -1};

static linnet_status check(const ln_shape *shape, ln_report *report) {
    const double *value = shape->values[0];
    int rows = shape->rows[0], cols = shape->cols[0];
    if (cols != 2 || rows < 1)
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "points is %d x %d; write a row 'time value' for each point, rows by ';'",
                       rows, cols);
    for (int k = 1; k < rows; k++) {
        double before = value[2 * k - 2], time = value[2 * k];
        if (time < before)
            return ln_fail(report, LINNET_MODEL, shape->place,
                           "time %g follows %g (point %d); times must rise", time, before, k + 1);
        if (k > 1 && time == before && before == value[2 * k - 4])
            return ln_fail(report, LINNET_MODEL, shape->place,
                           "three points have the time %g (point %d); a jump has two", time, k + 1);
    }
    return LINNET_OK;
}

/* Ports, parameters and the line itself. */
static linnet_status begin(const linnet_block_class *face, const ln_shape *shape, ln_equations *e,
                           ln_node *line, ln_report *report) {
    LN_TRY(check(shape, report));
    LN_TRY(ln_sized_begin(face, shape, e, report));
    ln_node t = ln_leaf_node(e->graph, LN_LEAF_TIME, 0);
    *line = ln_table(e->graph, t, t, e->params[0].offset, shape->rows[0]);
    return LINNET_OK;
}

static linnet_status describe_signal(const ln_shape *shape, ln_equations *e, ln_report *report) {
    ln_node line;
    LN_TRY(begin(&signal_face, shape, e, &line, report));
    ln_add_equation(e, ln_sized_port(e, shape, 0, 0), line);
    return LINNET_OK;
}

static linnet_status describe_voltage(const ln_shape *shape, ln_equations *e, ln_report *report) {
    ln_node line;
    LN_TRY(begin(&voltage_face, shape, e, &line, report));
    ln_node p = ln_sized_port(e, shape, 0, 0), n = ln_sized_port(e, shape, 1, 0);
    ln_add_equation(e, ln_operation(e->graph, LN_OP_SUB, p, n, LN_NONE), line);
    ln_add_equation(e, ln_flux_of(e, 1),
                    ln_operation(e->graph, LN_OP_NEG, ln_flux_of(e, 0), LN_NONE, LN_NONE));
    return LINNET_OK;
}

static linnet_status describe_current(const ln_shape *shape, ln_equations *e, ln_report *report) {
    ln_node line;
    LN_TRY(begin(&current_face, shape, e, &line, report));
    ln_add_equation(e, ln_flux_of(e, 0), line);
    ln_add_equation(e, ln_flux_of(e, 1),
                    ln_operation(e->graph, LN_OP_NEG, ln_flux_of(e, 0), LN_NONE, LN_NONE));
    return LINNET_OK;
}

const ln_type ln_type_piecewise_linear = {
    "piecewise-linear", "signal", &signal_face, describe_signal, NULL, NULL, NULL, NULL};
const ln_type ln_type_piecewise_linear_voltage = {"piecewise-linear-voltage",
                                                  "electrical",
                                                  &voltage_face,
                                                  describe_voltage,
                                                  NULL,
                                                  NULL,
                                                  NULL,
                                                  NULL};
const ln_type ln_type_piecewise_linear_current = {"piecewise-linear-current",
                                                  "electrical",
                                                  &current_face,
                                                  describe_current,
                                                  NULL,
                                                  NULL,
                                                  NULL,
                                                  NULL};
