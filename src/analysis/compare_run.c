/* SPDX-License-Identifier: MIT */
/* One run of a comparison: prepared anew, watched by a sink that holds values against the model's
 * expressions as they arrive, and keeps points for the rest. */
#include "analysis/compare_run.h"

#include "analysis/verify.h"
#include "base/sys.h"
#include "base/text.h"
#include "model/model.h"
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { KEPT = 48 }; /* points of its own that a run keeps: this to twice as many */

int ln_compare_same_time(const ln_comparison *comparison, double a, double b) {
    return fabs(a - b) <= 32 * DBL_EPSILON * fmax(fabs(comparison->begin), fabs(comparison->end));
}

/* ---- what is recorded ---- */

static linnet_status choose_file(const ln_comparing *all, ln_simulation *simulation) {
    for (int k = 0; k < all->comparison->nsignals; k++)
        if (ln_recorder_column(simulation->recorder, all->comparison->names[k], LN_NOWHERE) < 0)
            return LINNET_USAGE;
    return LINNET_OK;
}

static linnet_status choose_computed(const ln_comparing *all, ln_simulation *simulation) {
    const char *signals = all->comparison->options->signals;
    if (signals != NULL) {
        linnet_status status =
            ln_recorder_add(simulation->recorder, signals, (ln_place){"option --signals", 0, 0});
        return status == LINNET_MODEL ? LINNET_USAGE : status;
    }
    if (simulation->model->nrecords > 0)
        return ln_recorder_add_records(simulation->recorder);
    return ln_recorder_add_default(simulation->recorder);
}

linnet_status ln_compare_choose(void *context, ln_simulation *simulation) {
    const ln_comparing *all = context;
    return all->source == LN_TRUTH_FILE ? choose_file(all, simulation)
                                        : choose_computed(all, simulation);
}

/* ---- the sink ---- */

typedef struct collecting {
    ln_sink sink;
    const ln_comparing *all;
    const ln_compare_task *task;
    ln_compare_row *row;
    ln_references references; /* of a model with its own */
    ln_arena *arena;          /* of the references */
    int *column, *expected;   /* per signal; expected -1: points */
    ln_reference **at; /* per signal: an expression that holds at written times only, or NULL */
    double *kept;
    size_t nkept, room; /* t and a value per signal */
    double *last;
    int has_last; /* the point that came last, if it is not kept */
    long seen, stride;
    size_t stop;
} collecting;

void ln_compare_note(ln_compare_error *error, double t, double actual, double expected,
                     int at_end) {
    double off = fabs(actual - expected);
    if (!(off <= DBL_MAX))
        off = INFINITY; /* a run that is not finite: told by its row */
    error->compared++;
    error->size = fmax(error->size, fabs(expected));
    if (off > error->largest || error->compared == 1) {
        error->largest = off;
        error->largest_t = t;
    }
    if (!at_end)
        return;
    error->has_end = 1;
    error->end = off;
    error->end_reference = expected;
}

static int keep_point(collecting *collector, const double *point) {
    size_t width = (size_t)collector->all->comparison->nsignals + 1;
    if (collector->nkept == collector->room) {
        size_t room = collector->room > 0 ? 2 * collector->room : 64;
        double *longer = ln_sys->resize(collector->kept, room * width * sizeof *longer);
        if (longer == NULL)
            return 0;
        collector->kept = longer;
        collector->room = room;
    }
    memcpy(collector->kept + collector->nkept++ * width, point, width * sizeof *point);
    return 1;
}

/* Every second point goes: those left are as evenly spread as before. */
static void thin_out(collecting *collector) {
    size_t width = (size_t)collector->all->comparison->nsignals + 1;
    for (size_t k = 1; 2 * k < collector->nkept; k++)
        memcpy(collector->kept + k * width, collector->kept + 2 * k * width,
               width * sizeof *collector->kept);
    collector->nkept = (collector->nkept + 1) / 2;
    collector->stride *= 2;
}

/* Does the run shall keep this point? Its own, thinned, or those at the wanted times. */
static int is_kept(collecting *collector, double t) {
    const ln_compare_task *task = collector->task;
    if (task->stops == NULL) {
        if (collector->seen % collector->stride != 0)
            return 0;
        if (collector->nkept == 2 * KEPT)
            thin_out(collector);
        return collector->seen % collector->stride == 0;
    }
    while (collector->stop < task->nstops && task->stops[collector->stop] < t &&
           !ln_compare_same_time(collector->all->comparison, task->stops[collector->stop], t))
        collector->stop++;
    return collector->stop < task->nstops &&
           ln_compare_same_time(collector->all->comparison, task->stops[collector->stop], t);
}

