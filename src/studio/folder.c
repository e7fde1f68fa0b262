/* SPDX-License-Identifier: MIT */
/* Files inside one folder: see folder.h.
 *
 * A path is walked name by name, each folder opened from the one before and never through a link
 * (openat with O_NOFOLLOW), so nothing that changes meanwhile can lead out. These calls stand here
 * and not in the table of base/sys.h, which knows whole paths only. */
#include "studio/folder.h"

#include "base/sys.h"
#include "base/visible.h"
#include "reading/open.h"
#include "base/text.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEEPEST = 6 /* folders in folders */, MOST_FILES = 4000, MOST_FOLDERS = 2000, HEAD = 8192 };

int ln_folder_open(ln_folder *folder, const char *path) {
    char whole[PATH_MAX];
    *folder = (ln_folder){.descriptor = -1};
    if (realpath(path, whole) == NULL)
        return -1;
    folder->path = ln_sys->allocate(strlen(whole) + 1);
    if (folder->path == NULL)
        return -1;
    memcpy(folder->path, whole, strlen(whole) + 1);
    folder->descriptor = open(whole, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return folder->descriptor >= 0 ? 0 : -1;
}

void ln_folder_close(ln_folder *folder) {
    if (folder->descriptor >= 0)
        (void)close(folder->descriptor);
    ln_sys->release(folder->path);
    *folder = (ln_folder){.descriptor = -1};
}

/* ---- names ---- */

static int is_model_name(const char *name) {
    return ln_ends_with(name, ".xml") || ln_deck_suffix(name);
}

/* A name of a path that may be used: not hidden, no "..", fit to be shown. */
static int is_name(const char *name, size_t length) {
    return length > 0 && length < NAME_MAX - 24 && name[0] != '.' &&
           memchr(name, '\\', length) == NULL;
}

static int is_path(const char *path) {
    if (strlen(path) >= PATH_MAX || !ln_visible_is(path, 0))
        return 0;
    for (const char *name = path;; name++) {
        const size_t length = strcspn(name, "/");
        if (!is_name(name, length))
            return 0;
        name += length;
        if (*name == '\0')
            return 1;
    }
}

/* Opens the folder in which the last name of a path stands, to which *last comes to point. */
static int open_parent(const ln_folder *folder, const char *path, const char **last) {
    int at = fcntl(folder->descriptor, F_DUPFD_CLOEXEC, 0);
    for (const char *slash; at >= 0 && (slash = strchr(path, '/')) != NULL; path = slash + 1) {
        char name[NAME_MAX + 1];
        snprintf(name, sizeof name, "%.*s", (int)(slash - path), path);
        const int next = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        const int reason = errno;
        (void)close(at);
        errno = reason;
        at = next;
    }
    *last = path;
    return at;
}

static ln_folder_outcome outcome_of(int reason) {
    switch (reason) {
    case ENOENT:
    case ENOTDIR: return LN_FOLDER_ABSENT;
    case ELOOP: return LN_FOLDER_PLAIN;
    default: return LN_FOLDER_FAILED;
    }
}

const char *ln_folder_why(ln_folder_outcome outcome) {
    switch (outcome) {
    case LN_FOLDER_DONE: return "done";
    case LN_FOLDER_NAME:
        return "a model file inside the studio's folder is wanted: letters, digits and the like, "
               "ending in .xml (or .cir of a SPICE deck)";
    case LN_FOLDER_ABSENT: return "there is no such file or folder";
    case LN_FOLDER_PLAIN: return "this is no plain file; links are not followed";
    case LN_FOLDER_SIZE: return "the file is larger than 8 MiB, or no UTF-8 text";
    case LN_FOLDER_CHANGED:
        return "the file was changed by another program since it was opened here";
    case LN_FOLDER_FAILED: return strerror(errno);
    }
    return "failed";
}

static void make_stamp(const struct stat *info, ln_folder_stamp *stamp) {
    snprintf(stamp->text, sizeof stamp->text, "%lld.%09ld-%lld-%llu",
             (long long)info->st_mtim.tv_sec, info->st_mtim.tv_nsec, (long long)info->st_size,
             (unsigned long long)info->st_ino);
}

/* ---- reading ---- */

/* A plain file; else -1 with errno (ELOOP of one that is none). */
static int open_file(int parent, const char *name, struct stat *info) {
    const int file = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0 || (fstat(file, info) == 0 && S_ISREG(info->st_mode)))
        return file;
    (void)close(file);
    errno = ELOOP;
    return -1;
}

