/* SPDX-License-Identifier: MIT */
/* The studio's life: folders, token, server, and the way back. */
#include "studio/studio.h"

#include "base/sys.h"
#include "studio/server.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

enum {
    TOKEN = 16, /* random bytes: nobody guesses one of 2^128 */
    LOOK = 200  /* ms from one question whether to stop to the next */
};

/* Random letters and digits, two for each byte. */
static linnet_status make_token(char text[2 * TOKEN + 1], ln_report *report) {
    unsigned char bytes[TOKEN];
    const int file = ln_sys->open_read("/dev/urandom");
    ssize_t got = file >= 0 ? ln_sys->read(file, bytes, sizeof bytes) : -1;
    const int reason = errno;
    if (file >= 0)
        (void)ln_sys->close(file);
    if (got != (ssize_t)sizeof bytes)
        return ln_fail(report, LINNET_IO, LN_NOWHERE, "cannot read '/dev/urandom': %s",
                       strerror(reason));
    for (size_t k = 0; k < sizeof bytes; k++)
        snprintf(text + 2 * k, 3, "%02x", bytes[k]);
    return LINNET_OK;
}

/* The model's path inside the folder: what the command line names is looked at once, through
 * links, and must end inside. */
static linnet_status find_model(ln_studio *studio, const char *path, ln_arena *arena,
                                ln_report *report) {
    ln_folder parent = {.descriptor = -1};
    ln_text text = {0};
    ln_folder_stamp stamp;
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    const char *folder = slash == NULL   ? "."
                         : slash == path ? "/"
                                         : ln_arena_text(arena, path, (size_t)(slash - path));
    linnet_status status = LINNET_OK;
    const size_t length = strlen(studio->home.path);
    if (folder == NULL)
        return ln_no_memory(report);
    if (ln_folder_open(&parent, folder) != 0)
        status = ln_fail(report, LINNET_IO, LN_NOWHERE, "cannot read '%.200s': %s", folder,
                         strerror(errno));
    else if (strncmp(parent.path, studio->home.path, length) != 0 ||
             (parent.path[length] != '\0' && parent.path[length] != '/' && length > 1))
        status =
            ln_fail(report, LINNET_USAGE, LN_NOWHERE,
                    "'%.200s' lies outside this folder, and the studio reads and writes inside "
                    "it only; start it where the model is",
                    path);
    if (status == LINNET_OK) {
        const char *inside = parent.path + length + (parent.path[length] == '/');
        studio->model =
            ln_arena_printf(arena, "%s%s%s", inside, inside[0] != '\0' ? "/" : "", name);
        const ln_folder_outcome outcome =
            studio->model != NULL ? ln_folder_read(&studio->home, studio->model, &text, &stamp)
                                  : LN_FOLDER_FAILED;
        if (outcome != LN_FOLDER_DONE)
            status = ln_fail(report, LINNET_IO, LN_NOWHERE, "cannot open '%.200s': %s", path,
                             ln_folder_why(outcome));
    }
    ln_text_free(&text);
    ln_folder_close(&parent);
    return status;
}

/* A page that leads to the address, in the private folder: command lines can be read by everybody
 * on this machine, and the address is not for everybody. */
static linnet_status write_door(const ln_studio *studio, const char *address, ln_text *path,
                                ln_report *report) {
    ln_text door = {0};
    ln_text_printf(path, "%s/open.html", ln_results_folder(studio->results));
    ln_text_printf(&door, "<!DOCTYPE html>\n<meta http-equiv=\"refresh\" content=\"0;url=%s\">\n",
                   address);
    const int file = !path->failed ? ln_sys->open_write(path->data) : -1;
    const int good = file >= 0 && !door.failed &&
                     ln_sys->write(file, door.data, door.length) == (ssize_t)door.length;
    const int reason = errno;
    if (file >= 0)
        (void)ln_sys->close(file);
    ln_text_free(&door);
    return good ? LINNET_OK
                : ln_fail(report, LINNET_IO, LN_NOWHERE, "cannot write in '%s': %s",
                          ln_results_folder(studio->results), strerror(reason));
}

static linnet_status serve(ln_studio *studio, const ln_studio_options *options, ln_report *report) {
    char token[2 * TOKEN + 1], address[128];
    LN_TRY(make_token(token, report));
    ln_http *http = ln_http_start(options->port, token, ln_studio_answer, studio, report);
    if (http == NULL)
        return LINNET_IO;
    snprintf(address, sizeof address, "http://127.0.0.1:%d/%s/", ln_http_port(http), token);
    ln_text door = {0};
    const linnet_status status = write_door(studio, address, &door, report);
    if (status == LINNET_OK)
        options->ready(options->context, address, door.data);
    while (status == LINNET_OK && !options->stop(options->context))
        (void)poll(NULL, 0, LOOK);
    ln_text_free(&door);
    ln_children_close(studio->children);
    ln_http_stop(http);
    return status;
}

linnet_status ln_studio_serve(const ln_studio_options *options, ln_report *report) {
    ln_studio studio = {
        .program = options->program, .home = {.descriptor = -1}, .examples = {.descriptor = -1}};
    ln_arena *arena = ln_arena_new();
    linnet_status status = arena != NULL ? LINNET_OK : ln_no_memory(report);
    json_set_alloc_funcs(ln_sys->allocate, ln_sys->release);
    json_object_seed(0); /* before threads would do it */
    if (status == LINNET_OK)
        status = ln_studio_check_libraries(report);
    if (status == LINNET_OK && ln_folder_open(&studio.home, ".") != 0)
        status =
            ln_fail(report, LINNET_IO, LN_NOWHERE, "cannot read this folder: %s", strerror(errno));
    if (status == LINNET_OK && options->examples != NULL &&
        ln_folder_open(&studio.examples, options->examples) != 0)
        status = ln_fail(report, LINNET_IO, LN_NOWHERE, "cannot read '%.200s': %s",
                         options->examples, strerror(errno));
    if (status == LINNET_OK && options->model != NULL)
        status = find_model(&studio, options->model, arena, report);
    if (status == LINNET_OK && (studio.results = ln_results_new()) == NULL)
        status = ln_fail(report, LINNET_IO, LN_NOWHERE, "cannot make a folder for results: %s",
                         strerror(errno));
    if (status == LINNET_OK &&
        (studio.children = ln_children_new(ln_results_folder(studio.results))) == NULL)
        status = ln_no_memory(report);
    if (status == LINNET_OK)
        status = serve(&studio, options, report);
    ln_children_free(studio.children);
    ln_results_free(studio.results);
    ln_folder_close(&studio.home);
    ln_folder_close(&studio.examples);
    ln_arena_free(arena);
    return status;
}
