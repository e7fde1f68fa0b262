/* SPDX-License-Identifier: MIT */
/* linnet margins: how far a control loop is from instability. */
#include "analysis/sampled_loop.h"
#include "cli/linear_point.h"
#include "cli/margins_view.h"
#include "model/model.h"

static linnet_status margins_command(const ln_command *command, int argc, char **argv);
static const char formats[] = "text or json";

static const ln_option options[] = {
    {"open", 0, "SIGNAL",
     "where the loop is opened: a signal, a block's signal input\n(G1.in), or a physical port "
     "(R1.p)"},
    {"at", 0, "TIME", "linearise at this time of a run (default: operating point)"},
    {"format", 'f', "NAME", "text (default) or json"},
    {"result", 'o', "FILE", "where it goes (default: the standard output)"},
    {"plot", 0, "FILE", "also draw Bode and Nyquist plots of L: .svg, .png, .pdf or .html"},
    {"linear-solver", 0, "NAME", "one of " LN_LINEAR_WORDS},
    LN_OPTIONS_WHAT,
    {"quiet", 'q', NULL, "no last line"},
    {NULL, 0, NULL, NULL}};

const ln_command ln_command_margins = {
    .name = "margins",
    .doc = "tell the stability margins of a loop",
    .usage = "MODEL --open SIGNAL [OPTION]...",
    .about = "Linearises MODEL, cuts the driver of SIGNAL from its readers and tells gain, phase, "
             "delay and modulus margin\n"
             "of the loop transfer L = -Y/U (negative feedback: the border of stability is L = "
             "-1), all its crossings, and\n"
             "whether the closed loop is stable. A loop that only ticks close (a hold, a discrete "
             "controller) is "
             "seen\nonce over the common period of the clocks, at the slowest of them. At a "
             "physical port nothing "
             "is cut: a potential\nin series and a flux brought in tell L (double injection).",
    .options = options,
    .examples =
        "  linnet margins pi-loop.xml --open y\n"
        "  linnet margins amplifier.cir --open R2.p\n"
        "  linnet margins pi-loop.xml --open y --format json --plot loop.svg -o loop.json\n",
    .exits = "012345",
    .run = margins_command};

static linnet_status write_margins(const ln_job *job, const ln_margins_view *view) {
    const char *plot = ln_job_value(job, "plot");
    ln_text text = {0};
    if (ln_linear_format(job, formats) == 0)
        ln_margins_text(view, &text);
    else
        ln_margins_json(view, &text);
    LN_TRY(ln_linear_write(job, &text));
    return plot != NULL ? ln_margins_plot(view, plot, job->report) : LINNET_OK;
}

static linnet_status work(const ln_job *job, ln_linear_point *point) {
    ln_margins margins = {.ncrossings = 0};
    const char *signal = ln_job_value(job, "open");
    linnet_status status = ln_margins_find_any(&point->small, &point->simulation.settings, signal,
                                               job->request.linear, &margins);
    if (status == LINNET_OK)
        status = write_margins(job, &(ln_margins_view){point->simulation.network->name,
                                                       point->model->origin, signal, &margins,
                                                       job->arena});
    ln_margins_free(&margins);
    return status;
}

static linnet_status check(const ln_job *job) {
    const char *file = ln_job_value(job, "result");
    if (file != NULL)
        LN_TRY(ln_format_check(file, LN_FORMAT_CASES, LN_FORMAT_TEXTS, job->report));
    if (ln_job_value(job, "open") == NULL)
        return ln_usage(job->command, "--open is missing: name the signal to open the loop at");
    if (ln_linear_format(job, formats) < 0)
        return LINNET_USAGE;
    return ln_job_value(job, "plot") != NULL ? ln_plot_check(ln_job_value(job, "plot"), job->report)
                                             : LINNET_OK;
}

static linnet_status margins_command(const ln_command *command, int argc, char **argv) {
    return ln_linear_command_run(&(ln_linear_command){NULL, check, NULL, work}, command, argc,
                                 argv);
}
