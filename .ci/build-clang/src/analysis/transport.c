/* SPDX-License-Identifier: MIT */
/* Finds out whether there are other processes, and loads what talks to them. */
#include "analysis/transport.h"

#include "base/text.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* mpirun tells each process the size of its world: Open MPI, and MPICH with its relatives. */
static int is_one_of_many(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *size = getenv(names[k]);
        if (size != NULL && strtol(size, NULL, 10) > 1)
            return 1;
    }
    return 0;
}

/* Beside the program as it was built, beside it as it was installed, and where it was meant to be
 * installed. */
static void *load_module(const char **why) {
    static const char *const places[] = {"/.libs/linnet-mpi.so", "/../lib/linnet/linnet-mpi.so"};
    char program[4096];
    void *module = NULL;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (slash != NULL)
        *slash = '\0';
    for (size_t k = 0; k < sizeof places / sizeof *places && slash != NULL && module == NULL; k++) {
        ln_text path = {0};
        ln_text_printf(&path, "%s%s", program, places[k]);
        if (!path.failed)
            module = dlopen(path.data, RTLD_NOW | RTLD_GLOBAL);
        ln_text_free(&path);
    }
    if (module == NULL)
        module = dlopen(LINNET_MODULE_DIR "/linnet-mpi.so", RTLD_NOW | RTLD_GLOBAL);
    *why = module == NULL ? dlerror() : NULL;
    return module;
}

linnet_status ln_transport_open(ln_transport *transport, ln_report *report) {
    *transport = (ln_transport){.rank = 0, .size = 1};
    if (!is_one_of_many())
        return LINNET_OK;
    const char *why;
    void *module = load_module(&why);
    if (module == NULL)
        return ln_fail(report, LINNET_USAGE, LN_NOWHERE,
                       "this linnet cannot work under mpirun: %s; build it with MPI "
                       "(libopenmpi-dev), or run it alone with --threads",
                       why);
    ln_transport_open_function *open;
    *(void **)&open = dlsym(module, "linnet_mpi_open"); /* POSIX's own way to a function */
    if (open != NULL && open(LN_TRANSPORT_VERSION, transport))
        return LINNET_OK;
    return ln_fail(report, LINNET_USAGE, LN_NOWHERE,
                   "MPI could not be started; the module linnet-mpi.so may belong to "
                   "another linnet");
}
