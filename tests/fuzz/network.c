/* SPDX-License-Identifier: MIT */
/* Fuzz target: random legal models, run by a random method (generate.h). What must hold:
 * - every run ends with a final status, and says why when it has failed;
 * - every recorded value is finite, of failed runs too;
 * - the fluxes at a link add up to zero, at ends of steps within what Newton's method leaves, in
 *   rows within adaptive steps within 1e-3 of the largest or ten tolerances (a hundred of backward
 *   Euler);
 * - dense and sparse factorisation give the same at fixed steps with Newton's method to rounding,
 *   where nothing has an edge, no signal leads back to its block and the method is implicit.
 * The last two say nothing where a parameter is far from its example: fluxes may then be lost in
 * the rounding of potentials. */
#include "generate.h"

#include "analysis/simulation.h"
#include "base/domain.h"
#include "base/sys.h"
#include "model/model.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A run is cut after so many steps, and at the end of a step with so many rows behind it (events
 * give two each). Within that it may take its time: what hangs neither steps nor records. */
enum { STEPS = 400, ROWS = 4000 };

typedef struct outcome {
    linnet_status status;
    int edges; /* conditions and events in it */
    ln_table_rows rows;
} outcome;

static linnet_status choose_record(void *context, ln_simulation *simulation) {
    return ln_recorder_add(simulation->recorder, ((ln_text *)context)->data, LN_NOWHERE);
}

typedef struct budget {
    int steps, rows;
} budget;

static int count_down(void *context) {
    budget *left = context;
    fuzz_alive();
    return --left->steps < 0 || left->rows < 0;
}

/* Each row is a sign of life. */
typedef struct counting_sink {
    ln_sink sink, *into;
    budget *left;
} counting_sink;

static linnet_status open_counted(ln_sink *sink, const ln_column *columns, int ncolumns) {
    ln_sink *into = ((counting_sink *)sink)->into;
    return into->open(into, columns, ncolumns);
}

static linnet_status count_row(ln_sink *sink, double time, const double *values) {
    const counting_sink *counting = (counting_sink *)sink;
    fuzz_alive();
    counting->left->rows--;
    return counting->into->row(counting->into, time, values);
}

static linnet_status close_counted(ln_sink *sink, int complete) {
    ln_sink *into = ((counting_sink *)sink)->into;
    ln_sys->release(sink);
    return into->close(into, complete);
}

static ln_sink *count_rows(ln_sink *into, budget *left) {
    counting_sink *counting = ln_sys->allocate(sizeof *counting);
    if (counting == NULL || into == NULL)
        fuzz_broken("no memory");
    *counting = (counting_sink){
        {.open = open_counted, .row = count_row, .close = close_counted}, into, left};
    return &counting->sink;
}

static outcome run(const fuzz_model *model, ln_linear_kind linear, ln_text *record) {
    outcome it = {0};
    ln_report *report = ln_report_new(NULL, NULL);
    ln_model *read = NULL;
    ln_simulation simulation;
    const char *method = model->method->name;
    const ln_request request = {.method = method,
                                .linear = linear,
                                .interval = model->within_steps ? NULL : "steps",
                                .newton = model->exact ? "exact" : NULL,
                                .bypass = model->exact ? "off" : NULL,
                                .catalogue = fuzz_catalogue(report)};
    budget left = {STEPS, ROWS};
    it.status =
        ln_model_read_memory("m.xml", model->xml.data, model->xml.length, NULL, report, &read);
    if (it.status != LINNET_OK)
        fuzz_broken("a legal model cannot be read: %s\n%s", ln_report_text(report, 0),
                    model->xml.data);
    it.status = ln_simulation_prepare(
        &simulation, read, &request, 1,
        &(ln_record_choice){record->length > 0 ? choose_record : NULL, record}, report);
    if (it.status == LINNET_OK)
        it.edges = simulation.system->nguards + simulation.system->nevents;
    if (it.status == LINNET_OK)
        it.status = ln_simulation_run(
            &simulation, count_rows(ln_sink_memory(&it.rows, report), &left), count_down, &left);
    if (getenv("LINNET_FUZZ_SHOW") != NULL)
        printf("%s %s: %s, %zu rows; %s\n", method, linear == LN_LINEAR_DENSE ? "dense" : "sparse",
               linnet_status_text(it.status), it.rows.nrows,
               ln_report_text(report, 0) != NULL ? ln_report_text(report, 0) : "");
    ln_simulation_free(&simulation);
    fuzz_catalogue_end();
    ln_model_free(read);
    fuzz_told(it.status, report, "a run");
    ln_report_free(report);
    return it;
}

/* ---- oracles ---- */

static double at(const outcome *it, size_t row, int column) {
    return it->rows.data[row * ((size_t)it->rows.ncolumns + 1) + (size_t)column];
}

static void must_be_finite(const fuzz_model *model, const outcome *it) {
    for (size_t row = 0; row < it->rows.nrows; row++)
        for (int column = 0; column <= it->rows.ncolumns; column++)
            if (!isfinite(at(it, row, column)))
                fuzz_broken("column %d is %g at t = %g\n%s", column, at(it, row, column),
                            at(it, row, 0), model->xml.data);
}

/* By how much of the largest flux those at a node may miss zero. Newton's method leaves a
 * ten-thousandth. Within a step the unknowns are interpolated, and a flux that is a function of
 * them or of time is computed from what they are there: it misses by the error of the
 * interpolation: of a state of the tolerance's size, of what a source alone makes of what rows are
 * to follow (1e-3), of a line (backward Euler) of what a step leads. */
