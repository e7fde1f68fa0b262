/* SPDX-License-Identifier: MIT */
/* linnet margins: how far a control loop is from instability. */
#include "cli/job.h"
#include "cli/margins_view.h"

#include <string.h>

static linnet_status margins_command(const ln_command *command, int argc, char **argv);

static const ln_option options[] = {
    {"open", 0, "SIGNAL", "where the loop is opened: a signal, or a block's signal input\n(G1.in)"},
    {"at", 0, "TIME", "linearise at this time of a run (default: operating point)"},
    {"format", 'f', "NAME", "text (default) or json"},
    {"result", 'o', "FILE", "where it goes (default: the standard output)"},
    {"plot", 0, "FILE", "also draw Bode and Nyquist plots of L: .svg, .png or .pdf"},
    {"linear-solver", 0, "NAME", "auto, dense or sparse"},
    LN_OPTIONS_WHAT,
    {"quiet", 'q', NULL, "no last line"},
    {NULL, 0, NULL, NULL}};

const ln_command ln_command_margins = {
    .name = "margins", .doc = "tell the stability margins of a loop",
    .usage = "MODEL --open SIGNAL [OPTION]...",
    .about = "Linearises MODEL, cuts the driver of SIGNAL from its readers and tells gain, phase, delay and modulus margin\n"
             "of the loop transfer L = -Y/U (negative feedback: the border of stability is L = -1), all its crossings, and\n"
             "whether the closed loop is stable.",
    .options = options,
    .examples = "  linnet margins pi-loop.xml --open y\n"
                "  linnet margins pi-loop.xml --open y --format json --plot loop.svg -o loop.json\n",
    .exits = "012345", .run = margins_command};

static linnet_status linearise(const ln_job *job, ln_simulation *simulation, ln_small_signal *small) {
    const char *text = ln_job_value(job, "at");
    if (text == NULL) return ln_small_signal_at_rest(simulation, small);
    double t;
    linnet_status status = ln_scope_value(simulation->network->scope, text, "s", (ln_place){"option --at", 0, 0}, &t);
    if (status != LINNET_OK) return status == LINNET_MODEL ? LINNET_USAGE : status;
    return ln_small_signal_at_time(simulation, t, ln_progress_poll, &(ln_progress){.allowed = 0}, small);
}

static linnet_status write_margins(const ln_job *job, const ln_margins_view *view) {
    const char *format = ln_job_value(job, "format"), *file = ln_job_value(job, "result");
    const char *plot = ln_job_value(job, "plot");
    ln_text text = {0};
    if (format != NULL && strcmp(format, "json") == 0) ln_margins_json(view, &text);
    else ln_margins_text(view, &text);
    linnet_status status = ln_document_write(file != NULL ? file : "-", &text, job->report);
    ln_text_free(&text);
    return status == LINNET_OK && plot != NULL ? ln_margins_plot(view, plot, job->report) : status;
}

static linnet_status find(const ln_job *job, const ln_model *model) {
    ln_simulation simulation;
    ln_small_signal small = {.means = ""};
    ln_margins margins = {.ncrossings = 0};
    const char *signal = ln_job_value(job, "open");
    linnet_status status = ln_simulation_prepare(&simulation, model, &job->request, ln_job_value(job, "at") != NULL,
                                                 ln_small_signal_choose, NULL, job->report);
    if (status == LINNET_OK) status = linearise(job, &simulation, &small);
    if (status == LINNET_OK) status = ln_margins_find(&small, signal, job->request.linear, &margins);
    if (status == LINNET_OK)
        status = write_margins(job, &(ln_margins_view){simulation.network->name, signal, &margins, job->arena});
    ln_margins_free(&margins);
    ln_small_signal_free(&small);
    ln_simulation_free(&simulation);
    return status;
}

static linnet_status check_options(const ln_job *job) {
    const char *format = ln_job_value(job, "format");
    if (ln_job_value(job, "open") == NULL) return ln_usage(job->command, "--open is missing: name the signal to open the loop at");
    if (format != NULL && strcmp(format, "text") != 0 && strcmp(format, "json") != 0)
        return ln_usage(job->command, "--format is '%.60s'; it must be text or json", format);
    return ln_job_value(job, "plot") != NULL ? ln_plot_check(ln_job_value(job, "plot"), job->report) : LINNET_OK;
}

static linnet_status margins_command(const ln_command *command, int argc, char **argv) {
    ln_job job;
    linnet_status status;
    if (ln_job_read(&job, command, argc, argv, 1, &status) && (status = check_options(&job)) == LINNET_OK) {
        ln_model *model = NULL;
        ln_interrupt_catch();
        status = ln_job_model(&job, job.files[0], &model);
        if (status == LINNET_OK) status = find(&job, model);
        ln_report_close(job.report);
        if (status != LINNET_OK || !job.quiet) ln_terminal_outcome(status);
        if (model != NULL) ln_model_free(model);
    }
    ln_job_free(&job);
    return status;
}
