/* SPDX-License-Identifier: MIT */
/* linnet sweep: many cases of a model, a row of measures for each. */
#include "base/crew.h"
#include "analysis/sweep.h"

#include "base/sys.h"
#include "base/visible.h"
#include "cli/dc_command.h"
#include "cli/job.h"
#include "cli/sweep_print.h"
#include "result/formats.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static linnet_status sweep_command(const ln_command *command, int argc, char **argv);

static const ln_option options[] = {
    {"vary", 'v', "NAME=VALUES", "what is varied (below); repeatable"},
    {"dc", 0, "NAME=VALUES",
     "instead: DC transfer curves, the operating point at each value of\n"
     "a list or grid, each from the one before; repeatable, the last one\n"
     "runs the fastest"},
    {"back", 0, NULL, "with --dc: also back again, which shows hysteresis"},
    {"ascii", 0, NULL, "with --dc: numbers of a rawfile (-o FILE.raw) as text"},
    {"cases", 'n', "N", "with random values: draws, for each point of lists and grids"},
    {"seed", 0, "N", "of random values (default: 1)"},
    LN_OPTION_MEASURE,
    {"output", 'o', "FILE",
     "where the rows go; '-' is the standard output\n"
     "(default: the model's name with -sweep.csv, in the current folder)"},
    {"resume", 0, NULL, "go on with a sweep that was interrupted: same command and model"},
    {"save-runs", 0, "DIR", "also write each case's result, DIR/case-000001.csv"},
    {"threads", 'j', "N", "threads (default: one a processor; under mpirun one a process)"},
    {"format", 'f', "NAME", "of the statistics: text or json"},
    LN_OPTIONS_HOW,
    LN_OPTIONS_ROWS,
    LN_OPTIONS_WHAT,
    LN_OPTION_PROGRESS,
    {"quiet", 'q', NULL, "no progress, no statistics and no last line"},
    {NULL, 0, NULL, NULL}};

static void help(void) {
    puts("\nValues:\n"
         "  R1.R=1kOhm:10kOhm:10         a grid: 10 values, both ends included\n"
         "  R1.R=log:1kOhm:1MOhm:31      a logarithmic grid\n"
         "  load=1kOhm,2.2kOhm,4.7kOhm   a list\n"
         "  R1.R=corner:900Ohm,1.1kOhm   both ends; corner:5% is the model's value less and plus 5 "
         "%\n"
         "  R1.R=uniform(900Ohm,1.1kOhm) random, as loguniform(A,B), normal(MEAN,SIGMA), "
         "lognormal(MEDIAN,SIGMA);\n"
         "                               uniform(5%) and normal(1%) lie around the model's value\n"
         "  Lists, grids and corners form all combinations, the last one the fastest. Random "
         "values are drawn anew for\n"
         "  each case from seed, case and name.");
    ln_help_measures();
}

const ln_command ln_command_sweep = {
    .name = "sweep",
    .doc = "run many cases of a model and measure each",
    .usage = "MODEL [--vary NAME=VALUES...|--dc NAME=VALUES...] [OPTION]...",
    .about = "Runs MODEL once for each combination of the values, in several threads, and under "
             "mpirun in several\n"
             "processes, also on several machines. The result is CSV: a row a case, with the "
             "values, the model's and\n"
             "the command line's measures, 'ok' or what failed, and why. It is the same, byte by "
             "byte, however many\n"
             "work on it. Rows stand in FILE.part until all are there; what is interrupted goes on "
             "with --resume.",
    .options = options,
    .more = help,
    .examples =
        "  linnet sweep rc.xml --vary R1.R=log:100Ohm:10kOhm:21 --measure 't=rise-time(out)'\n"
        "  linnet sweep amplifier.xml --vary 'R1.R=normal(1%)' --vary 'R2.R=normal(1%)' --cases "
        "10000\n"
        "  linnet sweep inverter.cir --dc Vin.V=0:5:101 -o inverter.raw\n"
        "  mpirun -n 8 linnet sweep amplifier.xml --vary C1.C=corner:10% --vary C2.C=corner:10%\n",
    .exits = "012345",
    .run = sweep_command};

/* ---- options ---- */

typedef struct plan {
    ln_job job;
    ln_transport transport;
    long draws;
    unsigned long long seed;
    int threads, json;
    int told; /* the last line */
    const char *output;
} plan;

