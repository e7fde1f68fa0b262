/* SPDX-License-Identifier: MIT */
/* The only file that includes matio. Texts are cell arrays, as MATLAB's and Octave's cellstr() make
 * them. */
#include "result/matfile.h"

#include "base/library.h"
#include "base/part.h"
#include "base/sys.h"
#include "base/text.h"
#include <errno.h>
#include <limits.h>
#include <matio.h>
#include <stdint.h>
#include <string.h>

/* clang-format off */
#define FUNCTIONS(X) \
    X(Mat_Close) X(Mat_CreateVer) X(Mat_LogInitFunc) X(Mat_Open) X(Mat_VarCreate) X(Mat_VarFree) \
    X(Mat_VarRead) X(Mat_VarSetCell) X(Mat_VarWrite)
/* clang-format on */

static struct { FUNCTIONS(LN_LIBRARY_MEMBER) } matio;
static const char *const function_names[] = {FUNCTIONS(LN_LIBRARY_NAME) NULL};
static ln_library library = {.file = LINNET_SONAME_MATIO,
                             .package = "libmatio11",
                             .what = "MATLAB files",
                             .names = function_names,
                             .members = &matio};

static matvar_t *text_cell(const char *text) {
    size_t size[2] = {text[0] == '\0' ? 0 : 1, strlen(text)};
    return matio.Mat_VarCreate(NULL, MAT_C_CHAR, MAT_T_UTF8, 2, size, (void *)(uintptr_t)text, 0);
}

static matvar_t *texts(const ln_mat_item *item) {
    size_t size[2] = {(size_t)item->rows, 1};
    matvar_t *list = matio.Mat_VarCreate(item->name, MAT_C_CELL, MAT_T_CELL, 2, size, NULL, 0);
    for (int k = 0; list != NULL && k < item->rows; k++) {
        matvar_t *cell = text_cell(item->texts[k]);
        if (cell == NULL) {
            matio.Mat_VarFree(list);
            return NULL;
        }
        (void)matio.Mat_VarSetCell(list, k, cell);
    }
    return list;
}

/* Texts as rows or columns of a matrix of characters. */
static matvar_t *characters(const ln_mat_item *item) {
    const int in_columns = item->kind == LN_MAT_COLUMNS;
    size_t longest = 1, count = (size_t)item->rows;
    for (size_t k = 0; k < count; k++)
        longest = strlen(item->texts[k]) > longest ? strlen(item->texts[k]) : longest;
    char *data = ln_sys->allocate(longest * count);
    if (data == NULL)
        return NULL;
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0, length = strlen(item->texts[k]); i < longest; i++)
            data[in_columns ? k * longest + i : i * count + k] =
                i < length ? item->texts[k][i] : ' ';
    size_t size[2] = {in_columns ? longest : count, in_columns ? count : longest};
    matvar_t *variable = matio.Mat_VarCreate(item->name, MAT_C_CHAR, MAT_T_UINT8, 2, size, data, 0);
    ln_sys->release(data);
    return variable;
}

static matvar_t *integers(const ln_mat_item *item) {
    size_t size[2] = {(size_t)item->rows, (size_t)item->cols}, count = size[0] * size[1];
    int32_t *data = ln_sys->allocate(count * sizeof *data);
    if (data == NULL)
        return NULL;
    for (size_t k = 0; k < count; k++)
        data[k] = (int32_t)item->values[k];
    matvar_t *variable =
        matio.Mat_VarCreate(item->name, MAT_C_INT32, MAT_T_INT32, 2, size, data, 0);
    ln_sys->release(data);
    return variable;
}

static matvar_t *variable_of(const ln_mat_item *item) {
    size_t size[2] = {(size_t)item->rows, (size_t)item->cols};
    if (item->kind == LN_MAT_INTEGERS)
        return integers(item);
    if (item->kind != LN_MAT_PLAIN)
        return characters(item);
    if (item->values == NULL)
        return texts(item);
    return matio.Mat_VarCreate(item->name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size,
                               (void *)(uintptr_t)item->values, MAT_F_DONT_COPY_DATA);
}

static int write_item(mat_t *file, const ln_mat_item *item) {
    matvar_t *variable = variable_of(item);
    int good = variable != NULL && matio.Mat_VarWrite(file, variable, MAT_COMPRESSION_NONE) == 0;
    matio.Mat_VarFree(variable);
    return good;
}

