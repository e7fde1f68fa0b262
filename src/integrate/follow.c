/* SPDX-License-Identifier: MIT */
/* States whose modes follow: where frozen modes have no value, they are decided at the point
 * itself, pass by pass, since each pass gives values to more of what they depend on. */
#include "integrate/follow.h"

#include "system/hybrid.h"
#include <string.h>

/* Modes that go on changing each other after so many passes have no branch that holds: a passage of
 * many switches takes one pass each. */
enum { MOST_PASSES = 100 };

linnet_status ln_unknowns_by_modes(ln_run *run, ln_ode *ode, const ln_side *side, const double *z,
                                   double *x) {
    const ln_moment moment = {*side, x};
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

/* A root may stand in a rate alone, where all unknowns have values. */
static linnet_status rates_by_modes(const ln_following *following, const ln_side *side,
                                    const double *z, double *dz) {
    ln_ode *of = following->of;
    const ln_moment moment = {*side, following->x};
    linnet_status status = of->rates(of, side, z, dz);
    for (int pass = 0; status == LINNET_RETRY && pass < MOST_PASSES; pass++) {
        (void)of->unknowns(of, side, z, following->x); /* as many as have values */
        if (ln_system_decide_modes(following->run->system, &moment, NULL, NULL) == 0)
            break;
        status = of->rates(of, side, z, dz);
    }
    return status;
}

static linnet_status rates(ln_ode *ode, const ln_side *side, const double *z, double *dz) {
    ln_following *following = (ln_following *)ode;
    memcpy(following->memory, following->run->system->memory, size_of_memory(following->run));
    const linnet_status status = rates_by_modes(following, side, z, dz);
    memcpy(following->run->system->memory, following->memory, size_of_memory(following->run));
    return status;
}

static linnet_status unknowns(ln_ode *ode, const ln_side *side, const double *z, double *x) {
    ln_following *following = (ln_following *)ode;
    memcpy(following->memory, following->run->system->memory, size_of_memory(following->run));
    linnet_status status = ln_unknowns_by_modes(following->run, following->of, side, z, x);
    memcpy(following->run->system->memory, following->memory, size_of_memory(following->run));
    return status;
}

linnet_status ln_following_init(ln_following *following, ln_run *run, ln_ode *of) {
    *following = (ln_following){.ode = *of, .of = of, .run = run};
    following->ode.rates = rates;
    following->ode.unknowns = unknowns;
    following->memory = LN_NEW(run->arena, double, run->system->network->nmemories + 1);
    following->x = LN_NEW(run->arena, double, run->n);
    return following->memory != NULL && following->x != NULL ? LINNET_OK
                                                             : ln_no_memory(run->report);
}
