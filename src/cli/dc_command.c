/* SPDX-License-Identifier: MIT */
/* Options, result file and last words of `linnet sweep --dc`. */
#include "cli/dc_command.h"

#include "analysis/curve_measures.h"
#include "analysis/estimate.h"
#include "base/sys.h"
#include "base/visible.h"
#include "cli/summary.h"
#include "result/formats.h"
#include <stdio.h>
#include <string.h>

static int stop(void *context) {
    (void)context;
    return ln_interrupted() != 0;
}

static void show(void *context, long done, long points) {
    ln_work_show(context, done, points);
}

/* Options that speak of runs and cases mean nothing here. */
static linnet_status check_options(const ln_job *job) {
    static const char *const others[] = {"vary",      "cases",    "seed",       "measure", "resume",
                                         "save-runs", "threads",  "format",     "method",  "step",
                                         "tolerance", "duration", "event-limit"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (ln_job_value(job, others[k]) != NULL)
            return ln_usage(job->command,
                            "--%s does not go with --dc, which finds operating points", others[k]);
    return LINNET_OK;
}

static void tell(const ln_dc_curve *curve, const char *output, linnet_status status) {
    if (status == LINNET_INTERRUPTED || status == LINNET_FAILED)
        fprintf(stderr, "linnet: %s after %ld of %ld points%s\n",
                status == LINNET_FAILED ? "failed" : "interrupted", curve->done, curve->points,
                curve->done > 0 ? "; they are kept" : "");
    else if (status == LINNET_OK)
        fprintf(stderr, "linnet: done: %ld points in %s; %ld needed more than Newton's method\n",
                curve->done, strcmp(output, "-") == 0 ? "the standard output" : output,
                curve->aided);
    else
        ln_terminal_outcome(status);
}

const char **ln_vary_words(const ln_job *job, const ln_element *element, int *count) {
    const char *text = element != NULL ? ln_attribute_of(element, "vary") : "", *const blanks =
                                                                                    " \t\n";
    const char **words = LN_NEW(job->arena, const char *, strlen(text) + 1);
    *count = 0;
    for (const char *at = text + strspn(text, blanks); words != NULL && *at != '\0';
         at += strspn(at, blanks)) {
        const size_t length = strcspn(at, blanks);
        words[*count] = ln_arena_text(job->arena, at, length);
        if (words[(*count)++] == NULL)
            return NULL;
        at += length;
    }
    return words;
}

/* As ngspice calls what is swept. */
static const char *name_in_spice(ln_column swept) {
    static const char *const names[][2] = {
        {"V", "v-sweep"}, {"A", "i-sweep"}, {"Ohm", "res-sweep"}, {"K", "temp-sweep"}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(names[k][0], swept.unit) == 0)
            return names[k][1];
    return swept.name;
}

/* Measures of the one curve there is. */
static linnet_status measure(const ln_job *job, const ln_model *model, const ln_dc_curve *curve,
                             const ln_points *points) {
    const int stride = points->ncolumns + 1;
    ln_measured_column *columns = LN_NEW(job->arena, ln_measured_column, points->ncolumns);
    if (columns == NULL)
        return ln_no_memory(job->report);
    for (int k = 0; k < points->ncolumns; k++)
        columns[k] = (ln_measured_column){curve->columns[k].name, curve->columns[k].unit,
                                          points->data + k + 1, stride};
    ln_measures *measures;
    LN_TRY(ln_curve_measures_take(model,
                                  &(ln_measured_curves){"dc-sweep", curve->swept[0].unit,
                                                        points->data, (int)points->count, stride,
                                                        columns, points->ncolumns},
                                  job->report, &measures));
    if (!job->quiet)
        ln_measures_print(measures);
    ln_measures_free(measures);
    return LINNET_OK;
}

linnet_status ln_dc_of_model(ln_job *job, const ln_model *model, const char *output,
                             ln_dc_curve *curve) {
    int ntexts;
    const char **texts = ln_job_values(job, "dc", &ntexts);
    if (texts != NULL && ntexts == 0)
        texts = ln_vary_words(job, model->dc_sweep, &ntexts);
    if (texts != NULL && ntexts == 0)
        return ln_usage(job->command,
                        "nothing is varied; give --vary NAME=VALUES, or --dc NAME=VALUES");
    ln_work_progress progress;
    *curve = (ln_dc_curve){.model = model,
                           .request = job->request,
                           .back = ln_job_value(job, "back") != NULL,
                           .stop = stop,
                           .show = show,
                           .context = &progress,
                           .arena = job->arena,
                           .report = job->report};
    curve->request.at_rest = 1;
    if (texts == NULL)
        return ln_no_memory(job->report);
    LN_TRY(ln_dc_curve_prepare(curve, texts, ntexts));
    ln_column swept = curve->swept[curve->axes.count - 1];
    if (ln_format_of(output)->holds & LN_FORMAT_SPICE)
        swept.name = name_in_spice(swept);
    const ln_result_head head = {.title = model->name,
                                 .origin = model->origin,
                                 .name = "DC transfer characteristic",
                                 .first = swept,
                                 .is_next = job->is_next,
                                 .as_text = ln_job_value(job, "ascii") != NULL};
    ln_sink *sink = ln_sink_file(output, &head, job->report);
    if (sink == NULL)
        return LINNET_IO;
    ln_points points = {0};
    const int measured = curve->axes.count == 1 && model->nmeasures > 0;
    ln_sink *keeping = measured ? ln_sink_keeping(sink, &points, job->report) : sink;
    if (keeping == NULL) {
        (void)sink->close(sink, 0);
        return LINNET_MEMORY;
    }
    ln_work_begin(&progress, 0, job->progress);
    linnet_status status = ln_dc_curve_run(curve, keeping);
    ln_work_end(&progress);
    if (status == LINNET_OK && measured)
        status = measure(job, model, curve, &points);
    ln_sys->release(points.data);
    return status;
}

linnet_status ln_dc_command(ln_job *job) {
    ln_model *model = NULL;
    ln_dc_curve curve = {.done = 0};
    const char *output =
        job->output != NULL ? job->output : ln_job_file_after(job, job->files[0], "-dc.csv");
    linnet_status status = output != NULL ? check_options(job) : ln_no_memory(job->report);
    if (status == LINNET_OK)
        status = ln_format_check(output, 0, "", job->report);
    if (status == LINNET_OK)
        status = ln_job_model(job, job->files[0], &model);
    ln_interrupt_catch();
    if (status == LINNET_OK)
        status = ln_dc_of_model(job, model, output, &curve);
    ln_report_close(job->report);
    if (status != LINNET_OK || !job->quiet)
        tell(&curve, ln_visible_in(job->arena, output), status);
    if (model != NULL)
        ln_model_free(model);
    return status;
}
