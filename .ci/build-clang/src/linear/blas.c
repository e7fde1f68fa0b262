/* SPDX-License-Identifier: MIT */
/* The first use of BLAS in a process. OpenBLAS then maps a work space of 128 MiB and, where it gets
 * none, asks again for ever; so it is asked for here before. */
#include "linear/lapack.h"

#include <stdatomic.h>
#include <sys/mman.h>

/* Work space of OpenBLAS 0.3 on x86-64, and a little for what comes with it. */
enum { WORKSPACE = (128 + 8) << 20 };

ln_lapack_functions ln_lapack;
static const char *const lapack_names[] = {LN_LAPACK(LN_LIBRARY_NAME) NULL};
static ln_library lapack = {.file = LINNET_SONAME_LAPACKE,
                            .package = "liblapacke",
                            .what = "dense matrices",
                            .names = lapack_names,
                            .members = &ln_lapack};

#define BLAS(X) X(openblas_set_num_threads) X(cblas_dtrsm)
static struct { BLAS(LN_LIBRARY_MEMBER) } blas;
static const char *const blas_names[] = {BLAS(LN_LIBRARY_NAME) NULL};
static ln_library openblas = {.file = LINNET_SONAME_OPENBLAS,
                              .package = "libopenblas0-serial",
                              .what = "dense matrices",
                              .names = blas_names,
                              .members = &blas};

/* Whether OpenBLAS has its work space: true of the process, not of a system. */
static atomic_bool has_workspace;

linnet_status ln_blas_begin(void) {
    if (atomic_load(&has_workspace))
        return LINNET_OK;
    LN_TRY(ln_library_load(&openblas, NULL));
    LN_TRY(ln_library_load(&lapack, NULL));
    void *room = mmap(NULL, WORKSPACE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return LINNET_MEMORY;
    (void)munmap(room, WORKSPACE);
    /* threads cost more than they give below n = 1000, and one thread gives the same bits in every
     * run */
    blas.openblas_set_num_threads(1);
    const double one = 1;
    double x = 1;
    blas.cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, 1, 1, 1,
                     &one, 1, &x, 1);
    atomic_store(&has_workspace, 1);
    return LINNET_OK;
}