/* Appends at most `most` bytes; 0, or -1 with errno. */
static int read_bytes(int file, size_t most, ln_text *text) {
    char block[16384];
    ssize_t got = 1;
    for (size_t all = 0; got > 0 && all<most; all += got> 0 ? (size_t)got : 0) {
        got = ln_sys->read(file, block, sizeof block);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got > 0)
            ln_text_add_bytes(text, block, (size_t)got);
    }
    if (text->failed)
        errno = ENOMEM;
    return got < 0 || text->failed ? -1 : 0;
}

/* UTF-8 without NUL: what a page can show and give back unchanged. */
static int is_text(const ln_text *text) {
    for (size_t k = 0; k < text->length;) {
        const int length =
            text->data[k] != '\0' ? ln_utf8_length(text->data + k, text->length - k) : 0;
        if (length == 0)
            return 0;
        k += (size_t)length;
    }
    return 1;
}

ln_folder_outcome ln_folder_read(const ln_folder *folder, const char *path, ln_text *text,
                                 ln_folder_stamp *stamp) {
    const char *name;
    struct stat info;
    if (!is_path(path) || !is_model_name(path))
        return LN_FOLDER_NAME;
    const int parent = open_parent(folder, path, &name);
    if (parent < 0)
        return outcome_of(errno);
    const int file = open_file(parent, name, &info);
    int reason = errno;
    (void)close(parent);
    if (file < 0)
        return outcome_of(reason);
    ln_folder_outcome outcome = LN_FOLDER_DONE;
    if (info.st_size > (off_t)LN_STUDIO_TEXT)
        outcome = LN_FOLDER_SIZE;
    else if (read_bytes(file, LN_STUDIO_TEXT, text) != 0)
        outcome = LN_FOLDER_FAILED;
    else if (!is_text(text))
        outcome = LN_FOLDER_SIZE;
    reason = errno;
    make_stamp(&info, stamp);
    (void)close(file);
    errno = reason;
    return outcome;
}

ln_folder_outcome ln_folder_where(const ln_folder *folder, const char *path, ln_text *where) {
    const char *name = "";
    if (path[0] != '\0' && !is_path(path))
        return LN_FOLDER_NAME;
    const int parent = open_parent(folder, path, &name);
    if (parent < 0)
        return LN_FOLDER_ABSENT;
    (void)close(parent);
    ln_text_add(where, folder->path);
    if (name > path) {
        ln_text_add(where, "/");
        ln_text_add_bytes(where, path, (size_t)(name - path) - 1);
    }
    return where->failed ? LN_FOLDER_FAILED : LN_FOLDER_DONE;
}

/* ---- writing ---- */

static int write_bytes(int file, const char *text, size_t length) {
    return ln_sys_write_all(file, text, length) ? ln_sys->sync(file) : -1;
}

/* What stands under the name is a plain file in the state that is meant, or nothing. */
static ln_folder_outcome check_target(int parent, const char *name, const ln_folder_stamp *stamp,
                                      mode_t *mode) {
    struct stat info;
    ln_folder_stamp found = {""};
    *mode = 0;
    if (fstatat(parent, name, &info, AT_SYMLINK_NOFOLLOW) == 0) {
        if (!S_ISREG(info.st_mode))
            return LN_FOLDER_PLAIN;
        make_stamp(&info, &found);
        *mode = info.st_mode & 0777;
    } else if (errno != ENOENT) {
        return LN_FOLDER_FAILED;
    }
    return stamp != NULL && strcmp(stamp->text, found.text) != 0 ? LN_FOLDER_CHANGED
                                                                 : LN_FOLDER_DONE;
}

/* Beside its place first, then under its name. */
static ln_folder_outcome write_in(int parent, const char *name, const char *text, size_t length,
                                  ln_folder_stamp *stamp) {
    char part[NAME_MAX + 1];
    mode_t mode;
    struct stat info;
    const ln_folder_outcome allowed = check_target(parent, name, stamp, &mode);
    if (allowed != LN_FOLDER_DONE)
        return allowed;
    snprintf(part, sizeof part, ".%s.%ld.part", name, (long)getpid());
    (void)unlinkat(parent, part, 0);
    const int file =
        openat(parent, part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, (mode_t)0666);
    if (file < 0)
        return LN_FOLDER_FAILED;
    int good = write_bytes(file, text, length) == 0 && (mode == 0 || fchmod(file, mode) == 0) &&
               fstat(file, &info) == 0;
    good = (ln_sys->close(file) == 0) & good;
    good = good && renameat(parent, part, parent, name) == 0;
    if (good && stamp != NULL)
        make_stamp(&info, stamp);
    const int reason = errno;
    if (!good)
        (void)unlinkat(parent, part, 0);
    errno = reason;
    return good ? LN_FOLDER_DONE : LN_FOLDER_FAILED;
}

