/* SPDX-License-Identifier: MIT */
/* From a text of C to a loaded library: looked for in the cache, else made by cc, which reads the
 * text from its standard input. */
#include "base/compiled.h"

#include "base/bytes.h"
#include "base/input.h"
#include "base/part.h"
#include "base/sys.h"
#include "base/text.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FLAGS "-std=c99", "-O2", "-fPIC", "-shared", "-ffp-contract=off"
static const char *const flags[] = {FLAGS};

typedef struct entry {
    ln_text text;                  /* with the line that says what it is compiled by */
    ln_text source, library, made; /* files: KEY.c, KEY.so, the library while it is made */
} entry;

/* ---- the folder ---- */

static int is_private(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
           (info.st_mode & 077) == 0;
}

/* The folder's path behind *path; 0, and out->why, where there can be none. */
static int find_folder(ln_text *path, ln_compiled *out) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache != NULL && cache[0] == '/') { /* others are to be ignored, says the specification */
        ln_text_add(path, cache);
    } else if (home != NULL && home[0] == '/') {
        ln_text_printf(path, "%s/.cache", home);
    } else {
        snprintf(out->why, sizeof out->why,
                 "there is no folder for compiled code; set XDG_CACHE_HOME");
        return 0;
    }
    if (path->failed)
        return 0;
    (void)ln_sys->make_private_folder(path->data);
    ln_text_add(path, "/linnet");
    if (path->failed)
        return 0;
    (void)ln_sys->make_private_folder(path->data);
    if (is_private(path->data))
        return 1;
    snprintf(out->why, sizeof out->why,
             "%.200s is no folder of yours alone (mode 0700), so no code from it is run",
             path->data);
    return 0;
}

/* ---- an entry ---- */

static int is_kept(const entry *e) {
    ln_text there = {0};
    const int same =
        access(e->source.data, R_OK) == 0 &&
        ln_input_read(e->source.data, LN_FROM_USER, e->text.length, NULL, &there) == LINNET_OK &&
        there.length == e->text.length && memcmp(there.data, e->text.data, there.length) == 0;
    ln_text_free(&there);
    return same;
}

/* The text beside its place, then there: it makes the library an entry. */
static int write_text(const entry *e, const char *part) {
    const int fd = ln_part_open(part, 0);
    if (fd < 0)
        return 0;
    const int whole = ln_sys_write_all(fd, e->text.data, e->text.length), reason = errno;
    if (ln_part_close(fd, part, whole ? e->source.data : NULL) == 0 && whole)
        return 1;
    if (!whole)
        errno = reason;
    return 0;
}

static int compile(const entry *e, ln_compiled *out) {
    char said[200] = "";
    const char *const arguments[] = {"cc", FLAGS, "-x", "c", "-o", e->made.data, "-", "-lm", NULL};
    const ln_sys_child child = {.arguments = arguments,
                                .input = e->text.data,
                                .length = e->text.length,
                                .output = 2,
                                .said = said,
                                .room = sizeof said};
    const double begin = ln_sys->clock();
    const int ended = ln_sys->run(&child);
    out->seconds = ln_sys->clock() - begin;
    if (ended < 0 && errno == EINTR)
        snprintf(out->why, sizeof out->why, "the compiler cc was interrupted");
    else if (ended == 127 || ended < 0)
        snprintf(out->why, sizeof out->why, "there is no C compiler cc");
    else if (ended != 0)
        snprintf(out->why, sizeof out->why, "the compiler cc fails (status %d): %.150s", ended,
                 said);
    return ended == 0;
}

/* Compiles it into the cache. */
static int make(const entry *e, ln_compiled *out) {
    ln_text part = {0};
    ln_text_printf(&part, "%s.part", e->made.data);
    int done = !part.failed && compile(e, out);
    if (done) {
        done = ln_sys->rename(e->made.data, e->library.data) == 0 && write_text(e, part.data);
        if (!done)
            snprintf(out->why, sizeof out->why, "%.200s cannot be written: %s", e->source.data,
                     ln_part_why(errno));
    }
    if (!done) {
        (void)ln_sys->remove(e->made.data);
        if (!part.failed)
            (void)ln_sys->remove(part.data);
    }
    ln_text_free(&part);
    return done;
}

static int name_entry(entry *e, const ln_text *source, const ln_text *folder) {
    ln_text_printf(&e->text, "/* linnet " LINNET_VERSION ": cc");
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
        ln_text_printf(&e->text, " %s", flags[k]);
    ln_text_add(&e->text, " */\n");
    ln_text_add_bytes(&e->text, source->data, source->length);
    if (e->text.failed)
        return 0;
    /* a name; whether it is the right entry its text tells */
    const uint64_t name = ln_hash(LN_HASH_BEGIN, e->text.data, e->text.length);
    ln_text_printf(&e->source, "%s/%016" PRIx64 ".c", folder->data, name);
    ln_text_printf(&e->library, "%s/%016" PRIx64 ".so", folder->data, name);
    ln_text_printf(&e->made, "%s.%ld", e->library.data, (long)getpid());
    return !e->source.failed && !e->library.failed && !e->made.failed;
}

static linnet_status load(entry *e, const ln_text *source, const ln_text *folder, ln_compiled *out,
                          ln_report *report) {
    if (!name_entry(e, source, folder))
        return ln_no_memory(report);
    out->kept = is_kept(e);
    if (!out->kept && !make(e, out))
        return LINNET_RETRY;
    out->handle = ln_sys->load_library(e->library.data);
    if (out->handle != NULL)
        return LINNET_OK;
    (void)ln_sys->remove(e->source.data); /* it is made anew the next time */
    snprintf(out->why, sizeof out->why, "%.200s cannot be loaded", e->library.data);
    return LINNET_RETRY;
}

linnet_status ln_compiled_load(const ln_text *source, ln_compiled *out, ln_report *report) {
    ln_text folder = {0};
    entry e = {0};
    *out = (ln_compiled){.handle = NULL};
    linnet_status status = LINNET_RETRY;
    if (source->failed)
        status = ln_no_memory(report);
    else if (find_folder(&folder, out))
        status = load(&e, source, &folder, out, report);
    else if (folder.failed)
        status = ln_no_memory(report);
    ln_text *const texts[] = {&folder, &e.text, &e.source, &e.library, &e.made};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        ln_text_free(texts[k]);
    return status;
}

void *ln_compiled_find(const ln_compiled *compiled, const char *name) {
    return compiled->handle != NULL ? dlsym(compiled->handle, name) : NULL;
}

void ln_compiled_free(ln_compiled *compiled) {
    if (compiled->handle != NULL)
        (void)dlclose(compiled->handle);
    *compiled = (ln_compiled){.handle = NULL};
}
