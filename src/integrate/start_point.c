/* SPDX-License-Identifier: MIT */
/* The point from which a start begins: what the model says of its unknowns and memories. */
#include "integrate/start.h"

#include "system/hybrid.h"

#include <math.h>
#include <string.h>

linnet_status ln_start_point(ln_run *run) {
    const ln_settings *settings = run->settings;
    if (settings->start_x == NULL)
        return ln_system_start_values(run->system, run->x, run->report);
    memcpy(run->x, settings->start_x, (size_t)run->n * sizeof *run->x);
    return LINNET_OK;
}

void ln_start_memories(ln_system *system, const ln_settings *settings) {
    ln_system_reset_memories(system, settings->begin);
    for (int k = 0; settings->start_memory != NULL && k < system->network->nmemories; k++)
        if (!isnan(settings->start_memory[k]))
            system->memory[k] = settings->start_memory[k];
}
