/* SPDX-License-Identifier: MIT */
/* Sources at a time, and their next breakpoint. */
#include "system/active.h"

#include <math.h>
#include <string.h>

static linnet_status add_sources(ln_system *system, ln_side side, double *s) {
    memcpy(s, system->s_constant, (size_t)system->n * sizeof *s);
    double *local = system->own->f;
    for (int k = 0; k < system->nsources; k++) {
        const ln_active *active = &system->sources[k];
        const linnet_block *block = &active->instance->block;
        if (block->type->source == NULL || !block->type->source_varies)
            continue;
        memset(local, 0, (size_t)active->nlocal * sizeof *local);
        block->type->source(
            block,
            &(linnet_point){side.t, side.within, NULL, ln_memories_of(system, active->instance)},
            local);
        for (int j = 0; j < active->nlocal; j++) {
            if ((active->row[j] < 0 && active->balance_row[j] < 0) || local[j] == 0)
                continue;
            if (!isfinite(local[j])) {
                ln_blame(system, active, "its source is not finite", side.t);
                return LINNET_RETRY;
            }
            if (active->row[j] >= 0)
                s[active->row[j]] += local[j];
            if (active->balance_row[j] >= 0)
                s[active->balance_row[j]] += local[j];
        }
    }
    return LINNET_OK;
}

linnet_status ln_system_sources(ln_system *system, ln_side side, double *s) {
    const ln_profile_part before = ln_profile_enter(system->profile, LN_PART_DEVICES);
    const linnet_status status = add_sources(system, side, s);
    ln_profile_leave(system->profile, before);
    return status;
}

linnet_status ln_system_final_sources(ln_system *system, ln_side side, double *s,
                                      ln_report *report) {
    char blame[256];
    ln_place place;
    if (ln_system_sources(system, side, s) == LINNET_OK)
        return LINNET_OK;
    ln_system_blame(system, blame, &place);
    return ln_fail(report, LINNET_FAILED, place, "%s", blame);
}

double ln_source_next_break(const ln_system *system, int k, double t) {
    const ln_instance *instance = system->sources[k].instance;
    const linnet_block *block = &instance->block;
    return block->type->next_breakpoint == NULL
               ? INFINITY
               : block->type->next_breakpoint(block, t, ln_memories_of(system, instance));
}

double ln_system_source_break(const ln_system *system, double t) {
    double next = INFINITY;
    for (int k = 0; k < system->nsources; k++) {
        const double breakpoint = ln_source_next_break(system, k, t);
        if (breakpoint < next)
            next = breakpoint;
    }
    return next;
}
