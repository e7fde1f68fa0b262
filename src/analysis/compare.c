/* SPDX-License-Identifier: MIT */
/* A comparison from its request to its rows: what is run, what it is held against, and in which
 * order. */
#include "analysis/compare.h"

#include "analysis/compare_run.h"
#include "analysis/compare_stability.h"
#include "analysis/verify.h"
#include "base/sys.h"
#include "base/text.h"
#include "model/model.h"
#include "model/scope.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the reference ---- */

static int is_chosen(const char *list, const char *name, ln_arena *arena) {
    const char *const blanks = " \t\r\n,";
    if (list == NULL)
        return 1;
    for (size_t length; list += strspn(list, blanks), *list != '\0'; list += length) {
        length = strcspn(list, blanks);
        const char *pattern = ln_arena_text(arena, list, length);
        if (pattern != NULL && ln_matches(pattern, name))
            return 1;
    }
    return 0;
}

static linnet_status make_names(ln_comparison *comparison, int count) {
    comparison->names = LN_NEW(comparison->arena, const char *, count);
    comparison->units = LN_NEW(comparison->arena, const char *, count);
    return comparison->names != NULL && comparison->units != NULL
               ? LINNET_OK
               : ln_no_memory(comparison->report);
}

/* A row of the truth for one time: values NAN but for one signal. */
static void put_point(ln_comparison *comparison, int signal, double t, double value) {
    size_t width = (size_t)comparison->nsignals + 1;
    double *row = comparison->truth + comparison->ntruth++ * width;
    row[0] = t;
    for (int k = 0; k < comparison->nsignals; k++)
        row[k + 1] = k == signal ? value : NAN;
}

static void sort_rows(double *rows, size_t count, size_t width, double *work) {
    /* merging: points of one signal come sorted, and are many */
    for (size_t run = 1; run < count; run *= 2)
        for (size_t low = 0; low + run < count; low += 2 * run) {
            size_t middle = low + run, high = middle + run < count ? middle + run : count, a = low,
                   b = middle, n = 0;
            while (a < middle || b < high) {
                size_t from =
                    b >= high || (a < middle && rows[a * width] <= rows[b * width]) ? a++ : b++;
                memcpy(work + n++ * width, rows + from * width, width * sizeof *rows);
            }
            memcpy(rows + low * width, work, n * width * sizeof *rows);
        }
}

