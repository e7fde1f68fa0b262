/* SPDX-License-Identifier: MIT */
/* From run->side.t to a target by steps of fixed length. Implicit: a failed step is halved, from
 * the third failure on by backward Euler, up to 20 times and in up to 100 parts, then a leap
 * (newton.h); junctions are limited anew from where the step begins, if a step has led there, not
 * from where the failure ended: after a restart a junction may stand at all of a source's voltage,
 * and nothing limits it from there. Explicit: one step. */
#include "integrate/drive.h"
#include "system/hybrid.h"

#include <math.h>

/* One step of h by the method, or, after so many failures, by backward Euler; committed. Where
 * events act at the ends of steps, the modes that a step has followed to are those of its end, and
 * parts of a step do not follow: generated code does the same. */
static linnet_status step(ln_drive *d, double h, ln_side side, int failures) {
    ln_run *run = &d->run;
    if (failures >= LN_EULER_AFTER)
        return ln_step_backward_euler(run, h, side) ? LINNET_OK : LINNET_RETRY;
    linnet_status status = d->stepper->fixed(run, d->stepper_data, h, side);
    if (status != LINNET_RETRY || (d->events_at_steps && failures > 0) ||
        !ln_run_follow(run, &side))
        return status;
    status = d->stepper->fixed(run, d->stepper_data, h, side);
    if (status == LINNET_OK && d->events_at_steps)
        (void)ln_system_decide_modes(run->system, &(ln_moment){run->side, run->x}, NULL, NULL);
    return status;
}

/* Explicit methods: one step of full length. They fail only where something has no value, so
 * shorter steps are not tried. */
static linnet_status walk_states(ln_drive *d, double target) {
    ln_run *run = &d->run;
    const double from = run->side.t, h = target - from;
    d->step_begin = from;
    d->unknowns_known = 0;
    ln_side side = ln_side_at(run->side, from);
    linnet_status status = d->stepper->fixed(run, d->stepper_data, h, side);
    if (status == LINNET_RETRY && ln_run_follow(run, &side))
        status = d->stepper->fixed(run, d->stepper_data, h, side);
    if (status == LINNET_RETRY)
        return d->stepper->explicit_ops->report_no_value(run, d->stepper_data, h);
    LN_TRY(status);
    ln_count_step(run, h);
    run->side.t = target;
    return LINNET_OK;
}

linnet_status ln_drive_fixed_step(ln_drive *d, double target) {
    ln_run *run = &d->run;
    const double full_step = run->settings->step;
    if (d->stepper->explicit_ops != NULL)
        return walk_states(d, target);
    const ln_side side = run->side;
    double left = target - run->side.t;
    double whole_h = fabs(left - full_step) <= 1e-9 * full_step ? full_step : left, h = whole_h;
    int failures = 0, tries = 0;
    while (target - run->side.t > 1e-9 * whole_h) {
        left = target - run->side.t;
        if (h > left * (1 + 1e-9))
            h = left;
        const double before = d->step_begin = run->side.t;
        tries++;
        ln_system_save_places(run->system, d->places);
        linnet_status status = step(d, h, side, failures);
        if (status == LINNET_OK) {
            ln_count_step(run, run->side.t - before);
            if (failures > 0 && h < whole_h) {
                h *= 2;
                failures--;
            }
            continue;
        }
        if (status != LINNET_RETRY)
            return status;
        if (run->outcome == LN_NEWTON_MEMORY || run->outcome == LN_NEWTON_SINGULAR ||
            failures >= LN_SHORTENINGS || tries > LN_MOST_TRIES) {
            status = ln_no_step(run, h, ln_side_at(side, target));
            if (status != LINNET_RETRY)
                return status;
            failures = tries = 0;
            h = whole_h;
            run->damp = 1;
            continue;
        }
        run->statistics->rejected++;
        ln_note_unsolved(run, run->newton.dx);
        if (run->is_after_step)
            ln_system_restore_places(run->system, d->places);
        failures++;
        h /= 2;
    }
    run->side.t = target;
    return LINNET_OK;
}
