/* SPDX-License-Identifier: MIT */
/* From a request to the function that answers it. */
#include "studio/server.h"

#include "base/sys.h"
#include <string.h>

static const struct {
    const char *path;
    int is_post;
    void (*answer)(ln_visit *visit);
} routes[] = {
    {"api/start", 0, ln_visit_start},     {"api/files", 0, ln_visit_files},
    {"api/file", 0, ln_visit_file},       {"api/save", 1, ln_visit_save},
    {"api/check", 1, ln_visit_check},     {"api/diagram", 1, ln_visit_diagram},
    {"api/blocks", 1, ln_visit_blocks},   {"api/language", 1, ln_visit_language},
    {"api/run", 1, ln_visit_run},         {"api/sweep", 1, ln_visit_sweep},
    {"api/stop", 1, ln_visit_stop},       {"api/drop", 1, ln_visit_drop},
    {"api/signals", 0, ln_visit_signals}, {"api/plot", 1, ln_visit_plot},
    {"api/table", 0, ln_visit_table},     {"api/download", 0, ln_visit_download},
};

/* 0, answered, when what was sent is no JSON object. */
static int read_body(ln_visit *visit) {
    json_error_t error;
    if (!visit->request->is_post) {
        visit->body = json_object();
        return visit->body != NULL;
    }
    visit->body =
        json_loadb(visit->request->body, visit->request->length, JSON_REJECT_DUPLICATES, &error);
    if (visit->body != NULL && json_is_object(visit->body))
        return 1;
    ln_visit_error(visit, 400, visit->body == NULL ? error.text : "an object is wanted");
    return 0;
}

static void find_route(ln_visit *visit) {
    const ln_http_request *request = visit->request;
    for (size_t k = 0; k < sizeof routes / sizeof *routes; k++) {
        if (strcmp(request->path, routes[k].path) != 0)
            continue;
        if (request->is_post != routes[k].is_post)
            ln_visit_error(visit, 405, "this is asked in another way");
        else if (read_body(visit))
            routes[k].answer(visit);
        return;
    }
    if (request->is_post || !ln_visit_page(visit))
        ln_visit_error(visit, 404, "there is no such page");
}

void ln_studio_answer(void *context, const ln_http_request *request, ln_http_reply *reply) {
    ln_visit visit = {
        .studio = context, .request = request, .reply = reply, .arena = ln_arena_new()};
    if (visit.arena != NULL)
        find_route(&visit);
    else
        ln_visit_error(&visit, 500, "out of memory");
    json_decref(visit.body);
    ln_arena_free(visit.arena);
}
