/* SPDX-License-Identifier: MIT */
/* One elimination on sparse rows: a row is a list of cells, a column knows the rows that have had a
 * cell in it. */
#include "linear/reducing.h"

#include <string.h>

/* ---- memory ---- */

/* Room for one more item in an arena's array, which doubles; NULL when memory is short: what was in
 * the array stays there. */
static void *grown(ln_arena *arena, void *items, size_t count, size_t *room, size_t size) {
    if (count < *room)
        return items;
    const size_t wider = *room > 0 ? 2 * *room : 4;
    void *more = ln_arena_alloc(arena, wider, size);
    if (more == NULL)
        return NULL;
    if (count > 0)
        memcpy(more, items, count * size);
    *room = wider;
    return more;
}

static int push_row(ln_reducing *reduction, int col, int row) {
    int *rows = grown(reduction->arena, reduction->column[col], reduction->column_count[col],
                      &reduction->column_room[col], sizeof *rows);
    if (rows == NULL)
        return 0;
    reduction->column[col] = rows;
    reduction->column[col][reduction->column_count[col]++] = row;
    reduction->live[col]++;
    return 1;
}

ln_reduced_entry *ln_cell_at(ln_reducing *reduction, int row, int col) {
    ln_cells *cells = &reduction->rows[row];
    if (reduction->place[col] > 0)
        return &cells->items[reduction->place[col] - 1];
    ln_reduced_entry *items =
        grown(reduction->arena, cells->items, cells->count, &cells->room, sizeof *cells->items);
    cells->items = items != NULL ? items : cells->items;
    if (items == NULL || (col < reduction->n && !push_row(reduction, col, row))) {
        reduction->status = LINNET_MEMORY;
        return NULL;
    }
    cells->items[cells->count] = (ln_reduced_entry){.col = col};
    reduction->place[col] = (int)++cells->count;
    return &cells->items[cells->count - 1];
}

ln_reduced_entry *ln_find_cell(const ln_reducing *reduction, int row, int col) {
    const ln_cells *cells = &reduction->rows[row];
    for (size_t k = 0; k < cells->count; k++)
        if (cells->items[k].col == col)
            return &cells->items[k];
    return NULL;
}

/* ---- one subtraction ---- */

/* What is left of a difference when rounding in twice the length has taken the rest. */
static const double NOTHING = 1e-26;

/* How far a value may be wrong where it is a factor. What is larger than its noise counts as right
 * to rounding: it is the same wherever it occurs, and bounds that take its errors for independent
 * grow with each step until they call all zero. */
static double noise_of(ln_wide value, double noise) {
    return fabs(value.hi) > noise ? LN_ENTRY_NOISE * fabs(value.hi) : noise;
}

static void subtract(ln_wide *from, double *noise, ln_wide factor, double factor_noise,
                     ln_wide value, double value_noise) {
    const ln_wide product = ln_wide_times(factor, value);
    const double size = fmax(fabs(from->hi), fabs(product.hi));
    if (product.hi == 0)
        return;
    *from = ln_wide_add(*from, ln_wide_minus(product));
    *noise =
        hypot(*noise, hypot(factor.hi * noise_of(value, value_noise), factor_noise * value.hi));
    if (fabs(from->hi) <= NOTHING * size)
        *from = (ln_wide){0, 0};
}

/* Cells that have become nothing go; `place` is cleared. */
void ln_tidy(ln_reducing *reduction, int row) {
    ln_cells *cells = &reduction->rows[row];
    size_t kept = 0;
    for (size_t k = 0; k < cells->count; k++) {
        const ln_reduced_entry cell = cells->items[k];
        reduction->place[cell.col] = 0;
        if (cell.e.hi != 0 || cell.a.hi != 0)
            cells->items[kept++] = cell;
        else if (cell.col < reduction->n)
            reduction->live[cell.col]--;
    }
    cells->count = kept;
}

/* row to -= (s factor.e + factor.a) row from, in which column `pivot` vanishes by it: its e, and
 * when the row gives that unknown its a as well. */
