/* SPDX-License-Identifier: MIT */
/* The point, then its linearisation. */
#include "analysis/small_signal.h"

#include <string.h>

/* ---- the linearisation at a point ---- */

static linnet_status begin(ln_system *system, ln_report *report, ln_small_signal *out) {
    size_t entries = (size_t)system->pattern.start[system->n];
    *out = (ln_small_signal){.system = system, .report = report, .n = system->n, .pattern = &system->pattern, .means = ""};
    out->arena = ln_arena_new();
    if (out->arena == NULL) return ln_no_memory(report);
    out->x = LN_NEW(out->arena, double, system->n);
    out->E = LN_NEW(out->arena, double, entries);
    out->A = LN_NEW(out->arena, double, entries);
    if (out->x == NULL || out->E == NULL || out->A == NULL) return ln_no_memory(report);
    out->at.x = out->x;
    return LINNET_OK;
}

/* A block that has no derivative at the point, by name. */
static linnet_status refused(ln_system *system, ln_report *report) {
    char text[256];
    ln_place place;
    ln_system_blame(system, text, &place);
    return ln_fail(report, LINNET_FAILED, place, "the model cannot be linearised here: %s", text);
}

static linnet_status finish(ln_small_signal *out) {
    linnet_status status = ln_system_linearise(out->system, out->at, out->E, out->A);
    return status == LINNET_RETRY ? refused(out->system, out->report) : status;
}

linnet_status ln_small_signal_at_point(ln_system *system, double t, double decide, const double *x, ln_report *report,
                                       ln_small_signal *out) {
    LN_TRY(begin(system, report, out));
    memcpy(out->x, x, (size_t)out->n * sizeof *x);
    out->at.t = t;
    out->at.decide = decide;
    return finish(out);
}

void ln_small_signal_free(ln_small_signal *it) {
    ln_arena_free(it->arena);
    *it = (ln_small_signal){.means = ""};
}

/* ---- finding the point ---- */

static linnet_status at_rest(ln_simulation *simulation, ln_small_signal *out) {
    ln_settings settings = simulation->settings;
    settings.start = LN_START_OPERATING_POINT;
    LN_TRY(ln_integrate_start(simulation->system, &settings, simulation->report, &simulation->statistics,
                              &out->at.decide, out->x));
    out->at.t = settings.begin;
    out->at_rest = 1;
    out->means = simulation->statistics.start_means;
    return finish(out);
}

linnet_status ln_small_signal_at_rest(ln_simulation *simulation, ln_small_signal *out) {
    LN_TRY(begin(simulation->system, simulation->report, out));
    return ln_report_status(simulation->report, at_rest(simulation, out));
}

typedef struct arriving {
    ln_small_signal *out;
    int (*stop)(void *context);
    void *context;
    int at_start, there;           /* the first point is wanted, and has come                                         */
} arriving;

static linnet_status keep_point(void *context, double t, double decide, const double *x) {
    arriving *arrival = context;
    ln_small_signal *out = arrival->out;
    out->at.t = t;
    out->at.decide = decide;
    memcpy(out->x, x, (size_t)out->n * sizeof *x);
    arrival->there = arrival->at_start;
    return arrival->there ? LINNET_INTERRUPTED : LINNET_OK;
}

static int forward_stop(void *context) {
    const arriving *it = context;
    return it->stop(it->context);
}

/* The run to t is the run the model asks for, cut there. */
static linnet_status at_time(ln_simulation *simulation, double t, arriving *arrival) {
    ln_small_signal *out = arrival->out;
    ln_settings settings = simulation->settings;
    if (t < settings.begin)
        return ln_fail(simulation->report, LINNET_USAGE, LN_NOWHERE, "the run starts at %.9g s: no time before it can be reached",
                       settings.begin);
    ln_watcher watcher = {arrival, keep_point, arrival->stop != NULL ? forward_stop : NULL};
    arrival->at_start = t == settings.begin;
    if (!arrival->at_start) settings.end = t;
    while (settings.nstops > 0 && settings.stops[settings.nstops - 1] > t) settings.nstops--;
    linnet_status status =
        ln_integrate(simulation->system, &settings, &watcher, simulation->report, &simulation->statistics);
    if (status != LINNET_OK && !arrival->there) return status;
    if (out->at.t < t)
        return ln_fail(simulation->report, LINNET_FAILED, LN_NOWHERE, "the run ended at %.9g s, before %.9g s", out->at.t, t);
    out->means = simulation->statistics.start_means;
    return finish(out);
}

linnet_status ln_small_signal_at_time(ln_simulation *simulation, double t, int (*stop)(void *context), void *context,
                                      ln_small_signal *out) {
    LN_TRY(begin(simulation->system, simulation->report, out));
    return ln_report_status(simulation->report, at_time(simulation, t, &(arriving){out, stop, context, 0, 0}));
}

/* ---- inputs and outputs ---- */

linnet_status ln_small_signal_input(ln_small_signal *it, const char *name, ln_input *input) {
    return ln_system_input(it->system, name, it->at, it->arena, it->report, input);
}

linnet_status ln_small_signal_output(ln_small_signal *it, const ln_quantity *output, const ln_input *inputs, int ninputs,
                                     double *c, double *d) {
    linnet_status status = ln_system_output(it->system, output, it->at, inputs, ninputs, c, d);
    if (status != LINNET_RETRY) return status;
    return ln_fail(it->report, LINNET_FAILED, LN_NOWHERE, "an output has no finite derivative at this point");
}

void ln_small_signal_pencil(const ln_small_signal *it, double re, double im, double *values) {
    for (int k = 0; k < it->pattern->start[it->n]; k++) {
        values[2 * k] = re * it->E[k] + it->A[k];
        values[2 * k + 1] = im * it->E[k];
    }
}

linnet_status ln_small_signal_choose(void *names, ln_simulation *simulation) {
    return names == NULL ? LINNET_OK : ln_recorder_add(simulation->recorder, names, LN_NOWHERE);
}
