/* SPDX-License-Identifier: MIT */
/* A program run as a child, or started as one. One that is run is fed by us and heard by us at the
 * same time, so neither side waits for the other. What it writes comes to us, too, and we write it:
 * many programs, gnuplot among them, never look whether what they wrote was taken, and end with
 * status 0 on a full disk.
 *
 * What it reads comes through a socket, not a pipe: writing to one whose reader has gone can be
 * asked not to raise SIGPIPE (MSG_NOSIGNAL), whatever the program around the library does with that
 * signal. */
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* The three descriptors become the child's 0, 1 and 2, in this order: none of them may be a lower
 * one of these. SIGPIPE, which our program ignores, ends the child as usual. 0, or an errno. */
static int act(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes,
               const ln_sys_start *child, short flags) {
    sigset_t defaults;
    (void)sigemptyset(&defaults);
    (void)sigaddset(&defaults, SIGPIPE);
    int reason = posix_spawnattr_setsigdefault(attributes, &defaults);
    if (reason == 0)
        reason = posix_spawnattr_setflags(attributes, (short)(POSIX_SPAWN_SETSIGDEF | flags));
    for (int k = 0; k < 3 && reason == 0; k++)
        reason = posix_spawn_file_actions_adddup2(actions, child->streams[k], k);
    if (reason == 0 && child->folder != NULL)
        reason = posix_spawn_file_actions_addchdir_np(actions, child->folder);
    return reason;
}

