/* SPDX-License-Identifier: MIT */
/* The sink that writes a SPICE rawfile (ngspice manual, "Rawfile format"): a header in text, which counts the points, so
 * rows are kept until the end, then numbers, binary (doubles of this machine) or as text. Columns bear the names that
 * SPICE tools know: a voltage x is v(x), a current R1.i is i(R1); others keep theirs. */
#include "result/sink.h"

#include "base/sys.h"
#include "base/text.h"
#include "result/document.h"

#include <string.h>

typedef struct raw_sink {
    ln_sink sink;
    ln_report *report;
    const char *path, *title;
    int ascii, ncolumns;
    const ln_column *columns;
    ln_text numbers;
    size_t nrows;
} raw_sink;

static linnet_status raw_open(ln_sink *sink, const ln_column *columns, int ncolumns) {
    raw_sink *raw = (raw_sink *)sink;
    raw->columns = columns;
    raw->ncolumns = ncolumns;
    return LINNET_OK;
}

static void put(raw_sink *raw, int k, double value) {
    char digits[32];
    if (!raw->ascii) {
        ln_text_add_bytes(&raw->numbers, (const char *)&value, sizeof value);
        return;
    }
    ln_number_format(digits, value);
    if (k == 0) ln_text_printf(&raw->numbers, "%zu", raw->nrows);
    ln_text_printf(&raw->numbers, "\t%s\n", digits);
}

static linnet_status raw_row(ln_sink *sink, double time, const double *values) {
    raw_sink *raw = (raw_sink *)sink;
    put(raw, 0, time);
    for (int k = 0; k < raw->ncolumns; k++) put(raw, k + 1, values[k]);
    raw->nrows++;
    return raw->numbers.failed ? ln_no_memory(raw->report) : LINNET_OK;
}

static void variable(ln_text *out, int index, const ln_column *column) {
    const size_t length = strlen(column->name);
    const int voltage = strcmp(column->unit, "V") == 0, current = strcmp(column->unit, "A") == 0;
    const int flux = current && length > 2 && strcmp(column->name + length - 2, ".i") == 0;
    ln_text_printf(out, "\t%d\t", index);
    if (strchr(column->name, '(') != NULL || (!voltage && !flux)) ln_text_add(out, column->name);
    else ln_text_printf(out, "%c(%.*s)", voltage ? 'v' : 'i', (int)(flux ? length - 2 : length), column->name);
    ln_text_printf(out, "\t%s\n", voltage ? "voltage" : current ? "current" : "notype");
}

static linnet_status raw_close(ln_sink *sink, int complete) {
    raw_sink *raw = (raw_sink *)sink;
    ln_text out = {0};
    linnet_status status = LINNET_OK;
    if (complete || raw->nrows > 0) {
        ln_text_printf(&out, "Title: %s\nDate: \nPlotname: Transient Analysis\nFlags: real\nNo. Variables: %d\nNo. Points: %zu\nVariables:\n",
                       raw->title, raw->ncolumns + 1, raw->nrows);
        ln_text_add(&out, "\t0\ttime\ttime\n");
        for (int k = 0; k < raw->ncolumns; k++) variable(&out, k + 1, &raw->columns[k]);
        ln_text_add(&out, raw->ascii ? "Values:\n" : "Binary:\n");
        if (raw->numbers.length > 0) ln_text_add_bytes(&out, raw->numbers.data, raw->numbers.length);
        out.failed |= raw->numbers.failed;
        status = ln_document_write(raw->path, &out, raw->report);
    }
    ln_text_free(&out);
    ln_text_free(&raw->numbers);
    ln_sys->release(raw);
    return status;
}

ln_sink *ln_sink_raw(const char *path, const char *title, int ascii, ln_report *report) {
    raw_sink *raw = ln_sys->allocate(sizeof *raw);
    if (raw == NULL) {
        (void)ln_no_memory(report);
        return NULL;
    }
    *raw = (raw_sink){.sink = {raw_open, raw_row, raw_close}, .report = report, .path = path, .title = title, .ascii = ascii};
    return &raw->sink;
}
