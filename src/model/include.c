/* SPDX-License-Identifier: MIT */
/* <include href="..."/>: types from other files, and from nowhere but the model's folder, the
 * library, and the folders allowed on the command line.
 *
 * A name is looked up in the folder of the including file, the model's folder, the allowed folders
 * and the library, in this order. The path that is found is resolved (symbolic links and all) and
 * must then lie within one of the allowed folders. A file is known by its resolved path and read
 * once. */
#include "model/reader.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

void ln_reader_note(ln_reader *reader, linnet_status status) {
    if (reader->status == LINNET_OK || reader->status == LINNET_MODEL || status == LINNET_MEMORY)
        if (status != LINNET_OK)
            reader->status = status;
}

/* ---- paths ---- */

static const char *folder_of(ln_arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return ".";
    return ln_arena_text(arena, path, slash == path ? 1 : (size_t)(slash - path));
}

/* 1 when the resolved path lies in the folder, links followed. */
static int is_within(const char *real, const char *folder) {
    char real_folder[PATH_MAX];
    if (folder == NULL || realpath(folder, real_folder) == NULL)
        return 0;
    size_t length = strlen(real_folder);
    if (length == 1)
        return 1;
    return strncmp(real, real_folder, length) == 0 && real[length] == '/';
}

static int is_allowed(const ln_reader *reader, const char *real) {
    const ln_model_options *options = reader->options;
    if (is_within(real, reader->folder))
        return 1;
    for (int k = 0; options != NULL && k < options->ninclude_folders; k++)
        if (is_within(real, options->include_folders[k]))
            return 1;
    return options != NULL && is_within(real, options->library);
}

/* The path as a user would name it: within the model's folder without that folder. */
static const char *short_name(const ln_reader *reader, const char *real) {
    char folder[PATH_MAX];
    if (reader->folder != NULL && is_within(real, reader->folder) &&
        realpath(reader->folder, folder) != NULL)
        return real + strlen(folder) + 1;
    return real;
}

/* Does the path lead out of the folder it is looked up in: absolute, or by ".."? */
static int leads_out(const char *href) {
    for (const char *at = href; *at != '\0'; at++)
        if ((at == href || at[-1] == '/') && at[0] == '.' && at[1] == '.' &&
            (at[2] == '/' || at[2] == '\0'))
            return 1;
    return href[0] == '/';
}

/* A path of this system, and no address of the net. */
static int check_href(ln_reader *reader, const char *href, ln_place place) {
    const char *colon = strchr(href, ':'), *slash = strchr(href, '/');
    if (colon != NULL && (slash == NULL || colon < slash)) {
        ln_error(reader->report, place,
                 "include '%s': only paths of files are accepted; put the file into the model's "
                 "folder",
                 href);
        return 0;
    }
    int control = 0;
    for (const char *at = href; *at != '\0'; at++)
        if ((unsigned char)*at < ' ' || *at == '\\')
            control = 1;
    if (control)
        ln_error(reader->report, place,
                 "include: the path holds a '\\' or a control character; use '/'");
    return !control;
}

/* The same words whether a file is there or not: a model must not find out. */
static void refuse(ln_reader *reader, const char *folder, const char *href, ln_place place) {
    const int is_plain = href[0] == '/' || folder == NULL || strcmp(folder, ".") == 0;
    const char *folder_there = folder_of(reader->model->arena, href);
    ln_error(reader->report, place,
             "include '%s' leaves the model's folder; -I '%s%s%s' on the command line allows it",
             href, is_plain ? "" : folder, is_plain ? "" : "/",
             folder_there != NULL ? folder_there : ".");
}

/* ---- search ---- */

/* One folder: 1 found (resolved path in real, *path as named), 0 not there, -1 reported. */
static int look_in(ln_reader *reader, const char *folder, const char *href, ln_place place,
                   char real[PATH_MAX], const char **path) {
    if (folder == NULL)
        return 0;
    *path = strcmp(folder, ".") == 0 || href[0] == '/'
                ? ln_arena_string(reader->model->arena, href)
                : ln_arena_printf(reader->model->arena, "%s/%s", folder, href);
    if (*path == NULL) {
        ln_reader_note(reader, ln_no_memory(reader->report));
        return -1;
    }
    if (realpath(*path, real) == NULL) {
        if (errno == ENOENT || errno == ENOTDIR || leads_out(href))
            return 0;
        ln_error(reader->report, place, "include: cannot read '%.300s': %s", href, strerror(errno));
        return -1;
    }
    if (is_allowed(reader, real))
        return 1;
    if (leads_out(href))
        return 0; /* told when no folder has it */
    ln_error(reader->report, place,
             "include '%s' leaves the model's folder: it is a link to '%s'; -I DIR on the command "
             "line allows another folder",
             href, real);
    return -1;
}