static double share_that_may_miss(const fuzz_model *model, const outcome *it, size_t row) {
    const int is_end =
        !model->within_steps || !model->adaptive || row == 0 || row + 1 == it->rows.nrows;
    const double factor = strcmp(model->method->name, "backward-euler") == 0 ? 100 : 10;
    return is_end ? 1e-4 : fmax(1e-3, factor * model->tolerance);
}

/* The fluxes at a node of a row; the domain's absolute tolerance is nothing, too. */
static void must_add_up(const fuzz_model *model, const outcome *it, size_t row, int domain,
                        int node, double most) {
    double sum = 0;
    for (int k = 0; k < model->njoints; k++)
        if (model->joints[k].domain == domain && model->joints[k].node == node)
            sum += at(it, row, 1 + k);
    const double allowed = share_that_may_miss(model, it, row) * most +
                           10 * ln_domain((linnet_domain)domain)->flux_abstol;
    if (fabs(sum) > allowed)
        fuzz_broken("at t = %g the fluxes at n%d-%d add up to %g (largest %g)\n%s", at(it, row, 0),
                    domain, node, sum, most, model->xml.data);
}

static void fluxes_must_add_up(const fuzz_model *model, const outcome *it) {
    double most[LINNET_DOMAINS] = {0};
    for (size_t row = 0; row < it->rows.nrows; row++)
        for (int k = 0; k < model->njoints; k++) {
            double *largest = &most[model->joints[k].domain];
            *largest = fmax(*largest, fabs(at(it, row, 1 + k)));
        }
    for (size_t row = 0; row < it->rows.nrows; row++)
        for (int domain = 1; domain < LINNET_DOMAINS; domain++)
            for (int node = 1; node < FUZZ_NODES && model->nodes[domain] != 0; node++)
                must_add_up(model, it, row, domain, node, most[domain]);
}

/* An explicit method beyond its limit of stability makes anything of rounding. What stands at an
 * edge but for rounding (the floor of 1e-18) may fall to either side. */
static int is_compared(const fuzz_model *model, const outcome *sparse) {
    return model->method->implicit && model->exact && !model->extreme && !model->loops &&
           sparse->edges == 0;
}

static double largest(const outcome *it) {
    double most = 0;
    for (size_t row = 0; row < it->rows.nrows; row++)
        for (int column = 1; column <= it->rows.ncolumns; column++)
            most = fmax(most, fabs(at(it, row, column)));
    return most;
}

/* A dense factorisation adds what the sparse one keeps apart: a thousand roundings of the largest
 * value may be in any other. Where one runs away, as the run itself warns (1e70 A through a diode
 * across 5 V), others that only sources hold have no digit left, and nothing is said. */
static void must_agree(const fuzz_model *model, const outcome *a, const outcome *b) {
    static const double RUNS_AWAY = 1e12;
    const size_t rows = a->rows.nrows < b->rows.nrows ? a->rows.nrows : b->rows.nrows;
    const double most_of_all = fmax(largest(a), largest(b)),
                 rounding = 1e3 * DBL_EPSILON * most_of_all;
    if (most_of_all > RUNS_AWAY)
        return;
    for (int column = 1; column <= a->rows.ncolumns; column++) {
        double most = 0;
        for (size_t row = 0; row < rows; row++)
            most = fmax(most, fabs(at(a, row, column)));
        for (size_t row = 0; row < rows; row++)
            if (at(a, row, 0) == at(b, row, 0) &&
                fabs(at(a, row, column) - at(b, row, column)) > 1e-3 * most + 1e-6 + rounding)
                fuzz_broken("at t = %g column %d is %.12g dense and %.12g sparse\n%s",
                            at(a, row, 0), column, at(a, row, column), at(b, row, column),
                            model->xml.data);
    }
}

/* ---- the target ---- */

/* What is recorded: first the fluxes of all joints, in their order. */
static void name_fluxes(const fuzz_model *model, ln_text *record) {
    for (int k = 0; k < model->njoints; k++)
        ln_text_printf(record, "%s.%s.%s ", model->joints[k].block, model->joints[k].port,
                       ln_domain((linnet_domain)model->joints[k].domain)->flux);
}

void fuzz_network(const uint8_t *data, size_t length) {
    fuzz_bytes bytes = {data, length};
    fuzz_model model;
    ln_text record = {0};
    fuzz_generate(&model, fuzz_catalogue(NULL), &bytes);
    name_fluxes(&model, &record);
    if (getenv("LINNET_FUZZ_SHOW") != NULL)
        puts(model.xml.data);
    outcome sparse = run(&model, LN_LINEAR_SPARSE, &record);
    must_be_finite(&model, &sparse);
    if (sparse.status == LINNET_OK && sparse.rows.nrows > 0 && !model.extreme)
        fluxes_must_add_up(&model, &sparse);
    if (sparse.status == LINNET_OK && !model.adaptive) {
        outcome dense = run(&model, LN_LINEAR_DENSE, &record);
        if (dense.status == LINNET_OK && is_compared(&model, &sparse))
            must_agree(&model, &sparse, &dense);
        ln_sys->release(dense.rows.data);
    }
    ln_sys->release(sparse.rows.data);
    ln_text_free(&record);
    ln_text_free(&model.xml);
}
