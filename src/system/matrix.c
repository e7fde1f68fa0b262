/* SPDX-License-Identifier: MIT */
/* Scattered entries to compressed columns, and products with a vector.
 *
 * Blocks stamp entries (row, column) in any order, several at one place, as the conductances at a
 * node. Two counting sorts, by row and then by column, are stable, so they leave the entries by
 * columns and by rows within each; places are numbered in one walk along them. That is linear in
 * the number of entries, and needs no comparisons.
 *
 * Entries that meet at one place are summed by the caller in the order in which they were added, so
 * that the sums do not depend on how the sort works: sums in floating point do depend on order, and
 * results are to be the same bits. */
/* The short loops of products are unrolled by -O3 only. The pragma would else lose the command
 * line's contraction. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=off")
#endif

#include "system/matrix.h"

#include "base/sys.h"
#include <string.h>

int ln_scattered_add(ln_scattered *entries, int row, int col) {
    if (!LN_GROW(entries->row, entries->count, entries->row_room))
        return 0;
    if (!LN_GROW(entries->col, entries->count, entries->col_room))
        return 0;
    entries->row[entries->count] = row;
    entries->col[entries->count] = col;
    entries->count++;
    return 1;
}

void ln_scattered_free(ln_scattered *entries) {
    ln_sys->release(entries->row);
    ln_sys->release(entries->col);
    *entries = (ln_scattered){0};
}

/* Stable counting sort of `order` by key[order[i]] in 0..n-1; start has n + 1 places of work. */
static void sort_by(const int *key, int n, const int *order, int *sorted, size_t count,
                    int *start) {
    memset(start, 0, ((size_t)n + 1) * sizeof *start);
    for (size_t k = 0; k < count; k++)
        start[key[k] + 1]++;
    for (int i = 0; i < n; i++)
        start[i + 1] += start[i];
    for (size_t k = 0; k < count; k++)
        sorted[start[key[order[k]]]++] = order[k];
}

/* Walks the entries in order of column and row, giving each new place the next position. */
static int number_places(const ln_scattered *entries, int n, const int *order, int *start, int *row,
                         int *position) {
    int places = 0, column = -1;
    for (size_t k = 0; k < entries->count; k++) {
        int entry = order[k], r = entries->row[entry], c = entries->col[entry];
        while (column < c)
            start[++column] = places;
        if (places == start[c] || row[places - 1] != r)
            row[places++] = r;
        position[entry] = places - 1;
    }
    while (column < n)
        start[++column] = places;
    return places;
}

linnet_status ln_scattered_pattern(const ln_scattered *entries, int n, ln_arena *arena,
                                   ln_pattern *pattern, int *position) {
    size_t count = entries->count;
    int *by_row = ln_sys->allocate((count + 1) * sizeof(int)),
        *order = ln_sys->allocate((count + 1) * sizeof(int));
    int *start = LN_NEW(arena, int, (size_t)n + 1);
    linnet_status status = LINNET_MEMORY;
    if (by_row == NULL || order == NULL || start == NULL || position == NULL)
        goto done;
    for (size_t k = 0; k < count; k++)
        order[k] = (int)k;
    sort_by(entries->row, n, order, by_row, count, start);
    sort_by(entries->col, n, by_row, order, count, start);
    int places = number_places(entries, n, order, start, by_row, position);
    int *row = LN_NEW(arena, int, places);
    if (row == NULL)
        goto done;
    memcpy(row, by_row, (size_t)places * sizeof *row);
    *pattern = (ln_pattern){n, start, row};
    status = LINNET_OK;
done:
    ln_sys->release(by_row);
    ln_sys->release(order);
    return status;
}

linnet_status ln_scattered_matrix(const ln_scattered *entries, const double *value, int n,
                                  ln_arena *arena, ln_matrix *matrix) {
    int *position = ln_sys->allocate((entries->count + 1) * sizeof *position);
    linnet_status status = ln_scattered_pattern(entries, n, arena, &matrix->pattern, position);
    if (status == LINNET_OK) {
        matrix->value = LN_NEW(arena, double, matrix->pattern.start[n]);
        status = matrix->value != NULL ? LINNET_OK : LINNET_MEMORY;
    }
    for (size_t k = 0; status == LINNET_OK && k < entries->count; k++)
        matrix->value[position[k]] += value[k];
    ln_sys->release(position);
    return status;
}

static int add_any(ln_triplets *triplets, int row, int col, double value) {
    if (!LN_GROW(triplets->value, triplets->at.count, triplets->room))
        return 0;
    triplets->value[triplets->at.count] = value;
    return ln_scattered_add(&triplets->at, row, col);
}