static int compare_times(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* The times of the truth and some more, once each, for every run to step onto. */
static linnet_status make_stops(ln_comparison *comparison, const double *more, size_t count) {
    size_t width = (size_t)comparison->nsignals + 1, n = 0;
    double *work = LN_NEW(comparison->arena, double, comparison->ntruth *width),
           *times = LN_NEW(comparison->arena, double, comparison->ntruth + count);
    if (work == NULL || times == NULL)
        return ln_no_memory(comparison->report);
    sort_rows(comparison->truth, comparison->ntruth, width, work);
    for (size_t k = 0; k < comparison->ntruth; k++)
        times[n++] = comparison->truth[k * width];
    for (size_t k = 0; k < count; k++)
        times[n++] = more[k];
    qsort(times, n, sizeof *times, compare_times);
    comparison->stops = times;
    comparison->nstops = 0;
    for (size_t k = 0; k < n; k++)
        if (comparison->nstops == 0 ||
            !ln_compare_same_time(comparison, times[comparison->nstops - 1], times[k]))
            times[comparison->nstops++] = times[k];
    return LINNET_OK;
}

/* The model's own references: those chosen become signals, their written points the truth. */
static linnet_status take_references(ln_comparing *all, const ln_references *references) {
    ln_comparison *comparison = all->comparison;
    int *chosen = LN_NEW(comparison->arena, int, references->count);
    if (chosen == NULL)
        return ln_no_memory(comparison->report);
    LN_TRY(make_names(comparison, references->count));
    size_t points = 0, times = references->nstops;
    for (int k = 0; k < references->count; k++) {
        const ln_reference *reference = &references->items[k];
        if (!is_chosen(comparison->options->signals, reference->signal, comparison->arena))
            continue;
        chosen[comparison->nsignals] = k;
        comparison->names[comparison->nsignals++] = reference->signal;
        points += reference->points != NULL && reference->expected < 0 ? reference->npoints : 0;
    }
    if (comparison->nsignals == 0)
        return ln_fail(comparison->report, LINNET_USAGE, LN_NOWHERE,
                       "the model has no reference for '%.100s'; --reference "
                       "computed makes one",
                       comparison->options->signals);
    all->chosen = chosen;
    comparison->reference = "the model's own";
    comparison->stops = times > 0 ? references->stops : NULL; /* they live in the arena */
    comparison->nstops = times;
    if (points == 0)
        return LINNET_OK;
    comparison->truth =
        LN_NEW(comparison->arena, double, points *((size_t)comparison->nsignals + 1));
    if (comparison->truth == NULL)
        return ln_no_memory(comparison->report);
    for (int s = 0; s < comparison->nsignals; s++) {
        const ln_reference *reference = &references->items[chosen[s]];
        for (size_t k = 0;
             reference->points != NULL && reference->expected < 0 && k < reference->npoints; k++)
            put_point(comparison, s, reference->points[k].t, reference->points[k].value);
    }
    return make_stops(comparison, references->stops, times);
}

enum { MOST_TIMES = 100 }; /* of a file: more would disturb runs that choose their own steps */

/* The columns of the file that name something in the model and are asked for. */
static linnet_status pick_columns(ln_comparison *comparison, const ln_simulation *simulation,
                                  const ln_csv *csv, int *column) {
    const ln_compare_options *options = comparison->options;
    for (int k = 1; k < csv->ncolumns; k++) {
        ln_quantity quantity;
        if (!is_chosen(options->signals, csv->names[k], comparison->arena) ||
            !ln_network_find(simulation->network, csv->names[k], &quantity, NULL))
            continue;
        column[comparison->nsignals] = k;
        comparison->names[comparison->nsignals++] = csv->names[k];
    }
    if (comparison->nsignals == 0)
        return ln_fail(comparison->report, LINNET_USAGE, LN_NOWHERE,
                       "no column of '%s' is a signal of the model%s", options->reference,
                       options->signals != NULL ? " that was asked for" : "");
    return LINNET_OK;
}

/* Rows of the file, [first, end), whose times lie within the run. */
typedef struct row_range {
    size_t first, end;
} row_range;

static row_range rows_within(const ln_comparison *comparison, const ln_csv *csv) {
    const size_t width = (size_t)csv->ncolumns;
    row_range rows = {0, csv->nrows};
    while (rows.first < rows.end && csv->data[rows.first * width] < comparison->begin &&
           !ln_compare_same_time(comparison, csv->data[rows.first * width], comparison->begin))
        rows.first++;
    while (rows.end > rows.first && csv->data[(rows.end - 1) * width] > comparison->end &&
           !ln_compare_same_time(comparison, csv->data[(rows.end - 1) * width], comparison->end))
        rows.end--;
    return rows;
}

/* Those rows thinned to MOST_TIMES, from the last one back, as the truth. 0: memory is short. */
static int thin_out(ln_comparison *comparison, const ln_csv *csv, row_range rows,
                    const int *column) {
    const size_t width = (size_t)csv->ncolumns, own = (size_t)comparison->nsignals + 1,
                 count = rows.end - rows.first, stride = (count + MOST_TIMES - 1) / MOST_TIMES;
    comparison->truth = LN_NEW(comparison->arena, double, (count / stride + 2) * own);
    if (comparison->truth == NULL)
        return 0;
    for (size_t k = rows.end; k > rows.first;
         k = k - rows.first > stride ? k - stride : rows.first) {
        double *row = comparison->truth + comparison->ntruth++ * own;
        row[0] = csv->data[(k - 1) * width];
        for (int s = 0; s < comparison->nsignals; s++)
            row[s + 1] = csv->data[(k - 1) * width + (size_t)column[s]];
    }
    return 1;
}

/* A file's columns that name something in the model; its times, thinned, with the last one within
 * the run. */
static linnet_status take_file(ln_comparing *all, const ln_simulation *simulation) {
    ln_comparison *comparison = all->comparison;
    const char *path = comparison->options->reference;
    ln_csv csv;
    LN_TRY(ln_csv_read(path, LN_FROM_USER, comparison->arena, comparison->report, &csv));
    LN_TRY(make_names(comparison, csv.ncolumns));
    int *column = LN_NEW(comparison->arena, int, csv.ncolumns);
    if (column == NULL)
        return ln_no_memory(comparison->report);
    LN_TRY(pick_columns(comparison, simulation, &csv, column));
    const row_range rows = rows_within(comparison, &csv);
    if (rows.first == rows.end)
        return ln_fail(comparison->report, LINNET_USAGE, LN_NOWHERE,
                       "no row of '%s' lies within the run, %.9g s to %.9g s", path,
                       comparison->begin, comparison->end);
    if (!thin_out(comparison, &csv, rows, column))
        return ln_no_memory(comparison->report);
    comparison->reference = ln_arena_printf(comparison->arena, "the file %s", path);
    return comparison->reference != NULL ? make_stops(comparison, NULL, 0)
                                         : ln_no_memory(comparison->report);
}

static linnet_status take_columns(ln_comparison *comparison, const ln_simulation *simulation) {
    int count;
    const ln_column *columns = ln_recorder_columns(simulation->recorder, &count);
    LN_TRY(make_names(comparison, count));
    for (int k = 0; k < count; k++)
        comparison->names[k] = ln_arena_string(comparison->arena, columns[k].name);
    comparison->nsignals = count;
    if (ln_arena_failed(comparison->arena))
        return ln_no_memory(comparison->report);
    if (count == 0)
        return ln_fail(comparison->report, LINNET_USAGE, LN_NOWHERE,
                       "there is nothing to compare; name signals with --signals");
    return LINNET_OK;
}

/* ---- rows ---- */

enum { FIXED = 1, ADAPTIVE = 2 };

static int can(const ln_method *method) {
    return method->steps == LN_STEPS_EITHER     ? FIXED | ADAPTIVE
           : method->steps == LN_STEPS_ADAPTIVE ? ADAPTIVE
                                                : FIXED;
}

static linnet_status add_row(ln_comparison *comparison, const ln_method *method, int fixed,
                             const char *text, double size) {
    comparison->rows[comparison->nrows++] = (ln_compare_row){
        .method = method, .fixed = fixed, .text = text, .size = size, .worst_signal = -1};
    return LINNET_OK;
}

/* Texts with their values, in the order given. */
typedef struct sizes {
    const char **texts;
    double *values;
    int count;
} sizes;

/* What a size is: the option that gives it, its unit, below what it must stay. */
typedef struct size_kind {
    const char *option, *unit;
    double most;
} size_kind;
static const size_kind a_step = {"step", "s", INFINITY}, a_tolerance = {"tolerance", "", 1};

static linnet_status read_sizes(const ln_comparison *comparison, const ln_network *network,
                                const size_kind *kind, const char *const *texts, int count,
                                sizes *out) {
    *out = (sizes){LN_NEW(comparison->arena, const char *, count),
                   LN_NEW(comparison->arena, double, count), count};
    if (out->texts == NULL || out->values == NULL)
        return ln_no_memory(comparison->report);
    ln_place place = {ln_arena_printf(comparison->arena, "option --%s", kind->option), 0, 0};
    for (int k = 0; k < count; k++) {
        out->texts[k] = texts[k];
        linnet_status status =
            ln_scope_value(network->scope, texts[k], kind->unit, place, &out->values[k]);
        if (status != LINNET_OK)
            return status == LINNET_MODEL ? LINNET_USAGE : status;
        if (!(out->values[k] > 0 && out->values[k] < kind->most))
            return ln_fail(comparison->report, LINNET_USAGE, place, "'%.60s' must be above 0%s",
                           texts[k], kind->most < INFINITY ? " and below 1" : "");
    }
    return LINNET_OK;
}

/* The model's step or a thousandth of the run, and two halvings. */
static linnet_status usual_steps(const ln_comparison *comparison, const ln_settings *settings,
                                 sizes *out) {
    double step =
        settings->step > 0 ? settings->step : (comparison->end - comparison->begin) / 1000;
    *out = (sizes){LN_NEW(comparison->arena, const char *, 3), LN_NEW(comparison->arena, double, 3),
                   3};
    if (out->texts == NULL || out->values == NULL)
        return ln_no_memory(comparison->report);
    for (int k = 0; k < 3; k++, step /= 2) {
        char buffer[32];
        ln_number_format(buffer, step);
        out->values[k] = step;
        if ((out->texts[k] = ln_arena_string(comparison->arena, buffer)) == NULL)
            return ln_no_memory(comparison->report);
    }
    return LINNET_OK;
}

static linnet_status find_method(const ln_comparison *comparison, const char *name,
                                 const ln_method **method) {
    *method = ln_method_find(name);
    if (*method != NULL)
        return LINNET_OK;
    const char *nearest = ln_method_meant(name);
    return ln_fail(comparison->report, LINNET_USAGE, (ln_place){"option --methods", 0, 0},
                   "'%.60s' is no method%s%s%s", name,
                   nearest != NULL ? "; did you mean '" : "; linnet compare --help lists them",
                   nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
}

/* A method that the lists given leave without a run gets the usual sizes: of high order by
 * tolerance, else by step. */
static linnet_status make_rows(ln_comparison *comparison, const ln_simulation *simulation) {
    static const char *const usual[] = {
        "backward-euler", "crank-nicolson", "tr-bdf2", "radau5", "ida", "rk4", "rk45"};
    static const char *const usual_tolerances[] = {"1e-4", "1e-6", "1e-8"};
    const ln_compare_options *options = comparison->options;
    const char *const *names = options->nmethods > 0 ? options->methods : usual;
    int count = options->nmethods > 0 ? options->nmethods : (int)(sizeof usual / sizeof *usual);
    sizes steps, tolerances, more_steps, more_tolerances;
    const ln_network *network = simulation->network;
    LN_TRY(read_sizes(comparison, network, &a_step, options->steps, options->nsteps, &steps));
    LN_TRY(read_sizes(comparison, network, &a_tolerance, options->tolerances, options->ntolerances,
                      &tolerances));
    LN_TRY(read_sizes(comparison, network, &a_tolerance, usual_tolerances, 3, &more_tolerances));
    LN_TRY(usual_steps(comparison, &simulation->settings, &more_steps));
    size_t most = (size_t)count * ((size_t)steps.count + (size_t)tolerances.count + 3);
    comparison->rows = LN_NEW(comparison->arena, ln_compare_row, most);
    comparison->summaries = LN_NEW(comparison->arena, ln_compare_summary, most);
    if (comparison->rows == NULL || comparison->summaries == NULL)
        return ln_no_memory(comparison->report);
    for (int m = 0; m < count; m++) {
        const ln_method *method;
        LN_TRY(find_method(comparison, names[m], &method));
        int able = can(method), by_step = able & FIXED ? steps.count : 0,
            by_tolerance = able & ADAPTIVE ? tolerances.count : 0;
        const sizes *one = &steps, *two = &tolerances;
        if (by_step + by_tolerance == 0) {
            int fixed = able == FIXED || (able & FIXED && method->order < 5);
            by_step = fixed ? 3 : 0;
            by_tolerance = fixed ? 0 : 3;
            one = &more_steps;
            two = &more_tolerances;
        }
        for (int k = 0; k < by_step; k++)
            LN_TRY(add_row(comparison, method, 1, one->texts[k], one->values[k]));
        for (int k = 0; k < by_tolerance; k++)
            LN_TRY(add_row(comparison, method, 0, two->texts[k], two->values[k]));
    }
    return LINNET_OK;
}

/* ---- the whole ---- */

typedef struct planning {
    ln_comparing *all;
    ln_references references;
} planning;

static linnet_status choose_first(void *context, ln_simulation *simulation) {
    planning *plan = context;
    ln_comparing *all = plan->all;
    /* told already */
    if (!(simulation->settings.end > simulation->settings.begin))
        return LINNET_OK;
    all->comparison->begin = simulation->settings.begin;
    all->comparison->end = simulation->settings.end;
    if (all->source == LN_TRUTH_COMPUTED)
        return ln_compare_choose(all, simulation);
    if (all->source == LN_TRUTH_FILE) {
        LN_TRY(take_file(all, simulation));
        return ln_compare_choose(all, simulation);
    }
    ln_references_choice choice = {all->comparison->options->folders, all->comparison->arena,
                                   &plan->references};
    LN_TRY(ln_references_choose(&choice, simulation));
    return take_references(all, &plan->references);
}

static linnet_status choose_source(ln_comparing *all) {
    const char *asked = all->comparison->options->reference;
    int own = all->comparison->model->nreferences > 0;
    if (asked == NULL)
        all->source = own ? LN_TRUTH_MODEL : LN_TRUTH_COMPUTED;
    else if (strcmp(asked, "model") == 0)
        all->source = LN_TRUTH_MODEL;
    else if (strcmp(asked, "computed") == 0)
        all->source = LN_TRUTH_COMPUTED;
    else
        all->source = LN_TRUTH_FILE;
    if (all->source == LN_TRUTH_MODEL && !own)
        return ln_fail(all->comparison->report, LINNET_USAGE, LN_NOWHERE,
                       "--reference model: the model has no <reference>; take "
                       "a file or 'computed'");
    return LINNET_OK;
}

/* Everything that can be wrong with model and request is told here, once. The simulation shows what
 * a run is like. */
static linnet_status plan(ln_comparing *all, ln_simulation *simulation) {
    ln_comparison *comparison = all->comparison;
    ln_request request = *comparison->options->request;
    request.method = request.step = request.tolerance = NULL;
    planning planned = {.all = all};
    LN_TRY(choose_source(all));
    LN_TRY(ln_simulation_prepare(simulation, comparison->model, &request, 1,
                                 &(ln_record_choice){choose_first, &planned}, comparison->report));
    if (all->source == LN_TRUTH_COMPUTED)
        LN_TRY(take_columns(comparison, simulation));
    all->has_points = all->source == LN_TRUTH_COMPUTED || comparison->truth != NULL;
    return make_rows(comparison, simulation);
}

/* A short run says little of its time, the first one least: it is run twice more, and the shortest
 * time counts. */
static linnet_status time_again(const ln_comparing *all, const ln_compare_task *task,
                                ln_compare_row *row) {
    const double brief = 0.05; /* s */
    for (int k = 0; k < 2 && row->outcome == LN_COMPARE_RAN && row->seconds < brief; k++) {
        ln_compare_row again = {.outcome = LN_COMPARE_NOT_RUN};
        LN_TRY(ln_compare_run(all, task, &again));
        row->seconds = fmin(row->seconds, again.seconds);
    }
    return LINNET_OK;
}

static linnet_status run_rows(ln_comparing *all) {
    ln_comparison *comparison = all->comparison;
    for (int r = 0; r < comparison->nrows; r++) {
        ln_compare_row *row = &comparison->rows[r];
        ln_compare_task task = {.method = row->method->name,
                                .limit = comparison->options->limit,
                                .stops = comparison->stops,
                                .nstops = comparison->nstops};
        *(row->fixed ? &task.step : &task.tolerance) = row->text;
        if (all->watch->tell != NULL)
            all->watch->tell(all->watch->context, row, r, comparison->nrows);
        LN_TRY(ln_compare_run(all, &task, row));
        LN_TRY(time_again(all, &task, row));
    }
    return LINNET_OK;
}

linnet_status ln_compare(const ln_model *model, const ln_compare_options *options,
                         const ln_compare_watch *watch, ln_report *report,
                         ln_comparison *comparison) {
    *comparison = (ln_comparison){
        .arena = ln_arena_new(), .report = report, .model = model, .options = options};
    if (comparison->arena == NULL)
        return ln_no_memory(report);
    ln_comparing all = {.comparison = comparison, .watch = watch};
    ln_simulation simulation = {.method_why = ""};
    linnet_status status = plan(&all, &simulation);
    if (status == LINNET_OK) {
        status = run_rows(&all);
        /* what ran before an interruption is still judged, unless the user interrupts that, too */
        if (status == LINNET_OK || status == LINNET_INTERRUPTED) {
            linnet_status truth = ln_compare_truth(&all);
            if (status == LINNET_OK)
                status = truth;
        }
        if (status == LINNET_OK || status == LINNET_INTERRUPTED) {
            ln_compare_judge(&all);
            linnet_status stability = ln_compare_stability(&all, &simulation);
            if (status == LINNET_OK)
                status = stability;
            ln_compare_orders(&all);
        }
    }
    ln_simulation_free(&simulation);
    if (status == LINNET_OK && ln_arena_failed(comparison->arena)) /* names, patterns, remarks */
        return ln_no_memory(report);
    int ran = 0;
    for (int r = 0; r < comparison->nrows; r++)
        ran += comparison->rows[r].outcome == LN_COMPARE_RAN;
    if (status == LINNET_OK && ran == 0)
        return ln_fail(report, LINNET_FAILED, LN_NOWHERE, "no run came to its end");
    return status;
}

void ln_comparison_free(ln_comparison *comparison) {
    ln_arena_free(comparison->arena);
    *comparison = (ln_comparison){0};
}
