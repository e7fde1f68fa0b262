/* SPDX-License-Identifier: MIT */
/* The functions behind a trim. A parameter may stand anywhere in a model, so a change of one
 * flattens the model anew; f is then compared at the same unknowns. */
#include "analysis/trim_problem.h"

#include "base/sys.h"
#include "base/text.h"
#include "model/scope.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double STEP = 6e-6; /* cube root of the rounding: central differences */

/* ---- the model at p ---- */

/* Everything that can be recorded, for the report of the point found, and behind that the
 * expressions. */
static linnet_status add_expressions(void *context, ln_simulation *simulation) {
    const ln_trim_problem *problem = context;
    LN_TRY(ln_operating_record(NULL, simulation));
    for (int k = 0; k < problem->nexpressions; k++) {
        char name[24];
        const ln_trim_goal *goal = k < problem->nholds ? &problem->holds[k] : &problem->minimise;
        snprintf(name, sizeof name, k < problem->nholds ? "hold %d" : "objective", k + 1);
        linnet_status status = ln_recorder_add_expression(
            simulation->recorder, name, problem->expressions[k], NULL, goal->place);
        if (status != LINNET_OK)
            return status == LINNET_MODEL ? goal->wrong : status;
    }
    return LINNET_OK;
}

/* The request with the free parameters set to p. */
static linnet_status prepare(ln_trim_problem *problem, const double *p, ln_choose_record *record,
                             void *context, ln_simulation *simulation) {
    ln_request request = *problem->request;
    ln_arena *arena = ln_arena_new();
    int count = request.noverrides + problem->m;
    ln_override *overrides = arena != NULL ? LN_NEW(arena, ln_override, count) : NULL;
    linnet_status status = overrides != NULL ? LINNET_OK : ln_no_memory(problem->report);
    for (int k = 0; status == LINNET_OK && k < request.noverrides; k++)
        overrides[k] = request.overrides[k];
    for (int k = 0; status == LINNET_OK && k < problem->m; k++) {
        char number[32];
        ln_number_format(number, p[k]);
        const char *value = ln_arena_string(arena, number);
        if (value == NULL)
            status = ln_no_memory(problem->report);
        else
            overrides[request.noverrides + k] =
                (ln_override){problem->frees[problem->parameters[k]].name, value};
    }
    request.overrides = overrides;
    request.noverrides = count;
    if (status == LINNET_OK)
        status = ln_simulation_prepare(simulation, problem->model, &request, 0,
                                       &(ln_record_choice){record, context}, problem->report);
    ln_arena_free(arena);
    return status;
}

linnet_status ln_trim_build(ln_trim_problem *problem, const double *p) {
    if (problem->built && memcmp(problem->p, p, (size_t)problem->m * sizeof *p) == 0)
        return LINNET_OK;
    if (problem->built)
        ln_simulation_free(&problem->at);
    problem->built = 1;
    linnet_status status = prepare(problem, p, add_expressions, problem, &problem->at);
    if (status == LINNET_OK && problem->n > 0 && problem->at.system->n != problem->n)
        status = ln_fail(problem->report, LINNET_MODEL, LN_NOWHERE,
                         "a free parameter changes the structure of the model; "
                         "only values can be trimmed");
    if (problem->p != NULL)
        memcpy(problem->p, p, (size_t)problem->m * sizeof *p);
    return status;
}

/* ---- reading the request ---- */

