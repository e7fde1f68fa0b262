/* SPDX-License-Identifier: MIT */
/* The file a trajectory is being written to, whatever its format: bytes gather in a buffer and go
 * out 64 KiB at a time.
 *
 * A file is written as `path`.part and gets its name when it is whole rows from the first to the
 * last; what a full disk or a crash leaves behind keeps the name .part. Devices and pipes are
 * written as they are. The first failure is reported, later calls only repeat its status. A reader
 * of our standard output that goes away is no news to anyone: LINNET_IO without a message (the
 * program ignores SIGPIPE). */
#ifndef LN_RESULT_FILE_H
#define LN_RESULT_FILE_H

#include "base/report.h"
#include <stddef.h>

enum { LN_FILE_BUFFER = 64 * 1024 };

/* Part of a sink, which looks at status and sets has_rows; the rest is private. */
typedef struct ln_file {
    linnet_status status;
    int has_rows;
    ln_report *report;
    int fd;
    long long length; /* bytes in the file, and their CRC-32 */
    unsigned long sum;
    char *path, *part; /* part NULL: written in place */
    size_t used;
    char buffer[LN_FILE_BUFFER];
} ln_file;

/* Opens it to be written, "-" is the standard output; or to go on with a result of which the first
 * `length` bytes, with this CRC-32, are kept. 1 on success; else all is given back, and the failure
 * was reported. */
int ln_file_open(ln_file *file, const char *path, ln_report *report);
/* behind all that it holds; its CRC-32 is then void */
int ln_file_add(ln_file *file, const char *path, ln_report *report);
int ln_file_resume(ln_file *file, const char *path, long long length, unsigned long sum,
                   ln_report *report);

/* Append; what goes wrong is in file->status. */
void ln_file_byte(ln_file *file, char c);
void ln_file_text(ln_file *file, const char *text);
void ln_file_number(ln_file *file, double value);
void ln_file_bytes(ln_file *file, const void *bytes, size_t count);
/* Writes over what was written at this offset; not on pipes. The CRC-32 is then void. */
void ln_file_patch(ln_file *file, long long offset, const void *bytes, size_t count);

/* Everything so far is in the file, whole and safe: *length bytes whose CRC-32 is *sum. */
linnet_status ln_file_mark(ln_file *file, long long *length, unsigned long *sum);
/* The end; gives the file its name. complete 0: the run stopped early; without rows it then leaves
 * nothing, and least of all in the place of an older result. */
linnet_status ln_file_close(ln_file *file, int complete);

#endif
