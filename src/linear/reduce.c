/* SPDX-License-Identifier: MIT */
/* The rounds of reduce.h, what is left of them, and the way back. */
#include "linear/reducing.h"

#include <string.h>

/* ---- the rounds ---- */

static void leave(ln_reducing *it, int row, ln_role now) {
    it->roles[row] = now;
    for (size_t k = 0; now == LN_ROLE_GONE && k < it->rows[row].count; k++)
        if (it->rows[row].items[k].col < it->n)
            it->live[it->rows[row].items[k].col]--;
}

/* Whether a row has an entry of E; its columns are noted. */
static int stores(ln_reducing *it, int row) {
    int found = 0;
    for (size_t k = 0; k < it->rows[row].count; k++)
        if (it->rows[row].items[k].e.hi != 0)
            found = it->has_e[it->rows[row].items[k].col] = 1;
    return found;
}

/* What is left of E in a row that has no pivot is rounding. */
static void drop_E(ln_reducing *it, int row) {
    for (size_t k = 0; k < it->rows[row].count; k++)
        it->rows[row].items[k].e = (ln_wide){0, 0};
    ln_tidy(it, row);
}

/* Rows with an entry in E become pivot rows, or lose their entries. */
static void compress_E(ln_reducing *it, char *candidate) {
    int row, col;
    it->nordered = 0;
    memset(it->has_e, 0, (size_t)it->n);
    for (int i = 0; i < it->nrows; i++) {
        if (it->roles[i] == LN_ROLE_PIVOT)
            it->roles[i] = LN_ROLE_ACTIVE;
        candidate[i] = it->roles[i] == LN_ROLE_ACTIVE && stores(it, i);
    }
    ln_pivots_scale(it, LN_PART_E);
    while (it->status == LINNET_OK && ln_pivots_choose(it, LN_PART_E, candidate, &row, &col)) {
        ln_eliminate(it, row, col, 0, 0);
        leave(it, row, LN_ROLE_PIVOT);
        candidate[row] = 0;
        it->pivot[row] = col;
        it->order[it->nordered++] = row;
    }
    for (int i = 0; i < it->nrows; i++)
        if (candidate[i])
            drop_E(it, i);
}

/* Constraints give their unknowns. Returns how many there were. */
static int solve_constraints(ln_reducing *it, char *candidate) {
    int row, col, count = 0, solved = 0;
    for (int i = 0; i < it->nrows; i++) {
        candidate[i] = it->roles[i] == LN_ROLE_ACTIVE;
        count += candidate[i];
        if (candidate[i] && it->round > 0)
            it->late_row[i] = 1;
    }
    if (count == 0)
        return 0;
    for (int i = 0; i < it->nrows; i++)
        if (it->roles[i] == LN_ROLE_PIVOT)
            it->roles[i] = LN_ROLE_ACTIVE;
    ln_pivots_scale(it, LN_PART_A);
    for (; it->status == LINNET_OK && ln_pivots_choose(it, LN_PART_A, candidate, &row, &col);
         solved++) {
        ln_eliminate(it, row, col, 1, 1);
        leave(it, row, LN_ROLE_GONE);
        candidate[row] = 0;
        if (it->round > 0)
            it->late_unknown[col] = 1;
    }
    if (it->status == LINNET_OK && solved < count)
        it->status = LINNET_RETRY;
    return count;
}

static linnet_status run_rounds(ln_reducing *it) {
    char *candidate = LN_NEW(it->arena, char, it->nrows);
    if (candidate == NULL)
        return LINNET_MEMORY;
    for (it->round = 0;; it->round++) {
        compress_E(it, candidate);
        if (it->status != LINNET_OK || solve_constraints(it, candidate) == 0 ||
            it->status != LINNET_OK)
            return it->status;
    }
}

/* ---- what is left ---- */

