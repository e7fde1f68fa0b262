/* SPDX-License-Identifier: MIT */
/* Result files: see file.h. */
#include "result/file.h"

#include "base/output.h"
#include "base/part.h"
#include "base/sys.h"
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { NUMBER = 33 /* bytes of a number at most */ };

/* ---- writing ---- */

static linnet_status fail(ln_file *file, const char *what) {
    int reason = errno;
    file->status = LINNET_IO;
    if (reason == EPIPE)
        return LINNET_IO;
    const char *shown = strcmp(file->path, "-") == 0 ? "the standard output" : file->path;
    if (file->part != NULL && file->fd >= 0 && access(file->part, F_OK) == 0)
        ln_error(file->report, LN_NOWHERE, "cannot %s '%s': %s; the rows so far are in '%s'", what,
                 shown, strerror(reason), file->part);
    else
        ln_error(file->report, LN_NOWHERE, "cannot %s '%s': %s", what, shown, ln_part_why(reason));
    return LINNET_IO;
}

static linnet_status flush(ln_file *file) {
    file->sum = crc32(file->sum, (const unsigned char *)file->buffer, (uInt)file->used);
    file->length += (long long)file->used;
    if (file->status == LINNET_OK && !ln_sys_write_all(file->fd, file->buffer, file->used))
        fail(file, "write");
    file->used = 0;
    return file->status;
}

void ln_file_byte(ln_file *file, char c) {
    if (file->used == LN_FILE_BUFFER)
        flush(file);
    file->buffer[file->used++] = c;
}

void ln_file_bytes(ln_file *file, const void *bytes, size_t count) {
    for (const char *from = bytes; count > 0;) {
        if (file->used == LN_FILE_BUFFER)
            flush(file);
        size_t room = LN_FILE_BUFFER - file->used, part = count < room ? count : room;
        memcpy(file->buffer + file->used, from, part);
        file->used += part;
        from += part;
        count -= part;
    }
}

void ln_file_text(ln_file *file, const char *text) {
    ln_file_bytes(file, text, strlen(text));
}

void ln_file_number(ln_file *file, double value) {
    if (file->used + NUMBER > LN_FILE_BUFFER)
        flush(file);
    file->used += (size_t)ln_number_format(file->buffer + file->used, value);
}

void ln_file_patch(ln_file *file, long long offset, const void *bytes, size_t count) {
    assert(offset >= 0 && file->part != NULL); /* standard output cannot be gone back in */
    if (file->status != LINNET_OK || flush(file) != LINNET_OK)
        return;
    ssize_t wrote = ln_sys->write_at(file->fd, bytes, count, (off_t)offset);
    if (wrote >= 0 && wrote < (ssize_t)count)
        errno = ENOSPC;
    if (wrote < (ssize_t)count)
        fail(file, "write");
}

linnet_status ln_file_mark(ln_file *file, long long *length, unsigned long *sum) {
    if (file->status == LINNET_OK)
        flush(file);
    if (file->status == LINNET_OK && file->part != NULL && ln_sys->sync(file->fd) != 0)
        fail(file, "write");
    *length = file->length;
    *sum = file->sum;
    return file->status;
}

/* ---- closing ---- */

static void release(ln_file *file) {
    ln_sys->release(file->path);
    ln_sys->release(file->part);
    file->path = file->part = NULL;
}

/* The part file's end: it gets its name, or goes, or stays as it is after a failure. */
static void close_part(ln_file *file, int complete) {
    const int fd = file->fd, fine = file->status == LINNET_OK, empty = !complete && !file->has_rows;
    if (fine && empty)
        (void)ln_sys->remove(file->part);
    const int failed = ln_part_close(fd, file->part, fine && !empty ? file->path : NULL);
    if (fine && failed)
        fail(file, failed == LN_PART_UNNAMED ? "name" : "write");
}

linnet_status ln_file_close(ln_file *file, int complete) {
    if (file->status == LINNET_OK)
        flush(file);
    if (file->part != NULL)
        close_part(file, complete);
    else if (file->fd != ln_output() && ln_sys->close(file->fd) != 0 && file->status == LINNET_OK)
        fail(file, "write");
    release(file);
    return file->status;
}

/* ---- opening ---- */

static char *join(const char *a, const char *b) {
    size_t la = strlen(a), lb = strlen(b);
    char *text = ln_sys->allocate(la + lb + 1);
    if (text == NULL)
        return NULL;
    memcpy(text, a, la);
    memcpy(text + la, b, lb + 1);
    return text;
}

/* A result takes the place of a file, but not of one that is protected, and a device stays what it
 * is. */
