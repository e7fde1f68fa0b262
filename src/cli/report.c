/* SPDX-License-Identifier: MIT */
/* linnet report: all there is to see of a model on one page, which needs nothing but itself. */
#include "cli/report.h"

#include "base/input.h"
#include "base/visible.h"
#include "cli/plot_input.h"
#include "plot/html.h"
#include "result/document.h"
#include "model/model.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

static linnet_status report_command(const ln_command *command, int argc, char **argv);

enum { OUTPUT, TITLE, METHOD, STEP, TOLERANCE, DURATION, QUIET };
static const ln_option options[] = {
    [OUTPUT] = {"output", 'o', "FILE", "where to (MODEL.html)"},
    [TITLE] = {"title", 0, "TEXT", "what stands on top (the model's name)"},
    [METHOD] = {"method", 'm', "NAME", "method of integration"},
    [STEP] = {"step", 's', "TIME", "fixed step; replaces the model's step and tolerance"},
    [TOLERANCE] = {"tolerance", 't', "NUMBER", "adaptive step at this relative accuracy"},
    [DURATION] = {"duration", 'd', "TIME", "how long to simulate"},
    [QUIET] = {"quiet", 'q', NULL, "say nothing when all goes well"},
    LN_OPTIONS_WHAT,
    {NULL, 0, NULL, NULL}};

const ln_command ln_command_report = {
    .name = "report",
    .doc = "write a page about a model: diagram, run, plots, modes",
    .usage = "MODEL [OPTION]...",
    .about = "Runs MODEL and writes one page (HTML) that needs nothing but itself: the diagram, "
             "plots with zoom and cursor,\n"
             "what the run took, messages, measures, parameters, the operating point, natural "
             "modes and feedback loops.",
    .options = options,
    .examples = "  linnet report rectifier.xml\n"
                "  linnet report servo.xml --set load=2kg -o heavy.html\n",
    .exits = "012345",
    .run = report_command};

/* ---- the head of the page ---- */

static const char looks[] =
    "<style>table{border-collapse:collapse;margin:.5em 0}th,td{padding:.15em .8em .15em 0;"
    "text-align:left;vertical-align:top;border-bottom:1px solid var(--grid)}"
    "td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}"
    "code{background:var(--box);padding:.1em .3em}.diagram{overflow:auto}"
    ".diagram svg{max-width:100%;height:auto}summary{cursor:pointer;margin:.4em 0}"
    ".error{color:#d1242f}.warning{color:#9a6700}:root.dark .error{color:#ff9b8f}"
    ":root.dark .warning{color:#e3c065}"
    "@media print{details>*{display:block}table{font-size:11px}h2{break-after:avoid}"
    "tr,.diagram{break-inside:avoid}}</style>\n"
    /* the looks that the reader's system asks for, but paper is white; folded tables open for it */
    "<script>(function(){const d=matchMedia('(prefers-color-scheme: dark)'),"
    "r=document.documentElement;r.classList.toggle('dark',d.matches);"
    "addEventListener('beforeprint',function(){r.classList.remove('dark');"
    "document.querySelectorAll('details').forEach(function(e){e.open=true})});"
    "addEventListener('afterprint',function(){r.classList.toggle('dark',d.matches)})})()</"
    "script>\n";

static void head_row(ln_reporting *r, const char *name, const char *value) {
    ln_text_printf(r->page, "<tr><th>%s</th><td><code>", name);
    ln_html_text(r->page, value);
    ln_text_add(r->page, "</code></td></tr>\n");
}

static linnet_status write_head(ln_reporting *r, const char *title) {
    ln_input_mark mark;
    LN_TRY(ln_input_find_mark(r->path, r->job->report, &mark));
    LN_TRY(ln_html_begin(r->page, title, 0, r->job->report));
    ln_text_add(r->page, looks);
    ln_text_add(r->page, "<h1>");
    ln_html_text(r->page, title);
    ln_text_add(r->page, "</h1>\n<table>\n");
    head_row(r, "model", r->path);
    if (mark.text[0] != '\0')
        head_row(r, "file", mark.text);
    head_row(r, "program", ln_arena_printf(r->job->arena, "Linnet %s", linnet_version()));
    head_row(r, "command", r->job->line);
    ln_text_add(r->page, "</table>\n");
    return LINNET_OK;
}

/* ---- the model, through the library ---- */

static linnet_status set_up(ln_reporting *r) {
    const ln_job *job = r->job;
    static const char *const names[] = {"method",   "step",          "tolerance",
                                        "duration", "linear-solver", "event-limit"};
    for (int k = 0; k < job->nfolders; k++)
        LN_TRY(linnet_allow_folder(r->model, job->folders[k]));
    LN_TRY(linnet_load(r->model, r->path));
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *value = ln_job_value(job, names[k]);
        if (value != NULL)
            LN_TRY(linnet_option(r->model, names[k], value));
    }
    for (int k = 0; k < job->request.noverrides; k++)
        LN_TRY(
            linnet_set(r->model, job->request.overrides[k].name, job->request.overrides[k].value));
    return LINNET_OK;
}

/* What the run has told: rows are kept in memory, so that there is an end to them. */
typedef struct listening {
    double values, most, t;
    int width, is_full;
} listening;

static int hear_signals(void *context, int count, const linnet_signal *signals) {
    listening *all = context;
    (void)signals;
    all->width = count + 1;
    return 0;
}

