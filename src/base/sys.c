/* SPDX-License-Identifier: MIT */
/* The table that calls the operating system, and the count of allocations. */
#include "base/process.h"
#include "base/sys.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static atomic_ulong allocations;

static void *allocate(size_t bytes) {
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    return malloc(bytes > 0 ? bytes : 1);
}
static void *resize(void *block, size_t bytes) {
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    return realloc(block, bytes > 0 ? bytes : 1);
}
/* Calls are looked up when they are first made. */
static void *load_library(const char *file) {
    return dlopen(file, RTLD_LAZY | RTLD_LOCAL);
}
static int make_folder(const char *path) {
    return mkdir(path, 0777);
}
static int make_private_folder(const char *path) {
    return mkdir(path, 0700);
}
static int open_read(const char *path) {
    return open(path, O_RDONLY | O_CLOEXEC);
}
static int open_write(const char *path) {
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}
static int open_append(const char *path) {
    return open(path, O_RDWR | O_APPEND | O_CLOEXEC);
}
/* O_NONBLOCK: the opening of a FIFO would wait for a writer. */
static int open_plain(const char *path) {
    struct stat info;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || (fstat(fd, &info) == 0 && (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode))))
        return fd;
    (void)close(fd);
    errno = LN_NOT_PLAIN;
    return -1;
}
static int open_part(const char *path) {
    return open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
}
static int lock(int fd) {
    return flock(fd, LOCK_EX | LOCK_NB);
}
static double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int run(const ln_sys_child *child) {
    return ln_process_run(child, ln_sys->interrupted, ln_sys->write);
}

const ln_sys_table ln_sys_real = {
    .allocate = allocate,
    .resize = resize,
    .release = free,
    .open_read = open_read,
    .open_plain = open_plain,
    .open_write = open_write,
    .open_part = open_part,
    .lock = lock,
    .open_append = open_append,
    .truncate = ftruncate,
    .read = read,
    .write = write,
    .write_at = pwrite,
    .sync = fsync,
    .close = close,
    .rename = rename,
    .remove = unlink,
    .make_folder = make_folder,
    .make_private_folder = make_private_folder,
    .clock = clock_seconds,
    .run = run,
    .load_library = load_library,
    .start = ln_process_start,
};
const ln_sys_table *ln_sys = &ln_sys_real;

void *ln_sys_zeroed(size_t bytes) {
    if (ln_sys->allocate != allocate) { /* a test's, which may fail */
        void *block = ln_sys->allocate(bytes);
        return block != NULL ? memset(block, 0, bytes) : NULL;
    }
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    return calloc(bytes > 0 ? bytes : 1, 1);
}

int ln_sys_write_all(int fd, const void *bytes, size_t length) {
    for (const char *from = bytes; length > 0;) {
        const ssize_t wrote = ln_sys->write(fd, from, length);
        if (wrote > 0) {
            from += wrote;
            length -= (size_t)wrote;
        } else if (wrote == 0 || errno != EINTR) {
            if (wrote == 0)
                errno = ENOSPC;
            return 0;
        }
    }
    return 1;
}

unsigned long ln_sys_allocations(void) {
    return atomic_load_explicit(&allocations, memory_order_relaxed);
}
