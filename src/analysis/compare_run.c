/* SPDX-License-Identifier: MIT */
/* One run of a comparison: prepared anew, watched by a sink that holds values against the model's expressions as they
 * arrive, and keeps points for the rest. */
#include "analysis/compare_run.h"

#include "analysis/verify.h"
#include "base/sys.h"
#include "base/text.h"
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { KEPT = 48 };                /* points of its own that a run keeps: this to twice as many                       */

int ln_compare_same_time(const ln_comparison *it, double a, double b) {
    return fabs(a - b) <= 32 * DBL_EPSILON * fmax(fabs(it->begin), fabs(it->end));
}

/* ---- what is recorded ---- */

static linnet_status choose_file(const ln_comparing *all, ln_simulation *simulation) {
    for (int k = 0; k < all->it->nsignals; k++)
        if (ln_recorder_column(simulation->recorder, all->it->names[k], LN_NOWHERE) < 0) return LINNET_USAGE;
    return LINNET_OK;
}

static linnet_status choose_computed(const ln_comparing *all, ln_simulation *simulation) {
    const char *signals = all->it->options->signals;
    if (signals != NULL) {
        linnet_status status = ln_recorder_add(simulation->recorder, signals, (ln_place){"option --signals", 0, 0});
        return status == LINNET_MODEL ? LINNET_USAGE : status;
    }
    if (simulation->model->nrecords > 0) return ln_recorder_add_records(simulation->recorder);
    return ln_recorder_add_links(simulation->recorder);
}

linnet_status ln_compare_choose(void *context, ln_simulation *simulation) {
    const ln_comparing *all = context;
    return all->source == LN_TRUTH_FILE ? choose_file(all, simulation) : choose_computed(all, simulation);
}

/* ---- the sink ---- */

typedef struct collecting {
    ln_sink sink;
    const ln_comparing *all;
    const ln_compare_task *task;
    ln_compare_row *row;
    ln_references references;      /* of a model with its own                                                         */
    ln_arena *arena;               /* of the references                                                               */
    int *column, *expected;        /* per signal; expected -1: points                                                 */
    ln_reference **at;             /* per signal: an expression that holds at written times only, or NULL             */
    double *kept; size_t nkept, room; /* t and a value per signal                                                     */
    double *last; int has_last;    /* the point that came last, if it is not kept                                     */
    long seen, stride;
    size_t stop;
} collecting;

void ln_compare_note(ln_compare_error *error, double t, double actual, double expected, int at_end) {
    double off = fabs(actual - expected);
    if (!(off <= DBL_MAX)) off = INFINITY; /* a run that is not finite: told by its row */
    error->compared++;
    error->size = fmax(error->size, fabs(expected));
    if (off > error->largest || error->compared == 1) {
        error->largest = off;
        error->largest_t = t;
    }
    if (!at_end) return;
    error->has_end = 1;
    error->end = off;
    error->end_reference = expected;
}

static int keep_point(collecting *it, const double *point) {
    size_t width = (size_t)it->all->it->nsignals + 1;
    if (it->nkept == it->room) {
        size_t room = it->room > 0 ? 2 * it->room : 64;
        double *longer = ln_sys->resize(it->kept, room * width * sizeof *longer);
        if (longer == NULL) return 0;
        it->kept = longer;
        it->room = room;
    }
    memcpy(it->kept + it->nkept++ * width, point, width * sizeof *point);
    return 1;
}

/* Every second point goes: those left are as evenly spread as before. */
static void thin_out(collecting *it) {
    size_t width = (size_t)it->all->it->nsignals + 1;
    for (size_t k = 1; 2 * k < it->nkept; k++)
        memcpy(it->kept + k * width, it->kept + 2 * k * width, width * sizeof *it->kept);
    it->nkept = (it->nkept + 1) / 2;
    it->stride *= 2;
}

/* Does the run shall keep this point? Its own, thinned, or those at the wanted times. */
static int is_kept(collecting *it, double t) {
    const ln_compare_task *task = it->task;
    if (task->stops == NULL) {
        if (it->seen % it->stride != 0) return 0;
        if (it->nkept == 2 * KEPT) thin_out(it);
        return it->seen % it->stride == 0;
    }
    while (it->stop < task->nstops && task->stops[it->stop] < t &&
           !ln_compare_same_time(it->all->it, task->stops[it->stop], t)) it->stop++;
    return it->stop < task->nstops && ln_compare_same_time(it->all->it, task->stops[it->stop], t);
}

