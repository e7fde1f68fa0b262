/* SPDX-License-Identifier: MIT */
/* Memories as inputs of the continuous part: see memory_input.h. */
#include "analysis/memory_input.h"

#include <math.h>
#include <string.h>

static const double VARIED = 1e-4; /* of its size */

/* f - s at the small signal's point. */
static linnet_status forces(ln_small_signal *small, double *f, double *s) {
    ln_system *system = small->system;
    memset(f, 0, (size_t)system->n * sizeof *f);
    LN_TRY(ln_system_final_sources(system, small->at.side, s, small->report));
    LN_TRY(ln_system_eval(system, &(ln_moment){small->at.side, small->at.x}, LN_LIMIT_OFF, NULL, f,
                          NULL));
    for (int i = 0; i < system->n; i++)
        f[i] -= s[i];
    return LINNET_OK;
}

double ln_memory_step(double value) {
    return VARIED * fmax(fabs(value), 1);
}

linnet_status ln_memory_column(ln_small_signal *small, int memory, double *b) {
    double *place = &small->system->memory[memory], kept = *place, h = ln_memory_step(kept);
    double *f = LN_NEW(small->arena, double, small->n), *s = LN_NEW(small->arena, double, small->n);
    if (f == NULL || s == NULL)
        return ln_no_memory(small->report);
    linnet_status status = LINNET_OK;
    for (int side = -1; side <= 1 && status == LINNET_OK; side += 2) {
        *place = kept + side * h;
        status = forces(small, f, s);
        for (int i = 0; i < small->n; i++)
            b[i] -= side * f[i] / (2 * h);
    }
    *place = kept;
    if (status == LINNET_RETRY)
        return ln_fail(small->report, LINNET_FAILED, LN_NOWHERE,
                       "something has no finite value when a memory changes a little");
    return status;
}

double ln_memory_direct(ln_small_signal *small, int memory, const ln_quantity *output) {
    double *place = &small->system->memory[memory], kept = *place, h = ln_memory_step(kept),
           values[2];
    for (int side = 0; side < 2; side++) {
        *place = side == 0 ? kept - h : kept + h;
        values[side] = ln_system_observe(small->system, output, small->at.side, small->at.x);
    }
    *place = kept;
    return (values[1] - values[0]) / (2 * h);
}

/* A discrete block reads its inputs at ticks, past the equations: u must move the signal itself. */
linnet_status ln_memory_check_input(const ln_small_signal *small, const ln_input *input) {
    const ln_network *network = small->system->network;
    int hidden = input->nshares == 0;
    for (int k = 0; k < network->ninstances && !hidden; k++) {
        const ln_instance *block = &network->instances[k];
        const size_t length = strlen(block->name);
        if (block->block.type->nevents == 0)
            continue;
        hidden = strncmp(input->name, block->name, length) == 0 && input->name[length] == '.';
        for (int j = 0; j < block->block.type->nports && input->added >= 0; j++)
            hidden |=
                block->links[j] >= 0 && network->links[block->links[j]].unknown == input->added;
    }
    if (!hidden)
        return LINNET_OK;
    return ln_fail(
        small->report, LINNET_USAGE, LN_NOWHERE,
        "%s cannot be the input of a sampled model: a discrete block "
        "reads it at ticks; name the source, or the signal with the block that drives it",
        input->name);
}
