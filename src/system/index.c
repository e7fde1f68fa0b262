/* SPDX-License-Identifier: MIT */
/* The Sigma method on rows and unknowns in which nothing cancels, and combinations of rows where
 * its Jacobian is singular.
 *
 * sigma_ij is the highest derivative of unknown j in row i. A transversal of largest sum gives the
 * offsets: the smallest c, d >= 0 with d_j - c_i >= sigma_ij, equal on the transversal. Row i is
 * differentiated c_i times, and unknown j is determined up to its derivative d_j; the index is
 * max c, plus 1 if some d_j = 0 [Pryce, BIT 41, 2001]. The system Jacobian
 *     J_ij = d row_i / d x_j^(d_j - c_i)
 * must be regular for this to hold. Where it is not, a left null vector of J tells a combination of
 * rows in which the highest derivatives cancel; it takes the place of one of them and the method
 * begins anew. The sum of the transversal falls with each round, so there are few. */
#include "system/index.h"

#include "base/sys.h"
#include "linear/assignment.h"
#include <math.h>
#include <string.h>

/* Sums that are less than this share of their terms are zero: rounding of some stamps. */
static const double ROUNDING = 1e-13;
/* Combinations are found to about 1e-11; a coefficient so near a whole number is that number. */
static const double WHOLE = 1e-9;

/* Orders of derivatives that are kept. Each round takes a combination in place of a row, at a
 * higher order; a system that needs more rounds is given up as singular. */
enum { ORDERS = 6, ROUNDS = 50 };

/* A row as a combination of derivatives of the system's rows. */
typedef struct term {
    int row, order;
    double coefficient;
} term;
typedef struct row_terms {
    term *item;
    size_t count, room;
} row_terms;

typedef struct index_finder {
    const ln_system *system;
    const ln_storage *storage;
    ln_arena *arena; /* of the analysis */
    int n;
    ln_matrix E, A;  /* E + dq and A + df by rows */
    row_terms *rows; /* n */
    /* The rows' entries: derivative order[k] of unknown col[k], and their coefficients. */
    size_t *start, count, col_room, order_room, value_room;
    int *col;
    signed char *order;
    double *value;
    double *sum, *size; /* ORDERS x n: of the row at hand, an entry or a term each */
    int *touched;       /* the columns, or rows, in it */
    char *is_touched;
    int *c, *d, *row_of, *col_of;
    int dense, rounds;
} index_finder;

/* ---- entries ---- */

static int add_term(row_terms *row, int of, int order, double coefficient) {
    if (!LN_GROW(row->item, row->count, row->room))
        return 0;
    row->item[row->count++] = (term){of, order, coefficient};
    return 1;
}

static void collect_one(index_finder *all, int col, int order, double value, int *ntouched) {
    const size_t at = (size_t)order * (size_t)all->n + (size_t)col;
    all->sum[at] += value;
    all->size[at] += fabs(value);
    if (all->is_touched[col])
        return;
    all->is_touched[col] = 1;
    all->touched[(*ntouched)++] = col;
}

/* The unknowns of a floating part are differences to its common unknown, whose column is the sum of
 * all of them. */
static void collect_row(index_finder *all, const ln_matrix *from, int row, int order, double factor,
                        int *ntouched) {
    const ln_storage *storage = all->storage;
    for (int k = from->pattern.start[row]; k < from->pattern.start[row + 1]; k++) {
        const int col = from->pattern.row[k], part = storage->part[col];
        const int common = part < 0 ? col : storage->common[part];
        collect_one(all, col, order, factor * from->value[k], ntouched);
        if (common != col)
            collect_one(all, common, order, factor * from->value[k], ntouched);
    }
}

