/* SPDX-License-Identifier: MIT */
/* Results in MATLAB files, laid out as Dymola and OpenModelica write theirs ("Atrajectory",
 * "binTrans"): columns of texts with the names, what they are and where their values stand, and a
 * matrix with a column for each time. Tools that read those read these.
 *
 * The matrix needs the number of rows at its head and matio writes matrices whole, so rows are
 * gathered in memory until the end. */
#include "result/trajectory.h"

#include "base/sys.h"
#include "base/text.h"
#include "result/matfile.h"
#include "result/formats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of a signal, in "dataInfo": the matrix, the row in it, how to read between times, and outside. */
enum { INFO = 4, TIMES = 2, LINEAR = 0, HELD = -1, UNDEFINED = -1 };

typedef struct trajectory_sink {
    ln_sink sink;
    ln_report *report;
    const ln_column *columns;
    int ncolumns;
    const char *first, *origin;
    ln_matfile_held held;
    ln_sink *memory;
    ln_table_rows rows;
} trajectory_sink;

static linnet_status open_rows(ln_sink *sink, const ln_column *columns, int ncolumns) {
    trajectory_sink *file = (trajectory_sink *)sink;
    file->columns = columns;
    file->ncolumns = ncolumns;
    return file->memory->open(file->memory, columns, ncolumns);
}

static linnet_status add_row(ln_sink *sink, double time, const double *values) {
    trajectory_sink *file = (trajectory_sink *)sink;
    return file->memory->row(file->memory, time, values);
}

/* What a column is, as a description: "voltage" is not known, its unit is: "[V]", "[V] held". */
static const char *describe(ln_arena *arena, const ln_column *column) {
    const char *unit = column->unit != NULL ? column->unit : "";
    return ln_arena_printf(arena, "%s%s%s%s", *unit != '\0' ? "[" : "", unit,
                           *unit != '\0' ? "]" : "", column->held ? " held" : "");
}

static linnet_status write_file(trajectory_sink *file, ln_arena *arena) {
    static const char *const kind[] = {"Atrajectory", "1.1", "", "binTrans"};
    const int n = file->ncolumns + 1;
    const char **names = LN_NEW(arena, const char *, n), **docs = LN_NEW(arena, const char *, n);
    double *info = LN_NEW(arena, double, INFO *(size_t)n), *ends = LN_NEW(arena, double, 4);
    if (names == NULL || docs == NULL || info == NULL || ends == NULL)
        return ln_no_memory(file->report);
    for (int k = 0; k < n; k++) {
        const ln_column *column = k > 0 ? &file->columns[k - 1] : NULL;
        names[k] = k > 0 ? column->name : file->first;
        docs[k] = k > 0 ? describe(arena, column) : "Time in [s]";
        if (docs[k] == NULL)
            return ln_no_memory(file->report);
        info[INFO * k] = k > 0 ? TIMES : 0; /* the abscissa belongs to all matrices */
        info[INFO * k + 1] = k + 1;
        info[INFO * k + 2] = k > 0 && column->held ? HELD : LINEAR;
        info[INFO * k + 3] = UNDEFINED;
    }
    /* constants, of which there are none, at the first and the last time */
    ends[0] = file->rows.nrows > 0 ? file->rows.data[0] : 0;
    ends[1] = file->rows.nrows > 0 ? file->rows.data[(file->rows.nrows - 1) * (size_t)n] : 0;
    const ln_mat_item items[] = {
        {.name = "Aclass", .rows = 4, .kind = LN_MAT_LINES, .texts = kind},
        {.name = "name", .rows = n, .kind = LN_MAT_COLUMNS, .texts = names},
        {.name = "description", .rows = n, .kind = LN_MAT_COLUMNS, .texts = docs},
        {.name = "dataInfo", .rows = INFO, .cols = n, .kind = LN_MAT_INTEGERS, .values = info},
        {.name = "data_1", .rows = 1, .cols = 2, .values = ends},
        {.name = "data_2", .rows = n, .cols = (int)file->rows.nrows, .values = file->rows.data},
        /* behind all that readers look for */
        {.name = "origin", .rows = 1, .kind = LN_MAT_LINES, .texts = &file->origin}};
    const int count = (int)(sizeof items / sizeof *items) - (file->origin == NULL);
    return ln_matfile_write_old(&file->held, items, count, file->report);
}

