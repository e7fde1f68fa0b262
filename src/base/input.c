/* SPDX-License-Identifier: MIT */
/* Files read whole: see input.h. */
#include "base/input.h"

#include "base/sys.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { CHUNK = 16 * 1024 }; /* the stack may be small */

int ln_input_open(const char *path, ln_input_from from) {
    if (from == LN_FROM_MODEL)
        return ln_sys->open_plain(path);
    return strcmp(path, "-") == 0 ? STDIN_FILENO : ln_sys->open_read(path);
}

void ln_input_close(int fd) {
    if (fd > STDIN_FILENO)
        (void)ln_sys->close(fd);
}

const char *ln_input_why(int reason) {
    return reason == LN_NOT_PLAIN ? "it is a pipe or a device; a model names plain files only"
                                  : strerror(reason);
}

int ln_input_is_stream(const char *path) {
    struct stat info;
    if (strcmp(path, "-") == 0)
        return 1;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

static linnet_status cannot(const char *path, ln_report *report) {
    return ln_fail(report, LINNET_IO, LN_NOWHERE, "cannot read '%s': %s",
                   strcmp(path, "-") == 0 ? "the standard input" : path, ln_input_why(errno));
}

static linnet_status read_all(int fd, const char *path, size_t most, ln_report *report,
                              ln_text *bytes) {
    char chunk[CHUNK];
    while (bytes->length <= most) {
        const ssize_t got = ln_sys->read(fd, chunk, sizeof chunk);
        if (got == 0)
            break;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return cannot(path, report);
        ln_text_add_bytes(bytes, chunk, (size_t)got);
        if (bytes->failed)
            return ln_no_memory(report);
    }
    if (bytes->data == NULL)
        ln_text_add(bytes, "");
    return bytes->failed ? ln_no_memory(report) : LINNET_OK;
}

linnet_status ln_input_read(const char *path, ln_input_from from, size_t most, ln_report *report,
                            ln_text *bytes) {
    const int is_stream = from == LN_FROM_USER && ln_input_is_stream(path),
              fd = ln_input_open(path, from);
    if (fd < 0)
        return cannot(path, report);
    linnet_status status = read_all(
        fd, path, is_stream && most > LN_STREAM_BYTES ? LN_STREAM_BYTES : most, report, bytes);
    ln_input_close(fd);
    if (status == LINNET_OK && is_stream && bytes->length > LN_STREAM_BYTES)
        status = ln_fail(report, LINNET_IO, LN_NOWHERE,
                         "'%s' gives more than %zu MiB, the limit of what is no file", path,
                         LN_STREAM_BYTES >> 20);
    return status;
}

linnet_status ln_input_find_mark(const char *path, ln_report *report, ln_input_mark *mark) {
    unsigned long sum = crc32(0, NULL, 0);
    long long length = 0;
    unsigned char block[1 << 14];
    ssize_t got;
    mark->text[0] = '\0';
    if (ln_input_is_stream(path))
        return LINNET_OK;
    const int fd = ln_input_open(path, LN_FROM_MODEL);
    if (fd < 0)
        return cannot(path, report);
    while ((got = ln_sys->read(fd, block, sizeof block)) > 0 || (got < 0 && errno == EINTR)) {
        sum = got > 0 ? crc32(sum, block, (uInt)got) : sum;
        length += got > 0 ? got : 0;
    }
    const linnet_status status = got < 0 ? cannot(path, report) : LINNET_OK;
    ln_input_close(fd);
    snprintf(mark->text, sizeof mark->text, "%lld bytes, CRC-32 %08lx", length, sum);
    return status;
}
