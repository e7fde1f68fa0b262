/* SPDX-License-Identifier: MIT */
/* Types whose tables follow from the instance: a sum of n inputs, a transfer function of order n.
 *
 * Each is an ln_type with a face (the tables a user sees) and a describe() that writes one
 * instance's equations; the rest - derivatives, entries, programs - is the same as for a type in
 * XML. Messages need not name the block: the catalogue has told the report (ln_report_about). A
 * list that is neither required nor has a default is optional; absent, it has 0 x 0 values. A text
 * with LINNET_STRUCTURAL says all by itself (a list of signs); one without is an expression, whose
 * meaning depends on the parameters in scope. */
#ifndef LN_BLOCKS_SIGNAL_SIZED_H
#define LN_BLOCKS_SIGNAL_SIZED_H

#include "blocks/catalogue.h"
#include "expression/graph.h"
#include "expression/nodes.h"
#include "model/model.h"

/* All of them, signal and discrete, in the order in which `linnet blocks` meets them: a new type is
 * a file with an object ln_type_NAME and its name here. */
/* clang-format off */
#define LN_SIZED_TYPES(X) \
    X(sum) X(product) X(min) X(max) X(function) X(transfer_function) X(zero_pole_gain) \
    X(state_space) X(piecewise_linear) X(piecewise_linear_voltage) X(piecewise_linear_current) \
    X(integrator) X(sample_delay) X(fir_filter) X(moving_average) X(iir_filter) \
    X(discrete_transfer_function) X(discrete_state_space) X(discrete_integrator) X(pid) X(and) \
    X(nand) X(or) X(nor) X(xor) X(xnor) X(multi_switch) X(polynomial) X(convert) X(mux) X(demux) \
    X(selector) X(transpose) X(reshape) X(matrix_gain) X(matrix_product) X(dot) X(cross) X(norm) \
    X(sum_of_elements) X(product_of_elements) X(min_of_elements) X(max_of_elements) X(lookup) \
    X(time_table) X(lookup_2d) X(core_table) X(filter) X(pade_delay) X(coupled_windings) X(fmu)
/* clang-format on */

#define LN_DECLARE_TYPE(name) extern const ln_type ln_type_##name;
LN_SIZED_TYPES(LN_DECLARE_TYPE)
#undef LN_DECLARE_TYPE

/* Adds the face's ports, a LINNET_MANY one as "in[1]", "in[2]", ..., one that joins a vector or a
 * matrix as "in[1]" or "in[1,1]", ..., and its parameters in the shape's sizes; the parameter
 * indices are those of the face. LINNET_MEMORY (reported). */
linnet_status ln_sized_begin(const linnet_block_class *face, const ln_shape *shape,
                             ln_equations *equations, ln_report *report);
/* Leaf of the k-th link (0-based) of a port of the face. */
ln_node ln_sized_port(ln_equations *equations, const ln_shape *shape, int face_port, int k);

/* The size of the k-th link (0-based) of a port of the face. */
static inline ln_size ln_size_of(const ln_shape *shape, int port, int k) {
    return shape->sizes == NULL ? (ln_size){1, 1} : shape->sizes[port][k];
}
/* For measure(): all sizes at a port are known; what does not fit, told if there is a report. */
int ln_sizes_known(const ln_shape *shape, int port);
#define LN_MISFIT(report, ...) \
    ((report) == NULL ? LINNET_MODEL : ln_fail((report), LINNET_MODEL, __VA_ARGS__))
/* The link in messages: "'u', a vector of 3 from c (line 4)". */
static inline const char *ln_size_end(const ln_shape *shape, int port, int k) {
    return shape->ends == NULL ? "" : shape->ends[port][k];
}
/* "a scalar", "a vector of 3", "a matrix of 2 x 3". */
const char *ln_size_text(char text[64], ln_size size);

/* Range of a parameter that may have any value. */
#define LN_FREE .min = -INFINITY, .max = INFINITY

/* Shorthands for building; LN_NONE passes through. */
static inline ln_node ln_sum2(ln_graph *g, ln_node a, ln_node b) {
    return ln_operation(g, LN_OP_ADD, a, b, LN_NONE);
}
static inline ln_node ln_product2(ln_graph *g, ln_node a, ln_node b) {
    return ln_operation(g, LN_OP_MUL, a, b, LN_NONE);
}

/* A proper rational function b(s)/a(s) as states: coefficients highest power first, order + 1 of
 * each, as nodes and as numbers (which decide what is left out, and the typical size of the
 * states); a_value[0] is not zero. */
typedef struct ln_rational {
    int order;
    const ln_node *b, *a;
    const double *b_value, *a_value;
} ln_rational;
/* Adds it in controllable canonical form, driven by u: x1' = x2, ..., a0*xn' + a1*xn + ... + an*x1
 * = u; returns its output as an expression. States are called x<first>, ...; start: `order` nodes,
 * or NULL for zeros; start_parameter names them in messages. LN_NONE when memory is short. */
ln_node ln_add_rational(ln_equations *equations, const ln_rational *rational, ln_node u, int first,
                        const ln_node *start, const char *start_parameter);

/* A polynomial of degree 0 to 2 with leading coefficient one, highest power first. */
typedef struct ln_factor {
    int degree;
    double c[3];
} ln_factor;
/* Adds the product of zeros over that of poles as a cascade of second-order sections, driven by u;
 * returns its output. Both lists are reordered. The zeros' degrees sum to no more than the poles'.
 * LN_NONE when memory is short. */
ln_node ln_add_cascade(ln_equations *equations, ln_factor *zeros, int nzeros, ln_factor *poles,
                       int npoles, ln_node u);

/* Complex numbers as text, "-1 -2+3i -2-3i" (i or j; separated by blanks or commas). Sets *values
 * to *count pairs (re, im) in the arena. Returns NULL, or what is wrong (in the arena; a constant
 * text when memory is short). */
const char *ln_read_complex(ln_arena *arena, const char *text, double **values, int *count);

#endif
