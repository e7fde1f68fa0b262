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

static int add_entry(ln_scattered *at, double **value, size_t *room, int row, int col,
                     double entry) {
    if (entry == 0)
        return 1;
    if (!LN_GROW(*value, at->count, *room))
        return 0;
    (*value)[at->count] = entry;
    return ln_scattered_add(at, row, col);
}

/* Entries that meet at one place are added up. */
static linnet_status gather(const ln_scattered *at, const double *value, int n, ln_arena *arena,
                            ln_matrix *out) {
    const int *position;
    LN_TRY(ln_scattered_pattern(at, n, arena, &out->pattern, &position));
    out->value = LN_NEW(arena, double, out->pattern.start[n]);
    if (out->value == NULL)
        return LINNET_MEMORY;
    for (size_t k = 0; k < at->count; k++)
        out->value[position[k]] += value[k];
    return LINNET_OK;
}

static linnet_status collect(const ln_system *s, splitter *split) {
    ln_scattered at = {0}, turned = {0};
    double *value = NULL;
    size_t room = 0;
    int going = 1;
    for (int j = 0; going && j < s->n; j++)
        for (int k = s->E.pattern.start[j]; going && k < s->E.pattern.start[j + 1]; k++)
            going = add_entry(&at, &value, &room, s->E.pattern.row[k], j, s->E.value[k]);
    for (int k = 0; going && k < s->ndq; k++)
        going = add_entry(&at, &value, &room, s->dq_row[k], s->dq_col[k], s->dq[k]);
    linnet_status status =
        going ? gather(&at, value, s->n, split->scratch, &split->by_col) : LINNET_MEMORY;
    turned = (ln_scattered){.row = at.col, .col = at.row, .count = at.count};
    if (status == LINNET_OK)
        status = gather(&turned, value, s->n, split->scratch, &split->by_row);
    ln_scattered_free(&at);
    ln_sys->release(value);
    return status;
}

static linnet_status allocate(splitter *split, ln_arena *arena) {
    const size_t n = (size_t)split->n;
    int **numbers[] = {&split->first, &split->next,        &split->member,
                       &split->queue, &split->extra_start, &split->extra_count};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if ((*numbers[k] = LN_NEW(split->scratch, int, n)) == NULL)
            return LINNET_MEMORY;
    split->slack = LN_NEW(split->scratch, double, n);
    split->diagonal = LN_NEW(split->scratch, double, n);
    split->seen = LN_NEW(split->scratch, char, n);
    split->differential = LN_NEW(arena, char, n);
    split->part = LN_NEW(arena, int, n);
    split->common = LN_NEW(arena, int, n);
    return split->slack && split->diagonal && split->seen && split->differential && split->part &&
                   split->common
               ? LINNET_OK
               : LINNET_MEMORY;
}

