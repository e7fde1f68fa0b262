/* SPDX-License-Identifier: MIT */
/* The rounds of deflate.h. A round's scale is made of powers of two, so that scaling rounds
 * nothing. */
#include "linear/deflate.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <string.h>

static size_t place(int row, int column, int rows) {
    return (size_t)column * (size_t)rows + (size_t)row;
}

/* ---- scaling ---- */

/* Largest entries of the rows of E; where E has none, of A: their inverses. Powers of two, so that
 * nothing is rounded. */
static double inverse_size(double in_e, double in_a) {
    double size = in_e > 0 ? in_e : in_a;
    return size > 0 ? ldexp(1.0, -ilogb(size)) : 1;
}

static void scale_rows(ln_deflation *d, double *scale) {
    int m = d->m;
    for (int i = 0; i < m; i++) {
        double e = 0, a = 0;
        for (int j = 0; j < m; j++) {
            e = fmax(e, fabs(d->E[place(i, j, m)]));
            a = fmax(a, fabs(d->A[place(i, j, m)]));
        }
        double factor = inverse_size(e, a);
        scale[i] *= factor;
        for (int j = 0; j < m; j++) {
            d->E[place(i, j, m)] *= factor;
            d->A[place(i, j, m)] *= factor;
        }
    }
}

static void scale_columns(ln_deflation *d) {
    int m = d->m;
    for (int j = 0; j < m; j++) {
        double e = 0, a = 0;
        for (int i = 0; i < m; i++) {
            e = fmax(e, fabs(d->E[place(i, j, m)]));
            a = fmax(a, fabs(d->A[place(i, j, m)]));
        }
        double factor = inverse_size(e, a);
        for (int i = 0; i < m; i++) {
            d->E[place(i, j, m)] *= factor;
            d->A[place(i, j, m)] *= factor;
        }
        for (int i = 0; i < d->n; i++)
            d->X[place(i, j, d->n)] *= factor;
    }
}

/* ---- one round ---- */

/* E = Q R P' with the rank in *rank; E becomes R P' (rows below the rank zero), A becomes Q'A. */
static linnet_status compress_rows(ln_deflation *d, ln_level *level) {
    int m = d->m;
    level->order = LN_NEW(d->arena, lapack_int, m);
    level->q = LN_NEW(d->arena, double, (size_t)m *(size_t)m);
    level->q_tau = LN_NEW(d->arena, double, m);
    if (level->order == NULL || level->q == NULL || level->q_tau == NULL)
        return LINNET_MEMORY;
    memcpy(level->q, d->E, (size_t)m * (size_t)m * sizeof *d->E);
    if (LAPACKE_dgeqp3(LAPACK_COL_MAJOR, m, m, level->q, m, level->order, level->q_tau) != 0)
        return LINNET_MEMORY;
    /* rounding of the entries, and from the second round on that of the rounds before */
    double zero = (d->nlevels == 0 ? 4 * DBL_EPSILON * m : 1e-10) * fabs(level->q[0]);
    for (level->r = 0; level->r < m && fabs(level->q[place(level->r, level->r, m)]) > zero;)
        level->r++;
    if (level->r == m)
        return LINNET_OK;
    memset(d->E, 0, (size_t)m * (size_t)m * sizeof *d->E);
    for (int j = 0; j < m; j++)
        for (int i = 0; i <= j && i < level->r; i++)
            d->E[place(i, level->order[j] - 1, m)] = level->q[place(i, j, m)];
    return LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'T', m, m, m, level->q, m, level->q_tau, d->A,
                          m) == 0
               ? LINNET_OK
               : LINNET_MEMORY;
}

/* matrix (rows x m) Z in place, Z as reflectors in z (m x k). */
static linnet_status times_z(double *matrix, int rows, int m, int k, const double *z,
                             const double *tau) {
    if (rows == 0)
        return LINNET_OK;
    return LAPACKE_dormqr(LAPACK_COL_MAJOR, 'R', 'N', rows, m, k, z, m, tau, matrix, rows) == 0
               ? LINNET_OK
               : LINNET_MEMORY;
}