/* At a written time where the signal jumps, either side may meet the reference: the nearer one
 * counts. */
static void meet_points(const collecting *collector, ln_reference *reference, double t,
                        double actual, double expected) {
    const double same = ln_same_time(collector->all->comparison->begin, t);
    while (reference->next < reference->npoints && reference->points[reference->next].t < t - same)
        reference->next++;
    for (size_t k = reference->next; k < reference->npoints && reference->points[k].t <= t + same;
         k++) {
        ln_reference_point *point = &reference->points[k];
        if (!(fabs(actual - expected) < point->error))
            continue;
        point->error = fabs(actual - expected);
        point->value = expected;
    }
}

static linnet_status collect_row(ln_sink *sink, double t, const double *values) {
    collecting *collector = (collecting *)sink;
    const ln_comparison *comparison = collector->all->comparison;
    int at_end = ln_compare_same_time(comparison, t, comparison->end);
    double *point = collector->last;
    point[0] = t;
    for (int k = 0; k < comparison->nsignals; k++) {
        point[k + 1] = values[collector->column[k]];
        if (collector->at[k] != NULL)
            meet_points(collector, collector->at[k], t, point[k + 1],
                        values[collector->at[k]->expected]);
        else if (collector->expected[k] >= 0)
            ln_compare_note(&collector->row->errors[k], t, point[k + 1],
                            values[collector->expected[k]], at_end);
    }
    collector->has_last = 1;
    if (collector->all->has_points && is_kept(collector, t)) {
        if (!keep_point(collector, point))
            return LINNET_MEMORY;
        collector->has_last = 0;
    }
    collector->seen++;
    return LINNET_OK;
}

/* The sink is the caller's variable. The end is always kept. */
static linnet_status close_collection(ln_sink *sink, int complete) {
    collecting *collector = (collecting *)sink;
    const ln_comparison *comparison = collector->all->comparison;
    (void)complete;
    for (int k = 0; k < comparison->nsignals; k++)
        for (size_t i = 0; collector->at[k] != NULL && i < collector->at[k]->next + 1 &&
                           i < collector->at[k]->npoints;
             i++) {
            const ln_reference_point *point = &collector->at[k]->points[i];
            int at_end = fabs(point->t - comparison->end) <=
                         ln_same_time(comparison->begin, comparison->end);
            ln_compare_note(&collector->row->errors[k], point->t, point->value + point->error,
                            point->value, at_end);
        }
    if (collector->all->has_points && collector->has_last && collector->task->stops == NULL &&
        !keep_point(collector, collector->last))
        return LINNET_MEMORY;
    return LINNET_OK;
}

/* ---- the run ---- */

typedef struct watching {
    const ln_compare_watch *watch;
    double deadline;
    int late, stopped;
} watching;

static int stop(void *context) {
    watching *watcher = context;
    watcher->stopped =
        watcher->watch->stop != NULL && watcher->watch->stop(watcher->watch->context);
    watcher->late = !watcher->stopped && ln_sys->clock() > watcher->deadline;
    return watcher->stopped || watcher->late;
}

static linnet_status choose(void *context, ln_simulation *simulation) {
    collecting *collector = context;
    const ln_comparing *all = collector->all;
    if (all->source != LN_TRUTH_MODEL)
        return ln_compare_choose((void *)(uintptr_t)all, simulation);
    ln_references_choice choice = {all->comparison->options->folders, collector->arena,
                                   &collector->references};
    return ln_references_choose(&choice, simulation);
}

/* Which columns are compared with what; a model's references stand in document order in every run.
 */
static linnet_status find_columns(collecting *collector, ln_simulation *simulation) {
    const ln_comparing *all = collector->all;
    int n = all->comparison->nsignals;
    collector->column = LN_NEW(collector->arena, int, n);
    collector->expected = LN_NEW(collector->arena, int, n);
    collector->last = LN_NEW(collector->arena, double, n + 1);
    collector->at = LN_NEW(collector->arena, ln_reference *, n);
    if (collector->column == NULL || collector->expected == NULL || collector->at == NULL ||
        collector->last == NULL)
        return LINNET_MEMORY;
    for (int k = 0; k < n; k++) {
        ln_reference *reference =
            all->source == LN_TRUTH_MODEL ? &collector->references.items[all->chosen[k]] : NULL;
        if (reference != NULL && reference->points != NULL && reference->expected >= 0)
            collector->at[k] = reference;
        collector->expected[k] =
            reference != NULL && reference->points == NULL ? reference->expected : -1;
        collector->column[k] =
            reference != NULL
                ? reference->column
                : ln_recorder_column(simulation->recorder, all->comparison->names[k], LN_NOWHERE);
        if (collector->column[k] < 0)
            return LINNET_INTERNAL;
    }
    return LINNET_OK;
}