/* Each pivot row keeps the E of its own unknown only, and is divided by it. */
static linnet_status normalise(ln_reducing *it, ln_reduced *out) {
    const int m = it->nordered;
    int *unknown = LN_NEW(it->arena, int, m), *row = LN_NEW(it->arena, int, m),
        *state = LN_NEW(it->arena, int, it->n);
    double *scale = LN_NEW(it->arena, double, m);
    ln_cells *rows = LN_NEW(it->arena, ln_cells, m);
    if (!unknown || !row || !state || !scale || !rows)
        return LINNET_MEMORY;
    for (int k = m - 1; k >= 0; k--)
        ln_eliminate(it, it->order[k], it->pivot[it->order[k]], 0, 1);
    if (it->status != LINNET_OK)
        return it->status;
    for (int k = 0; k < m; k++) {
        row[k] = it->order[k];
        unknown[k] = it->pivot[row[k]];
        state[unknown[k]] = k;
    }
    for (int k = 0; k < m; k++) {
        const ln_wide own = ln_find_cell(it, row[k], unknown[k])->e;
        rows[k] = it->rows[row[k]];
        scale[k] = own.hi;
        for (size_t i = 0; i < rows[k].count; i++) {
            ln_cell *cell = &rows[k].items[i];
            cell->e = ln_wide_over(cell->e, own);
            cell->a = ln_wide_over(cell->a, own);
            cell->a_noise /= fabs(own.hi);
            cell->col = cell->col < it->n ? state[cell->col] : cell->col - it->n + m;
        }
    }
    for (int i = it->n; i < it->nrows; i++)
        for (size_t k = 0; k < it->rows[i].count; k++) {
            ln_cell *cell = &it->rows[i].items[k];
            cell->col = cell->col < it->n ? state[cell->col] : cell->col - it->n + m;
        }
    out->m = m;
    out->unknown = unknown;
    out->rows = rows;
    out->outputs = it->rows + it->n;
    it->log->unknown = unknown;
    it->log->row = row;
    it->log->scale = scale;
    it->log->m = m;
    return LINNET_OK;
}

/* ---- the beginning ---- */

static ln_wide wide_of(const double *high, const double *low, int k) {
    return (ln_wide){high[k], low != NULL ? low[k] : 0};
}

static void take_pencil(ln_reducing *it, const ln_pencil *pencil) {
    for (int j = 0; j < it->n; j++)
        for (int k = pencil->pattern->start[j]; k < pencil->pattern->start[j + 1]; k++) {
            const double e_size = pencil->E_size != NULL ? pencil->E_size[k] : fabs(pencil->E[k]);
            const double a_size = pencil->A_size != NULL ? pencil->A_size[k] : fabs(pencil->A[k]);
            ln_cell cell = {j, wide_of(pencil->E, pencil->E_low, k),
                            wide_of(pencil->A, pencil->A_low, k), LN_ENTRY_NOISE * e_size,
                            LN_ENTRY_NOISE * a_size};
            if (fabs(cell.e.hi) <= cell.e_noise)
                cell.e = (ln_wide){0, 0};
            if (fabs(cell.a.hi) <= cell.a_noise)
                cell.a = (ln_wide){0, 0};
            if (cell.e.hi == 0 && cell.a.hi == 0)
                continue;
            const int row = pencil->pattern->row[k];
            it->place[j] = 0;
            ln_cell *place = ln_cell_at(it, row, j);
            if (place == NULL)
                return;
            *place = cell;
            it->place[j] = 0;
        }
}

static void put(ln_reducing *it, int row, int col, double value) {
    if (value == 0 || it->status != LINNET_OK)
        return;
    ln_cell *cell = ln_cell_at(it, row, col);
    if (cell == NULL)
        return;
    cell->a = (ln_wide){value, 0};
    cell->a_noise = LN_ENTRY_NOISE * fabs(value);
    it->place[col] = 0;
}

static void take_border(ln_reducing *it, const ln_border *border) {
    for (int j = 0; j < border->ninputs; j++)
        for (int i = 0; i < it->n; i++)
            put(it, i, it->n + j * LN_REDUCED_DEPTH,
                -border->B[(size_t)j * (size_t)it->n + (size_t)i]);
    for (int i = 0; i < border->noutputs; i++) {
        it->roles[it->n + i] = LN_ROLE_OUTPUT;
        for (int j = 0; j < it->n; j++)
            put(it, it->n + i, j, border->C[(size_t)i * (size_t)it->n + (size_t)j]);
        for (int j = 0; j < border->ninputs; j++)
            put(it, it->n + i, it->n + j * LN_REDUCED_DEPTH, border->D[i * border->ninputs + j]);
    }
}

