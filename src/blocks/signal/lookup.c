/* SPDX-License-Identifier: MIT */
/* lookup, time-table and lookup-2d: tables of one argument, of time, of two arguments.
 *
 * The value on each piece is a polynomial, so that derivatives are exact; where a piece ends there
 * is a crossing, or a corner when the argument is the time. */
#include "blocks/signal/curve.h"
#include "expression/graph.h"
#include "expression/nodes.h"
#include "model/model.h"
#include "blocks/equations.h"

#include <math.h>

enum { POINTS, FILE_NAME, KEY, COLUMN, METHOD, OUTSIDE, DELAY };
#define TEXT_FLAGS LINNET_TEXT | LINNET_STRUCTURAL
/* clang-format off */
#define FILE_PARAMETER(text) \
    {.name = "file", .default_text = "", LN_FREE, .flags = TEXT_FLAGS | LINNET_FILE, .doc = text}
/* clang-format on */
/* clang-format off */
#define METHOD_PARAMETERS \
    {.name = "method", .default_text = "linear", LN_FREE, .flags = TEXT_FLAGS, \
     .doc = "linear, previous, nearest, next, monotone (cubic, Steffen) or akima (cubic)"}, \
    {.name = "outside", .default_text = "hold", LN_FREE, .flags = TEXT_FLAGS, \
     .doc = "hold the end value, extrapolate along the end's tangent, error, or periodic"}
/* clang-format on */
/* clang-format off */
#define CURVE_PARAMETERS \
    {.name = "points", LN_FREE, .flags = LINNET_MATRIX | LINNET_STRUCTURAL, \
     .doc = "a row of argument and value for each point; arguments rise, equal ones make a jump " \
     "(linear only)"}, \
    FILE_PARAMETER("CSV file with named columns, in place of points"), \
    {.name = "key", .default_text = "", LN_FREE, .flags = TEXT_FLAGS, \
     .doc = "column of the argument; the first"}, \
    {.name = "column", .default_text = "", LN_FREE, .flags = TEXT_FLAGS, \
     .doc = "column of the value; the second"}, \
    METHOD_PARAMETERS
/* clang-format on */

static const linnet_port lookup_ports[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT, "argument"},
    {"out", LINNET_SIGNAL, LINNET_OUTPUT, "value"},
};
static const linnet_param lookup_params[] = {CURVE_PARAMETERS};
static const linnet_block_class lookup_face = {
    .abi = LINNET_ABI,
    .name = "lookup",
    .doc = "Table of one argument, from the model or a CSV file",
    .formula = "out = curve through the points at in\n(monotone: Steffen, Astron. Astrophys. 239 "
               "(1990) 443;\n"
               "akima: Akima, J. ACM 17 (1970) 589)",
    .example = "<lookup id=\"f\" in=\"u\" out=\"y\" points=\"0 0; 1 2; 3 3\" method=\"monotone\"/>",
    .ports = lookup_ports,
    .nports = 2,
    .params = lookup_params,
    .nparams = 6,
    .reference_port = -1};

static const linnet_param time_params[] = {CURVE_PARAMETERS,
                                           {.name = "delay",
                                            .unit = "s",
                                            .default_text = "0",
                                            LN_FREE,
                                            .doc = "by how much the table is late"}};
static const linnet_block_class time_face = {
    .abi = LINNET_ABI,
    .name = "time-table",
    .doc = "Table of time, from the model or a CSV file",
    .formula = "out = curve through the points at t - delay\n(methods as of lookup)",
    .example = "<time-table id=\"r\" out=\"u\" points=\"0 0; 1 2; 3 3\" outside=\"periodic\"/>",
    .ports = lookup_ports + 1,
    .nports = 1,
    .params = time_params,
    .nparams = 7,
    .reference_port = -1};

linnet_status ln_read_manner(const ln_shape *shape, int param, ln_report *report,
                             ln_curve_manner *manner) {
    int method =
        ln_choice(shape, "method", shape->texts[param], ln_method_names, LN_METHODS, report);
    int outside =
        ln_choice(shape, "outside", shape->texts[param + 1], ln_outside_names, LN_OUTSIDES, report);
    if (method < 0 || outside < 0)
        return LINNET_MODEL;
    *manner = (ln_curve_manner){.method = (ln_interpolation)method, .outside = (ln_outside)outside};
    return LINNET_OK;
}

/* sum of coefficient[k] d^k. */
static ln_node horner(ln_graph *g, const ln_node *coefficient, int count, ln_node d) {
    ln_node sum = coefficient[count - 1];
    for (int k = count - 2; k >= 0; k--)
        sum = ln_sum2(g, ln_product2(g, sum, d), coefficient[k]);
    return sum;
}

