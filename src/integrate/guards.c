/* SPDX-License-Identifier: MIT */
/* See the header. */
#include "integrate/guards.h"

#include <math.h>
#include <string.h>

void ln_events_find_guards(ln_events *ev, const ln_moment *moment, const char *wanted,
                           double *guard) {
    ln_system_guards(ev->system, moment, wanted, guard);
    for (int k = 0; k < ev->system->nguards; k++)
        if (isfinite(guard[k]))
            ev->guard_peak[k] = fmax(ev->guard_peak[k], fabs(guard[k]));
}

/* Is a guard in noise larger than the Newton error of its own unknowns, so that the noise of others
 * must be known? */
static int any_in_doubt(const ln_events *ev, const double *guard) {
    for (int k = 0; k < ev->system->nguards; k++)
        if (ev->in_noise[k] && ev->mode_stayed[k] && !(fabs(guard[k]) <= ev->noise[k]))
            return 1;
    return 0;
}

void ln_events_suppress_noise(ln_events *ev, const ln_moment *moment, double *guard) {
    const size_t count = (size_t)ev->system->nguards;
    if (memchr(ev->in_noise, 1, count) == NULL)
        return;
    ln_system_guard_noise(ev->system, moment, ev->in_noise, guard, NULL, ev->noise);
    if (ev->algebra.noise != NULL && any_in_doubt(ev, guard)) {
        const double *noise = ev->algebra.noise(ev->algebra.context, moment);
        if (noise != NULL)
            ln_system_guard_noise(ev->system, moment, ev->in_noise, guard, noise, ev->noise);
    }
    for (size_t k = 0; k < count; k++)
        if (ev->in_noise[k] && fabs(guard[k]) <= ev->noise[k] && !ln_guard_is_just_beyond(guard[k]))
            guard[k] = 0;
}

void ln_events_note_guards(ln_events *ev, const double *guard) {
    for (int k = 0; k < ev->system->nguards; k++)
        ev->in_noise[k] = ev->in_noise[k] && !(guard[k] > 0);
}
