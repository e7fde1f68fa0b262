/* SPDX-License-Identifier: MIT */
/* Each stage is one call; the integrator's accepted points go through the recorder into the sink.
 */
#include "analysis/ending.h"
#include "analysis/checkpoint.h"

#include "analysis/again.h"
#include "base/loops.h"
#include "base/sys.h"
#include "blocks/catalogue.h"
#include "integrate/pause.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- preparing ---- */

/* The network of the built-in types, the model's, and the request's. What is read again has types
 * of its own. */
static linnet_status build_with(ln_simulation *simulation, const ln_request *request,
                                const ln_override *overrides, int noverrides) {
    ln_report *report = simulation->report;
    linnet_status status =
        ln_model_again(simulation->model, overrides, noverrides, report, &simulation->again);
    if (status != LINNET_OK)
        return status;
    if (simulation->again != NULL)
        simulation->model = simulation->again;
    else if (request->catalogue != NULL)
        return ln_network_build(request->catalogue, simulation->model, overrides, noverrides,
                                report, &simulation->network);
    ln_catalogue *catalogue = ln_catalogue_new(simulation->model, report, &status);
    if (catalogue == NULL)
        return status;
    for (int k = 0; k < request->nnatives && status == LINNET_OK; k++)
        status = ln_catalogue_register(catalogue, request->natives[k], report);
    if (status == LINNET_OK)
        status = ln_network_build(catalogue, simulation->model, overrides, noverrides, report,
                                  &simulation->network);
    if (status == LINNET_OK)
        simulation->network->owns_catalogue = 1;
    else
        ln_catalogue_free(catalogue);
    return status;
}

/* What the model says for points at rest, then what is asked for: the last one of a name holds. */
static linnet_status build(ln_simulation *simulation, const ln_request *request) {
    const ln_model *model = simulation->model;
    const int nrests = request->at_rest ? model->nrests : 0;
    if (nrests == 0)
        return build_with(simulation, request, request->overrides, request->noverrides);
    ln_override *all = ln_sys->allocate((size_t)(nrests + request->noverrides) * sizeof *all);
    if (all == NULL)
        return ln_no_memory(simulation->report);
    for (int k = 0; k < nrests; k++)
        all[k] = (ln_override){ln_attribute_of(model->rests[k], "parameter"),
                               ln_attribute_of(model->rests[k], "value")};
    for (int k = 0; k < request->noverrides; k++)
        all[nrests + k] = request->overrides[k];
    linnet_status status = build_with(simulation, request, all, nrests + request->noverrides);
    ln_sys->release(all);
    return status;
}

static linnet_status record_by_model(ln_simulation *simulation) {
    if (simulation->model->nrecords > 0)
        return ln_recorder_add_records(simulation->recorder);
    return ln_recorder_add_default(simulation->recorder);
}

/* Settings, record and measures are independent: the errors of both are told. */
static linnet_status choose_settings(ln_simulation *simulation, const ln_request *request,
                                     int need_settings, const ln_record_choice *record) {
    linnet_status settings = LINNET_OK;
    if (need_settings || simulation->model->simulation != NULL)
        settings = ln_settings_make(simulation->network, request, simulation->report,
                                    &simulation->settings, &simulation->method_why);
    simulation->recorder = ln_recorder_new(simulation->network, simulation->report);
    if (simulation->recorder == NULL)
        return LINNET_MEMORY;
    linnet_status columns = record != NULL && record->choose != NULL
                                ? record->choose(record->context, simulation)
                                : record_by_model(simulation);
    linnet_status measures = LINNET_OK;
    if (settings == LINNET_OK)
        measures = ln_measures_new(simulation->network, &simulation->settings, request,
                                   simulation->report, &simulation->measures);
    return settings != LINNET_OK ? settings : columns != LINNET_OK ? columns : measures;
}

static linnet_status prepare(ln_simulation *simulation, const ln_request *request,
                             int need_settings, const ln_record_choice *record) {
    LN_TRY(build(simulation, request));
    LN_TRY(choose_settings(simulation, request, need_settings, record));
    LN_TRY(ln_recorder_ready(simulation->recorder));
    LN_TRY(ln_measures_ready(simulation->measures));
    LN_TRY(ln_system_new(simulation->network, simulation->report, &simulation->system));
    return ln_recorder_mark_held(simulation->recorder, simulation->system);
}

