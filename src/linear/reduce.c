/* SPDX-License-Identifier: MIT */
/* The rounds of reduce.h on sparse rows. A row is a list of cells; a column knows the rows that
 * have had a cell in it. */
#include "linear/reduce.h"

#include <float.h>
#include <string.h>

/* How far an entry of the pencil may be wrong, relatively: its parameters are rounded, and so are
 * the few operations by which a block makes it from them (a coupling k sqrt(L1 L2), a slope). */
static const double ENTRY_NOISE = 4 * DBL_EPSILON;
static const double THRESHOLD = 0.1; /* of the largest entry in a pivot's row and column */

enum { SCALING_PASSES = 5 };

/* One elimination: row `from`, times s e + a of each factor, has been subtracted from other rows.
 */
typedef struct step {
    int row, unknown; /* unknown: what the row gives; -1: it stays (a pivot of E) */
    ln_cell *factors; /* col: the row it was subtracted from */
    size_t nfactors, factors_room;
    const ln_cells *content; /* of the row, when it gives an unknown */
    double pivot;
} step;

struct ln_reduction {
    step *steps;
    size_t count, room;
    const int *unknown, *row; /* m: of each state, its unknown and its row */
    const double *scale;      /* m: what its row was divided by */
    int n, m;
};

typedef enum part { PART_E, PART_A } part;
typedef enum role { ROLE_ACTIVE, ROLE_PIVOT, ROLE_GONE, ROLE_OUTPUT } role;

typedef struct reducing {
    ln_arena *arena;
    int n, nrows, round;
    ln_cells *rows;
    role *roles;
    int **column; /* per unknown: rows that have had a cell there */
    size_t *column_count, *column_room;
    int *live;    /* per unknown: how many rows have a cell */
    int *members; /* per unknown: how many candidates have an entry of E there */
    char *has_e;  /* per unknown: there may be entries of E */
    int *place;   /* work, per column: cell of the row at hand, 0: none */
    double *row_scale, *column_scale, *row_most, *column_most;
    char *late_unknown, *late_row;
    int *order, nordered; /* pivot rows of E, in their order */
    int *pivot;           /* per row: its pivot unknown */
    struct ln_reduction *log;
    linnet_status status;
} reducing;

/* ---- memory ---- */

/* Room for one more item in an arena's array, which doubles. */
static void *grown(ln_arena *arena, void *items, size_t count, size_t *room, size_t size) {
    if (count < *room)
        return items;
    *room = *room > 0 ? 2 * *room : 4;
    void *more = ln_arena_alloc(arena, *room, size);
    if (more != NULL && count > 0)
        memcpy(more, items, count * size);
    return more;
}

static int push_row(reducing *it, int col, int row) {
    it->column[col] = grown(it->arena, it->column[col], it->column_count[col],
                            &it->column_room[col], sizeof(int));
    if (it->column[col] == NULL)
        return 0;
    it->column[col][it->column_count[col]++] = row;
    it->live[col]++;
    return 1;
}

/* The cell of a row in a column, made if there is none; NULL when memory is short. Uses `place`. */
static ln_cell *cell_at(reducing *it, int row, int col) {
    ln_cells *cells = &it->rows[row];
    if (it->place[col] > 0)
        return &cells->items[it->place[col] - 1];
    cells->items = grown(it->arena, cells->items, cells->count, &cells->room, sizeof *cells->items);
    if (cells->items == NULL || (col < it->n && !push_row(it, col, row))) {
        it->status = LINNET_MEMORY;
        return NULL;
    }
    cells->items[cells->count] = (ln_cell){.col = col};
    it->place[col] = (int)++cells->count;
    return &cells->items[cells->count - 1];
}

static ln_cell *find_cell(const reducing *it, int row, int col) {
    const ln_cells *cells = &it->rows[row];
    for (size_t k = 0; k < cells->count; k++)
        if (cells->items[k].col == col)
            return &cells->items[k];
    return NULL;
}

/* ---- one subtraction ---- */

/* Errors add up as those of independent roundings do: bounds that add sizes grow with each step,
 * and soon call all zero. */
