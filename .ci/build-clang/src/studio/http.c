/* SPDX-License-Identifier: MIT */
/* The server: see http.h. Every answer forbids the browser what the page does not need
 * (Content-Security-Policy): scripts, styles and connections from elsewhere, scripts in the page,
 * frames, forms. Styles in the page are allowed: dygraphs turns its titles by them. */
#include "studio/http.h"

#include "base/library.h"
#include "base/sys.h"
#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum {
    CONNECTIONS = 64, /* at once: a browser opens six */
    SILENCE = 120     /* s, after which a connection without traffic is closed */
};

/* ---- the library, which only the studio needs ---- */

#define MICROHTTPD(X)                    \
    X(MHD_start_daemon)                  \
    X(MHD_stop_daemon)                   \
    X(MHD_get_daemon_info)               \
    X(MHD_lookup_connection_value)       \
    X(MHD_create_response_from_callback) \
    X(MHD_create_response_from_buffer)   \
    X(MHD_add_response_header) X(MHD_queue_response) X(MHD_destroy_response)
static struct { MICROHTTPD(LN_LIBRARY_MEMBER) } mhd;
static const char *const mhd_names[] = {MICROHTTPD(LN_LIBRARY_NAME) NULL};
static ln_library mhd_library = {.file = LINNET_SONAME_MICROHTTPD,
                                 .package = "libmicrohttpd12",
                                 .what = "linnet studio",
                                 .names = mhd_names,
                                 .members = &mhd};

struct ln_http {
    struct MHD_Daemon *daemon;
    ln_http_handler *handler;
    void *context;
    const char *token;
    char host[2][32]; /* what the header Host may be */
};

/* What is known of a request between the calls of the library. */
typedef struct pending {
    unsigned refused; /* its status, 0: welcome */
    const char *why;
    ln_text body;
} pending;

/* ---- who may ask ---- */

static int is_host(const ln_http *http, const char *host) {
    return strcasecmp(host, http->host[0]) == 0 || strcasecmp(host, http->host[1]) == 0;
}

/* In a time that does not tell how much of it is right. */
static int has_token(const ln_http *http, const char *url) {
    const size_t length = strlen(http->token);
    unsigned char differs = 0;
    if (url[0] != '/' || strlen(url) < length + 2 || url[1 + length] != '/')
        return 0;
    for (size_t k = 0; k < length; k++)
        differs |= (unsigned char)(url[1 + k] ^ http->token[k]);
    return differs == 0;
}

static const char *header(struct MHD_Connection *connection, const char *name) {
    return mhd.MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* A request of our own page's, or of no page at all. A link elsewhere may lead to the page itself,
 * which shows nothing to where it came from. */
static int is_own(struct MHD_Connection *connection, const char *host) {
    static const char scheme[] = "http://";
    const char *origin = header(connection, "Origin"), *site = header(connection, "Sec-Fetch-Site"),
               *mode = header(connection, "Sec-Fetch-Mode");
    if (origin != NULL && (strncmp(origin, scheme, sizeof scheme - 1) != 0 ||
                           strcasecmp(origin + sizeof scheme - 1, host) != 0))
        return 0;
    return site == NULL || strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0 ||
           (mode != NULL && strcmp(mode, "navigate") == 0);
}

/* GET, or POST of JSON that is not too long. 0, or the status of a refusal. */
static unsigned refuse_method(struct MHD_Connection *connection, const char *method,
                              const char **why) {
    *why = "GET and POST only";
    if (strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0)
        return 0;
    if (strcmp(method, "POST") != 0)
        return MHD_HTTP_METHOD_NOT_ALLOWED;
    const char *type = header(connection, "Content-Type");
    *why = "JSON only";
    if (type == NULL || strncasecmp(type, "application/json", 16) != 0)
        return MHD_HTTP_UNSUPPORTED_MEDIA_TYPE;
    const char *length = header(connection, "Content-Length"), *end;
    *why = "this is too large";
    return length != NULL && ln_number_read(length, &end) > (double)LN_HTTP_BODY
               ? MHD_HTTP_CONTENT_TOO_LARGE
               : 0;
}

/* 0, or the status with which a request is refused, and why. */
static unsigned refuse(const ln_http *http, struct MHD_Connection *connection, const char *url,
                       const char *method, const char **why) {
    const char *host = header(connection, "Host");
    *why = "this server answers to its own address only";
    if (host == NULL || !is_host(http, host))
        return MHD_HTTP_FORBIDDEN;
    *why = "this server answers to its own page only";
    if (!is_own(connection, host))
        return MHD_HTTP_FORBIDDEN;
    *why = "there is no such page; open the address that 'linnet studio' printed";
    if (!has_token(http, url))
        return MHD_HTTP_NOT_FOUND;
    return refuse_method(connection, method, why);
}

/* ---- answers ---- */

static void protect(struct MHD_Response *response) {
    static const char *const headers[][2] = {
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' "
         "data: blob:; "
         "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cache-Control", "no-store"}};
    for (size_t k = 0; k < sizeof headers / sizeof *headers; k++)
        (void)mhd.MHD_add_response_header(response, headers[k][0], headers[k][1]);
}

typedef struct streaming {
    ssize_t (*more)(void *stream, char *buffer, size_t room);
    void (*end)(void *stream);
    void *stream;
} streaming;

static ssize_t stream_more(void *context, uint64_t at, char *buffer, size_t room) {
    const streaming *of = context;
    (void)at;
    const ssize_t got = of->more(of->stream, buffer, room);
    return got > 0    ? got
           : got == 0 ? MHD_CONTENT_READER_END_OF_STREAM
                      : MHD_CONTENT_READER_END_WITH_ERROR;
}

static void stream_end(void *context) {
    streaming *of = context;
    of->end(of->stream);
    ln_sys->release(of);
}

