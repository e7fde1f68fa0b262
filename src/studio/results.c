/* SPDX-License-Identifier: MIT */
/* The folder of results: see results.h. Every name in it is made here, so none can lead out. */
#include "studio/results.h"

#include "base/sys.h"
#include "base/text.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEPT = 64 /* results at once */ };

static const char *const stems[] = {[LN_RESULT_RUN] = "run-", [LN_RESULT_SWEEP] = "sweep-"};

struct ln_results {
    atomic_long count;
    char folder[PATH_MAX];
};

ln_results *ln_results_new(void) {
    const char *base = getenv("TMPDIR");
    ln_results *results = ln_sys->allocate(sizeof *results);
    if (results == NULL)
        return NULL;
    atomic_init(&results->count, 0);
    snprintf(results->folder, sizeof results->folder, "%.3000s/linnet-studio-XXXXXX",
             base != NULL && base[0] == '/' ? base : "/tmp");
    if (mkdtemp(results->folder) != NULL)
        return results;
    const int reason = errno;
    ln_sys->release(results);
    errno = reason;
    return NULL;
}

const char *ln_results_folder(const ln_results *results) {
    return results->folder;
}

/* Files, and folders of files. */
static void remove_all(const char *path) {
    char inner[PATH_MAX + 256];
    const struct dirent *entry;
    if (unlink(path) == 0 || errno == ENOENT)
        return;
    DIR *stream = opendir(path);
    while (stream != NULL && (entry = readdir(stream)) != NULL) {
        const int length = snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 || length < 0 ||
            (size_t)length >= sizeof inner)
            continue;
        if (unlink(inner) != 0 && (errno == EISDIR || errno == EPERM))
            remove_all(inner);
    }
    if (stream != NULL)
        (void)closedir(stream);
    (void)rmdir(path);
}

void ln_results_free(ln_results *results) {
    if (results == NULL)
        return;
    remove_all(results->folder);
    ln_sys->release(results);
}

/* The number of a result, by its name; 0: no such result. */
static long number_of(const ln_results *results, const char *name, ln_result_kind *kind) {
    for (size_t k = 0; k < sizeof stems / sizeof *stems; k++) {
        const size_t length = strlen(stems[k]);
        char *end;
        if (strncmp(name, stems[k], length) != 0 || strspn(name + length, "0123456789") > 9)
            continue;
        const long number = strtol(name + length, &end, 10);
        *kind = (ln_result_kind)k;
        if (*end == '\0' && end > name + length && name[length] != '0')
            return number <= results->count ? number : 0;
    }
    return 0;
}

/* Where a result stands that has a number above `least`. */
static int find(const ln_results *results, const char *name, long least, ln_text *path) {
    ln_result_kind kind;
    const long number = number_of(results, name, &kind);
    if (number == 0 || number <= least)
        return 0;
    ln_text_printf(path, "%s/%s%s", results->folder, name, kind == LN_RESULT_RUN ? ".h5" : "");
    return !path->failed;
}

int ln_results_path(const ln_results *results, const char *name, ln_text *path) {
    return find(results, name, results->count - KEPT, path);
}

void ln_results_drop(ln_results *results, const char *name) {
    ln_text path = {0};
    if (find(results, name, 0, &path)) {
        remove_all(path.data);
        ln_text_add(&path, ".part");
        if (!path.failed)
            remove_all(path.data);
    }
    ln_text_free(&path);
}

void ln_results_next(ln_results *results, ln_result_kind kind, char name[32]) {
    char old[32];
    const long number = atomic_fetch_add(&results->count, 1) + 1;
    snprintf(name, 32, "%s%ld", stems[kind], number);
    for (size_t k = 0; k < sizeof stems / sizeof *stems && number > KEPT; k++) {
        snprintf(old, sizeof old, "%s%ld", stems[k], number - KEPT);
        ln_results_drop(results, old);
    }
}