static linnet_status close_file(ln_sink *sink, int complete) {
    trajectory_sink *file = (trajectory_sink *)sink;
    linnet_status status = file->memory->close(file->memory, complete);
    ln_arena *arena = ln_arena_new();
    if (status == LINNET_OK && (complete || file->rows.nrows > 0))
        status = arena != NULL ? write_file(file, arena) : ln_no_memory(file->report);
    ln_arena_free(arena);
    ln_sys->release(file->rows.data);
    ln_matfile_drop(&file->held);
    ln_sys->release(file);
    return status;
}

static ln_sink *open_trajectory(const char *path, const ln_result_head *head, ln_report *report) {
    trajectory_sink *file = ln_sys->allocate(sizeof *file);
    if (file == NULL) {
        (void)ln_no_memory(report);
        return NULL;
    }
    *file = (trajectory_sink){.sink = {.open = open_rows, .row = add_row, .close = close_file},
                              .report = report,
                              .first = head->first.name,
                              .origin = head->origin};
    /* 2 GB, as much as a matrix of this format holds */
    file->rows = (ln_table_rows){
        .most = 2147483647.0 / sizeof(double),
        .instead = "more than a MATLAB file holds, which is written from memory at the end; take "
                   "fewer (--points), or a .csv, .raw or .h5 file"};
    const linnet_status status = ln_matfile_hold(path, &file->held, report);
    file->memory = status == LINNET_OK ? ln_sink_memory(&file->rows, report) : NULL;
    if (file->memory != NULL)
        return &file->sink;
    ln_matfile_drop(&file->held);
    ln_sys->release(file);
    return NULL;
}

/* The unit at the end of a column's description, "voltage [V]"; "" without one, NULL when memory is
 * short. */
static const char *unit_of(ln_arena *arena, const char *description) {
    const char *open = strrchr(description, '['), *close = open != NULL ? strchr(open, ']') : NULL;
    if (close == NULL)
        return ln_arena_string(arena, "");
    return ln_arena_text(arena, open + 1, (size_t)(close - open - 1));
}

/* ---- reading ---- */

/* The times of the file's n signals, where all stand in the matrix of times. */
static linnet_status arrange(const ln_mat_trajectory *file, const char *path, ln_arena *arena,
                             ln_report *report, ln_result_table *table) {
    const int n = file->nnames;
    const char **names = LN_NEW(arena, const char *, n), **units = LN_NEW(arena, const char *, n);
    char *held = LN_NEW(arena, char, n);
    double *data = ln_arena_alloc(arena, file->ntimes, (size_t)n * sizeof *data);
    if (names == NULL || units == NULL || held == NULL || data == NULL)
        return ln_no_memory(report);
    for (int k = 0; k < n; k++) {
        const double *info = file->info + INFO * k;
        const int matrix = (int)info[0], row = (int)fabs(info[1]) - 1;
        const int constant = matrix == 1;
        if (row < 0 || row >= (constant ? file->nconstants : file->nrows))
            return ln_fail(report, LINNET_IO, LN_NOWHERE,
                           "'%s' is damaged: signal %d has no values", path, k + 1);
        names[k] = file->names[k];
        units[k] = unit_of(arena, file->descriptions[k]);
        held[k] = constant || info[2] == HELD;
        if (units[k] == NULL)
            return ln_no_memory(report);
        for (size_t i = 0; i < file->ntimes; i++)
            data[i * (size_t)n + (size_t)k] =
                (info[1] < 0 ? -1 : 1) *
                (constant ? file->constants[row]
                          : file->values[i * (size_t)file->nrows + (size_t)row]);
    }
    *table = (ln_result_table){n, names, units, held, data, file->ntimes};
    return LINNET_OK;
}

linnet_status ln_trajectory_read(const char *path, ln_arena *arena, ln_report *report,
                                 ln_result_table *table) {
    ln_mat_trajectory file;
    LN_TRY(ln_matfile_read_trajectory(path, arena, report, &file));
    return arrange(&file, path, arena, report, table);
}

const ln_result_format ln_format_trajectory = {
    .name = "MATLAB file",
    .suffix = ".mat",
    .doc = "MATLAB file, as Dymola and OpenModelica write trajectories",
    .open = open_trajectory,
};
