/* SPDX-License-Identifier: MIT */
/* A program run as a child, or started as one. One that is run is fed by us and heard by us at the
 * same time, so neither side waits for the other.
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

/* Reads what the child says; what there is no room for is heard and forgotten. 0 at its end. */
static int hear(const ln_sys_child *child, int errors, size_t *heard) {
    char spare[512];
    int full = *heard + 1 >= child->room;
    ssize_t got = read(errors, full ? spare : child->said + *heard,
                       full ? sizeof spare : child->room - 1 - *heard);
    if (got < 0)
        return errno == EINTR || errno == EAGAIN;
    if (!full)
        *heard += (size_t)got;
    return got > 0;
}

/* Feeds and hears until the child closes its stderr, which at the latest its end does. */
static void talk(running *it, int input, int errors) {
    const ln_sys_child *child = it->child;
    const int patience = it->interrupted == NULL ? -1 : ASK;
    size_t given = 0, heard = 0;
    int hearing = 1;
    while (hearing) {
        stop_if_asked(it);
        if (input >= 0 && given == child->length) {
            (void)close(input);
            input = -1;
        }
        struct pollfd both[2] = {{errors, POLLIN, 0}, {input, POLLOUT, 0}};
        if (poll(both, 2, patience) < 0) {
            if (errno == EINTR)
                continue;
            break;
        }
        if (input >= 0 && both[1].revents != 0) {
            ssize_t sent = send(input, child->input + given, child->length - given,
                                MSG_NOSIGNAL | MSG_DONTWAIT);
            if (sent > 0)
                given += (size_t)sent;
            /* it reads no more */
            else if (errno != EINTR && errno != EAGAIN)
                given = child->length;
        }
        if (both[0].revents != 0)
            hearing = hear(child, errors, &heard);
    }
    child->said[heard] = '\0';
    if (input >= 0)
        (void)close(input);
}

int ln_process_run(const ln_sys_child *child, int (*interrupted)(void)) {
    int in[2], err[2];
    running it = {.child = child, .interrupted = interrupted};
    child->said[0] = '\0';
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) != 0)
        return -1;
    if (pipe2(err, O_CLOEXEC) != 0) {
        int reason = errno;
        (void)close(in[0]);
        (void)close(in[1]);
        errno = reason;
        return -1;
    }
    const ln_sys_start start = {child->arguments, NULL, {in[1], child->output, err[1]}};
    int reason = spawn(&start, interrupted != NULL ? POSIX_SPAWN_SETPGROUP : 0, &it.pid);
    (void)close(in[1]);
    (void)close(err[1]);
    if (reason == 0)
        talk(&it, in[0], err[0]);
    else
        (void)close(in[0]);
    (void)close(err[0]);
    errno = reason;
    if (reason != 0)
        return -1;
    const int state = collect(&it);
    if (state < 0)
        return -1;
    if (it.until > 0) {
        errno = EINTR;
        return -1;
    }
    return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}
