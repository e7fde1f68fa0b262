/* SPDX-License-Identifier: MIT */
/* Part files: see part.h. */
#include "base/part.h"

#include "base/sys.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* each one means that another process gave its result a name in between */
enum { TRIES = 100 };
/* that lead to one another; as the system follows (Linux: 40) */
enum { LINKS = 40 };

/* Where a link leads, seen from its folder: replaces its name. */
static void follow(ln_text *name, const char *link, size_t length) {
    const char *slash = strrchr(name->data, '/');
    name->length = link[0] != '/' && slash != NULL ? (size_t)(slash - name->data) + 1 : 0;
    ln_text_add_bytes(name, link, length);
}

linnet_status ln_part_target(const char *path, ln_report *report, char **target) {
    ln_text name = {0};
    struct stat there;
    ssize_t length = 0;
    /* a device or a pipe takes the bytes by the name that it has */
    const int links = stat(path, &there) == 0 && !S_ISREG(there.st_mode) ? 0 : LINKS;
    ln_text_printf(&name, "%s", path);
    for (int k = 0; k < links && !name.failed && length >= 0; k++) {
        char link[PATH_MAX];
        length = readlink(name.data, link, sizeof link);
        if (length > 0)
            follow(&name, link, (size_t)length);
    }
    *target = name.data;
    if (!name.failed && (links == 0 || length < 0))
        return LINNET_OK;
    const int failed = name.failed;
    *target = NULL;
    ln_text_free(&name);
    return failed ? ln_no_memory(report)
                  : ln_fail(report, LINNET_IO, LN_NOWHERE, "cannot write '%s': %s", path,
                            strerror(ELOOP));
}

/* Is the file that was opened still the one of this name? Its writer may have renamed it before the
 * lock was free. */
static int is_still(int fd, const char *part) {
    struct stat opened, named;
    return fstat(fd, &opened) == 0 && stat(part, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

static int give_up(int fd, int reason) {
    (void)ln_sys->close(fd);
    errno = reason;
    return -1;
}

/* Set by every thread that writes, read by a handler of signals: without a lock. */
static atomic_int is_begun;

int ln_part_is_begun(void) {
    return is_begun;
}

int ln_part_open(const char *part, int keep) {
    for (int k = 0; k < TRIES; k++) {
        const int fd = ln_sys->open_part(part);
        if (fd < 0)
            return -1;
        /* a file system without locks: the result is written all the same */
        if (ln_sys->lock(fd) != 0 && errno == EWOULDBLOCK)
            return give_up(fd, EWOULDBLOCK);
        if (!is_still(fd, part)) {
            (void)ln_sys->close(fd);
            continue;
        }
        if (!keep && ln_sys->truncate(fd, 0) != 0)
            return give_up(fd, errno);
        is_begun = 1;
        return fd;
    }
    errno = EWOULDBLOCK;
    return -1;
}

int ln_part_again(const char *path) {
    const int fd = ln_sys->open_append(path);
    if (fd >= 0 && ln_sys->lock(fd) != 0 && errno == EWOULDBLOCK)
        return give_up(fd, EWOULDBLOCK);
    if (fd >= 0)
        is_begun = 1;
    return fd;
}

/* A device or a pipe of the name is nothing to be replaced. */
static int is_replaceable(const char *path) {
    struct stat there;
    if (stat(path, &there) != 0 || S_ISREG(there.st_mode) || S_ISDIR(there.st_mode))
        return 1; /* rename() refuses a folder */
    errno = LN_NOT_PLAIN;
    return 0;
}

/* The lock belongs to the open file, so a second descriptor holds it while the first is closed,
 * which is when some file systems tell that they could not write. */
int ln_part_close(int fd, const char *part, const char *path) {
    const int held = path != NULL ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : -1;
    int failed = ln_sys->sync(fd) != 0 ? LN_PART_UNSAFE : 0, reason = errno;
    if (ln_sys->close(fd) != 0 && failed == 0)
        failed = LN_PART_UNSAFE, reason = errno;
    if (failed == 0 && path != NULL && (!is_replaceable(path) || ln_sys->rename(part, path) != 0))
        failed = LN_PART_UNNAMED, reason = errno;
    if (held >= 0)
        (void)close(held);
    errno = reason;
    return failed;
}

const char *ln_part_why(int reason) {
    if (reason == LN_NOT_PLAIN)
        return "it is a device or a pipe, which is not replaced; give another file";
    return reason == EWOULDBLOCK
               ? "another run of linnet is writing it; give another file, or wait for its end"
               : strerror(reason);
}
