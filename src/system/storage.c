/* SPDX-License-Identifier: MIT */
/* Ranks of the parts of E + dq_nl: by a search along their entries, or by a factorisation of what
 * is left over. */
#include "system/storage.h"

#include "base/forest.h"
#include "base/sys.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Sums of so many stamps that cancel leave rounding; below this share of their terms they are zero.
 */
static const double ROUNDING = 1e-13;

typedef struct splitter {
    ln_arena *scratch;
    int n;
    ln_matrix by_col, by_row; /* E + dq without zeros, and its transpose */
    double *diagonal;         /* per row: the size of its diagonal entry */
    /* per row: |diagonal| minus the sum of the other entries' sizes; 0 within rounding */
    double *slack;
    int *first, *next;   /* rows of each part, chained by its root, rising */
    int *member, *queue; /* rows of the part at hand; work */
    char *seen;
    /* per row: its terms beside itself, in `row` and `coefficient` */
    int *extra_start, *extra_count;
    int *row;
    double *coefficient;
    size_t row_room, coefficient_room, count;
    char *differential;
    int *part, *common;
    int nparts, dense;
} splitter;

/* ---- the matrix ---- */

/* Leaves out what is zero here, as a charge of a transistor is that nobody gave: it would join
 * parts that store nothing together. */
static int add_nonzero(const ln_matrix *matrix, ln_triplets *to) {
    const ln_pattern *by_col = &matrix->pattern;
    for (int j = 0; j < by_col->n; j++)
        for (int k = by_col->start[j]; k < by_col->start[j + 1]; k++)
            if (matrix->value[k] != 0 && !ln_triplets_add(to, by_col->row[k], j, matrix->value[k]))
                return 0;
    return 1;
}

static linnet_status collect(const ln_system *s, splitter *splits) {
    ln_triplets all = {.value = NULL}, stored = {.value = NULL};
    linnet_status status = LINNET_MEMORY;
    ln_matrix sum;
    if (ln_triplets_add_all(&all, &s->E, s->ndq, s->dq_row, s->dq_col, s->dq))
        status = ln_triplets_matrix(&all, s->n, 0, splits->scratch, &sum);
    if (status == LINNET_OK && !add_nonzero(&sum, &stored))
        status = LINNET_MEMORY;
    if (status == LINNET_OK)
        status = ln_triplets_matrix(&stored, s->n, 0, splits->scratch, &splits->by_col);
    if (status == LINNET_OK)
        status = ln_triplets_matrix(&stored, s->n, 1, splits->scratch, &splits->by_row);
    ln_triplets_free(&all);
    ln_triplets_free(&stored);
    return status;
}

static linnet_status allocate(splitter *splits, ln_arena *arena) {
    const size_t n = (size_t)splits->n;
    int **numbers[] = {&splits->first, &splits->next,        &splits->member,
                       &splits->queue, &splits->extra_start, &splits->extra_count};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if ((*numbers[k] = LN_NEW(splits->scratch, int, n)) == NULL)
            return LINNET_MEMORY;
    splits->slack = LN_NEW(splits->scratch, double, n);
    splits->diagonal = LN_NEW(splits->scratch, double, n);
    splits->seen = LN_NEW(splits->scratch, char, n);
    splits->differential = LN_NEW(arena, char, n);
    splits->part = LN_NEW(arena, int, n);
    splits->common = LN_NEW(arena, int, n);
    return splits->slack && splits->diagonal && splits->seen && splits->differential &&
                   splits->part && splits->common
               ? LINNET_OK
               : LINNET_MEMORY;
}

/* Rows that share a column belong to one part. */
static void join_rows(splitter *splits) {
    const ln_pattern *by_col = &splits->by_col.pattern;
    int *parent = splits->queue;
    for (int i = 0; i < splits->n; i++) {
        parent[i] = i;
        splits->first[i] = splits->part[i] = -1;
    }
    for (int j = 0; j < splits->n; j++)
        for (int k = by_col->start[j] + 1; k < by_col->start[j + 1]; k++)
            parent[ln_root_of(parent, by_col->row[k])] = ln_root_of(parent, by_col->row[k - 1]);
    for (int i = splits->n - 1; i >= 0; i--) {
        const int root = ln_root_of(parent, i);
        splits->next[i] = splits->first[root];
        splits->first[root] = i;
    }
}

/* ---- parts like a network of capacitors ---- */

/* of a row or column: its entries' sum, their sizes' sum */
typedef struct line {
    double diagonal, sum, size;
} line;

static line look_along(const ln_matrix *matrix, int at) {
    line out = {0};
    for (int k = matrix->pattern.start[at]; k < matrix->pattern.start[at + 1]; k++) {
        if (matrix->pattern.row[k] == at)
            out.diagonal = fabs(matrix->value[k]);
        out.sum += matrix->value[k];
        out.size += fabs(matrix->value[k]);
    }
    return out;
}

static int cancels(const line *previous) {
    return fabs(previous->sum) <= ROUNDING * previous->size;
}

/* Sets the slack of all rows: negative where the diagonal entry is smaller than the others
 * together. */
