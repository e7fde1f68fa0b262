/* SPDX-License-Identifier: MIT */
/* The public API's points: the operating point as a result of one row, and the model linearised at
 * a point for the analyses of api_linear.c. */
#include "analysis/api_point.h"

#include "analysis/trim.h"
#include "integrate/operating_point.h"
#include "model/scope.h"
#include <string.h>

/* ---- the operating point ---- */

/* The trim that the model asks for, else the plain operating point. */
static linnet_status find(linnet_model *model, ln_operating *op, ln_report *report) {
    const ln_trim_request nothing_more = {.minimise = NULL};
    ln_request request = model->request;
    request.at_rest = 1;
    if (ln_trim_asked(model->model, &nothing_more)) {
        ln_trim trim;
        linnet_status status =
            ln_trim_find(model->model, &request, &nothing_more, report, op, &trim);
        ln_trim_free(&trim);
        return status;
    }
    LN_TRY(ln_operating_prepare(op, model->model, &request, report));
    return ln_operating_find(op);
}

static linnet_status one_row(const ln_operating *op, linnet_result **result, ln_report *report) {
    *result = ln_result_new();
    if (*result == NULL)
        return ln_no_memory(report);
    LN_TRY(ln_result_open(*result, op->columns, op->ncolumns, report));
    return ln_result_row(*result, op->simulation.settings.begin, op->values, report);
}

linnet_status linnet_operating_point(linnet_model *model, linnet_result **result) {
    if (model == NULL || result == NULL)
        return LINNET_USAGE;
    *result = NULL;
    ln_report *report = ln_api_begin(model);
    ln_operating op = {.simulation = {.method_why = ""}};
    linnet_status status = ln_api_request(model, NULL, report);
    if (status == LINNET_OK)
        status = find(model, &op, report);
    if (status == LINNET_OK)
        status = one_row(&op, result, report);
    ln_operating_free(&op);
    return ln_api_end(report, status);
}

/* ---- linearised ---- */

/* What is looked at must be known before the system is built; a wrong name is the caller's fault.
 */
static linnet_status choose(void *context, ln_simulation *simulation) {
    const char *outputs = context;
    if (outputs == NULL)
        return LINNET_OK;
    linnet_status status = ln_recorder_add(simulation->recorder, outputs, LN_NOWHERE);
    return status == LINNET_MODEL ? LINNET_USAGE : status;
}

linnet_status ln_api_point_reach(ln_api_point *point, linnet_model *model, const char *at,
                                 const char *outputs, ln_report *report) {
    *point = (ln_api_point){.simulation = {.method_why = ""}, .small = {.means = ""}};
    LN_TRY(ln_api_request(model, outputs, report));
    ln_request request = model->request;
    request.at_rest = at == NULL;
    char *names = outputs != NULL ? ln_arena_string(model->arena, outputs) : NULL;
    if (outputs != NULL && names == NULL)
        return ln_no_memory(report);
    LN_TRY(ln_simulation_prepare(&point->simulation, model->model, &request, at != NULL,
                                 &(ln_record_choice){choose, names}, report));
    if (at == NULL)
        return ln_small_signal_at_rest(&point->simulation, &point->small);
    double t;
    linnet_status status =
        ln_scope_value(point->simulation.network->scope, at, "s", LN_NOWHERE, &t);
    if (status != LINNET_OK)
        return status == LINNET_MODEL ? LINNET_USAGE : status;
    return ln_small_signal_at_time(&point->simulation, t, NULL, NULL, &point->small);
}

void ln_api_point_free(ln_api_point *point) {
    ln_small_signal_free(&point->small);
    ln_simulation_free(&point->simulation);
}
