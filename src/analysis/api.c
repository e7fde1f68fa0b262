/* SPDX-License-Identifier: MIT */
/* The public API: a thin coat over simulation.h that owns its strings and keeps what there was to
 * say. */
#include "analysis/api.h"

#include "base/sys.h"
#include "blocks/catalogue.h"
#include "result/formats.h"
#include "reading/open.h"
#include "base/text.h"
#include <string.h>

const char *linnet_version(void) {
    return LINNET_VERSION;
}

/* ---- life ---- */

linnet_model *linnet_model_new(void) {
    linnet_model *model = ln_sys->allocate(sizeof *model);
    if (model == NULL)
        return NULL;
    *model = (linnet_model){.arena = ln_arena_new()};
    if (model->arena != NULL)
        return model;
    ln_sys->release(model);
    return NULL;
}

void linnet_model_free(linnet_model *model) {
    if (model == NULL)
        return;
    ln_model_free(model->model);
    ln_sys->release(model->overrides);
    ln_sys->release(model->natives);
    ln_sys->release(model->folders);
    ln_sys->release(model->measures);
    ln_arena_free(model->after);
    ln_sys->release(model->diagnostics);
    ln_arena_free(model->messages);
    ln_arena_free(model->arena);
    ln_sys->release(model);
}

/* ---- diagnostics ---- */

/* Keeps a message; one that finds no memory is lost, its status is not. */
static void keep(void *context, ln_severity severity, ln_place place, const char *text) {
    static const linnet_severity severities[] = {
        [LN_NOTE] = LINNET_NOTE, [LN_WARNING] = LINNET_WARNING, [LN_ERROR] = LINNET_ERROR};
    linnet_model *model = context;
    if (model->messages == NULL)
        return;
    const char *copy = ln_arena_string(model->messages, text);
    const char *file = place.file != NULL ? ln_arena_string(model->messages, place.file) : NULL;
    if (copy == NULL)
        return;
    if (!LN_GROW(model->diagnostics, model->ndiagnostics, model->diagnostics_room))
        return;
    model->diagnostics[model->ndiagnostics++] =
        (linnet_diagnostic){severities[severity], copy, file, place.line, place.column};
}

void ln_api_forget(linnet_model *model) {
    ln_arena_free(model->messages);
    model->messages = ln_arena_new();
    model->ndiagnostics = 0;
}

ln_report *ln_api_begin(linnet_model *model) {
    ln_api_forget(model);
    return ln_report_new(keep, model);
}

linnet_status ln_api_end(ln_report *report, linnet_status status) {
    ln_report_close(report);
    ln_report_free(report);
    return status;
}

int linnet_diagnostic_count(const linnet_model *model) {
    return model != NULL ? (int)model->ndiagnostics : 0;
}

const linnet_diagnostic *linnet_diagnostic_at(const linnet_model *model, int index) {
    return index >= 0 && index < linnet_diagnostic_count(model) ? &model->diagnostics[index] : NULL;
}

/* ---- what is set before a run ---- */

linnet_status linnet_allow_folder(linnet_model *model, const char *folder) {
    if (model == NULL || folder == NULL)
        return LINNET_USAGE;
    const char *copy = ln_arena_string(model->arena, folder);
    if (copy == NULL)
        return LINNET_MEMORY;
    if (!LN_GROW(model->folders, model->nfolders, model->folders_room))
        return LINNET_MEMORY;
    model->folders[model->nfolders++] = copy;
    return LINNET_OK;
}

static int is_registered(const linnet_model *model, const char *name) {
    for (size_t k = 0; k < model->nnatives; k++)
        if (strcmp(model->natives[k]->name, name) == 0)
            return 1;
    return 0;
}

linnet_status linnet_register(linnet_model *model, const linnet_block_class *type) {
    if (model == NULL)
        return LINNET_USAGE;
    ln_report *report = ln_api_begin(model);
    linnet_status status = ln_class_check(type, report);
    if (status == LINNET_OK && is_registered(model, type->name))
        status = ln_fail(report, LINNET_USAGE, LN_NOWHERE,
                         "block type '%s' is registered already; choose another name", type->name);
    if (status == LINNET_OK && !LN_GROW(model->natives, model->nnatives, model->natives_room))
        status = ln_no_memory(report);
    if (status == LINNET_OK)
        model->natives[model->nnatives++] = type;
    return ln_api_end(report, status);
}

