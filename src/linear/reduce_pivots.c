/* SPDX-License-Identifier: MIT */
/* Which entry is eliminated with: the one that makes the fewest new entries (H. M. Markowitz, 1957)
 * among those that are large in their row and column. */
#include "linear/reducing.h"

#include <string.h>

static const double THRESHOLD = 0.1; /* of the largest entry in a pivot's row and column */

enum { SCALING_PASSES = 5 };

static double size_of(const ln_reduced_entry *cell, ln_reduced_part which) {
    return fabs(which == LN_PART_E ? cell->e.hi : cell->a.hi);
}

static int takes_part(const ln_reducing *reduction, int row) {
    return reduction->roles[row] == LN_ROLE_ACTIVE;
}

/* Scales that bring the largest entry of each row and column of E or A near to 1 (D. Ruiz, 2001),
 * so that sizes can be compared; they change nothing else. */
void ln_pivots_scale(ln_reducing *reduction, ln_reduced_part which) {
    for (int i = 0; i < reduction->nrows; i++)
        reduction->row_scale[i] = 1;
    for (int j = 0; j < reduction->n; j++)
        reduction->column_scale[j] = 1;
    for (int pass = 0; pass < SCALING_PASSES; pass++) {
        memset(reduction->row_most, 0, (size_t)reduction->nrows * sizeof *reduction->row_most);
        memset(reduction->column_most, 0, (size_t)reduction->n * sizeof *reduction->column_most);
        for (int i = 0; i < reduction->nrows; i++)
            for (size_t k = 0; takes_part(reduction, i) && k < reduction->rows[i].count; k++) {
                const ln_reduced_entry *cell = &reduction->rows[i].items[k];
                if (cell->col >= reduction->n)
                    continue;
                const double size = size_of(cell, which) * reduction->row_scale[i] *
                                    reduction->column_scale[cell->col];
                reduction->row_most[i] = fmax(reduction->row_most[i], size);
                reduction->column_most[cell->col] = fmax(reduction->column_most[cell->col], size);
            }
        for (int i = 0; i < reduction->nrows; i++)
            if (reduction->row_most[i] > 0)
                reduction->row_scale[i] /= sqrt(reduction->row_most[i]);
        for (int j = 0; j < reduction->n; j++)
            if (reduction->column_most[j] > 0)
                reduction->column_scale[j] /= sqrt(reduction->column_most[j]);
    }
}

/* 0 for what may be rounding, and for inputs. */
static double scaled(const ln_reducing *reduction, int row, const ln_reduced_entry *cell,
                     ln_reduced_part which) {
    const double size = size_of(cell, which);
    if (cell->col >= reduction->n || size <= (which == LN_PART_E ? cell->e_noise : cell->a_noise))
        return 0;
    return size * reduction->row_scale[row] * reduction->column_scale[cell->col];
}

/* Largest scaled entries of the rows and columns that pivots come from: those with an entry in E,
 * or those without. */
static void measure(ln_reducing *reduction, ln_reduced_part which, const char *candidate) {
    memset(reduction->row_most, 0, (size_t)reduction->nrows * sizeof *reduction->row_most);
    memset(reduction->column_most, 0, (size_t)reduction->n * sizeof *reduction->column_most);
    memset(reduction->members, 0, (size_t)reduction->n * sizeof *reduction->members);
    for (int i = 0; i < reduction->nrows; i++)
        for (size_t k = 0; candidate[i] && k < reduction->rows[i].count; k++) {
            const ln_reduced_entry *cell = &reduction->rows[i].items[k];
            const double size = scaled(reduction, i, cell, which);
            if (!(size > 0))
                continue;
            reduction->row_most[i] = fmax(reduction->row_most[i], size);
            reduction->column_most[cell->col] = fmax(reduction->column_most[cell->col], size);
            reduction->members[cell->col]++;
        }
}

/* How many entries a pivot may make, as Markowitz counts. A column with an entry in E makes some in
 * E: it comes last. */
static double cost_of(const ln_reducing *reduction, int row, int col, ln_reduced_part which) {
    const double others = (double)(reduction->rows[row].count - 1);
    if (which == LN_PART_E)
        return others * (reduction->members[col] - 1);
    return others * (reduction->live[col] - 1) +
           (reduction->has_e[col] ? (double)reduction->n * reduction->n : 0);
}

/* The cheapest pivot among those that are large enough in their row and column. 0: there is none.
 */
int ln_pivots_choose(ln_reducing *reduction, ln_reduced_part which, const char *candidate, int *row,
                     int *col) {
    double least = INFINITY, largest = 0;
    measure(reduction, which, candidate);
    for (int i = 0; i < reduction->nrows; i++)
        for (size_t k = 0; candidate[i] && k < reduction->rows[i].count; k++) {
            const ln_reduced_entry *cell = &reduction->rows[i].items[k];
            const double size = scaled(reduction, i, cell, which);
            if (!(size > 0) || size < THRESHOLD * reduction->row_most[i] ||
                size < THRESHOLD * reduction->column_most[cell->col])
                continue;
            const double cost = cost_of(reduction, i, cell->col, which);
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
