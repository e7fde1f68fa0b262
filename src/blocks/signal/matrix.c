/* SPDX-License-Identifier: MIT */
/* Algebra of vectors and matrices: matrix-gain, matrix-product, dot, cross, norm, and what comes
 * from all elements of one signal (sum-of-elements and its like). A vector is a column. */
#include "blocks/signal/sized.h"
#include "blocks/equations.h"
#include "expression/graph.h"
#include "model/model.h"

#include <math.h>

enum { IN, OUT };
static const linnet_port one_to_one[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT, "vector or matrix"},
    {"out", LINNET_SIGNAL, LINNET_OUTPUT, "result"},
};
static const linnet_port many_to_one[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT | LINNET_MANY, "inputs"},
    {"out", LINNET_SIGNAL, LINNET_OUTPUT, "result"},
};

static void equate(ln_equations *e, const ln_shape *shape, int k, ln_node value) {
    ln_add_equation(e, ln_sized_port(e, shape, OUT, k), value);
}

static int is_scalar(ln_size size) {
    return size.rows == 1 && size.cols == 1;
}

/* ---- matrix-gain ---- */

static const linnet_param gain_params[] = {
    {.name = "K",
     .min = -INFINITY,
     .max = INFINITY,
     .flags = LINNET_REQUIRED | LINNET_MATRIX | LINNET_STRUCTURAL,
     .doc = "matrix, rows by ';'"}};
static const linnet_block_class gain_face = {
    .abi = LINNET_ABI,
    .name = "matrix-gain",
    .doc = "A constant matrix times a vector or matrix",
    .formula = "out = K*in",
    .example = "<matrix-gain id=\"g\" in=\"u\" K=\"1 2; 3 4\" out=\"y\"/>",
    .ports = one_to_one,
    .nports = 2,
    .params = gain_params,
    .nparams = 1,
    .reference_port = -1};

static linnet_status measure_gain(const ln_shape *shape, ln_size *const *sizes, ln_report *report) {
    const ln_size in = sizes[IN][0];
    sizes[OUT][0] = (ln_size){shape->rows[0], in.rows == 0 ? 1 : in.cols};
    if (in.rows == 0 || in.rows == shape->cols[0])
        return LINNET_OK;
    return LN_MISFIT(report, shape->place, "K is %d x %d, so in must have %d rows; it joins %s",
                     shape->rows[0], shape->cols[0], shape->cols[0], ln_size_end(shape, IN, 0));
}

static linnet_status describe_gain(const ln_shape *shape, ln_equations *e, ln_report *report) {
    const int cols = ln_size_of(shape, OUT, 0).cols, inner = shape->cols[0];
    LN_TRY(ln_sized_begin(&gain_face, shape, e, report));
    for (int k = 0; k < shape->links[OUT]; k++) {
        ln_node sum = ln_constant(e->graph, 0);
        for (int i = 0; i < inner; i++) {
            const int at = k / cols * inner + i;
            if (shape->values[0][at] == 0)
                continue;
            sum = ln_sum2(e->graph, sum,
                          ln_product2(e->graph, ln_param_item(e, 0, at),
                                      ln_sized_port(e, shape, IN, i * cols + k % cols)));
        }
        equate(e, shape, k, sum);
    }
    return LINNET_OK;
}

const ln_type ln_type_matrix_gain = {"matrix-gain", "signal",     &gain_face, describe_gain,
                                     NULL,          measure_gain, NULL,       NULL};

/* ---- matrix-product ---- */

static const linnet_block_class matrix_product_face = {
    .abi = LINNET_ABI,
    .name = "matrix-product",
    .doc = "Product of matrices and vectors",
    .formula = "out = in[1]*in[2]*...",
    .example = "<matrix-product id=\"p\" in=\"A x\" out=\"y\"/>",
    .ports = many_to_one,
    .nports = 2,
    .reference_port = -1};

