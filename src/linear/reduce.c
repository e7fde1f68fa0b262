/* SPDX-License-Identifier: MIT */
/* The rounds of reduce.h, what is left of them, and the way back. */
#include "linear/reducing.h"

#include <string.h>

/* ---- the rounds ---- */

static void leave(ln_reducing *reduction, int row, ln_role now) {
    reduction->roles[row] = now;
    for (size_t k = 0; now == LN_ROLE_GONE && k < reduction->rows[row].count; k++)
        if (reduction->rows[row].items[k].col < reduction->n)
            reduction->live[reduction->rows[row].items[k].col]--;
}

/* Whether a row has an entry of E; its columns are noted. */
static int stores(ln_reducing *reduction, int row) {
    int found = 0;
    for (size_t k = 0; k < reduction->rows[row].count; k++)
        if (reduction->rows[row].items[k].e.hi != 0)
            found = reduction->has_e[reduction->rows[row].items[k].col] = 1;
    return found;
}

/* What is left of E in a row that has no pivot is rounding. */
static void drop_E(ln_reducing *reduction, int row) {
    for (size_t k = 0; k < reduction->rows[row].count; k++)
        reduction->rows[row].items[k].e = (ln_wide){0, 0};
    ln_tidy(reduction, row);
}

/* Rows with an entry in E become pivot rows, or lose their entries. */
static void compress_E(ln_reducing *reduction, char *candidate) {
    int row, col;
    reduction->nordered = 0;
    memset(reduction->has_e, 0, (size_t)reduction->n);
    for (int i = 0; i < reduction->nrows; i++) {
        if (reduction->roles[i] == LN_ROLE_PIVOT)
            reduction->roles[i] = LN_ROLE_ACTIVE;
        candidate[i] = reduction->roles[i] == LN_ROLE_ACTIVE && stores(reduction, i);
    }
    ln_pivots_scale(reduction, LN_PART_E);
    while (reduction->status == LINNET_OK &&
           ln_pivots_choose(reduction, LN_PART_E, candidate, &row, &col)) {
        ln_eliminate(reduction, row, col, 0, 0);
        leave(reduction, row, LN_ROLE_PIVOT);
        candidate[row] = 0;
        reduction->pivot[row] = col;
        reduction->order[reduction->nordered++] = row;
    }
    for (int i = 0; i < reduction->nrows; i++)
        if (candidate[i])
            drop_E(reduction, i);
}

/* Constraints give their unknowns. Returns how many there were. */
static int solve_constraints(ln_reducing *reduction, char *candidate) {
    int row, col, count = 0, solved = 0;
    for (int i = 0; i < reduction->nrows; i++) {
        candidate[i] = reduction->roles[i] == LN_ROLE_ACTIVE;
        count += candidate[i];
        if (candidate[i] && reduction->round > 0)
            reduction->late_row[i] = 1;
    }
    if (count == 0)
        return 0;
    for (int i = 0; i < reduction->nrows; i++)
        if (reduction->roles[i] == LN_ROLE_PIVOT)
            reduction->roles[i] = LN_ROLE_ACTIVE;
    ln_pivots_scale(reduction, LN_PART_A);
    for (; reduction->status == LINNET_OK &&
           ln_pivots_choose(reduction, LN_PART_A, candidate, &row, &col);
         solved++) {
        ln_eliminate(reduction, row, col, 1, 1);
        leave(reduction, row, LN_ROLE_GONE);
        candidate[row] = 0;
        if (reduction->round > 0)
            reduction->late_unknown[col] = 1;
    }
    if (reduction->status == LINNET_OK && solved < count)
        reduction->status = LINNET_RETRY;
    return count;
}

static linnet_status run_rounds(ln_reducing *reduction) {
    char *candidate = LN_NEW(reduction->arena, char, reduction->nrows);
    if (candidate == NULL)
        return LINNET_MEMORY;
    for (reduction->round = 0;; reduction->round++) {
        compress_E(reduction, candidate);
        if (reduction->status != LINNET_OK || solve_constraints(reduction, candidate) == 0 ||
            reduction->status != LINNET_OK)
            return reduction->status;
    }
}

/* ---- what is left ---- */