/* At a written time where the signal jumps, either side may meet the reference: the nearer one counts. */
static void meet_points(const collecting *it, ln_reference *reference, double t, double actual, double expected) {
    const double same = ln_same_time(it->all->it->begin, t);
    while (reference->next < reference->npoints && reference->points[reference->next].t < t - same) reference->next++;
    for (size_t k = reference->next; k < reference->npoints && reference->points[k].t <= t + same; k++) {
        ln_reference_point *point = &reference->points[k];
        if (!(fabs(actual - expected) < point->error)) continue;
        point->error = fabs(actual - expected);
        point->value = expected;
    }
}

static linnet_status collect_row(ln_sink *sink, double t, const double *values) {
    collecting *it = (collecting *)sink;
    const ln_comparison *comparison = it->all->it;
    int at_end = ln_compare_same_time(comparison, t, comparison->end);
    double *point = it->last;
    point[0] = t;
    for (int k = 0; k < comparison->nsignals; k++) {
        point[k + 1] = values[it->column[k]];
        if (it->at[k] != NULL) meet_points(it, it->at[k], t, point[k + 1], values[it->at[k]->expected]);
        else if (it->expected[k] >= 0)
            ln_compare_note(&it->row->errors[k], t, point[k + 1], values[it->expected[k]], at_end);
    }
    it->has_last = 1;
    if (it->all->has_points && is_kept(it, t)) {
        if (!keep_point(it, point)) return LINNET_MEMORY;
        it->has_last = 0;
    }
    it->seen++;
    return LINNET_OK;
}

/* The sink is the caller's variable. The end is always kept. */
static linnet_status close_collection(ln_sink *sink, int complete) {
    collecting *it = (collecting *)sink;
    const ln_comparison *comparison = it->all->it;
    (void)complete;
    for (int k = 0; k < comparison->nsignals; k++)
        for (size_t i = 0; it->at[k] != NULL && i < it->at[k]->next + 1 && i < it->at[k]->npoints; i++) {
            const ln_reference_point *point = &it->at[k]->points[i];
            int at_end = fabs(point->t - comparison->end) <= ln_same_time(comparison->begin, comparison->end);
            ln_compare_note(&it->row->errors[k], point->t, point->value + point->error, point->value, at_end);
        }
    if (it->all->has_points && it->has_last && it->task->stops == NULL && !keep_point(it, it->last))
        return LINNET_MEMORY;
    return LINNET_OK;
}

/* ---- the run ---- */

typedef struct watching { const ln_compare_watch *watch; double deadline; int late, stopped; } watching;

static int stop(void *context) {
    watching *it = context;
    it->stopped = it->watch->stop != NULL && it->watch->stop(it->watch->context);
    it->late = !it->stopped && ln_sys->clock() > it->deadline;
    return it->stopped || it->late;
}

static linnet_status choose(void *context, ln_simulation *simulation) {
    collecting *it = context;
    const ln_comparing *all = it->all;
    if (all->source != LN_TRUTH_MODEL) return ln_compare_choose((void *)(uintptr_t)all, simulation);
    ln_references_choice choice = {all->it->options->folders, it->arena, &it->references};
    return ln_references_choose(&choice, simulation);
}

/* Which columns are compared with what; a model's references stand in document order in every run. */
static linnet_status find_columns(collecting *it, ln_simulation *simulation) {
    const ln_comparing *all = it->all;
    int n = all->it->nsignals;
    it->column = LN_NEW(it->arena, int, n);
    it->expected = LN_NEW(it->arena, int, n);
    it->last = LN_NEW(it->arena, double, n + 1);
    it->at = LN_NEW(it->arena, ln_reference *, n);
    if (it->column == NULL || it->expected == NULL || it->at == NULL || it->last == NULL) return LINNET_MEMORY;
    for (int k = 0; k < n; k++) {
        ln_reference *reference = all->source == LN_TRUTH_MODEL ? &it->references.items[all->chosen[k]] : NULL;
        if (reference != NULL && reference->points != NULL && reference->expected >= 0) it->at[k] = reference;
        it->expected[k] = reference != NULL && reference->points == NULL ? reference->expected : -1;
        it->column[k] = reference != NULL ? reference->column
                                          : ln_recorder_column(simulation->recorder, all->it->names[k], LN_NOWHERE);
        if (it->column[k] < 0) return LINNET_INTERNAL;
    }
    return LINNET_OK;
}

