/* SPDX-License-Identifier: MIT */
/* The CSV sink: names, then a line for each row. */
#include "result/document.h"
#include "result/file.h"
#include "result/sink.h"

#include "base/sys.h"
#include "base/text.h"
#include "result/formats.h"

#include <string.h>

typedef struct csv_sink {
    ln_sink sink;
    const char *first; /* the name of the first column */
    int ncolumns;
    int goes_on; /* the names and some rows are there already */
    ln_file file;
} csv_sink;

static void put_name(ln_file *file, const char *name) {
    ln_text text = {0};
    ln_csv_text(&text, name);
    for (size_t k = 0; k < text.length; k++)
        ln_file_byte(file, text.data[k]);
    if (text.failed && file->status == LINNET_OK)
        file->status = ln_no_memory(file->report);
    ln_text_free(&text);
}

static linnet_status csv_open(ln_sink *sink, const ln_column *columns, int ncolumns) {
    csv_sink *csv = (csv_sink *)sink;
    csv->ncolumns = ncolumns;
    if (csv->goes_on)
        return csv->file.status;
    put_name(&csv->file, csv->first);
    for (int k = 0; k < ncolumns; k++) {
        ln_file_byte(&csv->file, ',');
        put_name(&csv->file, columns[k].name);
    }
    ln_file_byte(&csv->file, '\n');
    return csv->file.status;
}

static linnet_status csv_row(ln_sink *sink, double time, const double *values) {
    csv_sink *csv = (csv_sink *)sink;
    ln_file *file = &csv->file;
    if (file->status != LINNET_OK)
        return file->status;
    file->has_rows = 1;
    ln_file_number(file, time);
    for (int k = 0; k < csv->ncolumns; k++) {
        ln_file_byte(file, ',');
        ln_file_number(file, values[k]);
    }
    ln_file_byte(file, '\n');
    return file->status;
}

static linnet_status csv_mark(ln_sink *sink, long long *length, unsigned long *sum) {
    return ln_file_mark(&((csv_sink *)sink)->file, length, sum);
}

static linnet_status csv_close(ln_sink *sink, int complete) {
    linnet_status status = ln_file_close(&((csv_sink *)sink)->file, complete);
    ln_sys->release(sink);
    return status;
}

/* A sink without its file; NULL, reported, when memory is short. */
static csv_sink *new_sink(const char *first, ln_report *report) {
    csv_sink *csv = ln_sys->allocate(sizeof *csv);
    if (csv == NULL) {
        ln_no_memory(report);
        return NULL;
    }
    csv->sink = (ln_sink){.open = csv_open, .row = csv_row, .mark = csv_mark, .close = csv_close};
    csv->first = first;
    csv->ncolumns = csv->goes_on = 0;
    return csv;
}

static ln_sink *opened(csv_sink *csv, int is_open) {
    if (is_open)
        return &csv->sink;
    ln_sys->release(csv);
    return NULL;
}

ln_sink *ln_sink_csv_by(const char *path, const ln_result_head *head, ln_report *report) {
    csv_sink *csv = new_sink(head->first.name, report);
    return csv != NULL ? opened(csv, ln_file_open(&csv->file, path, report)) : NULL;
}

ln_sink *ln_sink_csv(const char *path, ln_report *report) {
    return ln_sink_csv_by(path, &(ln_result_head){.first = {"time", "s"}}, report);
}

ln_sink *ln_sink_csv_resume(const char *path, long long length, unsigned long sum,
                            ln_report *report) {
    csv_sink *csv = new_sink("", report);
    if (csv == NULL)
        return NULL;
    csv->goes_on = 1;
    return opened(csv, ln_file_resume(&csv->file, path, length, sum, report));
}

const ln_result_format ln_format_csv = {
    .name = "CSV",
    .doc = "CSV: names in the first line, then a row for each time",
    .open = ln_sink_csv_by,
    .resume = ln_sink_csv_resume,
};