/* The size of a product; 0 x 0: the factors do not fit. */
static ln_size product_size(ln_size a, ln_size b) {
    if (is_scalar(a))
        return b;
    if (is_scalar(b))
        return a;
    return a.cols == b.rows ? (ln_size){a.rows, b.cols} : (ln_size){0, 0};
}

static linnet_status measure_product(const ln_shape *shape, ln_size *const *sizes,
                                     ln_report *report) {
    ln_size size = {1, 1};
    if (!ln_sizes_known(shape, IN))
        return LINNET_OK;
    for (int k = 0; k < shape->joined[IN]; k++) {
        const ln_size next = product_size(size, sizes[IN][k]);
        if (next.rows == 0)
            return LN_MISFIT(report, shape->place,
                             "in[%d] is %s; the product up to in[%d], %s, is %d x %d, which does "
                             "not fit",
                             k + 1, ln_size_end(shape, IN, k), k, ln_size_end(shape, IN, k - 1),
                             size.rows, size.cols);
        size = next;
    }
    sizes[OUT][0] = size;
    return LINNET_OK;
}

/* A matrix of expressions, row by row. */
typedef struct matrix {
    ln_size size;
    ln_node *at;
} matrix;

/* Element k of the product a b; 1 x 1 factors go with any size. */
static ln_node product_element(ln_equations *e, const matrix *a, const matrix *b, int k) {
    if (is_scalar(a->size))
        return ln_product2(e->graph, a->at[0], b->at[k]);
    if (is_scalar(b->size))
        return ln_product2(e->graph, a->at[k], b->at[0]);
    const int row = k / b->size.cols, col = k % b->size.cols;
    ln_node sum = ln_constant(e->graph, 0);
    for (int i = 0; i < a->size.cols; i++)
        sum = ln_sum2(
            e->graph, sum,
            ln_product2(e->graph, a->at[row * a->size.cols + i], b->at[i * b->size.cols + col]));
    return sum;
}

static linnet_status describe_matrix_product(const ln_shape *shape, ln_equations *e,
                                             ln_report *report) {
    LN_TRY(ln_sized_begin(&matrix_product_face, shape, e, report));
    ln_node one = ln_constant(e->graph, 1);
    matrix all = {{1, 1}, &one};
    for (int k = 0, at = 0; k < (shape->joined == NULL ? shape->links[IN] : shape->joined[IN]);
         k++) {
        const ln_size size = ln_size_of(shape, IN, k), next = product_size(all.size, size);
        const matrix factor = {size, LN_NEW(e->arena, ln_node, size.rows * size.cols)};
        const matrix product = {next, LN_NEW(e->arena, ln_node, next.rows * next.cols)};
        if (factor.at == NULL || product.at == NULL)
            return ln_no_memory(report);
        for (int i = 0; i < size.rows * size.cols; i++)
            factor.at[i] = ln_sized_port(e, shape, IN, at++);
        for (int i = 0; i < next.rows * next.cols; i++)
            product.at[i] = product_element(e, &all, &factor, i);
        all = product;
    }
    for (int k = 0; k < shape->links[OUT]; k++)
        equate(e, shape, k, all.at[k]);
    return LINNET_OK;
}

const ln_type ln_type_matrix_product = {"matrix-product",
                                        "signal",
                                        &matrix_product_face,
                                        describe_matrix_product,
                                        NULL,
                                        measure_product,
                                        NULL,
                                        NULL};

/* ---- dot, cross ---- */

static linnet_status two_inputs(const ln_shape *shape, ln_report *report) {
    if (shape->joined[IN] == 2)
        return LINNET_OK;
    return LN_MISFIT(report, shape->place, "it has %d inputs; write two: in=\"a b\"",
                     shape->joined[IN]);
}

static const linnet_block_class dot_face = {
    .abi = LINNET_ABI,
    .name = "dot",
    .doc = "Scalar product of two vectors",
    .formula = "out = sum(i = 1 .. n, u[i]*v[i])\n"
               "(u and v are the two vectors at in)",
    .example = "<dot id=\"power\" in=\"force velocity\" out=\"P\"/>",
    .ports = many_to_one,
    .nports = 2,
    .reference_port = -1};