linnet_status linnet_set(linnet_model *model, const char *name, const char *value) {
    if (model == NULL || name == NULL)
        return LINNET_USAGE;
    size_t at = 0;
    model->changed = 1;
    while (at < model->noverrides && strcmp(model->overrides[at].name, name) != 0)
        at++;
    if (value == NULL) {
        if (at < model->noverrides)
            model->overrides[at] = model->overrides[--model->noverrides];
        return LINNET_OK;
    }
    ln_override entry = {at < model->noverrides ? model->overrides[at].name
                                                : ln_arena_string(model->arena, name),
                         ln_arena_string(model->arena, value)};
    if (entry.name == NULL || entry.value == NULL)
        return LINNET_MEMORY;
    if (!LN_GROW(model->overrides, at, model->overrides_room))
        return LINNET_MEMORY;
    model->overrides[at] = entry;
    if (at == model->noverrides)
        model->noverrides++;
    return LINNET_OK;
}

/* The options that are texts, and where the request keeps each. */
static const struct option {
    const char *name;
    size_t at;
} run_options[] = {{"method", offsetof(ln_request, method)},
                   {"step", offsetof(ln_request, step)},
                   {"tolerance", offsetof(ln_request, tolerance)},
                   {"duration", offsetof(ln_request, duration)},
                   {"start-time", offsetof(ln_request, start_time)},
                   {"start", offsetof(ln_request, start)},
                   {"interval", offsetof(ln_request, interval)},
                   {"points", offsetof(ln_request, points)},
                   {"event-limit", offsetof(ln_request, event_limit)},
                   {"ticks", offsetof(ln_request, ticks)}};
enum { OPTIONS = sizeof run_options / sizeof *run_options };

static const char **text_of_option(ln_request *request, const char *name) {
    for (size_t k = 0; k < OPTIONS; k++)
        if (strcmp(name, run_options[k].name) == 0)
            return (const char **)((char *)request + run_options[k].at);
    return NULL;
}

static linnet_status unknown_option(ln_report *report, const char *name) {
    const char *names[OPTIONS + 1] = {"linear-solver"};
    for (size_t k = 0; k < OPTIONS; k++)
        names[k + 1] = run_options[k].name;
    const char *nearest = ln_nearest(name, names, OPTIONS + 1);
    return ln_fail(report, LINNET_USAGE, LN_NOWHERE, "there is no option '%s'%s%s%s", name,
                   nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                   nearest != NULL ? "'?" : "");
}

static linnet_status set_option(linnet_model *model, const char *name, const char *value,
                                ln_report *report) {
    if (strcmp(name, "linear-solver") == 0) {
        int kind = value == NULL ? LN_LINEAR_AUTO : ln_linear_kind_find(value);
        if (kind < 0)
            return ln_fail(report, LINNET_USAGE, LN_NOWHERE,
                           "linear-solver is '%s'; it must be auto, dense or sparse", value);
        model->request.linear = (ln_linear_kind)kind;
        return LINNET_OK;
    }
    const char **text = text_of_option(&model->request, name);
    if (text == NULL)
        return unknown_option(report, name);
    const char *copy = value != NULL ? ln_arena_string(model->arena, value) : NULL;
    if (value != NULL && copy == NULL)
        return ln_no_memory(report);
    *text = copy;
    return LINNET_OK;
}

linnet_status linnet_option(linnet_model *model, const char *name, const char *value) {
    if (model == NULL || name == NULL)
        return LINNET_USAGE;
    ln_report *report = ln_api_begin(model);
    return ln_api_end(report, set_option(model, name, value, report));
}

linnet_status linnet_record(linnet_model *model, const char *signals) {
    if (model == NULL)
        return LINNET_USAGE;
    const char *record = signals;
    if (signals != NULL)
        record = model->record != NULL
                     ? ln_arena_printf(model->arena, "%s %s", model->record, signals)
                     : ln_arena_string(model->arena, signals);
    if (signals != NULL && record == NULL)
        return LINNET_MEMORY;
    model->record = record;
    return LINNET_OK;
}

