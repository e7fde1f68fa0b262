/* SPDX-License-Identifier: MIT */
/* The differentiation index of every unknown, for networks whose index is above 1: how its error is
 * to be judged.
 *
 * It follows from the structure and the Jacobian at a point (system/index.h). The start may be a
 * special point (a pendulum that hangs straight), at which entries are zero that are not so on the
 * way: hence a second point beside it. The larger index counts. */
#include "integrate/implicit.h"
#include "system/active.h"
#include "system/index.h"

#include <math.h>
#include <string.h>

/* How far the second point is from the first, of the nominal size. */
static const double ASIDE = 0.1;

static void raise_to(char *index, char found) {
    if (found > *index)
        *index = found;
}

/* At the point x; nothing is learnt where a block refuses it. */
static linnet_status look_at(ln_run *run, const double *x) {
    ln_system *system = run->system;
    ln_storage storage;
    ln_index found;
    if (ln_system_eval(system, &(ln_moment){run->side, x}, LN_LIMIT_OFF, NULL, NULL, NULL) !=
        LINNET_OK)
        return LINNET_OK;
    ln_arena *arena = ln_arena_new();
    linnet_status status =
        arena == NULL ? LINNET_MEMORY : ln_storage_split(system, arena, &storage);
    if (status == LINNET_OK)
        status = ln_index_find(system, &storage, NULL, arena, &found);
    int states = 0; /* degrees of freedom [Pryce, BIT 41, 2001, section 3] */
    for (int i = 0; status == LINNET_OK && i < run->n; i++) {
        const int part = storage.part[i], is_common = part >= 0 && storage.common[part] == i;
        states += found.d[i] - found.c[i];
        raise_to(&run->index[i], found.unknown[i]);
        raise_to(&run->index_apart[i], part < 0    ? found.unknown[i]
                                       : is_common ? 1
                                                   : found.split_index[i]);
    }
    if (status == LINNET_OK)
        run->statistics->states = states;
    ln_arena_free(arena);
    return status == LINNET_MEMORY ? ln_no_memory(run->report) : LINNET_OK;
}

/* ---- what is known of other modes ---- */

/* A converter goes through the same few modes in every period. */
enum { KEPT = 8 };

/* What was found with these memories. */
typedef struct known_index {
    double *memory;
    char *index, *index_apart;
    int states;
} known_index;

typedef struct ln_known_indices {
    known_index of[KEPT];
    int count, next; /* next: the oldest, to be replaced */
} ln_known_indices;

/* Do entries change with the time by themselves? Then memories do not tell the equations. */
static int is_timed(const ln_system *system) {
    for (int k = 0; k < system->nnonlinear; k++)
        if (system->nonlinear[k].instance->block.type->timed_rows != NULL)
            return 1;
    return 0;
}

static linnet_status allocate(ln_run *run) {
    const int nmemories = run->system->network->nmemories;
    run->index = LN_NEW(run->arena, char, run->n);
    run->index_apart = LN_NEW(run->arena, char, run->n);
    if (nmemories > 0 && !is_timed(run->system))
        run->known_indices = LN_NEW(run->arena, ln_known_indices, 1);
    for (int k = 0; run->known_indices != NULL && k < KEPT; k++)
        run->known_indices->of[k] = (known_index){.memory = LN_NEW(run->arena, double, nmemories),
                                                  .index = LN_NEW(run->arena, char, run->n),
                                                  .index_apart = LN_NEW(run->arena, char, run->n)};
    return ln_arena_failed(run->arena) ? LINNET_MEMORY : LINNET_OK;
}

static int is_known(ln_run *run) {
    const ln_known_indices *known = run->known_indices;
    const size_t bytes = (size_t)run->system->network->nmemories * sizeof(double);
    for (int k = 0; known != NULL && k < known->count; k++) {
        const known_index *of = &known->of[k];
        if (memcmp(of->memory, run->system->memory, bytes) != 0)
            continue;
        memcpy(run->index, of->index, (size_t)run->n);
        memcpy(run->index_apart, of->index_apart, (size_t)run->n);
        run->statistics->states = of->states;
        return 1;
    }
    return 0;
}

static void keep(ln_run *run) {
    ln_known_indices *known = run->known_indices;
    if (known == NULL)
        return;
    known_index *of = &known->of[known->next];
    memcpy(of->memory, run->system->memory,
           (size_t)run->system->network->nmemories * sizeof(double));
    memcpy(of->index, run->index, (size_t)run->n);
    memcpy(of->index_apart, run->index_apart, (size_t)run->n);
    of->states = run->statistics->states;
    known->next = (known->next + 1) % KEPT;
    known->count += known->count < KEPT;
}

linnet_status ln_run_find_index(ln_run *run) {
    if (run->index == NULL && allocate(run) != LINNET_OK)
        return ln_no_memory(run->report);
    run->newton.index =
        run->adaptive ? run->index : NULL; /* its points are projected (instant.c) */
    if (is_known(run))
        return LINNET_OK;
    memset(run->index, 1, (size_t)run->n);
    memset(run->index_apart, 1, (size_t)run->n);
    LN_TRY(look_at(run, run->x));
    for (int i = 0; i < run->n; i++) {
        double absolute, nominal;
        ln_network_unknown_scale(run->system->network, i, &absolute, &nominal);
        run->x1[i] = run->x[i] + ASIDE * nominal * sin(1 + 0.7 * i);
    }
    LN_TRY(look_at(run, run->x1));
    keep(run);
    return LINNET_OK;
}

int ln_run_gives_derived(const ln_run *run, int row) {
    int gives = 0;
    for (int j = 0; run->index != NULL && j < run->n && !gives; j++)
        gives = run->index[j] > 1 && ln_pattern_position(&run->system->pattern, row, j) >= 0;
    return gives;
}
