/* SPDX-License-Identifier: MIT */
/* Blocks that put vectors and matrices together and take them apart: mux, demux, selector,
 * transpose, reshape. A vector is a column; the elements of a matrix are counted row by row. None
 * of them computes anything. */
#include "blocks/equations.h"
#include "blocks/signal/sized.h"

#include <math.h>

enum { IN, OUT };
static const linnet_port one_to_one[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT, "vector or matrix"},
    {"out", LINNET_SIGNAL, LINNET_OUTPUT, "result"},
};

static void copy_element(ln_equations *e, const ln_shape *shape, int to, int from) {
    ln_add_equation(e, ln_sized_port(e, shape, OUT, to), ln_sized_port(e, shape, IN, from));
}

/* ---- mux ---- */

static const linnet_port mux_ports[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT | LINNET_MANY, "inputs of any size"},
    {"out", LINNET_SIGNAL, LINNET_OUTPUT, "vector of all their elements"},
};
static const linnet_block_class mux_face = {
    .abi = LINNET_ABI,
    .name = "mux",
    .doc = "Signals joined to one vector",
    .formula = "out = the elements of in[1], in[2], ... in this order, matrices row by row",
    .example = "<mux id=\"m\" in=\"x y z\" out=\"r\"/>",
    .ports = mux_ports,
    .nports = 2,
    .reference_port = -1};

static linnet_status measure_mux(const ln_shape *shape, ln_size *const *sizes, ln_report *report) {
    int count = 0;
    (void)report;
    if (!ln_sizes_known(shape, IN))
        return LINNET_OK;
    for (int k = 0; k < shape->joined[IN]; k++)
        count += sizes[IN][k].rows * sizes[IN][k].cols;
    sizes[OUT][0] = (ln_size){count, 1};
    return LINNET_OK;
}

static linnet_status describe_mux(const ln_shape *shape, ln_equations *e, ln_report *report) {
    LN_TRY(ln_sized_begin(&mux_face, shape, e, report));
    for (int k = 0; k < shape->links[IN]; k++)
        copy_element(e, shape, k, k);
    return LINNET_OK;
}

const ln_type ln_type_mux = {"mux", "signal",    &mux_face, describe_mux,
                             NULL,  measure_mux, NULL,      NULL};

/* ---- demux ---- */

static const linnet_port demux_ports[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT, "vector"},
    {"out", LINNET_SIGNAL, LINNET_OUTPUT | LINNET_MANY, "its parts, one behind the other"},
};
static const linnet_param demux_params[] = {
    {.name = "sizes",
     .default_text = NULL,
     .min = 1,
     .max = INFINITY,
     .flags = LINNET_LIST | LINNET_INTEGER | LINNET_STRUCTURAL,
     .doc = "number of elements of each output; equal parts when absent"}};
static const linnet_block_class demux_face = {
    .abi = LINNET_ABI,
    .name = "demux",
    .doc = "A vector split into its parts",
    .formula = "out[1] = the first elements of in, out[2] = the next ones, ...",
    .example = "<demux id=\"d\" in=\"r\" out=\"position speed\" sizes=\"3 3\"/>",
    .ports = demux_ports,
    .nports = 2,
    .params = demux_params,
    .nparams = 1,
    .reference_port = -1};

static linnet_status measure_demux(const ln_shape *shape, ln_size *const *sizes,
                                   ln_report *report) {
    const ln_size in = sizes[IN][0];
    const int outputs = shape->joined[OUT], count = in.rows * in.cols,
              given = shape->rows[0] * shape->cols[0];
    int sum = 0;
    if (given > 0 && given != outputs)
        return LN_MISFIT(report, shape->place, "sizes has %d values for %d outputs; write one each",
                         given, outputs);
    for (int k = 0; k < given; k++) {
        sizes[OUT][k] = (ln_size){(int)shape->values[0][k], 1};
        sum += sizes[OUT][k].rows;
    }
    if (in.rows == 0)
        return LINNET_OK;
    if (given > 0 && sum != count)
        return LN_MISFIT(report, shape->place, "sizes add up to %d, but in joins %s", sum,
                         ln_size_end(shape, IN, 0));
    if (given == 0 && count % outputs != 0)
        return LN_MISFIT(report, shape->place,
                         "in joins %s, which is not %d equal parts; say sizes=\"...\"",
                         ln_size_end(shape, IN, 0), outputs);
    for (int k = 0; given == 0 && k < outputs; k++)
        sizes[OUT][k] = (ln_size){count / outputs, 1};
    return LINNET_OK;
}

static linnet_status describe_demux(const ln_shape *shape, ln_equations *e, ln_report *report) {
    LN_TRY(ln_sized_begin(&demux_face, shape, e, report));
    for (int k = 0; k < shape->links[OUT]; k++)
        copy_element(e, shape, k, k);
    return LINNET_OK;
}

const ln_type ln_type_demux = {"demux", "signal",      &demux_face, describe_demux,
                               NULL,    measure_demux, NULL,        NULL};

/* ---- selector ---- */

enum { INDICES, COLUMNS };
static const linnet_param selector_params[] = {
    {.name = "indices",
     .min = 1,
     .max = INFINITY,
     .flags = LINNET_REQUIRED | LINNET_LIST | LINNET_INTEGER | LINNET_STRUCTURAL,
     .doc = "elements of a vector, or rows of a matrix, from 1"},
    {.name = "columns",
     .min = 1,
     .max = INFINITY,
     .flags = LINNET_LIST | LINNET_INTEGER | LINNET_STRUCTURAL,
     .doc = "columns of a matrix; all when absent"}};