ln_folder_outcome ln_folder_write(const ln_folder *folder, const char *path, const char *text,
                                  size_t length, ln_folder_stamp *stamp) {
    const char *name;
    if (!is_path(path) || !is_model_name(path))
        return LN_FOLDER_NAME;
    if (length > LN_STUDIO_TEXT)
        return LN_FOLDER_SIZE;
    const int parent = open_parent(folder, path, &name);
    if (parent < 0)
        return outcome_of(errno);
    const ln_folder_outcome outcome = write_in(parent, name, text, length, stamp);
    const int reason = errno;
    (void)close(parent);
    errno = reason;
    return outcome;
}

/* ---- listing ---- */

typedef struct model_search {
    void (*tell)(void *context, const char *path);
    void *context;
    int count, folders;
} model_search;

/* A deck by its name; of XML, what has a model's element near its head. */
static int is_model(int parent, const char *name) {
    struct stat info;
    ln_text head = {0};
    if (!is_model_name(name))
        return 0;
    const int file = open_file(parent, name, &info);
    if (file < 0)
        return 0;
    const int found = read_bytes(file, HEAD, &head) == 0 && head.data != NULL &&
                      (ln_deck_suffix(name) ||
                       memmem(head.data, head.length, "<model", strlen("<model")) != NULL);
    (void)close(file);
    ln_text_free(&head);
    return found;
}

static int by_name(const void *a, const void *b) {
    const char *const *one = a, *const *two = b;
    return strcmp(*one, *two);
}

/* The names in a folder, sorted, in the arena; NULL when memory is short. */
static const char **names_in(int folder, ln_arena *arena, size_t *count) {
    const char **names = NULL;
    size_t room = 0;
    const struct dirent *entry;
    *count = 0;
    const int own = fcntl(folder, F_DUPFD_CLOEXEC, 0);
    DIR *stream = own >= 0 ? fdopendir(own) : NULL;
    if (stream == NULL && own >= 0)
        (void)close(own);
    while (stream != NULL && (entry = readdir(stream)) != NULL && *count < MOST_FILES) {
        if (!is_name(entry->d_name, strlen(entry->d_name)) || !ln_visible_is(entry->d_name, 0))
            continue;
        const char *name = ln_arena_string(arena, entry->d_name);
        if (name == NULL || !LN_GROW(names, *count, room))
            break;
        names[(*count)++] = name;
    }
    if (stream != NULL)
        (void)closedir(stream);
    if (names != NULL)
        qsort(names, *count, sizeof *names, by_name);
    return names;
}

/* Files before folders. */
static void list_in(int folder, const char *path, int depth, model_search *out) {
    ln_arena *arena = ln_arena_new();
    size_t count = 0;
    const char **names = arena != NULL ? names_in(folder, arena, &count) : NULL;
    for (size_t k = 0; names != NULL && k < count && out->count < MOST_FILES; k++)
        if (is_model(folder, names[k])) {
            const char *whole = ln_arena_printf(arena, "%s%s", path, names[k]);
            if (whole != NULL)
                out->tell(out->context, whole);
            out->count++;
        }
    for (size_t k = 0; names != NULL && k < count && depth < DEEPEST && out->folders < MOST_FOLDERS;
         k++) {
        const int inner =
            openat(folder, names[k], O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        const char *whole = ln_arena_printf(arena, "%s%s/", path, names[k]);
        out->folders += inner >= 0;
        if (inner >= 0 && whole != NULL)
            list_in(inner, whole, depth + 1, out);
        if (inner >= 0)
            (void)close(inner);
    }
    ln_sys->release(names);
    ln_arena_free(arena);
}

void ln_folder_list(const ln_folder *folder, void (*tell)(void *context, const char *path),
                    void *context) {
    model_search out = {tell, context, 0, 0};
    const int own = openat(folder->descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (own < 0)
        return;
    list_in(own, "", 0, &out);
    (void)close(own);
}
