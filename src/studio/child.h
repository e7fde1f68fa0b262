/* SPDX-License-Identifier: MIT */
/* The program itself as a child: commands on the text of a model, which is their standard input.
 * Several work at the same time; each can be interrupted by its name. */
#ifndef LN_STUDIO_CHILD_H
#define LN_STUDIO_CHILD_H

#include "base/arena.h"
#include <sys/types.h>

typedef struct ln_text ln_text;

typedef struct ln_children ln_children;

/* What a child is to do. Borrowed while it is started. */
typedef struct ln_child_order {
    const char *const *arguments; /* ends with NULL; the first is the program */
    const char *folder;           /* where it works */
    const char *text;             /* its standard input, `length` bytes */
    size_t length;
    const char *name; /* by which it can be interrupted; NULL: it cannot */
} ln_child_order;

/* `folder`: private, where files without a name are made. NULL when memory is short. */
ln_children *ln_children_new(const char *folder);
/* Ends all children; from now on none can be started. */
void ln_children_close(ln_children *children);
/* After the last of the calls below has returned. NULL allowed. */
void ln_children_free(ln_children *children);
/* Asks the child of that name to end; `force`: ends it. 1 when there is one. */
int ln_children_stop(ln_children *children, const char *name, int force);

/* The most bytes of a child's stdout that are read. */
#define LN_CHILD_WROTE ((size_t)64 << 20)

/* How a child ended: its exit status, 128 + the signal that ended it, or one of these. */
enum { LN_CHILD_BUSY = -1 /* too many at once */, LN_CHILD_FAILED = -2 /* errno */ };

/* Runs a child to its end and appends what it wrote to the two texts, as UTF-8 (`said`: the first
 * megabyte). It is ended after `seconds`. */
int ln_child_run(ln_children *children, const ln_child_order *order, double seconds, ln_text *wrote,
                 ln_text *said);

/* A child whose stderr is passed on as it comes, as lines of JSON: {"line": "..."} for each line,
 * a line that is empty for every second of silence, {"done": exit status} at the end. */
typedef struct ln_child_stream ln_child_stream;
/* `first`: a line in front, copied. NULL with *why one of the above. */
ln_child_stream *ln_child_stream_new(ln_children *children, const ln_child_order *order,
                                     const char *first, int *why);
/* Up to `room` bytes of it, waiting for the first; 0 at its end, -1 when memory is short. */
ssize_t ln_child_stream_read(ln_child_stream *stream, char *buffer, size_t room);
/* Also ends a child that still works: nobody listens any more. */
void ln_child_stream_free(ln_child_stream *stream);

#endif