/* NULL when memory is short; the reply's content is then gone, too. */
static struct MHD_Response *make_response(ln_http_reply *reply) {
    struct MHD_Response *response = NULL;
    if (reply->more != NULL) {
        streaming *of = ln_sys->allocate(sizeof *of);
        if (of != NULL) {
            *of = (streaming){reply->more, reply->end, reply->stream};
            response = mhd.MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, stream_more,
                                                             of, stream_end);
        }
        if (response == NULL) {
            reply->end(reply->stream);
            ln_sys->release(of);
        }
    } else if (reply->fixed != NULL) {
        /* the library does not write to what stays with us */
        union {
            const char *given;
            char *taken;
        } fixed = {reply->fixed};
        response = mhd.MHD_create_response_from_buffer(reply->fixed_length, fixed.taken,
                                                       MHD_RESPMEM_PERSISTENT);
    } else if (!reply->text.failed) {
        response = mhd.MHD_create_response_from_buffer(reply->text.length, reply->text.data,
                                                       MHD_RESPMEM_MUST_COPY);
    }
    ln_text_free(&reply->text);
    return response;
}

static enum MHD_Result send_reply(struct MHD_Connection *connection, ln_http_reply *reply) {
    struct MHD_Response *response = make_response(reply);
    if (response == NULL)
        return MHD_NO;
    protect(response);
    (void)mhd.MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, reply->type);
    if (reply->file != NULL) {
        char disposition[160];
        snprintf(disposition, sizeof disposition, "attachment; filename=\"%.100s\"", reply->file);
        (void)mhd.MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_DISPOSITION,
                                          disposition);
    }
    const enum MHD_Result queued = mhd.MHD_queue_response(connection, reply->status, response);
    mhd.MHD_destroy_response(response);
    return queued;
}

static enum MHD_Result send_refusal(struct MHD_Connection *connection, unsigned status,
                                    const char *why) {
    ln_http_reply reply = {.status = status, .type = "text/plain; charset=utf-8"};
    ln_text_printf(&reply.text, "%s\n", why);
    return send_reply(connection, &reply);
}

/* ---- requests ---- */

const char *ln_http_argument(const ln_http_request *request, const char *name) {
    return mhd.MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, name);
}

static enum MHD_Result answer(const ln_http *http, struct MHD_Connection *connection,
                              const char *url, const char *method, const pending *of) {
    const ln_http_request request = {.is_post = strcmp(method, "POST") == 0,
                                     .path = url + strlen(http->token) + 2,
                                     .body = of->body.data != NULL ? of->body.data : "",
                                     .length = of->body.length,
                                     .connection = connection};
    ln_http_reply reply = {.status = MHD_HTTP_OK, .type = "application/json"};
    http->handler(http->context, &request, &reply);
    return send_reply(connection, &reply);
}

/* Called first with the head of a request, then for each piece of its body, then at its end. A
 * refusal at the head is sent at once, before a body that nobody wants. */
static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *piece,
                                  size_t *length, void **state) {
    const ln_http *http = context;
    pending *of = *state;
    (void)version;
    if (of == NULL) {
        of = ln_sys->allocate(sizeof *of);
        if (of == NULL)
            return MHD_NO;
        *of = (pending){.refused = 0};
        *state = of;
        of->refused = refuse(http, connection, url, method, &of->why);
        return of->refused != 0 ? send_refusal(connection, of->refused, of->why) : MHD_YES;
    }
    if (*length > 0) {
        if (of->body.length + *length > LN_HTTP_BODY)
            return MHD_NO; /* it said another length, or none: no answer */
        ln_text_add_bytes(&of->body, piece, *length);
        *length = 0;
        return of->body.failed ? MHD_NO : MHD_YES;
    }
    return answer(http, connection, url, method, of);
}

static void on_end(void *context, struct MHD_Connection *connection, void **state,
                   enum MHD_RequestTerminationCode code) {
    pending *of = *state;
    (void)context;
    (void)connection;
    (void)code;
    if (of == NULL)
        return;
    ln_text_free(&of->body);
    ln_sys->release(of);
    *state = NULL;
}

/* ---- the server ---- */

ln_http *ln_http_start(int port, const char *token, ln_http_handler *handler, void *context,
                       ln_report *report) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (ln_library_load(&mhd_library, report) != LINNET_OK)
        return NULL;
    ln_http *http = ln_sys->allocate(sizeof *http);
    if (http == NULL) {
        (void)ln_no_memory(report);
        return NULL;
    }
    *http = (ln_http){.handler = handler, .context = context, .token = token};
    errno = 0;
    http->daemon = mhd.MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL,
        (uint16_t)port, NULL, NULL, on_request, http, MHD_OPTION_SOCK_ADDR, &address,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)SILENCE, MHD_OPTION_NOTIFY_COMPLETED, on_end, NULL, MHD_OPTION_END);
    if (http->daemon == NULL) {
        ln_error(report, LN_NOWHERE, "port %d of 127.0.0.1 cannot be served%s%s; leave --port out",
                 port, errno != 0 ? ": " : "", errno != 0 ? strerror(errno) : "");
        ln_sys->release(http);
        return NULL;
    }
    snprintf(http->host[0], sizeof http->host[0], "127.0.0.1:%d", ln_http_port(http));
    snprintf(http->host[1], sizeof http->host[1], "localhost:%d", ln_http_port(http));
    return http;
}

int ln_http_port(const ln_http *http) {
    const union MHD_DaemonInfo *info =
        mhd.MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info != NULL ? (int)info->port : 0;
}

void ln_http_stop(ln_http *http) {
    if (http == NULL)
        return;
    mhd.MHD_stop_daemon(http->daemon);
    ln_sys->release(http);
}
