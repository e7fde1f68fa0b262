/* SPDX-License-Identifier: MIT */
/* An FMU unpacked and its library loaded: see fmu_instance.h. */
#include "blocks/fmu/fmu_calls.h"

#include "base/output.h"
#include "base/sys.h"
#include "base/text.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FILE = 1 << 30 };

static linnet_status cannot_write(const ln_fmu_library *loaded, const char *what,
                                  ln_report *report) {
    return ln_fail(report, LINNET_IO, LN_NOWHERE, "'%s' cannot be unpacked: %s: %s", loaded->path,
                   what, strerror(errno));
}

/* ---- unpacking ---- */

static linnet_status note(ln_fmu_library *loaded, const char *path, ln_report *report) {
    if (!LN_GROW(loaded->made, loaded->nmade, loaded->made_room))
        return ln_no_memory(report);
    loaded->made[loaded->nmade++] = path;
    return LINNET_OK;
}

static linnet_status make_folders(ln_fmu_library *loaded, const char *name, ln_report *report) {
    for (const char *slash = strchr(name, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        const char *folder =
            ln_arena_printf(loaded->arena, "%s/%.*s", loaded->folder, (int)(slash - name), name);
        if (folder == NULL)
            return ln_no_memory(report);
        if (ln_sys->make_folder(folder) == 0)
            LN_TRY(note(loaded, folder, report));
        else if (errno != EEXIST)
            return cannot_write(loaded, folder, report);
    }
    return LINNET_OK;
}

static linnet_status write_file(ln_fmu_library *loaded, const char *name, const ln_text *bytes,
                                ln_report *report) {
    const char *path = ln_arena_printf(loaded->arena, "%s/%s", loaded->folder, name);
    if (path == NULL)
        return ln_no_memory(report);
    const int fd = ln_sys->open_write(path);
    if (fd < 0)
        return cannot_write(loaded, path, report);
    linnet_status status = note(loaded, path, report);
    if (status == LINNET_OK && !ln_sys_write_all(fd, bytes->data, bytes->length))
        status = cannot_write(loaded, path, report);
    if (ln_sys->close(fd) != 0 && status == LINNET_OK)
        status = cannot_write(loaded, path, report);
    return status;
}

static linnet_status unpack(ln_fmu_library *loaded, ln_archive *archive, const char *prefix,
                            int *count, ln_report *report) {
    for (int k = 0; k < ln_archive_count(archive); k++) {
        const char *name = ln_archive_name(archive, k);
        ln_text bytes = {0};
        int found;
        if (strncmp(name, prefix, strlen(prefix)) != 0)
            continue;
        LN_TRY(make_folders(loaded, name, report));
        if (name[strlen(name) - 1] == '/')
            continue;
        ++*count;
        linnet_status status = ln_archive_read(archive, name, MOST_FILE, &bytes, &found);
        if (status == LINNET_OK)
            status = write_file(loaded, name, &bytes, report);
        ln_text_free(&bytes);
        LN_TRY(status);
    }
    return LINNET_OK;
}

static linnet_status make_place(ln_fmu_library *loaded, ln_report *report) {
    const char *place = getenv("TMPDIR");
    char *folder = ln_arena_printf(loaded->arena, "%s/linnet-fmu-XXXXXX",
                                   place != NULL && place[0] != '\0' ? place : "/tmp");
    if (folder == NULL)
        return ln_no_memory(report);
    if (mkdtemp(folder) == NULL)
        return cannot_write(loaded, folder, report);
    loaded->folder = folder;
    return LINNET_OK;
}

/* ---- loading ---- */

static linnet_status find_calls(ln_fmu_library *loaded, void *handle, ln_report *report) {
#define LN_FMI_NAME(type, name) #name,
    static const char *const two[] = {LN_FMI2_CALLS(LN_FMI_NAME) NULL};
    static const char *const three[] = {LN_FMI3_CALLS(LN_FMI_NAME) NULL};
#undef LN_FMI_NAME
    const char *const *names = loaded->about.version == 2 ? two : three;
    char *members = loaded->about.version == 2 ? (char *)&loaded->two : (char *)&loaded->three;
    for (int k = 0; names[k] != NULL; k++) {
        void *found = dlsym(handle, names[k]);
        if (found == NULL)
            return ln_fail(report, LINNET_IO, LN_NOWHERE, "the library of '%s' has no %s",
                           loaded->path, names[k]);
        memcpy(members + (size_t)k * sizeof found, &found, sizeof found);
    }
    return LINNET_OK;
}

/* What has been unpacked is removed. */
static void remove_files(ln_fmu_library *loaded) {
    while (loaded->nmade > 0) {
        const char *path = loaded->made[--loaded->nmade];
        if (ln_sys->remove(path) != 0)
            (void)rmdir(path);
    }
    if (loaded->folder != NULL)
        (void)rmdir(loaded->folder);
    loaded->folder = NULL;
}

static linnet_status load(ln_fmu_library *loaded, ln_archive *archive, ln_report *report) {
    const char *where = ln_fmi_platform(loaded->about.version);
    const char *prefix = ln_arena_printf(loaded->arena, "binaries/%s/", where);
    int has_library = 0, has_resources = 0;
    if (prefix == NULL)
        return ln_no_memory(report);
    LN_TRY(make_place(loaded, report));
    LN_TRY(unpack(loaded, archive, prefix, &has_library, report));
    if (!has_library)
        return ln_fail(
            report, LINNET_IO, LN_NOWHERE,
            "'%s' has no library for this machine (%s); export it again here, or compile "
            "its sources",
            loaded->path, prefix);
    LN_TRY(unpack(loaded, archive, "resources/", &has_resources, report));
    const char *library = ln_arena_printf(loaded->arena, "%s/%s%s.so", loaded->folder, prefix,
                                          loaded->about.identifier);
    loaded->resources = ln_arena_printf(
        loaded->arena, loaded->about.version == 2 ? "file://%s/resources" : "%s/resources/",
        loaded->folder);
    if (library == NULL || loaded->resources == NULL)
        return ln_no_memory(report);
    ln_output_lend(); /* what it does when it is loaded */
    void *handle = ln_sys->load_library(library);
    ln_output_take_back();
    if (handle == NULL)
        return ln_fail(report, LINNET_IO, LN_NOWHERE, "the library of '%s' cannot be loaded: %s",
                       loaded->path, dlerror());
    LN_TRY(find_calls(loaded, handle, report));
    if (!has_resources && has_library == 1) /* nothing reads it again: nothing is left by a crash */
        remove_files(loaded);
    return LINNET_OK;
}

linnet_status ln_fmu_library_open(const char *path, ln_report *report, ln_fmu_library **library) {
    ln_arena *arena = ln_arena_new();
    ln_fmu_library *loaded = arena == NULL ? NULL : LN_NEW(arena, ln_fmu_library, 1);
    ln_text bytes = {0};
    ln_archive *archive;
    *library = loaded;
    if (loaded == NULL) {
        ln_arena_free(arena);
        return ln_no_memory(report);
    }
    *loaded = (ln_fmu_library){.arena = arena, .path = ln_arena_string(arena, path)};
    linnet_status status = loaded->path == NULL ? ln_no_memory(report)
                                                : ln_fmi_open(loaded->path, arena, report, &bytes,
                                                              &archive, &loaded->about);
    if (status == LINNET_OK)
        status = load(loaded, archive, report);
    if (loaded->path != NULL)
        ln_archive_close(archive);
    ln_text_free(&bytes);
    if (status == LINNET_OK)
        return status;
    ln_fmu_library_close(loaded);
    *library = NULL;
    return status;
}

void ln_fmu_library_close(ln_fmu_library *library) {
    if (library == NULL)
        return;
    remove_files(library);
    ln_sys->release(library->made);
    ln_arena_free(library->arena);
}