/* The first message of a run's own report, without its place. */
static const char *first_message(const ln_comparing *all, const ln_report *report, linnet_status status) {
    const char *text = ln_report_text(report, 0);
    for (int k = 0; text != NULL && strstr(text, "error: ") == NULL; k++) text = ln_report_text(report, k);
    if (text == NULL) return linnet_status_text(status);
    const char *error = strstr(text, "error: ");
    return ln_arena_string(all->it->arena, error != NULL ? error + 7 : text);
}

static void settle(const ln_comparing *all, const ln_report *report, const watching *watch, linnet_status status,
                   ln_compare_row *row) {
    row->outcome = status == LINNET_OK ? LN_COMPARE_RAN : watch->stopped ? LN_COMPARE_NOT_RUN : LN_COMPARE_FAILED;
    if (status == LINNET_OK) return;
    if (watch->stopped) row->remark = "interrupted";
    else if (watch->late)
        row->remark = ln_arena_printf(all->it->arena, "given up after %.3g s at t = %.6g s; --limit allows more",
                                      row->seconds, row->work.t);
    else row->remark = first_message(all, report, status);
}

/* The last warning of a run that went through, without its place: what makes its result doubtful. */
static const char *last_warning(const ln_comparing *all, const ln_report *report) {
    const char *found = NULL, *text;
    for (int k = 0; (text = ln_report_text(report, k)) != NULL; k++) {
        const char *warning = strstr(text, "warning: ");
        if (warning != NULL) found = warning + 9;
    }
    return found != NULL ? ln_arena_string(all->it->arena, found) : NULL;
}

static linnet_status simulate(collecting *it, const ln_request *request, watching *watch, ln_report *report) {
    ln_simulation simulation;
    linnet_status status =
        ln_simulation_prepare(&simulation, it->all->it->model, request, 1, choose, it, report);
    if (status == LINNET_OK) status = find_columns(it, &simulation);
    if (status == LINNET_OK) {
        simulation.settings.interval = simulation.settings.resolution = 0; /* the method's own points */
        simulation.settings.stops = it->task->stops;
        simulation.settings.nstops = it->task->nstops;
        simulation.settings.max_steps = it->task->max_steps;
        it->row->method = simulation.settings.method;
        watch->deadline = ln_sys->clock() + it->task->limit;
        int warnings = ln_report_warnings(report); /* about the model, which the command has told */
        status = ln_simulation_run(&simulation, &it->sink, stop, watch);
        if (ln_report_warnings(report) > warnings) it->row->remark = last_warning(it->all, report);
        it->row->work = simulation.statistics;
        it->row->seconds = simulation.seconds;
    }
    ln_simulation_free(&simulation);
    it->row->work.start_means = NULL; /* it belonged to the simulation */
    return status;
}

linnet_status ln_compare_run(const ln_comparing *all, const ln_compare_task *task, ln_compare_row *row) {
    ln_comparison *comparison = all->it;
    ln_request request = *comparison->options->request;
    request.method = task->method;
    request.step = task->step;
    request.tolerance = task->tolerance;
    collecting it = {.sink = {.open = ln_sink_nowhere.open, .row = collect_row, .close = close_collection}, .all = all, .task = task, .row = row,
                     .arena = ln_arena_new(), .stride = 1};
    watching watch = {.watch = all->watch};
    ln_report *report = ln_report_new(NULL, NULL);
    row->errors = LN_NEW(comparison->arena, ln_compare_error, comparison->nsignals);
    linnet_status status = LINNET_MEMORY;
    if (it.arena != NULL && report != NULL && row->errors != NULL) status = simulate(&it, &request, &watch, report);
    if (status != LINNET_MEMORY) settle(all, report, &watch, status, row);
    row->nsamples = it.nkept;
    size_t count = it.nkept * ((size_t)comparison->nsignals + 1);
    row->samples = LN_NEW(comparison->arena, double, count);
    if (row->samples == NULL) status = LINNET_MEMORY;
    else if (count > 0) memcpy(row->samples, it.kept, count * sizeof *it.kept);
    ln_sys->release(it.kept);
    ln_arena_free(it.arena);
    ln_report_free(report);
    if (status == LINNET_MEMORY) return ln_no_memory(comparison->report);
    return watch.stopped ? LINNET_INTERRUPTED : LINNET_OK;
}