linnet_status ln_simulation_prepare(ln_simulation *simulation, const ln_model *model,
                                    const ln_request *request, int need_settings,
                                    const ln_record_choice *record, ln_report *report) {
    *simulation = (ln_simulation){.model = model, .report = report, .method_why = ""};
    return ln_report_status(report, prepare(simulation, request, need_settings, record));
}

void ln_simulation_free(ln_simulation *simulation) {
    ln_sys->release(simulation->first);
    ln_sys->release(simulation->peak);
    ln_system_free(simulation->system);
    ln_measures_free(simulation->measures);
    ln_recorder_free(simulation->recorder);
    ln_network_free(simulation->network);
    ln_model_free(simulation->again);
    ln_bytes_free(&simulation->pause.bytes);
    *simulation = (ln_simulation){.method_why = ""};
}

/* ---- running ---- */

/* What the watcher's calls need. */
typedef struct watching {
    int (*stop)(void *context);
    void *context;
    ln_simulation *simulation;
    ln_dense *dense;
} watching;

/* Is the run still where it began? Steps have the tolerance; a fixed one the usual one of 1e-4. */
static linnet_status look_whether_it_moves(ln_simulation *simulation, ln_side side,
                                           const double *x) {
    const size_t n = (size_t)simulation->system->n;
    const double usual = 1e-4, given = simulation->settings.tolerance;
    const double tolerance = given > 0 ? given : usual;
    simulation->last = side;
    if (simulation->first == NULL) {
        simulation->first = ln_sys->allocate((n + 1) * sizeof *x);
        if (simulation->first == NULL)
            return ln_no_memory(simulation->report);
        memcpy(simulation->first, x, n * sizeof *x);
    }
    for (size_t i = 0; i < n && !simulation->moved; i++)
        simulation->moved = !(fabs(x[i] - simulation->first[i]) <=
                              tolerance * (fabs(x[i]) + simulation->system->abstol[i] / usual));
    if (simulation->moved) {
        ln_sys->release(simulation->first);
        simulation->first = NULL;
    }
    return LINNET_OK;
}

/* Of the first rows each, of the others one in so many: of a million unknowns to look at each row
 * would take as long as what a step does besides solving. */
enum { LOOKED_AT = 32 };

static linnet_status note_peaks(ln_simulation *simulation, const double *x) {
    const int is_known = simulation->peak != NULL; /* not of a run that is gone on with */
    if (is_known && simulation->rows > LOOKED_AT && simulation->rows % LOOKED_AT != 0)
        return LINNET_OK;
    const size_t n = (size_t)simulation->system->n;
    if (simulation->peak == NULL)
        simulation->peak = ln_sys_zeroed((n + 1) * sizeof *x);
    if (simulation->peak == NULL)
        return ln_no_memory(simulation->report);
    for (size_t i = 0; i < n; i++)
        simulation->peak[i] = ln_larger(simulation->peak[i], fabs(x[i]));
    return LINNET_OK;
}

static linnet_status tell_point(const watching *watch, ln_side side, const double *x) {
    ln_simulation *simulation = watch->simulation;
    if (!simulation->moved)
        LN_TRY(look_whether_it_moves(simulation, side, x));
    LN_TRY(note_peaks(simulation, x));
    const double *values = ln_recorder_observe(simulation->recorder, simulation->system, side, x);
    LN_TRY(ln_ending_row(simulation, side.t, x, values));
    if (side.t >= simulation->settings.end)
        LN_TRY(ln_ending_point(simulation, side, x));
    if (simulation->measures != NULL)
        LN_TRY(ln_measures_point(simulation->measures, simulation->system, side, x));
    if (side.t < simulation->settings.record_from)
        return LINNET_OK;
    if (watch->dense != NULL)
        ln_dense_told(watch->dense, side.t, values);
    if (!ln_recorder_is_new(simulation->recorder, side.t))
        return LINNET_OK;
    LN_TRY(simulation->sink->row(simulation->sink, side.t, values));
    simulation->rows++;
    return LINNET_OK;
}

static linnet_status forward_point(void *context, ln_side side, const double *x) {
    const watching *watch = context;
    ln_profile *profile = watch->simulation->settings.profile;
    const ln_profile_part before = ln_profile_enter(profile, LN_PART_OUTPUT);
    const linnet_status status = tell_point(watch, side, x);
    ln_profile_leave(profile, before);
    return status;
}

static linnet_status write_row(void *context, double t, const double *values) {
    ln_simulation *simulation = ((watching *)context)->simulation;
    simulation->rows++;
    return simulation->sink->row(simulation->sink, t, values);
}

