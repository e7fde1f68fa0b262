/* SPDX-License-Identifier: MIT */
/* Steps without progress: see progress.h. */
#include "integrate/progress.h"

/* Steps grow by a factor of at least 2 where nothing holds them back: after a start or an event, 60
 * of them are enough to come from rounding to the whole run. Backward Euler at 1e-7 takes 2200 for
 * a layer's time constant, and grows behind it. */
enum { MOST_IDLE = 10000 };

linnet_status ln_progress_step(ln_progress *progress, double t, double h, int unknown,
                               const ln_events *events, ln_report *report) {
    const long acted = events != NULL ? events->count : 0;
    if (h > progress->same || acted != progress->events) {
        progress->idle = 0;
        progress->events = acted;
        return LINNET_OK;
    }
    if (progress->idle == 0 || h > 2 * progress->longest) { /* they grow: through a layer */
        progress->idle = 0;
        progress->idle_from = t;
        progress->longest = h;
    }
    if (++progress->idle < MOST_IDLE)
        return LINNET_OK;
    const ln_instance *owner = events != NULL && events->last_guard >= 0
                                   ? ln_guard_owner(events->system, events->last_guard)
                                   : NULL;
    return ln_fail(
        report, LINNET_FAILED, owner != NULL ? owner->place : LN_NOWHERE,
        "the run stands still: %d steps from t = %.12g s to %.12g s, each shorter than "
        "rounding tells times apart; their length was set by %s%s%s; try another method, "
        "or loosen the tolerance",
        MOST_IDLE, progress->idle_from, t, ln_network_unknown_name(progress->network, unknown),
        owner != NULL ? ", the last condition met is of " : "", owner != NULL ? owner->name : "");
}
