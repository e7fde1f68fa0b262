/* SPDX-License-Identifier: MIT */
/* The first use of BLAS in a process. OpenBLAS then maps a work space of 128 MiB and, where it gets
 * none, asks again for ever; so it is asked for here before. */
#include "linear/backend.h"

#include <cblas.h>
#include <stdatomic.h>
#include <sys/mman.h>

/* Work space of OpenBLAS 0.3 on x86-64, and a little for what comes with it. */
enum { WORKSPACE = (128 + 8) << 20 };

/* Whether OpenBLAS has its work space: true of the process, not of a system. */
static atomic_bool has_workspace;

int ln_blas_begin(void) {
    if (atomic_load(&has_workspace))
        return 1;
    void *room = mmap(NULL, WORKSPACE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return 0;
    (void)munmap(room, WORKSPACE);
    /* threads cost more than they give below n = 1000, and one thread gives the same bits in every
     * run */
    openblas_set_num_threads(1);
    const double one = 1;
    double x = 1;
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, 1, 1, 1, &one, 1,
                &x, 1);
    atomic_store(&has_workspace, 1);
    return 1;
}