/* The constraints A2 x = 0 solved: Z from A2' P = Z [R; 0]. LINNET_RETRY: they depend on each
 * other. */
static linnet_status solve_constraints(ln_deflation *d, ln_level *level, double **z, double **tau) {
    int m = d->m, k = m - level->r;
    *z = LN_NEW(d->arena, double, (size_t)m *(size_t)k);
    *tau = LN_NEW(d->arena, double, k);
    level->a22_order = LN_NEW(d->arena, lapack_int, k);
    level->constraint_scale = LN_NEW(d->arena, double, k);
    if (*z == NULL || *tau == NULL || level->a22_order == NULL || level->constraint_scale == NULL)
        return LINNET_MEMORY;
    for (int i = 0; i < k; i++) {
        double size = 0;
        for (int j = 0; j < m; j++)
            size = fmax(size, fabs(d->A[place(level->r + i, j, m)]));
        level->constraint_scale[i] = inverse_size(size, 0);
        for (int j = 0; j < m; j++)
            (*z)[place(j, i, m)] = d->A[place(level->r + i, j, m)] * level->constraint_scale[i];
    }
    if (LAPACKE_dgeqp3(LAPACK_COL_MAJOR, m, k, *z, m, level->a22_order, *tau) != 0)
        return LINNET_MEMORY;
    level->a22 = *z;
    double zero = 1e-13 * fabs((*z)[0]);
    return fabs((*z)[place(k - 1, k - 1, m)]) > zero ? LINNET_OK : LINNET_RETRY;
}

/* Rows 0..r-1 of an m x m matrix, m columns, on their own. */
static double *top_rows(const ln_deflation *d, const double *matrix, int r) {
    double *top = LN_NEW(d->arena, double, (size_t)r *(size_t)d->m);
    for (int j = 0; top != NULL && j < d->m; j++)
        if (r > 0)
            memcpy(top + place(0, j, r), matrix + place(0, j, d->m), (size_t)r * sizeof *top);
    return top;
}

/* Entries of a reduced E that are rounding of what the row was before. */
static void clean(double *E1, const double *whole, int r, int m) {
    int k = m - r;
    for (int i = 0; i < r; i++) {
        double size = 0;
        for (int j = 0; j < m; j++)
            size = fmax(size, fabs(whole[place(i, j, r)]));
        for (int j = 0; j < r; j++)
            if (fabs(E1[place(i, j, r)]) < 1e-13 * (k + 1) * size)
                E1[place(i, j, r)] = 0;
    }
}

static linnet_status reduce(ln_deflation *d, ln_level *level) {
    int m = d->m, r = level->r, k = m - r;
    double *z, *tau;
    LN_TRY(solve_constraints(d, level, &z, &tau));
    double *E1 = top_rows(d, d->E, r), *A1 = top_rows(d, d->A, r);
    if (E1 == NULL || A1 == NULL)
        return LINNET_MEMORY;
    LN_TRY(times_z(E1, r, m, k, z, tau));
    LN_TRY(times_z(A1, r, m, k, z, tau));
    LN_TRY(times_z(d->X, d->n, m, k, z, tau));
    level->ce = E1;
    level->ca = A1;
    d->E = LN_NEW(d->arena, double, (size_t)r *(size_t)r);
    d->A = LN_NEW(d->arena, double, (size_t)r *(size_t)r);
    if (d->E == NULL || d->A == NULL)
        return LINNET_MEMORY;
    memcpy(d->E, E1 + place(0, k, r), (size_t)r * (size_t)r * sizeof *E1);
    memcpy(d->A, A1 + place(0, k, r), (size_t)r * (size_t)r * sizeof *A1);
    clean(d->E, E1, r, m);
    d->X += place(0, k, d->n);
    d->m = r;
    return LINNET_OK;
}

