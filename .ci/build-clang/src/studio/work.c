/* SPDX-License-Identifier: MIT */
/* Answers that commands of the program give: each request becomes a command line on the text that
 * was sent. */
#include "studio/server.h"

#include "base/input.h"
#include "base/sys.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double patience = 60; /* s that what is awaited may take: check, plot */

/* ---- children ---- */

static void fail(ln_visit *visit, int why) {
    if (why == LN_CHILD_BUSY)
        ln_visit_error(visit, 503, "too much is being computed at once; wait, or cancel a run");
    else
        ln_visit_error(visit, 500, strerror(errno));
}

/* The text of the model as the standard input of a child in the model's folder. 0, answered, when
 * there is none. */
static int make_order(ln_visit *visit, const ln_words *words, const char *name,
                      ln_child_order *order) {
    const json_t *text = json_object_get(visit->body, "text");
    *order = (ln_child_order){.arguments = words->words,
                              .folder = ln_visit_folder(visit),
                              .text = json_is_string(text) ? json_string_value(text) : "",
                              .length = json_is_string(text) ? json_string_length(text) : 0,
                              .name = name};
    if (order->folder == NULL)
        return 0;
    if (!words->failed)
        return 1;
    ln_visit_error(visit, 500, "out of memory");
    return 0;
}

static void begin(ln_visit *visit, ln_words *words, const char *command) {
    ln_words_begin(words, visit->arena, visit->studio->program, command);
}

/* The model comes last; nothing behind "--" is an option. */
static void end_with_model(ln_words *words) {
    ln_words_add(words, "--");
    ln_words_add(words, "-");
}

/* What a page asks for again it wants no more as it asked before: the name of the work, by which
 * the child that still does it is ended. NULL: any number may be done at once. */
static const char *take_over(ln_visit *visit, const char *command) {
    const char *page = ln_order_text(visit->body, "page");
    const char *name =
        page != NULL ? ln_arena_printf(visit->arena, "%s-%.16s", command, page) : NULL;
    if (name != NULL)
        (void)ln_children_stop(visit->studio->children, name, 1);
    return name;
}

/* Runs a command on the model to its end; 0, answered, when it cannot be started. */
static int perform(ln_visit *visit, const ln_words *words, ln_text *wrote, ln_text *said,
                   int *status) {
    ln_child_order order;
    if (!make_order(visit, words, take_over(visit, words->words[1]), &order))
        return 0;
    *status = ln_child_run(visit->studio->children, &order, patience, wrote, said);
    if (*status >= 0)
        return 1;
    fail(visit, *status);
    return 0;
}

/* {"status", "wrote", "said"}: what a command told, as texts. */
static void answer_texts(ln_visit *visit, ln_words *words) {
    ln_text wrote = {0}, said = {0};
    int status;
    if (perform(visit, words, &wrote, &said, &status))
        ln_visit_json(visit, json_pack("{s:i, s:s, s:s}", "status", status, "wrote",
                                       wrote.data != NULL ? wrote.data : "", "said",
                                       said.data != NULL ? said.data : ""));
    ln_text_free(&wrote);
    ln_text_free(&said);
    ln_words_free(words);
}

/* What a command writes is the answer; what it says, when it fails, the error. */
static void answer_output(ln_visit *visit, ln_words *words) {
    ln_text wrote = {0}, said = {0};
    int status;
    if (perform(visit, words, &wrote, &said, &status)) {
        if (status == 0) {
            visit->reply->text = wrote;
            wrote = (ln_text){0};
        } else {
            ln_visit_error(visit, 422, said.data != NULL ? said.data : "failed");
        }
    }
    ln_text_free(&wrote);
    ln_text_free(&said);
    ln_words_free(words);
}

void ln_visit_check(ln_visit *visit) {
    ln_words words;
    begin(visit, &words, "check");
    ln_order_how(&words, visit->body);
    end_with_model(&words);
    answer_texts(visit, &words);
}

/* The model as SVG, also one with errors, as far as it can be drawn. */
void ln_visit_diagram(ln_visit *visit) {
    ln_words words;
    begin(visit, &words, "diagram");
    ln_words_add(&words, "--format");
    ln_words_add(&words, "svg");
    ln_words_add(&words, "--output");
    ln_words_add(&words, "-");
    if (json_is_true(json_object_get(visit->body, "loops")))
        ln_words_add(&words, "--loops");
    end_with_model(&words);
    answer_texts(visit, &words);
}