/* ---- loading ---- */

static linnet_status load(linnet_model *model, const char *name, const char *text, size_t length) {
    ln_report *report = ln_api_begin(model);
    if (model->model != NULL)
        return ln_api_end(report, ln_fail(report, LINNET_USAGE, LN_NOWHERE,
                                          "a model is loaded already; make another "
                                          "linnet_model"));
    ln_model_options options = {.include_folders = model->folders,
                                .ninclude_folders = (int)model->nfolders,
                                .library = LINNET_LIBRARY_DIR};
    linnet_status status =
        text == NULL ? ln_model_open(name, &options, report, &model->model)
                     : ln_model_read_memory(name, text, length, &options, report, &model->model);
    if (status != LINNET_OK)
        model->model = NULL;
    else if (text == NULL)
        status = ln_model_set_origin(model->model, "through the library", report);
    if (status != LINNET_OK) {
        ln_model_free(model->model);
        model->model = NULL;
    }
    return ln_api_end(report, status);
}

linnet_status linnet_load(linnet_model *model, const char *path) {
    if (model == NULL || path == NULL)
        return LINNET_USAGE;
    return load(model, path, NULL, 0);
}

linnet_status linnet_load_text(linnet_model *model, const char *name, const char *text,
                               size_t length) {
    if (model == NULL || name == NULL || text == NULL)
        return LINNET_USAGE;
    return load(model, name, text, length);
}

/* ---- running ---- */

static linnet_status choose_record(void *context, ln_simulation *simulation) {
    const linnet_model *model = context;
    return ln_recorder_add(simulation->recorder, model->record, LN_NOWHERE);
}

/* What the model is asked for by name: the signals to be recorded, the measures, and others. */
static linnet_status set_asked(linnet_model *model, const char *others, ln_report *report) {
    ln_text asked = {0};
    ln_text_printf(&asked, "%s %s", model->record != NULL ? model->record : "",
                   others != NULL ? others : "");
    for (size_t k = 0; k < model->nmeasures; k++)
        ln_text_printf(&asked, " %s", model->measures[k]);
    const char *text = asked.failed ? NULL : ln_arena_string(model->arena, asked.data);
    ln_text_free(&asked);
    model->model->options.asked = text;
    return text != NULL ? LINNET_OK : ln_no_memory(report);
}

linnet_status ln_api_request(linnet_model *model, const char *asked, ln_report *report) {
    if (model->model == NULL)
        return ln_fail(report, LINNET_USAGE, LN_NOWHERE,
                       "no model is loaded; call linnet_load() first");
    LN_TRY(set_asked(model, asked, report));
    model->request.natives = model->natives;
    model->request.nnatives = (int)model->nnatives;
    model->request.overrides = model->overrides;
    model->request.noverrides = (int)model->noverrides;
    model->request.measures = model->measures;
    model->request.nmeasures = (int)model->nmeasures;
    return LINNET_OK;
}

linnet_status ln_api_prepare(linnet_model *model, ln_simulation *simulation, int need_settings,
                             ln_report *report) {
    *simulation = (ln_simulation){.method_why = ""};
    LN_TRY(ln_api_request(model, NULL, report));
    return ln_simulation_prepare(
        simulation, model->model, &model->request, need_settings,
        &(ln_record_choice){model->record != NULL ? choose_record : NULL, model}, report);
}

linnet_status linnet_check(linnet_model *model) {
    if (model == NULL)
        return LINNET_USAGE;
    ln_report *report = ln_api_begin(model);
    ln_simulation simulation;
    linnet_status status = ln_api_prepare(model, &simulation, 0, report);
    ln_simulation_free(&simulation);
    return ln_api_end(report, status);
}

