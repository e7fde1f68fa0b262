/* SPDX-License-Identifier: MIT */
/* Files read through ln_sys in pieces and handed to the builder, so that a file never stands in
 * memory whole. */
#include "base/input.h"
#include "base/sys.h"
#include "model/builder.h"

#include <errno.h>
#include <string.h>

#define CHUNK ((size_t)256 * 1024)

const ln_limits ln_limits_default = {
    .file_bytes = (size_t)4 << 30,
    .tag_bytes = 64 * 1024,
    .section_bytes = (size_t)8 << 20,
    .attributes = 64,
    .depth = 64,
    .elements = 20u * 1000 * 1000,
    .include_depth = 16,
    .include_files = 256,
};

static linnet_status too_large(const ln_model_builder *builder) {
    return ln_fail(builder->report, LINNET_MODEL, (ln_place){builder->file, 0, 0},
                   "the file is larger than %zu bytes, the limit", builder->limits->file_bytes);
}

static linnet_status feed_file(ln_model_builder *builder, int fd, const char *path, char *chunk) {
    size_t total = 0;
    for (;;) {
        ssize_t got = ln_sys->read(fd, chunk, CHUNK);
        if (got == 0)
            return LINNET_OK;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return ln_fail(builder->report, LINNET_IO, LN_NOWHERE, "cannot read '%s': %s", path,
                           strerror(errno));
        total += (size_t)got;
        if (total > builder->limits->file_bytes)
            return too_large(builder);
        LN_TRY(ln_builder_feed(builder, chunk, (size_t)got));
    }
}

const ln_element *ln_tree_read_file(ln_arena *arena, const char *path, const ln_limits *limits,
                                    ln_report *report, linnet_status *status) {
    const char *name = ln_arena_string(arena, path);
    char *chunk = ln_sys->allocate(CHUNK);
    if (name == NULL || chunk == NULL) {
        ln_sys->release(chunk);
        *status = ln_no_memory(report);
        return NULL;
    }
    int fd = ln_input_open(path, LN_FROM_MODEL);
    if (fd < 0) {
        *status = ln_fail(report, LINNET_IO, LN_NOWHERE, "cannot read '%s': %s", path,
                          ln_input_why(errno));
        ln_sys->release(chunk);
        return NULL;
    }
    ln_model_builder builder;
    const ln_element *root = NULL;
    *status = ln_builder_start(&builder, arena, name, limits != NULL ? limits : &ln_limits_default,
                               report);
    if (*status == LINNET_OK)
        *status = feed_file(&builder, fd, path, chunk);
    if (*status == LINNET_OK) {
        root = ln_builder_finish(&builder);
        *status = builder.status;
    }
    ln_builder_end(&builder);
    ln_input_close(fd);
    ln_sys->release(chunk);
    return root;
}

const ln_element *ln_tree_read_memory(ln_arena *arena, ln_document document,
                                      const ln_limits *limits, ln_report *report,
                                      linnet_status *status) {
    const char *file = ln_arena_string(arena, document.name);
    const size_t length = document.length;
    if (file == NULL) {
        *status = ln_no_memory(report);
        return NULL;
    }
    ln_model_builder builder;
    const ln_element *root = NULL;
    *status = ln_builder_start(&builder, arena, file, limits != NULL ? limits : &ln_limits_default,
                               report);
    if (*status == LINNET_OK && length > builder.limits->file_bytes)
        *status = too_large(&builder);
    for (size_t at = 0; at < length && *status == LINNET_OK; at += CHUNK)
        *status = ln_builder_feed(&builder, document.data + at,
                                  length - at < CHUNK ? length - at : CHUNK);
    if (*status == LINNET_OK) {
        root = ln_builder_finish(&builder);
        *status = builder.status;
    }
    ln_builder_end(&builder);
    return root;
}