static const double *begins_of(ln_arena *arena, const ln_table_piece *pieces, int count) {
    double *begins = LN_NEW(arena, double, count);
    for (int k = 0; begins != NULL && k < count; k++)
        begins[k] = pieces[k].begin;
    return begins;
}

/* A table over pieces: where each begins, and the node that steps from piece to piece. */
typedef struct steps {
    ln_node at;
    const double *begins;
    int count;
} steps;

static ln_node stairs(ln_equations *e, const char *name, const steps *over, const double *values) {
    return ln_stairs(e, name, over->at, over->begins, values, over->count);
}

/* The distance of x from the origin of its piece. */
static ln_node distance(ln_equations *e, const char *name, ln_node x, const steps *over,
                        const ln_table_piece *pieces) {
    double *origin = LN_NEW(e->arena, double, over->count);
    if (origin == NULL)
        return LN_NONE;
    for (int k = 0; k < over->count; k++)
        origin[k] = pieces[k].origin;
    return ln_operation(e->graph, LN_OP_SUB, x, stairs(e, name, over, origin), LN_NONE);
}

/* ---- one argument ---- */

linnet_status ln_add_curve(ln_equations *e, const ln_table_curve *curve, ln_curve_manner how,
                           ln_argument argument, ln_report *report, ln_node *value) {
    const int n = curve->n, count = n + 1;
    ln_table_piece *pieces = ln_pieces(e->arena, how.method, how.outside, curve->x, n);
    double *slope = LN_NEW(e->arena, double, n), *list = LN_NEW(e->arena, double, count);
    ln_node coefficient[4];
    if (pieces == NULL || slope == NULL || list == NULL)
        return ln_no_memory(report);
    ln_slopes(how.method, curve->x, curve->y, n, 1, slope);
    if (how.least_end > 0) {
        slope[0] = fmax(slope[0], how.least_end);
        slope[n - 1] = fmax(slope[n - 1], how.least_end);
    }
    const ln_node x =
        ln_table_argument(e, argument.at, argument.name, how.outside, curve->x[0], curve->x[n - 1]);
    const double *begins = begins_of(e->arena, pieces, count);
    const steps over = {ln_piece_step(e, "table pieces", x, pieces, count), begins, count};
    if (begins == NULL || over.at == LN_NONE)
        return ln_no_memory(report);
    ln_node d = distance(e, "table origin", x, &over, pieces);
    for (int power = 0; power < 4; power++) {
        for (int k = 0; k < count; k++) {
            const int at = pieces[k].knot;
            const double *m = pieces[k].m[power];
            list[k] = m[0] * curve->y[at] + m[1] * curve->y[at + 1] + m[2] * slope[at] +
                      m[3] * slope[at + 1];
        }
        const char *called = ln_arena_printf(e->arena, "table c%d", power);
        coefficient[power] = called == NULL ? LN_NONE : stairs(e, called, &over, list);
        if (coefficient[power] == LN_NONE)
            return ln_no_memory(report);
    }
    *value = horner(e->graph, coefficient, 4, d);
    return LINNET_OK;
}

static linnet_status describe_curve(const linnet_block_class *face, const ln_shape *shape,
                                    ln_equations *e, ln_report *report) {
    const int of_time = face == &time_face;
    ln_curve_manner how;
    ln_table_curve curve;
    ln_node value = LN_NONE;
    LN_TRY(ln_read_manner(shape, METHOD, report, &how));
    LN_TRY(ln_read_curve(shape, (ln_curve_source){POINTS, FILE_NAME, KEY, COLUMN},
                         how.method == LN_LINEAR, e->arena, report, &curve));
    LN_TRY(ln_sized_begin(face, shape, e, report));
    ln_node x = ln_sized_port(e, shape, 0, 0);
    if (of_time)
        x = ln_operation(e->graph, LN_OP_SUB, ln_leaf_node(e->graph, LN_LEAF_TIME, 0),
                         ln_param_item(e, DELAY, 0), LN_NONE);
    const ln_argument argument = {x, of_time ? "the time" : "its input"};
    LN_TRY(ln_add_curve(e, &curve, how, argument, report, &value));
    ln_add_equation(e, ln_sized_port(e, shape, of_time ? 0 : 1, 0), value);
    return LINNET_OK;
}

