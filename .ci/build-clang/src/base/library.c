/* SPDX-License-Identifier: MIT */
/* dlopen() and dlsym(), once for each library. A library stays: what has threads or functions for
 * the end of the process does not survive being unloaded. */
#include "base/library.h"

#include "base/sys.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

static linnet_status missing(ln_report *report, const ln_library *library, const char *name) {
    char text[200];
    if (name == NULL)
        (void)snprintf(text, sizeof text,
                       "%s cannot be loaded for %s; install the Debian package %s", library->file,
                       library->what, library->package);
    else
        (void)snprintf(text, sizeof text,
                       "%s, loaded for %s, has no %s; this linnet was built for another version",
                       library->file, library->what, name);
    if (report != NULL)
        return ln_fail(report, LINNET_IO, LN_NOWHERE, "%s", text);
    (void)fprintf(stderr, "error: %s\n", text);
    return LINNET_IO;
}

static linnet_status load(ln_library *library, ln_report *report) {
    void *handle = ln_sys->load_library(library->file);
    if (handle == NULL)
        return missing(report, library, NULL);
    for (int k = 0; library->names[k] != NULL; k++) {
        void *found = dlsym(handle, library->names[k]);
        if (found == NULL)
            return missing(report, library, library->names[k]);
        memcpy((char *)library->members + (size_t)k * sizeof found, &found, sizeof found);
    }
    atomic_store(&library->loaded, 1);
    return LINNET_OK;
}

linnet_status ln_library_load(ln_library *library, ln_report *report) {
    if (atomic_load(&library->loaded))
        return LINNET_OK;
    (void)pthread_mutex_lock(&loading);
    const linnet_status status = atomic_load(&library->loaded) ? LINNET_OK : load(library, report);
    (void)pthread_mutex_unlock(&loading);
    return status;
}