static int add_entry(index_finder *all, int col, int order, double value) {
    if (!LN_GROW(all->col, all->count, all->col_room) ||
        !LN_GROW(all->order, all->count, all->order_room) ||
        !LN_GROW(all->value, all->count, all->value_room))
        return 0;
    all->col[all->count] = col;
    all->order[all->count] = (signed char)order;
    all->value[all->count++] = value;
    return 1;
}

int ln_index_is_zero(double sum, double size) {
    return !(fabs(sum) > ROUNDING * size);
}

/* What is left of the row at hand, unknown by unknown, or term by term; clears it. */
static int keep(index_finder *all, int ntouched, row_terms *sum) {
    int going = 1;
    for (int k = 0; k < ntouched; k++) {
        const int at = all->touched[k];
        for (int order = 0; order < ORDERS; order++) {
            const size_t place = (size_t)order * (size_t)all->n + (size_t)at;
            const double value = all->sum[place];
            if (going && !ln_index_is_zero(value, all->size[place]))
                going = sum != NULL ? add_term(sum, at, order, value)
                                    : add_entry(all, at, order, value);
            all->sum[place] = all->size[place] = 0;
        }
        all->is_touched[at] = 0;
    }
    return going;
}

static linnet_status make_entries(index_finder *all) {
    all->count = 0;
    for (int i = 0; i < all->n; i++) {
        int ntouched = 0;
        all->start[i] = all->count;
        for (size_t k = 0; k < all->rows[i].count; k++) {
            const term *summand = &all->rows[i].item[k];
            if (summand->order + 1 >= ORDERS)
                return LINNET_RETRY;
            collect_row(all, &all->E, summand->row, summand->order + 1, summand->coefficient,
                        &ntouched);
            collect_row(all, &all->A, summand->row, summand->order, summand->coefficient,
                        &ntouched);
        }
        if (!keep(all, ntouched, NULL))
            return LINNET_MEMORY;
    }
    all->start[all->n] = all->count;
    return LINNET_OK;
}

/* ---- the Jacobian ---- */

/* The system Jacobian: entries where d - c is their order. */
static linnet_status make_jacobian(const index_finder *all, ln_arena *arena, ln_matrix *jacobian) {
    ln_triplets entries = {.value = NULL};
    linnet_status status = LINNET_OK;
    for (int i = 0; i < all->n; i++)
        for (size_t k = all->start[i]; status == LINNET_OK && k < all->start[i + 1]; k++)
            if (all->d[all->col[k]] - all->c[i] == all->order[k] &&
                !ln_triplets_add(&entries, i, all->col[k], all->value[k]))
                status = LINNET_MEMORY;
    if (status == LINNET_OK)
        status = ln_triplets_matrix(&entries, all->n, 0, arena, jacobian);
    ln_triplets_free(&entries);
    return status;
}

static linnet_status factors(const ln_matrix *matrix, int *regular) {
    ln_linear *linear = ln_linear_new(&matrix->pattern, LN_LINEAR_AUTO);
    if (linear == NULL)
        return LINNET_MEMORY;
    const ln_factored factored = ln_linear_factor(linear, matrix->value);
    ln_linear_free(linear);
    *regular = factored == LN_FACTORED;
    return factored == LN_FACTOR_MEMORY ? LINNET_MEMORY : LINNET_OK;
}

/* ---- combinations ---- */

/* The row of a vanishing combination that it takes the place of: one differentiated least often, so
 * that all others enter by derivatives and none by an integral; among these one with the largest
 * weight, by which the combination is divided. -1: none is left. */
static int choose_row(const index_finder *all, const int *rows, int m, const double *weight,
                      const char *taken) {
    int best = -1;
    for (int k = 0; k < m; k++) {
        if (weight[k] == 0)
            continue;
        if (best < 0 || all->c[rows[k]] < all->c[rows[best]] ||
            (all->c[rows[k]] == all->c[rows[best]] && fabs(weight[k]) > fabs(weight[best])))
            best = k;
    }
    return best >= 0 && taken[rows[best]] ? -1 : best;
}

