/* SPDX-License-Identifier: MIT */
/* A point at which everything holds, wherever the conditions depend on each other: the method of Levenberg and Marquardt
 * with a damping in proportion to the sum of squares, which converges quadratically also to one of many solutions (N. Yamashita,
 * M. Fukushima, Computing Suppl. 15 (2001) 239). Variables and rows are scaled as for SLSQP. */
#include "analysis/trim_problem.h"

#include "linear/linear.h"
#include <math.h>
#include <string.h>

enum { MOST_STEPS = 100, MOST_TRIALS = 12, PATIENCE = 5 };
static const double RANK = 1e-14, DONE = 1e-13, LEAST_DAMPING = 1e-8, LITTLE = 1e-3; /* of the sum, gained by a step      */

typedef struct approach {
    ln_trim_problem *problem;
    double *slopes, *rows;         /* at the point: rows x size, column by column; rows; scaled                       */
    double *matrix, *step, *z;     /* (rows + size) x size; rows + size; size                                        */
} approach;

/* Sum of squares of the scaled rows at z, INFINITY where they have no value; *largest of them. */
static linnet_status squares(const approach *it, const double *z, int slopes, double *sum, double *largest) {
    const ln_trim_problem *problem = it->problem;
    *sum = *largest = INFINITY;
    linnet_status status = ln_trim_evaluate(it->problem, z, slopes);
    if (status != LINNET_OK) return status < 0 ? status : LINNET_OK;
    *sum = *largest = 0;
    for (int i = 0; i < problem->rows; i++) {
        const double value = problem->values[i] / problem->row_scale[i];
        *sum += value * value;
        *largest = fmax(*largest, fabs(value));
    }
    return LINNET_OK;
}

/* The point, with its slopes. */
static linnet_status stand(const approach *it, const double *z, double *sum, double *largest) {
    const ln_trim_problem *problem = it->problem;
    const size_t rows = (size_t)problem->rows, size = (size_t)problem->size;
    LN_TRY(squares(it, z, 1, sum, largest));
    for (size_t i = 0; i < rows; i++) {
        it->rows[i] = problem->values[i] / problem->row_scale[i];
        for (size_t j = 0; j < size; j++)
            it->slopes[j * rows + i] = problem->jacobian[i * size + j] * problem->scale[j] / problem->row_scale[i];
    }
    return LINNET_OK;
}

/* The step: least squares of the rows and, by the root of the damping, of the step itself. 0: memory is short. */
static int find_step(const approach *it, double damping) {
    const size_t rows = (size_t)it->problem->rows, size = (size_t)it->problem->size, all = rows + size;
    memset(it->matrix, 0, all * size * sizeof *it->matrix);
    memset(it->step, 0, all * sizeof *it->step);
    for (size_t i = 0; i < rows; i++) it->step[i] = -it->rows[i];
    for (size_t j = 0; j < size; j++) {
        memcpy(it->matrix + j * all, it->slopes + j * rows, rows * sizeof *it->slopes);
        it->matrix[j * all + rows + j] = sqrt(damping);
    }
    return ln_dense_least_squares((int)all, (int)size, it->matrix, RANK, it->step) >= 0;
}

/* By the step, kept within the bounds. */
static void go(const approach *it, const double *low, const double *high, const double *z) {
    const double *scale = it->problem->scale;
    for (int j = 0; j < it->problem->size; j++)
        it->z[j] = scale[j] * fmin(fmax(z[j] / scale[j] + it->step[j], low[j]), high[j]);
}

linnet_status ln_trim_approach(ln_trim_problem *problem, const double *low, const double *high, double *z,
                               double *residual) {
    const size_t rows = (size_t)problem->rows, size = (size_t)problem->size;
    ln_arena *arena = problem->arena;
    approach it = {problem, LN_NEW(arena, double, rows * size), LN_NEW(arena, double, rows),
                   LN_NEW(arena, double, (rows + size) * size), LN_NEW(arena, double, rows + size),
                   LN_NEW(arena, double, size)};
    if (!it.slopes || !it.rows || !it.matrix || !it.step || !it.z) return ln_no_memory(problem->report);
    double sum, damping = 1;
    LN_TRY(stand(&it, z, &sum, residual));
    for (int k = 0, slow = 0; k < MOST_STEPS && slow < PATIENCE && *residual > DONE && isfinite(sum); k++) {
        double least = INFINITY, largest;
        for (int trial = 0; trial < MOST_TRIALS && !(least < sum); trial++) {
            if (trial > 0) damping *= 10;
            if (!find_step(&it, damping * sum)) return ln_no_memory(problem->report);
            go(&it, low, high, z);
            LN_TRY(squares(&it, it.z, 0, &least, &largest));
        }
        if (!(least < sum)) return LINNET_OK;
        slow = least > (1 - LITTLE) * sum ? slow + 1 : 0;
        damping = fmax(damping / 10, LEAST_DAMPING);
        memcpy(z, it.z, size * sizeof *z);
        LN_TRY(stand(&it, z, &sum, residual));
    }
    return LINNET_OK;
}
