/* SPDX-License-Identifier: MIT */
/* linnet run: a model to its trajectory in a file. */
#include "analysis/checkpoint.h"
#include "analysis/ending.h"
#include "analysis/operating.h"
#include "analysis/estimate.h"
#include "analysis/standing.h"
#include "base/sys.h"
#include "base/visible.h"
#include "cli/analyses.h"
#include "cli/estimate_print.h"
#include "cli/job.h"
#include "cli/measures_file.h"
#include "cli/summary.h"
#include "codegen/native.h"
#include "result/document.h"
#include "result/formats.h"
#include "model/model.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static linnet_status run_command(const ln_command *command, int argc, char **argv);

static const ln_option options[] = {
    LN_OPTIONS_HOW,
    LN_OPTIONS_ROWS,
    {"newton", 0, "HOW", "step: until the step's own error hides the rest; exact: to rounding"},
    {"bypass", 0, "on|off",
     "on: devices whose voltages have hardly moved are taken by their tangents;\n"
     "off: all are evaluated (default: on)"},
    {"threads", 0, "N",
     "evaluate devices by so many threads, to the same bits (default: one, of 16 000\n"
     "devices or more as many as the machine has processors)"},
    {"events", 0, "WHERE",
     "located: found within steps; at-steps: a fixed step is never divided, what\n"
     "happens and edges in time act at its ends, as in generated code"},
    {"native", 0, NULL,
     "fixed steps by generated code, compiled by the C compiler of this machine and\n"
     "kept; events act at ends of steps. What it cannot carry is interpreted"},
    LN_OPTIONS_WHAT,
    LN_OPTION_FORMAT,
    LN_OPTION_MEASURE,
    {"measures", 0, "FILE", "also write all measures here: .json or .csv"},
    {"output", 'o', "FILE",
     "where the result goes; '-' is the standard output\n"
     "(default: the model's name with .csv, in the current folder)"},
    {"ascii", 0, NULL, "numbers of a rawfile (-o FILE.raw) as text, not binary"},
    {"start-from", 0, "FILE",
     "start at the point in this CSV file: an operating point, or the\n"
     "last row of a result"},
    {"checkpoint", 0, "FILE", "save the run on its way, to go on after a crash with --resume"},
    {"every", 0, "TIME", "how often, in simulated time (default: a tenth of the duration)"},
    {"resume", 0, "FILE", "go on from this checkpoint, in the result it was writing"},
    {"estimate-error", 'e', NULL,
     "repeat the run with half the step or a tolerance ten times\n"
     "tighter, and tell the largest error of every signal"},
    {"profile", 0, NULL,
     "tell below the summary where the time went: read, set-up, start, corners,\n"
     "output, and of the steps devices, assembly, factor, solve"},
    LN_OPTION_PROGRESS,
    {"quiet", 'q', NULL, "no summary and no progress bar"},
    {NULL, 0, NULL, NULL}};

static void help(void) {
    const ln_result_format *format;
    puts("\nFormats of FILE, by its name:");
    for (size_t k = 0; (format = ln_format_at(k)) != NULL; k++)
        printf("  %-10s %s\n", format->suffix != NULL ? format->suffix : "any other", format->doc);
    ln_help_methods();
    ln_help_measures();
}

const ln_command ln_command_run = {
    .name = "run",
    .doc = "simulate a model and write its trajectory",
    .usage = "MODEL [OPTION]...",
    .about = "Simulates MODEL as its <simulation> element and the options say. The result is a CSV "
             "file: the first\n"
             "column is time in s, then one column for each recorded signal, in SI units; or, for "
             "a FILE.raw, a SPICE\n"
             "rawfile. A summary goes to stderr. Other analyses that MODEL asks for (of a SPICE "
             "deck .op, .dc, .ac) are\n"
             "performed first: the operating point is printed, curves go to FILE-dc.csv and "
             "FILE-ac.csv, all of them to\n"
             "a FILE.raw.",
    .options = options,
    .more = help,
    .examples = "  linnet run rectifier.xml\n"
                "  linnet run rectifier.xml --set load=2kOhm --duration 0.2s -o two-kilo.csv\n"
                "  linnet run rectifier.xml --method tr-bdf2 --tolerance 1e-6 -o - | head\n"
                "  linnet run plant.fmu --set mass=2 --step 1ms\n",
    .exits = "012345",
    .run = run_command};