/* The catalogue, with the types of the model's own where it can be read. */
void ln_visit_blocks(ln_visit *visit) {
    ln_words words;
    begin(visit, &words, "blocks");
    ln_words_add(&words, "--format");
    ln_words_add(&words, "json");
    if (ln_order_text(visit->body, "text") != NULL) {
        ln_words_add(&words, "--model");
        ln_words_add(&words, "-");
    }
    answer_output(visit, &words);
}

/* What is no block type. */
void ln_visit_language(ln_visit *visit) {
    ln_words words;
    begin(visit, &words, "blocks");
    ln_words_add(&words, "--language");
    answer_output(visit, &words);
}

/* ---- runs ---- */

static ssize_t read_stream(void *stream, char *buffer, size_t room) {
    return ln_child_stream_read(stream, buffer, room);
}

static void end_stream(void *stream) {
    ln_child_stream_free(stream);
}

/* The command's messages as they come, behind the name of its result. */
static void answer_stream(ln_visit *visit, const ln_words *words, const char *name) {
    ln_child_order order;
    int status;
    const char *first = ln_arena_printf(visit->arena, "{\"result\":\"%s\"}\n", name);
    if (!make_order(visit, words, name, &order))
        return;
    ln_child_stream *stream =
        ln_child_stream_new(visit->studio->children, &order, first != NULL ? first : "", &status);
    if (stream == NULL) {
        fail(visit, status);
        return;
    }
    visit->reply->type = "application/x-ndjson";
    visit->reply->stream = stream;
    visit->reply->more = read_stream;
    visit->reply->end = end_stream;
}

static const char *path_of(ln_visit *visit, const char *name) {
    ln_text path = {0};
    const char *copy = name != NULL && ln_results_path(visit->studio->results, name, &path)
                           ? ln_arena_string(visit->arena, path.data)
                           : NULL;
    ln_text_free(&path);
    return copy;
}

void ln_visit_run(ln_visit *visit) {
    char name[32];
    ln_words words;
    ln_results_next(visit->studio->results, LN_RESULT_RUN, name);
    const char *path = path_of(visit, name);
    begin(visit, &words, "run");
    ln_words_add(&words, "--progress");
    ln_words_add(&words, "lines");
    ln_words_add(&words, "--output");
    ln_words_add(&words, path != NULL ? path : "");
    ln_order_how(&words, visit->body);
    end_with_model(&words);
    answer_stream(visit, &words, name);
    ln_words_free(&words);
}

/* A table of the cases, and a result for each of them, in a folder. */
void ln_visit_sweep(ln_visit *visit) {
    char name[32];
    ln_words words;
    ln_results_next(visit->studio->results, LN_RESULT_SWEEP, name);
    const char *folder = path_of(visit, name);
    const char *table =
        folder != NULL ? ln_arena_printf(visit->arena, "%s/table.csv", folder) : NULL;
    if (table == NULL || ln_sys->make_folder(folder) != 0) {
        ln_visit_error(visit, 500, strerror(errno));
        return;
    }
    begin(visit, &words, "sweep");
    ln_words_add(&words, "--progress");
    ln_words_add(&words, "lines");
    ln_words_add(&words, "--output");
    ln_words_add(&words, table);
    ln_words_add(&words, "--save-runs");
    ln_words_add(&words, folder);
    ln_order_how(&words, visit->body);
    ln_order_pairs(&words, "vary", json_object_get(visit->body, "vary"));
    ln_order_pairs(&words, "measure", json_object_get(visit->body, "measure"));
    end_with_model(&words);
    answer_stream(visit, &words, name);
    ln_words_free(&words);
}

void ln_visit_stop(ln_visit *visit) {
    const char *name = ln_order_text(visit->body, "result");
    const int force = json_is_true(json_object_get(visit->body, "force"));
    const int found = name != NULL && ln_children_stop(visit->studio->children, name, force);
    ln_visit_json(visit, json_pack("{s:b}", "found", found));
}

void ln_visit_drop(ln_visit *visit) {
    const char *name = ln_order_text(visit->body, "result");
    if (name != NULL)
        ln_results_drop(visit->studio->results, name);
    ln_visit_json(visit, json_object());
}

/* ---- results ---- */

/* The result that the query names; NULL, answered, when there is none. */
static const char *asked_result(ln_visit *visit) {
    const char *path = path_of(visit, ln_http_argument(visit->request, "result"));
    if (path == NULL)
        ln_visit_error(visit, 404, "there is no such result");
    return path;
}

void ln_visit_signals(ln_visit *visit) {
    ln_words words;
    const char *path = asked_result(visit);
    if (path == NULL)
        return;
    begin(visit, &words, "result");
    ln_words_add(&words, "--format");
    ln_words_add(&words, "json");
    ln_words_add(&words, path);
    answer_output(visit, &words);
}

