/* SPDX-License-Identifier: MIT */
/* The only file that includes NLopt. Variables are scaled by their size, rows by what their terms
 * amount to. */
#include "analysis/trim_problem.h"

#include "integrate/operating_point.h"
#include "model/model.h"
#include <math.h>
#include <nlopt.h>
#include <string.h>

static const double ENOUGH = 1e-9; /* scaled residual that counts as met */
/* in place of what has no value: the line search then steps back */
static const double FAR = 1e10;
enum { MOST_EVALUATIONS = 1000 };

typedef struct solving {
    ln_trim_problem *problem;
    nlopt_opt optimiser;
    double *z, *start; /* size each, unscaled: the point at hand; the guess */
    double *from;      /* where SLSQP begins */
} solving;

/* ---- what NLopt calls ---- */

/* Evaluates at the scaled point; 0 when there is no value, or no going on. */
static int evaluate(solving *solution, const double *y, int slopes) {
    ln_trim_problem *problem = solution->problem;
    for (int j = 0; j < problem->size; j++)
        solution->z[j] = y[j] * problem->scale[j];
    linnet_status status = ln_trim_evaluate(problem, solution->z, slopes);
    if (status < 0) {
        problem->status = status;
        (void)nlopt_force_stop(solution->optimiser);
    }
    return status == LINNET_OK;
}

static double objective(unsigned size, const double *y, double *gradient, void *context) {
    solving *solution = context;
    ln_trim_problem *problem = solution->problem;
    if (problem->minimise.text == NULL) { /* nearest to the guess */
        double sum = 0;
        for (unsigned j = 0; j < size; j++) {
            double away = y[j] - solution->start[j] / problem->scale[j];
            sum += away * away / 2;
            if (gradient != NULL)
                gradient[j] = away;
        }
        return sum;
    }
    int rows = problem->rows;
    if (gradient != NULL)
        memset(gradient, 0, size * sizeof *gradient);
    if (!evaluate(solution, y, gradient != NULL))
        return FAR;
    const double *slopes = problem->jacobian + (size_t)rows * size;
    for (unsigned j = 0; gradient != NULL && j < size; j++)
        gradient[j] = slopes[j] * problem->scale[j] / problem->row_scale[rows];
    return problem->values[rows] / problem->row_scale[rows];
}

static void constraints(unsigned rows, double *result, unsigned size, const double *y,
                        double *gradient, void *context) {
    solving *solution = context;
    ln_trim_problem *problem = solution->problem;
    int done = evaluate(solution, y, gradient != NULL);
    for (unsigned k = 0; k < rows; k++) {
        unsigned i = (unsigned)problem->use[k];
        result[k] = done ? problem->values[i] / problem->row_scale[i] : FAR;
        for (unsigned j = 0; gradient != NULL && j < size; j++)
            gradient[k * size + j] =
                done ? problem->jacobian[i * size + j] * problem->scale[j] / problem->row_scale[i]
                     : 0;
    }
}

/* ---- before and after ---- */

static void ignore(void *context, ln_severity severity, ln_place place, const char *text) {
    (void)context;
    (void)severity;
    (void)place;
    (void)text;
}

/* The guess: the operating point with the parameters as guessed, if there is one, else the start
 * values; then what the request says. */
static linnet_status guess(ln_trim_problem *problem, double *z) {
    ln_report *quiet = ln_report_new(ignore, NULL);
    if (quiet == NULL)
        return ln_no_memory(problem->report);
    ln_operating_point point;
    linnet_status status = ln_operating_point_find(problem->at.system, &problem->at.settings,
                                                   problem->arena, quiet, z, &point);
    ln_report_free(quiet);
    if (status != LINNET_OK)
        LN_TRY(ln_system_start_values(problem->at.system, z, problem->report));
    for (int k = 0; k < problem->m; k++)
        z[problem->n + k] = problem->frees[problem->parameters[k]].guess;
    for (int k = 0; k < problem->nfree; k++) {
        const ln_trim_freed *one = &problem->frees[k];
        if (one->unknown < 0)
            continue;
        if (!isnan(one->guess))
            z[one->unknown] = one->guess;
        z[one->unknown] = fmin(fmax(z[one->unknown], one->low), one->high);
    }
    return LINNET_OK;
}

