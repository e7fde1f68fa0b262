/* SPDX-License-Identifier: MIT */
/* Does anything jump at an instant? Sources and what nonlinear parts give are compared on both of
 * its sides, and what rounding makes of the times is left out. */
#include "integrate/drive.h"

#include <math.h>
#include <string.h>

/* What nonlinear parts give on both sides; zero where none of them depends on the time. */
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
    if (d->events_at_steps)
        ln_add_sizes(&system->A.pattern, system->A.value, 1e-6, system->abstol, least);
}

/* By how much the two sides of a row may differ without a jump, into d->work; after: the sources on
 * the right side. Where events act at the ends of steps: ln_drive_least_jumps(). Elsewhere: how
 * much the sources change over the rounding of t. Steps begin anew at anything more, the kink of a
 * ramp that begins at zero included, as its order asks for. */
static linnet_status find_rounding(ln_drive *d, ln_side side, const double *after) {
    ln_run *run = &d->run;
    ln_system *system = run->system;
    const ln_side beside = ln_side_at(side, side.t + LN_SAME_TIME * fabs(side.t));
    if (d->events_at_steps) {
        ln_drive_least_jumps(d, d->work);
        return LINNET_OK;
    }
    LN_TRY(ln_system_sources(system, beside, d->work, run->report));
    for (int i = 0; i < run->n; i++)
        d->work[i] = fabs(d->work[i] - after[i]);
    return LINNET_OK;
}

/* The size of a row is that of both sides: a ramp that ends at zero leaves rounding there, which is
 * no jump. */
linnet_status ln_drive_jumps(ln_drive *d, ln_side side, int *jumps) {
    ln_run *run = &d->run;
    double *s_before = run->w, *s_after = run->s, *f_before = run->f1, *f_after = run->q1;
    LN_TRY(ln_system_sources(run->system, run->side, s_before, run->report));
    LN_TRY(ln_system_sources(run->system, side, s_after, run->report));
    LN_TRY(look_at_both_sides(run, side, f_before, f_after));
    LN_TRY(find_rounding(d, side, s_after));
    *jumps = 0;
    for (int i = 0; i < run->n && !*jumps; i++) {
        double size = fabs(s_before[i]) + fabs(s_after[i]) + fabs(f_before[i]) + fabs(f_after[i]);
        *jumps =
            fabs(s_after[i] - s_before[i] - f_after[i] + f_before[i]) > 1e-9 * size + d->work[i];
    }
    return LINNET_OK;
}
