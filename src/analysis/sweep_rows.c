/* SPDX-License-Identifier: MIT */
/* Lines read back: their statistics, and the file that a sweep writes or goes on with. */
#include "analysis/sweep.h"

#include "base/csv.h"
#include "base/output.h"
#include "base/part.h"
#include "base/sys.h"
#include "base/text.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a line ---- */

static char *cut_cell(char **rest) {
    char *cell = *rest, *from = cell, *to = cell;
    if (cell == NULL)
        return NULL;
    if (*from != '"') {
        char *comma = strchr(cell, ',');
        if (comma != NULL)
            *comma = '\0';
        *rest = comma != NULL ? comma + 1 : NULL;
        return cell;
    }
    for (from++; *from != '\0' && (*from != '"' || from[1] == '"'); from++) {
        if (*from == '"')
            from++;
        *to++ = *from;
    }
    *rest = *from == '"' && from[1] == ',' ? from + 2 : NULL;
    *to = '\0';
    return cell;
}

/* Cuts the first cell off *rest and undoes its quotes, and what keeps it from being a formula, in
 * place; NULL when there is none. */
static char *take_cell(char **rest) {
    char *cell = cut_cell(rest);
    return cell != NULL && *cell == '\'' && ln_csv_is_formula(cell) ? cell + 1 : cell;
}

static void add_value(ln_spread *spread, double value, long number) {
    double before = value - spread->mean;
    spread->n++;
    spread->mean += before / (double)spread->n;
    spread->squares += before * (value - spread->mean);
    if (spread->n == 1 || value < spread->least) {
        spread->least = value;
        spread->least_case = number;
    }
    if (spread->n == 1 || value > spread->most) {
        spread->most = value;
        spread->most_case = number;
    }
}

/* The number in a cell, NAN if it is empty; 0 when it holds something else. */
static int read_number(const char *cell, double *value) {
    const char *end = cell;
    *value = *cell == '\0' ? (double)NAN : ln_number_read(cell, &end);
    return *end == '\0';
}

int ln_sweep_read_row(const ln_sweep *sweep, char *line, long number, ln_sweep_row *row) {
    char *rest = line, *cell = take_cell(&rest);
    if (cell == NULL || strtol(cell, NULL, 10) != number)
        return 0;
    for (int k = 0; k < sweep->axes.count; k++) {
        if ((row->varied[k] = take_cell(&rest)) == NULL)
            return 0;
    }
    for (int k = 0; k < sweep->nmeasures; k++)
        if ((cell = take_cell(&rest)) == NULL || !read_number(cell, &row->measures[k]))
            return 0;
    const char *status = take_cell(&rest);
    if (status == NULL || (row->reason = take_cell(&rest)) == NULL || take_cell(&rest) == NULL ||
        rest != NULL)
        return 0;
    row->failed = strcmp(status, "ok") != 0;
    return 1;
}

int ln_sweep_row_init(ln_sweep_row *row, const ln_sweep *sweep, ln_arena *arena) {
    *row = (ln_sweep_row){.varied = LN_NEW(arena, const char *, sweep->axes.count),
                          .measures = LN_NEW(arena, double, sweep->nmeasures)};
    return row->varied != NULL && row->measures != NULL;
}

int ln_sweep_count_row(const ln_sweep *sweep, char *line, ln_sweep_statistics *statistics) {
    const long number = statistics->cases + 1;
    ln_sweep_row *row = &statistics->row;
    if (!ln_sweep_read_row(sweep, line, number, row))
        return 0;
    for (int k = 0; k < sweep->nmeasures; k++)
        if (!isnan(row->measures[k]))
            add_value(&statistics->spreads[k], row->measures[k], number);
    statistics->cases = number;
    statistics->failed += row->failed;
    if (row->failed && statistics->first_failed == 0) {
        statistics->first_failed = number;
        snprintf(statistics->reason, sizeof statistics->reason, "%s", row->reason);
    }
    return 1;
}

/* ---- going on ---- */

/* The lines of a file, read in pieces. */
typedef struct lines {
    int fd;
    ln_text text;
    size_t at;    /* of the next line in the text */
    off_t behind; /* bytes of the file up to the end of the last whole line */
    int failed;
} lines;

/* The next whole line, without its newline; NULL at the end or after a failure. */
static char *next_line(lines *rows) {
    for (;;) {
        char *from = rows->text.data != NULL ? rows->text.data + rows->at : NULL;
        char *newline = from != NULL ? memchr(from, '\n', rows->text.length - rows->at) : NULL;
        if (newline != NULL) {
            *newline = '\0';
            rows->behind += newline - from + 1;
            rows->at += (size_t)(newline - from) + 1;
            return from;
        }
        if (rows->at > 0) {
            memmove(rows->text.data, rows->text.data + rows->at, rows->text.length - rows->at);
            rows->text.length -= rows->at;
            rows->at = 0;
        }
        char buffer[16384];
        ssize_t got = ln_sys->read(rows->fd, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got > 0)
            ln_text_add_bytes(&rows->text, buffer, (size_t)got);
        rows->failed = got < 0 || rows->text.failed;
        if (got <= 0 || rows->failed)
            return NULL;
    }
}

