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

static size_t at(const component *part, int row, int col) {
    return (size_t)col * (size_t)part->n + (size_t)row;
}

/* ---- symmetric but for a scaling ---- */

/* scale with scale_i F_ij / scale_j symmetric, found along the entries. 0: there is none. */
static int symmetrise(const component *part, double *scale, int *queue) {
    int head = 0, tail = 0;
    memset(scale, 0, (size_t)part->n * sizeof *scale);
    scale[0] = 1;
    queue[tail++] = 0;
    while (head < tail) {
        const int i = queue[head++];
        for (int j = 0; j < part->n; j++) {
            const double here = part->F[at(part, i, j)].hi, there = part->F[at(part, j, i)].hi;
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
    return tail == part->n;
}

/* LINNET_RETRY: F is of another kind. */
static linnet_status solve_symmetric(component *part) {
    const size_t n = (size_t)part->n;
    double *scale = LN_NEW(part->arena, double, n), *S = LN_NEW(part->arena, double, n *n),
           *value = LN_NEW(part->arena, double, n);
    int *queue = LN_NEW(part->arena, int, n);
    if (!scale || !S || !value || !queue)
        return LINNET_MEMORY;
    if (!symmetrise(part, scale, queue))
        return LINNET_RETRY;
    for (int j = 0; j < part->n; j++)
        for (int i = 0; i <= j; i++)
            S[at(part, i, j)] = scale[i] * part->F[at(part, i, j)].hi / scale[j];
    if (ln_lapack.LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'U', part->n, S, part->n, value) != 0)
        return LINNET_FAILED;
    for (int k = 0; k < part->n; k++) {
        part->value[k] = value[k];
        for (int i = 0; i < part->n; i++) {
            part->right[at(part, i, k)] = S[at(part, i, k)] / scale[i];
            part->left[at(part, i, k)] = S[at(part, i, k)] * scale[i];
        }
    }
    return LINNET_OK;
}

/* ---- any other ---- */

/* Column k of LAPACK's real form: a conjugate pair shares two columns. */
static void unpack(const component *part, const double *packed, const double *im, int k,
                   double complex *out) {
    const int first = im[k] < 0 ? k - 1 : k;
    const double sign = im[k] > 0 ? 1 : im[k] < 0 ? -1 : 0;
    for (int i = 0; i < part->n; i++)
        out[i] = packed[at(part, i, first)] +
                 (sign != 0 ? sign * packed[at(part, i, first + 1)] * I : 0);
}

static linnet_status solve_general(component *part) {
    const size_t n = (size_t)part->n, size = n * n;
    double *F = LN_NEW(part->arena, double, 3 * size), *re = LN_NEW(part->arena, double, 5 * n),
           spare;
    if (F == NULL || re == NULL)
        return LINNET_MEMORY;
    double *left = F + size, *right = left + size, *im = re + n, *scale = im + n;
    lapack_int low, high;
    for (size_t k = 0; k < size; k++)
        F[k] = part->F[k].hi;
    lapack_int info = ln_lapack.LAPACKE_dgeevx(LAPACK_COL_MAJOR, 'B', 'V', 'V', 'N', part->n, F,
                                               part->n, re, im, left, part->n, right, part->n, &low,
                                               &high, scale, &spare, scale + n, scale + 2 * n);
    if (info != 0)
        return info > 0 ? LINNET_FAILED : LINNET_MEMORY;
    for (int k = 0; k < part->n; k++) {
        part->value[k] = re[k] + im[k] * I;
        unpack(part, right, im, k, part->right + n * (size_t)k);
        unpack(part, left, im, k, part->left + n * (size_t)k);
    }
    return LINNET_OK;
}

static linnet_status solve_component(component *part) {
    linnet_status status = LINNET_RETRY;
    if (part->n <= LN_SPECTRUM_PRECISE) {
        status = ln_spectrum_precise(part->n, part->F, part->arena, part->value, part->right,
                                     part->left);
        part->precise = status == LINNET_OK;
        if (status == LINNET_FAILED)
            status = LINNET_RETRY;
    }
    if (status == LINNET_RETRY)
        status = solve_symmetric(part);
    return status == LINNET_RETRY ? solve_general(part) : status;
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
static void gather(const ln_reduced *reduced, const components *all, int number, component *part) {
    for (int i = 0; i < part->n; i++) {
        const ln_cells *cells = &reduced->rows[part->states[i]];
        for (size_t k = 0; k < cells->count; k++) {
            const ln_reduced_entry *cell = &cells->items[k];
            if (cell->col >= reduced->m || cell->a.hi == 0)
                continue;
            if (all->number[cell->col] == number)
                part->F[at(part, i, all->place[cell->col])] = ln_wide_minus(cell->a);
        }
    }
}

static void scatter(const component *part, int m, int first, ln_spectrum *out) {
    for (int k = 0; k < part->n; k++) {
        const size_t column = (size_t)(first + k) * (size_t)m;
        out->value[first + k] = part->value[k];
        out->precise[first + k] = (char)part->precise;
        for (int i = 0; i < part->n; i++) {
            out->right[column + (size_t)part->states[i]] = part->right[at(part, i, k)];
            out->left[column + (size_t)part->states[i]] = part->left[at(part, i, k)];
        }
    }
}

static linnet_status solve_one(const ln_reduced *reduced, const components *all, int number,
                               ln_spectrum *out) {
    component part = {.arena = ln_arena_new(),
                      .n = all->start[number + 1] - all->start[number],
                      .states = all->state + all->start[number]};
    const size_t n = (size_t)part.n;
    linnet_status status = LINNET_MEMORY;
    if (part.arena != NULL) {
        part.F = LN_NEW(part.arena, ln_wide, n * n);
        part.value = LN_NEW(part.arena, double complex, n);
        part.right = LN_NEW(part.arena, double complex, n *n);
        part.left = LN_NEW(part.arena, double complex, n *n);
        if (part.F && part.value && part.right && part.left) {
            gather(reduced, all, number, &part);
            status = solve_component(&part);
        }
    }
    if (status == LINNET_OK)
        scatter(&part, reduced->m, all->start[number], out);
    ln_arena_free(part.arena);
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