/* Each pivot row keeps the E of its own unknown only, and is divided by it. */
static linnet_status normalise(ln_reducing *reduction, ln_reduced *out) {
    const int m = reduction->nordered;
    int *unknown = LN_NEW(reduction->arena, int, m), *row = LN_NEW(reduction->arena, int, m),
        *state = LN_NEW(reduction->arena, int, reduction->n);
    double *scale = LN_NEW(reduction->arena, double, m);
    ln_cells *rows = LN_NEW(reduction->arena, ln_cells, m);
    if (!unknown || !row || !state || !scale || !rows)
        return LINNET_MEMORY;
    for (int k = m - 1; k >= 0; k--)
        ln_eliminate(reduction, reduction->order[k], reduction->pivot[reduction->order[k]], 0, 1);
    if (reduction->status != LINNET_OK)
        return reduction->status;
    for (int k = 0; k < m; k++) {
        row[k] = reduction->order[k];
        unknown[k] = reduction->pivot[row[k]];
        state[unknown[k]] = k;
    }
    for (int k = 0; k < m; k++) {
        const ln_wide own = ln_find_cell(reduction, row[k], unknown[k])->e;
        rows[k] = reduction->rows[row[k]];
        scale[k] = own.hi;
        for (size_t i = 0; i < rows[k].count; i++) {
            ln_reduced_entry *cell = &rows[k].items[i];
            cell->e = ln_wide_over(cell->e, own);
            cell->a = ln_wide_over(cell->a, own);
            cell->a_noise /= fabs(own.hi);
            cell->col = cell->col < reduction->n ? state[cell->col] : cell->col - reduction->n + m;
        }
    }
    for (int i = reduction->n; i < reduction->nrows; i++)
        for (size_t k = 0; k < reduction->rows[i].count; k++) {
            ln_reduced_entry *cell = &reduction->rows[i].items[k];
            cell->col = cell->col < reduction->n ? state[cell->col] : cell->col - reduction->n + m;
        }
    out->m = m;
    out->unknown = unknown;
    out->rows = rows;
    out->outputs = reduction->rows + reduction->n;
    reduction->log->unknown = unknown;
    reduction->log->row = row;
    reduction->log->scale = scale;
    reduction->log->m = m;
    return LINNET_OK;
}

/* ---- the beginning ---- */

static ln_wide wide_of(const double *high, const double *low, int k) {
    return (ln_wide){high[k], low != NULL ? low[k] : 0};
}

static void take_pencil(ln_reducing *reduction, const ln_pencil *pencil) {
    for (int j = 0; j < reduction->n; j++)
        for (int k = pencil->pattern->start[j]; k < pencil->pattern->start[j + 1]; k++) {
            const double e_size = pencil->E_size != NULL ? pencil->E_size[k] : fabs(pencil->E[k]);
            const double a_size = pencil->A_size != NULL ? pencil->A_size[k] : fabs(pencil->A[k]);
            ln_reduced_entry cell = {j, wide_of(pencil->E, pencil->E_low, k),
                                     wide_of(pencil->A, pencil->A_low, k), LN_ENTRY_NOISE * e_size,
                                     LN_ENTRY_NOISE * a_size};
            if (fabs(cell.e.hi) <= cell.e_noise)
                cell.e = (ln_wide){0, 0};
            if (fabs(cell.a.hi) <= cell.a_noise)
                cell.a = (ln_wide){0, 0};
            if (cell.e.hi == 0 && cell.a.hi == 0)
                continue;
            const int row = pencil->pattern->row[k];
            reduction->place[j] = 0;
            ln_reduced_entry *place = ln_cell_at(reduction, row, j);
            if (place == NULL)
                return;
            *place = cell;
            reduction->place[j] = 0;
        }
}

static void put(ln_reducing *reduction, int row, int col, double value) {
    if (value == 0 || reduction->status != LINNET_OK)
        return;
    ln_reduced_entry *cell = ln_cell_at(reduction, row, col);
    if (cell == NULL)
        return;
    cell->a = (ln_wide){value, 0};
    cell->a_noise = LN_ENTRY_NOISE * fabs(value);
    reduction->place[col] = 0;
}

static void take_border(ln_reducing *reduction, const ln_border *border) {
    for (int j = 0; j < border->ninputs; j++)
        for (int i = 0; i < reduction->n; i++)
            put(reduction, i, reduction->n + j * LN_REDUCED_DEPTH,
                -border->B[(size_t)j * (size_t)reduction->n + (size_t)i]);
    for (int i = 0; i < border->noutputs; i++) {
        reduction->roles[reduction->n + i] = LN_ROLE_OUTPUT;
        for (int j = 0; j < reduction->n; j++)
            put(reduction, reduction->n + i, j,
                border->C[(size_t)i * (size_t)reduction->n + (size_t)j]);
        for (int j = 0; j < border->ninputs; j++)
            put(reduction, reduction->n + i, reduction->n + j * LN_REDUCED_DEPTH,
                border->D[i * border->ninputs + j]);
    }
}