/* Sizes of variables and rows at the guess. */
static linnet_status choose_scales(ln_trim_problem *problem, const double *z) {
    for (int j = 0; j < problem->n; j++)
        problem->scale[j] = fmax(fabs(z[j]), problem->at.system->nominal[j]);
    for (int k = 0; k < problem->m; k++) {
        const ln_trim_freed *one = &problem->frees[problem->parameters[k]];
        double span = one->high - one->low, size = fabs(one->guess);
        problem->scale[problem->n + k] = size > 0 ? size : isfinite(span) && span > 0 ? span : 1;
    }
    linnet_status status = ln_trim_evaluate(problem, z, 1);
    if (status == LINNET_RETRY)
        return ln_fail(problem->report, LINNET_FAILED, LN_NOWHERE,
                       "the trim cannot begin: something has no finite value at the "
                       "guess; give other guesses");
    LN_TRY(status);
    for (int i = 0; i <= problem->rows; i++) {
        double sum = 0;
        for (int j = 0; j < problem->size; j++)
            sum += fabs(problem->jacobian[(size_t)i * (size_t)problem->size + (size_t)j]) *
                   problem->scale[j];
        problem->row_scale[i] = sum > 0 && isfinite(sum) ? sum : 1;
    }
    return LINNET_OK;
}

static linnet_status failed(ln_trim_problem *problem, double residual, int worst) {
    char name[160];
    if (worst >= problem->n)
        return ln_fail(problem->report, LINNET_FAILED, problem->holds[worst - problem->n].place,
                       "no trim found: '%s' cannot be held, it is off by %.3g; free "
                       "more, widen the bounds or give other guesses",
                       problem->holds[worst - problem->n].text, problem->values[worst]);
    ln_network_row_text(problem->at.network, worst, name);
    return ln_fail(
        problem->report, LINNET_FAILED, ln_network_unknown_place(problem->at.network, worst),
        "no trim found: %s is "
        "not at rest (relative residual %.2g); free more, widen the bounds or give other guesses",
        name, residual);
}

/* The largest scaled residual at it->z, and its row. */
static double worst_residual(const ln_trim_problem *problem, int *worst) {
    double largest = 0;
    *worst = 0;
    for (int i = 0; i < problem->rows; i++) {
        double size = fabs(problem->values[i]) / problem->row_scale[i];
        if (size <= largest)
            continue;
        largest = size;
        *worst = i;
    }
    return largest;
}

static linnet_status choose_bounds(ln_trim_problem *problem) {
    const size_t size = (size_t)problem->size;
    problem->low = LN_NEW(problem->arena, double, size);
    problem->high = LN_NEW(problem->arena, double, size);
    if (problem->low == NULL || problem->high == NULL)
        return ln_no_memory(problem->report);
    for (size_t j = 0; j < size; j++)
        problem->low[j] = -INFINITY, problem->high[j] = INFINITY;
    for (int k = 0, parameter = 0; k < problem->nfree; k++) {
        const ln_trim_freed *one = &problem->frees[k];
        const int j = one->unknown >= 0 ? one->unknown : problem->n + parameter++;
        problem->low[j] = one->low / problem->scale[j];
        problem->high[j] = one->high / problem->scale[j];
    }
    return LINNET_OK;
}

static linnet_status set_up(solving *solution, double *y) {
    ln_trim_problem *problem = solution->problem;
    double *tolerance = LN_NEW(problem->arena, double, problem->rows);
    if (tolerance == NULL)
        return ln_no_memory(problem->report);
    for (int j = 0; j < problem->size; j++)
        y[j] = solution->from[j] / problem->scale[j];
    for (int i = 0; i < problem->nuse; i++)
        tolerance[i] = 1e-13;
    const nlopt_result results[] = {
        nlopt_set_lower_bounds(solution->optimiser, problem->low),
        nlopt_set_upper_bounds(solution->optimiser, problem->high),
        nlopt_set_min_objective(solution->optimiser, objective, solution),
        nlopt_add_equality_mconstraint(solution->optimiser, (unsigned)problem->nuse, constraints,
                                       solution, tolerance),
        nlopt_set_xtol_rel(solution->optimiser, 1e-14),
        nlopt_set_maxeval(solution->optimiser, MOST_EVALUATIONS)};
    for (size_t k = 0; k < sizeof results / sizeof *results; k++) {
        if (results[k] == NLOPT_OUT_OF_MEMORY)
            return ln_no_memory(problem->report);
        if (results[k] < 0)
            return LINNET_INTERNAL;
    }
    return LINNET_OK;
}

/* One attempt with the rows chosen; *residual is what it leaves of all rows, INFINITY where there
 * is no value. */