static linnet_status measure_dot(const ln_shape *shape, ln_size *const *sizes, ln_report *report) {
    const ln_size a = sizes[IN][0];
    sizes[OUT][0] = (ln_size){1, 1};
    LN_TRY(two_inputs(shape, report));
    if (!ln_sizes_known(shape, IN) || (a.rows == sizes[IN][1].rows && a.cols == sizes[IN][1].cols))
        return LINNET_OK;
    return LN_MISFIT(report, shape->place, "in[1] is %s, in[2] is %s; both must have one size",
                     ln_size_end(shape, IN, 0), ln_size_end(shape, IN, 1));
}

static linnet_status describe_dot(const ln_shape *shape, ln_equations *e, ln_report *report) {
    const int n = shape->links[IN] / 2;
    LN_TRY(ln_sized_begin(&dot_face, shape, e, report));
    ln_node sum = ln_constant(e->graph, 0);
    for (int k = 0; k < n; k++)
        sum = ln_sum2(e->graph, sum,
                      ln_product2(e->graph, ln_sized_port(e, shape, IN, k),
                                  ln_sized_port(e, shape, IN, n + k)));
    equate(e, shape, 0, sum);
    return LINNET_OK;
}

const ln_type ln_type_dot = {"dot", "signal",    &dot_face, describe_dot,
                             NULL,  measure_dot, NULL,      NULL};

static const linnet_block_class cross_face = {
    .abi = LINNET_ABI,
    .name = "cross",
    .doc = "Vector product in space",
    .formula = "out[1] = u[2]*v[3] - u[3]*v[2]\n"
               "out[2] = u[3]*v[1] - u[1]*v[3]\n"
               "out[3] = u[1]*v[2] - u[2]*v[1]\n"
               "(u and v are the two vectors at in)",
    .example = "<cross id=\"torque\" in=\"arm force\" out=\"M\"/>",
    .ports = many_to_one,
    .nports = 2,
    .reference_port = -1};

static linnet_status measure_cross(const ln_shape *shape, ln_size *const *sizes,
                                   ln_report *report) {
    sizes[OUT][0] = (ln_size){3, 1};
    LN_TRY(two_inputs(shape, report));
    for (int k = 0; k < 2; k++)
        if (sizes[IN][k].rows > 0 && (sizes[IN][k].rows != 3 || sizes[IN][k].cols != 1))
            return LN_MISFIT(report, shape->place, "in[%d] must be a vector of 3, but is %s", k + 1,
                             ln_size_end(shape, IN, k));
    return LINNET_OK;
}

static linnet_status describe_cross(const ln_shape *shape, ln_equations *e, ln_report *report) {
    LN_TRY(ln_sized_begin(&cross_face, shape, e, report));
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        ln_node plus = ln_product2(e->graph, ln_sized_port(e, shape, IN, i),
                                   ln_sized_port(e, shape, IN, 3 + j));
        ln_node minus = ln_product2(e->graph, ln_sized_port(e, shape, IN, j),
                                    ln_sized_port(e, shape, IN, 3 + i));
        equate(e, shape, k, ln_operation(e->graph, LN_OP_SUB, plus, minus, LN_NONE));
    }
    return LINNET_OK;
}

const ln_type ln_type_cross = {"cross", "signal",      &cross_face, describe_cross,
                               NULL,    measure_cross, NULL,        NULL};

/* ---- one number from all elements ---- */

static linnet_status measure_scalar(const ln_shape *shape, ln_size *const *sizes,
                                    ln_report *report) {
    (void)shape;
    (void)report;
    sizes[OUT][0] = (ln_size){1, 1};
    return LINNET_OK;
}

typedef enum gathering { SUM, PRODUCT, SMALLEST, LARGEST } gathering;