/* ---- what is hidden behind the first constraints ---- */

/* The second round's rank defect: unknowns X P [-R11^-1 R12; 1] it leaves open, and the rows Q [0;
 * 1] that lose theirs. */
static linnet_status note_hidden(ln_deflation *d, const ln_level *level) {
    int m = d->m, k = m - level->r;
    double *rest = LN_NEW(d->arena, double, (size_t)m *(size_t)k);
    double *open = LN_NEW(d->arena, double, (size_t)m *(size_t)k);
    if (rest == NULL || open == NULL)
        return LINNET_MEMORY;
    for (int c = 0; c < k; c++) {
        for (int i = 0; i < level->r; i++)
            rest[place(i, c, m)] = -level->q[place(i, level->r + c, m)];
        if (level->r > 0)
            cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, level->r, level->q,
                        m, rest + place(0, c, m), 1);
        rest[place(level->r + c, c, m)] = 1;
        for (int i = 0; i < m; i++)
            open[place(level->order[i] - 1, c, m)] = rest[place(i, c, m)];
    }
    double *whole = LN_NEW(d->arena, double, d->n);
    if (whole == NULL)
        return LINNET_MEMORY;
    for (int c = 0; c < k; c++) {
        cblas_dgemv(CblasColMajor, CblasNoTrans, d->n, m, 1, d->X, d->n, open + place(0, c, m), 1,
                    0, whole, 1);
        double largest = fabs(whole[cblas_idamax(d->n, whole, 1)]);
        for (int i = 0; i < d->n; i++)
            d->hidden_unknown[i] = fmax(d->hidden_unknown[i], fabs(whole[i]) / largest);
    }
    /* rows: back through the first round's Q and scale */
    memset(rest, 0, (size_t)m * (size_t)k * sizeof *rest);
    for (int c = 0; c < k; c++)
        rest[place(level->r + c, c, m)] = 1;
    if (LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'N', m, k, m, level->q, m, level->q_tau, rest, m) !=
        0)
        return LINNET_MEMORY;
    const ln_level *first = &d->levels[0];
    for (int c = 0; c < k; c++) {
        memset(whole, 0, (size_t)first->m * sizeof *whole);
        for (int i = 0; i < m; i++)
            whole[i] = rest[place(i, c, m)];
        if (LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'N', first->m, 1, first->m, first->q, first->m,
                           first->q_tau, whole, first->m) != 0)
            return LINNET_MEMORY;
        for (int i = 0; i < first->m; i++)
            d->hidden_row[i] = fmax(d->hidden_row[i], fabs(whole[i]));
    }
    return LINNET_OK;
}

static linnet_status run_rounds(ln_deflation *d) {
    while (d->m > 0) {
        if (d->nlevels == LN_MOST_LEVELS)
            return LINNET_RETRY;
        ln_level *level = &d->levels[d->nlevels];
        *level = (ln_level){.m = d->m, .row_scale = LN_NEW(d->arena, double, d->m)};
        if (level->row_scale == NULL)
            return LINNET_MEMORY;
        for (int i = 0; i < d->m; i++)
            level->row_scale[i] = 1;
        for (int pass = 0; pass < 2; pass++) {
            scale_rows(d, level->row_scale);
            scale_columns(d);
        }
        LN_TRY(compress_rows(d, level));
        if (level->r == d->m) { /* the scale stays for the left vectors */
            return LINNET_OK;
        }
        if (d->nlevels == 1)
            LN_TRY(note_hidden(d, level));
        LN_TRY(reduce(d, level));
        d->nlevels++;
    }
    return LINNET_OK;
}