static linnet_status describe_lookup(const ln_shape *shape, ln_equations *e, ln_report *report) {
    return describe_curve(&lookup_face, shape, e, report);
}
static linnet_status describe_time(const ln_shape *shape, ln_equations *e, ln_report *report) {
    return describe_curve(&time_face, shape, e, report);
}

const ln_type ln_type_lookup = {"lookup", "signal", &lookup_face, describe_lookup,
                                NULL,     NULL,     NULL,         NULL};
const ln_type ln_type_time_table = {"time-table", "signal", &time_face, describe_time,
                                    NULL,         NULL,     NULL,       NULL};

/* ---- two arguments ---- */

enum { X, Y, VALUES, MAP_FILE, MAP_METHOD };
static const linnet_port map_ports[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT, "first argument"},
    {"by", LINNET_SIGNAL, LINNET_INPUT, "second argument"},
    {"out", LINNET_SIGNAL, LINNET_OUTPUT, "value"},
};
static const linnet_param map_params[] = {
    {.name = "x",
     LN_FREE,
     .flags = LINNET_LIST | LINNET_STRUCTURAL,
     .doc = "first arguments, rising"},
    {.name = "y",
     LN_FREE,
     .flags = LINNET_LIST | LINNET_STRUCTURAL,
     .doc = "second arguments, rising"},
    {.name = "values",
     LN_FREE,
     .flags = LINNET_MATRIX | LINNET_STRUCTURAL,
     .doc = "a row for each x, a column for each y"},
    FILE_PARAMETER("CSV file in their place: first column x, the names of the others are y"),
    METHOD_PARAMETERS,
};
static const linnet_block_class map_face = {
    .abi = LINNET_ABI,
    .name = "lookup-2d",
    .doc = "Table of two arguments, from the model or a CSV file",
    .formula = "out = surface through the values at (in, by)\n(cubic methods: bicubic, with slopes "
               "along rows and columns "
               "as of lookup)",
    .example = "<lookup-2d id=\"f\" in=\"u\" by=\"v\" out=\"y\" x=\"0 1 3\" y=\"0 2\" values=\"0 "
               "1; 2 3; 1 0\"/>",
    .ports = map_ports,
    .nports = 3,
    .params = map_params,
    .nparams = 6,
    .reference_port = -1};

/* One argument's share: its knots, rising; its pieces, the number of the piece it is in, the
 * distance from that piece's origin. */
typedef struct axis {
    const double *knots;
    int nknots;
    const ln_table_piece *pieces;
    int count;
    ln_node number, d;
} axis;

/* A surface through the values of a table, with its slopes along x, along y and along both. */
typedef struct surface {
    const ln_map_data *data;
    double *sx, *sy, *sxy;
    axis x, y;
} surface;

/* Values and slopes at the four corners of a cell: rows value, next value, slope, next slope along
 * x; columns along y. */
static void corners(const surface *s, int i, int j, double f[4][4]) {
    const int ny = s->data->ny;
    for (int p = 0; p < 2; p++)
        for (int q = 0; q < 2; q++) {
            const int at = (i + p) * ny + j + q;
            f[p][q] = s->data->z[at], f[2 + p][q] = s->sx[at];
            f[p][2 + q] = s->sy[at], f[2 + p][2 + q] = s->sxy[at];
        }
}

/* (m f n')[p][q]: the coefficient of dx^p dy^q. */
static double cell_coefficient(const ln_table_piece *px, const ln_table_piece *py,
                               const double f[4][4], int p, int q) {
    double sum = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            sum += px->m[p][i] * f[i][j] * py->m[q][j];
    return sum;
}

static linnet_status find_slopes(ln_arena *arena, ln_interpolation method, surface *s,
                                 ln_report *report) {
    const ln_map_data *d = s->data;
    const int nx = d->nx, ny = d->ny;
    s->sx = LN_NEW(arena, double, nx *ny), s->sy = LN_NEW(arena, double, nx *ny),
    s->sxy = LN_NEW(arena, double, nx *ny);
    if (s->sx == NULL || s->sy == NULL || s->sxy == NULL)
        return ln_no_memory(report);
    for (int j = 0; j < ny; j++)
        ln_slopes(method, d->x, d->z + j, nx, ny, s->sx + j);
    for (int i = 0; i < nx; i++) {
        ln_slopes(method, d->y, d->z + i * ny, ny, 1, s->sy + i * ny);
        ln_slopes(method, d->y, s->sx + i * ny, ny, 1, s->sxy + i * ny);
    }
    return LINNET_OK;
}