static const linnet_block_class selector_face = {
    .abi = LINNET_ABI,
    .name = "selector",
    .doc = "Some elements of a vector, or rows and columns of a matrix",
    .formula = "out[k] = in[indices[k]]",
    .example = "<selector id=\"s\" in=\"r\" indices=\"3 1\" out=\"zx\"/>",
    .ports = one_to_one,
    .nports = 2,
    .params = selector_params,
    .nparams = 2,
    .reference_port = -1};

static linnet_status check_indices(const ln_shape *shape, int which, int most, ln_report *report) {
    const int count = shape->rows[which] * shape->cols[which];
    for (int k = 0; k < count; k++)
        if (shape->values[which][k] > most)
            return LN_MISFIT(report, shape->place, "%s asks for %d, but in joins %s",
                             selector_params[which].name, (int)shape->values[which][k],
                             ln_size_end(shape, IN, 0));
    return LINNET_OK;
}

static linnet_status measure_selector(const ln_shape *shape, ln_size *const *sizes,
                                      ln_report *report) {
    const ln_size in = sizes[IN][0];
    const int columns = shape->rows[COLUMNS] * shape->cols[COLUMNS];
    if (in.rows == 0 && columns == 0)
        return LINNET_OK;
    sizes[OUT][0] =
        (ln_size){shape->rows[INDICES] * shape->cols[INDICES], columns > 0 ? columns : in.cols};
    if (in.rows == 0)
        return LINNET_OK;
    LN_TRY(check_indices(shape, INDICES, in.rows, report));
    return check_indices(shape, COLUMNS, in.cols, report);
}

static linnet_status describe_selector(const ln_shape *shape, ln_equations *e, ln_report *report) {
    const ln_size in = ln_size_of(shape, IN, 0), out = ln_size_of(shape, OUT, 0);
    LN_TRY(ln_sized_begin(&selector_face, shape, e, report));
    for (int k = 0; k < shape->links[OUT]; k++) {
        const int row = (int)shape->values[INDICES][k / out.cols] - 1;
        const int col =
            shape->rows[COLUMNS] > 0 ? (int)shape->values[COLUMNS][k % out.cols] - 1 : k % out.cols;
        copy_element(e, shape, k, row * in.cols + col);
    }
    return LINNET_OK;
}

const ln_type ln_type_selector = {"selector", "signal",         &selector_face, describe_selector,
                                  NULL,       measure_selector, NULL,           NULL};

/* ---- transpose ---- */

static const linnet_block_class transpose_face = {.abi = LINNET_ABI,
                                                  .name = "transpose",
                                                  .doc = "Rows of a matrix as columns",
                                                  .formula = "out[j,i] = in[i,j]",
                                                  .example =
                                                      "<transpose id=\"t\" in=\"A\" out=\"At\"/>",
                                                  .ports = one_to_one,
                                                  .nports = 2,
                                                  .reference_port = -1};

static linnet_status measure_transpose(const ln_shape *shape, ln_size *const *sizes,
                                       ln_report *report) {
    (void)shape;
    (void)report;
    if (sizes[IN][0].rows > 0)
        sizes[OUT][0] = (ln_size){sizes[IN][0].cols, sizes[IN][0].rows};
    return LINNET_OK;
}

static linnet_status describe_transpose(const ln_shape *shape, ln_equations *e, ln_report *report) {
    const ln_size in = ln_size_of(shape, IN, 0);
    LN_TRY(ln_sized_begin(&transpose_face, shape, e, report));
    for (int k = 0; k < shape->links[IN]; k++)
        copy_element(e, shape, k % in.cols * in.rows + k / in.cols, k);
    return LINNET_OK;
}

const ln_type ln_type_transpose = {
    "transpose", "signal", &transpose_face, describe_transpose, NULL, measure_transpose,
    NULL,        NULL};

/* ---- reshape ---- */

#define COUNT LINNET_INTEGER | LINNET_STRUCTURAL
static const linnet_param reshape_params[] = {{.name = "rows",
                                               .unit = "",
                                               .min = 1,
                                               .max = 1e6,
                                               .flags = LINNET_REQUIRED | COUNT,
                                               .doc = "rows of the result"},
                                              {.name = "columns",
                                               .unit = "",
                                               .default_text = "1",
                                               .min = 1,
                                               .max = 1e6,
                                               .flags = COUNT,
                                               .doc = "its columns"}};
static const linnet_block_class reshape_face = {
    .abi = LINNET_ABI,
    .name = "reshape",
    .doc = "The same elements as a matrix of another size",
    .formula = "out = the elements of in, row by row",
    .example = "<reshape id=\"m\" in=\"v\" rows=\"2\" columns=\"3\" "
               "out=\"A\"/>",
    .ports = one_to_one,
    .nports = 2,
    .params = reshape_params,
    .nparams = 2,
    .reference_port = -1};

static linnet_status measure_reshape(const ln_shape *shape, ln_size *const *sizes,
                                     ln_report *report) {
    const ln_size out = {(int)shape->values[0][0], (int)shape->values[1][0]}, in = sizes[IN][0];
    sizes[OUT][0] = out;
    if (in.rows == 0 || in.rows * in.cols == out.rows * out.cols)
        return LINNET_OK;
    return LN_MISFIT(report, shape->place, "%d x %d elements are asked for, but in joins %s",
                     out.rows, out.cols, ln_size_end(shape, IN, 0));
}

static linnet_status describe_reshape(const ln_shape *shape, ln_equations *e, ln_report *report) {
    LN_TRY(ln_sized_begin(&reshape_face, shape, e, report));
    for (int k = 0; k < shape->links[IN]; k++)
        copy_element(e, shape, k, k);
    return LINNET_OK;
}

const ln_type ln_type_reshape = {"reshape", "signal",        &reshape_face, describe_reshape,
                                 NULL,      measure_reshape, NULL,          NULL};
