/* SPDX-License-Identifier: MIT */
/* Files read whole, and the rule which files may be read.
 *
 * What a model names (includes, tables, references) must be a plain file: a FIFO would be waited
 * for without end, a device gives bytes without end. What the command line names may also be a
 * pipe, or "-", the standard input. */
#ifndef LN_BASE_INPUT_H
#define LN_BASE_INPUT_H

#include "base/report.h"
#include "base/arena.h"

typedef struct ln_text ln_text;

typedef enum ln_input_from { LN_FROM_MODEL, LN_FROM_USER } ln_input_from;

/* The most bytes that are read from a pipe or a device. */
#define LN_STREAM_BYTES ((size_t)1 << 30)

/* A descriptor to read from, to be closed by ln_input_close(); -1 with errno. */
int ln_input_open(const char *path, ln_input_from from);
void ln_input_close(int fd);
/* What an errno of the above means to a user. */
const char *ln_input_why(int reason);
/* 1 when the path is no plain file but a pipe, a device or "-": its bytes come once only. */
int ln_input_is_stream(const char *path);
/* Appends the bytes of a file to *bytes (data is then never NULL), which the caller frees in any
 * case. Of more than `most` bytes a few more than `most` are read: the caller's length tells.
 * Errors are told: LINNET_IO (a stream that gives more than LN_STREAM_BYTES is one), LINNET_MEMORY.
 */
linnet_status ln_input_read(const char *path, ln_input_from from, size_t most, ln_report *report,
                            ln_text *bytes);
/* What tells one file from another: "1234 bytes, CRC-32 89abcdef"; "" of a stream, which cannot be
 * read again. LINNET_IO is told. */
typedef struct ln_input_mark {
    char text[64];
} ln_input_mark;
linnet_status ln_input_find_mark(const char *path, ln_report *report, ln_input_mark *mark);

#endif