static void subtract(ln_wide *from, double *noise, ln_wide factor, double factor_noise,
                     ln_wide value, double value_noise) {
    const ln_wide product = ln_wide_times(factor, value);
    if (product.hi == 0)
        return;
    *from = ln_wide_add(*from, ln_wide_minus(product));
    *noise = hypot(*noise, hypot(factor.hi * value_noise, factor_noise * value.hi));
    if (fabs(from->hi) <= *noise)
        *from = (ln_wide){0, 0};
}

/* Cells that have become nothing go; `place` is cleared. */
static void tidy(reducing *it, int row) {
    ln_cells *cells = &it->rows[row];
    size_t kept = 0;
    for (size_t k = 0; k < cells->count; k++) {
        const ln_cell cell = cells->items[k];
        it->place[cell.col] = 0;
        if (cell.e.hi != 0 || cell.a.hi != 0)
            cells->items[kept++] = cell;
        else if (cell.col < it->n)
            it->live[cell.col]--;
    }
    cells->count = kept;
}

/* row to -= (s factor.e + factor.a) row from, in which column `pivot` vanishes by it: its e, and
 * when the row gives that unknown its a as well. */
static void subtract_row(reducing *it, int to, int from, const ln_cell *factor, int pivot,
                         int gives) {
    for (size_t k = 0; k < it->rows[to].count; k++)
        it->place[it->rows[to].items[k].col] = (int)k + 1;
    for (size_t k = 0; k < it->rows[from].count && it->status == LINNET_OK; k++) {
        const ln_cell source = it->rows[from].items[k];
        ln_cell *target = cell_at(it, to, source.col);
        if (target == NULL)
            break;
        subtract(&target->e, &target->e_noise, factor->a, factor->a_noise, source.e,
                 source.e_noise);
        subtract(&target->a, &target->a_noise, factor->a, factor->a_noise, source.a,
                 source.a_noise);
        if (factor->e.hi == 0)
            continue;
        if (source.col < it->n) {
            it->has_e[source.col] = 1;
            subtract(&target->e, &target->e_noise, factor->e, factor->e_noise, source.a,
                     source.a_noise);
            continue;
        }
        if ((source.col - it->n) % LN_REDUCED_DEPTH == LN_REDUCED_DEPTH - 1)
            it->status = LINNET_FAILED;
        else if ((target = cell_at(it, to, source.col + 1)) != NULL)
            subtract(&target->a, &target->a_noise, factor->e, factor->e_noise, source.a,
                     source.a_noise);
    }
    ln_cell *gone = it->place[pivot] > 0 ? &it->rows[to].items[it->place[pivot] - 1] : NULL;
    if (gone != NULL)
        gone->e = (ln_wide){0, 0};
    if (gone != NULL && gives)
        gone->a = (ln_wide){0, 0};
    tidy(it, to);
}

static double noise_of_quotient(ln_wide quotient, double noise, ln_wide divisor,
                                double divisor_noise) {
    return hypot(noise, quotient.hi * divisor_noise) / fabs(divisor.hi);
}

/* Subtracts row `row` from all rows that have its pivot column: so that they lose it (gives), or E
 * of it. With `above` from pivot rows, too. */
static void eliminate(reducing *it, int row, int col, int gives, int above) {
    struct ln_reduction *log = it->log;
    log->steps = grown(it->arena, log->steps, log->count, &log->room, sizeof *log->steps);
    if (log->steps == NULL) {
        it->status = LINNET_MEMORY;
        return;
    }
    step *now = &log->steps[log->count++];
    const ln_cell pivot = *find_cell(it, row, col);
    const ln_wide by = gives ? pivot.a : pivot.e;
    const double by_noise = gives ? pivot.a_noise : pivot.e_noise;
    *now =
        (step){.row = row, .unknown = gives ? col : -1, .content = &it->rows[row], .pivot = by.hi};
    for (size_t k = 0; k < it->column_count[col] && it->status == LINNET_OK; k++) {
        const int to = it->column[col][k];
        if (to == row || it->roles[to] == ROLE_GONE || (it->roles[to] == ROLE_PIVOT && !above))
            continue;
        const ln_cell *cell = find_cell(it, to, col);
        if (cell == NULL || (!gives && cell->e.hi == 0))
            continue;
        ln_cell factor = {.col = to};
        if (gives) {
            factor.e = ln_wide_over(cell->e, by);
            factor.e_noise = noise_of_quotient(factor.e, cell->e_noise, by, by_noise);
        }
        factor.a = ln_wide_over(gives ? cell->a : cell->e, by);
        factor.a_noise =
            noise_of_quotient(factor.a, gives ? cell->a_noise : cell->e_noise, by, by_noise);
        subtract_row(it, to, row, &factor, col, gives);
        now->factors =
            grown(it->arena, now->factors, now->nfactors, &now->factors_room, sizeof *now->factors);
        if (now->factors == NULL)
            it->status = LINNET_MEMORY;
        else
            now->factors[now->nfactors++] = factor;
    }
}