static linnet_status begin(ln_reducing *it, const ln_border *border) {
    const size_t n = (size_t)it->n, rows = (size_t)it->nrows;
    it->rows = LN_NEW(it->arena, ln_cells, rows);
    it->roles = LN_NEW(it->arena, ln_role, rows);
    it->column = LN_NEW(it->arena, int *, n);
    it->column_count = LN_NEW(it->arena, size_t, n);
    it->column_room = LN_NEW(it->arena, size_t, n);
    it->live = LN_NEW(it->arena, int, n);
    it->members = LN_NEW(it->arena, int, n);
    it->has_e = LN_NEW(it->arena, char, n);
    it->place = LN_NEW(it->arena, int,
                       n + (size_t)(border != NULL ? border->ninputs : 0) * LN_REDUCED_DEPTH);
    it->row_scale = LN_NEW(it->arena, double, rows);
    it->row_most = LN_NEW(it->arena, double, rows);
    it->column_scale = LN_NEW(it->arena, double, n);
    it->column_most = LN_NEW(it->arena, double, n);
    it->late_unknown = LN_NEW(it->arena, char, n);
    it->late_row = LN_NEW(it->arena, char, rows);
    it->order = LN_NEW(it->arena, int, rows);
    it->pivot = LN_NEW(it->arena, int, rows);
    it->log = LN_NEW(it->arena, struct ln_reduction, 1);
    const int enough =
        LN_ALL_SET(it->rows, it->roles, it->column, it->column_count, it->column_room, it->live,
                   it->members, it->has_e, it->place, it->row_scale, it->row_most, it->column_scale,
                   it->column_most, it->late_unknown, it->late_row, it->order, it->pivot, it->log);
    return enough ? LINNET_OK : LINNET_MEMORY;
}

linnet_status ln_reduce(const ln_pencil *pencil, const ln_border *border, ln_arena *arena,
                        ln_reduced *out) {
    const int n = pencil->pattern->n;
    ln_reducing it = {.arena = arena, .n = n, .nrows = n + (border != NULL ? border->noutputs : 0)};
    *out = (ln_reduced){.n = n};
    LN_TRY(begin(&it, border));
    take_pencil(&it, pencil);
    if (border != NULL)
        take_border(&it, border);
    if (it.status == LINNET_OK)
        it.status = run_rounds(&it);
    if (it.status == LINNET_OK)
        it.status = normalise(&it, out);
    it.log->n = n;
    out->index = it.round;
    out->late_unknown = it.late_unknown;
    out->late_row = it.late_row;
    out->steps = it.log;
    return it.status;
}

linnet_status ln_reduced_degree(const ln_pencil *pencil, int *degree) {
    ln_reducing it = {
        .arena = ln_arena_new(), .n = pencil->pattern->n, .nrows = pencil->pattern->n};
    linnet_status status = it.arena != NULL ? begin(&it, NULL) : LINNET_MEMORY;
    if (status == LINNET_OK) {
        take_pencil(&it, pencil);
        status = it.status == LINNET_OK ? run_rounds(&it) : it.status;
    }
    *degree = it.nordered;
    ln_arena_free(it.arena);
    return status;
}

/* ---- the way back ---- */

void ln_reduced_right(const ln_reduced *it, const double complex *z, double complex *x) {
    const struct ln_reduction *log = it->steps;
    memset(x, 0, (size_t)it->n * sizeof *x);
    for (int k = 0; k < it->m; k++)
        x[it->unknown[k]] = z[k];
    for (size_t k = log->count; k-- > 0;) {
        const ln_step *now = &log->steps[k];
        double complex sum = 0;
        for (size_t i = 0; now->unknown >= 0 && i < now->content->count; i++) {
            const ln_cell *cell = &now->content->items[i];
            if (cell->col != now->unknown && cell->col < it->n)
                sum += cell->a.hi * x[cell->col];
        }
        if (now->unknown >= 0)
            x[now->unknown] = -sum / now->pivot;
    }
}

void ln_reduced_left(const ln_reduced *it, const double complex *v, double complex s,
                     double complex *w) {
    const struct ln_reduction *log = it->steps;
    memset(w, 0, (size_t)it->n * sizeof *w);
    for (int k = 0; k < it->m; k++)
        w[log->row[k]] = v[k] / log->scale[k];
    for (size_t k = log->count; k-- > 0;) {
        const ln_step *now = &log->steps[k];
        for (size_t i = 0; i < now->nfactors; i++) {
            const ln_cell *factor = &now->factors[i];
            if (factor->col < it->n)
                w[now->row] -= (conj(s) * factor->e.hi + factor->a.hi) * w[factor->col];
        }
    }
}
