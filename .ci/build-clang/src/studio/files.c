/* SPDX-License-Identifier: MIT */
/* Answers about files: what there is, a file's text, saving. */
#include "studio/server.h"

#include <string.h>

static void fail(ln_visit *visit, ln_folder_outcome outcome) {
    static const unsigned statuses[] = {
        [LN_FOLDER_DONE] = 200,  [LN_FOLDER_NAME] = 403, [LN_FOLDER_ABSENT] = 404,
        [LN_FOLDER_PLAIN] = 403, [LN_FOLDER_SIZE] = 413, [LN_FOLDER_CHANGED] = 409,
        [LN_FOLDER_FAILED] = 500};
    ln_visit_error(visit, statuses[outcome], ln_folder_why(outcome));
}

/* "folder" or "examples"; NULL when there is none. */
static const ln_folder *find_place(const ln_visit *visit, const char *place) {
    const ln_studio *studio = visit->studio;
    if (place == NULL || strcmp(place, "folder") == 0)
        return &studio->home;
    return strcmp(place, "examples") == 0 && studio->examples.descriptor >= 0 ? &studio->examples
                                                                              : NULL;
}

const char *ln_visit_folder(ln_visit *visit) {
    const ln_folder *folder = find_place(visit, ln_order_text(visit->body, "place"));
    const char *path = ln_order_text(visit->body, "path");
    ln_text where = {0};
    const ln_folder_outcome outcome =
        folder != NULL ? ln_folder_where(folder, path != NULL ? path : "", &where) : LN_FOLDER_NAME;
    const char *copy = outcome == LN_FOLDER_DONE ? ln_arena_string(visit->arena, where.data) : NULL;
    ln_text_free(&where);
    if (outcome != LN_FOLDER_DONE)
        fail(visit, outcome);
    else if (copy == NULL)
        ln_visit_error(visit, 500, "out of memory");
    return copy;
}

void ln_visit_start(ln_visit *visit) {
    const ln_studio *studio = visit->studio;
    ln_visit_json(visit, json_pack("{s:s, s:s, s:s?, s:b}", "version", LINNET_VERSION, "folder",
                                   studio->home.path, "model", studio->model, "examples",
                                   studio->examples.descriptor >= 0));
}

static void add_path(void *context, const char *path) {
    (void)json_array_append_new(context, json_string(path));
}

void ln_visit_files(ln_visit *visit) {
    const ln_studio *studio = visit->studio;
    json_t *files = json_array(), *examples = json_array();
    ln_folder_list(&studio->home, add_path, files);
    if (studio->examples.descriptor >= 0)
        ln_folder_list(&studio->examples, add_path, examples);
    ln_visit_json(visit, json_pack("{s:o, s:o}", "files", files, "examples", examples));
}

void ln_visit_file(ln_visit *visit) {
    const char *path = ln_http_argument(visit->request, "path");
    const ln_folder *folder = find_place(visit, ln_http_argument(visit->request, "place"));
    ln_text text = {0};
    ln_folder_stamp stamp;
    const ln_folder_outcome outcome = folder != NULL && path != NULL
                                          ? ln_folder_read(folder, path, &text, &stamp)
                                          : LN_FOLDER_NAME;
    if (outcome == LN_FOLDER_DONE)
        ln_visit_json(visit, json_pack("{s:s%, s:s}", "text", text.data != NULL ? text.data : "",
                                       text.length, "stamp", stamp.text));
    else
        fail(visit, outcome);
    ln_text_free(&text);
}

void ln_visit_save(ln_visit *visit) {
    const char *path = ln_order_text(visit->body, "path");
    const json_t *text = json_object_get(visit->body, "text"),
                 *known = json_object_get(visit->body, "stamp");
    ln_folder_stamp stamp = {""};
    if (path == NULL || !json_is_string(text)) {
        ln_visit_error(visit, 400, "path and text are wanted");
        return;
    }
    if (json_is_string(known) && json_string_length(known) < sizeof stamp.text)
        memcpy(stamp.text, json_string_value(known), json_string_length(known) + 1);
    if (json_is_true(json_object_get(visit->body, "overwrite"))) {
        ln_text now = {0};
        ln_folder_stamp found;
        if (ln_folder_read(&visit->studio->home, path, &now, &found) == LN_FOLDER_DONE)
            stamp = found;
        ln_text_free(&now);
    }
    const ln_folder_outcome outcome = ln_folder_write(
        &visit->studio->home, path, json_string_value(text), json_string_length(text), &stamp);
    if (outcome == LN_FOLDER_DONE)
        ln_visit_json(visit, json_pack("{s:s}", "stamp", stamp.text));
    else
        fail(visit, outcome);
}
