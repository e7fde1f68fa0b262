/* SPDX-License-Identifier: MIT */
/* All finite modes of a dense pencil: deflate.c makes E regular; then the values are those of -E^-1
 * A (LAPACK's dgeevx, balanced), or of the pencil (dggev) where E is close to singular. */
#include "linear/deflate.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

/* reciprocal condition of E above which -E^-1 A is as good as the pencil */
static const double SURE = 1e-9;

static size_t place(int row, int column, int rows) {
    return (size_t)column * (size_t)rows + (size_t)row;
}

/* ---- values and vectors of the regular rest ---- */

typedef struct modes {
    int m;
    double *re, *im;
    double *right, *left; /* m x m in LAPACK's real form */
} modes;

static linnet_status solve_standard(ln_deflation *d, modes *found, int vectors) {
    int m = d->m;
    size_t size = (size_t)m * (size_t)m;
    lapack_int *pivot = LN_NEW(d->arena, lapack_int, m);
    double *lu = LN_NEW(d->arena, double, size), *F = LN_NEW(d->arena, double, size);
    double *scale = LN_NEW(d->arena, double, m), *conde = LN_NEW(d->arena, double, m),
           *condv = LN_NEW(d->arena, double, m);
    if (pivot == NULL || lu == NULL || F == NULL || scale == NULL || conde == NULL || condv == NULL)
        return LINNET_MEMORY;
    memcpy(lu, d->E, size * sizeof *lu);
    for (size_t i = 0; i < size; i++)
        F[i] = -d->A[i];
    double norm = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', m, m, lu, m), sure = 0, spare;
    if (LAPACKE_dgetrf(LAPACK_COL_MAJOR, m, m, lu, m, pivot) != 0)
        return LINNET_RETRY;
    if (LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', m, lu, m, norm, &sure) != 0 || sure < SURE)
        return LINNET_RETRY;
    (void)LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', m, m, lu, m, pivot, F, m);
    lapack_int low, high;
    char job = vectors ? 'V' : 'N';
    lapack_int info =
        LAPACKE_dgeevx(LAPACK_COL_MAJOR, 'B', job, job, 'N', m, F, m, found->re, found->im,
                       found->left, m, found->right, m, &low, &high, scale, &spare, conde, condv);
    if (info != 0)
        return info > 0 ? LINNET_FAILED : LINNET_MEMORY;
    if (!vectors)
        return LINNET_OK;
    /* left vectors of F = -E^-1 A are u with u^H F = s u^H; of the pencil: w = E^-T u */
    return LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'T', m, m, lu, m, pivot, found->left, m) == 0
               ? LINNET_OK
               : LINNET_MEMORY;
}

static linnet_status solve_pencil(ln_deflation *d, modes *found, int vectors) {
    int m = d->m;
    size_t size = (size_t)m * (size_t)m;
    double *E = LN_NEW(d->arena, double, size), *F = LN_NEW(d->arena, double, size),
           *beta = LN_NEW(d->arena, double, m);
    if (E == NULL || F == NULL || beta == NULL)
        return LINNET_MEMORY;
    memcpy(E, d->E, size * sizeof *E);
    for (size_t i = 0; i < size; i++)
        F[i] = -d->A[i];
    char job = vectors ? 'V' : 'N';
    lapack_int info = LAPACKE_dggev(LAPACK_COL_MAJOR, job, job, m, F, m, E, m, found->re, found->im,
                                    beta, found->left, m, found->right, m);
    if (info != 0)
        return info > 0 ? LINNET_FAILED : LINNET_MEMORY;
    for (int k = 0; k < m; k++) {
        found->re[k] /= beta[k];
        found->im[k] /= beta[k];
    }
    return LINNET_OK;
}

/* Column k of LAPACK's real form as pairs: a conjugate pair shares two columns. */
static void unpack(const modes *found, const double *packed, int k, double *pairs) {
    int m = found->m, first = k;
    double sign = 0;
    if (found->im[k] > 0)
        sign = 1;
    if (found->im[k] < 0) {
        sign = -1;
        first = k - 1;
    }
    for (int i = 0; i < m; i++) {
        pairs[2 * i] = packed[place(i, first, m)];
        pairs[2 * i + 1] = sign != 0 ? sign * packed[place(i, first + 1, m)] : 0;
    }
}