/* The matrices, in the place of what the file held. */
static int write_items(const char *path, enum mat_ft version, const ln_mat_item *items, int count) {
    mat_t *file = matio.Mat_CreateVer(path, "MATLAB 5.0 MAT-file, written by linnet", version);
    int good = file != NULL;
    for (int k = 0; good && k < count; k++)
        good = write_item(file, &items[k]);
    if (file != NULL)
        good = matio.Mat_Close(file) == 0 && good;
    return good;
}

static linnet_status refused(const char *path, ln_report *report) {
    return ln_fail(report, LINNET_IO, LN_NOWHERE, "cannot write '%s'%s%s", path,
                   errno != 0 ? ": " : "", errno != 0 ? ln_part_why(errno) : "");
}

linnet_status ln_matfile_hold(const char *path, ln_matfile_held *held, ln_report *report) {
    *held = (ln_matfile_held){.fd = -1};
    LN_TRY(ln_library_load(&library, report));
    char *target;
    LN_TRY(ln_part_target(path, report, &target));
    ln_text_printf(&held->path, "%s", target);
    ln_text_printf(&held->part, "%s.part", target);
    ln_sys->release(target);
    if (held->path.failed || held->part.failed) {
        ln_matfile_drop(held);
        return ln_no_memory(report);
    }
    errno = 0;
    held->fd = ln_part_open(held->part.data, 0);
    if (held->fd >= 0)
        return LINNET_OK;
    linnet_status status = refused(path, report);
    ln_matfile_drop(held);
    return status;
}

void ln_matfile_drop(ln_matfile_held *held) {
    if (held->fd >= 0) {
        (void)ln_sys->remove(held->part.data);
        (void)ln_sys->close(held->fd);
    }
    ln_text_free(&held->path);
    ln_text_free(&held->part);
    held->fd = -1;
}

static linnet_status write_held(ln_matfile_held *held, enum mat_ft version,
                                const ln_mat_item *items, int count, ln_report *report) {
    errno = 0;
    linnet_status status = LINNET_OK;
    if (!write_items(held->part.data, version, items, count)) {
        status = refused(held->path.data, report);
    } else {
        const int fd = held->fd;
        held->fd = -1;
        if (ln_part_close(fd, held->part.data, held->path.data) != 0) {
            status = refused(held->path.data, report);
            (void)ln_sys->remove(held->part.data);
        }
    }
    ln_matfile_drop(held);
    return status;
}

linnet_status ln_matfile_write(const char *path, const ln_mat_item *items, int count,
                               ln_report *report) {
    ln_matfile_held held;
    LN_TRY(ln_matfile_hold(path, &held, report));
    return write_held(&held, MAT_FT_MAT5, items, count, report);
}

linnet_status ln_matfile_write_old(ln_matfile_held *held, const ln_mat_item *items, int count,
                                   ln_report *report) {
    return write_held(held, MAT_FT_MAT4, items, count, report);
}

/* ---- reading a trajectory ---- */

/* What is wrong is told by us. */
static void silence(int level, char *message) {
    (void)level;
    (void)message;
}

typedef struct mat_reader {
    mat_t *file;
    const char *path;
    ln_arena *arena;
    ln_report *report;
    int transposed; /* "binTrans": a column for each name and time */
} mat_reader;

static linnet_status wrong(const mat_reader *reader, const char *what) {
    return ln_fail(reader->report, LINNET_IO, LN_NOWHERE,
                   "'%s' is no trajectory as Dymola and OpenModelica write it: %s", reader->path,
                   what);
}

/* Is the k-th value of a number's type? It is then *value. */
static int value_of(const matvar_t *variable, size_t k, double *value) {
    const void *data = variable->data;
    switch (variable->data_type) {
    case MAT_T_DOUBLE: *value = ((const double *)data)[k]; return 1;
    case MAT_T_SINGLE: *value = ((const float *)data)[k]; return 1;
    case MAT_T_INT32: *value = ((const int32_t *)data)[k]; return 1;
    case MAT_T_INT16: *value = ((const int16_t *)data)[k]; return 1;
    case MAT_T_UINT16: *value = ((const uint16_t *)data)[k]; return 1;
    case MAT_T_UINT8: *value = ((const unsigned char *)data)[k]; return 1;
    default: return 0;
    }
}

/* A matrix of the file, its values as numbers in the arena: rows x cols, a column after the other;
 * turned round where the file has rows for columns. */
