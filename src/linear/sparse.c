/* SPDX-License-Identifier: MIT */
/* Sparse LU by KLU: the only file that includes it.
 *
 * The pattern is analysed once (block triangular form, AMD). A refactorisation keeps the pivot order and is checked by
 * the pivot growth and by the ratio of the diagonal: a matrix that has moved away gets new pivots. Factors that serve
 * several solves are copied out of KLU into contiguous arrays with inverted diagonal and folded scaling, over which a
 * solve takes 0.5 to 0.8 of klu_solve's time (bench/linear.c). */
#include "base/sys.h"
#include "linear/backend.h"

#include <math.h>
#include <string.h>
#include <suitesparse/klu.h>

static const double GROWTH = 1e-4; /* reciprocal pivot growth below which old pivots are bad                          */
static const double DROP = 1e-6;   /* loss of the diagonal's ratio against that of the fresh pivots                    */
enum { COPY_AFTER = 3 };           /* solves with the same factors before they are copied out                          */

/* L, U and the off-diagonal blocks F of P R A Q = L U + F, by columns. */
typedef struct copy {
    int valid, room_n, room_l, room_u, room_f;
    int *lp, *up, *fp, *li, *ui, *fi, *p, *q, *r;
    double *lx, *ux, *fx, *rs;     /* rs: 1/scale of row p[k]                                                           */
    double *inverse;               /* of U's diagonal                                                                */
} copy;

typedef struct sparse {
    const ln_pattern *pattern;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double fresh_rcond;
    int solves;                    /* with the present factors                                                        */
    double *x;                     /* n, work                                                                         */
    copy out;
} sparse;

static void free_copy(copy *out) {
    int *ints[] = {out->lp, out->up, out->fp, out->li, out->ui, out->fi, out->p, out->q, out->r};
    double *doubles[] = {out->lx, out->ux, out->fx, out->rs, out->inverse};
    for (size_t k = 0; k < sizeof ints / sizeof *ints; k++) ln_sys->release(ints[k]);
    for (size_t k = 0; k < sizeof doubles / sizeof *doubles; k++) ln_sys->release(doubles[k]);
    *out = (copy){0};
}

static void release(void *state) {
    sparse *it = state;
    free_copy(&it->out);
    klu_free_numeric(&it->numeric, &it->common);
    klu_free_symbolic(&it->symbolic, &it->common);
    ln_sys->release(it->x);
    ln_sys->release(it);
}

static void *create(const ln_pattern *pattern) {
    sparse *it = ln_sys->allocate(sizeof *it);
    if (it == NULL) return NULL;
    *it = (sparse){.pattern = pattern};
    klu_defaults(&it->common);
    it->x = ln_sys->allocate(((size_t)pattern->n + 1) * sizeof *it->x);
    if (it->x != NULL) return it;
    release(it);
    return NULL;
}

static ln_factored failure(const sparse *it) {
    return it->common.status == KLU_OUT_OF_MEMORY || it->common.status == KLU_TOO_LARGE ? LN_FACTOR_MEMORY : LN_SINGULAR;
}

/* Old pivots on new values; 0 when they no longer serve. */
static int refactor(sparse *it, const double *values) {
    int *start = (int *)it->pattern->start, *row = (int *)it->pattern->row;
    double *v = (double *)values; /* KLU does not write it */
    if (!klu_refactor(start, row, v, it->symbolic, it->numeric, &it->common) || it->common.status != KLU_OK) return 0;
    if (!klu_rcond(it->symbolic, it->numeric, &it->common) || !(it->common.rcond > DROP * it->fresh_rcond)) return 0;
    return klu_rgrowth(start, row, v, it->symbolic, it->numeric, &it->common) && it->common.rgrowth > GROWTH;
}

static ln_factored factor(void *state, const double *values, int *again) {
    sparse *it = state;
    int n = it->pattern->n, *start = (int *)it->pattern->start, *row = (int *)it->pattern->row;
    it->solves = 0;
    it->out.valid = 0;
    *again = 0;
    if (n == 0) return LN_FACTORED;
    if (it->numeric != NULL && refactor(it, values)) {
        *again = 1;
        return LN_FACTORED;
    }
    klu_free_numeric(&it->numeric, &it->common);
    if (it->symbolic == NULL) it->symbolic = klu_analyze(n, start, row, &it->common);
    if (it->symbolic == NULL) return failure(it);
    it->numeric = klu_factor(start, row, (double *)values, it->symbolic, &it->common);
    if (it->numeric == NULL) return failure(it);
    free_copy(&it->out);
    klu_rcond(it->symbolic, it->numeric, &it->common);
    it->fresh_rcond = it->common.rcond;
    return it->common.rcond > 0 ? LN_FACTORED : LN_SINGULAR;
}

/* ---- copied factors ---- */