/* A multiple of a row's derivative to the row at hand, in sums: terms would double else. */
static linnet_status add_multiple(index_finder *all, const row_terms *from, int times,
                                  double factor, int *ntouched) {
    for (size_t k = 0; k < from->count; k++) {
        const int order = from->item[k].order + times;
        if (order + 1 >= ORDERS)
            return LINNET_RETRY;
        collect_one(all, from->item[k].row, order, factor * from->item[k].coefficient, ntouched);
    }
    return LINNET_OK;
}

/* Puts the combination in the place of one of its rows. */
static linnet_status combine(index_finder *all, const int *rows, int m, double *weight,
                             char *taken) {
    for (int k = 0; k < m; k++)
        if (fabs(weight[k]) < WHOLE)
            weight[k] = 0;
    const int chosen = choose_row(all, rows, m, weight, taken);
    if (chosen < 0)
        return LINNET_OK; /* the next round finds it */
    row_terms sum = {.count = 0};
    int ntouched = 0;
    for (int k = 0; k < m; k++) {
        double factor = weight[k] / weight[chosen];
        if (factor == 0)
            continue;
        if (fabs(factor - round(factor)) < WHOLE)
            factor = round(factor);
        LN_TRY(add_multiple(all, &all->rows[rows[k]], all->c[rows[k]] - all->c[rows[chosen]],
                            factor, &ntouched));
    }
    const int going = keep(all, ntouched, &sum);
    taken[rows[chosen]] = 1;
    ln_sys->release(all->rows[rows[chosen]].item);
    all->rows[rows[chosen]] = sum;
    return going ? LINNET_OK : LINNET_MEMORY;
}

/* m rows and m columns of the Jacobian. */
typedef struct diagonal_block {
    const int *rows, *cols;
    int m;
} diagonal_block;

/* The block of the Jacobian, in the arena; place: a row's number in the block, -1 outside. */
static linnet_status gather_block(const ln_matrix *jacobian, const diagonal_block *at,
                                  const int *place, ln_arena *arena, ln_matrix *block) {
    const int *cols = at->cols;
    const ln_pattern *pattern = &jacobian->pattern;
    ln_triplets entries = {.value = NULL};
    int going = arena != NULL;
    for (int j = 0; going && j < at->m; j++)
        for (int k = pattern->start[cols[j]]; going && k < pattern->start[cols[j] + 1]; k++)
            if (place[pattern->row[k]] >= 0)
                going = ln_triplets_add(&entries, place[pattern->row[k]], j, jacobian->value[k]);
    const linnet_status status =
        going ? ln_triplets_matrix(&entries, at->m, 0, arena, block) : LINNET_MEMORY;
    ln_triplets_free(&entries);
    return status;
}

/* Rows of a singular block are combined by its left null vectors. */
static linnet_status combine_dependent(index_finder *all, const ln_matrix *block, const int *rows,
                                       ln_arena *arena, char *taken) {
    enum { MOST = 32 };
    const int m = block->pattern.n, most = m < MOST ? m : MOST;
    double *right = LN_NEW(arena, double, (size_t)m *(size_t)most);
    double *left = LN_NEW(arena, double, (size_t)m *(size_t)most);
    const int found = ln_arena_failed(arena)
                          ? -1
                          : ln_linear_null(&block->pattern, block->value, most, right, left);
    linnet_status status = found < 0 ? LINNET_MEMORY : LINNET_OK;
    if (m > all->dense)
        all->dense = m;
    for (int k = 0; status == LINNET_OK && k < found; k++)
        status = combine(all, rows, m, left + (size_t)k * (size_t)m, taken);
    return status;
}

