/* SPDX-License-Identifier: MIT */
/* From a file to a trajectory: see plot_input.h. */
#include "cli/plot_input.h"

#include "base/csv.h"
#include "base/sys.h"
#include "result/read.h"
#include "result/sink.h"
#include "reading/open.h"
#include <errno.h>
#include <string.h>

typedef enum input_kind { RESULT, SWEEP_TABLE, MODEL } input_kind;

/* A model begins with '<', behind blanks and a byte order mark at most; a deck has its suffix; the
 * table of a sweep begins with the number of the case. */
static linnet_status kind_of(const ln_job *job, const char *path, input_kind *kind) {
    char head[512];
    *kind = MODEL;
    if (ln_input_is_stream(path))
        return LINNET_OK; /* what is read here would be missing there */
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
    const int table = (size_t)got - at >= 5 && memcmp(head + at, "case,", 5) == 0;
    const int model = ln_deck_suffix(path) || (at < (size_t)got && head[at] == '<');
    *kind = model ? MODEL : table ? SWEEP_TABLE : RESULT;
    return LINNET_OK;
}

/* ---- a result ---- */

static linnet_status read_result(const ln_job *job, const char *path, input_kind kind,
                                 ln_trajectory *trajectory) {
    ln_result_table table = {.ncolumns = 0};
    ln_csv csv;
    if (kind == SWEEP_TABLE) {
        LN_TRY(ln_csv_read_table(path, LN_FROM_USER, job->arena, job->report, &csv));
        table = (ln_result_table){
            .ncolumns = csv.ncolumns, .names = csv.names, .data = csv.data, .nrows = csv.nrows};
    } else {
        LN_TRY(ln_result_read(path, job->arena, job->report, &table));
    }
    if (table.ncolumns < 2)
        return ln_fail(job->report, LINNET_MODEL, (ln_place){path, 0, 0},
                       "the result has no column but '%.60s', nothing to draw against it",
                       table.names[0]);
    trajectory->ncolumns = table.ncolumns;
    trajectory->names = table.names;
    trajectory->units = table.units;
    trajectory->held = table.held;
    trajectory->data = table.data;
    trajectory->nrows = table.nrows;
    return LINNET_OK;
}

/* ---- a model ---- */

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

/* The recorder's columns and the rows, copied: both end with the simulation. */
static linnet_status keep_rows(const ln_job *job, const ln_simulation *simulation,
                               const ln_table_rows *rows, ln_trajectory *trajectory) {
    int count;
    ln_arena *arena = job->arena;
    const ln_column *columns = ln_recorder_columns(simulation->recorder, &count);
    const size_t width = (size_t)count + 1;
    const char **names = LN_NEW(arena, const char *, width),
               **units = LN_NEW(arena, const char *, width);
    char *held = LN_NEW(arena, char, width);
    double *data = LN_NEW(arena, double, rows->nrows *width);
    if (names == NULL || units == NULL || held == NULL || data == NULL)
        return ln_no_memory(job->report);
    names[0] = "time";
    units[0] = "s";
    held[0] = 0;
    for (int k = 0; k < count; k++) {
        names[k + 1] = ln_arena_string(arena, columns[k].name);
        units[k + 1] = ln_arena_string(arena, columns[k].unit);
        held[k + 1] = (char)columns[k].held;
        if (names[k + 1] == NULL || units[k + 1] == NULL)
            return ln_no_memory(job->report);
    }
    memcpy(data, rows->data, rows->nrows * width * sizeof *data);
    trajectory->ncolumns = count + 1;
    trajectory->names = names;
    trajectory->units = units;
    trajectory->held = held;
    trajectory->data = data;
    trajectory->nrows = rows->nrows;
    return LINNET_OK;
}

linnet_status ln_plot_check_rows(const ln_job *job, const ln_simulation *simulation) {
    const ln_settings *settings = &simulation->settings;
    const int fixed = !(settings->tolerance > 0);
    const double apart = settings->interval > 0 ? settings->interval : fixed ? settings->step : 0;
    int count;
    (void)ln_recorder_columns(simulation->recorder, &count);
    const double rows = apart > 0 ? (settings->end - settings->begin) / apart : 0;
    if (rows * (count + 1) <= LN_PICTURE_VALUES)
        return LINNET_OK;
    return ln_usage(job->command,
                    "that makes %.3g rows of %d values, more than a picture is made of (%.0e "
                    "values); take fewer points, or run the model into a file",
                    rows, count + 1, LN_PICTURE_VALUES);
}

static linnet_status run_and_keep(const ln_job *job, ln_simulation *simulation,
                                  ln_trajectory *trajectory) {
    ln_table_rows rows = {.most = LN_PICTURE_VALUES,
                          .instead = "more than a picture is made of; take fewer points, or run "
                                     "the model into a file"};
    ln_progress_line progress;
    ln_sink *sink = ln_sink_memory(&rows, job->report);
    if (sink == NULL)
        return LINNET_MEMORY;
    ln_progress_begin(&progress, simulation->settings.begin, simulation->settings.end,
                      &simulation->statistics.t, job->progress);
    linnet_status status = ln_simulation_run(simulation, sink, ln_progress_poll, &progress);
    ln_progress_end(&progress);
    int worth = status == LINNET_OK || status == LINNET_INTERRUPTED || status == LINNET_FAILED;
    linnet_status kept =
        worth && rows.nrows > 1 ? keep_rows(job, simulation, &rows, trajectory) : LINNET_OK;
    ln_sys->release(rows.data);
    return status != LINNET_OK ? status : kept;
}

static linnet_status run_model(const ln_job *job, const ln_picture *picture, const char *path,
                               const char **title, ln_trajectory *trajectory) {
    ln_model *model = NULL;
    ln_simulation simulation = {.method_why = ""};
    ln_picture wanted = *picture;
    LN_TRY(ln_job_model(job, path, &model));
    ln_interrupt_catch();
    linnet_status status = LINNET_OK;
    if (*title == NULL && model->name[0] != '\0') {
        *title = ln_arena_string(job->arena, model->name);
        status = *title != NULL ? LINNET_OK : ln_no_memory(job->report);
    }
    if (status == LINNET_OK)
        status = ln_simulation_prepare(&simulation, model, &job->request, 1,
                                       &(ln_record_choice){record, &wanted}, job->report);
    if (status == LINNET_OK)
        status = ln_plot_check_rows(job, &simulation);
    if (status == LINNET_OK)
        status = run_and_keep(job, &simulation, trajectory);
    ln_simulation_free(&simulation);
    ln_model_free(model);
    return status;
}

linnet_status ln_plot_input(const ln_job *job, const ln_picture *picture, const char *path,
                            const char **title, ln_trajectory *trajectory) {
    input_kind kind;
    *trajectory = (ln_trajectory){.name = ln_job_file_after(job, path, "")};
    if (trajectory->name == NULL)
        return ln_no_memory(job->report);
    LN_TRY(kind_of(job, path, &kind));
    return kind == MODEL ? run_model(job, picture, path, title, trajectory)
                         : read_result(job, path, kind, trajectory);
}