static void measure_rows(splitter *splits) {
    for (int i = 0; i < splits->n; i++) {
        const line row = look_along(&splits->by_row, i);
        const double slack = 2 * row.diagonal - row.size;
        splits->diagonal[i] = row.diagonal;
        splits->slack[i] = fabs(slack) <= ROUNDING * row.size ? 0 : slack;
    }
}

/* From the rows in the queue along the columns of what has been reached to further rows: how many
 * in all. */
static int reach(splitter *splits, int tail) {
    const ln_pattern *by_col = &splits->by_col.pattern;
    for (int k = 0; k < tail; k++)
        splits->seen[splits->queue[k]] = 1;
    for (int head = 0; head < tail; head++) {
        const int column = splits->queue[head];
        for (int k = by_col->start[column]; k < by_col->start[column + 1]; k++) {
            const int row = by_col->row[k];
            if (splits->seen[row])
                continue;
            splits->seen[row] = 1;
            splits->queue[tail++] = row;
        }
    }
    for (int k = 0; k < tail; k++)
        splits->seen[splits->queue[k]] = 0;
    return tail;
}

/* The column of each entry is that of a row of the part, with a diagonal entry, and all rows are
 * dominant. */
static int is_dominant(const splitter *splits, int m) {
    for (int i = 0; i < m; i++) {
        const int row = splits->member[i];
        if (splits->slack[row] < 0)
            return 0;
        for (int k = splits->by_row.pattern.start[row]; k < splits->by_row.pattern.start[row + 1];
             k++)
            if (splits->diagonal[splits->by_row.pattern.row[k]] == 0)
                return 0;
    }
    return 1;
}

static int add_term(splitter *splits, int dependent, int row, double coefficient) {
    if (!LN_GROW(splits->row, splits->count, splits->row_room) ||
        !LN_GROW(splits->coefficient, splits->count, splits->coefficient_room))
        return 0;
    splits->row[splits->count] = row;
    splits->coefficient[splits->count++] = coefficient;
    splits->extra_count[dependent]++;
    return 1;
}

/* All rows and columns add up to zero: the row with the most storage gives its place to the sum, so
 * that small stored quantities beside it keep their digits. */
static linnet_status float_part(splitter *splits, int m, int common) {
    splits->differential[common] = 0;
    splits->extra_start[common] = (int)splits->count;
    for (int i = 0; i < m; i++) {
        splits->part[splits->member[i]] = splits->nparts;
        if (splits->member[i] != common && !add_term(splits, common, splits->member[i], 1))
            return LINNET_MEMORY;
    }
    splits->common[splits->nparts++] = common;
    return LINNET_OK;
}

/* Whether all rows and columns of the part add up to zero; then *common is the row with the most
 * storage. */
static int floats(const splitter *splits, int m, int *common) {
    double most = 0;
    for (int i = 0; i < m; i++) {
        const int row = splits->member[i];
        const line along = look_along(&splits->by_row, row),
                   down = look_along(&splits->by_col, row);
        if (down.size == 0 || !cancels(&along) || !cancels(&down))
            return 0;
        if (splits->diagonal[row] <= most)
            continue;
        most = splits->diagonal[row];
        *common = row;
    }
    return most > 0;
}

/* Whether the part has full rank by its dominance, but for the row and unknown `common` (-1: none).
 */
static int is_chained(splitter *splits, int m, int common) {
    int seeds = 0;
    if (!is_dominant(splits, m))
        return 0;
    if (common >= 0)
        splits->queue[seeds++] = common;
    for (int i = 0; i < m; i++)
        if (splits->slack[splits->member[i]] > 0)
            splits->queue[seeds++] = splits->member[i];
    return reach(splits, seeds) == m;
}

/* ---- other parts ---- */

/* A part whose rank takes a factorisation. Its inner rows are dominant ones, and inner unknowns
 * those of the same numbers: their matrix S is sparse and regular. Of the other rows R and unknowns
 * what is left is R - C S^-1 D, a dense matrix. */
typedef struct rest {
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
} rest;

/* Divides the part's rows and unknowns, without row and unknown `common`; without inner ones if
 * `inner` is 0. */
