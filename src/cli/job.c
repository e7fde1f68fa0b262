/* SPDX-License-Identifier: MIT */
/* From a command line to a request. Values are not looked at here but where they are used: their
 * messages then know the model. */
#include "cli/job.h"
#include "expression/dimension.h"
#include "foreign/fmi_model.h"
#include "reading/open.h"
#include "result/document.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static linnet_status add_setting(ln_job *job, char *text) {
    char *equals = strchr(text, '=');
    if (equals == NULL || equals == text || equals[1] == '\0')
        return ln_usage(job->command, "--set %.200s: write NAME=VALUE, such as --set R1.R=2kOhm",
                        text);
    char *name = ln_arena_text(job->arena, text, (size_t)(equals - text));
    if (name == NULL)
        return ln_no_memory(job->report);
    job->overrides[job->request.noverrides++] = (ln_override){name, equals + 1};
    return LINNET_OK;
}

/* ---- limits ---- */

static linnet_status limit_time(ln_job *job, const char *text) {
    const char *end;
    const double seconds = ln_number_read(text, &end);
    if (end == text || *end != '\0' || !(seconds > 0) || !(seconds < 1e9))
        return ln_usage(job->command, "--max-seconds is '%.60s'; it must be a number above 0",
                        text);
    ln_time_limit(seconds);
    return LINNET_OK;
}

/* Of what the process may write: its data, the data of its libraries, its stacks. */
static linnet_status limit_memory(ln_job *job, const char *text) {
    static const struct {
        const char *unit;
        double bytes;
    } units[] = {{"kB", 1e3},     {"MB", 1e6},     {"GB", 1e9},
                 {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}};
    const char *end;
    const double size = ln_number_read(text, &end);
    double bytes = 0;
    end += strspn(end, " ");
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (strcmp(end, units[k].unit) == 0)
            bytes = size * units[k].bytes;
    if (end == text || !(bytes >= 1e6) || !(bytes < 1e18))
        return ln_usage(job->command,
                        "--max-memory is '%.60s'; write a size of 1MB or more: 500MB, 2GB", text);
    const struct rlimit limit = {(rlim_t)bytes, (rlim_t)bytes};
    if (setrlimit(RLIMIT_DATA, &limit) == 0)
        return LINNET_OK;
    return ln_usage(job->command, "--max-memory %.60s: %s", text, strerror(errno));
}

/* Of the commands whose messages can be asked for as JSON. */
static int has_messages(const ln_command *command) {
    static const char *const names[] = {"run", "check", "verify"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(command->name, names[k]) == 0)
            return 1;
    return 0;
}

/* --format; where there are no messages it has a meaning of the command's own. */
static linnet_status choose_format(ln_job *job, const char *name) {
    if (!has_messages(job->command))
        return LINNET_OK;
    job->json = job->heard.keeps = strcmp(name, "json") == 0;
    if (job->json || strcmp(name, "text") == 0)
        return LINNET_OK;
    return ln_usage(job->command, "--format is '%.60s'; it must be text or json", name);
}

/* --points beside --interval counts a run's rows; elsewhere it has a meaning of the command's own.
 */
static linnet_status choose_points(ln_job *job, const char *text) {
    for (const ln_option *option = job->command->options; option->name != NULL; option++)
        if (strcmp(option->name, "interval") == 0)
            job->request.points = text;
    return LINNET_OK;
}

static linnet_status choose_solver(ln_job *job, const char *name) {
    const int kind = ln_linear_kind_find(name);
    if (kind < 0)
        return ln_usage(job->command,
                        "--linear-solver is '%.60s'; it must be one of " LN_LINEAR_WORDS, name);
    job->request.linear = (ln_linear_kind)kind;
    return LINNET_OK;
}

static linnet_status take_setting(ln_job *job, const char *text) {
    char *copy = ln_arena_string(job->arena, text);
    return copy != NULL ? add_setting(job, copy) : ln_no_memory(job->report);
}

static linnet_status be_quiet(ln_job *job, const char *unused) {
    (void)unused;
    job->quiet = 1;
    return LINNET_OK;
}