/* A file of the results is the answer. */
static void answer_file(ln_visit *visit, const char *path, const char *type) {
    if (ln_input_read(path, LN_FROM_MODEL, LN_CHILD_WROTE, NULL, &visit->reply->text) != LINNET_OK)
        ln_visit_error(visit, 404, "there is no such file");
    else
        visit->reply->type = type;
}

/* The table of a sweep as it was written. */
void ln_visit_table(ln_visit *visit) {
    const char *folder = asked_result(visit);
    const char *path =
        folder != NULL ? ln_arena_printf(visit->arena, "%s/table.csv", folder) : NULL;
    if (path != NULL)
        answer_file(visit, path, "text/csv; charset=utf-8");
}

/* The files of what is drawn: runs; or the cases of a sweep that were asked for by number, or its
 * table. */
static void add_files(ln_visit *visit, ln_words *words) {
    const json_t *results = json_object_get(visit->body, "results"),
                 *cases = json_object_get(visit->body, "cases");
    const char *sweep = path_of(visit, ln_order_text(visit->body, "sweep"));
    for (size_t k = 0; sweep == NULL && k < json_array_size(results); k++) {
        const char *path = path_of(visit, json_string_value(json_array_get(results, k)));
        if (path != NULL)
            ln_words_add(words, path);
    }
    if (sweep != NULL && json_is_true(json_object_get(visit->body, "table"))) {
        ln_words_add(words, ln_arena_printf(visit->arena, "%s/table.csv", sweep));
        return;
    }
    for (size_t k = 0; sweep != NULL && k < json_array_size(cases); k++) {
        const long long number = json_integer_value(json_array_get(cases, k));
        const char *path = ln_arena_printf(visit->arena, "%s/case-%06lld.csv", sweep, number);
        if (path != NULL && number > 0)
            ln_words_add(words, path);
    }
}

static void add_switches(ln_visit *visit, ln_words *words) {
    static const char *const options[] = {"against", "panels", "log", "from", "to", "colour"};
    const json_t *how = json_object_get(visit->body, "how");
    const char *sweep = path_of(visit, ln_order_text(visit->body, "sweep"));
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        const char *value = ln_order_text(how, options[k]);
        const char *name = ln_arena_printf(visit->arena, "--%s", options[k]);
        if (value != NULL && name != NULL) {
            ln_words_add(words, name);
            ln_words_add(words, value);
        }
    }
    if (json_is_true(json_object_get(how, "dark")))
        ln_words_add(words, "--dark");
    if (sweep == NULL || json_is_true(json_object_get(visit->body, "table")))
        return;
    ln_words_add(words, "--sweep");
    ln_words_add(words, ln_arena_printf(visit->arena, "%s/table.csv", sweep));
}

/* The panels as data; linnet plot chooses them, with their axes, units and colours. */
void ln_visit_plot(ln_visit *visit) {
    static const char suffix[] = ".json";
    ln_words words;
    char *path = ln_arena_printf(visit->arena, "%s/plot-XXXXXX%s",
                                 ln_results_folder(visit->studio->results), suffix);
    const int file = path != NULL ? mkstemps(path, sizeof suffix - 1) : -1;
    if (file < 0) {
        ln_visit_error(visit, 500, strerror(errno));
        return;
    }
    (void)ln_sys->close(file);
    begin(visit, &words, "plot");
    add_switches(visit, &words);
    ln_order_list(&words, "signals", json_object_get(visit->body, "signals"));
    ln_words_add(&words, "--output");
    ln_words_add(&words, path);
    ln_words_add(&words, "--");
    add_files(visit, &words);
    answer_output(visit, &words);
    if (visit->reply->status == 200) {
        ln_text_free(&visit->reply->text);
        visit->reply->text = (ln_text){0};
        answer_file(visit, path, "application/json");
    }
    (void)ln_sys->remove(path);
}

/* A result as a file: CSV, or as it stands (HDF5). */
void ln_visit_download(ln_visit *visit) {
    ln_words words;
    const char *path = asked_result(visit);
    if (path == NULL)
        return;
    begin(visit, &words, "result");
    ln_words_add(&words, "--output");
    ln_words_add(&words, "-");
    ln_words_add(&words, path);
    answer_output(visit, &words);
    if (visit->reply->status != 200)
        return;
    visit->reply->type = "text/csv; charset=utf-8";
    visit->reply->file = "result.csv";
}