/* A whole number of an option, or the value it has; 0 when it is none. */
static int read_whole(const plan *request, const char *name, double most, double *value) {
    const char *text = ln_job_value(&request->job, name), *end;
    if (text == NULL)
        return 1;
    *value = ln_number_read(text, &end);
    if (end != text && *end == '\0' && *value >= (strcmp(name, "seed") == 0 ? 0 : 1) &&
        *value <= most && *value == floor(*value))
        return 1;
    (void)ln_usage(request->job.command,
                   "--%s is '%.60s'; it must be a whole number from 1 to %.0f", name, text, most);
    return 0;
}

static linnet_status read_counts(plan *request) {
    double draws = 0, seed = 1, threads = request->transport.size > 1 ? 1 : ln_processors();
    if (!read_whole(request, "cases", 1e9, &draws) ||
        !read_whole(request, "seed", 9007199254740992.0, &seed) ||
        !read_whole(request, "threads", 1024, &threads))
        return LINNET_USAGE;
    request->draws = (long)draws;
    request->seed = (unsigned long long)seed;
    request->threads = (int)threads;
    return LINNET_OK;
}

static int same_file(const char *a, const char *b) {
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* Where the rows go: to the file given, or to one named after the model. */
static linnet_status choose_output(plan *request) {
    const ln_job *job = &request->job;
    request->output =
        job->output != NULL ? job->output : ln_job_file_after(job, job->files[0], "-sweep.csv");
    if (request->output == NULL)
        return ln_no_memory(job->report);
    if (strcmp(request->output, "-") == 0 && ln_job_value(job, "resume") != NULL)
        return ln_usage(job->command, "--resume needs a file; give one with --output");
    if (same_file(job->files[0], request->output))
        return ln_usage(
            job->command,
            "the result would overwrite the model '%.200s'; give another file with --output",
            request->output);
    return ln_format_check(request->output, LN_FORMAT_CASES, "", job->report);
}

static linnet_status read_options(plan *request) {
    const ln_job *job = &request->job;
    LN_TRY(read_counts(request));
    if (job->nvaried == 0)
        return ln_usage(job->command,
                        "nothing is varied; give --vary NAME=VALUES, or --dc NAME=VALUES");
    if (ln_job_value(job, "back") != NULL || ln_job_value(job, "ascii") != NULL)
        return ln_usage(job->command, "--back and --ascii belong to --dc");
    const char *format = ln_job_value(job, "format");
    request->json = format != NULL && strcmp(format, "json") == 0;
    if (format != NULL && !request->json && strcmp(format, "text") != 0)
        return ln_usage(job->command, "--format is '%.60s'; it must be text or json", format);
    return choose_output(request);
}

/* ---- running ---- */

static int interrupted(void *context) {
    (void)context;
    return ln_interrupted() != 0;
}

static void show(void *context, long done, long cases) {
    ln_work_progress *progress = context;
    ln_work_show(progress, done, cases);
}

static ln_sweep_crew crew_of(const plan *request) {
    return (ln_sweep_crew){request->threads, &request->transport};
}

static linnet_status run(plan *request, const ln_sweep *sweep, ln_sweep_statistics *statistics) {
    ln_sweep_file file;
    ln_work_progress progress;
    linnet_status status = ln_sweep_file_open(&file, sweep, request->output,
                                              ln_job_value(&request->job, "resume") != NULL,
                                              statistics, request->job.report);
    ln_work_begin(&progress, statistics->cases, request->job.progress);
    const ln_sweep_watch watch = {show, &progress};
    if (status == LINNET_OK)
        status =
            ln_sweep_run(sweep, crew_of(request), &file, statistics, &watch, request->job.report);
    ln_work_end(&progress);
    linnet_status closed = ln_sweep_file_close(&file, status == LINNET_OK);
    return status != LINNET_OK ? status : closed;
}

/* The measures over all cases; beside rows on the standard output they go to the standard error. */
static void print_summary(const plan *request, const ln_sweep *sweep,
                          const ln_sweep_statistics *statistics) {
    FILE *where = strcmp(request->output, "-") == 0 ? stderr : stdout;
    ln_text text = {0};
    if (request->json)
        ln_sweep_json(sweep, statistics, &text);
    else
        ln_sweep_text(sweep, statistics, request->job.arena, &text);
    if (!text.failed && text.data != NULL)
        fputs(text.data, where);
    (void)fflush(where);
    ln_text_free(&text);
}

static void tell(plan *request, const ln_sweep *sweep, const ln_sweep_statistics *statistics,
                 linnet_status status) {
    request->told = 1;
    const int has_cases = status == LINNET_OK || status == LINNET_INTERRUPTED;
    if (has_cases && (request->json || !request->job.quiet))
        print_summary(request, sweep, statistics);
    const char *part = strcmp(request->output, "-") == 0 ? "" : ".part";
    if (status == LINNET_INTERRUPTED)
        fprintf(stderr, "linnet: interrupted after %ld of %ld cases; they are kept in %s%s%s\n",
                statistics->cases, sweep->axes.cases,
                *part != '\0' ? ln_visible_in(request->job.arena, request->output) : "the output",
                part, *part != '\0' ? ", --resume goes on" : "");
    else if (status == LINNET_OK && statistics->failed > 0)
        fprintf(stderr,
                "linnet: failed: %ld of %ld cases; the column 'reason' tells why; case %ld: %s\n",
                statistics->failed, statistics->cases, statistics->first_failed,
                statistics->reason);
    else if (status != LINNET_OK || !request->job.quiet)
        ln_terminal_outcome(status);
}

/* The first process tells; the others only work. */
static linnet_status sweep_model(plan *request, const ln_model *model) {
    const ln_job *job = &request->job;
    const char *runs = ln_job_value(job, "save-runs");
    ln_sweep sweep;
    const ln_vary_plan varied = {job->varied, job->nvaried, request->draws, request->seed};
    LN_TRY(ln_sweep_prepare(&sweep, model, &job->request, &varied, job->arena, job->report));
    sweep.stop = interrupted;
    sweep.runs = runs;
    if (runs != NULL && mkdir(runs, 0777) != 0 && errno != EEXIST)
        return ln_fail(job->report, LINNET_IO, LN_NOWHERE, "cannot make the folder '%s': %s", runs,
                       strerror(errno));
    if (request->transport.rank > 0)
        return ln_sweep_serve(&sweep, crew_of(request), job->report);
    ln_sweep_statistics statistics = {.spreads = LN_NEW(job->arena, ln_spread, sweep.nmeasures)};
    if (!ln_sweep_row_init(&statistics.row, &sweep, job->arena))
        return ln_no_memory(job->report);
    if (statistics.spreads == NULL)
        return ln_no_memory(job->report);
    linnet_status status = run(request, &sweep, &statistics);
    ln_report_close(job->report);
    tell(request, &sweep, &statistics, status);
    return status == LINNET_OK && statistics.failed > 0 ? LINNET_FAILED : status;
}

static linnet_status sweep_cases(plan *request) {
    ln_model *model = NULL;
    linnet_status status = ln_transport_open(&request->transport, request->job.report);
    if (status == LINNET_OK)
        status = read_options(request);
    if (status == LINNET_OK)
        status = ln_job_model(&request->job, request->job.files[0], &model);
    ln_interrupt_catch();
    if (status == LINNET_OK)
        status = sweep_model(request, model);
    if (status != LINNET_OK && !request->told && request->transport.rank == 0)
        ln_terminal_outcome(status);
    if (model != NULL)
        ln_model_free(model);
    if (request->transport.close != NULL)
        request->transport.close();
    return status;
}

/* With nothing to vary, the model's <parameter-sweep>; without one its <dc-sweep>: returns 1. What
 * is wrong with the model is told as it is read to be run. */
static int asks_for_curves(ln_job *job) {
    ln_job silent = *job;
    silent.report = NULL;
    ln_model *model = NULL;
    if (ln_job_model(&silent, job->files[0], &model) != LINNET_OK)
        return 0;
    const int is_dc = model->sweep == NULL;
    const char **words = ln_vary_words(job, model->sweep, &job->nvaried);
    ln_model_free(model);
    if (words != NULL)
        job->varied = words;
    else
        job->nvaried = 0;
    return is_dc;
}

static linnet_status sweep_command(const ln_command *command, int argc, char **argv) {
    plan request = {.draws = 0};
    linnet_status status;
    if (ln_job_read(&request.job, command, argc, argv, LN_JOB_ONE, &status)) {
        const int dc = ln_job_value(&request.job, "dc") != NULL ||
                       (request.job.nvaried == 0 && asks_for_curves(&request.job));
        status = dc ? ln_dc_command(&request.job) : sweep_cases(&request);
    }
    ln_job_free(&request.job);
    return status;
}
