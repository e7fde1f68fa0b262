/* SPDX-License-Identifier: MIT */
/* linnet op: the operating point of a model. */
#include "cli/analyses.h"
#include "cli/job.h"
#include "cli/point_text.h"
#include "model/model.h"

#include <string.h>

static linnet_status op_command(const ln_command *command, int argc, char **argv);

static const ln_option options[] = {
    {"at", 0, "TIME", "time at which sources are taken (default: where the run starts)"},
    {"free", 0, "NAME",
     "trim: set this parameter free: NAME[=GUESS][:MIN:MAX]; a link, signal\n"
     "or state gets a guess and bounds; repeatable"},
    {"hold", 0, "EQUATION", "trim: hold this: 'thrust = 3.7'; repeatable"},
    {"minimise", 0, "EXPRESSION", "trim: make this as small as possible"},
    {"no-trim", 0, NULL, "the plain operating point, though the model has a <trim>"},
    {"format", 'f', "NAME",
     "text (default), json or csv; csv is a result of one row, for\n"
     "linnet run --start-from"},
    {"output", 'o', "FILE", "where it goes (default: the standard output); FILE.raw is a rawfile"},
    {"ascii", 0, NULL, "numbers of a rawfile as text, not binary"},
    {"linear-solver", 0, "NAME", "one of " LN_LINEAR_WORDS},
    LN_OPTIONS_WHAT,
    {"quiet", 'q', NULL, "no last line"},
    {NULL, 0, NULL, NULL}};

const ln_command ln_command_op = {
    .name = "op",
    .doc = "find the operating point of a model",
    .usage = "MODEL [OPTION]...",
    .about = "Finds the point where nothing changes any more (d/dt q = 0) with the sources as they "
             "are at the start, and\n"
             "prints it by link and block. Combinations that the equations at rest leave free keep "
             "their start value.\n"
             "With --free, --hold and --minimise, or a <trim> in the model, it is a trim: "
             "parameters are set free so that\n"
             "something holds at rest.",
    .options = options,
    .examples = "  linnet op amplifier.xml\n"
                "  linnet op amplifier.xml --set supply=9V --format json -o point.json\n"
                "  linnet op amplifier.xml -f csv -o point.csv && linnet run amplifier.xml "
                "--start-from point.csv\n"
                "  linnet op propeller.xml --free battery.V=3.5V:0:12V --hold 'thrust = 3.7'\n",
    .exits = "012345",
    .run = op_command};

static linnet_status write_point(const ln_job *job, const ln_operating *op, const ln_trim *trim) {
    const char *format = ln_job_format(job);
    ln_text text = {0};
    if (job->output != NULL && (ln_format_of(job->output)->holds & LN_FORMAT_POINT))
        return ln_point_result(op, job->output, ln_job_value(job, "ascii") != NULL, job->is_next);
    if (format != NULL && strcmp(format, "json") == 0)
        ln_point_json(op, trim, &text);
    else if (format != NULL && strcmp(format, "csv") == 0)
        ln_point_csv(op, &text);
    else
        ln_point_text(op, trim, &text);
    /* names are made as they are asked for */
    linnet_status status =
        ln_arena_failed(op->arena) || ln_arena_failed(op->simulation.network->arena)
            ? ln_no_memory(job->report)
            : ln_document_write(job->output != NULL ? job->output : "-", &text, job->report);
    ln_text_free(&text);
    return status;
}

static linnet_status find_point(ln_job *job, ln_operating *op, const ln_model *model) {
    job->request.start_time = ln_job_value(job, "at");
    job->request.start_time_option = "at";
    job->request.at_rest = job->request.start_time == NULL;
    ln_trim_request trim = {.minimise = ln_job_value(job, "minimise")};
    trim.free_names = ln_job_values(job, "free", &trim.nfree);
    trim.holds = ln_job_values(job, "hold", &trim.nholds);
    if (trim.free_names == NULL || trim.holds == NULL)
        return ln_no_memory(job->report);
    const int plain = ln_job_value(job, "no-trim") != NULL;
    if (plain && ln_trim_asked(&(ln_model){.trim = NULL}, &trim))
        return ln_usage(job->command, "--no-trim leaves nothing for --free, --hold and --minimise");
    if (!plain && ln_trim_asked(model, &trim)) {
        ln_trim found;
        linnet_status status = ln_trim_find(model, &job->request, &trim, job->report, op, &found);
        if (status == LINNET_OK)
            status = write_point(job, op, &found);
        ln_trim_free(&found);
        return status;
    }
    LN_TRY(ln_operating_prepare(op, model, &job->request, job->report));
    LN_TRY(ln_operating_find(op));
    return write_point(job, op, NULL);
}

static linnet_status check_format(const ln_job *job) {
    const char *format = ln_job_format(job);
    if (job->output != NULL)
        LN_TRY(ln_format_check(job->output, LN_FORMAT_POINT, LN_FORMAT_TEXTS, job->report));
    if (format == NULL || strcmp(format, "text") == 0 || strcmp(format, "json") == 0 ||
        strcmp(format, "csv") == 0)
        return LINNET_OK;
    return ln_usage(job->command, "--format is '%.60s'; it must be text, json or csv", format);
}

linnet_status ln_op_of_model(ln_job *job, const ln_model *model) {
    ln_operating op = {.simulation = {.method_why = ""}};
    linnet_status status = find_point(job, &op, model);
    ln_operating_free(&op);
    return status;
}

static linnet_status op_command(const ln_command *command, int argc, char **argv) {
    ln_job job;
    linnet_status status;
    if (ln_job_read(&job, command, argc, argv, LN_JOB_ONE, &status) &&
        (status = check_format(&job)) == LINNET_OK) {
        ln_model *model = NULL;
        status = ln_job_model(&job, job.files[0], &model);
        ln_interrupt_catch();
        if (status == LINNET_OK)
            status = ln_op_of_model(&job, model);
        ln_report_close(job.report);
        if (status != LINNET_OK || !job.quiet)
            ln_terminal_outcome(status);
        if (model != NULL)
            ln_model_free(model);
    }
    ln_job_free(&job);
    return status;
}