/* The quantity that a wish names: a constant or an unknown. */
static linnet_status find_wish(ln_trim_problem *problem, const ln_simulation *plain,
                               const ln_trim_wish *wish, ln_quantity *quantity) {
    const char *nearest = NULL;
    if (!ln_network_find(plain->network, wish->name, quantity, &nearest))
        return ln_fail(problem->report, wish->wrong, wish->place, "there is no '%s'%s%s%s",
                       wish->name, nearest != NULL ? "; did you mean '" : "",
                       nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
    if (quantity->kind != LN_Q_CONSTANT && quantity->kind != LN_Q_UNKNOWN)
        return ln_fail(problem->report, wish->wrong, wish->place,
                       "'%s' is computed from other values and cannot be free; name a "
                       "parameter, or a link, signal or state",
                       wish->name);
    return LINNET_OK;
}

static linnet_status read_wish(ln_trim_problem *problem, const ln_simulation *plain,
                               const ln_trim_wish *wish, ln_trim_freed *out) {
    ln_quantity quantity;
    LN_TRY(find_wish(problem, plain, wish, &quantity));
    *out = (ln_trim_freed){.name = wish->name,
                           .unit = quantity.unit != NULL ? quantity.unit : "",
                           .unknown = quantity.kind == LN_Q_UNKNOWN ? quantity.index : -1,
                           .guess = quantity.kind == LN_Q_CONSTANT ? quantity.value : NAN,
                           .low = -INFINITY,
                           .high = INFINITY};
    double *targets[3] = {&out->guess, &out->low, &out->high};
    for (int k = 0; k < 3; k++) {
        if (wish->values[k] == NULL)
            continue;
        linnet_status status = ln_scope_value(plain->network->scope, wish->values[k], out->unit,
                                              wish->place, targets[k]);
        if (status != LINNET_OK)
            return status == LINNET_MODEL ? wish->wrong : status;
    }
    if (!(out->low <= out->high) || out->guess < out->low || out->guess > out->high)
        return ln_fail(problem->report, wish->wrong, wish->place,
                       "%s: the guess, %.9g, must lie between the bounds, %.9g and %.9g",
                       wish->name, out->guess, out->low, out->high);
    return LINNET_OK;
}

/* "a = b" as (a) - (b) */
static linnet_status read_hold(ln_trim_problem *problem, const ln_trim_goal *goal,
                               const char **out) {
    const char *text = goal->text, *equals = strchr(text, '=');
    if (equals == NULL || equals == text || strchr(equals + 1, '=') != NULL || equals[1] == '\0' ||
        equals[-1] == '<' || equals[-1] == '>' || equals[-1] == '!')
        return ln_fail(problem->report, goal->wrong, goal->place,
                       "'%s' is not of the form EXPRESSION = VALUE", text);
    *out = ln_arena_printf(problem->arena, "(%.*s) - (%s)", (int)(equals - text), text, equals + 1);
    return *out != NULL ? LINNET_OK : ln_no_memory(problem->report);
}

static linnet_status read_request(ln_trim_problem *problem, const ln_simulation *plain) {
    for (int k = 0; k < problem->nfree; k++) {
        LN_TRY(read_wish(problem, plain, &problem->wishes[k], &problem->frees[k]));
        /* numbers of unknowns may change with what is observed: looked up again below */
        if (problem->frees[k].unknown >= 0)
            continue;
        problem->parameters[problem->m++] = k;
    }
    for (int k = 0; k < problem->nholds; k++)
        LN_TRY(read_hold(problem, &problem->holds[k], &problem->expressions[k]));
    problem->nexpressions = problem->nholds;
    if (problem->minimise.text != NULL)
        problem->expressions[problem->nexpressions++] = problem->minimise.text;
    return LINNET_OK;
}

/* ---- begin ---- */

static linnet_status allocate(ln_trim_problem *problem) {
    ln_arena *arena = problem->arena;
    problem->n = problem->at.system->n;
    problem->size = problem->n + problem->m;
    problem->rows = problem->n + problem->nholds;
    if (problem->n > LN_TRIM_MOST)
        return ln_fail(problem->report, LINNET_USAGE, LN_NOWHERE,
                       "the model has %d unknowns; at most %d can be trimmed", problem->n,
                       LN_TRIM_MOST);
    size_t size = (size_t)problem->size, rows = (size_t)problem->rows + 1;
    problem->scale = LN_NEW(arena, double, size);
    problem->row_scale = LN_NEW(arena, double, rows);
    problem->values = LN_NEW(arena, double, rows);
    problem->jacobian = LN_NEW(arena, double, rows *size);
    problem->z_at = LN_NEW(arena, double, size);
    problem->sources = LN_NEW(arena, double, problem->n);
    problem->use = LN_NEW(arena, int, problem->rows);
    return problem->scale && problem->row_scale && problem->values && problem->jacobian &&
                   problem->z_at && problem->sources && problem->use
               ? LINNET_OK
               : ln_no_memory(problem->report);
}

linnet_status ln_trim_begin(ln_trim_problem *problem) {
    ln_simulation plain = {.method_why = ""};
    LN_TRY(ln_trim_gather(problem));
    problem->frees = LN_NEW(problem->arena, ln_trim_freed, problem->nfree);
    problem->parameters = LN_NEW(problem->arena, int, problem->nfree);
    problem->p = LN_NEW(problem->arena, double, problem->nfree);
    problem->expressions = LN_NEW(problem->arena, const char *, problem->nholds + 1);
    if (!problem->frees || !problem->parameters || !problem->p || !problem->expressions)
        return ln_no_memory(problem->report);
    linnet_status status = prepare(problem, NULL, NULL, NULL, &plain);
    if (status == LINNET_OK)
        status = read_request(problem, &plain);
    /* units outlive the network that told them */
    for (int k = 0; status == LINNET_OK && k < problem->nfree; k++) {
        problem->frees[k].unit = ln_arena_string(problem->arena, problem->frees[k].unit);
        if (problem->frees[k].unit == NULL)
            status = ln_no_memory(problem->report);
    }
    ln_simulation_free(&plain);
    LN_TRY(status);
    double *p = LN_NEW(problem->arena, double, problem->m);
    if (p == NULL)
        return ln_no_memory(problem->report);
    for (int k = 0; k < problem->m; k++)
        p[k] = problem->frees[problem->parameters[k]].guess;
    LN_TRY(ln_trim_build(problem, p));
    for (int k = 0; k < problem->nfree; k++) {
        ln_quantity quantity;
        if (problem->frees[k].unknown < 0)
            continue;
        if (!ln_network_find(problem->at.network, problem->frees[k].name, &quantity, NULL))
            return LINNET_INTERNAL;
        problem->frees[k].unknown = quantity.index;
    }
    return allocate(problem);
}

/* ---- values and slopes ---- */

/* f, holds and objective of the built model at x, into out (rows + 1). */
static linnet_status values_at(ln_trim_problem *problem, const double *x, double *out) {
    ln_system *system = problem->at.system;
    const ln_side side = ln_side_left(problem->at.settings.begin, 0);
    double *s = problem->sources;
    LN_TRY(ln_system_final_sources(system, side, s, problem->report));
    ln_matrix_apply(&system->A, x, out);
    LN_TRY(ln_system_eval(system, &(ln_moment){side, x}, LN_LIMIT_OFF, NULL, out, NULL));
    for (int i = 0; i < problem->n; i++)
        out[i] -= s[i];
    int ncolumns;
    (void)ln_recorder_columns(problem->at.recorder, &ncolumns);
    const double *observed = ln_recorder_observe(problem->at.recorder, system, side, x) + ncolumns -
                             problem->nexpressions;
    for (int k = 0; k < problem->nexpressions; k++)
        out[problem->n + k] = observed[k];
    for (int k = 0; k < problem->rows + (problem->minimise.text != NULL); k++)
        if (!isfinite(out[k]))
            return LINNET_RETRY;
    return LINNET_OK;
}

/* Exact df/dx. */
static void put_jacobian(ln_trim_problem *problem, double *entries) {
    const ln_system *system = problem->at.system;
    ln_system_jacobian(system, 0, entries);
    for (int col = 0; col < problem->n; col++)
        for (int k = system->pattern.start[col]; k < system->pattern.start[col + 1]; k++)
            problem
                ->jacobian[(size_t)system->pattern.row[k] * (size_t)problem->size + (size_t)col] +=
                entries[k];
}

/* Slopes by z[j] of rows from `first` on, by central differences. */
static linnet_status difference(ln_trim_problem *problem, double *z, int j, int first,
                                double *work) {
    size_t rows = (size_t)problem->rows + 1, size = (size_t)problem->size;
    double kept = z[j], h = STEP * fmax(fabs(kept), problem->scale[j]);
    linnet_status status = LINNET_OK;
    for (int side = 0; side < 2 && status == LINNET_OK; side++) {
        z[j] = side == 0 ? kept + h : kept - h;
        if (j >= problem->n)
            status = ln_trim_build(problem, z + problem->n);
        if (status == LINNET_OK)
            status = values_at(problem, z, work + (size_t)side * rows);
    }
    z[j] = kept;
    LN_TRY(status);
    for (size_t k = (size_t)first; k < (size_t)problem->n + (size_t)problem->nexpressions; k++)
        problem->jacobian[k * size + (size_t)j] = (work[k] - work[rows + k]) / (2 * h);
    return LINNET_OK;
}

static linnet_status slopes_at(ln_trim_problem *problem, const double *at, ln_arena *arena) {
    size_t rows = (size_t)problem->rows + 1, size = (size_t)problem->size;
    double *z = LN_NEW(arena, double, size), *work = LN_NEW(arena, double, 2 * rows);
    double *entries = LN_NEW(arena, double, problem->at.system->pattern.start[problem->n]);
    if (z == NULL || work == NULL || entries == NULL)
        return ln_no_memory(problem->report);
    memcpy(z, at, size * sizeof *z);
    memset(problem->jacobian, 0, rows * size * sizeof *problem->jacobian);
    put_jacobian(problem, entries);
    for (int j = 0; j < problem->size; j++)
        LN_TRY(difference(problem, z, j, j < problem->n ? problem->n : 0, work));
    return LINNET_OK;
}

linnet_status ln_trim_evaluate(ln_trim_problem *problem, const double *z, int slopes) {
    if (memcmp(z, problem->z_at, (size_t)problem->size * sizeof *z) != 0)
        problem->have_values = problem->have_jacobian = 0;
    memcpy(problem->z_at, z, (size_t)problem->size * sizeof *z);
    if (problem->have_values && (!slopes || problem->have_jacobian))
        return LINNET_OK;
    LN_TRY(ln_trim_build(problem, z + problem->n));
    LN_TRY(values_at(problem, z, problem->values));
    problem->have_values = 1;
    problem->evaluations++;
    if (!slopes)
        return LINNET_OK;
    ln_arena *arena = ln_arena_new();
    if (arena == NULL)
        return ln_no_memory(problem->report);
    linnet_status status = slopes_at(problem, z, arena);
    ln_arena_free(arena);
    problem->have_jacobian = status == LINNET_OK;
    return status;
}