static linnet_status spread(ln_deflation *d, const ln_pencil *pencil) {
    const ln_pattern *pattern = pencil->pattern;
    int n = pattern->n;
    size_t size = (size_t)n * (size_t)n;
    d->n = d->m = n;
    d->E = LN_NEW(d->arena, double, size);
    d->A = LN_NEW(d->arena, double, size);
    d->X = LN_NEW(d->arena, double, size);
    if (d->E == NULL || d->A == NULL || d->X == NULL)
        return LINNET_MEMORY;
    for (int j = 0; j < n; j++) {
        d->X[place(j, j, n)] = 1;
        for (int k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
            d->E[place(pattern->row[k], j, n)] = pencil->E[k];
            d->A[place(pattern->row[k], j, n)] = pencil->A[k];
        }
    }
    return LINNET_OK;
}

linnet_status ln_deflate(ln_deflation *d, const ln_pencil *pencil) {
    LN_TRY(spread(d, pencil));
    return run_rounds(d);
}

/* ---- back to the whole pencil ---- */

/* re or im of a complex vector: real matrices act on both alike. */
static void apply_q(const ln_level *level, double *part) {
    (void)LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'N', level->m, 1, level->m, level->q, level->m,
                         level->q_tau, part, level->m);
}

/* w^H C for C r x k, with w = (re, im): out = C' w. */
static void gather_rows(const double *C, const double *w, int r, int k, double *out) {
    cblas_dgemv(CblasColMajor, CblasTrans, r, k, 1, C, r, w, 1, 0, out, 1);
}

/* A22' w2 = part, in place: A2' P = Z [R; 0] makes A22' = R P'. */
static void solve_a22(const ln_level *level, double *part, double *work) {
    int m = level->m, k = m - level->r;
    cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, k, level->a22, m, part, 1);
    for (int i = 0; i < k; i++)
        work[level->a22_order[i] - 1] = part[i];
    memcpy(part, work, (size_t)k * sizeof *part);
    for (int i = 0; i < k; i++)
        part[i] *= level->constraint_scale[i];
}

/* The left vector before a round from that after it: re, im hold r values and then m. w2 = -A22^-T
 * ((s E1 + A1) Z2)^H w1: with conj(s), since w^H is conjugated. */
static void lift_left(const ln_level *level, double sr, double si, double *re, double *im,
                      double *work) {
    int m = level->m, r = level->r, k = m - r;
    double *er = work, *ei = er + k, *ar = ei + k, *ai = ar + k, *spare = ai + k;
    if (r > 0) {
        gather_rows(level->ce, re, r, k, er);
        gather_rows(level->ce, im, r, k, ei);
        gather_rows(level->ca, re, r, k, ar);
        gather_rows(level->ca, im, r, k, ai);
    } else {
        memset(work, 0, 4 * (size_t)k * sizeof *work);
    }
    for (int i = 0; i < k; i++) {
        re[r + i] = -(sr * er[i] + si * ei[i] + ar[i]);
        im[r + i] = -(sr * ei[i] - si * er[i] + ai[i]);
    }
    solve_a22(level, re + r, spare);
    solve_a22(level, im + r, spare);
    apply_q(level, re);
    apply_q(level, im);
    for (int i = 0; i < m; i++) {
        re[i] *= level->row_scale[i];
        im[i] *= level->row_scale[i];
    }
}

void ln_lift_right(const ln_deflation *d, const double *y, double *x) {
    cblas_dgemv(CblasColMajor, CblasNoTrans, d->n, d->m, 1, d->X, d->n, y, 2, 0, x, 2);
}

void ln_lift_left(const ln_deflation *d, double sr, double si, double *re, double *im,
                  double *work) {
    const ln_level *last = &d->levels[d->nlevels];
    for (int i = 0; i < d->m; i++) {
        re[i] *= last->row_scale[i];
        im[i] *= last->row_scale[i];
    }
    for (int j = d->nlevels - 1; j >= 0; j--)
        lift_left(&d->levels[j], sr, si, re, im, work);
}