static linnet_status read_matrix(const mat_reader *reader, const char *name, int turns, int *rows,
                                 size_t *cols, double **values) {
    matvar_t *variable = matio.Mat_VarRead(reader->file, name);
    linnet_status status = LINNET_OK;
    if (variable == NULL || variable->rank != 2 || variable->data == NULL ||
        variable->dims[0] > INT_MAX || variable->isComplex) {
        matio.Mat_VarFree(variable);
        return wrong(reader, name);
    }
    const size_t n = variable->dims[0], m = variable->dims[1];
    if (turns && n > INT_MAX)
        status = wrong(reader, name);
    *rows = (int)(turns ? m : n);
    *cols = turns ? n : m;
    *values = ln_arena_alloc(reader->arena, n, m * sizeof **values);
    if (*values == NULL)
        status = ln_no_memory(reader->report);
    for (size_t k = 0; k < n * m && status == LINNET_OK; k++)
        if (!value_of(variable, k, *values + (turns ? k / n + (k % n) * m : k)))
            status = wrong(reader, name);
    matio.Mat_VarFree(variable);
    return status;
}

/* Columns of characters as texts, without the blanks at their ends. */
static linnet_status read_texts(const mat_reader *reader, const char *name, int turns, int *count,
                                const char ***list) {
    double *values;
    int length;
    size_t number;
    LN_TRY(read_matrix(reader, name, turns, &length, &number, &values));
    if (number > INT_MAX)
        return wrong(reader, name);
    *count = (int)number;
    *list = LN_NEW(reader->arena, const char *, number + 1);
    if (*list == NULL)
        return ln_no_memory(reader->report);
    for (size_t k = 0; k < number; k++) {
        char *text = LN_NEW(reader->arena, char, (size_t)length + 1);
        if (text == NULL)
            return ln_no_memory(reader->report);
        int end = 0;
        for (int i = 0; i < length; i++) {
            const double c = values[k * (size_t)length + (size_t)i];
            text[i] = c > 0 && c < 256 ? (char)(unsigned char)c : ' ';
            if (text[i] != ' ')
                end = i + 1;
        }
        text[end] = '\0';
        (*list)[k] = text;
    }
    return LINNET_OK;
}

static linnet_status read_all(mat_reader *reader, ln_mat_trajectory *to) {
    const char **kind;
    double *info, *constants, *values;
    int count, rows;
    size_t cols, names;
    LN_TRY(read_texts(reader, "Aclass", 1, &count, &kind));
    if (count < 4 || strcmp(kind[0], "Atrajectory") != 0)
        return wrong(reader, "Aclass");
    reader->transposed = strcmp(kind[3], "binTrans") == 0;
    const int turns = !reader->transposed;
    LN_TRY(read_texts(reader, "name", turns, &to->nnames, &to->names));
    LN_TRY(read_texts(reader, "description", turns, &count, &to->descriptions));
    LN_TRY(read_matrix(reader, "dataInfo", turns, &rows, &names, &info));
    if (count != to->nnames || rows != 4 || names != (size_t)to->nnames)
        return wrong(reader, "its matrices do not fit each other");
    LN_TRY(read_matrix(reader, "data_1", turns, &to->nconstants, &cols, &constants));
    LN_TRY(read_matrix(reader, "data_2", turns, &to->nrows, &to->ntimes, &values));
    if (cols < 1)
        return wrong(reader, "data_1");
    to->info = info;
    to->constants = constants;
    to->values = values;
    return LINNET_OK;
}

linnet_status ln_matfile_read_trajectory(const char *path, ln_arena *arena, ln_report *report,
                                         ln_mat_trajectory *trajectory) {
    mat_reader reader = {.path = path, .arena = arena, .report = report};
    *trajectory = (ln_mat_trajectory){0};
    const int file = ln_sys->open_read(path);
    if (file < 0)
        return ln_fail(report, LINNET_IO, LN_NOWHERE, "cannot read '%s': %s", path,
                       strerror(errno));
    (void)ln_sys->close(file);
    LN_TRY(ln_library_load(&library, report));
    matio.Mat_LogInitFunc(NULL, silence);
    reader.file = matio.Mat_Open(path, MAT_ACC_RDONLY);
    if (reader.file == NULL)
        return wrong(&reader, "it is no MATLAB file");
    linnet_status status = read_all(&reader, trajectory);
    (void)matio.Mat_Close(reader.file);
    return status;
}