static int hear_row(void *context, double t, const double *values) {
    listening *all = context;
    (void)values;
    all->values += all->width;
    all->t = t;
    return all->is_full = all->values > all->most;
}

static int stop_at_signal(void *context, double t) {
    (void)context, (void)t;
    return ln_interrupted() != 0;
}

static void note(ln_reporting *r, linnet_status status) {
    if (r->status == LINNET_OK)
        r->status = status;
}

/* What a run that failed got to is shown as well; a model that only has equations of rest has no
 * run. */
static void write_run(ln_reporting *r) {
    linnet_result *result = NULL;
    listening heard = {.most = LN_PICTURE_VALUES};
    const linnet_watch watch = {&heard, hear_signals, hear_row, stop_at_signal};
    const linnet_status status = linnet_run_memory(r->model, &watch, &result);
    ln_report_hear(r, NULL);
    note(r, !heard.is_full
                ? status
                : ln_usage(r->job->command,
                           "more than %.3g rows of %d values by t = %.6g s, more than "
                           "a page is made of (%.0e values); take a longer step, or run "
                           "the model into a file",
                           heard.values / heard.width, heard.width, heard.t, heard.most));
    const linnet_statistics statistics = linnet_last_run(r->model);
    if (result != NULL && linnet_result_rows(result) > 1 && !heard.is_full)
        note(r, ln_report_plots(r, result));
    if (statistics.method != NULL) {
        ln_report_run(r, &statistics);
        ln_report_measures(r);
    }
    linnet_result_free(result);
}

static void write_messages(ln_reporting *r) {
    if (r->nmessages == 0)
        return;
    ln_report_section(r, "Messages");
    ln_text_add(r->page, "<ul class=\"messages\">\n");
    ln_text_add(r->page, r->messages.data);
    ln_text_add(r->page, "</ul>\n");
}

static linnet_status write_page(ln_reporting *r, const char *title) {
    LN_TRY(write_head(r, title));
    const linnet_status drawn = ln_report_diagram(r);
    if (drawn == LINNET_MEMORY || drawn == LINNET_IO)
        return drawn;
    linnet_status ready = set_up(r);
    if (ready == LINNET_OK)
        ready = linnet_check(r->model);
    ln_report_hear(r, NULL);
    note(r, ready);
    if (ready == LINNET_OK) {
        write_run(r);
        ln_report_parameters(r);
        ln_report_point(r);
        ln_report_modes(r);
    }
    write_messages(r);
    ln_html_end(r->page);
    if (r->status == LINNET_MEMORY)
        return r->status;
    return r->page->failed || r->messages.failed ? ln_no_memory(r->job->report) : LINNET_OK;
}

/* ---- the command ---- */

/* As far as the settings tell before the run; what is wrong with them is the library's to say. */
static linnet_status check_rows(const ln_job *job, const ln_model *source) {
    ln_simulation simulation = {.method_why = ""};
    ln_report *silent = ln_report_new(NULL, NULL);
    linnet_status status = LINNET_OK;
    if (silent == NULL)
        return ln_no_memory(job->report);
    if (ln_simulation_prepare(&simulation, source, &job->request, 1, NULL, silent) == LINNET_OK)
        status = ln_plot_check_rows(job, &simulation);
    ln_simulation_free(&simulation);
    ln_report_free(silent);
    return status;
}

static linnet_status report(const ln_job *job) {
    const char *path =
        job->output != NULL ? job->output : ln_job_file_after(job, job->files[0], ".html");
    ln_text page = {0};
    ln_reporting r = {
        .job = job, .path = job->files[0], .model = linnet_model_new(), .page = &page};
    ln_model *source = NULL;
    linnet_status status = path == NULL || r.model == NULL ? ln_no_memory(job->report) : LINNET_OK;
    ln_interrupt_catch();
    if (status == LINNET_OK)
        status = ln_job_model(job, r.path, &source);
    if (status == LINNET_OK)
        status = check_rows(job, source);
    r.source = source;
    if (status == LINNET_OK)
        status = write_page(&r, job->values[TITLE] != NULL ? job->values[TITLE] : source->name);
    if (status == LINNET_OK)
        status = ln_document_write(path, &page, job->report);
    if (status == LINNET_OK && !job->quiet)
        fprintf(stderr, "%s: %zu bytes, %d message%s\n", ln_visible_in(job->arena, path),
                page.length, r.nmessages, r.nmessages == 1 ? "" : "s");
    ln_model_free(source);
    linnet_model_free(r.model);
    ln_text_free(&page);
    ln_text_free(&r.messages);
    return status != LINNET_OK ? status : r.status;
}

static linnet_status report_command(const ln_command *command, int argc, char **argv) {
    ln_job job;
    linnet_status status;
    if (ln_job_read(&job, command, argc, argv, LN_JOB_ONE, &status)) {
        if (ln_input_is_stream(job.files[0]))
            status = ln_usage(command,
                              "'%.200s' can be read once; a report reads its model several "
                              "times, so write it to a file first",
                              job.files[0]);
        else if (job.output != NULL && !ln_ends_with(job.output, ".html"))
            status = ln_usage(command, "'%.200s': the name of a report ends in .html", job.output);
        else
            status = report(&job);
        ln_report_close(job.report);
        if (status != LINNET_USAGE && (status != LINNET_OK || !job.quiet))
            ln_terminal_outcome(status);
    }
    ln_job_free(&job);
    return status;
}
