/* SPDX-License-Identifier: MIT */
/* linnet plot: a result, or a model that is run for it, as a picture. */
#include "plot/plot.h"

#include "base/sys.h"
#include "cli/job.h"
#include "cli/picture.h"
#include "model/scope.h"
#include "result/sink.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static linnet_status plot_command(const ln_command *command, int argc, char **argv);

static const ln_option options[] = {
    {"signals", 0, "NAMES",
     "what to draw: names and patterns, 'out,R1.*'\n(default: all that is in the result)"},
    {"output", 'o', "FILE",
     "the picture: .svg, .png or .pdf; '-' draws with characters on\n"
     "the standard output (default: the file's name with .svg, in\nthe current folder)"},
    {"against", 'x', "NAME", "draw against this signal instead of time"},
    {"panels", 'p', "HOW",
     "alike: signals of one unit share a panel (in a result file,\n"
     "which has no units, signals of like size); one; each"},
    {"log", 'l', "AXES", "logarithmic axes: x, y or xy"},
    {"from", 0, "TIME", "leave out what is before"},
    {"to", 0, "TIME", "leave out what is after"},
    {"title", 0, "TEXT", "above the picture (default: the model's or the file's name)"},
    {"size", 0, "WxH", "width and height in pixels, or in characters"},
    LN_OPTIONS_HOW,
    LN_OPTIONS_ROWS,
    LN_OPTIONS_WHAT,
    {"quiet", 'q', NULL, "no progress bar and no last line"},
    {NULL, 0, NULL, NULL}};

const ln_command ln_command_plot = {
    .name = "plot",
    .doc = "draw a result, or a model's, as a picture",
    .usage = "RESULT.csv|RESULT.raw|MODEL.xml [OPTION]...",
    .about = "Draws the signals of a result file. A model is run first, as the options for running "
             "and its <simulation>\n"
             "element say. gnuplot does the drawing.",
    .options = options,
    .more = ln_help_methods,
    .examples = "  linnet plot rectifier.csv\n"
                "  linnet plot rectifier.xml --signals 'in,out' --from 40ms -o rectifier.png\n"
                "  linnet plot pendulum.csv --signals speed --against angle -o -\n",
    .exits = "012345",
    .run = plot_command};

/* ---- options ---- */

static linnet_status read_time(const ln_job *job, const char *name, double *value) {
    const char *text = ln_job_value(job, name);
    if (text == NULL)
        return LINNET_OK;
    ln_scope *scope = ln_scope_new(job->arena, "", job->report);
    if (scope == NULL)
        return ln_no_memory(job->report);
    char title[32];
    snprintf(title, sizeof title, "option --%s", name);
    ln_subject before = ln_report_about(job->report, (ln_subject){.item = title});
    linnet_status status = ln_scope_value(scope, text, "s", LN_NOWHERE, value);
    (void)ln_report_about(job->report, before);
    return status == LINNET_MODEL ? LINNET_USAGE : status;
}

static linnet_status read_size(const ln_job *job, ln_picture *picture) {
    const char *text = ln_job_value(job, "size");
    char *end;
    if (text == NULL)
        return LINNET_OK;
    long width = strtol(text, &end, 10), height = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
    if (*end != '\0' || width < 20 || height < 10 || width > 20000 || height > 20000)
        return ln_usage(job->command, "--size is '%.60s'; write WIDTHxHEIGHT, such as 800x600",
                        text);
    picture->width = (int)width;
    picture->height = (int)height;
    return LINNET_OK;
}

