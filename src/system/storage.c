/* SPDX-License-Identifier: MIT */
/* Ranks of the parts of E + dq_nl: by a search along their entries, or by a factorisation of what
 * is left over (splitter.c). */
#include "system/splitter.h"

#include "base/forest.h"
#include "base/sys.h"
#include "system/leaks.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

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

static linnet_status collect(const ln_system *s, ln_splitter *splits) {
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

static linnet_status allocate(ln_splitter *splits, ln_arena *arena) {
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
    splits->row_part = LN_NEW(arena, int, n);
    splits->common = LN_NEW(arena, int, n);
    return splits->slack && splits->diagonal && splits->seen && splits->differential &&
                   splits->part && splits->row_part && splits->common
               ? LINNET_OK
               : LINNET_MEMORY;
}

/* Rows that share a column belong to one part. */
static void join_rows(ln_splitter *splits) {
    const ln_pattern *by_col = &splits->by_col.pattern;
    int *parent = splits->queue;
    for (int i = 0; i < splits->n; i++) {
        parent[i] = i;
        splits->first[i] = splits->part[i] = splits->row_part[i] = -1;
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

/* of a row or column: the size of its diagonal entry, its entries' sum, their sizes' sum */
typedef struct row_sums {
    double diagonal, sum, size;
} row_sums;

static row_sums sum_line(const ln_matrix *matrix, int at) {
    row_sums out = {0};
    for (int k = matrix->pattern.start[at]; k < matrix->pattern.start[at + 1]; k++) {
        if (matrix->pattern.row[k] == at)
            out.diagonal = fabs(matrix->value[k]);
        out.sum += matrix->value[k];
        out.size += fabs(matrix->value[k]);
    }
    return out;
}

static int cancels(const row_sums *along) {
    return fabs(along->sum) <= LN_STORED_ROUNDING * along->size;
}

/* Sets the slack of all rows: negative where the diagonal entry is smaller than the others
 * together. */
static void measure_rows(ln_splitter *splits) {
    for (int i = 0; i < splits->n; i++) {
        const row_sums row = sum_line(&splits->by_row, i);
        const double slack = 2 * row.diagonal - row.size;
        splits->diagonal[i] = row.diagonal;
        splits->slack[i] = fabs(slack) <= LN_STORED_ROUNDING * row.size ? 0 : slack;
    }
}

/* From the rows in the queue along the columns of what has been reached to further rows: how many
 * in all. */
static int reach(ln_splitter *splits, int tail) {
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

/* The column of each entry is that of a row of the part, with a diagonal entry, or `common`, and
 * all rows are dominant. */
static int is_dominant(const ln_splitter *splits, int m, int common) {
    for (int i = 0; i < m; i++) {
        const int row = splits->member[i];
        if (splits->slack[row] < 0)
            return 0;
        for (int k = splits->by_row.pattern.start[row]; k < splits->by_row.pattern.start[row + 1];
             k++)
            if (splits->by_row.pattern.row[k] != common &&
                splits->diagonal[splits->by_row.pattern.row[k]] == 0)
                return 0;
    }
    return 1;
}

static void note_part(ln_splitter *splits, int m, int common) {
    const ln_pattern *by_row = &splits->by_row.pattern;
    for (int i = 0; i < m; i++) {
        const int row = splits->member[i];
        splits->row_part[row] = splits->nparts;
        for (int k = by_row->start[row]; k < by_row->start[row + 1]; k++)
            splits->part[by_row->row[k]] = splits->nparts;
    }
    splits->row_part[common] = splits->nparts;
    splits->common[splits->nparts++] = common;
}

/* All rows and columns add up to zero: the row with the most storage gives its place to the sum, so
 * that small stored quantities beside it keep their digits. */
static linnet_status float_part(ln_splitter *splits, int m, int common) {
    splits->differential[common] = 0;
    splits->extra_start[common] = (int)splits->count;
    for (int i = 0; i < m; i++)
        if (splits->member[i] != common && !ln_splitter_add(splits, common, splits->member[i], 1))
            return LINNET_MEMORY;
    note_part(splits, m, common);
    return LINNET_OK;
}

/* Whether all rows and columns of the part add up to zero; then *common is the row with the most
 * storage. */
static int floats(const ln_splitter *splits, int m, int *common) {
    double most = 0;
    for (int i = 0; i < m; i++) {
        const int row = splits->member[i];
        const row_sums along = sum_line(&splits->by_row, row),
                       down = sum_line(&splits->by_col, row);
        if (down.size == 0 || !cancels(&along) || !cancels(&down))
            return 0;
        if (splits->diagonal[row] <= most)
            continue;
        most = splits->diagonal[row];
        *common = row;
    }
    return most > 0;
}

/* The row that is the balance of the part already, and stores nothing; -1: there is none. Of what
 * the system takes to be one part only some may be joined at this point. */
static int balance_of(const ln_splitter *splits, int m) {
    const int common = splits->balance == NULL ? -1 : splits->balance[splits->member[0]];
    const ln_pattern *by_row = &splits->by_row.pattern;
    int joined = 0;
    if (common < 0 || by_row->start[common + 1] > by_row->start[common])
        return -1;
    for (int i = 0; i < m; i++) {
        const int row = splits->member[i];
        const row_sums along = sum_line(&splits->by_row, row);
        if (splits->balance[row] != common || !cancels(&along))
            return -1;
        for (int k = by_row->start[row]; k < by_row->start[row + 1]; k++)
            joined |= by_row->row[k] == common;
    }
    return joined ? common : -1;
}

/* Has the part full rank by chained dominance, without row and unknown `common` (-1: none)?
 * outside: 1 if `common` is not among its m rows, else 0. */
static int is_chained(ln_splitter *splits, int m, int common, int outside) {
    int seeds = 0;
    if (!is_dominant(splits, m, common))
        return 0;
    if (common >= 0)
        splits->queue[seeds++] = common;
    for (int i = 0; i < m; i++)
        if (splits->slack[splits->member[i]] > 0)
            splits->queue[seeds++] = splits->member[i];
    return reach(splits, seeds) == m + outside;
}

/* ---- all parts ---- */

static linnet_status split_part(ln_splitter *splits, int m) {
    int common = balance_of(splits, m);
    const int outside = common >= 0;
    if (outside)
        note_part(splits, m, common);
    else if (m == 1)
        return LINNET_OK;
    else if (floats(splits, m, &common))
        LN_TRY(float_part(splits, m, common));
    return is_chained(splits, m, common, outside) ? LINNET_OK
                                                  : ln_splitter_by_rank(splits, m, common);
}

static linnet_status split_parts(ln_splitter *splits) {
    linnet_status status = LINNET_OK;
    for (int root = 0; status == LINNET_OK && root < splits->n; root++) {
        int m = 0;
        for (int i = splits->first[root]; i >= 0; i = splits->next[i]) {
            splits->member[m++] = i;
            splits->differential[i] =
                splits->by_row.pattern.start[i + 1] > splits->by_row.pattern.start[i];
        }
        if (m > 0)
            status = split_part(splits, m);
    }
    return status;
}

static linnet_status write_rows(const ln_splitter *splits, ln_arena *arena, ln_storage *out) {
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
                        .row_part = splits->row_part,
                        .common = splits->common,
                        .nparts = splits->nparts,
                        .dense = splits->dense};
    for (int k = 0; k < splits->n; k++) {
        start[k] = at;
        row[at] = k;
        coefficient[at++] = 1;
        assert(splits->extra_count[k] == 0 || !splits->differential[k]); /* a dependent row */
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
    ln_splitter splits = {
        .scratch = ln_arena_new(), .balance = system->balance_row, .n = system->n};
    linnet_status status = splits.scratch == NULL ? LINNET_MEMORY : allocate(&splits, arena);
    if (status == LINNET_OK)
        status = collect(system, &splits);
    if (status == LINNET_OK) {
        join_rows(&splits);
        measure_rows(&splits);
        status = split_parts(&splits);
    }
    if (status == LINNET_OK)
        status = ln_splitter_close_cycles(&splits);
    if (status == LINNET_OK)
        status = write_rows(&splits, arena, storage);
    ln_sys->release(splits.row);
    ln_sys->release(splits.coefficient);
    ln_arena_free(splits.scratch);
    return status;
}

linnet_status ln_system_by_rows(const ln_system *system, const char *leaks, ln_arena *arena,
                                ln_matrix *E, ln_matrix *A) {
    const ln_system *s = system;
    ln_triplets e = {.value = NULL}, a = {.value = NULL};
    linnet_status status = LINNET_MEMORY;
    if (ln_triplets_add_all(&e, &s->E, s->ndq, s->dq_row, s->dq_col, s->dq) &&
        ln_triplets_add_all(&a, &s->A, s->ndf, s->df_row, s->df_col, s->df))
        status = ln_triplets_matrix(&e, s->n, 1, arena, E);
    if (status == LINNET_OK)
        status = ln_triplets_matrix(&a, s->n, 1, arena, A);
    if (status == LINNET_OK && leaks != NULL)
        status = ln_close_leaks(E, A, leaks);
    ln_triplets_free(&e);
    ln_triplets_free(&a);
    return status;
}
