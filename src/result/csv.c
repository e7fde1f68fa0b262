/* SPDX-License-Identifier: MIT */
/* The CSV sink: rows gather in a buffer and go out 64 KiB at a time.
 *
 * A file is written as `path`.part and gets its name when it is whole rows from the first to the last; what a full disk
 * or a crash leaves behind keeps the name .part. Devices and pipes are written as they are. The first failure is
 * reported, later calls only repeat its status. A reader of our standard output that goes away is no news to anyone:
 * LINNET_IO without a message (the program ignores SIGPIPE). */
#include "result/sink.h"

#include "base/sys.h"
#include "base/text.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { BUFFER = 64 * 1024, NUMBER = 33 /* a number and its comma */ };

typedef struct csv_sink {
    ln_sink sink;
    ln_report *report;
    linnet_status status;
    int fd, ncolumns, has_rows;
    int goes_on;       /* the names and some rows are there already */
    long long length;  /* bytes in the file, and their CRC-32 */
    unsigned long sum;
    char *path, *part; /* part NULL: written in place */
    size_t used;
    char buffer[BUFFER];
} csv_sink;

/* ---- writing ---- */

static linnet_status fail(csv_sink *csv, const char *what) {
    int reason = errno;
    csv->status = LINNET_IO;
    if (reason == EPIPE) return LINNET_IO;
    const char *shown = strcmp(csv->path, "-") == 0 ? "the standard output" : csv->path;
    if (csv->part != NULL && csv->fd >= 0)
        ln_error(csv->report, LN_NOWHERE, "cannot %s '%s': %s; the rows so far are in '%s'", what, shown,
                 strerror(reason), csv->part);
    else
        ln_error(csv->report, LN_NOWHERE, "cannot %s '%s': %s", what, shown, strerror(reason));
    return LINNET_IO;
}

static linnet_status flush(csv_sink *csv) {
    size_t done = 0;
    csv->sum = crc32(csv->sum, (const unsigned char *)csv->buffer, (uInt)csv->used);
    csv->length += (long long)csv->used;
    while (done < csv->used && csv->status == LINNET_OK) {
        ssize_t wrote = ln_sys->write(csv->fd, csv->buffer + done, csv->used - done);
        if (wrote > 0) {
            done += (size_t)wrote;
        } else if (wrote == 0 || errno != EINTR) {
            if (wrote == 0) errno = ENOSPC;
            fail(csv, "write");
        }
    }
    csv->used = 0;
    return csv->status;
}

static void put(csv_sink *csv, char c) {
    if (csv->used == BUFFER) flush(csv);
    csv->buffer[csv->used++] = c;
}

/* RFC 4180: quotes around a name that holds a separator, quotes within doubled. */
static void put_name(csv_sink *csv, const char *name) {
    int quoted = name[strcspn(name, ",\"\r\n")] != '\0';
    if (quoted) put(csv, '"');
    for (; *name != '\0'; name++) {
        if (*name == '"') put(csv, '"');
        put(csv, *name);
    }
    if (quoted) put(csv, '"');
}

static void put_number(csv_sink *csv, double value) {
    if (csv->used + NUMBER > BUFFER) flush(csv);
    csv->used += (size_t)ln_number_format(csv->buffer + csv->used, value);
}

/* ---- the sink ---- */

static linnet_status csv_open(ln_sink *sink, const ln_column *columns, int ncolumns) {
    csv_sink *csv = (csv_sink *)sink;
    csv->ncolumns = ncolumns;
    if (csv->goes_on) return csv->status;
    put_name(csv, "time");
    for (int k = 0; k < ncolumns; k++) {
        put(csv, ',');
        put_name(csv, columns[k].name);
    }
    put(csv, '\n');
    return csv->status;
}

static linnet_status csv_row(ln_sink *sink, double time, const double *values) {
    csv_sink *csv = (csv_sink *)sink;
    if (csv->status != LINNET_OK) return csv->status;
    csv->has_rows = 1;
    put_number(csv, time);
    for (int k = 0; k < csv->ncolumns; k++) {
        put(csv, ',');
        put_number(csv, values[k]);
    }
    put(csv, '\n');
    return csv->status;
}

static linnet_status csv_mark(ln_sink *sink, long long *length, unsigned long *sum) {
    csv_sink *csv = (csv_sink *)sink;
    if (csv->status == LINNET_OK) flush(csv);
    if (csv->status == LINNET_OK && csv->part != NULL && ln_sys->sync(csv->fd) != 0) fail(csv, "write");
    *length = csv->length;
    *sum = csv->sum;
    return csv->status;
}

static void release(csv_sink *csv) {
    ln_sys->release(csv->path);
    ln_sys->release(csv->part);
    ln_sys->release(csv);
}

/* Gives the file its name. The rows of a run that stopped early are as good as any, but one that never began leaves
 * nothing behind, and least of all in the place of an older result. */
