/* SPDX-License-Identifier: MIT */
/* Is a device its own tangent over a way: what Newton's method asks before it takes an update for
 * its last (ln_system_nonlinearity()).
 *
 * Rows that store take what is left up as charge. Which these are is known at set-up, but for rows
 * in which devices alone store, what may vanish: such rows are looked at each time. */
#include "base/domain.h"
#include "system/active.h"

#include <math.h>
#include <string.h>

/* Of one block. */
static double bends(const ln_system *system, const ln_active *active, const double *x,
                    const double *dx, const double *sizes) {
    const int n = active->nlocal;
    const double *f = active->written + n, *slope = f + n;
    double *change = system->own->f, *rounding = system->own->q;
    memset(change, 0, (size_t)n * sizeof *change);
    memset(rounding, 0, (size_t)n * sizeof *rounding);
    for (int k = 0; k < active->nentries; k++) {
        const linnet_entry *e = &active->instance->block.type->entries[k];
        const int from = active->unknown[e->col];
        if (e->kind != LINNET_A || e->change != LINNET_STATE || from < 0)
            continue;
        change[e->row] += slope[k] * dx[from];
        rounding[e->row] += LN_ROUNDING * fabs(slope[k] * x[from]);
    }
    return ln_bend_of(active, n, f, change, rounding, sizes);
}

/* As ln_system_nonlinearity(); `still`: as ln_batches_bends(). */
static double most_bent(const ln_system *system, const double *x, const double *dx,
                        const double *sizes, double still) {
    double most = 0;
    for (int k = 0; k < system->own->nsingle; k++)
        if (system->own->single[k]->last != NULL &&
            ln_bend_counts(system->own->single[k], system->own->single[k]->nlocal, sizes))
            most = fmax(most, bends(system, system->own->single[k], x, dx, sizes));
    return fmax(most, ln_batches_bends(system, x, dx, sizes, still));
}

double ln_system_nonlinearity(const ln_system *system, const double *x, const double *dx,
                              const double *sizes) {
    return most_bent(system, x, dx, sizes, 0);
}

static void find_sizes(const ln_system *system, const double *x, double *sizes) {
    ln_matrix_apply(&system->A, x, sizes);
    for (int i = 0; i < system->n; i++)
        sizes[i] = fabs(sizes[i]);
}

/* Where a junction carries next to nothing (1e-26 A of a transistor at rest) any update changes
 * that by more than a hundredth: rounding of its domain's nominal flux is no flux. */
double ln_system_nonlinearity_here(const ln_system *system, const double *x, const double *dx,
                                   double *sizes) {
    static const double NO_FLUX = LN_ROUNDING / LN_BENDS_FROM;
    const ln_network *network = system->network;
    find_sizes(system, x, sizes);
    for (int k = 0; k < network->nlinks; k++)
        if (network->links[k].unknown >= 0)
            sizes[network->links[k].unknown] +=
                NO_FLUX * ln_domain(network->links[k].domain)->flux_nominal;
    return ln_system_nonlinearity(system, x, dx, sizes);
}

/* ---- rows that store nothing ---- */

/* Rows of nonlinear instances in which no constant entry stores are counted in own->loose, and
 * numbered from 1 on. */
static void list_rows(ln_system *system, int *number) {
    const ln_pattern *stored = &system->E.pattern;
    ln_loose_rows *loose = &system->own->loose;
    for (int k = 0; k < stored->start[system->n]; k++)
        number[stored->row[k]] = -1;
    for (int k = 0; k < system->nnonlinear; k++) {
        const ln_active *active = &system->nonlinear[k];
        for (int j = 0; j < active->nlocal; j++) {
            const int row = ln_row_of(active, j);
            if (row >= 0 && number[row] == 0)
                number[row] = ++loose->count;
        }
    }
}