static linnet_status take_option(ln_job *job, const char *name, const char *value) {
    ln_request *request = &job->request;
    const struct {
        const char *name, **text;
    } texts[] = {{"method", &request->method},       {"step", &request->step},
                 {"tolerance", &request->tolerance}, {"duration", &request->duration},
                 {"output", &job->output},           {"event-limit", &request->event_limit},
                 {"events", &request->events},       {"newton", &request->newton},
                 {"bypass", &request->bypass},       {"interval", &request->interval},
                 {"threads", &request->threads}};
    const struct {
        const char *name, **list;
        int *count;
    } lists[] = {{"measure", job->measures, &request->nmeasures},
                 {"vary", job->varied, &job->nvaried},
                 {"include", job->folders, &job->nfolders}};
    static const struct {
        const char *name;
        linnet_status (*take)(ln_job *job, const char *value);
    } takers[] = {{"points", choose_points},       {"quiet", be_quiet},
                  {"set", take_setting},           {"format", choose_format},
                  {"max-seconds", limit_time},     {"max-memory", limit_memory},
                  {"linear-solver", choose_solver}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (strcmp(name, texts[k].name) == 0)
            *texts[k].text = value;
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        if (strcmp(name, lists[k].name) == 0)
            lists[k].list[(*lists[k].count)++] = value;
    for (size_t k = 0; k < sizeof takers / sizeof *takers; k++)
        if (strcmp(name, takers[k].name) == 0)
            return takers[k].take(job, value);
    return LINNET_OK;
}

/* How progress is shown, by --progress and --quiet. */
static linnet_status choose_progress(ln_job *job) {
    const char *how = ln_job_value(job, "progress");
    job->progress = job->quiet ? LN_PROGRESS_NONE : LN_PROGRESS_BAR;
    if (how == NULL || strcmp(how, "bar") == 0)
        return LINNET_OK;
    if (strcmp(how, "lines") != 0)
        return ln_usage(job->command, "--progress is '%.60s'; it must be bar or lines", how);
    job->progress = LN_PROGRESS_LINES;
    return LINNET_OK;
}

static int count_options(const ln_command *command) {
    int count = 0;
    while (command->options[count].name != NULL)
        count++;
    return count;
}

static linnet_status check_files(const ln_job *job, ln_job_files files) {
    const int only_one = files == LN_JOB_ONE;
    if (job->nfiles == 0 && files != LN_JOB_ANY)
        return ln_usage(job->command, "a model file is missing");
    double factor, offset;
    ln_dimension dimension;
    if (only_one && job->nfiles > 1 &&
        ln_unit_read(job->files[1], &factor, &offset, &dimension, NULL))
        return ln_usage(
            job->command,
            "'%.60s' stands alone; write a number and its unit as one word, 10%.60s or '10 %.60s'",
            job->files[1], job->files[1], job->files[1]);
    if (only_one && job->nfiles > 1)
        return ln_usage(job->command, "one model at a time; '%.200s' is one too many",
                        job->files[1]);
    return LINNET_OK;
}

/* Of an FMU --step is the step between communication points, too. */
static void set_communication_step(ln_job *job) {
    if (job->nfiles > 0 && ln_fmu_suffix(job->files[0]) && job->request.step != NULL)
        job->overrides[job->request.noverrides++] = (ln_override){LN_FMI_STEP, job->request.step};
}

/* The command line in one text, for results and pages; NULL when memory is short. */
static const char *command_line(const ln_job *job, int argc, char **argv) {
    ln_text line = {0};
    ln_text_printf(&line, "linnet %s", job->command->name);
    for (int k = 1; k < argc; k++)
        ln_text_printf(&line, strpbrk(argv[k], " '\"$&;<>|*?") != NULL ? " '%s'" : " %s", argv[k]);
    const char *text = line.failed ? NULL : ln_arena_string(job->arena, line.data);
    ln_text_free(&line);
    return text;
}

/* Room for what argc words can give at most; LINNET_MEMORY without memory. */
static linnet_status make_lists(ln_job *job, int argc) {
    job->overrides = LN_NEW(job->arena, ln_override, argc);
    job->folders = LN_NEW(job->arena, const char *, argc);
    job->measures = LN_NEW(job->arena, const char *, argc);
    job->varied = LN_NEW(job->arena, const char *, argc);
    job->values = LN_NEW(job->arena, const char *, count_options(job->command));
    job->given = LN_NEW(job->arena, int, argc);
    job->given_values = LN_NEW(job->arena, const char *, argc);
    if (!job->overrides || !job->folders || !job->values || !job->given || !job->given_values ||
        !job->measures || !job->varied)
        return ln_no_memory(job->report);
    job->request.measures = job->measures;
    job->request.overrides = job->overrides;
    return LINNET_OK;
}

/* Takes the options up to the first file; ended: LN_OPTION_END, _HELP or _WRONG. */
static linnet_status take_options(ln_job *job, int argc, char **argv, int *ended) {
    const char *value;
    int option, first;
    while ((option = ln_option_next(job->command, argc, argv, &value, &first)) >= 0) {
        job->values[option] = value != NULL ? value : "";
        job->given[job->ngiven] = option;
        job->given_values[job->ngiven++] = job->values[option];
        LN_TRY(take_option(job, job->command->options[option].name, value));
    }
    job->files = argv + first;
    job->nfiles = argc - first;
    *ended = option;
    return LINNET_OK;
}

static int read_job(ln_job *job, const ln_command *command, int argc, char **argv,
                    ln_job_files files, linnet_status *status) {
    *job = (ln_job){.command = command,
                    .request = {.prefix = "--"},
                    .arena = ln_arena_new(),
                    .report = ln_terminal_report(&job->heard)};
    *status = LINNET_MEMORY;
    if (job->arena == NULL || job->report == NULL) {
        (void)ln_no_memory(job->report);
        return 0;
    }
    int ended = LN_OPTION_END;
    *status = make_lists(job, argc);
    if (*status == LINNET_OK)
        *status = take_options(job, argc, argv, &ended);
    if (*status != LINNET_OK)
        return 0;
    if (ended == LN_OPTION_HELP) {
        ln_help_command(command);
        return 0;
    }
    job->line = command_line(job, argc, argv);
    if (job->line == NULL) {
        *status = ln_no_memory(job->report);
        return 0;
    }
    *status = ended == LN_OPTION_WRONG ? LINNET_USAGE : check_files(job, files);
    set_communication_step(job);
    if (*status == LINNET_OK)
        *status = choose_progress(job);
    return *status == LINNET_OK;
}

/* What is kept for an answer in JSON gets none where memory is short for the job. */
int ln_job_read(ln_job *job, const ln_command *command, int argc, char **argv, ln_job_files files,
                linnet_status *status) {
    const int goes_on = read_job(job, command, argc, argv, files, status);
    if (!goes_on && *status == LINNET_MEMORY && job->heard.keeps)
        ln_terminal_outcome(LINNET_MEMORY);
    return goes_on;
}

const char *ln_job_value(const ln_job *job, const char *name) {
    for (int k = 0; job->command->options[k].name != NULL; k++)
        if (strcmp(job->command->options[k].name, name) == 0)
            return job->values[k];
    return NULL;
}

const char *ln_job_format(const ln_job *job) {
    const char *format = ln_job_value(job, "format"), *file = ln_job_value(job, "result");
    if (file == NULL) /* --output may be a signal where --result is the file */
        file = job->output;
    const char *dot = file != NULL ? strrchr(file, '.') : NULL;
    if (format != NULL || dot == NULL)
        return format;
    return strcmp(dot, ".csv") == 0 ? "csv" : strcmp(dot, ".json") == 0 ? "json" : NULL;
}

linnet_status ln_job_for(const ln_job *job, const ln_command *command, ln_job *other) {
    *other = *job;
    other->command = command;
    other->ngiven = 0;
    other->values = LN_NEW(job->arena, const char *, count_options(command));
    if (other->values == NULL)
        return ln_no_memory(job->report);
    /* what else both know is no value: request, quiet */
    ln_job_give(other, "ascii", ln_job_value(job, "ascii"));
    return LINNET_OK;
}

void ln_job_give(ln_job *job, const char *name, const char *value) {
    for (int k = 0; job->command->options[k].name != NULL; k++)
        if (strcmp(job->command->options[k].name, name) == 0)
            job->values[k] = value;
}

void ln_job_free(ln_job *job) {
    ln_report_close(job->report);
    ln_report_free(job->report);
    ln_arena_free(job->arena);
    ln_text_free(&job->heard.items);
    ln_text_free(&job->answer);
}

void ln_job_answer(ln_job *job, const char *path) {
    ln_json *json = &job->answer_json;
    json->out = &job->answer;
    json->indent = 1;
    if (json->depth == 0)
        ln_json_begin(json, NULL, LN_JSON_LIST_LINES);
    ln_json_begin(json, NULL, LN_JSON_OBJECT);
    ln_json_text(json, "file", path);
}

/* A list that was begun is ended and becomes a member; else the member is an empty one. */
static void tell_list(ln_json *to, const char *name, ln_json *list) {
    if (list->depth == 0) {
        ln_json_begin(to, name, LN_JSON_LIST);
        ln_json_end(to);
        return;
    }
    ln_json_end(list);
    ln_json_written(to, name, list->out);
}

linnet_status ln_job_tell(ln_job *job, linnet_status status) {
    ln_text text = {0};
    ln_json json = {.out = &text};
    ln_json_begin(&json, NULL, LN_JSON_OBJECT_LINES);
    tell_list(&json, "models", &job->answer_json);
    tell_list(&json, "messages", &job->heard.json);
    ln_json_text(&json, "status", linnet_status_text(status));
    ln_json_integer(&json, "exit", linnet_status_exit(status));
    ln_json_finish(&json);
    if (text.failed)
        ln_terminal_outcome(status = LINNET_MEMORY);
    else
        fputs(text.data, stdout);
    ln_text_free(&text);
    (void)fflush(stdout);
    return status;
}

const char **ln_job_values(const ln_job *job, const char *name, int *count) {
    const char **values = LN_NEW(job->arena, const char *, job->ngiven);
    *count = 0;
    for (int k = 0; values != NULL && k < job->ngiven; k++)
        if (strcmp(job->command->options[job->given[k]].name, name) == 0)
            values[(*count)++] = job->given_values[k];
    return values;
}

const char *ln_job_file_after(const ln_job *job, const char *path, const char *suffix) {
    path = strcmp(path, "-") == 0 ? "stdin" : path;
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path,
               *dot = strrchr(name, '.');
    const int length = (int)(dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name));
    return ln_arena_printf(job->arena, "%.*s%s", length, name, suffix);
}

