/* SPDX-License-Identifier: MIT */
/* A row determines an unknown as soon as all its others are known: a search in breadth from the
 * rows with one unknown each. */
#include "system/driven.h"

#include "system/active.h"
#include <math.h>
#include <string.h>

typedef struct search {
    const ln_system *system;
    ln_matrix by_row;  /* A, rows as columns */
    char *is_open;     /* per row: linear, without storage, not used yet */
    int *unknown_left; /* per row: unknowns that are not known */
    char *known;       /* per unknown */
    int *queue;        /* rows with one unknown left */
} search;

/* Of these rows others than the linear parts and sources say something, too. */
static void close_nonlinear(search *all) {
    const ln_system *system = all->system;
    for (int k = 0; k < system->nnonlinear; k++) {
        const ln_active *active = &system->nonlinear[k];
        const char *rows = active->instance->block.type->nonlinear_rows;
        for (int j = 0; j < active->nlocal; j++) {
            if (rows != NULL && rows[j] == '0')
                continue;
            if (active->row[j] >= 0)
                all->is_open[active->row[j]] = 0;
            if (active->balance_row[j] >= 0)
                all->is_open[active->balance_row[j]] = 0;
        }
    }
}

static linnet_status prepare(search *all, ln_arena *arena) {
    const ln_system *system = all->system;
    const int n = system->n;
    ln_triplets a = {.value = NULL};
    linnet_status status = ln_triplets_add_all(&a, &system->A, 0, NULL, NULL, NULL)
                               ? ln_triplets_matrix(&a, n, 1, arena, &all->by_row)
                               : LINNET_MEMORY;
    ln_triplets_free(&a);
    LN_TRY(status);
    all->is_open = LN_NEW(arena, char, n);
    all->unknown_left = LN_NEW(arena, int, n);
    all->known = LN_NEW(arena, char, n);
    all->queue = LN_NEW(arena, int, n);
    if (!all->is_open || !all->unknown_left || !all->known || !all->queue)
        return LINNET_MEMORY;
    for (int row = 0; row < n; row++) {
        all->is_open[row] = !system->dynamic[row];
        for (int k = all->by_row.pattern.start[row]; k < all->by_row.pattern.start[row + 1]; k++)
            all->unknown_left[row] += fabs(all->by_row.value[k]) > 0;
    }
    close_nonlinear(all);
    return LINNET_OK;
}

/* The unknown that a row with one left determines; *own: its coefficient. */
static int last_unknown(const search *all, int row, double *own) {
    for (int k = all->by_row.pattern.start[row]; k < all->by_row.pattern.start[row + 1]; k++)
        if (fabs(all->by_row.value[k]) > 0 && !all->known[all->by_row.pattern.row[k]]) {
            *own = all->by_row.value[k];
            return all->by_row.pattern.row[k];
        }
    return -1;
}

/* Rows in which the unknown stands have one less; those with one left join the queue. */
static int tell_rows(search *all, int unknown, int queued) {
    const ln_matrix *A = &all->system->A;
    all->known[unknown] = 1;
    for (int k = A->pattern.start[unknown]; k < A->pattern.start[unknown + 1]; k++) {
        const int row = A->pattern.row[k];
        if (fabs(A->value[k]) > 0 && --all->unknown_left[row] == 1 && all->is_open[row])
            all->queue[queued++] = row;
    }
    return queued;
}

static void add(const search *all, ln_driven *driven, int row, int unknown, double own) {
    const int at = driven->count++;
    int end = driven->first[at];
    driven->row[at] = row;
    driven->unknown[at] = unknown;
    driven->own[at] = own;
    for (int k = all->by_row.pattern.start[row]; k < all->by_row.pattern.start[row + 1]; k++)
        if (fabs(all->by_row.value[k]) > 0 && all->by_row.pattern.row[k] != unknown) {
            driven->term[end] = all->by_row.pattern.row[k];
            driven->coefficient[end++] = all->by_row.value[k];
        }
    driven->first[at + 1] = end;
}

static linnet_status allocate(ln_driven *driven, ln_arena *arena, int n, int terms) {
    *driven = (ln_driven){.row = LN_NEW(arena, int, n),
                          .unknown = LN_NEW(arena, int, n),
                          .first = LN_NEW(arena, int, n + 1),
                          .own = LN_NEW(arena, double, n),
                          .term = LN_NEW(arena, int, terms),
                          .coefficient = LN_NEW(arena, double, terms),
                          .s = LN_NEW(arena, double, n)};
    return driven->row && driven->unknown && driven->first && driven->own && driven->term &&
                   driven->coefficient && driven->s
               ? LINNET_OK
               : LINNET_MEMORY;
}

linnet_status ln_driven_find(const ln_system *system, ln_arena *arena, ln_driven *driven) {
    search all = {.system = system};
    int queued = 0;
    LN_TRY(prepare(&all, arena));
    LN_TRY(allocate(driven, arena, system->n, system->A.pattern.start[system->n]));
    for (int row = 0; row < system->n; row++)
        if (all.is_open[row] && all.unknown_left[row] == 1)
            all.queue[queued++] = row;
    for (int k = 0; k < queued; k++) {
        const int row = all.queue[k];
        double own = 0;
        const int unknown = last_unknown(&all, row, &own);
        if (unknown < 0 || !all.is_open[row])
            continue; /* another row has determined it */
        all.is_open[row] = 0;
        add(&all, driven, row, unknown, own);
        queued = tell_rows(&all, unknown, queued);
    }
    return LINNET_OK;
}

void ln_driven_evaluate(ln_system *system, const ln_driven *driven, ln_side side, double *x) {
    if (driven->count == 0 || ln_system_sources(system, side, driven->s) != LINNET_OK)
        return;
    for (int k = 0; k < driven->count; k++) {
        double sum = driven->s[driven->row[k]];
        for (int i = driven->first[k]; i < driven->first[k + 1]; i++)
            sum -= driven->coefficient[i] * x[driven->term[i]];
        x[driven->unknown[k]] = sum / driven->own[k];
    }
}
