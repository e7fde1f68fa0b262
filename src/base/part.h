/* SPDX-License-Identifier: MIT */
/* The file that a result is written to before it bears its name: `path`.part. One process at a time
 * writes it: it is held by a lock (flock), which ends with the process whatever ends it, so a file
 * that a crash left behind is no obstacle. */
#ifndef LN_BASE_PART_H
#define LN_BASE_PART_H

#include "base/report.h"

/* The file that a result of this name is to be, the caller's (ln_sys->release): of a symbolic link
 * the file that it leads to, there or not, for a link stays what it is and the part file must be on
 * the file system of the file; else the name itself. LINNET_IO, reported: links lead in a circle.
 */
linnet_status ln_part_target(const char *path, ln_report *report, char **target);
/* Opens the part file, which is made if it is not there, and locks it. `keep` 0: emptied. -1 with
 * errno, EWOULDBLOCK when another process holds it. */
int ln_part_open(const char *part, int keep);
/* Opens a file that exists to be gone on with, reading and writing behind its end, and locks it. -1
 * as above. */
int ln_part_again(const char *path);
/* Has this process opened one, by either? May be asked in a signal handler. */
int ln_part_is_begun(void);
/* Closes it when all is safely in the file, and gives it its name while it is still held (path
 * NULL: no name), which a device or a pipe does not lose. 0; with errno LN_PART_UNSAFE when the
 * file may not hold all, LN_PART_UNNAMED when it has kept the name `part`. */
enum { LN_PART_UNSAFE = -1, LN_PART_UNNAMED = -2 };
int ln_part_close(int fd, const char *part, const char *path);
/* What an errno of a part file means to a user. */
const char *ln_part_why(int reason);

#endif
