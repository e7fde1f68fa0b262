/* SPDX-License-Identifier: MIT */
/* What IDA integrates: see ida_system.h. */
#include "integrate/ida_system.h"

#include <math.h>
#include <string.h>

int ln_ida_size(const ln_ida_system *equations) {
    return equations->run->n + equations->ncharges;
}

void ln_ida_shift(const ln_system *system, double sign, double *values) {
    for (int i = 0; system->common_unknown != NULL && i < system->n; i++)
        if (system->common_unknown[i] >= 0 && system->common_unknown[i] != i)
            values[i] += sign * values[system->common_unknown[i]];
}

void ln_ida_to_x(const ln_ida_system *equations, N_Vector y, double *x) {
    memcpy(x, N_VGetArrayPointer(y), (size_t)equations->run->n * sizeof *x);
    ln_ida_shift(equations->run->system, 1, x);
}

/* ---- residual and matrix ---- */

/* The residual to r and the system's entries, at the point and the rates of change that stand in
 * `equations`, with z and z'. */
static linnet_status fill_residual(ln_ida_system *equations, ln_side side, const double *z,
                                   const double *z_rate, double *r) {
    const ln_run *run = equations->run;
    ln_system *system = run->system;
    double *stored = equations->stored;
    LN_TRY(ln_system_sources(system, side, run->s));
    ln_matrix_apply(&system->A, equations->point, r);
    ln_matrix_add(&system->E, equations->slope, r);
    memset(stored, 0, (size_t)system->n * sizeof *stored);
    LN_TRY(ln_system_eval(system, &(ln_moment){side, equations->point}, LN_LIMIT_ON, stored, r,
                          &equations->limited));
    for (int k = 0; k < equations->ncharges; k++) {
        r[equations->row[k]] += z_rate[k];
        r[system->n + k] = z[k] - stored[equations->row[k]];
    }
    for (int i = 0; i < system->n; i++)
        r[i] -= run->s[i];
    return LINNET_OK;
}

/* Where a frozen branch has no value it is taken anew, whole: what was refused has added a part of
 * its terms already. */
int ln_ida_residual(sunrealtype t, N_Vector at, N_Vector rates, N_Vector out, void *data) {
    ln_ida_system *equations = data;
    ln_run *run = equations->run;
    ln_side side = ln_side_at(equations->side, t);
    const double *z = N_VGetArrayPointer(at) + run->n, *z_rate = N_VGetArrayPointer(rates) + run->n;
    linnet_status status;
    ln_ida_to_x(equations, at, equations->point);
    ln_ida_to_x(equations, rates, equations->slope);
    do {
        status = fill_residual(equations, side, z, z_rate, N_VGetArrayPointer(out));
        run->outcome = status == LINNET_RETRY ? LN_NEWTON_REFUSED : LN_NEWTON_CONVERGED;
    } while (ln_run_follow(run, &side));
    return status == LINNET_OK ? 0 : status == LINNET_MEMORY ? -1 : 1;
}

/* dq/dx of the last evaluation, for the solver and the charges' units. */
static void note_storage(ln_ida_system *equations) {
    const ln_system *system = equations->run->system;
    memset(equations->least, 0, (size_t)equations->ncharges * sizeof *equations->least);
    for (int k = 0; k < system->ndq; k++) {
        equations->dq[k] = system->dq[k];
        equations->least[equations->charge_of[system->dq_row[k]]] +=
            fabs(system->dq[k]) * system->abstol[system->dq_col[k]];
    }
}

/* The values of K at the positions of the system's pattern, which the solver below knows; at the
 * point of the last residual. */
int ln_ida_jacobian(sunrealtype t, sunrealtype cj, N_Vector at, N_Vector rates, N_Vector r,
                    SUNMatrix matrix, void *data, N_Vector work1, N_Vector work2, N_Vector work3) {
    (void)t, (void)at, (void)rates, (void)r, (void)work1, (void)work2, (void)work3;
    ln_ida_system *equations = data;
    equations->factored = cj;
    note_storage(equations);
    ln_system_jacobian(equations->run->system, cj, SUNSparseMatrix_Data(matrix));
    return 0;
}

/* With z = 0 and z' = 0 the residual tells both, with the other sign. */
linnet_status ln_ida_begin_at(ln_ida_system *equations, const double *x, const double *rate,
                              N_Vector y, N_Vector slope) {
    const size_t size = (size_t)equations->run->n * sizeof *x;
    const int n = equations->run->n, ncharges = equations->ncharges;
    double *values = N_VGetArrayPointer(y), *slopes = N_VGetArrayPointer(slope);
    memcpy(equations->point, x, size);
    memcpy(equations->slope, rate, size);
    N_VConst(0, y);
    N_VConst(0, slope);
    LN_TRY(fill_residual(equations, equations->side, values + n, slopes + n, values));
    note_storage(equations);
    for (int k = 0; k < ncharges; k++) {
        slopes[n + k] = -values[equations->row[k]];
        values[n + k] = -values[n + k];
    }
    memcpy(values, equations->point, size);
    memcpy(slopes, equations->slope, size);
    ln_ida_shift(equations->run->system, -1, values);
    ln_ida_shift(equations->run->system, -1, slopes);
    ln_ida_note_charges(equations, y);
    return LINNET_OK;
}

/* ---- the linear solver, as IDA sees it ---- */

static SUNLinearSolver_Type tell_type(SUNLinearSolver solver) {
    (void)solver;
    return SUNLINEARSOLVER_DIRECT;
}

