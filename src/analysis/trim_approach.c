/* SPDX-License-Identifier: MIT */
/* A point at which everything holds, wherever the conditions depend on each other: the method of
 * Levenberg and Marquardt with a damping in proportion to the sum of squares, which converges
 * quadratically also to one of many solutions (N. Yamashita, M. Fukushima, Computing Suppl. 15
 * (2001) 239). Variables and rows are scaled as for SLSQP. */
#include "analysis/trim_problem.h"

#include "linear/linear.h"
#include <math.h>
#include <string.h>

enum { MOST_STEPS = 100, MOST_TRIALS = 12, PATIENCE = 5 };
/* of the sum, gained by a step */
static const double RANK = 1e-14, DONE = 1e-13, LEAST_DAMPING = 1e-8, LITTLE = 1e-3;

typedef struct approach {
    ln_trim_problem *problem;
    double *slopes, *rows;     /* at the point: rows x size, column by column; rows; scaled */
    double *matrix, *step, *z; /* (rows + size) x size; rows + size; size */
} approach;

/* Sum of squares of the scaled rows at z, INFINITY where they have no value; *largest of them. */
static linnet_status squares(const approach *method, const double *z, int slopes, double *sum,
                             double *largest) {
    const ln_trim_problem *problem = method->problem;
    *sum = *largest = INFINITY;
    linnet_status status = ln_trim_evaluate(method->problem, z, slopes);
    if (status != LINNET_OK)
        return status < 0 ? status : LINNET_OK;
    *sum = *largest = 0;
    for (int i = 0; i < problem->rows; i++) {
        const double value = problem->values[i] / problem->row_scale[i];
        *sum += value * value;
        *largest = fmax(*largest, fabs(value));
    }
    return LINNET_OK;
}

/* The point, with its slopes. */
static linnet_status stand(const approach *method, const double *z, double *sum, double *largest) {
    const ln_trim_problem *problem = method->problem;
    const size_t rows = (size_t)problem->rows, size = (size_t)problem->size;
    LN_TRY(squares(method, z, 1, sum, largest));
    for (size_t i = 0; i < rows; i++) {
        method->rows[i] = problem->values[i] / problem->row_scale[i];
        for (size_t j = 0; j < size; j++)
            method->slopes[j * rows + i] =
                problem->jacobian[i * size + j] * problem->scale[j] / problem->row_scale[i];
    }
    return LINNET_OK;
}

/* The step: least squares of the rows and, by the root of the damping, of the step itself. 0:
 * memory is short. */
static int find_step(const approach *method, double damping) {
    const size_t rows = (size_t)method->problem->rows, size = (size_t)method->problem->size,
                 all = rows + size;
    memset(method->matrix, 0, all * size * sizeof *method->matrix);
    memset(method->step, 0, all * sizeof *method->step);
    for (size_t i = 0; i < rows; i++)
        method->step[i] = -method->rows[i];
    for (size_t j = 0; j < size; j++) {
        memcpy(method->matrix + j * all, method->slopes + j * rows, rows * sizeof *method->slopes);
        method->matrix[j * all + rows + j] = sqrt(damping);
    }
    return ln_dense_least_squares((int)all, (int)size, method->matrix, RANK, method->step) >= 0;
}

/* By the step, kept within the bounds. */
static void go(const approach *method, const double *low, const double *high, const double *z) {
    const double *scale = method->problem->scale;
    for (int j = 0; j < method->problem->size; j++)
        method->z[j] = scale[j] * fmin(fmax(z[j] / scale[j] + method->step[j], low[j]), high[j]);
}

linnet_status ln_trim_approach(ln_trim_problem *problem, const double *low, const double *high,
                               double *z, double *residual) {
    const size_t rows = (size_t)problem->rows, size = (size_t)problem->size;
    ln_arena *arena = problem->arena;
    approach method = {problem,
                       LN_NEW(arena, double, rows *size),
                       LN_NEW(arena, double, rows),
                       LN_NEW(arena, double, (rows + size) * size),
                       LN_NEW(arena, double, rows + size),
                       LN_NEW(arena, double, size)};
    if (!LN_ALL_SET(method.slopes, method.rows, method.matrix, method.step, method.z))
        return ln_no_memory(problem->report);
    double sum, damping = 1;
    LN_TRY(stand(&method, z, &sum, residual));
    for (int k = 0, slow = 0; k < MOST_STEPS && slow<PATIENCE && * residual> DONE && isfinite(sum);
         k++) {
        double least = INFINITY, largest;
        for (int trial = 0; trial < MOST_TRIALS && !(least < sum); trial++) {
            if (trial > 0)
                damping *= 10;
            if (!find_step(&method, damping * sum))
                return ln_no_memory(problem->report);
            go(&method, low, high, z);
            LN_TRY(squares(&method, method.z, 0, &least, &largest));
        }
        if (!(least < sum))
            return LINNET_OK;
        slow = least > (1 - LITTLE) * sum ? slow + 1 : 0;
        damping = fmax(damping / 10, LEAST_DAMPING);
        memcpy(z, method.z, size * sizeof *z);
        LN_TRY(stand(&method, z, &sum, residual));
    }
    return LINNET_OK;
}
