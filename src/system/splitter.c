/* SPDX-License-Identifier: MIT */
/* A part of storage whose rank takes a factorisation (ideally coupled coils, storage behind
 * gyrators): its dominant rows are eliminated by a sparse one, and a rank-revealing QR
 * factorisation decides on the rest. */
#include "system/splitter.h"

#include "base/sys.h"
#include <float.h>
#include <math.h>
#include <string.h>

int ln_splitter_add(ln_splitter *splits, int dependent, int row, double coefficient) {
    if (!LN_GROW(splits->row, splits->count, splits->row_room) ||
        !LN_GROW(splits->coefficient, splits->count, splits->coefficient_room))
        return 0;
    splits->row[splits->count] = row;
    splits->coefficient[splits->count++] = coefficient;
    splits->extra_count[dependent]++;
    return 1;
}

/* The part's matrix is [S D; C R], S the dominant rows and unknowns of the same numbers (sparse,
 * regular). The Schur complement R - C S^-1 D (dense) is split by rank-revealing QR. */
typedef struct schur {
    ln_arena *arena;
    int ninner, nrows, ncols;
    int *inner, *row, *col; /* numbers of the inner rows, the others, the other unknowns */
    /* per number: its place among the inner ones, among the other unknowns; -1 */
    int *row_place, *col_place;
    ln_matrix S;
    ln_linear *linear; /* factors of S; NULL: there is no inner row */
    /* ninner each: S^-1 of a column of D, and what rounding in S makes of it, times 1/eps */
    double *through, *noise;
    /* nrows x ncols, column-major: what is left, and the sizes of what it was summed from */
    double *matrix, *size;
    double *scale; /* per other row */
} schur;

static linnet_status make_lists(const ln_splitter *splits, int m, schur *out) {
    const ln_pattern *by_row = &splits->by_row.pattern;
    int most = 0;
    for (int i = 0; i < m; i++)
        most += by_row->start[splits->member[i] + 1] - by_row->start[splits->member[i]];
    out->inner = LN_NEW(out->arena, int, m);
    out->row = LN_NEW(out->arena, int, m);
    out->col = LN_NEW(out->arena, int, most);
    out->row_place = LN_NEW(out->arena, int, splits->n);
    out->col_place = LN_NEW(out->arena, int, splits->n);
    return ln_arena_failed(out->arena) ? LINNET_MEMORY : LINNET_OK;
}

/* Divides the part's rows and unknowns, without row and unknown `common`; without inner ones if
 * `inner` is 0. */
static linnet_status divide(const ln_splitter *splits, int m, int common, int inner, schur *out) {
    const ln_pattern *by_row = &splits->by_row.pattern;
    LN_TRY(make_lists(splits, m, out));
    out->ninner = out->nrows = out->ncols = 0;
    for (int i = 0; i < splits->n; i++)
        out->row_place[i] = out->col_place[i] = -1;
    for (int i = 0; i < m; i++) {
        const int row = splits->member[i];
        if (row == common)
            continue;
        if (inner && splits->slack[row] >= 0)
            out->inner[out->row_place[row] = out->ninner++] = row;
        else
            out->row[out->nrows++] = row;
    }
    for (int i = 0; i < m; i++)
        for (int k = by_row->start[splits->member[i]]; k < by_row->start[splits->member[i] + 1];
             k++) {
            const int col = by_row->row[k];
            if (col != common && out->row_place[col] < 0 && out->col_place[col] < 0)
                out->col[out->col_place[col] = out->ncols++] = col;
        }
    return LINNET_OK;
}

