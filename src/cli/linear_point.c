/* SPDX-License-Identifier: MIT */
/* From a command line to a linearised model. */
#include "cli/linear_point.h"

#include <stdio.h>
#include <string.h>

static linnet_status read_time(const ln_linear_point *point, const char *text, double *t) {
    ln_report *report = point->simulation.report;
    ln_subject before = ln_report_about(report, (ln_subject){.item = "option --at"});
    linnet_status status = ln_scope_value(point->simulation.network->scope, text, "s", LN_NOWHERE, t);
    (void)ln_report_about(report, before);
    return status == LINNET_MODEL ? LINNET_USAGE : status;
}

static linnet_status choose(void *outputs, ln_simulation *simulation) {
    linnet_status status = ln_small_signal_choose(outputs, simulation);
    return status == LINNET_MODEL ? LINNET_USAGE : status;
}

linnet_status ln_linear_point_reach(const ln_job *job, const char *outputs, ln_linear_point *point) {
    *point = (ln_linear_point){.model = NULL};
    const char *at = ln_job_value(job, "at");
    char *names = outputs != NULL ? ln_arena_string(job->arena, outputs) : NULL;
    if (outputs != NULL && names == NULL) return ln_no_memory(job->report);
    LN_TRY(ln_job_model(job, job->files[0], &point->model));
    LN_TRY(ln_simulation_prepare(&point->simulation, point->model, &job->request, at != NULL, choose, names, job->report));
    if (at == NULL) return ln_small_signal_at_rest(&point->simulation, &point->small);
    double t = 0;
    LN_TRY(read_time(point, at, &t));
    ln_progress progress;
    ln_interrupt_catch();
    ln_progress_begin(&progress, point->simulation.settings.begin, t, &point->simulation.statistics.t, 1);
    linnet_status status =
        ln_small_signal_at_time(&point->simulation, t, ln_progress_poll, &progress, &point->small);
    ln_progress_end(&progress);
    return status;
}

void ln_linear_point_free(ln_linear_point *point) {
    ln_small_signal_free(&point->small);
    ln_simulation_free(&point->simulation);
    ln_model_free(point->model);
}

int ln_linear_point_pade(const ln_job *job) {
    const char *text = ln_job_value(job, "pade"), *end;
    if (text == NULL) return LN_PADE_ORDER;
    double order = ln_number_read(text, &end);
    if (end != text && *end == '\0' && order >= 1 && order <= LN_PADE_MOST && order == (int)order) return (int)order;
    (void)ln_usage(job->command, "--pade is '%.60s'; it must be a whole number from 1 to %d", text, LN_PADE_MOST);
    return 0;
}

void ln_linear_point_delays(int delays, int order, char text[96]) {
    text[0] = '\0';
    if (delays == 0) return;
    snprintf(text, 96, "%d transport delay%s, by Pade approximants of order %d\n", delays, delays == 1 ? "" : "s", order);
}

void ln_linear_point_text(const ln_linear_point *point, char text[96]) {
    char time[32];
    if (point->small.at_rest) snprintf(text, 96, "at its operating point (%.60s)", point->small.means);
    else snprintf(text, 96, "at %s of its run", ln_time_text(time, point->small.at.t, 6));
}
