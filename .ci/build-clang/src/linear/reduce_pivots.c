/* SPDX-License-Identifier: MIT */
/* Which entry is eliminated with: the one that makes the fewest new entries (H. M. Markowitz, 1957)
 * among those that are large in their row and column. */
#include "linear/reducing.h"

#include <string.h>

static const double THRESHOLD = 0.1; /* of the largest entry in a pivot's row and column */

enum { SCALING_PASSES = 5 };

static double size_of(const ln_cell *cell, ln_part which) {
    return fabs(which == LN_PART_E ? cell->e.hi : cell->a.hi);
}

static int takes_part(const ln_reducing *it, int row) {
    return it->roles[row] == LN_ROLE_ACTIVE;
}

/* Scales that bring the largest entry of each row and column of E or A near to 1 (D. Ruiz, 2001),
 * so that sizes can be compared; they change nothing else. */
void ln_pivots_scale(ln_reducing *it, ln_part which) {
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

/* 0 for what may be rounding, and for inputs. */
static double scaled(const ln_reducing *it, int row, const ln_cell *cell, ln_part which) {
    const double size = size_of(cell, which);
    if (cell->col >= it->n || size <= (which == LN_PART_E ? cell->e_noise : cell->a_noise))
        return 0;
    return size * it->row_scale[row] * it->column_scale[cell->col];
}

/* Largest scaled entries of the rows and columns that pivots come from: those with an entry in E,
 * or those without. */
static void measure(ln_reducing *it, ln_part which, const char *candidate) {
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
static double cost_of(const ln_reducing *it, int row, int col, ln_part which) {
    const double others = (double)(it->rows[row].count - 1);
    if (which == LN_PART_E)
        return others * (it->members[col] - 1);
    return others * (it->live[col] - 1) + (it->has_e[col] ? (double)it->n * it->n : 0);
}

/* The cheapest pivot among those that are large enough in their row and column. 0: there is none.
 */
int ln_pivots_choose(ln_reducing *it, ln_part which, const char *candidate, int *row, int *col) {
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