/* ---- the choice of pivots ---- */

static double size_of(const ln_cell *cell, part which) {
    return fabs(which == PART_E ? cell->e.hi : cell->a.hi);
}

static int takes_part(const reducing *it, int row) {
    return it->roles[row] == ROLE_ACTIVE;
}

/* Scales that bring the largest entry of each row and column of E or A near to 1 (D. Ruiz, 2001),
 * so that sizes can be compared; they change nothing else. */
static void equilibrate(reducing *it, part which) {
    for (int i = 0; i < it->nrows; i++)
        it->row_scale[i] = 1;
    for (int j = 0; j < it->n; j++)
        it->column_scale[j] = 1;
    for (int pass = 0; pass < SCALING_PASSES; pass++) {
        memset(it->row_most, 0, (size_t)it->nrows * sizeof *it->row_most);
        memset(it->column_most, 0, (size_t)it->n * sizeof *it->column_most);
        for (int i = 0; i < it->nrows; i++)
            for (size_t k = 0; takes_part(it, i) && k < it->rows[i].count; k++) {
                const ln_cell *cell = &it->rows[i].items[k];
                if (cell->col >= it->n)
                    continue;
                const double size =
                    size_of(cell, which) * it->row_scale[i] * it->column_scale[cell->col];
                it->row_most[i] = fmax(it->row_most[i], size);
                it->column_most[cell->col] = fmax(it->column_most[cell->col], size);
            }
        for (int i = 0; i < it->nrows; i++)
            if (it->row_most[i] > 0)
                it->row_scale[i] /= sqrt(it->row_most[i]);
        for (int j = 0; j < it->n; j++)
            if (it->column_most[j] > 0)
                it->column_scale[j] /= sqrt(it->column_most[j]);
    }
}

/* Whether a row has an entry of E; its columns are noted. */
static int stores(reducing *it, int row) {
    int found = 0;
    for (size_t k = 0; k < it->rows[row].count; k++)
        if (it->rows[row].items[k].e.hi != 0)
            found = it->has_e[it->rows[row].items[k].col] = 1;
    return found;
}

static double scaled(const reducing *it, int row, const ln_cell *cell, part which) {
    return cell->col < it->n
               ? size_of(cell, which) * it->row_scale[row] * it->column_scale[cell->col]
               : 0;
}

/* Largest scaled entries of the rows and columns that pivots come from: those with an entry in E,
 * or those without. */
static void measure(reducing *it, part which, const char *candidate) {
    memset(it->row_most, 0, (size_t)it->nrows * sizeof *it->row_most);
    memset(it->column_most, 0, (size_t)it->n * sizeof *it->column_most);
    memset(it->members, 0, (size_t)it->n * sizeof *it->members);
    for (int i = 0; i < it->nrows; i++)
        for (size_t k = 0; candidate[i] && k < it->rows[i].count; k++) {
            const ln_cell *cell = &it->rows[i].items[k];
            const double size = scaled(it, i, cell, which);
            if (!(size > 0))
                continue;
            it->row_most[i] = fmax(it->row_most[i], size);
            it->column_most[cell->col] = fmax(it->column_most[cell->col], size);
            it->members[cell->col]++;
        }
}

/* How many entries a pivot may make, as Markowitz counts. A column with an entry in E makes some in
 * E: it comes last. */
static double cost_of(const reducing *it, int row, int col, part which) {
    const double others = (double)(it->rows[row].count - 1);
    if (which == PART_E)
        return others * (it->members[col] - 1);
    return others * (it->live[col] - 1) + (it->has_e[col] ? (double)it->n * it->n : 0);
}

/* The cheapest pivot among those that are large enough in their row and column. 0: there is none.
 */