static void keep_statistics(linnet_model *model, const ln_simulation *simulation) {
    const ln_statistics *from = &simulation->statistics;
    const ln_network *network = simulation->network;
    model->statistics =
        (linnet_statistics){.method = from->method != NULL ? from->method->name : NULL,
                            .blocks = network->ninstances,
                            .links = network->nlinks,
                            .unknowns = from->unknowns,
                            .states = from->states,
                            .nonlinear = from->nonlinear,
                            .steps = from->steps,
                            .rejected = from->rejected,
                            .newton = from->newton,
                            .factored = from->factored,
                            .refactored = from->refactored,
                            .solved = from->solved,
                            .evaluations = from->evaluations,
                            .points = simulation->rows,
                            .t = from->t,
                            .smallest = from->smallest,
                            .largest = from->largest,
                            .seconds = simulation->seconds};
}

linnet_statistics linnet_last_run(const linnet_model *model) {
    return model != NULL ? model->statistics : (linnet_statistics){0};
}

/* What belongs to the run before is gone. */
static void forget_run(linnet_model *model) {
    ln_arena_free(model->after);
    model->after = ln_arena_new();
    model->measured = NULL;
    model->nmeasured = 0;
    model->statistics = (linnet_statistics){0};
}

/* What a run polls. */
typedef struct stepping {
    const linnet_watch *watch;
    const ln_simulation *simulation;
} stepping;

static int poll_step(void *context) {
    const stepping *observer = context;
    return observer->watch->step(observer->watch->context, observer->simulation->statistics.t);
}

/* Where a run's rows go: a file in the format of its name (path NULL: none), a result in memory
 * (NULL: none), the caller's watch. */
typedef struct run_output {
    const char *path;
    linnet_result **result;
    const linnet_watch *watch;
} run_output;

/* Opens the file and the result; the simulation is prepared. */
static linnet_status open_output(const linnet_model *model, const run_output *output,
                                 const ln_simulation *simulation, ln_arena *arena,
                                 ln_api_sink *sink) {
    ln_report *report = sink->report;
    if (arena == NULL)
        return ln_no_memory(report);
    if (output->result != NULL && (sink->result = ln_result_new()) == NULL)
        return ln_no_memory(report);
    if (output->path == NULL)
        return LINNET_OK;
    const ln_result_head head = {.title = model->model != NULL ? model->model->name : NULL,
                                 .origin = ln_simulation_origin(simulation, arena),
                                 .name = "Transient Analysis",
                                 .first = {"time", "s"}};
    if (ln_arena_failed(arena))
        return ln_no_memory(report);
    sink->file = ln_sink_file(output->path, &head, report);
    return sink->file != NULL ? LINNET_OK : LINNET_IO;
}

static linnet_status run(linnet_model *model, const run_output *output) {
    if (model == NULL)
        return LINNET_USAGE;
    ln_report *report = ln_api_begin(model);
    ln_arena *arena = ln_arena_new();
    ln_simulation simulation;
    ln_api_sink sink;
    const linnet_watch *watch = output->watch;
    ln_api_sink_init(&sink, report, arena, watch);
    forget_run(model);
    linnet_status status =
        output->path != NULL ? ln_format_check(output->path, 0, "", report) : LINNET_OK;
    if (status == LINNET_OK)
        status = ln_api_prepare(model, &simulation, 1, report);
    if (status == LINNET_OK)
        status = open_output(model, output, &simulation, arena, &sink);
    if (status == LINNET_OK) {
        stepping step = {watch, &simulation};
        int polls = watch != NULL && watch->step != NULL;
        status = ln_simulation_run(&simulation, &sink.sink, polls ? poll_step : NULL, &step);
        keep_statistics(model, &simulation);
        ln_api_keep_measures(model, simulation.measures);
    }
    if (output->result != NULL)
        *output->result = sink.result;
    ln_simulation_free(&simulation);
    ln_arena_free(arena);
    return ln_api_end(report, status);
}

linnet_status linnet_run(linnet_model *model, const linnet_watch *watch) {
    return run(model, &(run_output){.watch = watch});
}

linnet_status linnet_run_file(linnet_model *model, const char *path, const linnet_watch *watch) {
    if (path == NULL)
        return LINNET_USAGE;
    return run(model, &(run_output){.path = path, .watch = watch});
}

linnet_status linnet_run_memory(linnet_model *model, const linnet_watch *watch,
                                linnet_result **result) {
    if (result == NULL)
        return LINNET_USAGE;
    *result = NULL;
    return run(model, &(run_output){.result = result, .watch = watch});
}