static void settle_name(csv_sink *csv, int complete) {
    if (!complete && !csv->has_rows)
        ln_sys->remove(csv->part);
    else if (ln_sys->rename(csv->part, csv->path) != 0)
        fail(csv, "name");
}

static linnet_status csv_close(ln_sink *sink, int complete) {
    csv_sink *csv = (csv_sink *)sink;
    if (csv->status == LINNET_OK) flush(csv);
    if (csv->status == LINNET_OK && csv->part != NULL && ln_sys->sync(csv->fd) != 0) fail(csv, "write");
    if (csv->fd != STDOUT_FILENO && ln_sys->close(csv->fd) != 0 && csv->status == LINNET_OK) fail(csv, "write");
    if (csv->status == LINNET_OK && csv->part != NULL) settle_name(csv, complete);
    linnet_status status = csv->status;
    release(csv);
    return status;
}

/* ---- opening ---- */

static char *join(const char *a, const char *b) {
    size_t la = strlen(a), lb = strlen(b);
    char *text = ln_sys->allocate(la + lb + 1);
    if (text == NULL) return NULL;
    memcpy(text, a, la);
    memcpy(text + la, b, lb + 1);
    return text;
}

/* A result takes the place of a file, but not of one that is protected, and a device stays what it is. */
static int open_target(csv_sink *csv) {
    struct stat info;
    csv->fd = -1;
    if (strcmp(csv->path, "-") == 0) {
        csv->fd = STDOUT_FILENO;
        return 1;
    }
    int exists = stat(csv->path, &info) == 0;
    if (exists && (S_ISDIR(info.st_mode) || access(csv->path, W_OK) != 0)) {
        if (S_ISDIR(info.st_mode)) errno = EISDIR;
        fail(csv, "write");
        return 0;
    }
    int in_place = exists && !S_ISREG(info.st_mode);
    if (!in_place && (csv->part = join(csv->path, ".part")) == NULL) {
        ln_no_memory(csv->report);
        return 0;
    }
    csv->fd = ln_sys->open_write(in_place ? csv->path : csv->part);
    if (csv->fd >= 0) return 1;
    fail(csv, "write");
    return 0;
}

/* A sink that knows its path and nothing more; NULL, reported, when memory is short. */
static csv_sink *new_sink(const char *path, ln_report *report) {
    csv_sink *csv = ln_sys->allocate(sizeof *csv);
    if (csv == NULL) {
        ln_no_memory(report);
        return NULL;
    }
    memset(csv, 0, offsetof(csv_sink, buffer));
    csv->sink = (ln_sink){.open = csv_open, .row = csv_row, .mark = csv_mark, .close = csv_close};
    csv->report = report;
    csv->sum = crc32(0, NULL, 0);
    csv->path = join(path, "");
    if (csv->path != NULL) return csv;
    ln_no_memory(report);
    release(csv);
    return NULL;
}

ln_sink *ln_sink_csv(const char *path, ln_report *report) {
    csv_sink *csv = new_sink(path, report);
    if (csv == NULL || open_target(csv)) return csv == NULL ? NULL : &csv->sink;
    release(csv);
    return NULL;
}

/* ---- going on ---- */

/* Does the file begin with these bytes? Reads it through csv->buffer. */
static int begins_so(csv_sink *csv, long long length, unsigned long sum) {
    unsigned long found = crc32(0, NULL, 0);
    long long left = length;
    while (left > 0) {
        ssize_t got = ln_sys->read(csv->fd, csv->buffer, left < BUFFER ? (size_t)left : BUFFER);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return 0;
        found = crc32(found, (const unsigned char *)csv->buffer, (uInt)got);
        left -= got;
    }
    return found == sum;
}

/* Opens `file` (csv->part or csv->path) if it is that result, cut to its length, as csv->part. */
static int take_up(csv_sink *csv, const char *file, long long length, unsigned long sum) {
    csv->fd = ln_sys->open_append(file);
    if (csv->fd < 0) return 0;
    if (begins_so(csv, length, sum) && ln_sys->truncate(csv->fd, (off_t)length) == 0 &&
        (file == csv->part || ln_sys->rename(file, csv->part) == 0))
        return 1;
    ln_sys->close(csv->fd);
    csv->fd = -1;
    return 0;
}

ln_sink *ln_sink_csv_resume(const char *path, long long length, unsigned long sum, ln_report *report) {
    csv_sink *csv = new_sink(path, report);
    if (csv == NULL) return NULL;
    csv->goes_on = csv->has_rows = 1;
    csv->length = length;
    csv->sum = sum;
    csv->part = join(path, ".part");
    if (csv->part == NULL) ln_no_memory(report);
    else if (take_up(csv, csv->part, length, sum) || take_up(csv, csv->path, length, sum)) return &csv->sink;
    else
        ln_error(report, LN_NOWHERE, "neither '%s' nor '%s' begins with the rows of the checkpoint; a run goes on in the result "
                 "it has begun, give that with --output", csv->part, path);
    release(csv);
    return NULL;
}