/* The first error of a run's own report. */
static const char *first_message(const ln_comparing *all, const ln_report *report,
                                 linnet_status status) {
    const char *text = ln_report_first_error(report);
    return text != NULL ? ln_arena_string(all->comparison->arena, text)
                        : linnet_status_text(status);
}

static void set_outcome(const ln_comparing *all, const ln_report *report, const watching *watch,
                        linnet_status status, ln_compare_row *row) {
    row->outcome = status == LINNET_OK ? LN_COMPARE_RAN
                   : watch->stopped    ? LN_COMPARE_NOT_RUN
                                       : LN_COMPARE_FAILED;
    if (status == LINNET_OK)
        return;
    if (watch->stopped)
        row->remark = "interrupted";
    else if (watch->late)
        row->remark = ln_arena_printf(all->comparison->arena,
                                      "given up after %.3g s at t = %.6g s; --limit allows more",
                                      row->seconds, row->work.t);
    else
        row->remark = first_message(all, report, status);
}

/* The last warning of a run that went through, without its place: what makes its result doubtful.
 */
static const char *last_warning(const ln_comparing *all, const ln_report *report) {
    const char *found = NULL, *text;
    for (int k = 0; (text = ln_report_text(report, k)) != NULL; k++) {
        const char *warning = strstr(text, "warning: ");
        if (warning != NULL)
            found = warning + 9;
    }
    return found != NULL ? ln_arena_string(all->comparison->arena, found) : NULL;
}

static linnet_status simulate(collecting *collector, const ln_request *request, watching *watch,
                              ln_report *report) {
    ln_simulation simulation;
    linnet_status status =
        ln_simulation_prepare(&simulation, collector->all->comparison->model, request, 1,
                              &(ln_record_choice){choose, collector}, report);
    if (status == LINNET_OK)
        status = find_columns(collector, &simulation);
    if (status == LINNET_OK) {
        /* the method's own points */
        simulation.settings.interval = simulation.settings.resolution = 0;
        simulation.settings.stops = collector->task->stops;
        simulation.settings.nstops = collector->task->nstops;
        simulation.settings.max_steps = collector->task->max_steps;
        collector->row->method = simulation.settings.method;
        watch->deadline = ln_sys->clock() + collector->task->limit;
        /* about the model, which the command has told */
        int warnings = ln_report_warnings(report);
        status = ln_simulation_run(&simulation, &collector->sink, stop, watch);
        if (ln_report_warnings(report) > warnings)
            collector->row->remark = last_warning(collector->all, report);
        if (status == LINNET_OK && ln_report_has_lost(report))
            status = ln_no_memory(report);
        collector->row->work = simulation.statistics;
        collector->row->seconds = simulation.seconds;
    }
    ln_simulation_free(&simulation);
    collector->row->work.start_means = NULL; /* it belonged to the simulation */
    return status;
}

linnet_status ln_compare_run(const ln_comparing *all, const ln_compare_task *task,
                             ln_compare_row *row) {
    ln_comparison *comparison = all->comparison;
    ln_request request = *comparison->options->request;
    request.method = task->method;
    request.step = task->step;
    request.tolerance = task->tolerance;
    collecting collector = {
        .sink = {.open = ln_sink_nowhere.open, .row = collect_row, .close = close_collection},
        .all = all,
        .task = task,
        .row = row,
        .arena = ln_arena_new(),
        .stride = 1};
    watching watch = {.watch = all->watch};
    ln_report *report = ln_report_new(NULL, NULL);
    row->errors = LN_NEW(comparison->arena, ln_compare_error, comparison->nsignals);
    linnet_status status = LINNET_MEMORY;
    if (collector.arena != NULL && report != NULL && row->errors != NULL)
        status = simulate(&collector, &request, &watch, report);
    if (status != LINNET_MEMORY)
        set_outcome(all, report, &watch, status, row);
    row->nsamples = collector.nkept;
    size_t count = collector.nkept * ((size_t)comparison->nsignals + 1);
    row->samples = LN_NEW(comparison->arena, double, count);
    if (row->samples == NULL)
        status = LINNET_MEMORY;
    else if (count > 0)
        memcpy(row->samples, collector.kept, count * sizeof *collector.kept);
    ln_sys->release(collector.kept);
    ln_arena_free(collector.arena);
    ln_report_free(report);
    if (status == LINNET_MEMORY)
        return ln_no_memory(comparison->report);
    return watch.stopped ? LINNET_INTERRUPTED : LINNET_OK;
}