static linnet_status attempt(solving *solution, double *residual, int *worst) {
    ln_trim_problem *problem = solution->problem;
    double *y = LN_NEW(problem->arena, double, problem->size), least;
    solution->optimiser = nlopt_create(NLOPT_LD_SLSQP, (unsigned)problem->size);
    if (y == NULL || solution->optimiser == NULL)
        return ln_no_memory(problem->report);
    linnet_status status = set_up(solution, y);
    nlopt_result result =
        status == LINNET_OK ? nlopt_optimize(solution->optimiser, y, &least) : NLOPT_FAILURE;
    if (status == LINNET_OK)
        status = result == NLOPT_OUT_OF_MEMORY ? ln_no_memory(problem->report) : problem->status;
    *residual = INFINITY;
    *worst = 0;
    if (status == LINNET_OK && evaluate(solution, y, 0))
        *residual = worst_residual(problem, worst);
    nlopt_destroy(solution->optimiser);
    solution->optimiser = NULL;
    return status < 0 ? status : LINNET_OK;
}

/* Rows that depend on others (an integrator behind a constant zero) leave SLSQP without a step:
 * only a basis of them, as they are where it begins, is posed then. All are looked at in the end.
 */
static linnet_status choose_basis(solving *solution) {
    ln_trim_problem *problem = solution->problem;
    size_t rows = (size_t)problem->rows, size = (size_t)problem->size;
    LN_TRY(ln_trim_evaluate(problem, solution->from, 1));
    double *matrix = LN_NEW(problem->arena, double, rows *size),
           *dependence = LN_NEW(problem->arena, double, rows *rows);
    if (matrix == NULL || dependence == NULL)
        return ln_no_memory(problem->report);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < size; j++)
            matrix[j * rows + i] =
                problem->jacobian[i * size + j] * problem->scale[j] / problem->row_scale[i];
    problem->nuse =
        ln_dense_row_basis((int)rows, (int)size, matrix, 1e-9, problem->use, dependence);
    return problem->nuse >= 0 ? LINNET_OK : ln_no_memory(problem->report);
}

/* The guess, or where SLSQP has ended with this residual, if that is less: of rows that nearly
 * depend on each other it may come near and find no end (a quadcopter at 2e-6 after 1000
 * evaluations, by the rounding of one processor's BLAS). */
static linnet_status nearest(solving *solution, double residual, double *z) {
    ln_trim_problem *problem = solution->problem;
    const size_t bytes = (size_t)problem->size * sizeof *z;
    int worst;
    memcpy(z, solution->z, bytes);
    LN_TRY(ln_trim_evaluate(problem, solution->start, 0));
    if (!(residual < worst_residual(problem, &worst)))
        memcpy(z, solution->start, bytes);
    return LINNET_OK;
}

/* Rows may depend on each other at the solution only: the four of a quaternion, whose length is one
 * there. So a point at which all holds is approached first, the basis is chosen there, and SLSQP
 * goes on from it. */
static linnet_status from_nearby(solving *solution, double *residual, int *worst) {
    ln_trim_problem *problem = solution->problem;
    double *z = LN_NEW(problem->arena, double, problem->size);
    if (z == NULL)
        return ln_no_memory(problem->report);
    LN_TRY(nearest(solution, *residual, z));
    LN_TRY(ln_trim_approach(problem, problem->low, problem->high, z, residual));
    if (*residual > ENOUGH)
        return LINNET_OK;
    solution->from = z;
    LN_TRY(choose_basis(solution));
    LN_TRY(attempt(solution, residual, worst));
    if (*residual <= ENOUGH || problem->minimise.text != NULL)
        return LINNET_OK;
    memcpy(solution->z, z, (size_t)problem->size * sizeof *z); /* the point itself, then */
    LN_TRY(ln_trim_evaluate(problem, solution->z, 0));
    *residual = worst_residual(problem, worst);
    return LINNET_OK;
}

static linnet_status from_guess(solving *solution, double *residual, int *worst) {
    ln_trim_problem *problem = solution->problem;
    /* more conditions than variables cannot be independent */
    if (problem->rows <= problem->size) {
        problem->nuse = problem->rows;
        for (int i = 0; i < problem->rows; i++)
            problem->use[i] = i;
        LN_TRY(attempt(solution, residual, worst));
        if (*residual <= ENOUGH)
            return LINNET_OK;
    }
    LN_TRY(choose_basis(solution));
    return problem->nuse < problem->rows ? attempt(solution, residual, worst) : LINNET_OK;
}

static linnet_status solve_in(solving *solution) {
    double residual = INFINITY;
    int worst = 0;
    LN_TRY(from_guess(solution, &residual, &worst));
    if (residual > ENOUGH)
        LN_TRY(from_nearby(solution, &residual, &worst));
    return residual <= ENOUGH ? LINNET_OK : failed(solution->problem, residual, worst);
}