static linnet_status begin(ln_reducing *reduction, const ln_border *border) {
    const size_t n = (size_t)reduction->n, rows = (size_t)reduction->nrows;
    reduction->rows = LN_NEW(reduction->arena, ln_cells, rows);
    reduction->roles = LN_NEW(reduction->arena, ln_role, rows);
    reduction->column = LN_NEW(reduction->arena, int *, n);
    reduction->column_count = LN_NEW(reduction->arena, size_t, n);
    reduction->column_room = LN_NEW(reduction->arena, size_t, n);
    reduction->live = LN_NEW(reduction->arena, int, n);
    reduction->members = LN_NEW(reduction->arena, int, n);
    reduction->has_e = LN_NEW(reduction->arena, char, n);
    reduction->place =
        LN_NEW(reduction->arena, int,
               n + (size_t)(border != NULL ? border->ninputs : 0) * LN_REDUCED_DEPTH);
    reduction->row_scale = LN_NEW(reduction->arena, double, rows);
    reduction->row_most = LN_NEW(reduction->arena, double, rows);
    reduction->column_scale = LN_NEW(reduction->arena, double, n);
    reduction->column_most = LN_NEW(reduction->arena, double, n);
    reduction->late_unknown = LN_NEW(reduction->arena, char, n);
    reduction->late_row = LN_NEW(reduction->arena, char, rows);
    reduction->order = LN_NEW(reduction->arena, int, rows);
    reduction->pivot = LN_NEW(reduction->arena, int, rows);
    reduction->log = LN_NEW(reduction->arena, struct ln_reduction, 1);
    const int enough =
        LN_ALL_SET(reduction->rows, reduction->roles, reduction->column, reduction->column_count,
                   reduction->column_room, reduction->live, reduction->members, reduction->has_e,
                   reduction->place, reduction->row_scale, reduction->row_most,
                   reduction->column_scale, reduction->column_most, reduction->late_unknown,
                   reduction->late_row, reduction->order, reduction->pivot, reduction->log);
    return enough ? LINNET_OK : LINNET_MEMORY;
}

linnet_status ln_reduce(const ln_pencil *pencil, const ln_border *border, ln_arena *arena,
                        ln_reduced *out) {
    const int n = pencil->pattern->n;
    ln_reducing reduction = {
        .arena = arena, .n = n, .nrows = n + (border != NULL ? border->noutputs : 0)};
    *out = (ln_reduced){.n = n};
    LN_TRY(begin(&reduction, border));
    take_pencil(&reduction, pencil);
    if (border != NULL)
        take_border(&reduction, border);
    if (reduction.status == LINNET_OK)
        reduction.status = run_rounds(&reduction);
    if (reduction.status == LINNET_OK)
        reduction.status = normalise(&reduction, out);
    reduction.log->n = n;
    out->index = reduction.round;
    out->late_unknown = reduction.late_unknown;
    out->late_row = reduction.late_row;
    out->steps = reduction.log;
    return reduction.status;
}

linnet_status ln_reduced_degree(const ln_pencil *pencil, int *degree) {
    ln_reducing reduction = {
        .arena = ln_arena_new(), .n = pencil->pattern->n, .nrows = pencil->pattern->n};
    linnet_status status = reduction.arena != NULL ? begin(&reduction, NULL) : LINNET_MEMORY;
    if (status == LINNET_OK) {
        take_pencil(&reduction, pencil);
        status = reduction.status == LINNET_OK ? run_rounds(&reduction) : reduction.status;
    }
    *degree = reduction.nordered;
    ln_arena_free(reduction.arena);
    return status;
}

/* ---- the way back ---- */

void ln_reduced_right(const ln_reduced *reduced, const double complex *z, double complex *x) {
    const struct ln_reduction *log = reduced->steps;
    memset(x, 0, (size_t)reduced->n * sizeof *x);
    for (int k = 0; k < reduced->m; k++)
        x[reduced->unknown[k]] = z[k];
    for (size_t k = log->count; k-- > 0;) {
        const ln_step *now = &log->steps[k];
        double complex sum = 0;
        for (size_t i = 0; now->unknown >= 0 && i < now->content->count; i++) {
            const ln_reduced_entry *cell = &now->content->items[i];
            if (cell->col != now->unknown && cell->col < reduced->n)
                sum += cell->a.hi * x[cell->col];
        }
        if (now->unknown >= 0)
            x[now->unknown] = -sum / now->pivot;
    }
}

void ln_reduced_left(const ln_reduced *reduced, const double complex *v, double complex s,
                     double complex *w) {
    const struct ln_reduction *log = reduced->steps;
    memset(w, 0, (size_t)reduced->n * sizeof *w);
    for (int k = 0; k < reduced->m; k++)
        w[log->row[k]] = v[k] / log->scale[k];
    for (size_t k = log->count; k-- > 0;) {
        const ln_step *now = &log->steps[k];
        for (size_t i = 0; i < now->nfactors; i++) {
            const ln_reduced_entry *factor = &now->factors[i];
            if (factor->col < reduced->n)
                w[now->row] -= (conj(s) * factor->e.hi + factor->a.hi) * w[factor->col];
        }
    }
}