/* One diagonal block of the Jacobian: its rows are combined where they depend on each other. */
static linnet_status mend_block(index_finder *all, const ln_matrix *jacobian,
                                const diagonal_block *at, const int *place, char *taken) {
    ln_arena *arena = ln_arena_new();
    ln_matrix block;
    int regular = 1;
    linnet_status status = gather_block(jacobian, at, place, arena, &block);
    if (status == LINNET_OK)
        status = factors(&block, &regular);
    if (status == LINNET_OK && !regular)
        status = combine_dependent(all, &block, at->rows, arena, taken);
    ln_arena_free(arena);
    return status;
}

/* Looks through the blocks of the Jacobian's block triangular form; *mended: rows were combined. */
static linnet_status mend(index_finder *all, const ln_matrix *jacobian, ln_arena *arena,
                          int *mended) {
    const size_t n = (size_t)all->n;
    int *row = LN_NEW(arena, int, n), *col = LN_NEW(arena, int, n);
    int *first = LN_NEW(arena, int, n + 1), *place = LN_NEW(arena, int, n);
    char *taken = LN_NEW(arena, char, n);
    if (!row || !col || !first || !place || !taken)
        return LINNET_MEMORY;
    const int blocks = ln_strong_blocks(&jacobian->pattern, row, col, first);
    linnet_status status = blocks < 0 ? LINNET_MEMORY : LINNET_OK;
    for (size_t i = 0; i < n; i++)
        place[i] = -1;
    for (int b = 0; status == LINNET_OK && b < blocks; b++) {
        const int m = first[b + 1] - first[b];
        if (m == 1)
            continue;
        for (int k = 0; k < m; k++)
            place[row[first[b] + k]] = k;
        status = mend_block(all, jacobian, &(diagonal_block){row + first[b], col + first[b], m},
                            place, taken);
        for (int k = 0; k < m; k++)
            place[row[first[b] + k]] = -1;
    }
    *mended = memchr(taken, 1, n) != NULL;
    return status;
}

/* ---- what follows ---- */

/* How much worse than the states an unknown answers to a disturbance of the equations. The
 * derivative of order d[j] - s of unknown j comes from its row, differentiated c - s times, and so
 * from what that contains; if s > c it is free, a state's value, and follows the derivative above
 * it, which answers once more. `most` (per unknown and s): the most often that any row is
 * differentiated on the way, less the times it is integrated; the largest are found first. */
typedef struct needs {
    const index_finder *all;
    const ln_bipartite *by_col; /* entries by unknown: their rows in col */
    const size_t *entry;        /* which entry of the rows each is */
    int orders;                 /* values of s */
    int of_system;              /* what counts are the system's rows, not their combinations */
    signed char *most;
    int *queue;
} needs;

/* Marks what comes from (unknown, s) by any of the rows that contain it. */
static int mark_dependents(needs *way, int node, int value, int tail) {
    const index_finder *all = way->all;
    const int unknown = node / way->orders, s = node % way->orders;
    for (size_t k = way->by_col->start[unknown]; k < way->by_col->start[unknown + 1]; k++) {
        const int row = way->by_col->col[k];
        const int times = all->d[unknown] - s - all->order[way->entry[k]];
        const int shift = all->c[row] - times;
        if (times < 0 || shift < 0 || shift > all->d[all->col_of[row]])
            continue;
        const int next = all->col_of[row] * way->orders + shift;
        if (way->most[next] >= 0)
            continue;
        way->most[next] = (signed char)value;
        way->queue[tail++] = next;
    }
    return tail;
}

/* How often row i is differentiated; of_system: the rows in it, with it. */
static int times_differentiated(const needs *way, int i) {
    const row_terms *row = &way->all->rows[i];
    int most = 0;
    for (size_t k = 0; way->of_system && k < row->count; k++)
        most = row->item[k].order > most ? row->item[k].order : most;
    return way->all->c[i] + most;
}

