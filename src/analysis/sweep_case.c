/* SPDX-License-Identifier: MIT */
/* One case of a sweep: from its number to its line. */
#include "analysis/sweep.h"

#include "base/sys.h"
#include "blocks/catalogue.h"
#include "expression/ast.h"
#include "result/document.h"
#include "base/text.h"
#include "expression/dimension.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- a worker ---- */

linnet_status ln_sweep_worker_init(ln_sweep_worker *worker, const ln_sweep *sweep) {
    size_t count = (size_t)sweep->axes.count;
    *worker =
        (ln_sweep_worker){.sweep = sweep,
                          .overrides = ln_sys->allocate(
                              (count + (size_t)sweep->request.noverrides) * sizeof(ln_override)),
                          .values = ln_sys->allocate(count * sizeof *worker->values)};
    if (worker->overrides != NULL && worker->values != NULL)
        return LINNET_OK;
    ln_sweep_worker_free(worker);
    return LINNET_MEMORY;
}

void ln_sweep_worker_free(ln_sweep_worker *worker) {
    ln_catalogue_free(worker->catalogue);
    ln_sys->release(worker->overrides);
    ln_sys->release(worker->values);
    *worker = (ln_sweep_worker){.catalogue = NULL};
}

/* The first error is the reason, on one line. */
static void note_reason(void *context, ln_severity severity, ln_place place, const char *text) {
    ln_sweep_worker *worker = context;
    (void)place;
    if (severity != LN_ERROR || worker->reason[0] != '\0')
        return;
    snprintf(worker->reason, sizeof worker->reason, "%s", text);
    for (char *at = worker->reason; *at != '\0'; at++)
        if ((unsigned char)*at < ' ')
            *at = ' ';
}

static linnet_status record_nothing(void *context, ln_simulation *simulation) {
    (void)context;
    (void)simulation;
    return LINNET_OK;
}

/* ---- running ---- */

static linnet_status run(ln_sweep_worker *worker, long index, ln_simulation *simulation,
                         ln_report *report) {
    const ln_sweep *sweep = worker->sweep;
    ln_sink nowhere = ln_sink_nowhere, *sink = &nowhere;
    if (sweep->runs != NULL) {
        ln_text path = {0};
        ln_text_printf(&path, "%s/case-%06ld.csv", sweep->runs, index + 1);
        sink = path.failed ? NULL : ln_sink_csv(path.data, report);
        linnet_status status = path.failed ? LINNET_MEMORY : LINNET_IO;
        ln_text_free(&path);
        if (sink == NULL)
            return status;
    }
    return ln_simulation_run(simulation, sink, sweep->stop, sweep->context);
}

/* The types are compiled once. After a case that could not be built they are given up: an error in
 * a type is told only once, and every case is to tell its own. */
static linnet_status prepare(ln_sweep_worker *worker, long index, ln_simulation *simulation,
                             ln_report *report) {
    const ln_sweep *sweep = worker->sweep;
    linnet_status status = LINNET_OK;
    ln_request request = sweep->request;
    for (int k = 0; k < request.noverrides; k++)
        worker->overrides[k] = request.overrides[k];
    for (int k = 0; k < sweep->axes.count; k++)
        worker->overrides[request.noverrides + k] = (ln_override){
            sweep->axes.items[k].name, ln_axis_value(&sweep->axes, k, index, worker->values[k])};
    request.overrides = worker->overrides;
    request.noverrides += sweep->axes.count;
    if (worker->catalogue == NULL)
        worker->catalogue = ln_catalogue_new(sweep->model, report, &status);
    else
        ln_catalogue_tell(worker->catalogue, report);
    if (worker->catalogue == NULL)
        return status;
    request.catalogue = worker->catalogue;
    request.threads = "1"; /* the cases share the processors */
    return ln_simulation_prepare(
        simulation, sweep->model, &request, 1,
        &(ln_record_choice){sweep->runs == NULL ? record_nothing : NULL, NULL}, report);
}

/* ---- its line ---- */

/* A value as a number where it is one: in SI, or as it stands when it is bare. */
static void add_value(ln_text *row, const char *value) {
    double number;
    ln_dimension dimension;
    if (ln_ast_literal(value, &number, &dimension))
        ln_csv_number(row, number);
    else
        ln_csv_text(row, value);
}

static void write_row(const ln_sweep_worker *worker, long index, const ln_simulation *simulation,
                      linnet_status status, ln_text *row) {
    const ln_sweep *sweep = worker->sweep;
    char buffer[96];
    ln_text_printf(row, "%ld", index + 1);
    for (int k = 0; k < sweep->axes.count; k++) {
        ln_text_add(row, ",");
        add_value(row, ln_axis_value(&sweep->axes, k, index, buffer));
    }
    for (int k = 0; k < sweep->nmeasures; k++) {
        ln_text_add(row, ",");
        double value = status == LINNET_OK ? ln_measures_at(simulation->measures, k)->value : NAN;
        if (isfinite(value))
            ln_csv_number(row, value);
    }
    ln_text_add(row, status == LINNET_OK       ? ",ok,"
                     : status == LINNET_FAILED ? ",failed,"
                                               : ",wrong,");
    if (status != LINNET_OK)
        ln_csv_text(row, worker->reason[0] != '\0' ? worker->reason : linnet_status_text(status));
    ln_text_add(row, ",\n");
}

linnet_status ln_sweep_case(ln_sweep_worker *worker, long index, ln_text *row, ln_report *told) {
    ln_report *report = ln_report_new(note_reason, worker);
    if (report == NULL)
        return LINNET_MEMORY;
    worker->reason[0] = '\0';
    ln_simulation simulation = {.method_why = ""};
    linnet_status status = prepare(worker, index, &simulation, report);
    int prepared = status == LINNET_OK;
    if (prepared)
        status = run(worker, index, &simulation, report);
    int is_row = status == LINNET_OK || status == LINNET_FAILED || status == LINNET_MODEL ||
                 status == LINNET_USAGE;
    if (is_row)
        write_row(worker, index, &simulation, status, row);
    else if (status == LINNET_IO && worker->reason[0] != '\0')
        ln_error(told, LN_NOWHERE, "%s", ln_report_body(LN_ERROR, worker->reason));
    ln_simulation_free(&simulation);
    if (prepared) {
        ln_catalogue_forget(worker->catalogue);
        ln_catalogue_tell(worker->catalogue, NULL);
    } else {
        ln_catalogue_free(worker->catalogue);
        worker->catalogue = NULL;
    }
    ln_report_free(report);
    return !is_row ? status : row->failed ? LINNET_MEMORY : LINNET_OK;
}
