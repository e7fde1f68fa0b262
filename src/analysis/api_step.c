/* SPDX-License-Identifier: MIT */
/* Runs in steps of the caller's: each goes on from where the one before has paused (integrate/
 * pause.h), to a time that is reached exactly. Where something has been set in between, the model
 * is prepared anew, and its new algebra is met at the time of the pause as at any other
 * discontinuity; states, memories and the past of delays go on. */
#include "analysis/api.h"

#include "base/sys.h"

#include <math.h>
#include <string.h>

struct linnet_stepping {
    ln_sink sink; /* keeps the last row */
    linnet_model *model;
    ln_simulation simulation;
    ln_report *report; /* of the whole run */
    int is_prepared, is_done;
    double t, target;
    int count;
    linnet_signal *signals; /* count */
    double *values;         /* count */
};

/* ---- the sink ---- */

static linnet_status open_values(ln_sink *sink, const ln_column *columns, int ncolumns) {
    (void)sink, (void)columns, (void)ncolumns;
    return LINNET_OK;
}

static linnet_status keep_row(ln_sink *sink, double time, const double *values) {
    linnet_stepping *stepping = (linnet_stepping *)sink;
    stepping->t = time;
    memcpy(stepping->values, values, (size_t)stepping->count * sizeof *values);
    return LINNET_OK;
}

static linnet_status close_values(ln_sink *sink, int complete) {
    (void)sink, (void)complete;
    return LINNET_OK;
}

/* ---- life ---- */

/* Names and room, once. */
static linnet_status keep_columns(linnet_stepping *stepping, const ln_column *columns, int count) {
    ln_arena *arena = stepping->model->arena;
    stepping->signals = ln_sys->allocate(((size_t)count + 1) * sizeof *stepping->signals);
    stepping->values = ln_sys->allocate(((size_t)count + 1) * sizeof *stepping->values);
    if (stepping->signals == NULL || stepping->values == NULL)
        return ln_no_memory(stepping->report);
    for (int k = 0; k < count; k++) {
        const char *unit = columns[k].unit != NULL ? columns[k].unit : "";
        stepping->values[k] = NAN;
        stepping->signals[k] =
            (linnet_signal){ln_arena_string(arena, columns[k].name), ln_arena_string(arena, unit)};
        if (stepping->signals[k].name == NULL || stepping->signals[k].unit == NULL)
            return ln_no_memory(stepping->report);
    }
    stepping->count = count;
    return LINNET_OK;
}

static linnet_status look_at_columns(linnet_stepping *stepping) {
    int count;
    const ln_column *columns = ln_recorder_columns(stepping->simulation.recorder, &count);
    if (stepping->signals == NULL)
        return keep_columns(stepping, columns, count);
    int same = count == stepping->count;
    for (int k = 0; same && k < count; k++)
        same = strcmp(columns[k].name, stepping->signals[k].name) == 0;
    return same ? LINNET_OK
                : ln_fail(stepping->report, LINNET_USAGE, LN_NOWHERE,
                          "what is recorded has changed, which it cannot once a run has begun");
}

/* The model as it is with all that is set; the state of the pause moves over. */
static linnet_status prepare(linnet_stepping *stepping) {
    ln_simulation *simulation = &stepping->simulation;
    ln_pause pause = {0};
    if (stepping->is_prepared) {
        pause = simulation->pause;
        simulation->pause = (ln_pause){0};
        ln_simulation_free(simulation);
    }
    linnet_status status = ln_api_prepare(stepping->model, simulation, 1, stepping->report);
    stepping->is_prepared = 1;
    stepping->model->changed = 0;
    simulation->pause = pause;
    simulation->pause.jumped = pause.bytes.length > 0;
    simulation->step_to = &stepping->target;
    simulation->settings.resolution = 0; /* the end of a step is all that is looked at */
    return status == LINNET_OK ? look_at_columns(stepping) : status;
}

linnet_status linnet_begin(linnet_model *model, linnet_stepping **stepping) {
    if (stepping == NULL)
        return LINNET_USAGE;
    *stepping = NULL;
    if (model == NULL)
        return LINNET_USAGE;
    linnet_stepping *made = ln_sys->allocate(sizeof *made);
    if (made == NULL)
        return LINNET_MEMORY;
    *made = (linnet_stepping){
        .sink = {open_values, keep_row, close_values, NULL}, .model = model, .t = NAN};
    made->report = ln_api_begin(model);
    const linnet_status status = made->report != NULL ? prepare(made) : LINNET_MEMORY;
    if (status != LINNET_OK) {
        linnet_finish(made);
        return status;
    }
    made->t = made->simulation.settings.begin;
    *stepping = made;
    return LINNET_OK;
}

void linnet_finish(linnet_stepping *stepping) {
    if (stepping == NULL)
        return;
    if (stepping->is_prepared)
        ln_simulation_free(&stepping->simulation);
    if (stepping->report != NULL)
        (void)ln_api_end(stepping->report, LINNET_OK);
    ln_sys->release(stepping->signals);
    ln_sys->release(stepping->values);
    ln_sys->release(stepping);
}

/* ---- steps ---- */

static linnet_status step(linnet_stepping *stepping, double t) {
    ln_simulation *simulation = &stepping->simulation;
    if (stepping->model->changed && !stepping->is_done) {
        const linnet_status status = prepare(stepping);
        stepping->is_done = status != LINNET_OK;
        LN_TRY(status);
    }
    const double end = simulation->settings.end;
    if (stepping->is_done || !(t > stepping->t) || t > end * (1 + 1e-12))
        return ln_fail(stepping->report, LINNET_USAGE, LN_NOWHERE,
                       "a step goes on to a time behind %.12g s, up to the end of the run at "
                       "%.12g s, and not behind a failure; asked for is %.12g s",
                       stepping->t, end, t);
    stepping->target = fmin(t, end);
    const linnet_status status = ln_simulation_run(simulation, &stepping->sink, NULL, NULL);
    stepping->is_done = status != LINNET_OK || !simulation->pause.paused;
    simulation->pause.jumped = 0;
    return status;
}

linnet_status linnet_step(linnet_stepping *stepping, double t) {
    if (stepping == NULL)
        return LINNET_USAGE;
    ln_api_forget(stepping->model);
    const linnet_status status = step(stepping, t);
    stepping->is_done |= status != LINNET_OK && status != LINNET_USAGE;
    return status;
}

double linnet_step_time(const linnet_stepping *stepping) {
    return stepping != NULL ? stepping->t : NAN;
}

int linnet_step_count(const linnet_stepping *stepping) {
    return stepping != NULL ? stepping->count : 0;
}

linnet_signal linnet_step_signal(const linnet_stepping *stepping, int index) {
    return index >= 0 && index < linnet_step_count(stepping) ? stepping->signals[index]
                                                             : (linnet_signal){NULL, NULL};
}

double linnet_step_value(const linnet_stepping *stepping, const char *name) {
    for (int k = 0; name != NULL && k < linnet_step_count(stepping); k++)
        if (strcmp(stepping->signals[k].name, name) == 0)
            return stepping->values[k];
    return NAN;
}
