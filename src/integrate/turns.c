/* SPDX-License-Identifier: MIT */
/* Whether guards show where a step is looked at.
 *
 * Guards are looked at between the ends of LN_ROOT_FINDER_SAMPLES parts of a step, where what
 * follows straight from states is resolved, since the method resolved those. A function may turn
 * faster than time and unknowns do: of sin(w t) gt 0, or of an encoder's sin(200 x) gt 0, such
 * points may see anything. So intervals are asked (turns() of a class): over a part, with the
 * unknowns between its ends, does a guard come to zero, and can it turn there? A step is short
 * enough where none does in any part, beyond what the tolerance makes of it: towards a bend at
 * zero, which no length resolves, steps are halved until that is less. Ahead of a step, with the
 * unknowns as they are, only what time does is known; behind it all is. */
#include "integrate/drive.h"

#include "integrate/guards.h"
#include "system/hybrid.h"

#include <math.h>
#include <string.h>

enum { PARTS = LN_ROOT_FINDER_SAMPLES };

linnet_status ln_drive_turns_init(ln_drive *d) {
    const ln_run *run = &d->run;
    ln_turns *turns = &d->turns;
    *turns =
        (ln_turns){.any = run->adaptive && ln_system_has_turns(run->system), .longest = INFINITY};
    if (!turns->any)
        return LINNET_OK;
    turns->x = LN_NEW(run->arena, double, run->n);
    turns->x_end = LN_NEW(run->arena, double, run->n);
    turns->turn = LN_NEW(run->arena, double, run->system->nguards);
    return turns->x && turns->x_end && turns->turn ? LINNET_OK : LINNET_MEMORY;
}

/* A turn of a guard below this is none: the tolerance of the largest it has been, or its noise. The
 * end of a part tells of one that has been zero so far; one that stays there (of a clamp) is not
 * known to turn. */
static double least_turn(ln_drive *d, int guard, const ln_stretch *part) {
    const ln_moment end = {ln_side_at(part->from.side, part->to), part->x_end};
    const double *peak = &d->events.guard_peak[guard];
    if (!(*peak > 0))
        ln_events_find_guards(&d->events, &end, NULL, d->finder.work);
    return *peak > 0 ? fmax(d->run.settings->tolerance * *peak,
                            d->events.in_noise[guard] ? d->events.noise[guard] : 0)
                     : INFINITY;
}

/* Does any guard turn over the part? Those that come to zero are noted. */
static int any_turns(ln_drive *d, const ln_stretch *part) {
    int any = 0;
    ln_system_turns(d->run.system, part, d->turns.turn);
    for (int k = 0; k < d->run.system->nguards; k++) {
        if (d->turns.turn[k] >= 0)
            d->finder.turning[k] = 1;
        any |= d->turns.turn[k] > 0 && d->turns.turn[k] > least_turn(d, k, part);
    }
    return any;
}

static ln_stretch part_of(const ln_drive *d, double from, double h, int i) {
    return (ln_stretch){.from = {ln_side_at(d->run.side, from + h * i / PARTS), d->turns.x},
                        .to = from + h * (i + 1) / PARTS,
                        .x_end = d->turns.x_end};
}

static int show_ahead(ln_drive *d, double h) {
    for (int i = 0; i < PARTS; i++) {
        const ln_stretch part = part_of(d, d->run.side.t, h, i);
        if (any_turns(d, &part))
            return 0;
    }
    return 1;
}

double ln_drive_longest_seen(ln_drive *d, double most) {
    const double shortest = ln_source_shortest(d->run.side.t);
    const size_t bytes = (size_t)d->run.n * sizeof *d->run.x;
    memcpy(d->turns.x, d->run.x, bytes);
    memcpy(d->turns.x_end, d->run.x, bytes);
    while (most / 2 > shortest && !show_ahead(d, most))
        most /= 2;
    return most;
}

linnet_status ln_drive_guards_show(ln_drive *d, int *show) {
    const double from = d->step_start.t, h = d->run.side.t - from;
    const size_t bytes = (size_t)d->run.n * sizeof *d->run.x;
    const double *x;
    LN_TRY(ln_drive_compute_unknowns(d));
    memset(d->finder.turning, 0, (size_t)d->run.system->nguards);
    memcpy(d->turns.x, d->step_start.x, bytes);
    *show = 1;
    for (int i = 0; i < PARTS && *show; i++) {
        x = d->run.x;
        if (i < PARTS - 1)
            LN_TRY(ln_drive_interpolate(d, from + h * (i + 1) / PARTS, &x));
        memcpy(d->turns.x_end, x != NULL ? x : d->run.x, bytes);
        const ln_stretch part = part_of(d, from, h, i);
        *show = !any_turns(d, &part);
        memcpy(d->turns.x, d->turns.x_end, bytes);
    }
    return LINNET_OK;
}