static int spawn(const ln_sys_start *child, short flags, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int reason = posix_spawn_file_actions_init(&actions);
    if (reason != 0)
        return reason;
    reason = posix_spawnattr_init(&attributes);
    if (reason == 0) {
        reason = act(&actions, &attributes, child, flags);
        /* execvp does not write to its arguments (POSIX says so, and why the type cannot) */
        union {
            const char *const *given;
            char *const *taken;
        } arguments = {child->arguments};
        if (reason == 0)
            reason = posix_spawnp(pid, child->arguments[0], &actions, &attributes, arguments.taken,
                                  environ);
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return reason;
}

int ln_process_start(const ln_sys_start *child, pid_t *pid) {
    errno = spawn(child, POSIX_SPAWN_SETPGROUP, pid);
    return errno == 0 ? 0 : -1;
}

/* ---- its end ---- */

enum { ASK = 100 /* ms between two questions whether it is to be stopped */ };
static const double GRACE = 6; /* s; a Linnet that is interrupted takes 5 at most */

/* Where signals are looked for a child has a process group of its own, with all that it starts. */
typedef struct running {
    const ln_sys_child *child;
    int (*interrupted)(void);
    pid_t pid;
    double until; /* on the clock: when it is killed; 0: nobody has asked for its end */
} running;

static double seconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void stop_if_asked(running *it) {
    if (it->interrupted == NULL)
        return;
    if (it->until > 0) {
        if (seconds() > it->until)
            (void)kill(-it->pid, SIGKILL);
        return;
    }
    const int signal_number = it->interrupted();
    if (signal_number == 0)
        return;
    (void)kill(-it->pid, signal_number);
    it->until = seconds() + GRACE;
}

/* Waits for its end: the state, or -1 with errno. */
static int collect(running *it) {
    int state = 0;
    const int patient = it->interrupted == NULL;
    for (;;) {
        const pid_t ended = waitpid(it->pid, &state, patient ? 0 : WNOHANG);
        if (ended == it->pid)
            return state;
        if (ended < 0 && errno != EINTR)
            return -1;
        stop_if_asked(it);
        if (!patient)
            (void)poll(NULL, 0, ASK / 10);
    }
}

/* ---- its streams ---- */

/* Our ends of the child's streams, -1 once closed, and how far each has come. */
typedef struct streams {
    int input, errors, output;
    size_t given, heard;
    char taken[4096]; /* what it wrote and we have not handed on */
    size_t ntaken, handed;
    ssize_t (*write)(int fd, const void *buffer, size_t bytes);
    int reason; /* errno: what it wrote cannot be written; 0: it can */
} streams;

static void shut(int *fd) {
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

static int is_later(ssize_t got) {
    return got < 0 && (errno == EINTR || errno == EAGAIN);
}

/* Reads what the child says; what there is no room for is heard and forgotten. */
static void hear(const ln_sys_child *child, streams *it) {
    char spare[512];
    int full = it->heard + 1 >= child->room;
    ssize_t got = read(it->errors, full ? spare : child->said + it->heard,
                       full ? sizeof spare : child->room - 1 - it->heard);
    if (got > 0)
        it->heard += full ? 0 : (size_t)got;
    else if (!is_later(got))
        shut(&it->errors);
}

static void feed(const ln_sys_child *child, streams *it) {
    ssize_t sent = send(it->input, child->input + it->given, child->length - it->given,
                        MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0)
        it->given += (size_t)sent;
    else if (!is_later(sent)) /* it reads no more */
        it->given = child->length;
}

static void take(streams *it) {
    const ssize_t got = read(it->output, it->taken + it->ntaken, sizeof it->taken - it->ntaken);
    if (got > 0)
        it->ntaken += (size_t)got;
    else if (!is_later(got))
        shut(&it->output);
}

/* Is there something to hand on? A whole block, or what is left at the end: so the calls do not
 * depend on when the child writes what, and a pipe that has room takes it without waiting. */
static int holds(const streams *it) {
    return it->ntaken == sizeof it->taken || (it->output < 0 && it->ntaken > 0);
}

/* A child whose output cannot be written is not heard to its end. */
static void hand_on(const ln_sys_child *child, streams *it) {
    const ssize_t wrote = it->write(child->output, it->taken + it->handed, it->ntaken - it->handed);
    if (wrote > 0)
        it->handed += (size_t)wrote;
    else if (!is_later(wrote)) {
        it->reason = wrote == 0 ? ENOSPC : errno;
        it->handed = it->ntaken;
        shut(&it->output);
    }
    if (it->handed == it->ntaken)
        it->handed = it->ntaken = 0;
}

/* Feeds, hears and hands on until the child closes its stderr and its output, which at the latest
 * its end does. */
static void talk(running *run, streams *it) {
    const ln_sys_child *child = run->child;
    const int patience = run->interrupted == NULL ? -1 : ASK;
    while (it->errors >= 0 || it->output >= 0 || holds(it)) {
        stop_if_asked(run);
        if (it->given == child->length)
            shut(&it->input);
        const int full = holds(it);
        struct pollfd all[3] = {{it->errors, POLLIN, 0},
                                {it->input, POLLOUT, 0},
                                {full ? child->output : it->output, full ? POLLOUT : POLLIN, 0}};
        if (poll(all, 3, patience) < 0) {
            if (errno == EINTR)
                continue;
            break;
        }
        if (all[0].revents != 0)
            hear(child, it);
        if (all[1].revents != 0)
            feed(child, it);
        if (all[2].revents != 0 && full)
            hand_on(child, it);
        else if (all[2].revents != 0)
            take(it);
    }
    child->said[it->heard] = '\0';
    shut(&it->input);
}

/* Three streams: a socket that it reads, pipes that it writes; ours of each pair is in `it`, its
 * own in `theirs`. 0, or an errno. */
static int open_streams(streams *it, int theirs[3]) {
    int pairs[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    int reason = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pairs[0]) != 0 ||
        pipe2(pairs[1], O_CLOEXEC) != 0 || pipe2(pairs[2], O_CLOEXEC) != 0)
        reason = errno;
    for (int k = 0; k < 3 && reason != 0; k++) {
        shut(&pairs[k][0]);
        shut(&pairs[k][1]);
    }
    it->input = pairs[0][0];
    it->output = pairs[1][0];
    it->errors = pairs[2][0];
    for (int k = 0; k < 3; k++)
        theirs[k] = pairs[k][1];
    return reason;
}

int ln_process_run(const ln_sys_child *child, int (*interrupted)(void),
                   ssize_t (*write)(int fd, const void *buffer, size_t bytes)) {
    running it = {.child = child, .interrupted = interrupted};
    streams ours = {.write = write};
    ln_sys_start start = {.arguments = child->arguments};
    child->said[0] = '\0';
    int reason = open_streams(&ours, start.streams);
    if (reason == 0)
        reason = spawn(&start, interrupted != NULL ? POSIX_SPAWN_SETPGROUP : 0, &it.pid);
    for (int k = 0; k < 3; k++)
        shut(&start.streams[k]);
    if (reason == 0)
        talk(&it, &ours);
    shut(&ours.input);
    shut(&ours.output);
    shut(&ours.errors);
    errno = reason;
    if (reason != 0)
        return -1;
    const int state = collect(&it);
    if (state < 0)
        return -1;
    errno = it.until > 0 ? EINTR : ours.reason;
    if (errno != 0)
        return it.until > 0 ? -1 : LN_UNWRITTEN;
    return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}