static int open_target(ln_file *file) {
    struct stat info;
    file->fd = -1;
    if (strcmp(file->path, "-") == 0) {
        file->fd = ln_output();
        return 1;
    }
    int exists = stat(file->path, &info) == 0;
    if (exists && (S_ISDIR(info.st_mode) || access(file->path, W_OK) != 0)) {
        if (S_ISDIR(info.st_mode))
            errno = EISDIR;
        fail(file, "write");
        return 0;
    }
    int in_place = exists && !S_ISREG(info.st_mode);
    if (!in_place && (file->part = join(file->path, ".part")) == NULL) {
        ln_no_memory(file->report);
        return 0;
    }
    file->fd = in_place ? ln_sys->open_write(file->path) : ln_part_open(file->part, 0);
    if (file->fd >= 0)
        return 1;
    fail(file, "write");
    return 0;
}

/* Knows its path and nothing more; 0, reported, when that leads nowhere or memory is short. */
static int begin(ln_file *file, const char *path, ln_report *report) {
    memset(file, 0, offsetof(ln_file, buffer));
    file->report = report;
    file->sum = crc32(0, NULL, 0);
    return ln_part_target(path, report, &file->path) == LINNET_OK;
}

int ln_file_open(ln_file *file, const char *path, ln_report *report) {
    int opened = begin(file, path, report) && open_target(file);
    if (!opened)
        release(file);
    return opened;
}

/* ---- going on ---- */

/* Does the file begin with these bytes? Reads it through the buffer. */
static int begins_so(ln_file *file, long long length, unsigned long sum) {
    unsigned long found = crc32(0, NULL, 0);
    long long left = length;
    while (left > 0) {
        ssize_t got = ln_sys->read(file->fd, file->buffer,
                                   left < LN_FILE_BUFFER ? (size_t)left : LN_FILE_BUFFER);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return 0;
        found = crc32(found, (const unsigned char *)file->buffer, (uInt)got);
        left -= got;
    }
    return found == sum;
}

/* Opens `name` (file->part or file->path) if it is that result, cut to its length, as file->part.
 */
static int take_up(ln_file *file, const char *name, long long length, unsigned long sum) {
    file->fd = ln_part_again(name);
    if (file->fd < 0)
        return 0;
    if (begins_so(file, length, sum) && ln_sys->truncate(file->fd, (off_t)length) == 0 &&
        (name == file->part || ln_sys->rename(name, file->part) == 0))
        return 1;
    ln_sys->close(file->fd);
    file->fd = -1;
    errno = 0;
    return 0;
}

/* A finished result becomes a part file again, unless another process writes either. -1 with errno.
 */
static int move_to_part(const char *path, const char *part) {
    int fd = ln_part_again(path);
    const int held = fd >= 0 ? ln_part_open(part, 1) : -1;
    if (held >= 0 && ln_sys->rename(path, part) == 0) {
        (void)ln_sys->close(held);
        return fd;
    }
    const int reason = errno;
    if (held >= 0)
        (void)ln_sys->close(held);
    if (fd >= 0)
        (void)ln_sys->close(fd);
    errno = reason;
    return -1;
}

int ln_file_add(ln_file *file, const char *path, ln_report *report) {
    struct stat info;
    if (!begin(file, path, report))
        return 0;
    file->has_rows = 1;
    file->fd = -1;
    file->part = join(file->path, ".part");
    if (file->part == NULL) {
        ln_no_memory(report);
    } else {
        file->fd = move_to_part(file->path, file->part);
        /* without O_APPEND, under which Linux would put what ln_file_patch() writes at the end, too
         */
        if (file->fd >= 0 && fcntl(file->fd, F_SETFL, 0) == 0 && stat(file->part, &info) == 0 &&
            lseek(file->fd, 0, SEEK_END) >= 0) {
            file->length = info.st_size;
            return 1;
        }
        fail(file, "go on with");
        if (file->fd >= 0)
            ln_sys->close(file->fd);
    }
    release(file);
    return 0;
}

int ln_file_resume(ln_file *file, const char *path, long long length, unsigned long sum,
                   ln_report *report) {
    if (!begin(file, path, report))
        return 0;
    file->has_rows = 1;
    file->length = length;
    file->sum = sum;
    file->part = join(file->path, ".part");
    if (file->part == NULL)
        ln_no_memory(report);
    else if (take_up(file, file->part, length, sum))
        return 1;
    else if (errno == EWOULDBLOCK)
        fail(file, "go on with");
    else if (take_up(file, file->path, length, sum))
        return 1;
    else
        ln_error(report, LN_NOWHERE,
                 "neither '%s' nor '%s' begins with the rows of the checkpoint; a run goes on in "
                 "the result "
                 "it has begun, give that with --output",
                 file->part, path);
    release(file);
    return 0;
}
