/* SPDX-License-Identifier: MIT */
/* A CSV file read back, for references and tables: RFC 4180 with any line ending, numbers exact,
 * every fault with its line. Columns are separated by the first of ',' ';' and tab in the line of
 * names; where that is no comma, numbers may have one in place of the point. A last line without
 * its end counts if it has all its cells, which is told, as a run that was cut off may leave half a
 * number there; it is dropped otherwise, and of a file that is still being written (FILE.part).
 * What begins as a rawfile is read as one. */
#include "base/csv.h"

#include "base/raw_read.h"
#include "base/sys.h"
#include "base/text.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* What is read: a trajectory, whose first column is the time; any columns of numbers; a table, in
 * which a cell may be no number and becomes NAN. */
typedef enum csv_kind { TRAJECTORY, COLUMNS, TABLE } csv_kind;

/* The file being read; `at` moves to `end`. */
typedef struct csv_reader {
    const char *file;
    ln_arena *arena;
    ln_report *report;
    const char *at, *end;
    const char *torn; /* where a last line without its end begins, or NULL */
    int line;
    csv_kind kind;
    char separator;
} csv_reader;

static ln_place here(const csv_reader *reader) {
    return (ln_place){reader->file, reader->line, 0};
}

static void find_torn_line(csv_reader *reader) {
    const char *torn = reader->end;
    while (torn > reader->at && torn[-1] != '\n' && torn[-1] != '\r')
        torn--;
    reader->torn = torn < reader->end ? torn : NULL;
}

static void drop_torn_line(csv_reader *reader) {
    ln_warn(reader->report, (ln_place){reader->file, 0, 0},
            "the last line has no end and is left out; was the file cut off?");
    reader->end = reader->torn;
}

/* ---- fields ---- */

int ln_csv_is_formula(const char *text) {
    const char *end = text, *sign = text + strspn(text, "'");
    if (*sign == '\0' || strchr("=+-@", *sign) == NULL)
        return 0;
    (void)ln_number_read(sign, &end);
    return sign > text || end == sign || *end != '\0';
}

static int at_line_end(const csv_reader *reader) {
    return reader->at == reader->end || *reader->at == '\n' || *reader->at == '\r';
}

static void next_line(csv_reader *reader) {
    if (reader->at < reader->end && *reader->at == '\r')
        reader->at++;
    if (reader->at < reader->end && *reader->at == '\n')
        reader->at++;
    reader->line++;
}

/* Which of the separators comes first in the line of names, outside quotes. */
static char find_separator(const csv_reader *reader) {
    int quoted = 0;
    for (const char *c = reader->at; c < reader->end && (quoted || (*c != '\n' && *c != '\r'));
         c++) {
        quoted ^= *c == '"';
        if (!quoted && (*c == ',' || *c == ';' || *c == '\t'))
            return *c;
    }
    return ',';
}

/* Does a cell end here? */
static int at_cell_end(const csv_reader *reader) {
    return at_line_end(reader) || *reader->at == reader->separator;
}

static void skip_empty_lines(csv_reader *reader) {
    while (reader->at < reader->end && at_line_end(reader))
        next_line(reader);
}

/* A field in quotes, without them; `at` stands on the opening one. NULL: reported. */
static const char *read_quoted(csv_reader *reader) {
    ln_text text = {0};
    ln_place place = here(reader);
    for (reader->at++; reader->at < reader->end; reader->at++) {
        if (*reader->at == '\n')
            reader->line++;
        if (*reader->at == '"') {
            if (reader->at + 1 == reader->end || reader->at[1] != '"')
                break;
            reader->at++;
        }
        ln_text_add_bytes(&text, reader->at, 1);
    }
    const char *name = NULL;
    if (reader->at == reader->end) {
        ln_error(reader->report, place, "a quote is not closed");
    } else {
        reader->at++;
        name = text.failed
                   ? NULL
                   : ln_arena_text(reader->arena, text.data != NULL ? text.data : "", text.length);
        if (name == NULL)
            ln_no_memory(reader->report);
    }
    ln_text_free(&text);
    return name;
}

