/* SPDX-License-Identifier: MIT */
/* States whose modes follow: where frozen modes have no value, they are decided at the point
 * itself, pass by pass, since each pass gives values to more of what they depend on. */
#include "integrate/follow.h"

#include "system/hybrid.h"
#include <string.h>

enum { MOST_PASSES = 100 };

linnet_status ln_unknowns_by_modes(ln_run *run, ln_ode *ode, ln_side side, const double *z,
                                   double *x) {
    const ln_moment moment = {side, x};
    linnet_status status = ode->unknowns(ode, side, z, x);
    for (int pass = 0; status == LINNET_RETRY && pass < MOST_PASSES; pass++) {
        if (ln_system_decide_modes(run->system, &moment, NULL, NULL) == 0)
            break;
        status = ode->unknowns(ode, side, z, x);
    }
    return status;
}

static size_t size_of_memory(const ln_run *run) {
    return (size_t)run->system->network->nmemories * sizeof *run->system->memory;
}

static linnet_status rates(ln_ode *ode, ln_side side, const double *z, double *dz) {
    ln_following *it = (ln_following *)ode;
    memcpy(it->memory, it->run->system->memory, size_of_memory(it->run));
    linnet_status status = ln_unknowns_by_modes(it->run, it->of, side, z, it->x);
    if (status == LINNET_OK)
        status = it->of->rates(it->of, side, z, dz);
    memcpy(it->run->system->memory, it->memory, size_of_memory(it->run));
    return status;
}

static linnet_status unknowns(ln_ode *ode, ln_side side, const double *z, double *x) {
    ln_following *it = (ln_following *)ode;
    memcpy(it->memory, it->run->system->memory, size_of_memory(it->run));
    linnet_status status = ln_unknowns_by_modes(it->run, it->of, side, z, x);
    memcpy(it->run->system->memory, it->memory, size_of_memory(it->run));
    return status;
}

linnet_status ln_following_init(ln_following *it, ln_run *run, ln_ode *of) {
    *it = (ln_following){.ode = *of, .of = of, .run = run};
    it->ode.rates = rates;
    it->ode.unknowns = unknowns;
    it->memory = LN_NEW(run->arena, double, run->system->network->nmemories + 1);
    it->x = LN_NEW(run->arena, double, run->n);
    return it->memory != NULL && it->x != NULL ? LINNET_OK : ln_no_memory(run->report);
}
