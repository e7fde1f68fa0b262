/* SPDX-License-Identifier: MIT */
/* Rows to be differentiated and the numbers of unknowns: see prolonged_structure.h. */
#include "system/prolonged_structure.h"

#include <math.h>
#include <string.h>

/* ---- unknowns ---- */

static int max_order(const ln_index *index, int k) {
    int most = 0;
    for (int i = index->start[k]; i < index->start[k + 1]; i++)
        if (index->order[i] > most)
            most = index->order[i];
    return most;
}

int ln_prolonged_balances(const ln_prolonged_structure *structure, int k) {
    const ln_index *index = &structure->index;
    const int unknown = index->col_of[k];
    return index->split_index[unknown] - 1 + (index->d[unknown] > index->c[k]);
}

/* The rows that are wanted, and how often each is differentiated. */
static linnet_status choose_rows(ln_prolonged_structure *all) {
    const ln_index *index = &all->index;
    for (int k = 0; k < all->n; k++) {
        if (ln_prolonged_balances(all, k) > 0 && max_order(index, k) > 0)
            return LINNET_RETRY; /* impulses of a derivative */
        for (int i = index->start[k]; i < index->start[k + 1]; i++) {
            const int order = index->order[i] + index->c[k], row = index->row[i];
            if (order > all->wanted[row])
                all->wanted[row] = order;
            if (order > all->most)
                all->most = order;
        }
    }
    return LINNET_OK;
}

static linnet_status number_unknowns(ln_prolonged_structure *all) {
    const ln_index *index = &all->index;
    for (int j = 0; j < all->n; j++) {
        if (index->split_index[j] - 1 > all->depth)
            all->depth = index->split_index[j] - 1;
        if (index->d[j] > all->most + 1)
            return LINNET_RETRY;
    }
    const size_t n = (size_t)all->n;
    all->derivative = LN_NEW(all->arena, int, ((size_t)all->most + 2) * n);
    all->impulse = LN_NEW(all->arena, int, ((size_t)all->depth + 1) * n);
    if (all->derivative == NULL || all->impulse == NULL)
        return LINNET_MEMORY;
    for (int o = 0; o <= all->most + 1; o++)
        for (int j = 0; j < all->n; j++)
            all->derivative[o * all->n + j] = o <= index->d[j] ? all->size++ : -1;
    all->nderivatives = all->size;
    for (int o = 1; o <= all->depth; o++)
        for (int j = 0; j < all->n; j++)
            all->impulse[o * all->n + j] = o < index->split_index[j] ? all->size++ : -1;
    all->derivatives = LN_NEW(all->arena, double, all->nderivatives);
    return all->derivatives == NULL ? LINNET_MEMORY : LINNET_OK;
}

/* ---- where it holds ---- */

static int entries_of(const ln_reassembly *matrix) {
    return matrix->matrix.pattern.start[matrix->matrix.pattern.n];
}

/* Are the entries zero where they were? Else, with `set`, they are noted as they are. */
static int same_zeros(const ln_reassembly *matrix, double *size, char *present, int set) {
    const int count = entries_of(matrix);
    int same = 1;
    memset(size, 0, (size_t)count * sizeof *size);
    for (size_t k = 0; k < matrix->count; k++)
        size[matrix->position[k]] += fabs(matrix->value[k]);
    for (int k = 0; k < count; k++) {
        const char nonzero = (char)!ln_index_is_zero(matrix->matrix.value[k], size[k]);
        same &= present[k] == nonzero;
        if (set)
            present[k] = nonzero;
    }
    return same;
}

static int same_values(const ln_reassembly *matrix, const double *value) {
    return memcmp(matrix->matrix.value, value, (size_t)entries_of(matrix) * sizeof *value) == 0;
}

static int is_plain(const ln_prolonged_structure *all) {
    const ln_index *index = &all->index;
    return all->storage.nparts == 0 && all->storage.dense == 0 && index->dense == 0 &&
           all->storage.start[all->n] == all->n && index->start[all->n] == all->n;
}

static linnet_status note_entries(ln_prolonged_structure *all, const ln_reassembly *E,
                                  const ln_reassembly *A, const char *leaks) {
    const int e = entries_of(E), a = entries_of(A);
    all->count = e + a;
    all->present = LN_NEW(all->arena, char, all->count);
    all->value = LN_NEW(all->arena, double, all->count);
    all->work = LN_NEW(all->arena, double, all->count);
    all->leaks = LN_NEW(all->arena, char, all->n);
    if (all->present == NULL || all->value == NULL || all->work == NULL || all->leaks == NULL)
        return LINNET_MEMORY;
    memcpy(all->leaks, leaks, (size_t)all->n);
    memcpy(all->value, E->matrix.value, (size_t)e * sizeof(double));
    memcpy(all->value + e, A->matrix.value, (size_t)a * sizeof(double));
    (void)same_zeros(E, all->work, all->present, 1);
    (void)same_zeros(A, all->work, all->present + e, 1);
    return LINNET_OK;
}

int ln_prolonged_structure_fits(const ln_prolonged_structure *all, const ln_reassembly *E,
                                const ln_reassembly *A, const char *leaks) {
    const int e = entries_of(E);
    if (all->count != e + entries_of(A) || memcmp(all->leaks, leaks, (size_t)all->n) != 0)
        return 0;
    if (!all->plain)
        return same_values(E, all->value) && same_values(A, all->value + e);
    return same_zeros(E, all->work, all->present, 0) &&
           same_zeros(A, all->work, all->present + e, 0);
}

/* ---- the whole ---- */

linnet_status ln_prolonged_structure_number(const ln_system *system, const char *leaks,
                                            ln_arena *arena, ln_prolonged_structure *all) {
    *all = (ln_prolonged_structure){.arena = arena, .n = system->n};
    all->wanted = LN_NEW(arena, int, system->n);
    if (all->wanted == NULL)
        return LINNET_MEMORY;
    LN_TRY(ln_storage_split(system, arena, &all->storage));
    LN_TRY(ln_index_find(system, &all->storage, leaks, arena, &all->index));
    LN_TRY(choose_rows(all));
    LN_TRY(number_unknowns(all));
    all->plain = is_plain(all);
    return LINNET_OK;
}

linnet_status ln_prolonged_structure_find(const ln_system *system, const ln_reassembly *E,
                                          const ln_reassembly *A, const char *leaks,
                                          ln_prolonged_structure **structure) {
    ln_arena *arena = ln_arena_new();
    ln_prolonged_structure *all = arena == NULL ? NULL : LN_NEW(arena, ln_prolonged_structure, 1);
    linnet_status status = LINNET_MEMORY;
    if (all != NULL)
        status = ln_prolonged_structure_number(system, leaks, arena, all);
    if (status == LINNET_OK)
        status = note_entries(all, E, A, leaks);
    *structure = status == LINNET_OK ? all : NULL;
    if (status != LINNET_OK)
        ln_arena_free(arena);
    return status;
}

void ln_prolonged_structure_free(ln_prolonged_structure *structure) {
    if (structure != NULL)
        ln_arena_free(structure->arena);
}