static int make_room(sparse *it) {
    copy *out = &it->out;
    size_t n = (size_t)it->pattern->n, nl = (size_t)it->numeric->lnz, nu = (size_t)it->numeric->unz,
           nf = (size_t)it->numeric->nzoff, blocks = (size_t)it->symbolic->nblocks;
    if (out->lp != NULL) return 1;
    struct { int **at; size_t count; } ints[] = {{&out->lp, n + 1}, {&out->up, n + 1}, {&out->fp, n + 1}, {&out->li, nl},
        {&out->ui, nu}, {&out->fi, nf}, {&out->p, n}, {&out->q, n}, {&out->r, blocks + 1}};
    struct { double **at; size_t count; } doubles[] = {{&out->lx, nl}, {&out->ux, nu}, {&out->fx, nf}, {&out->rs, n},
        {&out->inverse, n}};
    int ok = 1;
    for (size_t k = 0; k < sizeof ints / sizeof *ints; k++)
        ok &= (*ints[k].at = ln_sys->allocate((ints[k].count + 1) * sizeof(int))) != NULL;
    for (size_t k = 0; k < sizeof doubles / sizeof *doubles; k++)
        ok &= (*doubles[k].at = ln_sys->allocate((doubles[k].count + 1) * sizeof(double))) != NULL;
    if (!ok) free_copy(out);
    return ok;
}

/* U's diagonal out of its columns, and row scales inverted in the order of the permutation. */
static void fold(sparse *it) {
    copy *out = &it->out;
    int n = it->pattern->n;
    for (int k = 0; k < n; k++) {
        for (int i = out->up[k]; i < out->up[k + 1]; i++) {
            if (out->ui[i] != k) continue;
            out->inverse[k] = 1 / out->ux[i];
            out->ui[i] = out->ui[out->up[k + 1] - 1]; /* the last place of the column is left unused */
            out->ux[i] = out->ux[out->up[k + 1] - 1];
            break;
        }
        for (int i = out->lp[k]; i < out->lp[k + 1]; i++) {
            if (out->li[i] != k) continue;
            out->li[i] = out->li[out->lp[k]];         /* likewise the first, where the unit diagonal stood */
            out->lx[i] = out->lx[out->lp[k]];
            break;
        }
        out->rs[k] = 1 / out->rs[k]; /* KLU has brought them into the order of p already */
    }
}

static int copy_factors(sparse *it) {
    copy *out = &it->out;
    if (!make_room(it)) return 0;
    if (!klu_extract(it->numeric, it->symbolic, out->lp, out->li, out->lx, out->up, out->ui, out->ux, out->fp, out->fi,
                     out->fx, out->p, out->q, out->rs, out->r, &it->common))
        return 0;
    fold(it);
    out->valid = 1;
    return 1;
}

/* Back substitution over the blocks of the block triangular form, last block first. */
static void solve_copied(const sparse *it, double *b) {
    const copy *out = &it->out;
    const int n = it->pattern->n;
    double *x = it->x;
    for (int k = 0; k < n; k++) x[k] = b[out->p[k]] * out->rs[k];
    for (int block = it->symbolic->nblocks; block-- > 0;) {
        const int first = out->r[block], end = out->r[block + 1];
        for (int k = first; k < end; k++) {
            const double xk = x[k];
            for (int i = out->lp[k] + 1; i < out->lp[k + 1]; i++) x[out->li[i]] -= out->lx[i] * xk;
        }
        for (int k = end; k-- > first;) {
            const double xk = x[k] *= out->inverse[k];
            for (int i = out->up[k]; i < out->up[k + 1] - 1; i++) x[out->ui[i]] -= out->ux[i] * xk;
        }
        for (int k = first; k < end; k++) {
            const double xk = x[k];
            for (int i = out->fp[k]; i < out->fp[k + 1]; i++) x[out->fi[i]] -= out->fx[i] * xk;
        }
    }
    for (int k = 0; k < n; k++) b[out->q[k]] = x[k];
}

static void solve(void *state, double *b) {
    sparse *it = state;
    if (it->pattern->n == 0) return;
    if (it->out.valid || (++it->solves == COPY_AFTER && copy_factors(it))) solve_copied(it, b);
    else klu_solve(it->symbolic, it->numeric, it->pattern->n, 1, b, &it->common);
}

static void solve_transposed(void *state, double *b) {
    sparse *it = state;
    if (it->pattern->n > 0) klu_tsolve(it->symbolic, it->numeric, it->pattern->n, 1, b, &it->common);
}

static long fill(const void *state) {
    const sparse *it = state;
    return it->numeric == NULL ? 0 : (long)it->numeric->lnz + it->numeric->unz + it->numeric->nzoff;
}

const ln_backend ln_backend_sparse = {LN_LINEAR_SPARSE, create, release, factor, solve, solve_transposed, fill};
