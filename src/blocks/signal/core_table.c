/* SPDX-License-Identifier: MIT */
/* core-table: part of a magnetic core whose flux density is a table of the field, as a data sheet
 * gives it. A curve that begins at the origin is odd: its other half need not be written. */
#include "blocks/signal/curve.h"
#include "blocks/signal/table_data.h"
#include "base/report.h"
#include "blocks/equations.h"
#include "expression/graph.h"
#include "expression/nodes.h"
#include "model/model.h"

#include <math.h>

/* Saturated iron goes on as air does, whatever the last points say: a curve that comes to rest has
 * no field for more flux, and a coil that drives it no solution. */
static const double AIR = 4e-7 * M_PI;

enum { POINTS, FILE_NAME, KEY, COLUMN, METHOD, OUTSIDE, LENGTH, AREA };
#define TEXT_FLAGS LINNET_TEXT | LINNET_STRUCTURAL

static const linnet_port ports[] = {
    {"p", LINNET_MAGNETIC, 0, "one end"},
    {"n", LINNET_MAGNETIC, 0, "other end"},
};
static const linnet_param params[] = {
    {.name = "points",
     LN_FREE,
     .flags = LINNET_MATRIX | LINNET_STRUCTURAL,
     .doc = "a row of field in A/m and flux density in T for each point, rising; from 0 0 on the "
            "curve is odd"},
    {.name = "file",
     .default_text = "",
     LN_FREE,
     .flags = TEXT_FLAGS | LINNET_FILE,
     .doc = "CSV file with named columns, in place of points"},
    {.name = "key",
     .default_text = "",
     LN_FREE,
     .flags = TEXT_FLAGS,
     .doc = "column of the field; the first"},
    {.name = "column",
     .default_text = "",
     LN_FREE,
     .flags = TEXT_FLAGS,
     .doc = "column of the flux density; the second"},
    {.name = "method",
     .default_text = "monotone",
     LN_FREE,
     .flags = TEXT_FLAGS,
     .doc = "monotone (cubic, Steffen), linear or akima (cubic)"},
    {.name = "outside",
     .default_text = "extrapolate",
     LN_FREE,
     .flags = TEXT_FLAGS,
     .doc = "extrapolate along the end's tangent, which rises as air's at least, or error"},
    {.name = "length",
     .unit = "m",
     .min = 0,
     .max = INFINITY,
     .flags = LINNET_REQUIRED | LINNET_OPEN_MIN,
     .doc = "length along the flux"},
    {.name = "A",
     .unit = "m^2",
     .min = 0,
     .max = INFINITY,
     .flags = LINNET_REQUIRED | LINNET_OPEN_MIN,
     .doc = "area across the flux"},
};
static const linnet_block_class face = {
    .abi = LINNET_ABI,
    .name = "core-table",
    .doc = "Part of a core that saturates, by a table of its material",
    .formula = "B = curve through the points at H = (p.mmf - n.mmf)/length\np.phi = A*B\nn.phi = "
               "-p.phi\n(methods as of lookup)",
    .example = "<core-table id=\"c1\" p=\"a\" n=\"b\" length=\"20 cm\" A=\"4 cm^2\" points=\"0 0; "
               "100 0.8; 300 1.2; 1000 1.45; 1e4 1.8\"/>",
    .ports = ports,
    .nports = 2,
    .params = params,
    .nparams = 8,
    .reference_port = -1};

/* The curve and its image in the origin, if it begins there. 0 when memory is short. */
static int mirror(ln_arena *arena, ln_table_curve *curve) {
    const int n = curve->n, all = 2 * n - 1;
    if (curve->x[0] != 0 || curve->y[0] != 0)
        return 1;
    double *x = LN_NEW(arena, double, all), *y = LN_NEW(arena, double, all);
    if (x == NULL || y == NULL)
        return 0;
    for (int k = 0; k < n; k++) {
        x[n - 1 + k] = curve->x[k], y[n - 1 + k] = curve->y[k];
        x[n - 1 - k] = -curve->x[k], y[n - 1 - k] = -curve->y[k];
    }
    *curve = (ln_table_curve){all, x, y};
    return 1;
}

static linnet_status check_rising(const ln_table_curve *curve, ln_report *report, ln_place place) {
    for (int k = 1; k < curve->n; k++)
        if (!(curve->y[k] > curve->y[k - 1]))
            return ln_fail(report, LINNET_MODEL, place,
                           "the flux density does not rise from %g to %g A/m; a curve that "
                           "falls has no single answer",
                           curve->x[k - 1], curve->x[k]);
    return LINNET_OK;
}

static linnet_status describe(const ln_shape *shape, ln_equations *e, ln_report *report) {
    ln_curve_manner how;
    ln_table_curve curve;
    ln_node B = LN_NONE;
    LN_TRY(ln_read_manner(shape, METHOD, report, &how));
    how.least_end = AIR;
    LN_TRY(ln_read_curve(shape, (ln_curve_source){POINTS, FILE_NAME, KEY, COLUMN}, 0, e->arena,
                         report, &curve));
    LN_TRY(check_rising(&curve, report, shape->place));
    if (!mirror(e->arena, &curve))
        return ln_no_memory(report);
    LN_TRY(ln_sized_begin(&face, shape, e, report));
    ln_graph *g = e->graph;
    ln_node mmf = ln_operation(g, LN_OP_SUB, ln_sized_port(e, shape, 0, 0),
                               ln_sized_port(e, shape, 1, 0), LN_NONE);
    ln_node H = ln_operation(g, LN_OP_DIV, mmf, ln_param_item(e, LENGTH, 0), LN_NONE);
    LN_TRY(ln_add_curve(e, &curve, how, (ln_argument){H, "its field"}, report, &B));
    ln_add_let(e, (ln_named){"H", H, "field strength"});
    ln_add_let(e, (ln_named){"B", B, "flux density"});
    ln_add_equation(e, ln_flux_of(e, 0), ln_product2(g, ln_param_item(e, AREA, 0), B));
    ln_add_equation(e, ln_flux_of(e, 1),
                    ln_operation(g, LN_OP_NEG, ln_flux_of(e, 0), LN_NONE, LN_NONE));
    return LINNET_OK;
}

const ln_type ln_type_core_table = {"core-table", "magnetic", &face, describe,
                                    NULL,         NULL,       NULL,  NULL};
