/* SPDX-License-Identifier: MIT */
/* How long a step is: what is known of that before it is taken, and what it has passed that none
 * may pass, for which it is taken again, shorter: the end of what a delay foretells, a guard that
 * turns by itself, a jump of what is not stored. */
#include "integrate/drive.h"
#include "integrate/leap.h"
#include "system/delay.h"

#include <math.h>

/* How far a step may reach: ten times the last, since no stepper grows faster (radau5: 8). A first
 * one is a thousandth of the run, or as long as the last one was before an event cut it; an
 * explicit method chooses its own. */
static double horizon_of(const ln_drive *d) {
    const ln_settings *settings = d->run.settings;
    if (d->previous_h > 0)
        return 10 * d->previous_h;
    return d->stepper->explicit_ops != NULL
               ? INFINITY
               : fmax(1e-3 * (settings->end - settings->begin), d->uncut_h);
}

/* A limit below the others says why a step is no longer. */
static double limited(ln_drive *d, double most, double limit, ln_cause cause) {
    if (!(limit < most))
        return most;
    d->longest_by = cause;
    return limit;
}

/* The longest step allowed: settings->step if given; else the whole run for implicit methods of
 * order above 2, and 1/50 of it for all others, between whose points more may happen. Delays add
 * their limit (1e-3 of the run before the first estimate). What delays give back and what sources
 * and guards do in time shortens it, as far as a step may reach. */
static double longest_step(ln_drive *d, ln_side stop) {
    ln_run *run = &d->run;
    const ln_settings *settings = run->settings;
    const int is_explicit = d->stepper->explicit_ops != NULL;
    const double span = settings->end - settings->begin, left = stop.t - run->side.t;
    double most = settings->step > 0
                      ? settings->step
                      : span / (settings->method->order > 2 && !is_explicit ? 1 : 50);
    d->longest_by = LN_BY_LARGEST;
    if (run->system->delays != NULL)
        most = limited(d, most, d->interpolation_bound > 0 ? d->interpolation_bound : 1e-3 * span,
                       LN_BY_DELAY);
    most = limited(d, most, d->turns.longest, LN_BY_CROSSING);
    if (d->branch.longest > 0)
        most = limited(d, most, d->branch.longest, LN_BY_NEWTON);
    const double horizon = fmin(fmin(most, left), horizon_of(d));
    double reach = horizon;
    if (run->system->delays != NULL)
        reach = limited(d, reach, ln_drive_lookahead_bound(d, reach), LN_BY_DELAY);
    reach = limited(
        d, reach, ln_source_step_bound(run, reach, stop, &d->stepper->interpolation, d->previous_h),
        LN_BY_SOURCE);
    if (d->turns.any)
        reach = limited(d, reach, ln_drive_longest_seen(d, reach), LN_BY_CROSSING);
    return reach < horizon ? reach : most;
}

/* A step towards a stop; it may end before it. */
static linnet_status step_towards(ln_drive *d, double target) {
    ln_run *run = &d->run;
    const double before = run->side.t;
    run->side = ln_side_after(before, target);
    run->bound.cause = LN_BY_ERROR;
    if (!run->adaptive)
        return ln_drive_fixed_step(d, target);
    const ln_side stop = ln_side_at(run->side, target);
    if (run->bound.nsource_rows > 0 || d->turns.any) /* they are looked at with x as it is */
        LN_TRY(ln_drive_compute_unknowns(d));
    run->bound.longest = longest_step(d, stop);
    LN_TRY(ln_drive_advance(d, stop));
    d->previous_h = d->uncut_h = run->side.t - before;
    return LINNET_OK;
}

/* The step is taken again, with a length of h; *retaken counts how often. */
static linnet_status retake(ln_drive *d, double target, double h, int *retaken) {
    ln_run *run = &d->run;
    ln_instants_go_back(d);
    run->statistics->rejected += ++*retaken; /* going back forgets those before */
    run->bound.first_h = h;
    const linnet_status begun = d->stepper->restart(run, d->stepper_data);
    run->bound.first_h = 0;
    LN_TRY(begun);
    return step_towards(d, target);
}

/* Half as long but as long as the shortest delay at least, until the step's forecast of what is
 * delayed by less than its length holds. */
static linnet_status shorten_until_foreseen(ln_drive *d, double target) {
    ln_run *run = &d->run;
    int off, retaken = 0;
    LN_TRY(ln_drive_forecast_is_off(d, &off));
    while (off) {
        d->interpolation_bound =
            fmax((run->side.t - d->step_begin) / 2, ln_delays_shortest(run->system) * (1 - 1e-9));
        LN_TRY(retake(d, target, d->interpolation_bound, &retaken));
        LN_TRY(ln_drive_forecast_is_off(d, &off));
    }
    return LINNET_OK;
}

/* Half as long, until guards show over the step. */
static linnet_status shorten_until_seen(ln_drive *d, double target) {
    ln_run *run = &d->run;
    int show = !d->turns.any, retaken = 0;
    while (!show) {
        LN_TRY(ln_drive_guards_show(d, &show));
        const double shorter = fmin(run->side.t - d->step_start.t, d->turns.longest) / 2;
        if (show || shorter <= ln_source_shortest(run->side.t))
            break;
        d->turns.longest = shorter;
        LN_TRY(retake(d, target, shorter, &retaken));
    }
    d->turns.longest = 2 * d->turns.longest;
    return LINNET_OK;
}

/* The step is taken again, no longer than h. */
static linnet_status retake_within(ln_drive *d, double target, double h, int *retaken) {
    d->branch.longest = h;
    const linnet_status status = retake(d, target, h, retaken);
    d->branch.longest = 0;
    return status;
}

/* The last step, which jumped at its begin, becomes a leap; where none is due it is taken as it
 * was. */
static linnet_status leap_instead(ln_drive *d, double target, double h, int *retaken) {
    ln_run *run = &d->run;
    char note[256];
    ln_instants_go_back(d);
    d->leapt = ln_leap(run, ln_side_at(run->side, target), note);
    return d->leapt ? d->stepper->restart(run, d->stepper_data)
                    : retake_within(d, target, h, retaken);
}

/* Where the step jumped to another solution it is taken again as long as it can stay on its own,
 * and a fourth as long where it jumps nevertheless, until within next to nothing it does: then that
 * is a leap. */
static linnet_status shorten_until_it_stays(ln_drive *d, double target) {
    ln_run *run = &d->run;
    const double shortest = ln_leap_shortest(run);
    double stays;
    int retaken = 0;
    while (!d->leapt && ln_branch_has_jumped(&d->branch, &d->equations_between, run,
                                             run->side.t - d->step_begin, &stays)) {
        const double h = run->side.t - d->step_start.t, part = stays > 0 ? stays : h;
        if (!(h > 2 * shortest)) /* times are rounded */
            return leap_instead(d, target, h, &retaken);
        const double shorter = retaken > 0 || part >= h ? fmin(part, h / 4) : part;
        LN_TRY(retake_within(d, target, fmax(shorter, shortest), &retaken));
    }
    return LINNET_OK;
}

linnet_status ln_drive_step(ln_drive *d, double target) {
    LN_TRY(step_towards(d, target));
    LN_TRY(shorten_until_foreseen(d, target));
    LN_TRY(shorten_until_seen(d, target));
    return d->branch.serves ? shorten_until_it_stays(d, target) : LINNET_OK;
}