/* Rows that share a column belong to one part. */
static void join_rows(splitter *split) {
    const ln_pattern *by_col = &split->by_col.pattern;
    int *parent = split->queue;
    for (int i = 0; i < split->n; i++) {
        parent[i] = i;
        split->first[i] = split->part[i] = -1;
    }
    for (int j = 0; j < split->n; j++)
        for (int k = by_col->start[j] + 1; k < by_col->start[j + 1]; k++)
            parent[ln_root_of(parent, by_col->row[k])] = ln_root_of(parent, by_col->row[k - 1]);
    for (int i = split->n - 1; i >= 0; i--) {
        const int root = ln_root_of(parent, i);
        split->next[i] = split->first[root];
        split->first[root] = i;
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
static void measure_rows(splitter *split) {
    for (int i = 0; i < split->n; i++) {
        const line row = look_along(&split->by_row, i);
        const double slack = 2 * row.diagonal - row.size;
        split->diagonal[i] = row.diagonal;
        split->slack[i] = fabs(slack) <= ROUNDING * row.size ? 0 : slack;
    }
}

/* From the rows in the queue along the columns of what has been reached to further rows: how many
 * in all. */
static int reach(splitter *split, int tail) {
    const ln_pattern *by_col = &split->by_col.pattern;
    for (int k = 0; k < tail; k++)
        split->seen[split->queue[k]] = 1;
    for (int head = 0; head < tail; head++) {
        const int column = split->queue[head];
        for (int k = by_col->start[column]; k < by_col->start[column + 1]; k++) {
            const int row = by_col->row[k];
            if (split->seen[row])
                continue;
            split->seen[row] = 1;
            split->queue[tail++] = row;
        }
    }
    for (int k = 0; k < tail; k++)
        split->seen[split->queue[k]] = 0;
    return tail;
}

/* The column of each entry is that of a row of the part, with a diagonal entry, and all rows are
 * dominant. */
static int is_dominant(const splitter *split, int m) {
    for (int i = 0; i < m; i++) {
        const int row = split->member[i];
        if (split->slack[row] < 0)
            return 0;
        for (int k = split->by_row.pattern.start[row]; k < split->by_row.pattern.start[row + 1];
             k++)
            if (split->diagonal[split->by_row.pattern.row[k]] == 0)
                return 0;
    }
    return 1;
}

static int add_term(splitter *split, int dependent, int row, double coefficient) {
    if (!LN_GROW(split->row, split->count, split->row_room) ||
        !LN_GROW(split->coefficient, split->count, split->coefficient_room))
        return 0;
    split->row[split->count] = row;
    split->coefficient[split->count++] = coefficient;
    split->extra_count[dependent]++;
    return 1;
}

/* All rows and columns add up to zero: the row with the most storage gives its place to the sum, so
 * that small stored quantities beside it keep their digits. */
static linnet_status float_part(splitter *split, int m, int common) {
    split->differential[common] = 0;
    split->extra_start[common] = (int)split->count;
    for (int i = 0; i < m; i++) {
        split->part[split->member[i]] = split->nparts;
        if (split->member[i] != common && !add_term(split, common, split->member[i], 1))
            return LINNET_MEMORY;
    }
    split->common[split->nparts++] = common;
    return LINNET_OK;
}

/* Whether all rows and columns of the part add up to zero; then *common is the row with the most
 * storage. */
static int floats(const splitter *split, int m, int *common) {
    double most = 0;
    for (int i = 0; i < m; i++) {
        const int row = split->member[i];
        const line along = look_along(&split->by_row, row), down = look_along(&split->by_col, row);
        if (down.size == 0 || !cancels(&along) || !cancels(&down))
            return 0;
        if (split->diagonal[row] <= most)
            continue;
        most = split->diagonal[row];
        *common = row;
    }
    return most > 0;
}

/* Whether the part has full rank by its dominance, but for the row and unknown `common` (-1: none).
 */
static int is_chained(splitter *split, int m, int common) {
    int seeds = 0;
    if (!is_dominant(split, m))
        return 0;
    if (common >= 0)
        split->queue[seeds++] = common;
    for (int i = 0; i < m; i++)
        if (split->slack[split->member[i]] > 0)
            split->queue[seeds++] = split->member[i];
    return reach(split, seeds) == m;
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
static linnet_status divide(const splitter *split, int m, int common, int inner, rest *out) {
    const ln_pattern *by_row = &split->by_row.pattern;
    int most = 0;
    for (int i = 0; i < m; i++)
        most += by_row->start[split->member[i] + 1] - by_row->start[split->member[i]];
    out->inner = LN_NEW(out->arena, int, m);
    out->row = LN_NEW(out->arena, int, m);
    out->col = LN_NEW(out->arena, int, most);
    out->row_place = LN_NEW(out->arena, int, split->n);
    out->col_place = LN_NEW(out->arena, int, split->n);
    if (!out->inner || !out->row || !out->col || !out->row_place || !out->col_place)
        return LINNET_MEMORY;
    out->ninner = out->nrows = out->ncols = 0;
    for (int i = 0; i < split->n; i++)
        out->row_place[i] = out->col_place[i] = -1;
    for (int i = 0; i < m; i++) {
        const int row = split->member[i];
        if (row == common)
            continue;
        if (inner && split->slack[row] >= 0)
            out->inner[out->row_place[row] = out->ninner++] = row;
        else
            out->row[out->nrows++] = row;
    }
    for (int i = 0; i < m; i++)
        for (int k = by_row->start[split->member[i]]; k < by_row->start[split->member[i] + 1];
             k++) {
            const int col = by_row->row[k];
            if (col != common && out->row_place[col] < 0 && out->col_place[col] < 0)
                out->col[out->col_place[col] = out->ncols++] = col;
        }
    return LINNET_OK;
}

/* Factors S. LINNET_RETRY: it is singular. */
static linnet_status factor_inner(const splitter *split, rest *out) {
    const ln_pattern *by_row = &split->by_row.pattern;
    ln_scattered at = {0};
    double *value = NULL;
    size_t room = 0;
    int going = 1;
    if (out->ninner == 0)
        return LINNET_OK;
    for (int i = 0; i < out->ninner; i++)
        for (int k = by_row->start[out->inner[i]]; going && k < by_row->start[out->inner[i] + 1];
             k++)
            if (out->row_place[by_row->row[k]] >= 0)
                going = add_entry(&at, &value, &room, i, out->row_place[by_row->row[k]],
                                  split->by_row.value[k]);
    linnet_status status =
        going ? gather(&at, value, out->ninner, out->arena, &out->S) : LINNET_MEMORY;
    ln_scattered_free(&at);
    ln_sys->release(value);
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
static void solve_inner(const splitter *split, rest *out, int col) {
    const ln_pattern *by_col = &split->by_col.pattern, *S = &out->S.pattern;
    const size_t bytes = (size_t)out->ninner * sizeof *out->through;
    if (out->linear == NULL)
        return;
    memset(out->through, 0, bytes);
    memset(out->noise, 0, bytes);
    for (int k = by_col->start[col]; k < by_col->start[col + 1]; k++)
        if (out->row_place[by_col->row[k]] >= 0)
            out->through[out->row_place[by_col->row[k]]] = split->by_col.value[k];
    ln_linear_solve(out->linear, out->through);
    for (int j = 0; j < out->ninner; j++)
        for (int k = S->start[j]; k < S->start[j + 1]; k++)
            out->noise[S->row[k]] += fabs(out->S.value[k] * out->through[j]);
    ln_linear_solve(out->linear, out->noise);
}

/* One column of what is left over; what may be rounding is zero. */
static void reduce_column(const splitter *split, rest *out, int j) {
    const ln_pattern *by_row = &split->by_row.pattern;
    const int col = out->col[j];
    solve_inner(split, out, col);
    for (int i = 0; i < out->nrows; i++) {
        double sum = 0, size = 0, noise = 0;
        for (int k = by_row->start[out->row[i]]; k < by_row->start[out->row[i] + 1]; k++) {
            const int at = by_row->row[k], place = out->row_place[at];
            const double term = at == col   ? split->by_row.value[k]
                                : place < 0 ? 0
                                            : -split->by_row.value[k] * out->through[place];
            if (place >= 0)
                noise += fabs(split->by_row.value[k] * out->noise[place]);
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
static linnet_status write_dependent(splitter *split, rest *out, int dependent,
                                     const double *weight) {
    const ln_pattern *by_row = &split->by_row.pattern;
    const int self = out->row[dependent];
    split->differential[self] = 0;
    split->extra_start[self] = (int)split->count;
    if (out->linear != NULL)
        memset(out->through, 0, (size_t)out->ninner * sizeof *out->through);
    for (int i = 0; i < out->nrows; i++) {
        if (weight[i] == 0)
            continue;
        if (i != dependent && !add_term(split, self, out->row[i], weight[i]))
            return LINNET_MEMORY;
        for (int k = by_row->start[out->row[i]]; k < by_row->start[out->row[i] + 1]; k++)
            if (out->row_place[by_row->row[k]] >= 0)
                out->through[out->row_place[by_row->row[k]]] -= weight[i] * split->by_row.value[k];
    }
    if (out->linear != NULL)
        ln_linear_solve_transposed(out->linear, out->through);
    for (int i = 0; i < out->ninner; i++)
        if (fabs(out->through[i]) > 1e-12 && !add_term(split, self, out->inner[i], out->through[i]))
            return LINNET_MEMORY;
    return LINNET_OK;
}

static linnet_status split_rest(splitter *split, rest *out) {
    const size_t m = (size_t)out->nrows;
    out->matrix = LN_NEW(out->arena, double, m *(size_t)out->ncols);
    out->size = LN_NEW(out->arena, double, m *(size_t)out->ncols);
    out->scale = LN_NEW(out->arena, double, m);
    int *order = LN_NEW(out->arena, int, m);
    double *dependence = LN_NEW(out->arena, double, m *m), *weight = LN_NEW(out->arena, double, m);
    if (!out->matrix || !out->size || !out->scale || !order || !dependence || !weight)
        return LINNET_MEMORY;
    for (int j = 0; j < out->ncols; j++)
        reduce_column(split, out, j);
    scale_rest(out);
    const int rank =
        ln_dense_row_basis(out->nrows, out->ncols, out->matrix, ROUNDING, order, dependence);
    if (rank < 0)
        return LINNET_MEMORY;
    if (out->nrows > split->dense)
        split->dense = out->nrows;
    for (int k = rank; k < out->nrows; k++) {
        memset(weight, 0, m * sizeof *weight);
        for (int i = 0; i < rank; i++) { /* the row is sum c basis row, of the scaled rows */
            const double c = dependence[(size_t)i * (m - (size_t)rank) + (size_t)(k - rank)];
            if (fabs(c) > 1e-12)
                weight[order[i]] = -c * out->scale[order[i]] / out->scale[order[k]];
        }
        weight[order[k]] = 1;
        LN_TRY(write_dependent(split, out, order[k], weight));
    }
    return LINNET_OK;
}

static linnet_status split_by_rank(splitter *split, int m, int common) {
    rest all = {.arena = ln_arena_new()};
    linnet_status status = all.arena == NULL ? LINNET_MEMORY : divide(split, m, common, 1, &all);
    if (status == LINNET_OK)
        status = factor_inner(split, &all);
    if (status == LINNET_RETRY) {
        ln_linear_free(all.linear);
        all.linear = NULL;
        status = divide(split, m, common, 0, &all);
    }
    if (status == LINNET_OK)
        status = split_rest(split, &all);
    ln_linear_free(all.linear);
    ln_arena_free(all.arena);
    return status;
}

/* ---- all parts ---- */

static linnet_status split_part(splitter *split, int m) {
    int common = -1;
    if (floats(split, m, &common))
        LN_TRY(float_part(split, m, common));
    return is_chained(split, m, common) ? LINNET_OK : split_by_rank(split, m, common);
}

static linnet_status split_parts(splitter *split) {
    linnet_status status = LINNET_OK;
    for (int root = 0; status == LINNET_OK && root < split->n; root++) {
        int m = 0;
        for (int i = split->first[root]; i >= 0; i = split->next[i]) {
            split->member[m++] = i;
            split->differential[i] =
                split->by_row.pattern.start[i + 1] > split->by_row.pattern.start[i];
        }
        if (m > 1)
            status = split_part(split, m);
    }
    return status;
}

static linnet_status write_rows(const splitter *split, ln_arena *arena, ln_storage *out) {
    const size_t count = (size_t)split->n + split->count;
    int *start = LN_NEW(arena, int, split->n + 1), *row = LN_NEW(arena, int, count), at = 0;
    double *coefficient = LN_NEW(arena, double, count);
    if (start == NULL || row == NULL || coefficient == NULL)
        return LINNET_MEMORY;
    *out = (ln_storage){.n = split->n,
                        .differential = split->differential,
                        .start = start,
                        .row = row,
                        .coefficient = coefficient,
                        .part = split->part,
                        .common = split->common,
                        .nparts = split->nparts,
                        .dense = split->dense};
    for (int k = 0; k < split->n; k++) {
        start[k] = at;
        row[at] = k;
        coefficient[at++] = 1;
        for (int i = 0; i < split->extra_count[k]; i++, at++) {
            row[at] = split->row[split->extra_start[k] + i];
            coefficient[at] = split->coefficient[split->extra_start[k] + i];
        }
        out->rank += split->differential[k];
    }
    start[split->n] = at;
    return LINNET_OK;
}

linnet_status ln_storage_split(const ln_system *system, ln_arena *arena, ln_storage *storage) {
    splitter split = {.scratch = ln_arena_new(), .n = system->n};
    linnet_status status = split.scratch == NULL ? LINNET_MEMORY : allocate(&split, arena);
    if (status == LINNET_OK)
        status = collect(system, &split);
    if (status == LINNET_OK) {
        join_rows(&split);
        measure_rows(&split);
        status = split_parts(&split);
    }
    if (status == LINNET_OK)
        status = write_rows(&split, arena, storage);
    ln_sys->release(split.row);
    ln_sys->release(split.coefficient);
    ln_arena_free(split.scratch);
    return status;
}