static linnet_status read_options(const ln_job *job, ln_picture *picture) {
    static const char *const panels[] = {
        [LN_PANELS_ALIKE] = "alike", [LN_PANELS_ONE] = "one", [LN_PANELS_EACH] = "each"};
    const char *how = ln_job_value(job, "panels"), *log = ln_job_value(job, "log");
    *picture = (ln_picture){.title = ln_job_value(job, "title"),
                            .signals = ln_job_value(job, "signals"),
                            .against = ln_job_value(job, "against"),
                            .from = -INFINITY,
                            .to = INFINITY};
    int known = how == NULL;
    for (size_t k = 0; how != NULL && k < sizeof panels / sizeof *panels; k++)
        if (strcmp(how, panels[k]) == 0) {
            picture->panels = (ln_panels)k;
            known = 1;
        }
    if (!known)
        return ln_usage(job->command, "--panels is '%.60s'; it must be alike, one or each", how);
    if (log != NULL && (*log == '\0' || log[strspn(log, "xy")] != '\0'))
        return ln_usage(job->command, "--log is '%.60s'; it must be x, y or xy", log);
    picture->log_x = log != NULL && strchr(log, 'x') != NULL;
    picture->log_y = log != NULL && strchr(log, 'y') != NULL;
    LN_TRY(read_time(job, "from", &picture->from));
    LN_TRY(read_time(job, "to", &picture->to));
    if (picture->from >= picture->to)
        return ln_usage(job->command, "--from must be before --to");
    return read_size(job, picture);
}

/* "models/rectifier.xml" -> "rectifier.svg", or "rectifier" for a title */
static const char *name_after(ln_arena *arena, const char *path, const char *suffix) {
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path,
               *dot = strrchr(name, '.');
    int length = (int)(dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name));
    return ln_arena_printf(arena, "%.*s%s", length, name, suffix);
}

/* A drawing in characters fills the terminal's width. */
static void fit_terminal(ln_picture *picture, const char *output) {
    struct winsize window;
    if (picture->width > 0 || strcmp(output, "-") != 0)
        return;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 20)
        picture->width = window.ws_col - 1;
}

/* ---- where the numbers come from ---- */

/* A model begins with '<', behind blanks and a byte order mark at most. */
static linnet_status is_model(const ln_job *job, const char *path, int *model) {
    char head[512];
    int file = ln_sys->open_read(path);
    ssize_t got = file >= 0 ? ln_sys->read(file, head, sizeof head) : -1;
    int reason = errno;
    if (file >= 0)
        (void)ln_sys->close(file);
    if (got < 0)
        return ln_fail(job->report, LINNET_IO, LN_NOWHERE, "cannot read '%s': %s", path,
                       strerror(reason));
    size_t at = got >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < (size_t)got && strchr(" \t\r\n", head[at]) != NULL && head[at] != '\0')
        at++;
    *model = at < (size_t)got && head[at] == '<';
    return LINNET_OK;
}

static linnet_status draw_file(const ln_job *job, ln_picture *picture, const char *output) {
    ln_csv csv;
    LN_TRY(ln_csv_read_columns(job->files[0], job->arena, job->report, &csv));
    if (csv.ncolumns < 2)
        return ln_fail(job->report, LINNET_MODEL, (ln_place){job->files[0], 0, 0},
                       "the result has no column but '%.60s', nothing "
                       "to draw against it",
                       csv.names[0]);
    ln_trajectory trajectory = {csv.ncolumns, csv.names, NULL, csv.data, csv.nrows};
    return ln_picture_draw(picture, &trajectory, output, job->arena, job->report);
}

/* Recorded is what the model asks for, and what shall be drawn. */
static linnet_status record(void *context, ln_simulation *simulation) {
    const ln_picture *picture = context;
    const ln_place place = {"option --signals", 0, 0}, against = {"option --against", 0, 0};
    if (simulation->model->nrecords > 0)
        LN_TRY(ln_recorder_add_records(simulation->recorder));
    else if (picture->signals == NULL)
        LN_TRY(ln_recorder_add_default(simulation->recorder));
    if (picture->signals != NULL) {
        linnet_status status = ln_recorder_add(simulation->recorder, picture->signals, place);
        if (status != LINNET_OK)
            return status == LINNET_MODEL ? LINNET_USAGE : status;
    }
    if (picture->against == NULL || strcmp(picture->against, "time") == 0)
        return LINNET_OK;
    return ln_recorder_column(simulation->recorder, picture->against, against) >= 0 ? LINNET_OK
                                                                                    : LINNET_USAGE;
}

