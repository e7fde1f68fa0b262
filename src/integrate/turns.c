/* SPDX-License-Identifier: MIT */
/* Whether what time does to guards shows where a step is looked at.
 *
 * Guards are looked at between the ends of LN_ROOT_FINDER_SAMPLES parts of a step, where what
 * follows from states is resolved, since the method resolved those. Time may move a guard faster
 * than any state: of sin(w t) gt 0 such points may see anything. So intervals are asked (turns() of
 * a class): over a part, with the unknowns anywhere between the least and the largest that they are
 * in the step, does a guard come to zero, and can it turn there by time alone? A step is short
 * enough where none does in any part, beyond what the tolerance makes of it: towards a bend at
 * zero, which no length resolves, steps are halved until that is less. */
#include "integrate/drive.h"

#include "system/hybrid.h"

#include <math.h>
#include <string.h>

enum { PARTS = LN_ROOT_FINDER_SAMPLES };

linnet_status ln_drive_turns_init(ln_drive *d) {
    const ln_run *run = &d->run;
    const int n = run->n, nguards = run->system->nguards;
    ln_turns *turns = &d->turns;
    *turns = (ln_turns){.longest = INFINITY};
    if (!run->adaptive || nguards == 0 || memchr(d->finder.turning, 1, (size_t)nguards) == NULL)
        return LINNET_OK;
    turns->any = 1;
    turns->low = LN_NEW(run->arena, double, n);
    turns->high = LN_NEW(run->arena, double, n);
    turns->turn = LN_NEW(run->arena, double, nguards);
    return turns->low && turns->high && turns->turn ? LINNET_OK : LINNET_MEMORY;
}

/* The unknowns are x alone; then others join. */
static void begin_range(const ln_drive *d, const double *x) {
    memcpy(d->turns.low, x, (size_t)d->run.n * sizeof *x);
    memcpy(d->turns.high, x, (size_t)d->run.n * sizeof *x);
}

static void widen_range(const ln_drive *d, const double *x) {
    for (int i = 0; i < d->run.n; i++) {
        d->turns.low[i] = fmin(d->turns.low[i], x[i]);
        d->turns.high[i] = fmax(d->turns.high[i], x[i]);
    }
}

/* Does any guard turn over the part, by more than the tolerance of the largest it has been? */
static int any_turns(const ln_drive *d, const ln_stretch *part) {
    const double tolerance = d->run.settings->tolerance;
    ln_system_turns(d->run.system, part, d->turns.turn);
    for (int k = 0; k < d->run.system->nguards; k++)
        if (d->turns.turn[k] > tolerance * d->events.guard_peak[k])
            return 1;
    return 0;
}

static int show_over(const ln_drive *d, double from, double to, const double *x) {
    for (int i = 0; i < PARTS; i++) {
        const ln_side side = ln_side_at(d->run.side, from + (to - from) * i / PARTS);
        const ln_stretch part = {.from = {side, x},
                                 .to = from + (to - from) * (i + 1) / PARTS,
                                 .low = d->turns.low,
                                 .high = d->turns.high};
        if (any_turns(d, &part))
            return 0;
    }
    return 1;
}

double ln_drive_longest_seen(const ln_drive *d, double most) {
    const double t = d->run.side.t, shortest = ln_source_shortest(t);
    begin_range(d, d->run.x);
    while (most / 2 > shortest && !show_over(d, t, t + most, d->run.x))
        most /= 2;
    return most;
}

linnet_status ln_drive_guards_show(ln_drive *d, int *show) {
    const double from = d->step_start.t, h = d->run.side.t - from;
    const double *x;
    LN_TRY(ln_drive_compute_unknowns(d));
    begin_range(d, d->step_start.x);
    widen_range(d, d->run.x);
    for (int i = 1; i < PARTS; i++) {
        LN_TRY(ln_drive_interpolate(d, from + h * i / PARTS, &x));
        if (x != NULL)
            widen_range(d, x);
    }
    *show = show_over(d, from, d->run.side.t, d->step_start.x);
    return LINNET_OK;
}
