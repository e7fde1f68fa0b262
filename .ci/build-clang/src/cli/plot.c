/* SPDX-License-Identifier: MIT */
/* linnet plot: a result, or a model that is run for it, as a picture. */
#include "plot/plot.h"

#include "base/sys.h"
#include "cli/job.h"
#include "cli/plot_input.h"
#include "cli/plot_sweep.h"
#include "model/scope.h"
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
     "the picture: .svg, .png, .pdf or .html; .json: its data, for programs;\n"
     "'-' draws with characters on the standard output (default: the\n"
     "file's name with .svg, in the current folder)"},
    {"against", 'x', "NAME", "draw against this signal instead of time"},
    {"panels", 'p', "HOW",
     "alike: signals of one unit share a panel (without units,\n"
     "signals of like size); one; each"},
    {"log", 'l', "AXES", "logarithmic axes: x, y or xy"},
    {"from", 0, "TIME", "leave out what is before"},
    {"to", 0, "TIME", "leave out what is after"},
    {"at", 0, "TIMES", "tell the values at these times, '20ms,40ms', in the picture"},
    {"nyquist", 0, NULL, "of frequency responses: the locus, instead of magnitude and phase"},
    {"sweep", 0, "FILE",
     "the results are runs of this sweep (--save-runs): colour them\nby its first parameter"},
    {"colour", 0, "NAME", "by this parameter of the sweep instead"},
    {"no-events", 0, NULL, "do not mark events at the foot of the panels"},
    {"dark", 0, NULL, "light on dark"},
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
    .usage = "RESULT|MODEL|DECK... [SIGNALS] [OPTION]...",
    .about = "Draws signals of results, several in one picture; SIGNALS are names and patterns. A "
             "model or deck is run\n"
             "first, as the options for running and its <simulation> say. A frequency response "
             "(linnet ac -f csv) becomes\n"
             "a Bode plot, the table of a sweep its measures against a parameter. gnuplot does the "
             "drawing.",
    .options = options,
    .more = ln_help_methods,
    .examples = "  linnet plot rectifier.csv\n"
                "  linnet plot rectifier.xml --signals 'in,out' --from 40ms -o rectifier.png\n"
                "  linnet plot before.csv after.csv out -o compared.svg\n"
                "  linnet plot pendulum.csv speed --against angle -o -\n"
                "  linnet plot runs/*.csv out --sweep rc-sweep.csv -o fan.svg\n",
    .exits = "012345",
    .run = plot_command};

/* ---- options ---- */