static void subtract_row(ln_reducing *reduction, int to, int from, const ln_reduced_entry *factor,
                         int pivot, int gives) {
    for (size_t k = 0; k < reduction->rows[to].count; k++)
        reduction->place[reduction->rows[to].items[k].col] = (int)k + 1;
    for (size_t k = 0; k < reduction->rows[from].count && reduction->status == LINNET_OK; k++) {
        const ln_reduced_entry source = reduction->rows[from].items[k];
        ln_reduced_entry *target = ln_cell_at(reduction, to, source.col);
        if (target == NULL)
            break;
        subtract(&target->e, &target->e_noise, factor->a, factor->a_noise, source.e,
                 source.e_noise);
        subtract(&target->a, &target->a_noise, factor->a, factor->a_noise, source.a,
                 source.a_noise);
        if (factor->e.hi == 0)
            continue;
        if (source.col < reduction->n) {
            reduction->has_e[source.col] = 1;
            subtract(&target->e, &target->e_noise, factor->e, factor->e_noise, source.a,
                     source.a_noise);
            continue;
        }
        if ((source.col - reduction->n) % LN_REDUCED_DEPTH == LN_REDUCED_DEPTH - 1)
            reduction->status = LINNET_FAILED;
        else if ((target = ln_cell_at(reduction, to, source.col + 1)) != NULL)
            subtract(&target->a, &target->a_noise, factor->e, factor->e_noise, source.a,
                     source.a_noise);
    }
    ln_reduced_entry *gone = reduction->place[pivot] > 0
                                 ? &reduction->rows[to].items[reduction->place[pivot] - 1]
                                 : NULL;
    if (gone != NULL)
        gone->e = (ln_wide){0, 0};
    if (gone != NULL && gives)
        gone->a = (ln_wide){0, 0};
    ln_tidy(reduction, to);
}

/* May the row lose its entry in the pivot's column: it is another, and still in the pencil or, with
 * `above`, a pivot's? */
static int is_to_be_cleared(const ln_reducing *reduction, int to, int row, int above) {
    return to != row && reduction->roles[to] != LN_ROLE_GONE &&
           (reduction->roles[to] != LN_ROLE_PIVOT || above);
}

/* What of the pivot's row a row takes: the quotient of their entries, of A and, where the pivot
 * gives its unknown, of E. */
static ln_reduced_entry factor_of(const ln_reduced_entry *cell, ln_wide by, int to, int gives) {
    ln_reduced_entry factor = {.col = to};
    if (gives) {
        factor.e = ln_wide_over(cell->e, by);
        factor.e_noise = noise_of(cell->e, cell->e_noise) / fabs(by.hi);
    }
    factor.a = ln_wide_over(gives ? cell->a : cell->e, by);
    factor.a_noise =
        (gives ? noise_of(cell->a, cell->a_noise) : noise_of(cell->e, cell->e_noise)) / fabs(by.hi);
    return factor;
}

/* The step of the log that begins here; NULL: memory is short. */
static ln_step *new_step(ln_reducing *reduction) {
    struct ln_reduction *log = reduction->log;
    ln_step *steps = grown(reduction->arena, log->steps, log->count, &log->room, sizeof *steps);
    if (steps == NULL) {
        reduction->status = LINNET_MEMORY;
        return NULL;
    }
    log->steps = steps;
    return &log->steps[log->count++];
}

void ln_eliminate(ln_reducing *reduction, int row, int col, int gives, int above) {
    ln_step *now = new_step(reduction);
    if (now == NULL)
        return;
    const ln_reduced_entry pivot = *ln_find_cell(reduction, row, col);
    const ln_wide by = gives ? pivot.a : pivot.e;
    *now = (ln_step){
        .row = row, .unknown = gives ? col : -1, .content = &reduction->rows[row], .pivot = by.hi};
    for (size_t k = 0; k < reduction->column_count[col] && reduction->status == LINNET_OK; k++) {
        const int to = reduction->column[col][k];
        const ln_reduced_entry *cell =
            is_to_be_cleared(reduction, to, row, above) ? ln_find_cell(reduction, to, col) : NULL;
        if (cell == NULL || (!gives && cell->e.hi == 0))
            continue;
        const ln_reduced_entry factor = factor_of(cell, by, to, gives);
        subtract_row(reduction, to, row, &factor, col, gives);
        ln_reduced_entry *factors = grown(reduction->arena, now->factors, now->nfactors,
                                          &now->factors_room, sizeof *factors);
        if (factors == NULL) {
            reduction->status = LINNET_MEMORY;
            return;
        }
        now->factors = factors;
        now->factors[now->nfactors++] = factor;
    }
}