/* The entries of dq in these rows, row by row; next: room for `count` numbers. */
static void list_entries(ln_system *system, const int *number, int *next) {
    ln_loose_rows *loose = &system->own->loose;
    for (int i = 0; i < system->n; i++)
        if (number[i] > 0)
            loose->row[number[i] - 1] = i;
    for (int k = 0; k < system->ndq; k++)
        if (number[system->dq_row[k]] > 0)
            loose->first[number[system->dq_row[k]]]++;
    for (int k = 0; k < loose->count; k++) {
        loose->first[k + 1] += loose->first[k];
        next[k] = loose->first[k];
    }
    for (int k = 0; k < system->ndq; k++)
        if (number[system->dq_row[k]] > 0)
            loose->dq[next[number[system->dq_row[k]] - 1]++] = k;
}

linnet_status ln_find_loose_rows(ln_system *system) {
    ln_loose_rows *loose = &system->own->loose;
    ln_arena *arena = system->arena, *work = ln_arena_new();
    int *number = work == NULL ? NULL : LN_NEW(work, int, system->n);
    if (number != NULL && system->nnonlinear > 0)
        list_rows(system, number);
    const size_t count = (size_t)loose->count;
    int *next = number == NULL ? NULL : LN_NEW(work, int, count + 1);
    loose->row = LN_NEW(arena, int, count);
    loose->first = LN_NEW(arena, int, count + 1);
    loose->dq = LN_NEW(arena, int, system->ndq);
    loose->is_unstored = LN_NEW(arena, char, count > 0 ? system->n : 0);
    const int ok = next != NULL && !ln_arena_failed(arena);
    if (ok)
        list_entries(system, number, next);
    ln_arena_free(work);
    return ok ? LINNET_OK : LINNET_MEMORY;
}

/* Sets loose->is_unstored; returns how many rows are. */
static int find_unstored(const ln_system *system) {
    const ln_loose_rows *loose = &system->own->loose;
    int unstored = 0;
    for (int k = 0; k < loose->count; k++) {
        int stores = 0;
        for (int i = loose->first[k]; i < loose->first[k + 1] && !stores; i++)
            stores = system->dq[loose->dq[i]] < 0 || system->dq[loose->dq[i]] > 0;
        loose->is_unstored[loose->row[k]] = !stores;
        unstored += !stores;
    }
    return unstored;
}

/* Does a block without limit() depart from its tangent over dx by more than this part of what it
 * gives and of what else flows there? An equation that it gives whole comes to nothing where it is
 * met: there OF_TERMS of the part counts of what it is made of, by the lesser slopes, since an
 * amplifier's are 1e5 on one side of a knee. */
static int departs(ln_system *system, const ln_active *active, const double *x, const double *dx,
                   const double *sizes, double part) {
    static const double OF_TERMS = 1e-3;
    ln_departure found;
    double size = 0;
    if (ln_system_depart(system, active, x, dx, &found) != LINNET_OK)
        return 1;
    for (int j = 0; j < active->nlocal; j++)
        size = fmax(size, fabs(found.f[j]));
    for (int j = 0; j < active->nlocal; j++) {
        const int row = ln_row_of(active, j);
        const double rounding = LN_ROUNDING * fmax(found.before[j], found.after[j]),
                     terms = OF_TERMS * fmin(found.before[j], found.after[j]);
        if (row >= 0 && !(fabs(found.off[j]) <= part * (size + terms + sizes[row]) + rounding))
            return 1;
    }
    return 0;
}

static int any_departs(ln_system *system, const double *x, const double *dx, const double *sizes,
                       double part) {
    for (int k = 0; k < system->own->nsingle; k++) {
        const ln_active *active = system->own->single[k];
        if (active->last == NULL && ln_bend_counts(active, active->nlocal, sizes) &&
            departs(system, active, x, dx, sizes, part))
            return 1;
    }
    return 0;
}

int ln_system_is_tangent(ln_system *system, const double *x, const double *dx, double part,
                         double left, double *sizes) {
    if (find_unstored(system) == 0)
        return 1;
    find_sizes(system, x, sizes);
    for (int i = 0; i < system->n; i++)
        if (!system->own->loose.is_unstored[i])
            sizes[i] = INFINITY;
    return LN_BENDS_FROM * most_bent(system, x, dx, sizes, part) <= part &&
           !any_departs(system, x, dx, sizes, left);
}
