/* SPDX-License-Identifier: MIT */
/* The differentiation index of every unknown, for networks whose index is above 1: how its error is
 * to be judged.
 *
 * It follows from the structure and the Jacobian at a point (system/index.h). The start may be a
 * special point (a pendulum that hangs straight), at which entries are zero that are not so on the
 * way: hence a second point beside it. The larger index counts. */
#include "integrate/implicit.h"
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

linnet_status ln_run_find_index(ln_run *run) {
    if (run->index == NULL) {
        run->index = LN_NEW(run->arena, char, run->n);
        run->index_apart = LN_NEW(run->arena, char, run->n);
    }
    if (ln_arena_failed(run->arena))
        return ln_no_memory(run->report);
    run->newton.index =
        run->adaptive ? run->index : NULL; /* its points are projected (instant.c) */
    memset(run->index, 1, (size_t)run->n);
    memset(run->index_apart, 1, (size_t)run->n);
    LN_TRY(look_at(run, run->x));
    for (int i = 0; i < run->n; i++) {
        double absolute, nominal;
        ln_network_unknown_scale(run->system->network, i, &absolute, &nominal);
        run->x1[i] = run->x[i] + ASIDE * nominal * sin(1 + 0.7 * i);
    }
    return look_at(run, run->x1);
}
