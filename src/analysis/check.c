/* SPDX-License-Identifier: MIT */
/* Counting, and the one thing a run would find out first: how many states there are (the rank of what is stored). */
#include "analysis/check.h"

#include "system/transform.h"

static linnet_status count_states(const ln_simulation *simulation, int *states) {
    ln_system *system = simulation->system;
    *states = -1;
    if (!system->linear_q) {
        ln_arena *arena = ln_arena_new();
        double *x = arena == NULL ? NULL : LN_NEW(arena, double, system->n), t = simulation->settings.begin;
        linnet_status status = x == NULL ? ln_no_memory(simulation->report)
                                         : ln_system_start_values(system, x, simulation->report);
        if (status == LINNET_OK) status = ln_system_eval(system, t, t, x, LN_LIMIT_OFF, NULL, NULL, NULL);
        ln_arena_free(arena);
        if (status != LINNET_OK) return status == LINNET_RETRY ? LINNET_OK : status;
    }
    ln_transform *transform;
    linnet_status status = ln_transform_new(system, &transform);
    if (status == LINNET_RETRY) return LINNET_OK;
    LN_TRY(status);
    *states = transform->rank;
    ln_transform_free(transform);
    return LINNET_OK;
}

linnet_status ln_census_take(const ln_simulation *simulation, ln_census *census) {
    const ln_network *network = simulation->network;
    *census = (ln_census){.blocks = network->ninstances, .links = network->nlinks, .unknowns = network->n,
                          .nonlinear = simulation->system->nnonlinear};
    for (int k = 0; k < network->nlinks; k++) census->links_of[network->links[k].domain]++;
    return count_states(simulation, &census->states);
}