/* Factors S. LINNET_RETRY: it is singular. */
static linnet_status factor_inner(const ln_splitter *splits, schur *out) {
    const ln_pattern *by_row = &splits->by_row.pattern;
    ln_triplets all = {.value = NULL};
    int going = 1;
    if (out->ninner == 0)
        return LINNET_OK;
    for (int i = 0; i < out->ninner; i++)
        for (int k = by_row->start[out->inner[i]]; going && k < by_row->start[out->inner[i] + 1];
             k++)
            if (out->row_place[by_row->row[k]] >= 0)
                going = ln_triplets_add(&all, i, out->row_place[by_row->row[k]],
                                        splits->by_row.value[k]);
    linnet_status status =
        going ? ln_triplets_matrix(&all, out->ninner, 0, out->arena, &out->S) : LINNET_MEMORY;
    ln_triplets_free(&all);
    LN_TRY(status);
    out->linear = ln_linear_new(&out->S.pattern, LN_LINEAR_AUTO);
    out->through = LN_NEW(out->arena, double, out->ninner);
    out->noise = LN_NEW(out->arena, double, out->ninner);
    if (out->linear == NULL || out->through == NULL || out->noise == NULL)
        return LINNET_MEMORY;
    const ln_factored factored = ln_linear_factor(out->linear, out->S.value);
    return factored == LN_FACTORED   ? LINNET_OK
           : factored == LN_SINGULAR ? LINNET_RETRY
                                     : LINNET_MEMORY;
}

/* through = S^-1 d of one column d of D; noise = |S^-1| |S| |through|, for S^-1 of a dominant
 * matrix has one sign where storage is positive, and nearly so elsewhere. */
static void solve_inner(const ln_splitter *splits, schur *out, int col) {
    const ln_pattern *by_col = &splits->by_col.pattern, *S = &out->S.pattern;
    const size_t bytes = (size_t)out->ninner * sizeof *out->through;
    if (out->linear == NULL)
        return;
    memset(out->through, 0, bytes);
    memset(out->noise, 0, bytes);
    for (int k = by_col->start[col]; k < by_col->start[col + 1]; k++)
        if (out->row_place[by_col->row[k]] >= 0)
            out->through[out->row_place[by_col->row[k]]] = splits->by_col.value[k];
    ln_linear_solve(out->linear, out->through);
    for (int j = 0; j < out->ninner; j++)
        for (int k = S->start[j]; k < S->start[j + 1]; k++)
            out->noise[S->row[k]] += fabs(out->S.value[k] * out->through[j]);
    ln_linear_solve(out->linear, out->noise);
}

/* One column of what is left over; what may be rounding is zero. */
static void reduce_column(const ln_splitter *splits, schur *out, int j) {
    const ln_pattern *by_row = &splits->by_row.pattern;
    const int col = out->col[j];
    solve_inner(splits, out, col);
    for (int i = 0; i < out->nrows; i++) {
        double sum = 0, size = 0, noise = 0;
        for (int k = by_row->start[out->row[i]]; k < by_row->start[out->row[i] + 1]; k++) {
            const int at = by_row->row[k], place = out->row_place[at];
            const double term = at == col   ? splits->by_row.value[k]
                                : place < 0 ? 0
                                            : -splits->by_row.value[k] * out->through[place];
            if (place >= 0)
                noise += fabs(splits->by_row.value[k] * out->noise[place]);
            sum += term;
            size += fabs(term);
        }
        const size_t to = (size_t)j * (size_t)out->nrows + (size_t)i;
        out->matrix[to] =
            fabs(sum) <= LN_STORED_ROUNDING * size + 8 * DBL_EPSILON * noise ? 0 : sum;
        out->size[to] = size;
    }
}

/* Scales each row, then each column, to terms of largest size 1, so that farads and picofarads are
 * judged alike. */
static void scale_rest(schur *out) {
    const size_t m = (size_t)out->nrows;
    for (size_t i = 0; i < m; i++) {
        double largest = 0;
        for (size_t j = 0; j < (size_t)out->ncols; j++)
            largest = fmax(largest, out->size[j * m + i]);
        out->scale[i] = largest > 0 ? 1 / largest : 1;
    }
    for (size_t j = 0; j < (size_t)out->ncols; j++) {
        double largest = 0;
        for (size_t i = 0; i < m; i++)
            largest = fmax(largest, out->scale[i] * out->size[j * m + i]);
        for (size_t i = 0; i < m; i++)
            out->matrix[j * m + i] *= out->scale[i] / (largest > 0 ? largest : 1);
    }
}

