/* SPDX-License-Identifier: MIT */
/* HTTP on 127.0.0.1 by GNU libmicrohttpd, for one page and nobody else.
 *
 * A request reaches the handler only when it names this server as its host (so no name of an
 * attacker's that leads here is served), comes from no other page (Origin, Sec-Fetch-Site), and has
 * the token as the first name of its path; what is sent must be JSON and of limited length. A
 * thread serves each connection, so a handler may wait. */
#ifndef LN_STUDIO_HTTP_H
#define LN_STUDIO_HTTP_H

#include "base/report.h"
#include "base/text.h"
#include <sys/types.h>

/* The most bytes of a request's body: a model, escaped. */
#define LN_HTTP_BODY ((size_t)24 << 20)

typedef struct ln_http_request {
    int is_post;
    const char *path; /* behind the token, without the slash: "" or "api/run" */
    const char *body; /* NUL-terminated; "" without one */
    size_t length;
    void *connection; /* for ln_http_argument() */
} ln_http_request;

/* The value of the query's `name`, or NULL. */
const char *ln_http_argument(const ln_http_request *request, const char *name);

typedef struct ln_http_reply {
    unsigned status;   /* 200, 404, ... */
    const char *type;  /* of the content */
    const char *file;  /* the name under which it is kept by the browser; NULL: it is shown */
    ln_text text;      /* the content, freed by the server, unless ... */
    const char *fixed; /* ... it is this, borrowed for good, `fixed_length` bytes, ... */
    size_t fixed_length;
    /* ... or a stream: as read(2), called until it gives 0 or -1; then `end` */
    ssize_t (*more)(void *stream, char *buffer, size_t room);
    void (*end)(void *stream);
    void *stream;
} ln_http_reply;

typedef void ln_http_handler(void *context, const ln_http_request *request, ln_http_reply *reply);

typedef struct ln_http ln_http;

/* Listens on the port (0: any); token: letters and digits. NULL, reported, when it cannot. */
ln_http *ln_http_start(int port, const char *token, ln_http_handler *handler, void *context,
                       ln_report *report);
int ln_http_port(const ln_http *http);
/* Ends all connections, then the server. */
void ln_http_stop(ln_http *http);

#endif
