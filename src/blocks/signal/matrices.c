/* SPDX-License-Identifier: MIT */
/* The sizes of A, B, C, D and x0: see matrices.h. */
#include "blocks/signal/matrices.h"

enum { A, B, C, D, X0 };

linnet_status ln_check_matrices(const ln_shape *shape, const linnet_param *params, int first,
                                int in, int out, ln_report *report) {
    const int *rows = shape->rows + first, *cols = shape->cols + first;
    const int n = rows[A], m = shape->links[in], p = shape->links[out];
    const int wanted[][2] = {[A] = {n, n}, [B] = {n, m}, [C] = {p, n}, [D] = {p, m}};
    static const char *const sizes[] = {"as many columns as rows, one for each state",
                                        "a row for each state, a column for each input",
                                        "a row for each output, a column for each state",
                                        "a row for each output, a column for each input"};
    linnet_status status = LINNET_OK;
    for (int k = A; k <= D; k++) {
        if (k == D && rows[D] == 0)
            continue;
        if (rows[k] == wanted[k][0] && cols[k] == wanted[k][1])
            continue;
        status = ln_fail(report, LINNET_MODEL, shape->place,
                         "%s is %d x %d where %d x %d is needed (%s)", params[first + k].name,
                         rows[k], cols[k], wanted[k][0], wanted[k][1], sizes[k]);
    }
    int starts = rows[X0] * cols[X0];
    if (starts > 0 && starts != n)
        status = ln_fail(report, LINNET_MODEL, shape->place, "x0 has %d values for %d states",
                         starts, n);
    return status;
}

linnet_status ln_measure_matrices(const ln_shape *shape, ln_size *const *sizes, int first, int in,
                                  int out, ln_report *report) {
    const int *rows = shape->rows + first, *cols = shape->cols + first;
    const ln_size joined = sizes[in][0];
    for (int k = 0; k < shape->joined[out]; k++)
        sizes[out][k] = (ln_size){shape->joined[out] == 1 ? rows[C] : 1, 1};
    if (shape->joined[in] != 1 || joined.rows * joined.cols <= 1 ||
        joined.rows * joined.cols == cols[B])
        return LINNET_OK;
    return LN_MISFIT(report, shape->place, "B is %d x %d, a column for each input, but in joins %s",
                     rows[B], cols[B], ln_size_end(shape, in, 0));
}