/* ---- vectors of the whole pencil ---- */

/* Largest entry 1, real. */
static void normalise(double *pairs, int n) {
    int largest = 0;
    double size = 0;
    for (int i = 0; i < n; i++) {
        double here = hypot(pairs[2 * i], pairs[2 * i + 1]);
        if (here > size * (1 + 1e-9)) {
            size = here;
            largest = i;
        }
    }
    if (size == 0)
        return;
    double re = pairs[2 * largest] / size / size, im = -pairs[2 * largest + 1] / size / size;
    for (int i = 0; i < n; i++) {
        double a = pairs[2 * i], b = pairs[2 * i + 1];
        pairs[2 * i] = a * re - b * im;
        pairs[2 * i + 1] = a * im + b * re;
    }
}

static linnet_status lift(ln_deflation *d, const modes *found, ln_arena *arena, ln_eigen *out) {
    int n = d->n, m = d->m;
    size_t size = 2 * (size_t)n * (size_t)m;
    out->right = LN_NEW(arena, double, size);
    out->left = LN_NEW(arena, double, size);
    double *pairs = LN_NEW(d->arena, double, 2 * (size_t)n + 2),
           *work = LN_NEW(d->arena, double, 5 * (size_t)n + 5);
    double *re = LN_NEW(d->arena, double, n), *im = LN_NEW(d->arena, double, n);
    if (out->right == NULL || out->left == NULL || pairs == NULL || work == NULL || re == NULL ||
        im == NULL)
        return LINNET_MEMORY;
    for (int k = 0; k < m; k++) {
        double *right = out->right + 2 * (size_t)n * (size_t)k,
               *left = out->left + 2 * (size_t)n * (size_t)k;
        unpack(found, found->right, k, pairs);
        ln_lift_right(d, pairs, right);
        ln_lift_right(d, pairs + 1, right + 1);
        normalise(right, n);
        unpack(found, found->left, k, pairs);
        for (int i = 0; i < m; i++) {
            re[i] = pairs[2 * i];
            im[i] = pairs[2 * i + 1];
        }
        ln_lift_left(d, found->re[k], found->im[k], re, im, work);
        for (int i = 0; i < n; i++) {
            left[2 * i] = re[i];
            left[2 * i + 1] = im[i];
        }
        normalise(left, n);
    }
    return LINNET_OK;
}

/* ---- the whole ---- */

static linnet_status solve(ln_deflation *d, int vectors, ln_arena *arena, ln_eigen *out) {
    int m = d->m;
    size_t size = (size_t)m * (size_t)m;
    modes found = {.m = m,
                   .re = LN_NEW(d->arena, double, m),
                   .im = LN_NEW(d->arena, double, m),
                   .right = LN_NEW(d->arena, double, size),
                   .left = LN_NEW(d->arena, double, size)};
    out->value = LN_NEW(arena, double, 2 * (size_t)m);
    if (!found.re || !found.im || !found.right || !found.left || !out->value)
        return LINNET_MEMORY;
    if (m > 0) {
        linnet_status status = solve_standard(d, &found, vectors);
        LN_TRY(status == LINNET_RETRY ? solve_pencil(d, &found, vectors) : status);
    }
    for (int k = 0; k < m; k++) {
        out->value[2 * k] = found.re[k];
        out->value[2 * k + 1] = found.im[k];
    }
    out->count = m;
    return vectors && m > 0 ? lift(d, &found, arena, out) : LINNET_OK;
}

linnet_status ln_eigen_dense(const ln_pencil *pencil, int vectors, ln_arena *arena, ln_eigen *out) {
    openblas_set_num_threads(1);
    int n = pencil->pattern->n;
    *out = (ln_eigen){
        .n = n, .hidden_unknown = LN_NEW(arena, double, n), .hidden_row = LN_NEW(arena, double, n)};
    ln_deflation d = {.arena = ln_arena_new(),
                      .hidden_unknown = out->hidden_unknown,
                      .hidden_row = out->hidden_row};
    linnet_status status = d.arena == NULL || out->hidden_unknown == NULL || out->hidden_row == NULL
                               ? LINNET_MEMORY
                               : ln_deflate(&d, pencil);
    if (status == LINNET_OK)
        status = solve(&d, vectors, arena, out);
    out->index = d.nlevels;
    ln_arena_free(d.arena);
    return status;
}