/* Counts the rows of the file of an earlier run, and cuts off what is no whole row. */
static linnet_status go_on(ln_sweep_file *file, const ln_sweep *sweep, const char *path,
                           ln_sweep_statistics *statistics) {
    lines rows = {.fd = file->fd};
    char *line = next_line(&rows);
    size_t length = strlen(sweep->header) - 1;
    linnet_status status = LINNET_OK;
    if (line != NULL && (strlen(line) != length || strncmp(line, sweep->header, length) != 0))
        status =
            ln_fail(file->report, LINNET_USAGE, LN_NOWHERE,
                    "'%s' belongs to another sweep: the model or the command "
                    "has changed since; give another --output, or leave --resume out to begin anew",
                    path);
    while (line != NULL && status == LINNET_OK && (line = next_line(&rows)) != NULL)
        if (statistics->cases >= sweep->axes.cases || !ln_sweep_count_row(sweep, line, statistics))
            status = ln_fail(file->report, LINNET_USAGE, LN_NOWHERE,
                             "'%s' is damaged: line %ld is not the row of case %ld; "
                             "leave --resume out to begin anew",
                             path, statistics->cases + 2, statistics->cases + 1);
    if (rows.failed && status == LINNET_OK)
        status = rows.text.failed ? ln_no_memory(file->report)
                                  : ln_fail(file->report, LINNET_IO, LN_NOWHERE,
                                            "cannot read '%s': %s", path, strerror(errno));
    if (status == LINNET_OK && ln_sys->truncate(file->fd, rows.behind) != 0)
        status = ln_fail(file->report, LINNET_IO, LN_NOWHERE, "cannot write '%s': %s", path,
                         strerror(errno));
    int begun = rows.behind > 0;
    ln_text_free(&rows.text);
    LN_TRY(status);
    return begun ? LINNET_OK : ln_sweep_file_write(file, sweep->header, length + 1);
}

/* The finished file, if it is there: it must be this sweep's. */
static linnet_status look_at_finished(ln_sweep_file *file, const ln_sweep *sweep,
                                      ln_sweep_statistics *statistics) {
    file->fd = ln_sys->open_read(file->path);
    if (file->fd < 0)
        return LINNET_OK;
    (void)ln_sys->close(file->fd);
    file->fd = ln_sys->open_append(file->path);
    if (file->fd < 0)
        return ln_fail(file->report, LINNET_IO, LN_NOWHERE, "cannot write '%s': %s", file->path,
                       strerror(errno));
    LN_TRY(go_on(file, sweep, file->path, statistics));
    file->complete = 1;
    return LINNET_OK;
}

/* ---- the file ---- */

linnet_status ln_sweep_file_open(ln_sweep_file *file, const ln_sweep *sweep, const char *path,
                                 int resume, ln_sweep_statistics *statistics, ln_report *report) {
    *file = (ln_sweep_file){.fd = -1, .report = report};
    LN_TRY(ln_part_target(path, report, &file->path));
    if (strcmp(path, "-") == 0) {
        file->fd = ln_output();
        return ln_sweep_file_write(file, sweep->header, strlen(sweep->header));
    }
    struct stat there;
    file->in_place = stat(path, &there) == 0 && !S_ISREG(there.st_mode);
    if (file->in_place) { /* a device or a pipe takes the rows itself; a folder refuses */
        if ((file->fd = ln_sys->open_write(path)) < 0)
            return ln_fail(report, LINNET_IO, LN_NOWHERE, "cannot write '%s': %s", path,
                           strerror(errno));
        return ln_sweep_file_write(file, sweep->header, strlen(sweep->header));
    }
    size_t length = strlen(file->path);
    file->part = ln_sys->allocate(length + sizeof ".part");
    if (file->part == NULL)
        return ln_no_memory(report);
    memcpy(file->part, file->path, length);
    memcpy(file->part + length, ".part", sizeof ".part");
    if (resume && (file->fd = ln_part_again(file->part)) >= 0)
        return go_on(file, sweep, file->part, statistics);
    if (resume && errno != EWOULDBLOCK)
        LN_TRY(look_at_finished(file, sweep, statistics));
    if (file->complete)
        return LINNET_OK;
    file->fd = ln_part_open(file->part, 0);
    if (file->fd < 0)
        return ln_fail(report, LINNET_IO, LN_NOWHERE, "cannot write '%s': %s", file->part,
                       ln_part_why(errno));
    return ln_sweep_file_write(file, sweep->header, strlen(sweep->header));
}

linnet_status ln_sweep_file_write(ln_sweep_file *file, const char *text, size_t length) {
    while (length > 0) {
        ssize_t wrote = ln_sys->write(file->fd, text, length);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0) {
            if (wrote == 0)
                errno = ENOSPC;
            return errno == EPIPE
                       ? LINNET_IO
                       : ln_fail(file->report, LINNET_IO, LN_NOWHERE, "cannot write '%s': %s",
                                 file->part != NULL ? file->part
                                 : file->in_place   ? file->path
                                                    : "the standard output",
                                 strerror(errno));
        }
        text += wrote;
        length -= (size_t)wrote;
    }
    return LINNET_OK;
}

linnet_status ln_sweep_file_close(ln_sweep_file *file, int complete) {
    linnet_status status = LINNET_OK;
    if (file->part != NULL && file->fd >= 0) {
        if (ln_part_close(file->fd, file->part, complete && !file->complete ? file->path : NULL) !=
            0)
            status = ln_fail(file->report, LINNET_IO, LN_NOWHERE, "cannot write '%s': %s",
                             file->path, strerror(errno));
    }
    if (file->in_place && file->fd >= 0 && ln_sys->close(file->fd) != 0)
        status = ln_fail(file->report, LINNET_IO, LN_NOWHERE, "cannot write '%s': %s", file->path,
                         strerror(errno));
    ln_sys->release(file->part);
    ln_sys->release(file->path);
    *file = (ln_sweep_file){.fd = -1};
    return status;
}
