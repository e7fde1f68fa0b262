/* SPDX-License-Identifier: MIT */
/* Private to the room `linear`: what it calls of LAPACKE, CBLAS and OpenBLAS. They are loaded by
 * ln_blas_begin(): most runs are sparse and need none of it. */
#ifndef LN_LINEAR_LAPACK_H
#define LN_LINEAR_LAPACK_H

#include "base/library.h"

#include <cblas.h>
#include <lapacke.h>

/* clang-format off */
#define LN_LAPACK(X) \
    X(LAPACKE_dgebal) X(LAPACKE_dgeevx) X(LAPACKE_dgelsd) X(LAPACKE_dgeqp3) X(LAPACKE_dgesdd) \
    X(LAPACKE_dgesv) X(LAPACKE_dgetrf_work) X(LAPACKE_dgetrs_work) X(LAPACKE_dsyevd) \
    X(LAPACKE_zgetrf_work) X(LAPACKE_zgetrs_work) X(lapack_make_complex_double)
/* clang-format on */

typedef struct ln_lapack_functions {
    LN_LAPACK(LN_LIBRARY_MEMBER)
} ln_lapack_functions;
extern ln_lapack_functions ln_lapack;

/* To be called before BLAS or LAPACK are; unless it gives LINNET_OK they must not be.
 * LINNET_MEMORY: no memory for their work space. LINNET_IO: they are missing (told, library.h).
 * Sets them to one thread. (blas.c) */
linnet_status ln_blas_begin(void);

#endif