static int search(ln_reader *reader, const char *href, int source, ln_place place,
                  char real[PATH_MAX], const char **path) {
    const ln_model_options *options = reader->options;
    const char *own = source > 0    ? folder_of(reader->model->arena, reader->sources[source].path)
                      : source == 0 ? reader->folder
                                    : NULL;
    int found = look_in(reader, own, href, place, real, path);
    if (found == 0 && source > 0)
        found = look_in(reader, reader->folder, href, place, real, path);
    for (int k = 0; found == 0 && options != NULL && k < options->ninclude_folders; k++)
        found = look_in(reader, options->include_folders[k], href, place, real, path);
    if (found == 0 && options != NULL)
        found = look_in(reader, options->library, href, place, real, path);
    if (found == 0 && leads_out(href))
        return refuse(reader, own, href, place), 0;
    if (found == 0)
        ln_error(reader->report, place,
                 "include: cannot read '%.300s': it is neither in the model's folder nor in the "
                 "library; check the name",
                 href);
    return found > 0;
}

/* ---- files known ---- */

static int add_source(ln_reader *reader, const char *real, const char *path, int from) {
    const char *copy = ln_arena_string(reader->model->arena, real);
    if (copy == NULL || !LN_GROW(reader->sources, reader->nsources, reader->source_room)) {
        reader->nsources = copy == NULL ? reader->nsources : 0;
        ln_reader_note(reader, ln_no_memory(reader->report));
        return -1;
    }
    reader->sources[reader->nsources] = (ln_source){copy, path, 1, from};
    return (int)reader->nsources++;
}

static int find_source(const ln_reader *reader, const char *real) {
    for (size_t k = 0; k < reader->nsources; k++)
        if (strcmp(reader->sources[k].real, real) == 0)
            return (int)k;
    return -1;
}

static int depth_of(const ln_reader *reader, int source) {
    int depth = 0;
    for (; source >= 0; source = reader->sources[source].from)
        depth++;
    return depth;
}

/* "a.xml -> b.xml -> a.xml": from the file that closes the circle back to itself. */
static void say_circle(ln_reader *reader, int known, int source, ln_place place) {
    ln_text chain = {0}, rest = {0};
    ln_text_add(&chain, short_name(reader, reader->sources[known].real));
    for (int k = source; k >= 0 && k != known; k = reader->sources[k].from) {
        ln_text longer = {0};
        ln_text_printf(&longer, " -> %s%s", short_name(reader, reader->sources[k].real),
                       rest.data != NULL ? rest.data : "");
        ln_text_free(&rest);
        rest = longer;
    }
    ln_error(reader->report, place, "circular include: %s%s -> %s; remove one of them",
             chain.data != NULL ? chain.data : "", rest.data != NULL ? rest.data : "",
             short_name(reader, reader->sources[known].real));
    ln_text_free(&chain);
    ln_text_free(&rest);
}

static int check_include_limits(ln_reader *reader, int source, const char *href, ln_place place) {
    if (depth_of(reader, source) > reader->limits->include_depth)
        ln_error(reader->report, place, "include '%s' is nested deeper than %d files, the limit",
                 href, reader->limits->include_depth);
    else if (reader->nsources > (size_t)reader->limits->include_files)
        ln_error(reader->report, place, "include '%s': more than %d files are included, the limit",
                 href, reader->limits->include_files);
    else
        return 1;
    return 0;
}

/* ---- the way through ---- */

int ln_include_open(ln_reader *reader, const char *href, int source, int again, ln_place place) {
    const char *path = NULL;
    char real[PATH_MAX];
    int known = -1;
    if (check_href(reader, href, place) && search(reader, href, source, place, real, &path)) {
        known = find_source(reader, real);
        if (known >= 0 && reader->sources[known].open) {
            say_circle(reader, known, source, place);
            known = -1;
        } else if (known >= 0 && !again) {
            return -2;
        } else if (known >= 0) {
            reader->sources[known].open = 1;
            reader->sources[known].from = source;
        } else if (check_include_limits(reader, source, href, place)) {
            return add_source(reader, real, path, source);
        }
    }
    if (known < 0)
        ln_reader_note(reader, LINNET_MODEL);
    return known;
}

int ln_model_source(ln_reader *reader, const char *href, int from, ln_place place,
                    const char **path) {
    int source = ln_include_open(reader, href, from, 1, place);
    if (source >= 0)
        *path = reader->sources[source].path;
    return source;
}

void ln_model_source_end(ln_reader *reader, int source) {
    if (reader->sources != NULL)
        reader->sources[source].open = 0;
}

int ln_include_first(ln_reader *reader, const char *path) {
    char real[PATH_MAX];
    reader->folder = folder_of(reader->model->arena, path);
    if (reader->folder == NULL) {
        ln_reader_note(reader, ln_no_memory(reader->report));
        return -1;
    }
    return add_source(reader, realpath(path, real) != NULL ? real : path, path, -1);
}