static void follow(needs *way) {
    const index_finder *all = way->all;
    memset(way->most, -1, (size_t)all->n * (size_t)way->orders);
    for (int value = way->orders + ORDERS; value >= 0; value--) { /* more than any */
        int tail = 0;
        for (int i = 0; i < all->n; i++) {
            const int s = times_differentiated(way, i) - value,
                      node = all->col_of[i] * way->orders + s;
            if (s < 0 || s > all->d[all->col_of[i]] || way->most[node] >= 0)
                continue;
            way->most[node] = (signed char)value;
            way->queue[tail++] = node;
        }
        for (int node = 1; node < all->n * way->orders; node++) {
            const int j = node / way->orders, s = node % way->orders;
            if (s == 0 || s > all->d[j] || way->most[node] >= 0 || way->most[node - 1] <= value)
                continue;
            way->most[node] = (signed char)value;
            way->queue[tail++] = node;
        }
        for (int head = 0; head < tail; head++)
            tail = mark_dependents(way, way->queue[head], value, tail);
    }
}

/* The entries by unknown. */
static linnet_status turn(const index_finder *all, ln_arena *arena, ln_bipartite *out,
                          const size_t **entry) {
    size_t *start = LN_NEW(arena, size_t, all->n + 2), *of = LN_NEW(arena, size_t, all->count);
    int *row = LN_NEW(arena, int, all->count);
    if (start == NULL || of == NULL || row == NULL)
        return LINNET_MEMORY;
    for (size_t k = 0; k < all->count; k++)
        start[all->col[k] + 2]++;
    for (int j = 0; j < all->n; j++)
        start[j + 2] += start[j + 1];
    for (int i = 0; i < all->n; i++)
        for (size_t k = all->start[i]; k < all->start[i + 1]; k++) {
            const size_t at = start[all->col[k] + 1]++;
            row[at] = i;
            of[at] = k;
        }
    *out = (ln_bipartite){all->n, start, row};
    *entry = of;
    return LINNET_OK;
}

static linnet_status judge_unknowns(index_finder *all, ln_arena *arena, ln_index *out) {
    ln_bipartite by_col;
    const size_t *entry;
    int orders = 1;
    char *index = LN_NEW(arena, char, all->n), *split_index = LN_NEW(arena, char, all->n);
    for (int j = 0; j < all->n; j++)
        if (all->d[j] >= orders)
            orders = all->d[j] + 1;
    LN_TRY(turn(all, all->arena, &by_col, &entry));
    needs way = {all,
                 &by_col,
                 entry,
                 orders,
                 0,
                 LN_NEW(all->arena, signed char, (size_t)all->n *(size_t)orders),
                 LN_NEW(all->arena, int, (size_t)all->n *(size_t)orders)};
    if (index == NULL || split_index == NULL || way.most == NULL || way.queue == NULL)
        return LINNET_MEMORY;
    for (way.of_system = 0; way.of_system < 2; way.of_system++) {
        char *is = way.of_system ? index : split_index;
        follow(&way);
        for (int j = 0; j < all->n; j++) {
            const int value = way.most[j * orders + all->d[j]] + 1;
            is[j] = (char)(value > 1 ? value : 1);
            out->highest = is[j] > out->highest ? is[j] : out->highest;
        }
    }
    for (int j = 0; j < all->n; j++) { /* of what a part has in common, all of it has its share */
        const int part = all->storage->part[j];
        if (part >= 0 && index[all->storage->common[part]] > index[j])
            index[j] = index[all->storage->common[part]];
    }
    out->unknown = index;
    out->split_index = split_index;
    return LINNET_OK;
}

