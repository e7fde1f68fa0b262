/* SPDX-License-Identifier: MIT */
/* The comparison is a sink: each row is held against the references as it arrives, nothing is
 * stored. */
#include "analysis/verify.h"

#include "base/sys.h"
#include "model/model.h"
#include <math.h>

/* A reference that asks for more than this is not to see what Newton's method leaves. */
static const double EXACT_BELOW = 1e-9;

typedef struct comparing {
    ln_sink sink;
    ln_references *references;
    double begin; /* of the run */
} comparing;

static double scaled_error(double actual, double expected) {
    double error = fabs(actual - expected) / fmax(1, fabs(expected));
    return isnan(error) ? INFINITY : error;
}

static void note_error(ln_reference *reference, double t, double error) {
    reference->compared++;
    if (reference->compared > 1 && !(error > reference->worst))
        return;
    reference->worst = error;
    reference->worst_t = t;
}

/* A row at or beyond written times: those behind it are settled, those at it keep the least error.
 */
static void compare_points(ln_reference *reference, double begin, double t, const double *values) {
    const double same = ln_same_time(begin, t);
    while (reference->next < reference->npoints && reference->points[reference->next].t < t - same)
        reference->next++;
    for (size_t k = reference->next; k < reference->npoints && reference->points[k].t <= t + same;
         k++) {
        ln_reference_point *point = &reference->points[k];
        double expected = reference->expected >= 0 ? values[reference->expected] : point->value;
        point->error = fmin(point->error, scaled_error(values[reference->column], expected));
    }
}

static linnet_status compare_row(ln_sink *sink, double t, const double *values) {
    comparing *comparison = (comparing *)sink;
    for (int k = 0; k < comparison->references->count; k++) {
        ln_reference *reference = &comparison->references->items[k];
        if (reference->points != NULL)
            compare_points(reference, comparison->begin, t, values);
        else
            note_error(reference, t,
                       scaled_error(values[reference->column], values[reference->expected]));
    }
    return LINNET_OK;
}

/* The sink is the caller's variable: there is nothing to free. */
static linnet_status close_comparison(ln_sink *sink, int complete) {
    comparing *comparison = (comparing *)sink;
    (void)complete;
    for (int k = 0; k < comparison->references->count; k++) {
        ln_reference *reference = &comparison->references->items[k];
        for (size_t i = 0; i < reference->npoints; i++)
            note_error(reference, reference->points[i].t, reference->points[i].error);
        reference->met = reference->compared > 0 && reference->worst <= reference->tolerance;
    }
    return LINNET_OK;
}

/* Recorded expressions may be referred to by name, so the model's records come first. */
linnet_status ln_references_choose(void *context, ln_simulation *simulation) {
    const ln_references_choice *choice = context;
    linnet_status records = ln_recorder_add_records(simulation->recorder);
    /* no duration: told already */
    if (!(simulation->settings.end > simulation->settings.begin))
        return records;
    linnet_status status =
        ln_references_read(simulation, choice->options, choice->arena, choice->references);
    return records != LINNET_OK ? records : status;
}

linnet_status ln_verify_prepare(ln_simulation *simulation, const ln_model *model,
                                const ln_request *request, const ln_references_choice *choice,
                                ln_report *report) {
    ln_references *references = choice->references;
    ln_references_choice chosen = *choice;
    *references = (ln_references){0};
    *simulation = (ln_simulation){.method_why = ""};
    if (model->nreferences == 0)
        return ln_fail(report, LINNET_MODEL, (ln_place){model->path, 0, 0},
                       "there is nothing to verify; add <reference "
                       "signal=\"...\" value=\"...\"/> to the model");
    LN_TRY(ln_simulation_prepare(simulation, model, request, 1,
                                 &(ln_record_choice){ln_references_choose, &chosen}, report));
    simulation->settings.resolution = 0;
    simulation->settings.stops = references->stops;
    simulation->settings.nstops = references->nstops;
    for (int k = 0; k < references->count; k++)
        simulation->settings.newton_exact |= references->items[k].tolerance < EXACT_BELOW;
    return LINNET_OK;
}

linnet_status ln_verify_run(ln_simulation *simulation, ln_references *references,
                            int (*stop)(void *context), void *context) {
    comparing comparison = {
        {.open = ln_sink_nowhere.open, .row = compare_row, .close = close_comparison},
        references,
        simulation->settings.begin};
    LN_TRY(ln_simulation_run(simulation, &comparison.sink, stop, context));
    for (int k = 0; k < references->count; k++)
        if (!references->items[k].met)
            return LINNET_MISSED;
    return LINNET_OK;
}