static const char *read_name(csv_reader *reader) {
    if (reader->at < reader->end && *reader->at == '"')
        return read_quoted(reader);
    size_t length = 0;
    const char ends[] = {reader->separator, '\r', '\n', '\0'};
    while (reader->at + length < reader->end && strchr(ends, reader->at[length]) == NULL)
        length++;
    const char *name = ln_arena_text(reader->arena, reader->at, length);
    if (name == NULL)
        ln_no_memory(reader->report);
    reader->at += length;
    return name;
}

/* A name as it was before it was written. */
static const char *bare(const char *name) {
    return name != NULL && *name == '\'' && ln_csv_is_formula(name) ? name + 1 : name;
}

static linnet_status read_names(csv_reader *reader, ln_csv *csv) {
    const char **names = NULL;
    size_t count = 0, room = 0;
    linnet_status status = LINNET_OK;
    for (;; reader->at++) {
        const char *name = bare(read_name(reader));
        if (name == NULL || count == INT_MAX - 1 || !LN_GROW(names, count, room)) {
            status = name == NULL ? LINNET_MODEL : ln_no_memory(reader->report);
            break;
        }
        names[count++] = name;
        if (at_line_end(reader))
            break;
        if (*reader->at == reader->separator)
            continue;
        status = ln_fail(reader->report, LINNET_MODEL, here(reader),
                         "text behind a closing quote; separate columns by '%s'",
                         reader->separator == '\t' ? "tab" : (char[]){reader->separator, '\0'});
        break;
    }
    if (status == LINNET_OK) {
        csv->ncolumns = (int)count;
        csv->names = LN_NEW(reader->arena, const char *, count);
        if (csv->names == NULL)
            status = ln_no_memory(reader->report);
        else
            memcpy((void *)csv->names, (const void *)names, count * sizeof *names);
    }
    ln_sys->release((void *)names);
    return status;
}

static linnet_status check_names(const csv_reader *reader, const ln_csv *csv) {
    const char *first = csv->names[0];
    if (reader->kind == TRAJECTORY && strcmp(first, "time") != 0 && strcmp(first, "t") != 0)
        return ln_fail(reader->report, LINNET_MODEL, here(reader),
                       "the first column is '%.60s', expected 'time'", first);
    for (int k = 0; k < csv->ncolumns; k++)
        if (csv->names[k][0] == '\0')
            return ln_fail(reader->report, LINNET_MODEL, here(reader), "column %d has no name",
                           k + 1);
    return LINNET_OK;
}

/* ---- numbers ---- */

/* A number that may have a comma for its point. */
static double read_decimal(const char *at, const char **end) {
    char plain[64];
    const size_t length = strspn(at, "+-0123456789.,eE");
    if (length >= sizeof plain)
        return ln_number_read(at, end);
    memcpy(plain, at, length);
    plain[length] = '\0';
    char *comma = strchr(plain, ',');
    if (comma != NULL)
        *comma = '.';
    const char *stop = plain;
    const double value = ln_number_read(plain, &stop);
    *end = at + (stop - plain);
    return value;
}

/* A number, or one of the words for what is none. 0 when it is neither. */
static int read_number(csv_reader *reader, double *value) {
    static const struct {
        const char *word;
        double value;
    } words[] = {
        {"nan", NAN},
        {"-nan", NAN},
        {"inf", INFINITY},
        {"-inf", -INFINITY},
    };
    while (reader->at < reader->end && *reader->at == ' ')
        reader->at++;
    int quoted = reader->at < reader->end && *reader->at == '"';
    reader->at += quoted;
    const char *end = reader->at;
    *value = reader->separator == ',' ? ln_number_read(reader->at, &end)
                                      : read_decimal(reader->at, &end);
    for (size_t k = 0; end == reader->at && k < sizeof words / sizeof *words; k++)
        if (strncmp(reader->at, words[k].word, strlen(words[k].word)) == 0) {
            *value = words[k].value;
            end = reader->at + strlen(words[k].word);
        }
    if (end == reader->at || (quoted && *end != '"'))
        return 0;
    reader->at = end + quoted;
    while (reader->at < reader->end && *reader->at == ' ')
        reader->at++;
    return at_cell_end(reader);
}