static ln_node combine(ln_graph *g, gathering how, ln_node all, ln_node next) {
    if (how == SUM)
        return ln_sum2(g, all, next);
    if (how == PRODUCT)
        return ln_product2(g, all, next);
    ln_node better = ln_operation(g, LN_OP_LT, how == SMALLEST ? next : all,
                                  how == SMALLEST ? all : next, LN_NONE);
    return ln_operation(g, LN_OP_IF, better, next, all);
}

static linnet_status describe_all(const linnet_block_class *face, gathering how,
                                  const ln_shape *shape, ln_equations *e, ln_report *report) {
    LN_TRY(ln_sized_begin(face, shape, e, report));
    ln_node all = ln_sized_port(e, shape, IN, 0);
    for (int k = 1; k < shape->links[IN]; k++)
        all = combine(e->graph, how, all, ln_sized_port(e, shape, IN, k));
    equate(e, shape, 0, all);
    return LINNET_OK;
}

/* A type of that kind: its face, what it does, and the type. */
#define OF_ELEMENTS(word, how, said, formula_text)                               \
    static const linnet_block_class word##_face = {                              \
        .abi = LINNET_ABI,                                                       \
        .name = #word "-of-elements",                                            \
        .doc = said " of the elements of a vector or matrix",                    \
        .formula = formula_text,                                                 \
        .example = "<" #word "-of-elements id=\"a\" in=\"x\" out=\"y\"/>",       \
        .ports = one_to_one,                                                     \
        .nports = 2,                                                             \
        .reference_port = -1};                                                   \
    static linnet_status describe_##word(const ln_shape *shape, ln_equations *e, \
                                         ln_report *report) {                    \
        return describe_all(&word##_face, how, shape, e, report);                \
    }                                                                            \
    const ln_type ln_type_##word##_of_elements = {                               \
        #word "-of-elements", "signal", &word##_face, describe_##word, NULL,     \
        measure_scalar,       NULL,     NULL};

OF_ELEMENTS(sum, SUM, "Sum", "out = in[1] + in[2] + ...")
OF_ELEMENTS(product, PRODUCT, "Product", "out = in[1]*in[2]*...")
OF_ELEMENTS(min, SMALLEST, "Smallest", "out = min(in[1], in[2], ...)")
OF_ELEMENTS(max, LARGEST, "Largest", "out = max(in[1], in[2], ...)")

static const linnet_block_class norm_face = {
    .abi = LINNET_ABI,
    .name = "norm",
    .doc = "Length of a vector; of a matrix its Frobenius norm",
    .formula = "out = sqrt(in[1]^2 + in[2]^2 + ...)",
    .example = "<norm id=\"r\" in=\"position\" out=\"distance\"/>",
    .ports = one_to_one,
    .nports = 2,
    .reference_port = -1};

/* At zero the root has no derivative; it is then taken as the constant it is there. */
static linnet_status describe_norm(const ln_shape *shape, ln_equations *e, ln_report *report) {
    LN_TRY(ln_sized_begin(&norm_face, shape, e, report));
    ln_graph *g = e->graph;
    ln_node sum = ln_constant(g, 0), zero = ln_constant(g, 0);
    for (int k = 0; k < shape->links[IN]; k++) {
        const ln_node element = ln_sized_port(e, shape, IN, k);
        sum = ln_sum2(g, sum, ln_product2(g, element, element));
    }
    const ln_node positive = ln_operation(g, LN_OP_LT, zero, sum, LN_NONE);
    /* the value has no step there */
    const ln_node some = ln_operation(g, LN_OP_NOEVENT, positive, LN_NONE, LN_NONE);
    const ln_node inside = ln_operation(g, LN_OP_IF, some, sum, ln_constant(g, 1));
    equate(e, shape, 0,
           ln_operation(g, LN_OP_IF, some, ln_operation(g, LN_OP_SQRT, inside, LN_NONE, LN_NONE),
                        zero));
    return LINNET_OK;
}

const ln_type ln_type_norm = {"norm", "signal",       &norm_face, describe_norm,
                              NULL,   measure_scalar, NULL,       NULL};
