/* SPDX-License-Identifier: MIT */
/* Components of F, and the method for each: see spectrum.h. */
#include "linear/spectrum.h"

#include "linear/linear.h"
#include "linear/lapack.h"
#include <string.h>
#include <suitesparse/btf.h>

/* Of two entries that a scaling should make equal. */
static const double SAME = 1e-12;

typedef struct component {
    ln_arena *arena;
    int n;
    const int *states; /* n: their numbers in F */
    ln_wide *F;        /* n x n, column by column */
    double complex *value, *right, *left;
    int precise;
} component;

static size_t at(const component *it, int row, int col) {
    return (size_t)col * (size_t)it->n + (size_t)row;
}

/* ---- symmetric but for a scaling ---- */

/* scale with scale_i F_ij / scale_j symmetric, found along the entries. 0: there is none. */
static int symmetrise(const component *it, double *scale, int *queue) {
    int head = 0, tail = 0;
    memset(scale, 0, (size_t)it->n * sizeof *scale);
    scale[0] = 1;
    queue[tail++] = 0;
    while (head < tail) {
        const int i = queue[head++];
        for (int j = 0; j < it->n; j++) {
            const double here = it->F[at(it, i, j)].hi, there = it->F[at(it, j, i)].hi;
            if (here == 0 && there == 0)
                continue;
            if (!(here / there > 0))
                return 0;
            if (scale[j] == 0) {
                scale[j] = scale[i] * sqrt(here / there);
                queue[tail++] = j;
            } else if (fabs(scale[i] * here / scale[j] - scale[j] * there / scale[i]) >
                       SAME * fabs(scale[i] * here / scale[j])) {
                return 0;
            }
        }
    }
    return tail == it->n;
}

/* LINNET_RETRY: F is of another kind. */
static linnet_status solve_symmetric(component *it) {
    const size_t n = (size_t)it->n;
    double *scale = LN_NEW(it->arena, double, n), *S = LN_NEW(it->arena, double, n *n),
           *value = LN_NEW(it->arena, double, n);
    int *queue = LN_NEW(it->arena, int, n);
    if (!scale || !S || !value || !queue)
        return LINNET_MEMORY;
    if (!symmetrise(it, scale, queue))
        return LINNET_RETRY;
    for (int j = 0; j < it->n; j++)
        for (int i = 0; i <= j; i++)
            S[at(it, i, j)] = scale[i] * it->F[at(it, i, j)].hi / scale[j];
    if (ln_lapack.LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'U', it->n, S, it->n, value) != 0)
        return LINNET_FAILED;
    for (int k = 0; k < it->n; k++) {
        it->value[k] = value[k];
        for (int i = 0; i < it->n; i++) {
            it->right[at(it, i, k)] = S[at(it, i, k)] / scale[i];
            it->left[at(it, i, k)] = S[at(it, i, k)] * scale[i];
        }
    }
    return LINNET_OK;
}

/* ---- any other ---- */

/* Column k of LAPACK's real form: a conjugate pair shares two columns. */
static void unpack(const component *it, const double *packed, const double *im, int k,
                   double complex *out) {
    const int first = im[k] < 0 ? k - 1 : k;
    const double sign = im[k] > 0 ? 1 : im[k] < 0 ? -1 : 0;
    for (int i = 0; i < it->n; i++)
        out[i] =
            packed[at(it, i, first)] + (sign != 0 ? sign * packed[at(it, i, first + 1)] * I : 0);
}

static linnet_status solve_general(component *it) {
    const size_t n = (size_t)it->n, size = n * n;
    double *F = LN_NEW(it->arena, double, 3 * size), *re = LN_NEW(it->arena, double, 5 * n), spare;
    if (F == NULL || re == NULL)
        return LINNET_MEMORY;
    double *left = F + size, *right = left + size, *im = re + n, *scale = im + n;
    lapack_int low, high;
    for (size_t k = 0; k < size; k++)
        F[k] = it->F[k].hi;
    lapack_int info = ln_lapack.LAPACKE_dgeevx(LAPACK_COL_MAJOR, 'B', 'V', 'V', 'N', it->n, F,
                                               it->n, re, im, left, it->n, right, it->n, &low,
                                               &high, scale, &spare, scale + n, scale + 2 * n);
    if (info != 0)
        return info > 0 ? LINNET_FAILED : LINNET_MEMORY;
    for (int k = 0; k < it->n; k++) {
        it->value[k] = re[k] + im[k] * I;
        unpack(it, right, im, k, it->right + n * (size_t)k);
        unpack(it, left, im, k, it->left + n * (size_t)k);
    }
    return LINNET_OK;
}

