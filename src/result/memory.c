/* SPDX-License-Identifier: MIT */
/* The sink that keeps its rows: time and values of one instant behind those of the one before. */
#include "result/sink.h"

#include "base/arena.h"
#include "base/sys.h"

#include <stdint.h>
#include <string.h>

typedef struct memory_sink {
    ln_sink sink;
    ln_report *report;
    ln_table_rows *rows;
} memory_sink;

static linnet_status memory_open(ln_sink *sink, const ln_column *columns, int ncolumns) {
    (void)columns;
    ((memory_sink *)sink)->rows->ncolumns = ncolumns;
    return LINNET_OK;
}

static linnet_status memory_row(ln_sink *sink, double time, const double *values) {
    const memory_sink *memory = (memory_sink *)sink;
    ln_table_rows *rows = memory->rows;
    size_t width = (size_t)rows->ncolumns + 1;
    if (rows->most > 0 && (double)(rows->nrows + 1) * (double)width > rows->most)
        return ln_fail(memory->report, LINNET_USAGE, LN_NOWHERE,
                       "more than %zu rows of %zu values by t = %.6g s: %s", rows->nrows, width,
                       time, rows->instead);
    if (rows->nrows == rows->room) {
        size_t room = rows->room > 0 ? rows->room + rows->room / 2 + 1 : 64;
        double *data = room <= SIZE_MAX / sizeof *data / width
                           ? ln_sys->resize(rows->data, room * width * sizeof *data)
                           : NULL;
        if (data == NULL)
            return ln_no_memory(memory->report);
        rows->data = data;
        rows->room = room;
    }
    double *row = rows->data + rows->nrows * width;
    row[0] = time;
    if (width > 1)
        memcpy(row + 1, values, (width - 1) * sizeof *row);
    rows->nrows++;
    return LINNET_OK;
}

static linnet_status memory_close(ln_sink *sink, int complete) {
    (void)complete;
    ln_sys->release(sink);
    return LINNET_OK;
}

ln_sink *ln_sink_memory(ln_table_rows *rows, ln_report *report) {
    memory_sink *memory = ln_sys->allocate(sizeof *memory);
    if (memory == NULL) {
        ln_no_memory(report);
        return NULL;
    }
    *memory = (memory_sink){
        {.open = memory_open, .row = memory_row, .close = memory_close}, report, rows};
    return &memory->sink;
}
