/* SPDX-License-Identifier: MIT */
/* Results read back: see read.h. */
#include "result/read.h"

#include "base/csv.h"
#include "base/visible.h"
#include "result/hdf5.h"
#include "result/trajectory.h"

#include <math.h>
#include <string.h>

static linnet_status read_format(const char *path, ln_arena *arena, ln_report *report,
                                 ln_result_table *table) {
    const size_t length = strlen(path);
    *table = (ln_result_table){.ncolumns = 0};
    if (length > 4 && strcmp(path + length - 4, ".mat") == 0)
        return ln_trajectory_read(path, arena, report, table);
    if (length > 3 && strcmp(path + length - 3, ".h5") == 0)
        return ln_hdf5_read(path, arena, report, table);
    ln_csv csv;
    LN_TRY(ln_csv_read_columns(path, LN_FROM_USER, arena, report, &csv));
    table->ncolumns = csv.ncolumns;
    table->names = csv.names;
    table->data = csv.data;
    table->nrows = csv.nrows;
    return LINNET_OK;
}

linnet_status ln_result_read(const char *path, ln_arena *arena, ln_report *report,
                             ln_result_table *table) {
    LN_TRY(read_format(path, arena, report, table));
    for (int k = 0; k < table->ncolumns; k++) {
        table->names[k] = ln_visible_in(arena, table->names[k]);
        if (table->units != NULL && table->units[k] != NULL)
            table->units[k] = ln_visible_in(arena, table->units[k]);
    }
    return ln_arena_failed(arena) ? ln_no_memory(report) : LINNET_OK;
}

/* The first row whose time is above t, or not below it. */
static size_t first_row(const ln_result_table *table, double t, int above) {
    size_t low = 0, high = table->nrows;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const double at = table->data[middle * (size_t)table->ncolumns];
        if (above ? at <= t : at < t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double ln_result_at(const ln_result_table *table, int column, double t, int side) {
    const size_t width = (size_t)table->ncolumns;
    const double *data = table->data;
    const size_t from = first_row(table, t, 0), above = first_row(table, t, 1);
    if (from < above) /* rows of this very time */
        return data[(side < 0 ? from : above - 1) * width + (size_t)column];
    if (from == 0 || from == table->nrows)
        return NAN;
    const double *a = data + (from - 1) * width, *b = data + from * width;
    if (table->held != NULL && table->held[column])
        return a[column];
    return a[column] + (t - a[0]) / (b[0] - a[0]) * (b[column] - a[column]);
}

size_t ln_result_row_at(const ln_result_table *table, double t) {
    return first_row(table, t, 0);
}