/* The pieces between the knots of the grid, and where among them the argument is. */
static linnet_status add_axis(ln_equations *e, ln_curve_manner how, ln_argument in, axis *grid,
                              ln_report *report) {
    const double *x = grid->knots;
    const int n = grid->nknots;
    grid->count = n + 1;
    grid->pieces = ln_pieces(e->arena, how.method, how.outside, x, n);
    double *number = LN_NEW(e->arena, double, grid->count);
    if (grid->pieces == NULL || number == NULL)
        return ln_no_memory(report);
    for (int k = 0; k < grid->count; k++)
        number[k] = k;
    const char *pieces = ln_arena_printf(e->arena, "table pieces of %s", in.name);
    const char *origins = ln_arena_printf(e->arena, "table origin of %s", in.name);
    const char *numbers = ln_arena_printf(e->arena, "table number of %s", in.name);
    const double *begins = begins_of(e->arena, grid->pieces, grid->count);
    if (pieces == NULL || origins == NULL || numbers == NULL || begins == NULL)
        return ln_no_memory(report);
    in.at = ln_table_argument(e, in.at, in.name, how.outside, x[0], x[n - 1]);
    const steps over = {ln_piece_step(e, pieces, in.at, grid->pieces, grid->count), begins,
                        grid->count};
    if (over.at == LN_NONE)
        return ln_no_memory(report);
    grid->d = distance(e, origins, in.at, &over, grid->pieces);
    grid->number = stairs(e, numbers, &over, number);
    return LINNET_OK;
}

/* The cells by number, row by row; NULL for begins when memory is short. */
static steps number_cells(ln_equations *e, const surface *s) {
    ln_graph *g = e->graph;
    const int count = s->x.count * s->y.count;
    const ln_node row = ln_product2(g, s->x.number, ln_constant(g, s->y.count));
    double *begins = LN_NEW(e->arena, double, count);
    for (int k = 0; begins != NULL && k < count; k++)
        begins[k] = k - 0.5;
    return (steps){ln_sum2(g, row, s->y.number), begins, count};
}

/* The coefficient of dx^p dy^q as a table over the numbers of the cells; list: room for a value of
 * each. */
static ln_node add_coefficient(ln_equations *e, const surface *s, const steps *cells, int p, int q,
                               double *list) {
    const axis *x = &s->x, *y = &s->y;
    for (int i = 0; i < x->count; i++)
        for (int j = 0; j < y->count; j++) {
            double f[4][4];
            corners(s, x->pieces[i].knot, y->pieces[j].knot, f);
            list[i * y->count + j] =
                cell_coefficient(&x->pieces[i], &y->pieces[j], (const double(*)[4])f, p, q);
        }
    const char *name = ln_arena_printf(e->arena, "table c%d%d", p, q);
    return name == NULL ? LN_NONE : stairs(e, name, cells, list);
}

static linnet_status describe_map(const ln_shape *shape, ln_equations *e, ln_report *report) {
    ln_curve_manner how;
    ln_map_data data;
    LN_TRY(ln_read_manner(shape, MAP_METHOD, report, &how));
    LN_TRY(ln_read_map(shape, (ln_map_source){X, Y, VALUES, MAP_FILE}, e->arena, report, &data));
    LN_TRY(ln_sized_begin(&map_face, shape, e, report));
    surface s = {.data = &data,
                 .x = {.knots = data.x, .nknots = data.nx},
                 .y = {.knots = data.y, .nknots = data.ny}};
    LN_TRY(find_slopes(e->arena, how.method, &s, report));
    const ln_argument in = {ln_sized_port(e, shape, 0, 0), "in"};
    LN_TRY(add_axis(e, how, in, &s.x, report));
    const ln_argument by = {ln_sized_port(e, shape, 1, 0), "by"};
    LN_TRY(add_axis(e, how, by, &s.y, report));
    const steps cells = number_cells(e, &s);
    double *list = LN_NEW(e->arena, double, cells.count);
    if (cells.begins == NULL || list == NULL)
        return ln_no_memory(report);
    ln_node outer[4];
    for (int p = 0; p < 4; p++) {
        ln_node inner[4];
        for (int q = 0; q < 4; q++) {
            inner[q] = add_coefficient(e, &s, &cells, p, q, list);
            if (inner[q] == LN_NONE)
                return ln_no_memory(report);
        }
        outer[p] = horner(e->graph, inner, 4, s.y.d);
    }
    ln_add_equation(e, ln_sized_port(e, shape, 2, 0), horner(e->graph, outer, 4, s.x.d));
    return LINNET_OK;
}

const ln_type ln_type_lookup_2d = {"lookup-2d", "signal", &map_face, describe_map,
                                   NULL,        NULL,     NULL,      NULL};
