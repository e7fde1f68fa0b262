/* SPDX-License-Identifier: MIT */
/* Children: see child.h. What a child reads, and what it writes on stdout, are files without a
 * name; its stderr is a pipe, at whose end the child has ended. A child is collected (waitpid)
 * under the lock under which it is interrupted, so no signal can reach another process that got its
 * number. */
#include "studio/child.h"

#include "base/sys.h"
#include "base/visible.h"
#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MOST = 8,        /* children at once */
    NAME = 32,       /* bytes of a name */
    SAID = 1 << 20,  /* bytes of stderr that are kept */
    LINE = 1 << 16,  /* bytes of stderr without an end of line that are passed on as a line */
    HEARTBEAT = 1000 /* ms; a listener who has gone is noticed by it */
};

typedef struct child {
    pid_t pid; /* 0: the place is free; -1: taken, not started yet */
    char name[NAME];
} child;

struct ln_children {
    pthread_mutex_t lock;
    child all[MOST];
    const char *folder;
    int closed;
};

ln_children *ln_children_new(const char *folder) {
    ln_children *children = ln_sys->allocate(sizeof *children);
    if (children == NULL)
        return NULL;
    *children = (ln_children){.folder = folder};
    if (pthread_mutex_init(&children->lock, NULL) == 0)
        return children;
    ln_sys->release(children);
    return NULL;
}

void ln_children_close(ln_children *children) {
    (void)pthread_mutex_lock(&children->lock);
    children->closed = 1;
    for (int k = 0; k < MOST; k++)
        if (children->all[k].pid > 0)
            (void)kill(-children->all[k].pid, SIGKILL);
    (void)pthread_mutex_unlock(&children->lock);
}

void ln_children_free(ln_children *children) {
    if (children == NULL)
        return;
    (void)pthread_mutex_destroy(&children->lock);
    ln_sys->release(children);
}

int ln_children_stop(ln_children *children, const char *name, int force) {
    int found = 0;
    (void)pthread_mutex_lock(&children->lock);
    for (int k = 0; k < MOST; k++)
        if (children->all[k].pid > 0 && name[0] != '\0' &&
            strcmp(children->all[k].name, name) == 0) {
            (void)kill(-children->all[k].pid, force ? SIGKILL : SIGINT);
            found = 1;
        }
    (void)pthread_mutex_unlock(&children->lock);
    return found;
}

/* ---- start and end ---- */

/* A file without a name in the private folder; -1 with errno. */
static int open_nameless(const ln_children *children) {
    char path[4096];
    const int length = snprintf(path, sizeof path, "%s/XXXXXX", children->folder);
    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    const int file = mkostemp(path, O_CLOEXEC);
    if (file >= 0)
        (void)unlink(path);
    return file;
}

static int open_input(const ln_children *children, const ln_child_order *order) {
    const int file = open_nameless(children);
    if (file >= 0 && ln_sys_write_all(file, order->text, order->length) &&
        lseek(file, 0, SEEK_SET) == 0)
        return file;
    if (file >= 0)
        (void)close(file);
    return -1;
}

static int take_place(ln_children *children, const char *name) {
    int place = LN_CHILD_BUSY;
    (void)pthread_mutex_lock(&children->lock);
    for (int k = 0; k < MOST && place < 0 && !children->closed; k++)
        if (children->all[k].pid == 0) {
            place = k;
            children->all[k].pid = -1;
            snprintf(children->all[k].name, NAME, "%s", name != NULL ? name : "");
        }
    (void)pthread_mutex_unlock(&children->lock);
    return place;
}

/* Starts a child that writes to `output`; its place, with the end from which its stderr is read, or
 * BUSY, FAILED. */
static int start(ln_children *children, const ln_child_order *order, int output, int *errors) {
    int pipes[2], input = -1;
    pid_t pid = 0;
    const int place = take_place(children, order->name);
    if (place < 0)
        return place;
    int made = pipe2(pipes, O_CLOEXEC) == 0;
    if (made)
        input = open_input(children, order);
    const ln_sys_start begin = {
        order->arguments, order->folder, {input, output, made ? pipes[1] : -1}};
    const int started = input >= 0 && ln_sys->start(&begin, &pid) == 0;
    const int reason = errno;
    (void)pthread_mutex_lock(&children->lock);
    children->all[place].pid = started ? pid : 0;
    if (started && children->closed)
        (void)kill(-pid, SIGKILL);
    (void)pthread_mutex_unlock(&children->lock);
    if (input >= 0)
        (void)close(input);
    if (made)
        (void)close(pipes[1]);
    if (made && !started)
        (void)close(pipes[0]);
    *errors = made ? pipes[0] : -1;
    errno = reason;
    return started ? place : LN_CHILD_FAILED;
}

/* Waits for the end of a child, whose place is free then. Its exit status. */
static int end(ln_children *children, int place) {
    const pid_t pid = children->all[place].pid;
    int state = 0;
    siginfo_t info;
    while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR)
        continue;
    (void)pthread_mutex_lock(&children->lock);
    (void)kill(-pid, SIGKILL); /* what it may have started itself */
    while (waitpid(pid, &state, 0) < 0 && errno == EINTR)
        continue;
    children->all[place].pid = 0;
    (void)pthread_mutex_unlock(&children->lock);
    return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}

static void end_by_force(ln_children *children, int place) {
    (void)pthread_mutex_lock(&children->lock);
    (void)kill(-children->all[place].pid, SIGKILL);
    (void)pthread_mutex_unlock(&children->lock);
}

/* ---- to its end ---- */