static int choose(reducing *it, part which, const char *candidate, int *row, int *col) {
    double least = INFINITY, largest = 0;
    measure(it, which, candidate);
    for (int i = 0; i < it->nrows; i++)
        for (size_t k = 0; candidate[i] && k < it->rows[i].count; k++) {
            const ln_cell *cell = &it->rows[i].items[k];
            const double size = scaled(it, i, cell, which);
            if (!(size > 0) || size < THRESHOLD * it->row_most[i] ||
                size < THRESHOLD * it->column_most[cell->col])
                continue;
            const double cost = cost_of(it, i, cell->col, which);
            if (cost > least || (cost == least && size <= largest))
                continue;
            least = cost;
            largest = size;
            *row = i;
            *col = cell->col;
            if (cost == 0)
                return 1;
        }
    return isfinite(least);
}

static void leave(reducing *it, int row, role now) {
    it->roles[row] = now;
    for (size_t k = 0; now == ROLE_GONE && k < it->rows[row].count; k++)
        if (it->rows[row].items[k].col < it->n)
            it->live[it->rows[row].items[k].col]--;
}

/* ---- the rounds ---- */

/* Rows with an entry in E become pivot rows, or lose their entries. */
static void compress_E(reducing *it, char *candidate) {
    int row, col;
    it->nordered = 0;
    memset(it->has_e, 0, (size_t)it->n);
    for (int i = 0; i < it->nrows; i++) {
        if (it->roles[i] == ROLE_PIVOT)
            it->roles[i] = ROLE_ACTIVE;
        candidate[i] = it->roles[i] == ROLE_ACTIVE && stores(it, i);
    }
    equilibrate(it, PART_E);
    while (it->status == LINNET_OK && choose(it, PART_E, candidate, &row, &col)) {
        eliminate(it, row, col, 0, 0);
        leave(it, row, ROLE_PIVOT);
        candidate[row] = 0;
        it->pivot[row] = col;
        it->order[it->nordered++] = row;
    }
}

/* Constraints give their unknowns. Returns how many there were. */
static int solve_constraints(reducing *it, char *candidate) {
    int row, col, count = 0, solved = 0;
    for (int i = 0; i < it->nrows; i++) {
        candidate[i] = it->roles[i] == ROLE_ACTIVE;
        count += candidate[i];
        if (candidate[i] && it->round > 0)
            it->late_row[i] = 1;
    }
    if (count == 0)
        return 0;
    for (int i = 0; i < it->nrows; i++)
        if (it->roles[i] == ROLE_PIVOT)
            it->roles[i] = ROLE_ACTIVE;
    equilibrate(it, PART_A);
    for (; it->status == LINNET_OK && choose(it, PART_A, candidate, &row, &col); solved++) {
        eliminate(it, row, col, 1, 1);
        leave(it, row, ROLE_GONE);
        candidate[row] = 0;
        if (it->round > 0)
            it->late_unknown[col] = 1;
    }
    if (it->status == LINNET_OK && solved < count)
        it->status = LINNET_RETRY;
    return count;
}