static linnet_status solve_component(component *it) {
    linnet_status status = LINNET_RETRY;
    if (it->n <= LN_SPECTRUM_PRECISE) {
        status = ln_spectrum_precise(it->n, it->F, it->arena, it->value, it->right, it->left);
        it->precise = status == LINNET_OK;
        if (status == LINNET_FAILED)
            status = LINNET_RETRY;
    }
    if (status == LINNET_RETRY)
        status = solve_symmetric(it);
    return status == LINNET_RETRY ? solve_general(it) : status;
}

/* ---- the components ---- */

typedef struct components {
    int count;
    const int *start, *state; /* states of component k: state[start[k] .. start[k+1]-1] */
    int *place;               /* per state: its place in its component */
    int *number;              /* per state: its component */
} components;

static linnet_status split(const ln_reduced *reduced, ln_arena *arena, components *out) {
    const int m = reduced->m;
    size_t entries = 0;
    for (int i = 0; i < m; i++)
        entries += reduced->rows[i].count;
    int *start = LN_NEW(arena, int, m + 1), *row = LN_NEW(arena, int, entries),
        *state = LN_NEW(arena, int, m), *first = LN_NEW(arena, int, m + 1),
        *work = LN_NEW(arena, int, 4 * (size_t)m);
    out->place = LN_NEW(arena, int, m);
    out->number = LN_NEW(arena, int, m);
    if (!start || !row || !state || !first || !work || !out->place || !out->number)
        return LINNET_MEMORY;
    for (int i = 0; i < m; i++) { /* the transpose has the same components */
        start[i + 1] = start[i];
        for (size_t k = 0; k < reduced->rows[i].count; k++)
            if (reduced->rows[i].items[k].col < m)
                row[start[i + 1]++] = reduced->rows[i].items[k].col;
    }
    out->count = btf_strongcomp(m, start, row, NULL, state, first, work);
    for (int c = 0; c < out->count; c++)
        for (int k = first[c]; k < first[c + 1]; k++) {
            out->place[state[k]] = k - first[c];
            out->number[state[k]] = c;
        }
    out->start = first;
    out->state = state;
    return LINNET_OK;
}

/* F of a component, without what others add. */
static void gather(const ln_reduced *reduced, const components *all, int number, component *it) {
    for (int i = 0; i < it->n; i++) {
        const ln_cells *cells = &reduced->rows[it->states[i]];
        for (size_t k = 0; k < cells->count; k++) {
            const ln_cell *cell = &cells->items[k];
            if (cell->col >= reduced->m || cell->a.hi == 0)
                continue;
            if (all->number[cell->col] == number)
                it->F[at(it, i, all->place[cell->col])] = ln_wide_minus(cell->a);
        }
    }
}

static void scatter(const component *it, int m, int first, ln_spectrum *out) {
    for (int k = 0; k < it->n; k++) {
        const size_t column = (size_t)(first + k) * (size_t)m;
        out->value[first + k] = it->value[k];
        out->precise[first + k] = (char)it->precise;
        for (int i = 0; i < it->n; i++) {
            out->right[column + (size_t)it->states[i]] = it->right[at(it, i, k)];
            out->left[column + (size_t)it->states[i]] = it->left[at(it, i, k)];
        }
    }
}

static linnet_status solve_one(const ln_reduced *reduced, const components *all, int number,
                               ln_spectrum *out) {
    component it = {.arena = ln_arena_new(),
                    .n = all->start[number + 1] - all->start[number],
                    .states = all->state + all->start[number]};
    const size_t n = (size_t)it.n;
    linnet_status status = LINNET_MEMORY;
    if (it.arena != NULL) {
        it.F = LN_NEW(it.arena, ln_wide, n * n);
        it.value = LN_NEW(it.arena, double complex, n);
        it.right = LN_NEW(it.arena, double complex, n *n);
        it.left = LN_NEW(it.arena, double complex, n *n);
        if (it.F && it.value && it.right && it.left) {
            gather(reduced, all, number, &it);
            status = solve_component(&it);
        }
    }
    if (status == LINNET_OK)
        scatter(&it, reduced->m, all->start[number], out);
    ln_arena_free(it.arena);
    return status;
}

linnet_status ln_spectrum_find(const ln_reduced *reduced, ln_arena *arena, ln_spectrum *out) {
    const size_t m = (size_t)reduced->m;
    components all;
    out->value = LN_NEW(arena, double complex, m);
    out->right = LN_NEW(arena, double complex, m *m);
    out->left = LN_NEW(arena, double complex, m *m);
    out->precise = LN_NEW(arena, char, m);
    if (!out->value || !out->right || !out->left || !out->precise)
        return LINNET_MEMORY;
    if (m == 0)
        return LINNET_OK;
    LN_TRY(split(reduced, arena, &all));
    for (int c = 0; c < all.count; c++)
        LN_TRY(solve_one(reduced, &all, c, out));
    return LINNET_OK;
}
