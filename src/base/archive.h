/* SPDX-License-Identifier: MIT */
/* ZIP archives (FMUs), by libzip, which is loaded when the first archive is made or read: it brings
 * libraries along that would slow the start of every other command. */
#ifndef LN_BASE_ARCHIVE_H
#define LN_BASE_ARCHIVE_H

#include "base/report.h"
#include "base/arena.h"

typedef struct ln_text ln_text;

typedef struct ln_archive_file {
    const char *name; /* "sources/model.c" */
    const char *data;
    size_t length;
} ln_archive_file;

/* Appends the archive of these files to `bytes`; the same files give the same bytes. LINNET_IO,
 * reported: there is no libzip. */
linnet_status ln_archive_make(const ln_archive_file *files, int count, ln_text *bytes,
                              ln_report *report);

/* An archive to be read, whose bytes are the caller's and outlive it. */
typedef struct ln_archive ln_archive;

/* Looks an archive over before anything of it is used. LINNET_IO, reported with `path`: it is
 * damaged, encrypted, holds a name twice, names that lead out of a folder or through more than 64,
 * symbolic links, more than 10 000 files or more than a gigabyte. NULL is freed, too. */
linnet_status ln_archive_open(const char *path, const ln_text *bytes, ln_report *report,
                              ln_archive **archive);
void ln_archive_close(ln_archive *archive);

/* Appends a file of the archive; of a name that is not there *found becomes 0. LINNET_IO, reported:
 * it is damaged, larger than `most`, or not of the size that the archive's list says. */
linnet_status ln_archive_read(ln_archive *archive, const char *name, size_t most, ln_text *bytes,
                              int *found);
/* The number of files and folders, and their names ("resources/", "resources/y.txt"). */
int ln_archive_count(const ln_archive *archive);
const char *ln_archive_name(const ln_archive *archive, int index);

#endif
