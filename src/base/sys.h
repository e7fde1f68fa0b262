/* SPDX-License-Identifier: MIT */
/* Every call to the operating system that can fail, behind one table (after SQLite's VFS), so that
 * tests can make the k-th call fail. Code of all rooms goes through `ln_sys`, never to malloc or
 * open directly. */
#ifndef LN_BASE_SYS_H
#define LN_BASE_SYS_H

#include <errno.h>
#include <stddef.h>
#include <sys/types.h>

/* A program to run as a child, without a shell between. */
typedef struct ln_sys_child {
    const char *const *arguments; /* ends with NULL; the first is looked up in PATH */
    const char *input;            /* what it reads */
    size_t length;
    int output;  /* the descriptor that what it writes goes to, through us */
    char *said;  /* the beginning of what it says on stderr comes here, NUL-terminated */
    size_t room; /* of said, at least 1 */
} ln_sys_child;

/* A program to start as a child that works on while we do. */
typedef struct ln_sys_start {
    const char *const *arguments; /* as above */
    const char *folder;           /* where it works; NULL: where we do */
    int streams[3];               /* the descriptors that become its 0, 1 and 2 */
} ln_sys_start;

typedef struct ln_sys_table {
    void *(*allocate)(size_t bytes);            /* uninitialised; NULL when short */
    void *(*resize)(void *block, size_t bytes); /* as realloc */
    void (*release)(void *block);               /* NULL allowed */
    int (*open_read)(const char *path);         /* descriptor, or -1 with errno */
    /* a plain file only, never waiting: else LN_NOT_PLAIN */
    int (*open_plain)(const char *path);
    int (*open_write)(const char *path);  /* create or truncate, mode 0666 less umask */
    int (*open_part)(const char *path);   /* create or keep, to read and write */
    int (*lock)(int fd);                  /* for this process alone, without waiting: 0, or -1 */
    int (*open_append)(const char *path); /* reads and writes behind the end; it must exist */
    int (*truncate)(int fd, off_t length);
    ssize_t (*read)(int fd, void *buffer, size_t bytes); /* as read(2) */
    ssize_t (*write)(int fd, const void *buffer, size_t bytes);
    /* as pwrite(2) */
    ssize_t (*write_at)(int fd, const void *buffer, size_t bytes, off_t offset);
    int (*sync)(int fd);
    int (*close)(int fd);
    int (*rename)(const char *from, const char *to);
    int (*remove)(const char *path);
    int (*make_folder)(const char *path);         /* mode 0777 less umask; -1 with errno */
    int (*make_private_folder)(const char *path); /* mode 0700 */
    double (*clock)(void);                        /* seconds from an arbitrary origin, monotonic */
    /* runs a program to its end: its exit status, 128 + the signal that ended it, or -1 with errno:
     * EINTR where `interrupted` asked for the end; LN_UNWRITTEN with errno: what it wrote could not
     * be written */
    int (*run)(const ln_sys_child *child);
    /* The signal that asks this program to end, or 0; asked ten times a second while another one
     * runs, which then gets that signal, with all that it has started, and is killed if it stays.
     * NULL, in the library: nobody looks for signals. */
    int (*interrupted)(void);
    void *(*load_library)(const char *file); /* as dlopen(3), found as the program's own are */
    /* starts a program in a process group of its own, to be ended by kill(-pid) and collected by
     * waitpid(): 0, or -1 with errno */
    int (*start)(const ln_sys_start *child, pid_t *pid);
    /* 1: an arena takes memory for each piece by itself, so that each can fail, and a sanitizer
     * knows where it ends */
    int arena_pieces;
} ln_sys_table;

/* What `run` gives where the output of a program could not be written. */
enum { LN_UNWRITTEN = -2 };

/* The errno of open_plain for a pipe, a device, a socket. */
#define LN_NOT_PLAIN ENOTSUP

/* The table in use. Tests replace it; set-up code of the library never does. */
extern const ln_sys_table *ln_sys;
/* The one that calls the operating system. */
extern const ln_sys_table ln_sys_real;

/* As allocate, with zeros. Pages of the operating system come so: what is never touched takes no
 * memory. */
void *ln_sys_zeroed(size_t bytes);

/* Writes all of it, in as many calls as it takes: 1, or 0 with errno. */
int ln_sys_write_all(int fd, const void *bytes, size_t length);

/* Number of successful calls of allocate and resize since the start of the process (the test "no
 * allocation between accepted steps" reads it). */
unsigned long ln_sys_allocations(void);

#endif