static linnet_status run_rounds(reducing *it) {
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
static linnet_status normalise(reducing *it, ln_reduced *out) {
    const int m = it->nordered;
    int *unknown = LN_NEW(it->arena, int, m), *row = LN_NEW(it->arena, int, m),
        *state = LN_NEW(it->arena, int, it->n);
    double *scale = LN_NEW(it->arena, double, m);
    ln_cells *rows = LN_NEW(it->arena, ln_cells, m);
    if (!unknown || !row || !state || !scale || !rows)
        return LINNET_MEMORY;
    for (int k = m - 1; k >= 0; k--)
        eliminate(it, it->order[k], it->pivot[it->order[k]], 0, 1);
    if (it->status != LINNET_OK)
        return it->status;
    for (int k = 0; k < m; k++) {
        row[k] = it->order[k];
        unknown[k] = it->pivot[row[k]];
        state[unknown[k]] = k;
    }
    for (int k = 0; k < m; k++) {
        const ln_wide own = find_cell(it, row[k], unknown[k])->e;
        const double relative = find_cell(it, row[k], unknown[k])->e_noise / fabs(own.hi);
        rows[k] = it->rows[row[k]];
        scale[k] = own.hi;
        for (size_t i = 0; i < rows[k].count; i++) {
            ln_cell *cell = &rows[k].items[i];
            cell->e = ln_wide_over(cell->e, own);
            cell->a = ln_wide_over(cell->a, own);
            cell->a_noise = cell->a_noise / fabs(own.hi) + relative * fabs(cell->a.hi);
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

static void take_pencil(reducing *it, const ln_pencil *pencil) {
    for (int j = 0; j < it->n; j++)
        for (int k = pencil->pattern->start[j]; k < pencil->pattern->start[j + 1]; k++) {
            const double e_size = pencil->E_size != NULL ? pencil->E_size[k] : fabs(pencil->E[k]);
            const double a_size = pencil->A_size != NULL ? pencil->A_size[k] : fabs(pencil->A[k]);
            ln_cell cell = {j, wide_of(pencil->E, pencil->E_low, k),
                            wide_of(pencil->A, pencil->A_low, k), ENTRY_NOISE * e_size,
                            ENTRY_NOISE * a_size};
            if (fabs(cell.e.hi) <= cell.e_noise)
                cell.e = (ln_wide){0, 0};
            if (fabs(cell.a.hi) <= cell.a_noise)
                cell.a = (ln_wide){0, 0};
            if (cell.e.hi == 0 && cell.a.hi == 0)
                continue;
            const int row = pencil->pattern->row[k];
            it->place[j] = 0;
            ln_cell *place = cell_at(it, row, j);
            if (place == NULL)
                return;
            *place = cell;
            it->place[j] = 0;
        }
}

static void put(reducing *it, int row, int col, double value) {
    if (value == 0 || it->status != LINNET_OK)
        return;
    ln_cell *cell = cell_at(it, row, col);
    if (cell == NULL)
        return;
    cell->a = (ln_wide){value, 0};
    cell->a_noise = ENTRY_NOISE * fabs(value);
    it->place[col] = 0;
}

static void take_border(reducing *it, const ln_border *border) {
    for (int j = 0; j < border->ninputs; j++)
        for (int i = 0; i < it->n; i++)
            put(it, i, it->n + j * LN_REDUCED_DEPTH,
                -border->B[(size_t)j * (size_t)it->n + (size_t)i]);
    for (int i = 0; i < border->noutputs; i++) {
        it->roles[it->n + i] = ROLE_OUTPUT;
        for (int j = 0; j < it->n; j++)
            put(it, it->n + i, j, border->C[(size_t)i * (size_t)it->n + (size_t)j]);
        for (int j = 0; j < border->ninputs; j++)
            put(it, it->n + i, it->n + j * LN_REDUCED_DEPTH, border->D[i * border->ninputs + j]);
    }
}

static linnet_status begin(reducing *it, const ln_border *border) {
    const size_t n = (size_t)it->n, rows = (size_t)it->nrows;
    it->rows = LN_NEW(it->arena, ln_cells, rows);
    it->roles = LN_NEW(it->arena, role, rows);
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
    return it->rows && it->roles && it->column && it->column_count && it->column_room && it->live &&
                   it->members && it->has_e && it->place && it->row_scale && it->row_most &&
                   it->column_scale && it->column_most && it->late_unknown && it->late_row &&
                   it->order && it->pivot && it->log
               ? LINNET_OK
               : LINNET_MEMORY;
}

linnet_status ln_reduce(const ln_pencil *pencil, const ln_border *border, ln_arena *arena,
                        ln_reduced *out) {
    const int n = pencil->pattern->n;
    reducing it = {.arena = arena, .n = n, .nrows = n + (border != NULL ? border->noutputs : 0)};
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

/* ---- the way back ---- */

void ln_reduced_right(const ln_reduced *it, const double complex *z, double complex *x) {
    const struct ln_reduction *log = it->steps;
    memset(x, 0, (size_t)it->n * sizeof *x);
    for (int k = 0; k < it->m; k++)
        x[it->unknown[k]] = z[k];
    for (size_t k = log->count; k-- > 0;) {
        const step *now = &log->steps[k];
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
        const step *now = &log->steps[k];
        for (size_t i = 0; i < now->nfactors; i++) {
            const ln_cell *factor = &now->factors[i];
            if (factor->col < it->n)
                w[now->row] -= (conj(s) * factor->e.hi + factor->a.hi) * w[factor->col];
        }
    }
}