static linnet_status divide(const splitter *splits, int m, int common, int inner, rest *out) {
    const ln_pattern *by_row = &splits->by_row.pattern;
    int most = 0;
    for (int i = 0; i < m; i++)
        most += by_row->start[splits->member[i] + 1] - by_row->start[splits->member[i]];
    out->inner = LN_NEW(out->arena, int, m);
    out->row = LN_NEW(out->arena, int, m);
    out->col = LN_NEW(out->arena, int, most);
    out->row_place = LN_NEW(out->arena, int, splits->n);
    out->col_place = LN_NEW(out->arena, int, splits->n);
    if (!out->inner || !out->row || !out->col || !out->row_place || !out->col_place)
        return LINNET_MEMORY;
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
static linnet_status factor_inner(const splitter *splits, rest *out) {
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
static void solve_inner(const splitter *splits, rest *out, int col) {
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
static void reduce_column(const splitter *splits, rest *out, int j) {
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
        out->matrix[to] = fabs(sum) <= ROUNDING * size + 8 * DBL_EPSILON * noise ? 0 : sum;
        out->size[to] = size;
    }
}

/* Scales each row, then each column, to terms of largest size 1, so that farads and picofarads are
 * judged alike. */
static void scale_rest(rest *out) {
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

/* The terms of a dependent row: other rows with the weights in `right` (itself 1), and the inner
 * rows that cancel what they leave in inner unknowns. */
static linnet_status write_dependent(splitter *splits, rest *out, int dependent,
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
        if (i != dependent && !add_term(splits, self, out->row[i], weight[i]))
            return LINNET_MEMORY;
        for (int k = by_row->start[out->row[i]]; k < by_row->start[out->row[i] + 1]; k++)
            if (out->row_place[by_row->row[k]] >= 0)
                out->through[out->row_place[by_row->row[k]]] -= weight[i] * splits->by_row.value[k];
    }
    if (out->linear != NULL)
        ln_linear_solve_transposed(out->linear, out->through);
    for (int i = 0; i < out->ninner; i++)
        if (fabs(out->through[i]) > 1e-12 &&
            !add_term(splits, self, out->inner[i], out->through[i]))
            return LINNET_MEMORY;
    return LINNET_OK;
}

static linnet_status split_rest(splitter *splits, rest *out) {
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
    const int rank =
        ln_dense_row_basis(out->nrows, out->ncols, out->matrix, ROUNDING, order, dependence);
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

static linnet_status split_by_rank(splitter *splits, int m, int common) {
    rest all = {.arena = ln_arena_new()};
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

/* ---- all parts ---- */

static linnet_status split_part(splitter *splits, int m) {
    int common = -1;
    if (floats(splits, m, &common))
        LN_TRY(float_part(splits, m, common));
    return is_chained(splits, m, common) ? LINNET_OK : split_by_rank(splits, m, common);
}

static linnet_status split_parts(splitter *splits) {
    linnet_status status = LINNET_OK;
    for (int root = 0; status == LINNET_OK && root < splits->n; root++) {
        int m = 0;
        for (int i = splits->first[root]; i >= 0; i = splits->next[i]) {
            splits->member[m++] = i;
            splits->differential[i] =
                splits->by_row.pattern.start[i + 1] > splits->by_row.pattern.start[i];
        }
        if (m > 1)
            status = split_part(splits, m);
    }
    return status;
}

static linnet_status write_rows(const splitter *splits, ln_arena *arena, ln_storage *out) {
    const size_t count = (size_t)splits->n + splits->count;
    int *start = LN_NEW(arena, int, splits->n + 1), *row = LN_NEW(arena, int, count), at = 0;
    double *coefficient = LN_NEW(arena, double, count);
    if (start == NULL || row == NULL || coefficient == NULL)
        return LINNET_MEMORY;
    *out = (ln_storage){.n = splits->n,
                        .differential = splits->differential,
                        .start = start,
                        .row = row,
                        .coefficient = coefficient,
                        .part = splits->part,
                        .common = splits->common,
                        .nparts = splits->nparts,
                        .dense = splits->dense};
    for (int k = 0; k < splits->n; k++) {
        start[k] = at;
        row[at] = k;
        coefficient[at++] = 1;
        for (int i = 0; i < splits->extra_count[k]; i++, at++) {
            row[at] = splits->row[splits->extra_start[k] + i];
            coefficient[at] = splits->coefficient[splits->extra_start[k] + i];
        }
        out->rank += splits->differential[k];
    }
    start[splits->n] = at;
    return LINNET_OK;
}

linnet_status ln_storage_split(const ln_system *system, ln_arena *arena, ln_storage *storage) {
    splitter splits = {.scratch = ln_arena_new(), .n = system->n};
    linnet_status status = splits.scratch == NULL ? LINNET_MEMORY : allocate(&splits, arena);
    if (status == LINNET_OK)
        status = collect(system, &splits);
    if (status == LINNET_OK) {
        join_rows(&splits);
        measure_rows(&splits);
        status = split_parts(&splits);
    }
    if (status == LINNET_OK)
        status = write_rows(&splits, arena, storage);
    ln_sys->release(splits.row);
    ln_sys->release(splits.coefficient);
    ln_arena_free(splits.scratch);
    return status;
}

linnet_status ln_system_by_rows(const ln_system *system, ln_arena *arena, ln_matrix *E,
                                ln_matrix *A) {
    const ln_system *s = system;
    ln_triplets e = {.value = NULL}, a = {.value = NULL};
    linnet_status status = LINNET_MEMORY;
    if (ln_triplets_add_all(&e, &s->E, s->ndq, s->dq_row, s->dq_col, s->dq) &&
        ln_triplets_add_all(&a, &s->A, s->ndf, s->df_row, s->df_col, s->df))
        status = ln_triplets_matrix(&e, s->n, 1, arena, E);
    if (status == LINNET_OK)
        status = ln_triplets_matrix(&a, s->n, 1, arena, A);
    ln_triplets_free(&e);
    ln_triplets_free(&a);
    return status;
}