static linnet_status draw_rows(const ln_job *job, const ln_picture *picture,
                               const ln_simulation *simulation, const ln_table_rows *rows,
                               const char *output) {
    int count;
    const ln_column *columns = ln_recorder_columns(simulation->recorder, &count);
    const char **names = LN_NEW(job->arena, const char *, count + 1),
               **units = LN_NEW(job->arena, const char *, count + 1);
    if (names == NULL || units == NULL)
        return ln_no_memory(job->report);
    names[0] = "time";
    units[0] = "s";
    for (int k = 0; k < count; k++) {
        names[k + 1] = columns[k].name;
        units[k + 1] = columns[k].unit;
    }
    ln_trajectory trajectory = {count + 1, names, units, rows->data, rows->nrows};
    return ln_picture_draw(picture, &trajectory, output, job->arena, job->report);
}

/* What an interrupted or failed run got to is drawn, too. */
static linnet_status run_and_draw(const ln_job *job, ln_simulation *simulation, ln_picture *picture,
                                  const char *output) {
    ln_table_rows rows = {0};
    ln_progress progress;
    ln_sink *sink = ln_sink_memory(&rows, job->report);
    if (sink == NULL)
        return LINNET_MEMORY;
    ln_progress_begin(&progress, simulation->settings.begin, simulation->settings.end,
                      &simulation->statistics.t, !job->quiet);
    linnet_status status = ln_simulation_run(simulation, sink, ln_progress_poll, &progress);
    ln_progress_end(&progress);
    int worth = status == LINNET_OK || status == LINNET_INTERRUPTED || status == LINNET_FAILED;
    linnet_status drawn =
        worth && rows.nrows > 1 ? draw_rows(job, picture, simulation, &rows, output) : LINNET_OK;
    ln_sys->release(rows.data);
    return status != LINNET_OK ? status : drawn;
}

static linnet_status draw_model(const ln_job *job, ln_picture *picture, const char *output) {
    ln_model *model = NULL;
    ln_simulation simulation = {.method_why = ""};
    LN_TRY(ln_job_model(job, job->files[0], &model));
    if (ln_job_value(job, "title") == NULL && model->name[0] != '\0')
        picture->title = model->name;
    linnet_status status =
        ln_simulation_prepare(&simulation, model, &job->request, 1, record, picture, job->report);
    if (status == LINNET_OK)
        status = run_and_draw(job, &simulation, picture, output);
    ln_simulation_free(&simulation);
    ln_model_free(model);
    return status;
}

static linnet_status draw(const ln_job *job) {
    ln_picture picture;
    int model = 0;
    LN_TRY(read_options(job, &picture));
    const char *output =
        job->output != NULL ? job->output : name_after(job->arena, job->files[0], ".svg");
    if (output == NULL)
        return ln_no_memory(job->report);
    if (picture.title == NULL)
        picture.title = name_after(job->arena, job->files[0], "");
    LN_TRY(ln_plot_check(output, job->report));
    LN_TRY(is_model(job, job->files[0], &model));
    fit_terminal(&picture, output);
    return model ? draw_model(job, &picture, output) : draw_file(job, &picture, output);
}

static linnet_status plot_command(const ln_command *command, int argc, char **argv) {
    ln_job job;
    linnet_status status;
    if (ln_job_read(&job, command, argc, argv, 1, &status)) {
        ln_interrupt_catch();
        status = draw(&job);
        ln_report_close(job.report);
        if (status != LINNET_OK || !job.quiet)
            ln_terminal_outcome(status);
    }
    ln_job_free(&job);
    return status;
}