/* A zero is no entry: the pattern is that of what is not zero at this point. */
int ln_triplets_add(ln_triplets *triplets, int row, int col, double value) {
    return value == 0 || add_any(triplets, row, col, value);
}

/* The values of a constant matrix and those that change. The latter keep their places also where
 * they are zero just now. */
int ln_triplets_add_all(ln_triplets *triplets, const ln_matrix *matrix, int count, const int *row,
                        const int *col, const double *value) {
    const ln_pattern *pattern = &matrix->pattern;
    for (int j = 0; j < pattern->n; j++)
        for (int k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            if (!ln_triplets_add(triplets, pattern->row[k], j, matrix->value[k]))
                return 0;
    for (int k = 0; k < count; k++)
        if (!add_any(triplets, row[k], col[k], value[k]))
            return 0;
    return 1;
}

void ln_triplets_free(ln_triplets *triplets) {
    ln_scattered_free(&triplets->at);
    ln_sys->release(triplets->value);
    *triplets = (ln_triplets){0};
}

linnet_status ln_triplets_matrix(const ln_triplets *triplets, int n, int transposed,
                                 ln_arena *arena, ln_matrix *matrix) {
    ln_scattered at = triplets->at;
    if (transposed) {
        at.row = triplets->at.col;
        at.col = triplets->at.row;
    }
    return ln_scattered_matrix(&at, triplets->value, n, arena, matrix);
}

/* ---- the same walk again ---- */

static void forget_pattern(ln_reassembly *assembly) {
    ln_arena_free(assembly->arena);
    assembly->arena = NULL;
    assembly->matrix = (ln_matrix){.value = NULL};
}

void ln_reassembly_begin(ln_reassembly *assembly) {
    assembly->count = 0;
}

int ln_reassembly_add(ln_reassembly *assembly, int row, int col, double value) {
    ln_scattered *at = &assembly->at;
    const size_t k = assembly->count;
    if (!LN_GROW(assembly->value, k, assembly->room))
        return 0;
    assembly->value[k] = value;
    if (k == at->count || at->row[k] != row || at->col[k] != col) {
        at->count = k; /* from here on it is another walk */
        if (!ln_scattered_add(at, row, col))
            return 0;
        assembly->position = NULL;
    }
    assembly->count++;
    return 1;
}

int ln_reassembly_is_known(const ln_reassembly *assembly) {
    return assembly->arena != NULL && assembly->position != NULL &&
           assembly->count == assembly->at.count;
}

linnet_status ln_reassembly_finish(ln_reassembly *assembly, int n) {
    ln_matrix *matrix = &assembly->matrix;
    if (!ln_reassembly_is_known(assembly)) {
        forget_pattern(assembly);
        assembly->at.count = assembly->count;
        if ((assembly->arena = ln_arena_new()) == NULL)
            return LINNET_MEMORY;
        int *position = LN_NEW(assembly->arena, int, assembly->at.count);
        linnet_status status =
            ln_scattered_pattern(&assembly->at, n, assembly->arena, &matrix->pattern, position);
        assembly->position = position;
        if (status == LINNET_OK)
            matrix->value = LN_NEW(assembly->arena, double, matrix->pattern.start[n]);
        if (matrix->value == NULL) {
            forget_pattern(assembly);
            return LINNET_MEMORY;
        }
    }
    memset(matrix->value, 0, (size_t)matrix->pattern.start[n] * sizeof *matrix->value);
    for (size_t k = 0; k < assembly->count; k++)
        matrix->value[assembly->position[k]] += assembly->value[k];
    return LINNET_OK;
}

void ln_reassembly_free(ln_reassembly *assembly) {
    forget_pattern(assembly);
    ln_scattered_free(&assembly->at);
    ln_sys->release(assembly->value);
    *assembly = (ln_reassembly){.value = NULL};
}

/* ---- products ---- */

/* Rows of equal length that follow each other; with `runs` NULL they are only counted. */
static int find_runs(const int *length, int n, ln_row_run *runs) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        const int begins = i == 0 || length[i] != length[i - 1];
        count += begins;
        if (runs != NULL)
            runs[count - 1] = (ln_row_run){length[i], begins ? 1 : runs[count - 1].count + 1, -1};
    }
    return count;
}

/* next[]: the length of each row, and afterwards where it ends. */
static void fill_rows(const ln_matrix *matrix, ln_rows *rows, int *next) {
    const ln_pattern *pattern = &matrix->pattern;
    for (int i = 0, total = 0; i < pattern->n; i++) {
        const int length = next[i];
        next[i] = total;
        total += length;
    }
    for (int j = 0; j < pattern->n; j++)
        for (int k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
            const int at = next[pattern->row[k]]++;
            rows->col[at] = j;
            rows->value[at] = matrix->value[k];
        }
}