ln_model_options ln_job_options(const ln_job *job) {
    return (ln_model_options){.include_folders = job->folders,
                              .ninclude_folders = job->nfolders,
                              .library = LINNET_LIBRARY_DIR,
                              .asked = job->line,
                              .allow_native = ln_job_value(job, "allow-native") != NULL};
}

linnet_status ln_job_model(const ln_job *job, const char *path, ln_model **model) {
    ln_model_options options = ln_job_options(job);
    LN_TRY(ln_model_open(path, &options, job->report, model));
    linnet_status status = ln_model_set_origin(*model, job->line, job->report);
    if (status != LINNET_OK) {
        ln_model_free(*model);
        *model = NULL;
    }
    return status;
}

void ln_help_measures(void) {
    const char *name, *doc;
    puts("\nMeasures:");
    for (int k = 0; (name = ln_measure_kind_at(k, &doc)) != NULL; k++)
        printf("  %-15s %s\n", name, doc);
    puts("  Written as NAME=KIND(SIGNAL, OPTION=VALUE, ...). Every kind takes from and to, a piece "
         "of time.");
}

void ln_help_methods(void) {
    puts("\nMethods:");
    for (int k = 0; ln_method_at(k) != NULL; k++)
        printf("  %-15s %s\n", ln_method_at(k)->name, ln_method_at(k)->doc);
    puts("  Without --method and without a method in the model, a tolerance is kept by radau5; at "
         "a fixed step a plain\n"
         "  block diagram gets rk4, anything physical crank-nicolson. Without step and tolerance "
         "the step is adaptive\n"
         "  at a tolerance of 1e-4.");
}

linnet_status ln_job_each(ln_job *job, linnet_status status,
                          linnet_status (*one)(ln_job *job, const char *path)) {
    for (int k = 0; k < job->nfiles && status != LINNET_INTERRUPTED; k++) {
        if (job->json)
            ln_job_answer(job, job->files[k]);
        const linnet_status outcome = one(job, job->files[k]);
        if (job->json)
            ln_json_end(&job->answer_json);
        if (outcome == LINNET_INTERRUPTED || status == LINNET_OK ||
            (status == LINNET_MISSED && outcome != LINNET_OK))
            status = outcome;
    }
    ln_report_close(job->report);
    if (job->json)
        return ln_job_tell(job, status);
    if (status != LINNET_OK || !job->quiet)
        ln_terminal_outcome(status);
    return status;
}