static linnet_status read_time(const ln_job *job, const char *name, const char *text,
                               double *value) {
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

static linnet_status read_times(const ln_job *job, ln_picture *picture) {
    const char *text = ln_job_value(job, "at");
    if (text == NULL)
        return LINNET_OK;
    double *at = LN_NEW(job->arena, double, strlen(text));
    if (at == NULL)
        return ln_no_memory(job->report);
    for (size_t length; *text != '\0'; text += length + (text[length] == ',')) {
        length = strcspn(text, ",");
        const char *one = ln_arena_text(job->arena, text, length);
        if (one == NULL)
            return ln_no_memory(job->report);
        LN_TRY(read_time(job, "at", one, &at[picture->nat++]));
    }
    picture->at = at;
    return LINNET_OK;
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
                            .nyquist = ln_job_value(job, "nyquist") != NULL,
                            .no_events = ln_job_value(job, "no-events") != NULL,
                            .dark = ln_job_value(job, "dark") != NULL,
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
    LN_TRY(read_times(job, picture));
    LN_TRY(read_time(job, "from", ln_job_value(job, "from"), &picture->from));
    LN_TRY(read_time(job, "to", ln_job_value(job, "to"), &picture->to));
    if (picture->from >= picture->to)
        return ln_usage(job->command, "--from must be before --to");
    return read_size(job, picture);
}

/* ---- what is drawn ---- */

/* A file that is there, and whose name has a suffix or a folder: signals may be called as files. */
static int is_file(const char *path) {
    const char *slash = strrchr(path, '/');
    if (slash == NULL && strchr(path, '.') == NULL)
        return 0;
    int file = ln_sys->open_read(path);
    if (file >= 0)
        (void)ln_sys->close(file);
    return file >= 0;
}

/* Operands are files first, and from the first that is none on signals. */
static linnet_status read_operands(const ln_job *job, ln_picture *picture, int *nfiles) {
    ln_text names = {0};
    *nfiles = 1;
    while (*nfiles < job->nfiles && is_file(job->files[*nfiles]))
        ++*nfiles;
    for (int k = *nfiles; k < job->nfiles; k++) {
        if (strchr(job->files[k], '/') != NULL)
            break; /* a path, and no file */
        ln_text_printf(&names, "%s ", job->files[k]);
    }
    if (names.data == NULL && *nfiles == job->nfiles)
        return LINNET_OK;
    if (picture->signals != NULL)
        ln_text_add(&names, picture->signals);
    picture->signals = names.data != NULL ? ln_arena_string(job->arena, names.data) : NULL;
    ln_text_free(&names);
    for (int k = *nfiles; k < job->nfiles; k++)
        if (strchr(job->files[k], '/') != NULL)
            return ln_fail(job->report, LINNET_IO, LN_NOWHERE, "cannot read '%.200s'",
                           job->files[k]);
    return picture->signals != NULL ? LINNET_OK : ln_no_memory(job->report);
}

/* A drawing in characters fills the terminal's width. */
static void fit_terminal(ln_picture *picture, const char *output) {
    struct winsize window;
    if (picture->width > 0 || strcmp(output, "-") != 0)
        return;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 20)
        picture->width = window.ws_col - 1;
}

/* What an interrupted or failed run got to is drawn, too. */
static linnet_status draw_files(const ln_job *job, ln_picture *picture, int nfiles,
                                const char *output) {
    ln_trajectory *results = LN_NEW(job->arena, ln_trajectory, nfiles);
    const char *title = NULL;
    linnet_status status = LINNET_OK;
    int count = 0;
    if (results == NULL)
        return ln_no_memory(job->report);
    for (int k = 0; k < nfiles && status == LINNET_OK; k++) {
        status = ln_plot_input(job, picture, job->files[k], &title, &results[count]);
        count += results[count].nrows > 0;
    }
    if (count == 0)
        return status;
    if (count == 1 && ln_is_sweep_table(results)) {
        LN_TRY(ln_plot_sweep_table(job, picture, results, &results, &count));
        return ln_picture_draw(picture, results, count, output, job->arena, job->report);
    }
    if (picture->title == NULL)
        picture->title = nfiles > 1 ? NULL : title != NULL ? title : results[0].name;
    linnet_status shaded = ln_plot_shades(job, picture, results, job->files, count);
    linnet_status drawn = shaded != LINNET_OK ? shaded
                                              : ln_picture_draw(picture, results, count, output,
                                                                job->arena, job->report);
    return status != LINNET_OK ? status : drawn;
}

static linnet_status draw(const ln_job *job) {
    ln_picture picture;
    int nfiles;
    LN_TRY(read_options(job, &picture));
    LN_TRY(read_operands(job, &picture, &nfiles));
    const char *output =
        job->output != NULL ? job->output : ln_job_file_after(job, job->files[0], ".svg");
    if (output == NULL)
        return ln_no_memory(job->report);
    LN_TRY(ln_plot_check(output, job->report));
    fit_terminal(&picture, output);
    return draw_files(job, &picture, nfiles, output);
}

static linnet_status plot_command(const ln_command *command, int argc, char **argv) {
    ln_job job;
    linnet_status status;
    if (ln_job_read(&job, command, argc, argv, LN_JOB_SOME, &status)) {
        status = draw(&job);
        ln_report_close(job.report);
        if (status != LINNET_OK || !job.quiet)
            ln_terminal_outcome(status);
    }
    ln_job_free(&job);
    return status;
}