static void find_diagonals(ln_rows *rows) {
    const int *col = rows->col;
    for (ln_row_run *run = rows->runs; run < rows->runs + rows->nruns; run++) {
        int k = 0;
        while (run->length == 1 && k < run->count && col[k] == col[0] + k)
            k++;
        if (run->length == 1 && k == run->count)
            run->first = col[0];
        col += run->length * run->count;
    }
}

linnet_status ln_matrix_list_rows(ln_matrix *matrix, ln_arena *arena) {
    const ln_pattern *pattern = &matrix->pattern;
    const int n = pattern->n, count = pattern->start[n];
    ln_rows *rows = LN_NEW(arena, ln_rows, 1);
    int *length = ln_sys->allocate(((size_t)n + 1) * sizeof *length);
    linnet_status status = LINNET_MEMORY;
    if (rows == NULL || length == NULL)
        goto done;
    memset(length, 0, ((size_t)n + 1) * sizeof *length);
    for (int k = 0; k < count; k++)
        length[pattern->row[k]]++;
    rows->nruns = find_runs(length, n, NULL);
    rows->runs = LN_NEW(arena, ln_row_run, rows->nruns);
    rows->col = LN_NEW(arena, int, count);
    rows->value = LN_NEW(arena, double, count);
    if (rows->runs == NULL || rows->col == NULL || rows->value == NULL)
        goto done;
    (void)find_runs(length, n, rows->runs);
    fill_rows(matrix, rows, length);
    find_diagonals(rows);
    matrix->rows = rows;
    status = LINNET_OK;
done:
    ln_sys->release(length);
    return status;
}

/* How far a product has come. */
typedef struct product {
    const int *col;
    const double *value, *x;
    double *y;
} product;

/* Rows of one length; where that is a constant, the sum is one expression. In columns' order, as
 * the product by columns adds them. */
static inline void add_run(product *at, int length, int count, int adds) {
    const int *col = at->col;
    const double *value = at->value, *x = at->x;
    double *y = at->y;
    for (double *end = y + count; y < end; y++, col += length, value += length) {
        double sum = adds ? *y : 0;
        for (int k = 0; k < length; k++)
            sum += value[k] * x[col[k]];
        *y = sum;
    }
    *at = (product){col, value, x, y};
}

/* Rows of one entry on a diagonal. */
static inline void add_diagonal(product *at, int first, int count, int adds) {
    const double *restrict value = at->value, *restrict x = at->x + first;
    double *restrict y = at->y;
    for (int k = 0; k < count; k++)
        y[k] = (adds ? y[k] : 0) + value[k] * x[k];
    *at = (product){at->col + count, value + count, at->x, y + count};
}

static inline void add_rows(const ln_rows *rows, const double *x, double *y, int adds) {
    product at = {rows->col, rows->value, x, y};
    for (const ln_row_run *run = rows->runs; run < rows->runs + rows->nruns; run++)
        switch (run->length) {
        case 1:
            if (run->first >= 0)
                add_diagonal(&at, run->first, run->count, adds);
            else
                add_run(&at, 1, run->count, adds);
            break;
        case 2: add_run(&at, 2, run->count, adds); break;
        case 3: add_run(&at, 3, run->count, adds); break;
        case 4: add_run(&at, 4, run->count, adds); break;
        case 5: add_run(&at, 5, run->count, adds); break;
        default: add_run(&at, run->length, run->count, adds);
        }
}

/* y += M x, column by column. */
static void add_columns(const ln_matrix *matrix, const double *x, double *y) {
    const int *start = matrix->pattern.start, *row = matrix->pattern.row;
    for (int j = 0; j < matrix->pattern.n; j++) {
        double xj = x[j];
        if (xj == 0)
            continue;
        for (int k = start[j]; k < start[j + 1]; k++)
            y[row[k]] += matrix->value[k] * xj;
    }
}

void ln_matrix_add(const ln_matrix *matrix, const double *x, double *y) {
    if (matrix->rows != NULL)
        add_rows(matrix->rows, x, y, 1);
    else
        add_columns(matrix, x, y);
}

void ln_matrix_apply(const ln_matrix *matrix, const double *x, double *y) {
    if (matrix->rows != NULL) {
        add_rows(matrix->rows, x, y, 0);
        return;
    }
    memset(y, 0, (size_t)matrix->pattern.n * sizeof *y);
    add_columns(matrix, x, y);
}