static linnet_status write_rows(const index_finder *all, ln_arena *arena, ln_index *out) {
    size_t count = 0, at = 0;
    for (int i = 0; i < all->n; i++)
        count += all->rows[i].count;
    int *start = LN_NEW(arena, int, all->n + 1), *row = LN_NEW(arena, int, count);
    double *coefficient = LN_NEW(arena, double, count);
    signed char *order = LN_NEW(arena, signed char, count);
    if (start == NULL || row == NULL || coefficient == NULL || order == NULL)
        return LINNET_MEMORY;
    for (int i = 0; i < all->n; i++) {
        start[i] = (int)at;
        for (const term *of = all->rows[i].item; of < all->rows[i].item + all->rows[i].count;
             of++) {
            row[at] = of->row;
            order[at] = (signed char)of->order;
            coefficient[at++] = of->coefficient;
        }
    }
    start[all->n] = (int)at;
    out->start = start;
    out->row = row;
    out->coefficient = coefficient;
    out->order = order;
    return LINNET_OK;
}

/* ---- the whole ---- */

static linnet_status prepare(index_finder *all, const char *leaks, ln_arena *arena) {
    const ln_storage *storage = all->storage;
    const size_t n = (size_t)all->n;
    all->rows = LN_NEW(all->arena, row_terms, n);
    all->start = LN_NEW(all->arena, size_t, n + 1);
    all->sum = LN_NEW(all->arena, double, ORDERS *n);
    all->size = LN_NEW(all->arena, double, ORDERS *n);
    all->touched = LN_NEW(all->arena, int, n);
    all->is_touched = LN_NEW(all->arena, char, n);
    all->row_of = LN_NEW(all->arena, int, n);
    all->c = LN_NEW(arena, int, n);
    all->d = LN_NEW(arena, int, n);
    all->col_of = LN_NEW(arena, int, n);
    if (ln_arena_failed(all->arena) || ln_arena_failed(arena))
        return LINNET_MEMORY;
    linnet_status status = ln_system_by_rows(all->system, leaks, all->arena, &all->E, &all->A);
    for (int i = 0; i < all->n; i++)
        for (int k = storage->start[i]; k < storage->start[i + 1]; k++)
            if (!add_term(&all->rows[i], storage->row[k], 0, storage->coefficient[k]))
                status = LINNET_MEMORY;
    return status;
}

static linnet_status find(index_finder *all) {
    while (all->rounds++ < ROUNDS) {
        int regular = 0, mended = 0;
        ln_matrix jacobian;
        LN_TRY(make_entries(all));
        const ln_bipartite graph = {all->n, all->start, all->col};
        LN_TRY(ln_sigma_offsets(&graph, all->order, all->c, all->d, all->row_of, all->col_of));
        ln_arena *arena = ln_arena_new();
        linnet_status status = arena == NULL ? LINNET_MEMORY : make_jacobian(all, arena, &jacobian);
        if (status == LINNET_OK)
            status = factors(&jacobian, &regular);
        if (status == LINNET_OK && !regular)
            status = mend(all, &jacobian, arena, &mended);
        ln_arena_free(arena);
        LN_TRY(status);
        if (regular || !mended)
            return regular ? LINNET_OK : LINNET_RETRY;
    }
    return LINNET_RETRY;
}

linnet_status ln_index_find(const ln_system *system, const ln_storage *storage, const char *leaks,
                            ln_arena *arena, ln_index *index) {
    index_finder all = {
        .system = system, .storage = storage, .arena = ln_arena_new(), .n = system->n};
    linnet_status status = all.arena == NULL ? LINNET_MEMORY : prepare(&all, leaks, arena);
    *index = (ln_index){.n = system->n, .highest = 1};
    if (status == LINNET_OK)
        status = find(&all);
    if (status == LINNET_OK)
        status = judge_unknowns(&all, arena, index);
    if (status == LINNET_OK)
        status = write_rows(&all, arena, index);
    index->c = all.c, index->d = all.d, index->col_of = all.col_of;
    index->dense = all.dense, index->rounds = all.rounds;
    for (int i = 0; all.rows != NULL && i < all.n; i++)
        ln_sys->release(all.rows[i].item);
    ln_sys->release(all.col);
    ln_sys->release(all.order);
    ln_sys->release(all.value);
    ln_arena_free(all.arena);
    return status;
}