/* Waits for something to read until `until` on the clock; 0 when the time is over. */
static int wait_for(int file, double until) {
    for (;;) {
        const double left = until - ln_sys->clock();
        struct pollfd one = {file, POLLIN, 0};
        const int ready = left > 0 ? poll(&one, 1, left < 1e6 ? (int)(1e3 * left) + 1 : -1) : 0;
        if (ready >= 0 || errno != EINTR)
            return ready > 0;
    }
}

/* Reads stderr to its end. 0 when the time is over. */
static int hear(int errors, double until, ln_text *said) {
    char block[4096];
    while (wait_for(errors, until)) {
        const ssize_t got = ln_sys->read(errors, block, sizeof block);
        if (got == 0 || (got < 0 && errno != EINTR))
            return 1;
        if (got > 0 && said->length < SAID)
            ln_text_add_bytes(said, block, (size_t)got);
    }
    return 0;
}

static void read_output(int output, ln_text *wrote) {
    char block[16384];
    ssize_t got = lseek(output, 0, SEEK_SET) == 0 ? 1 : 0;
    while (got > 0 && wrote->length < LN_CHILD_WROTE) {
        got = ln_sys->read(output, block, sizeof block);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got > 0)
            ln_text_add_bytes(wrote, block, (size_t)got);
    }
}

int ln_child_run(ln_children *children, const ln_child_order *order, double seconds, ln_text *wrote,
                 ln_text *said) {
    int errors;
    const int output = open_nameless(children);
    if (output < 0)
        return LN_CHILD_FAILED;
    const int place = start(children, order, output, &errors);
    int status = place;
    if (place >= 0) {
        if (!hear(errors, ln_sys->clock() + seconds, said)) {
            end_by_force(children, place);
            ln_text_printf(said, "linnet: ended by the studio after %g s\n", seconds);
        }
        (void)close(errors);
        status = end(children, place);
        read_output(output, wrote);
        ln_visible_clean(said);
    }
    const int reason = errno;
    (void)close(output);
    errno = reason;
    return status;
}

/* ---- as a stream ---- */

struct ln_child_stream {
    ln_children *children;
    int place, errors; /* errors -1: the child has ended */
    ln_text line;      /* the beginning of a line */
    ln_text out;       /* what is to be read, from `given` on */
    size_t given;
};

ln_child_stream *ln_child_stream_new(ln_children *children, const ln_child_order *order,
                                     const char *first, int *why) {
    ln_child_stream *stream = ln_sys->allocate(sizeof *stream);
    const int nowhere = stream != NULL ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
    *why = LN_CHILD_FAILED;
    if (nowhere < 0) {
        ln_sys->release(stream);
        return NULL;
    }
    *stream = (ln_child_stream){.children = children, .errors = -1};
    *why = stream->place = start(children, order, nowhere, &stream->errors);
    const int reason = errno;
    (void)close(nowhere);
    errno = reason;
    if (stream->place < 0) {
        ln_sys->release(stream);
        return NULL;
    }
    ln_text_add(&stream->out, first);
    return stream;
}

/* {"KEY": value} and the end of a line; the value is consumed. */
static void put(ln_child_stream *stream, const char *key, json_t *value) {
    json_t *event = json_pack("{s:o}", key, value);
    char *text = event != NULL ? json_dumps(event, JSON_COMPACT) : NULL;
    if (text == NULL)
        stream->out.failed = 1;
    else {
        ln_text_add(&stream->out, text);
        ln_text_add(&stream->out, "\n");
    }
    ln_sys->release(text);
    json_decref(event);
}

static void put_line(ln_child_stream *stream) {
    ln_visible_clean(&stream->line);
    put(stream, "line", json_string(stream->line.data != NULL ? stream->line.data : ""));
    ln_text_free(&stream->line);
    stream->line = (ln_text){0};
}

static void take(ln_child_stream *stream, const char *bytes, size_t length) {
    while (length > 0) {
        const char *stop = memchr(bytes, '\n', length);
        const size_t part = stop != NULL ? (size_t)(stop - bytes) : length;
        ln_text_add_bytes(&stream->line, bytes, part);
        if (stop != NULL || stream->line.length > LINE)
            put_line(stream);
        bytes += part + (stop != NULL);
        length -= part + (stop != NULL);
    }
}

static void finish(ln_child_stream *stream) {
    (void)close(stream->errors);
    stream->errors = -1;
    if (stream->line.length > 0)
        put_line(stream);
    put(stream, "done", json_integer(end(stream->children, stream->place)));
}

ssize_t ln_child_stream_read(ln_child_stream *stream, char *buffer, size_t room) {
    char block[4096];
    while (stream->given == stream->out.length && stream->errors >= 0) {
        stream->given = stream->out.length = 0;
        if (!wait_for(stream->errors, ln_sys->clock() + HEARTBEAT * 1e-3)) {
            ln_text_add(&stream->out, "\n");
            break;
        }
        const ssize_t got = ln_sys->read(stream->errors, block, sizeof block);
        if (got > 0)
            take(stream, block, (size_t)got);
        else if (got == 0 || errno != EINTR)
            finish(stream);
    }
    if (stream->out.failed || stream->line.failed)
        return -1;
    const size_t left = stream->out.length - stream->given, count = left < room ? left : room;
    if (count > 0)
        memcpy(buffer, stream->out.data + stream->given, count);
    stream->given += count;
    return (ssize_t)count;
}

void ln_child_stream_free(ln_child_stream *stream) {
    if (stream == NULL)
        return;
    if (stream->errors >= 0) {
        end_by_force(stream->children, stream->place);
        (void)close(stream->errors);
        (void)end(stream->children, stream->place);
    }
    ln_text_free(&stream->line);
    ln_text_free(&stream->out);
    ln_sys->release(stream);
}