/* The terms of a dependent row: other rows with the weights in `weight` (itself 1), and the
 * inner rows that cancel what they leave in inner unknowns. */
static linnet_status write_dependent(ln_splitter *splits, schur *out, int dependent,
                                     const double *weight) {
    const ln_pattern *by_row = &splits->by_row.pattern;
    const int self = out->row[dependent];
    splits->differential[self] = 0;
    splits->extra_start[self] = (int)splits->count;
    if (out->linear != NULL)
        memset(out->through, 0, (size_t)out->ninner * sizeof *out->through);
    for (int i = 0; i < out->nrows; i++) {
        if (weight[i] == 0)
            continue;
        if (i != dependent && !ln_splitter_add(splits, self, out->row[i], weight[i]))
            return LINNET_MEMORY;
        for (int k = by_row->start[out->row[i]]; k < by_row->start[out->row[i] + 1]; k++)
            if (out->row_place[by_row->row[k]] >= 0)
                out->through[out->row_place[by_row->row[k]]] -= weight[i] * splits->by_row.value[k];
    }
    if (out->linear != NULL)
        ln_linear_solve_transposed(out->linear, out->through);
    for (int i = 0; i < out->ninner; i++)
        if (fabs(out->through[i]) > 1e-12 &&
            !ln_splitter_add(splits, self, out->inner[i], out->through[i]))
            return LINNET_MEMORY;
    return LINNET_OK;
}

static linnet_status split_rest(ln_splitter *splits, schur *out) {
    const size_t m = (size_t)out->nrows;
    out->matrix = LN_NEW(out->arena, double, m *(size_t)out->ncols);
    out->size = LN_NEW(out->arena, double, m *(size_t)out->ncols);
    out->scale = LN_NEW(out->arena, double, m);
    int *order = LN_NEW(out->arena, int, m);
    double *dependence = LN_NEW(out->arena, double, m *m), *weight = LN_NEW(out->arena, double, m);
    if (!out->matrix || !out->size || !out->scale || !order || !dependence || !weight)
        return LINNET_MEMORY;
    for (int j = 0; j < out->ncols; j++)
        reduce_column(splits, out, j);
    scale_rest(out);
    for (size_t k = 0; k < m * (size_t)out->ncols; k++)
        if (!isfinite(out->matrix[k]))
            return LINNET_RETRY;
    const int rank = ln_dense_row_basis(out->nrows, out->ncols, out->matrix, LN_STORED_ROUNDING,
                                        order, dependence);
    if (rank < 0)
        return LINNET_MEMORY;
    if (out->nrows > splits->dense)
        splits->dense = out->nrows;
    for (int k = rank; k < out->nrows; k++) {
        memset(weight, 0, m * sizeof *weight);
        for (int i = 0; i < rank; i++) { /* the row is sum c basis row, of the scaled rows */
            const double c = dependence[(size_t)i * (m - (size_t)rank) + (size_t)(k - rank)];
            if (fabs(c) > 1e-12)
                weight[order[i]] = -c * out->scale[order[i]] / out->scale[order[k]];
        }
        weight[order[k]] = 1;
        LN_TRY(write_dependent(splits, out, order[k], weight));
    }
    return LINNET_OK;
}

linnet_status ln_splitter_by_rank(ln_splitter *splits, int m, int common) {
    schur all = {.arena = ln_arena_new()};
    linnet_status status = all.arena == NULL ? LINNET_MEMORY : divide(splits, m, common, 1, &all);
    if (status == LINNET_OK)
        status = factor_inner(splits, &all);
    if (status == LINNET_RETRY) {
        ln_linear_free(all.linear);
        all.linear = NULL;
        status = divide(splits, m, common, 0, &all);
    }
    if (status == LINNET_OK)
        status = split_rest(splits, &all);
    ln_linear_free(all.linear);
    ln_arena_free(all.arena);
    return status;
}
