/* SPDX-License-Identifier: MIT */
/* Does anything jump at an instant? Sources and what nonlinear parts give are compared on both of
 * its sides, and what rounding makes of the times is left out. */
#include "integrate/drive.h"

#include <math.h>
#include <string.h>

/* What nonlinear parts give on both sides; zero where none of them is told the time. */
static linnet_status look_at_both_sides(ln_run *run, ln_side side, double *before, double *after) {
    const size_t bytes = (size_t)run->n * sizeof(double);
    memset(before, 0, bytes);
    memset(after, 0, bytes);
    if (!ln_system_is_told_time(run->system))
        return LINNET_OK;
    LN_TRY(ln_system_eval(run->system, &(ln_moment){run->side, run->x}, LN_LIMIT_OFF, NULL, before,
                          NULL));
    return ln_system_eval(run->system, &(ln_moment){side, run->x}, LN_LIMIT_OFF, NULL, after, NULL);
}

void ln_drive_least_jumps(const ln_drive *d, double *least) {
    const ln_system *system = d->run.system;
    memset(least, 0, (size_t)system->n * sizeof *least);
    if (d->at_steps)
        ln_add_sizes(&system->A.pattern, system->A.value, 1e-6, system->abstol, least);
}

/* By how much a row may differ on both sides without a jump, into d->moved; after: the sources
 * right of the instant. Unless events act at the ends of steps, steps that begin anew at a corner
 * are what it asks for, and only what the rounding of times makes of it is none: a ramp that begins
 * at zero has a corner there. */
static linnet_status find_rounding(ln_drive *d, ln_side side, const double *after) {
    ln_run *run = &d->run;
    ln_system *system = run->system;
    const ln_side beside = ln_side_at(side, side.t + LN_SAME_TIME * fabs(side.t));
    if (d->at_steps) {
        ln_drive_least_jumps(d, d->moved);
        return LINNET_OK;
    }
    LN_TRY(ln_system_sources(system, beside, d->moved, run->report));
    for (int i = 0; i < run->n; i++)
        d->moved[i] = fabs(d->moved[i] - after[i]);
    return LINNET_OK;
}

/* A ramp that ends at zero does so by rounding. */
linnet_status ln_drive_jumps(ln_drive *d, ln_side side, int *jumps) {
    ln_run *run = &d->run;
    double *before = run->w, *after = run->s, *f = run->f1, *f_after = run->q1;
    LN_TRY(ln_system_sources(run->system, run->side, before, run->report));
    LN_TRY(ln_system_sources(run->system, side, after, run->report));
    LN_TRY(look_at_both_sides(run, side, f, f_after));
    LN_TRY(find_rounding(d, side, after));
    *jumps = 0;
    for (int i = 0; i < run->n && !*jumps; i++) {
        double size = fabs(before[i]) + fabs(after[i]) + fabs(f[i]) + fabs(f_after[i]);
        *jumps = fabs(after[i] - before[i] - f_after[i] + f[i]) > 1e-9 * size + d->moved[i];
    }
    return LINNET_OK;
}
