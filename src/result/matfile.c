/* SPDX-License-Identifier: MIT */
/* The only file that includes matio. Texts are cell arrays, as MATLAB's and Octave's cellstr() make
 * them. */
#include "result/matfile.h"

#include "base/sys.h"
#include "base/text.h"
#include <errno.h>
#include <matio.h>
#include <string.h>

static matvar_t *text_cell(const char *text) {
    size_t size[2] = {text[0] == '\0' ? 0 : 1, strlen(text)};
    return Mat_VarCreate(NULL, MAT_C_CHAR, MAT_T_UTF8, 2, size, (void *)(uintptr_t)text, 0);
}

static matvar_t *texts(const ln_mat_item *item) {
    size_t size[2] = {(size_t)item->rows, 1};
    matvar_t *list = Mat_VarCreate(item->name, MAT_C_CELL, MAT_T_CELL, 2, size, NULL, 0);
    for (int k = 0; list != NULL && k < item->rows; k++) {
        matvar_t *cell = text_cell(item->texts[k]);
        if (cell == NULL) {
            Mat_VarFree(list);
            return NULL;
        }
        (void)Mat_VarSetCell(list, k, cell);
    }
    return list;
}

static int write_item(mat_t *file, const ln_mat_item *item) {
    size_t size[2] = {(size_t)item->rows, (size_t)item->cols};
    matvar_t *variable = item->values == NULL
                             ? texts(item)
                             : Mat_VarCreate(item->name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size,
                                             (void *)(uintptr_t)item->values, MAT_F_DONT_COPY_DATA);
    int good = variable != NULL && Mat_VarWrite(file, variable, MAT_COMPRESSION_NONE) == 0;
    Mat_VarFree(variable);
    return good;
}

linnet_status ln_matfile_write(const char *path, const ln_mat_item *items, int count,
                               ln_report *report) {
    ln_text part = {0};
    ln_text_printf(&part, "%s.part", path);
    if (part.failed)
        return ln_no_memory(report);
    errno = 0;
    mat_t *file = Mat_CreateVer(part.data, "MATLAB 5.0 MAT-file, written by linnet", MAT_FT_MAT5);
    int good = file != NULL;
    for (int k = 0; good && k < count; k++)
        good = write_item(file, &items[k]);
    if (file != NULL)
        good = Mat_Close(file) == 0 && good;
    good = good && ln_sys->rename(part.data, path) == 0;
    linnet_status status = LINNET_OK;
    if (!good) {
        status = ln_fail(report, LINNET_IO, LN_NOWHERE, "cannot write %s%s%s", path,
                         errno != 0 ? ": " : "", errno != 0 ? strerror(errno) : "");
        if (file != NULL)
            (void)ln_sys->remove(part.data);
    }
    ln_text_free(&part);
    return status;
}