/* A cell that is no number, passed over. */
static int skip_text(csv_reader *reader, const char *from, double *value) {
    reader->at = from;
    *value = NAN;
    return read_name(reader) != NULL && at_cell_end(reader);
}

static linnet_status read_row(csv_reader *reader, const ln_csv *csv, double *row) {
    for (int k = 0; k < csv->ncolumns; k++) {
        const char *from = reader->at;
        if (!read_number(reader, &row[k]) &&
            !(reader->kind == TABLE && skip_text(reader, from, &row[k]))) {
            size_t shown = strcspn(from, ",;\t\r\n");
            return ln_fail(reader->report, LINNET_MODEL, here(reader),
                           "column %d (%.60s): '%.*s' is not a number", k + 1, csv->names[k],
                           shown < 40 ? (int)shown : 40, from);
        }
        int last = k + 1 == csv->ncolumns;
        if (at_line_end(reader) != last)
            return ln_fail(reader->report, LINNET_MODEL, here(reader),
                           "the line has %s than the %d columns that are named",
                           last ? "more" : "less", csv->ncolumns);
        if (!last)
            reader->at++;
    }
    return LINNET_OK;
}

/* The last line, which has no end, has all its cells. */
static int is_whole(csv_reader reader, const ln_csv *csv) {
    static const char part[] = ".part"; /* being written */
    const size_t length = strlen(reader.file), ending = sizeof part - 1;
    double value;
    if (length > ending && strcmp(reader.file + length - ending, part) == 0)
        return 0;
    for (int k = 0; k < csv->ncolumns; k++, reader.at++) {
        const char *from = reader.at;
        if ((!read_number(&reader, &value) &&
             !(reader.kind == TABLE && *from != '"' && skip_text(&reader, from, &value))) ||
            at_line_end(&reader) != (k + 1 == csv->ncolumns))
            return 0;
    }
    return 1;
}

/* The last line, which has no end, is told, and left out where it is no row. */
static void judge_torn_line(csv_reader *reader, const ln_csv *csv) {
    if (!is_whole(*reader, csv))
        drop_torn_line(reader);
    else
        ln_warn(reader->report, here(reader),
                "the last line has no end; it counts, but if the file was cut off, its last number "
                "is not whole");
}

/* A bound on the rows to come: a row has an end, and each of its values takes a byte with what
 * follows it, where it may be empty; and one more, which may have too few of them or no end. */
static size_t count_rows(const csv_reader *reader, size_t width) {
    size_t lines = 0, fit = (size_t)(reader->end - reader->at) / width;
    for (const char *at = reader->at; at < reader->end; at++)
        lines += *at == '\n' || *at == '\r';
    return 1 + (lines < fit ? lines : fit);
}

static linnet_status read_rows(csv_reader *reader, ln_csv *csv) {
    size_t width = (size_t)csv->ncolumns, most = count_rows(reader, (size_t)csv->ncolumns);
    double *data = ln_arena_alloc(reader->arena, most, width * sizeof *data);
    if (data == NULL)
        return ln_no_memory(reader->report);
    csv->nrows = 0;
    csv->data = data;
    for (skip_empty_lines(reader); reader->at < reader->end; skip_empty_lines(reader)) {
        double *row = data + csv->nrows * width;
        if (reader->at == reader->torn)
            judge_torn_line(reader, csv);
        if (reader->at == reader->end)
            break;
        LN_TRY(read_row(reader, csv, row));
        if (reader->kind == TRAJECTORY &&
            (!isfinite(row[0]) || (csv->nrows > 0 && row[0] < row[0 - (ptrdiff_t)width])))
            return ln_fail(reader->report, LINNET_MODEL, here(reader),
                           "the time %g does not follow the one before it; "
                           "times must be finite and never fall",
                           row[0]);
        csv->nrows++;
        next_line(reader);
    }
    return LINNET_OK;
}