/* A singular matrix (a junction that Newton has thrown far) asks for a shorter step. */
static int factor(SUNLinearSolver of, SUNMatrix matrix) {
    ln_ida_system *equations = of->content;
    switch (ln_linear_factor(equations->linear, SUNSparseMatrix_Data(matrix))) {
    case LN_FACTORED: return 0;
    case LN_SINGULAR: return 1;
    case LN_FACTOR_MEMORY: break;
    }
    equations->run->out_of_memory = 1;
    return -1;
}

void ln_ida_solve(void *data, double *b) {
    const ln_ida_system *equations = data;
    ln_linear_solve(equations->linear, b);
    ln_ida_shift(equations->run->system, -1, b);
}

static int solve_for(SUNLinearSolver of, SUNMatrix matrix, N_Vector y, N_Vector b,
                     sunrealtype tolerance) {
    (void)matrix, (void)tolerance;
    const ln_ida_system *equations = of->content;
    const ln_system *system = equations->run->system;
    double *dx = N_VGetArrayPointer(y), *dz = dx + system->n;
    memcpy(dx, N_VGetArrayPointer(b), (size_t)ln_ida_size(equations) * sizeof *dx);
    for (int k = 0; k < equations->ncharges; k++)
        dx[equations->row[k]] -= equations->factored * dz[k];
    ln_linear_solve(equations->linear, dx);
    for (int k = 0; k < system->ndq; k++)
        dz[equations->charge_of[system->dq_row[k]]] += equations->dq[k] * dx[system->dq_col[k]];
    ln_ida_shift(system, -1, dx);
    return 0;
}

static SUNLinearSolver make_solver(ln_ida_system *equations, SUNContext context) {
    SUNLinearSolver made = SUNLinSolNewEmpty(context);
    if (made == NULL)
        return NULL;
    made->content = equations;
    made->ops->gettype = tell_type;
    made->ops->setup = factor;
    made->ops->solve = solve_for;
    return made;
}

/* ---- charges ---- */

/* Rows that q_nl is in, in order. */
static linnet_status list_charges(ln_ida_system *equations, ln_arena *arena) {
    const ln_system *system = equations->run->system;
    const int n = system->n;
    equations->charge_of = LN_NEW(arena, int, n);
    equations->row = LN_NEW(arena, int, n);
    if (equations->charge_of == NULL || equations->row == NULL)
        return LINNET_MEMORY;
    for (int i = 0; i < n; i++)
        equations->charge_of[i] = -1;
    for (int k = 0; k < system->ndq; k++)
        equations->charge_of[system->dq_row[k]] = 0;
    for (int i = 0; i < n; i++)
        if (equations->charge_of[i] == 0) {
            equations->charge_of[i] = equations->ncharges;
            equations->row[equations->ncharges++] = i;
        }
    return LINNET_OK;
}

linnet_status ln_ida_system_init(ln_ida_system *equations, ln_run *run, SUNContext context) {
    const ln_pattern *pattern = &run->system->pattern;
    double **vectors[] = {&equations->point, &equations->slope, &equations->stored};
    equations->run = run;
    LN_TRY(list_charges(equations, run->arena));
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if ((*vectors[k] = LN_NEW(run->arena, double, run->n)) == NULL)
            return LINNET_MEMORY;
    equations->peak = LN_NEW(run->arena, double, equations->ncharges);
    equations->least = LN_NEW(run->arena, double, equations->ncharges);
    equations->dq = LN_NEW(run->arena, double, run->system->ndq);
    equations->linear = ln_linear_new(pattern, run->settings->linear);
    equations->matrix = SUNSparseMatrix(run->n, run->n, pattern->start[run->n], CSC_MAT, context);
    equations->solver = make_solver(equations, context);
    return equations->peak != NULL && equations->least != NULL && equations->dq != NULL &&
                   equations->linear != NULL && equations->matrix != NULL &&
                   equations->solver != NULL
               ? LINNET_OK
               : LINNET_MEMORY;
}

void ln_ida_system_free(ln_ida_system *equations) {
    if (equations->solver != NULL)
        SUNLinSolFreeEmpty(equations->solver);
    ln_linear_free(equations->linear);
    if (equations->matrix != NULL)
        SUNMatDestroy(equations->matrix);
}

/* What is stored at a tolerance of its unknowns is no measure: at the knee of iron a flux that is
 * off by little moves a current by much. So a charge counts by itself. */
double ln_ida_charge_unit(const ln_ida_system *equations, int k, double size) {
    return ln_larger(size, LN_OF_REACH * equations->peak[k]) +
           equations->least[k] / LN_DEFAULT_TOLERANCE;
}

void ln_ida_note_charges(ln_ida_system *equations, N_Vector y) {
    const double *z = N_VGetArrayPointer(y) + equations->run->n;
    for (int k = 0; k < equations->ncharges; k++)
        equations->peak[k] = ln_larger(equations->peak[k], fabs(z[k]));
}

void ln_ida_errors_stored(const ln_ida_system *equations, N_Vector errors, double *stored) {
    const double *z = N_VGetArrayPointer(errors) + equations->run->n;
    ln_ida_to_x(equations, errors, equations->point);
    ln_matrix_apply(&equations->run->system->E, equations->point, stored);
    for (int k = 0; k < equations->ncharges; k++)
        stored[equations->row[k]] += z[k];
}
