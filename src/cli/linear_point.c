/* SPDX-License-Identifier: MIT */
/* From a command line to a linearised model. */
#include "cli/linear_point.h"

#include "model/scope.h"
#include "result/document.h"
#include <stdio.h>
#include <string.h>

static linnet_status read_time(const ln_linear_point *point, const char *text, double *t) {
    ln_report *report = point->simulation.report;
    ln_subject before = ln_report_about(report, (ln_subject){.item = "option --at"});
    linnet_status status =
        ln_scope_value(point->simulation.network->scope, text, "s", LN_NOWHERE, t);
    (void)ln_report_about(report, before);
    return status == LINNET_MODEL ? LINNET_USAGE : status;
}

/* What is looked at must be known before the system is built; a wrong name is the command line's
 * fault. */
typedef struct chosen {
    const char *option;
    char *names;
} chosen;

static linnet_status choose(void *context, ln_simulation *simulation) {
    const chosen *choice = context;
    if (choice->names == NULL)
        return LINNET_OK;
    linnet_status status =
        ln_recorder_add(simulation->recorder, choice->names, (ln_place){choice->option, 0, 0});
    return status == LINNET_MODEL ? LINNET_USAGE : status;
}

static linnet_status reach(const ln_job *job, const char *outputs, ln_linear_point *point) {
    const char *at = ln_job_value(job, "at"),
               *names = outputs != NULL ? ln_job_value(job, outputs) : NULL;
    char option[32];
    chosen outputs_chosen = {option, names != NULL ? ln_arena_string(job->arena, names) : NULL};
    if (names != NULL && outputs_chosen.names == NULL)
        return ln_no_memory(job->report);
    snprintf(option, sizeof option, "option --%s", outputs != NULL ? outputs : "");
    ln_request request = job->request;
    request.at_rest = at == NULL;
    LN_TRY(ln_simulation_prepare(&point->simulation, point->model, &request, at != NULL,
                                 &(ln_record_choice){choose, &outputs_chosen}, job->report));
    if (at == NULL)
        return ln_small_signal_at_rest(&point->simulation, &point->small);
    double t = 0;
    LN_TRY(read_time(point, at, &t));
    ln_progress_line progress;
    ln_progress_begin(&progress, point->simulation.settings.begin, t,
                      &point->simulation.statistics.t, job->progress);
    linnet_status status =
        ln_small_signal_at_time(&point->simulation, t, ln_progress_poll, &progress, &point->small);
    ln_progress_end(&progress);
    return status;
}

linnet_status ln_linear_command_on(const ln_linear_command *what, ln_job *job,
                                   const ln_model *model) {
    ln_linear_point point = {
        .model = model, .simulation = {.method_why = ""}, .small = {.means = ""}};
    linnet_status status = what->complete != NULL ? what->complete(job, model) : LINNET_OK;
    if (status == LINNET_OK)
        status = reach(job, what->outputs, &point);
    if (status == LINNET_OK)
        status = what->work(job, &point);
    ln_small_signal_free(&point.small);
    ln_simulation_free(&point.simulation);
    return status;
}

linnet_status ln_linear_command_run(const ln_linear_command *what, const ln_command *command,
                                    int argc, char **argv) {
    ln_job job;
    linnet_status status;
    if (ln_job_read(&job, command, argc, argv, LN_JOB_ONE, &status) &&
        (status = what->check(&job)) == LINNET_OK) {
        ln_model *model = NULL;
        status = ln_job_model(&job, job.files[0], &model);
        ln_interrupt_catch();
        if (status == LINNET_OK)
            status = ln_linear_command_on(what, &job, model);
        ln_model_free(model);
        ln_report_close(job.report);
        if (status != LINNET_OK || !job.quiet)
            ln_terminal_outcome(status);
    }
    ln_job_free(&job);
    return status;
}

linnet_status ln_linear_write(const ln_job *job, ln_text *text) {
    const char *file = ln_job_value(job, "result");
    linnet_status status = ln_document_write(file != NULL ? file : "-", text, job->report);
    ln_text_free(text);
    return status;
}

int ln_linear_format(const ln_job *job, const char *names) {
    const char *format = ln_job_format(job);
    if (format == NULL)
        return 0;
    int place = 0;
    for (const char *at = names; *at != '\0'; at += strspn(at, " ,")) {
        const size_t length = strcspn(at, " ,");
        if (strlen(format) == length && strncmp(at, format, length) == 0)
            return place;
        place += strncmp(at, "or ", 3) != 0;
        at += length;
    }
    if (ln_job_value(job, "format") != NULL)
        (void)ln_usage(job->command, "--format is '%.60s'; it must be %s", format, names);
    else
        (void)ln_usage(job->command, "nothing is written as '.%s' here, but %s (--format)", format,
                       names);
    return -1;
}

int ln_linear_point_pade(const ln_job *job) {
    const char *text = ln_job_value(job, "pade"), *end;
    if (text == NULL)
        return LN_PADE_ORDER;
    double order = ln_number_read(text, &end);
    if (end != text && *end == '\0' && order >= 1 && order <= LN_PADE_MOST && order == (int)order)
        return (int)order;
    (void)ln_usage(job->command, "--pade is '%.60s'; it must be a whole number from 1 to %d", text,
                   LN_PADE_MOST);
    return 0;
}

void ln_linear_point_delays(int delays, int order, char text[96]) {
    text[0] = '\0';
    if (delays == 0)
        return;
    snprintf(text, 96, "%d transport delay%s, by Pade approximants of order %d\n", delays,
             delays == 1 ? "" : "s", order);
}

void ln_linear_point_text(const ln_linear_point *point, char text[96]) {
    char time[32];
    if (point->small.at_rest)
        snprintf(text, 96, "at its operating point (%.60s)", point->small.means);
    else
        snprintf(text, 96, "at %s of its run", ln_time_text(time, point->small.at.side.t, 6));
}