static linnet_status read_csv(csv_reader *reader, ln_csv *csv) {
    if (reader->end - reader->at >= 3 && memcmp(reader->at, "\xef\xbb\xbf", 3) == 0)
        reader->at += 3;
    find_torn_line(reader);
    skip_empty_lines(reader);
    if (reader->at == reader->torn) /* names need an end */
        drop_torn_line(reader);
    if (reader->at == reader->end)
        return ln_fail(reader->report, LINNET_MODEL, (ln_place){reader->file, 0, 0},
                       "the file holds no line; expected names, then rows");
    reader->separator = find_separator(reader);
    LN_TRY(read_names(reader, csv));
    LN_TRY(check_names(reader, csv));
    next_line(reader);
    return read_rows(reader, csv);
}

static linnet_status read_raw(const csv_reader *reader, ln_csv *csv) {
    const ln_place place = {reader->file, 0, 0};
    LN_TRY(ln_raw_read(reader->file, reader->at, (size_t)(reader->end - reader->at), reader->arena,
                       reader->report, csv));
    if (reader->kind != TRAJECTORY)
        return LINNET_OK;
    if (strcmp(csv->names[0], "time") != 0)
        return ln_fail(reader->report, LINNET_MODEL, place,
                       "the first variable of the rawfile is '%.60s', expected 'time'",
                       csv->names[0]);
    const size_t width = (size_t)csv->ncolumns;
    for (size_t k = 0; k < csv->nrows; k++) {
        const double *row = csv->data + k * width;
        if (!isfinite(row[0]) || (k > 0 && row[0] < row[0 - (ptrdiff_t)width]))
            return ln_fail(reader->report, LINNET_MODEL, place,
                           "the time %g of point %zu does not follow the one before it; "
                           "times must be finite and never fall",
                           row[0], k);
    }
    return LINNET_OK;
}

/* A model or a picture that was named by mistake would be told as a number that is none. */
static linnet_status refuse_others(const csv_reader *reader) {
    enum { HEAD = 512 };
    const size_t length = (size_t)(reader->end - reader->at);
    const char *at = reader->at;
    if (length > 0 && memchr(at, '\0', length < HEAD ? length : HEAD) != NULL)
        return ln_fail(reader->report, LINNET_MODEL, (ln_place){reader->file, 0, 0},
                       "this is no text, and so no table; a result is .csv, .raw, .mat or .h5");
    while (at < reader->end && strchr(" \t\r\n", *at) != NULL)
        at++;
    if (at < reader->end && *at == '<')
        return ln_fail(reader->report, LINNET_MODEL, (ln_place){reader->file, 0, 0},
                       "this is a model or a page, no table of numbers; 'linnet run' computes the "
                       "result of a model");
    return LINNET_OK;
}

static linnet_status read_file(const char *path, ln_input_from from, ln_arena *arena,
                               ln_report *report, csv_kind kind, ln_csv *csv) {
    ln_text text = {0};
    *csv = (ln_csv){0};
    const char *file = ln_arena_string(arena, path);
    if (file == NULL)
        return ln_no_memory(report);
    linnet_status status = ln_input_read(path, from, SIZE_MAX, report, &text);
    csv_reader reader = {.file = file,
                         .arena = arena,
                         .report = report,
                         .at = text.data,
                         .end = text.data + text.length,
                         .line = 1,
                         .kind = kind,
                         .separator = ','};
    const int raw = status == LINNET_OK && ln_raw_is(text.data, text.length);
    if (status == LINNET_OK && !raw)
        status = refuse_others(&reader);
    if (status == LINNET_OK)
        status = raw ? read_raw(&reader, csv) : read_csv(&reader, csv);
    ln_text_free(&text);
    return status;
}

linnet_status ln_csv_read(const char *path, ln_input_from from, ln_arena *arena, ln_report *report,
                          ln_csv *csv) {
    return read_file(path, from, arena, report, TRAJECTORY, csv);
}

linnet_status ln_csv_read_columns(const char *path, ln_input_from from, ln_arena *arena,
                                  ln_report *report, ln_csv *csv) {
    return read_file(path, from, arena, report, COLUMNS, csv);
}

linnet_status ln_csv_read_table(const char *path, ln_input_from from, ln_arena *arena,
                                ln_report *report, ln_csv *csv) {
    return read_file(path, from, arena, report, TABLE, csv);
}