static int is_one_file(const char *path, const char *other) {
    struct stat a, b;
    return strcmp(path, other) == 0 || (stat(path, &a) == 0 && stat(other, &b) == 0 &&
                                        a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

/* Nothing that a run writes takes the place of its model. */
static linnet_status spare_model(const ln_job *job, const char *what, const char *file,
                                 const char *option) {
    if (!is_one_file(file, job->files[0]))
        return LINNET_OK;
    return ln_usage(job->command,
                    "the %s would overwrite the model '%.200s'; give another file with --%s", what,
                    file, option);
}

/* Nor that of its result. */
static linnet_status spare_result(const ln_job *job, const char *output, const char *file,
                                  const char *option) {
    if (!is_one_file(file, output))
        return LINNET_OK;
    return ln_usage(job->command, "--%s and the result cannot both be '%.200s'", option, file);
}

/* A result has an ending that is known. */
static linnet_status check_output(const ln_job *job, const char *output) {
    LN_TRY(ln_format_check(output, 0, "", job->report));
    return spare_model(job, "result", output, "output");
}

/* What held a run that ran out of time. */
static void tell_hold(const ln_simulation *simulation) {
    ln_text text = {0};
    if (ln_ending_hold(simulation, &text) && !text.failed)
        fprintf(stderr, "linnet: %s\n", text.data);
    ln_text_free(&text);
}

static void outcome(const ln_job *job, const ln_simulation *simulation, linnet_status status) {
    char t[32];
    if (status == LINNET_OK && job->quiet)
        return;
    const char *kept =
        simulation->rows > 0 ? "the result up to there is kept" : "there is no result";
    if (status == LINNET_INTERRUPTED && ln_interrupted() == SIGALRM) {
        tell_hold(simulation);
        fprintf(stderr, "linnet: failed: the time limit (--max-seconds) is over at t = %s; %s\n",
                ln_time_text(t, simulation->statistics.t, 6), kept);
    } else if (status == LINNET_INTERRUPTED)
        fprintf(stderr, "linnet: interrupted at t = %s; %s\n",
                ln_time_text(t, simulation->statistics.t, 6), kept);
    else if (status == LINNET_FAILED)
        fprintf(stderr, "linnet: failed: %s at t = %s; %s\n", linnet_status_text(status),
                ln_time_text(t, simulation->statistics.t, 6), kept);
    else
        ln_terminal_outcome(status);
}

/* The result: begun, or gone on with from a checkpoint. */
static ln_sink *open_result(const ln_job *job, ln_simulation *simulation, const char *output,
                            linnet_status *status) {
    const char *from = ln_job_value(job, "resume");
    ln_checkpoint_result result;
    *status = LINNET_IO;
    if (from == NULL) {
        const ln_result_head head = {.title = simulation->model->name,
                                     .origin = ln_simulation_origin(simulation, job->arena),
                                     .name = "Transient Analysis",
                                     .first = {"time", "s"},
                                     .is_next = job->is_next,
                                     .as_text = ln_job_value(job, "ascii") != NULL};
        if (ln_arena_failed(job->arena)) {
            *status = ln_no_memory(job->report);
            return NULL;
        }
        return ln_sink_file(output, &head, job->report);
    }
    *status = ln_checkpoint_read(simulation, from, &result);
    if (*status != LINNET_OK)
        return NULL;
    *status = LINNET_IO;
    if (simulation->checkpoint == NULL)
        simulation->checkpoint = from;
    return ln_format_of(output)->resume(output, result.length, result.sum, job->report);
}

static linnet_status run_into(const ln_job *job, ln_simulation *simulation, const char *output,
                              ln_points *points) {
    linnet_status opened;
    ln_sink *file = open_result(job, simulation, output, &opened), *sink = file;
    if (file == NULL)
        return ln_report_status(job->report, opened);
    if (points != NULL && (sink = ln_sink_keeping(file, points, job->report)) == NULL) {
        (void)file->close(file, 0);
        return LINNET_MEMORY;
    }
    ln_progress_line progress;
    ln_progress_begin(&progress, simulation->settings.begin, simulation->settings.end,
                      &simulation->statistics.t, job->progress);
    linnet_status status = ln_simulation_run(simulation, sink, ln_progress_poll, &progress);
    ln_progress_end(&progress);
    if (status == LINNET_OK)
        ln_standing_warn(simulation);
    /* a start that failed left nothing to sum up */
    if (!job->quiet && (status == LINNET_OK || simulation->rows > 0))
        ln_summary_print(simulation, strcmp(output, "-") == 0 ? "standard output"
                                                              : ln_visible_in(job->arena, output));
    return status;
}

/* Where the time goes, if that is asked for. */
static ln_profile *profile_of(const ln_job *job, ln_profile *profile) {
    if (ln_job_value(job, "profile") == NULL)
        return NULL;
    ln_profile_begin(profile);
    return profile;
}

static linnet_status prepare(const ln_job *job, const ln_model *model, const ln_request *request,
                             ln_report *report, ln_simulation *simulation) {
    LN_TRY(ln_simulation_prepare(simulation, model, request, 1, NULL, report));
    const char *from = ln_job_value(job, "start-from");
    return from != NULL ? ln_start_from(simulation, from, job->arena) : LINNET_OK;
}

/* The second run, whose warnings are those of the first. */
static linnet_status repeat(const ln_job *job, const ln_simulation *first, const ln_points *points,
                            ln_report *quiet) {
    ln_request request;
    ln_simulation second = {.method_why = ""};
    ln_estimate estimate = {.arena = job->arena};
    ln_progress_line progress;
    LN_TRY(ln_estimate_request(first, &job->request, job->arena, job->report, &request));
    linnet_status status = prepare(job, first->model, &request, quiet, &second);
    if (status == LINNET_OK) {
        ln_progress_begin(&progress, second.settings.begin, second.settings.end,
                          &second.statistics.t, job->progress);
        status = ln_estimate_errors(first, points, &second, ln_progress_poll, &progress, &estimate);
        ln_progress_end(&progress);
    }
    if (status == LINNET_OK)
        status = ln_estimate_print(&estimate, job->arena) ? LINNET_OK : ln_no_memory(job->report);
    else if (status == LINNET_INTERRUPTED)
        fputs("linnet: the second run was interrupted: there is no estimate\n", stderr);
    else {
        const char *why = ln_report_text(quiet, 0);
        ln_error(job->report, LN_NOWHERE, "the second run failed, there is no estimate: %s",
                 why != NULL ? why : linnet_status_text(status));
    }
    ln_simulation_free(&second);
    return status;
}

static linnet_status run_twice(const ln_job *job, ln_simulation *simulation, const char *output) {
    ln_points points = {0};
    linnet_status status = run_into(job, simulation, output, &points);
    if (status == LINNET_OK) {
        ln_report *quiet = ln_report_new(NULL, NULL);
        status =
            quiet != NULL ? repeat(job, simulation, &points, quiet) : ln_no_memory(job->report);
        ln_report_free(quiet);
    }
    ln_sys->release(points.data);
    return status;
}

/* Where checkpoints go, and how often. */
static linnet_status read_checkpoints(const ln_job *job, ln_simulation *simulation,
                                      const char *output) {
    const char *to = ln_job_value(job, "checkpoint"), *every = ln_job_value(job, "every");
    const char *from = ln_job_value(job, "resume");
    if (to == NULL && from == NULL)
        return every == NULL
                   ? LINNET_OK
                   : ln_usage(job->command, "--every says how often --checkpoint saves; give both");
    if (ln_format_of(output)->resume == NULL)
        return ln_usage(job->command,
                        "a run with checkpoints writes CSV, which goes on where it stopped; a %s "
                        "does not",
                        ln_format_of(output)->name);
    if (ln_job_value(job, "estimate-error") != NULL || strcmp(output, "-") == 0)
        return ln_usage(
            job->command,
            "a run with checkpoints needs a result file and goes without --estimate-error");
    if (from != NULL && every != NULL)
        return ln_usage(job->command,
                        "a resumed run keeps the checkpoints it was begun with; leave --every out");
    if (to != NULL) {
        LN_TRY(spare_model(job, "checkpoint", to, "checkpoint"));
        LN_TRY(spare_result(job, output, to, "checkpoint"));
    }
    const ln_settings *settings = &simulation->settings;
    simulation->checkpoint = to;
    simulation->checkpoint_every = (settings->end - settings->begin) / 10;
    if (every == NULL)
        return LINNET_OK;
    return ln_settings_time(simulation->network, &job->request, "every", every, job->report,
                            &simulation->checkpoint_every);
}

static linnet_status check_measures(const ln_job *job, const ln_simulation *simulation,
                                    const char *output) {
    const char *path = ln_job_value(job, "measures");
    if (path == NULL)
        return LINNET_OK;
    if (!ln_measures_file_is_known(path))
        return ln_usage(job->command, "--measures is '%.200s'; its name must end in .json or .csv",
                        path);
    if (simulation->measures != NULL)
        return spare_result(job, output, path, "measures");
    return ln_usage(
        job->command,
        "--measures has nothing to write: ask with --measure, or <measure> in the model");
}

static linnet_status check_native(const ln_job *job, const ln_simulation *simulation) {
    if (ln_job_value(job, "native") == NULL)
        return LINNET_OK;
    if (simulation->checkpoint != NULL || ln_job_value(job, "resume") != NULL ||
        ln_job_value(job, "estimate-error") != NULL)
        return ln_usage(job->command,
                        "--native goes without checkpoints and without --estimate-error");
    if (ln_job_value(job, "events") != NULL && !simulation->settings.events_at_steps)
        return ln_usage(job->command, "with --native events act at ends of steps; leave --events "
                                      "located out");
    return LINNET_OK;
}

/* The code for --native; a model that it cannot carry is interpreted, which is told. */
static linnet_status make_native(const ln_job *job, ln_simulation *simulation, ln_native **native,
                                 ln_integrator *integrator) {
    const ln_codegen_request request = {.network = simulation->network,
                                        .system = simulation->system,
                                        .settings = &simulation->settings};
    char why[300];
    if (ln_job_value(job, "native") == NULL)
        return LINNET_OK;
    const linnet_status status = ln_native_make(&request, native, why, job->report);
    if (status == LINNET_RETRY) {
        ln_note(job->report, LN_NOWHERE, "--native: %s; the run is interpreted", why);
        return LINNET_OK;
    }
    LN_TRY(status);
    *integrator = ln_native_integrator(*native);
    simulation->settings.integrator = integrator;
    return LINNET_OK;
}

static linnet_status run_native(const ln_job *job, ln_simulation *simulation, const char *output) {
    ln_native *native = NULL;
    ln_integrator integrator;
    linnet_status status = make_native(job, simulation, &native, &integrator);
    if (status == LINNET_OK)
        status = run_into(job, simulation, output, NULL);
    ln_native_free(native);
    simulation->settings.integrator = NULL;
    return status;
}

static linnet_status simulate(const ln_job *job, ln_simulation *simulation, ln_model *model,
                              const char *output, ln_profile *profile) {
    const ln_profile_part before = ln_profile_enter(profile, LN_PART_SETUP);
    const int twice = ln_job_value(job, "estimate-error") != NULL;
    const linnet_status prepared = prepare(job, model, &job->request, job->report, simulation);
    if (prepared == LINNET_OK && !twice)
        ln_model_forget_blocks(model);
    ln_profile_leave(profile, before);
    LN_TRY(prepared);
    simulation->settings.profile = profile;
    LN_TRY(read_checkpoints(job, simulation, output));
    LN_TRY(check_measures(job, simulation, output));
    LN_TRY(check_native(job, simulation));
    linnet_status status =
        twice ? run_twice(job, simulation, output) : run_native(job, simulation, output);
    const char *measures = ln_job_value(job, "measures");
    if (measures == NULL || (status != LINNET_OK && simulation->rows == 0))
        return status;
    linnet_status written =
        ln_measures_file_write(measures, model, simulation->measures, job->report);
    return status != LINNET_OK ? status : written;
}

/* Everything that the model asks for; a run that is gone on with has the rest behind it. */
static linnet_status perform(ln_job *job, ln_simulation *simulation, ln_model *model, int runs,
                             ln_profile *profile) {
    const char *output =
        job->output != NULL ? job->output : ln_job_file_after(job, job->files[0], ".csv");
    if (output == NULL)
        return ln_no_memory(job->report);
    const int goes_on = ln_job_value(job, "resume") != NULL;
    if (strcmp(output, "-") != 0)
        LN_TRY(check_output(job, output));
    else if (!goes_on && ln_analyses_files(model, runs) > 1)
        return ln_usage(
            job->command,
            "the model asks for several analyses; name a file for their results with --output");
    linnet_status others = goes_on ? LINNET_OK : ln_analyses_run(job, model, output);
    if (!runs || others == LINNET_INTERRUPTED || others == LINNET_MEMORY)
        return others;
    linnet_status status = simulate(job, simulation, model, output, profile);
    return status != LINNET_OK ? status : others;
}

/* ---- the answer in JSON ---- */

/* The standard output is one object: nothing else may go there. */
static linnet_status can_answer(const ln_job *job, const ln_model *model) {
    for (int k = 0; k < model->nanalyses; k++)
        if (strcmp(model->analyses[k]->name, "simulation") != 0)
            return ln_usage(job->command,
                            "--format json tells of a run alone; the model asks for other "
                            "analyses, too, which have commands of their own (<%s>)",
                            model->analyses[k]->name);
    if (job->output != NULL && strcmp(job->output, "-") == 0)
        return ln_usage(job->command,
                        "--format json and the result cannot both go to the standard output");
    if (ln_job_value(job, "estimate-error") != NULL)
        return ln_usage(job->command, "--estimate-error prints text; leave --format out");
    return LINNET_OK;
}

static void put_run(ln_job *job, const ln_simulation *simulation) {
    const ln_statistics *run = &simulation->statistics;
    ln_json *json = &job->answer_json;
    int ncolumns;
    (void)ln_recorder_columns(simulation->recorder, &ncolumns);
    const char *origin = ln_simulation_origin(simulation, job->arena);
    ln_json_text(json, "name", simulation->model->name);
    job->answer.failed |= origin == NULL;
    ln_json_text(json, "origin", origin);
    ln_json_text(json, "method", simulation->settings.method->name);
    ln_json_number(json, "begin", simulation->settings.begin);
    ln_json_number(json, "end", run->t);
    ln_json_integer(json, "steps", run->steps);
    ln_json_integer(json, "rejected", run->rejected);
    ln_json_integer(json, "events", run->events);
    ln_json_number(json, "elapsed", simulation->seconds);
    const char *output =
        job->output != NULL ? job->output : ln_job_file_after(job, job->files[0], ".csv");
    job->answer.failed |= output == NULL;
    ln_json_text(json, "result", output);
    ln_json_integer(json, "rows", (long long)simulation->rows);
    ln_json_integer(json, "signals", ncolumns);
    ln_measures_json(simulation->measures, LN_JSON_LIST, json);
}

/* Seconds by part. */
static void put_profile(ln_json *json, const ln_profile *profile) {
    ln_json_begin(json, "profile", LN_JSON_OBJECT);
    for (int k = 0; k < LN_PROFILE_COUNT; k++)
        ln_json_number(json, ln_profile_word((ln_profile_part)k), profile->seconds[k]);
    ln_json_end(json);
}

static linnet_status answer(ln_job *job, const ln_simulation *simulation, linnet_status status,
                            const ln_profile *profile) {
    ln_job_answer(job, job->files[0]);
    if (simulation->rows > 0 && simulation->settings.method != NULL)
        put_run(job, simulation);
    if (profile != NULL)
        put_profile(&job->answer_json, profile);
    ln_json_end(&job->answer_json);
    return ln_job_tell(job, status);
}

/* The last words of the command: in JSON, or what the run, or the other analyses, came to. */
static linnet_status conclude(ln_job *job, const ln_simulation *simulation, linnet_status status,
                              int runs, ln_profile *profile) {
    ln_report_close(job->report);
    if (profile != NULL)
        ln_profile_look(profile);
    if (profile != NULL && !job->json)
        ln_profile_print(profile);
    if (job->json)
        return answer(job, simulation, status, profile);
    if (runs)
        outcome(job, simulation, status);
    else if (status != LINNET_OK || !job->quiet)
        ln_terminal_outcome(status);
    return status;
}

static linnet_status run_model(ln_job *job) {
    ln_model *model = NULL;
    ln_simulation simulation = {.method_why = ""};
    ln_profile times, *profile = profile_of(job, &times);
    const ln_profile_part before = ln_profile_enter(profile, LN_PART_READ);
    linnet_status status = ln_job_model(job, job->files[0], &model);
    ln_profile_leave(profile, before);
    ln_interrupt_catch();
    const int runs = model == NULL || model->simulation != NULL || model->nanalyses == 0 ||
                     job->request.duration != NULL;
    if (status == LINNET_OK && job->json)
        status = can_answer(job, model);
    job->quiet |= job->json;
    if (status == LINNET_OK)
        status = perform(job, &simulation, model, runs, profile);
    status = conclude(job, &simulation, status, runs, profile);
    ln_simulation_free(&simulation);
    if (model != NULL)
        ln_model_free(model);
    return status;
}

static linnet_status run_command(const ln_command *command, int argc, char **argv) {
    ln_job job;
    linnet_status status;
    if (ln_job_read(&job, command, argc, argv, LN_JOB_ONE, &status))
        status = run_model(&job);
    ln_job_free(&job);
    return status;
}