/* ---- the result ---- */

static linnet_status report_values(const ln_trim_problem *problem, const double *z, ln_trim *out) {
    int worst;
    out->found = LN_NEW(out->arena, ln_trim_value, problem->m);
    if (out->found == NULL)
        return ln_no_memory(problem->report);
    for (int k = 0; k < problem->m; k++) {
        const ln_trim_freed *one = &problem->frees[problem->parameters[k]];
        double value = z[problem->n + k], near = 1e-9 * problem->scale[problem->n + k];
        out->found[out->nfound++] =
            (ln_trim_value){one->name, one->unit, value,
                            fabs(value - one->low) <= near || fabs(value - one->high) <= near};
    }
    out->minimised = problem->minimise.text;
    out->objective = problem->values[problem->rows];
    out->evaluations = problem->evaluations;
    out->residual = worst_residual(problem, &worst);
    return LINNET_OK;
}

/* The trimmed model becomes the operating point's. */
static linnet_status hand_over(ln_trim_problem *problem, const double *z, ln_operating *op) {
    LN_TRY(ln_trim_build(problem, z + problem->n));
    size_t n = (size_t)problem->n;
    op->simulation = problem->at;
    problem->at = (ln_simulation){.method_why = ""};
    problem->built = 0;
    op->x = LN_NEW(op->arena, double, n);
    op->point = (ln_operating_point){.start = LN_NEW(op->arena, double, n),
                                     .free_unknown = LN_NEW(op->arena, char, n),
                                     .means = "a trim (SLSQP)",
                                     .iterations = problem->evaluations};
    if (op->x == NULL || op->point.start == NULL || op->point.free_unknown == NULL)
        return ln_no_memory(problem->report);
    memcpy(op->x, z, n * sizeof *z);
    memcpy(op->point.start, z, n * sizeof *z);
    LN_TRY(ln_operating_observe(op));
    op->ncolumns -= problem->nexpressions; /* they stand at the end */
    return LINNET_OK;
}

static linnet_status find_in(ln_trim_problem *problem, ln_operating *op, ln_trim *out) {
    LN_TRY(ln_trim_begin(problem));
    solving solution = {.problem = problem,
                        .z = LN_NEW(problem->arena, double, problem->size),
                        .start = LN_NEW(problem->arena, double, problem->size)};
    if (solution.z == NULL || solution.start == NULL)
        return ln_no_memory(problem->report);
    LN_TRY(guess(problem, solution.start));
    solution.from = solution.start;
    LN_TRY(choose_scales(problem, solution.start));
    LN_TRY(choose_bounds(problem));
    linnet_status status = solve_in(&solution);
    if (status == LINNET_OK)
        status = report_values(problem, solution.z, out);
    return status == LINNET_OK ? hand_over(problem, solution.z, op) : status;
}

linnet_status ln_trim_find(const ln_model *model, const ln_request *request,
                           const ln_trim_request *trim, ln_report *report, ln_operating *op,
                           ln_trim *out) {
    *out = (ln_trim){.arena = ln_arena_new()};
    *op = (ln_operating){.simulation = {.method_why = ""}, .arena = ln_arena_new()};
    if (out->arena == NULL || op->arena == NULL)
        return ln_no_memory(report);
    ln_trim_problem problem = {.model = model,
                               .request = request,
                               .texts = trim,
                               .report = report,
                               .arena = out->arena,
                               .at = {.method_why = ""}};
    linnet_status status = ln_report_status(report, find_in(&problem, op, out));
    ln_simulation_free(&problem.at);
    return status;
}

int ln_trim_asked(const ln_model *model, const ln_trim_request *trim) {
    return model->trim != NULL || trim->nfree + trim->nholds > 0 || trim->minimise != NULL;
}

linnet_status ln_trim_check(const ln_model *model, const ln_request *request, ln_report *report) {
    ln_trim_problem problem = {.model = model,
                               .request = request,
                               .texts = &(ln_trim_request){.nfree = 0},
                               .report = report,
                               .arena = ln_arena_new(),
                               .at = {.method_why = ""}};
    linnet_status status = problem.arena != NULL ? ln_trim_begin(&problem) : ln_no_memory(report);
    ln_simulation_free(&problem.at);
    ln_arena_free(problem.arena);
    return status;
}

void ln_trim_free(ln_trim *trim) {
    ln_arena_free(trim->arena);
    *trim = (ln_trim){.nfound = 0};
}
