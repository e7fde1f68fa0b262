/* SPDX-License-Identifier: MIT */
/* The sink for SPICE rawfiles (ngspice manual, "Rawfile format"). The head tells the number of
 * points, so it is written with blanks in its place, which are filled at close. */
#include "result/file.h"
#include "result/sink.h"

#include "base/sys.h"
#include "result/formats.h"

#include <stdio.h>
#include <string.h>

enum { COUNT = 20 /* digits kept free for the number of points */ };

typedef struct raw_sink {
    ln_sink sink;
    ln_result_head head;
    int ncolumns;
    long long npoints, count_at; /* where its number stands in the file */
    ln_file file;
} raw_sink;

/* SPICE's word for a unit, as ngspice's types.c lists them. */
static const char *type_of(const char *unit) {
    static const struct {
        const char *unit, *type;
    } types[] = {
        {"s", "time"},        {"V", "voltage"},     {"A", "current"},     {"Hz", "frequency"},
        {"W", "power"},       {"K", "temperature"}, {"Ohm", "impedance"}, {"S", "admittance"},
        {"F", "capacitance"}, {"C", "charge"},
    };
    for (size_t k = 0; unit != NULL && k < sizeof types / sizeof *types; k++)
        if (strcmp(types[k].unit, unit) == 0)
            return types[k].type;
    return "notype";
}

static void put_line(ln_file *file, const char *what, const char *value) {
    ln_file_text(file, what);
    for (; *value != '\0'; value++)
        ln_file_byte(file, *value == '\n' || *value == '\r' ? ' ' : *value);
    ln_file_byte(file, '\n');
}

/* "\t1\tv(out)\tvoltage\n", as SPICE calls potentials and currents; blanks separate, so a name has
 * none. */
static void put_variable(ln_file *file, int index, const ln_column *column) {
    char number[16];
    const char *name = column->name, *type = type_of(column->unit);
    size_t length = strlen(name);
    int is_plain = strchr(name, '(') == NULL, is_voltage = is_plain && strcmp(type, "voltage") == 0;
    int is_current = is_plain && strcmp(type, "current") == 0 && length > 2 &&
                     strcmp(name + length - 2, ".i") == 0;
    if (is_current)
        length -= 2;
    snprintf(number, sizeof number, "\t%d\t", index);
    ln_file_text(file, number);
    if (is_voltage || is_current)
        ln_file_text(file, is_voltage ? "v(" : "i(");
    for (size_t k = 0; k < length; k++)
        ln_file_byte(file, strchr(" \t\r\n", name[k]) != NULL ? '_' : name[k]);
    ln_file_text(file, is_voltage || is_current ? ")\t" : "\t");
    put_line(file, "", type);
}

static linnet_status raw_open(ln_sink *sink, const ln_column *columns, int ncolumns) {
    raw_sink *raw = (raw_sink *)sink;
    ln_file *file = &raw->file;
    char number[16];
    raw->ncolumns = ncolumns;
    put_line(file, "Title: ", raw->head.title != NULL ? raw->head.title : "");
    if (raw->head.origin != NULL)
        put_line(file, "Command: ", raw->head.origin);
    put_line(file, "Plotname: ", raw->head.name != NULL ? raw->head.name : "Transient Analysis");
    put_line(file, "Flags: ", raw->head.is_complex ? "complex" : "real");
    const int scale = raw->head.first.name != NULL;
    snprintf(number, sizeof number, "%d", ncolumns + scale);
    put_line(file, "No. Variables: ", number);
    ln_file_text(file, "No. Points: 0");
    raw->count_at = file->length + (long long)file->used - 1;
    for (int k = 1; k < COUNT; k++)
        ln_file_byte(file, ' ');
    put_line(file, "\nVariables:", "");
    if (scale)
        put_variable(file, 0, &raw->head.first);
    for (int k = 0; k < ncolumns; k++)
        put_variable(file, k + scale, &columns[k]);
    put_line(file, raw->head.as_text ? "Values:" : "Binary:", "");
    return file->status;
}

/* One number or a pair, on a line of its own but for the first. */
static void put_number(raw_sink *raw, const double *parts, int is_first) {
    if (!is_first)
        ln_file_text(&raw->file, "\n\t");
    ln_file_number(&raw->file, parts[0]);
    if (!raw->head.is_complex)
        return;
    ln_file_text(&raw->file, ",");
    ln_file_number(&raw->file, parts[1]);
}

static void put_as_text(raw_sink *raw, const double scale[2], const double *values) {
    const int parts = raw->head.is_complex ? 2 : 1, has_scale = raw->head.first.name != NULL;
    char index[32];
    snprintf(index, sizeof index, "%lld\t", raw->npoints);
    ln_file_text(&raw->file, index);
    if (has_scale)
        put_number(raw, scale, 1);
    for (int k = 0; k < raw->ncolumns; k++)
        put_number(raw, values + k * parts, k == 0 && !has_scale);
    ln_file_text(&raw->file, "\n\n");
}

static linnet_status raw_row(ln_sink *sink, double time, const double *values) {
    raw_sink *raw = (raw_sink *)sink;
    if (raw->file.status != LINNET_OK)
        return raw->file.status;
    raw->file.has_rows = 1;
    const size_t parts = raw->head.is_complex ? 2 : 1;
    const double scale[2] = {time, 0};
    if (raw->head.as_text) {
        put_as_text(raw, scale, values);
    } else {
        if (raw->head.first.name != NULL)
            ln_file_bytes(&raw->file, scale, parts * sizeof *scale);
        ln_file_bytes(&raw->file, values, parts * (size_t)raw->ncolumns * sizeof *values);
    }
    raw->npoints++;
    return raw->file.status;
}

static linnet_status raw_close(ln_sink *sink, int complete) {
    raw_sink *raw = (raw_sink *)sink;
    char count[COUNT + 1];
    int digits = snprintf(count, sizeof count, "%lld", raw->npoints);
    if (raw->npoints > 0)
        ln_file_patch(&raw->file, raw->count_at, count, (size_t)digits);
    linnet_status status = ln_file_close(&raw->file, complete);
    ln_sys->release(raw);
    return status;
}

ln_sink *ln_sink_raw(const char *path, const ln_result_head *head, ln_report *report) {
    if (strcmp(path, "-") == 0) {
        ln_error(report, LN_NOWHERE,
                 "a rawfile tells the number of its points at the top and cannot be written to the "
                 "standard "
                 "output; name a file");
        return NULL;
    }
    raw_sink *raw = ln_sys->allocate(sizeof *raw);
    if (raw == NULL) {
        ln_no_memory(report);
        return NULL;
    }
    raw->sink = (ln_sink){.open = raw_open, .row = raw_row, .close = raw_close};
    raw->head = *head;
    raw->npoints = raw->count_at = 0;
    if (head->is_next ? ln_file_add(&raw->file, path, report)
                      : ln_file_open(&raw->file, path, report))
        return &raw->sink;
    ln_sys->release(raw);
    return NULL;
}

const ln_result_format ln_format_raw = {
    .name = "rawfile",
    .suffix = ".raw",
    .doc = "SPICE rawfile, binary, or as text with --ascii",
    .holds = LN_FORMAT_PLOTS | LN_FORMAT_PAIRS | LN_FORMAT_POINT | LN_FORMAT_SPICE,
    .open = ln_sink_raw,
};