static linnet_status forward_within(void *context, const ln_step_view *step) {
    const watching *watch = context;
    ln_simulation *simulation = watch->simulation;
    const ln_settings *settings = &simulation->settings;
    linnet_status status = LINNET_OK;
    const ln_profile_part before = ln_profile_enter(settings->profile, LN_PART_OUTPUT);
    if (ln_measures_decide(simulation->measures))
        status = ln_measures_within(simulation->measures, simulation->system, step);
    if (status == LINNET_OK && watch->dense != NULL && step->end.t >= settings->record_from)
        status = ln_dense_within(watch->dense, step, settings->record_from, write_row, context);
    ln_profile_leave(settings->profile, before);
    return status;
}

static int forward_stop(void *context) {
    const watching *watch = context;
    return watch->stop(watch->context);
}

/* From checkpoint to checkpoint. */
static linnet_status integrate(ln_simulation *simulation, const ln_watcher *watcher) {
    const double begin = simulation->settings.begin, every = simulation->checkpoint_every;
    ln_pause *pause = &simulation->pause;
    if (simulation->step_to != NULL) {
        simulation->settings.pause = pause;
        simulation->settings.stops = simulation->step_to;
        simulation->settings.nstops = 1;
        pause->at = *simulation->step_to;
        return ln_integrate(simulation->system, &simulation->settings, watcher, simulation->report,
                            &simulation->statistics);
    }
    const ln_integrator *instead = simulation->settings.integrator;
    if (instead != NULL)
        return instead->run(instead->context, simulation->system, &simulation->settings, watcher,
                            simulation->report, &simulation->statistics);
    if (simulation->checkpoint == NULL && pause->bytes.length == 0)
        return ln_integrate(simulation->system, &simulation->settings, watcher, simulation->report,
                            &simulation->statistics);
    simulation->settings.pause = pause;
    for (;;) {
        const double t = pause->bytes.length > 0 ? ln_pause_time(pause) : begin;
        pause->at =
            fmax(begin + every * (floor((t - begin) / every + 1e-9) + 1), nextafter(t, INFINITY));
        LN_TRY(ln_integrate(simulation->system, &simulation->settings, watcher, simulation->report,
                            &simulation->statistics));
        if (!pause->paused)
            return LINNET_OK;
        LN_TRY(ln_checkpoint_write(simulation));
    }
}

const char *ln_simulation_origin(const ln_simulation *simulation, ln_arena *arena) {
    const char *origin = simulation->model->origin;
    const ln_settings *settings = &simulation->settings;
    const int adaptive = settings->tolerance > 0;
    if (origin == NULL)
        return NULL;
    return ln_arena_printf(arena, "%s; %s, %s %.12g%s", origin, settings->method->name,
                           adaptive ? "tolerance" : "step",
                           adaptive ? settings->tolerance : settings->step, adaptive ? "" : " s");
}

linnet_status ln_simulation_run(ln_simulation *simulation, ln_sink *sink,
                                int (*stop)(void *context), void *context) {
    linnet_status status = ln_simulation_make_dense(simulation);
    watching watch = {stop, context, simulation, simulation->dense};
    const int within = watch.dense != NULL || ln_measures_decide(simulation->measures);
    ln_watcher watcher = {&watch, forward_point, stop != NULL ? forward_stop : NULL,
                          within ? forward_within : NULL};
    int ncolumns;
    const ln_column *columns = ln_recorder_columns(simulation->recorder, &ncolumns);
    simulation->sink = sink;
    if (simulation->pause.bytes.length == 0)
        simulation->rows = 0;
    simulation->statistics.t = simulation->settings.begin;
    double begun = ln_sys->clock();
    const int errors = ln_report_errors(simulation->report);
    linnet_status opened = sink->open(sink, columns, ncolumns);
    if (status == LINNET_OK)
        status = opened;
    if (status == LINNET_OK)
        status = ln_ending_status(simulation, integrate(simulation, &watcher), errors);
    ln_measures_finish(simulation->measures);
    const ln_profile_part before = ln_profile_enter(simulation->settings.profile, LN_PART_OUTPUT);
    linnet_status closed = sink->close(sink, status == LINNET_OK);
    ln_profile_leave(simulation->settings.profile, before);
    simulation->sink = NULL;
    simulation->seconds = ln_sys->clock() - begun;
    return status != LINNET_OK ? status : closed;
}
